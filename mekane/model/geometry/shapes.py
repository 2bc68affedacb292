"""Shapes: what a viewer draws, and where mass properties come from. All are solid and of one density.

Every shape sits with its centre at `at` in the body frame, rotated by `orientation`. Lengths accept units ("12 mm").
In a file a shape is a dict: {"box": [1, 2, 3]}, {"cylinder": {"radius": 0.1, "length": 1}, "axis": "y"}, {"sphere": "5
cm"}.
"""

from dataclasses import KW_ONLY, dataclass, fields, replace
from functools import cache
from inspect import signature
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from mekane.errors import ModelError, did_you_mean
from mekane.model.geometry.colours import colour_from
from mekane.model.geometry.solid import Solid, placed
from mekane.model.names import kind_of
from mekane.model.record import Record, frozen_array
from mekane.model.values.orientation import IDENTITY, direction, frame_with_z, matrix_from
from mekane.model.values.parameters import has_parameters, written
from mekane.model.values.units import is_list, positive, quantity, shown, vector


class MassProperties(NamedTuple):
    mass: float
    com: np.ndarray
    inertia: np.ndarray  # about the mass centre, in body axes


Length: TypeAlias = Any  # given as a number [m], text with a unit or a parameter; a float from then on
Triple: TypeAlias = Any  # given in any form of a point, an orientation or an axis; an array from then on
SHAPES: dict[str, type["Shape"]] = {}
PLACED = ("at", "orientation", "color")  # what every shape has, beside its sizes


@dataclass(frozen=True, eq=False)
class Shape(Record):
    """Base. A shape has a `volume`, a `gyration`, which is its inertia about its centre per unit mass, in its own axes,
    and a `solid(thin)`: how it is drawn, with `thin` in place of a size that is zero."""

    _: KW_ONLY
    at: Triple = (0.0, 0.0, 0.0)
    orientation: Triple = None
    color: Any = None  # of what is drawn: a name, "#rrggbb" or red, green, blue; else that of the body

    may_vanish = ()  # sizes that may be zero

    def __init_subclass__(cls):
        super().__init_subclass__()
        SHAPES[kind_of(cls)] = cls

    def __post_init__(self):
        if has_parameters([getattr(self, field.name) for field in fields(self)]):
            return  # the system that it is used in knows the numbers
        for field in fields(self):
            object.__setattr__(self, field.name, self._read(field.name, getattr(self, field.name)))

    def _read(self, name: str, value):
        part = f"shape {kind_of(type(self))}"
        if name == "at":
            return vector(value, "length", part, "at")
        if name == "orientation":
            return matrix_from(value, part)
        if name == "axis":
            return direction(value, part)
        if name == "color":
            return colour_from(value, part)
        number = quantity(value, "length", part, name)
        if name in self.may_vanish and number.real == 0:
            return number
        return positive(value, "length", part, name)

    def arguments(self) -> dict:
        """Its arguments, by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def with_arguments(self, number) -> "Shape":
        """The same shape with number(given, keyword) in place of each argument."""
        return type(self)(**{keyword: number(one, keyword) for keyword, one in self.arguments().items()})

    @property
    def R_BS(self) -> np.ndarray:
        """From the shape's own axes (its long axis is z) to body axes."""
        axis = getattr(self, "axis", None)
        return self.orientation if axis is None else self.orientation @ frame_with_z(axis)

    def solid(self, thin: float) -> Solid:
        """How it is drawn, in the frame of its body."""
        raise NotImplementedError

    def solids(self, thin: float, most: int = 0) -> list[Solid]:
        """How it is drawn, if by several; `most` triangles of a mesh. Without a colour it has that of its body."""
        return [replace(self.solid(thin), colour=self.color or "")]

    def remarks(self) -> list[str]:
        """What is to be known of it."""
        return []

    @property
    def centre(self):
        """Of its volume, in the frame of the body."""
        return self.at

    def mass_properties(self, mass: float | None = None, density: float | None = None) -> MassProperties:
        """Mass, mass centre and inertia in the body frame, from a mass or a density."""
        if mass is None:
            mass = density * self._solid_volume()
        R = self.R_BS
        tensor = R @ np.diag(mass * np.array(self.gyration)) @ R.T
        return MassProperties(mass, self.at, frozen_array(0.5 * (tensor + tensor.T)))

    def _solid_volume(self) -> float:
        if self.volume.real > 0:
            return self.volume
        thin = " and ".join(name for name in self.may_vanish if getattr(self, name).real == 0)
        raise ModelError(
            f"shape {kind_of(type(self))}",
            f"{thin} is 0, so a density gives no mass",
            "a volume",
            f"Give {thin}, or mass=.",
        )

    def to_dict(self) -> dict:
        """The file form."""
        sizes = {f.name: written(getattr(self, f.name)) for f in fields(self) if f.name not in PLACED}
        result = {kind_of(type(self)): sizes} | ({} if self.color is None else {"color": self.color})
        if has_parameters(self):
            result |= {
                keyword: written(getattr(self, keyword))
                for keyword in ("at", "orientation")
                if getattr(self, keyword) is not None
            }
            return result
        if np.any(self.at):
            result["at"] = self.at.tolist()
        if not np.array_equal(self.orientation, IDENTITY):
            result["orientation"] = self.orientation.tolist()
        return result


