"""Impulses of all contacts: block Gauss–Seidel with velocities as unknowns. Each contact reads and changes the speeds
on the paths of its bodies; a sweep costs a fixed amount per contact.  (N.2), (N.17)"""

import numpy as np

from mekane.kernels.moreau.memory import (
    CAPACITY,
    COMPLIANCE,
    CONTACTS,
    FIRST_SHARE,
    IS_KNOWN,
    MU,
    SECOND_SHARE,
    TARGET,
)
from mekane.numba_backend.kernel import kernel

LOCAL = 50  # iterations in one contact whose rows are coupled
ENOUGH = 1e-14  # relative change that ends them


@kernel
def velocity_of(C, k):
    """Of contact k along its rows, the normal one less its target, and with what it may fall short."""
    a, b, c = C.g[k, 0] + C.set[k, COMPLIANCE] * C.P[k, 0], C.g[k, 1], C.g[k, 2]
    for s in range(C.start[k], C.start[k + 1]):
        x = C.x[C.index[s]]
        a, b, c = a + C.E[s, 0] * x, b + C.E[s, 1] * x, c + C.E[s, 2] * x
    return a, b, c


@kernel
def true_velocity(C, k):
    """Of contact k along its rows."""
    a, b, c = velocity_of(C, k)
    return a + C.set[k, TARGET] - C.set[k, COMPLIANCE] * C.P[k, 0], b, c


@kernel
def push(C, k, a, b, c):
    """Impulses more on contact k."""
    for s in range(C.start[k], C.start[k + 1]):
        C.x[C.index[s]] += C.E[s, 0] * a + C.E[s, 1] * b + C.E[s, 2] * c


@kernel
def push_all(C):
    """Velocities from all impulses."""
    for r in range(C.x.shape[0]):
        C.x[r] = 0.0
    for k in range(C.counts[CONTACTS]):
        push(C, k, C.P[k, 0], C.P[k, 1], C.P[k, 2])


@kernel
def most_friction(C, k, n):
    """The largest friction impulse of contact k with this normal impulse; of what resists rolling or spinning with that of the
    contact which presses it."""
    if C.pressed[k] != k:
        n = C.P[C.pressed[k], 0]
    return C.set[k, MU] * n + C.set[k, CAPACITY]


@kernel
def onto_disc(C, k, n, a, b):
    """The friction impulse that is nearest to (a, b), with this normal impulse."""
    most = most_friction(C, k, n)
    size = np.sqrt(a * a + b * b)
    share = most / size if size > most else 1.0
    return a * share, b * share


@kernel
def projected(C, k, n, a, b, vn, va, vb):
    """proj_C(P − ρ γ), ρ the inverse of D: the impulses of contact k that these velocities ask for.  (N.2)"""
    D = max(finite(C.D[k, 1]), finite(C.D[k, 2]))
    if C.coupled[k] == 1:
        D = D + abs(C.D[k, 5])
    n = max(0.0, n - vn / C.D[k, 0])
    a, b = onto_disc(C, k, n, a - va / D if D > 0.0 else 0.0, b - vb / D if D > 0.0 else 0.0)
    return n, a, b


@kernel
def finite(d):
    return d if d < np.inf else 0.0


@kernel
def update(C, k):
    """Contact k solved, all others as they are. Returns the change of its velocities."""
    vn, va, vb = velocity_of(C, k)
    n, a, b = C.P[k, 0], C.P[k, 1], C.P[k, 2]
    if C.set[k, IS_KNOWN] == 1.0:
        pn, pa, pb = with_known_friction(C, k, n, vn)
    elif C.coupled[k] == 0:
        pn, pa, pb = projected(C, k, n, a, b, vn, va, vb)
    else:
        pn, pa, pb = local_solution(C, k, n, a, b, vn, va, vb)
    C.P[k, 0], C.P[k, 1], C.P[k, 2] = pn, pa, pb
    push(C, k, pn - n, pa - a, pb - b)
    return change(C, k, pn - n, pa - a, pb - b)


@kernel
def with_known_friction(C, k, n, vn):
    """The same where friction is in a known proportion to the normal impulse: see kernels.moreau.split_impacts."""
    n = max(0.0, n - vn / stiffness_of_known(C, k))
    return n, n * C.set[k, FIRST_SHARE], n * C.set[k, SECOND_SHARE]


