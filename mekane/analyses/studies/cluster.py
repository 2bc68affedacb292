"""A study on several processes or machines, by dask.distributed.

A chunk of runs of about a second is the unit of work. The model travels as text with its digest; a worker makes the study
once for each digest. A worker that dies loses nothing: its chunk is computed again elsewhere. A chunk that ends every worker
is halved, alone, until the run is found that does it; that run has a status and a sentence, and all others are computed."""

import asyncio
import json
import time
import warnings
from collections import deque
from concurrent.futures import CancelledError
from contextlib import contextmanager

import numpy as np

from mekane.analyses.batch.runs import FAILED
from mekane.analyses.studies.conduct import Pace, describe
from mekane.analyses.studies.study import Block, Study
from mekane.analyses.studies.versions import differences, versions
from mekane.errors import ModelError, SimulationError
from mekane.progress import reporting

INSTALL = "Install it: pip install distributed, or pip install mekane[cluster]."
AHEAD = 2  # chunks in flight for each worker thread
WAIT = 2.0  # seconds between looks at the scheduler
ENDS_ITS_WORKER = "it ended the process that computed it, each time it was tried"
LOST = (OSError, asyncio.CancelledError, CancelledError)  # what dask raises where a connection is closed
_studies = {}  # of a worker, by digest


# ---------------------------------------------------------------- on a worker


def compute_chunk(text, digest, values, theirs):
    """(Block as a tuple, seconds) of these runs; a text if the program here is another one."""
    different = differences(theirs)
    if different:
        return different
    begun = time.perf_counter()
    block = study_of(text, digest).compute(values, threads=1)
    return tuple(block), time.perf_counter() - begun


def study_of(text, digest):
    """The study of a text, made once for each digest."""
    if digest not in _studies:
        while len(_studies) >= 4:
            _studies.pop(next(iter(_studies)))
        _studies[digest] = study_from(json.loads(text))
    return _studies[digest]


def study_from(data):
    """The study of plain data (Study.to_dict)."""
    from mekane.importers.yaml import from_dict

    wanted = {
        name: data[name] for name in ("times", "keep", "measure", "analysis", "at", "engine", "settings", "error")
    }
    return Study(from_dict(data["model"]), data["names"], **wanted)


# ---------------------------------------------------------------- here


@contextmanager
def client_of(workers=None, cluster=None):
    """A dask client: of so many processes, started and ended; of an address; or the one that was given."""
    distributed = imported()
    if workers is not None:
        if isinstance(workers, bool) or not isinstance(workers, int | np.integer) or workers < 1:
            raise ModelError("workers", f"it is {workers!r}", "a number of processes is expected", "Write workers=4.")
        import dask

        quiet = {"distributed.scheduler.allowed-failures": 1, "distributed.admin.tick.limit": "1h"}
        with dask.config.set(quiet):
            options = dict(
                n_workers=int(workers), threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
            )
            with distributed.LocalCluster(**options) as local, distributed.Client(local) as client:
                yield client
    elif isinstance(cluster, str):
        with connected(distributed, cluster) as client:
            yield client
    elif hasattr(cluster, "submit") and hasattr(cluster, "scheduler_info"):
        yield cluster
    else:
        problem = f"it is {type(cluster).__name__}"
        raise ModelError("cluster", problem, "a dask client or the address of a scheduler", 'Write "tcp://host:8786".')


def connected(distributed, address):
    try:
        return distributed.Client(address, timeout="10s")
    except (OSError, TimeoutError, ValueError) as error:
        problem = f"no scheduler answers at {address!r} ({error})"
        raise ModelError(
            "cluster", problem, remedy="Start one with: dask scheduler, and dask worker ADDRESS."
        ) from None


def imported():
    try:
        import distributed
    except ImportError:
        problem = "dask.distributed is not installed"
        raise ModelError("cluster", problem, "it sends work to other processes", INSTALL) from None
    return distributed


