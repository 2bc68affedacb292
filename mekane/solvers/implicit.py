"""The time loop of diagonally implicit Runge–Kutta methods whose first stage is explicit and last stage is the step
(ESDIRK).

Each stage z = base + h γ f(t, z) is solved by Newton with one factored matrix 1 − h γ J for all stages; J is kept as
long as Newton converges well. Only q, u and integrals are unknowns, work follows. Constraints are met inside f, and by
the projection after each step.
"""

import numpy as np

from mekane.algebra.lu import lu, lu_solve
from mekane.numba_backend.kernel import kernel
from mekane.solvers.contacts.incipient_sliding import choose_incipient, is_neglected_too_much
from mekane.solvers.entries.calls import rhs
from mekane.solvers.error_control import (
    POWER,
    SAFETY,
    SHRINK,
    fit,
    is_accepted,
    may_be_forced,
    shortest_step,
    vanishes,
    work_error,
)
from mekane.solvers.events import CUT, LANDINGS, REPEAT, correction, look_for_events
from mekane.solvers.sampling import finish
from mekane.solvers.stages import before_border, is_finite, unfreeze
from mekane.solvers.state import (
    ATOL,
    END,
    EVALUATIONS,
    EVENTS,
    FINISHED,
    FRESH,
    LAST,
    NO_CONVERGENCE,
    NOW,
    OF_CONTACT,
    OUTCOME,
    REJECTED,
    RTOL,
    SAMPLE,
    STEP,
    STEP_MAX,
    STEP_VANISHED,
    UNDERWAY,
    copy,
)
from mekane.solvers.step_start import AGAIN, LEAVE, start_step
from mekane.tables.tables import FROZEN, N_CONTROLLER, N_Q, N_U

ITERATIONS = 10
CONVERGED = 0.02  # of the tolerance
SLOW = 0.3  # a slower contraction asks for a new Jacobian
GROW = 4.0
PART = 0.9  # of a step to an event that does not meet the tolerances
NO_NUMBER = 3.0  # in place of a contraction
DIFFERENCE = 1.5e-8


@kernel(exact=True, outer=True)
def advance(P, M, S, y, step_state, counters, record, event_times, events, conditions, clocks, most_steps):
    """Go on until the end of the run or for so many steps. The outcome is in `counters`."""
    counters[OUTCOME] = UNDERWAY
    for _ in range(most_steps):
        what = start_step(P, M, S, y, step_state, counters, record, event_times, events, conditions, clocks, True)
        if what == LEAVE:
            return
        if what == AGAIN:
            continue
        choose_incipient(P, S, y, step_state, counters)
        h, t_new, fresh = implicit_step(P, M, S, y, step_state, counters, record, event_times, counters[FRESH] == 1)
        counters[FRESH] = 1 if fresh else 0  # kept there, so that where calls begin changes nothing
        if counters[OUTCOME] != UNDERWAY:
            return
        dense = 0
        if events.shape[0] > 0:
            dense, share, which = look_for_events(P, M, S, y, step_state, counters, events, h, False)
            if dense == REPEAT:
                continue
            if dense == CUT:
                h, t_new = land(P, M, S, y, step_state, counters, events, h, share, which)
                if not h > 0.0:  # it did not converge: the step is tried again, as long as it should be
                    step_state[STEP] = t_new - step_state[NOW]
                    counters[FRESH] = 0
                    S.decided[:] = 0.0
                    continue
        finish(P, M, S, y, step_state, counters, record, h, t_new, dense)
        if not step_state[LAST] > 0.0:
            counters[FRESH] = 0
    if step_state[NOW] >= step_state[END]:
        counters[OUTCOME] = FINISHED


