"""Assembly with pins. Oracles: geometry of the closed forms in linkages.py. A closed loop is one to 1e-12 of lengths of
order one; what is nearest is a minimum, whose value is given to nine digits in the message."""

import json
import re
from dataclasses import replace

import linkages
import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError
from mekane.formulations import NAMES as FORMULATIONS
from mekane.importers.yaml import from_dict

everywhere = pytest.mark.parametrize("formulation", FORMULATIONS)
BAR = (0.4, 1.0, 0.8, 0.9)


def reached(message, problem):
    return float(re.search(rf"{message} (-?[\d.e-]+)", str(problem)).group(1))


@everywhere
def test_a_pinned_crank(formulation):
    found = mk.assemble(linkages.slider_crank(), main="30 deg", formulation=formulation)
    x = linkages.slider_place(np.pi / 6)[0]
    assert abs(found.system.bodies["block"].position[0] - x) < 1e-12 and found.residual < 1e-12
    assert found.pinned["main.angle"] == pytest.approx((np.pi / 6, np.pi / 6), abs=1e-12)
    assert abs(found.moved["crank"][1] - (np.pi / 6 - 0.4)) < 1e-12
    assert mk.assemble(found.system).moved["rod"] == pytest.approx((0, 0), abs=1e-12)  # it stays there


@everywhere
@pytest.mark.parametrize("seed", range(4))
def test_from_far(formulation, seed):
    """Drawn wrongly by half a metre and sixty degrees, and the crank pinned."""
    s = linkages.four_bar(*BAR, 1.5, shift=0.5, tilt=np.radians(60), seed=seed)
    found = mk.assemble(s, {"main": "70 deg"}, formulation=formulation)
    crank, rocker = found.system.bodies["crank"], found.system.bodies["rocker"]
    knee = crank.position + crank.R_NB @ (0.2, 0, 0)
    tip, foot = (rocker.position + rocker.R_NB @ (x, 0, 0) for x in (0.4, -0.4))
    assert np.abs(knee - [*(0.4 * linkages.turn(np.radians(70))), 0]).max() < 1e-12
    assert abs(np.linalg.norm(tip - knee) - 1.0) < 1e-12 and np.abs(foot - [0.9, 0, 0]).max() < 1e-12


def test_any_named_position_can_be_pinned():
    s = linkages.slider_crank()
    s.spring("return", (s.ground, (2, 0.1, 0)), ("block", (0, 0, 0)), stiffness=5.0, length=0.1)
    for pins in ({"guide": "0.9 m"}, {"block.position.x": 0.9}, {"return.length": 1.1}, {"wrist.point.x": 0.9}):
        found = mk.assemble(s, pins)
        assert abs(found.system.bodies["block"].position[0] - 0.9) < 1e-12
    free = mk.System("stone")
    free.body("stone", 1.0, (0.1, 0.1, 0.1))
    found = mk.assemble(free, {"stone.position": (1, "20 cm", 3), "stone.orientation": ("z", "90 deg")}).system.bodies[
        "stone"
    ]
    assert (
        np.abs(found.position - (1, 0.2, 3)).max() < 1e-12 and np.abs(found.R_NB @ (1, 0, 0) - (0, 1, 0)).max() < 1e-12
    )


def test_whole_turns_do_not_matter():
    found = mk.assemble(linkages.slider_crank(), main="750 deg")
    assert abs(found.system.bodies["block"].position[0] - linkages.slider_place(np.pi / 6)[0]) < 1e-12
    assert abs(found.pinned["main.angle"][1] - np.radians(750)) < 1e-12


def test_only_places_change():
    """Parameters, velocities, joints and forces stay; the new system can be saved, read, and changed."""
    s = mk.System("arm", parameters={"m": 2.0})
    s.body("upper", "$m", (0.1, 0.1, 0.1), position=(0.5, 0, 0), angular_velocity=(0, 0, 3))
    s.body("fore", "$m/2", (0.1, 0.1, 0.1), position=(1.5, 0, 0))
    s.pin("shoulder", s.ground, "upper", at=(0, 0, 0), axis="z")
    s.pin("elbow", "upper", "fore", at=(1, 0, 0), axis="z")
    new = mk.assemble(s, shoulder="90 deg", elbow="-90 deg").system
    assert new is not s and s.bodies["fore"].position[0] == 1.5
    assert np.abs(new.bodies["fore"].position - (0.5, 1, 0)).max() < 1e-12
    assert new.joints == s.joints and new.bodies["upper"].angular_velocity[2] == 3 and new.bodies["upper"].mass == 2
    again = from_dict(new.to_dict())
    assert again.bodies == new.bodies and again.joints == new.joints
    heavier = new.with_parameters(m=3.0)
    assert heavier.bodies["fore"].mass == 1.5 and heavier.joints == s.joints
    assert np.abs(heavier.bodies["fore"].position - (0.5, 1, 0)).max() < 1e-12


