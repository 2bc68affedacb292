"""Symbols for the numbers of a system that have no name: masses, inertias, places, stiffnesses, gravity.

They are given where the records of parts hold the numbers, not where they were specified: a joint placed by world
coordinates has then one symbol for each coordinate in its body, and not a difference of two. Zero stays the number 0, a
negative number becomes −symbol; rotations, axes and the motion at the start stay numbers, and a number that carries the
user's expression keeps it. In a plane only what acts in it gets symbols.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace

import numpy as np

from mekane.compiler.frames import tidied
from mekane.expressions.node import neg, scalar, symbol
from mekane.expressions.parse import symbol_name
from mekane.expressions.traced_number import TracedNumber, reals, traced
from mekane.model.constraint import End
from mekane.model.construction_log import construction_of
from mekane.model.force import AtPoint, Axial, BetweenFrames, MassCentres
from mekane.model.plane import plane_axes
from mekane.model.record import frozen_array, plain_numbers
from mekane.model.values.parameters import has_parameters
from mekane.model.values.units import DIMENSIONS
from mekane.model.values.values import Value

AXES = "xyz"
SIX = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}
LABELS = {3: ("x", "y", "z"), 6: ("x", "y", "z", "rx", "ry", "rz")}
ROUND_OFF = 1e-14  # of the size of a mechanism, or of the inertias of a body: what is smaller is zero


@dataclass
class Symbols:
    """Makes symbols and keeps what they are. `wanted`: their names, or None for all. `tidy` rewrites expressions that
    are there already."""

    wanted: tuple | None = None
    meanings: dict = field(default_factory=dict)
    values: dict = field(default_factory=dict)
    tidy: Callable = scalar

    def number(self, x, name: str, what: str, dimension=None, round_off=0.0):
        """The number with a symbol of this name, if it is a plain number and not zero."""
        if isinstance(x, TracedNumber):
            return traced(x.real, self.tidy(x.expr))
        if abs(x) <= round_off:
            return 0.0
        if self.wanted is not None and name not in self.wanted:
            return float(x)
        while name in self.values:  # the user has a parameter of this name
            name += "_"
        self.values[name], self.meanings[name] = (
            abs(float(x)),
            f"{what} [{unit(dimension)}]" if unit(dimension) else what,
        )
        own = symbol(symbol_name(name))
        return TracedNumber(float(x), own if x > 0 else neg(own))

    def value(self, value, name: str, what: str, dimension=None):
        """The same for what a force or a constraint was given."""
        if not isinstance(value, Value) or not isinstance(value.graph, float):
            return value
        x = self.number(value.graph, name, what, dimension)
        return replace(value, graph=x.expr) if isinstance(x, TracedNumber) else value


def unit(dimension) -> str:
    return DIMENSIONS[dimension].units[0] if dimension else ""


def with_implicit_symbols(system, symbols: Symbols):
    """A copy of the system with symbols in its records; they are parameters of the copy."""
    new = system.copied()
    places = Places(system, symbols)
    new.bodies = {name: implicit_body(system, body, places) for name, body in system.bodies.items()}
    new.joints = {name: implicit_joint(joint, places) for name, joint in system.joints.items()}
    new.constraints = {name: implicit_constraint(constraint, places) for name, constraint in system.constraints.items()}
    new.forces = {name: implicit_force(system, force, places, new.bodies) for name, force in system.forces.items()}
    new._gravity = implicit_gravity(system, symbols)
    new.parameters |= {
        name: TracedNumber(value, symbol(symbol_name(name)))
        for name, value in symbols.values.items()
        if name not in system.parameters
    }
    return new


class Places:
    """Gives symbols to points, and knows which of their components act."""

    def __init__(self, system, symbols):
        self.symbols, self.plane = symbols, system.plane
        self.axes = {name: reals(body.R_NB) for name, body in {"ground": system.ground, **system.bodies}.items()}
        self.round_off = ROUND_OFF * size_of(system)

    def across(self, body: str):
        """The axis of a body that is across the plane, if one is: 0, 1 or 2."""
        if not self.plane:
            return None
        n = np.abs(self.axes[body].T @ plane_axes(self.plane)[:, 2])
        return int(np.argmax(n)) if n.max() > 1.0 - 1e-12 else None

    def point(self, body: str, point, name: str, what: str) -> list:
        across = self.across(body)
        one = lambda k, x: self.symbols.number(x, f"{name}.{AXES[k]}", f"{AXES[k]} of {what}", "length", self.round_off)
        return [x if k == across and not isinstance(x, TracedNumber) else one(k, x) for k, x in enumerate(point)]

    def rotation(self, R) -> np.ndarray:
        """Without round-off; its numbers get no symbols."""
        tidy = lambda x: traced(x.real, self.symbols.tidy(x.expr)) if isinstance(x, TracedNumber) else x
        return frozen_array([[tidy(x) for x in row] for row in tidied(R)])


def size_of(system) -> float:
    """The largest length in the places of bodies and joints."""
    lengths = [x for body in system.bodies.values() for x in (body.position, body.com)]
    lengths += [x for joint in system.joints.values() for x in (joint.p_AF, joint.p_BM)]
    return max((np.abs(reals(x)).max() for x in lengths), default=0.0)


# ---------------------------------------------------------------- one part after the other


def implicit_body(system, body, places: Places):
    name, part = body.name, f"body {body.name!r}"
    body = with_shape_symbols(system, body, places.symbols)
    mass = places.symbols.number(body.mass, f"{name}.mass", f"mass of {part}", "mass")
    com = places.point(name, body.com, f"{name}.com", f"the mass centre of {part}, in its frame")
    return replace(
        body,
        mass=mass,
        com=frozen_array(com),
        inertia=implicit_inertia(body, part, places),
        R_NB=places.rotation(body.R_NB),
    )


def with_shape_symbols(system, body, symbols: Symbols):
    """Where a parameter gives the mass or a size of a shape, the other numbers that the inertia is computed from are
    symbols, too: m l²/12, and not 0.2475 l²."""
    made = construction_of(system, body.name, body)
    if made is None or body.shape is None or symbols.wanted is not None or made.keywords.get("inertia") is not None:
        return body
    sizes = {keyword: x for keyword, x in body.shape.arguments().items() if isinstance(x, float | TracedNumber)}
    if body.massless or not any(isinstance(x, TracedNumber) for x in (body.mass, *sizes.values())):
        return body
    part, shape = f"body {body.name!r}", copy(body.shape)
    for keyword, x in sizes.items():
        size = symbols.number(x, f"{body.name}.{keyword}", f"{keyword} of the shape of {part}", "length")
        object.__setattr__(shape, keyword, size)
    found = shape.mass_properties(**{known_by(made): symbol_of_mass(body, made, symbols)})
    com = found.com if made.keywords.get("com") is None else body.com
    return replace(body, mass=found.mass, inertia=found.inertia, com=com)


def known_by(made) -> str:
    """What the mass of a body with a shape was given by."""
    return "mass" if made.keywords.get("density") is None else "density"


def symbol_of_mass(body, made, symbols: Symbols):
    if known_by(made) == "mass":
        return symbols.number(body.mass, f"{body.name}.mass", f"mass of body {body.name!r}", "mass")
    density = body.mass / body.shape.volume
    density = density if has_parameters(made.keywords["density"]) else density.real
    return symbols.number(density, f"{body.name}.density", f"density of body {body.name!r}", "density")


def implicit_inertia(body, part: str, places: Places) -> np.ndarray:
    """In a plane only that about the normal."""
    tensor, across = np.array(body.inertia, dtype=object), places.across(body.name)
    round_off = ROUND_OFF * np.abs(reals(tensor)).max()
    for keyword, (i, j) in SIX.items():
        if across is None or i == j == across:
            what = f"inertia {keyword} of {part}, about its mass centre"
            tensor[i, j] = tensor[j, i] = places.symbols.number(
                tensor[i, j], f"{body.name}.inertia.{keyword}", what, "inertia", round_off
            )
    return frozen_array(tensor)


def implicit_joint(joint, places: Places):
    name, number = joint.name, places.symbols.number
    end = lambda side, body, point: frozen_array(
        places.point(body, point, f"{name}.{side}", f"{joint.part} on {body!r}, in its frame")
    )
    own = {
        keyword: number(getattr(joint, keyword), f"{name}.{keyword}", f"{keyword} of {joint.part}", dimension)
        for keyword, dimension in joint.own_keywords().items()
    }
    R_AF, R_BM = map(places.rotation, (joint.R_AF, joint.R_BM))
    return replace(
        joint, p_AF=end("a", joint.a, joint.p_AF), p_BM=end("b", joint.b, joint.p_BM), R_AF=R_AF, R_BM=R_BM, **own
    )


def implicit_constraint(constraint, places: Places):
    """Points and numbers; directions stay, and numbers that decide which rows there are."""
    made = {}
    for f in constraint.own_fields():
        if f.name in getattr(constraint, "structural", ()):
            continue
        given, name, what = getattr(constraint, f.name), f"{constraint.name}.{f.name}", f"{f.name} of {constraint.part}"
        dimension = f.metadata["dimension"] if f.metadata["dimension"] in DIMENSIONS else None
        if isinstance(given, End):
            made[f.name] = End(
                given.body,
                tuple(places.point(given.body, given.point, name, f"{what}, in the frame of {given.body!r}")),
            )
        elif isinstance(given, Value):
            made[f.name] = places.symbols.value(given, name, what)
        elif isinstance(given, float):
            made[f.name] = places.symbols.number(given, name, what, dimension)
        elif isinstance(given, tuple) and dimension == "length":
            three = [(x, f"{name}.{axis}", f"{axis} of {what}") for x, axis in zip(given, AXES, strict=True)]
            made[f.name] = tuple(places.symbols.number(*one, "length") for one in three)
    return replace(constraint, **made)


def implicit_force(system, force, places: Places, bodies):
    made = {f.name: implicit_values(force, f, places.symbols) for f in force.value_fields()}
    return replace(force, acts=implicit_attachment(system, force, places, bodies), **made)


def implicit_values(force, f, symbols: Symbols):
    """The value of a field: one, three, six, or the upper half of 6×6."""
    given, name, what, dimension = (
        getattr(force, f.name),
        f"{force.name}.{f.name}",
        f"{f.name} of {force.part}",
        f.metadata["dimension"],
    )
    if isinstance(dimension, dict):
        dimension = dimension[force.acts.dimension]
    if not isinstance(given, tuple):
        return symbols.value(given, name, what, dimension)
    labels = LABELS[len(given)]
    of = lambda i: dimension[i // 3] if isinstance(dimension, tuple) else dimension
    if not isinstance(given[0], tuple):
        return tuple(
            symbols.value(x, f"{name}.{labels[i]}", f"{labels[i]} of {what}", of(i)) for i, x in enumerate(given)
        )
    pair = lambda i, j: f"{labels[i]}.{labels[j]}"
    upper = lambda i, j, x: symbols.value(x, f"{name}.{pair(i, j)}", f"{pair(i, j)} of {what}") if i <= j else x
    return tuple(tuple(upper(i, j, x) for j, x in enumerate(row)) for i, row in enumerate(given))


def implicit_attachment(system, force, places: Places, bodies):
    """Where it acts. What was specified to be at a mass centre stays there."""
    acts, name = force.acts, force.name
    centre = lambda body: plain_numbers(bodies[body].com)
    point = lambda body, p, keyword: tuple(
        places.point(body, p, f"{name}.{keyword}", f"the point of {force.part} on {body!r}, in its frame")
    )
    if isinstance(acts, MassCentres):
        a, b = bodies[acts.a], bodies[acts.b]
        return replace(acts, point_a=centre(acts.a), point_b=centre(acts.b), mass_a=a.mass, mass_b=b.mass)
    if isinstance(acts, Axial | BetweenFrames):
        return replace(acts, point_a=point(acts.a, acts.point_a, "a"), point_b=point(acts.b, acts.point_b, "b"))
    if isinstance(acts, AtPoint):
        made = construction_of(system, name, force)
        not_given = made is not None and made.keywords.get("at") is None
        return replace(acts, point=centre(acts.body) if not_given else point(acts.body, acts.point, "at"))
    return acts


def implicit_gravity(system, symbols: Symbols) -> tuple:
    """One symbol if it is along one axis, else one for each component."""
    across = plane_axes(system.plane)[:, 2] if system.plane else np.zeros(3)
    acting = [k for k in range(3) if system.gravity[k] != 0 and not across[k]]
    alone = len(acting) == 1
    what = lambda k: "acceleration of free fall" if alone else f"{AXES[k]} of gravity"
    one = lambda k, x: symbols.number(x, "gravity" if alone else f"gravity.{AXES[k]}", what(k), "acceleration")
    return tuple(one(k, x) if k in acting else x for k, x in enumerate(system.gravity))
