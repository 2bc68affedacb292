"""Andrews' squeezing mechanism: seven bodies in a plane, three loops, one degree of freedom, 15 radians in 30
milliseconds.

As in the thesis every joint is a ball: nothing but the symmetry of the motion keeps the bodies in their plane.
`squeezer` starts from the exactly consistent angles of the public test sets, `squeezer_thesis` from the rounded
positions of the thesis, which leave the loops open by 1e-5 m.
"""

import numpy as np

from mekane.gallery.entry import EVERY, Mechanism, checks
from mekane.gallery.reading import plane_angle
from mekane.model.system import System
from mekane.model.values.orientation import rotation

THESIS = "Multibody Analysis using Kane's Equations (thesis), chapter VI"
ANDREWS = "Bari IVP test set, problem Andrews; references recomputed by energy quadrature in 30 digits"

BODIES = {  # name: mass [kg], Izz [kg m^2], position [m] and angle [rad] as printed in the thesis
    "K1": (0.04325, 2.194e-06, (9.182300e-04, -5.700300e-05), -0.0619997),
    "K2": (0.00365, 4.410e-07, (-4.491400e-03, 2.788200e-04), -0.0619997),
    "K3": (0.02373, 5.255e-06, (-1.874320e-02, 2.048370e-02), 0.4552000),
    "K4": (0.00706, 5.667e-07, (-3.021600e-02, 1.206200e-02), 0.7099075),
    "K5": (0.07050, 1.169e-05, (-5.323560e-02, 1.663080e-02), 0.4873007),
    "K6": (0.00706, 5.667e-07, (-2.854460e-02, -1.072390e-02), 1.0079919),
    "K7": (0.05498, 1.912e-05, (-5.926280e-02, -1.060120e-02), 1.2304988),
}
ACROSS = 1.0  # Ixx = Iyy in the thesis [kg m^2]; a motion in the plane does not feel it

A, B, C, O = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072), (0.0, 0.0)

BALLS = [  # first, point on it, second, point on it
    ("ground", A, "K7", (4.49e-3, 1.228e-2)),
    ("ground", A, "K5", (-2.308e-2, -9.16e-3)),
    ("ground", B, "K3", (-1.043e-2, 1.874e-2)),
    ("ground", O, "K1", (-9.2e-4, 0)),
    ("K1", (6.08e-3, 0), "K2", (1.15e-2, 0)),
    ("K7", (4.49e-3, -2.772e-2), "K6", (-5.79e-3, 0)),
    ("K5", (1.692e-2, -9.16e-3), "K4", (0, 5.79e-3)),
    ("K3", (-1.043e-2, -1.626e-2), "K4", (0, -1.421e-2)),
    ("K4", (0, -1.421e-2), "K6", (1.421e-2, 0)),
    ("K6", (1.421e-2, 0), "K2", (-1.65e-2, 0)),
]

START = {  # consistent angles
    "beta": -0.0617138900142764496358948458001,
    "Theta": 0.0,
    "gamma": 0.455279819163070380255912382449,
    "Phi": 0.222668390165885884674473185609,
    "delta": 0.487364979543842550225598953530,
    "Omega": -0.222668390165885884674473185609,
    "epsilon": 1.23054744454982119249735015568,
}


def thesis_system():
    return build({name: (position, angle) for name, (_, _, position, angle) in BODIES.items()})


def system():
    return build(consistent_places())


def build(places):
    s = System("squeezer", gravity=(0, 0, 0))
    for name, (mass, inertia, _, _) in BODIES.items():
        position, angle = places[name]
        s.body(name, mass, (ACROSS, ACROSS, inertia), position=(*position, 0), orientation=("z", angle))
    for number, (first, on_first, second, on_second) in enumerate(BALLS, 1):
        s.ball(f"ball {number}", first, second, on_a=(*on_first, 0), on_b=(*on_second, 0))
    s.spring("spring", (s.ground, (*C, 0)), ("K3", (9.57e-3, 7.4e-4, 0)), stiffness=4530, length=0.07785)
    s.torque("motor", "K1", (0, 0, 0.033))
    return s


