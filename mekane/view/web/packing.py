"""Arrays as text, for a page: little-endian bytes, gzip, base64."""

import base64
import gzip
from functools import lru_cache

import numpy as np

MOST_NAMES = 3  # of files that are not drawn


def packed(array) -> str:
    """The bytes of an array, row by row, little-endian, as base64 of gzip; the same array always gives the same
    text."""
    array = np.ascontiguousarray(array)
    return base64.b64encode(gzip.compress(array.astype(array.dtype.newbyteorder("<")).tobytes(), 6, mtime=0)).decode(
        "ascii"
    )


def unpacked(text: str, dtype: str, shape) -> np.ndarray:
    """What `packed` was given."""
    return np.frombuffer(gzip.decompress(base64.b64decode(text)), np.dtype(dtype).newbyteorder("<")).reshape(shape)


def block(array) -> dict:
    """An array with its type and shape: {"dtype", "shape", "data"}."""
    array = np.asarray(array)
    return {"dtype": array.dtype.name, "shape": list(array.shape), "data": packed(array)}


@lru_cache(maxsize=256)
def packed_mesh(triangles) -> dict:
    """Triangles in the box of edges 1 about the origin: vertices by steps of 1/65535 from its lowest corner."""
    steps = np.round((triangles.vertices + 0.5) * 65535.0).astype(np.uint16)
    faces = triangles.faces.astype(np.uint16 if len(steps) <= 65536 else np.uint32)
    return {"vertices": block(steps), "faces": block(faces)}


def text_of_meshes(picture: dict) -> str:
    """How much there is of them in a page, and which files could not be read."""
    meshes, lost = picture["meshes"], picture["not_drawn"]
    count = sum(one["faces"]["shape"][0] for one in meshes)
    size = sum(len(one[part]["data"]) for one in meshes for part in ("vertices", "faces"))
    drawn = [f"meshes of {count} triangles, {size / 1e6:.2g} MB"] if meshes else []
    more = f" and {len(lost) - MOST_NAMES} more" if len(lost) > MOST_NAMES else ""
    return "; ".join([*drawn, *([f"not drawn: {', '.join(lost[:MOST_NAMES])}{more}"] if lost else [])])


def from_block(data: dict) -> np.ndarray:
    return unpacked(data["data"], data["dtype"], data["shape"])
