"""Placing a joint: from the keywords of the user to frame F on body a and frame M on body b.

World keywords (at, axis, axis2, normal) are in world coordinates of the initial configuration; F and M then coincide
there, and every coordinate starts at 0. Local keywords (on_a, axis_b, …) are in the frame of that body; if both bodies
have theirs and these do not meet, assembly moves the bodies. If only one body has its keyword, the other follows from
the initial configuration. frame_a, frame_b give all three axes of F and M at once.
"""

import numpy as np

from mekane.errors import ModelError
from mekane.expressions.traced_number import reals
from mekane.model.body import Body
from mekane.model.record import frozen_array
from mekane.model.values.orientation import (
    direction,
    frame_with_x,
    frame_with_z,
    matrix_from,
    nearest_rotation,
    perpendicular_part,
)
from mekane.model.values.units import vector

POINTS = ("at", "on_a", "on_b")
FRAMES = ("frame_a", "frame_b")
PLACEMENT = {  # keyword: its type, its meaning, its unit
    "at": ("VectorLike", "where it is at the start, world coordinates", "m"),
    "axis": ("AxisLike", 'its axis at the start, world axes: "x", "-z" or three numbers'),
    "axis2": ("AxisLike", "its second axis at the start, world axes, perpendicular to the first"),
    "normal": ("AxisLike", "normal of its plane at the start, world axes"),
    "on_a": ("VectorLike", "where it is on a, in the frame of a", "m"),
    "on_b": ("VectorLike", "where it is on b, in the frame of b", "m"),
    "axis_a": ("AxisLike", "its axis, in the frame of a"),
    "axis_b": ("AxisLike", "its axis, in the frame of b"),
    "axis2_b": ("AxisLike", "its second axis, in the frame of b"),
    "normal_a": ("AxisLike", "normal of its plane, in the frame of a"),
    "normal_b": ("AxisLike", "normal of its plane, in the frame of b"),
    "frame_a": ("OrientationLike", "all its axes on a, in the frame of a, as an orientation"),
    "frame_b": ("OrientationLike", "all its axes on b, in the frame of b, as an orientation"),
}
ENDS = {
    "a": ("BodyLike", "first body, or its name; s.ground is the world"),
    "b": ("BodyLike", "second body, or its name; it moves relative to the first"),
}
NEARLY_PERPENDICULAR = 1e-3  # axes copied from print; the second is then made perpendicular


def placement_keywords(geometry: tuple[str, ...]) -> tuple[str, ...]:
    """The keywords that place a joint of this geometry."""
    return (*geometry, "on_a", "on_b", *_local_keywords(geometry), *FRAMES)


def _local_keywords(geometry: tuple[str, ...]) -> tuple[str, ...]:
    if "axis2" in geometry:
        return "axis_a", "axis2_b"
    return tuple(f"{keyword}_{side}" for keyword in geometry if keyword != "at" for side in "ab")


def place(joint_class, part: str, a: Body, b: Body, keywords: dict):
    """(p_AF, R_AF, p_BM, R_BM) from the keywords that were given."""
    directions = [keyword for keyword in placement_keywords(joint_class.geometry) if keyword not in POINTS]
    keywords = _with_defaults(joint_class.placement_defaults, keywords, [POINTS, directions])
    p_AF, p_BM = _points(joint_class, part, a, b, keywords)
    R_AF, R_BM = _frames(joint_class, part, a, b, keywords)
    return (
        frozen_array(p_AF),
        frozen_array(nearest_rotation(R_AF)),
        frozen_array(p_BM),
        frozen_array(nearest_rotation(R_BM)),
    )


def _with_defaults(defaults: dict, keywords: dict, groups) -> dict:
    """Add what is assumed, group by group, where the user gave nothing."""
    for group in groups:
        if not any(keyword in keywords for keyword in group):
            keywords = {
                **keywords,
                **{keyword: defaults[keyword] for keyword in group if keyword in defaults},
            }
    return keywords


def _points(joint_class, part: str, a: Body, b: Body, keywords: dict):
    """Origins of F and M, in the frames of a and b."""
    _refuse_both(part, keywords, "at", ("on_a", "on_b"))
    given = {keyword: vector(keywords[keyword], "length", part, keyword) for keyword in POINTS if keyword in keywords}
    if "on_a" in given and "on_b" in given:
        return given["on_a"], given["on_b"]
    if "on_a" in given:
        return given["on_a"], _to_body(b, _to_world(a, given["on_a"]))
    if "on_b" in given:
        return _to_body(a, _to_world(b, given["on_b"])), given["on_b"]
    if "at" in given:
        return _to_body(a, given["at"]), _to_body(b, given["at"])
    raise ModelError(
        part, "it has no place", f"a {joint_class.kind} needs a point", "Add at= (world), or on_a= and on_b= (local)."
    )


