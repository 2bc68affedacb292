"""dynamics: the equations of motion of a tree as functions that are quick to call, at one state or at many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mekane.compiler.compiler import compile_system
from mekane.errors import ModelError
from mekane.model.hybrid.activity import without_contact_laws, without_inactive
from mekane.results.printing import Printed, Shown
from mekane.tables.handle import handle
from mekane.tables.tables import workspace
from mekane.tables.welded import tree_alone

if TYPE_CHECKING:
    from numpy import ndarray
    from numpy.typing import ArrayLike

    from mekane.model.system import System


def dynamics(system: System) -> Dynamics:
    """Mass matrix, required forces and accelerations of a system as it is now, as functions that are quick to call.

    The same as s.mass_matrix, s.required_forces, s.bias_forces and s.forward_dynamics, without what these look after at
    every call: numbers are not checked to be finite, and contact laws (contacts, limits, dry friction) are left out,
    whatever their state at the start.

    Parameters:
        system: what moves.

    Example:
        from mekane import gallery
        s = gallery.find("double_pendulum").system()
        functions = mk.dynamics(s)
        q, u = s.initial_state()
        M, bias = functions.mass_matrix(q), functions.bias_forces(q, u)
    """
    left_out = list(system.contact_laws)
    smooth = without_contact_laws(system, modes={}) if left_out else system
    return Dynamics(compile_system(without_inactive(smooth)), left_out)


class Dynamics(Printed):
    """M(q) ud + bias(q, u, t) = tau, in the order of s.coordinates and s.speeds.

    Each function takes one state, or rows of states, and gives as many answers. `out`: an array for the answer, so that
    nothing is allocated. One thread at a time may call: give each its own."""

    def __init__(self, compiled, left_out):
        from mekane.solvers.entries import tree_functions as functions
        from mekane.tables.callbacks import Callbacks

        self.compiled, self.left_out, self._made = compiled, left_out, functions.compiled
        self._n_q, self._n_u = compiled.n_q, compiled.n_u
        self._mass = functions.mass, functions.mass_of_rows
        self._forces = functions.forces, functions.forces_of_rows
        self._accelerate = functions.accelerate, functions.accelerate_rows
        self._callbacks = Callbacks(compiled.program, compiled.tables)
        self._alive = []
        self._tree = self._opened(tree_alone(compiled.tables), lambda tables, space: handle(tables, space, {}))
        self._whole = self._with_rows() if compiled.n_rows else self._tree
        self._zero = np.zeros(self._n_u)
        memory = compiled.start_memory
        self._scratch = np.concatenate([np.zeros(self._n_q + len(memory)), memory])
        self._at, self._still = self._scratch.ctypes.data, self._zero.ctypes.data

    def _opened(self, tables, opened):
        """Address of a header; what it names is kept alive."""
        like = self.compiled.workspace()
        space = workspace(tables, like.r, self.compiled.system.gravity)
        space.measurement[:] = like.measurement
        self._alive.append((tables, space, opened(tables, space)))
        return self._alive[-1][2].header.ctypes.data

    def _with_rows(self):
        """The whole model; the active constraint rows are those at the assembled start."""
        from mekane.solvers.constraints.assembly import assemble, state_of
        from mekane.solvers.entries.addresses import open_model
        from mekane.solvers.entries.calls import evaluate_inertias, evaluate_kinematics

        header = self._opened(self.compiled.tables, open_model)
        _, space, model = self._alive[-1]
        y = np.concatenate(state_of(self.compiled, assemble(self.compiled.system).poses))
        evaluate_kinematics(model, 0.0, y, space.measurement)
        evaluate_inertias(model, 1.0, y)
        return header

    def __reduce__(self):
        return Dynamics, (self.compiled, self.left_out)  # addresses are those of this process

    def mass_matrix(self, q: ArrayLike, out: ndarray | None = None) -> ndarray:
        """M(q), symmetric; of the tree: joints that close loops are not considered.

        Parameters:
            q: coordinates [rad, m]; or rows of them.
            out: where M goes; a new array if None.
        """
        if type(q) is np.ndarray and q.ndim == 1:
            M = np.empty((self._n_u, self._n_u)) if out is None else out
            try:
                if self._made(self._mass[0])(self._tree, q, self._still, self._at, M):
                    return M
            except TypeError:
                pass  # no arrays as compiled code takes them
        q = as_floats("mass_matrix", "q", q, self._n_q)
        M = self._answer("mass_matrix", out, (*q.shape[:-1], self._n_u, self._n_u))
        self._made(self._mass[q.ndim - 1])(self._tree, q, self._still, self._at, M)
        return M

    def required_forces(
        self, q: ArrayLike, u: ArrayLike, ud: ArrayLike, t: float = 0.0, out: ndarray | None = None
    ) -> ndarray:
        """tau [N m, N]: the forces on the speeds that a motion with these ud needs besides the laws of the model.

        Parameters:
            q, u, ud: coordinates, speeds and accelerations; or rows of them.
            t: time [s]; default 0.
            out: where tau goes; a new array if None.
        """
        return self._evaluate("required_forces", self._forces, self._tree, t, q, u, ("ud", ud), out)

    def bias_forces(self, q: ArrayLike, u: ArrayLike, t: float = 0.0, out: ndarray | None = None) -> ndarray:
        """tau [N m, N] for ud = 0: gravity and velocity terms, less what the laws of the model supply.

        Parameters:
            q, u: coordinates and speeds; or rows of them.
            t: time [s]; default 0.
            out: where tau goes; a new array if None.
        """
        return self._evaluate("bias_forces", self._forces, self._tree, t, q, u, ("ud", None), out)

    def forward_dynamics(
        self, q: ArrayLike, u: ArrayLike, tau: ArrayLike | None = None, t: float = 0.0, out: ndarray | None = None
    ) -> ndarray:
        """ud: how the speeds change under the laws of the model and forces tau on the speeds besides. Joints that close
        loops, and other constraints, are considered: those rows that are active at the assembled start.

        Parameters:
            q, u: coordinates and speeds; or rows of them.
            tau: forces on the speeds besides the laws [N m, N]; none if None.
            t: time [s]; default 0.
            out: where ud goes; a new array if None.
        """
        return self._evaluate("forward_dynamics", self._accelerate, self._whole, t, q, u, ("tau", tau), out)

    # ------------------------------------------------------------ one call

    def _evaluate(self, name, functions, header, t, q, u, named, out):
        """An answer as long as the speeds, from q, u and a third, which is zero if None, by the function for one state or for
        rows of them."""
        given, x = named
        if type(u) is np.ndarray and u.ndim == 1:
            x = self._zero if x is None else x
            out = np.empty(self._n_u) if out is None else out
            try:
                if self._made(functions[0])(header, t, q, u, x, self._at, out):
                    return self._checked(name, out)
            except TypeError:
                pass  # no arrays as compiled code takes them
        q, u = as_floats(name, "q", q, self._n_q), as_floats(name, "u", u, self._n_u)
        x = np.zeros(u.shape) if x is None else as_floats(name, given, x, self._n_u)
        same_rows(name, {"q": q, "u": u, given: x})
        out = self._answer(name, out, u.shape)
        self._made(functions[u.ndim - 1])(header, as_time(name, t), q, u, x, self._at, out)
        return self._checked(name, out)

    def _answer(self, name, out, shape):
        if out is None:
            return np.empty(shape)
        fits = isinstance(out, np.ndarray) and out.dtype == np.float64 and out.shape == shape and out.flags.c_contiguous
        if not fits:
            found = f"its shape is {out.shape}" if isinstance(out, np.ndarray) else f"it is {type(out).__name__}"
            raise ModelError(name, f"out does not fit: {found}", f"a contiguous array of floats of the shape {shape}")
        return out

    def _checked(self, name, answer):
        if self._callbacks.error is not None:
            error, self._callbacks.error = self._callbacks.error, None
            raise ModelError(name, f"a Python function of the model failed: {error!r}") from error
        return answer

    def shown(self):
        rows = [["coordinates", self._n_q], ["speeds", self._n_u], ["constraint rows", self.compiled.n_rows]]
        rows += [["contact laws left out", len(self.left_out)]]
        return [Shown(f"{self.compiled.system.name}: equations of motion as functions", ["", ""], rows)]


def as_floats(name, what, values, n):
    """One row of n numbers, or several."""
    try:
        found = np.ascontiguousarray(values, float)
    except (TypeError, ValueError):
        raise ModelError(name, f"{what} is {values!r}", f"{n} numbers are expected, or rows of {n}") from None
    if found.ndim not in (1, 2) or found.shape[-1] != n:
        raise ModelError(name, f"{what} has the shape {found.shape}", f"{n} numbers are expected, or rows of {n}")
    return found


def as_time(name, t):
    try:
        return float(t)
    except (TypeError, ValueError):
        raise ModelError(name, f"t is {t!r}", "one number is expected, seconds") from None


def same_rows(name, arrays):
    if len({array.shape[:-1] for array in arrays.values()}) > 1:
        shapes = ", ".join(f"{what} {array.shape}" for what, array in arrays.items())
        raise ModelError(name, f"the shapes are {shapes}", "all have one state, or as many rows")
