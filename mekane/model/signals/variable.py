"""Variable: a discrete variable of the model."""

from mekane.model.interface.kind_help import Argument
from mekane.model.named_part import NamedPart
from mekane.model.signals.bare_names import check_bare_name
from mekane.model.values.parameters import numbers
from mekane.model.values.units import quantity


class Variable(NamedPart, collection="variables"):
    """A discrete variable: a number that only events change. Expressions read it by its name."""

    value: float  # at the start, SI

    takes = (Argument("value", "NumberLike | bool", "its value at the start; True is 1, False 0"),)
    dimensions = {"value": "number"}
    example = 's.variable("gear", 1)'

    @classmethod
    def read(cls, system, part, name, value):
        check_bare_name(name, part)
        return cls(name, quantity(plain(numbers(system, value, part, "value")), None, part))

    @property
    def summary(self):
        return f"{self.value:g}"

    def to_dict(self):
        return self.value


def plain(given):
    """True and False as numbers."""
    return float(given) if isinstance(given, bool) else given
