"""Forces or impulses in their cones: x with v = D x + g and −v in the normal cone of each set at x.  (N.2), (N.9)

Block Gauss–Seidel, refined by the linear problem of the modes that it finds. Where friction couples contacts so strongly that it
goes round in circles, a search by Newton's method from many starts.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from mekane.numba_backend.bound import bound
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
FOUND, STARTS = 1e-9, 60  # residual, relative, beyond which a search goes on, and from how many starts


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
        if self.direction is not None:
            x[1:] = -self.friction * x[0] * self.direction
            return x
        most = self.friction * max(x[0], 0.0)
        size = np.linalg.norm(x[1:])
        if size > most:
            x[1:] *= most / size
        return x


class ConeArrays:
    """For the compiled sweeps over m rows of k elements."""

    def __init__(self, m, k):
        zeros, integers = np.zeros, lambda *shape: np.zeros(shape, np.int64)
        self.problem = ConeProblem(
            zeros((m, m)), zeros(m), integers(k, 3), zeros(k), zeros(k), integers(k), zeros((k, 2)), integers(k), zeros(k), zeros((3, 3)),
            zeros(3),
        )  # fmt: skip
        self.space, self.x, self.scale = cone_space(m), zeros(m), zeros(1)

    @cached_property
    def write_steps(self):
        return bound(write_steps, self.problem, np.zeros((3, 3)), np.zeros((3, 3)))

    @cached_property
    def solve_ordinary(self):
        return bound(solve_ordinary, self.problem, self.scale, self.x, self.space)

    def write(self, D, g, blocks):
        problem = self.problem
        problem.D[:], problem.g[:], problem.direction[:] = D, g, 0.0
        for i, b in enumerate(blocks):
            tangents = b.rows[1:] if b.by_normal else b.rows
            n = len(tangents)
            problem.place[i] = b.rows[0] if b.by_normal else -1, tangents[0] if n else -1, n
            problem.friction[i], problem.floor[i], problem.closed[i] = b.friction, b.floor, b.closed
            problem.known[i] = b.direction is not None
            if b.direction is not None:
                problem.direction[i, :n] = b.direction
        self.write_steps()


class Cones:
    """spaces: ConeArrays of earlier problems, by size."""

    def __init__(self, D, g, blocks, spaces=None):
        self.blocks = blocks
        spaces, size = {} if spaces is None else spaces, ("cones", len(g), len(blocks))
        if size not in spaces:
            spaces[size] = ConeArrays(len(g), len(self.blocks))
        self.arrays = spaces[size]
        self.arrays.write(D, g, self.blocks)
        self.problem, self.space = self.arrays.problem, self.arrays.space
        self.D, self.g = self.problem.D, self.problem.g
        floors = [abs(D[b.rows[0], b.rows[0]] * b.floor) for b in self.blocks if b.by_normal and np.isfinite(b.floor)]
        # in an expansion g is round-off: what counts are the impulses it starts from
        self.scale = max([np.abs(g).max(initial=0.0), 1e-300, *floors])

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
        self.arrays.scale[0] = self.scale
        left = self.arrays.solve_ordinary()
        return (self.arrays.x.copy(), left) if left >= 0.0 else None

    def natural(self, x):
        """The natural residual: of each set, how far x is from the nearest point to where its velocity drives it."""
        velocity, found = self.D @ x + self.g, np.zeros(len(x))
        for block, step in zip(self.blocks, self.problem.step, strict=True):
            there = x[block.rows]
            found[block.rows] = (there - block.nearest(there - step * velocity[block.rows])) / step
        return found

    def searched(self, best):
        """The best of what Newton's method finds from `best` and from starts at random, the same ones every time; and its residual."""
        from scipy.optimize import root

        rng, size = np.random.default_rng(0), np.abs(self.stop_all()).max()
        for start in range(STARTS):
            if self.residual(best) < FOUND:
                break
            x = size * rng.uniform(0.1, 1.0) * rng.normal(size=len(best)) if start else best
            found = root(self.natural, x, tol=1e-13).x
            best = min((best, found, self.linear(found)), key=self.residual)
        return best, self.residual(best)

    @property
    def few(self):
        return len(self.blocks) <= 3 and all(
            b.by_normal and b.closed and b.direction is None and len(b.rows) <= 2 for b in self.blocks
        )


def solve_cones(D, g, blocks, spaces=None):
    """The forces, and the residual that is left. Rows of no block have no force. spaces: as for Cones."""
    blocks, x = [one for one in blocks if len(one.rows)], np.zeros(len(g))
    if not blocks:
        return x, 0.0
    rows = np.sort(np.concatenate([one.rows for one in blocks]))
    own = [replace(one, rows=np.searchsorted(rows, one.rows)) for one in blocks]
    x[rows], left = solve_all_rows(D[np.ix_(rows, rows)], np.asarray(g, float)[rows], own, spaces)
    return x, left


def solve_all_rows(D, g, blocks, spaces=None):
    """As `solve_cones`, where each row belongs to a block."""
    cones, x = Cones(D, g, blocks, spaces), np.zeros(len(g))
    found = cones.ordinary()
    if found is not None:
        return found
    best = cones.stop_all()  # contacts that repeat one another: sweeps would leave some at the edge of their cones
    if cones.residual(best) < ROUND_OFF:
        return cones.searched(best)
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
                return cones.searched(best)
    return cones.searched(best)
