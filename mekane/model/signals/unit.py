"""Units of inputs and outputs."""

from mekane.errors import UnitError
from mekane.model.values.unit_algebra import NAMED, PURE, measure, si_unit
from mekane.model.values.units import has_unit, quantity, shown


def read_unit_text(given, part: str) -> str:
    """A unit that Mekane knows, as text; "" for none."""
    expected, remedy = "a unit as text is expected", 'Write for example unit="N m", or leave it out.'
    if not isinstance(given, str):
        raise UnitError(part, f"unit is {shown(given)}", expected, remedy)
    unit = given.strip()
    try:
        measure(unit or PURE)
    except ValueError as error:
        raise UnitError(part, f"unit is {shown(given)}: {error}", expected, remedy) from None
    return unit


def read_si_unit(given, part: str) -> str:
    """The same, where numbers are in SI."""
    unit = read_unit_text(given, part)
    factor, powers = measure(unit or PURE)
    if factor != 1:
        same = next((name for name in NAMED if measure(name)[1] == powers), "an SI unit")
        problem, remedy = f"unit is {unit!r}", f'Write unit="{same}"; values may be text such as "5 {unit}".'
        raise UnitError(part, problem, "in expressions all numbers are SI", remedy)
    return unit


def read_number(given, unit: str, part: str, what: str) -> float:
    """A number in SI; where it is given with a unit, that unit must fit."""
    number = quantity(given, None, part, what)
    if unit and isinstance(given, str) and has_unit(given):
        refuse_other_unit(given, unit, part, what)
    return number


def refuse_other_unit(given: str, unit: str, part: str, what: str) -> None:
    """Radians count as numbers."""
    if measure(si_unit(given))[1][:3] != measure(unit)[1][:3]:
        raise UnitError(part, f"{what} is {shown(given)}", f"a value in {unit} is expected", "Change the unit.")
