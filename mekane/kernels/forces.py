"""Applied forces: measure what the laws read, run all laws as one tape, let their values act.  THEORY §7."""

import numpy as np

from mekane.algebra.scalar import atan2
from mekane.algebra.vectors import add, add_to, cross, dot, mat, put, rotate, scale, sub, vec
from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import (
    ACT_CONTROLLER,
    ACT_FORCE_BODY,
    ACT_FORCE_WORLD,
    ACT_LINE,
    ACT_MEASUREMENT,
    ACT_SPEED,
    ACT_TORQUE_BODY,
    ACTION_ELEMENT,
    ACTION_KIND,
    ACTION_NONCONSERVATIVE,
    ACTION_ON,
    ACTION_R,
    B_FX,
    B_P,
    B_R,
    B_TX,
    B_V,
    B_W,
    INPUT_BODY,
    INPUT_COORDINATE,
    INPUT_LENGTH,
    INPUT_LENGTH_RATE,
    INPUT_MEASUREMENT,
    INPUT_MEASUREMENT_RATE,
    INPUT_POSITION,
    INPUT_SPEED,
    INPUT_VELOCITY,
    L_E,
    L_L,
    L_LD,
    Q_ARM,
    Q_P,
    Q_V,
    ROW_TERM,
    ROW_TERM_END,
    S_TAU,
    TERM_BODY,
    Y_PHI,
    Y_RATE,
    Z_F,
    Z_T,
)


@kernel
def place_points(point_i, point_f, line_i, body, point, line):
    """Position, velocity and arm of every point a law looks at or pushes on; length and rate of every line."""
    for j in range(point.shape[0]):
        b = point_i[j]
        arm = rotate(mat(body, b, B_R), vec(point_f, j, 0))
        put(point, j, Q_ARM, arm)
        put(point, j, Q_P, add(vec(body, b, B_P), arm))
        put(point, j, Q_V, add(vec(body, b, B_V), cross(vec(body, b, B_W), arm)))
    for j in range(line.shape[0]):
        r = sub(vec(point, line_i[j, 1], Q_P), vec(point, line_i[j, 0], Q_P))
        L = np.sqrt(dot(r, r))
        e = scale(1.0 / L, r)
        put(line, j, L_E, e)
        line[j, L_L] = L
        line[j, L_LD] = dot(e, sub(vec(point, line_i[j, 1], Q_V), vec(point, line_i[j, 0], Q_V)))


@kernel
def read_inputs(
    input_i, begin, end, q, u, controller, body, row, point, line, measurement, measurement_rate, elapsed, first, r
):
    """What the laws read, inputs [begin, end), into the registers from `first` on."""
    for j in range(begin, end):
        kind, k, c = input_i[j, 0], input_i[j, 1], input_i[j, 2]
        if kind == INPUT_COORDINATE:
            r[first + j] = q[k]
        elif kind == INPUT_SPEED:
            r[first + j] = u[k]
        elif kind == INPUT_MEASUREMENT:
            r[first + j] = unwrapped(row[k, Y_PHI], expected(measurement, measurement_rate, row, k, elapsed), c)
        elif kind == INPUT_MEASUREMENT_RATE:
            r[first + j] = row[k, Y_RATE]
        elif kind == INPUT_LENGTH:
            r[first + j] = line[k, L_L]
        elif kind == INPUT_LENGTH_RATE:
            r[first + j] = line[k, L_LD]
        elif kind == INPUT_POSITION:
            r[first + j] = point[k, Q_P + c]
        elif kind == INPUT_VELOCITY:
            r[first + j] = point[k, Q_V + c]
        elif kind == INPUT_BODY:
            r[first + j] = body[k, c]
        else:
            r[first + j] = controller[k]


@kernel
def expected(measurement, measurement_rate, row, k, elapsed):
    """Where a measurement is expected from its last known value, the rate then and the rate now."""
    return measurement[k] + 0.5 * elapsed * (measurement_rate[k] + row[k, Y_RATE])


@kernel
def unwrapped(value, near, is_angle):
    """The angle equal to `value` up to whole turns that lies within half a turn of `near`."""
    if is_angle == 0:
        return value
    return near + atan2(np.sin(value - near), np.cos(value - near))


@kernel
def act(point_i, line_i, row_i, term_i, action_i, body, speed, term, point, line, r):
    """Add the values of the laws to the applied wrenches of bodies and to the forces on speeds."""
    for j in range(action_i.shape[0]):
        kind, k, reg = action_i[j, ACTION_KIND], action_i[j, ACTION_ON], action_i[j, ACTION_R]
        x = r[reg]
        if kind == ACT_SPEED:
            speed[k, S_TAU] += x
        elif kind == ACT_MEASUREMENT:
            for z in range(row_i[k, ROW_TERM], row_i[k, ROW_TERM_END]):
                add_to(body, term_i[z, TERM_BODY], B_FX, scale(x, vec(term, z, Z_F)))
                add_to(body, term_i[z, TERM_BODY], B_TX, scale(x, vec(term, z, Z_T)))
        elif kind == ACT_LINE:
            F = scale(x, vec(line, k, L_E))
            push(point_i, point, body, line_i[k, 0], F)
            push(point_i, point, body, line_i[k, 1], scale(-1.0, F))
        elif kind != ACT_CONTROLLER:
            F = (x, r[action_i[j, ACTION_R + 1]], r[action_i[j, ACTION_R + 2]])
            if kind == ACT_FORCE_WORLD:
                push(point_i, point, body, k, F)
            elif kind == ACT_FORCE_BODY:
                push(point_i, point, body, k, rotate(mat(body, point_i[k], B_R), F))
            elif kind == ACT_TORQUE_BODY:
                add_to(body, point_i[k], B_TX, rotate(mat(body, point_i[k], B_R), F))
            else:
                add_to(body, point_i[k], B_TX, F)


@kernel
def push(point_i, point, body, j, F):
    """A force at a point is the wrench (arm × F, F) about Bo  [T 5.20–5.23]."""
    add_to(body, point_i[j], B_FX, F)
    add_to(body, point_i[j], B_TX, cross(vec(point, j, Q_ARM), F))


@kernel
def nonconservative_power(point_i, action_i, u, body, row, point, line, r, power):
    """Add rates of integrals, and the power of every non-conservative element: the rate of its work, for T + V − W."""
    for j in range(action_i.shape[0]):
        element = action_i[j, ACTION_ELEMENT]
        if element >= 0:
            kind, k, reg = action_i[j, ACTION_KIND], action_i[j, ACTION_ON], action_i[j, ACTION_NONCONSERVATIVE]
            x = r[reg]
            if kind == ACT_SPEED:
                power[element] += x * u[k]
            elif kind == ACT_MEASUREMENT:
                power[element] += x * row[k, Y_RATE]
            elif kind == ACT_LINE:
                power[element] -= x * line[k, L_LD]
            elif kind == ACT_CONTROLLER:
                power[element] += x
            else:
                F = (x, r[action_i[j, ACTION_NONCONSERVATIVE + 1]], r[action_i[j, ACTION_NONCONSERVATIVE + 2]])
                if kind == ACT_FORCE_BODY or kind == ACT_TORQUE_BODY:
                    F = rotate(mat(body, point_i[k], B_R), F)
                if kind == ACT_FORCE_WORLD or kind == ACT_FORCE_BODY:
                    power[element] += dot(F, vec(point, k, Q_V))
                else:
                    power[element] += dot(F, vec(body, point_i[k], B_W))