@kernel
def stiffness_of_known(C, k):
    """Velocity along the normal that a unit normal impulse causes, with its friction."""
    return C.D[k, 0] + C.D[k, 3] * C.set[k, FIRST_SHARE] + C.D[k, 4] * C.set[k, SECOND_SHARE]


@kernel
def change(C, k, n, a, b):
    """The largest velocity that these impulses cause in their own rows."""
    return max(abs(n) * finite(C.D[k, 0]), max(abs(a) * finite(C.D[k, 1]), abs(b) * finite(C.D[k, 2])))


@kernel
def local_solution(C, k, n, a, b, vn, va, vb):
    """Impulses of one contact whose rows are coupled: sticking, if that is in the set; else by iteration in it."""
    D0, D1, D2 = finite(C.D[k, 0]), finite(C.D[k, 1]), finite(C.D[k, 2])
    D3, D4, D5 = C.D[k, 3], C.D[k, 4], C.D[k, 5]
    wn, wa, wb = vn - D0 * n - D3 * a - D4 * b, va - D3 * n - D1 * a - D5 * b, vb - D4 * n - D5 * a - D2 * b
    sn, sa, sb, good = sticking(C, k, D0, D1, D2, D3, D4, D5, wn, wa, wb)
    if good:
        return sn, sa, sb
    for _ in range(LOCAL):
        pn = max(0.0, -(wn + D3 * a + D4 * b) / D0) if D0 > 0.0 else 0.0
        va, vb = wa + D3 * pn + D1 * a + D5 * b, wb + D4 * pn + D5 * a + D2 * b
        _, pa, pb = projected(C, k, pn, a, b, 0.0, va, vb)
        moved = change(C, k, pn - n, pa - a, pb - b)
        n, a, b = pn, pa, pb
        if moved <= ENOUGH * (abs(wn) + abs(wa) + abs(wb)):
            break
    return n, a, b


@kernel
def sticking(C, k, D0, D1, D2, D3, D4, D5, wn, wa, wb):
    """Impulses that leave no velocity, and whether they are in the set. Rows that are not there have D zero."""
    d0 = D0 if D0 > 0.0 else 1.0
    l1, l2 = D3 / d0, D4 / d0
    d1 = D1 - l1 * D3
    live1 = d1 > 1e-10 * D1
    l3 = (D5 - l1 * D4) / d1 if live1 else 0.0
    d2 = D2 - l2 * D4 - l3 * (D5 - l1 * D4)
    live2 = d2 > 1e-10 * D2
    if (D1 > 0.0 and not live1) or (D2 > 0.0 and not live2):
        return 0.0, 0.0, 0.0, False
    yn = -wn
    ya = -wa - l1 * yn
    yb = -wb - l2 * yn - l3 * ya
    b = yb / d2 if live2 else 0.0
    a = ya / d1 - l3 * b if live1 else 0.0
    n = yn / d0 - l1 * a - l2 * b if D0 > 0.0 else 0.0
    most = most_friction(C, k, n)
    return n, a, b, n >= 0.0 and a * a + b * b <= most * most


@kernel
def sweep(C):
    """All contacts one after the other. Returns the largest change of a velocity."""
    most = 0.0
    for k in range(C.counts[CONTACTS]):
        most = max(most, update(C, k))
    return most


@kernel
def residual(C):
    """How far impulses and velocities are from (N.2), as a velocity."""
    most = 0.0
    for k in range(C.counts[CONTACTS]):
        vn, va, vb = velocity_of(C, k)
        if C.set[k, IS_KNOWN] == 1.0:
            n, a, b = with_known_friction(C, k, C.P[k, 0], vn)
        else:
            n, a, b = projected(C, k, C.P[k, 0], C.P[k, 1], C.P[k, 2], vn, va, vb)
        most = max(most, change(C, k, n - C.P[k, 0], a - C.P[k, 1], b - C.P[k, 2]))
    return most


@kernel
def scale_of(C):
    """The largest velocity that the impulses have to change."""
    most = 0.0
    for k in range(C.counts[CONTACTS]):
        most = max(most, max(abs(C.g[k, 0]), max(abs(C.g[k, 1]), abs(C.g[k, 2]))))
    return most
