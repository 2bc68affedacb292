"""Geoms as shapes: a body has one shape, the largest primitive, beside its look; sites as markers."""

from __future__ import annotations

from mekane.importers.mjcf.reading import Reading
from mekane.importers.mjcf.start import rotation_of
from mekane.model.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere
from mekane.model.geometry.surfaces import Plane

ON_THE_WORLD = "what is fixed to the world is not drawn by itself"


def type_of(reading: Reading, g: int) -> str:
    """ "SPHERE", "MESH", …"""
    return reading.mujoco.mjtGeom(reading.model.geom_type[g]).name.removeprefix("mjGEOM_")


def shape_of(reading: Reading, i: int) -> Shape | None:
    """The shape of a body: the largest of its primitives."""
    geoms = range(reading.model.body_geomadr[i], reading.model.body_geomadr[i] + reading.model.body_geomnum[i])
    made = {g: solid for g in geoms if (solid := solid_of(reading, g)) is not None}
    return max(made.values(), key=lambda solid: solid.volume, default=None)


def leave_out(reading: Reading, g: int, why: str) -> None:
    body = reading.given("BODY", reading.model.geom_bodyid[g])
    name = reading.names.given("GEOM", g)
    reading.report.add("<geom>", f"{name} on {body}" if name else f"{body}", f"it is not drawn: {why}")


def solid_of(reading: Reading, g: int) -> Shape | None:
    """The shape of a geom in the frame of its body; None for what is no primitive, or has no size."""
    model, kind = reading.model, type_of(reading, g)
    x, y, z = (float(size) for size in model.geom_size[g])
    placed = {"at": model.geom_pos[g], "orientation": rotation_of(model.geom_quat[g])}
    sizes = {"SPHERE": (x,), "CAPSULE": (x, 2 * y), "CYLINDER": (x, 2 * y), "BOX": (2 * x, 2 * y, 2 * z)}
    sizes["ELLIPSOID"] = (x, y, z)
    if kind not in sizes or min(sizes[kind]) <= 0.0:
        return None
    made = {"SPHERE": Sphere, "CAPSULE": Capsule, "CYLINDER": Cylinder, "BOX": Box, "ELLIPSOID": Ellipsoid}[kind]
    return made(*sizes[kind], **placed)


def surface_of(reading: Reading, g: int):
    """What a geom touches others with; None for meshes and height fields."""
    if type_of(reading, g) != "PLANE":
        return solid_of(reading, g)
    model = reading.model
    return Plane(at=model.geom_pos[g], normal=rotation_of(model.geom_quat[g])[:, 2])


def list_world_geoms(reading: Reading) -> None:
    for g in range(reading.model.body_geomnum[0]):
        leave_out(reading, reading.model.body_geomadr[0] + g, ON_THE_WORLD)


def add_sites(reading: Reading) -> None:
    model = reading.model
    for i in range(model.nsite):
        name = reading.names.of("SITE", i, "site", f"site {i}")
        reading.names.sites.append(name)
        body = reading.names.bodies[model.site_bodyid[i]]
        reading.system.marker(name, body, at=model.site_pos[i], orientation=rotation_of(model.site_quat[i]))
