"""The same checks of every joint kind that is registered.

Primitives and rows are two independent descriptions of the same motion: walking the primitives with any coordinates must
satisfy every row, and the rows must forbid exactly what the primitives do not allow. Positions are of order 1, so 1e-14 is
round-off; derivatives are by central differences of step 1e-5, good to 1e-9.
"""

import inspect
import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import mekane.joints  # noqa: F401  registers the kinds
from mekane.errors import ModelError
from mekane.model import System
from mekane.model.joint import joint_kinds

KINDS = "ball free pin pin_slider planar screw slider universal weld".split()
DIRECTIONS = {"axis": (1, 2, 2), "axis2": (2, 1, -2), "normal": (1, 2, 2)}
OWN = {"screw": {"pitch": "40 mm"}}
ROUND_OFF = 1e-14


def two_bodies():
    s = System()
    s.body("a", 1, position=(0.1, 0.2, 0.3), orientation=("xyz", (0.3, 0.5, 0.7)))
    s.body("b", 1, position=(1.1, -0.2, 0.4), orientation=("zxz", (-1.3, 0.4, 0.2)))
    return s


def world_words(kind):
    keywords = {keyword: DIRECTIONS[keyword] for keyword in joint_kinds[kind].geometry if keyword != "at"}
    return keywords | ({"at": (0.5, 0.6, 0.7)} if "at" in joint_kinds[kind].geometry else {}) | OWN.get(kind, {})


def make(kind, system=None, a="a", b="b", **keywords):
    s = system or two_bodies()
    return getattr(s, kind)("joint", a, b, **{**OWN.get(kind, {}), **keywords})


@pytest.fixture(params=KINDS)
def joint(request):
    return make(request.param, **world_words(request.param))


def frames_in_world(joint, system):
    """(p, R) of F and of M in the initial configuration."""
    a, b = system.find_body(joint.a, ""), system.find_body(joint.b, "")
    return (a.position + a.R_NB @ joint.p_AF, a.R_NB @ joint.R_AF), (
        b.position + b.R_NB @ joint.p_BM,
        b.R_NB @ joint.R_BM,
    )


# ------------------------------------------------------------ a small walker, written from THEORY §3 and §6 alone


def walk(primitives, numbers):
    """(p, R) of M in F, with one number for each turn, slide, screw and a rotation vector of three for each
    quaternion."""
    p, R, numbers = np.zeros(3), np.eye(3), list(numbers)
    for primitive in primitives:
        if primitive.kind == "quaternion":
            R = R @ Rotation.from_rotvec([numbers.pop(0) for _ in range(3)]).as_matrix()
            continue
        q, axis = numbers.pop(0), np.array(primitive.axis)
        p = p + R @ axis * {"rotation": 0.0, "translation": q, "screw": primitive.pitch * q}[primitive.kind]
        if primitive.kind != "translation":
            R = R @ Rotation.from_rotvec(q * axis).as_matrix()
    assert not numbers
    return p, R


def unit_vectors(R):
    """FX FY FZ MX MY MZ in F axes."""
    return np.vstack([np.eye(3), R.T])


def residual(row, p, R):
    vectors = unit_vectors(R)
    if row.kind == "along":
        return vectors[row.e] @ p
    if row.kind == "perpendicular":
        return vectors[row.e] @ vectors[row.m]
    return vectors[row.e] @ p - row.pitch * np.arctan2(R[1, 0], R[0, 0])


def value(measure, p, R):
    vectors = unit_vectors(R)
    if measure.kind == "shift":
        return vectors[measure.e] @ p
    return np.arctan2(vectors[measure.of] @ vectors[measure.ninety], vectors[measure.of] @ vectors[measure.zero])


def speeds(joint):
    return sum(3 if primitive.kind == "quaternion" else 1 for primitive in joint.primitives())


def some_numbers(joint):
    return np.random.default_rng(3).uniform(-1.2, 1.2, speeds(joint))


# ------------------------------------------------------------ primitives, rows, measures


