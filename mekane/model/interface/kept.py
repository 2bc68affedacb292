"""What is kept with a system as long as it stays as it is: models compiled for analyses, specialised code, the system
as it is at the start. It stands in the system itself, and is forgotten with it: models refer to their system."""

import threading
from operator import is_

from mekane.model.construction_log import KEPT, PARTS


class CachedModels(threading.local):
    """Models have workspaces, so each thread has its own."""

    def __init__(self, code):
        self.found = {"models": {}, "compiled": {}, "code": code, "at start": {}}


def kept(system, what):
    """A dictionary of a system, emptied when the system changes. Its parts are kept too, so that none can be
    replaced unnoticed."""
    parts = [part for collection in PARTS for part in getattr(system, collection).values()]
    settings = [system.gravity, system.plane, [*system.parameters.items()]]
    found = system.__dict__.get(KEPT)
    if found is None or found[0] != settings or len(found[1]) != len(parts) or not all(map(is_, found[1], parts)):
        found = system.__dict__[KEPT] = settings, parts, CachedModels({})
    return found[2].found[what]


def made_code(system, formulation):
    """Specialised code that `mk.compile` has made of a system in a formulation; None if it has not, or not since it
    changed."""
    return kept(system, "code").get(formulation)
