"""System: the one thing a user changes. It collects records by name, in the order they were added."""

from __future__ import annotations

from copy import copy, deepcopy
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING
from weakref import WeakSet

from mekane.errors import ModelError, did_you_mean
from mekane.expressions.parse import CONSTANTS, symbol_name
from mekane.model.body import GROUND, Body, look_from, make_body
from mekane.model.check import remarks
from mekane.model.construction_log import KEPT, PARTS, SECTIONS, changed, file_forms, recorded, refuse_hidden_functions
from mekane.model.generalized_speed import GeneralizedSpeed, read_generalized_speed
from mekane.model.initial_conditions import read_initial_conditions
from mekane.model.interface.calls import checked
from mekane.model.interface.kind_help import help_of
from mekane.model.interface.lazy import lazy_method
from mekane.model.names import check_name
from mekane.model.part_count import parts_of
from mekane.model.plane import read_plane
from mekane.model.record import Record, plain_numbers
from mekane.model.values.parameters import ConstructionRecord, Param, has_parameters, kept, numbers, written
from mekane.model.values.units import Measured, Stepped, measured, shown, vector
from mekane.plugins import Kinds, add_installed_kind, kind_names, refuse_taken_kinds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from mekane.expressions.graph import Expr
    from mekane.model.constraint import Constraint
    from mekane.model.force import Force
    from mekane.model.hybrid.controller import Controller
    from mekane.model.hybrid.event import Event
    from mekane.model.joint import Joint
    from mekane.model.set_valued import SetValued
    from mekane.model.shapes import Shape
    from mekane.model.signals.input import Input
    from mekane.model.signals.marker import Marker
    from mekane.model.signals.output import Output
    from mekane.model.signals.variable import Variable
    from mekane.model.types import (
        BodyLike,
        ConstrainedLike,
        JointLike,
        MatrixLike,
        NumberLike,
        OrientationLike,
        VectorLike,
    )

COLLECTIONS = {
    "bodies": "body", "joints": "joint", "constraints": "constraint", "contact_laws": "contact law", "forces": "force",
    "parameters": "parameter", "own_speeds": "speed",
    "inputs": "input", "variables": "variable", "markers": "marker", "outputs": "output", "events": "event", "controllers": "controller",
}  # fmt: skip

ALWAYS_WRITTEN = ("bodies", "joints", "constraints", "forces")  # sections of the plain data, even if they are empty
INTERNAL = {
    "claim",
    "constants",
    "find_body",
    "find_constrained",
    "find_joint",
    "take_parameter",
}  # what kinds use while parts are made


