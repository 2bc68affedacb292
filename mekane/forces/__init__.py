"""Kinds of force, one file each. A file that is here is found; `kinds` maps its name to its class."""

from importlib import import_module
from pkgutil import iter_modules

from mekane.model.force import force_kinds as kinds

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["kinds"]
