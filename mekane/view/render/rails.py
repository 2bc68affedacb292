"""Rails of joints that translate, as long as the travel on them (page/rails.js)."""

from dataclasses import replace

import numpy as np

from mekane.model.geometry.solid import plain
from mekane.model.values.orientation import matrix_from_quaternion


def with_rail(joint, travel):
    """The joint with a rail that reaches over `travel`, least and largest displacement, and the place where it is
    fixed."""
    rail = rail_of(joint)
    if rail is None or travel is None:
        return joint
    low, high, axis = min(0.0, travel[0]), max(0.0, travel[1]), axis_of(rail)
    shift = 2 * float((np.array(rail.position) - joint.a.position) @ axis)
    length = high - low + rail.size[-1] - abs(shift)
    middle = np.array(joint.a.position) + (low + high) / 2 * axis
    longer = replace(rail, size=(*rail.size[:-1], length), position=plain(middle))
    return replace(
        joint, glyph=tuple({**part, "solid": longer} if part["solid"] is rail else part for part in joint.glyph)
    )


def rail_of(joint):
    """What a joint has on body a, first of all."""
    return next((part["solid"] for part in joint.glyph if part["body"] == joint.a.body), None)


def begin_of(joint):
    """Where its rail begins, in the frame of body a: springs along it are fixed there."""
    rail = rail_of(joint)
    return joint.a.position if rail is None else plain(np.array(rail.position) - rail.size[-1] / 2 * axis_of(rail))


def axis_of(rail) -> np.ndarray:
    return matrix_from_quaternion(rail.rotation)[:, 2]
