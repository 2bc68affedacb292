"""`absolute`: every body on N, by position and Euler parameters; every joint a constraint.  [T] chapter V, THEORY
§5."""

from mekane.formulations.joint import tree as joint_tree
from mekane.formulations.tree import free_link, loosened


def tree(system):
    return loosened(system, joint_tree(system), lambda link: free_link(link.body))
