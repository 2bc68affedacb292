"""Planar mechanism of three bodies and three springs: two hinged bodies and a slider on the second. The 2-D example of
[T] chapter III.

All its numbers are parameters with the names of the text: places a, b, c of mass centres, h of the second hinge, p of
the first; masses M, inertias Iz, stiffnesses K, the length f of the sliding spring at rest, and the force Q1 that pulls
body 1 down. There is no gravity. It is drawn as an arm that lies on a table: boom, stick, and a gripper that slides in the stick.
"""

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import DARK, STEEL, bar, block, coloured, tube
from mekane.model.geometry.polygon import Polygon
from mekane.model.system import System
from mekane.model.values.parameters import Param

SOURCE = "[T] chapter III, equations (3.58)–(3.60) with (Iz2 + Iz3) as factor of q̈2; reference: these equations, DOP853 to 1e-13"
NUMBERS = dict(
    p1=0.1, p2=0.2, a1=0.4, a2=0.1, h1=0.9, h2=0.2, b1=0.3, b2=-0.15, c1=0.2, c2=0.05, M1=2.0, M2=1.5, M3=0.8, Iz1=0.12, Iz2=0.08, Iz3=0.03,
    K1=20.0, K2=10.0, K3=60.0, f=0.5, Q1=5.0,
)  # fmt: skip
RATES = (1.0, -2.0, 0.5)  # of q1, q2, q3 at the start, where no spring is strained
ARM = "#f2b233"
BOOM = [
    (-0.07, -0.05),
    (0.0, -0.08),
    (0.35, -0.02),
    (0.9, 0.125),
    (0.975, 0.2),
    (0.9, 0.275),
    (0.42, 0.22),
    (-0.05, 0.07),
]


def flat(outline, thickness, z, colour):
    return coloured(Polygon(outline, thickness, at=(0, 0, z)), colour)


def pad(x, y, radius, low, high, colour=DARK):
    return bar((x, y, low), (x, y, high), radius, colour)


LOOKS = {  # above each other, as they are built
    "one": [
        flat(BOOM, 0.05, 0, ARM),
        pad(0, 0, 0.06, -0.04, 0.04),
        pad(0.9, 0.2, 0.055, -0.04, 0.04),
        pad(0.42, 0.1, 0.05, 0.02, 0.03),
    ],
    "two": [
        block((0.78, 0.15, 0.05), (0.29, 0, 0.07), "#e2761b"),
        pad(0, 0, 0.055, 0.04, 0.11),
        *(block((0.66, 0.025, 0.03), (0.35, y, 0.105), DARK) for y in (-0.055, 0.055)),
        coloured(
            Polygon([(0.12, -0.075), (0.46, -0.075), (0.36, -0.21), (0.22, -0.21)], 0.05, at=(0, 0, 0.07)), "#c9651a"
        ),
    ],
    "three": [
        block((0.46, 0.07, 0.035), (-0.02, 0, 0.115), STEEL),
        block((0.09, 0.2, 0.06), (0.24, 0.02, 0.115), DARK),
        *(tube((0.26, y, 0.115), (0.36, 1.35 * y, 0.115), 0.022, "#3f6fb0") for y in (-0.08, 0.12)),
        *(tube((0.36, 1.35 * y, 0.115), (0.47, 0.6 * y, 0.115), 0.022, "#3f6fb0") for y in (-0.08, 0.12)),
    ],
}


def system():
    s = System("sprung mechanism", gravity=(0, 0, 0), planar="xy")
    s.ground_look = [
        bar((0.1, 0.2, -0.1), (0.1, 0.2, -0.07), 0.17, "#7d8894"),
        bar((0.1, 0.2, -0.07), (0.1, 0.2, -0.03), 0.09, DARK),
    ]
    p1, p2, a1, a2, h1, h2, b1, b2, c1, c2, M1, M2, M3, Iz1, Iz2, Iz3, K1, K2, K3, f, Q1 = (
        Param(*pair) for pair in NUMBERS.items()
    )
    one = s.body("one", M1, inertia=Iz1, com=(a1, a2, 0), position=(p1, p2, 0), look=LOOKS["one"])
    two = s.body("two", M2, inertia=Iz2, com=(b1, b2, 0), position=(p1 + h1, p2 + h2, 0), look=LOOKS["two"])
    three = s.body("three", M3, inertia=Iz3, com=(c1, c2, 0), position=(p1 + h1 + f, p2 + h2, 0), look=LOOKS["three"])
    s.pin("hinge1", s.ground, one, on_a=(p1, p2, 0), on_b=(0, 0, 0), axis_a="z", axis_b="z", rate=RATES[0])
    s.pin("hinge2", one, two, on_a=(h1, h2, 0), on_b=(0, 0, 0), axis_a="z", axis_b="z", rate=RATES[1])
    s.slider("guide", two, three, on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="x", axis_b="x", rate=RATES[2])
    s.torsional_spring("spring1", "hinge1", stiffness=K1)
    s.torsional_spring("spring2", "hinge2", stiffness=K2)
    s.sliding_spring("spring3", "guide", stiffness=K3, displacement=f)
    s.force("pull", one, (0, -Q1, 0))
    return s


mechanisms = [
    Mechanism(
        name="sprung_mechanism",
        title="three bodies in a plane: two hinges and a slider, with springs",
        source=SOURCE,
        system=system,
        t_end=2.0,
        every=0.02,
        options={"rtol": 1e-11, "atol": 1e-13},
        checks=checks(
            """
            t    q1               q2               q3              rate1            rate2            rate3
            0.5  -0.037290662323  0.375258140882   0.467937230421  -0.215431523338  0.738377975841   0.060994484758
            1    0.063811465858   -0.099440790196  0.516332504224  -0.775548755038  1.410351510440   -0.549549585629
            2    -0.315419312506  0.115625961597   0.445326477128  -0.208498451707  0.157310028605   0.575976357441
            """,
            {
                "q1": "hinge1.angle", "q2": "hinge2.angle", "q3": "guide.displacement",
                "rate1": "hinge1.angle.rate", "rate2": "hinge2.angle.rate", "rate3": "guide.displacement.rate",
            },
            tolerance=1e-9,
            why="the equations of the text integrated by DOP853; two tolerances of it differ by 2e-12",
        ),
    )
]  # fmt: skip
