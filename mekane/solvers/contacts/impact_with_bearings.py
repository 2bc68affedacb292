"""The impact of one contact beside friction of bearings and guides, whose reactions have impulses, too.

Per unit of the normal impulse p, the friction of what slides in a joint is that of the reaction which this unit calls up: the
same law as for forces (N.5), with dγ/dp in place of accelerations. Modes are chosen by it (N.7), and hold until something
that slides stops: along the path of (N.10).
"""

from dataclasses import replace

import numpy as np

from mekane.numba_backend.kernel import plain
from mekane.solvers.contacts.impact_path import SEGMENTS, STRAIGHT, until_end
from mekane.solvers.contacts.local import STILL, Local
from mekane.solvers.contacts.modes import choose_modes
from mekane.tables.columns import SLIDING


class Path:
    """An impact under way over all rows of `local`; as impact_path.Path for the contact."""

    def __init__(self, local, contact):
        self.local, self.contact = local, contact
        self.D, self.v, self.P, self.work = local.D, local.velocity.copy(), np.zeros(len(local.velocity)), 0.0

    def rubbing(self):
        """The friction of the contact, at most μ per unit of p, and that of joints by the reactions which it calls up."""
        N, found = self.contact.normal, []
        if self.contact.friction > 0.0 and len(self.contact.tangents):
            found.append(replace(self.contact, normal=-1, static=self.contact.friction))
        for e in self.local.elements:
            if e.load is not None:
                load = replace(e.load, free=e.load.response[:, N], sides=0.0 * e.load.sides)
                found.append(replace(e, static=e.friction, load=load))
        return Local(self.D, self.v, self.D[:, N].copy(), found, self.local.scale.copy())

    def go(self, p, heading, rate):
        N = self.contact.normal
        self.work += self.v[N] * p + 0.5 * rate[N] * p * p
        self.v, self.P = self.v + p * rate, self.P + p * heading


def until_phase_ends(path, rate, compression, restitution, law):
    """As impact_path.until_end, of the normal of the contact."""
    N, stronge = path.contact.normal, law == "stronge"
    pressed, work = compression or (0.0, 0.0)
    left = (1.0 - restitution**2) * work if stronge else (1.0 + restitution) * pressed - path.P[N]
    return plain(until_end)(path.v[N], rate[N], path.work, left, compression is not None, stronge)


def impact_with_bearings(local, contact, restitution, law):
    """Impulses over the rows of `local`; None where they are not found: sliding that turns, or no motion."""
    path, compression, N = Path(local, contact), None, contact.normal
    for _ in range(SEGMENTS):
        motion, count = choose_modes(path.rubbing())
        if not count:
            return None
        heading, rate = motion.forces.copy(), motion.rates
        heading[N] = 1.0
        stop, which = until_stop(path, motion, rate)
        if stop is None:
            return None
        end = until_phase_ends(path, rate, compression, restitution, law)
        p = min(stop, end)
        if not np.isfinite(p):
            return None
        path.go(p, heading, rate)
        if stop < end:
            path.v[which.tangents] = 0.0
        elif compression is None and restitution > 0.0:
            path.v[N], compression = 0.0, (path.P[N], path.work)
        else:
            return path.P
    return None


def until_stop(path, motion, rate):
    """Impulse after which something that slides stops, and which; None if a direction turns."""
    first, which = np.inf, None
    for e, (mode, d) in zip(path.rubbing().elements, motion.modes, strict=True):
        speed = float(np.linalg.norm(path.v[e.tangents]))
        if mode != SLIDING or speed <= STILL:
            continue
        change = rate[e.tangents]
        along = float(change @ d)
        if np.linalg.norm(change - along * d) > STRAIGHT * max(float(np.linalg.norm(change)), 1e-300):
            return None, None
        if along < 0.0 and -speed / along < first:
            first, which = -speed / along, e
    return first, which
