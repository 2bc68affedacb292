"""Every formulation, on every model, gives the same motion (THEORY §5): the strongest test there is.

Oracle: the other formulation. Tolerance: both runs keep 1e-11 per step; half a second of these motions makes that 1e-8
at most.
"""

from functools import cache

import numpy as np
import pytest
import systems

import mekane as mk
from mekane.formulations import NAMES as FORMULATIONS

SYSTEMS = systems.named() | {f"ring {kind}{' swapped' * sw}": (lambda kind=kind, sw=sw: systems.ring(kind, sw, binary=sw))
                             for kind in systems.KINDS for sw in (False, True)}  # fmt: skip
SYSTEMS |= {"mixed chain swapped": lambda: systems.mixed_chain(swapped=True)}
SYSTEMS |= {f"by chance {seed}": (lambda seed=seed: systems.by_chance(seed)) for seed in range(6, 16)}
QUANTITIES = ("position", "velocity", "angular_velocity")
FIRST, *OTHERS = FORMULATIONS


def motion(system, formulation):
    run = mk.simulate(system, 0.5, every=0.25, formulation=formulation, rtol=1e-11, atol=1e-12, method="dop853")
    assert not run.info["stopped"]
    return run


@cache
def first_motion(name):
    return motion(SYSTEMS[name](), FIRST)


@pytest.mark.divided("name", 2)
@pytest.mark.parametrize("formulation", OTHERS)
@pytest.mark.parametrize("name", SYSTEMS)
def test_formulations_agree(name, formulation):
    first, other = first_motion(name), motion(SYSTEMS[name](), formulation)
    for body in first.system.bodies:
        for quantity in QUANTITIES:
            a, b = (np.asarray(run[f"{body}.{quantity}"]) for run in (first, other))
            assert a == pytest.approx(b, abs=1e-8 * max(1.0, np.abs(b).max())), f"{body}.{quantity}"
    for joint in first.system.joints.values():
        for measure in joint.measures():
            a, b = (np.asarray(run[f"{joint.name}.{measure.name}"]) for run in (first, other))
            assert a == pytest.approx(b, abs=1e-8 * max(1.0, np.abs(b).max())), f"{joint.name}.{measure.name}"


@pytest.mark.parametrize("kind", systems.KINDS)
def test_a_joint_given_the_other_way_round_is_the_same_joint(kind):
    """Bodies a and b exchanged: the same motion, but for a universal, whose two axes are defined as fixed in a and in
    b."""
    ends = []
    for swapped in (False, True):
        run = motion(systems.hanging(kind, swapped), "joint")
        ends.append(
            np.concatenate(
                [np.asarray(run[f"{body}.{quantity}"])[-1] for body in ("body", "tip") for quantity in QUANTITIES]
            )
        )
    assert (ends[0] == pytest.approx(ends[1], abs=1e-8)) == (kind != "universal")
