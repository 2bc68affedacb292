"""A small server for pages of this machine: it answers on 127.0.0.1 only, reads no file, and does only what its own
page requests.

An app answers:
    page(token) -> str                        the page, at /; what it posts must carry the token as header X-Mekane
    get(path, query) -> Answer | None         None: there is no such thing (404)
    post(path, data) -> Answer | None         data is a JSON object
    guarded = True                            (if it has that) the page is sent only at an address with the token in it
They are called from several threads at once. A MekaneError in them is sent to the page as
{"error": {part, problem, expected, remedy, text}}. What takes long may check `nobody_waits()` and give up.

    with Server(app) as server:
        print(server.address, server.remark)
        server.wait()                         # until Ctrl-C
"""

import errno
import gzip
import json
import os
import secrets
import select
import socket
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from urllib.parse import parse_qsl

from mekane.errors import MekaneError, ModelError
from mekane.view.web import PORT

HOST = "127.0.0.1"
TRIES = 20
MOST_BYTES = 8_000_000  # of what a page may send
PATIENCE = 60.0  # with a tab that neither reads nor writes [s]
WORTH_PACKING = 1000  # bytes
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; connect-src 'self'; base-uri 'none'"
)
HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    # notebooks show a page of their own (saved.py)
    "Content-Security-Policy": POLICY + "; form-action 'none'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}


@dataclass(frozen=True)
class Answer:
    body: bytes
    kind: str
    packed: bool = True  # gzip, where it is worth it and the browser takes it

    @classmethod
    def json(cls, data) -> "Answer":
        return cls(json.dumps(data, allow_nan=False, separators=(",", ":")).encode(), "application/json")

    @classmethod
    def html(cls, text: str) -> "Answer":
        return cls(text.encode(), "text/html; charset=utf-8")

    @classmethod
    def binary(cls, body: bytes, packed: bool = True) -> "Answer":
        return cls(body, "application/octet-stream", packed)

    @classmethod
    def failure(cls, error) -> "Answer":
        """An error, or one line of text, as a page reads it."""
        fields = {name: str(getattr(error, name, "")) for name in ("part", "problem", "expected", "remedy")}
        return cls.json({"error": {**fields, "text": " ".join(str(error).split())}})


# .connection and .since (time of arrival by time.monotonic() [s]) of the request that this thread answers
current_request = threading.local()


def nobody_waits() -> bool:
    """Whether the tab that sent the request is gone: the answer would be lost."""
    connection = getattr(current_request, "connection", None)
    if connection is None:
        return False
    try:
        ready, _, _ = select.select([connection], [], [], 0)
        return bool(ready) and connection.recv(1, socket.MSG_PEEK) == b""
    except (OSError, ValueError):
        return True


def request_time() -> float:
    """When the request arrived that this thread answers, by time.monotonic() [s]; now, if there is none."""
    return getattr(current_request, "since", None) or time.monotonic()


class Refused(Exception):
    """A request that is not answered, with its status and one line why."""

    def __init__(self, status: int, why: str):
        self.status = status
        super().__init__(why)


class Server:
    """Listens as soon as it is made; answers from start() on. close() frees the port at once."""

    def __init__(self, app, port: int = PORT):
        self.app, self.token = app, secrets.token_urlsafe(24)
        self._http, self.remark = listening(port)
        self.port = self._http.server_address[1]
        self.hosts = (f"{HOST}:{self.port}", f"localhost:{self.port}")
        self._http.owner, self._thread, self._ended = self, None, threading.Event()

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}/" + (f"?key={self.token}" if self.guarded else "")

    @property
    def guarded(self) -> bool:
        """Whether other users of this machine must not have the page: it can change something."""
        return getattr(self.app, "guarded", False)

    def start(self) -> "Server":
        if self._thread is None and not self._ended.is_set():
            self._thread = threading.Thread(
                target=self._http.serve_forever, args=(0.05,), daemon=True, name="mekane server"
            )
            self._thread.start()
        return self

    def wait(self) -> None:
        """Until Ctrl-C, or until it is closed."""
        self.start()
        try:
            while not self._ended.wait(0.5):
                pass
        except KeyboardInterrupt:
            self.close()

    def close(self) -> None:
        """What is still being sent is cut off; the app ends what it computes for pages."""
        if self._ended.is_set():
            return
        self._ended.set()
        if self._thread is not None:
            self._http.shutdown()
        self._http.server_close()
        self._http.cut_off()
        getattr(self.app, "close", lambda: None)()

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(self, *_) -> None:
        self.close()


# ---------------------------------------------------------------- the port


def check_port(port: int, part: str, name: str) -> None:
    """Raise for what is no number of a port; part and name (of the argument or option) are for the message."""
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
        write = f"{name} {PORT}" if name.startswith("-") else f"{name}={PORT}"
        raise ModelError(part, f"{name} is {port!r}", "a whole number from 0 to 65535 is expected", f"Write {write}.")


