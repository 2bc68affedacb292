"""The motion of one body at one state, as one compiled call from Python: addresses are quicker handed over than
arrays."""

from numba import float64, int64, void

from mekane.numba_backend.kernel import kernel
from mekane.tables.columns import B_P, B_R, B_V, B_W
from mekane.tables.handle import KINEMATICS, call, floats1

N_MOTION = 9
POSITION, VELOCITY, ANGULAR_VELOCITY = slice(0, 3), slice(3, 6), slice(6, 9)


@kernel(exact=True, outer=True)
def body_motion(header, t, state, body, columns, arm, out):
    """Position and velocity of a point of a body, its angular velocity; world axes. All but t and columns are addresses.

    body: its row in the workspace behind the header, of so many columns.  arm: from Bo to the point, in the axes of B.
    """
    call(header, KINEMATICS, t, state, 0)
    b, r, x = floats1(body, columns), floats1(arm, 3), floats1(out, N_MOTION)
    for i in range(3):
        x[i] = b[B_R + 3 * i] * r[0] + b[B_R + 3 * i + 1] * r[1] + b[B_R + 3 * i + 2] * r[2]
        x[6 + i] = b[B_W + i]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        x[3 + i] = b[B_V + i] + (b[B_W + j] * x[k] - b[B_W + k] * x[j])
    for i in range(3):
        x[i] += b[B_P + i]


body_motion.compile(void(int64, float64, int64, int64, int64, int64, int64))
