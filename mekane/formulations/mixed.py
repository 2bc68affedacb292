"""`mixed`: every body on its neighbour by position and Euler parameters, with its absolute angular velocity as speeds.
[A], THEORY §5."""

from mekane.formulations.joint import tree as joint_tree
from mekane.formulations.tree import FREE_PRIMITIVES, loose_link, loosened
from mekane.model.joint import mixed


def tree(system):
    primitives = (*FREE_PRIMITIVES[:3], mixed())
    return loosened(system, joint_tree(system), lambda link: loose_link(link, primitives))