def test_all_kinds_are_found():
    assert sorted(joint_kinds) == KINDS


def test_rows_and_speeds_make_six(joint):
    assert len(joint.rows()) + speeds(joint) == 6


def test_blocks_satisfy_rows(joint):
    p, R = walk(joint.primitives(), some_numbers(joint))
    for row in joint.rows():
        assert abs(residual(row, p, R)) < ROUND_OFF, row


def test_rows_forbid_what_blocks_do_not_allow(joint):
    """The rows hold on all motions of the primitives (above); here their gradient, by infinitesimal motions of M, has full rank:
    none is idle."""
    numbers, h = some_numbers(joint), 1e-5
    p, R = walk(joint.primitives(), numbers)

    def along_motion(i):
        ends = []
        for step in (h, -h):
            motion = step * np.eye(6)[i]
            ends.append(
                [
                    residual(row, p + motion[:3], R @ Rotation.from_rotvec(motion[3:]).as_matrix())
                    for row in joint.rows()
                ]
            )
        return (np.array(ends[0]) - ends[1]) / (2 * h)

    gradient = np.array([along_motion(i) for i in range(6)])
    assert (np.linalg.matrix_rank(gradient, tol=1e-3) if joint.rows() else 0) == len(joint.rows())


def test_slides_come_before_turns(joint):
    kinds = [primitive.kind for primitive in joint.primitives()]
    assert kinds == sorted(kinds, key=lambda kind: kind != "translation")


def test_measures_read_the_coordinates(joint):
    numbers = some_numbers(joint)
    p, R = walk(joint.primitives(), numbers)
    measured = {measure.name: value(measure, p, R) for measure in joint.measures()}
    for name, number in zip(joint.coordinates, numbers, strict=False):
        assert measured[name] == pytest.approx(number, abs=ROUND_OFF)


def test_coordinates_are_the_scalar_blocks(joint):
    assert len(joint.coordinates) == sum(primitive.kind != "quaternion" for primitive in joint.primitives())
    assert len(set(joint.coordinates)) == len(joint.coordinates)


def test_everything_starts_at_zero(joint):
    for measure in joint.measures():
        assert value(measure, np.zeros(3), np.eye(3)) == 0
    for row in joint.rows():
        assert residual(row, np.zeros(3), np.eye(3)) == 0


def test_screw_also_measures_its_advance():
    """40 mm per revolution: after a quarter turn 10 mm."""
    joint = make("screw", at=(0, 0, 0), axis="z")
    p, R = walk(joint.primitives(), [np.pi / 2])
    assert [value(measure, p, R) for measure in joint.measures()] == pytest.approx([np.pi / 2, 0.010], abs=ROUND_OFF)


# ------------------------------------------------------------ placing


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "free"])
@pytest.mark.parametrize("a, b", [("a", "b"), ("ground", "b"), ("a", "ground")])
def test_world_words_make_the_frames_coincide(kind, a, b):
    s = two_bodies()
    (p_F, R_F), (p_M, R_M) = frames_in_world(make(kind, s, a, b, **world_words(kind)), s)
    assert np.allclose(p_F, (0.5, 0.6, 0.7), atol=ROUND_OFF) and np.allclose(p_M, p_F, atol=ROUND_OFF)
    assert (
        np.allclose(R_F, R_M, atol=ROUND_OFF)
        and np.allclose(R_F.T @ R_F, np.eye(3), atol=ROUND_OFF)
        and np.linalg.det(R_F) > 0
    )


@pytest.mark.parametrize("kind", [kind for kind in KINDS if {"axis", "normal"} & set(joint_kinds[kind].geometry)])
def test_z_is_the_axis(kind):
    s = two_bodies()
    (_, R_F), _ = frames_in_world(make(kind, s, **world_words(kind)), s)
    assert np.allclose(R_F[:, 2], np.array([1, 2, 2]) / 3, atol=ROUND_OFF)
    if kind == "universal":
        assert np.allclose(R_F[:, 0], np.array([2, 1, -2]) / 3, atol=ROUND_OFF)


