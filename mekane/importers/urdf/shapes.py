"""Geometry of links: what is drawn becomes the look of a body, and what collides its shape, of which a body has one."""

from pathlib import Path

from mekane.errors import ModelError
from mekane.importers.urdf.packages import resolve
from mekane.importers.urdf.report import Report
from mekane.importers.urdf.robot import SIZES, Geometry, Link
from mekane.model.geometry.colours import colour_of_shares
from mekane.model.geometry.mesh import Mesh
from mekane.model.geometry.meshes.files import SUFFIXES
from mekane.model.geometry.shapes import Box, Capsule, Cylinder, Shape, Sphere

ONE_SHAPE = "a body has one shape, the largest box, cylinder, capsule or sphere that collides, else a mesh"
HULL = "meshes of collisions touch as their convex hulls, where a contact is given"


class Looks:
    """Shapes of links; what has no place in them is reported."""

    def __init__(self, robot, materials: dict[str, tuple[float, ...]], folder: Path | None, report: Report):
        self.materials, self.folder, self.report = materials, folder, report
        self.has_visuals = any(one.role == "visual" for link in robot.links.values() for one in link.geometry)

    def keywords(self, link: Link) -> dict:
        """shape= and look= of System.body. What is visual is the look; where a robot has nothing visual, shapes are drawn."""
        made = {id(one): self.made(one, link.name) for one in link.geometry}
        drawn, touching = (
            [one for one in link.geometry if one.role == role and made[id(one)] is not None]
            for role in ("visual", "collision")
        )
        chosen = _largest(touching or drawn, made)
        for one in touching:
            if one is not chosen:
                self.report.add(f"<link><collision><geometry><{one.kind}>", link.name, ONE_SHAPE)
        if chosen is not None and chosen.role == "collision" and chosen.kind == "mesh":
            self.report.gather(HULL, link.name)
        look = [made[id(one)] for one in drawn]
        shape = None if chosen is None else made[id(chosen)]
        return {"shape": shape} if look == [shape] or not self.has_visuals else {"shape": shape, "look": look}

    def made(self, one: Geometry, owner: str) -> Shape | None:
        """The shape, or None and a report of the reason."""
        what, why = f"<link><{one.role}><geometry><{one.kind}>", ""
        if one.wrong:
            what, why = f"<link><{one.role}>", one.wrong
        elif one.kind == "mesh":
            owner = f"{owner} ({(one.filename or '').rpartition('/')[2]})"
            path = resolve(one.filename, self.folder)
            why = _why_not_read(path, one)
        elif one.kind not in SIZES:
            why = "not a shape of URDF"
        elif min(size for sizes in one.sizes.values() for size in sizes) <= 0.0:
            why = "it has no size"
        if why:
            self.report.add(what, owner, why)
            return None
        colour = self.colour(one, owner)
        if one.kind == "mesh":
            return Mesh(path, one.scale, at=one.p, orientation=one.R, color=colour)
        return _primitive(one, colour)

    def colour(self, one: Geometry, owner: str) -> str | None:
        rgba = one.colour or self.materials.get(one.material, ())
        if one.material and not rgba:
            self.report.add(
                "<link><visual><material>", f"{owner} {one.material!r}", "it has no colour that can be read"
            )
        if rgba and rgba[3] < 1.0:
            self.report.add("<link><visual><material><color rgba>", f"{owner} {rgba[3]:g}", "what is drawn is opaque")
        return colour_of_shares(rgba[:3]) if rgba else None


def _why_not_read(path: Path | None, one: Geometry) -> str:
    if path is None:
        return "its file is not found"
    if path.suffix.lower() not in SUFFIXES:
        return f"meshes are read from {', '.join(SUFFIXES)}"
    try:
        Mesh(path, one.scale)
    except ModelError as error:
        return f"{error.problem}; {error.expected}"
    return ""


def _primitive(one: Geometry, colour: str | None) -> Shape:
    sizes = {name: values[0] for name, values in one.sizes.items()}
    if one.kind == "box":
        return Box(*one.sizes["size"], at=one.p, orientation=one.R, color=colour)
    if one.kind == "sphere":
        return Sphere(**sizes, at=one.p, color=colour)
    return (Cylinder if one.kind == "cylinder" else Capsule)(**sizes, at=one.p, orientation=one.R, color=colour)


def _largest(several: list[Geometry], made: dict[int, Shape]) -> Geometry | None:
    """The largest that is no mesh; else the first mesh."""
    volume = lambda one: 0.0 if one.kind == "mesh" else made[id(one)].volume
    return max(several, key=lambda one: (one.kind != "mesh", volume(one)), default=None)
