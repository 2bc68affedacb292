"""Force: the base class of every kind of force, which is where it measures and acts, a law, and an energy if it has
one."""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from inspect import Parameter, Signature, signature
from typing import ClassVar, dataclass_transform

from mekane.errors import ModelError, did_you_mean
from mekane.model.attachments import (
    AtPoint,
    Axial,
    BetweenCoordinates,
    BetweenFrames,
    Couple,
    JointCoordinate,
    JointRotation,
    MassCentres,
    MovingPoint,
    Place,
    RotatingBody,
    RotationCoordinate,
    TranslationCoordinate,
)
from mekane.model.interface.kind_help import NAME, Argument, signature_of, unit_of
from mekane.model.names import kind_of
from mekane.model.system import add_kind
from mekane.model.values.parameters import adopted, check_units, numbers, tables
from mekane.model.values.values import Value, is_constant, is_zero, read_six, read_value, read_vector
from mekane.plugins import Kinds

__all__ = [
    "AtPoint", "Axial", "BetweenCoordinates", "BetweenFrames", "Couple", "Force", "JointCoordinate", "JointRotation", "MassCentres",
    "MovingPoint", "RotatingBody", "RotationCoordinate", "TranslationCoordinate", "force_kinds", "given", "given3", "given6",
]  # fmt: skip

# between two points; about an axis; on a body; between frames; limits of a coordinate
APPEARANCES = ("spring", "damper", "line", "actuator", "spiral", "motor", "arrow", "turn", "bushing", "stop")
force_kinds = Kinds()  # {kind: subclass of Force}


def given(dimension: str | dict, default=MISSING, dissipative: bool = False, meaning: str = ""):
    """A field the user fills with one Value: a number, an expression, a function of (t, state) or a table.

    Where it depends on the joint's coordinate, the dimension is {"angle": that for a turning one, "length": that for a
    sliding one}. meaning: what it is, for its help.
    """
    return _field(dimension, default, read_value, "ValueLike", dissipative, meaning)


def given3(dimension: str, default=MISSING, meaning: str = ""):
    """A field the user fills with three Values, kept as a tuple."""
    return _field(dimension, default, read_vector, "VectorValueLike", False, meaning)


def given6(dimension: tuple[str, str], default=MISSING, dissipative: bool = False, meaning: str = ""):
    """A field the user fills with six Values or 6×6 of them, kept as a tuple; dimensions along and about the axes."""
    return _field(dimension, default, read_six, "MatrixLike", dissipative, meaning)


