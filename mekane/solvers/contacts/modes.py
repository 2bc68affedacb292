"""Modes from accelerations: which elements open, slide or stick from an instant on.  (N.3), (N.7)"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from mekane.kernels.shared_loads import SHARINGS, SMALLEST_SHARE
from mekane.solvers.contacts.complementarity import Block, solve_cones
from mekane.solvers.contacts.local import STILL
from mekane.solvers.contacts.mode_forces import RANK, solve_modes
from mekane.solvers.contacts.ordinary_modes import FEW, GOOD, REGULAR, STRONG, choose_ordinary, options_for
from mekane.tables.columns import INCIPIENT, OPEN, SLIDING, STICKING

SAME = 1e-7  # relative: the same motion
LOOKS = 8  # directions from which one of incipient sliding is looked for
GENERIC = 0.31  # rad: looks begin where no axis is
# directions of sliding to be found: along the own acceleration; against the force that has kept it
ALONG, AT_EDGE = "along", "at edge"
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


def motion_of(local, modes, guess=None):
    """The motion in these modes; where a direction is ALONG, it is found. None if friction or a direction is not."""
    problem = local.problem
    for k, (mode, d) in enumerate(modes):
        to_find = isinstance(d, str)
        problem.mode[k] = INCIPIENT if to_find else mode
        problem.direction[k] = 0.0
        if to_find and guess is not None:
            problem.direction[k] = guess
        elif mode == SLIDING and not to_find:
            problem.direction[k, : len(d)] = d
    if not solve_modes(problem):
        return None
    found = [(mode, problem.direction[k].copy() if isinstance(d, str) else d) for k, (mode, d) in enumerate(modes)]
    return Motion(found, problem.forces.copy(), problem.rates.copy(), problem.violation.copy())


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

    Where friction couples normals and tangents strongly all combinations of modes of a few elements are tried. Else the
    first that satisfies all laws is taken: the likeliest one, what exchanging modes leads to, or that which the cones show."""
    if not local.elements:
        return motion_of(local, []), 1
    if not np.isfinite(local.acceleration).all():  # LAPACK would print a line of its own
        raise np.linalg.LinAlgError("accelerations of contacts")
    motion = ordinary_motion(local, banned)
    if motion is not None:
        return motion, 1
    options = [options_of(local, e, banned) for e in local.elements]
    combinations = np.prod([float(len(one)) for one in options])
    if combinations > FEW or sum(begins_to_slide(one) for one in options) > 1 or not couples_strongly(local):
        found = likeliest(local, options) or by_exchange(local, options) or choose_by_cones(local, options)
        if found is not None or combinations > FEW:
            return found, int(found is not None)
    found = [motion for pick in product(*options) if (motion := possible(local, pick)) is not None]
    found = [one for one in found if not any(rather_sticks(local, one, other) for other in found)]
    if not found:
        return None, 0
    return max(found, key=lambda one: continuity(local, one)), count_different(found)


def ordinary_motion(local, banned):
    """The motion that exchanging modes leads to, where nothing is unusual: the same as below, compiled. Else None."""
    problem, options = local.problem, options_for(len(local.elements))
    for e, mode in banned:
        for k, one in enumerate(local.elements):
            if one.index == e:
                options.banned[k, 0 if mode == SLIDING else 1] = 1
    local.scale[:] = local.usual_scale
    if not choose_ordinary(problem, options):
        return None
    modes = options.mode[np.arange(len(options.place)), options.place].tolist()
    directions = [
        problem.direction[k, : len(e.tangents)].copy() if mode == SLIDING else None
        for k, (e, mode) in enumerate(zip(local.elements, modes, strict=True))
    ]
    found = list(zip(modes, directions, strict=True))
    return Motion(found, problem.forces.copy(), problem.rates.copy(), problem.violation.copy())


def couples_strongly(local):
    """Whether friction could make several motions possible, or none (Painlevé): it changes the normal accelerations, of
    its own contact or of others, nearly as much as normal forces do."""
    near = [e for e in local.elements if e.by_normal]
    if any(e.load is not None for e in local.elements) or not near:
        return any(e.load is not None for e in local.elements)
    normals = [e.normal for e in near]
    size = np.sqrt(np.maximum(np.diag(local.D)[normals], 1e-300))
    squares = local.D[normals] ** 2
    by_friction = np.array([e.friction * np.sqrt(squares[:, e.tangents].sum(axis=1)) for e in near]).T
    return bool((by_friction / np.outer(size, size)).sum(axis=1).max() > STRONG)


def by_exchange(local, options, start=None):
    """From these options on, or the likeliest, the mode that violates its law most is exchanged; None if that leads nowhere."""
    place, seen = list(start or [0] * len(options)), set()
    while tuple(place) not in seen:
        seen.add(tuple(place))
        pick = [one[k] for one, k in zip(options, place, strict=True)]
        share_by_load(local, as_stuck(pick))
        motion = tried(local, pick)
        if motion is None:
            return None
        if motion.violation < GOOD:
            return motion
        k = int(np.argmax(motion.violations))
        place[k] = exchanged(local.elements[k], options[k], place[k], motion)
    return None


def exchanged(e, options, place, motion):
    """The option that follows from what is wrong with the present one."""
    mode, _ = options[place]
    kinds = [kind for kind, _ in options]
    if mode == OPEN:
        return 0
    if e.by_normal and motion.forces[e.normal] < 0.0 and OPEN in kinds:
        return kinds.index(OPEN)
    if mode == SLIDING and STICKING in kinds:
        return kinds.index(STICKING)
    if mode == STICKING and SLIDING in kinds:
        f = motion.forces[e.tangents]
        sliding = [k for k, kind in enumerate(kinds) if kind == SLIDING]
        return max(sliding, key=lambda k: 0.0 if isinstance(options[k][1], str) else -float(options[k][1] @ f))
    return place