def conduct_on(client, study, axes, collected, progress=None):
    """Compute what is missing in `collected`. Returns True if all of it was, False after Ctrl-C or if the scheduler is
    lost."""
    refuse_other_versions(client)
    missing = collected.missing()
    with reporting(progress, len(missing), describe) as report:
        work = Work(client, study, axes, collected, Pace(study, len(missing), report))
        try:
            return work.conduct(missing)
        except KeyboardInterrupt:
            return False
        finally:
            work.cancel()


def refuse_other_versions(client):
    for worker, theirs in client.run(versions).items():
        if different := differences(theirs):
            problem = f"worker {worker} has another program: {different}"
            raise ModelError("cluster", problem, "all must compute the same", "Install the same Mekane everywhere.")


class Work:
    """Chunks of a study on their way: those to be sent, those in flight, those suspected of ending their workers."""

    def __init__(self, client, study, axes, collected, pace):
        self.client, self.axes, self.collected, self.pace = client, axes, collected, pace
        self.head = study.text, study.digest
        self.flying, self.suspects = {}, deque()

    def conduct(self, missing):
        try:
            return self.all_done(missing)
        except LOST:
            return self.lost()

    def all_done(self, missing):
        """True when all runs have come back; False if the scheduler is lost on the way."""
        begin = 0
        while begin < len(missing) or self.flying or self.suspects:
            while begin < len(missing) and len(self.flying) < self.window:
                self.send(missing[begin : begin + self.pace.size])
                begin += self.pace.size
            if not self.flying:  # suspects go alone, so that it is known which of them ends its worker
                self.send(self.suspects.popleft())
            if not self.land():
                return False
        return True

    @property
    def window(self):
        """Chunks in flight, at most: suspects wait until all others are done."""
        return AHEAD * max(1, sum(self.client.nthreads().values()))

    def send(self, runs):
        future = self.client.submit(compute_chunk, *self.head, self.axes.values(runs), versions(), pure=False)
        self.flying[future] = runs

    def land(self):
        """Take in what has come back; False if the scheduler is lost."""
        from distributed import wait

        try:
            done = wait(list(self.flying), timeout=WAIT, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            return self.client.status == "running" or self.lost()
        return all([self.take_in(future) for future in done])

    def take_in(self, future):
        runs, status = self.flying.pop(future), future.status
        if status == "finished":
            self.finished(runs, future.result())
        elif status == "error":
            self.failed(runs, future.exception())
        else:
            return self.lost()
        return True

    def finished(self, runs, answer):
        if isinstance(answer, str):
            raise ModelError("cluster", f"a worker has another program: {answer}", "all must compute the same")
        block, seconds = answer
        self.collected.add(runs, Block(*block))
        self.pace.finished(len(runs), seconds)

    def failed(self, runs, error):
        """A worker died of it, or was killed: the halves are tried alone; a run alone that does it is a failure."""
        if type(error).__name__ != "KilledWorker":
            raise SimulationError(f"a worker could not compute a chunk of runs: {error}") from error
        if len(runs) > 1:
            middle = len(runs) // 2
            self.suspects.extend([runs[:middle], runs[middle:]])
        else:
            self.collected.add(runs, ended_block(self.collected, runs))
            self.pace.finished(1, 1.0)

    def lost(self):
        text = "The scheduler of the cluster is lost; what was computed is kept, and the rest is missing."
        warnings.warn(f"{text} Repeat the call to go on." if hasattr(self.collected, "parts") else text, stacklevel=2)
        return False

    def cancel(self):
        if self.flying and self.client.status == "running":
            self.client.cancel(list(self.flying))


def ended_block(collected, runs):
    study = collected.study
    data = {name: np.full((len(runs), *one.shape), np.nan) for name, one in study.variables.items()}
    outcome = np.full(len(runs), FAILED, np.int8)
    return Block(data, outcome, np.zeros(len(runs), np.int64), dict.fromkeys(range(len(runs)), ENDS_ITS_WORKER), "", "")
