"""Parameters that make a configuration an equilibrium, against moments written by hand. Laws are linear in them: one step,
round-off is left."""

import numpy as np
import pytest

import mekane as mk
from mekane import formulations

G = 9.81


def arm():
    """Two links of 1 m along x; torques lift them when negative (about +y)."""
    s = mk.System("arm")
    upper = s.body("upper", 2.0, (0.1, 0.1, 0.1), position=(0.5, 0, 0))
    fore = s.body("fore", 1.0, (0.1, 0.1, 0.1), position=(1.5, 0, 0))
    s.pin("shoulder", s.ground, upper, at=(0, 0, 0), axis="y")
    s.pin("elbow", upper, fore, at=(1, 0, 0), axis="y")
    s.motor("lift", "shoulder", torque=0.0)
    s.motor("bend", "elbow", torque=0.0)
    return s


def moments(shoulder, elbow):
    """Torques that hold the arm with these angles below the horizontal."""
    far = G * 0.5 * np.cos(shoulder + elbow)
    return -(2 * G * 0.5 + G) * np.cos(shoulder) - far, -far


@pytest.mark.parametrize("formulation", formulations.NAMES)
def test_torques_that_hold_a_configuration(formulation):
    found = mk.equilibrium(
        arm(),
        solve_for=["lift.torque", "bend.torque"],
        at={"shoulder": "20 deg", "elbow": 0.5},
        formulation=formulation,
    )
    expected = moments(np.radians(20), 0.5)
    assert (found.parameters["lift.torque"], found.parameters["bend.torque"]) == pytest.approx(expected, rel=1e-11)
    assert (found["shoulder.angle"], found["elbow.angle"]) == pytest.approx((np.radians(20), 0.5), abs=1e-10)
    assert "lift.torque" in str(found)


def test_the_system_it_hands_back_rests():
    found = mk.equilibrium(arm(), solve_for=["lift.torque", "bend.torque"], at={"elbow": 0.5})
    again = mk.equilibrium(found.system)
    assert again["elbow.angle"] == pytest.approx(0.5, abs=1e-12)


def test_what_is_not_held_finds_its_place():
    """Only the shoulder is held; the free forearm hangs down, so the torque bears both masses at their arms."""
    found = mk.equilibrium(arm(), solve_for=["lift.torque"], hold={"shoulder": "30 deg"})
    assert found["shoulder.angle"] == pytest.approx(np.radians(30), abs=1e-12)
    assert found["elbow.angle"] == pytest.approx(np.radians(60), abs=1e-10)
    assert found.parameters["lift.torque"] == pytest.approx(-2 * G * np.cos(np.radians(30)), rel=1e-10)


def test_a_stiffness_can_be_found():
    s = arm()
    s.torsional_spring("band", "elbow", 5.0)
    found = mk.equilibrium(s, solve_for=["lift.torque", "band.stiffness"], hold={"shoulder": 0.2, "elbow": 0.5})
    assert found.parameters["band.stiffness"] == pytest.approx(G * 0.5 * np.cos(0.7) / 0.5, rel=1e-10)


def test_more_parameters_than_needed_take_their_smallest_values():
    """Two motors on one hinge share its torque equally."""
    s = arm()
    s.motor("help", "shoulder", torque=0.0)
    found = mk.equilibrium(s, solve_for=["lift.torque", "help.torque", "bend.torque"], at={"elbow": 0.5})
    half = moments(0, 0.5)[0] / 2
    assert (found.parameters["lift.torque"], found.parameters["help.torque"]) == pytest.approx((half, half), rel=1e-11)
    assert "3 parameters for 2 conditions" in str(found)


def test_a_closed_loop():
    """Slider-crank: the gas force that balances a torque M at crank angle θ, by virtual work: F = M / (dx/dθ)."""
    s = mk.System("engine", gravity=(0, 0, 0))
    r, l = 0.1, 0.3
    crank = s.body("crank", 1.0, (0.01, 0.01, 0.01), position=(r / 2, 0, 0))
    rod = s.body("rod", 1.0, (0.01, 0.01, 0.01), position=(r + l / 2, 0, 0))
    piston = s.body("piston", 1.0, (0.01, 0.01, 0.01), position=(r + l, 0, 0))
    s.pin("main", s.ground, crank, at=(0, 0, 0), axis="z")
    s.pin("big end", crank, rod, at=(r, 0, 0), axis="z")
    s.pin("wrist", rod, piston, at=(r + l, 0, 0), axis="z")
    s.slider("bore", s.ground, piston, at=(0, 0, 0), axis="x")
    s.motor("load", "main", torque=2.0)
    s.motor("gas", "bore", force=0.0)
    angle = np.radians(40)
    found = mk.equilibrium(s, solve_for="gas.force", at={"main": angle})
    slope = -r * np.sin(angle) - r**2 * np.sin(angle) * np.cos(angle) / np.sqrt(l**2 - (r * np.sin(angle)) ** 2)
    assert found["main.angle"] == pytest.approx(angle, abs=1e-12)
    assert found.parameters["gas.force"] == pytest.approx(-2.0 / slope, rel=1e-10)


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            dict(solve_for=["lift.torque"]),
            "nothing balances 4.905 N m along elbow.angle; 'lift.torque' leaves 1 of 2 freedoms unbalanced",
        ),
        (dict(solve_for=["torque"]), "'torque' is not a parameter"),
        (dict(solve_for=["lift.torqe"]), "Did you mean 'torque'"),
        (dict(solve_for=["upper.mass"]), "built into the model"),
        (dict(hold={"shoulder": 0.1}), "solve_for= names them"),
        (dict(solve_for=["bend.torque"], hold={"shoulder": 0.0}), "balance"),
    ],
)
def test_bad_input(keywords, message):
    with pytest.raises(mk.ModelError) as error:
        mk.equilibrium(arm(), **keywords)
    assert message in str(error.value)
