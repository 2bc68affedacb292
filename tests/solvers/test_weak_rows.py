"""Constraint rows that are nearly dependent wherever the mechanism goes, and not because it is near a singular position.

Oracle: a door on two balls side by side moves as one on a pin, which has no rows in joint coordinates.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import mekane as mk


def door(apart):
    """On a pin, or on two balls that are so far apart along its axis."""
    s = mk.System("door")
    s.body("door", 5.0, (0.4, 0.5, 0.3), position=(0.5, 0, 0.2))
    if apart:
        s.ball("lower", s.ground, "door", at=(0, 0, 0))
        s.ball("upper", s.ground, "door", at=(0, apart, 0))
    else:
        s.pin("hinge", s.ground, "door", at=(0, 0, 0), axis="y")
    s.force("push", "door", ("3*sin(4*t)", "2", "1"), at=(0.1, 0.3, 0.1))
    return s


@pytest.fixture(scope="module")
def exact():
    return mk.simulate(door(0.0), 1.0, every=0.1, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("formulation", ["absolute", "mixed"])
@pytest.mark.parametrize("apart", [1e-2, 1e-3])
def test_bearings_side_by_side(exact, formulation, apart):
    """The weakest pivot is (apart / size)², 1e-6 at the least: rows that were soft then, as if they passed a singular position, made
    accelerations wrong by 5e-3 m/s² and the motion by 3e-7, in a run that was trusted. Tolerances: ten times the error of
    joint coordinates with these settings, 8e-9 m and 5e-8 m/s²."""
    run = mk.simulate(door(apart), 1.0, every=0.1, formulation=formulation)
    assert run.health.trusted
    for quantity, close in (("position", 8e-8), ("velocity", 8e-8), ("angular_velocity", 8e-8), ("acceleration", 5e-7)):
        found, expected = (one.numbers(f"door.{quantity}") for one in (run, exact))
        np.testing.assert_allclose(found, expected, rtol=0, atol=close, err_msg=quantity)


def test_loads_of_bearings_side_by_side(exact):
    """The moment that the pin carries, M, and the forces at balls 1 mm apart, F: M = Σ r × F about the pin's point, across its
    axis (along it, balls share a load that is not unique). 1e-6 of 5000 N, which act on an arm of 1 mm."""
    run = mk.simulate(door(1e-3), 1.0, every=0.1, formulation="absolute")
    arm = np.array([0.0, 1e-3, 0.0])
    upper = run.reaction("upper")["force"].values
    moment = exact.reaction("hinge")["moment"].values
    assert np.abs(upper).max() > 1e3
    np.testing.assert_allclose(np.cross(arm, upper)[:, [0, 2]], moment[:, [0, 2]], rtol=0, atol=5e-6)


@pytest.mark.parametrize("start", [0.05, 5e-3, 5e-4])
@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_a_start_beside_a_singular_position(formulation, start):
    """Parallel cranks fall through the flat position, so many radians from where they begin. Rows are weak at the start only, and
    soft where they cross. Oracle: while cranks stay parallel they move as one pendulum. 1e-5 rad, as other crossings."""
    s = mk.System("parallel cranks", planar="zx")
    along = np.array([np.cos(start), 0.0, np.sin(start)])
    for name, x in (("left", 0.0), ("right", 1.0)):
        s.body(name, 1.0, (0.1, 0.1, 0.1), position=(x, 0, 0) + along / 2)
        s.pin(f"{name} foot", s.ground, name, at=(x, 0, 0), axis="y", **({"rate": 1.0} if x == 0 else {}))
    s.body("coupler", 1.0, (0.1, 0.1, 0.1), position=(0.5, 0, 0) + along)
    for name, x in (("left", 0.0), ("right", 1.0)):
        s.pin(f"{name} tip", name, "coupler", at=(x, 0, 0) + along, axis="y")
    run = mk.simulate(s, 0.5, every=[0.5], formulation=formulation)
    inertia, torque = 2 * (0.1 + 0.25) + 1.0, 2 * 9.81
    exact = solve_ivp(
        lambda t, y: (y[1], torque * np.cos(y[0]) / inertia), (0, 0.5), (-start, 1.0), rtol=1e-12, atol=1e-14
    )
    assert float(run["left foot.angle"][-1]) == pytest.approx(exact.y[0, -1] + start, abs=1e-5)
