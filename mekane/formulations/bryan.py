"""`bryan`: every body on N, by position and Bryan angles, speeds their rates; every joint a constraint.  [C], THEORY
§5.

R = Rx(θ1) Ry(θ2) Rz(θ3) is singular where cos θ2 = 0. Near there the same R is written as Rx Ry Rx, which is singular
only far away, at sin θ2 = 0. The sequence in use is a coordinate beside the angles, so that the state alone defines
where the body is.
"""

from mekane.formulations.joint import tree as joint_tree
from mekane.formulations.tree import FREE_PRIMITIVES, X, Y, free_link, loosened
from mekane.model.joint import bryan, rotation


def tree(system):
    primitives = (*FREE_PRIMITIVES[:3], rotation(X), rotation(Y), bryan())
    return loosened(system, joint_tree(system), lambda link: free_link(link.body, primitives=primitives))
