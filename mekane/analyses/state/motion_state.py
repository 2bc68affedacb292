"""The state of a motion at one instant, with its discrete state: what other analyses take as `at`."""

import numpy as np

from mekane.analyses.state.snapshot import Snapshot
from mekane.compiler.discrete_state import is_place
from mekane.errors import ModelError
from mekane.model.values.units import quantity
from mekane.results.printing import Shown
from mekane.results.result import Result

SAME = 1e-9  # relative: a time is that of a sample


class MotionState(Snapshot):
    """A motion at one instant: values by name, reactions, and `system`, placed there with what is active then.

    discrete: inputs, variables and what is active, by name."""

    def __init__(self, run, k=-1):
        compiled, one = (
            run.compiled,
            type(run.record)(*(part[k][None].copy() if len(part) else part for part in run.record)),
        )
        self.result = Result(run.system, compiled, one, {})
        q, u, rest = np.split(one.y[0], [compiled.n_q, compiled.n_q + compiled.n_u])
        turns = {key: float(one.measurement[0, row]) for key, row in compiled.pairs.measurement.items()}
        here = dict(parameters=run.system.parameters, integrals=rest[: len(compiled.integrals)], turns=turns)
        super().__init__(run.system, compiled.formulation, t=float(one.t[0]), q=q, u=u, **here)
        numbers = {name: self[name] for name in compiled.discrete}
        self.discrete = {name: value for name, value in numbers.items() if not is_place(name)}
        self.places = {name: value for name, value in numbers.items() if is_place(name)}

    def shown_names(self):
        return [f"{name}{end}" for name in self.coordinates() for end in ("", ".rate")]

    def shown(self):
        rows = [[name, self[name], self.result.units(name)] for name in (*self.shown_names(), *self.discrete)]
        return [Shown(f"{self.described.name!r} at t = {self.t:.9g} s", ["quantity", "value", "unit"], rows)]


def state(run, t=None):
    """The state at the time of a sample, to be used by other analyses: mk.linearize(s, at=run.state(3.0)).

    t: time of a sample [s]; by default the last one. The answer has values by name, discrete (inputs, variables and
        what is active) and system: with its bodies where they are then, and with what is active then."""
    if not len(run.t):
        raise ModelError("result", "it has no samples", "a state is that of a sample")
    if t is None:
        return MotionState(run)
    t = quantity(t, "time", "state of a run", "t")
    k = int(np.searchsorted(run.t, t + SAME * (1.0 + abs(t)))) - 1
    if k < 0 or run.t[k] < t - SAME * (1.0 + abs(t)):
        raise no_sample(run, t)
    return MotionState(run, k)


def no_sample(run, t):
    near = sorted(run.t[np.argsort(np.abs(run.t - t))[:2]])
    expected = f"the nearest samples are at {' and '.join(f'{x:.9g}' for x in near)} s"
    return ModelError(
        "state of a run", f"there is no sample at t = {t:.9g} s", expected, "Simulate with every=[…] there."
    )