def _field(dimension, default, read, type: str, dissipative: bool, meaning: str):
    metadata = dict(dimension=dimension, read=read, type=type, dissipative=dissipative, meaning=meaning)
    return field(default=default, metadata=metadata)


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Force:
    """A force on bodies or on a coordinate of a joint.

    To add a kind, write one file in mekane/forces with one subclass:

    1. Its docstring begins the help of the method that System gets, named after the class (TorsionalSpring →
       s.torsional_spring) or by `kind`; `example` is a line of Python that ends it.
    2. `between` is where it measures and acts: Axial, MassCentres, RotationCoordinate, TranslationCoordinate,
       JointCoordinate, BetweenCoordinates, AtPoint, MovingPoint, Couple, RotatingBody or BetweenFrames (see
       attachments.py).
    3. What the user gives are annotated fields with a dimension of units.py, and what they mean:
       stiffness: Value = given("stiffness", meaning="force per metre of stretch")
    4. `law(…)` is plain Python on scalars. Its arguments and results depend on the place:
         Axial            law(L, Ld)  → tension, positive when it pulls the points together (length L, its rate Ld)
         JointCoordinate  law(q, u)   → force or torque on the coordinate, positive when it drives q up
                                        (the same for RotationCoordinate and TranslationCoordinate)
         BetweenCoordinates  law(w, wd) → force or torque that drives w = q_a − ratio q_b up; `ratio` is a field
         AtPoint          law()       → three components of force
         MovingPoint      law(p, v)   → three components of force
         Couple           law()       → three components of torque
         RotatingBody     law(w)      → three components of torque
         BetweenFrames    law(z, zd)  → six forces and torques on b, conjugate to z: shifts of M along the axes of F,
                                        then Bryan angles
    5. If it stores energy, `energy(L)`, `energy(q)`, `energy(p)` or `energy(z)`: then tension = dV/dL or force =
    −dV/dq,
       apart from the fields that are given with dissipative=True.
    6. If it has a controller state (on a line or a joint), `integrand(…)`: the rate of that state, which is zero at
       the start and is the last argument of the law and of this.
    7. `local` are names that its expressions may use besides those of the model, such as L for its length; the law
       substitutes them.
    8. What other packages know of it: `is_drive`, its values are commands, which the studio shows first; `is_actuator`,
       inverse dynamics determines it where no actuators are named; `appearance`, how it is drawn, one of APPEARANCES;
       left out, by its place, as a spring where it has a `stiffness` and is no drive; `adds_inertia`, it is no law but
       `inertia` and `ratio` of a body that turns with a joint coordinate.

    Subclasses become frozen dataclasses by themselves. In a law the fields are numbers or expressions, no longer Values
    (see `resolve`).
    """

    name: str
    acts: Place

    kind: ClassVar[str]
    between: ClassVar[type[Place]]
    example: ClassVar[str] = ""  # a line of Python, for its help
    local: ClassVar[tuple[str, ...]] = ()
    is_drive: ClassVar[bool] = False
    is_actuator: ClassVar[bool] = False
    adds_inertia: ClassVar[bool] = False
    appearance: ClassVar[str | None] = None

    def __init_subclass__(cls):
        super().__init_subclass__()
        dataclass(frozen=True)(cls)
        cls.kind = vars(cls).get("kind", kind_of(cls))
        if cls.appearance not in (None, *APPEARANCES):
            raise TypeError(
                f"{cls.__name__}.appearance is {cls.appearance!r}; one of {', '.join(APPEARANCES)} is expected"
            )
        add_kind(cls.kind, cls, "forces", cls.call())
        force_kinds[cls.kind] = cls

    def law(self, *measured):
        raise NotImplementedError

    def energy(self, *measured):
        return None

    def integrand(self, *measured):
        return None

    @property
    def has_controller_state(self) -> bool:
        return type(self).integrand is not Force.integrand

    @property
    def stores_energy(self) -> bool:
        """True if it has an energy that depends on the configuration alone: nothing in it changes with time or the
        state."""
        return type(self).energy is not Force.energy and is_constant(*self.values(dissipative=False))

    @property
    def conservative(self) -> bool:
        """True if all its work comes out of its energy."""
        return self.stores_energy and all(map(is_zero, self.values(dissipative=True)))

    @property
    def drawn_as(self) -> str:
        """The look it was given, its appearance, or that of a force in its place."""
        elastic = hasattr(self, "stiffness") and not self.is_drive
        return getattr(self.acts, "look", None) or self.appearance or self.acts.appearance[0 if elastic else 1]

    def check(self) -> None:
        """Raise a ModelError for values that make no sense for this kind."""

    @property
    def part(self) -> str:
        """How messages call it."""
        return f"{self.kind} {self.name!r}"

    @classmethod
    def value_fields(cls) -> list:
        return [f for f in fields(cls) if "dimension" in f.metadata]

    @classmethod
    def arguments(cls) -> list[Argument]:
        """What the method of System takes: the name, the place, the values, and the options of the place by keyword."""
        place = [
            Argument(p.name, *cls.between.meanings[p.name], default=p.default, keyword_only=p.default is not p.empty)
            for p in list(signature(cls.between.read).parameters.values())[2:]
        ]
        needed = [argument for argument in place if not argument.keyword_only]
        options = [argument for argument in place if argument.keyword_only]
        return [NAME, *needed, *map(_argument, cls.value_fields()), *options]

    @classmethod
    @cache
    def call(cls) -> Signature:
        """How the method of System is called."""
        return signature_of(cls.arguments())

    @classmethod
    def create(cls, system, name: str, *args, **keywords) -> "Force":
        """The record made from the arguments of System.<kind>."""
        part = f"{cls.kind} {name!r}"
        arguments = bind(part, cls.call(), (name, *args), keywords)
        values = {f.name: tables(system, arguments.pop(f.name), part, f.name) for f in cls.value_fields()}
        acts = cls.place(
            system, part, values, {keyword: numbers(system, one, part, keyword) for keyword, one in arguments.items()}
        )
        force = cls(
            name,
            acts,
            **{f.name: adopted(system, _read(system, f, values[f.name], acts, part)) for f in cls.value_fields()},
        )
        force.check()
        return force

    @classmethod
    def place(cls, system, part: str, values: dict, options: dict) -> Place:
        """Where it acts, from the keywords that are not values."""
        return cls.between.read(system, part, **options)

    def values(self, dissipative: bool | None = None) -> list[Value]:
        """All its Values in order, a vector gives three; or only those of dissipative fields, or of the others."""
        chosen = [f for f in self.value_fields() if dissipative in (None, f.metadata["dissipative"])]
        return [value for f in chosen for value in _flat(getattr(self, f.name)) if value is not None]

    def resolve(self, lookup: Callable) -> "Force":
        """A copy in which `lookup` has replaced each Value by a number or an expression."""

        def resolved(value):
            if isinstance(value, tuple):
                return tuple(map(resolved, value))
            return lookup(value) if isinstance(value, Value) else value

        return replace(self, **{f.name: resolved(getattr(self, f.name)) for f in self.value_fields()})

    def to_dict(self) -> dict:
        """The file form; values left at their default are left out."""
        keywords = {}
        for f in self.value_fields():
            value = getattr(self, f.name)
            if value is not None and (f.default is MISSING or _given(value) != f.default):
                keywords[f.name] = self._written(value, f.name)
        return {self.kind: self.acts.to_dict(), **keywords, **self.acts.options()}

    def _written(self, value, what: str):
        """The file form of a Value or of a tuple of them."""
        return (
            [self._written(one, what) for one in value] if isinstance(value, tuple) else value.to_dict(self.part, what)
        )