def test_a_length_taken_from_the_drawing_stays():
    """A distance without a length took it from the positions drawn; the moved system, built again, has the same."""
    s = mk.System("swing", parameters={"m": 2.0})
    s.body("seat", "$m", (0.1, 0.1, 0.1), position=(3, 0, -4))
    s.distance("rope", (s.ground, (0, 0, 0)), ("seat", (0, 0, 0)))
    new = mk.assemble(s, {"seat.position.x": 0.0, "seat.position.y": 0.0}).system
    assert np.abs(new.bodies["seat"].position - (0, 0, -5)).max() < 1e-9
    assert new.with_parameters(m=1.0).constraints == s.constraints == new.constraints


def test_speeds_that_do_not_fit_are_reported():
    s = linkages.slider_crank()
    assert mk.assemble(s, main="30 deg").speed_gap == 0.0
    s.bodies["block"] = replace(s.bodies["block"], velocity=np.array([0.0, 1.0, 0.0]))
    found = mk.assemble(s, main="30 deg")
    assert found.speed_gap == pytest.approx(1.0) and "a run starts from the nearest" in str(found)


def test_it_shows_itself():
    found = mk.assemble(linkages.slider_crank(), main="30 deg")
    assert "main.angle" in str(found) and "block" in str(found)
    assert json.loads(json.dumps(found.to_dict()))["pinned"]["main.angle"]["wanted"] == pytest.approx(np.pi / 6)


# ---------------------------------------------------------------- what cannot be


@everywhere
def test_a_pin_out_of_reach(formulation):
    """The slider ends where crank and rod are in line."""
    with pytest.raises(
        ModelError, match="pin 'guide.displacement': it cannot be 2.0; the nearest value it can have"
    ) as problem:
        mk.assemble(linkages.slider_crank(), guide=2.0, formulation=formulation)
    assert reached("can have is", problem.value) == pytest.approx(np.sqrt(1.1**2 - 0.1**2), abs=1e-8)


def test_pins_that_contradict_each_other():
    """With the crank held there are two places for the slider, mirror images in the crank's end; the nearer one is
    given."""
    with pytest.raises(ModelError, match="cannot be 0.2 while 'main.angle' is as pinned") as problem:
        mk.assemble(linkages.slider_crank(), main="30 deg", guide=0.2)
    x, knee = linkages.slider_place(np.pi / 6)[0], 0.3 * np.cos(np.pi / 6)
    assert reached("can have is", problem.value) == pytest.approx(2 * knee - x, abs=1e-8)


def test_a_point_out_of_reach():
    s = mk.System("arm")
    s.body("arm", 1.0, (0.1, 0.1, 0.1), position=(1, 0, 0))
    s.ball("shoulder", s.ground, "arm", at=(0, 0, 0))
    with pytest.raises(ModelError, match=r"the nearest point is 4 m away, at \(0.6, 0.8, 0.0\)|is 4 m away"):
        mk.assemble(s, {"arm.position": (3, 4, 0)})


def test_links_that_cannot_meet():
    with pytest.raises(ModelError, match="open|cannot"):
        mk.assemble(stretched())


def stretched():
    """Links 0.4, 1.0 and 0.8 over a base of 3."""
    s = linkages.four_bar(*BAR, 1.5)
    s.joints["foot"] = replace(s.joints["foot"], p_AF=np.array([3.0, 0, 0]))
    return s


@pytest.mark.parametrize(
    "pins, message",
    [
        ({"mian": 1}, "there is no position 'mian'.*Did you mean 'main'"),
        ({"main": "3 mm"}, "not a unit of angle"),
        ({"main": float("inf")}, "not a finite number"),
        ({"main": 1, "main.angle": 1}, "pinned twice"),
        ({"block.position": (1, 2)}, "3 components"),
        ([1, 2], "names and values"),
    ],
)
def test_bad_pins(pins, message):
    with pytest.raises(ModelError, match=message):
        mk.assemble(linkages.slider_crank(), pins)
