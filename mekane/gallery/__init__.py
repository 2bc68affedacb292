"""The gallery: one mechanism per file, with where it comes from and the answers it must give. A file that is here is
found.

from mekane import gallery
gallery.names()
bricard = gallery.find("bricard")
run = bricard.run(formulation="absolute")
for outcome in bricard.outcomes(run):
    print(outcome)
"""

from importlib import import_module
from pkgutil import iter_modules

from mekane.errors import ModelError, did_you_mean
from mekane.gallery.entry import Check, Mechanism, Outcome

NOT_MECHANISMS = ("entry", "reading")

__all__ = ["Check", "Mechanism", "Outcome", "find", "mechanisms", "names"]


def mechanisms() -> list[Mechanism]:
    """Every mechanism, by name. A file lists its own under `mechanisms`."""
    files = [module.name for module in iter_modules(__path__) if module.name not in NOT_MECHANISMS]
    found = [mechanism for file in files for mechanism in import_module(f"{__name__}.{file}").mechanisms]
    return sorted(found, key=lambda mechanism: mechanism.name)


def names() -> list[str]:
    """Names of all mechanisms, in alphabetical order."""
    return [mechanism.name for mechanism in mechanisms()]


def find(name: str) -> Mechanism:
    """The mechanism of this name."""
    known = {mechanism.name: mechanism for mechanism in mechanisms()}
    if name not in known:
        raise ModelError(
            "gallery", f"there is no {name!r}", f"it has {', '.join(known)}", did_you_mean(str(name), known).strip()
        )
    return known[name]
