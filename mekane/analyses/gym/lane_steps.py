"""Many motions step by step on the lanes of vector registers: code is made once, states go in and out at each step."""

import numpy as np

from mekane.analyses.batch.lane_channels import NotOnLanes
from mekane.analyses.batch.lane_runs import LaneEngine
from mekane.analyses.batch.runs import DONE, Batch
from mekane.expressions.graph import inputs
from mekane.solvers.lanes.threads import lanes_of_processor

TIME = "t[0]"


class LaneSteps(LaneEngine):
    """Runs of one step each, of a model without laws of time: every step begins at t = 0.

    varied: names of states, inputs and numbers, see Batch; channels: what is read at the end of a step."""

    def __init__(self, system, varied, every, channels, settings):
        one = {name: np.zeros(1) for name in varied}
        times = np.array([0.0, every])
        super().__init__(Batch(system, one, times, tuple(channels), settings), lanes_of_processor())
        self.refuse_memory()
        self._stops = super().stops()

    def refuse_memory(self):
        """What a state of coordinates and speeds does not hold."""
        compiled, traced = self.solver.compiled, self.model.traced
        if compiled.integrals:
            raise NotOnLanes("controllers keep integrals")
        if compiled.controllers or compiled.events:
            raise NotOnLanes("there are controllers or events")
        if traced.measured:
            raise NotOnLanes("turns of joints are counted")
        if traced.compiled.program.comparisons:
            raise NotOnLanes("laws compare numbers")
        expressions = [*traced.right_hand_side(1).values(), *self.model.channels.outputs.values()]
        if TIME in inputs(expressions):
            raise NotOnLanes("laws depend on time")

    def step(self, varied):
        """(runs, channels) at the end of a step, and {run: why it failed}."""
        self.batch = self.batch._replace(varied=varied)
        found = self.run()
        failed = {int(k): found.messages.get(int(k), "it failed") for k in np.flatnonzero(found.outcome != DONE)}
        return found.values[:, -1], failed

    def invalid(self):
        """Systems were made when the runs began."""
        return []

    def stops(self):
        return self._stops
