"""Trim: parameters, such as motor torques, with which a posture is an equilibrium.

    Zᵀ(tau + K Z y + P (p − p0)) = 0          Z: what the constraints allow,  y: along directions that are not held,  P = ∂tau/∂p

What the free coordinates cannot balance is left to the parameters. If these are more than needed, the smallest values are taken.
"""

import numpy as np

from mekane.analyses.equilibrium import Equilibrium, refuse_growing, start_at
from mekane.analyses.settling import BALANCED, WIDEST
from mekane.analyses.stability import coordinate
from mekane.analyses.statics import least, range_and_null
from mekane.analyses.targets import known_parameters, read_targets
from mekane.errors import ModelError

STEPS = 80
RANK = 1e-9


def trimmed(system, solve_for, at, hold, t, formulation):
    """An Equilibrium with the parameters `solve_for` found. hold=None: the whole posture is held."""
    word = "equilibrium"
    system, unknown = known_parameters(system, solve_for or (), f"{word}, solve_for")
    names, targets = read_targets(system, hold or {}, f"{word}, hold")
    start = {**(at or {}), **(hold or {})}
    statics, rest = start_at(system, start, t, formulation, unknown, names, word)
    first = len(start)
    held = slice(first, first + len(names))
    directions = lambda here: np.zeros((rest.Z.shape[1], 0)) if hold is None else free_directions(here, held, names)
    refuse_idle(rest, unknown)
    targets, best = np.array(targets, float), rest
    for _ in range(STEPS):
        y, values = trim_step(rest, directions(rest), held, targets)
        far = np.abs(y).max(initial=0.0)
        rest = statics.closed(statics.at(statics.moved(rest.q, y * min(1.0, WIDEST / max(far, 1e-300))), values, rest.integrals))
        if rest is None:
            break
        better = wrong(rest, held, targets) < 0.5 * wrong(best, held, targets)
        best = rest if wrong(rest, held, targets) <= wrong(best, held, targets) else best
        if far < 1e-14 or (not better and wrong(best, held, targets) < 1e-12):
            break
    if wrong(best, held, targets) > BALANCED:
        raise not_balanced(best, directions(best), unknown, held, names)
    refuse_growing(best)
    return Equilibrium(statics, best, unknown, remarks(best, directions(best), unknown))


def wrong(rest, held, targets):
    return rest.unbalanced + np.abs(rest.readings[held] - targets).max(initial=0.0)


def free_directions(rest, held, names):
    """Allowed directions that change nothing that is held: columns, in terms of Z."""
    rows = rest.H[held] @ rest.Z
    length = np.linalg.norm(rows, axis=1)
    for name, size in zip(names, length, strict=True):
        if size < RANK:
            problem = f"{name!r} cannot be moved here"
            raise ModelError("equilibrium, hold", problem, "something that the constraints leave free", "Leave it out of hold=.")
    return range_and_null(rows / length[:, None])[1]


def refuse_idle(rest, unknown):
    """Parameters to be found must push on something, and there must be some."""
    if not unknown:
        problem = "hold= says what to hold, but not which parameters shall do it"
        raise ModelError("equilibrium", problem, "solve_for= names them", 'Write solve_for=["motor.torque"].')
    for name, effect in zip(unknown, np.linalg.norm(rest.by_unknowns, axis=0), strict=True):
        if effect == 0.0:
            raise ModelError(f"parameter {name!r}", "no force depends on it in this posture", "solve_for= names what can balance forces")


def trim_step(rest, free, held, targets):
    """Scaled change of the configuration and new values of all parameters."""
    back = np.zeros(rest.Z.shape[1])
    if free.shape[1] or len(targets):
        back = -least(rest.H[held] @ rest.Z, rest.readings[held] - targets)
    where = [rest.statics.names.index(name) for name in rest.statics.unknown]
    p0, P = rest.parameters[where], rest.Z.T @ rest.by_unknowns
    right = -(rest.slope + rest.stiffness @ back) + P @ p0
    A = rest.stiffness @ free
    rest_of = left_over(A)
    p = solve_smallest(rest_of.T @ P, rest_of.T @ right)
    y = np.linalg.lstsq(A, right - P @ p, rcond=RANK)[0] if free.shape[1] else np.zeros(0)
    values = rest.parameters.copy()
    values[where] = p
    return rest.Z @ (back + free @ y), values


def left_over(A):
    """Orthonormal columns that span what A cannot reach."""
    size = np.linalg.norm(A, axis=0)
    return range_and_null((A / np.where(size > 0, size, 1.0)).T)[1]


def solve_smallest(A, b):
    return np.linalg.lstsq(A, b, rcond=RANK)[0] if A.size else np.zeros(A.shape[1])


def remarks(rest, free, unknown):
    """Whether the parameters found are the only ones."""
    P = left_over(rest.stiffness @ free).T @ rest.Z.T @ rest.by_unknowns
    rank = int(np.linalg.matrix_rank(P, RANK * max(np.abs(P).max(initial=0.0), 1e-300) * max(P.shape, default=1))) if P.size else 0
    if rank == len(unknown):
        return []
    return [f"{len(unknown)} parameters for {rank} condition{'' if rank == 1 else 's'}: of all solutions the one with the smallest values."]


def not_balanced(rest, free, unknown, held, names):
    """Fewer unknowns than equations, or unknowns that do not help: the freedom that is left."""
    out_of_reach = left_over(np.hstack([rest.stiffness @ free, rest.Z.T @ rest.by_unknowns]))
    left = rest.Z @ (out_of_reach @ (out_of_reach.T @ rest.slope))
    part, n = f"equilibrium of {rest.statics.system.name!r}", out_of_reach.shape[1]
    if n and np.abs(left).max(initial=0.0) > BALANCED * rest.scale:
        k = int(np.abs(left).argmax())
        speed, units = rest.statics.compiled.speeds[k], "N m" if rest.statics.unit[k] == 1.0 else "N"
        force = -(left / rest.statics.unit)[k]
        problem = f"nothing balances {force:.4g} {units} along {coordinate(speed)}"
        found = ", ".join(map(repr, unknown)) or "no parameters"
        expected = f"{found} leave{'s' if len(unknown) == 1 else ''} {n} of {rest.Z.shape[1]} freedoms unbalanced"
        return ModelError(part, problem, expected, "Name more parameters in solve_for=, or hold less of the posture.")
    problem = f"no values of {', '.join(map(repr, unknown)) or 'any parameter'} were found that balance the posture"
    return ModelError(part, problem, f"{rest.unbalanced:.2g} of the forces at work is left", "Start closer with at=.")
