"""Kinds of constraint, one file each. A file that is here is found; `kinds` maps its name to its class."""

from importlib import import_module
from pkgutil import iter_modules

from mekane.model.constraint import constraint_kinds as kinds

for _module in iter_modules(__path__):
    if not _module.name.startswith("_"):
        import_module(f"{__name__}.{_module.name}")

__all__ = ["kinds"]
