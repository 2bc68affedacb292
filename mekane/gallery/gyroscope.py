"""Gyroscope in two gimbals with a weight on the spin axis: it does not fall, it precesses.

Outer gimbal about the vertical z (ψ), inner gimbal about x (θ, zero when the spin axis y is level), rotor about y. With
n the whole spin of the rotor about its axis, the motion at constant θ obeys  (Bz + A − By + m l²) sin θ ψ̇² − C n ψ̇ +
m g l = 0. A small push makes it nod with the frequency  C n cos θ / √(Z X)  (Z, X: inertia of all that turns about z
and about x), θ near 0.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import DARK, STEEL, ball, bar, coloured, tube
from mekane.model.geometry.shapes import Torus
from mekane.model.system import System

SOURCE = "classical: steady precession from Lagrange's equation of the inner gimbal, data chosen for this gallery"
OUTER = (2e-4, 2e-4, 3e-4)  # inertia of the outer gimbal [kg m²]
# inner gimbal with the weight: inertia about its mass centre; distance on y [m]
INNER, INNER_MASS, ARM = (1e-4, 1.5e-4, 1e-4), 0.05, 0.06
ROTOR, ROTOR_MASS = (2.5e-4, 5e-4, 2.5e-4), 0.3  # A, C, A
RING_MASS = 0.1  # of the outer gimbal, which only turns about its centre
SPIN, TILT, G = 400.0, np.radians(20), 9.81  # n [rad/s], θ
DISC, SMALL, LARGE = 0.052, 0.068, 0.088  # radii of what is drawn: rotor, inner and outer gimbal [m]
BRASS, THIN = "#c8962e", 0.004
LOOKS = {
    "outer gimbal": [
        coloured(Torus(LARGE, THIN, axis="y"), "#3f5f8a"),
        *(bar((x * SMALL, 0, 0), (x * 1.08 * LARGE, 0, 0), THIN, STEEL) for x in (-1, 1)),
    ],
    "inner gimbal": [
        coloured(Torus(SMALL, THIN), "#b5443a"),
        *(tube((0, y * 0.012, 0), (0, y * SMALL, 0), 0.003, STEEL) for y in (-1, 1)),
        bar((0, SMALL, 0), (0, 0.084, 0), 0.003, STEEL),
        ball(0.013, (0, 0.09, 0), DARK),  # the weight
    ],
    "rotor": [
        coloured(Torus(0.88 * DISC, 0.12 * DISC, axis="y"), BRASS),
        bar((0, -0.003, 0), (0, 0.003, 0), 0.8 * DISC, "#dcb35c"),
        bar((0, -0.012, 0), (0, 0.012, 0), 0.009, STEEL),
        *(
            bar(
                (0.6 * DISC * np.cos(x), -0.0045, 0.6 * DISC * np.sin(x)),
                (0.6 * DISC * np.cos(x), 0.0045, 0.6 * DISC * np.sin(x)),
                0.007,
                DARK,
            )
            for x in 2 * np.pi * np.arange(5) / 5
        ),  # one sees it turn
    ],
}
STAND = [
    bar((0, 0, -0.16), (0, 0, -LARGE), 0.007, DARK),
    bar((0, 0, -0.17), (0, 0, -0.158), 0.06, DARK),
    ball(0.008, (0, 0, -LARGE - THIN), STEEL),
]


def precession(tilt=TILT):
    """ψ̇ of the slow steady motion."""
    a = (INNER[2] + ROTOR[0] - INNER[1] + INNER_MASS * ARM**2) * np.sin(tilt)
    b, c = ROTOR[1] * SPIN, INNER_MASS * G * ARM
    return 2 * c / (b + np.sqrt(b * b - 4 * a * c))


def system(tilt=TILT, rate=None, push=0.0):
    """Gimbals at the angle `tilt`; the outer one turns at `rate` (by default the steady precession), the inner one is
    pushed."""
    s = System("gyroscope", gravity=(0, 0, -G))
    s.ground_look = STAND
    rate = precession(tilt) if rate is None else rate
    tilted = ("x", tilt)
    outer = s.body("outer gimbal", RING_MASS, OUTER, look=LOOKS["outer gimbal"])
    inner = s.body("inner gimbal", INNER_MASS, INNER, com=(0, ARM, 0), orientation=tilted, look=LOOKS["inner gimbal"])
    rotor = s.body("rotor", ROTOR_MASS, ROTOR, orientation=tilted, look=LOOKS["rotor"])
    centre = (0, 0, 0)
    s.pin("outer", s.ground, outer, on_a=centre, on_b=centre, axis_a="z", axis_b="z", rate=rate)  # ψ
    s.pin("inner", outer, inner, on_a=centre, on_b=centre, axis_a="x", axis_b="x", rate=push)  # θ
    s.pin("spin", inner, rotor, on_a=centre, on_b=centre, axis_a="y", axis_b="y", rate=SPIN - rate * np.sin(tilt))
    return s


def nutation():
    """Frequency [rad/s] of small nodding about θ = 0 without the weight's moment, which does not change it at first
    order."""
    Z = OUTER[2] + INNER[2] + ROTOR[0] + INNER_MASS * ARM**2
    X = INNER[0] + ROTOR[0] + INNER_MASS * ARM**2
    return ROTOR[1] * SPIN / np.sqrt(Z * X)


def exact(t):
    """The steady motion."""
    t = np.asarray(t, float)
    rate = precession()
    spin_rate = SPIN - rate * np.sin(TILT)
    return {"outer.angle": rate * t, "inner.angle": TILT + 0 * t, "spin.angle": spin_rate * t}


def _checks(times):
    read = ["outer.angle", "inner.angle", "spin.angle"]
    rows = [[f"{t:g}", *(repr(float(exact(t)[name])) for name in read)] for t in times]
    table = "\n".join(" ".join(row) for row in [["t", *read], *rows])
    return checks(
        table, {name: name for name in read}, tolerance=1e-7, why="closed form; 800 rad of spin at a tolerance of 1e-11"
    )


mechanisms = [
    Mechanism(
        name="gyroscope",
        title="gyroscope in gimbals, in steady precession",
        source=SOURCE,
        system=system,
        t_end=2.0,
        options={"rtol": 1e-11, "atol": 1e-12},
        checks=_checks((0.5, 2.0)),
        exact=exact,
    )
]
