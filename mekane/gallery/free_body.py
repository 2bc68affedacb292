"""A body of revolution thrown through the air: its centre falls, its axis precesses about the angular momentum.

It is drawn as the solid ellipsoid of one density that has its inertia, which has the proportions of an American football.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import LIGHT, coloured, path, tube
from mekane.gallery.reading import rotations
from mekane.model.geometry.shapes import Ellipsoid, Torus
from mekane.model.system import System
from mekane.model.values.orientation import matrix_from_quaternion, rotation

SOURCE = "closed form of Kane, Likins and Levinson, Spacecraft Dynamics (1983); inertia of Drake's free-body benchmark"
ACROSS, AXIAL, MASS, G = 0.04, 0.02, 1.0, 9.8  # [kg m²], [kg], [m/s²]
SPIN = np.array([2.0, -4.0, 3.0])  # body axes [rad/s]
POSE = np.array([0.1, 0.2, -0.3, 0.0])  # Euler parameters, scalar last, before they are made unit
POSE[3] = np.sqrt(1 - POSE @ POSE)
START, THROW = np.array([1.0, -2.0, 3.0]), np.array([2.0, 1.0, 6.0])  # [m], [m/s]
THICK = np.sqrt(5 / 2 * AXIAL / MASS)  # half axes of the ellipsoid: J = 2/5 m a², I = m (a² + c²)/5
LONG = np.sqrt(5 * ACROSS / MASS - THICK**2)


def ball_look():
    """Leather with four seams, two stripes, and laces on one side."""
    radius = lambda z: THICK * np.sqrt(1 - (z / LONG) ** 2)
    along = LONG * np.sin(np.linspace(-1.4, 1.4, 15))
    stripes = [coloured(Torus(radius(z), 0.012, at=(0, 0, z)), LIGHT) for z in (-0.24, 0.24)]
    seams = [
        piece
        for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1))
        for piece in path([(x * radius(z), y * radius(z), z) for z in along], 0.004, "#4f2a17")
    ]
    laces = [
        tube((1.02 * radius(z), -0.035, z), (1.02 * radius(z), 0.035, z), 0.007, LIGHT)
        for z in np.arange(-0.09, 0.1, 0.03)
    ]
    return [coloured(Ellipsoid(THICK, THICK, LONG), "#96532d"), *stripes, *seams, *laces]


def system():
    s = System("free body", gravity=(0, 0, -G))
    R = matrix_from_quaternion(POSE)
    s.body(
        "body",
        MASS,
        (ACROSS, ACROSS, AXIAL),
        position=START,
        orientation=POSE,
        velocity=THROW,
        angular_velocity=R @ SPIN,
        look=ball_look(),
    )
    return s


def exact(t):
    """R = Rot(H, |H| t / I) R(0) Rot(axis, (1 − J/I) ω3 t)"""
    t = np.atleast_1d(np.asarray(t, float))
    R0 = matrix_from_quaternion(POSE)
    H = R0 @ (np.array([ACROSS, ACROSS, AXIAL]) * SPIN)
    size = np.linalg.norm(H)
    spin_rate = (1 - AXIAL / ACROSS) * SPIN[2]
    R = np.array([rotation(H / size, size / ACROSS * x) @ R0 @ rotation((0, 0, 1), spin_rate * x) for x in t])
    fall = np.array([0, 0, -G])
    return {"rotation": R, "body.position": START + np.outer(t, THROW) + 0.5 * np.outer(t * t, fall)}


def entry_of_rotation(i, j):
    return lambda run: rotations(run, "body")[:, i, j]


def _checks(times):
    read = {f"R{i}{j}": entry_of_rotation(i, j) for i in range(3) for j in range(3)}
    read |= {name: f"body.position.{name}" for name in "xyz"}
    rows = []
    for t in times:
        answer = exact(t)
        rows.append(
            [f"{t:g}", *(repr(float(x)) for x in (*answer["rotation"].ravel(), *answer["body.position"].ravel()))]
        )
    table = "\n".join(" ".join(row) for row in [["t", *read], *rows])
    return checks(table, read, tolerance=1e-9, why="closed form; a run at a tolerance of 1e-11 over a dozen turns")


mechanisms = [
    Mechanism(
        name="free_body",
        title="body of revolution thrown through the air",
        source=SOURCE,
        system=system,
        t_end=10.0,
        options={"rtol": 1e-11, "atol": 1e-12},
        checks=_checks((1.0, 10.0)),
        exact=exact,
    )
]
