"""run.picture. Oracles: closed forms of perspective, an independent camera matrix, rays through pixels, and the run's
own positions."""

from types import SimpleNamespace

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.errors import MekaneError
from mekane.model.geometry.solid import placed
from mekane.view.motion.frames import frames
from mekane.view.render import labels
from mekane.view.render.mesh import mesh
from mekane.view.render.painter import Painter
from mekane.view.render.painter import placed as placements
from mekane.view.render.picture import Drawer
from mekane.view.render.pixels import rgb, unpacked
from mekane.view.render.projection import ANGLE, Camera, fitted
from mekane.view.render.raster import nearest
from mekane.view.render.scene_details import with_details
from mekane.view.scene.framing import framing
from mekane.view.scene.scene import PIN, scene

SIZE = (400, 300)
FRONT = Camera(np.array([0.0, 0.0, 5.0]), np.eye(3), SIZE, 5.0)  # looks along −z, x to the right


def seen(camera, *solids):
    """Which solid is seen in each pixel, −1 where none is."""
    corners, owner = [], []
    for k, solid in enumerate(solids):
        found = mesh(solid, 128)
        corners.append(camera.project(found.vertices)[found.faces])
        owner += [k] * len(found.faces)
    image = np.full(camera.size[::-1], -1)
    pixels, face = nearest(*np.moveaxis(np.concatenate(corners), -1, 0), *camera.size)
    image.ravel()[pixels] = np.array(owner)[face]
    return image


def hue(pixels):
    """Which of red, green and blue is strongest, and by how much more than the weakest."""
    return pixels.argmax(axis=-1), np.ptp(pixels.astype(int), axis=-1)


# ---------------------------------------------------------------- perspective


@pytest.mark.parametrize("centre", [(0, 0, 0), (0.6, 0.4, 1.0), (-0.9, 0.5, -2.0)])
def test_silhouette_of_a_sphere(centre):
    """A cone from the eye cut by the picture: an ellipse around the point where its axis goes through, known in closed
    form.

    With a the angle of its axis, b its half angle: radial ends at tan(a ± b), half width across sin b / √(cos²a −
    sin²b).
    Tolerances: half a pixel for the centre; for the area half a pixel along the border.
    """
    radius, away = 0.4, np.array(centre) - FRONT.eye
    distance = np.linalg.norm(away)
    a, b, f = np.arccos(-away[2] / distance), np.arcsin(radius / distance), SIZE[1] / 2 / np.tan(ANGLE / 2)
    half, middle = f * (np.tan(a + b) - np.tan(a - b)) / 2, f * (np.tan(a + b) + np.tan(a - b)) / 2
    across = f * np.sin(b) / np.sqrt(np.cos(a) ** 2 - np.sin(b) ** 2)
    way = away[:2] / max(np.hypot(*away[:2]), 1e-12)
    expected = np.array(SIZE) / 2 + middle * way * (1, -1)
    row, column = np.nonzero(seen(FRONT, placed("sphere", (radius,), centre)) == 0)
    assert np.abs(np.array([column.mean(), row.mean()]) + 0.5 - expected).max() < 0.5
    assert abs(len(row) - np.pi * half * across) < 0.5 * np.pi * (half + across)


def test_projection_against_a_camera_matrix():
    """The textbook's 4 × 4 matrices (look-at, then OpenGL's perspective, then the window), written out here."""
    view = {"towards": [0.3, -0.8, 0.5], "up": [0.0, 0.0, 1.0]}
    points = np.random.default_rng(3).normal(size=(40, 3))
    camera = fitted(view, points, SIZE)
    back = np.array(view["towards"]) / np.linalg.norm(view["towards"])
    right = np.cross(view["up"], back) / np.linalg.norm(np.cross(view["up"], back))
    look_at = np.eye(4)
    look_at[:3, :3] = right, np.cross(back, right), back
    look_at[:3, 3] = -look_at[:3, :3] @ camera.eye
    g, near, far = 1 / np.tan(np.radians(35) / 2), 0.1, 100.0
    lens = np.array(
        [
            [g * SIZE[1] / SIZE[0], 0, 0, 0],
            [0, g, 0, 0],
            [0, 0, (near + far) / (near - far), 2 * near * far / (near - far)],
            [0, 0, -1, 0],
        ]
    )
    clip = np.column_stack([points, np.ones(40)]) @ (lens @ look_at).T
    window = (clip[:, :2] / clip[:, 3:] * (1, -1) + 1) / 2 * SIZE
    assert np.abs(camera.project(points)[:, :2] - window).max() < 1e-9
    assert np.abs(1 / camera.project(points)[:, 2] - clip[:, 3]).max() < 1e-9


