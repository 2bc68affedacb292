"""Modes from accelerations: which elements open, slide or stick from an instant on.  (N.3), (N.7)"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from mekane.solvers.contacts.complementarity import Block, solve_cones
from mekane.solvers.contacts.local import OPEN, SLIDING, STICKING, STILL
from mekane.solvers.contacts.roots import bracketed_root

FEW = 64  # combinations of modes up to which all are tried
GOOD = 1e-8  # relative: what is met
SAME = 1e-7  # relative: the same motion
LOOKS = 48  # directions of incipient sliding that are looked at
TURNS, SETTLED = 40, 1e-12  # sweeps over directions of elements that begin to slide together
RANK = 1e-11  # relative: rows that repeat others


@dataclass
class Motion:
    """Modes with the forces and accelerations that they have."""

    modes: list  # (mode, direction or None) of each element
    forces: np.ndarray
    rates: np.ndarray  # γ̇
    violation: float

    def force(self, e):
        return self.forces[e.rows]


def forces_in(local, modes):
    """Forces λ and accelerations γ̇ of these modes: rows that hold are zero, sliding friction follows its normal."""
    n, keep, columns, fixed = len(local.velocity), [], [], np.zeros(len(local.velocity))
    unit = np.eye(n)
    for e, (mode, d) in zip(local.elements, modes, strict=True):
        if mode == OPEN:
            continue
        if e.by_normal:
            column = unit[e.normal].copy()
            if mode == SLIDING and e.rough:
                column[e.tangents] = -e.friction * d
            keep.append(e.normal)
            columns.append(column)
        elif mode == SLIDING:
            fixed[e.tangents] = -e.friction * d
        if mode == STICKING:
            keep += list(e.tangents)
            columns += list(unit[e.tangents])
    forces = fixed
    if keep:
        C = np.array(columns).T
        right = -(local.acceleration[keep] + local.D[keep] @ fixed)
        forces = fixed + C @ np.linalg.lstsq(local.D[keep] @ C, right, rcond=RANK)[0]
    return forces, local.acceleration + local.D @ forces


def motion_of(local, modes):
    forces, rates = forces_in(local, modes)
    return Motion(list(modes), forces, rates, violation(local, modes, forces, rates))


def violation(local, modes, forces, rates):
    """How far forces and accelerations are from their sets, relative to the largest."""
    worst, force_scale = 0.0, 1e-12 + np.abs(forces).max(initial=0.0)
    scales = 1e-6 + np.abs(rates) + np.abs(local.acceleration)
    for e, (mode, d) in zip(local.elements, modes, strict=True):
        scale = scales[e.rows].max()
        if e.by_normal and mode == OPEN:
            if local.velocity[e.normal] <= STILL:
                worst = max(worst, -rates[e.normal] / scale)
        elif e.by_normal:
            worst = max(worst, -forces[e.normal] / force_scale, abs(rates[e.normal]) / scale)
        if mode == STICKING:
            held = float(np.linalg.norm(forces[e.tangents]))
            most = e.static * (forces[e.normal] if e.by_normal else 1.0)
            worst = max(worst, (held - most) / max(force_scale, abs(most)), np.abs(rates[e.tangents]).max() / scale)
        if mode == SLIDING and e.rough and local.speed(e) <= STILL:
            worst = max(worst, -(rates[e.tangents] @ d) / scale)
    return worst


# ---------------------------------------------------------------- which modes are possible


def options_of(local, e, banned):
    """Modes that the velocity leaves open."""
    if e.by_normal and local.velocity[e.normal] > STILL:
        return [(OPEN, None)]
    if not e.rough:
        found = [(SLIDING, np.zeros(len(e.tangents)))]
    elif local.speed(e) > STILL:
        found = [(SLIDING, local.slip(e) / local.speed(e))]
    elif len(e.tangents) == 1:
        found = [(STICKING, None), (SLIDING, np.ones(1)), (SLIDING, -np.ones(1))]
    else:
        found = [(STICKING, None), (SLIDING, "find")]
    if e.by_normal:
        found.append((OPEN, None))
    return [one for one in found if (e.index, one[0]) not in banned] or found


def choose_modes(local, banned=()):
    """The motion that goes on from here, and how many there are: none is Painlevé's paradox."""
    if not local.elements:
        return motion_of(local, []), 1
    options = [options_of(local, e, banned) for e in local.elements]
    if np.prod([float(len(one)) for one in options]) > FEW:
        found = choose_by_cones(local, options)
        return found, int(found is not None)
    picks = list(product(*options))
    found = possible(local, [pick for pick in picks if beginning(pick) < 2])
    if not found:  # several begin to slide at once, in space
        motion = choose_by_cones(local, options)
        if motion is not None and is_definite(local, motion.modes):
            return motion, 1
        found = possible(local, [pick for pick in picks if beginning(pick) > 1])
    if not found:
        return None, 0
    return max(found, key=lambda one: continuity(local, one)), count_different(found)


