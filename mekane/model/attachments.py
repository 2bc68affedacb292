"""Places: where a force measures and acts, one record for each way to specify it.

`read(system, part, …)` reads the arguments of the user: those without a default come right after the force's name, the
others are keywords. `to_dict` and `options` write the same down again for a file.
"""

from dataclasses import dataclass, field
from typing import ClassVar

from mekane.errors import ModelError, did_you_mean
from mekane.model.joint_frames import ENDS, PLACEMENT, place
from mekane.model.names import quoted
from mekane.model.record import plain_numbers
from mekane.model.values.units import is_list, shown, vector

FRAMES = ("world", "body")
ORIGIN = (0.0, 0.0, 0.0)


BODY = ("BodyLike", "body it acts on, or its name")
POINT = ("VectorLike", "point of the body it acts at, in its frame; its mass centre if left out", "m")
FRAME = ("str", 'axes of the components, "world" or "body"')
LOOKS = ("spring", "rod", "rope", "line")  # of what is between two points


class Place:
    """Base of all places. `meanings` are type, meaning and unit of what `read` takes, for the help of forces."""

    meanings: ClassVar[dict[str, tuple[str, ...]]] = {}

    appearance = ("line", "line")  # how a force there is drawn: one that is elastic, any other
    joints: tuple[str, ...] = ()  # whose coordinates it measures
    dimension = "length"  # of what is measured, where units depend on it: "angle" or "length"

    def to_dict(self):
        """What stands behind the kind in a file."""
        raise NotImplementedError

    def options(self) -> dict:
        """The other keywords."""
        return {}


@dataclass(frozen=True)
class Axial(Place):
    """The line between a point of body a and a point of body b, each in its body's own frame (the ground's is the
    world's)."""

    meanings = {
        **{
            end: ("PointLike", f"point {end}: (body, point in its frame), or a body for its origin", "m")
            for end in "ab"
        },
        "look": ("str | None", 'how it is drawn, where that is not as its kind: "spring", "rod", "rope" or "line"'),
    }

    a: str
    point_a: tuple[float, float, float]
    b: str
    point_b: tuple[float, float, float]
    look: str | None = field(default=None, kw_only=True)

    appearance = ("spring", "line")

    @classmethod
    def read(cls, system, part: str, a, b, look=None):
        ends = [*end_of(system, part, "a", a), *end_of(system, part, "b", b)]
        _check_different(part, ends[0], ends[2])
        if look is not None and look not in LOOKS:
            raise ModelError(part, f"look is {shown(look)}", f"one of {', '.join(LOOKS)} is expected")
        return cls(*ends, look=look)

    def to_dict(self) -> list:
        return [[self.a, list(self.point_a)], [self.b, list(self.point_b)]]

    def options(self) -> dict:
        return {"look": self.look} if self.look else {}


@dataclass(frozen=True)
class MassCentres(Axial):
    """The line between the mass centres of two bodies, with their masses."""

    meanings = {end: ("BodyLike", f"body {end}, or its name") for end in "ab"}

    mass_a: float
    mass_b: float

    appearance = ("line", "line")

    @classmethod
    def read(cls, system, part: str, a, b):
        one, other = _moving_body(system, part, a), _moving_body(system, part, b)
        _check_different(part, one.name, other.name)
        return cls(one.name, _centre(one), other.name, _centre(other), one.mass, other.mass)

    def to_dict(self) -> list:
        return [self.a, self.b]


@dataclass(frozen=True)
class JointCoordinate(Place):
    """One coordinate of a joint. If only one coordinate is possible it need not be named."""

    meanings = {
        "joint": ("JointLike", "joint it acts on, or its name"),
        "coordinate": ("str | None", "which of its coordinates, where several are possible"),
    }

    joint: str
    coordinate: str

    appearance = ("spiral", "motor")
    dimensions = ("angle", "length")

    @property
    def joints(self) -> tuple[str, ...]:
        return (self.joint,)

    @classmethod
    def read(cls, system, part: str, joint, coordinate=None):
        found = system.find_joint(joint, part)
        options = {m.name: m for m in found.measures() if m.name in found.coordinates and m.dimension in cls.dimensions}
        if coordinate is None and len(options) == 1:
            coordinate = next(iter(options))
        if not isinstance(coordinate, str) or coordinate not in options:
            raise _wrong_coordinate(part, found, coordinate, list(options), cls.dimensions)
        return (RotationCoordinate if options[coordinate].dimension == "angle" else TranslationCoordinate)(
            found.name, coordinate
        )

    def to_dict(self) -> str:
        return self.joint

    def options(self) -> dict:
        return {"coordinate": self.coordinate}


