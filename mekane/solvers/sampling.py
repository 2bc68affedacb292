"""An accepted step: samples on the way from the dense output, whole turns counted, the new state projected."""

import numpy as np

from mekane.kernels.projection import make_unit, switch_sequence
from mekane.numba_backend.kernel import kernel
from mekane.solvers.contacts.incipient_sliding import turn_velocities
from mekane.solvers.entries.calls import evaluate_kinematics, follow, project
from mekane.solvers.stages import dense_stages, interpolate
from mekane.solvers.state import LARGEST_PROJECTION, LAST, NOW, PROJECT, SAMPLE, STEPS, copy
from mekane.tables.columns import Y_RATE
from mekane.tables.tables import FIRST_INPUT, N_Q

MOST_PIECES = 2000  # of a step in which measurements turn fast


@kernel(exact=True)
def keep_sample(P, record, counters, y):
    """Write the state, already projected, as the next sample."""
    i = counters[SAMPLE]
    copy(y, record.y[i])
    if record.measurement.shape[1] > 0:
        evaluate_kinematics(P, record.t[i], y, record.measurement[i])
    for k in range(record.discrete.shape[1]):
        record.discrete[i, k] = P.r[P.count[FIRST_INPUT] - record.discrete.shape[1] + k]
    counters[SAMPLE] = i + 1


@kernel(exact=True)
def accept_state(P, S, step_state, counters, y, t):
    """What happens to every accepted state: a change of sequence where Bryan angles ask for it, projection onto the
    constraints (unit Euler parameters always), turns counted."""
    n_q = P.count[N_Q]
    if switch_sequence(P.primitive_i, y[:n_q], y[n_q:]) > 0:
        step_state[LAST] = 0.0
    if counters[PROJECT] == 1:
        step_state[LARGEST_PROJECTION] = max(step_state[LARGEST_PROJECTION], project(P, t, y, S.x))
    else:
        make_unit(P.primitive_i, y)
    turn_velocities(P, S, y, t)
    if S.measurement.shape[0] > 0:
        evaluate_kinematics(P, t, y, S.measurement)
        follow(P, t, S.measurement)


@kernel(exact=True)
def measurement_stride(P, S, t_new, whole):
    """The longest time in which no measurement goes on by more than about a radian, judged by the rates at both ends of
    the step."""
    fastest = 0.0
    if S.measurement.shape[0] > 0:
        evaluate_kinematics(P, t_new, S.new, S.measurement)
        for k in range(S.measurement.shape[0]):
            fastest = max(fastest, abs(P.measurement_rate[k]), abs(P.row[k, Y_RATE]))
    return max(whole / MOST_PIECES, 1.0 / fastest) if fastest * whole > 1.0 else 2.0 * whole


@kernel(exact=True)
def follow_measurements(P, M, S, y, t, h, begin, end, stride):
    """Follow the measurements through part of a step in strides, on the dense output, so that no whole turn is lost in
    a long step."""
    n = int(np.ceil((end - begin) / stride))
    for i in range(1, n + 1):
        now = begin + (end - begin) * i / n
        interpolate(M, S, y, h, (now - t) / h, S.stage)
        evaluate_kinematics(P, now, S.stage, S.measurement)
        follow(P, now, S.measurement)


@kernel(exact=True)
def finish(P, M, S, y, step_state, counters, record, h, t_new, dense):
    """Take the step: samples on the way from the dense output, then the new state, settled on the constraints."""
    t = step_state[NOW]
    whole = t_new - t
    stride, known = measurement_stride(P, S, t_new, whole), t
    while counters[SAMPLE] < record.t.shape[0] and record.t[counters[SAMPLE]] < t_new - 1e-12 * max(
        whole, abs(t_new) * 1e-3
    ):
        if dense == 0:
            dense = 1
            dense_stages(P, M, S, y, t, h, counters)
        now = record.t[counters[SAMPLE]]
        if stride < whole and now > known:
            follow_measurements(P, M, S, y, t, h, known, now, stride)
            known = now
        interpolate(M, S, y, h, (now - t) / h, S.sample)
        if counters[PROJECT] == 1:
            project(P, now, S.sample, S.x)
        else:
            make_unit(P.primitive_i, S.sample)
        keep_sample(P, record, counters, S.sample)
    if stride < whole:
        if dense == 0:
            dense_stages(P, M, S, y, t, h, counters)
        follow_measurements(P, M, S, y, t, h, known, t_new, stride)
    copy(S.new, y)
    step_state[LAST] = whole
    accept_state(P, S, step_state, counters, y, t_new)
    step_state[NOW] = t_new
    counters[STEPS] += 1
    while counters[SAMPLE] < record.t.shape[0] and record.t[counters[SAMPLE]] <= t_new + 1e-12 * max(
        whole, abs(t_new) * 1e-3
    ):
        keep_sample(P, record, counters, y)
