"""The mechanism as contact laws see it at one instant, without any of their forces: D of all rows, their rates and
accelerations, energies; and what impulses on rows do to the speeds.  (N.3), (N.8)"""

from mekane.kernels.articulated_body import apply_inverse_mass, body_inertia_and_bias
from mekane.kernels.inverse_dynamics import momentum_and_energy
from mekane.kernels.multipliers import gather, row_acceleration, spread
from mekane.kernels.projection import to_absolute_angular_velocities
from mekane.kernels.rhs import rhs
from mekane.kernels.row_scales import measure_contact_scales
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import Y_RATE
from mekane.tables.tables import N_Q, N_ROWS, N_U


@kernel
def contact_problem(T, W, t, y, yd, D, rate, acceleration, energy):
    """D (rows, rows), rates and accelerations of all constraint rows with the modes now in W; energies and momenta.
    Scales of rows of contact laws are those of this state."""
    n = T.count[N_ROWS]
    rhs(T, W, t, y, yd)
    measure_contact_scales(T, W, 1)
    for j in range(n):
        rate[j] = W.row[j, Y_RATE]
        acceleration[j] = row_acceleration(j, T.row_i, T.term_i, W.body, W.row, W.term)
        W.order[1, j], W.active[j] = W.active[j], 1
    gather(T, W, W.force[1])
    for j in range(n):
        W.active[j] = W.order[1, j]
        for k in range(n):
            D[j, k] = 0.0
    for j in range(n):
        for p in range(T.d_start[j], T.d_start[j + 1]):
            k = T.d_row[p]
            D[j, k] = D[k, j] = W.D[p] / (W.scale[j] * W.scale[k])
    body_inertia_and_bias(T.body_f, W.body)
    momentum_and_energy(T.body_f, W.body, W.speed, y[T.count[N_Q] : T.count[N_Q] + T.count[N_U]], energy)


@kernel
def answer_to_impulses(T, W, impulses, x):
    """After `contact_problem`: change of the speeds by impulses on rows."""
    for j in range(impulses.shape[0]):
        impulses[j] = impulses[j] / W.scale[j]
    spread(T.row_i, T.e_start, T.speed_start, T.path_speed, W.E, impulses, W.force[0])
    apply_inverse_mass(T.body_i, T.speed_kind, W.wrench, W.speed, W.body, W.force[0], x)
    to_absolute_angular_velocities(T.primitive_i, W.body, W.wrench, x)
