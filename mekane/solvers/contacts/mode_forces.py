"""Forces and accelerations of all elements in given modes, compiled.  (N.3)–(N.5), (N.7)

As the kernels do it in a step: the rows that hold answer to the load and to friction of unit size each, with the smallest
scaled forces where they repeat one another; then sizes of friction follow, by Newton's method where the load of a joint limits
them, or where the direction in which an element begins to slide is to be found (mode INCIPIENT; kernels.incipient_sliding).
"""

from typing import NamedTuple

import numpy as np

from mekane.algebra.lu import lu, lu_solve
from mekane.algebra.symmetric import pseudo_inverse
from mekane.numba_backend.kernel import kernel
from mekane.solvers.contacts.local import STILL
from mekane.tables.columns import INCIPIENT, OPEN, SLIDING, STICKING

ITERATIONS = 30
RANK = 1e-11  # relative: rows that repeat others
LARGEST_TURN = 0.5  # rad, in one iteration
CONVERGED = 1e-14  # rad
NOTHING = 1e-3  # m/s²: round-off of accelerations is judged beside that, where there are none
NORMAL, TANGENT, TANGENTS = range(3)  # of place
NO_LOAD, SIZE, SUM = range(3)  # of load_kind: none; the size of a vector; magnitudes are summed


class ModeProblem(NamedTuple):
    """What `solve_modes` works on: m rows of k elements."""

    D: np.ndarray  # (m, m)
    acceleration: np.ndarray  # (m,)  without any force of these elements
    velocity: np.ndarray  # (m,)
    scale: np.ndarray  # (m,)
    usual_scale: np.ndarray  # (m,)  before contacts that stick share a load
    place: np.ndarray  # (k, 3) int  row of the normal (-1: none), of the first tangent, number of tangents
    friction: np.ndarray  # (k,)
    static: np.ndarray  # (k,)
    speed: np.ndarray  # (k,)  of sliding
    load_kind: np.ndarray  # (k,) int
    load_free: np.ndarray  # (k, 2)
    load_response: np.ndarray  # (2 k, m)
    sides: np.ndarray  # (k, 2)
    mode: np.ndarray  # (k,) int  requested
    direction: np.ndarray  # (k, 2)  of sliding; of INCIPIENT a guess, (0, 0): against the force that has kept it
    forces: np.ndarray  # (m,)  found
    rates: np.ndarray  # (m,)  accelerations of the rows
    violation: np.ndarray  # (k,)  how far force and acceleration of each element are from their sets, relative
    along: np.ndarray  # (k,)  acceleration of what begins to slide
    rows: np.ndarray  # (m,) int  scratch: rows that hold
    inverse: np.ndarray  # (m, m)
    basis: np.ndarray  # (m, m)
    sizes: np.ndarray  # (m,)
    answer: np.ndarray  # (m, 1 + 2 k)  forces: without friction; of unit friction, or of unit accelerations of tangents
    number: np.ndarray  # (2 k,) int  which unknowns there are
    equations: np.ndarray  # (2 k, 2 k)
    unknown: np.ndarray  # (2 k,)
    swaps: np.ndarray  # (2 k,) int


def empty_problem(m, k):
    """Of m rows and k elements, all zero."""
    zeros, integers = np.zeros, lambda *shape: np.zeros(shape, np.int64)
    return ModeProblem(
        zeros((m, m)), zeros(m), zeros(m), zeros(m), zeros(m), integers(k, 3), zeros(k), zeros(k), zeros(k), integers(k), zeros((k, 2)),
        zeros((2 * k, m)), zeros((k, 2)),
        integers(k), zeros((k, 2)), zeros(m), zeros(m), zeros(k), zeros(k), integers(m), zeros((m, m)), zeros((m, m)), zeros(m),
        zeros((m, 1 + 2 * k)), integers(2 * k), zeros((2 * k, 2 * k)), zeros(2 * k), integers(2 * k),
    )  # fmt: skip


def write_problem(problem, local):
    """What a Local gives, into a problem of its size."""
    problem.D[:], problem.acceleration[:], problem.velocity[:] = local.D, local.acceleration, local.velocity
    problem.scale[:] = problem.usual_scale[:] = local.usual_scale
    problem.load_kind[:] = NO_LOAD
    for i, e in enumerate(local.elements):
        n = len(e.tangents)
        problem.place[i] = e.normal, e.tangents[0] if n else -1, n
        problem.friction[i], problem.static[i], problem.speed[i] = e.friction, e.static, local.speed(e)
        if e.load is not None:
            write_load(problem, i, e.load)


def write_load(problem, i, load):
    n = len(load.free)
    problem.load_free[i], problem.load_response[2 * i : 2 * i + 2], problem.sides[i] = 0.0, 0.0, 0.0
    problem.load_free[i, :n], problem.load_response[2 * i : 2 * i + n] = load.free, load.response
    problem.load_kind[i], problem.sides[i, :n] = SUM if load.sums else SIZE, load.sides