@pytest.mark.parametrize("axis, x", [("x", "y"), ("y", "z"), ("z", "x")])
@pytest.mark.parametrize("kind", ["pin", "pin_slider", "screw"])
def test_local_axes_have_the_agreed_x(kind, axis, x):
    joint = make(kind, on_a=(1, 2, 3), on_b="(4, 5, 6) mm", axis_a=axis, axis_b=axis)
    unit = dict(zip("xyz", np.eye(3), strict=True))
    assert joint.p_AF.tolist() == [1, 2, 3] and joint.p_BM.tolist() == [0.004, 0.005, 0.006]
    for R in (joint.R_AF, joint.R_BM):
        assert np.array_equal(R[:, 2], unit[axis]) and np.array_equal(R[:, 0], unit[x])


def test_local_angle_is_that_of_the_bodies():
    """Body b rotated by 30 deg about z, the axis of both: the angle starts there."""
    s = System()
    s.body("b", 1, orientation=("z", "30 deg"))
    joint = s.pin("p", s.ground, "b", on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="z", axis_b="z")
    (_, R_F), (_, R_M) = frames_in_world(joint, s)
    assert value(joint.measures()[0], np.zeros(3), R_F.T @ R_M) == pytest.approx(np.pi / 6, abs=1e-15)


@pytest.mark.parametrize("side", "ab")
def test_one_local_word_is_enough(side):
    s = two_bodies()
    joint = make("pin", s, **{f"on_{side}": (1, 2, 3), f"axis_{side}": "y"})
    (p_F, R_F), (p_M, R_M) = frames_in_world(joint, s)
    assert np.allclose(p_F, p_M, atol=ROUND_OFF) and np.allclose(R_F, R_M, atol=ROUND_OFF)
    assert (joint.R_AF if side == "a" else joint.R_BM)[:, 2].tolist() == [0, 1, 0]


def test_world_point_with_local_axes():
    s = two_bodies()
    joint = make("pin", s, at=(1, 2, 3), axis_a="x", axis_b="-y")
    (p_F, _), (p_M, _) = frames_in_world(joint, s)
    assert np.allclose(p_F, (1, 2, 3)) and np.allclose(p_M, (1, 2, 3))
    assert joint.R_AF[:, 2].tolist() == [1, 0, 0] and joint.R_BM[:, 2].tolist() == [0, -1, 0]


def test_universal_by_local_words():
    joint = make("universal", on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="z", axis2_b="x")
    assert np.array_equal(joint.R_AF, np.eye(3)) and np.array_equal(joint.R_BM, np.eye(3))
    s = two_bodies()
    mixed = make("universal", s, at=(0, 0, 0), axis="z", axis2_b="y")
    (_, R_F), _ = frames_in_world(mixed, s)
    assert np.allclose(R_F[:, 2], (0, 0, 1), atol=ROUND_OFF) and mixed.R_BM[:, 0].tolist() == [0, 1, 0]


def test_universal_axes_copied_from_print():
    joint = make("universal", at=(0, 0, 0), axis=(0.7071, 0.7071, 0), axis2=(-0.7071, 0.7072, 0))
    assert np.allclose(joint.R_AF.T @ joint.R_AF, np.eye(3), atol=ROUND_OFF)


@pytest.mark.parametrize("kind, keywords", [("slider", {"axis": "x"}), ("planar", {"normal": "z"}), ("weld", {})])
def test_point_left_out_is_the_origin_of_b(kind, keywords):
    s = two_bodies()
    joint = make(kind, s, **keywords)
    (p_F, _), (p_M, _) = frames_in_world(joint, s)
    assert not joint.p_BM.any() and np.allclose(p_F, p_M, atol=ROUND_OFF)


