"""Posts from bearings down to the floor (page/posts.js)."""

from dataclasses import replace

import numpy as np

from mekane.model.geometry.solid import placed
from mekane.model.values.orientation import frame_with_z
from mekane.view.scene.scene import GROUND, PIN, Scene

COLOUR = "#9aa3ad"
SHORTEST, LONGEST = 2.0, 2.5  # in radii of a pin, in sizes of the mechanism


def with_posts(scene: Scene, floor, travel: dict) -> Scene:
    """travel: joints that slide, which stand on none."""
    posts = [solid for joint in scene.joints if has_post(joint, travel) for solid in post(scene, joint.post, floor)]
    return replace(scene, ground={**scene.ground, "solids": (*scene.ground["solids"], *posts)})


def has_post(joint, travel: dict) -> bool:
    on_ground = GROUND in (joint.a.body, joint.b.body)
    return bool(on_ground and joint.glyph and joint.post and not joint.translations and joint.name not in travel)


def post(scene: Scene, top, floor) -> list:
    """Stem, foot and cap; none where the bearing is next to the floor, or far from it."""
    unit, up, top = PIN * scene.scale, floor.axes[:, 2], np.array(top, float)
    height = float((top - floor.point) @ up)
    if not SHORTEST * unit < height < LONGEST * scene.size:
        return []
    R, foot = frame_with_z(up), top - height * up
    return [
        placed("cylinder", (0.75 * unit, height), foot + 0.5 * height * up, R, COLOUR),
        placed("disc", (2.4 * unit, 0.7 * unit), foot + 0.35 * unit * up, R, COLOUR),
        placed("sphere", (1.15 * unit,), top, R, COLOUR),
    ]
