"""Rattleback of Kane and Levinson: half an ellipsoid whose axes of inertia are turned a little against its own. Spun
one way, it begins to rattle, stops and turns back; spun the other way, it takes much longer to do so.

The source has z down; here z is up, so that y and z of the body and of the world are turned over: the product of
inertia I12 and ω3 change their signs.
"""

from functools import cache

import numpy as np

from mekane.gallery.entry import Check, Mechanism, checks
from mekane.gallery.looks import coloured
from mekane.gallery.reading import energy_lost, in_body
from mekane.model.geometry.polygon import Polygon
from mekane.model.system import System

SOURCE = "Kane, Levinson 1982 (data); motion from Newton's and Euler's equations about the contact, in six unknowns"
AXES, SUNK, MASS, G = np.array([0.2, 0.03, 0.02]), 0.01, 1.0, 9.81  # mass centre below the centre of the ellipsoid [m]
INERTIA = (2e-4, 1.6e-3, 1.7e-3, 2e-5, 0, 0)  # xx, yy, zz, xy about the mass centre; −2e-5 in the source's axes
# about both horizontal axes; down along z in the source: here clockwise seen from above
TILT, SPIN = np.radians(0.5), 5.0
LAYERS, CORNERS = 12, 40  # of the stone as it is drawn: half an ellipsoid, flat above


@cache
def stone():
    """Its layers from below, each as wide as the ellipsoid is at its middle."""
    half = [(np.cos(angle), np.sin(angle)) for angle in np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)]
    thick, layers = AXES[2] / LAYERS, []
    for k in range(LAYERS):
        width = np.sqrt(1 - ((k + 0.5) / LAYERS) ** 2)
        outline = [(AXES[0] * width * x, AXES[1] * width * y) for x, y in half]
        layers.append(
            coloured(Polygon(outline, thick, at=(0, 0, SUNK - (k + 0.5) * thick)), "#a9713c" if k else "#c98f55")
        )
    return tuple(layers)


def system(spin=SPIN):
    s = System("rattleback", gravity=(0, 0, -G))
    R = initial_axes()
    w = R @ np.array([0, 0, spin])
    arm = R @ contact(R.T @ np.array([0, 0, -1.0]))  # from the mass centre to the contact
    s.body(
        "stone", MASS, INERTIA, position=(0, 0, -arm[2]), orientation=R, velocity=np.cross(arm, w), angular_velocity=w,
        look=stone(),
    )  # fmt: skip
    s.rolling_ellipsoid("contact", ("stone", (0, 0, SUNK)), AXES.tolist())
    return s


def initial_axes():
    """Axes at the start: turns about x and the turned y; α about x, β about y in the source, where y is the other
    way."""
    c, s = np.cos(TILT), np.sin(TILT)
    about_x, about_y = np.array([[1, 0, 0], [0, c, -s], [0, s, c]]), np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
    return about_x @ about_y


# ---------------------------------------------------------------- the same motion by hand


def contact(down):
    """From the mass centre to the lowest point, in body axes, where `down` is given."""
    return AXES**2 * down / np.linalg.norm(AXES * down) + np.array([0, 0, SUNK])


def equations(t, y):
    """Rates of (ω, down), both in body axes. The contact rests, v = ρ × ω; the force there is what Newton's law leaves,
    and its moment is Euler's."""
    w, down = y[:3], y[3:]
    xx, yy, zz, xy, _, _ = INERTIA
    I = np.array([[xx, xy, 0], [xy, yy, 0], [0, 0, zz]])
    turning = np.cross(down, w)  # rate of `down`
    rho, size = contact(down), np.linalg.norm(AXES * down)
    rolling = AXES**2 * turning / size - AXES**2 * down * (AXES * down @ (AXES * turning)) / size**3  # rate of ρ
    known = MASS * (np.cross(rolling, w) + np.cross(w, np.cross(rho, w)) - G * down)  # of the force, without ω̇
    cross = np.array([[0, -rho[2], rho[1]], [rho[2], 0, -rho[0]], [-rho[1], rho[0], 0]])
    return np.concatenate([np.linalg.solve(I - MASS * cross @ cross, cross @ known - np.cross(w, I @ w)), turning])


def start(spin=SPIN):
    return np.concatenate([[0, 0, spin], initial_axes().T @ np.array([0, 0, -1.0])])


def spin(run):
    return in_body(run, "stone", "angular_velocity")[:, 2]


def rattleback(name, title, sign, table):
    return Mechanism(
        name=name,
        title=title,
        source=SOURCE,
        system=lambda: system(sign * SPIN),
        t_end=20.0,
        every=0.02,
        options={"rtol": 1e-13, "atol": 1e-15},
        checks=(
            *checks(
                table,
                {"w3": spin},
                1e-8,
                "the equations above, DOP853 at 2e-14, which a run of it at 1e-12 meets to 1e-9",
            ),
            *(
                Check("energy lost", t, energy_lost, 0.0, 1e-10, why="nothing dissipates; a tolerance of 1e-13")
                for t in (5.0, 10.0, 20.0)
            ),
        ),
    )


mechanisms = [
    rattleback(
        "rattleback",
        "rattleback, spun the way it does not like: it turns back",
        1,
        """
        t   w3
        1   3.117543537424
        2   0.884658189212
        5   -4.1642460462
        10  -4.54463920042
        15  -1.87941011211
        20  1.94973742003
        """,
    ),
    rattleback(
        "rattleback_other",
        "rattleback, spun the other way: it turns back, too, but much later",
        -1,  # no numbers after 15 s: by 20 s an error of 1e-15 rad has grown to 1e-9 rad/s
        """
        t   w3
        1   -5.239339710265
        2   -5.096212500463
        5   -4.308877332602
        10  -1.16978241207
        15  2.57434460408
        """,
    ),
]
