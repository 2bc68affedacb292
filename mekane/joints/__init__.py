"""Joint kinds, one file each. A file in this folder is found by being there; what it must hold is written in
mekane.model.joint.Joint."""

from importlib import import_module
from pkgutil import iter_modules

for _found in iter_modules(__path__):
    import_module(f"{__name__}.{_found.name}")
