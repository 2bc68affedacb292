"""Accelerations from forces and forces from accelerations, for one state of a system; in the `joint` formulation by
default.

    M(q) ud + bias(q, u, t) = tau                (E.3)

q and u are ordered as `s.coordinates` and `s.speeds` (those of `joint`). tau are forces on the speeds that no law of
the model supplies: bias holds gravity and velocity terms, less what springs, motors and all other laws give. A model is
compiled on first use and again when it has changed.
"""

from __future__ import annotations

from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from mekane.compiler.compiler import compile_system
from mekane.errors import ModelError
from mekane.model.interface.kept import kept
from mekane.tables.columns import B_A, KIND, MIXED, PRIMITIVE_Q, QUATERNION

if TYPE_CHECKING:
    from numpy import ndarray
    from numpy.typing import ArrayLike

    from mekane.model.system import System


def forward_dynamics(system: System, q: ArrayLike, u: ArrayLike, t: float = 0.0, formulation: str = "joint") -> ndarray:
    """ud: how the speeds change in this state under the laws of the model; joints that close loops are constraints.

    Parameters:
        q: in the order of s.coordinates [rad, m].
        u: in the order of s.speeds [rad/s, m/s].
        t: time [s]; default 0.
        formulation: whose q and u these are; "joint" by default.

    Example:
        from mekane import gallery
        s = gallery.find("double_pendulum").system()
        q, u = s.initial_state()
        ud = s.forward_dynamics(q, u)
    """
    return prepared(system, formulation).forward("forward_dynamics", q, u, t)


def required_forces(
    system: System, q: ArrayLike, u: ArrayLike, ud: ArrayLike, t: float = 0.0, formulation: str = "joint"
) -> ndarray:
    """tau [N m, N]: the forces on the speeds that a motion with these ud needs besides the laws of the model.

    Joints that close loops are not considered: there tau holds what they and any drives have to give together. Along a
    whole motion, and with loops, mk.inverse_dynamics answers.

    Parameters:
        q: in the order of s.coordinates [rad, m].
        u: in the order of s.speeds [rad/s, m/s].
        ud: accelerations, in the same order [rad/s^2, m/s^2].
        t: time [s]; default 0.
        formulation: whose q and u these are; "joint" by default.

    Example:
        from mekane import gallery
        s = gallery.find("double_pendulum").system()
        q, u = s.initial_state()
        tau = s.required_forces(q, u, 0 * u)
    """
    model = prepared(system, formulation)
    if model.angular_velocities_are_absolute:
        M, forcing = summed(system, q, u, t, formulation)
        tau = M @ model.numbers("required_forces", "ud", ud, model.compiled.speeds, "speeds") - forcing
        if not np.isfinite(tau).all():
            model.forward("required_forces", q, u, t)  # says why
        return tau
    return model.inverse("required_forces", q, u, ud, t)


def bias_forces(system: System, q: ArrayLike, u: ArrayLike, t: float = 0.0, formulation: str = "joint") -> ndarray:
    """tau [N m, N] for ud = 0: gravity and velocity terms, less what the laws of the model supply.

    Parameters:
        q: in the order of s.coordinates [rad, m].
        u: in the order of s.speeds [rad/s, m/s].
        t: time [s]; default 0.
        formulation: whose q and u these are; "joint" by default.

    Example:
        from mekane import gallery
        s = gallery.find("double_pendulum").system()
        q, u = s.initial_state()
        bias = s.bias_forces(q, u)
    """
    return required_forces(system, q, u, np.zeros(prepared(system, formulation).compiled.n_u), t, formulation)


def mass_matrix(system: System, q: ArrayLike, formulation: str = "joint") -> ndarray:
    """M(q), symmetric; of the tree: joints that close loops are not considered.

    Parameters:
        q: in the order of s.coordinates [rad, m].
        formulation: whose q these are; "joint" by default.

    Example:
        from mekane import gallery
        s = gallery.find("double_pendulum").system()
        q, u = s.initial_state()
        M = s.mass_matrix(q)
    """
    model = prepared(system, formulation)
    if model.angular_velocities_are_absolute:
        return summed(system, q, np.zeros(model.compiled.n_u), 0.0, formulation)[0]
    return model.mass_matrix("mass_matrix", q)


def summed(system, q, u, t, formulation):
    """M and forcing as sums over bodies: where the state has absolute angular velocities (F.2), which the recursion
    does not know."""
    from mekane.analyses.state.kane import kane_equations

    found = kane_equations(system, q, u, t, formulation, own_speeds=False)
    return found.mass_matrix.values, found.forcing.values


def coordinates(system: System) -> list[str]:
    """Names of all q, in order."""
    return list(prepared(system).compiled.coordinates)


