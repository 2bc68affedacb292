"""Poses between two instants, joint by joint: what moves in each joint of the tree is interpolated, so that no such
joint opens.

In a joint the frame M of the body lies at x, rotated by Q, relative to the frame F of its parent; a free body is taken
relative to the ground, at its mass centre. With velocities, x(t) is Hermite's cubic and Q(t) = Q₀ exp φ(t), φ Hermite's
cubic, too; without, both go evenly, as in page/joint_motion.js.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from mekane.analyses.kinematics.topology import topology

GROUND = -1
EACH = slice(None)
STEEPEST = 10.0  # of a cotangent that has a pole at a whole revolution


class Link(NamedTuple):
    """A body of the tree (by its number) and what it is a child of."""

    body: int
    parent: int
    R_PF: np.ndarray
    p_PF: np.ndarray
    R_BM: np.ndarray
    p_BM: np.ndarray


class Poses(NamedTuple):
    """Of all bodies at several instants, in the world; velocities may be left out."""

    p: np.ndarray  # (instant, body, 3)
    R: np.ndarray  # (instant, body, 3, 3)
    v: np.ndarray | None = None
    w: np.ndarray | None = None

    def at(self, chosen) -> "Poses":
        return Poses(*(None if part is None else part[chosen] for part in self))

    @property
    def still(self) -> "Poses":
        """Without velocities."""
        return Poses(self.p, self.R)


class InJoint(NamedTuple):
    """What a joint does: x and its rate along the axes of F, Q, and the angular velocity along the axes of M."""

    x: np.ndarray
    Q: np.ndarray
    dx: np.ndarray | None
    w: np.ndarray | None


def links_of(system) -> list[Link]:
    """Outward."""
    number = {name: k for k, name in enumerate(system.bodies)}
    return [_link(system, link, number) for link in topology(system).links]


def _link(system, link, number) -> Link:
    body, parent = number[link.body], number.get(link.parent, GROUND)
    if not link.joint:
        return Link(body, GROUND, np.eye(3), np.zeros(3), np.eye(3), np.real(np.asarray(system.bodies[link.body].com)))
    joint = system.joints[link.joint]
    on_a, on_b = ((np.real(R), np.real(np.asarray(p))) for R, p in ((joint.R_AF, joint.p_AF), (joint.R_BM, joint.p_BM)))
    return Link(body, parent, *on_a, *on_b) if joint.b == link.body else Link(body, parent, *on_b, *on_a)


# ---------------------------------------------------------------- in a joint


def in_joint(link: Link, poses: Poses) -> InJoint:
    F, p_F, v_F, w_F = frame_on_body(poses, link.parent, link.R_PF, link.p_PF)
    M, p_M, v_M, w_M = frame_on_body(poses, link.body, link.R_BM, link.p_BM)
    x, Q = components_in(F, p_M - p_F), np.swapaxes(F, 1, 2) @ M
    if poses.v is None:
        return InJoint(x, Q, None, None)
    return InJoint(x, Q, components_in(F, v_M - v_F - np.cross(w_F, p_M - p_F)), components_in(M, w_M - w_F))


def frame_on_body(poses: Poses, body: int, R, p):
    """A frame fixed in a body: axes, origin and their velocities."""
    if body == GROUND:
        still = np.zeros((len(poses.p), 3))
        return np.broadcast_to(R, (len(poses.p), 3, 3)), np.broadcast_to(p, still.shape), still, still
    arm = poses.R[:, body] @ p
    axes, origin = poses.R[:, body] @ R, poses.p[:, body] + arm
    if poses.v is None:
        return axes, origin, None, None
    return axes, origin, poses.v[:, body] + np.cross(poses.w[:, body], arm), poses.w[:, body]


def components_in(axes, vectors):
    return np.einsum("nji,nj->ni", axes, vectors)


def rotation_vector(one: InJoint, other: InJoint, step=None):
    """Rotation vector from one to the other along the axes of M; with velocities and the time between, as many
    revolutions as these give."""
    turn = np.swapaxes(one.Q, 1, 2) @ other.Q
    vector = Rotation.from_matrix(turn).as_rotvec() if len(turn) else np.zeros((0, 3))  # older SciPy refuses none
    if one.w is None or step is None:
        return vector
    angle = np.linalg.norm(vector, axis=1)
    axis = np.where(angle[:, None] > 1e-9, vector / np.maximum(angle, 1e-300)[:, None], direction(one.w + other.w))
    expected = np.einsum("ni,ni->n", axis, 0.5 * step[:, None] * (one.w + other.w))
    turns = np.round(np.where(np.isfinite(expected), expected - angle, 0.0) / (2 * np.pi))
    return vector + 2 * np.pi * turns[:, None] * axis


def direction(vectors):
    size = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(size > 0, vectors / np.where(size > 0, size, 1.0), (0.0, 0.0, 1.0))


def rate_of_vector(vector, w):
    """φ̇ of exp φ whose angular velocity along the rotated axes is w:  φ̇ = w + ½ φ×w + (1/θ² − cot(θ/2)/2θ) φ×(φ×w)"""
    angle = np.linalg.norm(vector, axis=1, keepdims=True)
    far = angle > 1e-3
    safe = np.where(far, angle, 1.0)
    cotangent = np.clip(1 / np.tan(safe / 2), -STEEPEST, STEEPEST)
    factor = np.where(far, 1 / safe**2 - cotangent / (2 * safe), 1 / 12)
    across = np.cross(vector, w)
    return w + 0.5 * across + factor * np.cross(vector, across)


def hermite(share, change, first_rate, last_rate):
    """Of a vector that begins at zero; rates are for the whole way."""
    s = share[:, None]
    return (3 - 2 * s) * s**2 * change + s * (1 - s) ** 2 * first_rate - s**2 * (1 - s) * last_rate


# ---------------------------------------------------------------- of the whole tree


def interpolated(links, one: Poses, other: Poses, share, step=None, pair=EACH) -> Poses:
    """At shares of the way from one to the other. step: times between them; where it is given, velocities are used.
    pair: for each share the instants of `one` and `other` it is between; by default its own."""
    if step is None:
        one, other = one.still, other.still
    found = body_by_body(one, len(share), pair, len(links))
    for link in links:
        x, Q = between(in_joint(link, one), in_joint(link, other), share, step, pair)
        F, p_F, _, _ = frame_on_body(found, link.parent, link.R_PF, link.p_PF)
        R = F @ Q @ link.R_BM.T
        found.R[:, link.body] = R
        found.p[:, link.body] = p_F + np.einsum("nij,nj->ni", F, x) - R @ link.p_BM
    return found


def body_by_body(like: Poses, n: int, pair, n_links: int) -> Poses:
    """Space for n poses; those of one body lie together in memory. What no link moves is as in `like`."""
    bodies = like.p.shape[1]
    found = Poses(*(np.empty((bodies, n, *shape)).swapaxes(0, 1) for shape in ((3,), (3, 3))))
    if n_links < bodies:
        found.p[:], found.R[:] = like.p[pair], like.R[pair]
    return found


def between(one: InJoint, other: InJoint, share, step, pair):
    vector = rotation_vector(one, other, step)
    if step is None:
        x, part = share[:, None] * (other.x - one.x)[pair], share[:, None] * vector[pair]
    else:
        h = step[:, None]
        x = hermite(share, other.x - one.x, h * one.dx, h * other.dx)
        part = hermite(share, vector, h * one.w, h * rate_of_vector(vector, other.w))
    return one.x[pair] + x, one.Q[pair] @ Rotation.from_rotvec(part).as_matrix()
