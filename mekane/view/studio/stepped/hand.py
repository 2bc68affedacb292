"""A model whose bodies can be dragged: on every body a damped spring to a target, both of which are inputs, so that taking
hold, moving and letting go need no other model.

    F = k (target − P) − c v_P    at the point P that is grasped; as a force at the origin of the body and a moment arm × F
"""

import numpy as np

from mekane.algebra import triples
from mekane.expressions.graph import symbol
from mekane.model.system import COLLECTIONS

AXES = "xyz"
PREFIX = "hand"


class Hand:
    """system: the given one with the springs. Without a body that is grasped their forces are zero."""

    def __init__(self, system):
        self.system, self.bodies = system.copied(), list(system.bodies)
        self.prefix = free_prefix(system)
        self.target, self.place = (self.inputs(name, "m") for name in ("target", "place"))
        self.stiffness = self.inputs("stiffness", "N/m", len(self.bodies))
        self.damping = self.inputs("damping", "N s/m", len(self.bodies))
        self.elements = [name for k in range(len(self.bodies)) for name in self.spring(k)]

    def inputs(self, what, unit, count=3):
        """Names of inputs, which are made here."""
        names = [f"{self.prefix}_{what}_{k}" for k in range(count)]
        for name in names:
            self.system.input(name, 0.0, unit=unit)
        return names

    def spring(self, k):
        """On the k-th body. Returns the names of its force and of its moment."""
        system, body = self.system, self.bodies[k]
        for axis, at in zip(AXES, np.eye(3).tolist(), strict=True):
            system.marker(f"{self.prefix} {k} {axis}", body, at=at)
        origin, velocity, w = (vector(f"{body}.{name}") for name in ("position", "velocity", "angular_velocity"))
        axes = [vector(f"{self.prefix} {k} {axis}.position") - origin for axis in AXES]
        arm = sum(symbol(share) * axis for share, axis in zip(self.place, axes, strict=True))
        off = np.array([symbol(name) for name in self.target], object) - origin - arm
        stiffness, damping = symbol(self.stiffness[k]), symbol(self.damping[k])
        force = stiffness * off - damping * (velocity + cross(w, arm))
        names = f"{self.prefix} {k} force", f"{self.prefix} {k} moment"
        system.force(names[0], body, value=tuple(force), at=(0, 0, 0))
        system.torque(names[1], body, value=tuple(cross(arm, force)))
        return names

    def values(self, grasp=None) -> dict[str, float]:
        """Of all inputs. grasp: (number of the body, place in its frame, target, stiffness, damping); None: no body is
        grasped."""
        names = [*self.target, *self.place, *self.stiffness, *self.damping]
        found = dict.fromkeys(names, 0.0)
        if grasp is not None:
            body, place, target, stiffness, damping = grasp
            found |= dict(zip([*self.place, *self.target], map(float, [*place, *target]), strict=True))
            found |= {self.stiffness[body]: float(stiffness), self.damping[body]: float(damping)}
        return found


def vector(name):
    return np.array([symbol(f"{name}.{axis}") for axis in AXES], object)


def cross(a, b):
    return np.array(triples.cross(a, b), object)


def free_prefix(system):
    """One that no name of the model begins with."""
    prefix, names = PREFIX, [name for collection in COLLECTIONS for name in getattr(system, collection)]
    while any(name.startswith(prefix) for name in names):
        prefix += "_"
    return prefix