class System:
    """A mechanism: bodies, the joints between them, the forces on them.

    Every kind of joint, constraint and force is a method: s.pin(…), s.distance(…), s.spring(…).
    Each makes a record, stores it by its name and returns it.
    planar="xy" (or "yz", "zx", "xz"): everything moves in this plane, with three speeds for each body instead of six;
    `inertia` of a body may then be one number. All parts share one name space. Numbers are SI; text with units ("12
    mm") is accepted everywhere, and so are
    parameters: mk.Param("k"), or "$k" and "$l/2" as text.
    """

    _analyses = frozenset()  # names of mk.<name>(system); filled by mekane/__init__.py

    def __init__(
        self,
        name: str = "system",
        gravity: VectorLike = (0.0, 0.0, -9.81),
        parameters: Mapping[str, NumberLike] | None = None,
        planar: str | None = None,
    ):
        if not isinstance(name, str):
            raise ModelError("system", f"the name is {name!r}", "a name is text", 'Write System("crank").')
        self.name: str = name
        self.plane: str | None = read_plane(planar, f"system {name!r}")
        self.bodies: dict[str, Body] = {}
        self.joints: dict[str, Joint] = {}
        self.constraints: dict[str, Constraint] = {}
        self.contact_laws: dict[str, SetValued] = {}
        self.forces: dict[str, Force] = {}
        self.parameters: dict[str, float] = {}
        self.own_speeds: dict[str, GeneralizedSpeed] = {}
        self.inputs: dict[str, Input] = {}
        self.variables: dict[str, Variable] = {}
        self.markers: dict[str, Marker] = {}
        self.outputs: dict[str, Output] = {}
        self.events: dict[str, Event] = {}
        self.controllers: dict[str, Controller] = {}
        self.notes: list[str] = []
        self._construction: dict[str, ConstructionRecord] = {}  # how each part was made
        self._came_with: dict[str, float] = {}  # values that parameters brought with them
        self._measured: dict[str, Measured] = {}  # values of parameters that were given with a unit
        self._placed_by: dict[str, str] = {}  # parameters that defined places which are numbers now, and of which part
        self._initial_conditions: dict[
            str, float
        ] = {}  # whole revolutions of joints and controller states at the start, by name
        self._contact_modes: dict[str, int] = {}  # of elements of contact laws that do not begin open
        # records, still held by users, that were replaced when parameters changed
        self._replaced: WeakSet | None = None
        self._add_parameters(parameters or {})
        self.gravity = gravity
        self.ground_look = None

    def _add_parameters(self, parameters) -> None:
        if not isinstance(parameters, dict):
            problem = f"parameters is {shown(parameters)}"
            raise ModelError(
                f"system {self.name!r}", problem, "names and numbers are expected", 'Write parameters={"k": 4e3}.'
            )
        for name, value in parameters.items():
            self.parameter(name, value)

    @property
    def ground(self) -> Body:
        """The fixed frame: its axes are the world's."""
        return GROUND

    @property
    def gravity(self) -> tuple[float, float, float]:
        """Acceleration of free fall, world axes [m/s^2]."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: VectorLike) -> None:
        part = f"system {self.name!r}"
        self._gravity = plain_numbers(vector(numbers(self, value, part, "gravity"), "acceleration", part, "gravity"))
        self._gravity_given = kept(value)

    @property
    def ground_look(self) -> tuple[Shape, ...] | None:
        """What is drawn of the ground: shapes in the world, as `look` of a body; None for nothing of its own."""
        return self._ground_look

    @ground_look.setter
    def ground_look(self, value: Shape | Mapping[str, Any] | Sequence[Any] | None) -> None:
        self._ground_look = look_from(numbers(self, value, "ground", "look"), "ground")
        self._ground_look_given = kept(value)
        self.notes += [f"ground: {one}." for shape in self._ground_look or () for one in shape.remarks()]

    def body(
        self,
        name: str,
        mass: NumberLike | None = None,
        inertia: MatrixLike | None = None,
        com: VectorLike | None = None,
        *,
        position: VectorLike = (0, 0, 0),
        orientation: OrientationLike | None = None,
        velocity: VectorLike = (0, 0, 0),
        angular_velocity: VectorLike = (0, 0, 0),
        shape: Shape | Mapping[str, Any] | None = None,
        density: NumberLike | None = None,
        massless: bool = False,
        unphysical: bool = False,
        look: Shape | Mapping[str, Any] | Sequence[Any] | None = None,
        color: str | VectorLike | None = None,
    ) -> Body:
        """A rigid body.

        Parameters:
            name: what it is called; names are unique in a system.
            mass: its mass [kg].
            inertia: about the mass centre, body axes [kg m^2]: three principal values, six (xx, yy, zz, xy, xz, yz) or
                3x3. Left out, it comes from the shape; without a shape the body is a point mass.
            com: mass centre in the body's frame [m]; by default its origin, or the centre of its shape.
            position: of its origin at the start, world axes [m]; default (0, 0, 0).
            orientation: of its axes at the start: a quaternion (scalar last), a matrix, ("z", "30 deg"),
                ("xyz", [a, b, c]) or {"x": …, "y": …}; by default those of the world.
            velocity: of its origin at the start, world axes [m/s]; default (0, 0, 0).
            angular_velocity: at the start, world axes [rad/s]; default (0, 0, 0).
            shape: mk.Box(…), mk.Cylinder(…), mk.Mesh("arm.stl"), …: with density or mass it gives the mass properties; it is
                also drawn, and touches others.
            density: of its shape [kg/m^3].
            massless: True: mass 0 is meant; default False.
            unphysical: True: accept an inertia that breaks the triangle inequality or has a negative principal value, as
                some published data do; default False.
            look: a shape, or several, drawn in place of `shape`; [] for a body that is not drawn.
            color: of what is drawn: a name such as "orange", "#rrggbb", or red, green and blue from 0 to 1.

        Example:
            s = mk.System()
            s.body("arm", mass=1.2, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5), color="steel")
            s.body("disc", shape=mk.Cylinder(0.2, 0.02), density=7850, orientation=("x", "90 deg"))
        """
        self.claim(name, "body")
        given = dict(mass=mass, inertia=inertia, com=com, position=position, orientation=orientation, velocity=velocity)
        given |= dict(angular_velocity=angular_velocity, shape=shape, density=density, look=look)
        given = {keyword: numbers(self, one, f"body {name!r}", keyword) for keyword, one in given.items()}
        # about the normal; the others do not matter
        if self.plane and isinstance(given["inertia"], int | float | str | Stepped):
            given["inertia"] = (given["inertia"],) * 3
        record = make_body(name, **given, massless=massless, unphysical=unphysical, color=color)
        if record.is_point_mass and inertia is None:
            self.notes.append(f"body {name!r}: no inertia and no shape given, taken as a point mass.")
        self.notes += [f"body {name!r}: {one}." for shape in record.drawn for one in shape.remarks()]
        self.bodies[name] = record
        return record

    body = recorded("body", checked("body", body))

    def parameter(self, name: str, value: NumberLike) -> Expr:
        """Name a number, to be used in expressions. Text with a unit becomes SI.

        Returns the parameter to compute with, as mk.Param does: what is made with it follows it. Its number is
        s.parameters[name].
        """
        self.claim(name, "parameter")
        if name in CONSTANTS:
            problem = f"{name!r} is the constant {CONSTANTS[name]:.6g} in expressions"
            raise ModelError(
                f"parameter {name!r}", problem, "a name of your own", f"Choose another name, such as {name + '0'!r}."
            )
        number = measured(value, f"parameter {name!r}")
        self.parameters[name] = float(number)
        if isinstance(number, Measured):
            self._measured[name] = number
        return Param(name)

    def take_parameter(self, name: str, value: float) -> None:
        """Know a parameter that came with its value, mk.Param("k", 4e3), from its first use on."""
        if name not in self.parameters:
            self.parameter(name, value)
        known = self._came_with.setdefault(name, self.parameters[name])
        if value not in (known, self.parameters[name]):
            problem = f"mk.Param comes with the value {value:g}, and in this system it is {self.parameters[name]:g}"
            raise ModelError(
                f"parameter {name!r}",
                problem,
                "a parameter has one value",
                "Give another name, or leave out the value.",
            )

    @property
    def constants(self) -> dict[str, float]:
        """Values of the parameters, by the names of their symbols in expressions."""
        return {symbol_name(name): value for name, value in self.parameters.items()}

    def with_parameters(self, changes: Mapping[str, NumberLike] | None = None, **more: NumberLike) -> System:
        """A new system with other values of parameters: s.with_parameters(k=5e3, l="90 mm"),
        s.with_parameters({"arm.mass": 2}).

        Numbers that have no name are called by part and keyword; see `named`.
        """
        return changed(self, {**(changes or {}), **more})

    def set_parameters(self, changes: Mapping[str, NumberLike] | None = None, **more: NumberLike) -> None:
        """Change parameters of this system, as with_parameters. Its parts are made anew; if that fails, nothing is
        changed."""
        self._adopt(changed(self, {**(changes or {}), **more}))

    def _adopt(self, new: System) -> None:
        """Become the system that was built anew from this one. Records that users still hold stand for the new ones."""
        self._replaced = WeakSet(
            [
                *(self._replaced or ()),
                *self.bodies.values(),
                *self.joints.values(),
                *self.constraints.values(),
                *self.contact_laws.values(),
            ]
        )
        for collection in (*PARTS, "parameters"):
            mine = getattr(self, collection)
            mine.clear()
            mine.update(getattr(new, collection))
        for keyword in (
            "_gravity",
            "_gravity_given",
            "_construction",
            "_came_with",
            "_measured",
            "_placed_by",
            "_initial_conditions",
            "notes",
        ):
            setattr(self, keyword, getattr(new, keyword))

    def copied(self) -> System:
        """A system of its own with the same parts; changes of its collections do not change these."""
        new = type(self).__new__(type(self))
        new.__dict__.update(self._without_replaced())
        for collection in (
            *COLLECTIONS,
            "notes",
            "_construction",
            "_came_with",
            "_measured",
            "_placed_by",
            "_initial_conditions",
            "_contact_modes",
        ):
            setattr(new, collection, copy(getattr(self, collection)))
        return new

    __copy__ = copied

    add = lazy_method("mekane.model.reuse.add", "add")
    remove = lazy_method("mekane.model.removal", "remove")
    replace = lazy_method("mekane.model.replacement", "replace")
    with_discrete_state = lazy_method("mekane.model.hybrid.discrete_values", "with_discrete_state")
    named = lazy_method("mekane.model.values.parameter_paths", "named")
    numbers = lazy_method("mekane.model.values.parameter_paths", "numbers_of")

    def generalized_speeds(self, speeds: Mapping[str, Any]) -> dict[str, GeneralizedSpeed]:
        """Choose generalized speeds: {"u1": "hinge.angle.rate*cos(elbow.angle) + 2*t", …}, replacing those chosen
        before.

        Each is an expression text or a function f(t, state) of s.coordinates, s.speeds, parameters and t, linear in the
        speeds. They stand in for the speeds that occur in them; where that is not clear, {"value": "…", "instead_of":
        "elbow.angle.rate"} names it. The motion does not change; partial velocities, mass matrix and generalized
        forces are given in these speeds.
        """
        if not isinstance(speeds, dict):
            problem = f"generalized_speeds got {shown(speeds)}"
            raise ModelError(
                f"system {self.name!r}",
                problem,
                "names and expressions are expected",
                'Write {"u1": "hinge.angle.rate"}.',
            )
        before, self.own_speeds = self.own_speeds, {}
        try:
            self.own_speeds = {
                self.claim(name, "speed"): read_generalized_speed(self, name, given) for name, given in speeds.items()
            }
        except ModelError:
            self.own_speeds = before
            raise
        return self.own_speeds

    def initial_conditions(self, values: Mapping[str, NumberLike]) -> None:
        """Give what the positions of bodies leave open of the initial state: {"hinge.angle": "3 turn",
        "drive.integral": 0.2}.

        Of an angle only its whole revolutions count, the rest is where the bodies are; an integral is the controller
        state of a pid.
        """
        self._initial_conditions |= read_initial_conditions(self, values)

    def claim(self, name: str, what: str) -> str:
        """The name, if it is a good one and still free."""
        check_name(name, what)
        for collection, owner in COLLECTIONS.items():
            if name in getattr(self, collection):
                problem = f"the name {name!r} is already used by {'an' if owner[0] in 'aeio' else 'a'} {owner}"
                raise ModelError(f"{what} {name!r}", problem, "all parts share one name space", "Choose another name.")
        return name

    def find_body(self, who: BodyLike, part: str) -> Body:
        """The body meant by a record or a name; "ground" is one of them."""
        if who is GROUND or (isinstance(who, str) and who == "ground"):
            return GROUND
        name = getattr(who, "name", who)
        among = self.bodies if isinstance(name, str) and name in self.bodies else {**self.bodies, "ground": GROUND}
        return self._find(who, among, Body, "body", part)

    def find_joint(self, who: JointLike, part: str) -> Joint:
        """The joint meant by a record or a name."""
        return self._find(who, self.joints, object, "joint", part)

    def find_constrained(self, who: ConstrainedLike, part: str) -> Joint | Constraint:
        """The joint or constraint meant by a record or a name."""
        return self._find(who, {**self.joints, **self.constraints}, object, "joint or constraint", part)

    def _find(self, who, among: dict, record_class: type, what: str, part: str):
        name = getattr(who, "name", who)
        if not isinstance(name, str) or name not in among:
            known = ", ".join(repr(option) for option in among)
            remedy = f"Known: {known if len(known) < 300 else known[:300] + '…'}.{did_you_mean(str(name), among)}"
            raise ModelError(
                part, f"{name!r} is not a {what} of this system", f"a {what} or its name is expected", remedy
            )
        if (
            not isinstance(who, str)
            and who != among[name]
            and not (isinstance(who, Record) and who in (self._replaced or ()))
        ):
            problem = (
                f"{what} {name!r} belongs to another system"
                if isinstance(who, record_class)
                else f"{who!r} is not a {what}"
            )
            raise ModelError(
                part, problem, f"a {what} of this system is expected", f"Add it here first, or give its name {name!r}."
            )
        return among[name]

    def has(self, name: str) -> bool:
        """True if a part is called so."""
        return any(name in getattr(self, collection) for collection in PARTS)

    def check(self) -> list[str]:
        """Warnings in plain words about what is allowed but may be unintended."""
        return [*self.notes, *remarks(self)]

    def to_dict(self) -> dict:
        """Plain data in the form of a model file; reading it back gives the equal system."""
        return {
            "system": self.name,
            "gravity": written(self._gravity_given) if has_parameters(self._gravity_given) else list(self.gravity),
            **({"planar": self.plane} if self.plane else {}),
            "parameters": dict(self.parameters),
            **({} if self.ground_look is None else {"ground": {"look": self._ground_look_form()}}),
            **{
                SECTIONS.get(collection, collection): file_forms(self, collection)
                for collection in PARTS
                if collection in ALWAYS_WRITTEN or getattr(self, collection)
            },
            **(
                {"speeds": {name: speed.to_dict() for name, speed in self.own_speeds.items()}}
                if self.own_speeds
                else {}
            ),
            **({"initial_conditions": dict(self._initial_conditions)} if self._initial_conditions else {}),
        }

    def _ground_look_form(self):
        given = self._ground_look_given
        return written(given) if has_parameters(given) else [shape.to_dict() for shape in self.ground_look]

    def __getstate__(self) -> dict:
        refuse_hidden_functions(self)
        return self._without_replaced()

    def __deepcopy__(self, memo) -> System:
        made = memo[id(self)] = type(self).__new__(type(self))
        made.__dict__.update(deepcopy(self._without_replaced(), memo))
        return made

    def _without_replaced(self) -> dict:
        """What copies have: nothing that was kept of it, or replaced."""
        return {name: value for name, value in self.__dict__.items() if name != KEPT} | {"_replaced": None}

    def __getattr__(self, name: str):
        """A kind that an installed package adds (mekane.plugins), or an error."""
        if name.startswith("_"):
            raise AttributeError(f"System has no attribute {name!r}")
        add_installed_kind(name)
        if hasattr(type(self), name):
            return getattr(self, name)
        from mekane.model.interface.other_names import method_hint

        raise AttributeError(f"System has no method {name!r}.{method_hint(name, type(self), dir(self))}")

    def __dir__(self) -> list[str]:
        refuse_taken_kinds(_package_of)
        names = {*dir(type(self)), *vars(self), *kind_names()}
        return sorted(name for name in names if not name.startswith("_") and name not in INTERNAL)

    def __repr__(self) -> str:
        return f"System({self.name!r}: {parts_of(self)})"


_ATTRIBUTES = vars(System())


def add_kind(kind: str, record_class: type, collection: str, call: Signature | None = None) -> None:
    """Give System the method `kind`, which makes a record of this class and puts it into the collection "joints",
    "constraints" or "forces".

    The class needs  create(system, name, …) -> record, a classmethod that checks everything and stores nothing. The
    method's help is the class' docstring, its signature that of create, or `call` (without system). Base classes call
    this from __init_subclass__, so that a new kind is one new file.
    """
    _refuse_taken(kind, record_class)
    what = COLLECTIONS[collection]

    def make(self, name, *args, **keywords):
        self.claim(name, what)
        record = record_class.create(self, name, *args, **keywords)
        getattr(self, collection)[name] = record
        return record

    parameters = list((call or signature(record_class.create)).parameters.values())
    parameters = parameters if call else parameters[1:]
    make.__signature__ = Signature([Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *parameters])
    method = recorded(kind, make)
    method.__name__, method.__qualname__, method.__module__ = kind, f"System.{kind}", record_class.__module__
    method.__doc__, method.record_class = help_of(record_class), record_class
    setattr(System, kind, method)


def add_kinds(kinds: Kinds, package: str, path) -> None:
    """Give System a method for each kind that is a file of a package. The file is imported when the method is looked
    at."""
    for kind in kinds.scan(package, path):
        if kind in kinds.classes:
            continue  # imported before
        if hasattr(System, kind) or kind in _ATTRIBUTES:
            raise TypeError(f"System already has the method {kind!r}; module {package}.{kind} needs another name")
        setattr(System, kind, _LazyKind(kinds, kind))


class _LazyKind:
    """Stands for the method of a kind that is not imported yet."""

    def __init__(self, kinds: Kinds, kind: str):
        self.kinds, self.kind = kinds, kind

    def __get__(self, instance, owner: type):
        self.load()
        return getattr(owner if instance is None else instance, self.kind)

    def load(self) -> type:
        """The class of the kind; from then on System has its method."""
        return self.kinds[self.kind]

    record_class = property(load)


def _package_of(name: str) -> str | None:
    """The package that defines this method of System; None if there is none."""
    method = getattr(System, name, None)
    return None if method is None else getattr(method, "record_class", System).__module__.partition(".")[0]


def _refuse_taken(kind: str, record_class: type) -> None:
    taken = _ATTRIBUTES.get(kind, vars(System).get(kind))
    if isinstance(taken, _LazyKind) and taken.kinds.files[kind] == record_class.__module__:
        return
    owner = getattr(taken, "record_class", None)
    again = owner is not None and (owner.__module__, owner.__qualname__) == (
        record_class.__module__,
        record_class.__qualname__,
    )
    if taken is not None and not again:
        raise TypeError(f"System already has the method {kind!r}; class {record_class.__name__} needs another name")
