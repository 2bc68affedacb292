"""Stepped motions of the tabs of a studio: a process for each, of which only a few live at a time."""

import threading
import time
from collections import OrderedDict
from contextlib import contextmanager

from mekane.errors import ModelError
from mekane.view.studio.computation import Superseded
from mekane.view.studio.worker import raised
from mekane.view.studio.workers import PATIENCE as WHOLE
from mekane.view.studio.workers import Ended, reply_of
from mekane.view.web.server import nobody_waits

AT_ONCE = 4  # motions; who was used least recently makes way
PATIENCE = 20.0  # with the rows of one request [s]


class Session:
    """The process that computes the motion of one tab. lock: it answers one request at a time."""

    def __init__(self, worker):
        self.worker, self.lock = worker, threading.Lock()

    def answer(self, path, text, data, patience) -> dict:
        deadline = time.monotonic() + patience

        def check():
            if nobody_waits():
                raise Superseded
            if time.monotonic() > deadline:
                expected = "a motion that is computed while one looks at it is quicker"
                raise ModelError(
                    "live", f"it was ended after {patience:g} s", expected, "Make the speed lower, or run it."
                )

        with self.lock:
            reply = reply_of(self.worker, {"path": path, "text": text, "data": data}, check)
        if "error" in reply:
            raise raised(reply["error"])
        return reply["answer"]


class Sessions:
    def __init__(self, pool):
        self.pool, self.open, self.lock = pool, OrderedDict(), threading.Lock()

    def live(self, text, data, viewer: str) -> dict:
        """Code for the page; or, where there can be none, the motion of the text stepped here: the tab has it from then
        on."""
        session = self.of(viewer)
        if session is None:
            keep = lambda worker, answer: self.keep(viewer, worker, answer)
            return self.pool.answer("/live", text, {**data, "anew": True}, viewer, keep)
        with self.ended_with_its_process(viewer, session):
            return session.answer("/live", text, data, WHOLE)

    def advance(self, data, viewer: str) -> dict:
        """Rows of the motion of a tab; `gone`: it has none, or none any more."""
        session = self.of(viewer)
        if session is None:
            return {"gone": True}
        try:
            with self.ended_with_its_process(viewer, session):
                return session.answer("/live-step", "", data, PATIENCE)
        except Ended:
            return {"gone": True}

    @contextmanager
    def ended_with_its_process(self, viewer, session):
        try:
            yield
        finally:
            if session.worker.process.poll() is not None:
                self.end(viewer, session)

    def keep(self, viewer, worker, answer) -> bool:
        """Whether the process stays with the tab."""
        if not viewer or not answer.get("stepped"):
            return False
        with self.lock:
            self.open[viewer] = Session(worker)
            oldest = [next(iter(self.open))] if len(self.open) > AT_ONCE else []
        for one in oldest:
            self.end(one)
        return True

    def of(self, viewer):
        with self.lock:
            if viewer in self.open:
                self.open.move_to_end(viewer)
            return self.open.get(viewer)

    def close(self) -> None:
        """Of all tabs."""
        for viewer in list(self.open):
            self.end(viewer)

    def end(self, viewer: str, only=None) -> None:
        """Of a tab that is gone, or shows something else. only: if this is its session still."""
        with self.lock:
            session = self.open.pop(viewer, None) if only in (None, self.open.get(viewer)) else None
        if session is not None:
            self.pool.end(session.worker)
