"""A model at rest: its forces, its constraints and how both change with the configuration.  THEORY §9, [C 64, 65, 70]

    tau(q, λ, p) = 0          phi(q) = 0                  tau = −(forces on the speeds) − Bᵀ λ,   speeds and
    accelerations zero

A change of the configuration is expressed in speeds (see configuration_shift). Everything is scaled: a rotation by one
radian and a translation by the size of the mechanism count alike, so that forces are energies and no unit matters.
"""

from functools import cached_property

import numpy as np
from scipy.linalg import qr

from mekane.analyses.kinematics.configuration_shift import shift_derivatives, shifted
from mekane.analyses.kinematics.speed_scales import size_of, translational, unit_rows, units_of_speeds
from mekane.analyses.quantity_names import as_value, compile_with
from mekane.analyses.state.dynamics import Model, initial_state, prepared
from mekane.errors import ModelError
from mekane.results.redundancy import INDEPENDENT as REPEATING
from mekane.tables.columns import (
    ACT_CONTROLLER,
    ACT_MEASUREMENT,
    ACT_SPEED,
    ACT_TORQUE_BODY,
    ACT_TORQUE_WORLD,
    ACTION_KIND,
    ACTION_ON,
    ACTION_R,
    ANGLE,
    S_DI,
)

INDEPENDENT = 1e-9  # a scaled direction whose part not spanned by others is smaller lies among them
CLOSED = 1e-12  # misfit of positions, relative to the size
FARTHEST = 0.5  # of a single correction of positions
STEPS = 60


class Statics:
    """A system at rest in a formulation, at time t. readings: expressions of state names whose values and derivatives
    are wanted besides."""

    def __init__(self, system, formulation="joint", t=0.0, readings=(), unknown=(), analysis="equilibrium"):
        self.system, self.formulation, self.analysis = system, formulation, analysis
        values = [as_value(system, text, analysis) for text in readings]
        self.model = (
            Model(compile_with(system, formulation, values, analysis)) if values else prepared(system, formulation)
        )
        self.compiled, self.derivatives = self.model.compiled, self.model.derivatives
        self.t = self.model.number(analysis, "t", t)
        self.names, self.unknown = list(system.parameters), list(unknown)
        self.parameters = np.array(list(system.parameters.values()), float)
        self.levels = np.array(self.compiled.pairs.levels[: self.compiled.n_rows])
        self.holonomic = self.levels == "position"
        self.rank = 0  # of the rows in configurations that were closed: as in the time loop it never falls
        self.size = size_of(system)
        self.primitive_i = self.compiled.tables.primitive_i
        self.translational, self.unit = translational(self.compiled), units_of_speeds(self.compiled, self.size)
        self.weight = sum(body.mass for body in system.bodies.values()) * np.linalg.norm(system.gravity) * self.size
        self._law_registers = self.compiled.tables.action_i[:, ACTION_R : ACTION_R + 3]
        arms = np.array([self.arm_of(action) for action in self.compiled.tables.action_i])
        self._law_arms = np.where(self._law_registers > 0, arms.reshape(-1, 1), 0.0)

    def arm_of(self, action):
        """What turns the value of a law into an energy."""
        kind, on = action[ACTION_KIND], action[ACTION_ON]
        if kind == ACT_SPEED:
            return self.unit[on]
        if kind == ACT_MEASUREMENT:
            return 1.0 if self.compiled.tables.row_i[on, 1] == ANGLE else self.size
        return 0.0 if kind == ACT_CONTROLLER else 1.0 if kind in (ACT_TORQUE_WORLD, ACT_TORQUE_BODY) else self.size

    def largest_law(self):
        """Largest energy of a law, as last evaluated."""
        values = self.derivatives.registers()[self._law_registers]
        return float(np.abs(values * self._law_arms).max(initial=0.0))

    @property
    def n_controller_states(self):
        return len(self.compiled.integrals)

    def start(self):
        """Where the system is placed, with the whole turns and controller states it starts with."""
        q, u = initial_state(self.system, self.formulation)
        self.model.measure_from_start(self.t, np.concatenate([q, 0.0 * u]))
        return self.at(q, integrals=self.compiled.start_memory[: self.n_controller_states])

    def at(self, q, parameters=None, integrals=None):
        return StaticState(self, q, self.parameters if parameters is None else parameters, integrals)

    def displaced(self, q, y):
        """q moved by a scaled change."""
        return shifted(self.primitive_i, q, self.unit * y)

    def closed(self, state, more=()):
        """The nearest configuration that meets the equations for positions and has the first readings at their targets
        (`more`), or None.

        Speeds that other constraints forbid are not used on the way.
        """
        found = self._closed(state, more)
        if found is not None:
            self.rank = max(self.rank, found.rank)
        return found

    def _closed(self, state, more):
        for _ in range(STEPS):
            gap = state.gap(more)
            if not np.isfinite(state.bare).all():
                return None
            if np.abs(gap).max(initial=0.0) <= CLOSED:
                return state
            y = -least(state.rows(more), gap)
            far = np.abs(y).max(initial=0.0)
            after = self.at(
                self.displaced(state.q, y * min(1.0, FARTHEST / max(far, 1e-300))), state.parameters, state.integrals
            )
            if (
                far <= FARTHEST
                and np.abs(after.gap(more)).max() >= 0.5 * np.abs(gap).max()
                and np.abs(gap).max() < 1e-9
            ):
                return after  # as far as round-off allows
            state = after
        return None

    def follow(self, q):
        """Angles of joints that are not coordinates, counted on from where they were; the derivatives use them."""
        self.model.follow(self.t, np.concatenate([q, np.zeros(self.compiled.n_u)]))

    def activated(self, q):
        """The rows that the time loop activates at q, where the kinematics were evaluated; None where mass is missing."""
        if not self.compiled.n_rows:
            return np.zeros(0, int)
        self.model.evaluate_inertias(np.concatenate([q, np.zeros(self.compiled.n_u)]))
        has_mass = np.isfinite(self.model.workspace.speed[:, S_DI]).all()
        return np.flatnonzero(self.model.workspace.active == 1) if has_mass else None


