"""Meshes as shapes. Oracles: closed forms of tetrahedron and box, the sphere as a limit, integrals over tetrahedra from any
point (an own sum), trimesh's; and the convex hull, whose mass properties are computed otherwise."""

import importlib
import os

import numpy as np
import pytest
from meshes import TETRAHEDRON, ball, box, write_dae, write_obj, write_stl

import mekane as mk
from mekane.errors import FileError, ModelError
from mekane.model.geometry.colours import NAMES
from mekane.model.geometry.meshes.files import stamp_of, surfaces
from mekane.model.geometry.meshes.simplify import simplified
from mekane.model.geometry.meshes.surface import Surface, merged
from mekane.model.values.units import Stepped

DENSITY = 2700.0


def body_of(shape, **keywords):
    return mk.System().body("part", shape=shape, **{"density": DENSITY, **keywords})


def tetrahedra_about(point, corners, faces):
    """Mass, mass centre and inertia about it, as sums over tetrahedra from a point: each by its closed form."""
    first, second, volume = np.zeros(3), np.zeros((3, 3)), 0.0
    for face in faces:
        four = np.array([point, *np.asarray(corners)[list(face)]])
        v = np.linalg.det(four[1:] - four[0]) / 6
        c = four.mean(axis=0)
        volume += v
        first += v * c
        second += v * (four.T @ four + 16 * np.outer(c, c)) / 20
    com = first / volume
    S = DENSITY * (second - volume * np.outer(com, com))
    return DENSITY * volume, com, np.trace(S) * np.eye(3) - S


def test_tetrahedron_in_closed_form(tmp_path):
    """V = 1/6, centre 1/4, ∫ x² dV about the centre = V 3/80, ∫ x y dV = −V/80. Its corners are exact in 32 bits; tolerance:
    round-off of some sums."""
    b = body_of(mk.Mesh(write_stl(tmp_path / "t.stl", TETRAHEDRON)))
    m = DENSITY / 6
    assert b.mass == pytest.approx(m, rel=1e-15) and b.com == pytest.approx(np.full(3, 0.25), abs=1e-15)
    assert b.inertia == pytest.approx(m / 80 * (5 * np.eye(3) + 1), rel=1e-13)


@pytest.mark.parametrize("scale", [0.001, (1, 2, 0.5), (-1, 1, 1), (-0.5, -1, -2)], ids=str)
def test_box_scaled_mirrored_and_placed_in_closed_form(tmp_path, scale):
    """A box scaled is a box; one that is mirrored has its volume, and not the negative one. Tolerance: round-off."""
    size, middle, s = np.array([2.0, 4.0, 6.0]), np.array([1.0, 0.5, -2.0]), np.broadcast_to(scale, 3)
    file = write_stl(tmp_path / "b.stl", box(*size, at=middle), text=True)
    b = body_of(mk.Mesh(file, scale=scale, at=(0.1, 0.2, 0.3), orientation=("z", "30 deg")))
    same = body_of(
        mk.Box(*(abs(s) * size), orientation=("z", "30 deg")),
        position=(0, 0, 0),
    )
    turned = np.array([[np.cos(np.pi / 6), -0.5, 0], [0.5, np.cos(np.pi / 6), 0], [0, 0, 1]])
    assert b.mass == pytest.approx(same.mass, rel=1e-14)
    assert b.com == pytest.approx((0.1, 0.2, 0.3) + turned @ (s * middle), rel=1e-14)
    assert b.inertia == pytest.approx(same.inertia, rel=1e-13, abs=1e-13 * same.inertia.max())


def test_sphere_is_the_limit(tmp_path):
    """An inscribed polyhedron of n meridians misses the sphere by e = O(1/n²): extrapolated from n and 2n it meets it to
    O(1/n⁴), the order of e²."""
    exact = body_of(mk.Sphere(0.3))
    some = [body_of(mk.Mesh(write_stl(tmp_path / f"{n}.stl", ball(0.3, n)))) for n in (24, 48)]
    for quantity in (lambda b: b.mass, lambda b: b.inertia[0, 0], lambda b: b.inertia[2, 2]):
        coarse, fine = (quantity(b) / quantity(exact) - 1 for b in some)
        assert -0.03 < coarse < 0 and abs((4 * fine - coarse) / 3) < coarse**2


