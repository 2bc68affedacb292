"""Impacts of all that touches, compiled: the ordinary case, of Poisson's or Stronge's law for one contact, of Poisson's in phases for
several. For all else `resolve.hit` does it.  (N.8)–(N.12)"""

import numpy as np

from mekane.numba_backend.kernel import kernel
from mekane.solvers.contacts.cone_modes import solve_ordinary
from mekane.solvers.contacts.cone_sweeps import NORMAL, TANGENT, TANGENTS, write_steps
from mekane.solvers.contacts.events.event_problem import N_ENERGIES, problem_of, write_problem
from mekane.solvers.contacts.events.joint_impulses import joint_impulses
from mekane.solvers.contacts.events.mode_arrays import cones_at, path_at
from mekane.solvers.contacts.impact import APART, GAIN, SLIDES_ON
from mekane.solvers.contacts.impact_path import ENDED, follow_path
from mekane.solvers.contacts.local import STILL
from mekane.solvers.entries.calls import answer_to_impulses
from mekane.tables.columns import OUT
from mekane.tables.tables import N_Q

POISSON, STRONGE, NEWTON, PHASES = range(4)  # EventArrays.law: as model.set_valued.LAWS has them
BEFORE, AFTER = range(
    N_ENERGIES
)  # of a line of hits: kinetic energies; then of each element its loss, C.falls, its rate before; impulses on rows, in joints


@kernel(exact=True)
def hit(T, W, P, C, count, line):
    """Speeds after an impact of the elements that touch, so many, where `read_instant` has read it; what it did, in this line of
    C.hits. False, and nothing has changed, where that is not the ordinary case. Where there are C.falls it is without a rebound,
    and what opens although it was not hit may also pull."""
    L, _ = problem_of(P, C, count)
    if not write_problem(P, C, W.scale, L) or not find_impulses(C, L):
        return False
    kept, n, m, kinetic = C.hits[line], P.contact_i.shape[0], C.impulses.shape[0], C.out[C.out.shape[0] - OUT]
    on_rows, lost = N_ENERGIES + 3 * n, 0.0
    for j in range(N_ENERGIES, on_rows + m):
        kept[j] = 0.0
    for k in range(count):
        place = N_ENERGIES + C.touching[k]
        kept[place], kept[place + n] = loss_of(L, k), C.falls[C.touching[k]]
        kept[place + 2 * n] = L.velocity[L.place[k, NORMAL]] if L.place[k, NORMAL] >= 0 else 0.0
        lost += kept[place]
    if lost < (0.0 if pulls(C, L) else -GAIN * kinetic - 1e-300):
        return False
    for i in range(L.rows.shape[0]):
        kept[on_rows + L.rows[i]] = L.forces[i]
    kept[BEFORE] = kinetic
    for j in range(m):
        C.impulses[j] = kept[on_rows + j]
    answer_to_impulses(P, C.impulses, C.change)
    for i in range(C.y.shape[0]):
        C.before_hit[i] = C.y[i]
    for r in range(C.change.shape[0]):
        C.y[P.count[N_Q] + r] += C.change[r]
    joint_impulses(T, W, P, C, kept[on_rows:], kept[on_rows + m :])
    return True


@kernel(exact=True)
def loss_of(L, k):
    """Energy that an element takes out: −½ (γ⁻ + γ⁺)·P; γ⁺ in L.rates.  (N.16)"""
    total = 0.0
    for i in range(L.place[k, TANGENTS] + 1):
        row = L.place[k, NORMAL] if i == 0 else L.place[k, TANGENT] + i - 1
        if row >= 0:
            total -= 0.5 * (L.velocity[row] + L.rates[row]) * L.forces[row]
    return total


@kernel(exact=True)
def find_impulses(C, L):
    """Impulses in L.forces, velocities after them in L.rates. False where that is not the ordinary case."""
    (near, only), plastic = find_coupled(C, L), False
    for k in range(L.mode.shape[0]):
        plastic = plastic or C.falls[C.touching[k]] > 0.0
        if C.near[k] == 1 and L.velocity[L.place[k, NORMAL]] < -STILL:
            law = C.law[C.touching[k]]
            if law == NEWTON or (law == STRONGE and near > 1):
                return False
    for i in range(L.forces.shape[0]):
        L.forces[i] = 0.0
    law = C.law[C.touching[only]]
    alone = near == 1 and law != PHASES and not pulls(C, L)
    found = by_path(C, L, only, plastic) if alone else in_phases(C, L, near, plastic)
    for i in range(L.forces.shape[0]):
        L.rates[i] = L.velocity[i]
        for j in range(L.forces.shape[0]):
            L.rates[i] += L.D[i, j] * L.forces[j]
    return found


@kernel(exact=True)
def pulls(C, L):
    """Whether any element is to stay closed although it was not hit."""
    for k in range(L.mode.shape[0]):
        if may_pull(C, L, k):
            return True
    return False


@kernel(exact=True)
def may_pull(C, L, k):
    """Whether an element is to stay closed although it was not hit."""
    return C.falls[C.touching[k]] > 0.0 and not L.velocity[L.place[k, NORMAL]] < -STILL


@kernel(exact=True)
def find_coupled(C, L):
    """C.near: 1 for those that an impulse of what approaches, or is to stay closed, can reach, through others or not. Returns their
    number, and the first."""
    first, more = -1, True
    for k in range(L.mode.shape[0]):
        N = L.place[k, NORMAL]
        C.near[k] = 1 if N >= 0 and (L.velocity[N] < -STILL or C.falls[C.touching[k]] > 0.0) else 0
    while more:
        more = False
        for k in range(L.mode.shape[0]):
            if L.place[k, NORMAL] < 0 or C.near[k] == 1:
                continue
            for e in range(L.mode.shape[0]):
                if C.near[e] == 1 and feel_each_other(L, k, e):
                    C.near[k], more = 1, True
                    break
    count = 0
    for k in range(L.mode.shape[0]):
        if C.near[k] == 1:
            first, count = k if first < 0 else first, count + 1
    return count, first


