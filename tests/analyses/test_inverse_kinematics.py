"""Inverse kinematics. Oracles: forward kinematics of the PUMA 560 as the gallery builds it from Denavit–Hartenberg; the
law of cosines."""

import linkages
import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError
from mekane.formulations import NAMES as FORMULATIONS
from mekane.gallery import puma560

everywhere = pytest.mark.parametrize("formulation", FORMULATIONS)


@pytest.mark.parametrize("seed", range(6))
def test_puma_round_trip(seed):
    q = np.random.default_rng(seed).uniform(-1.5, 1.5, 6) + np.array(puma560.NOMINAL)
    hand = puma560.system(q).bodies["link6"]
    found = mk.inverse_kinematics(puma560.system(), {"link6": {"position": hand.position, "orientation": hand.R_NB}})
    again = puma560.system(found.q).bodies["link6"]
    assert np.abs(again.position - hand.position).max() < 1e-10 and np.abs(again.R_NB - hand.R_NB).max() < 1e-10
    assert np.abs(found.system.bodies["link6"].position - hand.position).max() < 1e-10
    assert list(found.coordinates) == [f"joint{k}.angle" for k in range(1, 7)]


def test_puma_from_near_finds_the_same_configuration():
    """From nearby the configuration is that from which the hand was computed."""
    q = np.array([0.3, 0.5, 2.9, 0.4, 0.9, -0.2])
    hand = puma560.system(q).bodies["link6"]
    found = mk.inverse_kinematics(
        puma560.system(), {"link6": {"position": hand.position, "orientation": hand.R_NB}}, at=q + 0.1
    )
    assert np.abs(found.q - q).max() < 1e-10


def test_joints_to_spare_stay_near_their_start():
    """Position alone leaves three joints free; those of the wrist do not move its origin, so that they stay (1e-12: no
    step along them)."""
    q = np.array(puma560.NOMINAL) + 0.2
    wrist = puma560.system(q).bodies["link6"].position
    found = mk.inverse_kinematics(puma560.system(), {"link6.position": wrist})
    assert np.abs(found.q[3:] - puma560.NOMINAL[3:]).max() < 1e-12
    assert np.abs(puma560.system(found.q).bodies["link6"].position - wrist).max() < 1e-10


def test_a_point_of_the_tool_and_where_to_start():
    s, tool = puma560.system(), (0, 0, 0.2)
    target = np.array([0.4, 0.3, 0.9])
    for at in (None, puma560.NOMINAL, {"joint2": "30 deg", "joint3": "150 deg"}):
        found = mk.inverse_kinematics(s, {"link6": {"position": target, "point": tool}}, at=at).system.bodies["link6"]
        assert np.abs(found.position + found.R_NB @ tool - target).max() < 1e-10


@everywhere
def test_a_closed_loop(formulation):
    """A four-bar's crank is requested by the height of the coupler's middle; checked by the closed form of the
    linkage."""
    bar, theta = (0.4, 1.0, 0.8, 0.9), 1.2
    middle = lambda theta: 0.4 * linkages.turn(theta) + 0.5 * linkages.turn(linkages.coupler_angle(*bar, theta))
    found = mk.inverse_kinematics(
        linkages.four_bar(*bar, 1.5), {"coupler.position.y": middle(theta)[1]}, formulation=formulation
    )
    assert np.abs(found.system.bodies["coupler"].position[:2] - middle(theta)).max() < 1e-10 and found.residual < 1e-12


def test_out_of_reach():
    """The wrist reaches √(d3² + (a2 + √(a3² + d4²))²) from the shoulder."""
    reach = np.hypot(0.15005, 0.4318 + np.hypot(0.0203, 0.4318))
    with pytest.raises(ModelError, match="cannot be reached; the nearest found: link6.position") as problem:
        mk.inverse_kinematics(puma560.system(), {"link6.position": (2, 0, 0.67183)})
    assert f"link6.position {2 - reach:.6g} m away" in str(problem.value)


@pytest.mark.parametrize(
    "targets, message",
    [
        ({"hand.position": (1, 2, 3)}, "there is no position 'hand.position'"),
        ({"link6": {"positon": (1, 2, 3)}}, "Did you mean 'position'"),
        ({"link6": {"point": (1, 2, 3)}}, "a position or an orientation"),
        ({"lnik6": {"position": (1, 2, 3)}}, "Did you mean 'link6'"),
        ({"link6.position": (1, 2)}, "3 components"),
        ({}, "names and places"),
    ],
)
def test_bad_targets(targets, message):
    with pytest.raises(ModelError, match=message):
        mk.inverse_kinematics(puma560.system(), targets)


def test_bad_start():
    with pytest.raises(ModelError, match="q has 2 numbers"):
        mk.inverse_kinematics(puma560.system(), {"link6.position": (0.3, 0, 0.7)}, at=[1, 2])
