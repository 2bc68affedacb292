"""Frames of runs. Oracles: the run's own numbers, closed forms. float32 has 24 bits: a number x is kept to 6e-8 |x|."""

import json
from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import mekane as mk
from mekane import gallery
from mekane.errors import ModelError
from mekane.view.motion.frame_times import sampling
from mekane.view.motion.frames import arrows, channels, frames, trace
from mekane.view.scene.scene import scene
from mekane.view.web.packing import block, from_block, packed, unpacked

ALL = gallery.mechanisms()
pytestmark = pytest.mark.divided("mechanism", 3)
EACH = pytest.mark.parametrize("mechanism", ALL, ids=lambda mechanism: mechanism.name)
HALF_BIT = 2.0**-24


@cache
def short(name):
    """A twentieth of a second or less of a mechanism, in a few samples."""
    mechanism = gallery.find(name)
    t_end = min(mechanism.t_end, 0.05)
    return mechanism.run(t_end=t_end, every=t_end / 8)


@cache
def spinning():
    """A free body that turns at a constant rate about z and flies straight on."""
    s = mk.System("spin", gravity=(0, 0, 0))
    s.body("it", mass=1.0, inertia=(1, 1, 2), velocity=(1, 2, 3), angular_velocity=(0, 0, 5))
    return mk.simulate(s, 2.0, every=0.1, rtol=1e-11, atol=1e-12)


@EACH
def test_unpacked_poses_are_those_of_the_run(mechanism):
    run = short(mechanism.name)
    data = json.loads(json.dumps(frames(run).to_dict(), allow_nan=False))
    poses = from_block(data["poses"])
    assert poses.dtype == np.float32 and poses.shape == (len(run.t), len(run.system.bodies), 7)
    assert np.array_equal(from_block(data["time"]), run.t) and data["bodies"] == list(run.system.bodies)
    for k, name in enumerate(data["bodies"]):
        for first, end, channel in ((0, 3, "position"), (3, 7, "orientation")):
            exact = np.asarray(run[f"{name}.{channel}"])
            assert np.all(np.abs(poses[:, k, first:end] - exact) <= HALF_BIT * np.abs(exact) + 1e-40)


@EACH
def test_joints_of_the_scene_stay_closed_in_every_frame(mechanism):
    """Oracle: what the kind of joint forbids. float32 is off by 6e-8 of positions, and by that of a quaternion times
    the arm. Where a run leaves joints open its residual, the largest of three components along the axes of the world,
    tells by how much."""
    run, slides = short(mechanism.name), {"slider": [2], "pin_slider": [2], "planar": [0, 1]}
    data, made = scene(run.system).to_dict(), frames(run)
    allowed = 4e-7 * (data["size"] + np.abs(made.box).max()) + np.sqrt(3) * float(run.residual["position"].max())
    for joint in data["joints"]:
        for poses in made.poses:
            (p, R), (q, S) = (placed(poses, joint[side]) for side in ("a", "b"))
            assert np.abs(np.delete(R.T @ (q - p), slides.get(joint["kind"], []))).max() < allowed, joint["name"]
            if joint["kind"] in ("pin", "pin_slider", "slider", "planar", "weld"):
                assert np.linalg.norm(R[:, 2] - S[:, 2]) < 1e-6 + float(run.residual["position"].max())


def placed(poses, frame):
    """Point and axes of a joint's frame in the world, from the poses of one frame."""
    p, e = (
        (np.zeros(3), np.array([0, 0, 0, 1.0]))
        if frame["body"] < 0
        else np.split(poses[frame["body"]].astype(float), [3])
    )
    R = Rotation.from_quat(e).as_matrix()
    return p + R @ frame["position"], R @ Rotation.from_quat(frame["rotation"]).as_matrix()


@EACH
def test_none_takes_more_than_5_MB_for_1000_frames(mechanism):
    """28 bytes for each body and frame, a third more in base64 (gzip adds less than 0.1 %), and 8 for the time;
    whatever moves."""
    bodies, scene_bytes = len(mechanism.system().bodies), len(json.dumps(scene(mechanism.system()).to_dict()))
    assert 4 / 3 * 1000 * (28 * bodies + 8) * 1.001 + scene_bytes < 1e6
    run = short(mechanism.name)
    random = np.random.default_rng(1).normal(size=(1000, bodies, 7)).astype(np.float32)  # nothing packs worse
    assert len(packed(random)) <= 4 / 3 * 28000 * bodies * 1.001 + 100
    assert frames(run).head()["bytes_per_frame"] == 28 * bodies == len(frames(run).chunk(0, 1))


