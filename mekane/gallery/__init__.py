"""The gallery: one mechanism per file, with where it comes from and the answers it must give. A file that is here is
found; installed packages add others by entry points (mekane.gallery).

from mekane import gallery
gallery.names()
bricard = gallery.find("bricard")
run = bricard.run(formulation="absolute")
for outcome in bricard.outcomes(run):
    print(outcome)
"""

from mekane.errors import ModelError, did_you_mean
from mekane.gallery.entry import Check, Mechanism, Outcome
from mekane.plugins import Plugins

ENTRIES = Plugins("gallery", __name__, __path__, "gallery", needs=("mechanisms",), others=("entry", "looks", "reading"))

__all__ = ["Check", "Mechanism", "Outcome", "find", "mechanisms", "names"]


def mechanisms() -> list[Mechanism]:
    """Every mechanism, by name. A file lists its own under `mechanisms`; one of Mekane is not replaced by another."""
    found = {}
    for module in ENTRIES.modules().values():
        for mechanism in module.mechanisms:
            found.setdefault(mechanism.name, mechanism)
    return [found[name] for name in sorted(found)]


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
