"""`absolute`: every body on N, by position and Euler parameters; every joint a constraint.  [T] chapter V, THEORY §5."""

from mekane.formulations.joint import tree as joint_tree
from mekane.formulations.tree import FREE_BLOCKS, Tree, free_link, stands_alone


def tree(system):
    return freed(system, on_neighbour=False, blocks=FREE_BLOCKS)


def freed(system, on_neighbour, blocks):
    """The tree of `joint` with every body freed from its joint: on N, or on the same neighbour, by these blocks.

    A body without inertia of its own in every direction (massless, or a point or a line of mass) has no equation of motion by itself. Such
    a body, and what rides on a massless one, keeps riding on its neighbour as in `joint`.
    """
    massless = {name for name, body in system.bodies.items() if body.mass == 0}
    links = []
    for link in joint_tree(system).links:
        rides = not stands_alone(system.bodies[link.body]) or link.parent in massless
        links.append(link if rides else free_link(link.body, link.parent if on_neighbour else "ground", blocks))
    riding = {link.joint for link in links}
    return Tree(links, [name for name in system.joints if name not in riding])
