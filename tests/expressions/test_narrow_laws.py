"""Laws of the state between samples of a motion: what may be narrow, enclosures of inputs, features that are found.

Oracles: a cubic is its own interpolation; values at many places lie within enclosures; features are where they were put."""

import numpy as np
import pytest

from mekane.expressions.narrow_laws import NarrowLaws, motion
from mekane.expressions.parse import parse
from mekane.expressions.table import Table
from mekane.expressions.tape import tape

INPUTS = ("t", "x", "v")


def narrow(text, **names):
    program = tape([parse(text, names)] if names else [parse(text)], INPUTS)
    return NarrowLaws(program, 0, program.outputs.tolist()), program.registers()


def flight(n=101, speed=1.0):
    """x = speed · t from 0 to 1."""
    t = np.linspace(0.0, 1.0, n)
    return motion(t, {0: t, 1: speed * t, 2: np.full(n, speed)}, np.zeros(n - 1, bool))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("3*x + 2*v", False), ("x*v", False), ("sin(t)", False), ("exp(-t)", False), ("1 if x > 0 else 2", False),
        ("abs(x)*v", False), ("x/2", False), ("exp(x)", True), ("1/x", True), ("tanh(v)", True),
        ("1 if x**2 < 1 else 0", True), ("1 if x > 0.1*v else 0", False),
    ],
)  # fmt: skip
def test_what_may_be_narrow(text, expected):
    assert bool(narrow(text)[0]) == expected


def test_terms_are_looked_at_by_themselves():
    laws, _ = narrow("1e6 + 3*x - 2*(exp(x) + v)/4")
    assert len(laws.terms) == 1


def test_a_cubic_motion_is_interpolated_and_enclosed():
    """The parabola through three samples gives rates that are exact for parabolas."""
    t, rng = np.linspace(0.0, 2.0, 21), np.random.default_rng(0)
    curve = lambda t: 1.0 - 3.0 * t + 2.0 * t**2
    moved = motion(t, {1: curve(t)}, np.zeros(20, bool))
    number, share = rng.integers(1, 19, 200), rng.uniform(size=(2, 200))
    at = t[number] + share * 0.1
    assert moved.at(number, share[0])[1] == pytest.approx(curve(at[0]), abs=1e-14)
    low, high = moved.ranges(number, share.min(axis=0), share.max(axis=0))[1]
    middle = curve(at.mean(axis=0))
    assert (low <= middle + 1e-14).all() and (middle <= high + 1e-14).all()


def test_rates_are_not_taken_across_a_discontinuity():
    t = np.linspace(0.0, 1.0, 11)
    x, discontinuous = np.where(t < 0.45, t, -t), np.arange(10) == 4
    moved = motion(t, {1: x}, discontinuous)
    assert moved.at(np.array([3, 5]), np.array([0.5, 0.5]))[1] == pytest.approx([0.35, -0.55], abs=1e-15)


@pytest.mark.parametrize("width", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize(
    "law",
    ["exp(-((x - 0.5037)/{0})**2)", "1 if (x - 0.5037)**2 < {0}**2 else 0", "1e-9*v/((x - 0.5037)**2 + {0}**2)"],
    ids=["Gauss", "square", "Lorentz"],
)
def test_a_feature_is_found_however_narrow(law, width):
    laws, r = narrow(law.format(width))
    feature, decided = laws.passed_over(flight(), r, None)
    assert decided and feature.begin <= 0.5037 <= feature.end
    assert feature.end - feature.begin < 0.041  # a few samples


def test_a_feature_of_a_table_is_found():
    points = [(-1.0, 0.0), (0.50369, 0.0), (0.5037, 1.0), (0.50371, 0.0), (2.0, 0.0)]
    table = Table(*zip(*points, strict=True))
    program = tape([table(parse("x"))], INPUTS)
    feature, _ = NarrowLaws(program, 0, program.outputs.tolist()).passed_over(flight(), program.registers(), None)
    assert feature.begin < 0.5037 < feature.end


def test_a_spike_at_one_sample_is_a_feature():
    """Steps of four samples may have seen nothing of it."""
    laws, r = narrow("exp(-((x - 0.5)/1e-3)**2)")
    feature, _ = laws.passed_over(flight(), r, None)
    assert feature.begin < 0.5 < feature.end


@pytest.mark.parametrize(
    "text", ["exp(3*x)", "tanh(20*(x - 0.5))", "1/(0.01 + x**2)", "x/(x**2 + v**2)**1.5", "x/abs(x)", "atan(x)*exp(-x)"]
)
def test_laws_that_samples_resolve_have_no_features(text):
    laws, r = narrow(text)
    moved = flight(201)
    moved.x[1][:] -= 0.3
    assert laws.passed_over(motion(moved.t, moved.x, moved.discontinuous), r, None) == (None, True)


def test_a_discontinuity_of_the_state_is_no_feature():
    """The speed reverses in an impact: it is never zero."""
    laws, r = narrow("exp(-(100*v)**2)")
    moved = flight()
    moved.x[2][50:] = -1.0
    assert laws.passed_over(motion(moved.t, moved.x, np.arange(100) == 49), r, None)[0] is None
    assert laws.passed_over(moved, r, None)[0] is not None


@pytest.mark.parametrize(
    "text",
    [
        "tanh((x - 0.5037)/1e-8) - tanh((x - 0.503701)/1e-8)",
        "1e6 - 3*(tanh((x - 0.5037)/1e-8) - tanh((x - 0.503701)/1e-8))",
    ],
)
def test_a_pulse_of_two_steps_is_found(text):
    """Each of the steps is as it is at the samples before or after it."""
    laws, r = narrow(text)
    feature, _ = laws.passed_over(flight(), r, None)
    assert feature.begin < 0.5037 < feature.end
