"""Sampled controllers in a run: clocks that do not drift, what is read at a tick, and what is written after the delay."""

import numpy as np

from mekane.errors import SimulationError

SAME = 1e-14  # relative: at the same instant


class Controllers:
    """Of one solver. Tick n of a controller is at offset + n every, each computed from n alone."""

    quantity = None  # (solver, name) → number or array: what only results have; known where runs are made

    def __init__(self, solver):
        self.solver = solver
        self.given = list(solver.compiled.system.controllers.values())
        self.functions = [one.function for one in self.given]
        self.ticks = np.zeros(len(self.given), np.int64)  # the next tick of each
        self.waiting = []  # (time, names of inputs, values): computed, not yet written

    def __bool__(self):
        return bool(self.given)

    def reset(self):
        """At the start of a run: objects with state forget."""
        for function in self.functions:
            if hasattr(function, "reset"):
                function.reset()

    def next_time(self):
        """Of the next tick or change."""
        times = [one.offset + int(n) * one.every for one, n in zip(self.given, self.ticks, strict=True)]
        return min([np.inf, *times, *(time for time, *_ in self.waiting)])

    def happen(self):
        """What is due now: changes that have waited, then ticks in declared order."""
        now = self.solver.t
        due = lambda time: time <= now + SAME * abs(now)
        for item in [item for item in self.waiting if due(item[0])]:
            self.waiting.remove(item)
            self.write(item[1], item[2])
        for k, controller in enumerate(self.given):
            time = controller.offset + int(self.ticks[k]) * controller.every
            if due(time):
                self.ticks[k] += 1
                values = self.values(k, controller)
                if controller.delay > 0:
                    self.waiting.append((time + controller.delay, controller.writes, values))
                else:
                    self.write(controller.writes, values)

    def values(self, k, controller):
        """What a controller gives for each input it writes."""
        r, registers = self.solver.workspace.r, self.solver.compiled.controllers[k]
        if registers.expressions:
            found = [float(r[place]) for place in registers.expressions]
        else:
            reads = [self.read(place) for place in registers.reads]
            found = np.atleast_1d(self.functions[k](self.solver.t, *reads))
        found = [float(x) for x in found]
        if len(found) != len(controller.writes) or not np.isfinite(found).all():
            raise SimulationError(
                f"controller {controller.name!r} at t = {self.solver.t:.6g} s gave {found}: "
                f"{len(controller.writes)} finite numbers are expected, for {', '.join(controller.writes)}"
            )
        return found

    def read(self, place):
        """A register, or a quantity that results compute from the state."""
        if not isinstance(place, str):
            return float(self.solver.workspace.r[place])
        return Controllers.quantity(self.solver, place)

    def write(self, names, values):
        discrete = self.solver.compiled.discrete
        for name, value in zip(names, values, strict=True):
            self.solver.discrete[discrete.index(name)] = value

    # ---------------------------------------------------------------- for copies and checkpoints

    def state(self):
        return dict(
            ticks=self.ticks.tolist(), waiting=[[time, list(names), values] for time, names, values in self.waiting]
        )

    def restore(self, state):
        self.ticks[:] = state["ticks"]
        self.waiting = [(time, tuple(names), values) for time, names, values in state["waiting"]]
