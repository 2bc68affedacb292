"""continuation: equilibria along a parameter, around turning points and onto branches that cross; a bifurcation
diagram."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mekane.analyses.equilibrium.arclength import SHORTEST, EquilibriumPath
from mekane.analyses.equilibrium.equilibrium import Equilibrium, start_at
from mekane.analyses.equilibrium.imbalance_report import refuse_unbalanced
from mekane.analyses.equilibrium.solver import BALANCED, find_equilibrium, symmetric
from mekane.analyses.equilibrium.stability import Stability
from mekane.analyses.kinematics.placement import with_values
from mekane.analyses.quantity_names import known_parameters
from mekane.compiler.compiler import compile_system
from mekane.errors import ModelError
from mekane.model.names import joint_coordinates
from mekane.model.values.units import is_list, quantity
from mekane.results.printing import Printed, Shown
from mekane.results.result import Result
from mekane.solvers.state import Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from mekane.model.system import System
    from mekane.model.types import NumberLike

LONGEST, FIRST, MOST = 0.08, 0.01, 1500  # steps in radians, sizes or shares of the range; points of a branch
BEND = 0.985  # cosine between tangents of neighbours
ASIDE = 0.02  # first step onto a crossing branch


class Event(NamedTuple):
    """A special point of a branch."""

    kind: str  # "turning point" or "bifurcation"
    value: float  # of the parameter
    equilibrium: Equilibrium


def continuation(
    system: System,
    parameter: str,
    values: Sequence[NumberLike],
    at: Mapping[str, Any] | None = None,
    branches: bool = True,
    t: NumberLike = 0.0,
    formulation: str = "joint",
    points: int = MOST,
) -> Continuation:
    """Equilibria while a parameter changes: around turning points, and onto branches that cross.

    A branch is followed until the parameter passes the last value or goes as far the other way.

    Parameters:
        system: what rests.
        parameter: name of a parameter, or of a number such as "spring.stiffness".
        values: (first, last) value of it.
        at: where the search for the first equilibrium starts; by default as described.
        branches: also follow those that cross the first; default True.
        t: the time at which laws are taken [s]; default 0.
        formulation: "joint", or a name in mekane.formulations.
        points: the most points of a branch; default 1500.

    Example:
        from mekane import gallery
        print(mk.continuation(gallery.find("two_bar_truss").system(), "load", (0, 20)))
    """
    system, names = known_parameters(system, [parameter], "continuation")
    values = read_values(values, parameter)
    system = with_values(system, {names[0]: values[0]})
    statics, state = start_at(system, at, t, formulation, names, analysis="continuation")
    state = find_equilibrium(statics, state)
    if state.unbalanced > BALANCED:
        refuse_unbalanced(state, "continuation")
    return BranchFollower(statics, names[0], values, points).follow(state, branches)


def read_values(values, parameter):
    if not is_list(values) or len(values) != 2:
        problem = f"values is {values!r}"
        raise ModelError(
            "continuation", problem, f"{parameter!r} goes from a first to a last value", "Write values=(0, 10)."
        )
    values = [quantity(x, None, "continuation", "values") for x in values]
    if values[0] == values[-1]:
        raise ModelError("continuation", f"values begin and end with {values[0]:g}", "the parameter must change")
    return values


class BranchFollower:
    """Follows the branches of one equilibrium path."""

    def __init__(self, statics, name, values, most):
        self.statics, self.name, self.values, self.most = statics, name, values, most
        back = 2 * values[0] - values[-1]
        self.low, self.high = min(values[-1], back), max(values[-1], back)
        self.path = EquilibriumPath(statics, name, abs(values[-1] - values[0]))

    def follow(self, state, branches):
        first = self.path.point(state)
        onward = np.append(np.zeros(len(first.tangent) - 1), np.sign(self.values[-1] - self.values[0]))
        if first.tangent @ onward < 0:
            first.tangent = -first.tangent
        found = [self.branch(first, ends=[first])]
        crossings = list(found[0].crossings) if branches else []
        for event, here in crossings:
            found += self.crossing_branches(here, event, found, [point for _, point in crossings])
        return Continuation(self, found)

    def crossing_branches(self, here, event, known, ends):
        """Both halves of the branch that crosses at a bifurcation, but those by which known branches arrived there.

        They end where they meet a bifurcation of the first branch: what goes on from there is followed from there."""
        found, across = [], here.across()
        for sign in (1.0, -1.0):
            if any(branch.line[-1] is here and branch.arriving @ across * sign < 0 for branch in (*known, *found)):
                continue
            beside = self.path.step(here, ASIDE, sign * across)
            if beside is not None:
                if beside.tangent @ (sign * across) < 0:
                    beside.tangent = -beside.tangent
                found.append(self.branch(beside, before=[here], origin=event, ends=ends))
        return found

    def branch(self, here, before=(), origin=None, ends=()):
        """From a point on, until it leaves the range of the parameter or passes one of the points `ends`."""
        line, events, crossings, length = [*before, here], [], [], FIRST
        while len(line) < self.most:
            after, used = self.next_point(here, length)
            if after is None:
                break
            if (end := next((point for point in ends if self.path.passes(here, used, point)), None)) is not None:
                line.append(end)
                break
            for kind, point in self.events_between(here, after, used):
                events.append(Event(kind, point.p, self.equilibrium(point)))
                line.append(point)
                if kind == "bifurcation":
                    crossings.append((events[-1], point))
            outside = not self.low <= after.p <= self.high
            after = self.at_edge(here, after) if outside else after
            if after is not None:
                line.append(after)
            if outside:
                break
            length = min(LONGEST, 1.5 * used)
            here = after
        return Branch(self, line, events, crossings, origin, here.tangent)

    def next_point(self, here, length):
        """The next point and the step to it; the step is shortened where the path bends."""
        while length > SHORTEST:
            after = self.path.step(here, length)
            if after is not None and after.tangent @ here.tangent > BEND:
                return after, length
            length *= 0.5
        return None, length

    def at_edge(self, here, after):
        """Where the branch leaves the range of the parameter, exactly."""
        edge = self.low if after.p < self.low else self.high
        found = self.path.at_value(min((here, after), key=lambda point: abs(point.p - edge)), edge)
        return None if found is None else self.path.point(found.state, here.tangent)

    def events_between(self, here, after, length):
        found = []
        for kind, indicator in (("turning point", "turning"), ("bifurcation", "crossing")):
            if getattr(here, indicator) * getattr(after, indicator) < 0:
                point = self.located(here, length, indicator)
                if point is not None and self.low <= point.p <= self.high:
                    found.append((kind, point))
        return found

    def located(self, here, length, indicator):
        """The point between where an indicator vanishes."""
        from scipy.optimize import brentq

        def value(s):
            point = self.path.step(here, s) if s > 0 else here
            return getattr(point, indicator) if point is not None else np.nan

        try:
            s = brentq(value, 0.0, length, xtol=1e-14, rtol=1e-14, maxiter=200)
        except (ValueError, RuntimeError):
            return None
        return self.path.step(here, s) if s > 0 else here

    def equilibrium(self, point):
        return Equilibrium(self.statics, point.state)


class Branch:
    """One branch of equilibria: `value` of the parameter, `stable` at every point, and quantities by name, all as
    arrays.

    arriving: its tangent shortly before its last point."""

    def __init__(self, follower, line, events, crossings, origin, arriving):
        self.follower, self.line, self.events, self.crossings, self.origin = follower, line, events, crossings, origin
        self.arriving = arriving
        self.value = np.array([point.p for point in line])

    def __len__(self):
        return len(self.line)

    @cached_property
    def stable(self):
        return np.array([is_stable(self.follower.statics, point.state) for point in self.line])

    @cached_property
    def _result(self):
        statics = self.follower.statics
        compiled = compile_system(statics.system, statics.formulation)
        y = np.array([np.concatenate([point.state.q, np.zeros(compiled.n_u + compiled.n_work)]) for point in self.line])
        measurement = np.array([point.state.measurement for point in self.line])
        return Result(statics.system, compiled, Record(np.arange(len(y), dtype=float), y, measurement), {})

    def __getitem__(self, name):
        """A quantity at all points."""
        if self._result.follows_from_state(name):
            return self._result.numbers(name).copy()
        return np.array([self.follower.equilibrium(point)[name] for point in self.line])

    def at(self, value):
        """All equilibria of this branch with this value of the parameter."""
        found = []
        for here, after in zip(self.line, self.line[1:], strict=False):
            if min(here.p, after.p) <= value <= max(here.p, after.p) and value != here.p:
                point = self.follower.path.at_value(min((here, after), key=lambda one: abs(one.p - value)), value)
                found += [] if point is None else [self.follower.equilibrium(point)]
        return ([self.follower.equilibrium(self.line[0])] if self.value[0] == value else []) + found


def is_stable(statics, state):
    K = state.stiffness
    if np.abs(K - K.T).max(initial=0.0) <= 1e-7 * max(np.abs(K).max(initial=0.0), 1e-300):
        return bool(np.linalg.eigvalsh(symmetric(K)).min(initial=np.inf) >= -1e-9 * state.scale)
    return Stability(statics, state).stable is True


class Continuation(Printed):
    """Branches of equilibria over a parameter; turning points and bifurcations by value; .plot() draws the diagram."""

    def __init__(self, follower, branches):
        self.follower, self.parameter, self.branches = follower, follower.name, branches
        self.system = follower.statics.system

    @property
    def turning_points(self):
        return [event for branch in self.branches for event in branch.events if event.kind == "turning point"]

    @property
    def bifurcations(self):
        return [event for branch in self.branches for event in branch.events if event.kind == "bifurcation"]

    def at(self, value):
        """All equilibria found with this value of the parameter."""
        value = quantity(value, None, "continuation", "value")
        return [one for branch in self.branches for one in branch.at(value)]

    def names(self):
        return joint_coordinates(self.system) or [
            f"{body}.position.{axis}" for body in self.system.bodies for axis in "xyz"
        ]

    def most_changed(self):
        """The quantity that distinguishes most the branches."""
        return max(self.names(), key=lambda name: np.ptp(np.concatenate([branch[name] for branch in self.branches])))

    def plot(self, path=None, quantity=None):
        """The bifurcation diagram, stable equilibria as solid lines, unstable ones dashed: a figure, written if a path
        is given."""
        from mekane.analyses.figures import panels, written

        name = quantity or self.most_changed()
        figure, (axes,) = panels(self.system.name, self.parameter, name)
        for number, branch in enumerate(self.branches):
            draw(axes, branch, branch[name], f"C{number % 10}")
        for kind, marker in (("turning point", "o"), ("bifurcation", "s")):
            events = [event for branch in self.branches for event in branch.events if event.kind == kind]
            if events:
                axes.plot(
                    [e.value for e in events],
                    [e.equilibrium[name] for e in events],
                    marker,
                    color="black",
                    ms=4,
                    label=kind,
                )
        axes.plot([], [], "-", color="grey", label="stable")
        axes.plot([], [], "--", color="grey", label="unstable")
        axes.legend(fontsize=8)
        return written(figure, path)

    def shown(self):
        rows = [
            [
                str(k),
                len(b),
                float(b.value[0]),
                float(b.value[-1]),
                int(b.stable.sum()),
                f"from {b.origin.value:.6g}" if b.origin else "start",
            ]
            for k, b in enumerate(self.branches)
        ]
        headings = ["branch", "points", "first", "last", "stable points", "begins"]
        tables = [Shown(f"Equilibria of {self.system.name!r} along {self.parameter!r}", headings, rows)]
        events = [
            [event.kind, event.value, str(k)] for k, branch in enumerate(self.branches) for event in branch.events
        ]
        return tables + ([Shown("Special points", ["kind", self.parameter, "branch"], events)] if events else [])

    def to_dict(self):
        name = self.most_changed()
        branches = [
            {
                self.parameter: branch.value.tolist(),
                name: branch[name].tolist(),
                "stable": branch.stable.tolist(),
                "events": [{"kind": event.kind, "value": event.value} for event in branch.events],
            }
            for branch in self.branches
        ]
        return {"system": self.system.name, "parameter": self.parameter, "branches": branches}


def draw(axes, branch, values, color):
    """Pieces of equal stability."""
    cuts = np.flatnonzero(np.diff(branch.stable.astype(int))) + 1
    for piece in np.split(np.arange(len(branch)), cuts):
        wide = np.arange(max(piece[0] - 1, 0), piece[-1] + 1)  # joined to the piece before
        axes.plot(branch.value[wide], values[wide], "-" if branch.stable[piece[0]] else "--", color=color)