@dataclass(frozen=True)
class RotationCoordinate(JointCoordinate):
    """A coordinate of a joint that is an angle."""

    dimension, dimensions = "angle", ("angle",)


@dataclass(frozen=True)
class TranslationCoordinate(JointCoordinate):
    """A coordinate of a joint that is a distance."""

    appearance = ("spring", "actuator")
    dimensions = ("length",)


@dataclass(frozen=True)
class JointRotation(JointCoordinate):
    """The rotation of a joint that turns in every direction, called "rotation"."""

    dimension = "angle"

    @classmethod
    def read(cls, system, part: str, joint, coordinate=None):
        """A coordinate, or the rotation of a joint that has Euler parameters: of a ball, which has nothing else, by itself."""
        found = system.find_joint(joint, part)
        turns = any(primitive.kind == "quaternion" for primitive in found.primitives())
        if turns and (coordinate == "rotation" or (coordinate is None and not found.coordinates)):
            return cls(found.name, "rotation")
        return JointCoordinate.read(system, part, joint, coordinate)


@dataclass(frozen=True)
class BetweenCoordinates(Place):
    """Two joint coordinates, a and b; the law receives q_a − ratio q_b, where `ratio` is a field of the force."""

    meanings = {end: ("CoordinateLike", "joint, or (joint, coordinate) where it has several") for end in "ab"}

    a: JointCoordinate
    b: JointCoordinate

    @classmethod
    def read(cls, system, part: str, a, b):
        one, other = coordinate_of(system, part, a), coordinate_of(system, part, b)
        if one == other:
            raise ModelError(
                part, f"both ends are {one.joint}.{one.coordinate}", "two different coordinates are expected"
            )
        return cls(one, other)

    @property
    def dimension(self) -> str:
        return self.a.dimension

    @property
    def joints(self) -> tuple[str, str]:
        return self.a.joint, self.b.joint

    def to_dict(self) -> list:
        return [[end.joint, end.coordinate] for end in (self.a, self.b)]


def coordinate_of(system, part: str, given, kind: type[JointCoordinate] = JointCoordinate) -> JointCoordinate:
    """A joint coordinate: a joint that has one, or (joint, coordinate)."""
    joint, name = given if is_list(given) and len(given) == 2 else (given, None)
    return kind.read(system, part, joint, coordinate=name)


@dataclass(frozen=True)
class AtPoint(Place):
    """A point of a body, given in the body's own frame; the mass centre by default. `frame` is that of the force's
    components."""

    meanings = {"body": BODY, "at": POINT, "frame": FRAME}

    body: str
    point: tuple[float, float, float]
    frame: str

    appearance = ("arrow", "arrow")

    @classmethod
    def read(cls, system, part: str, body, at=None, frame="world"):
        found = _moving_body(system, part, body)
        return cls(found.name, _centre(found) if at is None else _point(at, part, "at"), _frame(part, frame))

    def to_dict(self) -> str:
        return self.body

    def options(self) -> dict:
        return {"at": list(self.point), "frame": self.frame}


@dataclass(frozen=True)
class Couple(Place):
    """A body as a whole, which a torque acts on. `frame` is that of the torque's components."""

    meanings = {"body": BODY, "frame": FRAME}

    body: str
    frame: str

    appearance = ("turn", "turn")

    @classmethod
    def read(cls, system, part: str, body, frame="world"):
        return cls(_moving_body(system, part, body).name, _frame(part, frame))

    def to_dict(self) -> str:
        return self.body

    def options(self) -> dict:
        return {"frame": self.frame}


@dataclass(frozen=True)
class MovingPoint(AtPoint):
    """A point of a body, as AtPoint; the law receives its position and velocity, and its components are those of the
    world."""

    @classmethod
    def read(cls, system, part: str, body, at=None):
        place = AtPoint.read(system, part, body, at)
        return cls(place.body, place.point, place.frame)

    def options(self) -> dict:
        return {"at": list(self.point)}


