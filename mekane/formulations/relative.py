"""`relative`: every body on its lower-numbered neighbour, by displacement in the neighbour's axes and Euler parameters.
[R], THEORY §5.

The tree is that of `joint`; every joint is a constraint. The displacement leads from the joint's point on P (Q_K in
[R]) to B's origin.
"""

from mekane.formulations.joint import tree as joint_tree
from mekane.formulations.tree import loose_link, loosened


def tree(system):
    return loosened(system, joint_tree(system), loose_link)
