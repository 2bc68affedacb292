"""Kinematics: sweeps of driven mechanisms. Oracles: closed forms of slider-crank and four-bar (triangles,
Freudenstein), of Bricard's and the spatial slider-crank; all formulations against them. Tolerances: 1e-12 for lengths
and angles of order one is a few hundred ulps, what Newton leaves where equations are well conditioned; a dead point is
a double root, found as a simple one along the curve, to 1e-9.
"""

import json

import linkages
import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.errors import ModelError
from mekane.formulations import NAMES as FORMULATIONS
from mekane.gallery import bricard, slider_crank_spatial

everywhere = pytest.mark.parametrize("formulation", FORMULATIONS)
GRASHOF, NOT_GRASHOF = (0.3, 0.9, 0.8, 1.0), (1.0, 1.1, 0.9, 1.7)  # crank, coupler, rocker, base


@everywhere
def test_slider_crank_in_closed_form(formulation):
    k = mk.kinematics(linkages.slider_crank(), "main", "cycle", points=24, formulation=formulation)
    x, first, second = linkages.slider_place(k.drive)
    assert len(k) == 25 and not k.stopped and not k.dead_points
    assert np.abs(k["guide.displacement"].values - x).max() < 1e-12
    assert np.abs(k.velocity_ratio("guide").values - first).max() < 1e-12
    assert np.abs(k.acceleration_ratio("guide").values - second).max() < 1e-12
    assert np.abs(k["block.position.x"].values - x).max() < 1e-12
    assert np.abs(k.acceleration_ratio("block.position").values[:, 0] - second).max() < 1e-12


def test_points_and_orientations_of_the_crank():
    """A point at radius r of a body that turns with the drive: r (cos, sin), its derivative, and minus itself; spin one
    about z."""
    k = mk.kinematics(linkages.slider_crank(), "main.angle", (0.4, "200 deg", 9))
    at = 0.3 * np.stack([np.cos(k.drive), np.sin(k.drive), 0 * k.drive], axis=1)
    assert k["knee.point"].dims == ("main.angle", "axis") and k["crank.centre"].attrs["units"] == "m"
    assert np.abs(k["knee.point"].values - at).max() < 1e-12
    assert (
        np.abs(k.velocity_ratio("knee.point").values - np.stack([-at[:, 1], at[:, 0], at[:, 2]], axis=1)).max() < 1e-12
    )
    assert np.abs(k.acceleration_ratio("knee.point").values + at).max() < 1e-12
    assert np.abs(k.velocity_ratio("crank.orientation").values - [0, 0, 1]).max() < 1e-12
    assert np.abs(np.abs(k["crank.orientation"].values[:, 2]) - np.abs(np.sin(k.drive / 2))).max() < 1e-12


@everywhere
def test_four_bar_obeys_freudenstein(formulation):
    """K1 cos φ − K2 cos θ + K3 = cos(θ − φ), φ the rocker's heading; the derivative of that gives the ratio."""
    a, b, c, d = GRASHOF
    k = mk.kinematics(linkages.four_bar(*GRASHOF, 0.7), "main", "cycle", points=30, formulation=formulation)
    theta, phi = k.drive, k["foot"].values
    left = (
        d / a * np.cos(phi)
        - d / c * np.cos(theta)
        + (a * a - b * b + c * c + d * d) / (2 * a * c)
        - np.cos(theta - phi)
    )
    assert not k.stopped and np.abs(left).max() < 1e-12
    ratio = (d / c * np.sin(theta) + np.sin(theta - phi)) / (d / a * np.sin(phi) + np.sin(theta - phi))
    assert np.abs(k.velocity_ratio("foot").values - ratio).max() < 1e-12
    beta = linkages.coupler_angle(*GRASHOF, theta[3])
    assert abs(np.cos(theta[3] + k["knee"].values[3] - beta) - 1) < 1e-12
    mu = np.arccos((b * b + c * c - (a * a + d * d - 2 * a * d * np.cos(theta))) / (2 * b * c))
    assert np.abs(k.transmission_angle("knee", "tip", "foot").values - np.minimum(mu, np.pi - mu)).max() < 1e-12


@everywhere
def test_ends_of_the_rocker_are_found(formulation):
    """A rocker turns back where crank and coupler are in line: b ± a from the pivot to the tip. Simple roots: 1e-10."""
    a, b, c, d = GRASHOF
    k = mk.kinematics(linkages.four_bar(*GRASHOF, 0.7), "main", "cycle", points=12, formulation=formulation)
    found = sorted(event.value for event in k.toggles if event.coordinate == "foot.angle")
    exact = sorted(np.pi - np.arccos((c * c + d * d - reach**2) / (2 * c * d)) for reach in (b - a, b + a))
    assert np.abs(np.array(found) - exact).max() < 1e-10


