"""Derivatives of motions with respect to gravity and a mass, for mechanisms of all kinds: trees, loops, redundant rows,
rolling.

Oracle: central differences of order four of the simulated motion along both numbers at once. Their error: 1e-12 of the
runs over h = 1e-3 of the numbers, a few 1e-9; less than 1e-7 of the derivative.
"""

import numpy as np
import pytest

import mekane as mk
from mekane import gallery

MECHANISMS = [
    "bicycle_state", "bricard", "chaotic_plate", "chaplygin_sleigh", "eight_bodies", "four_bar_chain", "puma560", "rattleback", "robot",
    "slider_crank_spatial", "sphere_on_turntable", "squeezer",
]  # fmt: skip


@pytest.mark.parametrize("name", MECHANISMS)
def test_motion_changes_as_differences_say(name):
    system = gallery.find(name).system()
    body, t_end = list(system.bodies)[-1], 5e-3 if name == "squeezer" else 0.1
    numbers = ["gravity.x", f"{body}.mass"]
    system = system.named(numbers)
    found = mk.sensitivity(system, numbers, f"{body}.velocity", t_end=t_end, every=[t_end], rtol=1e-10)
    p = np.array([system.parameters[number] for number in numbers])
    direction = np.maximum(np.abs(p), 0.1)

    def velocity(far):
        changed = system.with_parameters(dict(zip(numbers, p + far * direction, strict=True)))
        return mk.simulate(changed, t_end, every=[t_end], rtol=1e-12, atol=1e-14)[f"{body}.velocity"].values[-1]

    h = 1e-3
    expected = (8 * (velocity(h) - velocity(-h)) - (velocity(2 * h) - velocity(-2 * h))) / (12 * h)
    assert np.abs(expected).max() > 1e-6
    np.testing.assert_allclose(
        found.slopes[-1] @ direction, expected, rtol=0, atol=1e-7 * np.abs(expected).max() + 1e-10
    )
