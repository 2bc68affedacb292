"""Bodies: the description of a rigid body, checked, in SI."""

from dataclasses import dataclass

import numpy as np

from mekane.errors import ModelError
from mekane.expressions.traced_number import reals
from mekane.model.geometry.looks import look_from
from mekane.model.geometry.shapes import MassProperties, Shape, shape_from
from mekane.model.record import Record, frozen_array
from mekane.model.values.flag import flag
from mekane.model.values.inertia import inertia_from, inertia_to_list
from mekane.model.values.orientation import IDENTITY, matrix_from
from mekane.model.values.units import positive, quantity, vector

ORIGIN = frozen_array(np.zeros(3))
NO_INERTIA = frozen_array(np.zeros((3, 3)))


@dataclass(frozen=True, eq=False)
class Body(Record):
    """A rigid body B at the start of the motion. Position and velocity are those of its origin Bo; world axes unless
    stated otherwise."""

    name: str
    mass: float  # [kg]
    inertia: np.ndarray  # 3x3 about the mass centre, body axes [kg m^2]
    com: np.ndarray  # mass centre from Bo, body axes [m]
    position: np.ndarray  # p_NB [m]
    R_NB: np.ndarray  # body axes → world axes
    velocity: np.ndarray  # v_NB [m/s]
    angular_velocity: np.ndarray  # w_NB [rad/s]
    shape: Shape | None
    massless: bool  # mass 0 is meant
    unphysical: bool  # an inertia no real body has is meant
    look: tuple[Shape, ...] | None = None  # what is drawn in place of the shape
    color: str | None = None  # "#rrggbb" of what is drawn

    @property
    def is_point_mass(self) -> bool:
        return self.mass.real > 0 and not np.any(reals(self.inertia))

    def to_dict(self) -> dict:
        """The file form; what has its default value is left out."""
        result = {"massless": True} if self.massless else {"mass": self.mass}
        result["inertia"] = inertia_to_list(self.inertia)
        if self.unphysical:
            result["unphysical"] = True
        if np.any(self.com) or self.shape is not None:
            result["com"] = self.com.tolist()
        for keyword in ("position", "velocity", "angular_velocity"):
            if np.any(getattr(self, keyword)):
                result[keyword] = getattr(self, keyword).tolist()
        if not np.array_equal(self.R_NB, IDENTITY):
            result["orientation"] = self.R_NB.tolist()
        if self.shape is not None:
            result["shape"] = self.shape.to_dict()
        if self.look is not None:
            result["look"] = [shape.to_dict() for shape in self.look]
        return result if self.color is None else result | {"color": self.color}

    @property
    def drawn(self) -> tuple[Shape, ...]:
        """Shapes that it is drawn as; none: as what holds it."""
        return self.look if self.look is not None else () if self.shape is None else (self.shape,)


GROUND = Body("ground", 0.0, NO_INERTIA, ORIGIN, ORIGIN, IDENTITY, ORIGIN, ORIGIN, None, False, False)


def make_body(
    name, *, mass, inertia, com, position, orientation, velocity, angular_velocity, shape, density, massless, unphysical,
    look, color,
) -> Body:  # fmt: skip
    """The record made from the arguments of System.body."""
    part = f"body {name!r}"
    shape = shape_from(shape, part)
    massless, unphysical = flag(massless, part, "massless"), flag(unphysical, part, "unphysical")
    shapes, colour = look_from(look, color, part)
    properties = _mass_properties(part, mass, inertia, com, shape, density, massless, unphysical)
    return Body(
        name=name,
        mass=properties.mass,
        inertia=properties.inertia,
        com=properties.com if com is None else vector(com, "length", part, "com"),
        position=vector(position, "length", part, "position"),
        R_NB=matrix_from(orientation, part),
        velocity=vector(velocity, "velocity", part, "velocity"),
        angular_velocity=vector(angular_velocity, "angular_velocity", part, "angular_velocity"),
        shape=shape,
        massless=massless,
        unphysical=unphysical,
        look=shapes,
        color=colour,
    )


def _mass_properties(part: str, mass, inertia, com, shape, density, massless: bool, unphysical: bool) -> MassProperties:
    if massless:
        _no_mass(part, mass, density)
        tensor = NO_INERTIA if inertia is None else inertia_from(inertia, part, True, negative=unphysical)
        return MassProperties(0.0, ORIGIN if shape is None else shape.at, tensor)
    if density is not None:
        return _from_density(part, mass, inertia, shape, density)
    mass = _mass(part, mass, shape)
    if inertia is not None:
        centre = ORIGIN if shape is None or com is not None else _centre(part, shape)
        return MassProperties(mass, centre, inertia_from(inertia, part, unphysical, negative=unphysical))
    if shape is not None:
        return _of_shape(part, shape, mass=mass)
    return MassProperties(mass, ORIGIN, NO_INERTIA)


def _centre(part: str, shape: Shape):
    try:
        return shape.centre
    except ModelError as error:
        problem = f"com is not given, and {error.problem} ({error.part})"
        raise type(error)(
            part, problem, "the mass centre follows from the shape", f"Give com=. {error.remedy}"
        ) from None


def _mass(part: str, mass, shape) -> float:
    if mass is None:
        remedy = "Give mass=, or density= with a shape=; massless=True if it is meant to have none."
        raise ModelError(
            part, "mass is missing", "a body has a mass" if shape is None else "a shape needs density= or mass=", remedy
        )
    return positive(
        mass, "mass", part, "mass", 'Write mass=2.5 or "5 g"; massless=True if the body is meant to have none.'
    )


def _no_mass(part: str, mass, density) -> None:
    if density is not None or (mass is not None and quantity(mass, "mass", part, "mass") != 0):
        given = f"density={density!r}" if density is not None else f"mass={mass!r}"
        raise ModelError(part, f"massless=True and {given} contradict each other", "one of them", "Leave one out.")


def _from_density(part: str, mass, inertia, shape, density) -> MassProperties:
    density = positive(density, "density", part, "density")
    if shape is None:
        problem = f"density is {density:g} kg/m^3 but there is no shape"
        raise ModelError(part, problem, "a density needs a volume", "Add shape=, or give mass=.")
    if mass is not None or inertia is not None:
        keyword = "mass" if mass is not None else "inertia"
        raise ModelError(
            part,
            f"density and {keyword} are both given",
            f"density and shape already give the {keyword}",
            "Leave one of them out.",
        )
    return _of_shape(part, shape, density=density)


def _of_shape(part: str, shape: Shape, **given) -> MassProperties:
    try:
        return shape.mass_properties(**given)
    except ModelError as error:
        raise type(error)(f"{part}, {error.part}", error.problem, error.expected, error.remedy) from None