@kernel(exact=True, outer=True)
def solve_modes(L):
    """Forces and accelerations in L.mode; False if directions or friction were not found."""
    answer_to_loads(L)
    found = find_sizes(L)
    m = L.forces.shape[0]
    for i in range(m):
        L.rates[i] = L.acceleration[i]
        for j in range(m):
            L.rates[i] += L.D[i, j] * L.forces[j]
    judge(L)
    return found


@kernel(exact=True)
def is_rubbing(L, e):
    """Whether it slides with friction, whose size follows from others or is given."""
    return L.mode[e] == SLIDING and L.place[e, TANGENTS] > 0 and (L.friction[e] > 0.0 or L.static[e] > 0.0)


@kernel(exact=True)
def has_given_size(L, e):
    return L.place[e, NORMAL] < 0 and L.load_kind[e] == NO_LOAD


@kernel(exact=True)
def rows_that_hold(L):
    """L.rows: their numbers. Returns how many."""
    n = 0
    for e in range(L.mode.shape[0]):
        if L.mode[e] == OPEN:
            continue
        if L.place[e, NORMAL] >= 0:
            L.rows[n] = L.place[e, NORMAL]
            n += 1
        if L.mode[e] == STICKING or L.mode[e] == INCIPIENT:
            for i in range(L.place[e, TANGENTS]):
                L.rows[n] = L.place[e, TANGENT] + i
                n += 1
    return n


@kernel(exact=True)
def answer_to_loads(L):
    """L.answer: forces of all rows; column 0 without friction that is to be found, 1 + e and 1 + k + e as for ModeProblem."""
    m, k, n = L.forces.shape[0], L.mode.shape[0], rows_that_hold(L)
    for i in range(m):
        for j in range(1 + 2 * k):
            L.answer[i, j] = 0.0
    for i in range(n):
        for j in range(n):
            L.inverse[i, j] = L.scale[L.rows[i]] * L.D[L.rows[i], L.rows[j]] * L.scale[L.rows[j]]
    pseudo_inverse(n, L.inverse, RANK, L.basis, L.sizes)
    for e in range(k):
        if is_rubbing(L, e):
            column = 0 if has_given_size(L, e) else 1 + e
            size = L.friction[e] if column == 0 else 1.0
            for i in range(L.place[e, TANGENTS]):
                L.answer[L.place[e, TANGENT] + i, column] -= size * L.direction[e, i]
    add_reactions(L, n, 0, 1.0)
    for e in range(k):
        if is_rubbing(L, e) and not has_given_size(L, e):
            add_reactions(L, n, 1 + e, 0.0)
        elif L.mode[e] == INCIPIENT:
            for i in range(2):
                add_answer_to_unit(L, n, 1 + e + i * k, L.place[e, TANGENT] + i)


@kernel(exact=True)
def add_reactions(L, n, column, share):
    """What the rows that hold answer to the forces in a column, and to this share of the free acceleration."""
    m = L.forces.shape[0]
    for i in range(n):
        right = -share * L.acceleration[L.rows[i]]
        for j in range(m):
            right -= L.D[L.rows[i], j] * L.answer[j, column]
        L.sizes[i] = L.scale[L.rows[i]] * right
    spread_reactions(L, n, column)


@kernel(exact=True)
def add_answer_to_unit(L, n, column, row):
    """What the rows that hold answer to unit acceleration of one of them."""
    for i in range(n):
        L.sizes[i] = L.scale[row] if L.rows[i] == row else 0.0
    spread_reactions(L, n, column)


@kernel(exact=True)
def spread_reactions(L, n, column):
    for i in range(n):
        for j in range(n):
            L.answer[L.rows[i], column] += L.scale[L.rows[i]] * L.inverse[i, j] * L.sizes[j]


# ---------------------------------------------------------------- sizes of friction, directions


@kernel(exact=True)
def find_sizes(L):
    """L.forces with friction that satisfies its law, and directions of what begins to slide. False if it was not found."""
    n, iterates = begin(L)
    for i in range(ITERATIONS):
        if not solve_equations(L, n):
            return False
        turned = take_sizes(L, n)
        change, size = total_forces(L, n)
        if not np.isfinite(size):
            return False
        if not iterates or (i > 0 and turned < CONVERGED and change <= 1e-15 * size):
            return True
    return turned < 1e3 * CONVERGED and change <= 1e-12 * size


@kernel(exact=True)
def solve_equations(L, n):
    """L.unknown; False if they are singular."""
    if n == 0:
        return True
    write_equations(L, n)
    if not lu(L.equations[:n, :n], L.swaps[:n]):
        return False
    lu_solve(L.equations[:n, :n], L.swaps[:n], L.unknown[:n])
    return True