def speeds(system: System) -> list[str]:
    """Names of all u, in order."""
    return list(prepared(system).compiled.speeds)


def initial_state(system: System, formulation: str = "joint") -> tuple[ndarray, ndarray]:
    """(q, u) at the start, after assembly.

    Parameters:
        formulation: whose q and u are wanted; "joint" by default.

    Example:
        from mekane import gallery
        s = gallery.find("double_pendulum").system()
        q, u = s.initial_state()
    """
    return prepared(system, formulation).start()


@np.errstate(over="ignore", invalid="ignore")
def all_finite(values):
    """np.isfinite(values).all(), in a third of the time: the sum of squares shows it, unless that is too large
    itself."""
    flat = values.ravel()
    return isfinite(flat.dot(flat)) or bool(np.isfinite(flat).all())


# ---------------------------------------------------------------- compiled models, kept as long as their systems


def prepared(system, formulation="joint"):
    """The model of a system as it is now, in a formulation."""
    models = kept(system, "models")
    if formulation not in models:
        models[formulation] = Model(compile_system(system, formulation))
    return models[formulation]


class Model:
    """A compiled system with its workspaces."""

    def __init__(self, compiled):
        from mekane.solvers.entries import addresses, calls
        from mekane.tables.callbacks import Callbacks

        self.compiled, self.tables = compiled, compiled.tables
        kinds = self.tables.primitive_i[:, KIND]
        self.angular_velocities_are_absolute = MIXED in kinds
        self.euler_parameters = self.tables.primitive_i[kinds >= QUATERNION, PRIMITIVE_Q].tolist()  # where they begin
        self.callbacks = Callbacks(compiled.program, compiled.tables)
        self.workspace = compiled.workspace()
        self._rhs, self._evaluate_kinematics, self._evaluate_inertias, self._inverse = (
            calls.rhs,
            calls.evaluate_kinematics,
            calls.evaluate_inertias,
            calls.inverse,
        )
        self._motion = addresses.open_model(self.tables, self.workspace)
        self._forces = addresses.open_derived(self.tables, self.workspace)
        self._idle_tables = self.tables._replace(action_i=np.zeros((0, 9), np.int64))  # without laws …
        self._idle_workspace = compiled.workspace()
        self._idle_workspace.body[0, B_A : B_A + 3] = 0.0  # … and without gravity
        self._idle = addresses.open_derived(self._idle_tables, self._idle_workspace)

    def __reduce__(self):
        return type(self), (self.compiled,)  # addresses are those of this process

    def forward(self, analysis, q, u, t):
        y = np.concatenate([self.state(analysis, q, u), self.compiled.start_memory])
        return self.accelerations(analysis, self.number(analysis, "t", t), y)

    def accelerations(self, analysis, t, y):
        """ud at a whole state y."""
        if len(self.tables.row_i):
            self.measure_from_start(t, y)
        self.evaluate_inertias(y)
        yd = np.zeros(len(y))
        self._rhs(self._motion, t, y, yd)
        self.check_callbacks(analysis)
        return self.finite(analysis, yd[self.compiled.n_q : self.compiled.n_q + self.compiled.n_u])

    def finite(self, analysis, found):
        """The same, or an error that says what is not finite."""
        if not all_finite(found):
            from mekane.solvers.diagnostics import refuse_not_finite

            refuse_not_finite(analysis, self.compiled, self.workspace)
        return found

    def inverse(self, analysis, q, u, ud, t):
        n = self.compiled.n_u
        y, scratch = self.state(analysis, q, u), np.zeros(2 * n + self.compiled.n_work)
        scratch[:n] = self.numbers(analysis, "ud", ud, self.compiled.speeds, "speeds")
        t = self.number(analysis, "t", t)
        self.measure_from_start(t, y)
        if self.compiled.start_memory.any():  # which the recursion takes as zero
            return self._needed(t, y, scratch[:n])
        self._inverse(self._forces, t, y, scratch)
        self.check_callbacks(analysis)
        return self.finite(analysis, scratch[n : 2 * n].copy())

    def _needed(self, t, y, ud):
        """tau with the initial controller states."""
        self.derivatives.set_measurements(self.workspace.measurement)
        q, u = np.split(y, [self.compiled.n_q])
        return self.derivatives.at(self.derivatives.point(t, q, u, ud, integrals=self.compiled.start_memory))[
            self.derivatives.z.tau
        ]

    def mass_matrix(self, analysis, q):
        n = self.compiled.n_u
        y, M = self.state(analysis, q, np.zeros(n)), np.zeros((n, n))
        scratch = np.zeros(2 * n + self.compiled.n_work)
        for r in range(n):
            scratch[:n] = 0.0
            scratch[r] = 1.0
            self._inverse(self._idle, 0.0, y, scratch)
            M[r] = scratch[n : 2 * n]
        return 0.5 * (M + M.T)

    @cached_property
    def derivatives(self):
        """The equations with their exact derivatives."""
        from mekane.solvers.derivatives.jacobians import EquationDerivatives

        return EquationDerivatives(self.compiled)

    @cached_property
    def tree_derivatives(self):
        """A function (t, y) → ud and its derivatives by q and u; of trees whose speeds are rates of coordinates."""
        from mekane.solvers.derivatives.tree import TreeDerivatives

        return TreeDerivatives(self.derivatives)

    def active_rows(self, t, y):
        """Which constraint rows are active at a state y = (q, u): the others repeat them. True or False for
        each."""
        self.measure_from_start(t, y)
        self.evaluate_inertias(y)
        return self.workspace.active == 1

    def evaluate_inertias(self, y):
        """Choose the active constraint rows, at the state evaluated last."""
        if self.compiled.n_rows:
            self._evaluate_inertias(self._motion, 1.0, y)

    def measure_from_start(self, t, y):
        """Joint coordinates that laws read and that are not part of q: angles by less than half a turn from where they
        start."""
        self.workspace.measurement[:] = self.compiled.initial_measurements
        self.evaluate_kinematics(t, y)

    def evaluate_kinematics(self, t, y):
        """Where bodies are; joint coordinates that are not part of q: angles counted on from where they were last."""
        self._evaluate_kinematics(self._motion, t, y, self.workspace.measurement)

    def follow(self, t, y):
        """Evaluate the kinematics; the derivatives use the measured coordinates."""
        self.evaluate_kinematics(t, y)
        self.derivatives.set_measurements(self.workspace.measurement)

    def start(self):
        """(q, u) at the start, after assembly."""
        from mekane.solvers.constraints.assembly import assemble, state_of

        return state_of(self.compiled, assemble(self.compiled.system).poses)

    def measurements_near(self, known, t, y):
        """Joint coordinates that are not part of q, angles counted on from those known before."""
        found, self.workspace.measurement[:] = np.zeros(len(known)), known
        self._evaluate_kinematics(self._motion, t, y, found)
        return found

    def measure_near(self, turns, t, y):
        """As measure_from_start, with angles counted on from those known: {(joint, coordinate): value}."""
        self.measure_from_start(t, y)
        known = self.workspace.measurement.copy()
        for key, row in self.compiled.pairs.measurement.items():
            known[row] = turns.get(key, known[row])
        self.workspace.measurement[:] = self.measurements_near(known, t, y)

    def turns(self):
        """Joint coordinates that are not part of q as evaluated last: {(joint, coordinate): value}."""
        return {key: float(self.workspace.measurement[row]) for key, row in self.compiled.pairs.measurement.items()}

    # ------------------------------------------------------------ what is handed in

    def state(self, analysis, q, u):
        compiled = self.compiled
        q = self.numbers(analysis, "q", q, compiled.coordinates, "coordinates")
        u = self.numbers(analysis, "u", u, compiled.speeds, "speeds")
        for first in self.euler_parameters:
            e = q[first : first + 4]
            if not e.any():
                name = compiled.coordinates[first].rpartition(".")[0]
                raise ModelError(
                    analysis,
                    f"the Euler parameters of {name!r} in q are all zero",
                    "they have unit length, the scalar last",
                )
            e /= np.linalg.norm(e)
        return np.concatenate([q, u])

    def numbers(self, analysis, what, values, names, kind):
        try:
            values = np.array(values, float)
        except (TypeError, ValueError):
            raise ModelError(analysis, f"{what} is {values!r}", f"{len(names)} numbers are expected") from None
        values = values.reshape(1) if values.ndim == 0 else values
        if values.shape != (len(names),):
            shown = ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
            found = f"{what} has {values.size} numbers" if values.ndim == 1 else f"{what} has the shape {values.shape}"
            raise ModelError(analysis, found, f"the model has {len(names)} {kind}: {shown}")
        if not all_finite(values):
            raise ModelError(analysis, f"{what} holds numbers that are not finite", f"{len(names)} {kind} are expected")
        return values

    def number(self, analysis, what, value):
        if type(value) is float and isfinite(value):
            return value
        return float(self.numbers(analysis, what, value, [what], "number")[0])

    def check_callbacks(self, analysis):
        error, self.callbacks.error = self.callbacks.error, None
        if error is not None:
            raise ModelError(analysis, f"a Python function of the model failed: {error!r}") from error
