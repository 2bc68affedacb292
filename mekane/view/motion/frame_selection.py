"""Which instants of a run are shown, so that what a page draws between them is the motion.

Samples that lie apart, but whose velocities determine the motion between them, get frames between. Where that makes too
many, those frames are kept that are needed: a page that goes evenly from each to the next, joint by joint, is nowhere
off by more than about a pixel. Where these are still too many, the beginning is shown so, and of the rest single
frames. A gap through which nothing may be drawn is a *jump*.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mekane.view.motion.frame_times import Sampling, sampling
from mekane.view.motion.joint_interpolation import interpolated
from mekane.view.motion.poses import OFF, ROTATED, ROWS, Motion

DETAIL = 0.75  # of the frames, for the beginning


@dataclass(frozen=True)
class Choice:
    """Places of a grid, and the numbers i of the gaps i … i + 1 between them that are jumps."""

    grid: "Grid"
    places: np.ndarray
    text: str

    @cached_property
    def sampling(self) -> Sampling:
        return self.grid.sampling.at(self.places, self.text)

    @cached_property
    def jumps(self) -> np.ndarray:
        return self.grid.jumps(self.places)

    @property
    def note(self) -> str:
        """What is not shown, as text; "" if all is."""
        if not len(self.jumps):
            return ""
        time = self.sampling.time
        widest, first = np.diff(time)[self.jumps].max(), time[self.jumps[0]]
        on = len(self.jumps) == len(time) - 1 - self.jumps[0]
        where = f"at times, first at {first:.4g} s, " if not on else f"from {first:.4g} s on " if self.jumps[0] else ""
        return f"{where}frames are {widest:.3g} s apart: the motion between them is not shown"

    def fewer(self, most: int):
        """Numbers of at most so many of these frames, and the jumps between them."""
        wanted = choice(self.grid, most).places
        numbers = np.unique(np.minimum(np.searchsorted(self.places, wanted), len(self.places) - 1))
        return numbers, self.grid.jumps(self.places[numbers])


def choice(grid: "Grid", most: int) -> Choice:
    """At most `most` instants (two at least)."""
    if len(grid) <= most:
        return Choice(grid, np.arange(len(grid)), grid.sampling.text)
    even = sampling(grid.t, most=most)
    places = grid.samples[even.left]
    if len(grid.jumps(places)):
        return Choice(grid, *beginning(grid, max(2, most)))
    return Choice(grid, places, even.text)


def beginning(grid, most: int):
    """All of the motion in detail; if that takes too much, as long a beginning as can be had, and single frames of the
    rest."""
    last = len(grid) - 1
    whole = refined(grid, last, most)
    if whole is not None:
        return whole, "frames closer where it moves faster"
    found = longest(grid, int(DETAIL * most))
    rest = np.linspace(found[-1], last, max(2, most - len(found) + 1)).round().astype(int)
    return np.unique([*found, *rest]), f"in detail up to {grid.sampling.time[found[-1]]:.4g} s, then single frames"


def longest(grid, most: int):
    """Places of a beginning in detail, about as long as so many frames allow: halved until it fits, then lengthened
    twice by bisection."""
    end, found = len(grid) - 1, None
    while found is None and end > 1:
        too_long, end = end, end // 2
        found = refined(grid, end, most)
    if found is None:
        return np.array([0])
    for _ in range(2):
        middle = (end + too_long) // 2
        more = refined(grid, middle, most)
        found, end, too_long = (found, end, middle) if more is None else (more, middle, too_long)
    return found


def refined(grid, last: int, most: int):
    """Places 0 … last of the grid, gaps halved until they show the motion; None if these are more than `most`."""
    if most < 2:
        return None
    knots = np.unique(np.linspace(0, last, max(2, most // 4)).round().astype(int))
    fresh = knots[:-1], knots[1:]
    while True:
        a, b = (end[grid.bad(*fresh) & grid.worth_halving(*fresh)] for end in fresh)
        if not len(a):
            return knots
        middle = (a + b) // 2
        knots = np.union1d(knots, middle)
        if len(knots) > most:
            return None
        fresh = np.concatenate([a, middle]), np.concatenate([middle, b])


class Grid:
    """Instants to choose from: the samples of a run, and between two of them as many as the motion there needs."""

    def __init__(self, motion: Motion):
        self.motion, self.t = motion, motion.run.t
        gaps = len(self.t) - 1
        pieces = motion.pieces
        self.samples = np.concatenate([[0], np.cumsum(pieces)])  # where the samples are
        self.left = np.append(np.repeat(np.arange(gaps), pieces), gaps)
        self.share = np.append(
            (np.arange(pieces.sum()) - np.repeat(self.samples[:-1], pieces)) / np.repeat(pieces, pieces), 0.0
        )
        self.jump = ~np.repeat(motion.followed, pieces)  # of the grid's gaps

    def __len__(self):
        return len(self.left)

    @cached_property
    def sampling(self) -> Sampling:
        t, right = self.t, np.minimum(self.left + 1, len(self.t) - 1)
        time = t[self.left] + self.share * (t[right] - t[self.left])
        return Sampling(
            time, self.left, self.share, "every sample" if len(time) == len(t) else "every sample, and frames between"
        )

    def jumps(self, places) -> np.ndarray:
        return np.flatnonzero(self.bad(places[:-1], places[1:])).astype(np.int32)

    # ---------------------------------------------------------------- from one place of the grid to another

    def worth_halving(self, a, b):
        """Whether something between can be shown."""
        lost = np.concatenate([[0], np.cumsum(self.jump)])
        return (b - a > 1) & (lost[b] - lost[a] < b - a)

    def bad(self, a, b):
        """Of the gaps from a to b: whether an even motion, joint by joint, is visibly wrong."""
        lost = np.concatenate([[0], np.cumsum(self.jump)])
        found, wide = lost[b] > lost[a], np.flatnonzero((lost[b] == lost[a]) & (b - a > 1))
        wide = self.search(a, b, wide, np.ones(len(wide), int), found)  # in the middle: where most of them show it
        self.search(a, b, wide, b[wide] - a[wide] - 1, found)
        return found

    def search(self, a, b, gaps, looks, found):
        """Mark in `found` which of these gaps are visibly wrong at so many places inside; the others are returned."""
        for some in np.array_split(np.arange(len(gaps)), max(1, int(looks.sum()) // ROWS)):
            if len(some):
                found[gaps[some]] = self.off(a[gaps[some]], b[gaps[some]], looks[some])
        return gaps[~found[gaps]]

    def off(self, a, b, looks):
        """Whether each gap is off at one of so many places inside, which lie evenly; b − a − 1 are all."""
        gap = np.repeat(np.arange(len(a)), looks)
        first = np.cumsum(looks) - looks
        number = np.arange(looks.sum()) - first[gap] + 1
        places = a[gap] + number * (b - a)[gap] // (looks + 1)[gap]
        time = self.sampling.time
        span = np.maximum(time[b] - time[a], 1e-300)
        true, one, other = (self.motion.at(self.sampling.at(chosen)) for chosen in (places, a, b))
        drawn = interpolated(self.motion.links, one, other, (time[places] - time[a[gap]]) / span[gap], pair=gap)
        away = np.linalg.norm(drawn.p - true.p, axis=2) > OFF * self.motion.scale
        angle = np.linalg.norm(drawn.R - true.R, axis=(2, 3)) / np.sqrt(2) > ROTATED  # small angles: |R − S| = √2 θ
        return np.logical_or.reduceat((away | angle).any(axis=1), first)
