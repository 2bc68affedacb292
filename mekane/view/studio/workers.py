"""Analyses in processes of their own: each answers one question, is ended when nobody wants the answer, and holds up
nobody else."""

import atexit
import json
import subprocess
import sys
import threading
import time

from mekane.errors import ModelError
from mekane.view.studio.computation import WAIT, Superseded
from mekane.view.studio.worker import raised
from mekane.view.web.server import nobody_waits

PATIENCE = 120.0  # with one analysis, from the moment of asking [s]
AT_ONCE = 3  # children
COMMAND = [sys.executable, "-m", "mekane.view.studio.worker"]


class Child:
    """A process that answers one question at a time; `kill` ends it at any moment."""

    def __init__(self):
        pipes = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.DEVNULL,
            "text": True,
            "encoding": "utf-8",
        }
        # Ctrl-C is for the studio, which ends its children
        self.process = subprocess.Popen(COMMAND, start_new_session=True, **pipes)
        self.replied, self.reply = threading.Event(), ""

    def ask(self, question: dict) -> None:
        self.replied.clear()
        threading.Thread(target=self._exchange, args=(json.dumps(question) + "\n",), daemon=True).start()

    def _exchange(self, line) -> None:
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
            self.reply = self.process.stdout.readline()
        except (OSError, ValueError):  # it was killed
            self.reply = ""
        self.replied.set()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


class Children:
    """Who answers. One that has answered is kept for the next question."""

    def __init__(self):
        self.idle, self.all, self.newest = [], set(), {}
        self.room, self.lock = threading.Semaphore(AT_ONCE), threading.Lock()
        atexit.register(self.close)

    def answer(self, path: str, text: str, data: dict, viewer: str = "") -> dict:
        """What the analysis says; its errors are raised here. Superseded if the same page asks for another, or is
        gone."""
        asked, deadline = object(), time.monotonic() + PATIENCE
        if viewer:
            self.newest[viewer] = asked

        def check():
            if nobody_waits() or (viewer and self.newest.get(viewer) is not asked):
                raise Superseded
            if time.monotonic() > deadline:
                problem = f"it was ended after {PATIENCE:g} s"
                raise ModelError(
                    path.strip("/"),
                    problem,
                    "analyses that take longer are not for a page",
                    "Use the command of that name.",
                )

        try:
            return self._answer({"path": path, "text": text, "data": data}, check)
        finally:
            if self.newest.get(viewer) is asked:
                del self.newest[viewer]

    def _answer(self, question, check) -> dict:
        while not self.room.acquire(timeout=WAIT):
            check()
        child = None
        try:
            child = self._taken()
            child.ask(question)
            while not child.replied.wait(WAIT):
                check()
            said = (
                json.loads(child.reply)
                if child.reply
                else {"error": {"kind": "", "text": "the process that computed it ended"}}
            )
        except BaseException:
            self._ended(child)
            raise
        finally:
            self.room.release()
        self.idle.append(child)
        if "error" in said:
            raise raised(said["error"])
        return said["answer"]

    def _taken(self) -> Child:
        with self.lock:
            while self.idle:
                child = self.idle.pop()
                if child.process.poll() is None:
                    return child
                self.all.discard(child)
            child = Child()
            self.all.add(child)
            return child

    def _ended(self, child) -> None:
        if child is not None:
            child.kill()
            self.all.discard(child)

    def close(self) -> None:
        for child in list(self.all):
            self._ended(child)
        self.idle.clear()


children = Children()  # of this process