@kernel(exact=True)
def implicit_step(P, M, S, y, step_state, counters, record, event_times, fresh):
    """Try steps until one converges and meets the tolerances. `fresh` says whether the Jacobian may be used again."""
    t, gamma = step_state[NOW], M.A[1, 1]
    rejected, forced = False, False
    while True:
        h, t_new, cut = fit(t, min(step_state[STEP], step_state[STEP_MAX]), step_state, counters, event_times)
        if counters[SAMPLE] < record.t.shape[0] and t < record.t[counters[SAMPLE]] < t_new:
            t_new = record.t[counters[SAMPLE]]
            h, cut = t_new - t, True
        if not cut and vanishes(h, t):
            if forced or not may_be_forced(P, t, h, counters):
                counters[OUTCOME] = NO_CONVERGENCE if rejected else STEP_VANISHED
                return h, t_new, fresh
            h, t_new = shortest_step(t, step_state, counters, event_times)
            forced = True
        wanted, newly = step_state[STEP], False
        if not fresh:
            jacobian(P, S, y, t, counters)
            newly = True
        rate = all_stages(P, M, S, y, t, h, t_new, step_state, counters) if factor(S, h * gamma) else NO_NUMBER
        if rate == NO_NUMBER and unfreeze(P):
            fresh, forced = False, False
            continue
        if rate >= 1.0:
            rejected, fresh = True, newly
            step_state[STEP] = 0.25 * h if newly else h
            counters[REJECTED] += 1
            continue
        error = error_norm(P, M, S, y, h, step_state)
        if error < 1.0 and is_finite(S.new) and is_neglected_too_much(P, S, y, h, t_new, step_state, counters):
            rejected, fresh = True, False
            counters[REJECTED] += 1
            continue
        if is_finite(S.new) and is_accepted(error, forced, step_state, counters):
            factor_h = GROW if error == 0.0 or forced else min(GROW, SAFETY * error ** (-1.0 / M.numbers[POWER]))
            if rejected and not forced:
                factor_h = min(1.0, factor_h)
            step_state[STEP] = max(h * factor_h, wanted) if cut else h * factor_h
            return h, t_new, rate < SLOW
        rejected, fresh = True, newly or rate < SLOW
        counters[REJECTED] += 1
        shrinks = np.isfinite(error) and error >= 1.0  # work may overflow where the error is small
        step_state[STEP] = h * (max(SHRINK, SAFETY * error ** (-1.0 / M.numbers[POWER])) if shrinks else SHRINK)


@kernel(exact=True)
def land(P, M, S, y, step_state, counters, events, h, share, which):
    """Take the step again, to end where a guard changes sides (which < 0: at this share). Returns its length, 0 if it
    found no solution or misses the tolerances, and its end: then the one to try."""
    t = step_state[NOW]
    t_new = t + share * h
    for i in range(LANDINGS):
        length = t_new - t
        if not factor(S, length * M.A[1, 1]) or all_stages(P, M, S, y, t, length, t_new, step_state, counters) >= 1.0:
            return 0.0, t_new
        if which < 0:
            break
        dt = correction(P, S, t_new, h, which, events, counters, i, False)
        if dt == 0.0 or t_new + dt <= t:
            break
        t_new += dt
    if which >= 0 and events[which, OF_CONTACT] == 1 and error_norm(P, M, S, y, t_new - t, step_state) > 1.0:
        counters[EVENTS] -= 1
        return 0.0, t + PART * (t_new - t)  # directions of sliding turn fast where it ends
    return t_new - t, t_new


@kernel(exact=True)
def jacobian(P, S, y, t, counters):
    """J = ∂f/∂(q, u, integrals) by differences; Newton needs no more. The slope at y is in K[0]."""
    n = P.count[N_Q] + P.count[N_U] + P.count[N_CONTROLLER]
    copy(y, S.stage)
    for m in range(n):
        d = DIFFERENCE * max(abs(y[m]), 0.1)
        S.stage[m] = y[m] + d
        rhs(P, t, S.stage, S.sample)
        S.stage[m] = y[m]
        for k in range(n):
            S.J[k, m] = (S.sample[k] - S.K[0, k]) / d
    counters[EVALUATIONS] += n


