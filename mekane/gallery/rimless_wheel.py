"""The simplest walking toy: a wheel without a rim goes down a slope on its spokes, and finds its own speed.

Between two steps it is an inverted pendulum on one foot. Where the next foot comes down, the one behind leaves: angular
momentum about the new foot remains, and with 2α between two spokes and an inertia of ρ m l² about the hub

    ω⁺ = η ω⁻,   η = (cos 2α + ρ)/(1 + ρ).

Each step lowers the hub by 2 l sin α sin γ on a slope γ, which adds Δ = 4 g sin α sin γ / (l (1 + ρ)) to ω². So
ω² after the next step is η² (ω² + Δ): whatever push it gets, a walker comes to ω² = η² Δ/(1 − η²).
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism
from mekane.gallery.looks import DARK, RUBBER, STEEL, ball, bar, coloured, tube
from mekane.model.geometry.polygon import Polygon
from mekane.model.geometry.surfaces import Plane
from mekane.model.system import System

SOURCE = (
    "T. McGeer, Passive dynamic walking (1990): angular momentum of each step, energy between them; time by quadrature"
)
SPOKES, LENGTH, MASS, SHARE, SLOPE, G = 8, 0.2, 0.5, 0.2, np.radians(5), 9.81  # SHARE: ρ
HALF = np.pi / SPOKES  # α
KEEPS = (np.cos(2 * HALF) + SHARE) / (1 + SHARE)  # η
GAINS = 4 * G * np.sin(HALF) * np.sin(SLOPE) / (LENGTH * (1 + SHARE))  # Δ
STEADY = np.sqrt(KEEPS**2 * GAINS / (1 - KEEPS**2))  # after a step [rad/s]
PUSH = 5.0  # rate at the start, upright on one spoke [rad/s]


def star():
    """Eight thin spokes, for the eye."""
    inner = 0.03
    angles = np.pi / 2 + HALF * np.arange(2 * SPOKES)
    return Polygon(
        [(r * np.cos(x), r * np.sin(x)) for r, x in zip([LENGTH, inner] * SPOKES, angles, strict=True)],
        0.02,
        orientation=("x", np.pi / 2),
    )


def feet():
    """Ends of the spokes, in the frame of the wheel."""
    return [-LENGTH * np.array([np.sin(2 * n * HALF), 0, np.cos(2 * n * HALF)]) for n in range(SPOKES)]


def toy():
    """Spokes with rubber feet on a hub."""
    spokes = [tube((0, 0, 0), 0.95 * foot, 0.007, "#c98a3a") for foot in feet()]
    hub = bar((0, -0.03, 0), (0, 0.03, 0), 0.03, DARK), bar((0, -0.035, 0), (0, 0.035, 0), 0.01, STEEL)
    return [*spokes, *hub, *(ball(0.012, 0.94 * foot, RUBBER) for foot in feet())]


def board(begin=-0.3, end=2.1):
    """The slope that it walks down."""
    top = [(x, -x * np.tan(SLOPE)) for x in (end, begin)]
    return coloured(
        Polygon([(begin, top[0][1] - 0.05), (end, top[0][1] - 0.05), *top], 0.3, orientation=("x", np.pi / 2)),
        "#a97c4f",
    )


def system(push=PUSH, friction=0.8):
    """Upright to the slope on one spoke, its foot at the origin; x goes down."""
    s = System("rimless wheel", gravity=(0, 0, -G), planar="xz")
    normal, along = np.array([np.sin(SLOPE), 0, np.cos(SLOPE)]), np.array([np.cos(SLOPE), 0, -np.sin(SLOPE)])
    wheel = s.body(
        "wheel",
        MASS,
        SHARE * MASS * LENGTH**2,
        shape=star(),
        look=toy(),
        position=LENGTH * normal,
        orientation=("y", SLOPE),
        velocity=push * LENGTH * along,
        angular_velocity=(0, push, 0),
    )
    s.ground_look = [board()]
    for n, foot in enumerate(feet()):
        s.contact(f"foot {n + 1}", (wheel, foot), (s.ground, Plane(normal=normal)), friction=friction)
    return s


# ---------------------------------------------------------------- closed form


def square_of_rate(lean, rate, start):
    """ω² at this lean of the spoke from the vertical, from a rate at another."""
    return rate**2 + 2 * G / (LENGTH * (1 + SHARE)) * (np.cos(start) - np.cos(lean))


def duration(rate, start):
    """Until the next foot comes down."""
    end = SLOPE + HALF
    nodes, weights = np.polynomial.legendre.leggauss(40)
    lean = start + (end - start) / 2 * (1 + nodes)
    return (end - start) / 2 * weights @ (1 / np.sqrt(square_of_rate(lean, rate, start)))


def steps(n):
    """Instants of the first n steps, and rates after them."""
    found, t, rate, start = [], 0.0, PUSH, SLOPE
    for _ in range(n):
        t += duration(rate, start)
        rate, start = KEEPS * np.sqrt(square_of_rate(SLOPE + HALF, rate, start)), SLOPE - HALF
        found.append((t, rate))
    return np.array(found)


def impacts(run):
    return [line for line in run.events if line.kind == "impact"]


def of_step(n, quantity):
    """A number of the n-th step, at every sample."""
    return lambda run: np.full(len(run.t), quantity(impacts(run)[n - 1]))


def rate_from(line):
    """ω after a step, from the energy."""
    return np.sqrt(2 * line.kinetic_energy[1] / (MASS * LENGTH**2 * (1 + SHARE)))


STEPS, T_END = steps(12), 3.2
WHY = "angular momentum and energy; time by quadrature, a tolerance of 1e-12"
mechanisms = [
    Mechanism(
        name="rimless_wheel",
        title="the simplest walking toy: a wheel without a rim walks down a slope and finds its speed",
        source=SOURCE,
        system=system,
        t_end=T_END,
        options={"rtol": 1e-12, "atol": 1e-14},
        checks=(
            *(
                Check(f"time of step {n}", T_END, of_step(n, lambda line: line.time), STEPS[n - 1, 0], 1e-11, why=WHY)
                for n in (1, 2, 5, 10)
            ),
            *(
                Check(f"rate after step {n} [rad/s]", T_END, of_step(n, rate_from), STEPS[n - 1, 1], 1e-10, why=WHY)
                for n in (1, 2, 5, 10)
            ),
        ),
    )
]