def beginning(pick):
    """How many elements begin to slide in a direction that is to be found."""
    return sum(isinstance(d, str) for _, d in pick)


def possible(local, picks):
    """Motions of these combinations of modes that satisfy all laws."""
    found = []
    for pick in picks:
        modes = with_directions(local, pick)
        if modes is None:
            continue
        motion = motion_of(local, modes)
        if motion.violation < GOOD and is_definite(local, modes):
            found.append(motion)
    return [one for one in found if not any(rather_sticks(local, one, other) for other in found)]


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
    """The modes with the directions found in which elements begin to slide; None if one has none. Each is found with the
    others as they are, in turns; the first guess is against what would hold them."""
    modes, wanted = list(pick), [k for k, (mode, d) in enumerate(pick) if mode == SLIDING and isinstance(d, str)]
    if not wanted:
        return modes
    held, _ = forces_in(local, [(STICKING, None) if k in wanted else one for k, one in enumerate(pick)])
    for k in wanted:
        f = held[local.elements[k].tangents]
        modes[k] = (SLIDING, -f / max(float(np.linalg.norm(f)), 1e-300))
    for _ in range(TURNS):
        before = [modes[k][1] for k in wanted]
        for k in wanted:
            found = incipient_direction(local, modes, k)
            if found is None:
                return None
            modes[k] = (SLIDING, found)
        if len(wanted) == 1 or all(
            np.abs(modes[k][1] - d).max() < SETTLED for k, d in zip(wanted, before, strict=True)
        ):
            return modes
    return None


def incipient_direction(local, modes, k):
    """Direction in which an element begins to slide: along its own acceleration."""
    e = local.elements[k]
    known = list(modes)

    def acceleration(angle):
        d = np.array([np.cos(angle), np.sin(angle)])
        known[k] = (SLIDING, d)
        return d, forces_in(local, known)[1][e.tangents]

    def across(angle):
        d, a = acceleration(angle)
        return d[0] * a[1] - d[1] * a[0]

    angles = np.linspace(0.0, 2.0 * np.pi, LOOKS + 1)
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
    """The more of its past a motion keeps, and the more sticks, the rather it is taken."""
    score = 0
    for e, (mode, _) in zip(local.elements, motion.modes, strict=True):
        keeps = mode == e.mode
        if mode == SLIDING and e.rough:
            keeps = goes_on(e, motion, local)
        elif mode == OPEN:
            keeps = keeps and lifts_off(e, motion, local)
        score += 2 * keeps + (mode == STICKING)
    return score


def lifts_off(e, motion, local):
    """Whether an open element leaves: one that only rests there is as good as closed."""
    scale = 1e-6 + abs(motion.rates[e.normal]) + abs(local.acceleration[e.normal])
    return local.velocity[e.normal] > STILL or motion.rates[e.normal] > SAME * scale


def count_different(motions):
    kinds = []
    for one in motions:
        size = 1.0 + np.abs(one.rates).max(initial=0.0)
        if not any(np.abs(one.rates - kind).max(initial=0.0) <= SAME * size for kind in kinds):
            kinds.append(one.rates)
    return len(kinds)


# ---------------------------------------------------------------- many elements


def choose_by_cones(local, options):
    """Beyond a few: all that is at rest sticks, if it can; else Gauss–Seidel on the cones finds modes. The exact solve
    certifies either."""
    first = [one[0] for one in options]
    if not any(isinstance(d, str) for _, d in first):
        motion = motion_of(local, first)
        if motion.violation < GOOD:
            return motion
    blocks = [block_of(e, one) for e, one in zip(local.elements, options, strict=True)]
    forces, _ = solve_cones(local.D, local.acceleration, blocks)
    modes = [mode_of(e, one, forces) for e, one in zip(local.elements, options, strict=True)]
    motion = motion_of(local, modes)
    return motion if motion.violation < 10.0 * GOOD else None


def block_of(e, options):
    """The cone of an element; one that slides already has its direction."""
    if options == [(OPEN, None)]:
        return Block(e.rows, e.by_normal, 0.0, closed=False)
    mode, d = options[0]
    known = d if mode == SLIDING and e.rough and not isinstance(d, str) else None
    return Block(e.rows, e.by_normal, e.friction, direction=known)


def mode_of(e, options, forces):
    if len(options) == 1:
        return options[0]
    size = np.abs(forces).max(initial=0.0)
    pressed = forces[e.normal] if e.by_normal else 1.0
    if e.by_normal and pressed <= 1e-12 * size:
        return OPEN, None
    if not e.rough:
        return SLIDING, np.zeros(len(e.tangents))
    mode, d = options[0]
    if mode == SLIDING and not isinstance(d, str):
        return mode, d
    f = forces[e.tangents]
    held = float(np.linalg.norm(f))
    if mode == SLIDING or held > e.friction * pressed * (1.0 - 1e-9):
        return SLIDING, -f / max(held, 1e-300)
    return STICKING, None
