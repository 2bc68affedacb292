"""Forces or impulses in their cones: x with v = D x + g and −v in the normal cone of each set at x.  (N.2), (N.9)

Block Gauss–Seidel, refined by the linear problem of the modes that it finds.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

SWEEPS = 2000
ROUND_OFF, ACCEPTED = 1e-13, 1e-11  # residual, relative; accepted after PATIENT sweeps
PATIENT = 64
AT_EDGE = 1e-9  # of a cone, relative


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


class Cones:
    def __init__(self, D, g, blocks):
        self.D, self.g, self.blocks = D, g, [block for block in blocks if len(block.rows)]
        self.steps = [1.0 / max(np.linalg.eigvalsh(self.own(block)).max(), 1e-300) for block in self.blocks]
        floors = [abs(D[b.rows[0], b.rows[0]] * b.floor) for b in self.blocks if b.by_normal and np.isfinite(b.floor)]
        # in an expansion g is round-off: what counts are the impulses it starts from
        self.scale = max([np.abs(g).max(initial=0.0), 1e-300, *floors])

    def own(self, block):
        return self.D[np.ix_(block.rows, block.rows)]

    def residual(self, x):
        """Natural residual, relative."""
        worst = 0.0
        for block, step in zip(self.blocks, self.steps, strict=True):
            v = self.D[block.rows] @ x + self.g[block.rows]
            worst = max(worst, np.abs(x[block.rows] - block.nearest(x[block.rows] - step * v)).max() / step)
        return worst / self.scale

    def sweep(self, x):
        for block, step in zip(self.blocks, self.steps, strict=True):
            x[block.rows] = self.improved(block, step, x)

    def improved(self, block, step, x):
        """The force of one element with all others as they are: the normal first, then the disc, a few times."""
        own, now = self.own(block), x[block.rows].copy()
        v = self.D[block.rows] @ x + self.g[block.rows]
        if not block.by_normal:
            return block.nearest(now - step * v)
        tangential = np.linalg.eigvalsh(own[1:, 1:]).max() if len(now) > 1 else 1.0
        for _ in range(4 if len(now) > 1 else 1):
            new = now.copy()
            stiff = own[0, 0] if block.direction is None else own[0, 0] - block.friction * own[0, 1:] @ block.direction
            new[0] = max(block.floor, now[0] - v[0] / (stiff if stiff > 0.0 else own[0, 0])) if block.closed else 0.0
            v = v + own[:, 0] * (new[0] - now[0])
            trial = new.copy()
            trial[1:] -= v[1:] / max(tangential, 1e-300)
            new = block.nearest(trial)
            v = v + own[:, 1:] @ (new[1:] - now[1:]) + own[:, 0] * (new[0] - trial[0])
            now = new
        return now

    def linear(self, x):
        """The linear problem of the modes that x shows: which normals push, what sticks, what slides and where."""
        n, size = len(x), np.abs(x).max(initial=0.0)
        fixed, columns, keep, unit = np.zeros(n), [], [], np.eye(len(x))
        for block in self.blocks:
            f = x[block.rows]
            if not block.closed:
                continue
            if not block.by_normal:
                carried = np.linalg.norm(f)
                if block.direction is None and carried < block.friction * (1.0 - AT_EDGE):
                    columns += list(unit[block.rows])
                    keep += list(block.rows)
                else:
                    fixed[block.rows] = block.nearest(f * (2.0 if carried > 0.0 else 1.0))
                continue
            normal, tangents = block.rows[0], block.rows[1:]
            carried = np.linalg.norm(f[1:])
            slides = block.direction is not None or (
                len(tangents) > 0 and carried >= block.friction * max(f[0], 0.0) * (1.0 - AT_EDGE)
            )
            d = -block.direction if block.direction is not None else f[1:] / carried if carried > 0.0 else 0.0 * f[1:]
            if f[0] <= block.floor + 1e-12 * size:
                fixed[normal] = block.floor if np.isfinite(block.floor) else 0.0
                if slides:
                    fixed[tangents] = block.friction * fixed[normal] * d
            else:
                column = unit[normal].copy()
                if slides:
                    column[tangents] = block.friction * d
                columns.append(column)
                keep.append(normal)
            if not slides:
                columns += list(unit[tangents])
                keep += list(tangents)
        if not keep:
            return fixed
        C = np.array(columns).T
        right = -(self.D[keep] @ fixed + self.g[keep])
        return fixed + C @ np.linalg.lstsq(self.D[keep] @ C, right, rcond=1e-12)[0]

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

    @property
    def few(self):
        return len(self.blocks) <= 3 and all(
            b.by_normal and b.closed and b.direction is None and len(b.rows) <= 2 for b in self.blocks
        )


def solve_cones(D, g, blocks):
    """The forces, and the residual that is left."""
    cones, x = Cones(D, g, blocks), np.zeros(len(g))
    if not cones.blocks:
        return x, 0.0
    best = cones.stop_all()  # contacts that repeat one another: sweeps would leave some at the edge of their cones
    if cones.residual(best) < ROUND_OFF:
        return best, cones.residual(best)
    for sweep in range(SWEEPS):
        cones.sweep(x)
        if sweep % 8 == 0:
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
