"""The studio as a server: tabs that come and go, long runs, Ctrl-C, disks that refuse. Oracles: real sockets,
processes, files."""

import errno
import gc
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from browser import DEADLINE

from mekane.view.studio import computation, opening
from mekane.view.studio.backend import Backend
from mekane.view.web.server import Server

SHORT = opening.FIRST.replace("t_end: 10, every: 0.02", "t_end: 0.1")
LONG = opening.FIRST.replace("t_end: 10, every: 0.02", "t_end: 1e9, every: 1e6, rtol: 1e-12").replace("c: 0.05", "c: 0")
FOR_EVER = 1e9  # s of patience: what ends is ended by something else


def request(port, token, **data):
    body = json.dumps(data).encode()
    head = {
        "Host": f"127.0.0.1:{port}",
        "Content-Type": "application/json",
        "X-Mekane": token,
        "Content-Length": len(body),
    }
    return b"POST /run HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in head.items()).encode() + b"\r\n" + body


def posted(server, path="/run", **data):
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE)
    client.request("POST", path, json.dumps(data), {"Content-Type": "application/json", "X-Mekane": server.token})
    answer = client.getresponse()
    assert answer.status == 200
    return json.loads(answer.read())


@pytest.fixture
def server(tmp_path, monkeypatch):
    """With patience without end. `begun` counts the runs that were begun."""
    begun, simulate = threading.Semaphore(0), computation.simulate

    def counted(*arguments, **options):
        begun.release()
        return simulate(*arguments, **options)

    with Server(Backend(SHORT, "pendulum", tmp_path / "pendulum.yaml", exists=False), port=0) as server:
        posted(server, text=SHORT)  # kernels are ready
        monkeypatch.setattr(computation, "simulate", counted)
        monkeypatch.setattr(computation, "PATIENCE", FOR_EVER)
        server.begun = begun
        yield server


def is_busy(server):
    free = server.app.computing.lock.acquire(blocking=False)
    if free:
        server.app.computing.lock.release()
    return not free


# ---------------------------------------------------------------- tabs


def test_a_tab_that_is_closed_ends_its_run(server):
    """Its run would take hours, and another tab would wait for it: it is left when the tab is gone, or the other were
    never answered."""
    for number in range(2):
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(request(server.port, server.token, text=LONG, viewer=f"gone {number}", number=1))
            server.begun.acquire()
    assert "motion" in posted(server, text=SHORT.replace("l: 1,", "l: 2,"), viewer="here", number=1)


def test_who_waits_can_be_superseded(server, monkeypatch):
    """An analysis that waits behind a long run of another tab is given up as soon as its own tab asks again."""
    computing_, waits = server.app.computing, threading.Event()
    refuse = computing_.refuse_old
    monkeypatch.setattr(
        computing_, "refuse_old", lambda viewer, number: (viewer == "me" and waits.set(), refuse(viewer, number))
    )
    with socket.create_connection(("127.0.0.1", server.port)) as other:
        other.sendall(request(server.port, server.token, text=LONG, viewer="other", number=1))
        server.begun.acquire()
        reply = []
        waiting = threading.Thread(
            target=lambda: reply.append(posted(server, text=SHORT + "#\n", viewer="me", number=1))
        )
        waiting.start()
        waits.wait()
        computing_.announce("me", 2)
        waiting.join()
        assert reply == [{"superseded": True}] and is_busy(server)


def test_two_tabs_at_once(server):
    """Each has its own text and gets its own motion."""
    found = {}

    def move(name, length):
        for k in range(6):
            text = SHORT.replace("l: 1,", f"l: {length + k},")
            found[name, k] = posted(server, text=text, viewer=name, number=k + 1, quick=True)

    tabs = [threading.Thread(target=move, args=(name, length)) for name, length in (("a", 2), ("b", 20))]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    for (name, k), reply in found.items():
        length = next(slider["value"] for slider in reply["sliders"] if slider["name"] == "l")
        assert length == (2 if name == "a" else 20) + k and f"l: {length:g}," in reply["text"]


def test_what_is_kept_is_bounded(tmp_path):
    """Of 120 moves of a slider of 120 tabs 6 runs, 12 motions and 100 tabs are remembered; memory stands still after
    the first half.

    The second half may take 4 MB (0 were measured; 300 moves of a law that is compiled each time took 2 MB in the
    second hundred)."""
    backend = Backend(SHORT, "x", tmp_path / "x.yaml", exists=False)
    sizes = []
    for k in range(120):
        change = {"path": ["parameters", "l"], "value": 1 + 0.01 * k}
        backend.post("/run", {"text": SHORT, "change": change, "viewer": f"v{k}", "number": 1, "quick": True})
        if k % 60 == 59:
            gc.collect()
            sizes.append(resident())
    assert len(backend.computing.runs) <= 6 and len(backend.shown) <= 12 and len(backend.computing.newest) <= 100
    assert sizes[1] - sizes[0] < 4e6


def resident():
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        pytest.skip("how much memory is used is not known here")


# ---------------------------------------------------------------- texts that want too much


