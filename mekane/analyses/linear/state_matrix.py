"""The state matrix of linearized motion: exact derivatives of the equations of motion at a state, for independent
changes x of that state.

With δ(.) at fixed accelerations and multipliers, in axes that rotate as K says (see steady.conditions):

    [M −Jᵀ; J 0] [δud; δλ] = −[δtau; δacceleration]              (C.1) differentiated
    dδs/dt = δu − w × δs − K δs                                  w: speeds of Euler parameters, zero for all other
    speeds dδu/dt = δud − K δu
"""

import numpy as np

from mekane.analyses.kinematics.speed_scales import size_of, units_of_speeds
from mekane.tables import columns

ROUND_OFF = 1e-12  # beside the sum of the sizes of its terms, below which an entry of A is zero


class StateMatrix:
    """A, and what belongs to it: δs = shifts x, δu = changes x, δλ = multipliers x; derivatives of z at fixed ud and λ
    are of_states x."""

    def __init__(self, local, K, independent):
        self.local, self.K, self.independent = local, K, independent
        z, (free_q, free_u, S, U, C) = local.z, independent
        n, n_i = local.compiled.n_u, len(local.compiled.integrals)
        by_shifts, by_speeds = local.by_shifts.T, local.by_speeds.T
        by_controller_states = local.derivatives.along(local.x, local.directions_of("integrals")[:n_i])[1].T
        self.of_states = np.hstack([by_shifts @ S + by_speeds @ C, by_speeds @ U, by_controller_states])
        self.shifts = np.hstack([S, np.zeros((n, len(free_u) + n_i))])
        self.changes = np.hstack([C, U, np.zeros((n, n_i))])
        ud, self.multipliers = self.apply_inverse_mass(self.of_states)
        turning = turning_of(local) - K
        rates = self.changes + turning @ self.shifts, ud - K @ self.changes, self.of_states[z.power][:n_i]
        noise = (
            np.abs(self.changes) + np.abs(turning) @ np.abs(self.shifts),
            self._noise(by_shifts, by_speeds),
            0.0 * rates[2],
        )
        pick = lambda parts: np.vstack([parts[0][free_q], parts[1][free_u], parts[2]])
        self.A = np.where(np.abs(pick(rates)) > ROUND_OFF * pick(noise), pick(rates), 0.0)
        self.uncertain = self._uncertain()

    def apply_inverse_mass(self, derivatives):
        """As Local.apply_inverse_mass, with rates of the speeds in rotated axes."""
        ud, multipliers = self.local.apply_inverse_mass(derivatives)
        return self.local.axes.T @ ud, multipliers

    def _noise(self, by_shifts, by_speeds):
        """Sums of the sizes of all terms in the rates of speeds. Entries that should vanish are round-off of these."""
        local, z = self.local, self.local.z
        terms = np.abs(by_shifts) @ np.abs(self.shifts) + np.abs(by_speeds) @ np.abs(self.changes)
        inverse = np.abs(local.solve(*np.split(np.eye(len(local.M) + len(local.J)), [len(local.M)]))[0])
        # sums inside tau
        weight = np.abs(local.M).sum(axis=1, keepdims=True) * (1.0 + np.linalg.norm(local.compiled.system.gravity))
        ud = inverse @ np.vstack([terms[z.tau] + weight, terms[z.acceleration][local.active]])
        return np.abs(local.axes.T) @ (terms[z.ud] + np.abs(local.E) @ ud) + np.abs(self.K) @ np.abs(self.changes)

    def _uncertain(self):
        """By how much entries of A may be wrong because the state is not quite steady: what is left of the rates of speeds
        turns with a shift by one, and so does its share in A."""
        local, (free_q, free_u) = self.local, self.independent[:2]
        unit = units_of_speeds(local.compiled, size_of(local.compiled.system))
        left = np.abs(imbalance(local, self.K) / unit).max(initial=0.0)
        matrix = np.zeros_like(self.A)
        matrix[len(free_q) : len(free_q) + len(free_u), : len(free_q)] = left * unit[free_u][:, None] / unit[free_q]
        return matrix

    def of_inputs(self, derivatives):
        """B, for derivatives of z along inputs."""
        ud, _ = self.apply_inverse_mass(derivatives)
        n_i = len(self.local.compiled.integrals)
        return np.vstack(
            [
                np.zeros((len(self.independent.q), derivatives.shape[1])),
                ud[self.independent.u],
                derivatives[self.local.z.power][:n_i],
            ]
        )


def imbalance(local, K):
    """du/dt less that of a steady motion, for every speed."""
    return local.here[local.z.ud] - K @ local.u


def turning_of(local):
    """δs/dt − δu over δs: −w × for Euler parameters, whose changes are expressed in axes of the body."""
    n, T = local.compiled.n_u, local.compiled.tables
    matrix = np.zeros((n, n))
    for primitive in T.primitive_i:
        if primitive[columns.KIND] >= columns.QUATERNION:
            r = slice(primitive[columns.PRIMITIVE_U], primitive[columns.PRIMITIVE_U] + 3)
            x, y, z = local.u[r]
            matrix[r, r] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]
    return local.axes.T @ matrix @ local.axes
