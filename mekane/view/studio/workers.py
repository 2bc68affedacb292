"""Analyses in processes of their own: each computes one request, is ended when nobody wants the answer, and delays
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

PATIENCE = 120.0  # with one analysis, from the moment of the request [s]
AT_ONCE = 3  # processes
COMMAND = [sys.executable, "-m", "mekane.view.studio.worker"]


class Worker:
    """A process that computes one request at a time; `kill` ends it at any moment."""

    def __init__(self):
        pipes = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.DEVNULL,
            "text": True,
            "encoding": "utf-8",
        }
        # Ctrl-C is for the studio, which ends its workers
        self.process = subprocess.Popen(COMMAND, start_new_session=True, **pipes)
        self.replied, self.reply = threading.Event(), ""

    def send(self, request: dict) -> None:
        self.replied.clear()
        threading.Thread(target=self._exchange, args=(json.dumps(request) + "\n",), daemon=True).start()

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


class Ended(RuntimeError):
    """A process that was ended, or has ended itself, before it answered."""


def reply_of(worker, request: dict, check) -> dict:
    """What a worker answers. check: called while it computes; what it raises ends the process."""
    worker.send(request)
    try:
        while not worker.replied.wait(WAIT):
            check()
    except BaseException:
        worker.kill()
        raise
    if not worker.reply:
        worker.kill()
        raise Ended("the process that computed it ended")
    return json.loads(worker.reply)


class WorkerPool:
    """Worker processes. One that has answered is kept for the next request."""

    def __init__(self):
        self.idle, self.all, self.newest = [], set(), {}
        self.slots, self.lock = threading.Semaphore(AT_ONCE), threading.Lock()
        atexit.register(self.close)

    def answer(self, path: str, text: str, data: dict, viewer: str = "", keep=None) -> dict:
        """The result of the analysis; its errors are raised here. Superseded if the same page requests another, or is
        gone. keep(worker, answer): true if the process stays with who requested it, who then ends it."""
        request, deadline = object(), time.monotonic() + PATIENCE
        if viewer:
            self.newest[viewer] = request

        def check():
            if nobody_waits() or (viewer and self.newest.get(viewer) is not request):
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
            return self._answer({"path": path, "text": text, "data": data}, check, keep)
        finally:
            if self.newest.get(viewer) is request:
                del self.newest[viewer]

    def _answer(self, request, check, keep) -> dict:
        while not self.slots.acquire(timeout=WAIT):
            check()
        worker = None
        try:
            worker = self._taken()
            reply = reply_of(worker, request, check)
        except BaseException:
            self.end(worker)
            raise
        finally:
            self.slots.release()
        if keep is None or "error" in reply or not keep(worker, reply["answer"]):
            self.idle.append(worker)
        if "error" in reply:
            raise raised(reply["error"])
        return reply["answer"]

    def _taken(self) -> Worker:
        with self.lock:
            while self.idle:
                worker = self.idle.pop()
                if worker.process.poll() is None:
                    return worker
                self.all.discard(worker)
            worker = Worker()
            self.all.add(worker)
            return worker

    def end(self, worker) -> None:
        if worker is not None:
            worker.kill()
            self.all.discard(worker)

    def close(self) -> None:
        for worker in list(self.all):
            self.end(worker)
        self.idle.clear()


worker_pool = WorkerPool()  # of this process
