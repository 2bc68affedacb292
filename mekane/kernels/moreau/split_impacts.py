"""Impacts without rebound that take two steps: a gap that closes within a step may close to zero in it, and what is left of the
approach is taken away in the next one.

Friction of both parts together is that of the whole impact, wherever in the step it happens: the whole is solved first, and
in its first part friction is to the normal impulse as there. What is left is then an impact with the same end, because it is
along the same line in the same cone.
"""

from mekane.kernels.moreau.elements import let_stick
from mekane.kernels.moreau.gauss_seidel import stiffness_of_known
from mekane.kernels.moreau.memory import CONTACTS, FIRST_SHARE, IS_KNOWN, LATER, SECOND_SHARE, TARGET
from mekane.kernels.moreau.second_stage import solve_impulses
from mekane.numba_backend.kernel import kernel


@kernel
def solve_whole_impacts(C):
    """Friction of contacts whose impacts this step and the next one share."""
    splits = False
    for k in range(C.counts[CONTACTS]):
        if C.set[k, LATER] > 0.0:
            C.set[k, TARGET] += C.set[k, LATER]
            C.g[k, 0] -= C.set[k, LATER]
            splits = True
    if not splits:
        return
    solve_impulses(C)
    if let_stick(C):
        solve_impulses(C)
    for k in range(C.counts[CONTACTS]):
        if C.set[k, LATER] > 0.0:
            C.set[k, TARGET] -= C.set[k, LATER]
            C.g[k, 0] += C.set[k, LATER]
            keep_shares(C, k)


@kernel
def keep_shares(C, k):
    """Friction over the normal impulse, if that is not zero."""
    n = C.P[k, 0]
    if n > 0.0:
        C.set[k, FIRST_SHARE], C.set[k, SECOND_SHARE] = C.P[k, 1] / n, C.P[k, 2] / n
        C.set[k, IS_KNOWN] = 1.0 if stiffness_of_known(C, k) > 0.0 else 0.0
