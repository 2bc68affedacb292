"""Surfaces that bodies touch and that are given by an expression: height fields and cams."""

from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from mekane.errors import ModelError
from mekane.model.names import kind_of
from mekane.model.record import Record
from mekane.model.values.expression import read_expression
from mekane.model.values.orientation import IDENTITY, frame_with_z, matrix_from
from mekane.model.values.orientation import direction as unit_vector
from mekane.model.values.parameters import written
from mekane.model.values.units import vector
from mekane.model.values.values import Value

CURVED: dict[str, type["Curved"]] = {}


@dataclass(frozen=True, eq=False)
class Curved(Record):
    """Base. The first field is the expression; `at` and the others say where its axes are in the frame of its body. What
    is given may hold names of parameters and t."""

    def __init_subclass__(cls):
        super().__init_subclass__()
        CURVED[kind_of(cls)] = cls

    def __post_init__(self):
        object.__setattr__(self, "at", vector(self.at, "length", self.part, "at"))

    @property
    def part(self) -> str:
        return f"surface {kind_of(type(self))}"

    @property
    def expression(self) -> str:
        """Name of the field that is the expression."""
        return fields(self)[0].name

    def read(self, system, part) -> "Curved":
        """With its expression read, in which a system knows the parameters."""
        given = getattr(self, self.expression)
        if isinstance(given, Value):
            return self
        why = "a contact is differentiated"
        made = read_expression(system, given, None, part, self.expression, why)
        if not set(self.names).intersection(made.names()) and made.names():
            problem = f"none of {' and '.join(self.names)} is in {made.text!r}"
            raise ModelError(part, problem, "an expression of them is expected", f"An example is {self.example!r}.")
        return replace(self, **{self.expression: made})

    def to_dict(self) -> dict:
        """The file form."""
        found = {}
        for f in fields(self):
            given = getattr(self, f.name)
            if isinstance(given, Value):
                found[f.name] = given.to_dict(self.part, f.name)
            elif f.name == self.expression or not np.array_equal(given, f.metadata["at_rest"]):
                found[f.name] = written(given)
        return {kind_of(type(self)): found}


def placing(default, at_rest):
    """A field that is left out of files where it is `at_rest`."""
    return field(default=default, metadata={"at_rest": at_rest})


@dataclass(frozen=True, eq=False)
class HeightField(Curved):
    """The surface z = an expression of x and y, along the axes of the body, turned by `orientation`, from `at`. Others are
    above it."""

    z: Any
    at: Any = placing((0.0, 0.0, 0.0), np.zeros(3))
    orientation: Any = placing(None, IDENTITY)

    names = ("x", "y")
    example = "0.1*sin(3*x)*cos(2*y)"

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "orientation", matrix_from(self.orientation, self.part))

    @property
    def R_BS(self) -> np.ndarray:
        return self.orientation


@dataclass(frozen=True, eq=False)
class Cam(Curved):
    """A cam about an axis through `at`: its radius [m] is an expression of phi, the angle about the axis, between −π and
    π. Where phi is 0 depends on the axis: along x for "z", along y for "x", along z for "y"."""

    radius: Any
    at: Any = placing((0.0, 0.0, 0.0), np.zeros(3))
    axis: Any = placing("z", np.array([0.0, 0.0, 1.0]))

    names = ("phi",)
    example = "0.1 + 0.02*cos(phi)"

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "axis", unit_vector(self.axis, self.part))

    @property
    def R_BS(self) -> np.ndarray:
        return frame_with_z(self.axis)


def curved_from(given: dict, part: str) -> Curved:
    """From the file form {"height_field": "0.1*sin(x)"} or {"cam": {"radius": …, "axis": "y"}}."""
    [(kind, sizes)] = given.items()
    sizes = sizes if isinstance(sizes, dict) and "table" not in sizes else {fields(CURVED[kind])[0].name: sizes}
    try:
        return CURVED[kind](**sizes)
    except TypeError as problem:
        expected = f"it takes {', '.join(f.name for f in fields(CURVED[kind]))}"
        raise ModelError(f"{part}, {kind}", str(problem), expected) from None
