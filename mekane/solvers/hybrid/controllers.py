"""Sampled controllers in a run: formulas tick inside the time loop (clocks.py), Python functions between its calls."""

import numpy as np

from mekane.errors import ModelError, SimulationError
from mekane.numba_backend.kernel import plain
from mekane.solvers import clocks
from mekane.solvers.clocks import NEXT, Clocks
from mekane.solvers.hybrid.controller_objects import own_objects

MOST_WAITING = 1_000_000  # values between a tick and its effect
is_due, next_time, tick_time, write_due, write_time = map(
    plain, (clocks.is_due, clocks.next_time, clocks.tick_time, clocks.write_due, clocks.write_time)
)


class Controllers:
    """Of one solver."""

    quantity = None  # (solver, name) → number or array: what only results have; known where runs are made

    def __init__(self, solver, copied):
        self.solver = solver
        self.given = list(solver.compiled.system.controllers.values())
        functions = [one.function for one in self.given]
        self.functions = own_objects(self.given, functions) if copied else functions
        self.clocks = clocks_of(solver.compiled, bool(self.given) and not changes_more(solver))

    def __bool__(self):
        return bool(self.given)

    def reset(self):
        """At the start of a run: objects with state forget."""
        for function in self.functions:
            if hasattr(function, "reset"):
                function.reset()

    def next_time(self):
        """Of the next tick or change."""
        return next_time(self.clocks)

    def happen(self):
        """What is due now. All read what was before any write of this instant, then inputs change in declared order."""
        C, r, now = self.clocks, self.solver.workspace.r, self.solver.t
        due = [k for k in range(len(self.given)) if is_due(tick_time(C, k), now)]
        values = [self.values(k, self.given[k]) for k in due]
        write_due(C, r, now)
        for k, found in zip(due, values, strict=True):
            C.waiting[C.first[k] : C.first[k + 1], C.counts[k, NEXT] % C.waiting.shape[1]] = found
            C.counts[k, NEXT] += 1
        write_due(C, r, now)

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

    # ---------------------------------------------------------------- for copies and checkpoints

    def state(self):
        return dict(counts=self.clocks.counts.tolist(), waiting=self.clocks.waiting.tolist())

    def restore(self, state):
        self.clocks.counts[:] = np.reshape(state["counts"], self.clocks.counts.shape)
        self.clocks.waiting[:] = np.reshape(state["waiting"], self.clocks.waiting.shape)


def clocks_of(compiled, inside):
    """The clocks of a model that begins. inside: formulas tick inside the time loop."""
    controllers = list(compiled.system.controllers.values())
    n, first = len(controllers), np.cumsum([0, *(len(one.writes) for one in controllers)]).astype(np.int64)
    times = np.array([(one.every, one.offset, one.delay) for one in controllers], float).reshape(n, 3)
    writes = [line for k, one in enumerate(controllers) for line in writes_of(compiled, k, one)]
    slots = max((slots_of(one) for one in controllers), default=1)
    ticks_inside = [int(inside and bool(one.expressions)) for one in compiled.controllers]
    return Clocks(
        times, np.zeros((n, 2), np.int64), first, np.array(writes, np.int64).reshape(-1, 2),
        np.zeros((len(writes), slots)), np.array(ticks_inside, np.int64),
    )  # fmt: skip


def writes_of(compiled, k, controller):
    """(register of the formula or -1, register of the input) for each input it writes."""
    sources = compiled.controllers[k].expressions or [-1] * len(controller.writes)
    targets = [compiled.discrete_registers.start + compiled.discrete.index(name) for name in controller.writes]
    return list(zip(sources, targets, strict=True))


def slots_of(controller):
    """Values that may wait at a time."""
    if controller.delay > MOST_WAITING * controller.every:
        problem, expected = (
            f"delay is {controller.delay:g} s",
            f"at most {MOST_WAITING} periods of {controller.every:g} s",
        )
        raise ModelError(f"controller {controller.name!r}", problem, expected)
    return int(controller.delay / controller.every) + 2


def changes_more(solver):
    """Whether a change of inputs changes more than laws of the state: stored energies, or when laws of time switch."""
    compiled, laws = solver.compiled, solver.time_laws
    inputs = set(range(compiled.discrete_registers.start, compiled.discrete_registers.stop))
    of_time = [*(laws.tape.event_registers[k] for k in laws.comparisons), *laws.floors, *laws.results]
    return any(inputs & laws.read(int(x)) for x in (*compiled.energy_registers.values(), *of_time))
