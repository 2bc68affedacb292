"""Each body is a child of its neighbour by position and Euler parameters; every joint a constraint."""

from mekane.formulations.joint import tree as joint_tree
from mekane.formulations.tree import FREE_PRIMITIVES, loosened


def tree(system):
    return loosened(
        system, joint_tree(system), lambda link: link._replace(joint=None, swapped=False, primitives=FREE_PRIMITIVES)
    )
