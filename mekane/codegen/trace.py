"""A compiled model run once on symbols: the kernels of the time loop, uncompiled, leave behind the expressions of what
they compute.

What comes out is what is computed: there is no second copy of any equation. Inputs carry the names of the model,
    t    q "hinge.angle"    u "hinge.angle.rate"    integrals "pid.integral"    ud "hinge.angle.rate'"    multipliers
    "loop.lambda1"
and parameters, where they are kept as symbols, their own.
"""

import gc
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple

import numpy as np

from mekane.algebra.vectors import add, cross, mat, rotate, rotate_back, sub, vec
from mekane.errors import ModelError
from mekane.expressions.graph import Expr, differentiate_along, jacobian, symbol
from mekane.expressions.node import scalar
from mekane.kernels.articulated_body import body_inertia_and_bias
from mekane.kernels.inverse_dynamics import momentum_and_energy
from mekane.kernels.kinematics import forward_kinematics, state_rates
from mekane.kernels.mass_matrix import compose, mass_matrix
from mekane.kernels.residual import equations
from mekane.kernels.rhs import rhs
from mekane.numba_backend.kernel import plain
from mekane.tables.columns import (
    ACTION_ELEMENT,
    ACTION_NONCONSERVATIVE,
    ACTION_R,
    B_P,
    B_R,
    B_V,
    B_W,
    BRYAN,
    KIND,
    MIXED,
    PARENT,
    PRIMITIVE_BODY,
    PRIMITIVE_Q,
    PRIMITIVE_U,
    QUATERNION,
    T_MASS,
    T_MC,
    Y_PHI,
    Y_RATE,
)
from mekane.tables.tables import N_ACTIVE, REFINEMENTS, workspace

plain_rhs, plain_equations, plain_inertia, plain_energy = (
    plain(rhs),
    plain(equations),
    plain(body_inertia_and_bias),
    plain(momentum_and_energy),
)
plain_kinematics_kernel, plain_rates, plain_compose, plain_mass_matrix = (
    plain(forward_kinematics),
    plain(state_rates),
    plain(compose),
    plain(mass_matrix),
)
add, cross, mat, rotate, rotate_back, sub, vec = (
    plain(function) for function in (add, cross, mat, rotate, rotate_back, sub, vec)
)

NO_LAWS = np.zeros((0, 9), np.int64)


