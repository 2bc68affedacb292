"""NamedPart: the base class of inputs, variables, markers, outputs, events and controllers."""

from dataclasses import dataclass
from functools import cache
from inspect import Signature
from typing import ClassVar, dataclass_transform

from mekane.model.construction_log import PARTS
from mekane.model.force import bind
from mekane.model.interface.calls import refuse_unfit
from mekane.model.interface.kind_help import NAME, Argument, signature_of
from mekane.model.names import kind_of
from mekane.model.record import Record
from mekane.model.system import add_kind
from mekane.model.values.values import Value

named_parts: dict[str, type["NamedPart"]] = {}  # by the method of System that makes them


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True, eq=False)
class NamedPart(Record):
    """A part of a system with one method of System, named after the class (Marker → s.marker), and one collection.

    1. Its docstring begins the help of that method; `example` is a line of Python that ends it.
    2. `takes` are the arguments after the name, in order.
    3. `read(system, part, name, …)` makes the record from them; `part` is how messages call it.
    4. `values()` are its expressions, `uses()` the names of other parts it refers to besides those in expressions.
    5. `dimensions` are those of its arguments that are plain numbers, "number" where any unit may be.
    6. `to_dict()` is the file form: its keywords, or one number or text; `summary` is a text for people.

    Subclasses become frozen dataclasses by themselves.
    """

    name: str

    kind: ClassVar[str]
    collection: ClassVar[str]
    takes: ClassVar[tuple[Argument, ...]] = ()
    dimensions: ClassVar[dict[str, str]] = {}
    example: ClassVar[str] = ""

    def __init_subclass__(cls, collection: str):
        super().__init_subclass__()
        dataclass(frozen=True, eq=False)(cls)
        cls.kind, cls.collection = kind_of(cls), collection
        add_kind(cls.kind, cls, collection, cls.call())
        named_parts[cls.kind] = cls

    @classmethod
    def arguments(cls) -> list[Argument]:
        """What the method of System takes."""
        return [NAME, *cls.takes]

    @classmethod
    @cache
    def call(cls) -> Signature:
        """How the method of System is called."""
        return signature_of(cls.arguments())

    @classmethod
    def create(cls, system, name: str, *args, **keywords) -> "NamedPart":
        """The record made from the arguments of System.<kind>."""
        part = f"{cls.kind} {name!r}"
        refuse_unfit(part, cls.call(), (name, *args), keywords)
        return cls.read(system, part, name, **bind(part, cls.call(), (name, *args), keywords))

    @classmethod
    def read(cls, system, part: str, name: str, **given) -> "NamedPart":
        raise NotImplementedError

    @property
    def part(self) -> str:
        """How messages call it."""
        return f"{self.kind} {self.name!r}"

    def values(self) -> list[Value]:
        """Its expressions."""
        return []

    def uses(self) -> list[str]:
        """Names of parts it refers to, apart from those in its expressions."""
        return []

    @property
    def summary(self) -> str:
        """What it is, in a few words."""
        raise NotImplementedError

    def to_dict(self):
        """The file form."""
        raise NotImplementedError


def named_parts_of(system) -> list[NamedPart]:
    """Inputs, variables, markers, outputs, events and controllers of a system."""
    return [
        part for collection in PARTS for part in getattr(system, collection).values() if isinstance(part, NamedPart)
    ]
