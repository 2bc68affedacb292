"""Entries: positions, velocities, rows and measurements of a state."""

from mekane.kernels.constraint_rows import write_rows
from mekane.kernels.contact_guards import write_guards
from mekane.kernels.forces import expected, unwrapped
from mekane.kernels.projection import evaluate_kinematics
from mekane.numba_backend.kernel import entry
from mekane.tables.columns import ANGLE, ROW_KIND, Y_PHI, Y_RATE
from mekane.tables.handle import SIGNATURE, floats1, unpack
from mekane.tables.tables import FOLLOWING, N_Q, N_READ, N_U


@entry(SIGNATURE)
def kinematics_entry(header, t, a, b):
    """Everything that follows from the state a at time t without forces: positions, velocities, rows.
    b: every measurement, turns counted, or 0 if not needed."""
    T, W = unpack(header)
    n_q, n_u = T.count[N_Q], T.count[N_U]
    y, measurement = floats1(a, n_q + n_u), floats1(b, T.row_i.shape[0])
    evaluate_kinematics(T, W, t, y[:n_q], y[n_q:])
    if T.contact_i.shape[0] > 0:
        write_guards(T, W)  # of positions and speeds; those of forces have no meaning then
    if b == 0:
        return 0.0
    write_rows(T.pair_i, T.row_i, T.row_f, W.body, W.pair, W.row, W.term, T.count[N_READ], T.row_i.shape[0])
    elapsed = t - W.measurement_time[0] if W.state[FOLLOWING] == 1 else 0.0
    for k in range(T.row_i.shape[0]):
        near = expected(W.measurement, W.measurement_rate, W.row, k, elapsed)
        measurement[k] = unwrapped(W.row[k, Y_PHI], near, int(T.row_i[k, ROW_KIND] == ANGLE))
    return 0.0


@entry(SIGNATURE)
def follow_entry(header, t, a, b):
    """After `evaluate_kinematics` at time t, whose measurements are a: they are known now. From here on they are
    expected to go on as they do."""
    T, W = unpack(header)
    measurement = floats1(a, T.row_i.shape[0])
    for k in range(T.row_i.shape[0]):
        W.measurement[k] = measurement[k]
        W.measurement_rate[k] = W.row[k, Y_RATE]
    W.measurement_time[0] = t
    W.state[FOLLOWING] = 1
    return 0.0
