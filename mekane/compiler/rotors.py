"""Rotors: inertia that turns with a joint coordinate, added to the speeds of the tree."""

import numpy as np

from mekane.errors import ModelError
from mekane.expressions.graph import evaluate
from mekane.model.attachments import JointRotation
from mekane.tables import columns as at


def add_rotors(system, links, primitive_i, primitive_f, tree_coordinate):
    """The inertia of every rotor, as its coordinate feels it, in the row of the primitive whose speed it turns with; of a joint
    that turns in every direction, the row of its three speeds."""
    for force in system.forces.values():
        if force.adds_inertia:
            if isinstance(force.acts, JointRotation):
                row = turning_row(force, links, primitive_i)
            else:
                where = tree_coordinate.get((force.acts.joint, force.acts.coordinate))
                refuse_outside_tree(force, where)
                row = int(np.flatnonzero(primitive_i[:, at.PRIMITIVE_U] == where[1])[0])
            primitive_f[row, at.ROTOR] += inertia_of(system, force)


def turning_row(force, links, primitive_i):
    """The row of the Euler parameters of a joint in the tree."""
    body = next((i for i, link in enumerate(links, 1) if link.joint == force.acts.joint), None)
    refuse_outside_tree(force, body)
    return int(
        np.flatnonzero((primitive_i[:, at.PRIMITIVE_BODY] == body) & (primitive_i[:, at.KIND] == at.QUATERNION))[0]
    )


def inertia_of(system, force):
    """ratio² inertia"""
    inertia, ratio = evaluate([force.inertia.expr(), force.ratio.expr()], system.constants)
    return inertia * ratio * ratio


def refuse_outside_tree(force, where):
    if where is None:
        joint, coordinate = force.acts.joint, force.acts.coordinate
        problem = f"{joint}.{coordinate} is no coordinate of the tree"
        expected = "the joint closes a loop of joints with rotors, is switched by events, or measures this coordinate"
        remedy = "Model the rotor as a body on a pin of its own, and a gear between the two."
        raise ModelError(force.part, problem, expected, remedy)


def count_rotors(system):
    return sum(force.adds_inertia for force in system.forces.values())
