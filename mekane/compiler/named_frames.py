"""Frames that expressions and results name: those of bodies, and markers."""

from typing import NamedTuple

IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
AXES = ("x", "y", "z")


class NamedFrame(NamedTuple):
    body: str  # that it is fixed in, ground included
    at: tuple  # its origin in the body's frame [m]
    axes: object  # its axes in the body's frame, a matrix


def frame_of(system, name):
    """The frame of a body or marker of this name; None if there is none."""
    if name in system.markers:
        marker = system.markers[name]
        return NamedFrame(marker.body, tuple(marker.at), marker.orientation)
    return NamedFrame(name, (0.0, 0.0, 0.0), IDENTITY) if name in system.bodies or name == "ground" else None


def is_component(system, name, which):
    """True for "x", and for "base.x" where the base is another frame: a component of the orientation of frame `name`."""
    base, _, axis = which.rpartition(".")
    return axis in AXES and (not base or (base != name and frame_of(system, base) is not None))