def _read(system, f, argument, acts: Place, part: str):
    if argument is None and f.default is None:
        return None
    dimension = f.metadata["dimension"]
    if isinstance(dimension, dict):
        dimension = dimension[acts.dimension]
    read = lambda one: f.metadata["read"](one, dimension, part, f.name)
    check_units(system, argument, read)
    return read(argument)


def _given(value):
    return tuple(map(_given, value)) if isinstance(value, tuple) else value.given


def bind(part: str, call: Signature, args: tuple, keywords: dict) -> dict:
    """Arguments by name, the name itself left out, defaults filled in; what does not fit is named."""
    known = [keyword for keyword in call.parameters if keyword != "name"]
    for keyword in keywords:
        if keyword not in known:
            raise ModelError(
                part,
                f"{keyword!r} is not one of its keywords",
                f"it takes {', '.join(known)}",
                did_you_mean(keyword, known),
            )
    try:
        bound = call.bind_partial(*args, **keywords)
    except TypeError as error:
        raise ModelError(part, str(error), f"it takes {', '.join(known)}") from None
    for keyword in known:
        if keyword not in bound.arguments and call.parameters[keyword].default is Parameter.empty:
            raise ModelError(part, f"{keyword} is missing", f"it takes {', '.join(known)}", f"Add {keyword}=.")
    bound.apply_defaults()
    return {keyword: value for keyword, value in bound.arguments.items() if keyword != "name"}


def _argument(f) -> Argument:
    default = Parameter.empty if f.default is MISSING else f.default
    return Argument(f.name, f.metadata["type"], f.metadata["meaning"], unit_of(f.metadata["dimension"]), default)


def _flat(value) -> tuple:
    return tuple(x for one in value for x in _flat(one)) if isinstance(value, tuple) else (value,)
