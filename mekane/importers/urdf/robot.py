"""What a URDF file says: links, joints and their geometry as plain records, every number checked, with its line."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, isfinite, sin

import numpy as np

from mekane.errors import FileError, did_you_mean
from mekane.importers._xml import Element

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical")
MOVING_AXIS = ("revolute", "continuous", "prismatic", "planar")  # types that need an axis
ONE_COORDINATE = ("revolute", "continuous", "prismatic")
SIZES = {
    "box": {"size": 3},
    "cylinder": {"radius": 1, "length": 1},
    "sphere": {"radius": 1},
    "capsule": {"radius": 1, "length": 1},
}
WORLD = "world"  # a parent of this name need not be a link of the file
TENSOR = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


@dataclass(frozen=True, eq=False)
class Geometry:
    """One <visual> or <collision> of a link."""

    role: str  # "visual" or "collision"
    kind: str  # box, cylinder, sphere, capsule, mesh, or another tag
    sizes: dict[str, tuple[float, ...]]  # of what SIZES knows
    filename: str | None  # of a mesh
    p: np.ndarray  # in the link's frame
    R: np.ndarray
    wrong: str = ""  # why it cannot be used, if so
    scale: tuple[float, ...] = (1.0, 1.0, 1.0)  # of a mesh
    material: str = ""  # name of the material that it is drawn with
    colour: tuple[float, ...] = ()  # its own: red, green, blue and opacity, if it has one


@dataclass(frozen=True, eq=False)
class Link:
    name: str
    mass: float
    com: np.ndarray  # in the link's frame
    inertia: np.ndarray  # about the mass centre, axes of the link
    has_inertial: bool
    geometry: list[Geometry]
    element: Element


@dataclass(frozen=True, eq=False)
class Mimic:
    joint: str
    multiplier: float
    offset: float
    element: Element


@dataclass(frozen=True, eq=False)
class RobotJoint:
    name: str
    type: str
    parent: str
    child: str
    p: np.ndarray  # origin of the child's frame, in the parent's
    R: np.ndarray
    axis: np.ndarray  # of unit length, in the child's frame
    lower: float | None
    upper: float | None
    damping: float
    friction: float
    mimic: Mimic | None
    element: Element


@dataclass(frozen=True, eq=False)
class Robot:
    name: str
    links: dict[str, Link]
    joints: dict[str, RobotJoint]
    element: Element
    materials: dict[str, tuple[float, ...]]  # red, green, blue and opacity
    world_is_implied: bool = False  # a joint has the world as its parent, and there is no link of this name


def read_robot(root: Element) -> Robot:
    """The robot of a root element; what is not read here remains unused there."""
    if root.tag != "robot":
        expected = "the first tag of a URDF file is <robot>"
        raise FileError(f"{root.source}, line {root.line}", f"its first tag is <{root.tag}>", expected)
    _refuse_xacro(root)
    links = _by_name(root, "link", _link)
    joints = _by_name(root, "joint", _joint)
    if not links:
        raise FileError(root.place, "it has no link", "a robot has at least one")
    implied = WORLD not in links and any(joint.parent == WORLD for joint in joints.values())
    materials = _materials(root, links)
    if implied:
        links[WORLD] = Link(WORLD, 0.0, np.zeros(3), np.zeros((3, 3)), True, [], root)
    return Robot(root.get("name") or "robot", links, joints, root, materials, implied)


def _materials(root: Element, links: dict[str, Link]) -> dict[str, tuple[float, ...]]:
    """Colours by the names of materials; one that is defined in a link is known in all."""
    inside = {one.material: one.colour for link in links.values() for one in link.geometry if one.colour}
    return inside | {name: colour for name, colour in map(_material, root.all("material")) if colour}


def _material(element: Element | None) -> tuple[str, tuple[float, ...]]:
    """Name and colour; no colour if it has none that can be read."""
    if element is None:
        return "", ()
    colour = element.first("color")
    try:
        return element.get("name") or "", () if colour is None else _numbers(colour, "rgba", 4)
    except FileError:
        return element.get("name") or "material", ()


def _refuse_xacro(root: Element) -> None:
    for child in root.children:
        if child.tag.startswith("xacro:"):
            problem = f"<{child.tag}> is a macro that has not been expanded"
            raise FileError(child.place, problem, "a URDF file holds links and joints", "Run xacro on it first.")


def _by_name(root: Element, tag: str, read) -> dict:
    found = {}
    for element in root.all(tag):
        name = _needed(element, "name")
        if name in found:
            problem = f"there is another {tag} of this name in line {found[name].element.line}"
            raise FileError(element.place, problem, f"names of {tag}s are unique", "Rename one of them.")
        found[name] = read(element, name)
    return found


# ---------------------------------------------------------------- links


def _link(element: Element, name: str) -> Link:
    inertial = element.first("inertial")
    mass, com, inertia = (0.0, np.zeros(3), np.zeros((3, 3))) if inertial is None else _inertial(inertial)
    geometry = [_geometry_or_why(one, role) for role in ("visual", "collision") for one in element.all(role)]
    return Link(name, mass, com, inertia, inertial is not None, geometry, element)


def _inertial(element: Element) -> tuple:
    p, R = _origin(element)
    mass, tensor = element.first("mass"), element.first("inertia")
    m = 0.0 if mass is None else _number(mass, "value")
    if m < 0.0:
        raise FileError(mass.place, f"the mass is {m:g} kg", "a mass is not negative")
    I = np.zeros((3, 3)) if tensor is None else _tensor(tensor)
    return m, p, R @ I @ R.T


def _tensor(element: Element) -> np.ndarray:
    xx, xy, xz, yy, yz, zz = (_number(element, name, 0.0) for name in TENSOR)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _geometry_or_why(element: Element, role: str) -> Geometry:
    """A look that is wrong does not keep a robot from being read."""
    try:
        return _geometry(element, role)
    except FileError as error:
        element.read |= set(element.attributes)
        _use_all(element)
        return Geometry(role, "nothing", {}, None, np.zeros(3), np.eye(3), f"{error.problem}; {error.expected}")


def _use_all(element: Element) -> None:
    for child in element.children:
        child.used = True
        child.read |= set(child.attributes)
        _use_all(child)


def _geometry(element: Element, role: str) -> Geometry:
    p, R = _origin(element)
    outer = element.first("geometry")
    inner = next(iter(outer.children), None) if outer is not None else None
    if inner is None:
        return Geometry(role, "nothing", {}, None, p, R, "it is empty")
    inner.used = True
    sizes = {name: _numbers(inner, name, n) for name, n in SIZES.get(inner.tag, {}).items()}
    filename = inner.get("filename") if inner.tag == "mesh" else None
    scale = _numbers(inner, "scale", 3, (1.0, 1.0, 1.0), alone=True) if inner.tag == "mesh" else (1.0, 1.0, 1.0)
    name, colour = _material(element.first("material") if role == "visual" else None)
    return Geometry(role, inner.tag, sizes, filename, p, R, scale=scale, material=name, colour=colour)


# ---------------------------------------------------------------- joints


def _joint(element: Element, name: str) -> RobotJoint:
    kind = _needed(element, "type")
    if kind not in JOINT_TYPES:
        expected = f"it is one of {', '.join(JOINT_TYPES)}"
        raise FileError(element.place, f"its type is {kind!r}", expected, did_you_mean(kind, JOINT_TYPES).strip())
    p, R = _origin(element)
    lower, upper = _limits(element.first("limit"), kind)
    dynamics = element.first("dynamics")
    damping, friction = (
        (0.0, 0.0) if dynamics is None else (_number(dynamics, "damping", 0.0), _number(dynamics, "friction", 0.0))
    )
    parent, child = _end(element, "parent"), _end(element, "child")
    mimic = _mimic(element.first("mimic"), element)
    return RobotJoint(
        name, kind, parent, child, p, R, _axis(element, kind), lower, upper, damping, friction, mimic, element
    )


def _end(element: Element, tag: str) -> str:
    end = element.first(tag)
    if end is None:
        raise FileError(element.place, f"it has no <{tag}>", "a joint has a parent and a child link")
    return _needed(end, "link")


def _axis(element: Element, kind: str) -> np.ndarray:
    axis = element.first("axis")
    given = np.array((1.0, 0.0, 0.0) if axis is None else _numbers(axis, "xyz", 3, (1.0, 0.0, 0.0)))
    length = float(np.linalg.norm(given))
    if length == 0.0 and kind in MOVING_AXIS:
        raise FileError(axis.place, f"the axis of joint {element.attributes['name']!r} is 0 0 0", "it has a direction")
    return given / length if length else given


def _limits(limit: Element | None, kind: str) -> tuple:
    """lower and upper as they are given, None where they are not."""
    if limit is None or kind not in ONE_COORDINATE:
        return None, None
    return _number(limit, "lower", None), _number(limit, "upper", None)


def _mimic(mimic: Element | None, joint: Element) -> Mimic | None:
    if mimic is None:
        return None
    if _needed(mimic, "joint") == joint.attributes["name"]:
        raise FileError(joint.place, "it mimics itself", "a joint follows another one")
    return Mimic(mimic.get("joint"), _number(mimic, "multiplier", 1.0), _number(mimic, "offset", 0.0), mimic)


# ---------------------------------------------------------------- numbers


def _origin(element: Element) -> tuple[np.ndarray, np.ndarray]:
    """Point and axes of <origin xyz rpy>."""
    origin = element.first("origin")
    if origin is None:
        return np.zeros(3), np.eye(3)
    zero = (0.0, 0.0, 0.0)
    return np.array(_numbers(origin, "xyz", 3, zero)), rotation_from_rpy(*_numbers(origin, "rpy", 3, zero))


def rotation_from_rpy(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """Rotations about the fixed axes x, y and z, in this order:  R = Rz Ry Rx"""
    (cr, sr), (cp, sp), (cy, sy) = ((cos(x), sin(x)) for x in (roll, pitch, yaw))
    # fmt: off
    return np.array([
        [cy*cp, cy*sp*sr - sy*cr, cy*sp*cr + sy*sr],
        [sy*cp, sy*sp*sr + cy*cr, sy*sp*cr - cy*sr],
        [-sp,   cp*sr,            cp*cr],
    ])
    # fmt: on


def _needed(element: Element, name: str) -> str:
    value = element.get(name)
    if not value:
        raise FileError(element.place, f"{name} is missing", f"<{element.tag}> has one")
    return value


def _number(element: Element, name: str, *default):
    text = element.get(name)
    if text is None and default:
        return default[0]
    return _numbers(element, name, 1)[0]


def _numbers(element: Element, name: str, n: int, default=None, alone: bool = False) -> tuple[float, ...]:
    """n finite numbers. alone: one number stands for n equal ones."""
    text = element.get(name)
    if text is None and default is not None:
        return default
    try:
        found = tuple(map(float, (text or "").split()))
    except ValueError:
        found = ()
    found = found * n if alone and len(found) == 1 else found
    if len(found) != n or not all(map(isfinite, found)):
        expected = "a finite number is expected" if n == 1 else f"{n} finite numbers are expected"
        problem = f"{name} is missing" if text is None else f"{name} is {text!r}"
        raise FileError(element.place, problem, expected)
    return found
