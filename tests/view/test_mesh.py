"""Meshes of solids. Oracles: closed forms of volumes, Euler's characteristic, and that every edge is passed once in
each direction."""

from dataclasses import replace

import numpy as np
import pytest
from meshes import TETRAHEDRON

from mekane.model.geometry.solid import KINDS, Triangles, placed
from mekane.model.values.orientation import rotation
from mekane.view.render.mesh import mesh
from mekane.view.render.polygon import triangles

STAR = [(r * np.cos(a), r * np.sin(a)) for r, a in zip([2.0, 0.7] * 5, np.arange(10) * np.pi / 5, strict=True)]
COMB = [(0, 0), (5, 0), (5, 2), (4, 2), (4, 0.5), (3, 0.5), (3, 2), (2, 2), (2, 0.5), (1, 0.5), (1, 2), (0, 2)]
SOLIDS = {  # size, outline, volume, Euler's characteristic
    "box": ((1.0, 2.0, 3.0), (), 6.0, 2),
    "cylinder": ((0.5, 3.0), (), np.pi * 0.25 * 3, 2),
    "disc": ((2.0, 0.1), (), np.pi * 4 * 0.1, 2),
    "capsule": ((0.5, 2.0), (), np.pi * 0.25 * 2 + 4 / 3 * np.pi * 0.125, 2),
    "sphere": ((1.5,), (), 4 / 3 * np.pi * 1.5**3, 2),
    "ellipsoid": ((1.0, 2.0, 0.5), (), 4 / 3 * np.pi, 2),
    "ring": ((1.0, 1.5, 0.4), (), np.pi * (1.5**2 - 1) * 0.4, 0),
    "prism": ((0.3,), COMB, 0.3 * 7.0, 2),
    "mesh": ((1.0, 2.0, 3.0), (), 1.0, 2),
}
SURFACES = {"mesh": Triangles(TETRAHEDRON[0] - 0.5, np.array(TETRAHEDRON[1]))}


def area(outline):
    x, y = np.transpose(outline)
    return 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def at(kind, segments=32):
    size, outline, *_ = SOLIDS[kind]
    R, given = rotation(np.array([2, 1, 2]) / 3, 0.8), {"outline": outline, "triangles": SURFACES.get(kind)}
    return mesh(placed(kind, size, (0.3, -0.2, 0.7), R, **given), segments)


def test_all_kinds_are_here():
    assert set(SOLIDS) == set(KINDS)


@pytest.mark.parametrize("kind", SOLIDS)
def test_closed(kind):
    """Each edge belongs to two faces, which pass it in opposite directions; V − E + F is 2, of a ring 0."""
    found = at(kind)
    edges = np.concatenate([found.faces[:, pair] for pair in ([0, 1], [1, 2], [2, 0])])
    there, back = ({tuple(edge) for edge in edges[:, way].tolist()} for way in ([0, 1], [1, 0]))
    assert there == back and len(there) == len(edges)
    assert len(found.vertices) - len(edges) // 2 + len(found.faces) == SOLIDS[kind][3]


@pytest.mark.parametrize("kind, size", [("disc", (0.5, 0.2)), ("ring", (0.5, 0.6, 0.2))])
def test_gears_have_teeth(kind, size):
    """Closed; the volume is that of the polygon of its teeth, by Gauss's formula, and of a ring what the circle with the
    same corners holds less that. A tooth of a wheel reaches 0.9 modules beyond the pitch circle, at angle 0."""
    teeth, module = 12, 2 * 0.5 / 12
    found = mesh(replace(placed(kind, size), teeth=teeth))
    edges = np.concatenate([found.faces[:, pair] for pair in ([0, 1], [1, 2], [2, 0])])
    there, back = ({tuple(edge) for edge in edges[:, way].tolist()} for way in ([0, 1], [1, 0]))
    assert there == back and len(there) == len(edges)
    angles = 2 * np.pi / teeth * np.array([k + turn for k in range(teeth) for turn in (-0.36, -0.16, 0.16, 0.36)])
    radii = np.tile(0.5 + module * np.array([-1.1, 0.9, 0.9, -1.1]), teeth)
    polygon = lambda r: area(np.column_stack([r * np.cos(angles), r * np.sin(angles)]))
    expected = polygon(radii) if kind == "disc" else polygon(0.6) - polygon(radii)
    assert found.volume == pytest.approx(0.2 * expected, rel=1e-12)
    if kind == "disc":
        tip = 0.5 + 0.9 * module
        assert np.hypot(*found.vertices[:, :2].T).max() == pytest.approx(tip, rel=1e-12)


@pytest.mark.parametrize("kind", SOLIDS)
def test_volume(kind):
    """Of flat faces to rounding; what is round is met with an error that falls by four when segments double."""
    exact = SOLIDS[kind][2]
    errors = [abs(at(kind, n).volume / exact - 1) for n in (32, 64, 128)]
    if kind in ("box", "prism", "mesh"):
        assert max(errors) < 1e-13
    else:
        assert errors[2] < 2e-3 and all(3.8 < a / b < 4.2 for a, b in zip(errors, errors[1:], strict=False))


def test_normals_are_those_of_the_surface():
    """Of a sphere: radial, within the angle of half a face; of a cylinder: radial on its side, along z on its ends, and
    nothing between."""
    ball = mesh(placed("sphere", (2.0,)), 64)
    radial = ball.vertices[ball.faces] / 2
    assert np.sum(ball.normals * radial, axis=-1).min() > np.cos(np.pi / 64)
    can = mesh(placed("cylinder", (1.0, 2.0)), 32)
    z = np.abs(can.normals[..., 2])
    assert np.all((z < 1e-12) | (z > 1 - 1e-12)) and {0, 1} == set(np.round(z).ravel())


@pytest.mark.parametrize("outline", [STAR, COMB, COMB[::1][3:] + COMB[:3], [(0, 0), (1, 0), (0.5, 0.2), (0.5, 1)]])
def test_polygons_that_are_not_convex(outline):
    """Triangles cover the polygon: all turn left, and their areas sum to that of the polygon (the shoelace formula)."""
    parts = [area(np.array(outline)[triangle]) for triangle in triangles(outline)]
    assert len(parts) == len(outline) - 2 and min(parts) > 0
    assert abs(sum(parts) - area(outline)) < 1e-12
