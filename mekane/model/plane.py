"""Planar models: which plane everything moves in."""

import numpy as np

from mekane.errors import ModelError, did_you_mean

PLANES = {"xy": "xyz", "yz": "yzx", "zx": "zxy", "xz": "xzy"}  # its two axes, and its normal


def read_plane(given, part: str) -> str | None:
    if given is None or (isinstance(given, str) and given in PLANES):
        return given
    raise ModelError(
        part,
        f"planar is {given!r}",
        f"one of {', '.join(PLANES)} is expected",
        did_you_mean(str(given), PLANES).strip(),
    )


def plane_axes(plane: str) -> np.ndarray:
    """Columns: the plane's two axes and its normal, a right-handed set."""
    a, b, _ = ("xyz".index(letter) for letter in PLANES[plane])
    first, second = np.eye(3)[a], np.eye(3)[b]
    return np.stack([first, second, np.cross(first, second)], axis=1)
