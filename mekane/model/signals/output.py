"""Output: an expression with a name, for results and controllers."""

from mekane.model.interface.kind_help import Argument
from mekane.model.named_part import NamedPart
from mekane.model.signals.bare_names import check_bare_name
from mekane.model.signals.unit import read_unit_text
from mekane.model.values.expression import read_expression
from mekane.model.values.values import Value


class Output(NamedPart, collection="outputs"):
    """An expression with a name, a sensor: results have it, and controllers may read it."""

    value: Value
    unit: str  # "" if none was given

    takes = (
        Argument("value", "ValueLike", "an expression of anything that results have, or a function of (t, state)"),
        Argument("unit", "str", "unit of what it comes to", default=""),
    )
    example = 's.output("speed", "abs(hinge.angle.rate)", unit="rad/s")'

    @classmethod
    def read(cls, system, part, name, value, unit):
        check_bare_name(name, part)
        made = read_expression(system, value, None, part, "value", "an output is an expression")
        return cls(name, made, read_unit_text(unit, part))

    def values(self):
        return [self.value]

    @property
    def summary(self):
        return f"{self.value.text} {f'[{self.unit}]' if self.unit else ''}".strip()

    def to_dict(self):
        given = self.value.to_dict(self.part)
        return {"value": given, "unit": self.unit} if self.unit or isinstance(given, dict) else given
