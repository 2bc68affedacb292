"""Shapes. Oracles: closed forms from tables of solids, and the moments of the solid itself by quadrature."""

from itertools import product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mekane.errors import ModelError
from mekane.model.geometry.hull import Hull
from mekane.model.geometry.polygon import Polygon
from mekane.model.geometry.shapes import (
    SHAPES,
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Plate,
    Rod,
    Sphere,
    Torus,
    shape_from,
)


@pytest.mark.parametrize(
    "shape, volume, inertia_per_mass",
    [
        (Box(1, 2, 3), 6, (13 / 12, 10 / 12, 5 / 12)),
        (Cylinder(2, 3), 12 * np.pi, (4 / 4 + 9 / 12, 4 / 4 + 9 / 12, 2)),
        (Cylinder(2, 3, "x"), 12 * np.pi, (2, 4 / 4 + 9 / 12, 4 / 4 + 9 / 12)),
        (Sphere(2), 32 * np.pi / 3, (1.6, 1.6, 1.6)),
        (Rod(3, "y"), 0, (9 / 12, 0, 9 / 12)),
        (Rod(3, "z", 2), 12 * np.pi, (4 / 4 + 9 / 12, 4 / 4 + 9 / 12, 2)),
        (Plate(1, 2), 0, (4 / 12, 1 / 12, 5 / 12)),
        (Plate(1, 2, 3), 6, (13 / 12, 10 / 12, 5 / 12)),
        (Capsule(1, 1e-12), 4 * np.pi / 3, (0.4, 0.4, 0.4)),
        (Ellipsoid(1, 2, 3), 8 * np.pi, (13 / 5, 10 / 5, 5 / 5)),
        (Torus(2, 0.5), np.pi**2, (2 + 5 / 32, 2 + 5 / 32, 4 + 3 / 16)),
        (Polygon([(-0.5, -1), (0.5, -1), (0.5, 1), (-0.5, 1)], 3), 6, (13 / 12, 10 / 12, 5 / 12)),
        (Hull([*product((-0.5, 0.5), (-1, 1), (-1.5, 1.5)), (0.1, 0.2, 0.3)]), 6, (13 / 12, 10 / 12, 5 / 12)),
        (Polygon.regular(6, 1.0), 0, (5 / 24, 5 / 24, 5 / 12)),
    ],
)
def test_closed_forms(shape, volume, inertia_per_mass):
    assert shape.volume == pytest.approx(volume, rel=1e-11, abs=0)
    _, _, inertia = shape.mass_properties(mass=2.0)
    assert np.allclose(inertia, 2 * np.diag(inertia_per_mass), rtol=1e-11, atol=1e-15)


AT, ROTATED = (0.3, -0.2, 0.5), Rotation.from_euler("XYZ", [0.4, -0.8, 1.3])


def inside(shape, points):
    """Which points of the body frame lie in the shape, from the definition of the solid."""
    x, y, z = own = ROTATED.inv().apply(points - AT).T
    if isinstance(shape, Box):
        return (abs(x) < shape.x / 2) & (abs(y) < shape.y / 2) & (abs(z) < shape.z / 2)
    if isinstance(shape, Plate):
        return (abs(x) < shape.x / 2) & (abs(y) < shape.y / 2) & (abs(z) < shape.thickness / 2)
    if isinstance(shape, Sphere):
        return x**2 + y**2 + z**2 < shape.radius**2
    if isinstance(shape, Ellipsoid):
        return (x / shape.x) ** 2 + (y / shape.y) ** 2 + (z / shape.z) ** 2 < 1
    if isinstance(shape, Polygon):  # the triangle below
        return (y > -0.4) & (y < 0.9 * x + 0.5) & (0.8 * x + 0.3 * y < 0.5) & (abs(z) < shape.thickness / 2)
    if isinstance(shape, Hull):  # the tetrahedron below
        return (x > -0.3) & (y > -0.4) & (z > -0.2) & (x + y + z < 0.6)
    along = shape.axis @ own
    from_axis = x**2 + y**2 + z**2 - along**2
    if isinstance(shape, Torus):
        return (np.sqrt(from_axis) - shape.radius) ** 2 + along**2 < shape.tube**2
    beyond = np.maximum(abs(along) - shape.length / 2, 0)
    return (
        from_axis + beyond**2 < shape.radius**2
        if isinstance(shape, Capsule)
        else (from_axis < shape.radius**2) & (beyond == 0)
    )


PLACED = {"at": AT, "orientation": ROTATED}
SOLID = [Box(0.6, 0.9, 1.2, **PLACED), Cylinder(0.4, 1.1, (1, 2, -1), **PLACED), Sphere(0.6, **PLACED)]
SOLID += [Capsule(0.4, 0.7, "x", **PLACED), Rod(1.3, "y", 0.3, **PLACED), Plate(0.8, 1.1, 0.3, **PLACED)]
SOLID += [Ellipsoid(0.5, 0.7, 0.4, **PLACED), Torus(0.5, 0.35, (1, 2, -1), **PLACED)]
SOLID += [Hull([(-0.3, -0.4, -0.2), (1.2, -0.4, -0.2), (-0.3, 1.1, -0.2), (-0.3, -0.4, 1.3), (0, 0, 0)], **PLACED)]
SOLID += [Polygon([(-1.0, -0.4), (0.775, -0.4), (0.35 / 1.07, 0.5 + 0.315 / 1.07)], 0.9, **PLACED)]