def test_sums_over_tetrahedra_and_trimesh(tmp_path):
    """A body with a cavity, in several parts: the sums do not depend on the point they start from. Tolerance: 32-bit corners
    are read exactly, so round-off."""
    trimesh = pytest.importorskip("trimesh")
    outer, inner = box(1, 2, 3), box(0.5, 0.5, 0.5, at=(0.125, 0.25, -0.5))
    corners = np.vstack([outer[0], inner[0], TETRAHEDRON[0] + 4])
    cavity, apart = (8 + np.array(inner[1])[:, ::-1]).tolist(), (16 + np.array(TETRAHEDRON[1])).tolist()
    faces = [*outer[1], *map(tuple, cavity), *map(tuple, apart)]
    b = body_of(mk.Mesh(write_obj(tmp_path / "b.obj", (corners, faces))))
    mass, com, inertia = tetrahedra_about(np.array([3.0, -1.0, 0.5]), corners, faces)
    peer = trimesh.Trimesh(corners, faces, process=False)
    peer.density = DENSITY
    assert b.mass == pytest.approx(mass, rel=1e-13) and b.com == pytest.approx(com, abs=1e-13)
    assert b.inertia == pytest.approx(inertia, rel=1e-12, abs=1e-10)
    assert b.mass == pytest.approx(peer.mass, rel=1e-13) and b.inertia == pytest.approx(peer.moment_inertia, abs=1e-9)


def test_hull_of_an_open_mesh_is_that_of_its_corners(tmp_path):
    """mk.Hull integrates over its own tetrahedra. Tolerance: round-off."""
    corners, faces = ball(0.2, 12)
    b = body_of(mk.Mesh(write_stl(tmp_path / "open.stl", (corners, faces[5:])), hull=True))
    same = body_of(mk.Hull.from_stl(tmp_path / "open.stl"))
    assert b.mass == pytest.approx(same.mass, rel=1e-13) and b.inertia == pytest.approx(
        same.inertia, rel=1e-12, abs=1e-14
    )


@pytest.mark.parametrize("suffix", ["obj", "dae", "ply", "glb", "stl text"])
def test_every_format_has_the_same_solid(tmp_path, suffix):
    pytest.importorskip("trimesh")
    mesh, path = box(1, 2, 4, at=(0.5, 0, 0)), tmp_path / f"b.{suffix[:3]}"
    if suffix == "obj":
        write_obj(path, mesh)
    elif suffix == "dae":
        pytest.importorskip("collada")
        write_dae(path, (1000 * mesh[0], mesh[1]), unit="0.001")
    elif suffix == "stl text":
        write_stl(path, mesh, text=True)
    else:
        import trimesh

        trimesh.Trimesh(*mesh, process=False).export(path)
    b = body_of(mk.Mesh(path))
    assert b.mass == pytest.approx(8 * DENSITY, rel=1e-6) and b.com == pytest.approx((0.5, 0, 0), abs=1e-6)


@pytest.mark.parametrize("given", ["Z_UP", "Y_UP", "X_UP", "glb"])
def test_axes_are_those_of_the_file(tmp_path, given):
    """Whatever a file calls up, as in RViz and MoveIt; units of Collada count. A GLB file, y-up by its standard, is stood up by a
    quarter turn about x, which takes y to z."""
    pytest.importorskip("collada")
    corners, path = (
        np.array([(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 4.0)]),
        tmp_path / f"t.{'glb' if given == 'glb' else 'dae'}",
    )
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    if given == "glb":
        import trimesh

        trimesh.Trimesh(corners, faces, process=False).export(path)
    else:
        write_dae(path, (100 * corners, faces), unit="0.01", up=given)
    assert body_of(mk.Mesh(path)).com == pytest.approx((0.25, 0.5, 1.0), abs=1e-6)
    upright = mk.Mesh(path, orientation=("x", "90 deg"))
    assert body_of(upright).com == pytest.approx((0.25, -1.0, 0.5), abs=1e-6)


