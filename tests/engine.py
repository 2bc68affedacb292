"""The engine opened up for tests: a compiled system at its assembled start; kernels compiled, in plain Python or on
other scalars."""

from functools import lru_cache

import numpy as np

from mekane.compiler.compiler import compile_system
from mekane.kernels import inverse_dynamics, projection
from mekane.kernels import rhs as physics
from mekane.kernels.articulated_body import body_inertia_and_bias
from mekane.kernels.constraint_rows import write_rows
from mekane.kernels.embedding import rhs_embedded
from mekane.numba_backend.kernel import plain
from mekane.solvers.constraints.assembly import assemble, poses_of, state_of
from mekane.solvers.entries.addresses import open_derived, open_model
from mekane.solvers.entries.calls import derive, evaluate_inertias, evaluate_kinematics, partition, rhs
from mekane.solvers.entries.calls import inverse as inverse_at
from mekane.tables import columns as at
from mekane.tables.columns import OUT
from mekane.tables.tables import N_ACTIVE

STEP = 1e-30  # of the complex step: its square vanishes beside anything

plain_rhs = plain(physics.rhs)
plain_embedded = plain(rhs_embedded)
plain_derive = plain(physics.derive)
plain_kinematics = plain(projection.evaluate_kinematics)
plain_rows = plain(write_rows)
plain_inertia = plain(body_inertia_and_bias)
plain_rates = plain(physics.state_rates)
plain_accelerate = plain(inverse_dynamics.accelerations_from_ud)


@lru_cache(maxsize=128)
def built(build):
    """A system and its assembled poses, which are the same for all formulations."""
    system = build()
    return system, assemble(system).poses


@lru_cache(maxsize=512)
def compiled_of(build, formulation):
    return compile_system(built(build)[0], formulation)


