"""A robot as a System: links are bodies, joints are joints, with limits, damping, dry friction and couplers."""

from __future__ import annotations

from math import pi
from pathlib import Path

import numpy as np

from mekane.errors import did_you_mean
from mekane.importers.urdf.inertia import mass_keywords
from mekane.importers.urdf.names import PartNames, named
from mekane.importers.urdf.report import Report, remark_degrees, remark_size
from mekane.importers.urdf.robot import WORLD, Robot, RobotJoint
from mekane.importers.urdf.shapes import Looks
from mekane.importers.urdf.start import limits_of, link_poses, mimicked, start_values
from mekane.importers.urdf.tree import root_and_joints
from mekane.model.system import System
from mekane.model.values.orientation import frame_with_z

KINDS = {
    "revolute": "pin", "continuous": "pin", "prismatic": "slider", "fixed": "weld", "floating": "free", "planar": "planar",
    "spherical": "ball",
}  # fmt: skip
COORDINATE = {"revolute": "angle", "continuous": "angle", "prismatic": "displacement"}
ROUND_OFF = 1e-9  # rad or m, of a limit that is met at the start


class Builder:
    """Makes the parts of a system, one after the other."""

    def __init__(self, robot: Robot, folder: Path | None, report: Report):
        self.robot, self.report = robot, report
        self.looks = Looks(robot, robot.materials, folder, report)
        self.root, self.order = root_and_joints(robot)
        self.names = PartNames(robot)
        self.values = start_values(robot, report)
        self.system = System(robot.name)
        if robot.world_is_implied:
            report.remark(
                f"link {WORLD!r} is not in the file; a joint names it as its parent, and it is taken as the world."
            )

    def build(self, base: str, unphysical: bool) -> System:
        self.add_bodies(unphysical)
        self.add_base(base)
        for joint in self.order:
            self.add_joint(joint)
        for joint in self.order:
            self.add_laws(joint)
        for note in self.names.notes:
            self.report.remark(note)
        return self.system

    def add_bodies(self, unphysical: bool) -> None:
        poses = link_poses(self.root, self.order, self.values)
        masses = mass_keywords(self.robot, unphysical, self.report)
        for name in poses:
            position, R = poses[name]
            shapes = self.looks.keywords(self.robot.links[name])
            self.system.body(self.names.links[name], **masses[name], position=position, orientation=R, **shapes)
        remark_size(self.report, [position for position, _ in poses.values()])

    def add_base(self, base: str) -> None:
        kind = {"fixed": "weld", "floating": "free"}[base]
        name = self.names.free("base" if "base" not in self.names.taken else "base joint")
        frames = {"on_a": (0, 0, 0), "on_b": (0, 0, 0), "frame_a": np.eye(3), "frame_b": np.eye(3)}
        getattr(self.system, kind)(name, "ground", self.names.links[self.root], **frames)
        attached = "fixed to the ground" if base == "fixed" else "free to move"
        self.report.remark(
            f"the base, link {self.root!r}, is {attached}; mk.load_model has base='fixed' and base='floating'."
        )

    def add_joint(self, joint: RobotJoint) -> None:
        """F on the parent and M on the child have their z along the axis; URDF's frames where there is none."""
        R_BM = (
            frame_with_z(joint.axis) if joint.type in ("revolute", "continuous", "prismatic", "planar") else np.eye(3)
        )
        frames = {"on_a": joint.p, "on_b": (0, 0, 0), "frame_a": joint.R @ R_BM, "frame_b": R_BM}
        parent, child, name = (
            self.names.links[joint.parent],
            self.names.links[joint.child],
            self.names.joints[joint.name],
        )
        getattr(self.system, KINDS[joint.type])(name, parent, child, **frames)
        if COORDINATE.get(joint.type) == "angle" and abs(self.values[joint.name]) > pi:
            self.system.initial_conditions({f"{name}.angle": self.values[joint.name]})

    def add_laws(self, joint: RobotJoint) -> None:
        if joint.type not in COORDINATE:
            self.report_lost(joint)
            return
        name, slides = self.names.joints[joint.name], joint.type == "prismatic"
        self.add_mimic(joint, name)
        self.add_limit(joint, name)
        if joint.damping:
            kind = self.system.sliding_damper if slides else self.system.torsional_damper
            kind(self.names.free(f"{name} damping"), name, damping=joint.damping)
        if joint.friction > 0.0:
            self.system.dry_friction(
                self.names.free(f"{name} friction"), name, **{"force" if slides else "torque": joint.friction}
            )
        elif joint.friction < 0.0:
            self.report.add("<joint><dynamics friction>", f"{joint.name} {joint.friction:g}", "it is negative")

    def report_lost(self, joint: RobotJoint) -> None:
        why = f"a {joint.type} joint has no single coordinate that it could act on"
        for keyword in ("damping", "friction"):
            if getattr(joint, keyword):
                self.report.add(f"<joint><dynamics {keyword}>", f"{joint.name} {getattr(joint, keyword):g}", why)
        if joint.mimic is not None:
            self.report.add("<joint><mimic>", joint.name, why)

    def add_mimic(self, joint: RobotJoint, name: str) -> None:
        leader = mimicked(joint, self.robot)
        if leader is None:
            if joint.mimic is not None:
                why = "what it names is no joint with one coordinate, so it is not coupled"
                if joint.mimic.joint not in self.robot.joints:
                    hint = did_you_mean(joint.mimic.joint, self.robot.joints)
                    why = f"there is no such joint, so it is not coupled.{hint}".removesuffix(".")
                self.report.add("<joint><mimic joint>", f"{joint.name} {joint.mimic.joint}", why)
            return
        channel = f"{self.names.joints[leader.name]}.{COORDINATE[leader.type]}"
        to = f"{joint.mimic.multiplier!r}*{named(channel)} + {joint.mimic.offset!r}"
        self.system.coupler(self.names.free(f"{name} mimic"), name, to=to)

    def add_limit(self, joint: RobotJoint, name: str) -> None:
        limits, q = limits_of(joint), self.values[joint.name]
        given = f"{joint.name} {joint.lower} … {joint.upper}"
        if joint.lower is None and joint.upper is None:
            return
        if limits is None:
            why = (
                "a continuous joint has none"
                if joint.type == "continuous"
                else "they leave no motion, so they are taken as none"
            )
            self.report.add("<joint><limit lower upper>", given, why)
        elif not limits[0] - ROUND_OFF <= q <= limits[1] + ROUND_OFF:
            self.report.add(
                "<joint><limit lower upper>",
                given,
                "the joint that it mimics is given and starts where this one is beyond",
            )
        else:
            self.system.limit(self.names.free(f"{name} limit"), name, lower=limits[0], upper=limits[1])
            if joint.type == "revolute":
                remark_degrees(self.report, joint.name, limits)
