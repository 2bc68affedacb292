"""Input: a number that is set from outside while the motion is computed."""

from mekane.model.interface.kind_help import Argument
from mekane.model.named_part import NamedPart
from mekane.model.signals.bare_names import check_bare_name
from mekane.model.signals.unit import read_number, read_si_unit
from mekane.model.values.parameters import numbers
from mekane.model.values.unit_algebra import PURE, si_unit
from mekane.model.values.units import has_unit


class Input(NamedPart, collection="inputs"):
    """A number that controllers, events or the program that steps the motion set. Expressions read it by its name.

    It keeps its value until it is set again.
    """

    value: float  # at the start, SI
    unit: str  # "" if none was given

    takes = (
        Argument("value", "NumberLike", "its value at the start, in SI or as text with a unit", default=0.0),
        Argument("unit", "str", "SI unit of the number, for results", default=""),
    )
    dimensions = {"value": "number"}
    example = 's.input("u", 0.0, unit="N m")'

    @classmethod
    def read(cls, system, part, name, value, unit):
        check_bare_name(name, part)
        value, unit = numbers(system, value, part, "value"), read_si_unit(unit, part)
        if not unit and isinstance(value, str) and has_unit(value):
            unit = si_unit(value).replace(PURE, "")
        return cls(name, read_number(value, unit, part, "value"), unit)

    @property
    def summary(self):
        return f"{self.value:g} {self.unit}".strip()

    def to_dict(self):
        return {"value": self.value, "unit": self.unit} if self.unit else self.value