def begins_to_slide(options):
    """Whether an element may begin to slide in a direction that is to be found."""
    return any(isinstance(d, str) and d == ALONG for _, d in options)


def possible(local, pick):
    """The motion of a combination of modes; None if it does not satisfy all laws."""
    motion = tried(local, pick)
    return motion if motion is not None and motion.violation < GOOD else None


def tried(local, pick):
    """The motion of a combination of modes, also if it breaks laws; None if there is none."""
    if any(isinstance(d, str) and d == AT_EDGE for _, d in pick):
        share_by_load(local, as_stuck(pick))
        pick = breaking_away(local, pick)
    motion = motion_of(local, pick)
    begin = [d for _, d in pick if isinstance(d, str)]
    if motion is None and len(begin) == 1:
        motion = by_looking(local, pick)
    return motion if motion is not None and is_definite(local, motion.modes) else None


def by_looking(local, pick):
    """The same with one direction to be found, from directions all around."""
    for angle in GENERIC + np.linspace(0.0, 2.0 * np.pi, LOOKS, endpoint=False):
        motion = motion_of(local, pick, (np.cos(angle), np.sin(angle)))
        if motion is not None and motion.violation < GOOD:
            return motion
    return None


def likeliest(local, options):
    """All that is at rest sticks, if it can."""
    first = [one[0] for one in options]
    if sum(begins_to_slide([one]) for one in first) > 1:
        return None
    share_by_load(local, as_stuck(first))
    return possible(local, first)


def all_sticking(local):
    """The motion in which all that is at rest sticks; None if that breaks laws."""
    return likeliest(local, [options_of(local, e, ()) for e in local.elements])


def as_stuck(pick):
    """The same modes with those sticking whose direction of sliding is to be found."""
    return [(STICKING, None) if isinstance(d, str) else (mode, d) for mode, d in pick]


def share_by_load(local, modes):
    """Where contacts that stick share a load, let friction be shared in proportion to what presses them together: then all
    of them reach their limits together. It changes the scales of their tangential rows, by which the smallest forces are
    meant."""
    usual = local.usual_scale
    local.scale[:] = usual  # not what other modes have left there
    sticking = [e for e, (mode, _) in zip(local.elements, modes, strict=True) if mode == STICKING and e.by_normal]
    if len(sticking) < 2 or is_regular(local):
        return
    for _ in range(SHARINGS):
        motion = motion_of(local, modes)
        normal = motion.forces[[e.normal for e in sticking]] if motion is not None else np.zeros(1)
        if not normal.max() > 0.0:
            local.scale[:] = usual
            return
        for e, part in zip(sticking, np.clip(normal / normal.max(), SMALLEST_SHARE, 1.0), strict=True):
            local.scale[e.tangents] = usual[e.tangents] * np.sqrt(part)  # the smallest forces go with its square


def is_regular(local):
    """Whether no rows repeat others, so that all forces are unique, whichever hold: eigenvalues of some lie between those
    of all."""
    size = np.sqrt(np.maximum(np.diag(local.D), 1e-300))
    found = np.linalg.eigvalsh(local.D / np.outer(size, size))
    return bool(found[0] > REGULAR * found[-1])


def is_definite(local, modes):
    """False where friction is so strong that a sliding contact would be pulled in by its own force."""
    pairs = zip(local.elements, modes, strict=True)
    sliding = [(e, d) for e, (mode, d) in pairs if e.by_normal and mode == SLIDING and e.rough]
    if len(sliding) != 1:
        return True
    ((e, d),) = sliding
    return float(local.D[e.normal, e.normal] - e.friction * local.D[e.normal, e.tangents] @ d) > 0.0


def breaking_away(local, pick):
    """Directions of elements that break away: against the forces that have kept them."""
    edge = [k for k, (_, d) in enumerate(pick) if isinstance(d, str) and d == AT_EDGE]
    if not edge:
        return list(pick)
    motion, found = motion_of(local, as_stuck(pick)), list(pick)
    forces = motion.forces if motion is not None else np.zeros(len(local.velocity))
    for k in edge:
        f = forces[local.elements[k].tangents]
        found[k] = (SLIDING, -f / max(float(np.linalg.norm(f)), 1e-300))
    return found


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
    rates = local.acceleration + local.D @ forces
    size = np.abs(local.acceleration).max(initial=0.0)
    for slow in BEGINS:
        pairs = zip(local.elements, options, strict=True)
        modes = [stays(e, one, mode_of(e, one, forces), rates, slow * size) for e, one in pairs]
        share_by_load(local, modes)
        motion = motion_of(local, modes)
        if motion is not None and motion.violation < 10.0 * GOOD:
            return motion
        motion = by_exchange(local, options, [nearest(*one) for one in zip(options, modes, strict=True)])
        if motion is not None:
            return motion
    return None


def nearest(options, read):
    """The number of the option that is meant by a mode that was read off."""
    same = [k for k, (mode, _) in enumerate(options) if mode == read[0]] or [0]
    known = [k for k in same if read[0] == SLIDING and not isinstance(options[k][1], str)]
    return max(known, key=lambda k: float(options[k][1] @ read[1])) if known else same[0]


def stays(e, options, read, rates, slow):
    """The mode that was read off, or sticking where an element at the edge of its cone hardly accelerates: contacts at one
    place share their load in many ways, of which the cones show one."""
    still = read[0] == SLIDING and float(np.linalg.norm(rates[e.tangents])) <= slow
    return (STICKING, None) if still and any(mode == STICKING for mode, _ in options) else read


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
