"""compile: machine code made for one model, from the trace of the kernels that simulate it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mekane.compiler.compiler import compile_system
from mekane.errors import ModelError
from mekane.model.interface.kept import kept
from mekane.results.printing import Printed, Shown
from mekane.tables.columns import KIND, MIXED
from mekane.tables.handle import RHS

if TYPE_CHECKING:
    from mekane.model.system import System


def compile_model(system: System, formulation: str = "joint") -> MachineCode:
    """Machine code for a system as it is now; mk.simulate uses it from then on, until the system changes.

    Parameters:
        system: what moves.
        formulation: "joint", or a name in mekane.formulations.

    Example:
        from mekane import gallery
        s = gallery.find("pendulum").system()
        code = mk.compile(s)
        run = mk.simulate(s, 1.0)
    """
    from mekane.solvers.constraints.assembly import assemble, state_of

    compiled = compile_system(system, formulation)
    q, u = state_of(compiled, assemble(system).poses)
    code = MachineCode(compiled, np.concatenate([q, u, np.zeros(compiled.n_work)]))
    kept(system, "code")[formulation] = code.specialised
    return code


class MachineCode(Printed):
    """code.rhs(t, y) → yd;  code.forward_dynamics(q, u, tau) → ud;  code.address of  double f(int64 header, double t,
    int64 y, int64 yd).

    The active constraint rows are those at the assembled start of the system. Measured joint coordinates that laws read
    are angles between −π and π.
    """

    def __init__(self, compiled, y):
        from mekane.solvers.solver import Solver
        from mekane.solvers.specialised.call import accelerate, evaluate
        from mekane.solvers.specialised.hand_over import make

        self.compiled, self.y = compiled, y
        self._solver = solver = Solver(compiled, self.y, code="loops")
        refuse_functions(compiled)
        self._evaluate, self._forward_dynamics = evaluate.dispatcher, accelerate.dispatcher
        self.specialised = make(compiled, solver.workspace, solver.code.loops)
        self._loops, self._motion = (solver.handle.header.copy() for _ in range(2))
        self._motion[RHS] = self.address
        self._buffer, self._none = np.zeros(len(self.y) + compiled.n_u), np.zeros(compiled.n_u)
        self._place, self._n_y, self._n_q, self._n_u = self._buffer.ctypes.data, len(self.y), compiled.n_q, compiled.n_u
        self._angular_velocities_are_absolute = MIXED in compiled.tables.primitive_i[:, KIND]

    def __reduce__(self):
        return MachineCode, (self.compiled, self.y)  # addresses are those of this process

    @cached_property
    def _forced(self):
        """Address of a header that names the code of the accelerations first; made when they are first requested."""
        from mekane.codegen.specialise import accelerations
        from mekane.codegen.specialised_code import Specialised

        self._accelerations = Specialised(lambda: [accelerations(self.compiled, self._solver.workspace)], {})
        self._header = self._motion.copy()
        self._header[RHS] = self._accelerations.address("accelerations")
        return self._header.ctypes.data

    @property
    def address(self):
        """Of the right-hand side."""
        return self.specialised.address("rhs")

    @property
    def operations(self):
        """Of one evaluation of the right-hand side."""
        return self.specialised.operations["rhs"]

    @property
    def seconds(self):
        """What making it took: (tracing, compiling). Code that was found on disk takes no compiling."""
        return self.specialised.seconds

    def rhs(self, t, y):
        """yd = f(t, y) for a whole state y = (q, u, controller states, work)."""
        yd = np.empty(len(self.y))
        self._evaluate(self._motion, float(t), numbers("rhs", "y", y, len(self.y)), yd)
        return yd

    def rhs_by_loops(self, t, y):
        """The same by the loops, to compare."""
        yd = np.empty(len(self.y))
        self._evaluate(self._loops, float(t), numbers("rhs", "y", y, len(self.y)), yd)
        return yd

    def forward_dynamics(self, q, u, tau=None, t=0.0):
        """ud: how the speeds change under the laws of the model and forces tau on the speeds besides."""
        if tau is None:
            tau = self._none
        elif self._angular_velocities_are_absolute:
            expected = "in this formulation speeds are absolute angular velocities, which no force belongs to"
            raise ModelError("forward_dynamics", "tau is given", expected, 'Make the code with formulation="joint".')
        ud = np.empty(self._n_u)
        try:
            if self._forward_dynamics(self._forced, t, q, u, tau, self._place, self._n_y, self._n_q, ud):
                return ud
        except TypeError:
            pass  # no arrays as compiled code takes them
        given = dict(q=(q, self._n_q), u=(u, self._n_u), tau=(tau, self._n_u))
        q, u, tau = (numbers("forward_dynamics", analysis, *one) for analysis, one in given.items())
        self._forward_dynamics(self._forced, float(t), q, u, tau, self._place, self._n_y, self._n_q, ud)
        return ud

    def shown(self):
        tracing, compiling = self.seconds
        where = " (found on disk)" if self.specialised.machine.was_stored else ""
        rows = [
            ["speeds", self.compiled.n_u],
            ["constraint rows", self.compiled.n_rows],
            ["operations of one evaluation", self.operations],
        ]
        rows += [
            ["tracing [s]", tracing],
            [f"compiling [s]{where}", compiling],
            ["size [kB]", self.specialised.machine.size / 1000],
        ]
        return [
            Shown(f"{self.compiled.system.name}: machine code, {self.compiled.formulation} coordinates", ["", ""], rows)
        ]


def numbers(analysis, what, values, n):
    try:
        found = np.ascontiguousarray(values, float)
    except (TypeError, ValueError):
        raise ModelError(
            analysis, f"{what} is {values!r}", f"{n} numbers are expected", f"Write {what}=[0.0, …]."
        ) from None
    if found.shape != (n,):
        raise ModelError(
            analysis,
            f"{what} has the shape {found.shape}",
            f"{n} numbers are expected",
            f"Give {n} of them in one row.",
        )
    return found


def refuse_functions(compiled):
    from mekane.codegen.trace import refuse_callbacks

    refuse_callbacks(compiled)
