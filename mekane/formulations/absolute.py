"""`absolute`: every body on N, by position and Euler parameters; every joint a constraint.  [T] chapter V, THEORY §5.

A body without inertia of its own in every direction (massless, or a point or a line of mass) has no equation of motion by itself. Such a
body, and what rides on a massless one, keeps riding on its neighbour as in `joint`.
"""

import numpy as np

from mekane.formulations.joint import tree as joint_tree
from mekane.formulations.tree import Tree, free_link


def tree(system):
    dependent = {name for name, body in system.bodies.items() if not stands_alone(body)}
    massless = {name for name, body in system.bodies.items() if body.mass == 0}
    links = []
    for link in joint_tree(system).links:
        rides = link.joint is None or link.body in dependent or link.parent in massless
        links.append(link if rides else free_link(link.body))
    riding = {link.joint for link in links}
    return Tree(links, [name for name in system.joints if name not in riding])


def stands_alone(body):
    """True if the body resists every acceleration and every turn."""
    smallest, _, largest = np.linalg.eigvalsh(body.inertia)
    return body.mass > 0 and smallest > 1e-12 * largest
