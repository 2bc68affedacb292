"""Meshes of files: STL, and OBJ, PLY, GLB by trimesh, Collada by pycollada (extra `meshes`). Nothing is fetched; of other
files only the materials of an OBJ file are read, from its own folder."""

import importlib
import os
import warnings
from functools import lru_cache
from pathlib import Path

import numpy as np

from mekane.errors import FileError, ModelError
from mekane.model.geometry.colours import colour_of_shares
from mekane.model.geometry.meshes.collada import read_collada
from mekane.model.geometry.meshes.stl import read_stl
from mekane.model.geometry.meshes.surface import Surface, joined, merged

SUFFIXES = (".stl", ".obj", ".ply", ".glb", ".dae")
MOST_BYTES = 400_000_000
MOST_TRIANGLES = 8_000_000
MISSING = "Check the path. A body with mass=, inertia= and com= does without it."
UNCOLOURED = ("#666666", "#c8c8c8", "#ffffff", "#7f7f7f")  # what stands for "none" in one format or another


class Stamp(tuple):
    """Path, time of its last change and size: what is kept of a file is kept by these."""


def stamp_of(path: str) -> Stamp:
    """Of a file that is there, of a size that is read; else an error."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise FileError(path, f"its name ends in {suffix!r}", f"meshes are read from {', '.join(SUFFIXES)}")
    if not is_there(path):
        raise FileError(path, "there is no such file", "a mesh is read from a file", MISSING)
    status = os.stat(path)
    if status.st_size > MOST_BYTES:
        size = f"{status.st_size / 1e6:.0f} MB"
        raise FileError(path, f"it has {size}", f"at most {MOST_BYTES / 1e6:.0f} MB are read", "Simplify the mesh.")
    return Stamp((path, status.st_mtime_ns, status.st_size))


def is_there(path: str) -> bool:
    try:
        return os.path.isfile(path)
    except ValueError:  # a zero byte in its name
        return False


@lru_cache(maxsize=4)
def surfaces(stamp: Stamp) -> tuple[Surface, ...]:
    """All triangles of a file, one surface for each colour."""
    path = Path(stamp[0])
    if path.suffix.lower() == ".stl":
        corners = read_stl(path, MOST_TRIANGLES)
        found = [Surface(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))]
    else:
        found = _by_others(path)
    _check(found, path)
    return tuple(merged(one) for one in _by_colour(found))


def _check(found: list[Surface], path: Path) -> None:
    count = sum(len(one.faces) for one in found)
    if not 0 < count <= MOST_TRIANGLES:
        problem = f"it has {count} triangles" if count else "it has no triangles"
        raise FileError(str(path), problem, f"between 1 and {MOST_TRIANGLES} are read")
    if not all(np.isfinite(one.vertices).all() for one in found):
        raise FileError(str(path), "a coordinate is not a finite number", "a mesh of finite size is expected")


def _by_colour(found: list[Surface]) -> list[Surface]:
    groups = {}
    for one in found:
        groups.setdefault(one.colour, []).append(one)
    made = [(colour, joined(some)) for colour, some in groups.items()]
    return [Surface(one.vertices, one.faces, colour) for colour, one in made]


# ---------------------------------------------------------------- by other packages


def _by_others(path: Path) -> list[Surface]:
    kind = path.suffix.lower()[1:]
    module = _needed("collada" if kind == "dae" else "trimesh", path)
    try:
        with warnings.catch_warnings():  # those of the readers are about their own code
            warnings.simplefilter("ignore")
            return read_collada(module, path) if kind == "dae" else _by_trimesh(module, path, kind)
    except ModelError:
        raise
    except Exception as error:  # readers of damaged files raise whatever they come across
        problem = f"it cannot be read ({type(error).__name__}: {str(error)[:200]})"
        raise FileError(str(path), problem, f"a mesh in the form {kind.upper()} is expected") from None


def _by_trimesh(trimesh, path: Path, kind: str) -> list[Surface]:
    with open(path, "rb") as file:
        scene = trimesh.load_scene(file, file_type=kind, resolver=_folder(trimesh, path.parent), process=False)
    parts = [one for one in scene.dump() if len(getattr(one, "faces", ())) and len(one.vertices)]
    return [Surface(np.array(one.vertices, float), np.array(one.faces, np.int64), _colour(one)) for one in parts]


def _needed(module: str, path: Path):
    try:
        return importlib.import_module(module)
    except ImportError:
        what = {"trimesh": "trimesh", "collada": "pycollada"}[module]
        remedy = 'pip install "mekane[meshes]"; STL files need nothing.'
        raise FileError(str(path), f"{what} is not installed", f"it reads {path.suffix} files", remedy) from None


def _folder(trimesh, folder: Path):
    class Folder(trimesh.resolvers.Resolver):
        """Gives the reader materials (.mtl) of the folder that the mesh is in; images and all else are not read."""

        def __init__(self):
            pass

        def get(self, key):
            name = Path(str(key)).name
            if not name.lower().endswith(".mtl") or not (folder / name).is_file():
                raise FileNotFoundError(name)
            return (folder / name).read_bytes()

        def write(self, name, data):
            raise PermissionError(name)

        def namespaced(self, namespace):
            return self

        def keys(self):
            return []

    return Folder()


def _colour(part) -> str | None:
    visual = part.visual
    if not getattr(visual, "defined", False):
        return None
    material = getattr(visual, "material", None)
    colour = getattr(material, "main_color", None) if material is not None else getattr(visual, "main_color", None)
    if colour is None:
        return None
    found = colour_of_shares(np.asarray(colour, float)[:3] / 255.0)
    return None if material is not None and found in UNCOLOURED else found
