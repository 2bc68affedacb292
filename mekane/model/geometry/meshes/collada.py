"""Collada files (.dae) by pycollada: triangles in metres, with the diffuse colours of their materials."""

import re
from io import BytesIO
from pathlib import Path

import numpy as np

from mekane.errors import FileError
from mekane.model.geometry.colours import colour_of_shares
from mekane.model.geometry.meshes.surface import Surface

MATERIALS = rb"(?s)<(bind_material|library_effects|library_materials|library_images)>.*?</\1>"


def read_collada(collada, path: Path) -> list[Surface]:
    """All that stands in the scene of the file, where it stands there; the axis that is up is not changed. Where materials
    are damaged, all is without colour. collada: the module."""
    data = path.read_bytes()
    refuse_entities(data, path)
    return _scene(collada, data) or _scene(collada, re.sub(MATERIALS, b"", data))


def _scene(collada, data: bytes) -> list[Surface]:
    file = collada.Collada(BytesIO(data), ignore=[collada.common.DaeError])
    if file.scene is None:
        return []
    unit, found = file.assetInfo.unitmeter or 1.0, []
    for geometry in file.scene.objects("geometry"):
        mirrored = np.linalg.det(np.asarray(geometry.matrix)[:3, :3]) < 0
        for primitive in geometry.primitives():
            surface = _surface(primitive, unit, mirrored)
            found += [] if surface is None else [surface]
    return found


def _surface(primitive, unit: float, mirrored: bool) -> Surface | None:
    """None for lines."""
    triangles = primitive.triangleset() if hasattr(primitive, "triangleset") else primitive
    faces = np.asarray(triangles.vertex_index) if triangles.vertex_index is not None else np.zeros((0, 3))
    if faces.ndim != 2 or faces.shape[1] != 3 or not len(faces):
        return None
    faces = faces[:, ::-1] if mirrored else faces
    colour = getattr(getattr(triangles.material, "effect", None), "diffuse", None)
    plain = isinstance(colour, tuple) and len(colour) >= 3
    return Surface(
        unit * np.asarray(triangles.vertex, float), faces.astype(np.int64), colour_of_shares(colour) if plain else None
    )


def refuse_entities(data: bytes, path: Path) -> None:
    text = data.replace(b"\0", b"")
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        problem, expected = "it has a document type with entities", "a mesh holds tags and attributes"
        raise FileError(str(path), problem, expected, "Nothing is expanded or fetched; remove <!DOCTYPE …>.")
