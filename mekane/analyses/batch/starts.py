"""Initial states of many runs: the same for all, expressions of what varies, or assembled one by one."""

import numpy as np

from mekane.analyses.batch.single_run import system_of
from mekane.compiler.compiler import compile_system
from mekane.compiler.coordinates import coordinates_of, initial_poses
from mekane.errors import MekaneError
from mekane.expressions.graph import Expr
from mekane.expressions.node import scalar
from mekane.expressions.traced_number import TracedNumber
from mekane.tables.tables import N_ACTIVE

CONSISTENT = 1e-13  # misfit of a described state that assembly would not change


def start_expressions(symbolic, solver, assembly):
    """The initial state as expressions of what varies and numbers; None where each run must be assembled.

    symbolic: the compiled model that holds the expressions; solver, assembly: of the system as it is."""
    twin = symbolic.system
    if not is_determined(solver, assembly):
        return None
    if not has_expressions(twin):
        return [float(x) for x in solver.y]
    if solver.compiled.n_rows or not speeds_are_given(solver.compiled):
        return None
    try:
        q = [scalar(x) for x in coordinates_of(symbolic, initial_poses(twin))]
    except (TypeError, ValueError):
        return None
    return [*q, *speeds(symbolic), *map(float, solver.compiled.start_memory)]


def is_determined(solver, assembly):
    """Whether masses have no say in the initial state: it was described consistently, and rates, if any are given, leave
    nothing open."""
    size = CONSISTENT * max(1.0, float(np.abs(solver.y).max(initial=0.0)))
    given = sum(len(joint.rates) for joint in solver.compiled.system.joints.values())
    free = solver.compiled.n_u - int(solver.workspace.state[N_ACTIVE])
    return assembly.gap <= size and (assembly.speed_gap <= size or given == free) and given in (0, free)


def has_expressions(twin):
    """Whether places or motions of the bodies, or joints, depend on what varies."""
    poses = initial_poses(twin)
    arrays = [array for field in poses for array in field.values()]
    arrays += [getattr(joint, field) for joint in twin.joints.values() for field in ("p_AF", "p_BM", "R_AF", "R_BM")]
    rates = [rate for joint in twin.joints.values() for rate in joint.rates.values()]
    numbers = [x for array in (*arrays, rates) for x in np.asarray(array, object).ravel()]
    return any(isinstance(x, TracedNumber | Expr) for x in numbers)


def speeds_are_given(compiled):
    """Whether the speeds of a tree are the rates given with its joints, or zero."""
    system, names = compiled.system, set(compiled.tree_coordinate)
    given = {(name, coordinate) for name, joint in system.joints.items() for coordinate in joint.rates}
    still = not any(np.any(body.velocity) or np.any(body.angular_velocity) for body in system.bodies.values())
    return still and (given == names and len(names) == compiled.n_u or not given)


def speeds(compiled):
    found = [0.0] * compiled.n_u
    for (name, coordinate), (_, iu) in compiled.tree_coordinate.items():
        rates = compiled.system.joints[name].rates
        found[iu] = scalar(rates[coordinate]) if coordinate in rates else 0.0
    return found


def assembled_starts(batch, formulation, n):
    """The state of each run (NaN where it cannot be assembled), one by one."""
    from mekane.solvers.constraints.assembly import assemble, state_of

    found = np.full((batch.count, n), np.nan)
    for run in range(batch.count):
        try:
            system = system_of(batch, run)
            compiled = compile_system(system, formulation)
            found[run] = np.concatenate([*state_of(compiled, assemble(system).poses), compiled.start_memory])
        except MekaneError:
            pass  # run alone, it says why
    return found