@contextmanager
def undisturbed():
    """No search for garbage meanwhile: a graph that grows has none in cycles, and going through it again and again
    takes longer than it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class Balance(NamedTuple):
    """What `equations` leaves: forces on speeds that a motion with these ud and multipliers still needs, and the
    constraint rows."""

    tau: list
    power: list  # rates of integrals, then of the work of non-conservative elements
    acceleration: list  # of the rows
    phi: list
    rate: list
    registers: list  # of the laws


class Rows(NamedTuple):
    """Constraint rows: residual, rate, and acceleration = B ud + bias. `levels` says which of them each row is an
    equation for, and `vanishing` is just that one of each."""

    names: list
    levels: list  # "position", "velocity" or "acceleration"
    phi: list
    rate: list
    B: np.ndarray  # (rows, speeds)
    bias: list
    vanishing: list


class Trace:
    """Expressions of a compiled model, in its coordinates and speeds. Each analysis runs the kernels once and keeps the
    answer.

    tables, registers, gravity: those of the compiled model unless others are given, with expressions in place of
        numbers. active, scale: which constraint rows the right-hand side has active, and their scales; all, and ones,
        unless specified.
    sequences: of Bryan angles, numbers.
    """

    def __init__(self, compiled, tables=None, registers=None, gravity=None, active=None, scale=None, sequences=None):
        refuse_callbacks(compiled)
        self.compiled, self.tables = compiled, compiled.tables if tables is None else tables
        self.registers = compiled.workspace().r if registers is None else registers
        self.gravity = objects(compiled.system.gravity if gravity is None else gravity)
        self.active, self.scale = active, scale
        self.t = symbol("t")
        self.q = [symbol(name) for name in compiled.coordinates]
        for k, iq in enumerate(self.tables.primitive_i[self.tables.primitive_i[:, KIND] == BRYAN, PRIMITIVE_Q]):
            self.q[iq + 1] = 0.0 if sequences is None else float(sequences[k])
        self.u = [symbol(name) for name in compiled.speeds]
        self.integrals = [symbol(f"{name}.integral") for name in compiled.integrals]
        self.ud = [symbol(f"{name}'") for name in compiled.speeds]
        self.multipliers = [symbol(name) for name in row_names(compiled)]

    @property
    def kernel_speeds(self):
        """What the kernels get for the speeds of the formulation: these themselves, unless the equations are given by
        others."""
        return self.u

    # ---------------------------------------------------------------- motion

    @undisturbed()
    def right_hand_side(self):
        """yd = f(t, y) as the time loop has it: rates of coordinates, speeds and integrals, then the power of
        losses."""
        y = objects([*self.q, *self.kernel_speeds, *self.integrals, *[0.0] * len(self.compiled.elements)])
        yd = np.zeros(len(y), object)
        plain_rhs(self.tables, self.workspace(), self.t, y, yd)
        return scalars(yd)

    @cached_property
    def qd(self):
        """Rates of the coordinates, in speeds."""
        W, c = self.moved, self.compiled
        qd = np.zeros(c.n_q, object)
        plain_rates(
            self.tables.body_i,
            self.tables.primitive_i,
            W.body,
            objects(self.q),
            objects(self.kernel_speeds),
            qd,
            np.zeros(c.n_u, object),
        )
        return scalars(qd)

    @cached_property
    def moved(self):
        """A workspace after `forward_kinematics`."""
        W, T = self.workspace(), self.tables
        plain_kinematics_kernel(
            T.body_i,
            T.body_f,
            T.primitive_i,
            T.primitive_f,
            T.speed_kind,
            objects(self.q),
            objects(self.kernel_speeds),
            W.body,
            W.speed,
        )
        return W

    def rate_of(self, x):
        """d/dt of an expression of t, q and u, along the motion."""
        rates = zip((*self.q, *self.u), (*self.qd, *self.ud), strict=True)
        return differentiate_along(x, {self.t: 1.0} | {one: rate for one, rate in rates if isinstance(one, Expr)})

    @cached_property
    @undisturbed()
    def recursion_speeds(self):
        """(T, Td): speeds of the recursion are T u, with d/dt T. Other than those of the state where these are absolute
        angular velocities (F.2)."""
        relative = list(self.u)
        for s in np.flatnonzero(self.tables.primitive_i[:, KIND] == MIXED):
            i, r = self.tables.primitive_i[s, PRIMITIVE_BODY], self.tables.primitive_i[s, PRIMITIVE_U]
            carried = rotate_back(
                mat(self.moved.body, i, B_R), vec(self.moved.body, self.tables.body_i[i, PARENT], B_W)
            )
            relative[r : r + 3] = sub(relative[r : r + 3], carried)
        T = self.by_speeds(relative).T
        return T, matrix([[self.rate_of(x) for x in row] for row in T], T.shape)

    @property
    def units(self):
        """Euler parameters, four by four: the sum of their squares is one."""
        first = self.tables.primitive_i[self.tables.primitive_i[:, KIND] >= QUATERNION, PRIMITIVE_Q]
        return [self.q[iq : iq + 4] for iq in first]

    @property
    def is_absolute(self):
        return bool(np.any(self.tables.primitive_i[:, KIND] == MIXED))

    def of_recursion(self, ud):
        """Accelerations of the recursion for those of the state."""
        if not self.is_absolute:
            return ud
        T, Td = self.recursion_speeds
        return times(T, ud, times(Td, self.u))

    def of_state(self, tau):
        """Forces on the speeds of the state from those on the recursion's."""
        return times(self.recursion_speeds[0].T, tau) if self.is_absolute else tau

    # ---------------------------------------------------------------- equations

    @cached_property
    def inverse_inward_pass(self):
        """The equations of motion as a residual, with ud and multipliers as symbols."""
        return self.balanced(ud=self.ud, multipliers=self.multipliers)

    @undisturbed()
    def balanced(self, ud=None, multipliers=None, laws=True, gravity=True):
        """The same with zeros for what is not given: so each of them can be had one by one."""
        return self.moved_so(ud, multipliers, self.tables.action_i if laws else NO_LAWS, gravity)[0]

    def moved_so(self, ud=None, multipliers=None, actions=NO_LAWS, gravity=True):
        """The balance, and the workspace that `equations` leaves: wrenches, accelerations and rows of every body."""
        c, T = self.compiled, self.tables._replace(action_i=actions)
        W = self.workspace(T, self.gravity if gravity else [0.0] * 3)
        W.multiplier[:] = 0.0 if multipliers is None else multipliers
        ud = self.of_recursion([0.0] * c.n_u if ud is None else ud)
        tau, qd, ud_state, acceleration, power = (
            np.zeros(n, object) for n in (c.n_u, c.n_q, c.n_u, c.n_rows, c.n_work)
        )
        integrals = objects([*self.integrals, *[0.0] * len(c.elements)])
        plain_equations(
            T,
            W,
            self.t,
            objects(self.q),
            objects(self.kernel_speeds),
            integrals,
            objects(ud),
            tau,
            qd,
            ud_state,
            acceleration,
            power,
        )
        tau = self.of_state(scalars(tau))
        return Balance(
            tau, *map(scalars, (power, acceleration, W.row[: c.n_rows, Y_PHI], W.row[: c.n_rows, Y_RATE], W.r))
        ), W

    @cached_property
    @undisturbed()
    def mass_matrix(self):
        """M, by composite bodies. (E.3)"""
        W, T, n = self.workspace(), self.tables, self.compiled.n_u
        M = np.zeros((n, n), object)
        plain_kinematics_kernel(
            T.body_i,
            T.body_f,
            T.primitive_i,
            T.primitive_f,
            T.speed_kind,
            objects(self.q),
            objects(self.kernel_speeds),
            W.body,
            W.speed,
        )
        plain_compose(T.body_i, T.body_f, W.body)
        plain_mass_matrix(T.body_i, T.speed_kind, W.body, W.speed, M)
        if self.is_absolute:
            T = self.recursion_speeds[0]
            M = T.T @ M @ T
        return matrix(M, (n, n))

    @cached_property
    def forcing(self):
        """M ud = forcing + Bᵀ multipliers"""
        return [-x for x in self.balanced().tau]

    @cached_property
    def inertia_forces(self):
        """F_r*: −(M ud + velocity terms)"""
        return [-x for x in self.balanced(ud=self.ud, laws=False, gravity=False).tau]

    @cached_property
    def active_forces(self):
        """F_r: what laws and gravity give on each speed."""
        carried = self.balanced(laws=False, gravity=False).tau
        return [v - x for v, x in zip(carried, self.balanced().tau, strict=True)]

    @cached_property
    @undisturbed()
    def forces_without_potential(self):
        """What laws give on each speed beside the potentials of `energies`: the registers of losses act in place of the
        laws' values."""
        actions = self.tables.action_i[self.tables.action_i[:, ACTION_ELEMENT] >= 0].copy()
        actions[:, ACTION_R : ACTION_R + 3] = actions[:, ACTION_NONCONSERVATIVE : ACTION_NONCONSERVATIVE + 3]
        carried = self.balanced(laws=False, gravity=False).tau
        acted = self.moved_so(actions=actions, gravity=False)[0].tau
        return [v - x for v, x in zip(carried, acted, strict=True)]

    @cached_property
    @undisturbed()
    def rows(self):
        c, inverse_inward_pass = self.compiled, self.inverse_inward_pass
        B = matrix(jacobian(inverse_inward_pass.acceleration, self.ud), (c.n_rows, c.n_u))
        levels = list(c.pairs.levels[: c.n_rows])
        residuals = {
            "position": inverse_inward_pass.phi,
            "velocity": inverse_inward_pass.rate,
            "acceleration": inverse_inward_pass.acceleration,
        }
        vanishing = [residuals[level][k] for k, level in enumerate(levels)]
        return Rows(
            row_names(c),
            levels,
            inverse_inward_pass.phi,
            inverse_inward_pass.rate,
            B,
            self.balanced().acceleration,
            vanishing,
        )

    @cached_property
    def energies(self):
        """Kinetic energy, potential energy of gravity, and {force: its potential energy}."""
        W, out = self.moved, np.zeros(8, object)
        plain_inertia(self.tables.body_f, W.body)
        plain_energy(self.tables.body_f, W.body, W.speed, objects(self.kernel_speeds), out)
        registers = self.inverse_inward_pass.registers
        return (
            scalar(out[0]),
            scalar(out[1]),
            {name: registers[r] for name, r in self.compiled.energy_registers.items()},
        )

    # ---------------------------------------------------------------- bodies

    def turn(self, name):
        """R_NB of a body's axes as the user gave them, 3×3."""
        i, frames = self.compiled.frames.row[name], self.compiled.frames
        return matrix(
            np.array(mat(self.moved.body, i, B_R), object).reshape(3, 3) @ frames.R_BU[i].astype(object), (3, 3)
        )

    def angular_velocity(self, name):
        """w_NB, world axes."""
        return objects(vec(self.moved.body, self.compiled.frames.row[name], B_W))

    def mass_centre(self, name):
        """The mass centre in the body's own frame."""
        frames, body_f = self.compiled.frames, self.tables.body_f
        i = frames.row[name]
        mass = body_f[i, T_MASS]
        if isinstance(mass, Expr) or mass != 0.0:
            return [x / mass for x in body_f[i, T_MC : T_MC + 3]]
        return frames.point(name, self.compiled.system.bodies[name].com)

    def point(self, name, place):
        """Position and velocity of a point that is given in the body's own frame, world axes."""
        i, body = self.compiled.frames.row[name], self.moved.body
        arm = rotate(mat(body, i, B_R), place)
        return objects(add(vec(body, i, B_P), arm)), objects(add(vec(body, i, B_V), cross(vec(body, i, B_W), arm)))

    def by_speeds(self, vector):
        """Partial velocities of a vector that is linear in the speeds: one row for each speed."""
        return matrix(jacobian(vector, self.u), (len(vector), len(self.u))).T

    # ---------------------------------------------------------------- workspace

    def workspace(self, tables=None, gravity=None):
        """A workspace of symbols with the active rows. Without regularization: active rows are taken to be
        independent."""
        W = workspace(tables or self.tables, self.registers, self.gravity if gravity is None else gravity, object)
        W.regularization[0], W.state[REFINEMENTS] = 0.0, 0
        if self.active is not None:
            W.active[:] = self.active
            W.state[N_ACTIVE] = int(np.sum(self.active))
        if self.scale is not None:
            W.scale[:] = self.scale
        return W


