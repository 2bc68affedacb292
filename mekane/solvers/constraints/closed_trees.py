"""A tree that is closed as it was described, and is at rest or has all its speeds given as rates of joints, needs no
assembly, which would write and solve equations for every joint, and differentiate contact laws once more: for a long chain
these determine speeds worse than doubles can tell. Of small trees without contacts it takes no time worth saving."""

import numpy as np

from mekane.compiler.coordinates import coordinates_of, initial_poses
from mekane.solvers.constraints.assembly import Assembly, evaluate_rows, poses_of
from mekane.tables.columns import PARENT

LARGE = 400  # bodies; of fewer, assembly takes less than a blink
ROUND_OFF = 1e-15  # of the size of the mechanism, and radians: joints that are open by less are closed


def as_described(system, compiled):
    """The Assembly of such a tree, in which nothing is moved; None for all else."""
    if not (len(system.bodies) >= LARGE or system.contact_laws) or has_constraints(compiled):
        return None
    u = speeds_of(system, compiled)
    if compiled.frames.dtype != float or u is None:
        return None
    given, W = initial_poses(system), compiled.workspace()
    evaluate_rows(compiled, W, coordinates_of(compiled, given), u)
    placed = poses_of(compiled, W)
    if not is_closed(compiled, given, placed):
        return None
    return Assembly(given._replace(w=placed.w, v=placed.v), 0.0, 0.0, 0.0, 0.0)


def has_constraints(compiled):
    """Whether rows hold besides those of contact laws, which are chosen where the motion begins."""
    laws = compiled.system.contact_laws
    return any(len(rows) for name, rows in compiled.pairs.rows_of.items() if name not in laws)


def is_at_rest(system):
    """Of bodies as they are described."""
    bodies = system.bodies.values()
    moves = any(body.mass == 0 or body.velocity.any() or body.angular_velocity.any() for body in bodies)
    return not moves


def speeds_of(system, compiled):
    """Speeds of the tree, where they are known: all zero, or all given as rates of joints. None where they are not."""
    if not is_at_rest(system):
        return None
    rates = {f"{name}.{what}.rate": rate for name, joint in system.joints.items() for what, rate in joint.rates.items()}
    if rates and set(rates) != set(compiled.speeds):
        return None
    return np.array([rates.get(speed, 0.0) for speed in compiled.speeds], float)


def is_closed(compiled, given, placed):
    """True if every body stands to the one before it in the tree as joints place it: errors of rounding do not accumulate
    then. A body whose joint points the opposite way is placed turned over."""
    parent = compiled.tables.body_i[:, PARENT]
    R, p, R_placed, p_placed = (
        np.array([of[name] for name in compiled.frames.row])[: len(parent)]
        for of in (given.R, given.p, placed.R, placed.p)
    )
    size = max(1.0, np.ptp(p, axis=0).max())
    relative = lambda R, p: (np.swapaxes(R[parent], 1, 2) @ R, np.einsum("ikj,ik->ij", R[parent], p - p[parent]))
    turned, moved = (np.abs(a - b).max() for a, b in zip(relative(R, p), relative(R_placed, p_placed), strict=True))
    return turned <= 10 * ROUND_OFF and moved <= 10 * ROUND_OFF * size
