"""The equations of a model and their derivatives by the uncompiled kernels, on numbers with a derivative along a
parameter."""

import numpy as np

from mekane.algebra.jet import Jet
from mekane.compiler.parameter_derivatives import STEP
from mekane.kernels.residual import equations_at
from mekane.numba_backend.kernel import plain
from mekane.solvers.derivatives.jacobians import EquationDerivatives

plain_equations = plain(equations_at)


class UncompiledDerivatives(EquationDerivatives):
    """Like EquationDerivatives, for what table_derivatives found: x, directions and all results are complex, value + i
    STEP derivative along the parameter."""

    def __init__(self, found):
        self.found = found
        self.lay_out(found.compiled)
        self._tables, self._workspace = found.compiled.tables, found.compiled.workspace(object)
        n_p = len(self.compiled.system.parameters)
        self.unit_of_parameter = np.zeros(self.n_x)
        self.unit_of_parameter[self.x.parameters] = found.register_derivatives[1 : 1 + n_p]
        self.unit_of_parameter[self.x.discrete] = found.register_derivatives[self.compiled.discrete_registers]

    def __reduce__(self):
        return UncompiledDerivatives, (self.found,)

    def set_measurements(self, measurement):
        self._workspace.measurement[:] = measurement

    def stepped(self, x, derivative):
        """x with its derivative along the parameter, that of the parameter itself included."""
        return x + 1j * STEP * (derivative + self.unit_of_parameter)

    def along(self, x, directions):
        """z, and its derivatives along every row of `directions`."""
        jets, z = np.empty(self.n_x, object), np.empty(self.n_z, object)
        for j, column in enumerate(np.vstack([x[None], directions]).astype(complex).T):
            jets[j] = Jet(column.copy())
        plain_equations(self._tables, self._workspace, self._registers, jets, z)
        found = np.array(
            [one.v if isinstance(one, Jet) else np.append(one, np.zeros(len(directions))) for one in z], complex
        )
        return found[:, 0], found[:, 1:].T