@pytest.mark.divided("shape", 2)
@pytest.mark.parametrize("shape", SOLID, ids=lambda shape: type(shape).__name__)
def test_mass_properties_against_quadrature(shape):
    """Midpoint rule, 150³ cells of 1.6 cm, at a slant to the faces and off centre, so that the errors of cut cells
    average out.

    About 2e4 cells are cut out of 2e5: a random error of √2e4 / 2e5 ≈ 1e-3 at most.
    """
    n, side = 150, 2.4
    ticks = (np.arange(n) + 0.5) * side / n - side / 2
    points = (
        np.stack(np.meshgrid(ticks, ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 3) + AT + (0.003, 0.005, 0.007)
    )
    points = points[inside(shape, points)]
    cell = 7.0 * (side / n) ** 3
    centred = points - points.mean(axis=0)
    second = cell * centred.T @ centred
    expected = np.trace(second) * np.eye(3) - second

    mass, com, inertia = shape.mass_properties(density=7.0)
    assert mass == pytest.approx(cell * len(points), rel=1e-3)
    assert np.allclose(com, points.mean(axis=0), atol=1e-4)
    assert np.allclose(inertia, expected, atol=1e-3 * np.max(expected))


def test_turning_a_shape_turns_its_inertia():
    R = Rotation.from_euler("XYZ", [0.4, -0.8, 1.3]).as_matrix()
    straight = Box(1, 2, 3).mass_properties(mass=1.0).inertia
    rotated = Box(1, 2, 3, orientation=R).mass_properties(mass=1.0).inertia
    assert np.allclose(rotated, R @ straight @ R.T, atol=1e-15)
    assert np.array_equal(rotated, rotated.T)


def test_units_and_file_form():
    assert Box("10 mm", "2 cm", 0.03) == Box(0.01, 0.02, 0.03)
    assert shape_from({"box": [1, 2, 3]}, "body 'b'") == Box(1, 2, 3)
    assert shape_from({"box": {"x": 1, "y": 2, "z": 3}, "at": [0, 0, "5 cm"]}, "body 'b'") == Box(
        1, 2, 3, at=(0, 0, 0.05)
    )
    assert shape_from({"cylinder": [1, 2], "axis": "y"}, "body 'b'") == Cylinder(1, 2, "y")
    assert shape_from({"sphere": "5 cm"}, "body 'b'") == Sphere(0.05)
    assert shape_from(None, "body 'b'") is None


@pytest.mark.parametrize("shape", SOLID + [Rod(1), Plate(1, 2)], ids=lambda shape: type(shape).__name__)
def test_file_form_is_read_back_exactly(shape):
    assert shape_from(shape.to_dict(), "body 'b'") == shape


def test_shapes_differ():
    assert Box(1, 2, 3) != Box(1, 2, 4) and Box(1, 2, 3) != Plate(1, 2, 3) and len({Box(1, 2, 3), Box(1, 2, 3)}) == 1
    assert set(SHAPES) == {
        "box", "cylinder", "sphere", "capsule", "rod", "plate", "ellipsoid", "torus", "polygon", "hull", "mesh",
    }  # fmt: skip


@pytest.mark.parametrize(
    "bad, says",
    [
        ({"box": [1, 2, -3]}, "z is -3; it must be greater than zero"),
        ({"box": [1, 2, 0]}, "z is 0"),
        ({"box": [1, 2, "3 kg"]}, "'kg' is not a unit of length"),
        ({"box": [1, 2]}, "missing a required argument: 'z'"),
        ({"box": [1, 2, 3, 4]}, "too many positional arguments"),
        ({"box": {"x": 1, "y": 2, "z": 3}, "colour": "red"}, "'colour'"),
        ({"cylinder": {"radios": 1, "length": 2}}, "Did you mean 'radius'?"),
        ({"bx": [1, 2, 3]}, "Did you mean 'box'?"),
        ({"box": [1, 2, 3], "sphere": 1}, "one shape is expected"),
        ({"rod": 1, "axis": (0, 0, 0)}, "length zero"),
        ({"rod": 1, "radius": -1}, "radius is -1"),
        ({"sphere": 1, "orientation": 5}, "no form of orientation"),
        ("box", "one shape is expected"),
        ([1, 2, 3], "one shape is expected"),
    ],
)
def test_bad_shapes_are_refused_by_name(bad, says):
    with pytest.raises(ModelError) as caught:
        shape_from(bad, "body 'arm'")
    assert str(caught.value).startswith("body 'arm'") and says in str(caught.value)


@pytest.mark.parametrize("shape, keyword", [(Rod(1), "radius"), (Plate(1, 2), "thickness")])
def test_density_needs_a_volume(shape, keyword):
    with pytest.raises(ModelError, match=f"{keyword} is 0, so a density gives no mass"):
        shape.mass_properties(density=1.0)
