"""STL files, text or binary: triangles and nothing else."""

import re
from pathlib import Path

import numpy as np

from mekane.errors import FileError

TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
HEADER = 84  # bytes before the first triangle; the last four are their number
CORNER = rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)"


def read_stl(path: Path, most: int) -> np.ndarray:
    """(triangle, corner, 3); not more than so many."""
    data = path.read_bytes()
    count = int.from_bytes(data[80:HEADER], "little")
    if len(data) >= HEADER and len(data) == HEADER + count * TRIANGLE.itemsize:
        return _binary(data, count, path, most)
    if data[:5].lower() == b"solid" and b"vertex" in data:
        return _text(data, path)
    if 0 < count and len(data) > HEADER + count * TRIANGLE.itemsize:  # something follows the triangles
        return _binary(data, count, path, most)
    raise FileError(str(path), _why_not(data, count), "an STL file with triangles is expected", "Export it again.")


def _binary(data: bytes, count: int, path: Path, most: int) -> np.ndarray:
    if not 0 < count <= most:
        raise FileError(str(path), f"it has {count} triangles", f"between 1 and {most} are read", "Simplify the mesh.")
    return np.frombuffer(data, TRIANGLE, count, HEADER)["corners"].astype(float)


def _text(data: bytes, path: Path) -> np.ndarray:
    try:
        numbers = np.array(re.findall(CORNER, data)).astype(float)
    except ValueError:
        raise FileError(str(path), "a corner has no three numbers", "an STL file is expected") from None
    if not len(numbers) or len(numbers) % 3:
        raise FileError(str(path), f"it has {len(numbers)} corners", "three for each triangle are expected")
    return numbers.reshape(-1, 3, 3)


def _why_not(data: bytes, count: int) -> str:
    if len(data) < HEADER:
        return f"it ends after {len(data)} bytes"
    whole = (len(data) - HEADER) // TRIANGLE.itemsize
    return f"it ends after {whole} of {count} triangles" if count > whole else "it has no triangles"
