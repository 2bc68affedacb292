"""How the eigenvalues of linearized motion about an equilibrium change with parameters.

    dλ = yᴴ dA x / yᴴ x           A x = λ x,  yᴴ A = λ yᴴ,  A(p) at the equilibrium of p, which moves too

A holds first derivatives of the equations already. Their derivatives come by the complex step: the uncompiled kernels
are run on numbers that carry a derivative along the parameter (see algebra.jet), and the algebra that makes A of them
is repeated on complex numbers.
"""

import numpy as np
from scipy.linalg import qr

from mekane.analyses.kinematics.speed_scales import size_of, unit_rows
from mekane.analyses.linear.minimal_states import completed, independent_states
from mekane.compiler.parameter_derivatives import derivative, table_derivatives
from mekane.solvers.derivatives.uncompiled import UncompiledDerivatives

# distance of eigenvalues, and yᴴ x of unit vectors, below which a derivative does not exist or is not unique
REPEATED = 1e-6


class EigenvalueDerivatives:
    """values: eigenvalues of A, sorted by size, those with positive imaginary part first of each pair; derivatives
    (eigenvalue, parameter).

    Derivatives of repeated eigenvalues are not numbers: `repeated` marks them. dA: derivative of A for each
    parameter."""

    def __init__(self, equilibrium):
        self.equilibrium, self.parametrized = equilibrium, equilibrium.parametrized
        self.independent = independent_states(equilibrium.local)
        matrices = [self.matrix(k) for k in range(len(self.parametrized.names))]
        self.A, self.dA = matrices[0].real, np.array([derivative(A) for A in matrices])
        self.values, self.derivatives, self.repeated = eigenvalues_along(self.A, self.dA)

    def matrix(self, k):
        """A with its derivative along parameter k."""
        equilibrium, parametrized = self.equilibrium, self.parametrized
        plain = UncompiledDerivatives(
            table_derivatives(parametrized.system, parametrized.formulation, parametrized.names[k], parametrized.values)
        )
        plain.set_measurements(parametrized.model.workspace.measurement)
        x = plain.stepped(equilibrium.local.x, equilibrium.directions[k])
        return state_matrix(plain, x, equilibrium.local, self.independent)


def state_matrix(derivatives, x, local, independent):
    """As in StateMatrix, at rest, on complex numbers; independent states and active rows are known."""
    z, n, active = derivatives.z, local.compiled.n_u, local.active
    n_i = len(local.compiled.integrals)
    units = np.vstack(
        [
            derivatives.unit(derivatives.x.ud),
            derivatives.unit(derivatives.x.u),
            derivatives.unit(derivatives.x.integrals)[:n_i],
        ]
    )
    by_ud, by_u, by_i = np.split(derivatives.along(x, units)[1], [n, 2 * n])
    shifts = np.zeros((n, derivatives.n_x), complex)
    shifts[:, derivatives.x.q] = by_u[:, z.qd]
    by_s = derivatives.along(x, shifts)[1]
    S, U, C = allowed(by_s, by_u, z, local.compiled, independent)
    of_states = np.hstack([by_s.T @ S + by_u.T @ C, by_u.T @ U, by_i.T])
    J = by_ud[:, z.acceleration].T[active]
    m = len(J)
    kkt = np.block([[by_ud[:, z.tau].T, -J.T], [J, np.zeros((m, m))]])
    ud = np.linalg.solve(kkt, -np.vstack([of_states[z.tau], of_states[z.acceleration][active]]))[:n]
    changes = np.hstack([C, U, np.zeros((n, n_i))])
    speeds = of_states[z.ud] + by_ud[:, z.ud].T @ ud
    return np.vstack([changes[independent.q], speeds[independent.u], of_states[z.power][:n_i]])


def allowed(by_s, by_u, z, compiled, independent):
    """S, U, C of independent_states, with derivatives."""
    levels = np.array(compiled.pairs.levels[: compiled.n_rows])
    size = size_of(compiled.system)
    position, velocity_level, n = levels == "position", levels != "acceleration", compiled.n_u
    P, V, G = by_s[:, z.phi].T[position], by_s[:, z.rate].T[velocity_level], by_u[:, z.rate].T[velocity_level]
    others = lambda free: [r for r in range(n) if r not in free]
    free_q, free_u, dependent_q, dependent_u = (
        independent.q,
        independent.u,
        others(independent.q),
        others(independent.u),
    )
    S = completed(free_q, dependent_q, determined(P[:, dependent_q], -P[:, free_q], size))
    U = completed(free_u, dependent_u, determined(G[:, dependent_u], -G[:, free_u], size))
    C = np.zeros((n, len(free_q)), complex)
    C[dependent_u] = determined(G[:, dependent_u], -V @ S, size)
    return S, U, C


def determined(rows, right, size):
    """x with rows x = right: as many of the rows as x has numbers, those that are most independent."""
    n = rows.shape[1]
    unit, length = unit_rows(rows.real, size)
    order = qr(unit.T, pivoting=True, mode="r")[1][:n]
    return np.linalg.solve((rows / length[:, None])[order], (right / length[:, None])[order])


def eigenvalues_along(A, dA):
    """Eigenvalues, their derivatives along each dA, and which are repeated."""
    from scipy.linalg import eig

    values, left, right = eig(A, left=True, right=True)
    order = np.lexsort((-values.imag, values.real, np.round(np.abs(values), 9)))
    values, left, right = values[order], left[:, order], right[:, order]
    size = max(np.abs(values).max(initial=0.0), 1e-300)
    apart = np.abs(values[:, None] - values[None]) + np.diag(np.full(len(values), np.inf))
    product = np.sum(left.conj() * right, axis=0)
    repeated = (apart.min(axis=1, initial=np.inf) < REPEATED * size) | (np.abs(product) < REPEATED)
    with np.errstate(all="ignore"):
        derivatives = np.array([np.sum(left.conj() * (d @ right), axis=0) / product for d in dA]).T.reshape(
            len(values), len(dA)
        )
    derivatives[repeated] = np.nan
    return values, derivatives, repeated
