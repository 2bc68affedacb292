"""A study: one system, what varies, what is computed of each run. `compute` takes the values of some runs and gives what
came of them; it is the same on this machine, in a thread and on another machine."""

import hashlib
import json
from copy import copy
from functools import cached_property
from typing import NamedTuple

import numpy as np

from mekane.analyses.batch.engine import run_batch
from mekane.analyses.batch.runs import FAILED, Batch, empty_runs
from mekane.analyses.batch.varied_system import VariedSystem
from mekane.analyses.simulate import ending, initial_solver, present
from mekane.analyses.studies.axes import SETTINGS, WITHOUT, is_choice, leave_out
from mekane.analyses.studies.engine_choice import check_engine
from mekane.analyses.studies.point_analyses import POINT_ANALYSES, compute_points
from mekane.analyses.studies.reductions import read_reduction
from mekane.analyses.studies.samples import components, reduced
from mekane.analyses.studies.study_errors import check_error, variables_of_error
from mekane.analyses.studies.variables import Variable
from mekane.errors import ModelError, did_you_mean
from mekane.results.labels import DIMENSION

FORMAT = 1  # of the text of a study
OPTIONS = (
    "method",
    "rtol",
    "atol",
    "step",
    "formulation",
    "correct",
    "constraints",
    "code",
    "impacts",
    "painleve",
    "until",
)


class Block(NamedTuple):
    """What came of some runs."""

    data: dict  # variable → (runs, …)
    status: np.ndarray  # (runs,) outcomes
    steps: np.ndarray  # (runs,)
    messages: dict[int, str]  # number within the block → why it failed
    engine: str
    reason: str


class Study:
    """names: what varies.  keep: channels over time.  measure: name → text of a reduction."""

    def __init__(
        self, system, names, *, times=None, keep=None, measure=None, analysis="simulate", at=None, engine="auto", settings=None,
        error=None,
    ):  # fmt: skip
        self.system, self.names, self.analysis, self.at, self.engine = system, list(names), analysis, at, engine
        self.error = check_error(error, analysis)
        self.times = np.array([0.0] if times is None else times, float)
        self.given = dict(keep=keep, measure=dict(measure or {}))
        self.settings = dict(settings or {})
        self.choices = [name for name in self.names if is_choice(system, name)]
        self.numbers = [name for name in self.names if name not in self.choices]
        self._variants, self._made, self.notes = {}, {}, {}  # notes: what else the result shall tell
        check_settings(self.settings)
        check_engine(engine)
        self.channels, self.measures, self.variables = self.read_wanted()

    # ---------------------------------------------------------------- what is wanted

    @cached_property
    def probe(self):
        """A Result of one sample, which knows channels and their units."""
        system = self.variant(dict.fromkeys(self.choices, ""))
        options = {name: value for name, value in self.settings.items() if name in ("formulation",)}
        return present(initial_solver(system, correct=False, **options)[0])

    def read_wanted(self):
        if self.analysis in POINT_ANALYSES:
            refuse_kept(self.given, self.analysis)
            return (), {}, POINT_ANALYSES[self.analysis].variables(self)
        keep, run = self.given["keep"], self.probe
        if keep is None:
            keep = [] if self.given["measure"] else [name for name in run.compiled.coordinates if name in run]
        keep = [keep] if isinstance(keep, str) else list(keep)
        measures = {name: read_reduction(text, run, name, self.numbers) for name, text in self.given["measure"].items()}
        variables = {name: self.kept_variable(run, name) for name in keep}
        for name, one in measures.items():
            if name in variables:
                raise ModelError(
                    "measure", f"{name!r} is kept, too", "names of their own", "Call the measure otherwise."
                )
            variables[name] = Variable(unit=one.unit, long_name=one.text)
        variables |= variables_of_error(self.error, variables)
        scalars = [scalar for name in keep for scalar in components(run, name)]
        scalars += [name for one in measures.values() for name in one.channels]
        return tuple(dict.fromkeys(scalars)), measures, variables

    def kept_variable(self, run, name):
        if not isinstance(name, str) or name not in run:
            run._find(name)  # raises, with what may be meant
        labels, over = run.labels(name), () if self.analysis == "equilibrium" else ("time",)
        shape = (len(self.times),) * len(over)
        if labels is None:
            return Variable(over, shape, run.units(name), run[name].attrs["long_name"])
        dim = DIMENSION.get(labels, "axis")
        attrs = run.units(name), run[name].attrs["long_name"]
        return Variable((*over, dim), (*shape, len(labels)), *attrs, {dim: list(labels)})

    # ---------------------------------------------------------------- computing

    def variant(self, choice):
        """The system of these choices: without a part, with the event that ends it."""
        without = choice.get(WITHOUT, "")
        if without not in self._variants:
            system = leave_out(self.system, without)
            until = self.settings.get("until")
            self._variants[without] = system if until is None else ending(system, until)
        return self._variants[without]

    def compute(self, values, threads=None, progress=None):
        """The Block of the runs with these values: what varies → (runs,)."""
        count = len(next(iter(values.values())))
        parts, engine, reason = [], "", ""
        for choice, runs in grouped(values, self.choices, count):
            done = sum(len(one) for one, _ in parts)
            watch = None if progress is None else lambda n, done=done: progress(done + n)
            numbers = {name: np.asarray(values[name], float)[runs] for name in self.numbers}
            found, engine, reason = self.compute_alike(choice, numbers, len(runs), threads, watch)
            parts.append((runs, found))
        return joined(self, parts, count, engine, reason)

    def compute_alike(self, choice, numbers, count, threads, progress):
        """What came of the runs of one choice."""
        batch = self.batch(choice, numbers, count)
        if self.analysis != "simulate":
            found = compute_points(self, batch.system, numbers, count, batch.settings, threads, progress)
            return found, "one by one", self.analysis
        try:
            runs, engine, reason = run_batch(batch, self.engine, threads, progress, self.made(choice))
        except (ModelError, ArithmeticError) as error:  # of the variant itself: none of its runs can be made
            runs, engine, reason = every_one_failed(batch, error), "", str(error)
        return reduced(self, runs, batch.varied), engine, reason

    def made(self, choice):
        """Code of a choice, which all its chunks use (lane_runs.engine_of)."""
        return self._made.setdefault(tuple(choice.items()), {})

    def batch(self, choice, numbers, count):
        """Runs that differ in numbers only."""
        system = self.variant(choice)
        settings = {name: value for name, value in self.settings.items() if name != "until"}
        settings |= {name: value for name, value in choice.items() if name in SETTINGS and value}
        numbers = numbers or {"gravity.x": np.full(count, system.gravity[0])}  # a number that every system has
        return Batch(system, numbers, self.times, self.channels, settings, self.error)

    def with_errors(self):
        """A study of the errors of the same runs, and of nothing else; what is made for one is made for both."""
        found = copy(self)
        found.error, found.measures, found.variables = True, {}, variables_of_error(True, {})
        return found

    # ---------------------------------------------------------------- as text

    def to_dict(self):
        """Plain data, from which `study_from` makes the study again. Numbers that vary are parameters in its model, so
        that everything that depends on them is written as it was given."""
        model = VariedSystem(self.system, self.numbers, self.settings.get("formulation", "joint")).base
        plain = dict(
            times=self.times.tolist(),
            names=self.names,
            analysis=self.analysis,
            at=self.at,
            engine=self.engine,
            error=self.error,
        )
        return dict(
            format=FORMAT, model=model.to_dict(), **plain, **self.given, settings=dict(sorted(self.settings.items()))
        )

    @cached_property
    def text(self):
        """In the order in which parts were given: from another one another tree is made, whose numbers differ by round-off."""
        return json.dumps(self.to_dict())

    @cached_property
    def digest(self):
        return hashlib.sha256(self.text.encode()).hexdigest()


