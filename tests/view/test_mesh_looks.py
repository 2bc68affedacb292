"""Meshes and colours in scenes, pictures and pages. Oracles: the same mechanism drawn as mk.Box, pixel by pixel; the
corners that were packed; and in Chromium the volume that the page's own triangles enclose."""

import json

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from meshes import ball, box, write_obj, write_stl

import mekane as mk
from mekane.model.geometry.colours import NAMES
from mekane.model.geometry.solid import Triangles
from mekane.view.scene.scene import MOST_TRIANGLES, PALETTE, scene
from mekane.view.web.packing import from_block, packed_mesh, text_of_meshes


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("meshes")
    write_stl(where / "beam.stl", box(100, 100, 400, at=(50, 0, -200)))
    write_stl(where / "fine.stl", ball(0.2, 120))
    return where


def pendulum(**given):
    s = mk.System("pendulum")
    s.body("beam", mass=1, inertia=(0.1, 0.1, 0.1), com=(0.05, 0, -0.2), **given)
    s.pin("hinge", s.ground, "beam", at=(0, 0, 0), axis="y", rate=1.0)
    return s


def as_mesh(folder, **given):
    return pendulum(shape=mk.Mesh(folder / "beam.stl", scale=0.001), **given)


def as_box(**given):
    return pendulum(shape=mk.Box(0.1, 0.1, 0.4, at=(0.05, 0, -0.2)), **given)


def test_a_box_as_a_mesh_has_the_scene_of_a_box(folder):
    """Position and size of the solid to the 32 bits of the file; colours are given, else those of the palette."""
    mesh, plain = (scene(s) for s in (as_mesh(folder, color="orange"), as_box()))
    one, other = mesh.bodies[0].solids[0], plain.bodies[0].solids[0]
    assert one.kind == "mesh" and one.colour == NAMES["orange"] == mesh.bodies[0].colour and other.colour == PALETTE[0]
    assert one.size == pytest.approx(other.size, rel=1e-7) and one.position == pytest.approx(other.position, rel=1e-7)
    assert (mesh.size, mesh.scale) == pytest.approx((plain.size, plain.scale), rel=1e-7)


def test_a_picture_of_it_is_that_of_a_box(folder):
    """Equal but for pixels at its edges, where the last bits of corners decide."""
    mesh, plain = (
        np.asarray(mk.simulate(s, 0.01).picture(size=(200, 150)).image, float) for s in (as_mesh(folder), as_box())
    )
    assert np.mean(np.abs(mesh - plain).max(axis=-1) > 8) < 2e-3 and np.ptp(mesh) > 50


def test_colours_of_shapes_looks_and_bodies(folder, tmp_path):
    """A shape's own before that of the file, before the body's, before the palette's."""
    pytest.importorskip("trimesh")
    painted = write_obj(tmp_path / "p.obj", box(1, 1, 1), colour=(1, 0.5, 0))
    look = [mk.Mesh(painted), mk.Mesh(painted, color="#112233"), mk.Box(1, 1, 1), mk.Sphere(1, color="red")]
    colours = lambda **given: [solid.colour for solid in scene(pendulum(look=look, **given)).bodies[0].solids]
    assert colours(color="#445566") == ["#ff8000", "#112233", "#445566", "#c8372d"]
    assert colours() == ["#ff8000", "#112233", PALETTE[0], "#c8372d"]


def test_what_cannot_be_read_is_drawn_as_if_it_had_no_shape(tmp_path):
    (tmp_path / "bad.stl").write_bytes(b"nothing")
    for file in ("bad.stl", "none.stl"):
        s = pendulum(shape=mk.Mesh(tmp_path / file))
        assert [x.kind for x in scene(s).bodies[0].solids] == [x.kind for x in scene(pendulum()).bodies[0].solids]
        assert scene(s).not_drawn == (file,) and text_of_meshes(scene(s).to_dict()) == f"not drawn: {file}"


def test_a_body_without_looks_is_not_drawn():
    assert scene(pendulum(look=[], shape=mk.Box(1, 1, 1))).bodies[0].solids == ()


def test_large_meshes_are_drawn_coarser_and_packed_once(folder):
    """Two bodies share a file: its triangles stand in the scene once. The coarser ball has a volume of 1 % less at most."""
    s = pendulum(look=mk.Mesh(folder / "fine.stl"))
    s.body(
        "other",
        massless=True,
        look=[mk.Mesh(folder / "fine.stl", scale=(2, 1, 1)), mk.Mesh(folder / "fine.stl", scale=-1)],
    )
    found = scene(s)
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    solids = [solid for body in data["bodies"] for solid in body["solids"]]
    assert [solid["triangles"] for solid in solids] == [0, 0, 1] and len(data["meshes"]) == 2
    count = from_block(data["meshes"][0]["faces"]).shape[0]
    assert 8000 < count <= 12000 and found.triangle_count == 3 * count < MOST_TRIANGLES
    assert f"meshes of {2 * count} triangles" in text_of_meshes(data)
    for mesh, solid in zip((data["meshes"][k] for k in (0, 0, 1)), solids, strict=True):
        assert volume(mesh, solid["size"]) == pytest.approx(np.prod(solid["size"]) * np.pi / 6, rel=0.02)


def volume(mesh, size):
    """Of packed triangles, positive if they are turned outwards."""
    corners = (from_block(mesh["vertices"]) / 65535 - 0.5) * size
    a, b, c = np.moveaxis(corners[from_block(mesh["faces"])], 1, 0)
    return np.einsum("fi,fi->", a, np.cross(b, c)) / 6


def test_packed_corners_are_near_the_given_ones():
    """Half a step of 1/65535; indices take four bytes where there are more than two can count."""
    generator = np.random.default_rng(1)
    given = Triangles(generator.uniform(-0.5, 0.5, (70000, 3)), generator.integers(0, 70000, (10, 3)))
    mesh = packed_mesh(given)
    assert np.abs(from_block(mesh["vertices"]) / 65535 - 0.5 - given.vertices).max() <= 0.5001 / 65535
    assert mesh["faces"]["dtype"] == "uint32" and np.array_equal(from_block(mesh["faces"]), given.faces)


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
def test_the_page_draws_the_mesh(folder, tmp_path):
    """Triangles of the page, scaled by the solid, enclose the volume of the beam; normals are those of its six sides."""
    run = mk.simulate(as_mesh(folder, color="orange"), 0.1)
    run.save_html(tmp_path / "m.html")
    with Browser() as browser:
        browser.open((tmp_path / "m.html").as_uri())
        found = browser.evaluate("""(() => {
          const mesh = page.mechanism.groups[0].children.find((one) => one.isMesh), at = mesh.geometry.attributes;
          const p = at.position.array, n = at.normal.array;
          let volume = 0, across = 0;
          for (let k = 0; k < p.length; k += 9)
            volume += (p[k] * (p[k + 4] * p[k + 8] - p[k + 5] * p[k + 7]) - p[k + 1] * (p[k + 3] * p[k + 8] - p[k + 5] * p[k + 6])
              + p[k + 2] * (p[k + 3] * p[k + 7] - p[k + 4] * p[k + 6])) / 6;
          for (let k = 0; k < n.length; k += 3) across = Math.max(across, 1 - Math.max(...[0, 1, 2].map((i) => Math.abs(n[k + i]))));
          return { volume, across, count: p.length / 9, subtitle: document.body.textContent.includes("meshes of 12 triangles") };
        })()""")
        assert not browser.errors
    assert found["volume"] == pytest.approx(0.004, rel=1e-4) and found["across"] < 1e-6
    assert found["count"] == 12 and found["subtitle"]