def row_names(compiled):
    """Of every constraint row: its owner's name, counted from one."""
    names = [""] * compiled.n_rows
    for owner, rows in compiled.pairs.rows_of.items():
        for k, row in enumerate(rows, 1):
            names[row] = f"{owner}.lambda{k}"
    return names


def refuse_callbacks(compiled):
    """Python functions that could not be traced have no expression."""
    for collection in (compiled.system.forces, compiled.system.constraints):
        for record in collection.values():
            for field, value in vars(record).items():
                for one in value if isinstance(value, tuple) else (value,):
                    if getattr(one, "callback", None) is not None:
                        problem = f"{field} is a Python function that has no expression ({one.reason})"
                        remedy = "Write it as an expression text or a table, or with mk.select(condition, yes, no) instead of if."
                        raise ModelError(record.part, problem, "equations are made of expressions", remedy)


def objects(values):
    """An array of scalars of any kind."""
    found = np.empty(len(values), object)
    found[:] = list(values)
    return found


def scalars(values):
    return [scalar(x) for x in values]


def matrix(values, shape):
    found = np.empty(shape, object)
    for place in np.ndindex(shape):
        found[place] = scalar(values[place[0]][place[1]])
    return found


def times(A, x, b=None):
    """A x + b"""
    return [
        sum((a * one for a, one in zip(row, x, strict=True)), 0.0 if b is None else b[i]) for i, row in enumerate(A)
    ]
