"""What a kind says of its arguments: from it come the signature of its method of System, its help and its stub."""

import re
from collections.abc import Iterable
from inspect import Parameter, Signature, cleandoc
from typing import NamedTuple

from mekane.model.values.units import DIMENSIONS

PREAMBLE = {  # lines that examples begin with, by the names they define
    "s": "s = mk.System()",
    "arm": 'arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))',
    "rod": 'rod = s.body("rod", mass=0.5, inertia=(0.05, 0.05, 0.01), position=(1, 0, -0.5))',
    "wheel": 'wheel = s.body("wheel", mass=2.0, shape=mk.Sphere(0.3), position=(0, 0, 0.3))',
    "hinge": 's.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")',
    "guide": 's.slider("guide", s.ground, rod, axis="x")',
    "axle": 's.pin("axle", s.ground, wheel, at=(0, 0, 0.3), axis="y")',
}


class Argument(NamedTuple):
    """One argument of a method of System."""

    name: str
    type: str = "Any"  # a name in mekane/model/types.py, for editors and type checkers
    meaning: str = ""
    unit: str = ""
    default: object = Parameter.empty
    keyword_only: bool = False

    @property
    def parameter(self) -> Parameter:
        kind = Parameter.KEYWORD_ONLY if self.keyword_only else Parameter.POSITIONAL_OR_KEYWORD
        return Parameter(self.name, kind, default=self.default)

    @property
    def help(self) -> str:
        unit = f" [{self.unit}]" if self.unit else ""
        default = "" if self.default in (None, Parameter.empty) else f"; default {default_text(self.default)}"
        return f"{self.name}: {self.meaning}{unit}{default}."


NAME = Argument("name", "str", "what it is called; names are unique in a system")

ACTIVE = Argument(
    "active", "bool", "False: it does not hold at the start, an event may lock it", default=True, keyword_only=True
)


def signature_of(arguments: Iterable[Argument]) -> Signature:
    return Signature([argument.parameter for argument in arguments])


def unit_of(dimension) -> str:
    """The unit that a plain number has; of a coordinate, that of a displacement or an angle."""
    if isinstance(dimension, dict):
        return " or ".join(unit_of(dimension[of]) for of in ("length", "angle"))
    if isinstance(dimension, tuple):
        return ", ".join(map(unit_of, dimension))
    return DIMENSIONS[dimension].units[0] if dimension in DIMENSIONS else ""


def default_text(value) -> str:
    """A default as one would write it."""
    if isinstance(value, tuple):
        return f"({', '.join(map(default_text, value))})"
    return f"{value:g}" if isinstance(value, float) else repr(value)


def help_of(record_class: type) -> str:
    """The docstring of a kind, its arguments with units and defaults if it tells them, and its example."""
    text = cleandoc(record_class.__doc__ or "").strip()  # Python 3.13 takes the indentation away itself
    if not hasattr(record_class, "arguments"):
        return text
    text += "\n\nParameters:\n" + "\n".join(f"    {argument.help}" for argument in record_class.arguments())
    return text + (f"\n\nExample:\n{indented(example_of(record_class))}\n" if record_class.example else "\n")


def example_of(record_class: type) -> str:
    """The example as a program that runs alone after `import mekane as mk`."""
    lines = [record_class.example]
    for name, line in reversed(PREAMBLE.items()):
        if re.search(rf"\b{name}\b", "\n".join(lines)):
            lines.insert(0, line)
    return "\n".join(lines)


def indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
