"""Friction of what slides, at a state and beside it: it follows from the normal forces, and goes against the sliding.

    λ_T = −c d,     c = μ λ_N, or a given force,     d = γ_T/|γ_T|                                                (N.3)
    δλ_T = −(δμ λ_N + μ δλ_N) d − c (1 − d dᵀ) δγ_T/|γ_T|
    c = μ ‖R‖,     δc = δμ ‖R‖ + μ R̂·δR          where the reaction R of a joint limits it                        (N.5)

R depends on accelerations and on all multipliers, those of friction included: S λ_T = P λ + Q ud + p, solved for λ_T.

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
    load: slice | None = None  # where the components of the reaction stand in z.loads that limits it
    sums: bool = False  # their magnitudes are summed


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
        self.by_load = [one for one in self.sliding if one.load is not None]
        self.heading = np.zeros(z.loads.stop - z.loads.start)  # R̂ of all joints that limit friction
        if self.by_load:
            along = local.derivatives.along(local.x, local.directions_of("multipliers"))[1]
            self.of_ud, self.of_multipliers = local.still[1][:, z.loads].T, along[:, z.loads].T

    def rubbing(self, number, line, name):
        """The element if it slides with friction."""
        if self.mode(line) != SLIDING or not line[at.C_TANGENTS]:
            return None
        tangents = list(range(line[at.C_TANGENT], line[at.C_TANGENT] + line[at.C_TANGENTS]))
        velocity = self.rate[tangents]
        speed = float(np.linalg.norm(velocity))
        if speed <= STILL:
            if self.size[number] == 0.0:
                return None
            raise about_to_change(name, f"it slides with {speed:.3g} m/s or rad/s only, and may stick")
        pressed = int(line[at.C_PRESSED]) if line[at.C_BY] == at.BY_NORMAL else -1
        found = Rubbing(name, number, pressed, tangents, float(self.size[number]), velocity / speed, speed)
        if line[at.C_BY] == at.BY_LOAD:
            found.load, found.sums = load_of(line, number), bool(line[at.C_SUMS])
        return found

    def mode(self, line):
        return int(self.local.model.workspace.r[line[at.C_MODE]])

    # ------------------------------------------------------------ S λ_T = P λ + Q ud + p

    def solved(self, right):
        """S⁻¹ times this: friction in joints changes the reactions that limit it."""
        S = np.eye(len(self.rows))
        for one, own in self.blocks():
            if one.load is not None:
                S[own] += np.outer(one.direction, self.per_unit(one, self.of_multipliers[:, self.rows]))
        return np.linalg.solve(S, right) if self.by_load else right

    def per_unit(self, one, loads):
        """μ R̂·R of an element, for these loads of all joints."""
        return one.friction * self.heading[one.load] @ loads[one.load]

    def by_accelerations(self):
        """S⁻¹ Q"""
        Q = np.zeros((len(self.rows), self.local.compiled.n_u))
        for one, own in self.blocks():
            if one.load is not None:
                Q[own] = -np.outer(one.direction, self.per_unit(one, self.of_ud))
        return self.solved(Q)

    def by_normals(self):
        """S⁻¹ P, over the active rows."""
        place = {row: k for k, row in enumerate(np.flatnonzero(self.local.active))}
        P = np.zeros((len(self.rows), len(place)))
        for one, own in self.blocks():
            if one.normal in place:
                P[own, place[one.normal]] = -one.friction * one.direction
            elif one.load is not None:
                P[own] = -np.outer(one.direction, self.per_unit(one, self.of_multipliers[:, list(place)]))
        return self.solved(P)

    def given(self):
        """S⁻¹ p: friction of given size, or by the load that a joint has without accelerations and multipliers."""
        p = np.zeros(len(self.rows))
        for one, own in self.blocks():
            if one.load is not None:
                p[own] = -one.direction * self.per_unit(one, self.local.still[0][self.local.z.loads])
            elif one.normal < 0:
                p[own] = -one.friction * one.direction
        return self.solved(p)

    def turn_loads(self, ud, multipliers):
        """R̂ of the reactions with these accelerations and multipliers. Returns by how much it has turned."""
        before, loads = self.heading.copy(), self.loads_with(self.local.still[0], ud, multipliers)
        for one in self.by_load:
            self.heading[one.load] = heading(loads[one.load], one.sums)
        return float(np.abs(self.heading - before).max(initial=0.0))

    def loads_with(self, z, ud, multipliers):
        """R that follows from z without accelerations and multipliers, and from these."""
        return z[self.local.z.loads] + self.of_ud @ ud + self.of_multipliers @ multipliers

    def changes(self, derivatives, multipliers):
        """δλ_T along columns of derivatives of z, or one of them, at fixed multipliers of normals."""
        z, shape, here = self.local.z, derivatives.shape[1:], self.local.here
        found = np.zeros((len(self.rows), *shape))
        for one, own in self.blocks():
            press, d = 1.0 if one.normal < 0 else multipliers[one.normal], one.direction
            turned = derivatives[z.rate][one.tangents]
            turned = (turned - np.multiply.outer(d, d @ turned)) / one.speed
            larger = np.multiply.outer(d, derivatives[z.friction][one.number])
            if one.load is not None:
                press = self.heading[one.load] @ here[z.loads][one.load]
                larger = larger + np.multiply.outer(d, self.per_unit(one, derivatives[z.loads])) / max(press, 1e-300)
            found[own] = -press * (larger + one.friction * turned)
        return self.solved(found)

    def blocks(self):
        """(element, where its rows stand in self.rows)"""
        first = 0
        for one in self.sliding:
            yield one, slice(first, first + len(one.tangents))
            first += len(one.tangents)

    def refuse_slope_discontinuity(self, derivatives, ud, multipliers):
        """An error where a force on the faces of a guide vanishes here, and not beside this state: its magnitude has no
        derivative."""
        here, changes = self.local.here[self.local.z.loads], self.loads_with(derivatives, ud, multipliers)
        for one in self.by_load:
            size, change = np.abs(here[one.load]), np.abs(changes[one.load]).reshape(len(here[one.load]), -1)
            none = size <= NEAR * max(size.max(), 1e-300)
            if one.sums and (change[none] > NEAR * max(change.max(initial=0.0), size.max())).any():
                raise about_to_change(one.name, "a force on its faces is about to change sides")

    # ------------------------------------------------------------ the modes

    def refuse_changing_modes(self):
        """An error where a contact is about to open, to close or to break away."""
        forces, values = self.local.multipliers, self.local.here
        much = NEAR * np.abs(forces).max(initial=0.0)
        phi, static = values[self.local.z.phi], self.local.model.workspace.r
        for number, (line, fact) in self.elements:
            mode, normal = self.mode(line), int(line[at.C_NORMAL])
            press = self.press(line, number, forces, values)
            if mode and normal >= 0 and forces[normal] <= much:
                raise about_to_change(fact.name, f"its normal force is {forces[normal]:.3g}, and it may open")
            if not mode and normal >= 0 and self.may_close(line, phi[normal], values):
                raise about_to_change(fact.name, "it touches without being closed")
            if mode == STICKING and line[at.C_TANGENTS]:
                rows = slice(line[at.C_TANGENT], line[at.C_TANGENT] + line[at.C_TANGENTS])
                largest = press * max(float(static[line[at.C_STATIC]]), self.size[number])
                if np.linalg.norm(forces[rows]) >= largest * (1.0 - NEAR):
                    raise about_to_change(fact.name, "its friction is at its largest, and it may slide")

    def press(self, line, number, forces, values):
        """What friction is proportional to."""
        if line[at.C_BY] == at.BY_NORMAL:
            return forces[line[at.C_PRESSED]]
        if line[at.C_BY] != at.BY_LOAD:
            return 1.0
        loads = values[self.local.z.loads][load_of(line, number)]
        return float(heading(loads, bool(line[at.C_SUMS])) @ loads)

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


def load_of(line, number):
    """Where components of the reaction that limits an element stand in z.loads."""
    return slice(2 * number, 2 * number + int(line[at.C_LOADS]))


def heading(load, sums):
    """Unit vector of a load, or the sides of its components where magnitudes are summed; 0 for what is not there."""
    size = np.abs(load).max(initial=0.0)
    if sums:
        return np.where(np.abs(load) > NEAR * size, np.sign(load), 0.0)
    return load / max(float(np.linalg.norm(load)), 1e-300)


def about_to_change(name, why):
    problem = f"{name!r} is about to change its mode: {why}"
    return ModelError("linearize", problem, "a state on both sides of which the modes are the same")
