"""Formulations: a file here is a formulation, its function `tree(system)` gives the parent of each body. Installed
packages add others by entry points (mekane.formulations)."""

from mekane.plugins import Plugins

FORMULATIONS = Plugins(
    "formulations", __name__, __path__, "formulation", needs=("tree",), others=("tree", "planar_tree")
)
NAMES = FORMULATIONS.own  # Mekane's own


def find(name):
    """The function `tree` of the formulation called `name`."""
    return FORMULATIONS.find(name).tree


def tree_of(system, name):
    """The tree of a system in a formulation."""
    from mekane.formulations.planar_tree import flattened

    tree = find(name)(system)
    return flattened(system, tree) if system.plane else tree
