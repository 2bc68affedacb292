"""Constraint: the base class of every kind of constraint that is not a joint, and the functions a kind is written
with."""

from collections.abc import Iterable
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from inspect import Parameter, Signature
from typing import ClassVar, NamedTuple, dataclass_transform

import numpy as np

from mekane.errors import ModelError
from mekane.model.attachments import JointCoordinate, RotationCoordinate, TranslationCoordinate, coordinate_of, end_of
from mekane.model.force import bind
from mekane.model.geometry.solid import Solid
from mekane.model.interface.kind_help import ACTIVE, NAME, Argument, signature_of, unit_of
from mekane.model.names import kind_of
from mekane.model.record import Record, plain_numbers
from mekane.model.system import add_kind
from mekane.model.values.expression import read_expression
from mekane.model.values.flag import flag as read_flag
from mekane.model.values.orientation import direction as unit_vector
from mekane.model.values.parameters import numbers
from mekane.model.values.units import is_list, positive, quantity, shown, vector
from mekane.model.values.values import Value, is_of_state
from mekane.plugins import Kinds

VALUE = "value"  # in place of a dimension: what is given stays an expression
constraint_kinds = Kinds()  # {kind: subclass of Constraint}


class End(NamedTuple):
    """A point fixed in a body, in the body's frame (the ground's is the world's)."""

    body: str
    point: tuple[float, float, float]


class Arrow(NamedTuple):
    """A direction fixed in a body, in the body's frame."""

    body: str
    direction: tuple[float, float, float]


class Equation(NamedTuple):
    """One scalar equation, by its lowest level: expression = 0."""

    level: str  # "position", "velocity", "acceleration"
    expression: object


def position(expression) -> Equation:
    return Equation("position", expression)


def velocity(expression) -> Equation:
    return Equation("velocity", expression)


def acceleration(expression) -> Equation:
    return Equation("acceleration", expression)


# ---------------------------------------------------------------- fields a user fills; each reads and writes itself


def _field(read, write, default=MISSING, dimension=None, type="Any", meaning="", unit=""):
    """dimension: that of its number, or VALUE. type, meaning, unit: for its help."""
    metadata = dict(read=read, write=write, dimension=dimension, type=type, meaning=meaning, unit=unit)
    return field(default=default, metadata=metadata)


def end(default=MISSING, meaning=""):
    """(body, point)"""

    def read(system, part, what, given):
        return End(*end_of(system, part, what, given))

    write = lambda end, part, what: [end.body, list(end.point)]
    return _field(read, write, default, type="PointLike", meaning=meaning, unit="m")


def arrow(default=MISSING, meaning=""):
    """(body, direction)"""

    def read(system, part, what, given):
        if not is_list(given) or len(given) != 2:
            remedy = 'Write (body, "z") or (body, (1, 2, 0)).'
            raise ModelError(
                part, f"{what} is {shown(given)}", "a body and a direction in its frame are expected", remedy
            )
        return Arrow(system.find_body(given[0], part).name, _direction(given[1], part, what))

    write = lambda arrow, part, what: [arrow.body, list(arrow.direction)]
    return _field(read, write, default, type="DirectionLike", meaning=meaning)


def direction(default=MISSING, frame: str = "", meaning=""):
    """A direction alone, in the frame of the body of another field, an end(): `frame` is its name."""
    read = lambda system, part, what, given: _direction(given, part, what)
    made = _field(read, lambda d, part, what: list(d), default, type="AxisLike", meaning=meaning)
    return field(default=default, metadata={**made.metadata, "frame": frame})


def body(default=MISSING, meaning=""):
    """A body, ground included."""
    read = lambda system, part, what, given: system.find_body(given, part).name
    return _field(read, lambda name, part, what: name, default, type="BodyLike", meaning=meaning)


def coordinate(of="any", default=MISSING, meaning=""):
    """A joint, or (joint, coordinate) if it has several. of: "any", "angle" or "length"."""
    place = {"any": JointCoordinate, "angle": RotationCoordinate, "length": TranslationCoordinate}[of]

    read = lambda system, part, what, given: coordinate_of(system, part, given, place)
    write = lambda c, part, what: [c.joint, c.coordinate]
    return _field(read, write, default, type="CoordinateLike", meaning=meaning)


def number(dimension: str, default=MISSING, above_zero=False, meaning=""):
    """A constant; None where the default is None."""

    def read(system, part, what, given):
        if given is None:
            return None
        return (positive if above_zero else quantity)(given, dimension, part, what)

    write = lambda x, part, what: x
    return _field(read, write, default, dimension, "NumberLike", meaning, unit_of(dimension))


def lengths(default=MISSING, meaning=""):
    """Three lengths greater than zero."""

    def read(system, part, what, given):
        three = plain_numbers(vector(given, "length", part, what))
        for i, x in enumerate(three):
            positive(x.real, "length", part, f"{what}[{i}]")
        return three

    write = lambda three, part, what: list(three)
    return _field(read, write, default, "length", "VectorLike", meaning, "m")


