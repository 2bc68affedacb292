"""What is in line at a dead centre: three joints on one line, or a rod square to a slider."""

import numpy as np

from mekane.compiler.coordinates import joint_frames
from mekane.model.names import quoted

IN_LINE = 1e-6  # sine of the angle


def dead_centre_descriptions(system, poses):
    """Sentences: which joints are in line. Joints at the two ends of two links that meet are compared."""
    points = {name: joint_frames(joint, poses)[3] for name, joint in system.joints.items()}
    found = []
    for name, joint in system.joints.items():
        if joint.is_pivot:
            found += in_line(system, points, name, joint)
            found += square(system, points, poses, name, joint)
    return list(dict.fromkeys(found))


def others(system, body, name):
    """The other joints of a body, by name."""
    return {one: joint for one, joint in system.joints.items() if one != name and body in (joint.a, joint.b)}


def pivots(system, body, name):
    return [one for one, joint in others(system, body, name).items() if joint.is_pivot]


def guides(system, body, name):
    return [one for one, joint in others(system, body, name).items() if joint.slide_axis is not None]


def in_line(system, points, name, joint):
    """The joint between two links, and the joint at the other end of each."""
    for one in pivots(system, joint.a, name):
        for other in pivots(system, joint.b, name):
            if one != other and sine(points[name] - points[one], points[other] - points[name]) < IN_LINE:
                yield f"{quoted([one, name, other])} are on one line"


def square(system, points, poses, name, joint):
    """A link between this joint and one on the moving part of a slider, square to its axis."""
    for rod, end in ((joint.a, joint.b), (joint.b, joint.a)):
        for guide in guides(system, end, name):
            axis = joint_frames(system.joints[guide], poses)[0] @ system.joints[guide].slide_axis
            for far in pivots(system, rod, name):
                link = points[name] - points[far]
                if np.linalg.norm(link) > 0 and abs(link @ axis) / np.linalg.norm(link) < IN_LINE:
                    yield f"the line from {far!r} to {name!r} is square to {guide!r}"


def sine(a, b):
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return np.linalg.norm(np.cross(a, b)) / lengths if lengths > 0 else np.inf