@everywhere
@pytest.mark.parametrize("way", [1, -1])
def test_dead_points_of_a_four_bar_that_does_not_turn_round(formulation, way):
    """Coupler and rocker in line: (b + c)² = a² + d² − 2 a d cos θ."""
    a, b, c, d = NOT_GRASHOF
    limit = way * np.arccos((a * a + d * d - (b + c) ** 2) / (2 * a * d))
    k = mk.kinematics(linkages.four_bar(*NOT_GRASHOF, 0.3), "main", (0.3, way * 3.0, 40), formulation=formulation)
    (dead,) = k.dead_points
    assert abs(dead.drives["main.angle"] - limit) < 1e-10
    assert dead.lines == ("'knee', 'tip' and 'foot' are on one line",)
    assert f"after {len(k)} of 40 positions" in k.stopped and abs(k.drive[-1]) < abs(limit)


@everywhere
def test_slider_drives_into_its_dead_points(formulation):
    """Crank and rod in line: x² + offset² = (rod ± crank)²."""
    s = linkages.slider_crank()
    for goal, reach in ((2.0, 1.1), (-2.0, 0.5)):
        k = mk.kinematics(s, "guide", (0.9, goal, 30), formulation=formulation)
        (dead,) = k.dead_points
        assert abs(dead.drives["guide.displacement"] - np.sqrt(reach**2 - 0.1**2)) < 1e-10
        assert dead.lines == ("'main', 'knee' and 'wrist' are on one line",)


def test_a_rod_that_is_too_short_locks_square_to_the_guide():
    """crank > rod + offset: the crank can go on until the rod stands square, crank sin θ = rod + offset (offset 0)."""
    k = mk.kinematics(linkages.slider_crank(1.0, 0.6, 0.0, 0.2), "main", (0.2, 1.5, 20))
    (dead,) = k.dead_points
    assert abs(dead.drives["main.angle"] - np.arcsin(0.6)) < 1e-10
    assert "the line from 'knee' to 'wrist' is square to 'guide'" in dead.lines


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("path", ["cycle", np.pi * np.arange(1, 13) / 6])
def test_a_parallelogram_stays_one_through_its_flat_positions(formulation, path):
    """Rocker and crank stay parallel: ratio 1, second ratio 0; branches cross at 0 and π, on samples of the second
    path. There values are interpolated from both sides; rates from positions 0.02 beside, where the equations are
    weaker by 1/0.02, hence 1e-10 and 1e-8."""
    k = mk.kinematics(linkages.four_bar(1, 2, 1, 2, 0.7), "main", path, points=20, formulation=formulation)
    assert not k.stopped and np.abs(k["foot"].values - k.drive).max() < 1e-12
    assert np.abs(k.velocity_ratio("foot").values - 1).max() < 1e-10
    assert np.abs(k.acceleration_ratio("foot").values).max() < 1e-8
    crossed = [event.drives["main.angle"] for event in k.crossings]
    assert np.abs(np.array(crossed) - [np.pi, 2 * np.pi]).max() < 1e-10


def test_equal_slider_crank_goes_through_its_folding_position():
    """x = 2 cos θ, though at θ = 90° it might also fold."""
    k = mk.kinematics(gallery.find("slider_crank_planar").system(), "pivot", np.radians(np.arange(45, 406, 15)))
    assert np.abs(k["guide"].values - 2 * np.cos(k.drive)).max() < 1e-12
    assert np.abs(k.velocity_ratio("guide").values + 2 * np.sin(k.drive)).max() < 1e-10
    assert len(k.crossings) == 2


@everywhere
def test_spatial_slider_crank_in_closed_form(formulation):
    k = mk.kinematics(slider_crank_spatial.system(), "A", "cycle", points=16, formulation=formulation)
    x = np.array([slider_crank_spatial.slider_place(theta) for theta in k.drive])
    slope = np.array([slider_crank_spatial.slider_place(theta + 1e-30j).imag / 1e-30 for theta in k.drive])
    assert np.abs(k["D"].values - x).max() < 1e-12 and np.abs(k.velocity_ratio("D").values - slope).max() < 1e-12


def test_bricard_moves_as_it_must():
    k = mk.kinematics(bricard.system(), "P1", (0, 3.0, 16))
    assert np.abs(k["P3.point"].values - bricard.shape(k.drive)).max() < 1e-12
    assert abs(k.toggles[0].drives["P1.angle"] - np.pi / 2) < 1e-10  # sin ψ = sin θ / (1 + sin θ) is greatest there


