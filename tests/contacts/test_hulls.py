"""Convex hulls of points and meshes. Oracles: the box with the same corners; files written here by hand."""

from itertools import product

import numpy as np
import pytest

import mekane as mk

CUBE = list(product((-0.2, 0.2), (-0.15, 0.15), (-0.1, 0.1)))
TETRAHEDRON = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float)
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def falling(shape):
    s = mk.System("falling")
    s.body(
        "b",
        mass=2,
        shape=shape,
        position=(0, 0, 0.5),
        orientation=((1, 2, 0.5), 0.7),
        angular_velocity=(0.2, -0.1, 0.3),
    )
    s.contact("floor", "b", (s.ground, mk.Plane()), friction=0.3, restitution=0.4)
    return mk.simulate(s, 0.6, every=0.05)


def test_the_hull_of_the_corners_of_a_box_moves_as_the_box():
    """Through impacts with friction; points inside and on edges do not count. The same numbers but for round-off of the
    inertia, which impacts enlarge."""
    hull, box = falling(mk.Hull([*CUBE, (0, 0, 0), (0.2, 0.0, 0.1)])), falling(mk.Box(0.4, 0.3, 0.2))
    assert len(hull.system.contact_laws["floor"].ids(hull.system)) == 8
    np.testing.assert_allclose([e.time for e in hull.events], [e.time for e in box.events], atol=1e-9)
    np.testing.assert_allclose(hull["b.position"], box["b.position"], atol=1e-9)


def as_text(corners):
    lines = ["solid part"]
    for face in FACES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex " + " ".join(map(str, corners[k])) for k in face] + ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid part"]).encode()


def as_binary(corners):
    triangles = np.zeros(len(FACES), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")]))
    triangles["corners"] = corners[FACES]
    return b"made by hand".ljust(80) + len(FACES).to_bytes(4, "little") + triangles.tobytes()


@pytest.mark.parametrize("form", [as_text, as_binary])
def test_meshes_are_read_from_stl_files(form, tmp_path):
    """A tetrahedron in millimetres: volume abc/6, mass centre at a quarter."""
    path = tmp_path / "part.stl"
    path.write_bytes(form(1000 * TETRAHEDRON))
    hull = mk.Hull.from_stl(path, scale=1e-3)
    assert hull.volume == pytest.approx(1 / 6, rel=1e-12)
    np.testing.assert_allclose(hull.mass_properties(mass=1).com, 0.25, rtol=1e-12)


def test_hulls_that_are_none_are_refused(tmp_path):
    flat = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
    ball = np.random.default_rng(0).normal(size=(300, 3))
    ball /= np.linalg.norm(ball, axis=1)[:, None]
    for points, words in ((flat, "its points lie in a plane"), ([(0, 0, 0)], "at least four points"),
                          ([(0, 0)] * 4, "a point is"), (ball.tolist(), "it has 300 corners; at most 200")):  # fmt: skip
        with pytest.raises(mk.ModelError, match=words):
            mk.Hull(points)
    (tmp_path / "bad.stl").write_bytes(b"nothing")
    with pytest.raises(mk.ModelError, match="it ends after 7 bytes"):
        mk.Hull.from_stl(tmp_path / "bad.stl")