def test_packing_keeps_every_bit():
    numbers = np.array([[np.pi, -0.0, np.inf], [1e-45, 3e38, 1.0]], np.float32)
    assert unpacked(packed(numbers), "float32", (2, 3)).tobytes() == numbers.tobytes()
    assert packed(numbers) == packed(numbers.copy()) and packed(numbers.astype(">f4")) == packed(numbers)
    assert block(np.zeros((0, 4)))["shape"] == [0, 4] and from_block(block(np.arange(5.0))).tolist() == [0, 1, 2, 3, 4]


def test_chunks_are_slices():
    made = frames(spinning())
    whole = np.frombuffer(made.chunk(0, len(made)), "<f4").reshape(made.poses.shape)
    assert np.array_equal(whole, made.poses)
    assert made.chunk(3, 7) == made.poses[3:7].tobytes() and made.chunk(-5, 2) == made.chunk(0, 2)
    assert made.chunk(len(made) - 1, 10**9) == made.poses[-1:].tobytes() and made.chunk(10**9, 10**9 + 5) == b""


def test_a_hundred_bodies_and_ten_thousand_frames_are_28_MB():
    """Only their size: nothing is simulated."""
    made = frames(spinning())
    large = type(made)(tuple(map(str, range(100))), np.zeros((10000, 100, 7), np.float32), made.sampling, 10000, {})
    assert large.poses.nbytes == 28_000_000 and len(large.chunk(500, 600)) == 280_000


# ---------------------------------------------------------------- between samples


def test_even_frames_are_the_motion_in_closed_form():
    """Constant velocity and constant spin are met by cubics; what is left is the run's tolerance, 1e-9, and float32."""
    run = spinning()
    made = frames(run, fps=37)
    t = made.time
    assert np.allclose(np.diff(t)[:-1], 1 / 37, rtol=1e-12) and t[0] == 0 and t[-1] == run.t[-1]
    assert np.abs(made.poses[:, 0, :3] - np.outer(t, (1, 2, 3))).max() < 6 * HALF_BIT + 1e-8
    expected = np.column_stack([0 * t, 0 * t, np.sin(2.5 * t), np.cos(2.5 * t)])
    assert np.abs(made.poses[:, 0, 3:] - expected).max() < HALF_BIT + 1e-8


def test_interpolation_meets_the_samples():
    """60 frames per second of samples every 1/30 s: every second frame is a sample, to the bit where the times are
    equal."""
    run = gallery.find("bricard").run(t_end=1.0, every=1 / 32)
    every, even = frames(run), frames(run, fps=64)
    assert len(even) == 2 * len(every) - 1
    assert np.array_equal(even.poses[::2], every.poses)


def test_cubics_are_exact_for_a_falling_stone():
    """A parabola is a cubic: only the run's round-off and float32 are left."""
    s = mk.System("fall")
    s.body("stone", mass=1.0, velocity=(1, 0, 4))
    run = mk.simulate(s, 1.0, every=0.25, rtol=1e-11, atol=1e-12)
    made = frames(run, fps=60)
    assert np.abs(made.poses[:, 0, 2] - (4 * made.time - 9.81 / 2 * made.time**2)).max() < 1e-7


def test_thinning_says_what_it_left_out():
    run = spinning()  # 21 samples
    made = frames(run, every=3)
    assert made.head()["sampling"] == "every 3rd sample, and the last" and made.head()["samples"] == 21
    assert np.array_equal(made.time, run.t[[0, 3, 6, 9, 12, 15, 18, 20]])
    assert frames(run).head()["sampling"] == "every sample"
    for most in (2, 5, 7, 20, 21, 100):
        few = frames(run, most=most)
        assert len(few) <= most and few.time[0] == run.t[0] and few.time[-1] == run.t[-1]
    assert len(frames(run, most=21)) == 21
    assert sampling(np.arange(100.0), every=11).text == "every 11th sample, and the last"


def test_wrong_samplings_are_refused():
    for options, problem in (
        ({"fps": 0}, "fps is 0"), ({"every": 1.5}, "every is 1.5"), ({"most": -1}, "most is -1"), ({"fps": np.nan}, "fps is nan"),
        ({"fps": 3, "every": 2}, "given together"),
    ):  # fmt: skip
        with pytest.raises(ModelError, match=problem):
            frames(spinning(), **options)


# ---------------------------------------------------------------- arrows, traces, channels, rails


def test_channels_are_the_runs_numbers_with_their_units():
    run = short("squeezer")
    found = channels(run, ["K1.position", "K2.velocity.x", "spring.tension"])
    assert found["K1.position"]["labels"] == ["x", "y", "z"] and found["K1.position"]["units"] == "m"
    assert found["K2.velocity.x"]["labels"] is None and found["spring.tension"]["units"] == "N"
    for name, reply in found.items():
        exact = run.numbers(name)
        assert np.all(np.abs(from_block(reply["values"]) - exact) <= HALF_BIT * np.abs(exact) + 1e-40)
    with pytest.raises(ModelError, match="Did you mean 'K1.position'"):
        channels(run, ["K1.positoin"])


