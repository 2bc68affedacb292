"""Why accelerations or forces have no finite value in a state: the force or the speed that causes it.

Looked up in the workspace, as the evaluation that went wrong left it."""

import numpy as np

from mekane.errors import ModelError
from mekane.kernels.bodies import partial_velocity
from mekane.kernels.mass_matrix import compose
from mekane.numba_backend.kernel import plain
from mekane.tables.columns import (
    ACT_CONTROLLER,
    ACT_LINE,
    ACTION_KIND,
    ACTION_ON,
    ACTION_R,
    B_J,
    B_M,
    L_E,
    PURE_ROTATION,
    S_DI,
    S_ROTOR,
    SPEED0,
    SPEED1,
)

FINITE = "forces and accelerations must be finite"


def refuse_not_finite(analysis, compiled, workspace):
    """Called where a number was not finite. analysis: what was requested."""
    diagnose_forces(analysis, compiled, workspace.r, workspace.line)
    diagnose_inertia(analysis, compiled, workspace)
    remedy = "Look for a spring whose ends meet, a root or a quotient in a law; or start elsewhere."
    raise ModelError(f"{analysis} of {compiled.system.name!r}", "accelerations are not finite here", FINITE, remedy)


def diagnose_forces(analysis, compiled, registers, lines):
    """Registers of laws and lines between points, of which the first that is not finite is given."""
    first, table = compiled.first_action, compiled.tables.action_i
    for name, start in first.items():
        kind, on, values = table[start, ACTION_KIND], table[start, ACTION_ON], table[start, ACTION_R : ACTION_R + 3]
        if kind == ACT_LINE and not np.isfinite(lines[on, L_E : L_E + 3]).all():
            problem = f"{analysis}: what it gives is not finite here, for its ends meet and it has no direction"
            raise ModelError(
                f"force {name!r}",
                problem,
                FINITE,
                "A spring whose ends meet: move one of its ends, or start elsewhere.",
            )
        if not np.isfinite(registers[values[values > 0]]).all():
            problem = f"{analysis}: what it gives is not finite here"
            raise ModelError(
                f"force {name!r}", problem, FINITE, "Look for a root or a quotient in its law; or start elsewhere."
            )


def force_registers(compiled):
    """(force, registers of its values and of the rate of its controller state)."""
    table, first = compiled.tables.action_i, compiled.first_action
    acting = table[table[:, ACTION_KIND] != ACT_CONTROLLER]
    ends = [*sorted(first.values()), len(acting)]
    for owner, start in first.items():
        rows = [*acting[start : ends[ends.index(start) + 1]]]
        if owner in compiled.integrals:
            rows += [row for row in table[len(acting) :] if row[ACTION_ON] == compiled.integrals.index(owner)]
        registers = np.concatenate([row[ACTION_R : ACTION_R + 3] for row in rows])
        yield owner, registers[registers > 0]


def diagnose_inertia(analysis, compiled, workspace):
    """Speeds without articulated inertia. Where one is missing, those further in are not even infinite."""
    inverse = workspace.speed[:, S_DI]
    bad = ~np.isfinite(inverse) | (inverse <= 0.0)
    if (1e-14 * inverse > inverse[inverse > 0].min(initial=np.inf)).any():  # or it is only small, or in other units
        bad |= 1e-14 * inverse * composite_inertias(compiled.tables, workspace) > 1.0
    if bad.any():
        first = bad & ~np.isnan(inverse)
        name = compiled.speeds[int(np.argmax(first if first.any() else bad))]
        problem = f"no inertia resists the speed {name!r}"
        remedy = "Give the body a mass or an inertia in every direction in which its joints let it move, or join it to its neighbour."
        raise ModelError(f"{analysis} of {compiled.system.name!r}", problem, "nothing determines this motion", remedy)


def composite_inertias(tables, workspace):
    """(speeds,): what all that a speed moves would resist if it turned about the axis that resists most. Of an inertia
    that is missing, round-off of this is left."""
    body, speed = workspace.body.copy(), workspace.speed
    plain(compose)(tables.body_i, tables.body_f, body)
    found = speed[:, S_ROTOR].copy()
    for i in range(1, len(body)):
        for r in range(tables.body_i[i, SPEED0], tables.body_i[i, SPEED1]):
            w, v = (np.asarray(part) for part in plain(partial_velocity)(speed, r))
            v = v if tables.speed_kind[r] != PURE_ROTATION else np.zeros(3)
            found[r] += w @ w * body[i, B_J : B_J + 3].sum() + body[i, B_M] * (v @ v)
    return found