class StaticState:
    """One configuration at rest. Scaled vectors and matrices; `force` and `K` contain the constraint forces with
    `multipliers`."""

    def __init__(self, statics, q, parameters, integrals=None):
        self.statics, self.q, self.parameters = statics, np.array(q, float), np.array(parameters, float)
        self.integrals = np.zeros(statics.n_controller_states) if integrals is None else np.array(integrals, float)
        self.derivatives = statics.derivatives
        statics.follow(self.q)
        self._activated = statics.activated(self.q)
        self.measurement = statics.model.workspace.measurement.copy()
        self.x = self.derivatives.point(statics.t, self.q, np.zeros(statics.compiled.n_u))
        self.x[self.derivatives.x.parameters] = self.parameters
        self.x[self.derivatives.x.integrals][: statics.n_controller_states] = self.integrals
        self.z, self._by_ud = self.derivatives.along(self.x, self.derivatives.unit(self.derivatives.x.ud))  # with λ = 0
        self.load = statics.weight + statics.largest_law()

    def _along(self, directions, multipliers=None):
        self.derivatives.set_measurements(self.measurement)
        x = self.x.copy()
        if multipliers is not None:
            x[self.derivatives.x.multipliers] = multipliers
        return self.derivatives.along(x, directions)[1]

    # ---------------------------------------------------------------- constraints

    @property
    def J(self):
        """All rows over scaled speeds, each made of unit length."""
        return self._unit_rows[0]

    @property
    def row_length(self):
        return self._unit_rows[1]

    @cached_property
    def _unit_rows(self):
        return unit_rows(self._by_ud[:, self.derivatives.z.acceleration].T * self.statics.unit, self.statics.size)

    @cached_property
    def phi(self):
        """Misfit of the rows for positions, zero for the others; divided as the rows are."""
        return np.where(self.statics.holonomic, self.z[self.derivatives.z.phi], 0.0) / self.row_length

    @cached_property
    def readings(self):
        return self.z[self.derivatives.z.outputs]

    @cached_property
    def by_shifts(self):
        """Derivatives of z along every scaled change of the configuration, constraint forces included: a row for
        each."""
        return self._along(self.shift_directions(), self.multipliers)

    @cached_property
    def H(self):
        """How readings change with the scaled configuration."""
        return self.by_shifts[:, self.derivatives.z.outputs].T

    @cached_property
    def active(self):
        """The active rows: those that the time loop activates here. A row that nearly repeats others, such as that of an
        axis which is parallel to 1e-6, is not among them."""
        if self._activated is not None and len(self._activated) >= self.statics.rank:
            return self._activated
        sizes, order = independent_parts(self.J)  # near a singular position, or without mass
        known = int(np.sum(sizes[: self.statics.rank] > INDEPENDENT))
        return np.sort(order[: max(known, int(np.sum(sizes > REPEATING)))])

    @property
    def rank(self):
        return len(self.active)

    def gap(self, targets=()):
        """Misfit of the active rows for positions, and of the first readings from their targets."""
        return np.concatenate([self.phi[self.active], self.readings[: len(targets)] - np.array(targets)])

    def rows(self, targets=()):
        return np.vstack([self.J[self.active], self.H[: len(targets)]])

    @cached_property
    def split(self):
        """(Q, Z): directions that the active rows forbid and those they allow, scaled, orthonormal columns."""
        Q = qr(self.J[self.active].T)[0] if self.rank else np.eye(self.J.shape[1])
        return Q[:, : self.rank], Q[:, self.rank :]

    @property
    def Z(self):
        return self.split[1]

    # ---------------------------------------------------------------- forces

    @cached_property
    def bare(self):
        """Scaled tau without constraint forces."""
        return self.statics.unit * self.z[self.derivatives.z.tau]

    @cached_property
    def multipliers(self):
        """Those that leave the least unbalanced; of rows that repeat others the smallest."""
        Q = self.split[0]  # of a row that nearly repeats others counts what it shares with them
        return least((self.J @ Q).T, Q.T @ self.bare) / self.row_length

    @cached_property
    def force(self):
        """Scaled tau: what is unbalanced."""
        Q = self.split[0]
        return self.bare - Q @ (Q.T @ self.bare)

    @cached_property
    def K(self):
        """∂tau/∂s, scaled: stiffness of laws, of gravity and of the constraint forces.  [C 70]"""
        return self.statics.unit[:, None] * self.by_shifts[:, self.derivatives.z.tau].T

    @cached_property
    def stiffness(self):
        """Of the allowed directions."""
        return self.Z.T @ self.K @ self.Z

    @cached_property
    def gradient(self):
        """Force along the allowed directions; where it is conservative, the gradient of the potential."""
        return self.Z.T @ self.bare

    @cached_property
    def scale(self):
        """The energy that what is unbalanced is compared with: of weights, laws and constraint forces, each by
        itself."""
        pushed = np.abs(self.J * (self.multipliers * self.row_length)[:, None]).max(initial=0.0)
        return float(max(np.abs(self.K).max(initial=0.0), pushed, np.abs(self.bare).max(initial=0.0), self.load))

    @property
    def unbalanced(self):
        """Relative size of the force that nothing balances."""
        left = np.linalg.norm(self.gradient)
        return np.inf if not np.isfinite(self.scale) else left / self.scale if left else 0.0

    @cached_property
    def by_controller_states(self):
        """Derivatives of z along every controller state: a row for each."""
        return self._along(
            self.derivatives.unit(self.derivatives.x.integrals)[: self.statics.n_controller_states], self.multipliers
        )

    @cached_property
    def _unknown_derivatives(self):
        directions = self.derivatives.unit(self.derivatives.x.parameters)[
            [self.statics.names.index(name) for name in self.statics.unknown]
        ]
        return self._along(directions, self.multipliers)

    @cached_property
    def by_unknowns(self):
        """∂tau/∂p of the unknown parameters, scaled: a column for each."""
        return self.statics.unit[:, None] * self._unknown_derivatives[:, self.derivatives.z.tau].T

    @property
    def phi_by_unknowns(self):
        """∂phi/∂p, divided as the rows are."""
        phi = self._unknown_derivatives[:, self.derivatives.z.phi].T
        return np.where(self.statics.holonomic, phi.T, 0.0).T / self.row_length[:, None]

    # ---------------------------------------------------------------- motion close by

    @cached_property
    def M(self):
        unit = self.statics.unit
        return unit[:, None] * self._by_ud[:, self.derivatives.z.tau].T * unit

    @cached_property
    def by_speeds(self):
        """Derivatives of z along scaled speeds of the recursion."""
        N = self._along(self.derivatives.unit(self.derivatives.x.u))[:, self.derivatives.z.qd].T
        # speeds of the state, of each change
        of_state = np.linalg.lstsq(N, self.shift_directions()[:, self.derivatives.x.q].T, rcond=None)[0]
        directions = np.zeros((self.statics.compiled.n_u, self.derivatives.n_x))
        directions[:, self.derivatives.x.u] = of_state.T
        return self._along(directions, self.multipliers)

    @cached_property
    def D(self):
        """∂tau/∂u, scaled: damping and gyroscopic forces."""
        return self.statics.unit[:, None] * self.by_speeds[:, self.derivatives.z.tau].T

    def remarks_on_discontinuities(self):
        """Sentences about laws that are not smooth at this state, across positions and across speeds."""
        from mekane.analyses.linear.discontinuities import remarks_on_discontinuities

        self.derivatives.set_measurements(self.measurement)
        directions = np.vstack([self.shift_directions(), self.derivatives.unit(self.derivatives.x.u)])
        return remarks_on_discontinuities(self.derivatives, self.x, directions)

    def laws_not_smooth(self):
        """Those across positions, and where they change: `discontinuities.laws_not_smooth`."""
        from mekane.analyses.linear.discontinuities import laws_not_smooth

        self.derivatives.set_measurements(self.measurement)
        return laws_not_smooth(self.derivatives, self.x, self.shift_directions())

    def shift_directions(self):
        directions = np.zeros((self.statics.compiled.n_u, self.derivatives.n_x))
        directions[:, self.derivatives.x.q] = (
            shift_derivatives(self.statics.primitive_i, self.q, len(directions)) * self.statics.unit[:, None]
        )
        return directions


