"""How an equilibrium moves with parameters: its equations differentiated once more.  [C 70]

    tau(q, λ, i, p) = 0,    rates of controller states(q, i, p) = 0,    φ(q, p) = 0

    [tau_s  tau_i  −Jᵀ] [ds]      [tau_p ]
    [r_s    r_i     0 ] [di]  = − [rate_p]           ds: change of the configuration expressed in speeds, dq = N ds
    [φ_s    0       0 ] [dλ]      [φ_p   ]

Where nothing holds a direction (neutral equilibrium), the equilibrium is taken not to move along it.
"""

import numpy as np

from mekane.analyses.state.local_equations import Local
from mekane.errors import ModelError

AT_REST = 1e-6  # accelerations beside those at work
RANK = 1e-11
SOLVED = 1e-7


class EquilibriumDerivatives:
    """dq, integrals, multipliers (parameter, …) of an equilibrium of a ParametrizedSystem, and `directions`: how x
    changes with each parameter."""

    def __init__(self, parametrized, q, integrals=None, t=0.0, turns=None):
        self.parametrized = parametrized
        compiled, n_i = parametrized.compiled, len(parametrized.compiled.integrals)
        all_integrals = compiled.start_memory
        if integrals is not None:
            all_integrals[:n_i] = integrals
        still, analysis = np.zeros(compiled.n_u), parametrized.analysis
        self.local = local = Local(
            parametrized.model, q, still, t, integrals=all_integrals, analysis=analysis, turns=turns
        )
        parametrized.by_parameters.set_measurements(parametrized.model.workspace.measurement)
        refuse_moving(local, parametrized.analysis)
        local.x[local.derivatives.x.ud] = 0.0
        self.n_i = n_i
        self.solve()

    def solve(self):
        local, z, n, n_i = self.local, self.local.z, self.local.compiled.n_u, self.n_i
        levels = np.array(local.compiled.pairs.levels[: local.compiled.n_rows])
        position = local.active & (levels == "position")
        power = slice(z.power.start, z.power.start + n_i)
        by_s, by_i = local.by_shifts, local.derivatives.along(local.x, local.directions_of("integrals")[:n_i])[1]
        by_p = self.parametrized.by_parameters.along(
            local.x, np.zeros((len(self.parametrized.names), local.derivatives.n_x))
        )[1]
        rows = lambda d: np.vstack([d[:, z.tau].T, d[:, power].T, d[:, z.phi].T[position]])
        m = len(local.J)
        by_multipliers = np.vstack([-local.J.T, np.zeros((n_i + position.sum(), m))])
        found = solved(np.hstack([rows(by_s), rows(by_i), by_multipliers]), -rows(by_p), self.parametrized)
        ds, di, multipliers = np.split(found.T, [n, n + n_i], axis=1)
        self.dq, self.integrals = ds @ local.N.T, di
        self.multipliers = np.zeros((len(ds), local.compiled.n_rows))
        self.multipliers[:, local.active] = multipliers
        x = local.derivatives.x
        self.directions = np.zeros((len(ds), local.derivatives.n_x))
        self.directions[:, x.q], self.directions[:, x.multipliers] = self.dq, self.multipliers
        self.directions[:, x.integrals.start : x.integrals.start + n_i] = di

    def outputs(self):
        """What is requested, and its derivatives (output, parameter)."""
        z, changes = self.parametrized.by_parameters.along(self.local.x, self.directions)
        return z[self.local.z.outputs], changes[:, self.local.z.outputs].T


def solved(matrix, right, parametrized):
    """The smallest solution; an error if there is none, which means that the equilibrium does not go on."""
    rows, columns = (np.maximum(np.abs(matrix).max(axis=axis, initial=0.0), 1e-300) for axis in (1, 0))
    scaled = matrix / np.sqrt(np.outer(rows, columns))
    left = right / np.sqrt(rows)[:, None]
    found = np.linalg.lstsq(scaled, left, rcond=RANK)[0]
    missed = np.abs(scaled @ found - left).max(axis=0, initial=0.0) > SOLVED * (
        1e-300 + np.abs(left).max(axis=0, initial=0.0)
    )
    if missed.any():
        name = parametrized.names[int(np.argmax(missed))]
        problem = f"this equilibrium does not go on when {name!r} changes: its stiffness vanishes along a direction that {name!r} loads"
        raise ModelError(
            f"{parametrized.analysis} of {parametrized.system.name!r}",
            problem,
            "an equilibrium away from limit points and bifurcations",
        )
    return found / np.sqrt(columns)[:, None]


def refuse_moving(local, analysis):
    """Only at rest."""
    scale = 1.0 + np.linalg.norm(local.compiled.system.gravity)
    ud = local.here[local.z.ud]
    if not np.abs(ud).max(initial=0.0) <= AT_REST * scale:
        r = int(np.argmax(np.abs(ud)))
        problem = (
            f"this is no equilibrium: {local.compiled.speeds[r]!r} would change by {ud[r]:.3g} per second (SI units)"
        )
        raise ModelError(analysis, problem, "a state of rest", "Find one with mk.equilibrium(s) and give it as at=.")
