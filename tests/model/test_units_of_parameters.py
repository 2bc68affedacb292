"""A parameter given with a unit is checked where it stands alone. Oracle: the answer of the part itself to the same text."""

import pytest

import mekane as mk
from mekane.errors import UnitError


def arm(**parameters):
    s = mk.System("arm", parameters=parameters)
    s.body("a", mass=2.0, inertia=(1, 1, 1), position=(0, 0, -1))
    s.pin("h", s.ground, "a", at=(0, 0, 0), axis="y", rate=1.0)
    s.torsional_spring("k", "h", stiffness=50, angle=0.1)
    s.spring("line", ("a", (0, 0, 1)), ("ground", (1, 1, 1)), stiffness=100, length=0.5)
    s.distance("rod", ("a", (0, 0, -1)), ("ground", (1, 0, -1)), length=1.5)
    return s


RIGHT = {
    "a.mass": ("3000 g", 3.0), "a.position.x": ("30 mm", 0.03), "a.inertia.xx": ("1.5 kg m^2", 1.5),
    "h.rate": ("0.5 rev/s", 3.141592653589793),
    "k.angle": ("180 deg", 3.141592653589793), "k.stiffness": ("3 N m/rad", 3.0), "line.stiffness": ("3 N/mm", 3000.0),
    "line.a.x": ("1 cm", 0.01), "rod.length": ("1510 mm", 1.51), "gravity.z": ("-1 m/s^2", -1.0),
}  # fmt: skip


@pytest.mark.parametrize("address", RIGHT)
def test_units_of_addressed_numbers(address):
    text, value = RIGHT[address]
    s = arm()
    assert s.with_parameters({address: text}).parameters[address] == value
    named = s.named([address])
    for system in (s, named):
        with pytest.raises(UnitError, match="'1 s', and 's' is not a unit of"):
            system.with_parameters({address: "1 s"})
    before = s.to_dict()
    with pytest.raises(UnitError):
        s.set_parameters({address: "1 s"})
    assert s.to_dict() == before


def test_the_message_is_that_of_the_part():
    with pytest.raises(UnitError) as by_part:
        mk.System().body("a", mass="3 m")
    with pytest.raises(UnitError) as by_address:
        arm().with_parameters({"a.mass": "3 m"})
    assert str(by_address.value) == str(by_part.value)


def test_units_of_parameters_that_stand_alone():
    """In expressions nobody knows the unit: 2*l may be anything."""
    s = arm(l="80 mm", c="5 N/mm")
    s.body("b", mass=1, position=("$l", "2*$l", 0))
    s.spring("one", ("b", (0, 0, 1)), ("ground", (0, 0, 3)), stiffness="c", length=mk.Param("l"))
    assert s.with_parameters(l="9 cm", c="4 N/mm").bodies["b"].position.tolist() == [0.09, 0.18, 0.0]
    assert s.with_parameters(l="9 cm").with_parameters(l=2).parameters["l"] == 2.0
    with pytest.raises(UnitError, match="body 'b': position.*'9 s'"):
        s.with_parameters(l="9 s")
    with pytest.raises(UnitError, match="spring 'one': stiffness is '9 s'"):
        s.with_parameters(c="9 s")
    with pytest.raises(UnitError, match="mass is '3 m'"):
        s.body("d", mass=mk.Param("m", "3 m"))
    assert "m" not in s.parameters
    with pytest.raises(UnitError, match="length is '3 kg'"):
        s.spring("two", ("b", (0, 0, 1)), ("ground", (0, 0, 3)), stiffness=1, length=mk.Param("n", "3 kg"))


def test_a_unit_that_means_another_number_there():
    """5 mm/rev is 0.8 mm/rad; a pitch is given per revolution."""
    s = arm()
    s.body("nut", mass=1, inertia=(1, 1, 1))
    s.screw("thread", "a", "nut", at=(0, 0, 0), axis="z", pitch="5 mm")
    assert s.with_parameters({"thread.pitch": "6 mm"}).joints["thread"].pitch == 0.006
    with pytest.raises(UnitError, match="Give the parameter as a plain number, 0.006"):
        s.with_parameters({"thread.pitch": "6 mm/rev"})
