"""One design for several scenarios: mk.optimize(…, over=…, robust=…).

Oracle: a spring under a load F rests at F/k, so that with the compliance y = 1/k all answers are closed forms,

    mean of (F y − a)²:   y = a ΣF/ΣF²            worst of (F y − a)²:   y = 2 a/(F₁ + Fₙ)

to 1e-9 beside k (worst, mean of squares: SLSQP ends where the objective changes by 1e-14, k by the root of it, 1e-7).
"""

import numpy as np
import pytest

import mekane as mk

A = 0.7
LOADS = [1.0, 2.0, 3.0]
NEAR = dict(rel=1e-9, abs=0)
ROOT = dict(rel=3e-7, abs=0)


@pytest.fixture(scope="module")
def spring():
    s = mk.System("spring", gravity=(0, 0, 0), parameters={"k": 2.0, "load": 1.0})
    block = s.body("block", mass=1.0)
    s.slider("rail", s.ground, block, axis="x")
    s.motor("drive", "rail", force="load - k*rail.displacement")
    return s


def rest(design):
    return design.rest("rail.displacement")


def miss(design):
    return (rest(design) - A) ** 2


def best_mean(loads):
    return np.sum(np.square(loads)) / (A * np.sum(loads))


def test_the_mean_as_least_squares(spring):
    found = mk.optimize(spring, {"k": (0.1, 50)}, lambda d: [rest(d) - A], over={"load": LOADS})
    assert found.parameters["k"] == pytest.approx(best_mean(LOADS), **NEAR)
    least = np.mean((np.array(LOADS) / best_mean(LOADS) - A) ** 2)
    assert found.objective == pytest.approx(least, rel=1e-12)


def test_the_mean_as_a_program(spring):
    found = mk.optimize(spring, {"k": (0.1, 50)}, miss, over=[{"load": load} for load in LOADS])
    assert found.parameters["k"] == pytest.approx(best_mean(LOADS), **ROOT)


def test_the_worst(spring):
    found = mk.optimize(spring, {"k": (0.1, 50)}, miss, over={"load": LOADS}, robust="worst")
    assert found.parameters["k"] == pytest.approx((LOADS[0] + LOADS[-1]) / (2 * A), **ROOT)
    assert found.objective == pytest.approx((A / 2) ** 2, rel=1e-6)  # its gradient is not zero there


def test_constraints_hold_in_every_scenario(spring):
    limit = (rest, None, 0.5)
    for robust in ("mean", "worst"):
        given = dict(over={"load": LOADS}, robust=robust, constraints=[limit])
        found = mk.optimize(spring, {"k": (0.1, 50)}, miss, **given)
        assert found.parameters["k"] == pytest.approx(LOADS[-1] / 0.5, **ROOT)


def test_a_distribution_stands_for_five_values(spring):
    found = mk.optimize(spring, {"k": (0.1, 50)}, lambda d: [rest(d) - A], over={"load": mk.uniform(1, 3)})
    assert found.parameters["k"] == pytest.approx(best_mean([1.2, 1.6, 2.0, 2.4, 2.8]), **NEAR)


def test_numbers_of_parts_and_units(spring):
    found = mk.optimize(
        spring, {"k": (0.1, 50)}, lambda d: [rest(d) - A], over={"load": ["1 N", "2 N"], "block.mass": [1, 2]}
    )
    assert found.parameters["k"] == pytest.approx(best_mean([1, 2]), **NEAR)


@pytest.mark.parametrize(
    "given, message",
    [
        (dict(over={"laod": [1]}), "load"),
        (dict(over={"k": [1]}), "both found and given"),
        (dict(over={"load": []}), "no values"),
        (dict(over={}), "nothing is given"),
        (dict(over=[{"load": 1}, {"block.mass": 1}]), "same names"),
        (dict(over=[1, 2]), "a list of up to"),
        (dict(over={"load": [float("nan")]}), "load"),
        (dict(over={"load": list(range(5000))}), "5000 combinations"),
        (dict(over={"load": [1]}, robust="best"), "mean, worst"),
    ],
)
def test_bad_input_is_answered(spring, given, message):
    with pytest.raises(mk.MekaneError, match=message):
        mk.optimize(spring, {"k": (0.1, 50)}, miss, **given)


def test_a_fit_has_one_scenario(spring):
    with pytest.raises(mk.ModelError, match="the measured one"):
        mk.optimize(spring, ["k"], fit={"times": [0.1], "rail.displacement": [0.1]}, over={"load": [1]})