def listening(port: int):
    """A listening socket at this port or the next free one, and a remark if it is another."""
    check_port(port, "server", "port")
    why = ""
    for candidate in [p for p in range(port, port + TRIES) if p <= 65535 and port] + [0]:
        try:
            http = Http((HOST, candidate), Handler)
        except OSError as error:
            why = why or ("busy" if error.errno == errno.EADDRINUSE else f"not to be had ({error.strerror or error})")
            continue
        return http, f"Port {port} is {why}: port {http.server_address[1]} is taken instead." if why else ""
    raise ModelError(
        "server",
        f"no port can be had on {HOST} (port {port} is {why})",
        "one is needed",
        "Close other programs that listen.",
    )


class Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = os.name != "nt"  # there it would share the port with another program
    request_queue_size = 64

    def __init__(self, *arguments):
        self.open, self.lock = set(), threading.Lock()
        super().__init__(*arguments)

    def server_bind(self):
        """As socketserver does; http.server would look up our name."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    def process_request(self, request, client_address):
        with self.lock:
            self.open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request):
        with self.lock:
            self.open.discard(request)
        super().shutdown_request(request)

    def cut_off(self):
        with self.lock:
            for request in self.open:
                try:
                    request.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def handle_error(self, request, client_address):
        """A tab that was closed is no news."""


# ---------------------------------------------------------------- one request


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "mekane", ""
    timeout = PATIENCE
    disable_nagle_algorithm = True
    wbufsize = -1  # headers and body leave together

    def do_GET(self):
        self.answered(self.got)

    do_HEAD = do_GET

    def do_POST(self):
        self.answered(self.posted)

    def got(self) -> Answer | None:
        self.check_host()
        path, query = self.requested()
        if path == "/favicon.ico":
            raise Refused(204, "")
        owner = self.server.owner
        if path == "/" and owner.guarded and not same(query.get("key", ""), owner.token):
            raise Refused(403, "Open the whole address that was printed when this began, with its key.")
        return Answer.html(owner.app.page(owner.token)) if path == "/" else owner.app.get(path, query)

    def posted(self) -> Answer | None:
        length = self.length()
        body = self.rfile.read(min(length, 2 * MOST_BYTES))  # read first, so that a refusal reaches the page
        self.check_host()
        self.check_sender()
        if length > MOST_BYTES:
            raise Refused(413, f"{length} bytes were sent; at most {MOST_BYTES} are taken.")
        return self.server.owner.app.post(self.requested()[0], object_in(body))

    # -- what is let in

    def check_host(self):
        """A name of another site that was made to point here (DNS rebinding) is not ours."""
        if self.headers.get("Host") not in self.server.owner.hosts:
            raise Refused(403, f"This server answers at http://{self.server.owner.hosts[0]}/ only.")

    def check_sender(self):
        owner, origin = self.server.owner, self.headers.get("Origin")
        if origin is not None and origin not in [f"http://{host}" for host in owner.hosts]:
            raise Refused(403, "Only the page of this server may send.")
        if not same(self.headers.get("X-Mekane", ""), owner.token):
            raise Refused(403, "The page is of another server or an earlier one: load it again.")
        if self.headers.get_content_type() != "application/json":
            raise Refused(415, "JSON is expected (Content-Type: application/json).")

    def length(self) -> int:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or self.headers.get("Transfer-Encoding"):
            self.close_connection = True
            raise Refused(400, "The length of what is sent must be given (Content-Length).")
        if int(length) > MOST_BYTES:
            self.close_connection = True
        return int(length)

    def requested(self) -> tuple[str, dict[str, str]]:
        path, _, query = self.path.partition("?")
        try:
            return path, dict(parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=100))
        except ValueError:
            raise Refused(400, "The query cannot be read.") from None

    # -- what is sent

    def answered(self, made):
        """Whatever goes wrong is one line, and the server lives on."""
        status, current_request.connection, current_request.since = 200, self.connection, time.monotonic()
        try:
            answer = made()
            if answer is None:
                raise Refused(404, "There is no such thing here; if this was served before, load the page again.")
        except Refused as refused:
            status, answer = refused.status, Answer.failure(refused)
        except MekaneError as error:
            answer = Answer.failure(error)
        except ConnectionError:
            return
        except Exception as error:
            status, answer = 500, Answer.failure(f"{type(error).__name__}: {error}"[:300])
        self.send(status, answer)

    def send(self, status: int, answer: Answer):
        body = b"" if status == 204 else answer.body
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        if body and answer.packed and len(body) > WORTH_PACKING and "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body, 1)
            self.send_header("Content-Encoding", "gzip")
        if status != 204:
            self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()

    def send_error(self, code, message=None, explain=None):
        """What http.server refuses of itself (other methods, lines too long)."""
        self.close_connection = True
        if not hasattr(self, "headers"):
            self.headers = {}
        self.send(code, Answer.failure(message or "This cannot be answered."))

    def log_message(self, format, *arguments):
        """Silent: the terminal is the user's."""


def same(given: str, token: str) -> bool:
    """Compared in constant time."""
    return secrets.compare_digest(given.encode("utf-8", "replace"), token.encode())


def object_in(body: bytes) -> dict:
    try:
        data = json.loads(body.decode("utf-8"), parse_constant=not_json)
    except (ValueError, RecursionError):
        raise Refused(400, "What was sent is not JSON.") from None
    if not isinstance(data, dict):
        raise Refused(400, "A JSON object is expected.")
    return data


def not_json(text):
    raise ValueError(text)