@kernel(exact=True)
def feel_each_other(L, k, e):
    for i in range(L.place[k, NORMAL], L.place[k, NORMAL] + 1 + L.place[k, TANGENTS]):
        for j in range(L.place[e, NORMAL], L.place[e, NORMAL] + 1 + L.place[e, TANGENTS]):
            if abs(L.D[i, j]) > APART * np.sqrt(max(L.D[i, i], 1e-300) * max(L.D[j, j], 1e-300)):
                return True
    return False


@kernel(exact=True)
def friction_of(L, k):
    return L.friction[k] if L.place[k, TANGENTS] > 0 else 0.0


@kernel(exact=True)
def by_path(C, L, k, plastic):
    """The impact of one contact."""
    path, N, n, e = path_at(C.path.ctypes.data), L.place[k, NORMAL], 1 + L.place[k, TANGENTS], C.touching[k]
    for i in range(3):
        path.v[i] = L.velocity[N + i] if i < n else 0.0
        for j in range(3):
            path.D[i, j] = L.D[N + i, N + j] if i < n and j < n else 0.0
    restitution = 0.0 if plastic else C.restitution[e]
    if follow_path(path, n, friction_of(L, k), restitution, C.law[e] == STRONGE) != ENDED:
        return False
    for i in range(n):
        L.forces[N + i] = path.P[i]
    return True


@kernel(exact=True)
def in_phases(C, L, near, plastic):
    """Compression, then expansion with at least e times its impulses.  (N.11)"""
    m, expands = 0, False
    for k in range(L.mode.shape[0]):
        if C.near[k] == 1:
            m += 1 + L.place[k, TANGENTS]
            expands = expands or (not plastic and C.restitution[C.touching[k]] > 0.0)
    cones, space, x, size = cones_at(C.cones.ctypes.data, C.cone_places.ctypes.data, m, near)
    write_cones(C, L, cones, space)
    size[0] = scale_of(cones)
    if solve_ordinary(cones, size, x, space) < 0.0:
        return False
    add_forces(C, L, x)
    if expands:
        raise_floors(C, L, cones, x)
        size[0] = scale_of(cones)
        if solve_ordinary(cones, size, x, space) < 0.0:
            return False
        add_forces(C, L, x)
    return True


@kernel(exact=True)
def write_cones(C, L, cones, space):
    """The cones of C.near: their rows stand one after the other."""
    row, b = 0, 0
    for k in range(L.mode.shape[0]):
        if C.near[k] == 0:
            continue
        n = L.place[k, TANGENTS]
        cones.place[b, NORMAL], cones.place[b, TANGENT], cones.place[b, TANGENTS] = row, row + 1 if n > 0 else -1, n
        cones.friction[b], cones.closed[b], cones.known[b] = friction_of(L, k), 1, 0
        cones.floor[b] = -np.inf if may_pull(C, L, k) else 0.0
        cones.direction[b, 0] = cones.direction[b, 1] = 0.0
        if may_pull(C, L, k) and n > 0:
            keep_sliding(L, k, cones, b)
        b += 1
        row += 1 + n
    for i in range(cones.g.shape[0]):
        a = row_of(C, L, i)
        cones.g[i] = L.velocity[a]
        for j in range(cones.g.shape[0]):
            cones.D[i, j] = L.D[a, row_of(C, L, j)]
    write_steps(cones, space.inverse, space.basis)


@kernel(exact=True)
def keep_sliding(L, k, cones, b):
    """As impact.kept_sliding."""
    first, approach = L.place[k, TANGENT], 0.0
    for e in range(L.mode.shape[0]):
        if L.place[e, NORMAL] >= 0:
            approach = max(approach, abs(L.velocity[L.place[e, NORMAL]]))
    p, q = L.velocity[first], L.velocity[first + 1] if L.place[k, TANGENTS] > 1 else 0.0
    speed = np.hypot(p, q)
    if speed > SLIDES_ON * approach:
        cones.known[b], cones.direction[b, 0], cones.direction[b, 1] = 1, p / speed, q / speed


@kernel(exact=True)
def row_of(C, L, i):
    """Which row of L row i of the cones is."""
    row = 0
    for k in range(L.mode.shape[0]):
        n = 1 + L.place[k, TANGENTS]
        if C.near[k] == 1:
            if i < row + n:
                return L.place[k, NORMAL] + i - row
            row += n
    return -1


@kernel(exact=True)
def scale_of(cones):
    """As complementarity.Cones.scale."""
    size = 1e-300
    for i in range(cones.g.shape[0]):
        size = max(size, abs(cones.g[i]))
    for b in range(cones.floor.shape[0]):
        N = cones.place[b, NORMAL]
        if np.isfinite(cones.floor[b]):
            size = max(size, abs(cones.D[N, N] * cones.floor[b]))
    return size


@kernel(exact=True)
def raise_floors(C, L, cones, x):
    """Expansion after compression by impulses x."""
    b = 0
    for k in range(L.mode.shape[0]):
        if C.near[k] == 1:
            cones.floor[b] = C.restitution[C.touching[k]] * max(x[cones.place[b, NORMAL]], 0.0)
            b += 1
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            cones.g[i] += cones.D[i, j] * x[j]


@kernel(exact=True)
def add_forces(C, L, x):
    for i in range(x.shape[0]):
        L.forces[row_of(C, L, i)] += x[i]