@dataclass(frozen=True)
class RotatingBody(Couple):
    """A body as a whole, as Couple; the law receives its angular velocity, and its components are those of the
    world."""

    @classmethod
    def read(cls, system, part: str, body):
        return cls(_moving_body(system, part, body).name, "world")

    def options(self) -> dict:
        return {}


@dataclass(frozen=True)
class BetweenFrames(Place):
    """A frame F fixed in body a and a frame M fixed in body b, placed by the keywords of a joint; M's origin at b's by
    default."""

    meanings = {
        **ENDS,
        **{keyword: PLACEMENT[keyword] for keyword in ("at", "on_a", "on_b", "frame_a", "frame_b")},
    }

    a: str
    point_a: tuple[float, float, float]  # origin of F in a's frame
    frame_a: tuple[tuple, tuple, tuple]  # axes of F in a's frame, a matrix by rows
    b: str
    point_b: tuple[float, float, float]
    frame_b: tuple[tuple, tuple, tuple]

    appearance = ("bushing", "bushing")
    # attributes that joint_frames.place reads of a joint
    kind, geometry, placement_defaults, keeps_orientation = "place", ("at",), {"on_b": (0.0, 0.0, 0.0)}, False

    @classmethod
    def read(cls, system, part: str, a, b, *, at=None, on_a=None, on_b=None, frame_a=None, frame_b=None):
        one, other = system.find_body(a, part), system.find_body(b, part)
        _check_different(part, one.name, other.name)
        given = {"at": at, "on_a": on_a, "on_b": on_b, "frame_a": frame_a, "frame_b": frame_b}
        p_AF, R_AF, p_BM, R_BM = place(
            cls, part, one, other, {keyword: value for keyword, value in given.items() if value is not None}
        )
        return cls(one.name, plain_numbers(p_AF), _matrix(R_AF), other.name, plain_numbers(p_BM), _matrix(R_BM))

    def to_dict(self) -> list:
        return [self.a, self.b]

    def options(self) -> dict:
        rows = lambda matrix: [list(row) for row in matrix]
        return {
            "on_a": list(self.point_a),
            "on_b": list(self.point_b),
            "frame_a": rows(self.frame_a),
            "frame_b": rows(self.frame_b),
        }


def _matrix(R) -> tuple:
    return tuple(map(plain_numbers, R))


def _moving_body(system, part: str, who):
    body = system.find_body(who, part)
    if body is system.ground:
        raise ModelError(part, "it acts on the ground", "the ground has no mass and never moves", "Name a body.")
    return body


def end_of(system, part: str, what: str, given) -> tuple[str, tuple]:
    """A point of a body: (body, point in its frame), or a body alone, which is the origin of its frame."""
    if not is_list(given):
        return system.find_body(given, part).name, ORIGIN
    if len(given) != 2:
        raise ModelError(
            part,
            f"{what} is {shown(given)}",
            "a body, or a body and a point in its frame, is expected",
            "Write body or (body, (0, 0, 0)).",
        )
    return system.find_body(given[0], part).name, _point(given[1], part, "point")


def _check_different(part: str, a: str, b: str) -> None:
    if a == b:
        raise ModelError(part, f"both ends are on {a!r}", "two different bodies are expected")


def _point(given, part: str, what: str) -> tuple:
    return plain_numbers(vector(given, "length", part, what))


def _centre(body) -> tuple:
    return plain_numbers(body.com)


def _frame(part: str, frame) -> str:
    if not isinstance(frame, str) or frame not in FRAMES:
        raise ModelError(part, f"frame is {shown(frame)}", "world or body is expected", did_you_mean(frame, FRAMES))
    return frame


def _wrong_coordinate(part: str, joint, coordinate, options: list, dimensions: tuple) -> ModelError:
    which = {("angle",): "turning ", ("length",): "sliding "}.get(dimensions, "")
    if not options:
        none = f"a {joint.kind} has no coordinate that is a single number"
        have = f"its coordinates are {quoted(joint.coordinates)}" if joint.coordinates else none
        return ModelError(
            part,
            f"joint {joint.name!r} has no {which}coordinate",
            have,
            "Choose another joint or another kind of force.",
        )
    expected = f"the {which}coordinates of joint {joint.name!r} are {quoted(options)}"
    if coordinate is None:
        return ModelError(part, "the coordinate is missing", expected, f"Write coordinate={options[0]!r}.")
    return ModelError(part, f"coordinate is {shown(coordinate)}", expected, did_you_mean(coordinate, options))
