"""Forces or impulses in their cones: x with v = D x + g and −v in the normal cone of each set at x.  (N.2), (N.9)

Block Gauss–Seidel, refined by the linear problem of the modes that it finds.
"""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from mekane.solvers.contacts.cone_modes import (
    PATIENT,
    ROUND_OFF,
    TOGETHER,
    cone_space,
    solve_ordinary,
    take_linear,
    write_linear,
)
from mekane.solvers.contacts.cone_sweeps import ConeProblem, residual, sweeps, write_steps

SWEEPS = 2000
ACCEPTED = 1e-11  # residual, relative, after PATIENT sweeps


@dataclass
class Block:
    """The set of one element: normal force ≥ floor with a disc of friction, or |x| ≤ friction."""

    rows: np.ndarray  # normal first
    by_normal: bool
    friction: float
    floor: float = 0.0  # least normal force; −inf: it also pulls
    direction: np.ndarray | None = None  # of sliding, where it is known
    closed: bool = True

    def nearest(self, x):
        """The nearest point of the set, the normal first."""
        x = x.copy()
        if not self.closed:
            return 0.0 * x
        if not self.by_normal:
            if self.direction is not None:
                return -self.friction * self.direction
            size = np.linalg.norm(x)
            return x if size <= self.friction else x * (self.friction / size)
        x[0] = max(self.floor, x[0])
        most = self.friction * max(x[0], 0.0)
        if self.direction is not None:
            x[1:] = -most * self.direction
            return x
        size = np.linalg.norm(x[1:])
        if size > most:
            x[1:] *= most / size
        return x


def cone_problem(D, g, blocks):
    """For the compiled sweeps."""
    k = len(blocks)
    place, direction = np.zeros((k, 3), np.int64), np.zeros((k, 2))
    for i, b in enumerate(blocks):
        tangents = b.rows[1:] if b.by_normal else b.rows
        place[i] = b.rows[0] if b.by_normal else -1, tangents[0] if len(tangents) else -1, len(tangents)
        if b.direction is not None:
            direction[i, : len(tangents)] = b.direction
    flags = lambda found: np.array(list(found), np.int64)
    problem = ConeProblem(
        D, g, place, np.array([b.friction for b in blocks], float), np.array([b.floor for b in blocks], float),
        flags(b.direction is not None for b in blocks), direction, flags(b.closed for b in blocks), np.zeros(k), np.zeros(k), np.zeros(3),
    )  # fmt: skip
    write_steps(problem, np.zeros((3, 3)), np.zeros((3, 3)))
    return problem


class Cones:
    def __init__(self, D, g, blocks):
        self.D, self.g, self.blocks = np.ascontiguousarray(D), g, blocks
        floors = [abs(D[b.rows[0], b.rows[0]] * b.floor) for b in self.blocks if b.by_normal and np.isfinite(b.floor)]
        # in an expansion g is round-off: what counts are the impulses it starts from
        self.scale = max([np.abs(g).max(initial=0.0), 1e-300, *floors])
        self.problem, self.space = cone_problem(self.D, self.g, self.blocks), cone_space(len(self.g))

    def residual(self, x):
        """Natural residual, relative."""
        return residual(self.problem, x) / self.scale

    def linear(self, x):
        """The solution of the linear problem of the modes that x shows, with the smallest unknowns where it is singular."""
        space = self.space
        n = write_linear(self.problem, x, space)
        if n:
            space.unknown[:n] = np.linalg.lstsq(space.equations[:n, :n], space.unknown[:n], rcond=1e-12)[0]
        take_linear(x, space, n)
        return space.refined.copy()

    def stop_all(self):
        """The smallest forces that bring all velocities to zero, whether the sets allow them or not."""
        return np.linalg.lstsq(self.D, -self.g, rcond=1e-12)[0]

    def patterns(self):
        """Forces that stand for every combination of modes of a few contacts in a plane, to be read by `linear`."""
        for pick in product(*[product((0.0, 1.0), (0.0, 1.0, -1.0)) for _ in self.blocks]):
            x = np.zeros(len(self.g))
            for (more, side), block in zip(pick, self.blocks, strict=True):
                x[block.rows[0]] = max(block.floor, 0.0) + more
                x[block.rows[1:]] = side * block.friction * x[block.rows[0]]
            yield x

    def ordinary(self):
        """Forces and residual, or None where that takes more than few sweeps, or forces are not unique."""
        x = np.zeros(len(self.g))
        left = solve_ordinary(self.problem, self.scale, x, self.space)
        return (x, left) if left >= 0.0 else None

    @property
    def few(self):
        return len(self.blocks) <= 3 and all(
            b.by_normal and b.closed and b.direction is None and len(b.rows) <= 2 for b in self.blocks
        )


def solve_cones(D, g, blocks):
    """The forces, and the residual that is left. Rows of no block have no force."""
    blocks, x = [one for one in blocks if len(one.rows)], np.zeros(len(g))
    if not blocks:
        return x, 0.0
    rows = np.sort(np.concatenate([one.rows for one in blocks]))
    own = [replace(one, rows=np.searchsorted(rows, one.rows)) for one in blocks]
    x[rows], left = solve_all_rows(D[np.ix_(rows, rows)], np.asarray(g, float)[rows], own)
    return x, left


def solve_all_rows(D, g, blocks):
    """As `solve_cones`, where each row belongs to a block."""
    cones, x = Cones(D, g, blocks), np.zeros(len(g))
    found = cones.ordinary()
    if found is not None:
        return found
    best = cones.stop_all()  # contacts that repeat one another: sweeps would leave some at the edge of their cones
    if cones.residual(best) < ROUND_OFF:
        return best, cones.residual(best)
    for sweep in range(0, SWEEPS, TOGETHER):
        sweeps(cones.problem, x, TOGETHER)
        refined = cones.linear(x)
        best = refined if cones.residual(refined) < cones.residual(x) else x
        left = cones.residual(best)
        if left < ROUND_OFF or (sweep >= PATIENT and left < ACCEPTED):
            return best, left
        x = best.copy()
        if sweep == PATIENT and cones.few:  # it may cycle where friction couples contacts strongly; all modes do not
            best = min((cones.linear(trial) for trial in cones.patterns()), key=cones.residual)
            if cones.residual(best) < ACCEPTED:
                return best, cones.residual(best)
    return best, cones.residual(best)
