"""OwnSpeed: a generalized speed that the user chooses, u = Y(q) qd + z(q, t).  [S 1–3], THEORY (F.1)"""

from dataclasses import dataclass

from mekane.errors import ModelError
from mekane.model.values.parameters import adopted
from mekane.model.values.units import shown
from mekane.model.values.values import Value, read_value

KEYWORDS = ("value", "instead_of")


@dataclass(frozen=True)
class GeneralizedSpeed:
    """A user-defined generalized speed: an expression of coordinates, speeds and time, linear in the speeds; and which
    speed it stands in for, if given."""

    name: str
    value: Value
    instead_of: str | None = None

    @property
    def part(self):
        return f"speed {self.name!r}"

    def to_dict(self):
        given = self.value.to_dict(self.part)
        return given if self.instead_of is None else {"value": given, "instead_of": self.instead_of}


def read_generalized_speed(system, name, given):
    """From an expression text, a function f(t, state), or {"value": …, "instead_of": "joint.angle.rate"}."""
    part, instead = f"speed {name!r}", None
    if isinstance(given, dict):
        unknown = [keyword for keyword in given if keyword not in KEYWORDS]
        if unknown or "value" not in given:
            raise ModelError(
                part,
                f"it is {shown(given)}",
                f"it takes {' and '.join(KEYWORDS)}",
                'Write {"value": "…", "instead_of": "…"}.',
            )
        given, instead = given["value"], given.get("instead_of")
    if instead is not None and not isinstance(instead, str):
        raise ModelError(part, f"instead_of is {shown(instead)}", "the name of a speed is expected", "See s.speeds.")
    value = adopted(system, read_value(given, None, part, "value"))
    if value.callback is not None:
        problem = f"its function has no expression ({value.reason})"
        raise ModelError(part, problem, "it has to be differentiated", value.remedy)
    return GeneralizedSpeed(name, value, instead)
