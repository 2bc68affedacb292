"""The server of pages: loopback only, nothing from disk, only its own page may act, a clean end. Oracle: what a plain
client is sent."""

import gzip
import http.client
import json
import socket
import threading

import pytest
from browser import DEADLINE

import mekane as mk
from mekane.view.web.server import MOST_BYTES, Answer, Server


class App:
    """Answers of every kind."""

    def __init__(self):
        self.data, self.ready = None, threading.Event()

    def page(self, token):
        return f"<title>trial</title>{token}"

    def get(self, path, query):
        if path == "/query":
            return Answer.json(query)
        if path == "/large":
            return Answer.binary(bytes(40_000_000), packed="packed" in query)
        if path == "/defect":
            raise ZeroDivisionError("of our own making")
        if path == "/wrong":
            raise mk.ModelError("body 'arm'", "mass is -1", "it must be positive", "Write mass=1.")
        return None

    def post(self, path, data):
        if path == "/defect":
            raise ZeroDivisionError("of our own making\nin two lines")
        if path == "/stuck":
            raise mk.SimulationError("the step became too small")
        if path != "/act":
            return None
        self.data = data
        return Answer.json({"got": len(data)})


@pytest.fixture
def server():
    with Server(App(), port=0) as server:
        yield server


def request(server, method="GET", path="/", body=None, **headers):
    """Status, headers and body of one request."""
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE)
    client.request(method, path, body, {key.replace("_", "-"): value for key, value in headers.items()})
    answer = client.getresponse()
    reply = answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read()
    client.close()
    return reply


def post(server, path="/act", data=b'{"x": 1}', **headers):
    usual = {"Content_Type": "application/json", "X_Mekane": server.token}
    status, _, body = request(
        server, "POST", path, data, **{key: value for key, value in {**usual, **headers}.items() if value is not None}
    )
    return status, json.loads(body)


def test_only_this_machine_is_listened_to(server):
    assert server._http.socket.getsockname()[0] == "127.0.0.1" and server.address == f"http://127.0.0.1:{server.port}/"
    own = socket.gethostbyname(socket.gethostname())
    if own.startswith("127."):
        pytest.skip("this machine has no other address")
    with pytest.raises(OSError):
        socket.create_connection((own, server.port), timeout=2)


def test_the_page_and_its_headers(server):
    status, headers, body = request(server)
    assert status == 200 and body.decode() == f"<title>trial</title>{server.token}"
    assert headers["cache-control"] == "no-store" and headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in headers["content-security-policy"] and "access-control-allow-origin" not in headers
    assert request(server, "HEAD")[2] == b"" and request(server, path="/favicon.ico")[0] == 204


def test_tokens_differ(server):
    with Server(App(), port=0) as other:
        assert other.token != server.token and len(other.token) >= 32


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}", ""]
)
def test_other_names_of_this_address_are_refused(server, host):
    status, _, body = request(server, Host=host.format(port=server.port))
    assert status == 403 and server.token.encode() not in body
    assert request(server, Host=f"localhost:{server.port}")[0] == 200


@pytest.mark.parametrize(
    "change, status",
    [
        ({}, 200),
        ({"Origin": "http://127.0.0.1:{port}"}, 200),
        ({"Origin": "http://localhost:{port}", "Content_Type": "application/json; charset=utf-8"}, 200),
        ({"X_Mekane": None}, 403),
        ({"X_Mekane": "guessed"}, 403),
        ({"X_Mekane": "ünsinn"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": None}, 415),
        ({"data": b"{"}, 400),
        ({"data": b"[1]"}, 400),
        ({"data": b'{"x": NaN}'}, 400),
        ({"data": b"\xff"}, 400),
        ({"data": b"[" * 100_000}, 400),
        ({"data": b""}, 400),
        ({"data": b'{"x": "' + b"x" * MOST_BYTES + b'"}'}, 413),
    ],
)
def test_who_may_act(server, change, status):
    headers = {key: value.format(port=server.port) if key == "Origin" else value for key, value in change.items()}
    got, reply = post(server, **headers)
    assert got == status and (server.app.data is not None) == (status == 200)
    assert reply == {"got": 1} if status == 200 else "\n" not in reply["error"]["text"]


def test_a_guarded_page_needs_its_key():
    """Another user of this machine, who cannot know the key, gets neither the page nor the token in it."""
    app = App()
    app.guarded = True
    with Server(app, port=0) as server:
        for path in ("/", "/?key=", "/?key=guess", "/?key=" + server.token[:-1]):
            status, body = plain_get(server, path)
            assert status == 403 and server.token not in body
        status, body = plain_get(server, server.address.split(str(server.port), 1)[1])
        assert status == 200 and server.token in body


def plain_get(server, path):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_errors_of_a_model_are_sent_in_parts(server):
    status, _, body = request(server, path="/wrong")
    parts = {
        "part": "body 'arm'",
        "problem": "mass is -1",
        "expected": "it must be positive",
        "remedy": "Write mass=1.",
    }
    assert status == 200 and json.loads(body)["error"] == {
        **parts,
        "text": "body 'arm': mass is -1; it must be positive. Write mass=1.",
    }
    status, reply = post(server, "/stuck")
    assert status == 200 and reply["error"]["text"] == "the step became too small"


def test_a_defect_is_one_line_and_the_server_lives_on(server, capfd):
    status, reply = post(server, "/defect")
    assert status == 500 and reply["error"]["text"] == "ZeroDivisionError: of our own making in two lines"
    assert request(server, path="/defect")[0] == 500 and request(server)[0] == 200
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "path",
    ["/../../etc/passwd", "/..%2f..%2fetc/passwd", "/etc/passwd", "//etc/passwd", "/page.js", "/act", "/%00", "/."],
)
def test_nothing_else_is_served(server, path):
    assert request(server, path=path)[0] == 404


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "NONSENSE"])
def test_other_methods(server, method):
    status, headers, body = request(server, method)
    assert status == 501 and headers["content-type"] == "application/json" and "error" in json.loads(body)


