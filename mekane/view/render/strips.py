"""Lines of a picture: springs as coils, dampers, links, spiral springs and paths, as narrow bands that face the eye."""

from dataclasses import dataclass

import numpy as np

from mekane.model.values.orientation import frame_with_z, matrix_from_quaternion

# of page/between.js
COLOURS = {
    "spring": "#8a5a2b", "damper": "#5b6875", "actuator": "#d97706", "line": "#7a8590", "link": "#444c56",
    "rod": "#aeb6be", "rope": "#b98d52",
}  # fmt: skip
WIDTHS = {"rod": 4.0, "rope": 2.0, "link": 1.6}  # in lines
ROUND = 14  # points of one coil
COIL, SPIRAL = 0.025, 0.06  # radii, as shares of the scale


@dataclass(frozen=True)
class Strip:
    """A line through points of the world, so many lines wide; `light` shades it from point to point."""

    points: np.ndarray  # (point, 3)
    colour: str
    width: float = 1.0
    light: np.ndarray | None = None


def strips_of(scene, place, sun) -> list[Strip]:
    """Everything between bodies, of a dressed scene. place(body, point): where a point of a body is; sun: direction of
    the light."""
    found = []
    for force in scene.forces:
        if force.look == "spiral":
            found.append(spiral(scene.joints[force.joint], place, force.coils or 4, SPIRAL * scene.scale))
            continue
        a, b = (place(end.body, end.point) for end in force.ends)
        found += between(force, a, b, scene.scale, sun) if np.linalg.norm(b - a) > 1e-6 * scene.size else []
    for tie in scene.constraints:
        if tie.look in WIDTHS and len(tie.points) == 2:
            ends = np.array([place(end["body"], end["point"]) for end in tie.points])
            found.append(Strip(ends, COLOURS[tie.look], WIDTHS[tie.look]))
    return found


def between(force, a, b, scale: float, sun) -> list[Strip]:
    """A force that acts along the line from a to b."""
    if force.look == "spring":
        return [coil(a, b, force.coils or 8, COIL * scale, sun)]
    if force.look in WIDTHS:
        return [Strip(np.array([a, b]), COLOURS[force.look], WIDTHS[force.look])]
    line = Strip(np.array([a, b]), COLOURS["line"], 1.2)
    if force.look in ("damper", "actuator"):
        return [line, Strip(np.array([a + 0.15 * (b - a), a + 0.6 * (b - a)]), COLOURS[force.look], 4.0)]
    return [line]


def coil(a, b, coils: int, radius: float, sun) -> Strip:
    """A helix over the middle eight tenths of the way."""
    length = np.linalg.norm(b - a)
    axes, k = frame_with_z((b - a) / length), np.arange(coils * ROUND + 1)
    out = np.cos(2 * np.pi * k / ROUND)[:, None] * axes[:, 0] + np.sin(2 * np.pi * k / ROUND)[:, None] * axes[:, 1]
    helix = a + (0.1 + 0.8 * k / k[-1])[:, None] * (b - a) + radius * out
    ends = (a, a + 0.1 * (b - a)), (a + 0.9 * (b - a), b)
    light = np.concatenate([[1, 1], 1.05 + 0.45 * out @ sun, [1, 1]])
    return Strip(np.vstack([*ends[0], helix, *ends[1]]), COLOURS["spring"], 1.3, light)


def spiral(joint, place, coils: int, radius: float) -> Strip:
    """About the axis of a joint."""
    body, origin = joint.a.body, np.array(joint.a.position)
    at = place(body, origin)
    axes = np.column_stack([place(body, origin + column) - at for column in matrix_from_quaternion(joint.a.rotation).T])
    angle = np.linspace(0, 2 * np.pi * coils, coils * 2 * ROUND)
    r = radius * (0.25 + 0.75 * angle / angle[-1])
    return Strip(
        at + (r * np.cos(angle))[:, None] * axes[:, 0] + (r * np.sin(angle))[:, None] * axes[:, 1],
        COLOURS["spring"],
        1.0,
    )


def bands(a, b, width: float) -> np.ndarray:
    """Triangles (2 per piece, 3, 3) around lines from a to b, points (x, y, one over depth) of the picture; `width` in
    pixels."""
    along = b[:, :2] - a[:, :2]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    along = np.where(length > 1e-9, along / np.maximum(length, 1e-9), (1.0, 0.0))
    side = 0.5 * width * np.column_stack([-along[:, 1], along[:, 0]])
    over = 0.3 * width * along  # pieces overlap, so that a bend has no gap
    corner = lambda p, xy: np.column_stack([p[:, :2] + xy, p[:, 2]])
    p, q, r, s = corner(a, side - over), corner(a, -side - over), corner(b, -side + over), corner(b, side + over)
    return np.stack([p, q, r, p, r, s], axis=1).reshape(-1, 3, 3)