def least(A, b):
    """The smallest solution with the least misfit."""
    return np.linalg.lstsq(A, b, rcond=INDEPENDENT)[0] if A.size else np.zeros((A.shape[1], *b.shape[1:]))


def independent_parts(J):
    """(sizes, order) by QR with pivoting: of each row, in order, the part that rows before it do not span."""
    if not len(J):
        return np.zeros(0), np.zeros(0, int)
    R, order = qr(J.T, mode="r", pivoting=True)
    return np.abs(np.diagonal(R)), order


def range_and_null(J):
    """Orthonormal bases (columns) of what rows of unit length forbid and allow."""
    n = J.shape[1]
    if not len(J):
        return np.zeros((n, 0)), np.eye(n)
    Q, R, _ = qr(J.T, pivoting=True)
    size = np.abs(np.diagonal(R))
    rank = int(np.sum(size > INDEPENDENT * max(1.0, size.max(initial=0.0))))
    return Q[:, :rank], Q[:, rank:]


def refuse_driven(state):
    """An equilibrium has zero speeds: nothing may be driven."""
    z, statics = state.derivatives.z, state.statics
    moving = np.maximum(np.abs(state.z[z.rate]), np.abs(state.z[z.acceleration])) / state.row_length
    if moving.max(initial=0.0) > 1e-9:
        row = int(moving.argmax())
        name = statics.compiled.pairs.owner(row)
        system = statics.system
        part = {**system.joints, **system.constraints, **system.contact_laws}[name].part
        problem = f"it is driven: at t = {statics.t:g} s it asks for motion ({moving[row]:.3g} per second)"
        remedy = "Ask for mk.steady, or give t= at which it rests."
        raise ModelError(part, problem, "in an equilibrium everything rests", remedy)