@kernel(exact=True)
def begin(L):
    """L.number: the unknowns, and L.forces where all that begins to slide still sticks. Returns how many unknowns there are,
    and whether they must be iterated."""
    n, k, iterates = 0, L.mode.shape[0], False
    for i in range(L.forces.shape[0]):
        L.forces[i] = 0.0
    for e in range(k):
        L.along[e] = 0.0
        if is_rubbing(L, e) and not has_given_size(L, e):
            L.number[n] = e
            n += 1
            iterates = iterates or L.load_kind[e] != NO_LOAD
    if solve_equations(L, n):
        total_forces(L, n)
    for e in range(k):
        if L.mode[e] == INCIPIENT:
            L.number[n], L.number[n + 1] = e, k + e
            n += 2
            iterates = True
            guess_direction(L, e)
    return n, iterates


@kernel(exact=True)
def guess_direction(L, e):
    """Against the force that has kept it, unless a guess is given."""
    first = L.place[e, TANGENT]
    if L.direction[e, 0] == 0.0 and L.direction[e, 1] == 0.0:
        size = np.hypot(L.forces[first], L.forces[first + 1])
        L.direction[e, 0] = -L.forces[first] / size if size > 0.0 else 1.0
        L.direction[e, 1] = -L.forces[first + 1] / size if size > 0.0 else 0.0


@kernel(exact=True)
def per_unit(L, u, row):
    """Force of a row that unknown u calls up, per unit."""
    k = L.mode.shape[0]
    e = u - k if u >= k else u
    if L.mode[e] != INCIPIENT:
        return L.answer[row, 1 + e]
    x, y, first, second = L.direction[e, 0], L.direction[e, 1], L.answer[row, 1 + e], L.answer[row, 1 + k + e]
    return L.along[e] * (x * second - y * first) if u >= k else x * first + y * second


@kernel(exact=True)
def write_equations(L, n):
    k = L.mode.shape[0]
    for i in range(n):
        e = L.number[i]
        if e >= k:
            continue
        if L.mode[e] == INCIPIENT:
            write_direction_equations(L, n, i, e)
        else:
            write_size_equation(L, n, i, e)


@kernel(exact=True)
def write_size_equation(L, n, i, e):
    """z = μ λ_N(z), or z = μ R̂·R(z), R̂ the direction of the load of a joint as it was found last."""
    for j in range(n):
        L.equations[i, j] = -L.friction[e] * pressed_per_unit(L, e, L.number[j]) + (1.0 if j == i else 0.0)
    L.unknown[i] = L.friction[e] * pressed_at_first(L, e)


@kernel(exact=True)
def write_direction_equations(L, n, i, e):
    """λ_T·d + μ λ_N = 0 and λ_T·n = 0 at the next acceleration and angle, linear in them."""
    first, mu, x, y = L.place[e, TANGENT], L.friction[e], L.direction[e, 0], L.direction[e, 1]
    for j in range(n):
        a, b = per_unit(L, L.number[j], first), per_unit(L, L.number[j], first + 1)
        L.equations[i, j] = x * a + y * b + mu * pressed_per_unit(L, e, L.number[j])
        L.equations[i + 1, j] = x * b - y * a
    a, b = L.answer[first, 0], L.answer[first + 1, 0]
    L.unknown[i] = -(x * a + y * b + mu * pressed_at_first(L, e))
    L.unknown[i + 1] = y * a - x * b
    a, b = L.forces[first], L.forces[first + 1]  # as found last
    L.equations[i, i + 1] += x * b - y * a
    L.equations[i + 1, i + 1] -= x * a + y * b


@kernel(exact=True)
def pressed_per_unit(L, e, u):
    """What unknown u adds to what friction of an element is proportional to, per unit."""
    if L.place[e, NORMAL] >= 0:
        return per_unit(L, u, L.place[e, NORMAL])
    total = 0.0
    if L.load_kind[e] != NO_LOAD:
        a, b = load_direction(L, e)
        for row in range(L.forces.shape[0]):
            total += (a * L.load_response[2 * e, row] + b * L.load_response[2 * e + 1, row]) * per_unit(L, u, row)
    return total


@kernel(exact=True)
def pressed_at_first(L, e):
    """The same where all unknowns are zero."""
    if L.place[e, NORMAL] >= 0:
        return L.answer[L.place[e, NORMAL], 0]
    if L.load_kind[e] == NO_LOAD:
        return 1.0
    a, b = load_direction(L, e)
    total = a * L.load_free[e, 0] + b * L.load_free[e, 1]
    for row in range(L.forces.shape[0]):
        total += (a * L.load_response[2 * e, row] + b * L.load_response[2 * e + 1, row]) * L.answer[row, 0]
    return total


