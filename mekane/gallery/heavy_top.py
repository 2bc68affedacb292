"""Heavy top: a fast spinning body on a fixed point, under gravity.

`heavy_top` is the disc on a rod used to test integrators on rotations; `steady_top` precesses at constant speed about
the vertical, `steady_top_fast` does the same at the other, fast speed that the equation allows.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import STEEL, bar, tube
from mekane.gallery.reading import in_body
from mekane.model.system import System
from mekane.model.values.orientation import rotation

SOURCE = "Géradin and Cardona's top, data as in Exudyn's heavyTop; reference DOP853 at 2e-14"
# about the mass centre; its place from the pivot
MASS, INERTIA, CENTRE = 15.0, (0.234375, 0.46875, 0.234375), (0, 1, 0)
SPIN = (0.0, 150.0, -4.61538)


def system():
    s = System("heavy top", gravity=(0, 0, -9.81))
    top = s.body("top", MASS, INERTIA, com=CENTRE, angular_velocity=SPIN)
    s.ball("pivot", s.ground, top, at=(0, 0, 0))
    return s


def quaternion(k):
    """Reader of an Euler parameter; of the two quaternions of a rotation that with a positive scalar."""

    def read(run):
        e = np.asarray(run["top.orientation"])
        return e[:, k] * np.sign(e[:, 3])

    return read


READ = {"w": quaternion(3), "x": quaternion(0), "y": quaternion(1), "z": quaternion(2)}
READ |= {f"spin_{name}": lambda run, k=k: in_body(run, "top", "angular_velocity")[:, k] for k, name in enumerate("xyz")}
READ |= {f"centre_{name}": f"top.centre.{name}" for name in "xyz"}

EARLY = """
    t    w              x              y             z              spin_x          spin_z         centre_x      centre_y      centre_z
    0.1  .33182291261   .17733805667   .91497515914  -.14582601443  4.80894133173   1.02830075672  .42129665893  .89457197435  -.14916470056
    0.2  .70827915297   -.43878108813  -.54572839615 -.08939975282  -2.69159091214  4.91726098989  .60555056138  .59895768179  -.52398302743
    """
LATE = """
    t    w            x             y            z             spin_x        spin_z         centre_x      centre_y      centre_z
    1.0  .7329439807  -.2782857193  .5318246113  -.3201761427  -.8220781017  -5.9232913481  .1733439641   .6400885921   -.7484907911
    2.0  .12294713    -.49107989    .35043003    -.78798689    .12223322     -5.85562459    -.15041682    -.72416559    -.67302227
    """

# ------------------------------------------------------------------ steady precession

STEADY = "classical: I1 cosθ Ω² − I3 ω3 Ω + m g l = 0, I1 about the pivot, ω3 the whole spin about the axis"
I1, I3, WEIGHT, ARM, TILT, TOTAL_SPIN, G = 0.5, 0.2, 2.0, 0.3, np.radians(30), 60.0, 9.81  # kg m², kg, m, rad, rad/s
LOOK = {
    "color": "red",
    "look": [
        {"ellipsoid": [0.26, 0.26, 0.11], "at": [0, 0, ARM]},
        bar((0, 0, 0.02), (0, 0, ARM), 0.02, STEEL),
        tube((0, 0, ARM), (0, 0, 0.55), 0.022, "yellow"),
    ],
}


def precession(fast=False):
    """Ω of the steady motion: slow 0.4995031793933888, fast 27.21330974170865 rad/s."""
    a, b, c = I1 * np.cos(TILT), -I3 * TOTAL_SPIN, WEIGHT * G * ARM
    root = np.sqrt(b * b - 4 * a * c)
    return (-b + root) / (2 * a) if fast else 2 * c / (-b + root)


def steady_system(fast=False):
    s = System("steady top", gravity=(0, 0, -G))
    across = I1 - WEIGHT * ARM**2
    axis = np.array([np.sin(TILT), 0, np.cos(TILT)])
    turning = precession(fast)
    spin = np.array([0, 0, turning]) + (TOTAL_SPIN - turning * np.cos(TILT)) * axis
    top = s.body("top", WEIGHT, (across, across, I3), com=(0, 0, ARM), orientation=("y", TILT), angular_velocity=spin,
                 **LOOK)  # fmt: skip
    s.ball("pivot", s.ground, top, at=(0, 0, 0))
    return s


def steady_exact(fast=False):
    turning = precession(fast)
    spin_rate = TOTAL_SPIN - turning * np.cos(TILT)

    def exact(t):
        R = [
            rotation((0, 0, 1), turning * x) @ rotation((0, 1, 0), TILT) @ rotation((0, 0, 1), spin_rate * x)
            for x in np.atleast_1d(t)
        ]
        return {"rotation": np.array(R), "top.centre": ARM * np.array(R)[:, :, 2]}

    return exact


def steady(fast):
    exact = steady_exact(fast)
    times = (1.0, 5.0)
    rows = [[f"{t:g}", *(repr(float(x)) for x in exact(t)["top.centre"][0])] for t in times]
    read = {f"top.centre.{name}": f"top.centre.{name}" for name in "xyz"}
    return Mechanism(
        name="steady_top_fast" if fast else "steady_top",
        title=f"top in {'fast' if fast else 'slow'} steady precession",
        source=STEADY,
        system=lambda: steady_system(fast),
        t_end=times[-1],
        options={"rtol": 1e-11, "atol": 1e-12},
        checks=checks(
            "\n".join(" ".join(row) for row in [["t", *read], *rows]),
            read,
            tolerance=1e-8,
            why="closed form; 300 rad of spin at a tolerance of 1e-11",
        ),
        exact=exact,
    )


mechanisms = [
    Mechanism(
        name="heavy_top",
        title="heavy top, spinning fast about a fixed point",
        source=SOURCE,
        system=system,
        t_end=2.0,
        options={"rtol": 1e-13, "atol": 1e-13},
        checks=(
            *checks(EARLY, READ, tolerance=1e-10, why="the reference's tolerance spread is 2e-11 here"),
            *checks(
                LATE,
                READ,
                tolerance=1e-8,
                why="the reference's tolerance spread is 2.5e-10 at t = 2, printed to 8 digits",
            ),
        ),
    ),
    steady(fast=False),
    steady(fast=True),
]