@pytest.mark.parametrize(
    "broken, message",
    [
        (lambda f: f[:-2], "it is open: 4 of its edges have a triangle on one side only"),
        (lambda f: [face[::-1] for face in f], "all of its normals point inwards"),
        (lambda f: [f[0][::-1], *f[1:]], "opposite at 3 of its edges"),
        (lambda f: f[:3], "it has 3 triangles"),
    ],
)
def test_defects_are_named_with_the_remedy(tmp_path, broken, message):
    corners, faces = box(1, 1, 1)
    shape = mk.Mesh(write_stl(tmp_path / "bad.stl", (corners, broken(faces))))
    with pytest.raises(ModelError, match=f"body 'part', shape mesh 'bad.stl'.*{message}.*hull=True"):
        body_of(shape)
    assert body_of(shape, density=None, mass=1, inertia=(1, 1, 1), com=(0, 0, 0)).mass == 1
    with pytest.raises(ModelError, match="com is not given"):
        body_of(shape, density=None, mass=1, inertia=(1, 1, 1))


def test_of_two_parts_one_is_turned_inwards(tmp_path):
    one, other = box(1, 1, 1), box(1, 1, 1, at=(5, 0, 0))
    faces = [*one[1], *(tuple(8 + k for k in face[::-1]) for face in other[1])]
    with pytest.raises(ModelError, match="1 of its 2 parts have normals that point inwards"):
        body_of(mk.Mesh(write_stl(tmp_path / "two.stl", (np.vstack([one[0], other[0]]), faces))))


def test_damaged_files_are_refused(tmp_path):
    pytest.importorskip("trimesh")
    whole = write_stl(tmp_path / "b.stl", box(1, 1, 1)).read_bytes()
    texts = {"short.stl": whole[:-30], "none.stl": b"", "count.stl": whole[:80] + b"\xff\xff\xff\xff" + whole[84:],
             "words.stl": b"solid x\nfacet\nvertex a b c\nvertex 1 2 3\nvertex 1 2 3\n", "b.obj": b"v 1 2\nf 1 2 9\n",
             "b.ply": b"ply\nformat ascii 1.0\n", "b.glb": b"glTF\2\0\0\0", "bomb.dae": b'<!DOCTYPE x [<!ENTITY a "b">]><x/>',
             "nan.stl": whole.replace(np.float32(-0.5).tobytes(), np.float32(np.nan).tobytes()), "b.step": b"ISO"}  # fmt: skip
    for name, data in texts.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(FileError, match=name):
            body_of(mk.Mesh(tmp_path / name))


def test_what_is_missing_says_what_to_install(tmp_path, monkeypatch):
    def absent(name, *args):
        if name in ("trimesh", "collada"):
            raise ImportError(name)
        return imported(name, *args)

    imported = importlib.import_module
    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(FileError, match=r'trimesh is not installed.*pip install "mekane\[meshes\]"'):
        body_of(mk.Mesh(write_obj(tmp_path / "b.obj", box(1, 1, 1))))
    assert body_of(mk.Mesh(write_stl(tmp_path / "b.stl", box(1, 1, 1)))).mass == DENSITY


def test_arguments_are_checked(tmp_path):
    for given, message in [
        ({"file": 3}, "file is 3"),
        ({"file": "$HOME/a.stl"}, "Rename"),
        ({"file": "a.stl", "scale": 0}, "not 0"),
        ({"file": "a.stl", "scale": (1, 2)}, "one number or three"),
        ({"file": "a.stl", "hull": 1}, "True or False"),
        ({"file": "a.stl", "color": "oragne"}, "Did you mean 'orange'"),
        ({"file": "a.stl", "color": (0, 0, 300)}, "0 to 1"),
    ]:
        with pytest.raises(ModelError, match=message):
            mk.Mesh(**given)


def test_scale_is_a_parameter_and_an_address(tmp_path):
    """Mass goes with the cube of the scale: the derivative by complex step is that of k³."""
    file = write_stl(tmp_path / "b.stl", box(1, 2, 3))
    s = mk.System(parameters={"k": 0.5})
    s.body("a", shape=mk.Mesh(file, scale="$k"), density=10)
    s.body("b", shape=mk.Mesh(file), density=10)
    assert s.with_parameters(k=1.0).bodies["a"].mass == pytest.approx(60)
    assert s.with_parameters({"b.shape.scale": 2.0}).bodies["b"].mass == pytest.approx(480)
    stepped = s.with_parameters(k=Stepped(0.5 + 1e-30j)).bodies["a"]
    assert stepped.mass.imag / 1e-30 == pytest.approx(60 * 3 * 0.25, rel=1e-12)
    assert stepped.inertia[0, 0].imag / 1e-30 == pytest.approx(60 * 13 / 12 * 5 * 0.5**4, rel=1e-12)