def test_channels_go_with_the_frames():
    run = spinning()
    chosen = frames(run, fps=40).sampling
    x = from_block(channels(run, ["it.position.x"], chosen)["it.position.x"]["values"])
    assert np.allclose(x, chosen.time, atol=1e-6) and len(x) == len(chosen.time)


def test_arrows_are_the_reactions():
    """Oracle: the run's own reaction; and for the pendulum's bob at rest, its weight."""
    run = short("four_bar_chain")
    for arrow in arrows(run):
        reply, values = run.reaction(arrow["name"]), from_block(arrow["values"])
        assert np.allclose(values[:, :3], reply["point"], atol=1e-6) and np.allclose(
            values[:, 3:], reply["force"], rtol=1e-6, atol=1e-5
        )
        assert arrow["largest"] == pytest.approx(np.linalg.norm(reply["force"], axis=1).max(), rel=1e-12)
    s = mk.System("hanging")
    s.body("bob", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1))
    s.ball("pivot", s.ground, "bob", at=(0, 0, 0))
    pivot, *_ = arrows(mk.simulate(s, 0.1))
    assert np.allclose(from_block(pivot["values"]), [0, 0, 0, 0, 0, 2 * 9.81], atol=1e-5) and pivot["body"] == 0


def test_forces_at_points_have_arrows():
    run = short("sprung_mechanism")
    (pull,) = arrows(run, ["pull"])
    assert np.allclose(from_block(pull["values"])[:, 3:], run["pull.force"], rtol=1e-6)
    with pytest.raises(ModelError, match="Did you mean 'hinge1'"):
        arrows(run, ["hinge11"])


def test_contacts_have_arrows_where_they_touch():
    """Oracles: corners of the box that lie on the slope; all of them together carry what the law carries. A ball on its
    lowest point carries its weight."""
    run = short("box_on_slope")
    found = {arrow["name"]: from_block(arrow["values"]) for arrow in arrows(run)}
    assert list(found) == [f"slope.{k}" for k in range(1, 9)] and {arrow["kind"] for arrow in arrows(run)} == {
        "contact"
    }
    together = sum(values[:, 3:] for values in found.values())
    assert np.allclose(together, run.reaction("slope")["force"], rtol=1e-6, atol=1e-5)
    normal = np.array(run.system.contact_laws["slope"].b.shape.normal)
    pressed = [values for values in found.values() if np.abs(values[:, 3:]).max() > 0]
    assert len(pressed) == 4 and all(np.abs(values[:, :3] @ normal).max() < 1e-6 for values in pressed)
    corner = Rotation.from_quat(run["box.orientation"].values).apply((-0.2, -0.15, -0.1)) + run["box.position"].values
    assert np.allclose(found["slope.1"][:, :3], corner, atol=1e-6) and np.allclose(
        run["slope.1.point"], corner, atol=1e-12
    )
    s = mk.System("ball at rest")
    s.body("ball", mass=2.0, shape=mk.Sphere(0.1), position=(0.3, 0, 0.1))
    s.contact("floor", "ball", (s.ground, mk.Plane()))
    (floor,) = arrows(mk.simulate(s, 0.1))
    assert np.allclose(from_block(floor["values"]), [0.3, 0, 0, 0, 0, 2 * 9.81], atol=1e-5) and floor["body"] == 0


def test_traces_follow_a_point():
    run = spinning()
    chosen = sampling(run.t, fps=50)
    found, t = from_block(trace(run, "it", (1.0, 0, 0), chosen)["values"]), chosen.time
    expected = np.outer(t, (1, 2, 3)) + np.column_stack([np.cos(5 * t), np.sin(5 * t), 0 * t])
    assert np.abs(found - expected).max() < 5**4 * 0.1**4 / 384 * 1.1 + 1e-6  # the cubic's own error bound
    with pytest.raises(ModelError, match="Did you mean 'it'"):
        trace(run, "itt")


def test_travel_of_sliders_is_given():
    run = short("slider_crank_planar")
    x = run.numbers("guide.displacement")
    assert frames(run).travel == {"guide": (x.min(), x.max())}


# ---------------------------------------------------------------- odd runs


def test_a_run_read_from_a_file_gives_the_same_frames(tmp_path):
    run = spinning()
    run.save(tmp_path / "run.nc")
    assert frames(mk.load(tmp_path / "run.nc")).to_dict() == frames(run).to_dict()


def test_one_sample_is_one_frame():
    s = mk.System("still")
    s.body("it", mass=1.0, inertia=(1, 1, 1))
    run = mk.simulate(s, 0.1, every=[0.0])
    for made in (frames(run), frames(run, fps=30), frames(run, most=5)):
        assert len(made) == 1 and made.poses[0, 0].tolist() == [0, 0, 0, 0, 0, 0, 1]
