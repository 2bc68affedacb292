"""Mekane: results and times of a motion with contact at several tolerances, the defaults first.   case"""

import sys

import numpy as np

import mekane as mk
from bench.contact import (  # fmt: skip
    BLOCK,
    BOUNCE,
    CORNERS,
    CRANK_FRICTION,
    CRANK_RATE,
    FOUR_BAR_TIME,
    LINK_INERTIA,
    LINKS,
    THROW,
    G,
    inclined,
    top_times,
)
from bench.timing import answer, fastest

TOLERANCES = ({}, *(dict(rtol=rtol, atol=1e-2 * rtol) for rtol in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)))
TIGHT = dict(rtol=1e-12, atol=1e-14)


def block():
    s = mk.System("block", gravity=inclined(BLOCK["slope"]))
    box = s.body("block", BLOCK["mass"], shape=mk.Box(*BLOCK["size"]), position=(0, 0, BLOCK["size"][2] / 2))
    s.contact("slope", box, (s.ground, mk.Plane()), friction=BLOCK["friction"])
    return s


def bouncing_ball():
    s, radius = mk.System("ball"), BOUNCE["radius"]
    ball = s.body("ball", BOUNCE["mass"], shape=mk.Sphere(radius), position=(0, 0, radius + BOUNCE["height"]))
    s.contact("floor", ball, (s.ground, mk.Plane()), restitution=BOUNCE["restitution"])
    return s


def thrown_ball():
    s, radius = mk.System("ball", gravity=inclined(THROW["slope"])), THROW["radius"]
    start = dict(position=(0, 0, radius), velocity=(0, THROW["speed"], 0))
    ball = s.body("ball", THROW["mass"], shape=mk.Sphere(radius), **start)
    s.contact("slope", ball, (s.ground, mk.Plane()), friction=THROW["friction"])
    return s


def four_bar():
    s, corners = mk.System("four-bar", planar="xz"), np.array(CORNERS)
    for k, (name, mass) in enumerate(LINKS.items()):
        s.body(name, mass, LINK_INERTIA, position=(corners[k] + corners[k + 1]) / 2)
    for k, (a, b) in enumerate(zip(("ground", *LINKS), (*LINKS, "ground"), strict=True)):
        s.pin(f"pin {k}", a, b, at=CORNERS[k], axis="y", **({} if k else {"rate": CRANK_RATE}))
    s.dry_friction("rub", "pin 0", torque=CRANK_FRICTION)
    return s


def creep(sim):
    """Mean speed after it has settled."""
    sim.step(BLOCK["settled"])
    before, rest = sim["block.position.x"], BLOCK["time"] - BLOCK["settled"]
    sim.step(rest)
    return [(sim["block.position.x"] - before) / rest]


def heights(sim):
    """To which each flight leads, from height and speed within it."""
    return [flight_height(sim, duration) for duration in np.diff([0.0, *top_times()])]


def flight_height(sim, duration):
    sim.step(duration)
    return sim["ball.position.z"] - BOUNCE["radius"] + sim["ball.velocity.z"] ** 2 / (2 * G)


def place(sim):
    sim.step(THROW["time"])
    return [sim["ball.position.x"], sim["ball.position.y"]]


def crank(sim):
    sim.step(FOUR_BAR_TIME)
    return [sim["pin 0.angle"]]


CASES = {  # model, its motion and what is read
    "block": (block, creep),
    "bouncing-ball": (bouncing_ball, heights),
    "ball-across-a-slope": (thrown_ball, place),
    "four-bar-with-friction": (four_bar, crank),
}


def measured(s, play, options):
    """Value and time of the same run: a stepper takes longer steps than mk.simulate, which takes 200 at least."""
    sim = mk.stepper(s, record=False, **options)

    def again():
        sim.reset()
        return play(sim)

    how = f"rtol {options['rtol']:.0e}" if options else "default tolerances"
    return dict(how=how, value=[float(x) for x in again()], seconds=fastest(again, 0.5))


def main(case):
    model, play = CASES[case]
    s = model()
    exact = play(mk.stepper(s, record=False, **TIGHT))
    answer(runs=[measured(s, play, options) for options in TOLERANCES], exact=[float(x) for x in exact])


if __name__ == "__main__":
    main(sys.argv[1])
