"""What an SDF file says: links, joints and their geometry as plain records, every number checked, with its line."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np

from mekane.errors import FileError, did_you_mean
from mekane.importers._xml import Element
from mekane.importers.urdf.robot import SIZES, TENSOR, Geometry, Link, rotation_from_rpy

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "ball", "gearbox")
WITH_AXIS = ("revolute", "continuous", "prismatic", "gearbox")
UNLIMITED = 1e16  # what SDF has for no limit
WORLD = "world"
LINK_WORLD = "world link"  # of a model that has a link called as the world is


@dataclass(frozen=True, eq=False)
class Axis:
    direction: np.ndarray  # unit vector, world axes
    lower: float
    upper: float
    damping: float
    friction: float
    stiffness: float
    reference: float  # where its spring is at rest


@dataclass(frozen=True, eq=False)
class SdfJoint:
    name: str
    type: str
    parent: str
    child: str
    p: np.ndarray  # of its frame, in the world
    axis: Axis | None
    axis2: Axis | None  # of a gearbox
    ratio: float
    reference_body: str
    element: Element


@dataclass(frozen=True, eq=False)
class SdfRobot:
    """Models of a file, together."""

    name: str
    links: dict[str, Link]
    poses: dict[str, tuple[np.ndarray, np.ndarray]]  # of links in the world
    joints: dict[str, SdfJoint]
    static: list[str]  # links of models that do not move
    gravity: tuple[float, ...] | None
    elements: list[Element]  # whose children are named in the report


def read_robot(root: Element) -> SdfRobot:
    """The models of a root element; what is not read here remains unused there."""
    if root.tag != "sdf":
        expected = "the first tag of an SDF file is <sdf>"
        raise FileError(f"{root.source}, line {root.line}", f"its first tag is <{root.tag}>", expected)
    root.get("version")
    world = root.first("world")
    models = [*root.all("model"), *(world.all("model") if world is not None else ())]
    if not models:
        raise FileError(root.place, "it has no model", "an SDF file has at least one")
    gravity = world.first("gravity") if world is not None else None
    name = (world if world is not None and len(models) > 1 else models[0]).get("name") or "robot"
    found = SdfRobot(
        name, {}, {}, {}, [], None if gravity is None else numbers(gravity, 3), _named_elements(root, world, models)
    )
    for model, prefix in zip(models, _prefixes(models), strict=True):
        _Model(model, prefix).read_into(found)
    return found


def _prefixes(models: list[Element]) -> list[str]:
    """Of the names in each model: its own, with a number where it repeats; nothing where there is one model."""
    if len(models) == 1:
        return [""]
    found = []
    for model in models:
        name = _needed(model, "name")
        prefix, count = f"{name} ", 1
        while prefix in found:
            count += 1
            prefix = f"{name} {count} "
        found.append(prefix)
    return found


def _named_elements(root: Element, world: Element | None, models: list[Element]) -> list[Element]:
    for one in (root, *(() if world is None else (world,))):
        one.get("name")
        for child in one.children:
            if child in models or child is world:
                child.used = True
                one.children = [other for other in one.children if other is not child]
    return [root, *(() if world is None else (world,)), *models]


class _Model:
    """Reads one model; prefix: of its names, where there are several."""

    def __init__(self, element: Element, prefix: str):
        self.element, self.prefix = element, prefix
        self.p, self.R = pose_of(element)
        nested = element.first("model")
        if nested is not None:
            raise FileError(nested.place, "it is a model in a model", "a model holds links and joints")

    def read_into(self, robot: SdfRobot) -> None:
        own = []
        for element in self.element.all("link"):
            own.append(name := self.unique(element, robot.links, "link"))
            p, R = pose_of(element)
            robot.links[name], robot.poses[name] = _link(element, name), (self.p + self.R @ p, self.R @ R)
        if text(self.element, "static", "false") in ("1", "true"):
            robot.static.extend(own)
        for element in self.element.all("joint"):
            name = self.unique(element, robot.joints, "joint")
            robot.joints[name] = self.joint(element, name, robot)

    def unique(self, element: Element, known: dict, what: str) -> str:
        name = self.full(_needed(element, "name"))
        if name in known:
            problem = f"there is another {what} of this name in line {known[name].element.line}"
            raise FileError(element.place, problem, f"names of {what}s are unique", "Rename one of them.")
        return name

    def full(self, name: str) -> str:
        """A name in this model among those of all models; that of the world is no link's."""
        return LINK_WORLD if self.prefix + name == WORLD else self.prefix + name

    def joint(self, element: Element, name: str, robot: SdfRobot) -> SdfJoint:
        kind = _needed(element, "type")
        if kind not in JOINT_TYPES:
            expected = f"it is one of {', '.join(JOINT_TYPES)}"
            raise FileError(element.place, f"its type is {kind!r}", expected, did_you_mean(kind, JOINT_TYPES).strip())
        parent, child = (self.end(element, tag, robot) for tag in ("parent", "child"))
        if parent == child:
            raise FileError(element.place, f"parent and child are both {parent!r}", "a joint is between two links")
        p_child, R_child = robot.poses.get(child, (np.zeros(3), np.eye(3)))
        p, R = pose_of(element)
        frame = R_child @ R
        axis, axis2 = (self.axis(element, tag, kind, frame) for tag in ("axis", "axis2"))
        ratio = _number(element, "gearbox_ratio", 1.0) if kind == "gearbox" else 1.0
        body = self.end(element, "gearbox_reference_body", robot) if kind == "gearbox" else ""
        return SdfJoint(name, kind, parent, child, p_child + R_child @ p, axis, axis2, ratio, body, element)

    def end(self, element: Element, tag: str, robot: SdfRobot) -> str:
        given = text(element, tag)
        if given is None:
            raise FileError(element.place, f"it has no <{tag}>", "a joint has a parent and a child link")
        if self.full(given) in robot.links:
            return self.full(given)
        if given != WORLD:
            known = [name.removeprefix(self.prefix) for name in robot.links]
            raise FileError(
                element.place, f"there is no link {given!r}", f"its {tag} is a link", did_you_mean(given, known).strip()
            )
        return WORLD

    def axis(self, element: Element, tag: str, kind: str, frame: np.ndarray) -> Axis | None:
        """In world axes. frame: axes of the joint."""
        axis = element.first(tag) if tag == "axis" or kind == "gearbox" else None
        if axis is None:
            if tag == "axis" and kind in WITH_AXIS:
                raise FileError(element.place, "it has no <axis>", f"a {kind} joint has one")
            return None
        xyz = axis.first("xyz")
        given = np.array((0.0, 0.0, 1.0) if xyz is None else numbers(xyz, 3))
        length = float(np.linalg.norm(given))
        if length == 0.0 and kind in WITH_AXIS:
            raise FileError(
                axis.place, f"the axis of joint {element.attributes['name']!r} is 0 0 0", "it has a direction"
            )
        within = "" if xyz is None else xyz.get("expressed_in") or ""
        if within not in ("", "__model__"):
            raise FileError(
                axis.place, f"its axis is expressed in {within!r}", "an axis of the joint's frame is expected"
            )
        of_model = text(axis, "use_parent_model_frame", "0") in ("1", "true") or within == "__model__"
        limit = axis.first("limit") if kind in ("revolute", "prismatic") else None
        dynamics = axis.first("dynamics")
        of_limit = lambda name, none: none if limit is None else _number(limit, name, none)
        of_dynamics = lambda name: 0.0 if dynamics is None else _number(dynamics, name, 0.0)
        return Axis(
            (self.R if of_model else frame) @ given / (length or 1.0),
            of_limit("lower", -UNLIMITED), of_limit("upper", UNLIMITED),
            *(of_dynamics(name) for name in ("damping", "friction", "spring_stiffness", "spring_reference")),
        )  # fmt: skip


