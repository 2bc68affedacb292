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
SIZE, LENGTH = 0.12, 0.3  # of the block that is drawn, of the spring at rest [m]
WIDE, BACK, FRONT, TRAVEL = 0.24, -0.62, 0.62, 0.7  # of the belt; its rollers; how far its ribs are seen to go [m]
HIGH = 0.3  # of the belt above the floor [m]
BELT = [  # the part of it that carries the block, with ribs that show that it runs: rollers hide where it ends
    block((FRONT - BACK - TRAVEL, WIDE, 0.01), ((BACK + FRONT - TRAVEL) / 2, 0, -0.005), RUBBER),
    *(block((0.014, WIDE, 0.006), (x, 0, -0.001), "#8b96a1") for x in np.arange(BACK + 0.03, FRONT - TRAVEL, 0.06)),
]


def stand():
    """Two rollers with the belt about them, a frame on legs, and the post that holds the spring."""
    across, sides = 0.5 * WIDE, (-0.57 * WIDE, 0.57 * WIDE)
    loop = [
        *(block((FRONT - BACK, WIDE, 0.008), ((BACK + FRONT) / 2, 0, z), RUBBER) for z in (-0.012, -0.108)),
        *(bar((x, -across, -0.06), (x, across, -0.06), 0.052, RUBBER) for x in (BACK, FRONT)),
        *(bar((x, -1.06 * across, -0.06), (x, 1.06 * across, -0.06), 0.036, STEEL) for x in (BACK, FRONT)),
    ]
    frame = [
        *(block((FRONT - BACK + 0.06, 0.02, 0.05), ((BACK + FRONT) / 2, y, -0.06), "#6f8fae") for y in sides),
        *(bar((x, y - 0.014, -0.06), (x, y + 0.014, -0.06), 0.02, DARK) for x in (BACK, FRONT) for y in sides),
        *(
            block((0.04, 0.03, HIGH - 0.085), (x, y, -0.0425 - HIGH / 2), "#6f8fae")
            for x in (0.85 * BACK, 0.85 * FRONT)
            for y in sides
        ),
        *(block((0.03, 2 * sides[1], 0.03), (x, 0, -0.75 * HIGH), "#6f8fae") for x in (0.85 * BACK, 0.85 * FRONT)),
    ]
    holder = [
        block((0.03, 2.6 * sides[1], 0.09), (-LENGTH - 0.02, 0, 0.045), DARK),
        *(block((0.03, 0.02, 0.16), (-LENGTH - 0.02, 1.2 * y, 0.01), DARK) for y in sides),
    ]
    return [*loop, *frame, *holder]


BLOCK = [
    block((SIZE, SIZE, SIZE), (0, 0, SIZE / 2), "#c78d4b"),
    *(block((1.02 * SIZE, 1.02 * SIZE, 0.016), (0, 0, z), "#8a5f31") for z in (0.012, SIZE - 0.012)),
    *(block((0.016, 1.02 * SIZE, SIZE), (x, 0, SIZE / 2), "#8a5f31") for x in (0.012 - SIZE / 2, SIZE / 2 - 0.012)),
]


def system():
    s = System("block on a belt", gravity=(0, 0, -G))
    s.ground_look = stand()
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
    s.slider("rollers", s.ground, belt, at=(0, 0, -0.06), axis="x", rate=SPEED)
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
