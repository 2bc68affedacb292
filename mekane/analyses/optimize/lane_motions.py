"""Motions of a design in all its scenarios at once, with their derivatives, on SIMD lanes.

    y' = f(t, y, p),     S = s dy/dp,     S' = f_y S + s f_p,     s: size of the parameter

The derivatives are expressions made from those of the right-hand side. For trees whose laws are smooth; others are
integrated one by one (analyses.sensitivity.motion).
"""

import numpy as np

from mekane.analyses.batch.lane_channels import NotOnLanes
from mekane.analyses.batch.lane_model import LaneModel
from mekane.analyses.batch.lane_runs import LaneEngine
from mekane.analyses.batch.runs import Batch
from mekane.codegen.entry_code import at
from mekane.codegen.lanes.traced_model import placed
from mekane.expressions.derivative import rates_along
from mekane.expressions.graph import Expr, absolute, maximum, topological
from mekane.expressions.node import scalar, symbol
from mekane.expressions.parse import symbol_name
from mekane.solvers.lanes import lane_state
from mekane.solvers.lanes.step_code import stride_of
from mekane.solvers.lanes.threads import lanes_of_processor, run_on_threads

SMALLEST = 1e-3  # size of a parameter
NOT_SMOOTH = ("less", "less_equal", "floor", "atan2", "table")


class SensitivityModel(LaneModel):
    """A LaneModel whose state goes on with S, for one parameter after the other. along: their names."""

    def __init__(self, along, *args):
        self.along = along
        super().__init__(*args)

    def functions(self, solver, stride):
        found = super().functions(solver, stride)
        if set(found) != {"rhs"} or self.loops is not None:
            raise NotOnLanes("derivatives on lanes are for trees without constraints")
        n, f = self.traced.n, list(found["rhs"].values())
        changes = [x for rates in self.directions() for x in rates_along(f[:n], rates)]
        return {"rhs": placed([*f[:n], *changes, f[n]], stride)}

    def directions(self):
        """How the state and a parameter change with that parameter, times its size; for each of them."""
        n, y = self.traced.n, self.traced.y
        S = lambda j: {y[k]: at("y", (j + 1) * n + k) for k in range(n)}
        return [S(j) | {p: size} for j, (p, size) in enumerate(self.parameters())]

    def parameters(self):
        symbols = [symbol(symbol_name(self.addresses[name])) for name in self.along]
        return [(p, maximum(absolute(p), SMALLEST)) for p in symbols]

    def channel_outputs(self):
        """The quantities, then their derivatives, for one parameter after the other."""
        values = list(self.channels.outputs.values())
        if self.channels.missing or any(
            one.finish or one.component is not None for one in self.channels.found.values()
        ):
            raise NotOnLanes("a quantity has no derivative on lanes")
        sizes = [size for _, size in self.parameters()]
        changes = [
            scalar(x) / size
            for rates, size in zip(self.directions(), sizes, strict=True)
            for x in rates_along(values, rates)
        ]
        refuse_corners([*values, *self.traced.right_hand_side(1).values()])
        return placed([*values, *changes])

    def start_state(self, found):
        if found is None:
            raise NotOnLanes("each design has to be assembled")
        expressions = [scalar(x) for x in found]
        return found + [x for p, size in self.parameters() for x in rates_along(expressions, {p: size})]


def refuse_corners(expressions):
    """Derivatives of laws that are not smooth have discontinuities, at instants that move."""
    found = {node.op for node in topological([x for x in expressions if isinstance(x, Expr)])}
    for op in NOT_SMOOTH:
        if op in found:
            raise NotOnLanes("laws are not smooth")


class SensitivityEngine(LaneEngine):
    """Motions of a Batch with derivatives to some of what varies."""

    def __init__(self, batch, along):
        self.along = along
        super().__init__(batch, lanes_of_processor())

    def make_model(self, assembly):
        return SensitivityModel(
            self.along, self.varied, self.solver, assembly, stride_of(self.tableau), self.batch.channels
        )

    def settings(self):
        found = super().settings()
        found[lane_state.N_ERROR] = len(self.model.start)
        return found

    def motions(self, varied):
        """[(values (time, quantity), derivatives (time, quantity, parameter))], None for a motion that lanes cannot finish.
        varied: {name: numbers}."""
        self.batch = self.batch._replace(varied=varied)
        runs, m = self.runs(), len(self.batch.channels)
        if not run_on_threads(*self.arguments(runs)):
            raise KeyboardInterrupt
        values = runs.values[:, :, :m]
        changes = runs.values[:, :, m:].reshape(*runs.values.shape[:2], len(self.along), m).swapaxes(2, 3)
        done = runs.outcome == lane_state.DONE
        return [(values[k], changes[k]) if done[k] else None for k in range(len(done))]

    def invalid(self):
        """Systems were made by the search."""
        return []


class ScenarioMotions:
    """Motions of the designs of a search in all scenarios; the code is made once for each set of quantities and times."""

    def __init__(self, box, formulation, rtol):
        self.box, self.settings = box, dict(formulation=formulation, rtol=rtol, atol=1e-3 * rtol)
        self.engines = {}

    def at(self, values, quantities, times):
        """What `SensitivityEngine.motions` gives for each scenario; all None where lanes cannot do it."""
        box, count = self.box, len(self.box.scenarios)
        varied = {name: np.full(count, float(x)) for name, x in zip(box.names, values, strict=True)}
        varied |= {name: np.array([float(one[name]) for one in box.scenarios]) for name in box.scenarios[0]}
        engine = self.engine(varied, quantities, times)
        return [None] * count if engine is None else engine.motions(varied)

    def engine(self, varied, quantities, times):
        key = quantities, times
        if key not in self.engines:
            batch = Batch(self.box.system, varied, np.array(times, float), quantities, self.settings)
            try:
                self.engines[key] = SensitivityEngine(batch, self.box.names) if times[-1] > 0.0 else None
            except NotOnLanes:
                self.engines[key] = None
        return self.engines[key]
