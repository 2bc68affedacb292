"""Rails of joints that slide, as long as the way that was gone on them."""

from dataclasses import replace

import numpy as np

from mekane.model.orientation import matrix_from_quaternion
from mekane.view.glyphs import RAIL, rail_length
from mekane.view.scene import PIN
from mekane.view.solid import plain


def with_rails(scene, travel: dict):
    """The scene with rails that reach over `travel`, least and largest displacement by the joint's name (frames.travel)."""
    joints = [stretched(joint, *travel[joint.name], PIN * scene.scale) if joint.name in travel else joint for joint in scene.joints]
    return replace(scene, joints=tuple(joints))


def stretched(joint, low: float, high: float, unit: float):
    return replace(joint, glyph=tuple({**part, "solid": longer(joint, part["solid"], low, high, unit)} for part in joint.glyph))


def longer(joint, solid, low: float, high: float, unit: float):
    """A rail is what has the colour of rails, and is longer than wide; z is along it."""
    if solid.colour != RAIL or solid.half[2] < max(solid.half[:2]):
        return solid
    axis = matrix_from_quaternion(solid.rotation)[:, 2]
    middle = np.array(joint.a.position) + (low + high) / 2 * axis
    return replace(solid, size=(*solid.size[:-1], rail_length(unit, high - low)), position=plain(middle))