def test_bennett_in_closed_form():
    """Neighbouring angles φ and 2π − θ: tan(θ/2) tan(φ/2) is constant. Both start from 0 as drawn; given as points of
    the unit circle."""
    alpha, beta, theta = 0.6, 1.1, 0.8
    k = mk.kinematics(linkages.bennett(1.0, alpha, beta, theta), "P1", "cycle", points=18)
    product = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)
    start = 2 * np.arctan(product / np.tan(theta / 2))
    phi = start + k.drive
    P2 = theta - 2 * np.arctan2(product * np.cos(phi / 2), np.sin(phi / 2))
    assert np.ptp(k["P2"].values) > 6.0 and np.abs(np.exp(1j * P2) - np.exp(1j * k["P2"].values)).max() < 1e-12


def test_two_drives():
    """Open arm: the end point of two links, and its derivative by each angle with the other still."""
    s = mk.System("arm")
    s.body("upper", 1.0, (0.1, 0.1, 0.1), position=(0.5, 0, 0))
    s.body("fore", 1.0, (0.1, 0.1, 0.1), position=(1.5, 0, 0))
    s.pin("shoulder", s.ground, "upper", at=(0, 0, 0), axis="z")
    s.pin("elbow", "upper", "fore", at=(1, 0, 0), axis="z")
    k = mk.kinematics(s, {"shoulder": (0, 1.0, 7), "elbow.angle": (0, -2.0, 7)})
    a, b = k.drives["shoulder.angle"], k.drives["elbow.angle"]
    assert np.abs(k["fore.position.x"].values - np.cos(a) - 0.5 * np.cos(a + b)).max() < 1e-12
    assert np.abs(k.velocity_ratio("fore.position.y", "elbow").values - 0.5 * np.cos(a + b)).max() < 1e-12
    assert (
        np.abs(k.acceleration_ratio("fore.position.y", "shoulder").values + np.sin(a) + 0.5 * np.sin(a + b)).max()
        < 1e-12
    )
    with pytest.raises(ModelError, match="several drives"):
        k.velocity_ratio("fore.position.x")


def test_five_bar_with_two_drives_stops_where_its_links_are_stretched():
    """Two cranks of length 1 at x = ±1, two rods of length 1.2: the rods are in line when the cranks' ends are 2.4
    apart."""
    ends = {"left": np.array([-1.0, 1.0]), "right": np.array([1.0, 1.0])}
    top = np.array([0.0, 1.0 + np.sqrt(1.2**2 - 1)])
    s = mk.System("five-bar", planar="xy")
    for side, end in ends.items():
        foot = np.array([end[0], 0.0])
        for name, p, q in ((f"crank {side}", foot, end), (f"rod {side}", end, top)):
            s.body(name, 1.0, 0.1, position=(*((p + q) / 2), 0), orientation=("z", np.arctan2(*(q - p)[::-1])))
        s.pin(f"foot {side}", s.ground, f"crank {side}", at=(*foot, 0), axis="z")
        s.pin(f"knee {side}", f"crank {side}", f"rod {side}", at=(*end, 0), axis="z")
    s.pin("top", "rod left", "rod right", at=(*top, 0), axis="z")
    k = mk.kinematics(s, {"foot left": (0, 0.5, 21), "foot right": (0, -0.5, 21)})
    (dead,) = k.dead_points
    assert abs(dead.drives["foot left.angle"] - np.arcsin(0.2)) < 1e-10  # both ends go out by sin: 2 + 2 sin = 2.4
    assert "'knee left', 'top' and 'knee right' are on one line" in dead.lines


def test_paths_may_go_back_and_forth():
    k = mk.kinematics(linkages.slider_crank(), "main", ["40 deg", "70 deg", "70 deg", "-20 deg"])
    assert np.abs(k["guide"].values - linkages.slider_place(np.radians([40, 70, 70, -20]))[0]).max() < 1e-12


def test_laws_play_no_part():
    """Not even one that has no derivative."""
    s = linkages.slider_crank()
    s.motor("drive", "main", torque=lambda t, state: float(int(t * 10) % 3))
    s.spring("return", (s.ground, (2, 0, 0)), ("block", (0, 0, 0)), stiffness=5.0, length=0.1)
    k = mk.kinematics(s, "main", (0.4, 1.0, 4))
    x, first, _ = linkages.slider_place(k.drive)
    length = np.hypot(2 - x, 0.1)
    assert np.abs(k["return.length"].values - length).max() < 1e-12
    assert np.abs(k.velocity_ratio("return.length").values + (2 - x) / length * first).max() < 1e-12


