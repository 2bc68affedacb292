"""Motions of all scenarios of a search at once, on lanes. Oracles: the derivatives of closed forms; the same motions one by one,
whose derivatives are dual numbers."""

import numpy as np
import pytest

import mekane as mk
from mekane.analyses.optimize.design import Design
from mekane.analyses.optimize.design_space import Box
from mekane.analyses.optimize.lane_motions import ScenarioMotions

TIMES = (0.4, 1.0, 1.7)


def oscillator(law="-k*rail.displacement"):
    s = mk.System("oscillator", gravity=(0, 0, 0), parameters={"k": 4.0, "v": 1.0})
    s.slider("rail", s.ground, s.body("block", mass=1.0), axis="x", rate="$v")
    s.motor("spring", "rail", force=law)
    return s


def double_pendulum():
    """Places at the start, masses and a damper depend on what varies."""
    s = mk.System("pendulum", parameters={"l": 0.8, "c": 0.1, "load": 1.0})
    upper = s.body("upper", mass="$load", inertia=(0.02, 0.02, 0.001), position=("$0.6*l", 0, "$-0.8*l"))
    s.pin("shoulder", s.ground, upper, at=(0, 0, 0), axis="y")
    lower = s.body("lower", mass=0.5, inertia=(0.01, 0.01, 0.001), position=("$1.2*l", 0.1, "$-1.6*l"))
    s.pin("elbow", upper, lower, at=("$0.6*l", 0, "$-0.8*l"), axis=(0, 1, 0.3))
    s.torsional_damper("friction", "elbow", damping="c")
    return s


def motions(system, names, over, quantities, values):
    box = Box(system, names, over)
    return box, ScenarioMotions(box, "joint", 1e-10).at(values, quantities, TIMES)


def test_derivatives_of_a_closed_form():
    """x = v/w sin(w t), w² = k:  dx/dk = v/(2 k) (t cos(w t) − sin(w t)/w),  dx/dv = x/v."""
    _, found = motions(oscillator(), ["k", "v"], {"block.mass": [1.0, 2.0, 4.0]}, ("rail.displacement",), (4.0, 1.5))
    t = np.array(TIMES)
    for mass, (values, derivatives) in zip((1.0, 2.0, 4.0), found, strict=True):
        k, v = 4.0 / mass, 1.5
        w = np.sqrt(k)
        x = v / w * np.sin(w * t)
        by_k = v / (2 * k) * (t * np.cos(w * t) - np.sin(w * t) / w) / mass
        assert np.abs(values[:, 0] - x).max() < 1e-9 and np.abs(derivatives[:, 0, 1] - x / v).max() < 1e-9
        assert np.abs(derivatives[:, 0, 0] - by_k).max() < 1e-9  # ten times the tolerance


def test_motions_are_those_one_by_one():
    quantities = ("elbow.angle", "lower.position.x", "shoulder.angle.rate")
    box, found = motions(
        double_pendulum(), ["l", "c"], {"load": [0.7, 1.3], "lower.mass": [0.4, 0.6]}, quantities, (0.9, 0.2)
    )
    assert len(found) == 4
    for scenario, (values, derivatives) in zip(box.scenarios, found, strict=True):
        alone = Design(box.at((0.9, 0.2), scenario), box.names, rtol=1e-10).motion(quantities, TIMES)
        assert np.abs(values - alone[0]).max() < 1e-8 and np.abs(derivatives - alone[1]).max() < 1e-8


LAWS = ["-k*max(rail.displacement, 0)", "-k*rail.displacement + floor(t + k)", "atan2(sin(k*t), cos(k*t))"]


@pytest.mark.parametrize("law", LAWS)
def test_laws_that_are_not_smooth_are_left_to_runs_one_by_one(law):
    """The instants at which they change move with the parameters, and derivatives have discontinuities there."""
    _, found = motions(oscillator(law), ["k"], {"v": [1.0, 2.0]}, ("rail.displacement",), (4.0,))
    assert found == [None, None]


def test_a_search_with_motions():
    """Through a = 0.3 at t = 0.5, in the mean of speeds v: (v s − a)² least at s = a Σv/Σv², s = sin(w/2)/w."""
    v, a = np.array([0.6, 0.8, 1.0]), 0.3
    miss = lambda d: [d.at("rail.displacement", 0.5) - a]
    found = mk.optimize(oscillator(), {"k": (0.5, 20.0)}, miss, over={"v": v})
    w = np.sqrt(found.parameters["k"])
    assert np.sin(w / 2) / w == pytest.approx(a * v.sum() / (v**2).sum(), rel=1e-8)
