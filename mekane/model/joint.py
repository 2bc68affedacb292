"""Joint: the base class of every joint kind, and the functions a kind is written with."""

from dataclasses import dataclass, field, fields, replace
from functools import cache
from inspect import Signature
from typing import NamedTuple, dataclass_transform

import numpy as np

from mekane.errors import ModelError, did_you_mean
from mekane.model.interface.kind_help import ACTIVE, NAME, Argument, signature_of, unit_of
from mekane.model.joint_frames import ENDS, PLACEMENT, place, placement_keywords
from mekane.model.names import kind_of
from mekane.model.record import Record
from mekane.model.system import add_kind
from mekane.model.values.flag import flag
from mekane.model.values.parameters import numbers
from mekane.model.values.units import is_list, quantity, shown
from mekane.plugins import Kinds

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
FX, FY, FZ, MX, MY, MZ = range(6)  # unit vectors of frame F on a, of frame M on b
BODY_ORIGIN, BODY_AXES = (0.0, 0.0, 0.0), (X, Y, Z)
PARALLEL = 1e-9  # 1 − |cosine| of axes that are the same line
RATE_OF = {"length": "velocity", "angle": "angular_velocity"}


class JointPrimitive(NamedTuple):
    """A joint primitive: one step on the way from F to M.  THEORY §3"""

    kind: str  # "rotation", "translation", "screw", "quaternion"; formulations also have "bryan" and "mixed"
    axis: tuple[float, float, float] = (0.0, 0.0, 0.0)  # in the frame the step starts from
    pitch: float = 0.0  # metres per radian


def rotation(axis) -> JointPrimitive:
    return JointPrimitive("rotation", axis)


def translation(axis) -> JointPrimitive:
    return JointPrimitive("translation", axis)


def screw(axis, pitch: float) -> JointPrimitive:
    return JointPrimitive("screw", axis, pitch)


def quaternion() -> JointPrimitive:
    return JointPrimitive("quaternion")


def bryan() -> JointPrimitive:
    """The last of three rotations, after one about x and one about y: about z, or about x again where its second
    coordinate is 1."""
    return JointPrimitive("bryan")


def mixed() -> JointPrimitive:
    """Euler parameters of B in P, with the absolute angular velocity of B as speeds. The only rotation of its link, and
    its last primitive."""
    return JointPrimitive("mixed")


class Row(NamedTuple):
    """One equation phi = 0 between F and M, with r from F to M.  THEORY §6"""

    kind: str  # "coincide", "along", "perpendicular", "helix"
    e: int  # FX … MZ; for "coincide" a world axis
    m: int = -1  # FX … MZ, or -1
    pitch: float = 0.0  # metres per radian


def along(e: int) -> Row:
    """phi = e·r"""
    return Row("along", e)


def coincide(axis: int) -> Row:
    """phi = component of r along world axis 0, 1 or 2. Three of them hold a point; while it is open, the gap does not
    rotate with a."""
    return Row("coincide", axis)


def perpendicular(e: int, m: int) -> Row:
    """phi = e·m"""
    return Row("perpendicular", e, m)


def helix(e: int, pitch: float) -> Row:
    """phi = e·r − pitch × angle about e"""
    return Row("helix", e, -1, pitch)


class Measure(NamedTuple):
    """A coordinate read from where F and M are."""

    name: str
    kind: str  # "shift", "rotated"
    e: int
    of: int = -1
    zero: int = -1
    ninety: int = -1

    @property
    def dimension(self) -> str:
        return "length" if self.kind == "shift" else "angle"


def shift(name: str, e: int) -> Measure:
    """value = e·r"""
    return Measure(name, "shift", e)


def rotated(name: str, axis: int, of: int, zero: int, ninety: int) -> Measure:
    """value = atan2(of·ninety, of·zero), the angle about `axis`"""
    return Measure(name, "rotated", axis, of, zero, ninety)


def number(dimension: str, meaning: str = ""):
    """A field of a joint kind that its user gives by this name, such as the pitch of a screw."""
    return field(metadata={"dimension": dimension, "meaning": meaning})


