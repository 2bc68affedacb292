"""Modes from accelerations: which elements open, slide or stick from an instant on.  (N.3), (N.7)"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from mekane.solvers.contacts.complementarity import Block, solve_cones
from mekane.solvers.contacts.local import STILL
from mekane.solvers.contacts.roots import bracketed_root
from mekane.tables.columns import OPEN, SLIDING, STICKING

FEW = 250  # combinations of modes up to which all are tried
GOOD = 1e-8  # relative: what is met
SAME = 1e-7  # relative: the same motion
SWEEPS = 30  # for directions that depend on one another
GENERIC = 0.31  # rad: looks begin where no axis is
# directions of sliding to be found: along the own acceleration; against the force that has kept it
ALONG, AT_EDGE = "along", "at edge"
LOOKS = 48  # directions of incipient sliding that are looked at
NEWTON = 30  # steps for friction by the loads of joints
SHARINGS, SMALLEST_SHARE = 3, 1e-3  # of contacts that share a load
SHARED = 1e-3  # of a force that is not unique
RANK = 1e-11  # relative: rows that repeat others


@dataclass
class Motion:
    """Modes with the forces and accelerations that they have."""

    modes: list  # (mode, direction or None) of each element
    forces: np.ndarray
    rates: np.ndarray  # γ̇
    violation: float


def forces_in(local, modes):
    """Forces λ and accelerations γ̇ of these modes: rows that hold are zero, sliding friction follows its normal or the load
    of its joint."""
    forces = np.zeros(len(local.velocity))
    for _ in range(NEWTON if any(e.load is not None for e in local.elements) else 1):
        before, forces = forces, linear_forces(local, modes, forces)
        if np.abs(forces - before).max(initial=0.0) <= 1e-15 * np.abs(forces).max(initial=0.0):
            break
    return forces, local.acceleration + local.D @ forces


def linear_forces(local, modes, known):
    """The same with loads of joints taken in the direction that they have at the forces known: a step of Newton's method.

    As the kernels do it (N.4): the rows that hold answer to the load and to friction of unit size each, with the smallest
    forces where they repeat one another; then sizes of friction follow."""
    n, active, fixed, sliding = len(local.velocity), [], np.zeros(len(local.velocity)), []
    for e, (mode, d) in zip(local.elements, modes, strict=True):
        active += active_rows(e, mode)
        if mode == SLIDING and e.rough:
            column = np.zeros(n)
            column[e.tangents] = -d
            if e.by_normal or e.load is not None:
                sliding.append((e, column))
            else:
                fixed += e.friction * column
    answer = row_answers(local, active, np.array([fixed, *(column for _, column in sliding)]).T)
    answer[:, 0] += fixed
    for k, (_, column) in enumerate(sliding, 1):
        answer[:, k] += column
    return answer @ np.append(1.0, friction_sizes(sliding, answer, known))


def row_answers(local, active, loads):
    """Forces of the rows that hold: to the free acceleration and the first of the loads, and to each of the others."""
    answer = np.zeros(loads.shape)
    if active:
        s = local.scale[active]
        inverse = (
            s[:, None]
            * np.linalg.pinv(s[:, None] * local.D[np.ix_(active, active)] * s, rcond=RANK, hermitian=True)
            * s
        )
        right = -local.D[active] @ loads
        right[:, 0] -= local.acceleration[active]
        answer[active] = inverse @ right
    return answer


def shared_forces(local, modes):
    """Names of the elements whose forces are not unique: others could carry part of them."""
    rows = [(row, e) for e, (mode, _) in zip(local.elements, modes, strict=True) for row in active_rows(e, mode)]
    active = [row for row, _ in rows]
    if not active:
        return set()
    s = local.scale[active]
    sizes, vectors = np.linalg.eigh(s[:, None] * local.D[np.ix_(active, active)] * s)
    free = np.abs(vectors[:, sizes <= RANK * sizes[-1]]).max(axis=1, initial=0.0)
    return {e.name for (_, e), size in zip(rows, free, strict=True) if size > SHARED}


def active_rows(e, mode):
    """Rows of an element that hold in a mode."""
    normal = [e.normal] if mode != OPEN and e.by_normal else []
    return normal + (list(e.tangents) if mode == STICKING else [])


def friction_sizes(sliding, answer, known):
    """z_i = μ_i λ_N,i(z), or μ_i R̂·R_i(z)."""
    A, right = np.eye(len(sliding)), np.zeros(len(sliding))
    for i, (e, _) in enumerate(sliding):
        if e.by_normal:
            by, free = answer[e.normal], 0.0
        else:
            toward = e.load.direction(known)
            by, free = toward @ e.load.response @ answer, float(toward @ e.load.free)
        A[i] -= e.friction * by[1:]
        right[i] = e.friction * (by[0] + free)
    return np.linalg.lstsq(A, right, rcond=None)[0] if sliding else right


def motion_of(local, modes):
    forces, rates = forces_in(local, modes)
    return Motion(list(modes), forces, rates, violation(local, modes, forces, rates))


def violation(local, modes, forces, rates):
    """How far forces and accelerations are from their sets, relative to the largest."""
    worst, force_scale = 0.0, 1e-12 + np.abs(forces).max(initial=0.0)
    scales = 1e-6 + np.abs(rates) + np.abs(local.acceleration) + np.abs(local.D) @ np.abs(forces)
    for e, (mode, d) in zip(local.elements, modes, strict=True):
        scale = scales[e.rows].max()
        if e.by_normal and mode == OPEN:
            if local.velocity[e.normal] <= STILL:
                worst = max(worst, -rates[e.normal] / scale)
        elif e.by_normal:
            worst = max(worst, -forces[e.normal] / force_scale, abs(rates[e.normal]) / scale)
        if mode == STICKING:
            carried = float(np.linalg.norm(forces[e.tangents]))
            most = e.static * pressed(e, forces)
            worst = max(worst, (carried - most) / max(force_scale, abs(most)), np.abs(rates[e.tangents]).max() / scale)
        if mode == SLIDING and e.load is not None:
            worst = max(worst, float(forces[e.tangents] @ d) / force_scale)  # friction that would push: it locks itself
        if mode == SLIDING and e.rough and local.speed(e) <= STILL:
            along = float(rates[e.tangents] @ d)
            across = float(np.linalg.norm(rates[e.tangents] - along * d))
            worst = max(worst, -along / scale, across / scale)
    return worst


def pressed(e, forces):
    """What friction is proportional to."""
    return forces[e.normal] if e.by_normal else e.load.size(forces) if e.load is not None else 1.0


# ---------------------------------------------------------------- which modes are possible


def options_of(local, e, banned):
    """Modes that the velocity leaves open."""
    if e.by_normal and local.velocity[e.normal] > STILL:
        return [(OPEN, None)]
    if not e.rough:
        found = [(SLIDING, np.zeros(len(e.tangents)))]
    elif local.speed(e) > STILL:
        found = [(SLIDING, local.slip(e) / local.speed(e))]
    elif (e.index, STICKING) in banned:  # it breaks away against the force that has kept it
        found = [(SLIDING, AT_EDGE)]
    elif len(e.tangents) == 1:
        found = [(STICKING, None), (SLIDING, np.ones(1)), (SLIDING, -np.ones(1))]
    else:
        found = [(STICKING, None), (SLIDING, ALONG)]
    if e.by_normal:
        found.append((OPEN, None))
    return [one for one in found if (e.index, one[0]) not in banned] or found


def choose_modes(local, banned=()):
    """The motion that goes on from here, and how many there are: none is Painlevé's paradox.

    Of a few elements all combinations of modes are tried. Of more, or where several could begin to slide in space, the
    first that satisfies all laws is taken: the likeliest one, or that which the cones show."""
    if not local.elements:
        return motion_of(local, []), 1
    options = [options_of(local, e, banned) for e in local.elements]
    combinations = np.prod([float(len(one)) for one in options])
    if combinations > FEW or sum(begins_to_slide(one) for one in options) > 1:
        found = likeliest(local, options) or choose_by_cones(local, options)
        if found is not None or combinations > FEW:
            return found, int(found is not None)
    found = [motion for pick in product(*options) if (motion := possible(local, pick)) is not None]
    found = [one for one in found if not any(rather_sticks(local, one, other) for other in found)]
    if not found:
        return None, 0
    return max(found, key=lambda one: continuity(local, one)), count_different(found)


def begins_to_slide(options):
    """Whether an element may begin to slide in a direction that is to be found."""
    return any(isinstance(d, str) and d == ALONG for _, d in options)


def possible(local, pick):
    """The motion of a combination of modes; None if it does not satisfy all laws."""
    if any(isinstance(d, str) and d == AT_EDGE for _, d in pick):
        share_by_load(local, [(STICKING, None) if isinstance(d, str) else (mode, d) for mode, d in pick])
    modes = with_directions(local, pick)
    if modes is None or not is_definite(local, modes):
        return None
    motion = motion_of(local, modes)
    return motion if motion.violation < GOOD else None


def likeliest(local, options):
    """All that is at rest sticks, if it can."""
    first = [one[0] for one in options]
    if sum(begins_to_slide([one]) for one in first) > 1:
        return None
    share_by_load(local, first)
    return possible(local, first)


def share_by_load(local, modes):
    """Where contacts that stick share a load, let friction be shared in proportion to what presses them together: then all
    of them reach their limits together. It changes the scales of their tangential rows, by which the smallest forces are
    meant."""
    sticking = [e for e, (mode, _) in zip(local.elements, modes, strict=True) if mode == STICKING and e.by_normal]
    if len(sticking) < 2:
        return
    usual = local.scale.copy()
    for _ in range(SHARINGS):
        normal = linear_forces(local, modes, np.zeros(len(usual)))[[e.normal for e in sticking]]
        if not normal.max() > 0.0:
            local.scale[:] = usual
            return
        for e, part in zip(sticking, np.clip(normal / normal.max(), SMALLEST_SHARE, 1.0), strict=True):
            local.scale[e.tangents] = usual[e.tangents] * np.sqrt(part)  # the smallest forces go with its square


def is_definite(local, modes):
    """False where friction is so strong that a sliding contact would be pulled in by its own force."""
    keep, columns = [], []
    for e, (mode, d) in zip(local.elements, modes, strict=True):
        if e.by_normal and mode == SLIDING and e.rough:
            column = np.zeros(len(local.velocity))
            column[e.normal], column[e.tangents] = 1.0, -e.friction * d
            keep.append(e.normal)
            columns.append(column)
    return not keep or np.linalg.det(local.D[keep] @ np.array(columns).T) > 0.0 or len(keep) > 1


def with_directions(local, pick):
    """The modes with the directions found in which elements begin to slide, which depend on one another; None if one has
    none."""
    pick = breaking_away(local, pick)
    begin = [k for k, (_, d) in enumerate(pick) if isinstance(d, str)]
    if not begin:
        return list(pick)
    if len(begin) > 1:
        modes = along_accelerations(local, pick, begin)
        if modes is not None:
            return modes
    modes = [(mode, np.array([1.0, 0.0]) if k in begin else d) for k, (mode, d) in enumerate(pick)]
    for _ in range(SWEEPS if len(begin) > 1 else 1):
        change = 0.0
        for k in begin:
            found = incipient_direction(local, modes, k)
            if found is None:
                return None
            change = max(change, float(np.abs(found - modes[k][1]).max()))
            modes[k] = (SLIDING, found)
        if change < 1e-14:
            break
    return modes


def breaking_away(local, pick):
    """Directions of elements that break away: against the forces that have kept them."""
    edge = [k for k, (_, d) in enumerate(pick) if isinstance(d, str) and d == AT_EDGE]
    if not edge:
        return list(pick)
    still = [(STICKING, None) if isinstance(d, str) else (mode, d) for mode, d in pick]
    forces, found = forces_in(local, still)[0], list(pick)
    for k in edge:
        f = forces[local.elements[k].tangents]
        found[k] = (SLIDING, -f / max(float(np.linalg.norm(f)), 1e-300))
    return found


def along_accelerations(local, pick, begin):
    """All directions at once, each along the acceleration that they give, from that without friction on; None if that does
    not settle."""
    modes = [(mode, np.zeros(2) if k in begin else d) for k, (mode, d) in enumerate(pick)]
    for _ in range(SWEEPS):
        rates, change = forces_in(local, modes)[1], 0.0
        for k in begin:
            a = rates[local.elements[k].tangents]
            d = a / max(float(np.linalg.norm(a)), 1e-300)
            change = max(change, float(np.abs(d - modes[k][1]).max()))
            modes[k] = (SLIDING, d)
        if change < 1e-14:
            return modes
    return None


def incipient_direction(local, modes, k):
    """Direction in which an element begins to slide: along its own acceleration."""
    e, known = local.elements[k], list(modes)

    def acceleration(angle):
        d = np.array([np.cos(angle), np.sin(angle)])
        known[k] = (SLIDING, d)
        return d, forces_in(local, known)[1][e.tangents]

    def across(angle):
        d, a = acceleration(angle)
        return d[0] * a[1] - d[1] * a[0]

    angles = GENERIC + np.linspace(0.0, 2.0 * np.pi, LOOKS + 1)
    values = [across(angle) for angle in angles]
    for a, b, fa, fb in zip(angles[:-1], angles[1:], values[:-1], values[1:], strict=True):
        if fa * fb <= 0.0:
            d, rate = acceleration(bracketed_root(across, a, b))
            if rate @ d > 0.0:
                return d
    return None


def rather_sticks(local, one, other):
    """Whether `other` differs only by sticking where `one` would begin to slide, static friction being larger: that is the
    convention, no second motion."""
    differ = [(e, m, n) for e, (m, _), (n, _) in zip(local.elements, one.modes, other.modes, strict=True) if m != n]
    return bool(differ) and all(
        m == SLIDING and n == STICKING and e.static > e.friction and not goes_on(e, one, local) for e, m, n in differ
    )


def goes_on(e, motion, local):
    """Whether the element was sliding that way before, and moves on: what has stopped and does not accelerate sticks."""
    mode, d = motion.modes[local.elements.index(e)]
    before = e.mode == SLIDING and mode == SLIDING and len(e.direction) == len(d) and float(e.direction @ d) > 0.0
    return before and (local.speed(e) > STILL or moves_off(e, motion, local, d))


def moves_off(e, motion, local, d):
    """Whether an element at rest accelerates along d."""
    scale = 1e-6 + np.abs(motion.rates[e.rows]).max() + np.abs(local.acceleration[e.rows]).max()
    return len(e.tangents) > 0 and float(motion.rates[e.tangents] @ d) > SAME * scale


def continuity(local, motion):
    """The more of its past a motion keeps, and the more touches and sticks, the rather it is taken."""
    score = 0
    for e, (mode, _) in zip(local.elements, motion.modes, strict=True):
        same = goes_on(e, motion, local) if mode == SLIDING and e.rough else mode == e.mode
        score += 2 * (same and e.mode != OPEN) + (mode != OPEN) + (mode == STICKING)
    return score


def count_different(motions):
    kinds = []
    for one in motions:
        size = 1.0 + np.abs(one.rates).max(initial=0.0)
        if not any(np.abs(one.rates - kind).max(initial=0.0) <= SAME * size for kind in kinds):
            kinds.append(one.rates)
    return len(kinds)


# ---------------------------------------------------------------- many elements


def choose_by_cones(local, options):
    """Gauss–Seidel on the cones finds modes; the exact solve certifies them."""
    forces = np.zeros(len(local.velocity))
    for _ in range(NEWTON if any(e.load is not None for e in local.elements) else 1):
        before = forces
        blocks = [block_of(e, one, forces) for e, one in zip(local.elements, options, strict=True)]
        forces, _ = solve_cones(local.D, local.acceleration, blocks)
        if np.abs(forces - before).max(initial=0.0) <= 1e-12 * np.abs(forces).max(initial=0.0):
            break
    modes = [mode_of(e, one, forces) for e, one in zip(local.elements, options, strict=True)]
    share_by_load(local, modes)
    motion = motion_of(local, modes)
    return motion if motion.violation < 10.0 * GOOD else None


def block_of(e, options, forces):
    """The cone of an element; one that slides already has its direction."""
    if options == [(OPEN, None)]:
        return Block(e.rows, e.by_normal, 0.0, closed=False)
    mode, d = options[0]
    known = d if mode == SLIDING and e.rough and not isinstance(d, str) else None
    coefficient = e.friction if known is not None else e.static
    most = coefficient * (e.load.size(forces) if e.load is not None else 1.0)
    return Block(e.rows, e.by_normal, most, direction=known)


def mode_of(e, options, forces):
    if len(options) == 1:
        return options[0]
    size = np.abs(forces).max(initial=0.0)
    press = pressed(e, forces)
    if e.by_normal and press <= 1e-12 * size:
        return OPEN, None
    if not e.rough:
        return SLIDING, np.zeros(len(e.tangents))
    mode, d = options[0]
    if mode == SLIDING and not isinstance(d, str):
        return mode, d
    f = forces[e.tangents]
    carried = float(np.linalg.norm(f))
    if mode == SLIDING or carried > e.static * press * (1.0 - 1e-9):
        return SLIDING, -f / max(carried, 1e-300)
    return STICKING, None