def check_settings(settings):
    for name in settings:
        if name not in OPTIONS:
            raise ModelError(
                "sweep",
                f"{name!r} is not known",
                f"options are {', '.join(OPTIONS)}",
                did_you_mean(name, OPTIONS).strip(),
            )


def refuse_kept(given, analysis):
    if given["keep"] or given["measure"]:
        problem = f"keep and measure are given with analysis={analysis!r}"
        raise ModelError("sweep", problem, "it has results of its own", "Leave them out.")


def grouped(values, choices, count):
    """(choice, numbers of its runs), in the order in which choices occur."""
    if not choices:
        return [({}, np.arange(count))]
    groups = {}
    for k, choice in enumerate(zip(*(values[name] for name in choices), strict=True)):
        groups.setdefault(choice, []).append(k)
    return [(dict(zip(choices, choice, strict=True)), np.array(runs)) for choice, runs in groups.items()]


def every_one_failed(batch, error):
    runs = empty_runs(batch.count, len(batch.times), len(batch.channels))
    runs.outcome[:] = FAILED
    runs.messages.update(dict.fromkeys(range(batch.count), " ".join(str(error).split())))
    return runs


def joined(study, parts, count, engine, reason):
    """One Block of several groups of runs."""
    data = {name: np.full((count, *one.shape), np.nan) for name, one in study.variables.items()}
    status, steps, messages = np.zeros(count, np.int8), np.zeros(count, np.int64), {}
    for runs, (found, outcome, taken, reported) in parts:
        for name, values in found.items():
            data[name][runs] = values
        status[runs], steps[runs] = outcome, taken
        messages |= {int(runs[k]): text for k, text in reported.items()}
    return Block(data, status, steps, messages, engine, reason)