joint_kinds = Kinds()  # {kind: subclass of Joint}


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True, eq=False)
class Joint(Record):
    """A joint between bodies a and b, by a frame F fixed in a and a frame M fixed in b.

    To add a kind, write one file in mekane/joints with one subclass:

    1. Its docstring begins the help of the method that System gets, named after the class (PinSlider → s.pin_slider);
       `example` is a line of Python that ends it.
    2. `coordinates` names its scalar coordinates, in the order of its primitives (a quaternion has none).
    3. `geometry` lists the keywords that place it: "at" for a point, "axis" or "normal" for z of F and M, "axis2" for x
       of M; `placement_defaults` are the placing keywords when the user gives no point, or no directions.
    4. `primitives()` are the steps from F to M when the joint is part of the tree, translations before rotations.
    5. `rows()` are the equations that do the same when the joint closes a loop: six minus the number of speeds.
    6. `measures()` read the coordinates (and anything else worth a name) from F and M: 0 when F and M coincide.
    7. More data are annotated fields,  pitch: float = number("pitch", "advance in a revolution"),  checked in
       __post_init__.
    8. What other packages know of it follows from the primitives: `hinge_axis`, `slide_axis` and `is_pivot` (gimbals,
       gear wheels, dead centres), `plane_axes()` (planar models), and how it is drawn. A kind of which the primitives
       do not tell this defines its own.

    Subclasses become frozen dataclasses by themselves.
    """

    name: str
    a: str  # name of the body that carries F
    b: str  # name of the body that carries M
    p_AF: np.ndarray  # origin of F in a's frame [m]
    R_AF: np.ndarray  # axes of F in a's frame
    p_BM: np.ndarray  # origin of M in b's frame [m]
    R_BM: np.ndarray  # axes of M in b's frame
    rates: dict[str, float]  # initial rates that were given, by coordinate
    active: bool = field(default=True, kw_only=True)  # at the start; events change it

    coordinates = ()
    geometry = ("at",)
    placement_defaults = {}
    keeps_orientation = False  # b never rotates relative to a
    example = ""  # a line of Python, for its help

    def __init_subclass__(cls):
        super().__init_subclass__()
        dataclass(frozen=True, eq=False)(cls)
        cls.kind = kind_of(cls)
        add_kind(cls.kind, cls, "joints", cls.call())
        joint_kinds[cls.kind] = cls

    def primitives(self) -> list[JointPrimitive]:
        raise NotImplementedError

    def rows(self) -> list[Row]:
        raise NotImplementedError

    def measures(self) -> list[Measure]:
        return []

    @classmethod
    def specimen(cls) -> "Joint":
        """A joint of this kind with F and M in the axes of the ground and 1 for each number of its own."""
        own = dict.fromkeys(cls.own_keywords(), 1.0)
        return cls("specimen", "ground", "ground", np.zeros(3), np.eye(3), np.zeros(3), np.eye(3), {}, **own)

    @property
    def hinge_axis(self) -> tuple | None:
        """The axis, in F and M, of a joint that is one rotation and nothing else."""
        return _only_axis(self, "rotation")

    @property
    def slide_axis(self) -> tuple | None:
        """The axis, in F and M, of a joint that is one translation and nothing else."""
        return _only_axis(self, "translation")

    @property
    def is_pivot(self) -> bool:
        """True if it ends a link at its point: it rotates, and slides along an axis of rotation at most."""
        kinds, rotations = {primitive.kind for primitive in self.primitives()}, _axes(self, "rotation")
        slides = all(any(_parallel(axis, other) for other in rotations) for axis in _axes(self, "translation"))
        return bool(kinds & {"rotation", "quaternion"}) and "screw" not in kinds and slides

    def plane_axes(self) -> list[tuple[tuple, float]] | None:
        """Axes in F and M, each with its |cosine| to the normal of a plane in which the joint moves: rotations are about
        the normal, translations across it. None if it moves in no plane."""
        rotations, translations = _axes(self, "rotation"), _axes(self, "translation")
        tilted = [axis for axis in rotations[1:] if not _parallel(axis, rotations[0])]
        out = [axis for axis in translations if rotations and abs(np.dot(axis, rotations[0])) > PARALLEL]
        others = len(rotations) + len(translations) < len(self.primitives())
        if others or tilted or out or (len(translations) > 2 and np.linalg.matrix_rank(translations) > 2):
            return None
        return [*((axis, 1.0) for axis in rotations), *((axis, 0.0) for axis in translations)]

    @property
    def part(self) -> str:
        """How messages call it."""
        return f"joint {self.name!r}"

    @classmethod
    @cache
    def own_keywords(cls) -> dict[str, str]:
        """The kind's own keywords and their dimensions."""
        return {f.name: f.metadata["dimension"] for f in fields(cls) if "dimension" in f.metadata}

    @classmethod
    def arguments(cls) -> list[Argument]:
        """What the method of System takes."""
        ends = [Argument(end, *given) for end, given in ENDS.items()]
        own = [
            Argument(f.name, "NumberLike", f.metadata["meaning"], unit_of(f.metadata["dimension"]), keyword_only=True)
            for f in fields(cls)
            if "dimension" in f.metadata
        ]
        names = ", ".join(cls.coordinates)
        rate = f"initial rate of {names}" if names else "none: a single number does not tell its motion"
        placing = [
            Argument(keyword, *PLACEMENT[keyword], default=None, keyword_only=True)
            for keyword in placement_keywords(cls.geometry)
        ]
        return [NAME, *ends, *own, *placing, Argument("rate", "RateLike", rate, "m/s or rad/s", None, True), ACTIVE]

    @classmethod
    @cache
    def call(cls) -> Signature:
        """How the method of System is called."""
        return signature_of(cls.arguments())

    @classmethod
    def create(cls, system, name: str, *args, **keywords) -> "Joint":
        """The record made from the arguments of System.<kind>."""
        part = f"joint {name!r}"
        keywords = _bind(part, cls, (name, *args), keywords)
        a, b = keywords.pop("a"), keywords.pop("b")
        keywords = {keyword: numbers(system, given, part, keyword) for keyword, given in keywords.items()}
        body_a, body_b = system.find_body(a, part), system.find_body(b, part)
        if body_a is body_b:
            raise ModelError(
                part,
                f"it joins {body_a.name!r} with itself",
                "two different bodies",
                "Change a or b; ground is one too.",
            )
        own = {
            keyword: quantity(keywords[keyword], dimension, part, keyword)
            for keyword, dimension in cls.own_keywords().items()
        }
        active = flag(keywords.pop("active", True), part, "active")
        frames = place(cls, part, body_a, body_b, keywords)
        joint = cls(name, body_a.name, body_b.name, *frames, {}, **own, active=active)
        return joint if keywords.get("rate") is None else replace(joint, rates=_rates(joint, keywords["rate"]))

    def to_dict(self) -> dict:
        """The file form, in local keywords: exact, whichever keywords were used first."""
        result = {self.kind: [self.a, self.b]}
        result |= {keyword: getattr(self, keyword) for keyword in self.own_keywords()}
        result |= {
            "on_a": self.p_AF.tolist(),
            "on_b": self.p_BM.tolist(),
            "frame_a": self.R_AF.tolist(),
            "frame_b": self.R_BM.tolist(),
        }
        result |= {"rate": dict(self.rates)} if self.rates else {}
        return result if self.active else result | {"active": False}


