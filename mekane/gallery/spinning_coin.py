"""Euler's disc: a coin that spins on its edge while its centre stays where it is, the faster the flatter it lies.

The axis of the coin goes round the vertical at a tilt β with the rate Ω. Its rim rolls: where it touches it does not
move, and as the centre rests, friction has nothing to do, the floor carries the weight m g. The point of contact lies at
d = −b a + r u from the centre (a along the axis, u down along the face; r radius, b half the thickness), the angular
velocity is along d, and the moment of the weight turns the angular momentum round:

    Ω² sin β (A cos β − C (b/r) sin β) = m g (r cos β − b sin β),        thin: Ω² = 4 g / (r sin β).

As a real coin loses height, Ω grows without bound: it whirrs higher and higher, and falls silent in a finite time.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks_of
from mekane.gallery.looks import DARK, block, coloured
from mekane.gallery.reading import rotations
from mekane.model.geometry.shapes import Box, Cylinder, Torus
from mekane.model.geometry.surfaces import Plane
from mekane.model.system import System

SOURCE = (
    "closed form: Euler's equations of steady rolling (Moffatt 2000 for a thin disc), here with the coin's thickness"
)
MASS, RADIUS, HALF, TILT, G = 0.44, 0.0375, 0.0064, np.radians(20), 9.81  # the toy of that name
AXIAL, ACROSS = MASS * RADIUS**2 / 2, MASS * (RADIUS**2 / 4 + HALF**2 / 3)


def coin_look():
    """A rim that stands out, a field, and a numeral by which one sees it turn."""
    gold, dark = "#d9a520", "#a87410"
    rims = [
        coloured(Torus(0.92 * RADIUS, 0.06 * RADIUS, axis="z", at=(0, 0, side * 0.9 * HALF)), gold) for side in (-1, 1)
    ]
    field = Cylinder(0.8 * RADIUS, 2.02 * HALF, axis="z")
    one = [
        Box(0.18 * RADIUS, 0.9 * RADIUS, 2.1 * HALF),
        Box(0.5 * RADIUS, 0.14 * RADIUS, 2.1 * HALF, at=(0, -0.45 * RADIUS, 0)),
    ]
    return [
        coloured(Cylinder(RADIUS, 1.8 * HALF, axis="z"), gold),
        *rims,
        coloured(field, dark),
        *(coloured(part, gold) for part in one),
    ]


TABLE = [block((0.13, 0.13, 0.006), (0, 0, -0.003), DARK)]


def rate(tilt=TILT):
    """Ω: how fast the axis goes round."""
    s, c = np.sin(tilt), np.cos(tilt)
    return np.sqrt(MASS * G * (RADIUS * c - HALF * s) / (s * (ACROSS * c - AXIAL * HALF / RADIUS * s)))


def height(tilt=TILT):
    return RADIUS * np.sin(tilt) + HALF * np.cos(tilt)


def system(tilt=TILT, friction=0.3):
    """It starts tilted about y: the lowest point is ahead, on the x axis."""
    s = System("spinning coin", gravity=(0, 0, -G))
    axis, down = np.array([np.sin(tilt), 0, np.cos(tilt)]), np.array([np.cos(tilt), 0, -np.sin(tilt)])
    contact = RADIUS * down - HALF * axis
    spin = -rate(tilt) * np.sin(tilt) / RADIUS * contact
    shape = Cylinder(RADIUS, 2 * HALF, axis="z")
    coin = s.body(
        "coin",
        MASS,
        shape=shape,
        position=(0, 0, height(tilt)),
        orientation=("y", tilt),
        angular_velocity=spin,
        color="yellow",
        look=coin_look(),
    )
    s.ground_look = TABLE
    s.contact("floor", coin, (s.ground, Plane()), friction=friction)
    return s


def exact(t, tilt=TILT):
    """The axis, the height and the force of the floor."""
    turned, one = rate(tilt) * np.asarray(t, float), np.ones(np.shape(t))
    axis = {
        "axis.x": np.sin(tilt) * np.cos(turned),
        "axis.y": np.sin(tilt) * np.sin(turned),
        "axis.z": np.cos(tilt) * one,
    }
    return {**axis, "height": height(tilt) * one, "force": MASS * G * one}


READ = {
    **{f"axis.{name}": lambda run, i=i: rotations(run, "coin")[:, i, 2] for i, name in enumerate("xyz")},
    "height": "coin.position.z",
    "force": "floor.1.force",
}
mechanisms = [
    Mechanism(
        name="spinning_coin",
        title="Euler's disc: a coin that spins on its edge at a steady tilt",
        source=SOURCE,
        system=system,
        t_end=0.5,
        options={"rtol": 1e-12, "atol": 1e-14},
        checks=checks_of(exact, (0.0, 0.1, 0.3, 0.5), READ, 1e-9, "closed form; four turns at a tolerance of 1e-12"),
        exact=exact,
    )
]
