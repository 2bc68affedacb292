"""Models of an SDF file as a System: links are bodies where they are, joints are joints there, loops are closed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mekane.importers.sdf.robot import LINK_WORLD, UNLIMITED, WORLD, SdfJoint, SdfRobot
from mekane.importers.urdf.inertia import mass_keywords
from mekane.importers.urdf.names import PartNames, named
from mekane.importers.urdf.report import Report, remark_degrees, remark_size
from mekane.importers.urdf.shapes import Looks
from mekane.model.system import System
from mekane.model.values.orientation import frame_with_z

KINDS = {"revolute": "pin", "continuous": "pin", "prismatic": "slider", "fixed": "weld", "ball": "ball"}
COORDINATE = {"revolute": "angle", "continuous": "angle", "prismatic": "displacement"}


class Builder:
    """Makes the parts of a system, one after the other."""

    def __init__(self, robot: SdfRobot, folder: Path | None, report: Report):
        self.robot, self.report = robot, report
        self.looks = Looks(robot, {}, folder, report)
        self.names = PartNames(robot)
        self.names.links[WORLD] = "ground"
        self.system = System(robot.name)

    def build(self, base: str, unphysical: bool) -> System:
        if self.robot.gravity is not None:
            self.system.gravity = self.robot.gravity
        self.add_bodies(unphysical)
        self.add_bases(base)
        joints = [joint for joint in self.robot.joints.values() if not self.is_static(joint)]
        for joint in joints:
            if joint.type != "gearbox":
                self.add_joint(joint)
        for joint in joints:
            self.add_gearbox(joint) if joint.type == "gearbox" else self.add_laws(joint)
        self.remark_loops()
        if LINK_WORLD in self.robot.links:
            self.report.remark(
                f"link {WORLD!r} is called {LINK_WORLD!r}; joints at {WORLD!r} are at this link, not at the ground."
            )
        for note in self.names.notes:
            self.report.remark(note)
        return self.system

    def add_bodies(self, unphysical: bool) -> None:
        masses = mass_keywords(self.robot, unphysical, self.report)
        for name, link in self.robot.links.items():
            p, R = self.robot.poses[name]
            if not link.has_inertial:
                self.report.gather("links without <inertial> have mass 1 kg and inertia 1 kg m^2, as SDF has it", name)
            shapes = self.looks.keywords(link)
            self.system.body(self.names.links[name], **masses[name], position=p, orientation=R, **shapes)
        remark_size(self.report, [p for p, _ in self.robot.poses.values()])

    def add_bases(self, base: str) -> None:
        """What is not held to the world by joints is free, or welded to the ground; links of static models are welded."""
        for name in self.robot.static:
            self.system.weld(self.names.free(f"{self.names.links[name]} base"), "ground", self.names.links[name])
        for group in self.groups():
            name = self.names.free("base" if "base" not in self.names.taken else "base joint")
            children = {joint.child for joint in self.robot.joints.values()}
            root = next((one for one in group if one not in children), group[0])
            frames = {"on_a": (0, 0, 0), "on_b": (0, 0, 0), "frame_a": np.eye(3), "frame_b": np.eye(3)}
            if base == "fixed":
                self.system.weld(name, "ground", self.names.links[root])
            else:
                self.system.free(name, "ground", self.names.links[root], **frames)
            attached = "fixed to the ground" if base == "fixed" else "free to move"
            self.report.remark(
                f"the base, link {root!r}, is {attached}; mk.load_model has base='floating' and base='fixed'."
            )

    def groups(self) -> list[list[str]]:
        """Links that hang together, and not to the world."""
        above = {name: name for name in (*self.robot.links, WORLD)}

        def top(name: str) -> str:
            while above[name] != name:
                name = above[name]
            return name

        for joint in self.robot.joints.values():
            above[top(joint.child)] = top(joint.parent)
        for name in self.robot.static:
            above[top(name)] = top(WORLD)
        found = {}
        for name in self.robot.links:
            found.setdefault(top(name), []).append(name)
        return [group for where, group in found.items() if where != top(WORLD)]

    def is_static(self, joint: SdfJoint) -> bool:
        static = {joint.parent, joint.child} <= {*self.robot.static, WORLD}
        if static:
            self.report.add("<joint>", joint.name, "its model is static")
        return static

    # joints

    def add_joint(self, joint: SdfJoint) -> None:
        """F on the parent and M on the child are one frame now; its z is the axis."""
        R = np.eye(3) if joint.axis is None or joint.type in ("fixed", "ball") else frame_with_z(joint.axis.direction)
        (p_a, R_a), (p_b, R_b) = (self.pose(name) for name in (joint.parent, joint.child))
        frames = {
            "on_a": R_a.T @ (joint.p - p_a),
            "on_b": R_b.T @ (joint.p - p_b),
            "frame_a": R_a.T @ R,
            "frame_b": R_b.T @ R,
        }
        parent, child = self.names.links[joint.parent], self.names.links[joint.child]
        getattr(self.system, KINDS[joint.type])(self.names.joints[joint.name], parent, child, **frames)

    def pose(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        return self.robot.poses.get(name, (np.zeros(3), np.eye(3)))

    def add_laws(self, joint: SdfJoint) -> None:
        axis, name = joint.axis, self.names.joints[joint.name]
        if axis is None:
            return
        if joint.type not in COORDINATE:
            self.report_lost(joint)
            return
        slides = joint.type == "prismatic"
        self.add_limit(joint, name)
        if axis.damping:
            kind = self.system.sliding_damper if slides else self.system.torsional_damper
            kind(self.names.free(f"{name} damping"), name, damping=axis.damping)
        if axis.stiffness:
            kind = self.system.sliding_spring if slides else self.system.torsional_spring
            rest = {"displacement" if slides else "angle": axis.reference}
            kind(self.names.free(f"{name} spring"), name, stiffness=axis.stiffness, **rest)
        if axis.friction:
            given = {"force" if slides else "torque": axis.friction}
            self.system.dry_friction(self.names.free(f"{name} friction"), name, **given)

    def report_lost(self, joint: SdfJoint) -> None:
        why = f"a {joint.type} joint has no single coordinate that it could act on"
        for keyword in ("damping", "friction", "stiffness"):
            if getattr(joint.axis, keyword):
                given = f"{joint.name} {getattr(joint.axis, keyword):g}"
                self.report.add(f"<joint><axis><dynamics {keyword}>", given, why)

    def add_limit(self, joint: SdfJoint, name: str) -> None:
        lower, upper = joint.axis.lower, joint.axis.upper
        given = {"lower": lower} if lower > -UNLIMITED else {}
        given |= {"upper": upper} if upper < UNLIMITED else {}
        what = f"{joint.name} {lower:g} … {upper:g}"
        if not given:
            return
        if lower >= upper:
            self.report.add("<joint><axis><limit>", what, "they leave no motion, so they are taken as none")
        elif not lower <= 0.0 <= upper:
            self.report.add("<joint><axis><limit>", what, "the joint is at 0 where the file has its links, beyond it")
        else:
            self.system.limit(self.names.free(f"{name} limit"), name, **given)
            if joint.type == "revolute":
                remark_degrees(self.report, joint.name, tuple(given.values()))

    # gearboxes

    def add_gearbox(self, joint: SdfJoint) -> None:
        """θ2 = −ratio θ1: the angle of the child and that of the parent, both from the reference body."""
        driving = self.angle_from(joint.reference_body, joint.parent, joint.axis)
        driven = self.angle_from(joint.reference_body, joint.child, joint.axis2 or joint.axis)
        if driving is None or driven is None:
            why = "no revolute joints lead from its reference body to its parent and its child"
            self.report.add("<joint type gearbox>", joint.name, why)
            return
        (first, sign1), (second, sign2) = driving, driven
        to = f"{-joint.ratio * sign1 * sign2!r}*{named(f'{first}.angle')}"
        self.system.coupler(self.names.joints[joint.name], second, to=to)

    def angle_from(self, body: str, link: str, axis) -> tuple[str, float] | None:
        """The joint between them, and the sign of its angle as the angle of the link about the axis."""
        for joint in self.robot.joints.values():
            if joint.type in ("revolute", "continuous") and {joint.parent, joint.child} == {body, link}:
                along = float(np.sign(joint.axis.direction @ axis.direction))
                return self.names.joints[joint.name], along if joint.child == link else -along
        return None

    def remark_loops(self) -> None:
        closing = self.system.topology.cut
        if closing:
            self.report.remark(f"loops are closed by {', '.join(map(repr, closing))}.")