@pytest.mark.parametrize("size", [(400, 300), (200, 600), (900, 100)])
def test_the_camera_is_as_near_as_it_can_be(size):
    """All points are inside with the margin of a tenth, and at least two opposite borders are met exactly."""
    points = np.random.default_rng(5).normal(size=(60, 3)) * (3, 1, 2)
    x, y, w = fitted({"towards": [1, 2, 0.5], "up": [0, 0, 1]}, points, size).project(points).T
    assert w.min() > 0
    inside = [2.2 * np.abs(x / size[0] - 0.5), 2.2 * np.abs(y / size[1] - 0.5)]
    assert max(map(np.max, inside)) < 1 + 1e-9
    ends = [(side(x) / size[0], side(y) / size[1]) for side in (np.min, np.max)]
    assert any(np.isclose(ends[0][k], 0.5 - 0.5 / 1.1) and np.isclose(ends[1][k], 0.5 + 0.5 / 1.1) for k in (0, 1))


# ---------------------------------------------------------------- what hides what


def test_the_nearer_box_hides_the_farther_in_any_order():
    near, far = placed("box", (1, 1, 0.2), (0.3, 0, 1)), placed("box", (1, 1, 0.2), (0, 0, -1))
    one, other = seen(FRONT, near, far), seen(FRONT, far, near)
    assert np.array_equal(one == 0, other == 1) and np.array_equal(one == 1, other == 0)
    alone = seen(FRONT, near) == 0
    assert np.array_equal(one == 0, alone) and (one == 1).any()


def test_bars_that_cross_and_pierce():
    """Against rays: in every pixel, the solid whose axis-parallel box the ray through its middle enters first. Bodies
    that pierce each other are the case a sort of faces by depth gets wrong. Pixels may differ where the ray meets an
    edge to rounding: none here."""
    boxes = [
        ((2.0, 0.2, 0.2), (0, 0, 0)),
        ((0.2, 2.0, 0.21), (0.3, 0, 0.05)),
        ((0.2, 0.15, 3.0), (-0.4, 0, 0)),
        ((1, 1, 1), (0.5, 0.4, -0.7)),
    ]
    camera = fitted({"towards": [0.4, 0.3, 1.0], "up": [0, 1, 0]}, [(1.2, 1.2, 1), (-1.2, -1.2, -1)], SIZE)
    found = seen(camera, *(placed("box", *box) for box in boxes))
    column, row = np.meshgrid(np.arange(SIZE[0]) + 0.5, np.arange(SIZE[1]) + 0.5)
    ray = (
        np.stack([column - SIZE[0] / 2, SIZE[1] / 2 - row, np.full(column.shape, -camera.focus)], axis=-1) @ camera.axes
    )
    entries = []
    for edges, centre in boxes:
        with np.errstate(divide="ignore"):
            ends = np.stack([(np.array(centre) + side * np.array(edges) / 2 - camera.eye) / ray for side in (-1, 1)])
        enter, leave = ends.min(axis=0).max(axis=-1), ends.max(axis=0).min(axis=-1)
        entries.append(np.where(enter <= leave, enter, np.inf))
    first = np.where(np.min(entries, axis=0) < np.inf, np.argmin(entries, axis=0), -1)
    assert len(np.unique(first)) == 5 and np.array_equal(found, first)


# ---------------------------------------------------------------- whole pictures


@pytest.fixture(scope="module")
def pendulum():
    s = mk.System("pendulum")
    s.body("bob", mass=2.0, position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "bob", at=(0, 0, 0), axis="y", rate=2.0)
    return mk.simulate(s, 1.0, every=0.01)


@pytest.mark.parametrize("t", [0.0, 0.37, 1.0])
def test_a_body_is_where_the_run_says(pendulum, t):
    """The blob of the colour of the bob, found by its pixels, is around the projected position, within a twentieth of
    the picture."""
    picture, drawer = pendulum.picture(t=t, size=SIZE), Drawer(pendulum, SIZE)
    where = np.array([np.interp(t, pendulum.t, x) for x in pendulum.numbers("bob.position").T])
    x, y, _ = drawer.framing.camera.project(where) / 2  # drawn twice as fine
    row, column = int(y), int(x)
    strongest, much = hue(picture.array[row - 2 : row + 3, column - 2 : column + 3])
    assert (strongest == rgb(drawer.scene.bodies[0].colour).argmax()).all() and much.min() > 40


@pytest.mark.parametrize(
    "span, time, text",
    [(10.0, 2.5, "2.5 s"), (2.0, 0.0, "0.00 s"), (0.03, 0.0123, "12.3 ms"), (2e-6, 1e-6, "1.00 µs"), (3e-12, 0.0, "0.00000 ns")],
)  # fmt: skip
def test_the_time_has_a_unit_that_fits(span, time, text):
    drawer = SimpleNamespace(run=SimpleNamespace(t=[0.0, span]))
    assert Drawer.time_text(drawer, time) == text