def _frames(joint_class, part: str, a: Body, b: Body, keywords: dict):
    """Axes of F and M, in the frames of a and b."""
    geometry = joint_class.geometry
    axis_keywords = [keyword for keyword in (*geometry, *_local_keywords(geometry)) if keyword != "at"]
    for frame in FRAMES:
        _refuse_both(part, keywords, frame, axis_keywords)
    if "frame_a" in keywords or "frame_b" in keywords:
        return _given_frames(part, a, b, keywords)
    if "axis2" in geometry:
        return _two_axes(part, a, b, keywords)
    for name in ("axis", "normal"):
        if name in geometry:
            return _one_axis(joint_class, part, a, b, keywords, name)
    return a.R_NB.T @ b.R_NB, np.eye(3)


def _given_frames(part: str, a: Body, b: Body, keywords: dict):
    R_AF = matrix_from(keywords["frame_a"], part, "frame_a") if "frame_a" in keywords else None
    R_BM = matrix_from(keywords["frame_b"], part, "frame_b") if "frame_b" in keywords else None
    return _coincide(a, b, R_AF, R_BM)


def _one_axis(joint_class, part: str, a: Body, b: Body, keywords: dict, name: str):
    """z of F and M along the axis."""
    on_a, on_b = f"{name}_a", f"{name}_b"
    _refuse_both(part, keywords, name, (on_a, on_b))
    if name in keywords:
        R_NF = frame_with_z(direction(keywords[name], part, name))
        return a.R_NB.T @ R_NF, b.R_NB.T @ R_NF
    if on_a not in keywords and on_b not in keywords:
        remedy = f'Add {name}="z" (world), or {on_a}= and {on_b}= (local).'
        raise ModelError(part, f"it has no {name}", f"a {joint_class.kind} needs one", remedy)
    R_AF = frame_with_z(direction(keywords[on_a], part, on_a)) if on_a in keywords else None
    R_BM = frame_with_z(direction(keywords[on_b], part, on_b)) if on_b in keywords else None
    if joint_class.keeps_orientation and R_AF is not None and R_BM is not None:
        R_BM = _rotated_to(R_BM[:, 2], b.R_NB.T @ a.R_NB @ R_AF[:, 0])
    return _coincide(a, b, R_AF, R_BM)


def _rotated_to(axis: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Frame about `axis` with its x as near as possible to the given one."""
    if np.linalg.norm(np.cross(reals(axis), reals(x))) < NEARLY_PERPENDICULAR:
        return frame_with_z(axis)
    return frame_with_z(axis, perpendicular_part(x, axis))


def _two_axes(part: str, a: Body, b: Body, keywords: dict):
    """z of F along the first axis, fixed in a; x of M along the second, fixed in b."""
    _refuse_both(part, keywords, "axis", ("axis_a",))
    _refuse_both(part, keywords, "axis2", ("axis2_b",))
    for name, local in (("axis", "axis_a"), ("axis2", "axis2_b")):
        if name not in keywords and local not in keywords:
            raise ModelError(
                part, f"it has no {name}", "a universal joint has two axes", f"Add {name}= (world) or {local}= (local)."
            )
    if "axis" in keywords and "axis2" in keywords:
        z = direction(keywords["axis"], part, "axis")
        x = _across(part, z, direction(keywords["axis2"], part, "axis2"))
        R_NF = frame_with_z(z, x)
        return a.R_NB.T @ R_NF, b.R_NB.T @ R_NF
    z = _local_direction(part, a, keywords, "axis", "axis_a")
    x = _local_direction(part, b, keywords, "axis2", "axis2_b")
    return frame_with_z(z), frame_with_x(x)


def _local_direction(part: str, body: Body, keywords: dict, world: str, local: str) -> np.ndarray:
    if local in keywords:
        return direction(keywords[local], part, local)
    return body.R_NB.T @ direction(keywords[world], part, world)


def _across(part: str, axis: np.ndarray, axis2: np.ndarray) -> np.ndarray:
    cosine = float(np.dot(reals(axis), reals(axis2)))
    if abs(cosine) > NEARLY_PERPENDICULAR:
        angle = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
        problem = f"axis and axis2 are {angle:.4g} deg apart"
        raise ModelError(part, problem, "the axes of a universal joint are perpendicular", "Change axis2.")
    return perpendicular_part(axis2, axis)


def _coincide(a: Body, b: Body, R_AF, R_BM):
    """Both axes; the one that is not given is where the other is, in the initial configuration."""
    if R_AF is None:
        R_AF = a.R_NB.T @ b.R_NB @ R_BM
    if R_BM is None:
        R_BM = b.R_NB.T @ a.R_NB @ R_AF
    return R_AF, R_BM


def _to_world(body: Body, point: np.ndarray) -> np.ndarray:
    return body.position + body.R_NB @ point


def _to_body(body: Body, point: np.ndarray) -> np.ndarray:
    return body.R_NB.T @ (point - body.position)


def _refuse_both(part: str, keywords: dict, one: str, others) -> None:
    for other in others:
        if one in keywords and other in keywords:
            raise ModelError(
                part,
                f"{one} and {other} are both given",
                "they define the same thing twice",
                f"Leave out {one} or {other}.",
            )
