"""A System as a URDF file: the tree exactly, loops in a file beside it, and a list of what neither can hold."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from math import atan2, cos, hypot, sin
from pathlib import Path

import numpy as np
import yaml

from mekane.errors import ModelError
from mekane.files import write
from mekane.formulations.joint import tree
from mekane.formulations.tree import Link
from mekane.importers._mesh_files import relative_to
from mekane.importers.urdf.laws import Laws
from mekane.importers.urdf.loops import SUFFIX
from mekane.importers.yaml import Dumper
from mekane.model.body import Body
from mekane.model.constraint import Arrow, Constraint, End
from mekane.model.geometry.mesh import Mesh
from mekane.model.geometry.shapes import Box, Capsule, Cylinder, Rod, Shape, Sphere
from mekane.model.joint import Joint
from mekane.model.system import System

TYPES = {"rotation": "continuous", "translation": "prismatic", "quaternion": "spherical"}
FLOATING = ("translation", "translation", "translation", "quaternion")
EARTH = (0.0, 0.0, -9.81)


def dump(system: System, path, simulate: dict | None = None) -> list[str]:
    """Write the system to path, and what closes its loops beside it. Returns what the files do not hold, in sentences; they
    stand in the file as a comment, too."""
    writer = Writer(system, Path(path).resolve().parent)
    root = writer.robot()
    left_out = [*writer.left_out, *(["how it is simulated"] if simulate else [])]
    root.insert(0, ET.Comment(_comment(left_out)))
    ET.indent(root)
    loops = writer.loops()
    write(path, '<?xml version="1.0"?>\n' + ET.tostring(root, encoding="unicode") + "\n")
    if loops:
        write(
            Path(path).with_suffix(SUFFIX),
            yaml.dump({"loops": loops}, Dumper=Dumper, sort_keys=False, allow_unicode=True),
        )
    return [f"not in the file: {one}." for one in left_out]


def _comment(left_out: list[str]) -> str:
    lines = "".join(f"\n    {one}" for one in left_out) or " nothing"
    return f" Written by Mekane. Not in this file:{lines} ".replace("--", "- -")


class Writer:
    """Elements of a robot, made from the tree of a system."""

    def __init__(self, system: System, folder: Path):
        self.system, self.folder, self.left_out = system, folder, []
        self.links, self.cut = tree(system)
        self.shift = {"ground": np.zeros(3)}  # origin of the link's frame in the body's frame
        self.coordinates = {}  # (joint, coordinate) → name of the joint in the file
        self.world = "world" if not system.has("world") else "world of the file"
        self.base = self.base_body()

    def base_body(self) -> str | None:
        """The body that is the base by itself: the only one on the ground, welded to it where the ground's frame is."""
        on_ground = [link for link in self.links if link.parent == "ground"]
        if not on_ground:
            raise ModelError(f"system {self.system.name!r}", "it has no bodies", "a robot has at least one link")
        link = on_ground[0]
        if len(on_ground) > 1 or link.primitives:
            return None
        p, R = link.p_PF - _turn(link) @ link.p_BM, _turn(link)
        return link.body if not p.any() and np.array_equal(R, np.eye(3)) else None

    def robot(self) -> ET.Element:
        root = ET.Element("robot", name=self.system.name)
        if self.base is None:
            ET.SubElement(root, "link", name=self.world)
        joints = [element for link in self.links for element in self.joint_elements(link)]
        for body in self.system.bodies.values():
            root.append(self.link_element(body))
        root.extend(joints)
        Laws(self.system, self.coordinates, self.left_out).add_to(root)
        self.list_others()
        return root

    # links

    def link_element(self, body: Body) -> ET.Element:
        element, shift = ET.Element("link", name=body.name), self.shift[body.name]
        if body.mass or body.inertia.any():
            inertial = ET.SubElement(element, "inertial")
            ET.SubElement(inertial, "origin", xyz=_text(body.com - shift), rpy="0 0 0")
            ET.SubElement(inertial, "mass", value=repr(float(body.mass)))
            ET.SubElement(inertial, "inertia", _tensor(body.inertia))
        for shape in body.drawn:
            self.add_geometry(element, "visual", shape, shift, body.color)
        if body.look is not None and body.shape is not None:
            self.add_geometry(element, "collision", body.shape, shift)
        if shift.any():
            self.left_out.append(
                f"the frame of body {body.name!r}: that of the link is at its joint, {_text(shift)} m away"
            )
        return element

    def add_geometry(self, element: ET.Element, role: str, shape: Shape, shift: np.ndarray, colour=None) -> None:
        geometry = _geometry(shape, self.folder)
        if geometry is None:
            self.left_out.append(f"the shape of body {element.get('name')!r}, which URDF does not have")
            return
        outer = ET.SubElement(element, role)
        ET.SubElement(outer, "origin", xyz=_text(shape.at - shift), rpy=_text(rpy_from_rotation(shape.R_BS)))
        ET.SubElement(outer, "geometry").append(geometry)
        colour = shape.color or colour
        if colour and role == "visual":
            material = ET.SubElement(outer, "material", name=colour)
            ET.SubElement(material, "color", rgba=_text([*(int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)), 1.0]))

    # joints

    def joint_elements(self, link: Link) -> list[ET.Element]:
        """One joint for each primitive, with massless links between them; none for the base."""
        kinds = tuple(primitive.kind for primitive in link.primitives)
        if set(kinds) - set(TYPES):
            remedy = "Couple a pin and a slider instead, or save it as YAML."
            raise ModelError(f"joint {link.joint!r}", "it is a screw", "URDF has rotations and translations", remedy)
        rotates = any(kind != "translation" for kind in kinds)
        self.shift[link.body] = np.array(link.p_BM) if rotates else np.zeros(3)
        p = link.p_PF - self.shift[link.parent] - (0.0 if rotates else _turn(link) @ link.p_BM)
        if link.body == self.base:
            return []
        name, parent = link.joint or f"{link.body} floating", self.world if link.parent == "ground" else link.parent
        if kinds == FLOATING or not kinds:
            kind = "floating" if kinds else "fixed"
            return [_joint(name, kind, (parent, link.body), p, _turn(link))]
        return self.chain(link, name, parent, p)

    def chain(self, link: Link, name: str, parent: str, p: np.ndarray) -> list[ET.Element]:
        found, R, n = [], link.R_PF, len(link.primitives)
        for i, primitive in enumerate(link.primitives):
            last = i == n - 1
            part = name if n == 1 else f"{name} {i + 1}"
            child = link.body if last else f"{part} link"
            R, axis = (R @ link.R_BM.T, link.R_BM @ primitive.axis) if last else (R, np.array(primitive.axis))
            found += [] if last else [ET.Element("link", name=child)]
            found.append(_joint(part, TYPES[primitive.kind], (parent, child), p, R, axis))
            self.know_coordinate(link, i, part)
            parent, p, R = child, np.zeros(3), np.eye(3)
        return found

    def know_coordinate(self, link: Link, i: int, part: str) -> None:
        kind = link.primitives[i].kind
        names = self.system.joints[link.joint].coordinates if link.joint else ()
        if kind == "quaternion":
            self.left_out.append(f"joint {part!r} is spherical, which some programs do not know")
        elif len(names) == len(link.primitives) and (not link.swapped or len(names) == 1):
            self.coordinates[link.joint, names[i]] = part

    # what is not in the tree

    def loops(self) -> dict:
        """What closes loops, in the words of model files, with points in the frames of the links."""
        found = {name: self.moved_joint(self.system.joints[name]) for name in self.cut}
        for name, constraint in self.system.constraints.items():
            if name not in self.mimics and self.can_move(constraint):
                found[name] = self.moved_constraint(constraint)
        return found

    def moved_joint(self, joint: Joint) -> dict:
        a, b = self.shift[joint.a], self.shift[joint.b]
        return replace(joint, p_AF=joint.p_AF - a, p_BM=joint.p_BM - b).to_dict()

    @property
    def mimics(self) -> set[str]:
        return {name for name in self.system.constraints if self.system.constraints[name].kind == "coupler"}

    def can_move(self, constraint: Constraint) -> bool:
        """Whether all it says of places are points and directions of bodies."""
        given = [getattr(constraint, field.name) for field in constraint.own_fields()]
        return all(isinstance(one, End | Arrow | float | int | bool | str | None) for one in given)

    def moved_constraint(self, constraint: Constraint) -> dict:
        ends = {field.name: getattr(constraint, field.name) for field in constraint.own_fields()}
        moved = {
            name: End(one.body, tuple((np.array(one.point) - self.shift[one.body]).tolist()))
            for name, one in ends.items()
            if isinstance(one, End)
        }
        return replace(constraint, **moved).to_dict()

    def list_others(self) -> None:
        system = self.system
        lost = [c.name for c in system.constraints.values() if c.name not in self.mimics and not self.can_move(c)]
        groups = {
            "constraints": lost, "inputs": system.inputs, "variables": system.variables, "markers": system.markers,
            "outputs": system.outputs, "events": system.events, "controllers": system.controllers,
            "generalized speeds": system.own_speeds, "parameters, which are numbers now": system.parameters,
        }  # fmt: skip
        self.left_out += [f"{what}: {', '.join(map(repr, names))}" for what, names in groups.items() if names]
        if system.plane:
            self.left_out.append(f"that everything moves in the plane {system.plane}")
        if system.gravity != EARTH:
            self.left_out.append(f"gravity {_text(system.gravity)} m/s^2; other programs have their own")
        if self.cut or any(self.can_move(c) for c in system.constraints.values() if c.name not in self.mimics):
            self.left_out.append(f"what closes loops: it is beside, in the file that ends in {SUFFIX}")
        self.left_out.append("where it starts and how fast: all coordinates begin at 0, or at a limit")