def test_the_picture_of_a_file_is_the_picture(pendulum, tmp_path):
    from PIL import Image

    picture = pendulum.picture(tmp_path / "x.png", t=0.5, size=SIZE)
    with Image.open(tmp_path / "x.png") as kept:
        assert kept.size == SIZE and np.array_equal(np.asarray(kept), picture.array)
    assert picture._repr_png_()[:4] == b"\x89PNG" and [file.name for file in tmp_path.iterdir()] == ["x.png"]


def test_ghost_and_traces_are_seen(pendulum):
    """The path of the bob: at its projected positions, the picture with a trace differs from that without."""
    plain, drawer = pendulum.picture(t=1.0, size=SIZE).array.astype(int), Drawer(pendulum, SIZE)
    traced = pendulum.picture(t=1.0, size=SIZE, traces=["bob"]).array.astype(int)
    path = drawer.framing.camera.project(pendulum.numbers("bob.position")[5:60:5])[:, :2] / 2
    changed = np.abs(traced - plain).max(axis=-1) > 30
    assert all(changed[int(y) - 1 : int(y) + 2, int(x) - 1 : int(x) + 2].any() for x, y in path)
    ghost = np.abs(pendulum.picture(t=1.0, size=SIZE, ghost=True).array.astype(int) - plain).max(axis=-1)
    start = drawer.framing.camera.project(pendulum.numbers("bob.position")[0])[:2] / 2
    assert 5 < ghost[int(start[1]), int(start[0])] < 120 and (ghost > 5).mean() < 0.1


def test_a_moving_camera_keeps_the_middle_of_the_bodies():
    """A body thrown far: its origin is at the same place in every frame."""
    s = mk.System("thrown", gravity=(0, 0, 0))
    s.body("stone", mass=1.0, shape=mk.Box(0.1, 0.2, 0.1), velocity=(1, 0, 0))
    drawer = Drawer(mk.simulate(s, 10.0, every=0.5), SIZE)
    moved = frames(drawer.run)
    places = [drawer.framing.camera_at(poses).project(poses[0, :3]) for poses in moved.poses]
    assert drawer.framing.follows and np.ptp(places, axis=0).max() < 1e-3  # poses are float32


def test_a_bearing_stands_on_a_post_as_on_the_page(pendulum):
    """From the floor to the bearing: its pixels have the colour of posts, where nothing is without it."""
    drawer = Drawer(pendulum, SIZE)
    floor, unit = drawer.framing.floor, PIN * drawer.scene.scale
    (joint,) = drawer.scene.joints
    stem, foot, cap = drawer.scene.ground["solids"][-3:]
    height = (np.array(joint.post) - floor.point) @ floor.axes[:, 2]
    assert stem.size == pytest.approx((0.75 * unit, height)) and np.allclose(cap.position, joint.post)
    assert abs((np.array(foot.position) - floor.point) @ floor.axes[:, 2]) < unit
    x, y = drawer.framing.camera.project(np.array(stem.position) - 0.3 * height * floor.axes[:, 2])[:2] / 2
    pixel = pendulum.picture(size=SIZE).array[int(y), int(x)].astype(int)
    assert np.ptp(pixel) < 40 and pixel.max() < 235  # grey, and darker than the air


def test_what_goes_away_is_followed_and_what_is_held_is_not():
    """A car that drives, beside a pendulum whose bob goes as far, and a ball that falls."""
    far = lambda s, t: Drawer(mk.simulate(s, t, every=0.1), SIZE).framing.follows
    car, swing, ball = mk.System("car"), mk.System("swing"), mk.System("ball", gravity=(0, 0, -10))
    car.body("car", mass=1.0, shape=mk.Box(1, 1, 1), velocity=(1, 0, 0))
    car.slider("road", car.ground, "car", axis="x", rate=1.0)
    swing.body("bob", mass=1.0, shape=mk.Sphere(0.2), position=(1, 0, 0))
    swing.pin("hinge", swing.ground, "bob", at=(0, 0, 0), axis="y")
    ball.body("ball", mass=1.0, shape=mk.Sphere(0.5))
    assert far(car, 4.0) and not far(car, 1.0) and not far(swing, 4.0) and not far(ball, 0.8)


