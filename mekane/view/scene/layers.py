"""Layers of a plane mechanism: its links lie side by side along their pins, as they are built, and none is drawn
through another. Only what is drawn is moved; points, arrows and springs stay where they are."""

from dataclasses import dataclass, replace

import numpy as np

from mekane.model.geometry.solid import Solid, placed, plain
from mekane.model.values.orientation import frame_with_z, matrix_from_quaternion
from mekane.view.scene.attachment_points import to_world
from mekane.view.scene.camera import camera, normal_of, up_of

ORDER = (0, 1, -1, 2, -2, 3, -3)  # layers in the order in which they are taken, outward from the plane
APART = 0.037  # from one layer to the next, as a share of the scale: a rod and a gap
SAME = 0.03  # points that are nearer to each other are at one pin, as a share of the scale
STEEP = 0.3  # a plane whose normal is less upright than this stands: its posts are behind it


@dataclass(frozen=True)
class Layers:
    """The layer of each body that has one, by name; the normal points to the eye."""

    normal: np.ndarray
    of: dict[str, int]
    step: float  # from layer to layer [m]
    stands: bool  # the plane is upright
    back: float = 0.0  # how far in front of the plane posts stand; negative, since they are behind everything [m]

    def shift(self, body) -> np.ndarray:
        """Of the solids of a body, in its frame."""
        return self.of.get(body.name, 0) * self.step * (np.real(body.R_NB).T @ self.normal)

    def moved(self, body, solids) -> list[Solid]:
        return [replace(solid, position=plain(solid.position + self.shift(body))) for solid in solids]


def layers(system, points, movable, scale: float) -> Layers | None:
    """None where it does not move in a plane.  movable: names of bodies that are drawn as links."""
    normal = normal_of(system, points)
    hinges = [] if normal is None else [joint for joint in system.joints.values() if is_pin(system, joint, normal)]
    if not hinges:
        return None
    normal = normal * (1.0 if normal @ camera(system, points)["towards"] > 0 else -1.0)
    pins = [(joint.a, joint.b, to_world(system, joint.a, joint.p_AF)) for joint in hinges]
    names = [name for name in movable if any(name in (a, b) for a, b, _ in pins)]
    found: dict[str, int] = {}
    for name in names:
        taken = {found[other] for other in beside(name, pins, SAME * scale) if other in found}
        found[name] = next((layer for layer in ORDER if layer not in taken), 0)
    stands = bool(abs(normal @ up_of(system)) < STEEP)
    return Layers(normal, found, APART * scale, stands)


def is_pin(system, joint, normal) -> bool:
    """A hinge; or a ball in a mechanism that starts to move in its plane and is drawn there by nothing else."""
    if joint.hinge_axis is not None or joint.kind != "ball":
        return joint.hinge_axis is not None
    across = [np.real(body.velocity) @ normal for body in system.bodies.values()]
    turning = [np.linalg.norm(np.cross(np.real(body.angular_velocity), normal)) for body in system.bodies.values()]
    return not np.any(np.abs([*across, *turning, np.real(system.gravity) @ normal]) > 1e-9)


def beside(name: str, pins, near: float) -> set[str]:
    """Bodies on the same pins as this one, or on pins at the same place."""
    mine = [at for a, b, at in pins if name in (a, b)]
    return {one for a, b, at in pins if any(np.linalg.norm(at - p) < near for p in mine) for one in (a, b)} - {name}


def behind(own: Layers, corners, pins, unit: float) -> Layers:
    """With its posts behind all corners of what is drawn, as far from the plane of the pins."""
    depths = (corners - np.mean(pins, axis=0)) @ own.normal
    return replace(own, back=float(depths.min(initial=0.0)) - 2.0 * unit)


def pin_through(system, joint, own: Layers, glyph, unit: float):
    """The pin of a hinge, long enough to reach from the one layer to the other, and from the ground to the post."""
    end = lambda name: own.back if name == "ground" and own.stands else own.of.get(name, 0) * own.step
    low, high = sorted((end(joint.a), end(joint.b)))
    body = system.bodies.get(joint.b)
    along = own.normal if body is None else np.real(body.R_NB).T @ own.normal
    for side, solid in glyph:
        if solid.kind == "sphere" and side == "b":
            solid = placed("cylinder", (0.85 * solid.size[0], 1.0), solid.position, frame_with_z(along), solid.colour)
        if solid.kind != "cylinder" or side != "b":
            yield side, solid
            continue
        axis = matrix_from_quaternion(solid.rotation)[:, 2]
        sign = np.sign(axis @ along)
        position = np.array(solid.position) + 0.5 * (low + high) * sign * axis
        yield side, replace(solid, size=(solid.size[0], high - low + 2.6 * unit), position=plain(position))


def post_of(system, joint, own: Layers | None, points) -> tuple | None:
    """Top of the post that carries a joint of the ground: behind a plane that stands; else where it is below all
    else.  points: where all is, None if a post would be in the way."""
    if "ground" not in (joint.a, joint.b) or points is None:
        return None
    at = to_world(system, "ground", joint.p_AF if joint.a == "ground" else joint.p_BM)
    if own is not None and own.stands:
        return plain(at + own.back * own.normal)
    heights = (points - at) @ up_of(system)
    return plain(at) if heights.min() > -0.1 * np.ptp(points, axis=0).max() else None