@dataclass(frozen=True, eq=False)
class Box(Shape):
    """Box with edges x, y, z."""

    x: Length
    y: Length
    z: Length

    @property
    def volume(self):
        return self.x * self.y * self.z

    @property
    def gyration(self):
        return _brick(self.x, self.y, self.z)

    def solid(self, thin):
        return placed("box", (self.x, self.y, self.z), self.at, self.R_BS)


@dataclass(frozen=True, eq=False)
class Cylinder(Shape):
    """Circular cylinder along `axis`."""

    radius: Length
    length: Length
    axis: Triple = "z"

    @property
    def volume(self):
        return np.pi * self.radius**2 * self.length

    @property
    def gyration(self):
        return _round_bar(self.radius, self.length)

    def solid(self, thin):
        return placed("cylinder", (self.radius, self.length), self.at, self.R_BS)


@dataclass(frozen=True, eq=False)
class Sphere(Shape):
    """Sphere."""

    radius: Length

    @property
    def volume(self):
        return 4 / 3 * np.pi * self.radius**3

    @property
    def gyration(self):
        return (0.4 * self.radius**2,) * 3

    def solid(self, thin):
        return placed("sphere", (self.radius,), self.at, self.R_BS)


@dataclass(frozen=True, eq=False)
class Capsule(Shape):
    """Cylinder along `axis` with a half sphere on each end; `length` is that of the cylinder, between the centres of
    the spheres."""

    radius: Length
    length: Length
    axis: Triple = "z"

    @property
    def volume(self):
        return np.pi * self.radius**2 * (self.length + 4 / 3 * self.radius)

    @property
    def gyration(self):
        r, length = self.radius, self.length
        ends = 4 / 3 * r / (length + 4 / 3 * r)  # share of the mass in the two half spheres
        bar_across, _, bar_along = _round_bar(r, length)
        ends_along = 0.4 * r**2
        ends_across = ends_along + length**2 / 4 + 3 / 8 * length * r
        across = (1 - ends) * bar_across + ends * ends_across
        return across, across, (1 - ends) * bar_along + ends * ends_along

    def solid(self, thin):
        return placed("capsule", (self.radius, self.length), self.at, self.R_BS)


@dataclass(frozen=True, eq=False)
class Rod(Shape):
    """Straight rod along `axis`; slender (no thickness) unless a radius is given."""

    length: Length
    axis: Triple = "z"
    radius: Length = 0.0

    may_vanish = ("radius",)

    @property
    def volume(self):
        return np.pi * self.radius**2 * self.length

    @property
    def gyration(self):
        return _round_bar(self.radius, self.length)

    def solid(self, thin):
        return placed("cylinder", (self.radius or thin, self.length), self.at, self.R_BS)


