"""How bodies are drawn: the geoms that MuJoCo shows, with their colours; meshes from their files."""

from __future__ import annotations

from pathlib import Path

from mekane.importers.mjcf.geoms import leave_out, solid_of, type_of
from mekane.importers.mjcf.reading import Reading
from mekane.importers.mjcf.start import rotation_of
from mekane.model.geometry.colours import colour_of_shares
from mekane.model.geometry.mesh import Mesh
from mekane.model.geometry.meshes.files import SUFFIXES
from mekane.model.geometry.shapes import Shape

SHOWN = 3  # MuJoCo shows geoms of the groups below this one; the others are usually what collides
NOT_DRAWN = {"HFIELD": "a height field is not drawn", "PLANE": "a plane is not drawn", "SDF": "it is no mesh in a file"}


def look_of(reading: Reading, i: int) -> list[Shape]:
    """Shapes that a body is drawn as; what is not drawn is reported."""
    geoms = range(reading.model.body_geomadr[i], reading.model.body_geomadr[i] + reading.model.body_geomnum[i])
    visible = [g for g in geoms if rgba_of(reading, g)[3] > 0.0]
    front = [g for g in visible if reading.model.geom_group[g] < SHOWN]
    found = [shape for g in front or visible if (shape := drawn(reading, g)) is not None]
    for g in geoms:
        if g not in (front or visible):
            leave_out(reading, g, "MuJoCo does not show it either")
    return found


def drawn(reading: Reading, g: int) -> Shape | None:
    colour, kind = colour_of_shares(rgba_of(reading, g)[:3]), type_of(reading, g)
    if kind == "MESH":
        return mesh_of(reading, g, colour)
    found = solid_of(reading, g)
    if found is None:
        leave_out(reading, g, NOT_DRAWN.get(kind, "it has no size"))
        return None
    return found.with_arguments(lambda given, keyword: colour if keyword == "color" else given)


def rgba_of(reading: Reading, g: int):
    """That of its material, if it has one."""
    material = reading.model.geom_matid[g]
    return reading.model.geom_rgba[g] if material < 0 else reading.model.mat_rgba[material]


def mesh_of(reading: Reading, g: int, colour: str) -> Mesh | None:
    """MuJoCo moves a mesh to its mass centre and principal axes (mesh_pos, mesh_quat); the file is placed back."""
    model, k = reading.model, reading.model.geom_dataid[g]
    path, why = file_of(reading, k)
    if why:
        leave_out(reading, g, why)
        return None
    R = rotation_of(model.geom_quat[g]) @ rotation_of(model.mesh_quat[k]).T
    at = model.geom_pos[g] - R @ model.mesh_pos[k]
    return Mesh(path, model.mesh_scale[k].tolist(), at=at, orientation=R, color=colour)


def file_of(reading: Reading, k: int) -> tuple[Path | None, str]:
    """The file of a mesh, and why it cannot be drawn."""
    first = int(reading.model.mesh_pathadr[k])
    if first < 0 or reading.folder is None:
        return None, "its mesh is in no file"
    name = reading.model.paths[first:].split(b"\0")[0].decode(errors="replace")
    path = reading.folder / name
    if path.suffix.lower() not in SUFFIXES:
        return None, f"meshes are read from {', '.join(SUFFIXES)}"
    if not path.is_file():
        return None, f"its file {name!r} is not found"
    return (None, "it has refpos or refquat") if reading.meshes_moved else (path, "")
