"""Geometry of links as shapes: a body has one shape, the largest primitive that is drawn, else the largest that collides."""

from pathlib import Path

from mekane.importers.urdf.packages import resolve
from mekane.importers.urdf.report import Report
from mekane.importers.urdf.robot import SIZES, Geometry, Link
from mekane.model.geometry.shapes import Box, Capsule, Cylinder, Shape, Sphere

ONE_SHAPE = "a body has one shape, the largest box, cylinder, capsule or sphere that is drawn, else that collides"


def shape_of(link: Link, folder: Path | None, report: Report) -> Shape | None:
    """The shape of a link; what has no place in it is reported."""
    made = {id(one): _shape(one) for one in link.geometry}
    able = [one for one in link.geometry if made[id(one)] is not None]
    chosen = max(able, key=lambda one: (one.role == "visual", made[id(one)].volume), default=None)
    for one in link.geometry:
        if one is not chosen:
            _leave_out(one, link.name, folder, report)
    return None if chosen is None else made[id(chosen)]


def _shape(one: Geometry) -> Shape | None:
    """None for what is no primitive, or has no size."""
    if one.kind not in SIZES or min(size for sizes in one.sizes.values() for size in sizes) <= 0.0:
        return None
    sizes = {name: values[0] for name, values in one.sizes.items()}
    if one.kind == "box":
        return Box(*one.sizes["size"], at=one.p, orientation=one.R)
    if one.kind == "sphere":
        return Sphere(**sizes, at=one.p)
    return (Cylinder if one.kind == "cylinder" else Capsule)(**sizes, at=one.p, orientation=one.R)


def _leave_out(one: Geometry, owner: str, folder: Path | None, report: Report) -> None:
    what = f"<link><{one.role}><geometry><{one.kind}>"
    if one.wrong:
        report.add(f"<link><{one.role}>", owner, one.wrong)
    elif one.kind == "mesh":
        missing = resolve(one.filename, folder) is None
        why = "bodies are drawn as simple solids" + ("; its file is not found" if missing else "")
        report.add(what, f"{owner} ({(one.filename or '').rpartition('/')[2]})", why)
    elif one.kind in SIZES:
        able = _shape(one) is not None
        report.add(what, owner, ONE_SHAPE if able else "it has no size")
    else:
        report.add(what, owner, "not a shape of URDF")