@pytest.mark.parametrize(
    "text",
    [
        "bodies:\n" + "".join(f"  b{k}: {{mass: 1}}\n" for k in range(20_000)),
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nforces:\n"
        + "".join(f"  f{k}: {{force: a, value: [1, 0, 0]}}\n" for k in range(3000)),
        "x: " + "[" * 400_000,
        "a0: &a0 [x]\n" + "".join(f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]\n" for k in range(1, 15)),
        "bodies: {a: {mass: " + "9" * 500_000 + "}}\n",
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nforces: {f: {force: a, value: [" + "9**" * 3000 + "9, 0, 0]}}\n",
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nforces: {f: {force: a, value: ["
        + "exp(" * 90
        + "t"
        + ")" * 90
        + ", 0, 0]}}\n",
    ],
    ids=["bodies", "forces", "brackets", "aliases", "digits", "tower", "exponentials"],
)
def test_texts_that_want_too_much(tmp_path, text):
    """An error in words, whatever a text of a megabyte says, where following it would never end; also when a slider of
    it is moved."""
    backend = Backend(text, "x", tmp_path / "x.yaml", exists=False)
    for change in (None, {"path": ["parameters", "x"], "value": 1}):
        reply = json.loads(backend.post("/run", {"text": text, "change": change}).body)
        assert reply["error"]["text"] and len(reply["error"]["text"]) < 2000


def test_remarks_are_bounded(tmp_path):
    text = (
        "bodies:\n"
        + "".join(f"  b{k}: {{mass: 1, inertia: [1, 1, 1]}}\n" for k in range(50))
        + "simulate: {t_end: 0.01}\n"
    )
    reply = json.loads(Backend(text, "x", tmp_path / "x.yaml", exists=False).post("/run", {"text": text}).body)
    assert len(reply["remarks"]) == computation.MOST_REMARKS + 1 and reply["remarks"][-1] == "… and 20 more."


# ---------------------------------------------------------------- Ctrl-C


STUDIO = """
import sys
from mekane.cli.main import main
from mekane.view.studio import computation
simulate, computation.PATIENCE = computation.simulate, 1e9
def announced(*arguments, **options):
    print("begun", flush=True)
    return simulate(*arguments, **options)
computation.simulate = announced
main(["studio", "long.yaml", "--no-open", "--port", "0"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent otherwise there")
def test_ctrl_c_during_a_long_run(tmp_path):
    """It ends with code 0 and silently. The run is not waited for: it would take hours."""
    (tmp_path / "long.yaml").write_text(LONG)
    heed = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", STUDIO], cwd=tmp_path, preexec_fn=heed, **pipes) as process:
        try:
            port, token = re.search(r":(\d+)/\?key=([-\w]+)", process.stdout.readline()).groups()
            client = http.client.HTTPConnection("127.0.0.1", int(port), timeout=DEADLINE)
            client.request(
                "POST", "/run", json.dumps({"text": LONG}), {"Content-Type": "application/json", "X-Mekane": token}
            )
            assert process.stdout.readline() == "begun\n"
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()
        finally:
            process.kill()
    assert (process.returncode, out, err) == (0, "", "")


# ---------------------------------------------------------------- saving


def saved(backend, text, **more):
    return json.loads(backend.post("/save", {"text": text, **more}).body)


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "x.yaml").mkdir()
    backend = Backend(SHORT, "x", tmp_path / "x.yaml", exists=False)
    assert (
        "ask" in saved(backend, SHORT) and "cannot be written" in saved(backend, SHORT, replace=True)["error"]["text"]
    )
    assert [path.name for path in tmp_path.iterdir()] == ["x.yaml"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.yaml").write_text(SHORT)
    (tmp_path / "x.yaml").symlink_to(tmp_path / "real.yaml")
    backend = opening.backend_of_file(tmp_path / "x.yaml")
    assert "saved" in saved(backend, SHORT + "# more\n")
    assert (tmp_path / "x.yaml").is_symlink() and (tmp_path / "real.yaml").read_text() == SHORT + "# more\n"


def test_a_file_that_was_deleted_meanwhile(tmp_path):
    (tmp_path / "x.yaml").write_text(SHORT)
    backend = opening.backend_of_file(tmp_path / "x.yaml")
    (tmp_path / "x.yaml").unlink()
    assert "saved" in saved(backend, SHORT) and (tmp_path / "x.yaml").read_text() == SHORT


@pytest.mark.parametrize("why", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_disk_that_refuses(tmp_path, monkeypatch, why):
    """What was there is untouched, nothing is left beside it, and the text can be saved when there is space again."""
    (tmp_path / "x.yaml").write_text(SHORT)
    backend = opening.backend_of_file(tmp_path / "x.yaml")
    with monkeypatch.context() as patched:
        patched.setattr("mekane.files.to_disk", lambda *_: (_ for _ in ()).throw(OSError(why, os.strerror(why))))
        assert os.strerror(why) in saved(backend, "new: 1\n")["error"]["text"]
    assert (tmp_path / "x.yaml").read_text() == SHORT and [path.name for path in tmp_path.iterdir()] == ["x.yaml"]
    assert "saved" in saved(backend, SHORT + "#\n")


def test_line_ends_of_a_file_stay(tmp_path):
    """A browser knows only \\n. What is saved has the line ends of the file; and the page does not take it for
    changed."""
    path = tmp_path / "x.yaml"
    path.write_bytes(SHORT.replace("\n", "\r\n").encode())
    backend = opening.backend_of_file(path)
    assert "\r" not in backend.text
    assert "saved" in saved(backend, backend.text) and path.read_bytes() == SHORT.replace("\n", "\r\n").encode()


@pytest.mark.parametrize(
    "data",
    [
        {"number": "x"},
        {"number": 1.5},
        {"plots": 3},
        {"plots": [3, None]},
        {"viewer": {}},
        {"quick": []},
        {"change": []},
    ],
)
def test_odd_requests_are_answered_with_a_message(server, data):
    reply = posted(server, **{"text": SHORT, **data})
    assert "motion" in reply or reply["error"]["text"]


def test_half_a_character(tmp_path):
    backend = Backend(SHORT, "x", tmp_path / "x.yaml", exists=False)
    with Server(backend, port=0) as server:
        for path in ("/run", "/save", "/equations"):
            assert "half a character" in posted(server, path, text=SHORT + "# \ud800\n")["error"]["text"]
