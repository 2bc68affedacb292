"""What makes speeds of different kinds comparable: lengths in sizes of the mechanism, so that a slide by one and a turn
by one radian count alike; or their masses."""

import numpy as np

from mekane.model.attachments import Axial
from mekane.tables.columns import KIND, PRIMITIVE_U, TRANSLATION

# of what rows of joints have, one or the size, and of the longest row: a shorter row is round-off, and zero
VANISHING = 1e-10


def size_of(system):
    """The largest extent of the mechanism: bodies, joints and ends of springs as described [m]."""
    bodies = {"ground": system.ground, **system.bodies}
    in_world = lambda name, point: bodies[name].position + bodies[name].R_NB @ np.array(point, float)
    lines = [force.acts for force in system.forces.values() if isinstance(force.acts, Axial)]
    points = [body.position for body in system.bodies.values()] + [
        in_world(j.a, j.p_AF) for j in system.joints.values()
    ]
    points += [in_world(*end) for line in lines for end in ((line.a, line.point_a), (line.b, line.point_b))]
    return float(np.ptp(points, axis=0).max(initial=0.0) or np.abs(points).max() or 1.0)


def translational(compiled):
    """Which speeds slide; the others turn."""
    slides, primitives = np.zeros(compiled.n_u, bool), compiled.tables.primitive_i
    slides[primitives[primitives[:, KIND] == TRANSLATION, PRIMITIVE_U]] = True
    return slides


def units_of_speeds(compiled, size):
    """What each speed is measured in: the size for slides, radians for turns."""
    return np.where(translational(compiled), size, 1.0)


def mass_metric(M):
    """1/√(mass) of each speed, for a mass matrix; where mass is missing, of a little."""
    masses = np.diag(M)
    return 1.0 / np.sqrt(np.maximum(masses, 1e-9 * masses.max(initial=1e-300)))


def unit_rows(rows, size):
    """Rows over speeds made of unit length, and their lengths. A row that the other joints make vanish is zero, of
    length one: what is left of it is round-off of the processor, and would forbid a motion if it were scaled up."""
    length = np.linalg.norm(rows, axis=1)
    vanishes = length <= VANISHING * max(length.max(initial=0.0), min(1.0, size))
    length = np.where(vanishes, 1.0, length)
    return np.where(vanishes[:, None], 0.0, rows / length[:, None]), length