@pytest.mark.parametrize(
    "text",
    [
        b"nonsense\r\n\r\n",
        b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n",
        b"POST /act HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\r\n\r\n",
    ],
)
def test_what_is_no_request(server, text, capfd):
    with socket.create_connection(("127.0.0.1", server.port), timeout=DEADLINE) as client:
        client.sendall(text)
        assert b"200" not in client.recv(1000)
    assert request(server)[0] == 200 and capfd.readouterr() == ("", "")


def test_queries(server):
    assert json.loads(request(server, path="/query?name=a%20b.angle&all=")[2]) == {"name": "a b.angle", "all": ""}
    assert request(server, path="/query?" + "&".join(f"x{k}=1" for k in range(200)))[0] == 400


def test_packed_where_it_is_taken(server):
    _, headers, body = request(server, path="/large?packed=1", Accept_Encoding="gzip, deflate")
    assert headers["content-encoding"] == "gzip" and gzip.decompress(body) == bytes(40_000_000)
    assert "content-encoding" not in request(server, path="/large", Accept_Encoding="gzip")[1]
    assert "content-encoding" not in request(server, path="/large?packed=1")[1]


def test_a_tab_that_closes_in_the_middle(server, capfd):
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(f"GET /large HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            assert client.recv(1000)
    assert request(server)[0] == 200 and capfd.readouterr() == ("", "")


def test_a_busy_port():
    with Server(App(), port=0) as first, Server(App(), port=first.port) as second:
        assert first.remark == "" and second.port != first.port and request(second)[0] == request(first)[0] == 200
        assert second.remark == f"Port {first.port} is busy: port {second.port} is taken instead."


def test_all_tried_ports_busy(monkeypatch):
    monkeypatch.setattr("mekane.view.web.server.TRIES", 1)
    with Server(App(), port=0) as first, Server(App(), port=first.port) as second:
        assert second.port not in (0, first.port) and "is busy" in second.remark


@pytest.mark.parametrize("port", [-1, 65536, "8150", 1.5, True, None])
def test_no_port(port):
    with pytest.raises(mk.ModelError, match="a whole number from 0 to 65535 is expected"):
        Server(App(), port=port)


def test_it_ends_cleanly(monkeypatch):
    """The port can be had again at once, even while a tab holds its connection or is in the middle of a download, and
    no thread is left. Nobody reads that download: whoever waited for its end would wait for ever."""
    monkeypatch.setattr("mekane.view.web.server.Handler.timeout", 100 * DEADLINE)
    before = set(threading.enumerate())
    server = Server(App(), port=0).start()
    clients = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(2)]
    clients[1].sendall(f"GET /large HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
    assert clients[1].recv(1000)
    server.close()
    server.close()
    with Server(App(), port=server.port) as again:
        assert again.port == server.port and again.remark == "" and request(again)[0] == 200
    server.wait()  # over already
    for thread in set(threading.enumerate()) - before:
        thread.join(DEADLINE)
        assert not thread.is_alive()
    for client in clients:
        client.close()


def test_closed_before_it_was_started():
    server = Server(App(), port=0)
    server.close()
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", server.port), timeout=2)
