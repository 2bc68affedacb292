"""Posts from bearings down to the floor (page/posts.js)."""

from dataclasses import replace

import numpy as np

from mekane.model.geometry.solid import placed
from mekane.model.values.orientation import frame_with_z
from mekane.view.render.rails import axis_of, rail_of
from mekane.view.scene.scene import GROUND, PIN, Scene

COLOUR = "#9aa3ad"
SHORTEST, LONGEST = 2.0, 2.5  # in radii of a pin, in sizes of the mechanism
LEVEL = 0.3  # slope of a rail that stands on two posts


def with_posts(scene: Scene, floor, travel: dict) -> Scene:
    """travel: displacements of joints that slide; their rails are as long as it in the scene."""
    up = floor.axes[:, 2]
    tops = [top for joint in scene.joints for top in post_tops(joint, joint.name in travel, up)]
    posts = [solid for top in tops for solid in post(scene, top, floor)]
    return replace(scene, ground={**scene.ground, "solids": (*scene.ground["solids"], *posts)})


def post_tops(joint, slides: bool, up) -> list:
    """Of the posts that carry a joint of the ground: one of a bearing, two of a level rail."""
    if GROUND not in (joint.a.body, joint.b.body) or not joint.glyph or not joint.post:
        return []
    if not joint.translations:
        return [] if slides else [joint.post]
    rail = rail_of(joint)
    if joint.translations > 1 or joint.a.body != GROUND or rail is None or abs(axis_of(rail) @ up) >= LEVEL:
        return []
    return [np.array(rail.position) + far * rail.size[-1] * axis_of(rail) for far in (-0.5, 0.5)]


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
