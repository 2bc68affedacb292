"""Analyses in processes of their own. Oracles: the processes themselves, and answers that come while another never
does."""

import http.client
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
from mekane.view.studio.stepped import sessions
from mekane.view.studio.worker import answered, raised
from mekane.view.studio.workers import Worker, WorkerPool
from mekane.view.web.server import Server

STUB = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    stepped = {"stepped": True} if request["path"] == "/live" else {}
    if "HANG" not in request["text"] + str(request["data"].get("hand")):
        print(json.dumps({"answer": {"words": request["path"], **stepped}}), flush=True)
"""


@pytest.fixture
def made(monkeypatch):
    """Workers that answer at once, or never; those that were used, in order."""
    sent, send = [], Worker.send
    began = threading.Semaphore(0)

    def watched(worker, request):
        sent.append(worker)
        send(worker, request)
        began.release()

    monkeypatch.setattr(module, "COMMAND", [sys.executable, "-c", STUB])
    monkeypatch.setattr(module, "PATIENCE", 1e9)
    monkeypatch.setattr(Worker, "send", watched)
    worker_pool = WorkerPool()
    worker_pool.began, worker_pool.sent = began, sent
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
        assert made.sent[0].process.poll() is None


def test_a_tab_that_is_closed_ends_its_analysis(server, made):
    with hanging(server, "gone"):
        made.began.acquire()
    made.sent[0].process.wait()
    assert posted(server, "/modes", text=SHORT)["words"] == "/modes" and len(made.sent) == 2


def test_the_same_page_sends_another_request(server, made):
    """The older request is given up, its process ended; that of another page is not."""
    with hanging(server, "me") as client, hanging(server, "other"):
        made.began.acquire()
        made.began.acquire()
        assert posted(server, "/modes", text=SHORT, viewer="me")["words"] == "/modes"
        assert b'{"superseded":true}' in client.recv(10_000)
        assert sorted(worker.process.poll() is None for worker in made.sent) == [False, True, True]


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


def test_the_limit_counts_from_the_moment_of_the_request(made, monkeypatch):
    """Also the start of the process is within it; the error says what helps."""
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    with pytest.raises(ModelError, match=r"ended after 0 s.*Use the command of that name"):
        made.answer("/modes", "HANG", {})
    assert not made.all and made.sent[0].process.poll() is not None


def test_one_that_has_answered_is_used_again_and_one_that_died_is_not(made):
    for _ in range(2):
        assert made.answer("/modes", SHORT, {}) == {"words": "/modes"}
    assert made.sent[0] is made.sent[1]
    made.sent[0].kill()
    assert made.answer("/modes", SHORT, {}) == {"words": "/modes"} and made.sent[2] is not made.sent[0]


def test_a_worker_ends_with_the_studio():
    """Its input ends when the studio does, however that was; also in the middle of a request."""
    worker = Worker()
    worker.process.stdin.close()
    assert worker.process.wait() == 0
    worker.process.stdout.close()


def test_a_stepped_motion_has_its_process_until_its_tab_ends_it(server, made):
    """Each tab its own; other analyses have others meanwhile; a motion that was ended is gone, and its process with it."""
    assert posted(server, "/live", text=SHORT, viewer="one")["stepped"]
    assert posted(server, "/live", text=SHORT, viewer="two")["stepped"]
    assert posted(server, "/live-step", viewer="one", begin=0.0, step=0.1)["words"] == "/live-step"
    assert posted(server, "/live", text=SHORT, viewer="one")["stepped"]  # a slider: the same process goes on
    assert posted(server, "/modes", text=SHORT, viewer="one")["words"] == "/modes"
    one, two, *same, other = made.sent
    assert same == [one, one] and len({one, two, other}) == 3
    assert posted(server, "/live-end", viewer="one") == {}
    assert [worker.process.poll() is None for worker in (one, two, other)] == [False, True, True]
    assert posted(server, "/live-step", viewer="one", begin=0.0, step=0.1) == {"gone": True}
    assert posted(server, "/live-step", viewer="two", begin=0.0, step=0.1)["words"] == "/live-step"


def test_stepped_motions_end_with_their_server(server, made):
    """In a process that goes on, such as a notebook's."""
    for viewer in ("one", "two"):
        assert posted(server, "/live", text=SHORT, viewer=viewer)["stepped"]
    server.close()
    assert [worker.process.poll() is None for worker in made.sent] == [False, False] and not made.all


def test_only_a_few_motions_are_stepped_at_a_time(server, made, monkeypatch):
    monkeypatch.setattr(sessions, "AT_ONCE", 2)
    for viewer in ("one", "two", "one", "three"):  # "two" is the one that was used least recently
        posted(server, "/live", text=SHORT, viewer=viewer)
    gone = [posted(server, "/live-step", viewer=viewer).get("gone", False) for viewer in ("one", "two", "three")]
    assert gone == [False, True, False]
    assert sum(worker.process.poll() is None for worker in set(made.sent)) == 2


def test_rows_that_never_come_end_the_motion(server, made, monkeypatch):
    """With a reason; the tab may begin another."""
    monkeypatch.setattr(sessions, "PATIENCE", 0.1)
    posted(server, "/live", text=SHORT, viewer="me")
    reply = posted(server, "/live-step", viewer="me", begin=0.0, step=0.1, hand="HANG")
    assert "it was ended after 0.1 s" in reply["error"]["text"]
    assert made.sent[0].process.poll() is not None and posted(server, "/live-step", viewer="me") == {"gone": True}
    assert posted(server, "/live", text=SHORT, viewer="me")["stepped"]


def test_a_motion_that_is_ended_while_it_is_stepped(server, made):
    """As a page that leaves: the request that is under way is answered."""
    posted(server, "/live", text=SHORT, viewer="me")
    made.began.acquire()
    found = []
    steps = dict(viewer="me", begin=0.0, step=0.1, hand="HANG")
    waiting = threading.Thread(target=lambda: found.append(posted(server, "/live-step", **steps)))
    waiting.start()
    made.began.acquire()
    posted(server, "/live-end", viewer="me")
    waiting.join()
    assert found == [{"gone": True}]


def test_who_is_no_page_of_the_studio_steps_nothing(server):
    client = http.client.HTTPConnection("127.0.0.1", server.port)
    client.request("POST", "/live-step", "{}", {"Content-Type": "application/json", "X-Mekane": "guessed"})
    assert client.getresponse().status == 403
    client.close()


def test_errors_come_as_they_are():
    for error in (
        ModelError("hinge", "it is wrong", "right is expected", "Turn it."),
        FileError("x", "it is not there"),
    ):
        fields = {name: getattr(error, name) for name in ("part", "problem", "expected", "remedy")}
        reply = {"kind": type(error).__name__, **fields, "text": str(error)}
        assert type(raised(reply)) is type(error) and str(raised(reply)) == str(error)
    reply = answered({"path": "/equations", "text": SHORT.replace("axis: y", "axis: q"), "data": {}})["error"]
    assert reply["kind"] == "ModelError" and "'q'" in reply["problem"]
    assert "RecursionError" in str(raised({"kind": "", "text": "RecursionError: too deep"}))