@pytest.mark.divided("name", 3)
@pytest.mark.parametrize("name", [m.name for m in gallery.mechanisms()])
def test_every_mechanism_of_the_gallery(name):
    """At its start: every body is seen, in a pixel at least, and none goes beyond the border; glyphs of joints may."""
    detailed = with_details(scene(gallery.find(name).system()), {})
    poses = Still(detailed).poses[0]
    painter = Painter(detailed, framing(detailed, Still(detailed), (480, 360)), 1.0)
    camera, parts = painter.framing.camera_at(poses), painter.bodies
    air = painter.air_and_floor(camera, np.zeros(3))
    assert 0.01 < np.mean(painter.paint(air, poses) != air) < 0.95
    R, p = placements(poses)
    world = np.einsum("vij,vj->vi", R[parts.owner], parts.vertices) + p[parts.owner]
    pixels, face = nearest(*np.moveaxis(camera.project(world)[parts.faces], -1, 0), *camera.size)
    assert set(range(len(detailed.bodies))) <= set(parts.face_owner[face])
    row, column = np.divmod(pixels, 480)
    assert np.sum((row == 0) | (row == 359) | (column == 0) | (column == 479)) == 0


class Still:
    """Frames of a mechanism that stands as its model says."""

    def __init__(self, detailed):
        poses = [[*body.position, *body.rotation] for body in detailed.bodies]
        self.poses = np.array(poses).reshape(1, -1, 7)
        self.box = self.poses[0, :, :3].min(axis=0), self.poses[0, :, :3].max(axis=0)

    def __len__(self):
        return 1


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize(
    "options, problem",
    [
        ({"t": 1.5}, "a time of the run is expected, 0 … 1 s"),
        ({"t": -0.1}, "a time of the run is expected"),
        ({"t": float("nan")}, "a time of the run is expected"),
        ({"t": "now"}, "a time of the run is expected"),
        ({"size": (0, 300)}, "pixels across and down"),
        ({"size": 300}, "pixels across and down"),
        ({"size": (400.0, 300)}, "pixels across and down"),
        ({"size": (10**6, 10)}, "pixels across and down"),
        ({"path": "x.jpg"}, "written as .png"),
        ({"traces": ["bobb"]}, "Did you mean 'bob'?"),
        ({"traces": [("bob", (1, 2))]}, "three numbers are expected"),
        ({"traces": [("bob", "tip")]}, "there is no body"),
        ({"path": "nowhere/x.png"}, "cannot be written"),
    ],
)
def test_refused(pendulum, tmp_path, monkeypatch, options, problem):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MekaneError, match=problem.replace("?", r"\?").replace(".", r"\.")):
        pendulum.picture(**{"size": (64, 48), **options})
    assert not list(tmp_path.iterdir())


def test_without_pillow(pendulum, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "PIL", None)
    labels.font.cache_clear()
    with pytest.raises(MekaneError, match="pip install pillow"):
        pendulum.picture(size=(64, 48))


def test_light_on_a_ball():
    """Against rays: the normal where the ray through a pixel meets the ball, and the light there by the formula of the
    page's lamps.

    Tolerance: 4 % of the brightness, for normals that are linear between the corners of 64 segments, and for 96 shades.
    """
    s = mk.System("ball")
    s.body("ball", mass=1.0, shape=mk.Sphere(0.5), velocity=(0, 0, 1))
    drawer = Drawer(mk.simulate(s, 0.01), SIZE)
    detailed, camera, poses = drawer.scene, drawer.framing.camera, drawer.first
    image = unpacked(drawer.painter.paint(drawer.still, poses)).astype(float)
    column, row = np.meshgrid(np.arange(camera.size[0]) + 0.5, np.arange(camera.size[1]) + 0.5)
    ray = (
        np.stack([column - camera.size[0] / 2, camera.size[1] / 2 - row, np.full(column.shape, -camera.focus)], axis=-1)
        @ camera.axes
    )
    ray /= np.linalg.norm(ray, axis=-1, keepdims=True)
    along = ray @ (poses[0, :3] - camera.eye)
    inside = 0.25 - (np.sum((poses[0, :3] - camera.eye) ** 2) - along**2)  # radius² − distance² of the ray
    hit = inside > 0.05
    normal = (camera.eye + (along - np.sqrt(np.maximum(inside, 0)))[..., None] * ray - poses[0, :3]) / 0.5
    sun = np.array(detailed.up) + np.array(detailed.camera["towards"])
    lamps = 2.2 * (0.31 + 0.69 * (0.5 + 0.5 * normal @ detailed.up)) + 1.8 * np.maximum(
        normal @ sun / np.linalg.norm(sun), 0
    )
    expected = np.minimum((0.9 / np.pi * lamps)[..., None] ** (1 / 2.2) * rgb(detailed.bodies[0].colour), 255)
    x, y = normal[..., 0], normal[..., 1]
    expected *= np.where(x * y < 0, 0.8, 1.0)[..., None]  # every other quarter is darker, which shows it turn
    hit &= (np.abs(x) > 0.03) & (np.abs(y) > 0.03)  # a pixel on the border may be of either
    assert hit.sum() > 5000 and np.abs(image[hit] / expected[hit] - 1).max() < 0.04
