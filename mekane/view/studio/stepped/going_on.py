"""A motion that goes on with another model: numbers were changed by a slider, or parts by typing, and all that has the same
name keeps its state."""

import numpy as np

from mekane.errors import SimulationError
from mekane.solvers.constraints.projection import CHOOSE
from mekane.solvers.entries.calls import evaluate_inertias, evaluate_kinematics, project
from mekane.solvers.state import NEXT_TICK, NOW
from mekane.tables.columns import Y_PHI

MOST = 60  # projection steps onto constraints that other numbers have moved
CLOSED = 1e-8  # m or rad, of rows that hold: farther off, there is no such mechanism near the present one


def go_on(new, old):
    """Bring a solver that stands at its start to the time and state of another one. SimulationError: that cannot be."""
    if new.compiled.coordinates != old.compiled.coordinates or new.compiled.speeds != old.compiled.speeds:
        raise SimulationError("other bodies or joints move than before.")
    new.y[:] = state_by_name(new, old)
    take_discrete(new, old)
    new.step_state[NOW] = old.t
    new.phases.table.clear()
    new.phases.work.clear()
    close(new)
    new.start()
    take_events(new, old)


def state_by_name(new, old):
    """Coordinates and speeds as they were; controller states and work by their names."""
    first = old.compiled.n_q + old.compiled.n_u
    known = dict(zip([*old.compiled.integrals, *old.compiled.elements], old.y[first:], strict=True))
    start = new.y[first:]
    names = [*new.compiled.integrals, *new.compiled.elements]
    return [*old.y[:first], *(known.get(name, x) for name, x in zip(names, start, strict=True))]


def take_discrete(new, old):
    """Inputs, variables, what is active, modes of contacts; of an input or variable whose first value was changed just now,
    the new one."""
    before = dict(zip(old.compiled.discrete, old.discrete.tolist(), strict=True))
    first = lambda solver, name: declared(solver.compiled.system, name)
    for k, name in enumerate(new.compiled.discrete):
        if name in before and first(new, name) == first(old, name):
            new.discrete[k] = before[name]


def declared(system, name):
    found = {**system.inputs, **system.variables}.get(name)
    return None if found is None else found.value


def close(solver):
    """Bring its state onto the constraints, with the numbers as they are now."""
    for _ in range(MOST):
        evaluate_kinematics(solver.handle, solver.t, solver.y, solver.workspace.measurement.copy())
        evaluate_inertias(solver.handle, CHOOSE, solver.y)
        if not solver.correct or not project(solver.handle, solver.t, solver.y, solver.scratch.x) > 1e-14:
            break
    evaluate_kinematics(solver.handle, solver.t, solver.y, solver.workspace.measurement.copy())
    active = np.flatnonzero(solver.workspace.active)
    off = np.abs(solver.workspace.row[active, Y_PHI]).max(initial=0.0)
    if not (off < CLOSED and np.isfinite(solver.y).all()):
        raise SimulationError("it cannot be put together from where it was.")


def take_events(new, old):
    """What has happened once has; controllers tick on in time."""
    happened = dict(zip(old.compiled.system.events, old.phases.happened.tolist(), strict=True))
    new.phases.happened[:] = [happened.get(name, 0) for name in new.compiled.system.events]
    one, other = new.phases.controllers, old.phases.controllers
    clocks = lambda found: [(c.name, c.every, c.offset, c.delay, tuple(c.writes)) for c in found.given]
    if clocks(one) == clocks(other):
        one.restore(other.state())
    else:
        skip_to(one, new.t)
    new.step_state[NEXT_TICK] = one.next_time()


def skip_to(controllers, t):
    """Ticks before this time are over, with nothing waiting."""
    every, offset, _ = controllers.clocks.times.T
    controllers.clocks.counts[:] = np.maximum(0, np.ceil((t - offset) / every))[:, None]