def _axes(joint: Joint, kind: str) -> list[tuple]:
    return [primitive.axis for primitive in joint.primitives() if primitive.kind == kind]


def _only_axis(joint: Joint, kind: str) -> tuple | None:
    return _axes(joint, kind)[0] if [primitive.kind for primitive in joint.primitives()] == [kind] else None


def _parallel(one, other) -> bool:
    return abs(np.dot(one, other)) > 1.0 - PARALLEL


def _bind(part: str, cls: type[Joint], args: tuple, keywords: dict) -> dict:
    """The arguments by name, None left out; an error names what does not fit."""
    call, keywords = cls.call(), {keyword: value for keyword, value in keywords.items() if value is not None}
    known = [keyword for keyword in call.parameters if keyword not in ("name", "a", "b")]
    for keyword in keywords:
        if keyword not in call.parameters:
            raise ModelError(
                part,
                f"{keyword!r} is not a keyword of {cls.kind}",
                f"it takes {', '.join(known)}",
                did_you_mean(keyword, known) or _elsewhere(cls, keyword, args[0] if args else "hinge"),
            )
    try:
        given = call.bind(*args, **keywords).arguments
    except TypeError as problem:
        remedy = f"Write s.{cls.kind}(name, a, b, …) with the keywords {', '.join(known)}."
        missing = str(problem).replace("keyword-only ", "")  # as Python 3.13 has it
        raise ModelError(part, missing, "two bodies are expected, then keywords with =", remedy) from None
    return {keyword: value for keyword, value in given.items() if keyword != "name"}


def _elsewhere(cls: type[Joint], keyword: str, name: str) -> str:
    """What to write in place of a coordinate's initial value; "" for other keywords."""
    if keyword not in cls.coordinates:
        return ""
    return (
        "The positions of the bodies are where a coordinate starts; to start elsewhere, "
        f'write s = mk.assemble(s, {{"{name}.{keyword}": 0.3}}).system.'
    )


def _rates(joint: Joint, rate) -> dict[str, float]:
    """Initial rates by coordinate: from a number, a list in the order of the coordinates, or a dict."""
    part, kind, names = joint.part, joint.kind, joint.coordinates
    if rate is None:
        return {}
    if not names:
        remedy = "Give velocity= and angular_velocity= of the bodies instead."
        raise ModelError(part, f"rate is {shown(rate)}", f"a {kind} has no coordinate that is a single number", remedy)
    if not isinstance(rate, dict):
        values = rate if is_list(rate) else [rate]
        if len(values) != len(names):
            raise ModelError(
                part,
                f"rate is {shown(rate)}",
                f"a {kind} has the coordinates {', '.join(names)}",
                "Give one rate for each.",
            )
        rate = dict(zip(names, values, strict=True))
    for name in rate:
        if name not in names:
            remedy = f"Its coordinates: {', '.join(names)}.{did_you_mean(str(name), names)}"
            raise ModelError(part, f"rate has {name!r}", f"that is not a coordinate of a {kind}", remedy)
    dimensions = {measure.name: RATE_OF[measure.dimension] for measure in joint.measures()}
    return {name: quantity(rate[name], dimensions[name], part, f"rate of {name}") for name in names if name in rate}
