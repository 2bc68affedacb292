"""How accelerations change with the state and with forces on the speeds, exactly and at any state: what controllers and
optimisers ask for.

M ud = −tau(q, u, ud = 0)      →      M δud = −δtau at fixed ud,     δud = M⁻¹ f for forces f on the speeds
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mekane.analyses.finite_values import refuse_infinite
from mekane.analyses.state.dynamics import all_finite, prepared
from mekane.analyses.state.local_equations import Local

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from mekane.model.system import System


class Derivatives(NamedTuple):
    """Rows are accelerations of the speeds of the state, in the order of s.speeds."""

    ud: np.ndarray
    # along changes of the configuration expressed in speeds; of q itself where coordinates are angles and displacements
    by_shifts: np.ndarray
    by_speeds: np.ndarray
    by_forces: np.ndarray | None  # forces on the recursion's speeds; the inverse of the mass matrix in a tree


def forward_dynamics_derivatives(
    system: System, q: ArrayLike, u: ArrayLike, t: float = 0.0, formulation: str = "joint", forces: bool = True
) -> Derivatives:
    """ud of this state with its exact derivatives; joints that close loops and constraints are satisfied.

    Parameters:
        q: in the order of s.coordinates [rad, m].
        u: in the order of s.speeds [rad/s, m/s].
        t: time [s]; default 0.
        formulation: whose q and u these are; "joint" by default.
        forces: also by generalized forces; default True.

    Example:
        from mekane import gallery
        s = gallery.find("double_pendulum").system()
        q, u = s.initial_state()
        derivatives = s.forward_dynamics_derivatives(q, u)
    """
    model = prepared(system, formulation)
    analysis = "forward_dynamics_derivatives"
    if (
        model.compiled.n_rows == 0
        and not model.angular_velocities_are_absolute
        and model.compiled.n_q == model.compiled.n_u
    ):
        return of_tree(model, q, u, t, analysis, forces)
    local = Local(model, q, u, t, analysis=analysis)
    if not np.isfinite(local.ud).all():
        model.forward(analysis, q, u, t)  # says why
    n = model.compiled.n_u
    ud = local.apply_inverse_mass(np.hstack([local.by_shifts.T, local.by_speeds.T]))[0]
    by_forces = local.E @ local.solve(np.eye(n), np.zeros((int(local.active.sum()), n)))[0] if forces else None
    return Derivatives(local.here[local.z.ud], ud[:, :n], ud[:, n:], by_forces)


def of_tree(model, q, u, t, analysis, forces):
    """The short way where speeds are rates of coordinates and nothing is constrained."""
    n = model.compiled.n_u
    y, t = model.state(analysis, q, u), model.number(analysis, "t", t)
    if len(model.tables.row_i):
        model.measure_from_start(t, y)
    ud, found = model.tree_derivatives(t, y)
    if not all_finite(found):
        model.forward(analysis, q, u, t)  # says why, unless only derivatives are not finite
        refuse_infinite(analysis, found, model.compiled.speeds)
    by_forces = np.linalg.inv(model.derivatives.mass_matrix(y[:n], y[n:])) if forces else None
    return Derivatives(ud, found[:, :n], found[:, n:], by_forces)
