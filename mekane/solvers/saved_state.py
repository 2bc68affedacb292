"""The whole state of a solver as plain arrays and values. A solver made from it goes on as this one would, bit by bit:
for copies, for other processes, and for checkpoints. Addresses of memory are never part of it: they are found anew."""

import numpy as np

from mekane.errors import ModelError
from mekane.solvers.state import Scratch
from mekane.tables.tables import Workspace

SETTINGS = ("method", "rtol", "atol", "step", "constraints")
FOUND = ("event_times", "events")  # before the run: what its laws of time will do


def state_of(solver):
    """{name: array} and {name: number, text or list}: copies."""
    values = dict(
        method=solver.method, rtol=solver.rtol, atol=solver.atol, step=solver.step_size, constraints=solver.constraints
    )
    values |= dict(correct=bool(solver.correct), notes=list(solver.notes), unresolved=solver.unresolved)
    values |= dict(
        begun=list(solver.begun),
        looked_from=solver.looked_from,
        code=solver.code.values(),
        phases=solver.phases.state(),
    )
    found = arrays_of(solver) | solver.code.arrays() | {name: getattr(solver, name) for name in FOUND}
    return {name: array.copy() for name, array in found.items()}, values


def arrays_of(solver):
    """What changes during a run."""
    found = dict(y=solver.y, step_state=solver.step_state, counters=solver.counters)
    found |= {f"workspace.{name}": array for name, array in zip(Workspace._fields, solver.workspace, strict=True)}
    return found | {f"scratch.{name}": array for name, array in zip(Scratch._fields, solver.scratch, strict=True)}


def solver_from(compiled, arrays, values, made=None):
    """A solver of this model in a state that `state_of` gave. made: specialised code that is there already."""
    from mekane.solvers.solver import Solver

    settings = {name: values[name] for name in SETTINGS}
    return Solver(
        compiled,
        arrays["y"],
        correct=values["correct"],
        code=values["code"]["wanted"],
        state=(arrays, values),
        made=made,
        **settings,
    )


def restore(solver, arrays, values):
    """Bring a solver that was just made into a state."""
    from mekane.solvers.entries.addresses import open_model

    solver.handle = open_model(solver.tables, solver.workspace, solver.constraints, solver._impulsive)
    set_state(solver, arrays, values)
    solver.code.restore(solver, values["code"], arrays)


def go_back(solver, arrays, values):
    """Bring a solver that has a state into another one."""
    if solver.method != values["method"]:
        solver.method = values["method"]
    set_state(solver, arrays, values)
    solver.rtol, solver.atol, solver.step_size = values["rtol"], values["atol"], values["step"]
    solver.correct = values["correct"]
    solver.code.put_loops_back(solver)
    solver.code.restore(solver, values["code"], arrays)


def set_state(solver, arrays, values):
    """All of a state but the code it is computed by."""
    found = arrays_of(solver)
    for name, array in found.items():
        if (
            name not in arrays
            or arrays[name].shape != array.shape
            or not np.can_cast(arrays[name].dtype, array.dtype, "safe")
        ):
            raise ModelError(
                "solver", f"its state does not fit: {name}", "the state of a solver of the same model is expected"
            )
    for name, array in found.items():
        array[...] = arrays[name]
    for name in FOUND:
        setattr(solver, name, np.array(arrays[name]))
    solver.notes, solver.unresolved, solver.begun = list(values["notes"]), values["unresolved"], tuple(values["begun"])
    solver.looked_from = values["looked_from"]
    solver.phases.restore(values["phases"])