def flag(default=False, meaning=""):
    """True or false."""

    def read(system, part, what, given):
        return read_flag(given, part, what)

    return _field(read, lambda given, part, what: given, default, type="bool", meaning=meaning)


def default_of(part, f):
    """What stands for None: the default of a field."""
    if f.default is MISSING:
        raise ModelError(
            part, f"{f.name} is None", f"{f.metadata['meaning'] or 'a value'} is expected", f"Give {f.name}=."
        )
    return f.default


def value(dimension: str | None, default=MISSING, meaning="", unit=""):
    """A Value: a number, an expression, a table, a function of (t, state) that can be traced. unit: for its help, where
    the dimension depends on a coordinate."""

    def read(system, part, what, given):
        if given is None:
            return None
        return read_expression(system, given, dimension, part, what, "a constraint is differentiated")

    write = lambda v, part, what: v.to_dict(part, what)
    return _field(read, write, default, VALUE, "ValueLike", meaning, unit or unit_of(dimension))


def values(dimension: str | None, meaning=""):
    """One Value or a list of them."""
    one = value(dimension).metadata

    def read(system, part, what, given):
        given = given if is_list(given) else [given]
        if not given:
            raise ModelError(part, f"{what} is empty", "at least one expression is expected")
        return tuple(one["read"](system, part, what, x) for x in given)

    write = lambda all, part, what: [one["write"](v, part, what) for v in all]
    type = "ValueLike | Sequence[ValueLike]"
    return _field(read, write, dimension=VALUE, type=type, meaning=meaning, unit=unit_of(dimension))


def _direction(given, part, what):
    return plain_numbers(unit_vector(given, part, what))


def refuse_one_body(part, made):
    """Points or directions that are all on one body do not constrain its motion."""
    bodies = [given.body for given in made.values() if isinstance(given, End | Arrow)]
    if len(bodies) > 1 and len(set(bodies)) == 1:
        raise ModelError(part, f"all of it is on the same body {bodies[0]!r}", "two different bodies are expected")


