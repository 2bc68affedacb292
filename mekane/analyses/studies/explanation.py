"""What a study would take, before it is conducted: runs, time, memory, the engine and why."""

import os
import time

import numpy as np

from mekane.analyses.batch.engine import LANES
from mekane.analyses.batch.runs import DONE
from mekane.analyses.studies.conduct import Pace, duration
from mekane.errors import many
from mekane.files import counted
from mekane.results.printing import Printed, Shown

ON_LANES = 64  # trial runs
SHORT = 0.5  # seconds: a run that others may be tried beside


class Explanation(Printed):
    """runs, seconds (estimated, all of them), memory [bytes] of the result, engine, reason."""

    def __init__(self, study, axes, threads, trial, seconds, trials=1):
        """seconds: of each run, in one thread. trials: how many were tried."""
        self.trials = trials
        self.study, self.axes, self.threads, self.runs = study, axes, threads, axes.count
        self.engine, self.reason = trial.engine, trial.reason
        self.trial_ended = trial.messages.get(0, "") if trial.status[0] != DONE else ""
        self.seconds = seconds * axes.count / threads
        self.memory = axes.count * (bytes_each(study) + 17)  # status, steps, message
        self.chunk = Pace(study, axes.count, None).most

    def to_dict(self):
        return dict(
            runs=self.runs, shape=list(self.axes.shape), samples=len(self.study.times), seconds=self.seconds,
            memory=self.memory, engine=self.engine, reason=self.reason, threads=self.threads,
        )  # fmt: skip

    def shown(self):
        shape = " × ".join(f"{n} {name}" for name, n in zip(self.axes.names, self.axes.shape, strict=True))
        what = ", ".join(self.study.variables)
        rows = [
            ["runs", f"{self.runs} = {shape}"],
            [
                "time",
                f"about {duration(self.seconds)} in {many(self.threads, 'thread')}, by {many(self.trials, 'trial run')}",
            ],
            ["memory", f"{counted(self.memory)} for {what}; less with to=, where only a chunk is in memory"],
            ["engine", f"{self.engine}: {self.reason}"],
        ]
        if len(self.study.times) > 1:
            rows.insert(1, ["samples", f"{len(self.study.times)} in each run, until {self.study.times[-1]:g} s"])
        return [
            Shown(f"{self.study.system.name}: {self.study.analysis}", ["what", "how much"], rows, self.trial_remark())
        ]

    def trial_remark(self):
        return f"The trial run failed: {self.trial_ended}" if self.trial_ended else ""


def bytes_each(study):
    return sum(8 * int(np.prod(one.shape)) for one in study.variables.values())


def explained(study, axes, threads=None):
    """The Explanation, after one run to get ready and one to take the time of; on lanes, where runs are short, after as many as
    fill them."""
    middle = axes.values([axes.count // 2])
    study.compute(middle, 1)
    trial, seconds = timed(study, middle)
    trials = min(ON_LANES, axes.count) if trial.engine == LANES and seconds < SHORT else 1
    if trials > 1:
        seconds = timed(study, axes.values(np.arange(trials) * axes.count // trials))[1] / trials
    return Explanation(study, axes, min(threads or os.cpu_count() or 1, axes.count), trial, seconds, trials)


def timed(study, values):
    """The Block of these runs, in one thread, and how long they took [s]."""
    begun = time.perf_counter()
    return study.compute(values, 1), time.perf_counter() - begun
