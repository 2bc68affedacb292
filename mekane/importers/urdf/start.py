"""Where a robot starts: joints at 0, or at the nearest limit where 0 is beyond it; those that mimic another follow."""

from math import cos, sin

import numpy as np

from mekane.errors import FileError
from mekane.importers.urdf.report import Report
from mekane.importers.urdf.robot import ONE_COORDINATE, Robot, RobotJoint


def start_values(robot: Robot, report: Report) -> dict[str, float]:
    """The coordinate of each joint that has one [rad, m]."""
    values = {}
    for joint in robot.joints.values():
        if joint.type in ONE_COORDINATE:
            leader, multiplier, offset = _leader(joint, robot)
            q = _nearest_to_zero(leader)
            values[joint.name] = q if leader is joint else multiplier * q + offset
            if leader is joint and q:
                report.remark(f"joint {joint.name!r} starts at {q:g}, its limit nearest to 0.")
    return values


def limits_of(joint: RobotJoint) -> tuple[float, float] | None:
    """lower and upper, 0 where one of them is left out (as URDF has it); None if they leave no motion."""
    if joint.type == "continuous" or (joint.lower is None and joint.upper is None):
        return None
    lower, upper = joint.lower or 0.0, joint.upper or 0.0
    return (lower, upper) if lower < upper else None


def _nearest_to_zero(joint: RobotJoint) -> float:
    limits = limits_of(joint)
    return 0.0 if limits is None else min(max(0.0, limits[0]), limits[1])


def _leader(joint: RobotJoint, robot: Robot) -> tuple[RobotJoint, float, float]:
    """The joint at the end of a row of mimics, and q = multiplier × its coordinate + offset."""
    multiplier, offset, seen = 1.0, 0.0, [joint.name]
    while (leader := mimicked(joint, robot)) is not None:
        mimic = joint.mimic
        if leader.name in seen:
            raise FileError(joint.element.place, "it mimics itself through others", "a joint follows another one")
        seen.append(leader.name)
        multiplier, offset = multiplier * mimic.multiplier, multiplier * mimic.offset + offset
        joint = leader
    return joint, multiplier, offset


def mimicked(joint: RobotJoint, robot: Robot) -> RobotJoint | None:
    """The joint that a joint with one coordinate mimics; None if there is none, or none that has one coordinate."""
    leader = None if joint.mimic is None else robot.joints.get(joint.mimic.joint)
    return leader if leader is not None and leader.type in ONE_COORDINATE else None


def link_poses(root: str, order: list[RobotJoint], values: dict[str, float]) -> dict[str, tuple]:
    """Position and axes of each link in the frame of the base."""
    poses = {root: (np.zeros(3), np.eye(3))}
    for joint in order:
        p, R = poses[joint.parent]
        q = values.get(joint.name, 0.0)
        slid = joint.axis * q if joint.type == "prismatic" else np.zeros(3)
        turned = rotation_about(joint.axis, q) if joint.type in ("revolute", "continuous") else np.eye(3)
        poses[joint.child] = p + R @ (joint.p + joint.R @ slid), R @ joint.R @ turned
    return poses


def rotation_about(axis: np.ndarray, angle: float) -> np.ndarray:
    """R = 1 + sin q [a×] + (1 − cos q) [a×]²  (Rodrigues)"""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + sin(angle) * cross + (1.0 - cos(angle)) * cross @ cross
