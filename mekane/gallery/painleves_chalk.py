"""Painlevé's paradox: a piece of chalk slides when it is drawn over a board, and jams at once when it is pushed.

Where its tip slides, the normal force N turns the chalk, and friction μ N turns it, too. For a thin rod at an angle θ to
the board (s = sin θ, c = cos θ) at rest but for its sliding, m g = N (1 + 3 c² ± 3 μ s c): plus if it is drawn, with the tip
behind, minus if it is pushed, with the tip ahead. If μ > (1 + 3 c²)/(3 s c), no force N ≥ 0 satisfies the second: the
faster friction presses the tip on the board, the more it is pressed. Rigid bodies then have an impact without collision:
the tip is caught, and angular momentum about it remains, ω = 3 v s / 2 l. The chalk goes on as a pendulum that stands on
its tip. The least critical coefficient is 4/3, at tan θ = 2, which is the angle here; chalk on a board has 1.5.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism, checks_of
from mekane.gallery.looks import LIGHT, bar, block, tube
from mekane.model.geometry.shapes import Rod
from mekane.model.geometry.surfaces import Plane
from mekane.model.system import System

SOURCE = "P. Painlevé 1895; angular momentum about the tip, then energy and quadrature; where it slides, its own equations, DOP853 to 1e-13"
MASS, LENGTH, ANGLE, MU, G = 0.01, 0.08, np.arctan(2), 1.5, 9.81
SPEED, FAST = 0.3, 1.0  # pushed, drawn [m/s]
LOOK = [  # worn to its tip, in a sleeve of paper
    tube((-LENGTH / 2 + 0.002, 0, 0), (-LENGTH / 2 + 0.006, 0, 0), 0.002, LIGHT),
    bar((-LENGTH / 2 + 0.005, 0, 0), (LENGTH / 2, 0, 0), 0.005, LIGHT),
    bar((-LENGTH / 8, 0, 0), (LENGTH / 2 - 0.006, 0, 0), 0.0054, "#2f6f4f"),
]
BOARD = [  # with its frame, and a line that was drawn before
    block((0.36, 0.2, 0.006), (0, 0, -0.0035), "#24513d"),
    *(block((0.38, 0.012, 0.012), (0, side, -0.004), "#a97c4f") for side in (-0.105, 0.105)),
    *(block((0.012, 0.222, 0.012), (side, 0, -0.004), "#a97c4f") for side in (-0.186, 0.186)),
    block((0.1, 0.003, 0.0004), (0.06, 0.03, -0.0002), LIGHT),
]


def critical(angle=ANGLE):
    """The coefficient of friction above which a rod that is pushed jams."""
    s, c = np.sin(angle), np.cos(angle)
    return (1 + 3 * c * c) / (3 * s * c)


def system(velocity=-SPEED, friction=MU, angle=ANGLE):
    """The tip is at the left end: a velocity to the left pushes it."""
    s = System("chalk", gravity=(0, 0, -G), planar="xz")
    s.ground_look = BOARD
    middle = LENGTH / 2 * np.array([np.cos(angle), 0, np.sin(angle)])
    chalk = s.body(
        "chalk",
        MASS,
        shape=Rod(LENGTH, axis="x"),
        position=middle,
        orientation=("y", -angle),
        velocity=(velocity, 0, 0),
        look=LOOK,
    )
    s.contact("tip", (chalk, (-LENGTH / 2, 0, 0)), (s.ground, Plane()), friction=friction)
    return s


def angle(run):
    """Between the chalk and the board."""
    x = np.asarray(run["chalk.position"]) - tip(run)
    return np.arctan2(x[:, 2], x[:, 0])


def tip(run):
    from mekane.gallery.reading import rotations

    return np.asarray(run["chalk.position"]) - LENGTH / 2 * rotations(run, "chalk")[:, :, 0]


def rate(run):
    return -np.asarray(run["chalk.angular_velocity.y"])


# ---------------------------------------------------------------- pushed

CAUGHT = 3 * SPEED * np.sin(ANGLE) / (2 * LENGTH)  # rate after the tip is caught
HIGHEST = np.arcsin(np.sin(ANGLE) + CAUGHT**2 * LENGTH / (3 * G))  # where it turns back
LOST = MASS * SPEED**2 / 2 * (1 - 0.75 * np.sin(ANGLE) ** 2)


def time_of_turn():
    """From the jam to the highest angle; θ = highest − d cos² x takes the root of the rate away."""
    d = HIGHEST - ANGLE
    nodes, weights = np.polynomial.legendre.leggauss(40)
    x = np.pi / 4 * (1 + nodes)
    y = HIGHEST - d * np.cos(x) ** 2
    speed = np.sqrt(3 * G / LENGTH * 2 * np.cos((HIGHEST + y) / 2) * np.sin(d * np.cos(x) ** 2 / 2))
    return np.pi / 4 * weights @ (2 * d * np.cos(x) * np.sin(x) / speed)


def of_jam(quantity):
    """A number of the first event, at every sample."""
    return lambda run: np.full(len(run.t), quantity(run.events[0]))


WHY = "angular momentum about the tip, which is caught; round-off"
TURN = time_of_turn()
PUSHED = (
    Check("rate after the jam [rad/s]", 0.0, rate, CAUGHT, 1e-12, why=WHY),
    Check("energy lost in it [J]", 0.0, of_jam(lambda line: line.losses["tip"]), LOST, 1e-15, why=WHY),
    Check("angle where it turns back", TURN, angle, HIGHEST, 1e-11, why="energy; a tolerance of 1e-12"),
    Check("rate there", TURN, rate, 0.0, 1e-9, why="time by quadrature; a tolerance of 1e-12"),
    Check("rate on its way back", 2 * TURN, rate, -CAUGHT, 1e-9, why="the way up, backwards"),
    Check("place of the tip [m]", 2 * TURN, lambda run: tip(run)[:, 0], 0.0, 1e-14, why="it sticks"),
)


# ---------------------------------------------------------------- drawn


def normal_force(angle, rate, friction):
    s, c = np.sin(angle), np.cos(angle)
    return MASS * (G - LENGTH / 2 * s * rate**2) / (1 + 3 * c * (c + friction * s))


def drawn(t, friction=MU, velocity=FAST):
    """Angle, rate, place and speed of the middle, and the force of the board, while the tip slides on; from its own
    equations."""
    from scipy.integrate import solve_ivp

    def equations(_, y):
        angle, rate, _, _ = y
        N = normal_force(angle, rate, friction)
        turning = -6 * N / (MASS * LENGTH) * (np.cos(angle) + friction * np.sin(angle))
        return [rate, turning, y[3], -friction * N / MASS]

    t = np.asarray(t, float)
    start = [ANGLE, 0.0, LENGTH / 2 * np.cos(ANGLE), velocity]
    y = solve_ivp(equations, (0, max(t.max(), 1e-6)), start, "DOP853", rtol=1e-13, atol=1e-16, dense_output=True).sol(t)
    return {"angle": y[0], "rate": y[1], "place": y[2], "speed": y[3], "force": normal_force(y[0], y[1], friction)}


READ = {"angle": angle, "rate": rate, "place": "chalk.position.x", "speed": "chalk.velocity.x", "force": "tip.force"}
FALLS = 0.06
common = dict(source=SOURCE, options={"rtol": 1e-12, "atol": 1e-14})
mechanisms = [
    Mechanism(
        name="painleves_chalk",
        title="Painlevé's paradox: chalk that is pushed over a board jams and stands up on its tip",
        system=system,
        t_end=float(2 * TURN),
        checks=PUSHED,
        **common,
    ),
    Mechanism(
        name="painleves_chalk_drawn",
        title="the same chalk drawn over the board: it slides and falls",
        system=lambda: system(FAST),
        t_end=FALLS,
        checks=checks_of(drawn, (0.0, 0.02, 0.04, FALLS), READ, 1e-9, "DOP853 at 1e-13, rates up to 30 rad/s"),
        exact=drawn,
        **common,
    ),
]
