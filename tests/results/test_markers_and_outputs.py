"""Markers and outputs: points with names, and expressions with names, in results, laws and constraints.

Oracles: a body fixed to the same place by a weld, whose quantities are computed by its own row of the tables, and
NumPy on the channels an output reads. Tolerances: round-off, apart from motions, which meet ten times rtol.
"""

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ExpressionError, ModelError
from mekane.formulations import NAMES as FORMULATIONS

AT, TURN = (0.3, -0.2, 0.5), ((1, 2, 2), 0.8)
QUANTITIES = ("position", "velocity", "acceleration", "angular_velocity", "angular_acceleration")


def arm(law=None):
    """A body on a universal joint, whose frame is turned, with a marker and, in the same place, a small welded body."""
    s = mk.System("arm")
    body = s.body("arm", 2.0, (0.3, 0.2, 0.25), com=(0.1, 0, 0.2), orientation=("x", 0.4), angular_velocity=(1, 2, -1))
    s.ball("socket", s.ground, body, at=(0, 0, 0))
    twin = s.body("twin", 1e-3, (1e-6, 1e-6, 1e-6), position=(9, 9, 9))
    s.weld("glue", body, twin, on_a=AT, on_b=(0, 0, 0), frame_a=TURN, frame_b=("z", 0.0))
    s.marker("tip", body, at=AT, orientation=TURN)
    if law is not None:
        s.force("push", body, law)
    return s


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_marker_moves_as_a_body_welded_there(formulation):
    run = mk.simulate(arm(), 1.0, every=0.1, formulation=formulation)
    for quantity in QUANTITIES:
        assert run[f"tip.{quantity}"].values == pytest.approx(run[f"twin.{quantity}"].values, abs=2e-8), quantity
        assert run[f"tip.{quantity}"].units == run[f"twin.{quantity}"].units
    same = np.abs(np.sum(run["tip.orientation"].values * run["twin.orientation"].values, axis=1))
    assert same == pytest.approx(np.ones(len(same)), abs=1e-12)
    for axis in "xyz":
        assert run[f"tip.orientation.{axis}"].values == pytest.approx(run[f"twin.orientation.{axis}"].values, abs=1e-8)
        assert run[f"tip.orientation.twin.{axis}"].values == pytest.approx(np.zeros(len(run.t)), abs=1e-8)
    assert run["tip.position"].long_name == "position of the origin of marker 'tip', world axes"


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_laws_read_markers(formulation):
    """A law of the marker gives the motion that the same law of the welded body gives."""
    law = lambda one: (
        f"-5*{one}.position.x - {one}.velocity.y",
        f"{one}.angular_velocity.z - 2*{one}.orientation.x",
        f"-{one}.orientation.arm.z",
    )
    runs = [mk.simulate(arm(law(one)), 1.0, every=0.1, formulation=formulation) for one in ("tip", "twin")]
    assert runs[0]["tip.position"].values == pytest.approx(runs[1]["tip.position"].values, abs=1e-7)
    assert runs[0]["push.force"].values == pytest.approx(runs[1]["push.force"].values, abs=1e-6)


def test_constraints_read_markers():
    s = mk.System("slide")
    body = s.body("bar", 1.0, (0.1, 0.1, 0.1), velocity=(1, 0, 0))
    s.marker("end", body, at=(0.5, 0, 0))
    s.position_constraint("on a parabola", "end.position.z - (end.position.x - 0.5)**2")
    run = mk.simulate(s, 1.0, every=0.1)
    x, z = run["end.position.x"].values, run["end.position.z"].values
    assert z == pytest.approx((x - 0.5) ** 2, abs=1e-9)


def test_a_marker_of_the_ground():
    s = arm()
    s.marker("post", s.ground, at=(1, 2, 3), orientation=("z", 0.5))
    run = mk.simulate(s, 0.2, every=0.1)
    assert run["post.position"].values == pytest.approx(np.tile((1.0, 2.0, 3.0), (3, 1)))
    assert run["post.velocity"].values == pytest.approx(np.zeros((3, 3))) == run["post.acceleration"].values
    assert run["post.orientation.z"].values == pytest.approx([0.5] * 3)
    offset = run["tip.orientation.post.z"].values
    assert np.isfinite(offset).all() and offset[0] != run["tip.orientation.z"].values[0]


def test_linearization_and_parameters_of_markers():
    """Output tip.position.x of a pendulum: −l for a small angle about y; by parameter."""
    s = mk.System("pendulum", parameters={"l": 0.7})
    rod = s.body("rod", 1.0, (0.1, 0.1, 0.1), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, rod, at=(0, 0, 0), axis="y")
    s.marker("tip", rod, at=(0, 0, "0.5 - $l"))
    linear = mk.linearize(s, outputs=["tip.position.x"])
    assert np.abs(linear.C).max() == pytest.approx(0.7, rel=1e-12)


def test_unknown_names_of_markers_are_refused_with_a_hint():
    with pytest.raises(ExpressionError, match="Did you mean 'tip.position.x'"):
        mk.simulate(arm(("tip.positon.x", 0, 0)), 0.1)
    run = mk.simulate(arm(), 0.1)
    with pytest.raises(ModelError, match="'tip' has position, orientation"):
        run["tip.place"]


# ---------------------------------------------------------------- outputs


def machine():
    s = mk.System("machine", parameters={"c": 0.2})
    rod = s.body("rod", 1.0, (0.1, 0.1, 0.1), position=(0.5, 0, 0))
    s.pin("hinge", s.ground, rod, at=(0, 0, 0), axis="y")
    s.motor("drive", "hinge", torque="3*cos(t) - c*hinge.angle.rate")
    s.marker("tip", rod, at=(0.5, 0, 0))
    s.output("power", "drive.torque*hinge.angle.rate")
    s.output("share", "power/3 + c", unit="1")
    s.output("height", lambda t, state: state["tip.position"][2] + 2 * state["rod.acceleration"][0])
    return s


def test_outputs_are_results():
    run = mk.simulate(machine(), 1.0, every=0.1)
    power = run["drive.torque"].values * run["hinge.angle.rate"].values
    assert run["share"].values == pytest.approx(power / 3 + 0.2, rel=1e-14)
    assert run["power"].values == pytest.approx(power, rel=1e-14)
    assert run["power"].units in ("W", "N m rad/s", "N m/s") and run["share"].units == "1"
    expected = run["tip.position.z"].values + 2 * run["rod.acceleration.x"].values
    assert run["height"].values == pytest.approx(expected, rel=1e-13)
    assert run["2*power"].values == pytest.approx(2 * power, rel=1e-14)
    assert {"power", "share", "height", "tip.position"} <= set(run.names())


def test_outputs_are_saved(tmp_path):
    run = mk.simulate(machine(), 1.0, every=0.1)
    run.to_csv(tmp_path / "run.csv", ["power", "tip.position"])
    head = (tmp_path / "run.csv").read_text().splitlines()[0]
    assert "power" in head and "tip.position.x" in head
    run.save(tmp_path / "run.nc")
    assert mk.load(tmp_path / "run.nc")["power"].values == pytest.approx(run["power"].values)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("drive.torqe", "Did you mean 'drive.torque'"),
        ("tip.position", "components x, y, z"),
        ("late + 1", "declared before"),
        ("bad", "declared before"),
    ],
)
def test_outputs_that_make_no_sense_are_refused(value, problem):
    s = machine()
    s.output("bad", value)
    s.output("late", "t")
    with pytest.raises(ExpressionError, match=problem):
        mk.simulate(s, 0.1)
