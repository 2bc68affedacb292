"""A study is conducted in chunks of runs of about a second each: here in threads, or on other machines. What is done is
collected; Ctrl-C ends it, and the rest is MISSING."""

import time

import numpy as np

from mekane.analyses.batch.runs import MISSING
from mekane.analyses.studies.dataset import dataset
from mekane.analyses.studies.study_errors import bytes_of_errors
from mekane.errors import ModelError, many
from mekane.progress import reporting

SECONDS = 1.0  # of work in a chunk
FIRST = 16  # runs in the first one
LARGEST = 32e6  # bytes of samples in a chunk


class Collected:
    """Arrays over all runs in memory, filled chunk by chunk."""

    def __init__(self, study, axes):
        self.study, self.axes, self.count = study, axes, axes.count
        count = axes.count
        self.data = {name: np.full((count, *one.shape), np.nan) for name, one in study.variables.items()}
        self.status, self.steps = np.full(count, MISSING, np.int8), np.zeros(count, np.int64)
        self.messages, self.engine, self.reason = {}, "", ""
        self.most_steps = 0  # of any run

    def missing(self):
        """Numbers of the runs that are still to be computed."""
        return np.flatnonzero(self.status == MISSING)

    def add(self, runs, block):
        for name, values in block.data.items():
            self.data[name][runs] = values
        self.status[runs], self.steps[runs] = block.status, block.steps
        self.messages |= {int(runs[k]): text for k, text in block.messages.items()}
        self.most_steps = max(self.most_steps, int(block.steps.max(initial=0)))
        if block.engine:
            self.engine, self.reason = block.engine, block.reason

    def finish(self):
        """The Dataset."""
        return dataset(self.study, self.axes, self)


class Pace:
    """How many runs are done, how fast, and how large the next chunk shall be."""

    def __init__(self, study, total, report, timer=time.perf_counter):
        bytes_each = 8 * len(study.times) * max(1, len(study.channels)) + sum(
            8 * int(np.prod(one.shape)) for one in study.variables.values()
        )
        bytes_each += bytes_of_errors(study)
        self.most = max(1, int(LARGEST / bytes_each))
        self.total, self.report, self.timer = total, report, timer
        self.begun, self.done, self.size = timer(), 0, min(FIRST, self.most)

    def show(self, within=0):
        if self.report is not None:
            n = self.done + within
            self.report(n, n / max(self.timer() - self.begun, 1e-9), self.total)

    def finished(self, n, seconds):
        """A chunk of n runs took so long."""
        self.done += n
        self.size = int(np.clip(n * SECONDS / max(seconds, 1e-6), self.size / 2, 4 * self.size))
        self.size = int(np.clip(self.size, 1, self.most))
        self.show()


def number_of_threads(threads):
    """As given; None: as many as there are processors."""
    if threads is None:
        return None
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer) or threads < 1:
        problem, expected = f"it is {threads!r}", "a whole number of threads, at least one, is expected"
        raise ModelError("threads", problem, expected, "Leave it out to use every processor.")
    return int(threads)


def conduct(study, axes, collected, threads=None, progress=None):
    """Compute all runs that are missing in `collected`. Returns True if they all were, False after Ctrl-C."""
    missing = collected.missing()
    with reporting(progress, len(missing), describe) as report:
        pace, begin = Pace(study, len(missing), report), 0
        while begin < len(missing):
            runs, started = missing[begin : begin + pace.size], time.perf_counter()
            try:
                block = study.compute(axes.values(runs), threads, pace.show)
            except KeyboardInterrupt:
                return False
            collected.add(runs, block)
            if (block.status == MISSING).any():
                return False
            begin += len(runs)
            pace.finished(len(runs), time.perf_counter() - started)
    return True


def describe(done, rate=0.0, total=0):
    left = (total - done) / rate if rate > 0 else 0.0
    return f"{done} of {many(total, 'run')}, {rate:.3g} a second, {duration(left)} left"


def duration(seconds):
    """As a person reads it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