@kernel(exact=True)
def factor(S, x):
    """LU of 1 − x J."""
    n = S.LU.shape[0]
    for i in range(n):
        for j in range(n):
            S.LU[i, j] = -x * S.J[i, j]
        S.LU[i, i] += 1.0
    return lu(S.LU, S.swaps)


@kernel(exact=True)
def all_stages(P, M, S, y, t, h, t_new, step_state, counters):
    """Solve all stages. Returns the slowest contraction of Newton met, 1 or more if it did not converge. The step is in
    S.new."""
    slowest = 0.0
    for i in range(1, M.b.shape[0]):
        for m in range(y.shape[0]):
            total = 0.0
            for j in range(i):
                total += M.A[i, j] * S.K[j, m]
            S.last[m] = y[m] + h * total
            S.stage[m] = S.last[m] + h * M.A[i, i] * S.K[i - 1, m]
        t_stage, x = t_new if M.c[i] == 1.0 else t + M.c[i] * h, h * M.A[i, i]
        rate = solve_stage(P, S, t_stage, x, S.K[i], step_state, counters)
        if rate == NO_NUMBER and M.c[i] == 1.0 and P.state[FROZEN] == 1:
            for m in range(y.shape[0]):
                S.stage[m] = S.last[m] + x * S.K[i - 1, m]
            rate = solve_stage(P, S, before_border(t_new, h), x, S.K[i], step_state, counters)
        slowest = max(slowest, rate)
        if slowest >= 1.0:
            return slowest
    copy(S.stage, S.new)
    return slowest


@kernel(exact=True)
def solve_stage(P, S, t, x, slope, step_state, counters):
    """Newton for z = base + x f(t, z), base in S.last, z in S.stage; its slope (z − base) / x into `slope`. Returns the
    contraction."""
    n = P.count[N_Q] + P.count[N_U] + P.count[N_CONTROLLER]
    before, rate, slowest = 0.0, 0.0, 0.0
    for k in range(ITERATIONS):
        rhs(P, t, S.stage, slope)
        counters[EVALUATIONS] += 1
        total = 0.0
        for m in range(n):
            S.new[m] = S.last[m] + x * slope[m] - S.stage[m]
        lu_solve(S.LU, S.swaps, S.new)
        for m in range(n):
            total += (S.new[m] / (step_state[ATOL] + step_state[RTOL] * abs(S.stage[m]))) ** 2
            S.stage[m] += S.new[m]
        size = np.sqrt(total / n)
        if not np.isfinite(size):
            return NO_NUMBER
        if k > 0:
            rate = size / before
            slowest = max(slowest, rate if size > CONVERGED else 0.0)
            if rate >= 1.0 and size > CONVERGED:
                return 2.0
        if size < 1e-3 * CONVERGED or (k > 0 and size * rate / (1.0 - min(rate, 0.99)) < CONVERGED):
            for m in range(n):
                slope[m] = (S.stage[m] - S.last[m]) / x
            for m in range(n, slope.shape[0]):
                S.stage[m] = S.last[m] + x * slope[m]
            return slowest
        before = size
    return 2.0


@kernel(exact=True)
def error_norm(P, M, S, y, h, step_state):
    """Root-mean-square error over its tolerance, filtered by (1 − h γ J)⁻¹ so that stiff parts do not exaggerate it."""
    n = P.count[N_Q] + P.count[N_U] + P.count[N_CONTROLLER]
    for m in range(n):
        e = 0.0
        for i in range(M.error.shape[1]):
            e += M.error[0, i] * S.K[i, m]
        S.last[m] = h * e
    lu_solve(S.LU, S.swaps, S.last)
    total = 0.0
    for m in range(n):
        total += (S.last[m] / (step_state[ATOL] + step_state[RTOL] * max(abs(y[m]), abs(S.new[m])))) ** 2
    return max(np.sqrt(total / n), work_error(P, M, S, y, h, step_state))
