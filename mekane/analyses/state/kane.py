"""Kane's quantities at one state: partial velocities, generalized forces, and each body's part in every equation.
THEORY §3, §4

    F_r + F_r* + (Bᵀ lam)_r = 0                                                                            (E.1), (C.1)
    F_r  = Σ_B ( v_r·F_B  + w_r·T_B ),    F_r* = Σ_B ( v_r·F_B* + w_r·T_B* )        at the mass centres        (E.1)
    C_r^B = v_r·(F_B + F_B*) + w_r·(T_B + T_B*)                                                             [T 3.68]

F_r are those of the tree: gravity and all laws; what holds joints that are constraints stands apart, as Bᵀ lam.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mekane.analyses.state.body_contributions import Loads, State
from mekane.analyses.state.partial_velocities import rate, value
from mekane.errors import ModelError
from mekane.results.printing import Printed, Shown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from mekane.model.system import System

POINTS, AXES = ("centre", "origin"), ("world", "body", "parent")
WIDEST = 12  # speeds; larger mass matrices are not printed


def partial_velocities(
    system: System,
    q: ArrayLike | None = None,
    u: ArrayLike | None = None,
    t: float = 0.0,
    at: str = "centre",
    axes: str = "world",
    formulation: str = "joint",
    own_speeds: bool = True,
) -> PartialVelocities:
    """Partial velocities and partial angular velocities of every body, and their time derivatives.

    Parameters:
        q: in the order of s.coordinates [rad, m]; the initial ones by default.
        u: in the order of s.speeds [rad/s, m/s]; the initial ones by default.
        t: time [s]; default 0.
        at: "centre" (mass centres) or "origin" (the bodies' own).
        axes: of the components, "world", "body" (as in [R]) or "parent" (those of its parent body); the time
            derivatives are those of the components.
        formulation: whose q and u these are; "joint" by default.
        own_speeds: in the speeds of s.generalized_speeds, where there are any; default True.

    Example:
        from mekane import gallery
        s = gallery.find("double_pendulum").system()
        q, u = s.initial_state()
        print(s.partial_velocities(q, u))
    """
    one_of("at", at, POINTS)
    one_of("axes", axes, AXES)
    state = State(system, q, u, t, formulation, own_speeds, "partial_velocities")
    expressed = lambda vectors: np.array(
        [state.in_axes(i, x, axes) for i, x in zip(state.places, vectors, strict=True)]
    )
    V, W = expressed(state.at_points(at)), expressed(state.lanes.w[state.places])
    return PartialVelocities.of(state, at, axes, V, W)


def kane_equations(
    system: System,
    q: ArrayLike | None = None,
    u: ArrayLike | None = None,
    t: float = 0.0,
    formulation: str = "joint",
    own_speeds: bool = True,
) -> KaneEquations:
    """Kane's equations at a state, with the ud that follows.

    Parameters:
        q: in the order of s.coordinates [rad, m]; the initial ones by default.
        u: in the order of s.speeds [rad/s, m/s]; the initial ones by default.
        t: time [s]; default 0.
        formulation: whose q and u these are; "joint" by default.
        own_speeds: in the speeds of s.generalized_speeds, where there are any; default True.

    Example:
        from mekane import gallery
        s = gallery.find("double_pendulum").system()
        q, u = s.initial_state()
        print(s.kane_equations(q, u))
    """
    return KaneEquations.of(State(system, q, u, t, formulation, own_speeds, "kane_equations"))


def one_of(keyword, given, known):
    if given not in known:
        raise ModelError(keyword, f"it is {given!r}", f"it is one of {', '.join(map(repr, known))}")


@dataclass(frozen=True, repr=False, eq=False)
class PartialVelocities(Printed):
    """Labelled arrays (body, speed, axis):  v = Σ_r v_r u_r + v_t,  and the same for w."""

    at: str
    axes: str
    velocity: object  # v_r
    angular_velocity: object  # w_r
    velocity_rate: object  # their time derivatives
    angular_velocity_rate: object
    velocity_t: (
        object  # v_t (body, axis): what is left when all speeds are zero; zero but for user-defined speeds with a z
    )
    angular_velocity_t: object

    @classmethod
    def of(cls, state, point, axes, V, W):
        change, back = state.change, state.change.back
        partials = [value(X) @ back for X in (V, W)]
        rates = [(rate(X) - X_y @ change.T_rate) @ back for X, X_y in zip((V, W), partials, strict=True)]
        arrays = [state.array(np.swapaxes(X, 1, 2), "body", "speed", "axis") for X in (*partials, *rates)]
        return cls(point, axes, *arrays, *(state.array(-X_y @ change.z, "body", "axis") for X_y in partials))

    def shown(self):
        parts = [
            clean(x.values)
            for x in (self.angular_velocity, self.velocity, self.angular_velocity_rate, self.velocity_rate)
        ]
        bodies, speeds = self.velocity.body.values, self.velocity.speed.values
        some = np.argwhere(np.any([part.any(axis=2) for part in parts], axis=0))
        rows = [[bodies[b], speeds[r], *(part[b, r] if part[b, r].any() else "0" for part in parts)] for b, r in some]
        title = f"partial velocities at the {'mass centres' if self.at == 'centre' else 'origins'}, {self.axes} axes"
        headings = ["body", "speed", "w_r", "v_r", "d/dt w_r", "d/dt v_r"]
        return [Shown(title, headings, rows, "pairs of body and speed that are not listed: zero")]


def clean(x):
    """Without round-off beside one, for printing."""
    return np.where(np.abs(x) < 1e-14, 0.0, x)


@dataclass(frozen=True, repr=False, eq=False)
class KaneEquations(Printed):
    """Labelled arrays over speeds, bodies, and constraint rows ("row"); M ud = forcing + Bᵀ lam.

    contributions are C_r^B = applied + inertial; their sum over bodies and constraint is zero for every speed.
    """

    title: str
    speeds: object  # values of the speeds
    ud: object  # how they change
    active: object  # F_r
    inertia: object  # F_r*
    constraint: object  # (Bᵀ lam)_r
    contributions: object  # C_r^B  (body, speed)
    applied: object  # part of F_B and T_B in it
    inertial: object  # part of F_B* and T_B*
    mass_matrix: object  # (speed, with)
    forcing: object  # f_r
    constraint_matrix: object  # B  (row, speed)
    multipliers: object  # lam  (row)

    @classmethod
    def of(cls, state):
        loads, change, back = Loads(state), state.change, state.change.back
        applied, inertial = loads.parts(loads.F, loads.T), loads.parts(loads.F_star, loads.T_star)
        M, f = loads.mass_matrix(), applied.sum(axis=0) + loads.parts(*loads.bias(state.u)).sum(axis=0)
        turned = change.T_rate @ state.u + change.z_rate
        over = lambda X: state.array(X @ back, *("body", "speed")[2 - X.ndim :])  # forces go by T⁻ᵀ
        return cls(
            title=f"{state.system.name}, {state.compiled.formulation} formulation, t = {state.t:g} s",
            speeds=state.array(change.T @ state.u + change.z, "speed"),
            ud=state.array(change.T @ loads.ud + turned, "speed"),
            active=over(applied.sum(axis=0)),
            inertia=over(inertial.sum(axis=0)),
            constraint=over(loads.multipliers @ loads.B),
            contributions=over(applied + inertial),
            applied=over(applied),
            inertial=over(inertial),
            mass_matrix=state.array(back.T @ M @ back, "speed", "with"),
            forcing=over(f + M @ (back @ turned)),
            constraint_matrix=state.array(loads.B @ back, "row", "speed"),
            multipliers=state.array(loads.multipliers, "row"),
        )

    @property
    def residual(self):
        """F_r + F_r* + (Bᵀ lam)_r: zero but for round-off."""
        return self.active + self.inertia + self.constraint

    def shown(self):
        names = list(self.active.speed.values)
        columns = (self.speeds, self.ud, self.active, self.inertia, self.constraint, self.residual)
        equations = [[name, *(column.values[r] for column in columns)] for r, name in enumerate(names)]
        headings = ["speed", "u_r", "d/dt u_r", "F_r", "F_r*", "(B' lam)_r", "sum"]
        bodies = list(self.contributions.body.values)
        parts = [
            [name, *clean(self.contributions.values[:, r]), clean(self.constraint.values[r])]
            for r, name in enumerate(names)
        ]
        tables = [
            Shown(f"Kane's equations: {self.title}", headings, equations),
            Shown("contribution of each body to each equation, C_r^B", ["speed", *bodies, "constraints"], parts),
        ]
        if len(names) <= WIDEST:
            matrix = [
                [name, *clean(self.mass_matrix.values[r]), self.forcing.values[r]] for r, name in enumerate(names)
            ]
            tables.append(Shown("mass matrix and forcing, M ud = f + B' lam", ["speed", *names, "f"], matrix))
        return tables