def consistent_places():
    """Position and angle of every body when the angles are those of START."""
    a = START
    angles = dict(K1=a["beta"], K2=a["beta"] + a["Theta"], K3=a["gamma"], K4=a["Phi"] + a["delta"], K5=a["delta"])
    angles |= dict(K6=a["Omega"] + a["epsilon"], K7=a["epsilon"])
    places = {"ground": ((0.0, 0.0), 0.0)}
    for first, on_first, second, on_second in BALLS:
        if second not in places and first in places:
            hinge = in_world(places[first], on_first)
            places[second] = (hinge - in_world((O, angles[second]), on_second), angles[second])
    return places


def in_world(place, p):
    position, angle = place
    return np.asarray(position) + (rotation((0, 0, 1), angle) @ (*p, 0))[:2]


def difference(one, other):
    """Reader of the angle between two bodies of the plane."""
    return lambda run: plane_angle(one)(run) - plane_angle(other)(run)


READ = {
    "beta": plane_angle("K1"),
    "Theta": difference("K2", "K1"),
    "gamma": plane_angle("K3"),
    "Phi": difference("K4", "K5"),
    "delta": plane_angle("K5"),
    "Omega": difference("K6", "K7"),
    "epsilon": plane_angle("K7"),
}

EXACT = checks(
    """
    t      beta                Theta               gamma               Phi                  delta               epsilon
    0.005  0.2110763859032667  -0.2015871709340801 0.4491151900115144  0.2102507979300145   0.4887437654619352  1.225866794034907
    0.010  2.160113131531527   -1.883364231107044  0.1585167580012267  -0.3286410751746703  0.5251547747977295  1.068427204632401
    0.015  5.655429749991794   -5.833796765108832  0.4258919257523779  0.1640128375726053   0.4936765269686444  1.208712541909195
    0.020  8.184905889661676   -7.890505363730450  0.2095369133846976  -0.2383255965958512  0.5225369171559964  1.086275108599873
    0.025  12.10714923444766   -12.25703010357549  0.4409733555830119  0.1939451660544560   0.4905195446815898  1.219766771810429
    0.030  15.810771195153707  -15.756371058411840 0.0408222401196458  -0.5347301163420796  0.5244099658799541  1.0480807410419379
    """,
    READ,
    tolerance=1e-9,
    why="energy quadrature in 30 digits; the run keeps ten digits of an angle that grows to 16 rad",
)

LISTED = checks(
    """
    t      beta       gamma      delta
    0.000  6.221186   0.4552001  0.4873007
    0.005  0.2107969  0.4490342  0.4886795
    0.010  2.159867   0.1584348  0.5250782
    0.015  5.655155   0.4258111  0.4936113
    """,
    {**READ, "beta": lambda run: plane_angle("K1")(run) % (2 * np.pi)},
    tolerance=1e-4,
    relative=True,
    why="the thesis' printed listing, RK4 with h = 0.1 ms and no correction; an independent program meets it to 5e-5",
)

mechanisms = [
    Mechanism(
        name="squeezer",
        title="Andrews' squeezing mechanism from its consistent start",
        source=ANDREWS,
        system=system,
        t_end=0.03,
        every=1e-4,
        options={"rtol": 1e-11, "atol": 1e-13},
        checks=EXACT,
    ),
    Mechanism(
        name="squeezer_thesis",
        title="seven-body mechanism as in the thesis' printed listing",
        source=THESIS,
        system=thesis_system,
        t_end=0.015,
        every=1e-4,
        options={"method": "rk4", "step": 1e-4, "formulation": "absolute", "correct": False},
        checks=LISTED,
        formulations=tuple(name for name in EVERY if name != "joint"),
        only_because="the printed start leaves joints open, which no coordinates of the joints themselves can tell",
    ),
]
