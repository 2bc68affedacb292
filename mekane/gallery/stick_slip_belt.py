"""A block on a moving belt, held back by a spring: it sticks, is carried along, slips back, and sticks again.

With m = 1 kg, k = 100 N/m and a normal force of 10 N, friction carries μ_s N = 6 N while it sticks and gives μ_k N = 4 N
while it slides. The block leaves the belt's speed v = 0.2 m/s where k x = μ_s N. With ω = √(k/m), x_k = μ_k N/k and
a = (μ_s − μ_k) N/k it slips as x = x_k + a cos ωτ + (v/ω) sin ωτ, until x' = v again: ωτ = 2π − 2 arctan(aω/v). It then
sticks from x_k − a to x_k + a for the time 2a/v.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism, checks_of
from mekane.gallery.looks import DARK, RUBBER, STEEL, bar, block
from mekane.model.geometry.shapes import Box
from mekane.model.geometry.surfaces import Plane
from mekane.model.system import System

SOURCE = "classical: den Hartog's block on a belt, a harmonic motion while it slips and a uniform one while it sticks"
MASS, STIFFNESS, G, STATIC, KINETIC, SPEED = 1.0, 100.0, 10.0, 0.6, 0.4, 0.2
OMEGA, CENTRE, HALF = (
    np.sqrt(STIFFNESS / MASS),
    KINETIC * MASS * G / STIFFNESS,
    (STATIC - KINETIC) * MASS * G / STIFFNESS,
)
FIRST = (CENTRE + HALF) / SPEED  # 0.3 s
SLIP = (2 * np.pi - 2 * np.arctan(HALF * OMEGA / SPEED)) / OMEGA  # 0.47123889803846899 s
STICK = 2 * HALF / SPEED  # 0.2 s
HEAT = KINETIC * MASS * G * (SPEED * SLIP + 2 * HALF)  # of each slip: 0.53699111843077519 J
SIZE, LENGTH = 0.06, 0.3  # of the block that is drawn, of the spring at rest [m]
WIDE, RIBS = 0.16, np.arange(-0.57, 0.58, 0.06)  # of the belt [m]; its ribs show that it runs
BELT = [
    block((1.2, WIDE, 0.012), (0, 0, -0.008), RUBBER),
    *(block((0.012, WIDE, 0.004), (x, 0, -0.002), DARK) for x in RIBS),
]
STAND = [  # two rollers, a frame, and the post that holds the spring
    *(bar((x, -0.6 * WIDE, -0.055), (x, 0.6 * WIDE, -0.055), 0.04, STEEL) for x in (-0.5, 0.5)),
    *(
        bar((x, side - 0.004, -0.055), (x, side + 0.004, -0.055), 0.014, DARK)
        for x in (-0.5, 0.5)
        for side in (-0.1, 0.1)
    ),
    *(block((1.06, 0.012, 0.03), (0, side, -0.055), "#7d8894") for side in (-0.1, 0.1)),
    *(block((0.03, 0.012, 0.16), (x, side, -0.15), "#7d8894") for x in (-0.45, 0.45) for side in (-0.1, 0.1)),
    block((1.08, WIDE, 0.012), (0, 0, -0.101), RUBBER),  # the belt on its way back
    *(bar((x, -0.5 * WIDE, -0.055), (x, 0.5 * WIDE, -0.055), 0.052, RUBBER) for x in (-0.5, 0.5)),
    block((0.03, 0.26, 0.1), (-LENGTH - 0.02, 0, 0.03), DARK),
    *(block((0.03, 0.02, 0.16), (-LENGTH - 0.02, side, -0.03), DARK) for side in (-0.12, 0.12)),
]
BLOCK = [
    block((SIZE, SIZE, SIZE), (0, 0, SIZE / 2), "#b5803f"),
    block((0.62 * SIZE,) * 3, (0, 0, 0.71 * SIZE), "#d9a866"),
]


def system():
    s = System("block on a belt", gravity=(0, 0, -G))
    s.ground_look = STAND
    belt = s.body("belt", 1.0, shape=Box(1.2, 0.1, 0.01, at=(0, 0, -0.005)), look=BELT)
    block = s.body(
        "block",
        MASS,
        (1e-3, 1e-3, 1e-3),
        shape=Box(SIZE, SIZE, SIZE, at=(0, 0, SIZE / 2)),
        com=(0, 0, 0),
        velocity=(SPEED, 0, 0),
        look=BLOCK,
    )
    s.slider("rollers", s.ground, belt, at=(0, 0, 0), axis="x", rate=SPEED)
    s.prescribed("drive", "rollers", f"{SPEED}*t")
    s.spring("spring", (s.ground, (-LENGTH, 0, 0)), (block, (0, 0, 0)), STIFFNESS, LENGTH)
    s.contact("friction", (block, (0, 0, 0)), (belt, Plane()), friction=KINETIC, static=STATIC)
    return s


def exact(t):
    """Place and velocity of the block, and the heat so far."""
    t = np.asarray(t, float)
    cycle, phase = np.divmod(np.maximum(t - FIRST, 0.0), SLIP + STICK)
    turned, slips = OMEGA * np.minimum(phase, SLIP), phase < SLIP
    swing = CENTRE + HALF * np.cos(turned) + SPEED / OMEGA * np.sin(turned)
    rate = SPEED * np.cos(turned) - HALF * OMEGA * np.sin(turned)
    x = np.where(slips, swing, CENTRE - HALF + SPEED * (phase - SLIP))
    heat = cycle * HEAT + KINETIC * MASS * G * (SPEED * turned / OMEGA - (swing - CENTRE - HALF))
    early = t < FIRST
    return {
        "x": np.where(early, SPEED * t, x),
        "velocity": np.where(early | ~slips, SPEED, rate),
        "heat": np.where(early, 0.0, heat),
    }


def switches(run):
    """How often it has begun to slip or to stick since the start, by then."""
    times = run.events.times
    return np.searchsorted(times[times > 0.0], np.asarray(run.t) + 1e-9)


READ = {"x": "block.position.x", "velocity": "block.velocity.x"}
mechanisms = [
    Mechanism(
        name="stick_slip_belt",
        title="block on a moving belt, held back by a spring: stick and slip",
        source=SOURCE,
        system=system,
        t_end=3.0,
        every=0.01,
        options={"rtol": 1e-12, "atol": 1e-13},
        checks=(
            *checks_of(exact, (0.2, 0.5, 0.9, 1.5, 2.0, 3.0), READ, 1e-10, "closed form; nine changes of mode"),
            Check("heat of four slips", 3.0, "friction.heat", float(exact(3.0)["heat"]), 1e-10, why="closed form"),
            Check("changes of mode", 3.0, switches, 9.0, 0.0, why="every 0.4712 and 0.2 s from 0.3 s on"),
        ),
        exact=exact,
    )
]
