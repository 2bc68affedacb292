"""A solid sphere rolls on a turning table: wherever it starts, its centre goes round in a circle at two sevenths of the
table's speed."""

import numpy as np

from mekane.gallery.entry import Mechanism, checks_of
from mekane.gallery.reading import of_constraint
from mekane.model.system import System

SOURCE = "closed form: v̇ = 2/7 Ω × v for a solid sphere (Weckesser 1997)"
MASS, RADIUS, G = 0.5, 0.05, 9.81
TURNING, SPIN = 3.0, 2.0  # of the table; of the sphere about the vertical [rad/s]
PLACE, VELOCITY = np.array([0.3, 0.1]), np.array([-0.1, 0.25])  # of the centre at the start
TABLE = 0.8  # inertia of the table about its axis [kg m²]
SHARE = 2 / 7


def system():
    s = System("sphere on a turntable", gravity=(0, 0, -G))
    (x, y), (vx, vy) = PLACE, VELOCITY
    # v − R ω × z is the table's velocity
    rolling = np.array([-(vy - TURNING * x) / RADIUS, (vx + TURNING * y) / RADIUS, SPIN])
    s.body("table", 10.0, (TABLE / 2, TABLE / 2, TABLE), position=(0, 0, 0), angular_velocity=(0, 0, TURNING))
    s.body(
        "sphere",
        MASS,
        [0.4 * MASS * RADIUS**2] * 3,
        position=(x, y, RADIUS),
        velocity=(vx, vy, 0),
        angular_velocity=rolling,
    )
    s.pin("axle", s.ground, "table", on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="z", axis_b="z", rate=TURNING)
    s.prescribed("drive", "axle", f"{TURNING}*t")
    s.rolling_sphere("contact", ("sphere", (0, 0, 0)), RADIUS, on=("table", (0, 0, 0)), normal="z")
    return s


def exact(t):
    """Place of the centre, contact force on the sphere, torque of the drive."""
    w = SHARE * TURNING
    across = np.array([-VELOCITY[1], VELOCITY[0]]) / w  # from the centre of the circle, turned back by 90°
    middle = PLACE + across
    c, s = np.cos(w * t), np.sin(w * t)
    away = np.stack([-c * across[0] + s * across[1], -s * across[0] - c * across[1]], axis=1)
    place, push = middle + away, -MASS * w**2 * away
    torque = place[:, 0] * push[:, 1] - place[:, 1] * push[:, 0]  # the sphere pushes back on the table
    return {
        "x": place[:, 0],
        "y": place[:, 1],
        "Fx": push[:, 0],
        "Fy": push[:, 1],
        "Fz": 0 * t + MASS * G,
        "torque": torque,
    }


READ = {
    "x": "sphere.position.x",
    "y": "sphere.position.y",
    "torque": lambda run: run.reaction("drive", on="table")["moment"].values[:, 2],
}
READ |= {f"F{axis}": lambda run, i=i: of_constraint(run, "contact", "sphere")[:, i] for i, axis in enumerate("xyz")}

mechanisms = [
    Mechanism(
        name="sphere_on_turntable",
        title="sphere rolling on a turntable driven at a constant speed",
        source=SOURCE,
        system=system,
        t_end=20.0,
        every=0.1,
        options={"rtol": 1e-12, "atol": 1e-14},
        checks=checks_of(
            exact, (1.0, 5.0, 20.0), READ, 1e-10, "closed form; 17 rad of circling at a tolerance of 1e-12"
        ),
        exact=exact,
    )
]