def _turn(link: Link) -> np.ndarray:
    """Axes of the body in those of its parent where F and M coincide."""
    return link.R_PF @ link.R_BM.T


def _joint(name: str, kind: str, ends: tuple[str, str], p, R, axis=None) -> ET.Element:
    element = ET.Element("joint", name=name, type=kind)
    ET.SubElement(element, "parent", link=ends[0])
    ET.SubElement(element, "child", link=ends[1])
    ET.SubElement(element, "origin", xyz=_text(p), rpy=_text(rpy_from_rotation(R)))
    if axis is not None and kind != "spherical":
        ET.SubElement(element, "axis", xyz=_text(axis))
    return element


def _geometry(shape: Shape, folder: Path) -> ET.Element | None:
    if isinstance(shape, Mesh) and not shape.hull:
        return ET.Element("mesh", filename=relative_to(folder)(shape.file), scale=_text(shape.scale))
    if isinstance(shape, Box):
        return ET.Element("box", size=_text((shape.x, shape.y, shape.z)))
    if isinstance(shape, Sphere):
        return ET.Element("sphere", radius=repr(float(shape.radius)))
    if isinstance(shape, Cylinder | Capsule) or (isinstance(shape, Rod) and shape.radius):
        kind = "capsule" if isinstance(shape, Capsule) else "cylinder"
        return ET.Element(kind, radius=repr(float(shape.radius)), length=repr(float(shape.length)))
    return None


def _tensor(I: np.ndarray) -> dict[str, str]:
    places = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
    return {name: repr(float(I[place])) for name, place in places.items()}


def rpy_from_rotation(R) -> tuple[float, float, float]:
    """Roll, pitch and yaw of  R = Rz Ry Rx; exact to round-off also where the pitch is 90°: what remains after the yaw is
    taken back gives the others."""
    yaw = atan2(R[1, 0], R[0, 0])
    c, s = cos(yaw), sin(yaw)
    pitch = atan2(-R[2, 0], hypot(R[0, 0], R[1, 0]))
    roll = atan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    return roll, pitch, yaw


def _text(numbers) -> str:
    return " ".join(repr(float(x)) for x in numbers)
