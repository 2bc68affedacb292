"""A free body spun about its middle axis: it turns over again and again (the Dzhanibekov effect)."""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import DARK, STEEL, bar, tube
from mekane.gallery.reading import in_body
from mekane.model.system import System

SOURCE = "classical: Euler's torque-free top, exact by Jacobi's elliptic functions"
INERTIA, SPIN = (1.0, 2.0, 3.0), (0.0, 1.0, 0.01)  # principal, body axes
LOOK = [  # a handle: its bar lies along the axis of least inertia, its stem along the middle one
    bar((-1.7, 0.35, 0), (1.7, 0.35, 0), 0.24, STEEL), tube((0, 0.35, 0), (0, -1.4, 0), 0.2, "red"),
    bar((0, -1.1, 0), (0, -1.75, 0), 0.28, DARK),
]  # fmt: skip
PERIOD = 37.702071587374598649  # two flips [s]


def system():
    s = System("tumbling top", gravity=(0, 0, 0))
    s.body("top", 1.0, INERTIA, angular_velocity=SPIN, look=LOOK)
    return s


def exact(t):
    """Spin in body axes for I1 < I2 < I3 and L² > 2 E I2, from ω1 = 0."""
    from scipy.special import ellipj, ellipk

    I1, I2, I3 = INERTIA
    E2, L2 = np.dot(INERTIA, np.square(SPIN)), np.dot(np.square(INERTIA), np.square(SPIN))  # 2 E, L²
    n = np.sqrt((I3 - I2) * (L2 - E2 * I1) / (I1 * I2 * I3))
    m = (I2 - I1) * (E2 * I3 - L2) / ((I3 - I2) * (L2 - E2 * I1))
    sn, cn, dn, _ = ellipj(n * np.mod(t, PERIOD) + ellipk(m), m)
    w1 = np.sqrt((E2 * I3 - L2) / (I1 * (I3 - I1))) * cn
    w2 = np.sqrt((E2 * I3 - L2) / (I2 * (I3 - I2))) * sn
    w3 = np.sqrt((L2 - E2 * I1) / (I3 * (I3 - I1))) * dn
    return {"spin": np.stack([w1, w2, w3], axis=-1)}


def spin(k):
    return lambda run: in_body(run, "top", "angular_velocity")[:, k]


mechanisms = [
    Mechanism(
        name="tumbling_top",
        title="free body spun about its middle axis (Dzhanibekov)",
        source=SOURCE,
        system=system,
        t_end=50.0,
        options={"rtol": 1e-12, "atol": 1e-14},
        checks=checks(
            """
            t   w1                     w2                     w3
            5   -0.153937569508545686  0.988080576012807604   0.0894367100360143585
            10  -0.947392709739121355  -0.320073512701636955  0.547068839808067496
            20  0.012350688029325007   -0.999923727343842105  0.0122819582423123394
            50  -0.367341554809338358  -0.930086115427091978  0.212320369481076196
            """,
            {"w1": spin(0), "w2": spin(1), "w3": spin(2)},
            tolerance=1e-9,
            why="closed form; near the middle axis an error of 1e-12 grows by about a hundred in each flip",
        ),
        exact=exact,
    )
]
