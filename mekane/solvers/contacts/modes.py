"""Modes from accelerations: which elements open, slide or stick from an instant on.  (N.3), (N.7)

Mostly exchanging modes leads there (mode_exchange). Here stands what is done where it does not, or where several motions may be
possible: all combinations of few modes, or what Gauss–Seidel on the cones shows.
"""

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from mekane.solvers.contacts.complementarity import Block, solve_cones
from mekane.solvers.contacts.local import STILL
from mekane.solvers.contacts.mode_exchange import (
    FEW,
    FOUND,
    GOOD,
    KNOWN,
    MOST,
    NO_MOTION,
    Options,
    ban,
    is_definite,
    share_by_load,
    try_modes,
)
from mekane.solvers.contacts.mode_forces import RANK
from mekane.tables.columns import INCIPIENT, OPEN, SLIDING, STICKING

SAME = 1e-7  # relative: the same motion
NEWTON = 30  # steps for friction by the loads of joints
BEGINS = (0.0, 1e-6, 1e-4)  # of the accelerations at work: what begins to slide has more, as modes are read off cones
SHARED = 1e-3  # of a force that is not unique


@dataclass
class Motion:
    """Modes with the forces and accelerations that they have."""

    modes: list  # (mode, direction or None) of each element
    forces: np.ndarray
    rates: np.ndarray  # γ̇
    violations: np.ndarray  # of the law of each element

    @property
    def violation(self):
        return float(self.violations.max(initial=0.0))


def motion_of(local, modes):
    """The motion that was found last, in these modes."""
    problem = local.problem
    directions = [problem.direction[k, : len(e.tangents)].copy() for k, e in enumerate(local.elements)]
    modes = [(mode, d if mode == SLIDING else None) for mode, d in zip(modes, directions, strict=True)]
    return Motion(modes, problem.forces.copy(), problem.rates.copy(), problem.violation.copy())


def shared_forces(local, modes):
    """Names of the elements whose forces are not unique in these modes: others could carry part of them."""
    rows = [(row, e) for e, mode in zip(local.elements, modes, strict=True) for row in active_rows(e, mode)]
    active = [row for row, _ in rows]
    if not active:
        return set()
    s = local.problem.scale[active]
    sizes, vectors = np.linalg.eigh(s[:, None] * local.D[np.ix_(active, active)] * s)
    free = np.abs(vectors[:, sizes <= RANK * sizes[-1]]).max(axis=1, initial=0.0)
    return {e.name for (_, e), size in zip(rows, free, strict=True) if size > SHARED}


def active_rows(e, mode):
    """Rows of an element that hold in a mode."""
    normal = [e.normal] if mode != OPEN and e.by_normal else []
    return normal + (list(e.tangents) if mode == STICKING else [])


def pressed(e, forces):
    """What friction is proportional to."""
    return forces[e.normal] if e.by_normal else e.load.size(forces) if e.load is not None else 1.0


# ---------------------------------------------------------------- which modes are possible


def options_of(local, banned=()):
    """Modes of all elements that the velocity leaves open, and whether all their combinations are to be tried."""
    space = local.space
    options = space.options
    options.banned[:], options.regular[0] = 0, -1
    for e, mode in banned:
        for k, one in enumerate(local.elements):
            if one.index == e:
                ban(options.banned[k], mode)
    return options, space.find_options()


def taken(local, options):
    """The motion of options.place, which was found last."""
    return motion_of(local, options.mode[np.arange(len(options.place)), options.place].tolist())


def choose_modes(local, banned=()):
    """The motion that goes on from here, and how many there are: none is Painlevé's paradox.

    Where friction couples normals and tangents strongly all combinations of modes of a few elements are tried. Else the
    first that satisfies all laws is taken: what exchanging modes leads to, from the likeliest on, or that which the cones show."""
    if not local.elements:
        local.space.solve_modes()
        return motion_of(local, []), 1
    if not np.isfinite(local.acceleration).all():  # LAPACK would print a line of its own
        raise np.linalg.LinAlgError("accelerations of contacts")
    options, all_of_them = options_of(local, banned)
    if not all_of_them:
        found = taken(local, options) if local.space.exchange() else choose_by_cones(local, options)
        if found is not None or np.prod(options.count, dtype=float) > FEW:
            return found, int(found is not None)
    return choose_among_all(local, options)


def choose_among_all(local, options):
    """The same by all combinations of modes. Where a sliding contact is pulled in by its own friction the motion is none that
    lasts, but one more that is possible."""
    found, pulled_in = [], []
    for place in product(*map(range, options.count)):
        options.place[:] = place
        what = try_modes(local.problem, options)
        if what != NO_MOTION and local.problem.violation.max(initial=0.0) < GOOD:
            (found if what == FOUND else pulled_in).append(taken(local, options))
    found = [one for one in found if not any(rather_sticks(local, one, other) for other in found)]
    if not found:
        return search_by_cones(local, options)
    return max(found, key=lambda one: continuity(local, one)), count_different(found + pulled_in)


def search_by_cones(local, options):
    """As `choose_modes`, where no combination is a motion: a direction that is to be found may have been missed. Friction by the load of
    a joint has none."""
    if any(e.load is not None for e in local.elements):
        return None, 0
    options.place[:] = 0
    motion = choose_by_cones(local, options)
    return motion, int(motion is not None)


def all_sticking(local):
    """The motion in which all that is at rest sticks; None if that breaks laws."""
    options, _ = options_of(local)
    found = try_modes(local.problem, options) == FOUND and local.problem.violation.max(initial=0.0) < GOOD
    return taken(local, options) if found else None


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


class Option(NamedTuple):
    """A mode that an element may have."""

    mode: int
    direction: np.ndarray | None  # of sliding; None: it is to be found


