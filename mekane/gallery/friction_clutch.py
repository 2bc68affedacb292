"""A friction clutch takes up a flywheel: it slips, locks, and slips again under a load that grows.

Wheels of inertia J_a = 2 and J_b = 3 kg m² turn at 100 and −20 rad/s; the clutch carries at most C = 50 N m. The rates
meet after (ω_a − ω_b)/(C/J_a + C/J_b) = 2.88 s at (J_a ω_a + J_b ω_b)/(J_a + J_b) = 28 rad/s; heat: ½ C (ω_a − ω_b) times
this time, 8640 J. From 4 s on a torque 10 (t − 4) N m pulls at b, of which the clutch carries the share J_a/(J_a + J_b) to
a, until this is C, 12.5 s later.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism, checks_of
from mekane.gallery.looks import DARK, STEEL, bar, block
from mekane.model.geometry.shapes import Cylinder
from mekane.model.system import System

SOURCE = "classical: momentum of two wheels with a constant torque between them"
A, B, RATE_A, RATE_B, CAPACITY = 2.0, 3.0, 100.0, -20.0, 50.0
RAMP, FROM = 10.0, 4.0  # [N m/s], [s]
LOCKS = (RATE_A - RATE_B) / (CAPACITY / A + CAPACITY / B)  # 2.88 s
TOGETHER = (A * RATE_A + B * RATE_B) / (A + B)  # 28 rad/s
HEAT = CAPACITY * (RATE_A - RATE_B) * LOCKS / 2  # 8640 J
SLIPS = FROM + CAPACITY * (A + B) / (A * RAMP)  # 16.5 s

AROUND = [(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 6, endpoint=False)]
LOOKS = {  # flywheel with its lining, bolts and shaft; pressure plate with springs and shaft
    "a": [
        bar((-0.06, 0, 0), (0.03, 0, 0), 0.3, DARK), bar((0.03, 0, 0), (0.045, 0, 0), 0.24, "#8a5a2b"),
        *(bar((-0.08, 0.25 * y, 0.25 * z), (-0.05, 0.25 * y, 0.25 * z), 0.025, STEEL) for y, z in AROUND),
        bar((-0.42, 0, 0), (-0.06, 0, 0), 0.05, STEEL),
    ],
    "b": [
        bar((-0.045, 0, 0), (-0.01, 0, 0), 0.24, "red"), bar((0.09, 0, 0), (0.11, 0, 0), 0.2, "orange"),
        *(bar((-0.01, 0.15 * y, 0.15 * z), (0.09, 0.15 * y, 0.15 * z), 0.03, STEEL) for y, z in AROUND),
        bar((-0.01, 0, 0), (0.42, 0, 0), 0.05, STEEL),
    ],
}  # fmt: skip
STAND = [  # bearings on a bed
    *(block((0.08, 0.2, 0.16), (x, 0, 0), "#7d8894") for x in (-0.36, 0.36)),
    *(block((0.08, 0.3, 0.32), (x, 0, -0.22), "#7d8894") for x in (-0.36, 0.36)),
    block((1.1, 0.7, 0.05), (0, 0, -0.4), "#9aa3ad"),
]


def system():
    s = System("friction clutch", gravity=(0, 0, 0))
    s.ground_look = STAND
    for name, inertia, x, rate, radius in (("a", A, -0.06, RATE_A, 0.3), ("b", B, 0.06, RATE_B, 0.2)):
        disc = Cylinder(radius=radius, length=0.1, axis="x")
        s.body(f"wheel {name}", 10.0, (inertia, inertia, inertia), position=(x, 0, 0), shape=disc, look=LOOKS[name])
        s.pin(name, s.ground, f"wheel {name}", at=(x, 0, 0), axis="x", rate=rate)
    s.clutch("clutch", "a", "b", torque=CAPACITY)
    s.motor("load", "b", torque=f"{RAMP}*(t - {FROM}) if t > {FROM} else 0")
    return s


def exact(t):
    """Rates of both wheels, and the heat."""
    t = np.asarray(t, float)
    early, after = np.minimum(t, LOCKS), np.maximum(t - SLIPS, 0.0)
    gained = RAMP * np.maximum(np.minimum(t, SLIPS) - FROM, 0.0) ** 2 / 2 / (A + B)
    pull = RAMP * ((np.maximum(t, SLIPS) - FROM) ** 2 - (SLIPS - FROM) ** 2) / 2
    apart = RATE_A - RATE_B
    slip = (
        RAMP * (SLIPS - FROM) * after**2 / 2 / B + RAMP * after**3 / 6 / B - CAPACITY * (1 / A + 1 / B) * after**2 / 2
    )
    return {
        "rate of a": np.where(t < LOCKS, RATE_A - CAPACITY / A * early, TOGETHER) + gained + CAPACITY / A * after,
        "rate of b": np.where(t < LOCKS, RATE_B + CAPACITY / B * early, TOGETHER)
        + gained
        + (pull - CAPACITY * after) / B,
        "heat": CAPACITY * (apart * early - apart / LOCKS * early**2 / 2) + CAPACITY * slip,
    }


READ = {"rate of a": "a.angle.rate", "rate of b": "b.angle.rate", "heat": "clutch.heat"}
mechanisms = [
    Mechanism(
        name="friction_clutch",
        title="friction clutch that takes up a flywheel, locks, and slips under a growing load",
        source=SOURCE,
        system=system,
        t_end=20.0,
        every=0.1,
        options={"rtol": 1e-12, "atol": 1e-12},
        checks=(
            *checks_of(exact, (1.0, 2.88, 10.0, 16.0, 18.0, 20.0), READ, 1e-8, "closed form; up to 1e4 J at 1e-12"),
            Check(
                "torque while it holds [N m]",
                10.0,
                lambda run: np.abs(run["clutch.force"]),
                RAMP * (10 - FROM) * A / (A + B),
                1e-10,
                why="share of the load",
            ),
            Check("mode: it holds", 16.0, "clutch.mode", 2.0, 0.0, why="until 16.5 s"),
            Check("mode: it slips", 18.0, "clutch.mode", 1.0, 0.0, why="from 16.5 s on"),
        ),
        exact=exact,
    )
]