# ---------------------------------------------------------------- links


def _link(element: Element, name: str) -> Link:
    inertial = element.first("inertial")
    mass, com, inertia = (1.0, np.zeros(3), np.eye(3)) if inertial is None else _inertial(inertial)
    geometry = [_geometry(one, role) for role in ("visual", "collision") for one in element.all(role)]
    return Link(name, mass, com, inertia, inertial is not None, geometry, element)


def _inertial(element: Element) -> tuple:
    p, R = pose_of(element)
    m, tensor = _number(element, "mass", 1.0), element.first("inertia")
    if m < 0.0:
        raise FileError(element.place, f"the mass is {m:g} kg", "a mass is not negative")
    xx, xy, xz, yy, yz, zz = (
        float(name in ("ixx", "iyy", "izz")) if tensor is None else _number(tensor, name, 0.0) for name in TENSOR
    )
    return m, p, R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T


def _geometry(element: Element, role: str) -> Geometry:
    p, R = pose_of(element)
    outer = element.first("geometry")
    inner = next(iter(outer.children), None) if outer is not None else None
    if inner is None:
        return Geometry(role, "nothing", {}, None, p, R, "it is empty")
    inner.used = True
    if inner.tag not in (*SIZES, "mesh"):
        return Geometry(role, inner.tag, {}, None, p, R)
    try:
        sizes = {name: _needed_numbers(inner, name, n) for name, n in SIZES.get(inner.tag, {}).items()}
        scale = inner.first("scale") if inner.tag == "mesh" else None
        factors = (1.0, 1.0, 1.0) if scale is None else numbers(scale, 3)
    except FileError as error:
        return Geometry(role, inner.tag, {}, None, p, R, f"{error.problem}; {error.expected}")
    uri = text(inner, "uri") if inner.tag == "mesh" else None
    colour = _colour(element.first("material")) if role == "visual" else ()
    return Geometry(role, inner.tag, sizes, uri, p, R, scale=factors, colour=colour)


