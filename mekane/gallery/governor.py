"""Stiff flyball governor A05: a turning shaft, two arms with heavy balls, a slider held to the arms by stiff springs
and dampers.

The dampers settle the slider within 1e-4 s, in a motion that takes seconds.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.model.geometry.shapes import Box
from mekane.model.system import System

SOURCE = "IFToMM library of benchmark problems, A05; reference from reduced equations written by hand, Radau IIA at a tolerance of 1e-12"
DENSITY = 3000.0  # of shaft, arms and slider [kg/m^3]
LENGTH, THICKNESS, CUBE = 1.0, 0.01, 0.1  # of shaft and arms; of the slider [m]
BALL = 5.0  # point mass at the tip of an arm [kg]
HINGE = 0.05  # distance of hinges and spring ends from the axis [m]
STIFFNESS, DAMPING, FREE = 8e5, 4e4, 0.5  # [N/m], [N s/m], [m]
# of the arms below the horizontal; of the slider [m]; of the shaft [rad/s]
DROP, HEIGHT, SPEED, G = np.radians(30), 0.5, 2 * np.pi, 9.81


def system():
    s = System("governor", gravity=(0, 0, -G))
    thin = Box(THICKNESS, THICKNESS, LENGTH)
    shaft = s.body("shaft", shape=thin, density=DENSITY, position=(0, 0, LENGTH / 2))
    slider = s.body("slider", shape=Box(CUBE, CUBE, CUBE), density=DENSITY, position=(0, 0, HEIGHT))
    s.pin("bearing", s.ground, shaft, at=(0, 0, 0), axis="z", rate=SPEED)
    s.slider("guide", shaft, slider, at=(0, 0, HEIGHT), axis="z")
    for side, sign in (("right", 1), ("left", -1)):
        hinge = np.array([sign * HINGE, 0, LENGTH])
        along = np.array([sign * np.cos(DROP), 0, -np.sin(DROP)])
        arm = s.body(f"{side} arm", shape=Box(LENGTH, THICKNESS, THICKNESS), density=DENSITY, position=hinge + LENGTH / 2 * along,
                     orientation={"x": along, "y": (0, 1, 0)})  # fmt: skip
        ball = s.body(f"{side} ball", BALL, position=hinge + LENGTH * along)
        s.pin(f"{side} hinge", shaft, arm, at=hinge, axis=(0, sign, 0))  # angle grows as the arm falls
        s.weld(f"{side} weld", arm, ball, at=hinge + LENGTH * along)
        s.spring(f"{side} spring", (arm, (0, 0, 0)), (slider, (sign * HINGE, 0, 0)), STIFFNESS, FREE, DAMPING)
    return s


def equations(t, y):
    """Rates of (α, s, α̇, ṡ) by Lagrange, α the drop of both arms, s the height of the slider. The spin follows from
    the momentum about z.

    Kept apart from the engine on purpose: masses and inertias are written out by hand.
    """
    alpha, s, rate, speed = y
    arm = DENSITY * LENGTH * THICKNESS**2
    axial, across = arm * THICKNESS**2 / 6, arm * (LENGTH**2 + THICKNESS**2) / 12
    fixed = arm * THICKNESS**2 / 6 + DENSITY * CUBE**5 / 6  # shaft and slider about z
    cube, half = DENSITY * CUBE**3, LENGTH / 2
    sa, ca = np.sin(alpha), np.cos(alpha)
    middle, tip = HINGE + half * ca, HINGE + LENGTH * ca
    turning = fixed + 2 * (axial * sa**2 + across * ca**2 + arm * middle**2 + BALL * tip**2)  # about z
    slope = 2 * (2 * (axial - across) * sa * ca - 2 * arm * middle * half * sa - 2 * BALL * tip * LENGTH * sa)
    spin = momentum() / turning
    drop = LENGTH - half * sa - s  # from the slider up to the middle of an arm
    gap = np.hypot(half * ca, drop)
    gap_alpha, gap_s = (-(half**2) * ca * sa - drop * half * ca) / gap, -drop / gap
    tension = STIFFNESS * (gap - FREE) + DAMPING * (gap_alpha * rate + gap_s * speed)
    hanging = 2 * (across + arm * half**2 + BALL * LENGTH**2)
    weight = 2 * (arm * half + BALL * LENGTH) * G * ca  # positive: falls
    return [
        rate,
        speed,
        (0.5 * slope * spin**2 + weight - 2 * tension * gap_alpha) / hanging,
        -G - 2 * tension * gap_s / cube,
    ]


def momentum():
    """Angular momentum about z at the start."""
    arm = DENSITY * LENGTH * THICKNESS**2
    axial, across = arm * THICKNESS**2 / 6, arm * (LENGTH**2 + THICKNESS**2) / 12
    fixed = arm * THICKNESS**2 / 6 + DENSITY * CUBE**5 / 6
    middle, tip = HINGE + LENGTH / 2 * np.cos(DROP), HINGE + LENGTH * np.cos(DROP)
    sa, ca = np.sin(DROP), np.cos(DROP)
    return SPEED * (fixed + 2 * (axial * sa**2 + across * ca**2 + arm * middle**2 + BALL * tip**2))


mechanisms = [
    Mechanism(
        name="governor",
        title="stiff flyball governor A05",
        source=SOURCE,
        system=system,
        t_end=10.0,
        every=0.02,
        checks=checks(
            """
            t    s                drop
            0.1  0.5238364755696  0.4961738690759
            0.5  0.7432494247863  0.2594913815434
            1    0.5014209223796  0.5218333016256
            2    0.5059092942967  0.5166637973646
            5    0.5355631037216  0.4828745765870
            10   0.6196229170613  0.3900737018447
            """,
            {"s": "slider.position.z", "drop": lambda run: DROP + np.asarray(run["right hinge.angle"])},
            tolerance=1e-7,
            why="the reduced equations, converged to 1e-12; a run at the default tolerance of 1e-9 is to keep seven digits",
        ),
    )
]
