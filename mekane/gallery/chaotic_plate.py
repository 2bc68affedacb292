"""Chaotic plate ("babyboot"): a plate that turns about a rod while the rod swings about a horizontal axis. Two pins,
and chaos. Kane called it a swinging baby boot; the plate is cut out as one."""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import DARK, LIGHT, STEEL, ball, bar, block, coloured, tube
from mekane.model.geometry.polygon import Polygon
from mekane.model.system import System

SOURCE = "T. R. Kane's babyboot; data of Drake's benchmark chaotic_babyboot; reference from its two equations of motion"
ROD_INERTIA, ROD_MASS, ROD_CENTRE = 50e-7, 10e-3, 7.5e-2  # about x [kg m²], [kg], below the hinge [m]
PLATE_INERTIA, PLATE_MASS, PLATE_CENTRE = (2500e-7, 500e-7, 2000e-7), 100e-3, 20e-2
START, TWIST, G = np.radians(90), np.radians(1), 9.81
ARM = PLATE_CENTRE - ROD_CENTRE  # from the mass centre of the rod to that of the plate
HALF = 0.039  # of the plate along the rod: sqrt(3 I / m)
ACROSS = ((1, 1, 1), 2 * np.pi / 3)  # a drawing in x and y, put into the plane y, z of the plate
BOOT = [
    (-0.072, -0.03), (0.078, -0.03), (0.086, -0.018), (0.083, -0.004), (0.066, 0.008), (0.036, 0.013), (0.02, 0.026), (0.018, 0.046),
    (-0.05, 0.046), (-0.058, 0.02), (-0.068, -0.006),
]  # fmt: skip
SOLE = [(-0.074, -0.04), (0.082, -0.04), (0.09, -0.028), (-0.074, -0.028)]


def side(outline, thickness, x, colour):
    return coloured(Polygon(outline, thickness, at=(x, 0, 0), orientation=ACROSS), colour)


LOOKS = {  # the plate is about as wide and as high as its inertia tells; its sides differ, so that one sees it turn
    "rod": [bar((0, 0, ROD_CENTRE), (0, 0, 0.05 - ARM), 0.004, STEEL), ball(0.008, (0, 0, ROD_CENTRE), DARK)],
    "plate": [
        side(BOOT, 0.02, 0.01, "orange"),
        side(BOOT, 0.02, -0.01, "#3f7fd1"),
        side(SOLE, 0.046, 0, LIGHT),
        block((0.048, 0.074, 0.014), (0, -0.016, 0.047), LIGHT),  # the cuff
        *(
            tube((-0.022, y, z), (0.022, y, z), 0.0025, LIGHT)  # laces
            for y, z in ((0.028, 0.021), (0.04, 0.0155), (0.052, 0.0135))
        ),
        bar((0, 0, 0.045), (0, 0, 0.066), 0.008, DARK),
    ],
}


def system():
    """x along the hinge, z along the rod; both angles are zero when all hangs down, flat across x."""
    s = System("chaotic plate", gravity=(0, 0, -G))
    swung = ("x", START)
    down = np.array([0, np.sin(START), -np.cos(START)])  # along the rod, away from the hinge
    rod = s.body("rod", ROD_MASS, (ROD_INERTIA, ROD_INERTIA, 1e-9), position=ROD_CENTRE * down, orientation=swung,
                 look=LOOKS["rod"])  # fmt: skip
    plate = s.body("plate", PLATE_MASS, PLATE_INERTIA, position=PLATE_CENTRE * down, orientation=("xz", [START, TWIST]),
                   look=LOOKS["plate"])  # fmt: skip
    s.pin("hinge", s.ground, rod, on_a=(0, 0, 0), on_b=(0, 0, ROD_CENTRE), axis_a="x", axis_b="x")  # qA
    s.pin("bearing", rod, plate, on_a=(0, 0, 0), on_b=(0, 0, PLATE_CENTRE - ROD_CENTRE), axis_a="z", axis_b="z")  # qB
    return s


def equations(t, y):
    """Rates of (qA, qB, q̇A, q̇B)."""
    a, b, ad, bd = y
    Ix, Iy, Iz = PLATE_INERTIA
    sb, cb = np.sin(b), np.cos(b)
    weight = G * (ROD_MASS * ROD_CENTRE + PLATE_MASS * PLATE_CENTRE)
    inertia = ROD_INERTIA + Ix + ROD_MASS * ROD_CENTRE**2 + PLATE_MASS * PLATE_CENTRE**2
    add = -(weight * np.sin(a) - 2 * (Ix - Iy) * sb * cb * ad * bd) / (inertia - (Ix - Iy) * sb**2)
    return [ad, bd, add, -(Ix - Iy) * sb * cb * ad**2 / Iz]


mechanisms = [
    Mechanism(
        name="chaotic_plate",
        title="plate on a swinging rod (Kane's babyboot), chaotic",
        source=SOURCE,
        system=system,
        t_end=10.0,
        every=0.02,
        options={"rtol": 1e-13, "atol": 1e-15},
        checks=checks(
            """
            t   qA                    qB                    qA_rate              qB_rate
            1   1.42242592399625726   0.0346609795980137635  3.73601550515933034  0.225577310526278497
            2   0.984820248970439911  0.0683030905564850936  7.2186293368447923   1.63576252616631423
            5   -0.788849668172397906 -5.72505354177162274   8.0992793024021708   -6.22393517404329988
            """,
            {
                "qA": "hinge.angle",
                "qB": "bearing.angle",
                "qA_rate": "hinge.angle.rate",
                "qB_rate": "bearing.angle.rate",
            },
            tolerance=1e-8,
            why="its equations by extrapolation in 28 digits; an error of 1e-13 grows by about 1e4 in five seconds",
        )
        + checks(
            """
            t   qA                    qB                    qA_rate               qB_rate
            10  -1.07011343660141875  -16.2224496470071364  -6.74400807537376978  -2.77956967231066018
            """,
            {
                "qA": "hinge.angle",
                "qB": "bearing.angle",
                "qA_rate": "hinge.angle.rate",
                "qB_rate": "bearing.angle.rate",
            },
            tolerance=1e-4,
            why="after ten seconds the growth is about 1e8",
        ),
    )
]