# ---------------------------------------------------------------- model files


def test_files_name_meshes_relative_to_themselves(tmp_path, monkeypatch):
    """A folder that is moved keeps its meshes; loading from elsewhere finds them, too."""
    (tmp_path / "parts").mkdir()
    write_stl(tmp_path / "parts" / "b.stl", box(1, 2, 3))
    one = "  a: {shape: {mesh: parts/b.stl, scale: 0.1, color: red}, density: 1000}"
    (tmp_path / "m.yaml").write_text(
        f"bodies:\n{one}\n  b: {{massless: true, look: [{{mesh: {{file: parts/b.stl}}}}]}}\n"
    )
    monkeypatch.chdir("/")
    s = mk.load_model(tmp_path / "m.yaml")
    assert s.bodies["a"].mass == pytest.approx(6) and not s.notes and s.bodies["a"].shape.color == NAMES["red"]
    mk.save_model(s, tmp_path / "again.yaml")
    assert (
        "file: parts/b.stl" in (tmp_path / "again.yaml").read_text()
        and str(tmp_path) not in (tmp_path / "again.yaml").read_text()
    )
    assert mk.load_model(tmp_path / "again.yaml").bodies == s.bodies
    mk.save_model(s, tmp_path / "parts" / "below.yaml")
    assert "file: b.stl" in (tmp_path / "parts" / "below.yaml").read_text()
    os.rename(tmp_path / "parts" / "b.stl", tmp_path / "gone.stl")
    lost = mk.load_model(tmp_path / "again.yaml")  # it has numbers of its own
    assert lost.bodies["a"].mass == s.bodies["a"].mass and len(lost.notes) == 2
    assert lost.notes[0].endswith("parts/b.stl' is not found, so it is not drawn.")
    with pytest.raises(FileError, match="there is no such file.*mass=, inertia= and com="):
        mk.load_model(tmp_path / "m.yaml")


def test_sub_assemblies_keep_meshes_and_mirror_them(tmp_path):
    """A mirrored body has the mass properties of the mirrored mesh: those from the file meet those that were mirrored."""
    file = write_stl(tmp_path / "t.stl", TETRAHEDRON)
    leg = mk.System("leg")
    placed = dict(scale=(1, 2, 3), at=(0.1, 0.2, 0.3), orientation=("xyz", [0.3, 0.4, 0.5]))
    leg.body("shank", shape=mk.Mesh(file, **placed), density=10, look=mk.Mesh(file, **placed), color="steel")
    leg.pin("knee", leg.ground, "shank", at=(0, 0, 0), axis="y")
    s = mk.System()
    s.add("left", leg)
    s.add("right", leg, mirrored="y")
    assert s.bodies["left_shank"].shape == leg.bodies["shank"].shape
    mirrored = s.bodies["right_shank"]
    again = mirrored.shape.mass_properties(density=10)
    assert again.com == pytest.approx(mirrored.com, abs=1e-13) and again.inertia == pytest.approx(
        mirrored.inertia, abs=1e-12
    )
    assert mirrored.look == (mirrored.shape,) and mirrored.color == "#8a949e"
    assert np.prod(mirrored.shape.scale) == -6


# ---------------------------------------------------------------- contact and remarks


def test_a_mesh_touches_as_its_hull(tmp_path):
    """A box as a mesh falls and rests as mk.Box does: equal forces. The corner pushed in is inside the hull."""
    corners, faces = box(0.2, 0.2, 0.1)
    dented = np.vstack([corners, (0, 0, 0.01)]), [face for face in faces if face not in ((1, 5, 7), (1, 7, 3))]
    dented[1].extend([(1, 5, 8), (5, 7, 8), (7, 3, 8), (3, 1, 8)])
    s = mk.System()
    given = dict(mass=2, inertia=(0.01, 0.01, 0.01), com=(0, 0, 0), position=(0, 0, 0.05))
    s.body("box", shape=mk.Mesh(write_stl(tmp_path / "d.stl", dented)), **given)
    law = s.contact("floor", "box", (s.ground, mk.Plane(normal="z")), friction=0.5)
    assert len(law.a.shape.points) == 8
    assert any("contact 'floor': mesh 'd.stl' touches as its convex hull, by 8 corners." in note for note in s.notes)
    other = mk.System()
    other.body("box", shape=mk.Hull(corners.astype("f4").tolist()), **given)
    assert other.contact("floor", "box", (other.ground, mk.Plane(normal="z")), friction=0.5).a.shape == law.a.shape


