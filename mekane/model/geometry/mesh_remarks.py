"""Remarks on the meshes of a system: those that cannot be read, that are too large, that are drawn coarser."""

from mekane.errors import ModelError
from mekane.model.geometry.mesh import LARGE, LOOK, Mesh


def remarks_on_meshes(system) -> list[str]:
    """In sentences; every file is read for them."""
    found = []
    for body in system.bodies.values():
        shapes = [body.shape, *body.drawn]
        for mesh in [one for one in shapes if isinstance(one, Mesh) and not one.remarks()]:
            found += [f"body {body.name!r}: {one}." for one in remarks_on(mesh)]
    return list(dict.fromkeys(found))


def remarks_on(mesh: Mesh) -> list[str]:
    try:
        size, count = mesh.extent()
    except ModelError as error:
        remedy = f" ({error.remedy.rstrip('.')})" if error.remedy else ""
        return [f"mesh {mesh.file_name!r} is not drawn: {error.problem}{remedy}"]
    found = []
    if size > LARGE:
        found.append(f"mesh {mesh.file_name!r} is {size:.4g} m long; if its file is in millimetres, scale is 0.001")
    if count > LOOK:
        found.append(f"mesh {mesh.file_name!r} has {count} triangles and is drawn with at most {LOOK}")
    return found
