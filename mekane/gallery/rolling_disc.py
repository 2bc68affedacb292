"""Thin disc that rolls on level ground without slipping: two states whose accelerations are published, and steady
rolling in a circle.

Its axes come from the world's by turns q1 about z (heading), q2 about x (lean), q3 about y, the disc's own axis (spin).
The contact point runs along (cos q1, sin q1, 0) with the speed r q̇3, so the wheel's centre follows from the angles and
their rates.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism, checks
from mekane.gallery.looks import DARK, RUBBER, STEEL, bar, coloured
from mekane.gallery.reading import in_body, of_constraint, rotations
from mekane.model.geometry.shapes import Torus
from mekane.model.system import System

STATES = "SymPy, test_kane5 (rolling disc); contact force from the momentum of the disc"
CIRCLE = "Le Saux, Leine, Glocker 2005, eqs 5.10–5.12: closed form"
G = 9.81
# circle of the contact [m], lean; radius and mass of that disc
R_CIRCLE, LEAN, SMALL, LIGHT = 0.5, np.radians(5), 0.05, 0.3048
TABLE = [  # on which the small disc rolls along a line
    bar((0, 0, -0.03), (0, 0, 0), 0.62, "#a9713c"), coloured(Torus(R_CIRCLE, 0.0025, axis=(0, 0, 1)), "white"),
]  # fmt: skip


def wheel(r, colour):
    """Look: a thin disc with a tyre, a hub, and round holes by which one sees it turn."""
    side = lambda radius, half, at=(0.0, 0.0), colour=DARK: bar(
        (at[0], -half * r, at[1]), (at[0], half * r, at[1]), radius * r, colour
    )
    around = [(0.55 * r * np.cos(turn), 0.55 * r * np.sin(turn)) for turn in np.arange(6) * np.pi / 3]
    tyre = coloured(Torus(0.965 * r, 0.035 * r, axis=(0, 1, 0)), RUBBER)
    return [
        side(0.95, 0.02, colour=colour),
        tyre,
        *(side(0.16, 0.025, at) for at in around),
        side(0.12, 0.07, colour=STEEL),
    ]


def angles_from(R):
    """q1, q2, q3 of R = Rz(q1) Rx(q2) Ry(q3)."""
    return np.arctan2(-R[..., 0, 1], R[..., 1, 1]), np.arcsin(R[..., 2, 1]), np.arctan2(-R[..., 2, 0], R[..., 2, 2])


def rates_from(angles, w):
    """Rates of q1, q2, q3 of a disc whose angular velocity in its own axes is w."""
    _, q2, q3 = angles
    across, lean = w[2] * np.cos(q3) - w[0] * np.sin(q3), w[0] * np.cos(q3) + w[2] * np.sin(q3)
    heading = across / np.cos(q2)
    return heading, lean, w[1] - heading * np.sin(q2)


def disc(m, r, angles, rates, contact=(0.0, 0.0), colour="orange"):
    """The model, in the state of these angles, rates and place of contact."""
    (q1, q2, _), (d1, d2, d3) = angles, rates
    along, across = np.array([np.cos(q1), np.sin(q1), 0]), np.array([-np.sin(q1), np.cos(q1), 0])
    up = -np.sin(q2) * across + np.cos(q2) * np.array([0, 0, 1])  # from the contact to the centre
    axis = np.cos(q2) * across + np.sin(q2) * np.array([0, 0, 1])
    w = d1 * np.array([0, 0, 1]) + d2 * along + d3 * axis
    s = System("rolling disc", gravity=(0, 0, -G))
    s.body("disc", m, (m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), position=np.array([*contact, 0]) + r * up,
           orientation=("zxy", angles), velocity=np.cross(w, r * up), angular_velocity=w, look=wheel(r, colour))  # fmt: skip
    s.rolling_disc("contact", ("disc", (0, 0, 0)), r, axis="y")
    return s


# ---------------------------------------------------------------- two states


def angles(run):
    return np.stack(angles_from(rotations(run, "disc")))


def rates(run):
    return np.stack(rates_from(angles(run), in_body(run, "disc", "angular_velocity").T))


def spin_up(run):
    """Second derivatives of q1 and q3, from the angular acceleration."""
    (_, q2, q3), (d1, d2, d3), al = angles(run), rates(run), in_body(run, "disc", "angular_acceleration").T
    across = al[2] * np.cos(q3) - al[0] * np.sin(q3) - d3 * d2  # of d1 cos q2
    dd1 = (across + d1 * d2 * np.sin(q2)) / np.cos(q2)
    return dd1, al[1] - dd1 * np.sin(q2) - d1 * d2 * np.cos(q2)


def contact_velocity(run, r):
    """Of the point of contact along the ground (no point of the disc is there for long)."""
    q1, d3 = angles(run)[0], rates(run)[2]
    return r * d3 * np.stack([np.cos(q1), np.sin(q1)])


def contact_acceleration(run, r):
    q1, (d1, _, d3), (_, dd3) = angles(run)[0], rates(run), spin_up(run)
    return r * np.stack([dd3 * np.cos(q1) - d3 * d1 * np.sin(q1), dd3 * np.sin(q1) + d3 * d1 * np.cos(q1)])


MASS, RADIUS = 3.43, 0.26
READ = {
    **{f"q{i + 1}'": lambda run, i=i: rates(run)[i] for i in range(3)},
    **{f"q{i + 4}'": lambda run, i=i: contact_velocity(run, RADIUS)[i] for i in range(2)},
    **{f"u{i + 1}'": lambda run, i=i: in_body(run, "disc", "angular_acceleration")[:, i] for i in range(3)},
    **{f"u{i + 4}'": lambda run, i=i: contact_acceleration(run, RADIUS)[i] for i in range(2)},
    **{f"F{axis}": lambda run, i=i: of_constraint(run, "contact", "disc")[:, i] for i, axis in enumerate("xyz")},
}


def published(number, q, w, rates_table, accelerations_table, force_table):
    """A state with its printed derivative, run on for two seconds."""
    why = "printed to 15 digits; the state at the start, nothing is integrated: round-off of numbers up to 10"
    return Mechanism(
        name=f"rolling_disc_{number}",
        title=f"disc rolling without slip, published state {number}",
        source=STATES,
        system=lambda: disc(MASS, RADIUS, q, rates_from(q, w)),
        t_end=2.0,
        options={"rtol": 1e-11, "atol": 1e-13},
        checks=(
            *checks(rates_table, READ, 1e-12, why),
            *checks(accelerations_table, READ, 1e-12, why),
            *checks(force_table, READ, None, "from the momentum of the disc, all decimals that are printed"),
        ),
    )


# ---------------------------------------------------------------- steady rolling in a circle


def steady_rates():
    """(q̇1, q̇3): heading and spin of a disc that rolls in a circle at a constant lean."""
    ratio = SMALL / R_CIRCLE
    spin = np.sqrt(4 * G / SMALL * np.sin(LEAN) / ((6 - 5 * ratio * np.sin(LEAN)) * ratio * np.cos(LEAN)))
    return -ratio * spin, spin


def steady():
    turning, spin = steady_rates()
    s = disc(LIGHT, SMALL, (0.0, LEAN, 0.0), (turning, 0.0, spin), contact=(0.0, R_CIRCLE), colour="yellow")
    s.ground_look = TABLE
    return s


def steady_exact(t):
    """Centre, axes and contact force."""
    turning, spin = steady_rates()
    q1, far = turning * t, R_CIRCLE - SMALL * np.sin(LEAN)  # of the centre from the axis of the circle
    outward = np.stack([-np.sin(q1), np.cos(q1), 0 * t], axis=1)
    up = np.array([0, 0, 1])
    return {
        "disc.position": far * outward + SMALL * np.cos(LEAN) * up,
        "axis": np.cos(LEAN) * outward + np.sin(LEAN) * up,
        "spin": spin * t,
        "force": LIGHT * (G * up - turning**2 * far * outward),
    }


def lap_time():
    return 2 * np.pi / abs(steady_rates()[0])


def circle_checks():
    why = "the disc is again where it started; a run at a tolerance of 1e-12"
    t = lap_time()
    end = {heading: values[0] for heading, values in steady_exact(np.array([0.0])).items()}
    read_force = lambda i: lambda run: of_constraint(run, "contact", "disc")[:, i]
    read_axis = lambda i: lambda run: rotations(run, "disc")[:, i, 1]
    speed = lambda run: np.linalg.norm(run["disc.velocity"], axis=1)
    return (
        *(
            Check(f"position.{axis}", t, f"disc.position.{axis}", end["disc.position"][i], 1e-10, why=why)
            for i, axis in enumerate("xyz")
        ),
        *(Check(f"axis.{axis}", t, read_axis(i), end["axis"][i], 1e-10, why=why) for i, axis in enumerate("xyz")),
        *(Check(f"force.{axis}", t, read_force(i), end["force"][i], 1e-10, why=why) for i, axis in enumerate("xyz")),
        Check("speed of the hub", t, speed, 0.5321461708034204, 1e-10, why="printed; " + why),
    )


mechanisms = [
    published(
        1,
        (0.3, 0.1, 1.97),
        (-0.2, 1.3, 0.15),
        """
        t  q1'                q2'                q3'               q4'                q5'
        0  0.126603940595934  0.215942571601660  1.28736069604936  0.319764288376543  0.0989146857254898
        """,
        """
        t  u1'                 u2'                  u3'               u4'                   u5'
        0  -0.925848952664489  -0.0181350656532944  2.91695398184589  -0.00992793421754526  0.0412861634829171
        """,
        """
        t  Fx          Fy           Fz
        0  0.80477867  -2.57426729  33.32116405
        """,
    ),
    published(
        2,
        (3.97, -0.28, 8.2),
        (-0.25, -2.2, 0.62),
        """
        t  q1'                 q2'                q3'                q4'                q5'
        0  0.0259159090798597  0.668041660387416  -2.19283799213811  0.385441810852219  0.420109283790573
        """,
        """
        t  u1'               u2'                  u3'                u4'                 u5'
        0  1.45030568179066  -0.0110924422400793  -8.35617840186040  -0.154098542632173  -0.146102664410010
        """,
        """
        t  Fx          Fy           Fz
        0  5.18772746  -4.76634798  31.19376868
        """,
    ),
    Mechanism(
        name="rolling_disc_circle",
        title="disc rolling in a circle at a constant lean",
        source=CIRCLE,
        system=steady,
        t_end=lap_time(),
        options={"rtol": 1e-12, "atol": 1e-14},
        checks=circle_checks(),
        exact=steady_exact,
    ),
]