@kernel(exact=True)
def take_sizes(L, n):
    """The next accelerations and directions of what begins to slide. Returns the largest turn."""
    k, largest = L.mode.shape[0], 0.0
    for i in range(n):
        e = L.number[i]
        if e < k and L.mode[e] == INCIPIENT:
            turn = min(max(L.unknown[i + 1], -LARGEST_TURN), LARGEST_TURN)
            x, y, c, s = L.direction[e, 0], L.direction[e, 1], np.cos(turn), np.sin(turn)
            L.direction[e, 0], L.direction[e, 1] = c * x - s * y, s * x + c * y
            L.along[e] = L.unknown[i]
            largest = max(largest, abs(turn))
    return largest


@kernel(exact=True)
def total_forces(L, n):
    """L.forces. Returns the largest change, and the largest force."""
    change, size, k = 0.0, 0.0, L.mode.shape[0]
    for row in range(L.forces.shape[0]):
        total = L.answer[row, 0]
        for i in range(n):
            if L.number[i] < k:
                total += L.unknown[i] * per_unit(L, L.number[i], row)
        change, size = max(change, abs(total - L.forces[row])), max(size, abs(total))
        L.forces[row] = total
    return change, size


# ---------------------------------------------------------------- loads of joints


@kernel(exact=True)
def load(L, e, c):
    """Component c of the load of a joint."""
    total = L.load_free[e, c]
    for row in range(L.forces.shape[0]):
        total += L.load_response[2 * e + c, row] * L.forces[row]
    return total


@kernel(exact=True)
def load_direction(L, e):
    """Its size is this times its components."""
    a, b = load(L, e, 0), load(L, e, 1)
    if L.load_kind[e] == SUM:
        p, q = L.sides[e, 0], L.sides[e, 1]
        return (p if p != 0.0 else 1.0 if a >= 0.0 else -1.0), (q if q != 0.0 else 1.0 if b >= 0.0 else -1.0)
    size = max(np.hypot(a, b), 1e-300)
    return a / size, b / size


@kernel(exact=True)
def pressed(L, e):
    """What friction is proportional to."""
    if L.place[e, NORMAL] >= 0:
        return L.forces[L.place[e, NORMAL]]
    if L.load_kind[e] == NO_LOAD:
        return 1.0
    a, b = load_direction(L, e)
    return a * load(L, e, 0) + b * load(L, e, 1)


# ---------------------------------------------------------------- laws


@kernel(exact=True)
def judge(L):
    """L.violation."""
    largest, m = 1e-12, L.forces.shape[0]
    for i in range(m):
        largest = max(largest, abs(L.forces[i]))
    for e in range(L.mode.shape[0]):
        scale = 0.0
        for i in range(-1, L.place[e, TANGENTS]):
            row = L.place[e, NORMAL] if i < 0 else L.place[e, TANGENT] + i
            if row >= 0:
                size = NOTHING + abs(L.rates[row]) + abs(L.acceleration[row])
                for j in range(m):
                    size += abs(L.D[row, j] * L.forces[j])
                scale = max(scale, size)
        L.violation[e] = max(normal_violation(L, e, scale, largest), friction_violation(L, e, scale, largest))


@kernel(exact=True)
def normal_violation(L, e, scale, largest):
    N = L.place[e, NORMAL]
    if N < 0:
        return 0.0
    if L.mode[e] == OPEN:
        return -L.rates[N] / scale if L.velocity[N] <= STILL else 0.0
    return max(-L.forces[N] / largest, abs(L.rates[N]) / scale)


@kernel(exact=True)
def friction_violation(L, e, scale, largest):
    first, count, worst = L.place[e, TANGENT], L.place[e, TANGENTS], 0.0
    if count == 0 or L.mode[e] == OPEN:
        return 0.0
    carried, along, across, pushed = 0.0, 0.0, 0.0, 0.0
    for i in range(count):
        carried += L.forces[first + i] ** 2
        along += L.rates[first + i] * L.direction[e, i]
        pushed += L.forces[first + i] * L.direction[e, i]
    for i in range(count):
        across += (L.rates[first + i] - along * L.direction[e, i]) ** 2
    if L.mode[e] == STICKING:
        most = L.static[e] * pressed(L, e)
        worst = (np.sqrt(carried) - most) / max(largest, abs(most))
        for i in range(count):
            worst = max(worst, abs(L.rates[first + i]) / scale)
        return worst
    if L.load_kind[e] != NO_LOAD:
        worst = pushed * L.D[first, first] / scale  # friction that would push, by what it does: it locks itself
    if (L.friction[e] > 0.0 or L.static[e] > 0.0) and L.speed[e] <= STILL:
        worst = max(worst, -along / scale, np.sqrt(across) / scale)
    return worst
