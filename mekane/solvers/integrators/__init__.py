"""Integrators: a file here is a method, its `method` a tableau. Implicit ones say so with `implicit = True`."""

from importlib import import_module
from pkgutil import iter_modules

from mekane.errors import ModelError, did_you_mean

NAMES = sorted(module.name for module in iter_modules(__path__))


def find(name):
    """The module of the method called `name`."""
    if name not in NAMES:
        options = ["auto", *NAMES]
        raise ModelError(
            "method", f"it is {name!r}", f"there are {', '.join(options)}", did_you_mean(str(name), options).strip()
        )
    return import_module(f"{__name__}.{name}")
