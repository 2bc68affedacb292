"""What a tree of bodies leaves out: joints that are held by constraint equations, and constraints."""

from typing import NamedTuple


class Tie(NamedTuple):
    """Something that holds bodies together beside the tree."""

    name: str
    kind: str
    is_joint: bool
    bodies: tuple[str, ...]  # ground included


def ties_of(topology):
    """Cut joints, then constraints, each with the bodies it is between."""
    system, joints = topology.system, topology.system.joints
    found = [Tie(name, joints[name].kind, True, (joints[name].a, joints[name].b)) for name in topology.cut]
    for name, constraint in system.constraints.items():
        found.append(Tie(name, constraint.kind, False, tuple(dict.fromkeys(constraint.touched(system)))))
    return found


def freedoms(link):
    """Speeds of a link."""
    return sum(3 if primitive.kind in ("quaternion", "mixed") else 1 for primitive in link.primitives)
