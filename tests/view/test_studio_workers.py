"""Analyses in processes of their own. Oracles: the processes themselves, and answers that come while another never
does."""

import json
import socket
import sys
import threading

import pytest
from test_studio_served import SHORT, posted

from mekane.errors import FileError, ModelError
from mekane.view.studio import workers as module
from mekane.view.studio.backend import Backend
from mekane.view.studio.computation import Superseded
from mekane.view.studio.worker import answered, raised
from mekane.view.studio.workers import Worker, WorkerPool
from mekane.view.web.server import Server

STUB = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "HANG" not in asked["text"]:
        print(json.dumps({"answer": {"words": asked["path"]}}), flush=True)
"""


@pytest.fixture
def made(monkeypatch):
    """WorkerPool that answer at once, or never; those that were asked, in order."""
    asked_ones, ask = [], Worker.ask
    began = threading.Semaphore(0)

    def watched(child, question):
        asked_ones.append(child)
        ask(child, question)
        began.release()

    monkeypatch.setattr(module, "COMMAND", [sys.executable, "-c", STUB])
    monkeypatch.setattr(module, "PATIENCE", 1e9)
    monkeypatch.setattr(Worker, "ask", watched)
    worker_pool = WorkerPool()
    worker_pool.began, worker_pool.posted = began, asked_ones
    monkeypatch.setattr("mekane.view.studio.backend.worker_pool", worker_pool)
    yield worker_pool
    worker_pool.close()


@pytest.fixture
def server(made, tmp_path):
    with Server(Backend(SHORT, "pendulum", tmp_path / "pendulum.yaml", exists=False), port=0) as server:
        yield server


def hanging(server, viewer):
    """A tab that waits for what never comes."""
    body = json.dumps({"text": "HANG", "viewer": viewer}).encode()
    head = {
        "Host": f"127.0.0.1:{server.port}",
        "Content-Type": "application/json",
        "X-Mekane": server.token,
        "Content-Length": len(body),
    }
    client = socket.create_connection(("127.0.0.1", server.port))
    client.sendall(
        b"POST /equations HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in head.items()).encode() + b"\r\n" + body
    )
    return client


def test_other_tabs_are_served_meanwhile(server, made):
    """Runs, analyses and saving are answered while an analysis of another tab never ends."""
    with hanging(server, "other"):
        made.began.acquire()
        assert "motion" in posted(server, text=SHORT, viewer="me", number=1)
        assert posted(server, "/modes", text=SHORT, viewer="me")["words"] == "/modes"
        assert posted(server, "/save", text=SHORT)["saved"] == "pendulum.yaml"
        assert made.posted[0].process.poll() is None


def test_a_tab_that_is_closed_ends_its_analysis(server, made):
    with hanging(server, "gone"):
        made.began.acquire()
    made.posted[0].process.wait()
    assert posted(server, "/modes", text=SHORT)["words"] == "/modes" and len(made.posted) == 2


def test_the_same_page_asks_again(server, made):
    """The older question is given up, its process ended; that of another page is not."""
    with hanging(server, "me") as client, hanging(server, "other"):
        made.began.acquire()
        made.began.acquire()
        assert posted(server, "/modes", text=SHORT, viewer="me")["words"] == "/modes"
        assert b'{"superseded":true}' in client.recv(10_000)
        assert sorted(child.process.poll() is None for child in made.posted) == [False, True, True]


def test_more_than_fit_wait_for_their_turn(made, monkeypatch):
    monkeypatch.setattr(module, "AT_ONCE", 1)
    few = WorkerPool()
    first = threading.Thread(target=lambda: pytest.raises(Superseded, few.answer, "/modes", "HANG", {}, "a"))
    first.start()
    made.began.acquire()
    found = []
    second = threading.Thread(target=lambda: found.append(few.answer("/modes", SHORT, {}, "b")))
    second.start()
    few.newest["a"] = None  # superseded
    first.join()
    second.join()
    assert found == [{"words": "/modes"}]
    few.close()


def test_the_limit_counts_from_the_moment_of_asking(made, monkeypatch):
    """Also the start of the process is within it; the error says what helps."""
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    with pytest.raises(ModelError, match=r"ended after 0 s.*Use the command of that name"):
        made.answer("/modes", "HANG", {})
    assert not made.all and made.posted[0].process.poll() is not None


def test_one_that_has_answered_is_used_again_and_one_that_died_is_not(made):
    for _ in range(2):
        assert made.answer("/modes", SHORT, {}) == {"words": "/modes"}
    assert made.posted[0] is made.posted[1]
    made.posted[0].kill()
    assert made.answer("/modes", SHORT, {}) == {"words": "/modes"} and made.posted[2] is not made.posted[0]


def test_a_child_ends_with_the_studio():
    """Its input ends when the studio does, however that was; also in the middle of a question."""
    child = Worker()
    child.process.stdin.close()
    assert child.process.wait() == 0
    child.process.stdout.close()


def test_errors_come_as_they_are():
    for error in (
        ModelError("hinge", "it is wrong", "right is expected", "Turn it."),
        FileError("x", "it is not there"),
    ):
        words = {word: getattr(error, word) for word in ("part", "problem", "expected", "remedy")}
        told = {"kind": type(error).__name__, **words, "text": str(error)}
        assert type(raised(told)) is type(error) and str(raised(told)) == str(error)
    said = answered({"path": "/equations", "text": SHORT.replace("axis: y", "axis: q"), "data": {}})["error"]
    assert said["kind"] == "ModelError" and "'q'" in said["problem"]
    assert "RecursionError" in str(raised({"kind": "", "text": "RecursionError: too deep"}))
