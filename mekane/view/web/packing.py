"""Arrays as text, for a page: little-endian bytes, gzip, base64."""

import base64
import gzip

import numpy as np


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


def from_block(data: dict) -> np.ndarray:
    return unpacked(data["data"], data["dtype"], data["shape"])