@dataclass(frozen=True, eq=False)
class Plate(Shape):
    """Rectangular plate with edges x, y; thin unless a thickness (along z) is given."""

    x: Length
    y: Length
    thickness: Length = 0.0

    may_vanish = ("thickness",)

    @property
    def volume(self):
        return self.x * self.y * self.thickness

    @property
    def gyration(self):
        return _brick(self.x, self.y, self.thickness)

    def solid(self, thin):
        return placed("box", (self.x, self.y, self.thickness or thin), self.at, self.R_BS)


@dataclass(frozen=True, eq=False)
class Ellipsoid(Shape):
    """Ellipsoid with half axes x, y, z."""

    x: Length
    y: Length
    z: Length

    @property
    def volume(self):
        return 4 / 3 * np.pi * self.x * self.y * self.z

    @property
    def gyration(self):
        return tuple(2.4 * one for one in _brick(self.x, self.y, self.z))

    def solid(self, thin):
        return placed("ellipsoid", (self.x, self.y, self.z), self.at, self.R_BS)


@dataclass(frozen=True, eq=False)
class Torus(Shape):
    """Ring about `axis`, a wheel with a round edge: `radius` to the middle of the tube, and that of the tube. Drawn as a
    ring with square edges."""

    radius: Length
    tube: Length
    axis: Triple = "z"

    def __post_init__(self):
        super().__post_init__()
        if not has_parameters([self.radius, self.tube]) and not self.tube.real <= self.radius.real:
            raise ModelError(
                "shape torus",
                f"tube is {self.tube.real:g} m, more than the radius, which is {self.radius.real:g} m",
                "the tube fits into the ring",
                "Radius is measured to the middle of the tube.",
            )

    @property
    def volume(self):
        return 2 * np.pi**2 * self.radius * self.tube**2

    @property
    def gyration(self):
        across = self.radius**2 / 2 + 5 / 8 * self.tube**2
        return across, across, self.radius**2 + 3 / 4 * self.tube**2

    def solid(self, thin):
        r, tube = self.radius, self.tube
        return placed("ring", (r - tube, r + tube, 2 * tube), self.at, self.R_BS)


def shape_from(value, part: str) -> Shape | None:
    """A shape as it is, or from its file form."""
    if value is None or isinstance(value, Shape):
        return value
    kinds = [key for key in value if key in SHAPES] if isinstance(value, dict) else []
    if len(kinds) != 1:
        hints = "".join(did_you_mean(key, SHAPES) for key in value) if isinstance(value, dict) else ""
        remedy = 'Write for example {"box": [1, 2, 3]} or mk.Box(1, 2, 3).' + hints
        raise ModelError(
            part, f"shape is {shown(value)}", f"one shape is expected, of the kinds {', '.join(SHAPES)}", remedy
        )
    kind = kinds[0]
    placing = {key: item for key, item in value.items() if key != kind}
    try:
        return _build(SHAPES[kind], value[kind], placing)
    except ModelError as error:
        raise type(error)(f"{part}, {error.part}", error.problem, error.expected, error.remedy) from None


call_of = cache(signature)


def _build(shape: type[Shape], sizes, keywords: dict) -> Shape:
    if isinstance(sizes, dict):
        sizes, keywords = (), {**sizes, **keywords}
    elif not is_list(sizes):
        sizes = (sizes,)
    call = call_of(shape)
    try:
        call.bind(*sizes, **keywords)
    except TypeError as problem:
        hints = "".join(
            did_you_mean(keyword, call.parameters) for keyword in keywords if keyword not in call.parameters
        )
        raise ModelError(
            f"shape {kind_of(shape)}", str(problem), f"it takes {', '.join(call.parameters)}", hints
        ) from None
    return shape(*sizes, **keywords)


def _brick(x: float, y: float, z: float) -> tuple[float, float, float]:
    return (y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12


def _round_bar(radius: float, length: float) -> tuple[float, float, float]:
    across = radius**2 / 4 + length**2 / 12
    return across, across, radius**2 / 2
