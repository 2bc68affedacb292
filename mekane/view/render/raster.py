"""Which triangle is seen in which pixel: rows of each triangle as spans, and in every pixel the nearest. NumPy alone.

Pixel (column i, row k) is tested at its middle, (i + ½, k + ½). A triangle has the pixels whose middle is inside it,
so that neighbours share an edge without a gap and without an overlap.
"""

import numpy as np

from mekane.view.render.ranges import ramps

HIGH, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


def nearest(x, y, w, width: int, height: int):
    """Pixels that are covered, as flat indices, and the triangle seen in each.

    x, y, w: (triangle, 3), corners in the picture, and one over their depth, which is linear there.
    """
    face, row, first, count = spans(x, y, width, height)
    a, b, c = (part[face] for part in plane(x, y, w))
    start = (a * (first + 0.5) + b * (row + 0.5) + c).astype(np.float32)
    pixel = ramps(row * width + first, count)
    ahead = pixel - np.repeat(row * width + first, count)
    near = np.maximum(
        np.repeat(start, count) + np.repeat(a.astype(np.float32), count) * ahead.astype(np.float32), np.float32(0)
    )
    # nearness above, whose bits are in the order of the numbers; the face below
    seen = np.zeros(width * height, np.uint64)
    np.maximum.at(
        seen, pixel, (near.view(np.uint32).astype(np.uint64) << HIGH) | np.repeat(face, count).astype(np.uint64)
    )
    covered = np.flatnonzero(seen != 0)
    return covered, (seen[covered] & LOW).astype(np.intp)


def spans(x, y, width: int, height: int):
    """Face, row, first column and number of columns, for every row that a triangle has."""
    order = np.argsort(y, axis=1)
    x, y = np.take_along_axis(x, order, axis=1), np.take_along_axis(y, order, axis=1)
    top, end = (np.clip(np.ceil(y[:, k] - 0.5), 0, height).astype(int) for k in (0, 2))
    face, row = np.repeat(np.arange(len(x)), end - top), ramps(top, end - top)
    (x0, x1, x2), (y0, y1, y2) = x[face].T, y[face].T
    at = row + 0.5
    one = along(x0, y0, x2, y2, at)
    other = np.where(at < y1, along(x0, y0, x1, y1, at), along(x1, y1, x2, y2, at))
    first, last = (
        np.clip(np.ceil(end - 0.5), 0, width).astype(int) for end in (np.minimum(one, other), np.maximum(one, other))
    )
    some = last > first
    return face[some], row[some], first[some], (last - first)[some]


def along(x0, y0, x1, y1, y):
    """x at the height y of an edge."""
    rise = y1 - y0
    return x0 + (x1 - x0) * np.clip((y - y0) / np.where(rise == 0, 1.0, rise), 0, 1)


def plane(x, y, values):
    """a, b, c of the plane a x + b y + c through values at the corners of each triangle."""
    x1, x2, y1, y2 = x[:, 1] - x[:, 0], x[:, 2] - x[:, 0], y[:, 1] - y[:, 0], y[:, 2] - y[:, 0]
    v1, v2, area = values[:, 1] - values[:, 0], values[:, 2] - values[:, 0], x1 * y2 - x2 * y1
    area = np.where(area == 0, np.inf, area)
    a, b = (v1 * y2 - v2 * y1) / area, (v2 * x1 - v1 * x2) / area
    return a, b, values[:, 0] - a * x[:, 0] - b * y[:, 0]