class Model:
    """A system in a formulation, at its assembled start, with the rows to hold chosen.

    system: a System, or the function that builds it: then tests share it, and what it was compiled to. Models have a
    workspace of their own each; nothing else is written to."""

    def __init__(self, system, formulation="joint", constraints="multipliers"):
        if callable(system):
            (self.system, poses), self.compiled = built(system), compiled_of(system, formulation)
        else:
            self.system, self.compiled = system, compile_system(system, formulation)
            poses = assemble(system).poses
        self.constraints, self.embedded = constraints, constraints == "embedded"
        self.T, self.W = self.compiled.tables, self.compiled.workspace(embedded=self.embedded)
        self.n_q, self.n_u, self.n_rows = self.compiled.n_q, self.compiled.n_u, self.compiled.n_rows
        q, u = state_of(self.compiled, poses)
        self.y = np.concatenate([q, u, np.zeros(self.compiled.n_work)])
        self.handle = open_model(self.T, self.W, constraints)
        self.choose(self.y)

    def choose(self, y, t=0.0):
        """Active constraint rows and measurements, as a solver does at its start."""
        evaluate_kinematics(self.handle, t, y, self.W.measurement)
        evaluate_inertias(self.handle, 1.0, y)
        if self.embedded:
            partition(self.handle, 0.0)

    def somewhere(self, seed=0, far=0.3):
        """A state away from the start, on no constraint: all coordinates changed, speeds of order one."""
        rng = np.random.default_rng(seed)
        y = self.y.copy()
        free = np.array([not name.endswith(".sequence") for name in self.compiled.coordinates], bool)
        y[: self.n_q] += far * rng.uniform(-1, 1, self.n_q) * free
        y[self.n_q : self.n_q + self.n_u] += rng.uniform(-1, 1, self.n_u)
        projection.shift(self.T.primitive_i, y[: self.n_q], np.zeros(self.n_u))  # Euler parameters of unit length
        return y

    def on_the_way(self, t=0.2):
        """A state that meets all constraints, reached by the motion itself."""
        from mekane.solvers.solver import Solver

        solver = Solver(self.compiled, self.y, rtol=1e-6, atol=1e-9)
        solver.step(t)
        return solver.y.copy()

    # ---------------------------------------------------------------- compiled

    def rhs(self, t, y):
        yd = np.zeros(len(y))
        rhs(self.handle, t, np.array(y, float), yd)
        return yd

    def evaluate_kinematics(self, y):
        """Workspace with places, motions and rows of a state."""
        evaluate_kinematics(self.handle, 0.0, np.array(y, float), np.zeros(len(self.T.row_i)))
        return self.W

    def poses(self, y):
        return poses_of(self.compiled, self.evaluate_kinematics(y))

    def derive(self, t, y):
        """yd, then kinetic energy, potential energy of gravity, momenta; and the workspace with all forces."""
        out = np.zeros(len(y) + OUT)
        derive(open_derived(self.T, self.W), t, np.array(y, float), out)
        return out

    def inverse(self, t, y, ud):
        out = np.concatenate([ud, np.zeros(len(ud) + self.compiled.n_work)])
        inverse_at(open_derived(self.T, self.W), t, np.array(y, float), out)
        return out[len(ud) : 2 * len(ud)]

    # ---------------------------------------------------------------- plain Python, on any scalar

    def workspace(self, dtype):
        """A workspace of other scalars in the same circumstances: active rows and their scales, measurements."""
        W = self.compiled.workspace(dtype, self.embedded)
        for field in ("active", "state", "measurement", "scale", "regularization", "partition"):
            getattr(W, field)[:] = getattr(self.W, field)
        return W

    def plain_rhs(self, t, y, dtype):
        yd = np.zeros(len(y), dtype)
        (plain_embedded if self.embedded else plain_rhs)(self.T, self.workspace(dtype), t, np.array(y, dtype), yd)
        return yd

    def moved(self, y, qd, ud, t=0.0):
        """Workspace on complex numbers at t + i STEP, y + i STEP (qd, ud): imaginary parts over STEP are derivatives
        along that motion."""
        W, n_q, n_u = self.workspace(complex), self.n_q, self.n_u
        y = y[: n_q + n_u] + 1j * STEP * np.concatenate([qd, ud])
        plain_kinematics(self.T, W, t + 1j * STEP, y[:n_q], y[n_q:])
        plain_rows(self.T.pair_i, self.T.row_i, self.T.row_f, W.body, W.pair, W.row, W.term, 0, len(self.T.row_i))
        return W

    def qd(self, y):
        qd, W, q, u = np.zeros(self.n_q), self.workspace(float), y[: self.n_q], y[self.n_q : self.n_q + self.n_u]
        plain_kinematics(self.T, W, 0.0, q, u)
        plain_rates(self.T.body_i, self.T.primitive_i, W.body, q, u, qd, np.zeros(self.n_u))
        return qd

    def of_the_state(self, W, ud):
        """Rates of the speeds in the state from those of the recursion, after `accelerated`: another number for
        absolute angular_velocities (F.2)."""
        qd, ud = np.zeros(self.n_q), ud.copy()
        plain_rates(self.T.body_i, self.T.primitive_i, W.body, qd, ud, qd, ud)
        return ud

    def accelerated(self, y, ud, gravity=False, t=0.0):
        """Float workspace with the accelerations of all bodies for given ud; without gravity they are the true ones."""
        W = self.workspace(float)
        if not gravity:
            W.body[0, at.B_A : at.B_A + 3] = 0.0
        plain_kinematics(self.T, W, t, y[: self.n_q], y[self.n_q : self.n_q + self.n_u])
        plain_rows(self.T.pair_i, self.T.row_i, self.T.row_f, W.body, W.pair, W.row, W.term, 0, len(self.T.row_i))
        plain_accelerate(self.T.body_i, self.T.speed_kind, W.body, W.speed, ud)
        return W

    def energy_balance(self, t, y):
        """d(T + V − W)/dt and the largest power in it, in a state that meets all constraints."""
        self.choose(y, t)
        yd = self.rhs(t, y)
        W, out = self.workspace(complex), np.zeros(OUT, complex)
        plain_derive(self.T, W, t + 1j * STEP, y + 1j * STEP * yd, np.zeros(len(y), complex), out)
        stored = [derivative(W.r[register]) for register in self.compiled.energy_registers.values()]
        powers = np.array(
            [
                derivative(out[0]),
                derivative(out[1]),
                *stored,
                *-yd[self.n_q + self.n_u + len(self.compiled.integrals) :],
            ]
        )
        return powers.sum(), np.abs(powers).max()

    def extended_rhs(self, t, y):
        """yd by the same kernels, uncompiled, in extended precision where the processor has it."""
        W = type(self.W)(*(part.astype(np.longdouble) if part.dtype == float else part.copy() for part in self.W))
        yd = np.zeros(len(y), np.longdouble)
        plain(physics.rhs)(self.T, W, np.longdouble(t), np.array(y, np.longdouble), yd)
        return yd

    def reordering(self):
        """What another order of the same sums may change in accelerations, relative, after they have been computed:
        1e-13, more where the constraints are nearly dependent (cond of D, C.1)."""
        T, D = self.T, np.zeros((self.n_rows, self.n_rows))
        for j in range(self.n_rows):
            for p in range(T.d_start[j], T.d_start[j + 1]):
                D[j, T.d_row[p]] = D[T.d_row[p], j] = self.W.D[p]
        active = self.active
        return 1e-13 + 1e-15 * (np.linalg.cond(D[np.ix_(active, active)]) if len(active) else 1.0)

    @property
    def active(self):
        return np.flatnonzero(self.W.active) if self.W.state[N_ACTIVE] else np.zeros(0, np.int64)


def derivative(x):
    """The derivative that a complex array carries."""
    return np.asarray(x).imag / STEP


def cross_of(R_dot, R):
    """w with R_dot = w × R."""
    S = R_dot @ R.T
    return np.array([S[2, 1], S[0, 2], S[1, 0]])
