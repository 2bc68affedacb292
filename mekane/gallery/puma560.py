"""PUMA 560: the arm of countless robotics papers, as six links in standard Denavit–Hartenberg form, motors and friction
left out.

As published, link 1 has an inertia about its axis and no mass, and the inertia of link 3 is one that no real body has.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import DARK, LIGHT, ball, bar, block, tube
from mekane.model.system import System
from mekane.model.values.orientation import rotation

SOURCE = "P. I. Corke and B. Armstrong-Hélouvry, A Search for Consensus among Model Parameters Reported for the PUMA 560 Robot (1994)"
G = 9.81

# d [m], a [m], α [rad], inertia about the mass centre [kg m²], mass centre in the link's frame [m], mass [kg]
LINKS = [
    (0.67183, 0, np.pi / 2, (0, 0.35, 0), (0, 0, 0), 0),
    (0, 0.4318, 0, (0.13, 0.524, 0.539), (-0.3638, 0.006, 0.2275), 17.4),
    (0.15005, 0.0203, -np.pi / 2, (0.066, 0.086, 0.0125), (-0.0203, -0.0141, 0.070), 4.8),
    (0.4318, 0, np.pi / 2, (1.8e-3, 1.3e-3, 1.8e-3), (0, 0.019, 0), 0.82),
    (0, 0, -np.pi / 2, (0.3e-3, 0.4e-3, 0.3e-3), (0, 0, 0), 0.34),
    (0, 0, 0, (0.15e-3, 0.15e-3, 0.04e-3), (0, 0, 0.032), 0.09),
]
NOMINAL = (0, np.pi / 4, np.pi, 0, np.pi / 4, 0)

TORQUES = {  # at the nominal place, by independent recursive Newton–Euler: (rates, accelerations) → τ1 … τ6 [N m]
    (0, 0): (0, 31.6398803784, 6.0351380230, 0, 0.0282528, 0),
    (1, 0): (-1.3910743711, 33.4227989677, 5.2831112681, 0.0012230818, 0.0306322785, 0.0001482843),
    (1, 1): (1.1780065183, 35.4606149883, 6.0970639905, 0.0004754903, 0.0351141179, 0.0002165685),
}

# fmt: off
MASS_MATRIX = np.array([  # at the nominal place [kg m²]
    [2.8753454435,  -0.4043612460, 0.1006136478, -0.0025169558, 0.0,          0.0         ],
    [-0.4043612460, 2.0889270886,  0.3508906650, 0.0,           0.0023595131, 0.0         ],
    [0.1006136478,  0.3508906650,  0.3609682433, 0.0,           0.0014801664, 0.0         ],
    [-0.0025169558, 0.0,           0.0,          0.0017410800,  0.0,          0.0000282843],
    [0.0,           0.0023595131,  0.0014801664, 0.0,           0.0006421600, 0.0         ],
    [0.0,           0.0,           0.0,          0.0000282843,  0.0,          0.0000400000],
])
# fmt: on

ELBOW, ARM = np.array([-0.0203, 0.15005, 0]), 0.25  # of link 3; how far out the upper arm is
LOOKS = [  # in the frames of the links: trunk and shoulder, upper arm, forearm, wrist, ball, flange with two fingers
    [
        bar((0, -0.66, 0), (0, -0.63, 0), 0.17, DARK),
        bar((0, -0.63, 0), (0, -0.1, 0), 0.09),
        bar((0, 0, -0.13), (0, 0, 0.16), 0.115),
    ],
    [
        bar((-0.4318, 0, 0.165), (-0.4318, 0, 0.31), 0.13),
        block((0.52, 0.17, 0.11), (-0.24, 0, ARM)),
        bar((0, 0, 0.195), (0, 0, 0.305), 0.1),
    ],
    [
        bar(ELBOW - (0, 0.2, 0), ELBOW - (0, 0.06, 0), 0.085),
        block((0.12, 0.1, 0.36), (0, 0, 0.12)),
        bar((0, 0, 0.28), (0, 0, 0.345), 0.055, DARK),
    ],
    [
        bar((0, -0.085, 0), (0, -0.035, 0), 0.042),
        block((0.02, 0.09, 0.06), (0.045, -0.01, 0)),
        block((0.02, 0.09, 0.06), (-0.045, -0.01, 0)),
    ],
    [ball(0.038, (0, 0, 0), DARK)],
    [
        bar((0, 0, 0.03), (0, 0, 0.06), 0.034),
        block((0.1, 0.03, 0.02), (0, 0, 0.07), DARK),
        tube((0.04, 0, 0.08), (0.04, 0, 0.14), 0.009, DARK),
        tube((-0.04, 0, 0.08), (-0.04, 0, 0.14), 0.009, DARK),
    ],
]


def system(q=NOMINAL):
    """The arm at joint angles q; its body frames are the link frames."""
    s = System("PUMA 560", gravity=(0, 0, -G))
    s.ground_look = [bar((0, 0, -0.12), (0, 0, 0.008), 0.14, DARK), bar((0, 0, -0.16), (0, 0, -0.12), 0.24, "#7d8894")]
    before, R, p = s.ground, np.eye(3), np.zeros(3)
    for k, (angle, (d, a, alpha, inertia, centre, mass)) in enumerate(zip(q, LINKS, strict=True), 1):
        tilt = rotation((1, 0, 0), alpha)
        rotated = R @ rotation((0, 0, 1), angle)
        R, p = rotated @ tilt, p + rotated @ (a, 0, d)
        heavy = {"mass": mass, "unphysical": True} if mass else {"massless": True}
        link = s.body(
            f"link{k}",
            inertia=inertia,
            com=centre,
            position=p,
            orientation=R,
            **heavy,
            color=LIGHT,
            look=LOOKS[k - 1],
        )
        s.pin(f"joint{k}", before, link, on_a=(0, 0, 0), on_b=-tilt.T @ (a, 0, d), frame_a=np.eye(3), frame_b=tilt.T)
        before = link
    return s


mechanisms = [
    Mechanism(
        name="puma560",
        title="PUMA 560 let fall from its nominal place",
        source=SOURCE,
        system=system,
        t_end=1.0,
        every=0.01,
        options={"rtol": 1e-11, "atol": 1e-13},
        checks=checks(
            """
            t     q1                q2                q3               q4                q5                q6
            0.1   -0.0101632038866  0.7072743710690   3.1398621540086  -0.0150534089374  0.8559709374514   0.0097678104693
            0.25  -0.0467684233688  0.2630150140885   3.2845243383403  -0.0710097590578  1.0403924149100   0.0290471824716
            0.5   0.2303308724457   -1.6044575686009  5.5924089437791  0.2825423644341   -0.6206238081850  -0.0570971327966
            1     0.5785969776642   -2.9357046731960  2.0890343653701  3.9948867343079   0.0157539378390   -3.5528820091049
            """,
            {f"q{k}": f"joint{k}.angle" for k in range(1, 7)},
            tolerance=1e-8,
            why="recursive Newton–Euler written independently, DOP853 at 2e-14, spread below 5e-12; a run at a tolerance of 1e-11",
        ),
    )
]
