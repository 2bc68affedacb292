"""Inputs, variables, markers and outputs. Oracles: the units of the text that was given, and the records that a system
described with other numbers has."""

import copy
import pickle

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError, UnitError


def arm_system(**parameters):
    s = mk.System("arm", parameters=parameters or None)
    s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y")
    return s


def test_records():
    s = arm_system()
    u, gear = s.input("u", "5 N mm"), s.variable("gear", 1)
    tip = s.marker("tip", s.bodies["arm"], at="(0, 0, -50) cm", orientation=("z", "90 deg"))
    power = s.output("power", "u*hinge.angle.rate", unit="W")
    assert (u.value, u.unit) == (0.005, "N m") and s.inputs == {"u": u}
    assert gear.value == 1.0 and s.variables == {"gear": gear} and s.variable("on", True).value == 1.0
    assert tip.body == "arm" and tip.at.tolist() == [0, 0, -0.5] and s.markers == {"tip": tip}
    assert np.allclose(
        tip.orientation, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=4e-16
    )  # 90 deg is a rounded number of radians
    assert power.value.names() == ["u", "hinge.angle.rate"] and power.unit == "W" and s.outputs == {"power": power}
    assert s.input("v").value == 0.0 and s.input("w", 3, unit="1").unit == "1"
    assert s.marker("foot", "ground").at.tolist() == [0, 0, 0]


def test_outputs_are_also_functions_and_tables():
    s = arm_system()
    made = s.output("push", lambda t, state: 2 * t * state["hinge.angle"])
    assert made.value.names() == ["t", "hinge.angle"]
    assert s.output("curve", {"table": [[0, 1], [2, 5]]}).value.names() == ["t"]


def test_numbers_come_from_parameters():
    s = arm_system(f="3 N m", l=0.4)
    s.input("u", "$2*f", unit="N m")
    s.variable("gear", "$l")
    s.marker("tip", "arm", at=(0, 0, "$-l"))
    s.output("lift", "l*sin(hinge.angle)")
    new = s.with_parameters(f="1 N m", l=2.0)
    assert (new.inputs["u"].value, new.variables["gear"].value, new.markers["tip"].at[2]) == (2.0, 2.0, -2.0)
    assert (s.inputs["u"].value, s.variables["gear"].value, s.markers["tip"].at[2]) == (6.0, 0.4, -0.4)
    s.set_parameters(l=1.0)
    assert s.variables["gear"].value == 1.0 and s.markers["tip"].at[2] == -1.0
    with pytest.raises(ModelError, match=r"lift.*needs? it"):
        s.remove("l")


def test_numbers_are_named_by_part_and_keyword():
    s = arm_system()
    s.input("u", 2.0)
    s.marker("tip", "arm", at=(0, 0, 1))
    assert {"u.value", "tip.at.z"} <= set(s.numbers())
    new = s.with_parameters({"u.value": 3.0, "tip.at.z": "20 cm"})
    assert new.inputs["u"].value == 3.0 and new.markers["tip"].at[2] == 0.2


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
def test_copies_are_equal_and_their_own(duplicate):
    s = arm_system()
    s.input("u", 2.0, unit="N")
    s.marker("tip", "arm", orientation=("x", 0.3))
    s.output("a", "hinge.angle")
    new = duplicate(s)
    assert new.to_dict() == s.to_dict() and new.inputs == s.inputs and new.markers == s.markers
    new.input("v")
    new.remove("tip")
    assert list(s.inputs) == ["u"] and list(s.markers) == ["tip"]


def test_one_name_space():
    s = arm_system()
    s.input("u")
    for make in (s.variable, s.output):
        with pytest.raises(ModelError, match="'u' is already used by an input"):
            make("u", 1)
    with pytest.raises(ModelError, match="'hinge' is already used by a joint"):
        s.marker("hinge", "arm")
    with pytest.raises(ModelError, match="'u' is already used"):
        s.parameter("u", 3)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda s: s.input("e"), "'e' is the constant 2.71828 in expressions.*Choose another name"),
        (lambda s: s.variable("sin", 1), "'sin' is a function in expressions"),
        (lambda s: s.input("u", float("nan")), "not a finite number"),
        (lambda s: s.input("u", 1, unit="mm"), 'in expressions all numbers are SI.*unit="m".*"5 mm"'),
        (lambda s: s.input("u", 1, unit="Nn"), "'Nn' is not a unit"),
        (lambda s: s.input("u", 1, unit=3), "unit is 3"),
        (lambda s: s.input("u", "3 mm", unit="N"), "value is '3 mm'.*a value in N is expected"),
        (lambda s: s.input("u", 1, units="N"), "'units' is not one of its keywords.*Did you mean 'unit'"),
        (lambda s: s.variable("gear"), "value is missing"),
        (lambda s: s.variable("gear", "t"), "value"),
        (lambda s: s.marker("tip", "amr"), "'amr' is not a body.*Did you mean 'arm'"),
        (lambda s: s.marker("tip", "arm", at=(0, 0)), "3 components are expected"),
        (lambda s: s.marker("tip", "arm", at=("1 N", 0, 0)), "not a unit of length"),
        (lambda s: s.output("p", "2*("), "not a formula"),
        (lambda s: s.output("p", lambda t, state: 1.0 if float(t) < 1 else 2.0), "has no expression"),
        (lambda s: s.output("p.q", "t"), "the name holds '.'"),
    ],
)
def test_errors(make, words):
    s = arm_system()
    before = s.to_dict()
    with pytest.raises(ModelError, match=words):
        make(s)
    assert s.to_dict() == before


def test_units_are_unit_errors():
    with pytest.raises(UnitError):
        arm_system().input("u", 1, unit="furlong")


def test_replacing_and_removing():
    s = arm_system()
    s.input("u", 1.0)
    s.motor("drive", "hinge", torque="2*u")
    s.marker("tip", "arm")
    assert s.replace("u", value=4.0).value == 4.0 and s.replace("tip", at=(1, 0, 0)).at[0] == 1.0
    with pytest.raises(ModelError, match=r"drive needs it.*Remove 'drive' first"):
        s.remove("u")
    with pytest.raises(ModelError, match="tip need"):
        s.remove("arm")
    s.remove("drive")
    s.remove("u")
    assert not s.inputs and s.variable("u", 1).value == 1.0


def test_local_names_of_laws_are_not_inputs():
    s = arm_system()
    s.input("u")
    s.torsional_law("law", "hinge", torque="-2*u")  # u: the rate of the coordinate
    assert any("reads 'u' of its own, not the input 'u'" in remark for remark in s.check())
    s.remove("u")


def test_the_summary_counts_them():
    s = arm_system()
    assert repr(s) == "System('arm': 1 body, 1 joint, 0 forces)"
    s.input("u")
    s.input("v")
    assert repr(s) == "System('arm': 1 body, 1 joint, 0 forces, 2 inputs)"
    assert any("input 'u' is read by no expression" in remark for remark in s.check())