def test_a_round_hull_is_taken_by_some_of_its_corners(tmp_path):
    """Points left out are nowhere farther outside than the note tells; every corner that is kept is one of the mesh."""
    mesh = mk.Mesh(write_stl(tmp_path / "ball.stl", ball(0.5, 20)), scale=2)
    hull, note = mesh.convex_hull, mesh.hull_remark()
    assert len(hull.points) == 48 and "48 of its 382 corners" in note
    assert np.linalg.norm(hull.points, axis=1) == pytest.approx(np.ones(48), rel=1e-6)
    off = float(note.split("up to ")[1].split(" m")[0])
    from scipy.spatial import ConvexHull

    faces = ConvexHull(np.array(hull.points)).equations
    assert off == pytest.approx((1.0 + faces[:, 3]).max(), rel=0.2) and off < 0.2


def test_check_remarks_on_units_size_and_damage(tmp_path):
    s = mk.System()
    s.body(
        "large",
        mass=1,
        inertia=(1, 1, 1),
        com=(0, 0, 0),
        shape=mk.Mesh(write_stl(tmp_path / "mm.stl", box(300, 50, 50))),
    )
    s.body("fine", massless=True, look=mk.Mesh(write_stl(tmp_path / "fine.stl", ball(1, 90))))
    (tmp_path / "bad.stl").write_bytes(b"nothing")
    s.body("bad", massless=True, look=mk.Mesh(tmp_path / "bad.stl"))
    found = "\n".join(s.check())
    assert "body 'large': mesh 'mm.stl' is 300 m long; if its file is in millimetres, scale is 0.001." in found
    assert "mesh 'fine.stl' has 16020 triangles and is drawn with at most 12000" in found
    assert "mesh 'bad.stl' is not drawn: it ends after 7 bytes" in found


def test_a_file_that_changes_is_read_again(tmp_path):
    file = write_stl(tmp_path / "b.stl", box(1, 1, 1))
    assert body_of(mk.Mesh(file)).mass == pytest.approx(DENSITY)
    write_stl(file, box(2, 1, 1))
    os.utime(file, ns=(1, 1))
    assert body_of(mk.Mesh(file)).mass == pytest.approx(2 * DENSITY)


# ---------------------------------------------------------------- coarser surfaces


def test_a_coarser_surface_keeps_planes_and_edges():
    """A box of many small triangles stays that box where cells are smaller than it: planes of faces meet in edges and
    corners, so none of the points that are left is off the surface by more than round-off."""
    n = 40
    grid = np.linspace(-0.5, 0.5, n + 1)
    corners, faces = [], []
    for axis in range(3):
        for side in (-0.5, 0.5):
            start = len(corners)
            for u in grid:
                corners += [np.roll((side, u, v), axis) for v in grid]
            for i in range(n):
                for j in range(n):
                    a = start + i * (n + 1) + j
                    faces += [(a, a + n + 1, a + n + 2), (a, a + n + 2, a + 1)]
    found = simplified(merged(Surface(np.array(corners), np.array(faces))), 2000)
    assert 1000 < len(found.faces) <= 2000
    inside = np.abs(found.vertices).max(axis=1)
    assert inside == pytest.approx(np.full(len(inside), 0.5), abs=1e-9)
    assert np.abs(found.vertices).min(axis=1).max() == pytest.approx(0.5, abs=1e-9)  # a corner is still there


def test_colours_of_files(tmp_path):
    pytest.importorskip("trimesh")
    file = write_obj(tmp_path / "c.obj", box(1, 1, 1), colour=(1, 0.5, 0))
    assert [one.colour for one in surfaces(stamp_of(str(file)))] == ["#ff8000"]
