"""Functions of a state called from Python, at one state or at a row of them, with little around the evaluation.

header: address of a model's header. scratch: address of space for coordinates, rates of controller states and work, and
controller states. The answer is False where an array has not the length it should have.
"""

from functools import cache

from mekane.kernels.tree.functions import accelerations, tree_forces, tree_mass_matrix, unit_parameters
from mekane.numba_backend.kernel import kernel
from mekane.solvers.entries import precompile
from mekane.tables.columns import S_TAU
from mekane.tables.handle import floats1, unpack
from mekane.tables.tables import N_Q, N_U, N_WORK

NAME = "solvers/entries/tree_functions"


@kernel
def forces_at(T, W, t, q, u, ud, scratch, tau):
    n_q, n = T.count[N_Q], T.count[N_WORK]
    own, power, memory = floats1(scratch, n_q), floats1(scratch + 8 * n_q, n), floats1(scratch + 8 * (n_q + n), n)
    unit_parameters(T, q, own)
    tree_forces(T, W, t, own, u, ud, memory, power, tau)


@kernel
def accelerations_at(T, W, t, q, u, tau, scratch, ud):
    n_q, n = T.count[N_Q], T.count[N_WORK]
    own, power, memory = floats1(scratch, n_q), floats1(scratch + 8 * n_q, n), floats1(scratch + 8 * (n_q + n), n)
    unit_parameters(T, q, own)
    accelerations(T, W, t, own, u, tau, memory, power, ud)


@kernel
def mass_matrix_at(T, W, q, u, scratch, M):
    own = floats1(scratch, T.count[N_Q])
    unit_parameters(T, q, own)
    tree_mass_matrix(T, W, own, u, M)


@kernel
def fit(T, q, u, x, out):
    """True if these are as long as coordinates and speeds are many."""
    n = T.count[N_U]
    return q.shape[0] == T.count[N_Q] and u.shape[0] == n and x.shape[0] == n and out.shape[0] == n


@kernel
def rows_fit(T, q, u, x, out):
    """The same of rows, as many of each."""
    n, m = T.count[N_U], q.shape[0]
    columns = q.shape[1] == T.count[N_Q] and u.shape[1] == n and x.shape[1] == n and out.shape[1] == n
    return columns and u.shape[0] == m and x.shape[0] == m and out.shape[0] == m


@kernel
def no_forces(W):
    for r in range(W.speed.shape[0]):
        W.speed[r, S_TAU] = 0.0


@kernel(exact=True, outer=True)
def forces(header, t, q, u, ud, scratch, tau):
    """tau of one state."""
    T, W = unpack(header)
    if not fit(T, q, u, ud, tau):
        return False
    no_forces(W)
    forces_at(T, W, t, q, u, ud, scratch, tau)
    return True


@kernel(exact=True, outer=True)
def forces_of_rows(header, t, q, u, ud, scratch, tau):
    """tau of each state of a row of them."""
    T, W = unpack(header)
    if not rows_fit(T, q, u, ud, tau):
        return False
    no_forces(W)
    for k in range(q.shape[0]):
        forces_at(T, W, t, q[k], u[k], ud[k], scratch, tau[k])
    return True


@kernel(exact=True, outer=True)
def accelerate(header, t, q, u, tau, scratch, ud):
    """ud of one state."""
    T, W = unpack(header)
    if not fit(T, q, u, tau, ud):
        return False
    accelerations_at(T, W, t, q, u, tau, scratch, ud)
    return True


@kernel(exact=True, outer=True)
def accelerate_rows(header, t, q, u, tau, scratch, ud):
    """ud of each state of a row of them."""
    T, W = unpack(header)
    if not rows_fit(T, q, u, tau, ud):
        return False
    for k in range(q.shape[0]):
        accelerations_at(T, W, t, q[k], u[k], tau[k], scratch, ud[k])
    return True


@kernel(exact=True, outer=True)
def mass(header, q, u, scratch, M):
    """M of one state."""
    T, W = unpack(header)
    n = T.count[N_U]
    if q.shape[0] != T.count[N_Q] or M.shape[0] != n or M.shape[1] != n:
        return False
    mass_matrix_at(T, W, q, floats1(u, n), scratch, M)
    return True


@kernel(exact=True, outer=True)
def mass_of_rows(header, q, u, scratch, M):
    """M of each state of a row of them."""
    T, W = unpack(header)
    n, m = T.count[N_U], q.shape[0]
    if q.shape[1] != T.count[N_Q] or M.shape[0] != m or M.shape[1] != n or M.shape[2] != n:
        return False
    for k in range(m):
        mass_matrix_at(T, W, q[k], floats1(u, n), scratch, M[k])
    return True


@cache
def signatures():
    """What each of them takes. Numba is loaded here, at the first call: what a model opens before is found without it."""
    from numba import boolean, float64, int64

    one, rows, cube = float64[::1], float64[:, ::1], float64[:, :, ::1]
    of_state = lambda kind: boolean(int64, float64, kind, kind, kind, int64, kind)
    return {
        forces: of_state(one),
        accelerate: of_state(one),
        forces_of_rows: of_state(rows),
        accelerate_rows: of_state(rows),
        mass: boolean(int64, one, int64, int64, rows),
        mass_of_rows: boolean(int64, rows, int64, int64, cube),
    }


@cache
def compiled(function):
    """One of these functions, compiled for the arguments it takes; others raise TypeError."""
    with precompile.first_use(NAME):
        precompile.announce(NAME, "functions of a state")
        function.compile(signatures()[function])
    function.disable_compile()
    return function.dispatcher
