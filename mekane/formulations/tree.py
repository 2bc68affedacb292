"""What a formulation defines: the parent of each body, the joint primitives between them, and the joints left to
constraint equations."""

from typing import NamedTuple

import numpy as np

from mekane.errors import ModelError
from mekane.expressions.traced_number import reals
from mekane.model.joint import JointPrimitive, quaternion, translation
from mekane.model.plane import plane_axes
from mekane.model.record import frozen_array
from mekane.model.values.orientation import IDENTITY

ORIGIN = frozen_array(np.zeros(3))
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
FREE_PRIMITIVES = (translation(X), translation(Y), translation(Z), quaternion())


class Link(NamedTuple):
    """Body B is a child of P: from frame F on P over the primitives to frame M on B. Frames are given in the users'
    frames of P and B."""

    body: str
    parent: str
    joint: str | None  # None: the link is the formulation's own, not a joint of the model
    swapped: bool  # True: P is the joint's b, and F and M have changed roles
    primitives: tuple[JointPrimitive, ...]
    p_PF: np.ndarray
    R_PF: np.ndarray
    p_BM: np.ndarray
    R_BM: np.ndarray


class Tree(NamedTuple):
    links: list[Link]  # parents before children
    cut: list[str]  # joints that become constraint equations


def free_link(body, parent="ground", primitives=FREE_PRIMITIVES):
    """A body that is a child of another without a joint: position in the other's frame, then orientation."""
    return Link(body, parent, None, False, primitives, ORIGIN, IDENTITY, ORIGIN, IDENTITY)


def loose_link(link, primitives=FREE_PRIMITIVES):
    """The same body on the same neighbour, free to move: its origin moves from the joint's point along P's axes, then
    its orientation."""
    return link._replace(
        joint=None, swapped=False, primitives=primitives, R_PF=np.eye(3), p_BM=np.zeros(3), R_BM=np.eye(3)
    )  # fmt: skip


def loosened(system, tree, free):
    """Every joint of the tree as constraint equations instead; `free(link)` is the link that its body gets.

    A body without inertia of its own in every direction (massless, or a point or a line of mass) has no equation of
    motion by itself. Such a body, and the children of a massless one, keep their joint. So do joints with rotors, whose
    inertia belongs to a speed.
    """
    dependent = {name for name, body in system.bodies.items() if not stands_alone(body, system.plane)}
    massless = {name for name, body in system.bodies.items() if body.mass == 0}
    rotors = joints_with_rotors(system)
    keeps = lambda link: link.body in dependent or link.parent in massless or link.joint in rotors
    links = [link if keeps(link) else free(link) for link in tree.links]
    in_tree = {link.joint for link in links}
    return Tree(links, [name for name in system.joints if name not in in_tree])


def joints_with_rotors(system):
    return {force.acts.joint for force in system.forces.values() if force.adds_inertia}


def stands_alone(body, plane=None):
    """True if the body resists every acceleration and every rotation, in a plane that about its normal."""
    if plane is not None:
        n = body.R_NB.T @ plane_axes(plane)[:, 2]
        return body.mass.real > 0 and (n @ body.inertia @ n).real > 0
    smallest, _, largest = np.linalg.eigvalsh(reals(body.inertia))
    return body.mass.real > 0 and smallest > 1e-12 * largest


def particle_link(body):
    """A point mass that nothing can rotate: its mass centre translates, its orientation stays."""
    return Link(body.name, "ground", None, False, FREE_PRIMITIVES[:3], np.zeros(3), body.R_NB, body.com, np.eye(3))


def joint_link(joint, parent):
    """A body that is a child of `parent` by a joint of the model; the joint may be defined either way round."""
    primitives = tuple(joint.primitives())
    if parent == joint.a:
        return Link(joint.b, joint.a, joint.name, False, primitives, joint.p_AF, joint.R_AF, joint.p_BM, joint.R_BM)
    return Link(
        joint.a, joint.b, joint.name, True, swapped(joint, primitives), joint.p_BM, joint.R_BM, joint.p_AF, joint.R_AF
    )


def swapped(joint, primitives):
    """The primitives from M back to F, with the same coordinates. A quaternion then holds the orientation of a in
    b."""
    if any(primitive.kind == "quaternion" for primitive in primitives):
        if len(primitives) not in (1, 4):
            problem = (
                f"it rotates freely, translates in {len(primitives) - 1} directions, and is reached from {joint.b!r}"
            )
            remedy = f"Change a and b: name {joint.b!r} first."
            raise ModelError(joint.part, problem, "such a joint can only lead from a to b", remedy)
        return primitives
    return tuple(primitive._replace(axis=tuple(-x for x in primitive.axis)) for primitive in reversed(primitives))