def test_slider_keeps_the_orientation_of_b():
    """Axes parallel at the start, b rotated about them: local keywords must not twist b back."""
    s = System()
    s.body("b", 1, orientation=("z", "30 deg"))
    joint = s.slider("rail", s.ground, "b", axis_a="z", axis_b="z")
    (_, R_F), (_, R_M) = frames_in_world(joint, s)
    assert np.allclose(R_F, R_M, atol=ROUND_OFF)
    # 90 deg off: still a frame, assembly has to turn b
    crossed = s.slider("crossed", s.ground, "b", axis_a="z", axis_b="x")
    assert np.allclose(crossed.R_BM.T @ crossed.R_BM, np.eye(3), atol=ROUND_OFF)


def test_weld_and_ball_keep_the_orientation_of_b_with_local_points():
    for kind in ("weld", "ball"):
        s = two_bodies()
        (_, R_F), (_, R_M) = frames_in_world(make(kind, s, on_a=(1, 0, 0), on_b=(0, 1, 0)), s)
        assert np.allclose(R_F, R_M, atol=ROUND_OFF)


def test_free_measures_the_pose_of_b_in_a():
    joint = make("free")
    assert (
        np.array_equal(joint.R_AF, np.eye(3))
        and np.array_equal(joint.R_BM, np.eye(3))
        and not joint.p_AF.any()
        and not joint.p_BM.any()
    )


@pytest.mark.parametrize("kind", KINDS)
def test_frames_as_words(kind):
    F, M = ("z", 0.3), ("xyz", (0.1, 0.2, 0.3))
    joint = make(kind, on_a=(0, 0, 0), on_b=(0, 0, 0), frame_a=F, frame_b=M)
    assert np.allclose(joint.R_AF, Rotation.from_euler("z", 0.3).as_matrix(), atol=ROUND_OFF)
    assert np.allclose(joint.R_BM, Rotation.from_euler("XYZ", (0.1, 0.2, 0.3)).as_matrix(), atol=ROUND_OFF)


@pytest.mark.parametrize("kind", KINDS)
def test_read_back_exactly(kind):
    rate = {name: 0.1 * i for i, name in enumerate(joint_kinds[kind].coordinates, 1)} or None
    joint = make(kind, **world_words(kind), rate=rate)
    keywords = json.loads(json.dumps(joint.to_dict()))
    a, b = keywords.pop(kind)
    again = make(kind, None, a, b, **keywords)
    assert again == joint and again.to_dict() == joint.to_dict()


def test_many_random_places_are_read_back_exactly():
    numbers = np.random.default_rng(11)
    for _ in range(200):
        s = System()
        for name in "ab":
            s.body(name, 1, position=numbers.normal(size=3), orientation=Rotation.random(random_state=numbers))
        joint = s.pin("p", "a", "b", at=numbers.normal(size=3), axis=numbers.normal(size=3))
        keywords = joint.to_dict()
        again = s.pin("q", *keywords.pop("pin"), **keywords)
        assert again.to_dict() == joint.to_dict()


# ------------------------------------------------------------ rates, signatures, refusals


def test_rates():
    assert make("pin", at=(0, 0, 0), axis="z", rate="120 rpm").rates == {"angle": 4 * np.pi}
    assert make("slider", axis="z", rate="36 km/h").rates == {"displacement": 10}
    assert make("pin_slider", at=(0, 0, 0), axis="z", rate=(1, "1 rev/s")).rates == {
        "displacement": 1,
        "angle": 2 * np.pi,
    }
    assert make("planar", normal="z", rate={"y": 2}).rates == {"y": 2}
    assert make("pin", at=(0, 0, 0), axis="z").rates == {}


def test_signature_tells_the_words():
    keywords = "self name a b pitch at axis on_a on_b axis_a axis_b frame_a frame_b rate active".split()
    assert list(inspect.signature(System.screw).parameters) == keywords
    assert (
        "axis2_b" in inspect.signature(System.universal).parameters
        and "normal_b" in inspect.signature(System.planar).parameters
    )


PLACED = {"at": (0, 0, 0), "axis": "z"}


