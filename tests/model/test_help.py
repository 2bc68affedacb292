"""Help teaches: every kind names its arguments with meaning, unit and default, and shows an example.

Oracles: the real signatures, the table of units, and that every example runs."""

from inspect import Parameter, getdoc, signature, unwrap

import pytest

import mekane as mk
from mekane.model.constraint import constraint_kinds
from mekane.model.construction_log import PARTS
from mekane.model.force import force_kinds
from mekane.model.interface.kind_help import example_of
from mekane.model.joint import joint_kinds
from mekane.model.named_part import named_parts
from mekane.model.set_valued import contact_kinds
from mekane.model.values.units import UNITS

KINDS = {**joint_kinds, **force_kinds, **constraint_kinds, **contact_kinds, **named_parts}
PURE_NUMBERS = {
    ("gear", "ratio"),
    ("gear", "phase"),
    ("shaft", "ratio"),
    ("rotor", "ratio"),
    ("coupler", "to"),
    ("prescribed", "motion"),
    ("point_on_curve", "curve"),
}
PURE_NUMBERS |= {
    (kind, "restitution") for kind in ("backlash", "cable", "contact", "contacts", "limit", "position_limit")
}
FRICTION = ("contact", "bearing_friction", "guide_friction")
PURE_NUMBERS |= {(kind, keyword) for kind in FRICTION for keyword in ("friction", "static")}
PURE_NUMBERS |= {
    ("contacts", "friction"),
    ("contact", "across"),
    ("clutch", "ratio"),
    ("backlash", "gap"),
    ("actuator", "rate"),
    ("backlash", "to"),
}
PURE_NUMBERS |= {("input", "value"), ("output", "value"), ("event", "when")}
PURE_NUMBERS |= {(f"{level}_constraint", "expressions") for level in ("position", "velocity", "acceleration")}


@pytest.mark.parametrize("kind", KINDS)
def test_every_argument_has_a_meaning_and_every_number_a_unit(kind):
    for argument in KINDS[kind].arguments():
        assert argument.meaning, argument.name
        if argument.type in ("NumberLike", "ValueLike", "VectorLike", "VectorValueLike", "MatrixLike", "PointLike"):
            assert argument.unit or (kind, argument.name) in PURE_NUMBERS, argument.name


@pytest.mark.parametrize("kind", KINDS)
def test_help_is_that_of_the_real_signature(kind):
    method = getattr(mk.System, kind)
    text, call = getdoc(method), signature(method)
    assert text.startswith(KINDS[kind].__doc__.strip()[:40])
    for name, parameter in list(call.parameters.items())[1:]:
        line = next(line for line in text.splitlines() if line.startswith(f"    {name}: "))
        shown = parameter.default not in (None, Parameter.empty)
        assert ("; default " in line) == shown, line


@pytest.mark.parametrize("kind", KINDS)
def test_examples_run(kind):
    """The example makes a part of this kind, and stands in its help word for word."""
    names = {"mk": mk}
    exec(example_of(KINDS[kind]), names)
    made = [part for collection in PARTS for part in getattr(names["s"], collection).values()]
    assert any(isinstance(part, KINDS[kind]) for part in made)
    assert KINDS[kind].example in getdoc(getattr(mk.System, kind))


def test_units_of_the_help():
    spring = getdoc(mk.System.spring)
    assert "stiffness: tension per stretch [N/m]." in spring and "[N s/m]; default 0." in spring
    assert "[N/m or N m/rad]" in getdoc(mk.System.pd)
    assert "N" in UNITS


def test_a_lazy_method_is_the_real_function():
    from mekane.analyses.state.dynamics import coordinates, required_forces

    assert unwrap(mk.System.required_forces) is required_forces  # seen by it: the system as it is at the start
    assert list(signature(mk.System().required_forces).parameters) == ["q", "u", "ud", "t", "formulation"]
    assert unwrap(mk.System.coordinates.fget) is coordinates


def test_dir_lists_what_there_is_and_nothing_else():
    assert set(dir(mk)) == {*mk.__all__, "__version__"}
    system = mk.System()
    assert not [name for name in dir(system) if name.startswith("_")] and {"pin", "bodies", "gravity"} <= set(
        dir(system)
    )
    for name in dir(system):
        assert hasattr(mk.System, name) or name in vars(system)