def listed(options: Options, local):
    """Of each element."""
    of = lambda e, k, i: Option(
        int(options.mode[k, i]),
        options.direction[MOST * k + i, : len(e.tangents)] if options.kind[k, i] == KNOWN else None,
    )
    return [[of(e, k, i) for i in range(options.count[k])] for k, e in enumerate(local.elements)]


def choose_by_cones(local, options):
    """Gauss–Seidel on the cones finds modes; the exact solve certifies them."""
    forces, known = np.zeros(len(local.velocity)), listed(options, local)
    for _ in range(NEWTON if any(e.load is not None for e in local.elements) else 1):
        before = forces
        blocks = [block_of(e, one, forces) for e, one in zip(local.elements, known, strict=True)]
        forces, _ = solve_cones(local.D, local.acceleration, blocks, local.spaces)
        if np.abs(forces - before).max(initial=0.0) <= 1e-12 * np.abs(forces).max(initial=0.0):
            break
    rates = local.acceleration + local.D @ forces
    size = np.abs(local.acceleration).max(initial=0.0)
    for slow in BEGINS:
        pairs = zip(local.elements, known, strict=True)
        modes = [stays(e, one, mode_of(e, one, forces), rates, slow * size) for e, one in pairs]
        if satisfies(local, options, modes):
            return motion_of(local, [one.mode for one in modes])
        options.place[:] = [nearest(*one) for one in zip(known, modes, strict=True)]
        if local.space.exchange():
            return taken(local, options)
    return stuck_at_limits(local, options, modes, forces)


def stuck_at_limits(local, options, modes, forces):
    """The motion where what sticks can hold by some forces of its sets, but not by the smallest: elements at their limits, kept by
    the others, leave these fewer ways to share the rest. forces: of the sets; from there towards the smallest ones, until an
    element reaches its limit."""
    modes = list(modes)
    for _ in modes:
        if satisfies(local, options, modes):
            return motion_of(local, [one.mode for one in modes])
        towards = local.problem.forces - forces
        limits = [share_to_limit(e, one, forces, towards) for e, one in zip(local.elements, modes, strict=True)]
        share = min(limits)
        if not share < 1.0:
            return None
        forces, k = forces + share * towards, limits.index(share)
        friction = forces[local.elements[k].tangents]
        modes[k] = Option(SLIDING, -friction / max(float(np.linalg.norm(friction)), 1e-300))
    return None


def share_to_limit(e, option, forces, towards):
    """The share of a change of the forces after which friction of what sticks is at its limit: |a + s b| = c + s d; inf: none."""
    if option.mode != STICKING or not e.rough or e.load is not None:
        return np.inf
    a, b = forces[e.tangents], towards[e.tangents]
    c, d = (e.static * forces[e.normal], e.static * towards[e.normal]) if e.by_normal else (e.static, 0.0)
    roots = np.roots([b @ b - d * d, 2.0 * (a @ b - c * d), min(a @ a - c * c, 0.0)])
    return min((float(s.real) for s in roots if s.imag == 0.0 and s.real > 0.0), default=np.inf)


def satisfies(local, options, modes):
    """Whether the motion in modes that were read off satisfies all laws."""
    put(local.problem, modes, INCIPIENT)
    share_by_load(local.problem, options)
    put(local.problem, modes, INCIPIENT)
    found = local.space.solve_modes() and local.problem.violation.max(initial=0.0) < 10.0 * GOOD
    return found and is_definite(local.problem)


def put(problem, modes, unknown):
    """Write modes; unknown: that of what slides in a direction that is to be found."""
    problem.direction[:] = 0.0
    for k, (mode, d) in enumerate(modes):
        problem.mode[k] = unknown if mode == SLIDING and d is None else mode
        if problem.mode[k] == SLIDING:
            problem.direction[k, : len(d)] = d


def nearest(options, read):
    """The number of the option that is meant by a mode that was read off."""
    same = [k for k, one in enumerate(options) if one.mode == read.mode] or [0]
    known = [
        k for k in same if read.mode == SLIDING and options[k].direction is not None and read.direction is not None
    ]
    return max(known, key=lambda k: float(options[k].direction @ read.direction)) if known else same[0]


def stays(e, options, read, rates, slow):
    """The mode that was read off, or sticking where an element at the edge of its cone hardly accelerates: contacts at one
    place share their load in many ways, of which the cones show one."""
    still = read.mode == SLIDING and float(np.linalg.norm(rates[e.tangents])) <= slow
    return Option(STICKING, None) if still and any(one.mode == STICKING for one in options) else read


def block_of(e, options, forces):
    """The cone of an element; one that slides already has its direction."""
    if [one.mode for one in options] == [OPEN]:
        return Block(e.rows, e.by_normal, 0.0, closed=False)
    first = options[0]
    known = first.direction if first.mode == SLIDING and e.rough else None
    coefficient = e.friction if known is not None else e.static
    most = coefficient * (e.load.size(forces) if e.load is not None else 1.0)
    return Block(e.rows, e.by_normal, most, direction=known)


def mode_of(e, options, forces):
    """As the forces show it."""
    first, size = options[0], np.abs(forces).max(initial=0.0)
    if len(options) == 1:
        return first
    press = pressed(e, forces)
    if e.by_normal and press <= 1e-12 * size:
        return Option(OPEN, None)
    if not e.rough:
        return Option(SLIDING, np.zeros(len(e.tangents)))
    if first.mode == SLIDING and first.direction is not None:
        return first
    f = forces[e.tangents]
    carried = float(np.linalg.norm(f))
    if first.mode == SLIDING or carried > e.static * press * (1.0 - 1e-9):
        return Option(SLIDING, -f / max(carried, 1e-300))
    return Option(STICKING, None)
