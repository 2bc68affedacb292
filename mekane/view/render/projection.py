"""The camera of a picture: perspective, with the angle and the direction of the page's (page/stage.js)."""

from dataclasses import dataclass, replace

import numpy as np

ANGLE = np.radians(35.0)  # of the whole picture, upwards
MARGIN = 1.1  # margin around the mechanism


@dataclass(frozen=True)
class Camera:
    """Looks from `eye` against `axes[2]`; rows of `axes` are right, up, and backwards in the picture."""

    eye: np.ndarray
    axes: np.ndarray
    size: tuple[int, int]  # pixels across and down

    @property
    def focus(self) -> float:
        """Pixels by which something one wide, at a depth of one, is wide."""
        return self.size[1] / 2 / np.tan(ANGLE / 2)

    @property
    def near(self) -> float:
        return 1e-3 * self.distance

    distance: float = 1.0  # from the eye to what it looks at [m]

    def project(self, points) -> np.ndarray:
        """(…, 3): x to the right and y down in pixels, and one over the depth; negative behind the eye."""
        right, up, back = np.moveaxis((np.asarray(points, float) - self.eye) @ self.axes.T, -1, 0)
        depth = np.where(np.abs(back) < 1e-12, -1e-12, -back)
        scale = self.focus / depth
        return np.stack([self.size[0] / 2 + scale * right, self.size[1] / 2 - scale * up, 1 / depth], axis=-1)

    def moved(self, step) -> "Camera":
        return replace(self, eye=self.eye + step)

    def across(self, point) -> np.ndarray:
        """Metres per pixel there."""
        return -((np.asarray(point) - self.eye) @ self.axes[2]) / self.focus


def axes_of(view: dict) -> np.ndarray:
    """Rows right, up, back, from the directions of a scene's camera."""
    back = np.array(view["towards"]) / np.linalg.norm(view["towards"])
    right = np.cross(view["up"], back)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(back, right), back])


def fitted(view: dict, points, size) -> Camera:
    """The nearest camera that sees all points with a margin.

    In camera axes, a point is inside the right border if x − cx ≤ t (d − z), with t the tangent of half the angle: each
    border gives one linear inequality for the place cx of the camera and its distance d.
    """
    axes = axes_of(view)
    x, y, z = (np.asarray(points, float) @ axes.T).T
    tall = np.tan(ANGLE / 2) / MARGIN
    wide = tall * size[0] / size[1]
    right, left = np.max(x + wide * z), np.max(-x + wide * z)
    above, below = np.max(y + tall * z), np.max(-y + tall * z)
    back = max((right + left) / (2 * wide), (above + below) / (2 * tall))
    back = max(back, z.max() + 1e-3 * max(1e-9, np.ptp(np.stack([x, y, z]))))
    eye = np.array([(right - left) / 2, (above - below) / 2, back]) @ axes
    return Camera(eye, axes, tuple(size), float(back - (z.min() + z.max()) / 2))