# ---------------------------------------------------------------- the base class


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True, eq=False)
class Constraint(Record):
    """Equations between bodies, written with the functions of `k` (compiler/constraint_language.py).

    To add a kind, write one file in mekane/constraints with one subclass:

    1. Its docstring begins the help of the method that System gets, named after the class (PointOnLine →
       s.point_on_line); `example` is a line of Python that ends it.
    2. What the user gives are annotated fields made by end(), arrow(), direction(), body(), coordinate(), number(),
       value() …; the first one, or the first two if they are called a and b, stand behind the kind in a file.
    3. `initialized(system)` may fill in what depends on the initial positions, such as a length that was not given.
    4. `equations(k)` gives position(…), velocity(…) or acceleration(…), each an expression that is to be zero, which is
       differentiated exactly, as often as needed. Written in metres (or as a velocity), its multiplier is a force; in
       radians, a torque.
    5. `place(k)` is the point its force is reported at, in world coordinates, and `acts_on` the body it is reported on:
       those of its first field, if that is an end(), unless the kind defines otherwise.
    6. What other packages know of it: `is_drive`, its values are commands, which the studio shows first; `prescribes`,
       the joint coordinate whose motion it gives; `appearance`, "link" or "rope" between its two ends; `solids(system)`,
       pairs (body, Solid) that it tells of the shape of bodies, such as a wheel.

    Subclasses become frozen dataclasses by themselves. In `equations` the values are numbers or expressions, no longer
    Values.
    """

    name: str
    active: bool = field(default=True, kw_only=True)  # at the start; events change it

    kind: ClassVar[str]
    example: ClassVar[str] = ""  # a line of Python, for its help
    is_drive: ClassVar[bool] = False
    appearance: ClassVar[str] = ""
    collection: ClassVar[str] = "constraints"  # of a system, in which its records are
    kinds: ClassVar[Kinds] = constraint_kinds

    def __init_subclass__(cls, base=False):
        """base: it is no kind itself, but what kinds are made from."""
        super().__init_subclass__()
        dataclass(frozen=True, eq=False)(cls)
        if base:
            return
        cls.kind = vars(cls).get("kind", kind_of(cls))
        add_kind(cls.kind, cls, cls.collection, cls.call())
        cls.kinds[cls.kind] = cls

    def equations(self, k) -> list[Equation]:
        raise NotImplementedError

    def place(self, k):
        return k.point(self.first) if isinstance(self.first, End) else None

    @property
    def acts_on(self) -> str | None:
        """The body its force is reported on, unless the user requests another."""
        return self.first.body if isinstance(self.first, End) else None

    @property
    def first(self):
        """What stands in its first field."""
        return getattr(self, self.own_fields()[0].name)

    @property
    def prescribes(self) -> JointCoordinate | None:
        """The joint coordinate whose motion it gives, if it does that and nothing else."""

    def solids(self, system) -> Iterable[tuple[str, Solid]]:
        """What it tells of the shape of bodies, by their names."""
        return ()

    def initialized(self, system) -> "Constraint":
        return self

    def check(self) -> None:
        """Raise a ModelError for values that make no sense for this kind."""

    def remark(self, system) -> str | None:
        """A warning about it, in plain words; None if there is none."""

    @property
    def part(self) -> str:
        """How messages call it."""
        return f"{self.kind} {self.name!r}"

    def touched(self, system) -> list[str]:
        """Bodies it involves, directly or through a joint, ground included."""
        owners = [name.partition(".")[0] for value in self.values() for name in value.names() if is_of_state(name)]
        for f in self.own_fields():
            given = getattr(self, f.name)
            owners += (
                [given.body]
                if isinstance(given, End | Arrow)
                else [given.joint]
                if isinstance(given, JointCoordinate)
                else [given]
            )
        found = []
        for owner in filter(lambda owner: isinstance(owner, str), owners):
            joint = system.joints.get(owner)
            found += [joint.a, joint.b] if joint else [owner] if owner in system.bodies or owner == "ground" else []
        return list(dict.fromkeys(found))

    @classmethod
    def own_fields(cls) -> list:
        return [f for f in fields(cls) if "read" in f.metadata]

    @classmethod
    def arguments(cls) -> list[Argument]:
        """What the method of System takes."""

        def argument(f):
            default = Parameter.empty if f.default is MISSING else f.default
            return Argument(f.name, f.metadata["type"], f.metadata["meaning"], f.metadata["unit"], default)

        return [NAME, *map(argument, cls.own_fields()), ACTIVE]

    @classmethod
    @cache
    def call(cls) -> Signature:
        """How the method of System is called."""
        return signature_of(cls.arguments())

    @classmethod
    def create(cls, system, name: str, *args, **keywords) -> "Constraint":
        """The record made from the arguments of System.<kind>."""
        part = f"{cls.kind} {name!r}"
        given = bind(part, cls.call(), (name, *args), keywords)
        active = read_flag(given.pop("active", True), part, "active")
        for f in cls.own_fields():
            if given[f.name] is None:
                given[f.name] = default_of(part, f)
            if f.metadata["dimension"] != VALUE:
                given[f.name] = numbers(system, given[f.name], part, f.name)
        made = {f.name: f.metadata["read"](system, part, f.name, given[f.name]) for f in cls.own_fields()}
        constraint = cls(name, **made)
        refuse_one_body(part, made)
        constraint.check()
        return replace(constraint.initialized(system), active=active)

    def directions(self) -> dict[str, Arrow]:
        """Its directions, by keyword, each with the body in whose frame it is."""
        frames = {f.name: getattr(self, f.metadata["frame"]) for f in self.own_fields() if f.metadata.get("frame")}
        alone = {keyword: Arrow(end.body, getattr(self, keyword)) for keyword, end in frames.items()}
        given = {f.name: getattr(self, f.name) for f in self.own_fields()}
        return {keyword: one for keyword, one in given.items() if isinstance(one, Arrow)} | alone

    def values(self) -> list[Value]:
        """All its Values."""
        found = [getattr(self, f.name) for f in self.own_fields()]
        flat = [x for v in found for x in (v if isinstance(v, tuple) else (v,))]
        return [x for x in flat if isinstance(x, Value)]

    def resolve(self, lookup) -> "Constraint":
        """A copy in which `lookup` has replaced each Value by a number or an expression."""

        def resolved(given):
            if isinstance(given, tuple) and not hasattr(given, "_fields"):
                return tuple(map(resolved, given))
            return lookup(given) if isinstance(given, Value) else given

        return replace(self, **{f.name: resolved(getattr(self, f.name)) for f in self.own_fields()})

    def to_dict(self) -> dict:
        """The file form; what is at its default is left out."""
        keywords = {}
        for f in self.own_fields():
            given = getattr(self, f.name)
            if f.default is MISSING or (given is not None and getattr(given, "given", given) != f.default):
                keywords[f.name] = f.metadata["write"](given, self.part, f.name)
        keywords |= {} if self.active else {"active": False}
        names = [f.name for f in self.own_fields()]
        if names[:2] == ["a", "b"]:
            return {self.kind: [keywords.pop("a"), keywords.pop("b")], **keywords}
        return {self.kind: keywords.pop(names[0]), **keywords}


def world(system, end: End) -> np.ndarray:
    """Where a point is in the initial positions."""
    if end.body == "ground":
        return np.array(end.point)
    body = system.bodies[end.body]
    return body.position + body.R_NB @ end.point


def axes_of(system, body: str, vector) -> np.ndarray:
    """A direction fixed in a body, in world axes at the start."""
    return np.array(vector) if body == "ground" else system.bodies[body].R_NB @ vector
