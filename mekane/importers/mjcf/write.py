"""A System as an MJCF file: the tree exactly, joints that close loops as equality constraints, and a list of what the file
cannot hold."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np

from mekane.errors import ModelError
from mekane.files import write
from mekane.formulations.joint import tree
from mekane.formulations.tree import Link
from mekane.importers.mjcf.write_laws import Laws
from mekane.model.body import Body
from mekane.model.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, Rod, Shape, Sphere
from mekane.model.system import System
from mekane.model.values.orientation import quaternion_from_matrix

TYPES = {"rotation": "hinge", "translation": "slide", "quaternion": "ball"}
FLOATING = ("translation", "translation", "translation", "quaternion")
SMALLEST = 1e-14  # kg m²: MuJoCo has no body without inertia
ARM = 0.1  # m between the two points that hold the axis of a pin


def dump(system: System, path, simulate: dict | None = None) -> list[str]:
    """Write the system to path. Returns what the file does not hold, in sentences; they stand in it as a comment, too."""
    writer = Writer(system)
    root = writer.mujoco()
    left_out = [*writer.left_out, *(["how it is simulated"] if simulate else [])]
    lines = "".join(f"\n    {one}" for one in left_out) or " nothing"
    root.insert(0, ET.Comment(f" Written by Mekane. Not in this file:{lines} ".replace("--", "- -")))
    ET.indent(root)
    write(path, ET.tostring(root, encoding="unicode") + "\n")
    return [f"not in the file: {one}." for one in left_out]


class Writer:
    """Elements of a model, made from the tree of a system."""

    def __init__(self, system: System):
        self.system, self.left_out = system, []
        self.links, self.cut = tree(system)
        self.below = {}
        for link in self.links:
            self.below.setdefault(link.parent, []).append(link)
        self.frames = {"ground": (np.zeros(3), np.eye(3))}  # of bodies where all coordinates are 0
        for link in self.links:
            self.frames[link.body] = self.zero_frame(link)
        self.first = self.places_in_state()
        self.loaded = {joint for force in system.forces.values() for joint in force.acts.joints}
        self.elements = {}  # of bodies, by name; a body in the middle of a row of joints has none
        self.coordinates = {}  # (joint, coordinate) → its element
        self.start = []  # qpos and qvel of each joint, in the order of the file

    def mujoco(self) -> ET.Element:
        root = ET.Element("mujoco", model=self.system.name)
        ET.SubElement(root, "compiler", angle="radian", autolimits="true")
        ET.SubElement(root, "option", gravity=text(self.system.gravity))
        world = self.elements["ground"] = ET.SubElement(root, "worldbody")
        for link in self.below.get("ground", ()):
            self.add_body(world, "ground", [link])
        self.add_markers()
        self.add_loops(ET.SubElement(root, "equality"))
        Laws(self.system, self.coordinates, self.left_out).add_to(root)
        self.add_start(root)
        self.list_others()
        return root

    # ------------------------------------------------------------ tree

    def zero_frame(self, link: Link) -> tuple[np.ndarray, np.ndarray]:
        """Where a body is while F and M of its joint, and those of all before, coincide."""
        p, R = self.frames[link.parent]
        turned = R @ link.R_PF @ link.R_BM.T
        return p + R @ link.p_PF - turned @ link.p_BM, turned

    def places_in_state(self) -> dict[str, tuple[int, int]]:
        """Where the coordinates and speeds of each body begin."""
        found, q, u = {}, 0, 0
        for link in self.links:
            found[link.body] = q, u
            q += sum(4 if one.kind == "quaternion" else 1 for one in link.primitives)
            u += sum(3 if one.kind == "quaternion" else 1 for one in link.primitives)
        return found

    def add_body(self, element: ET.Element, parent: str, row: list[Link]) -> None:
        """row: a body, with those without mass that it hangs on; the joints of all of them are joints of the one."""
        body, below = self.system.bodies[row[-1].body], self.below.get(row[-1].body, [])
        if not body.mass and not body.inertia.any() and any(link.primitives for link in row):
            if len(below) != 1:
                problem, expected = "it moves and has no mass", "MuJoCo needs the mass of each body that moves"
                raise ModelError(f"body {body.name!r}", problem, expected, "Give it mass and inertia.")
            self.left_out.append(f"body {body.name!r}, which has no mass: its joint belongs to body {below[0].body!r}")
            self.add_body(element, parent, [*row, below[0]])
            return
        p, R = self.relative(body.name, parent)
        made = ET.SubElement(element, "body", name=self.name_of(body.name), pos=text(p), quat=text(quaternion(R)))
        self.elements[body.name] = made
        for link in row:
            self.add_joints(made, link, body.name, parent)
        self.add_inertial(made, body)
        if body.shape is not None:
            self.add_geom(made, body.shape)
        for link in below:
            self.add_body(made, body.name, [link])

    def name_of(self, body: str) -> str:
        """As MuJoCo knows it, whose own ground is called world."""
        if body != "world":
            return body
        name = next(f"world body{end}" for end in ("", *range(2, 99)) if f"world body{end}" not in self.system.bodies)
        self.left_out.append(f"that body 'world' is called so: it is {name!r}, since MuJoCo's ground is the world")
        return name

    def relative(self, body: str, to: str) -> tuple[np.ndarray, np.ndarray]:
        (p, R), (p_to, R_to) = self.frames[body], self.frames[to]
        return R_to.T @ (p - p_to), R_to.T @ R

    def add_inertial(self, element: ET.Element, body: Body) -> None:
        if not body.mass:
            return
        I = np.array(body.inertia, float)
        if np.linalg.eigvalsh(I)[0] < SMALLEST:
            I = I + SMALLEST * np.eye(3)
            self.left_out.append(f"that body {body.name!r} is thin: {SMALLEST:g} kg m^2 is added, which MuJoCo needs")
        tensor = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        ET.SubElement(element, "inertial", pos=text(body.com), mass=repr(float(body.mass)), fullinertia=text(tensor))

    def add_geom(self, element: ET.Element, shape: Shape) -> None:
        """It is drawn; its mass is that of the body, and what touches is listed."""
        kind, sizes = geometry(shape)
        if kind is None:
            self.left_out.append(f"the shape of body {element.get('name')!r}, which MuJoCo does not have")
            return
        placed = {"pos": text(shape.at), "quat": text(quaternion(shape.R_BS))}
        ET.SubElement(element, "geom", type=kind, size=text(sizes), **placed, mass="0", contype="0", conaffinity="0")

    # ------------------------------------------------------------ joints

    def add_joints(self, element: ET.Element, link: Link, body: str, parent: str) -> None:
        """One joint for each primitive, with point and axis in the frame of the body."""
        kinds = [primitive.kind for primitive in link.primitives]
        if set(kinds) - set(TYPES):
            remedy = "Couple a pin and a slider instead, or save it as YAML."
            raise ModelError(f"joint {link.joint!r}", "it is a screw", "MJCF has rotations and translations", remedy)
        (p, R), (at, turned) = self.frames[body], self.frames[link.body]
        anchor, M = R.T @ (at + turned @ link.p_BM - p), R.T @ turned @ link.R_BM
        name, (q, u) = link.joint or f"{link.body} floating", self.first[link.body]
        if tuple(kinds) == FLOATING and parent == "ground" and at_origin(link) and link.joint not in self.loaded:
            element.append(ET.Element("freejoint", name=name))
            self.start.append(([*range(q, q + 3), q + 6, q + 3, q + 4, q + 5], range(u, u + 6)))
            return
        names = self.system.joints[link.joint].coordinates if link.joint else ()
        names = names[::-1] if link.swapped else names
        for k, primitive in enumerate(link.primitives):
            label = names[k] if k < len(names) else str(k + 1)
            made = ET.SubElement(element, "joint", name=name if len(kinds) == 1 else f"{name} {label}")
            made.attrib |= {"type": TYPES[primitive.kind], "pos": text(anchor)}
            if primitive.kind == "quaternion":
                self.coordinates[link.joint, "rotation"] = made
                self.start.append(([q + 3, q, q + 1, q + 2], range(u, u + 3)))
                q, u = q + 4, u + 3
                continue
            made.set("axis", text(M @ primitive.axis))
            self.start.append(([q], [u]))
            q, u = q + 1, u + 1
            if k < len(names):
                self.coordinates[link.joint, names[k]] = made

    # ------------------------------------------------------------ what is not in the tree

    def add_site(self, name: str, body: str, at, R=None) -> str:
        element = self.elements.get(body)
        if element is None:
            self.left_out.append(f"{name!r} on body {body!r}, which has no mass")
            return ""
        ET.SubElement(element, "site", name=name, pos=text(at), quat=text(quaternion(np.eye(3) if R is None else R)))
        return name

    def add_markers(self) -> None:
        for marker in self.system.markers.values():
            self.add_site(marker.name, marker.body, marker.at, marker.orientation)

    def add_loops(self, element: ET.Element) -> None:
        """Joints that close loops, as equality constraints between sites."""
        for name in self.cut:
            joint = self.system.joints[name]
            if joint.kind not in ("ball", "weld", "pin"):
                self.left_out.append(f"{joint.part}, a {joint.kind} that closes a loop")
                continue
            self.add_equality(element, joint, "weld" if joint.kind == "weld" else "connect", name, 0.0)
            if joint.kind == "pin":
                self.add_equality(element, joint, "connect", f"{name} axis", ARM)
        if self.cut:
            self.left_out.append("that loops are closed exactly: equality constraints of MuJoCo are soft")

    def add_equality(self, element: ET.Element, joint, kind: str, name: str, along: float) -> None:
        a = self.add_site(f"{name} a", joint.a, joint.p_AF + joint.R_AF[:, 2] * along, joint.R_AF)
        b = self.add_site(f"{name} b", joint.b, joint.p_BM + joint.R_BM[:, 2] * along, joint.R_BM)
        if a and b:
            ET.SubElement(element, kind, name=name, site1=a, site2=b)

    def add_start(self, root: ET.Element) -> None:
        """Where it starts, as a keyframe: there all coordinates are 0 otherwise."""
        q, u = self.system.initial_state()
        qpos = [q[i] for places, _ in self.start for i in places]
        qvel = [u[i] for _, places in self.start for i in places]
        if qpos:
            ET.SubElement(ET.SubElement(root, "keyframe"), "key", name="start", qpos=text(qpos), qvel=text(qvel))

    def list_others(self) -> None:
        system = self.system
        groups = {
            "variables": system.variables, "outputs": system.outputs, "events": system.events,
            "controllers": system.controllers, "generalized speeds": system.own_speeds,
            "parameters, which are numbers now": system.parameters,
        }  # fmt: skip
        self.left_out += [f"{what}: {', '.join(map(repr, names))}" for what, names in groups.items() if names]
        if system.plane:
            self.left_out.append(f"that everything moves in the plane {system.plane}")


def at_origin(link: Link) -> bool:
    same = np.array_equal(link.R_PF, np.eye(3)) and np.array_equal(link.R_BM, np.eye(3))
    return same and not np.any(link.p_PF) and not np.any(link.p_BM)


def geometry(shape: Shape) -> tuple[str | None, tuple]:
    """Type and sizes of a geom: halves of edges and lengths."""
    if isinstance(shape, Box):
        return "box", (shape.x / 2, shape.y / 2, shape.z / 2)
    if isinstance(shape, Ellipsoid):
        return "ellipsoid", (shape.x, shape.y, shape.z)
    if isinstance(shape, Sphere):
        return "sphere", (shape.radius,)
    if isinstance(shape, Cylinder | Capsule) or (isinstance(shape, Rod) and shape.radius):
        return "capsule" if isinstance(shape, Capsule) else "cylinder", (shape.radius, shape.length / 2)
    return None, ()


def quaternion(R) -> list[float]:
    """Scalar first, as MuJoCo has it."""
    x, y, z, w = quaternion_from_matrix(np.asarray(R))
    return [w, x, y, z]


def text(numbers) -> str:
    return " ".join(repr(float(x)) for x in numbers)
