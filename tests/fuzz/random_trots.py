"""The trotting robot of the bench with other numbers: friction up to where sliding jams, drives from soft to stiff, and tolerances
from coarse to tight."""

import random
from math import pi

from bench.programs.trot_mekane import robot

ROUGH = (0.2, 0.4, 0.7, 1.0, 1.5)


def trot(seed):
    """The robot, and tolerances of a run."""
    rng = random.Random(f"trot {seed}")
    s = robot(
        height=0.335 + rng.uniform(0.0, 0.05),
        friction=rng.choice(ROUGH) if rng.random() < 0.8 else rng.uniform(0.1, 1.5),
        stiffness=rng.uniform(30.0, 200.0),
        damping=rng.choice((0.5, 1.0, 2.0, 4.0, 8.0)),
        rotor=rng.choice((0.0, 0.001, 0.005)),
        rate=2.0 * pi * rng.uniform(0.5, 4.0),
        swing=rng.uniform(0.0, 0.3),
        lift=rng.uniform(0.1, 0.6),
    )
    rtol = 10.0 ** rng.uniform(-9.0, -2.0)
    return s, dict(rtol=rtol, atol=rtol * 10.0 ** rng.uniform(-3.0, 0.0))