def _colour(material: Element | None) -> tuple[float, ...]:
    """The diffuse one, else the ambient; with the opacity."""
    chosen = None if material is None else material.first("diffuse") or material.first("ambient")
    if chosen is None:
        return ()
    found = tuple(map(float, _floats(chosen.text)))
    chosen.text = ""
    return (*found[:3], found[3] if len(found) > 3 else 1.0) if len(found) in (3, 4) else ()


# ---------------------------------------------------------------- numbers


def pose_of(element: Element) -> tuple[np.ndarray, np.ndarray]:
    """Point and axes of <pose>x y z roll pitch yaw</pose>."""
    pose = element.first("pose")
    if pose is None:
        return np.zeros(3), np.eye(3)
    relative = pose.get("relative_to") or pose.get("frame")
    pose.get("frame")
    if relative:
        problem = f"it is relative to {relative!r}"
        raise FileError(pose.place, problem, "poses of links are in the model, those of joints in their child")
    if pose.get("degrees") in ("1", "true") or pose.get("rotation_format") not in (None, "euler_rpy"):
        raise FileError(pose.place, "its angles have another form", "six numbers in metres and radians are expected")
    found = numbers(pose, 6)
    return np.array(found[:3]), rotation_from_rpy(*found[3:])


def text(element: Element, tag: str, default: str | None = None) -> str | None:
    """The text of a child; from then on it counts as read."""
    child = element.first(tag)
    if child is None:
        return default
    found, child.text = child.text.strip(), ""
    return found


def numbers(element: Element, n: int) -> tuple[float, ...]:
    """n finite numbers, the text of an element, which counts as read from then on."""
    given, element.text = element.text.strip(), ""
    found = _floats(given)
    if len(found) != n or not all(map(isfinite, found)):
        expected = "a finite number is expected" if n == 1 else f"{n} finite numbers are expected"
        raise FileError(element.place, f"it is {given!r}", expected)
    return found


def _floats(given: str) -> tuple[float, ...]:
    try:
        return tuple(map(float, given.split()))
    except ValueError:
        return ()


def _number(element: Element, tag: str, default: float) -> float:
    child = element.first(tag)
    return default if child is None else numbers(child, 1)[0]


def _needed_numbers(element: Element, tag: str, n: int) -> tuple[float, ...]:
    child = element.first(tag)
    if child is None:
        raise FileError(element.place, f"it has no <{tag}>", f"a {element.tag} has one")
    return numbers(child, n)


def _needed(element: Element, name: str) -> str:
    value = element.get(name)
    if not value:
        raise FileError(element.place, f"{name} is missing", f"<{element.tag}> has one")
    return value
