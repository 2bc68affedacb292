"""Friction of what slides, at a state and beside it: it follows from the normal forces, and goes against the sliding.

    λ_T = −c d,     c = μ λ_N, or a given force,     d = γ_T/|γ_T|                                                (N.3)
    δλ_T = −(δμ λ_N + μ δλ_N) d − c (1 − d dᵀ) δγ_T/|γ_T|

So columns of forces differ from rows of constraints: linearized equations are not symmetric. What is found at a state holds
while every contact stays in its mode; where one is about to leave it, the state is refused.
"""

from dataclasses import dataclass

import numpy as np

from mekane.errors import ModelError
from mekane.model.set_valued import SLIDING, STICKING
from mekane.tables import columns as at

STILL = 1e-9  # m/s, rad/s: what slides slower is about to stick
NEAR = 1e-9  # of the forces at play: a normal force about to vanish, friction about to give way
TOUCHES = 1e-9  # m, rad: an open gap that is about to close


@dataclass
class Rubbing:
    """An element that slides."""

    name: str
    number: int  # of the element
    normal: int  # the row that presses it, -1: the size of friction is given
    tangents: list
    friction: float  # coefficient, or the force
    direction: np.ndarray
    speed: float


class SlidingFriction:
    """Of a Local whose model has contact laws, in the modes of its discrete state."""

    def __init__(self, local):
        self.local = local
        z, values = local.z, local.still[0]
        self.rate, self.size, J = values[z.rate], values[z.friction], local.still[1][:, z.acceleration].T
        lines = zip(local.compiled.tables.contact_i, local.compiled.elements_of_contact, strict=True)
        self.elements = list(enumerate(lines))
        self.sliding = [one for k, (line, fact) in self.elements if (one := self.rubbing(k, line, fact.name))]
        self.rows = [row for one in self.sliding for row in one.tangents]
        self.J = J[self.rows]

    def rubbing(self, number, line, name):
        """The element if it slides with friction."""
        if self.mode(line) != SLIDING or not line[at.C_TANGENTS]:
            return None
        refuse_by_reaction(line, name)
        tangents = list(range(line[at.C_TANGENT], line[at.C_TANGENT] + line[at.C_TANGENTS]))
        velocity = self.rate[tangents]
        speed = float(np.linalg.norm(velocity))
        if speed <= STILL:
            if self.size[number] == 0.0:
                return None
            raise about_to_change(name, f"it slides with {speed:.3g} m/s or rad/s only, and may stick")
        pressed = int(line[at.C_PRESSED]) if line[at.C_BY] == at.BY_NORMAL else -1
        return Rubbing(name, number, pressed, tangents, float(self.size[number]), velocity / speed, speed)

    def mode(self, line):
        return int(self.local.model.workspace.r[line[at.C_MODE]])

    # ------------------------------------------------------------ λ_T = P λ + p

    def by_normals(self):
        """P, over the active rows."""
        place = {row: k for k, row in enumerate(np.flatnonzero(self.local.active))}
        P = np.zeros((len(self.rows), len(place)))
        for one, own in self.blocks():
            if one.normal in place:
                P[own, place[one.normal]] = -one.friction * one.direction
        return P

    def given(self):
        """p: friction of given size."""
        p = np.zeros(len(self.rows))
        for one, own in self.blocks():
            if one.normal < 0:
                p[own] = -one.friction * one.direction
        return p

    def changes(self, derivatives, multipliers):
        """δλ_T along columns of derivatives of z, or one of them, at fixed multipliers of normals."""
        z, shape = self.local.z, derivatives.shape[1:]
        found = np.zeros((len(self.rows), *shape))
        for one, own in self.blocks():
            press, d = 1.0 if one.normal < 0 else multipliers[one.normal], one.direction
            turned = derivatives[z.rate][one.tangents]
            turned = (turned - np.multiply.outer(d, d @ turned)) / one.speed
            larger = np.multiply.outer(d, derivatives[z.friction][one.number])
            found[own] = -press * (larger + one.friction * turned)
        return found

    def blocks(self):
        """(element, where its rows stand in self.rows)"""
        first = 0
        for one in self.sliding:
            yield one, slice(first, first + len(one.tangents))
            first += len(one.tangents)

    # ------------------------------------------------------------ the modes

    def refuse_changing_modes(self):
        """An error where a contact is about to open, to close or to break away."""
        forces, values = self.local.multipliers, self.local.here
        much = NEAR * np.abs(forces).max(initial=0.0)
        phi, static = values[self.local.z.phi], self.local.model.workspace.r
        for number, (line, fact) in self.elements:
            mode, normal = self.mode(line), int(line[at.C_NORMAL])
            press = forces[line[at.C_PRESSED]] if line[at.C_BY] == at.BY_NORMAL else 1.0
            if mode and normal >= 0 and forces[normal] <= much:
                raise about_to_change(fact.name, f"its normal force is {forces[normal]:.3g}, and it may open")
            if not mode and normal >= 0 and self.may_close(line, phi[normal], values):
                raise about_to_change(fact.name, "it touches without being closed")
            if mode == STICKING and line[at.C_BY] != at.BY_LOAD and line[at.C_TANGENTS]:
                rows = slice(line[at.C_TANGENT], line[at.C_TANGENT] + line[at.C_TANGENTS])
                largest = press * max(float(static[line[at.C_STATIC]]), self.size[number])
                if np.linalg.norm(forces[rows]) >= largest * (1.0 - NEAR):
                    raise about_to_change(fact.name, "its friction is at its largest, and it may slide")

    def may_close(self, line, gap, values):
        """Whether an open element touches and does not move apart."""
        rate = values[self.local.z.rate][line[at.C_NORMAL]]
        return rate <= STILL and (line[at.C_RATE] or gap <= TOUCHES)

    def remarks(self):
        """A sentence about what slides."""
        names = ", ".join(repr(one.name) for one in self.sliding)
        return (
            [f"Friction of what slides is linearized with it, in the direction of sliding: {names}."] if names else []
        )


def refuse_by_reaction(line, name):
    if line[at.C_BY] == at.BY_LOAD:
        problem = f"{name!r} slides, and its friction follows from the reaction of a joint"
        raise ModelError("linearize", problem, "friction of contacts, or of given size", "Set its friction to 0 here.")


def about_to_change(name, why):
    problem = f"{name!r} is about to change its mode: {why}"
    return ModelError("linearize", problem, "a state on both sides of which the modes are the same")
