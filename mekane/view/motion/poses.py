"""The motion of a run as it can be drawn: poses at any instant, and where samples lie too far apart to determine what
is between them."""

from functools import cached_property, partial

import numpy as np

from mekane.results.samples import over_samples
from mekane.view.motion.frame_times import Sampling
from mekane.view.motion.joint_interpolation import Poses, in_joint, interpolated, links_of, rotation_vector
from mekane.view.scene.attachment_points import AttachmentPoints
from mekane.view.scene.scene import drawn_shapes, sizes
from mekane.view.scene.wheels import solids_from_constraints

OFF, ROTATED = 0.004, 0.02  # what is not visible: of a place, as a share of the scale; of an orientation [rad]
LARGEST_ROTATION = 1.0  # from frame to frame [rad]: the short way is the right one
# of the way between two samples what the mean of their velocities may leave unexplained: of the scale, [rad]
MISSED, MISROTATED = 0.1, 0.5
MOST_ROTATION = 2 * np.pi  # between two samples [rad]
MOST_BETWEEN = 64  # frames
ROWS = 20_000  # instants that are treated together


class Motion:
    """Poses are those of the samples; between them each joint moves as its velocities at both ends determine."""

    def __init__(self, run):
        self.run, self.links = run, links_of(run.system)
        system = run.system
        self.scale = sizes(system, AttachmentPoints(system), solids_from_constraints(system), drawn_shapes(system))[1]

    @cached_property
    def samples(self) -> Poses:
        names = list(self.run.system.bodies)
        if not names:
            return Poses(*(np.zeros((len(self.run.t), 0, *shape)) for shape in ((3,), (3, 3), (3,), (3,))))
        names_of_values = "position", "R", "velocity", "angular_velocity"
        p, R, v, w = over_samples(
            self.run, *(partial(of_bodies, value=value, names=names) for value in names_of_values)
        )
        return Poses(p, np.where(np.isfinite(R).all(axis=(2, 3), keepdims=True), R, np.eye(3)), v, w)

    def at(self, chosen: Sampling) -> Poses:
        """Where velocities do not determine the motion between two samples, the pose is that of the nearer one."""
        if not chosen.between:
            return self.samples.still.at(chosen.left)
        t, left, right = self.run.t, chosen.left, np.minimum(chosen.left + 1, len(self.run.t) - 1)
        share = np.where(self.is_known(chosen), chosen.share, np.round(chosen.share))
        one, other = self.samples.at(left), self.samples.at(right)
        found, met = interpolated(self.links, one, other, share, t[right] - t[left]), (share == 0)[:, None, None]
        return Poses(np.where(met, one.p, found.p), np.where(met[..., None], one.R, found.R))

    def is_known(self, chosen: Sampling) -> np.ndarray:
        """Of each instant: whether it is a sample, or velocities determine the pose there."""
        return (chosen.share == 0) | self.followed[np.minimum(chosen.left, len(self.followed) - 1)]

    def rotation_angles(self, time) -> np.ndarray:
        """By how much the body that rotates most does so from each of these instants to the next [rad], there and back
        counted."""
        t, w = self.run.t, np.nan_to_num(np.linalg.norm(self.samples.w, axis=2))
        gone = np.concatenate(
            [np.zeros((1, w.shape[1])), np.cumsum(0.5 * np.diff(t)[:, None] * (w[1:] + w[:-1]), axis=0)]
        )
        at = np.stack([np.interp(time, t, gone[:, k]) for k in range(w.shape[1])], axis=1)
        return np.diff(at, axis=0).max(axis=1)

    @property
    def followed(self) -> np.ndarray:
        """Of each gap between samples: whether velocities determine the motion there."""
        return self._between[0]

    @property
    def pieces(self) -> np.ndarray:
        """In how many pieces each of them goes evenly, as far as is visible."""
        return self._between[1]

    @cached_property
    def _between(self):
        gaps = np.arange(len(self.run.t) - 1)
        found = [self._examined(part) for part in np.array_split(gaps, len(gaps) // ROWS + 1)]
        return tuple(np.concatenate(parts) for parts in zip(*found, strict=True))

    def _examined(self, gaps):
        """After these samples. What the mean of both velocities leaves unexplained is h³/12 times the third
        derivative."""
        one, other, h = self.samples.at(gaps), self.samples.at(gaps + 1), self.run.t[gaps + 1] - self.run.t[gaps]
        missed, bent, angle_moved = np.zeros(len(h)), np.zeros(len(h)), np.zeros(len(h))
        for link in self.links:
            a, b = in_joint(link, one), in_joint(link, other)
            moved, angle = b.x - a.x, rotation_vector(a, b, h)
            for change, u, v, most, least in (
                (moved, a.dx, b.dx, MISSED * self.scale, OFF * self.scale), (angle, a.w, b.w, MISROTATED, ROTATED),
            ):  # fmt: skip
                unexplained = size(change - 0.5 * h[:, None] * (u + v))
                missed = np.maximum(missed, unexplained / most)
                bent = np.maximum(bent, (h * size(v - u) + 6 * unexplained) / least)
            angle_moved = np.maximum(angle_moved, h * np.maximum(size(a.w), size(b.w)))
        followed = (missed < 1) & (angle_moved < MOST_ROTATION)
        pieces = np.ceil(
            np.maximum(np.sqrt(np.where(followed, bent, 0) / 8), np.where(followed, angle_moved, 0) / LARGEST_ROTATION)
        )
        return followed, np.clip(pieces, 1, MOST_BETWEEN).astype(int)


def of_bodies(part, value, names):
    """(time, body, …): values of the kinematics by that name. A formula of results.samples."""
    return np.stack([getattr(part.kinematics, value)(name) for name in names], axis=1)


def size(vectors):
    return np.linalg.norm(vectors, axis=1)