@pytest.mark.parametrize(
    "kind, keywords, message",
    [
        ("pin", {"axis": "z"}, "it has no place; a pin needs a point. Add at= (world), or on_a= and on_b= (local)."),
        ("pin", {"at": (0, 0, 0)}, "it has no axis; a pin needs one"),
        ("planar", {}, "it has no normal"),
        ("ball", {}, "it has no place"),
        ("pin", {"at": (0, 0, 0), "axis": (0, 0, 0)}, "axis is (0, 0, 0); a direction cannot have length zero"),
        ("pin", {"at": (0, 0, 0), "axis": "w"}, "axis is 'w'; a direction is expected"),
        ("pin", {"at": (0, 0, 0), "axis": (0, np.nan, 0)}, "axis[1] is nan"),
        ("pin", {"at": (0, 0), "axis": "z"}, "at is (0, 0); 3 components are expected"),
        ("pin", {"at": (0, 0, "3 deg"), "axis": "z"}, "'deg' is not a unit of length"),
        ("pin", {**PLACED, "on_a": (0, 0, 0)}, "at and on_a are both given"),
        ("pin", {**PLACED, "axis_b": "z"}, "axis and axis_b are both given"),
        ("pin", {**PLACED, "frame_a": (0, 0, 0, 1)}, "frame_a and axis are both given"),
        ("pin", {"at": (0, 0, 0), "frame_a": (0, 0, 0, 2)}, "frame_a is the quaternion"),
        ("pin", {**PLACED, "axsi": "z"}, "Did you mean 'axis'?"),
        ("pin", {**PLACED, "angle": "20 deg"}, r'write s = mk.assemble(s, {"joint.angle": 0.3}).system'),
        ("ball", {"at": (0, 0, 0), "axis": "z"}, "'axis' is not a keyword of ball"),
        ("free", {"at": (0, 0, 0)}, "'at' is not a keyword of free"),
        ("universal", PLACED, "it has no axis2"),
        ("universal", {"at": (0, 0, 0), "axis2": "x"}, "it has no axis;"),
        (
            "universal",
            {**PLACED, "axis2": (0, 1, 1)},
            "axis and axis2 are 45 deg apart; the axes of a universal joint are perpendicular",
        ),
        ("universal", {**PLACED, "axis2": "-z"}, "180 deg apart"),
        ("universal", {**PLACED, "axis2": "x", "axis2_b": "x"}, "axis2 and axis2_b are both given"),
        ("pin", {**PLACED, "rate": (1, 2)}, "a pin has the coordinates angle"),
        ("pin", {**PLACED, "rate": {"angel": 1}}, "Did you mean 'angle'?"),
        ("pin", {**PLACED, "rate": "3 m/s"}, "not a unit of angular velocity"),
        ("pin", {**PLACED, "rate": np.nan}, "rate of angle is nan"),
        ("ball", {"at": (0, 0, 0), "rate": 3}, "a ball has no coordinate that is a single number"),
    ],
)
def test_bad_joints_are_refused_by_name(kind, keywords, message):
    s = two_bodies()
    with pytest.raises(ModelError) as caught:
        make(kind, s, **keywords)
    assert str(caught.value).startswith("joint 'joint': ") and message in str(caught.value)
    assert not s.joints


def test_calls_that_do_not_fit():
    s = two_bodies()
    with pytest.raises(ModelError, match="joint 'p': too many positional arguments; two bodies are expected"):
        s.pin("p", "a", "b", (0, 0, 0), "z")
    with pytest.raises(ModelError, match="joint 'p': missing a required argument: 'b'"):
        s.pin("p", "a", **PLACED)


@pytest.mark.parametrize(
    "pitch, message",
    [
        (0, "joint 'joint': pitch is 0 m/rev; a screw needs a non-zero pitch. Use pin for pure rotation."),
        ("0 mm", "pitch is 0 m/rev"),
        ("5 kg", "'kg' is not a unit of pitch"),
        (np.inf, "pitch is inf"),
        (None, "missing a required argument: 'pitch'"),
    ],
)
def test_bad_pitch(pitch, message):
    with pytest.raises(ModelError) as caught:
        two_bodies().screw("joint", "a", "b", **PLACED, pitch=pitch)
    assert message in str(caught.value)
