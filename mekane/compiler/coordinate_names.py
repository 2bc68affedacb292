"""Names of all coordinates and speeds of a tree, in the order of the state."""

from typing import NamedTuple

EULER_PARAMETERS = ("e1", "e2", "e3", "e4")


class Numbering(NamedTuple):
    coordinates: list  # name of every q
    speeds: list  # name of every u
    tree_coordinate: dict  # (joint, coordinate) → (index in q, index in u)


def number_coordinates(system, links):
    """Names of all q and u, and where the coordinates of tree joints stand."""
    coordinates, speeds, where = [], [], {}
    for link in links:
        owner = link.joint or link.body
        # its translations are those of a seen from b
        backward = link.swapped and any(primitive.kind == "quaternion" for primitive in link.primitives)
        scalar = iter(primitive_names(system, link))
        for primitive in link.primitives:
            if primitive.kind in ("quaternion", "mixed"):
                coordinates += [f"{owner}.{name}" for name in EULER_PARAMETERS]
                speeds += [f"{owner}.w{axis}" for axis in "xyz"]
            else:
                name = next(scalar)
                if link.joint and not backward and name in system.joints[link.joint].coordinates:
                    where[link.joint, name] = (len(coordinates), len(speeds))
                coordinates.append(f"{owner}.{name}")
                speeds.append(f"{owner}.{name}.rate")
                coordinates += [f"{owner}.sequence"] * (primitive.kind == "bryan")
    return Numbering(coordinates, speeds, where)


def primitive_names(system, link):
    """Names of the one-coordinate primitives of a link, in its order."""
    if link.joint is None or any(primitive.kind == "quaternion" for primitive in link.primitives):
        return ["x", "y", "z", "angle1", "angle2", "angle3"] if not system.plane else [*system.plane, "angle"]
    names = system.joints[link.joint].coordinates
    return reversed(names) if link.swapped else names
