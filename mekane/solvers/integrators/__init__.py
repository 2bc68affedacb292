"""Integrators: a file here is a method, its `method` a tableau. Implicit ones say so with `implicit = True`. Installed
packages add others by entry points (mekane.integrators)."""

from mekane.plugins import Plugins

METHODS = Plugins("integrators", __name__, __path__, "method", needs=("method",))
NAMES = METHODS.own  # Mekane's own


def find(name):
    """The module of the method called `name`."""
    return METHODS.find(name, more=["auto"])
