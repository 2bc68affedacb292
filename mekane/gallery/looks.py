"""Pieces of the looks of mechanisms: tubes and wheels. They are drawn; they have no mass."""

import numpy as np

from mekane.model.geometry.polygon import Polygon
from mekane.model.geometry.shapes import Box, Capsule, Cylinder, Sphere, Torus

STEEL, RUBBER, DARK, LIGHT = "silver", "black", "#4a5560", "white"


def tube(p, q, radius, colour="") -> dict:
    """From p to q, with round ends."""
    p, q = np.asarray(p, float), np.asarray(q, float)
    length = float(np.linalg.norm(q - p))
    return coloured(Capsule(radius, length, axis=(q - p) / length, at=(p + q) / 2), colour)


def path(points, radius, colour="") -> list[dict]:
    """Tubes from each point to the next."""
    return [tube(p, q, radius, colour) for p, q in zip(points, points[1:], strict=False)]


def bar(p, q, radius, colour="") -> dict:
    """From p to q, with flat ends."""
    p, q = np.asarray(p, float), np.asarray(q, float)
    length = float(np.linalg.norm(q - p))
    return coloured(Cylinder(radius, length, axis=(q - p) / length, at=(p + q) / 2), colour)


def block(size, at, colour="") -> dict:
    return coloured(Box(*size, at=at), colour)


def ball(radius, at, colour="") -> dict:
    return coloured(Sphere(radius, at=at), colour)


def spoked(radius, tyre, axis, at=(0, 0, 0), spokes=12) -> list[dict]:
    """A wheel: tyre, rim, hub and spokes."""
    at, axis = np.asarray(at, float), np.asarray(axis, float)
    side = np.eye(3)[np.argmin(np.abs(axis))]
    u = np.cross(axis, side) / np.linalg.norm(np.cross(axis, side))
    v = np.cross(axis, u)
    rim, hub = radius - 2 * tyre, 0.09 * radius
    around = [2 * np.pi * k / spokes for k in range(spokes)]
    ends = [np.cos(angle) * u + np.sin(angle) * v for angle in around]
    wires = [tube(at + hub * e, at + rim * e, 0.012 * radius, STEEL) for e in ends]
    hub_bar = bar(at - 1.6 * tyre * axis, at + 1.6 * tyre * axis, hub, STEEL)
    return [
        coloured(Torus(radius - tyre, tyre, axis=axis, at=at), RUBBER),
        coloured(Torus(rim - 0.4 * tyre, 0.4 * tyre, axis=axis, at=at), STEEL),
        hub_bar,
        *wires,
    ]


def ratchet(radius, depth, teeth, thickness, colour="") -> dict:
    """A wheel about y whose teeth are steep on one side."""
    turn = 2 * np.pi / teeth
    corners = [(r, turn * (k + part)) for k in range(teeth) for part, r in ((0.0, radius - depth), (0.85, radius))]
    outline = [(r * np.cos(angle), r * np.sin(angle)) for r, angle in corners]
    return coloured(Polygon(outline, thickness, orientation=("x", np.pi / 2)), colour)


def coloured(shape, colour) -> dict:
    return {**shape.to_dict(), **({"color": colour} if colour else {})}