def test_it_shows_itself(tmp_path):
    k = mk.kinematics(linkages.four_bar(*NOT_GRASHOF, 0.3), "main", (0.3, 3.0, 20))
    assert (
        "dead point" in str(k) and "'knee', 'tip' and 'foot' are on one line" in str(k) and "<table>" in k._repr_html_()
    )
    data = json.loads(json.dumps(k.to_dict()))
    assert data["positions"]["foot.angle"] == k["foot"].values.tolist() and data["events"][0]["kind"] == "dead point"
    k.plot(tmp_path / "k.png")
    assert (tmp_path / "k.png").read_bytes()[:4] == b"\x89PNG"


@everywhere
def test_turns_are_counted(formulation):
    """Four turns of a screw of 10 mm a turn, and of a collar that turns the other way."""
    s = mk.System("press")
    s.body("screw", 1.0, (0.1, 0.1, 0.1))
    s.body("plate", 1.0, (0.1, 0.1, 0.1), position=(0.5, 0, 0))
    s.screw("thread", s.ground, "screw", pitch="10 mm", at=(0, 0, 0), axis="z")
    s.pin("collar", "screw", "plate", at=(0, 0, 0), axis="z")
    s.slider("guide", s.ground, "plate", at=(0.5, 0, 0), axis="z")
    k = mk.kinematics(s, "thread.angle", (0, "4 rev", 9), formulation=formulation)
    assert np.abs(k["guide"].values - 0.01 * k.drive / (2 * np.pi)).max() < 1e-12
    assert np.abs(k["collar"].values + k.drive).max() < 1e-12


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "drive, path, message",
    [
        ("mian", "cycle", "there is no position 'mian'.*Did you mean 'main'"),
        ("main.angel", "cycle", "'main' has angle.*Did you mean 'main.angle'"),
        ("crank", "cycle", "'crank' has position"),
        ("crank.position", "cycle", "3 components"),
        ("guide", "cycle", "only an angle turns round"),
        ("main", [0.4, float("nan")], "value 2 is nan"),
        ("main", [], "values for the drive"),
        ("main", None, "values for the drive"),
        ("main", (0, 1, 1), "number of points is 1"),
        ("main", ["3 mm"], "not a unit of angle"),
        ({"main": (0, 1, 3), "guide": (0, 1, 4)}, None, "there are 2 and the system has 1"),
    ],
)
def test_refusals(drive, path, message):
    with pytest.raises(ModelError, match=message):
        mk.kinematics(linkages.slider_crank(), drive, path)


def test_a_joint_with_two_coordinates_must_say_which():
    s = mk.System("rod")
    s.body("rod", 1.0, (0.1, 0.1, 0.1))
    s.pin_slider("guide", s.ground, "rod", at=(0, 0, 0), axis="z")
    with pytest.raises(ModelError, match="displacement"):
        mk.kinematics(s, "guide", (0, 1, 3))
    with pytest.raises(
        ModelError, match="2 degrees of freedom: 1 more drive is missing.*'guide.displacement' can still move"
    ):
        mk.kinematics(s, "guide.angle", "cycle")
    with pytest.raises(ModelError, match="3.* and .*4"):
        mk.kinematics(s, {"guide.angle": (0, 1, 3), "guide.displacement": (0, 1, 4)})


def test_what_cannot_be_driven():
    with pytest.raises(ModelError, match="knife_edge 'blade': it holds for velocities"):
        mk.kinematics(gallery.find("chaplygin_sleigh").system(), "sleigh.position.x", (0, 1, 3))
    with pytest.raises(ModelError, match="Leave out 'drive', which prescribes"):
        mk.kinematics(gallery.find("driven_four_bar").system(), "main", "cycle")
    with pytest.raises(ModelError, match="singular position, where its branches meet"):
        mk.kinematics(linkages.four_bar(1, 2, 1, 2, 0.0), "main", "cycle")
    with pytest.raises(ModelError, match="the path begins at 2.*ends at main.angle = 1.603154"):
        mk.kinematics(linkages.four_bar(*NOT_GRASHOF, 0.3), "main", (2.0, 2.5, 3))


def test_a_start_in_a_dead_point():
    s = mk.assemble(linkages.slider_crank(offset=0.0), {"main": 0.0}).system
    with pytest.raises(
        ModelError,
        match="starts in a dead point of it: 'main', 'knee' and 'wrist' are on one line.*or drive 'main.angle'",
    ):
        mk.kinematics(s, "guide", (1.0, 0.9, 3))
