"""Copies of a system, and the same system with its bodies elsewhere."""

from copy import copy
from dataclasses import replace

from mekane.model.record import frozen_array
from mekane.model.system import SHELVES


def copied(system):
    """A system of its own with the same parts."""
    new = copy(system)
    for shelf in SHELVES:
        setattr(new, shelf, dict(getattr(system, shelf)))
    new.notes = list(system.notes)
    return new


def moved(system, poses):
    """The equal system but for the places of its bodies."""
    new = copied(system)
    for name, body in system.bodies.items():
        new.bodies[name] = replace(body, position=frozen_array(poses.p[name]), R_NB=frozen_array(poses.R[name]))
    return new
