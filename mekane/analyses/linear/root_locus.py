"""root_locus: how eigenvalues move as a number of the model changes, and where they cross into instability."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mekane.analyses.linear.linearize import linearize
from mekane.errors import ModelError
from mekane.model.interface.argument_check import check_is_system
from mekane.results.printing import Printed, Shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import ArrayLike

    from mekane.model.system import System

GROWS = 1e-9  # real part beside the size, above which an eigenvalue grows


def root_locus(
    system: System | Callable[[float], System],
    parameter: str,
    values: ArrayLike | None = None,
    at: Any = None,
    formulation: str = "joint",
    **keywords: Any,
) -> RootLocus:
    """Eigenvalues over values of a parameter, each followed from one value to the next.

    Parameters:
        system: a System with that parameter (or with a number such as "spring.stiffness"), or a function value → System;
            then `parameter` is only its name.
        parameter: name of what changes.
        values: its values.
        at: a function System → where to linearize, such as mk.equilibrium; by default the state as described.
        formulation, keywords: as in mk.linearize.

    Example:
        from mekane import gallery
        s = gallery.find("pendulum").system()
        print(mk.root_locus(s, "gravity.y", [-5.0, -10.0, -20.0], at=mk.equilibrium))
    """
    values = numbers(values)
    if at is not None and not callable(at):
        problem = f"at is {type(at).__name__}"
        raise ModelError(
            "root_locus", problem, "a function System → where to linearize is expected", "Write at=mk.equilibrium."
        )
    build = system if callable(system) else lambda value: system.with_parameters({parameter: value})

    def linearized(value):
        made = build(float(value))
        check_is_system(made, "root_locus")
        return linearize(made, None if at is None else at(made), formulation=formulation, **keywords)

    found = [linearized(value) for value in values]
    notes = list(dict.fromkeys(note for one in found for note in one.notes))
    branches = followed([one.eigenvalues for one in found])
    return RootLocus(parameter, values, branches, lambda value: linearized(value).eigenvalues, notes)


root_locus.accepts_functions = True


def numbers(values):
    try:
        values = np.asarray([] if values is None else values, float)
    except (TypeError, ValueError):
        values = np.zeros(0)
    if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all():
        expected = "two or more values of the parameter are expected"
        raise ModelError(
            "root_locus", "values is no list of numbers", expected, "Write for example np.linspace(0, 10, 50)."
        )
    return values


class Crossing(NamedTuple):
    """Where a real part changes its sign."""

    value: float
    eigenvalue: complex
    becomes: str  # "stable" or "unstable", as the values go on

    @property
    def frequency(self):
        """Of the oscillation there [Hz]."""
        return abs(self.eigenvalue.imag) / (2 * np.pi)


class RootLocus(Printed):
    """`values` of the parameter, `eigenvalues` (values, branches); `crossings` of the imaginary axis, found by root
    finding; `notes` of the linearizations, such as laws that are discontinuous there."""

    def __init__(self, parameter, values, eigenvalues, again, notes=()):
        self.parameter, self.values, self.eigenvalues, self.notes = parameter, values, eigenvalues, list(notes)
        found = [(k, b) for b in range(eigenvalues.shape[1]) for k in self.changes(b)]
        self.crossings = [self.crossing(k, b, again) for k, b in found]
        seen = {k for k, _ in found}
        self.crossings += [self.onset(k, again) for k in self.gained_or_lost() if k not in seen]
        self.crossings.sort(key=lambda c: c.value)

    def changes(self, branch):
        """Intervals in which the real part of a branch changes its sign; of a pair only the upper one, zero ones
        not."""
        x = self.eigenvalues[:, branch]
        small = np.abs(x.real) <= 1e-9 * (1.0 + np.abs(x))
        return [
            k
            for k in range(len(x) - 1)
            if x[k].real * x[k + 1].real < 0 and not small[k] and not small[k + 1] and x[k].imag >= 0
        ]

    def gained_or_lost(self):
        """Intervals over which the number of growing eigenvalues changes."""
        numbers = np.array([len(growing(row)) for row in self.eigenvalues])
        return np.flatnonzero(np.diff(numbers)).tolist()

    def onset(self, k, again):
        """Where the number of growing eigenvalues changes, by halving: also where pairs leave the imaginary axis on
        which they were."""
        a, b = self.values[k : k + 2]
        before, after = len(growing(self.eigenvalues[k])), len(growing(self.eigenvalues[k + 1]))
        while abs(b - a) > 1e-12 * max(abs(a), abs(b)):
            middle = 0.5 * (a + b)
            a, b = (middle, b) if len(growing(again(middle))) == before else (a, middle)
        side = again(b if after > before else a)
        at_axis = growing(side)[np.argmin(growing(side).real)]
        return Crossing(float(b), complex(0.0, abs(at_axis.imag)), "unstable" if after > before else "stable")

    def crossing(self, k, branch, again):
        from scipy.optimize import brentq

        near, far = self.eigenvalues[k : k + 2, branch]
        a, b = self.values[k : k + 2]

        def value_at(p):
            guess = near + (far - near) * (p - a) / (b - a)
            found = again(p)
            found = found[np.abs(found) > 0] if np.any(found) else found
            return found[np.argmin(np.abs(found - guess))]

        p = brentq(lambda p: value_at(p).real, a, b, xtol=1e-13 * max(abs(a), abs(b)), rtol=1e-14)
        return Crossing(float(p), complex(value_at(p)), "unstable" if far.real > 0 else "stable")

    def to_dict(self):
        pairs = lambda row: [[float(x.real), float(x.imag)] for x in row]
        crossings = [
            dict(value=c.value, real=c.eigenvalue.real, imag=c.eigenvalue.imag, becomes=c.becomes)
            for c in self.crossings
        ]
        values = list(map(pairs, self.eigenvalues))
        found = dict(parameter=self.parameter, values=self.values.tolist(), eigenvalues=values, crossings=crossings)
        return found | ({"notes": self.notes} if self.notes else {})

    def shown(self):
        rows = [[c.value, c.frequency, c.becomes] for c in self.crossings]
        title = f"eigenvalues for {self.parameter} from {self.values[0]:g} to {self.values[-1]:g}: crossings"
        remark = "\n".join([*([] if rows else ["No eigenvalue crosses the imaginary axis."]), *self.notes])
        return [Shown(title, [self.parameter, "frequency [Hz]", "beyond it"], rows, remark)]

    def plot(self, path=None):
        """Real and imaginary parts over the parameter: a figure, written if a path is given."""
        from mekane.analyses.figures import panels, written

        title, y = f"eigenvalues over {self.parameter}", ("real part [1/s]", "imaginary part [rad/s]")
        figure, (real, imaginary) = panels(title, self.parameter, *y)
        for branch in self.eigenvalues.T:
            real.plot(self.values, branch.real, lw=1.2)
            imaginary.plot(self.values, branch.imag, lw=1.2)
        for crossing in self.crossings:
            real.axvline(crossing.value, color="0.6", lw=0.8, ls=":")
        real.axhline(0.0, color="0.5", lw=0.8)
        return written(figure, path)


def growing(values):
    """Those that count as growing."""
    values = np.asarray(values)
    return values[values.real > GROWS * (1.0 + np.abs(values))]


def followed(lists):
    """Each list in the order that continues the one before: the assignment with the smallest moves."""
    from scipy.optimize import linear_sum_assignment

    if len({len(one) for one in lists}) != 1:
        raise ModelError("root_locus", "the number of states changes on the way", "the same freedoms for all values")
    rows = [np.asarray(lists[0], complex)]
    for one in lists[1:]:
        expected = rows[-1] if len(rows) == 1 else 2 * rows[-1] - rows[-2]
        cost = np.abs(expected[:, None] - one[None, :]) + np.abs(rows[-1][:, None] - one[None, :])
        rows.append(np.asarray(one, complex)[linear_sum_assignment(cost)[1]])
    return np.array(rows)
