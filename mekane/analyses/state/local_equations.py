"""A model at one state: its equations solved for accelerations and multipliers, and differentiated exactly.

    M ud − Jᵀ λ = −tau(ud = 0, λ = 0)          J ud = −acceleration(ud = 0)           over the active rows  (C.1)

Where contacts slide, their friction stands beside the normal forces: see sliding_friction.

Changes of the configuration are expressed in speeds: δq = N δs where qd = N u. So there are as many as speeds, whatever
the coordinates are. Changes δs and δu may be expressed in rotated axes, as axes @ them, with an orthogonal matrix
`axes`.
"""

import warnings
from functools import cached_property

import numpy as np

from mekane.analyses.finite_values import refuse_infinite
from mekane.analyses.kinematics.configuration_shift import shift_of, shifted
from mekane.analyses.state.sliding_friction import SlidingFriction
from mekane.errors import ModelError

ITERATIONS, ROUND_OFF = 30, 1e-14  # of friction by the reactions of joints


class Local:
    """What the analyses of one state share. Rows are all rows of constraints and cut joints; `active` are those in
    use."""

    def __init__(self, model, q, u, t=0.0, *, integrals=None, axes=None, analysis="state", turns=None):
        self.model, self.compiled = model, model.compiled
        self.derivatives = model.derivatives
        self.axes = np.eye(self.compiled.n_u) if axes is None else axes
        y = model.state(analysis, q, u)
        self.q, self.u, self.t = y[: self.compiled.n_q], y[self.compiled.n_q :], model.number(analysis, "t", t)
        self.active = model.active_rows(self.t, y)
        self.on = self.compiled.rows_on(model.workspace.r)  # rows that hold; those of open contacts do not
        if turns:
            model.measure_near(turns, self.t, y)
        self.turns = model.turns()
        self.measurement = model.workspace.measurement.copy()
        self.derivatives.set_measurements(self.measurement)
        self.x = self.derivatives.point(self.t, self.q, self.u, integrals=integrals)
        self.still = self.derivatives.along(
            self.x, self.directions_of("ud")
        )  # with ud = 0 and λ = 0; M and J are its derivatives
        if not np.isfinite(self.still[0][self.z.tau]).all():
            self.derivatives.diagnose_forces(analysis)
        refuse_infinite(analysis, np.column_stack([self.still[0][self.z.tau], self.M]), self.compiled.speeds)
        self.friction = SlidingFriction(self) if self.compiled.elements_of_contact else None
        self.ud, self.multipliers = self.accelerations()
        self.x[self.derivatives.x.ud], self.x[self.derivatives.x.multipliers] = self.ud, self.multipliers

    def accelerations(self):
        """ud and multipliers. Friction by the reactions of joints is found with them, by Newton's method.  (N.5)"""
        for _ in range(ITERATIONS):
            ud, multipliers = self.solve(
                self.rubbed(-self.still[0][self.z.tau]), -self.still[0][self.z.acceleration][self.active]
            )
            if self.friction is None:
                return ud, multipliers
            multipliers[self.friction.rows] += self.friction.given()
            if not self.friction.by_load:
                return ud, multipliers
            turned = self.friction.turn_loads(ud, multipliers)
            self.__dict__.pop("matrix", None), self.__dict__.pop("blocks", None)
            if turned <= ROUND_OFF:
                return ud, multipliers
        names = ", ".join(repr(one.name) for one in self.friction.by_load)
        raise ModelError(
            "linearize", f"friction of {names} locks itself here", "reactions that it does not enlarge so much"
        )

    @property
    def z(self):
        return self.derivatives.z

    def directions_of(self, name):
        return self.derivatives.unit(getattr(self.derivatives.x, name))

    @cached_property
    def M(self):
        """Mass matrix of the recursion's speeds."""
        return self.still[1][:, self.z.tau].T

    @cached_property
    def J(self):
        """Active rows over the recursion's speeds: how accelerations change them."""
        return self.still[1][:, self.z.acceleration].T[self.active]

    @cached_property
    def E(self):
        """Accelerations of the state's speeds over those of the recursion's: not the identity where the state has
        absolute angular velocities (F.2)."""
        return self.still[1][:, self.z.ud].T

    @cached_property
    def blocks(self):
        """[M −Jᵀ; J 0], with the friction that normal forces have beside them in Jᵀ, and that accelerations have in M, by the
        reactions of joints."""
        M, columns = self.M, self.J.T
        if self.friction is not None:
            M = M - self.friction.J.T @ self.friction.by_accelerations()
            columns = columns + self.friction.J.T @ self.friction.by_normals()
        return np.block([[M, -columns], [self.J, np.zeros((len(self.J),) * 2)]])

    def rubbed(self, force):
        """With friction of given size."""
        return force if self.friction is None else force + self.friction.J.T @ self.friction.given()

    @cached_property
    def matrix(self):
        """The same, factored once."""
        from scipy.linalg import LinAlgWarning, lu_factor

        with warnings.catch_warnings():
            # where nothing determines ud it is not finite, which is refused
            warnings.simplefilter("ignore", LinAlgWarning)
            return lu_factor(self.blocks)

    def solve(self, force, acceleration):
        """ud and λ (of all rows) for these right sides; of several columns if they have several."""
        from scipy.linalg import lu_solve

        found = lu_solve(self.matrix, np.concatenate([force, acceleration]))
        n = self.compiled.n_u
        multipliers = np.zeros((self.compiled.n_rows, *found.shape[1:]))
        multipliers[self.active] = found[n:]
        if self.friction is not None:
            rubbing = self.friction
            multipliers[rubbing.rows] = rubbing.by_normals() @ found[n:] + rubbing.by_accelerations() @ found[:n]
        return found[:n], multipliers

    def apply_inverse_mass(self, derivatives):
        """Accelerations of the state's speeds and multipliers that follow from derivatives of z at fixed ud and λ;
        column by column."""
        force = -derivatives[self.z.tau]
        changes = None if self.friction is None else self.friction.changes(derivatives, self.multipliers)
        force = force if changes is None else force + self.friction.J.T @ changes
        ud, multipliers = self.solve(force, -derivatives[self.z.acceleration][self.active])
        if changes is not None:
            multipliers[self.friction.rows] += changes
            if self.friction.by_load:
                self.friction.refuse_slope_discontinuity(derivatives, ud, multipliers)
        return derivatives[self.z.ud] + self.E @ ud, multipliers

    @cached_property
    def by_speeds(self):
        """Derivatives of z along every speed of the state: a row for each."""
        return self.derivatives.along(self.x, self.axes.T @ self.directions_of("u"))[1]

    @cached_property
    def N(self):
        """qd = N u"""
        return self.by_speeds[:, self.z.qd].T

    @cached_property
    def by_shifts(self):
        """Derivatives of z along every change of the configuration, expressed in speeds."""
        return self.derivatives.along(self.x, self.shift_directions)[1]

    @property
    def shift_directions(self):
        directions = np.zeros((self.compiled.n_u, self.derivatives.n_x))
        directions[:, self.derivatives.x.q] = self.N.T
        return directions

    def remarks_on_discontinuities(self):
        """Sentences about laws that are not smooth at this state."""
        from mekane.analyses.linear.discontinuities import remarks_on_discontinuities

        self.derivatives.set_measurements(self.measurement)
        return remarks_on_discontinuities(
            self.derivatives, self.x, np.vstack([self.shift_directions, self.axes.T @ self.directions_of("u")])
        )

    def displaced(self, shifts):
        """q after a change of the configuration."""
        primitive_i = self.compiled.tables.primitive_i
        return shifted(primitive_i, self.q, shift_of(primitive_i, self.q, self.N @ shifts, self.compiled.n_u))

    @cached_property
    def G(self):
        """All rows over the speeds of the state: d rate / d u."""
        return self.by_speeds[:, self.z.rate].T

    @cached_property
    def bodies(self):
        """The workspace's `body` in this state."""
        self.derivatives.at(self.x)
        return self.derivatives.bodies()

    @cached_property
    def here(self):
        """z of this state, with its accelerations and multipliers."""
        return self.derivatives.at(self.x)
