"""Formulations: a file here is a formulation, its function `tree(system)` gives the parent of each body."""

from importlib import import_module
from pkgutil import iter_modules

from mekane.errors import ModelError, did_you_mean

NAMES = sorted(module.name for module in iter_modules(__path__) if module.name not in ("tree", "planar_tree"))


def find(name):
    """The function `tree` of the formulation called `name`."""
    if name not in NAMES:
        raise ModelError(
            "formulation", f"it is {name!r}", f"there are {', '.join(NAMES)}", did_you_mean(str(name), NAMES).strip()
        )
    return import_module(f"{__name__}.{name}").tree


def tree_of(system, name):
    """The tree of a system in a formulation."""
    from mekane.formulations.planar_tree import flattened

    tree = find(name)(system)
    return flattened(system, tree) if system.plane else tree
