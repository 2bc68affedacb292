"""What a run answers by name. Oracles: the other formulation, differences of positions in time, closed forms."""

import subprocess
import sys

import mechanisms
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import mekane as mk
from mekane.errors import MekaneError
from mekane.formulations import NAMES as FORMULATIONS

DENSE = np.linspace(0.0, 0.2, 401)


@pytest.fixture(scope="module")
def runs():
    system = mechanisms.spatial()
    return {formulation: mk.simulate(system, 0.2, every=DENSE, formulation=formulation) for formulation in FORMULATIONS}


SEVERAL = [
    "tree universal",
    "tree planar backward",
    "tree free backward",
    "tree screw",
    "ring pin_slider",
    "nut",
    "table",
]


@pytest.mark.parametrize("name", SEVERAL)
def test_all_that_follows_from_the_state_is_the_same_in_all_formulations(name):
    """Two integrations with rtol 1e-9 of motions of order 1 over a short time: 1e-7."""
    system = mechanisms.ALL[name]()
    one, *others = (mk.simulate(system, 0.3, every=0.1, formulation=formulation) for formulation in FORMULATIONS)
    for other in others:
        assert one.names() == other.names()
        for word in one.names():
            size = max(1.0, np.abs(one.numbers(word)).max())
            tolerance = 1e-7 if one.follows_from_state(word) else 1e-6
            np.testing.assert_allclose(one.numbers(word), other.numbers(word), atol=tolerance * size, err_msg=word)


def differences(values):
    """Central differences in time: error h²/6 of the third derivative, h = 5e-4."""
    return np.gradient(values, DENSE, axis=0)[1:-1]


@pytest.mark.parametrize(
    "place, rate",
    [
        ("B.position", "B.velocity"),
        ("B.velocity", "B.acceleration"),
        ("A.angular_velocity", "A.angular_acceleration"),
        ("k.angle", "k.angle.rate"),
    ],
)
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_rates_are_rates(runs, formulation, place, rate):
    run = runs[formulation]
    size = np.abs(run.numbers(rate)).max()
    np.testing.assert_allclose(differences(run.numbers(place)), run.numbers(rate)[1:-1], atol=2e-4 * size)


def test_labels_and_units(runs):
    run = runs["joint"]
    angle, position, orientation = run["k.angle"], run["A.position"], run["A.orientation"]
    assert angle.dims == ("time",) and angle.attrs["units"] == "rad" and angle.name == "k.angle"
    assert (
        position.dims == ("time", "axis")
        and position.attrs["units"] == "m"
        and list(position.axis.values) == ["x", "y", "z"]
    )
    assert orientation.dims == ("time", "quaternion") and "scalar last" in orientation.attrs["long_name"]
    assert angle.time.attrs["units"] == "s"
    np.testing.assert_array_equal(run["A.position.y"], position.sel(axis="y"))
    np.testing.assert_array_equal(run["A.orientation.e4"], orientation.sel(quaternion="e4"))
    assert "A.position" in run and "A.colour" not in run


def test_dataset_of_everything(runs):
    data = runs["absolute"].to_xarray()
    assert set(data.data_vars) == set(runs["absolute"].names())
    assert data["B.angular_velocity"].attrs["units"] == "rad/s"


def test_centre_is_where_the_mass_is(runs):
    run = runs["joint"]
    hand = mechanisms.ByHand(run)
    np.testing.assert_allclose(run["B.centre"], hand.centre["B"], atol=1e-14)


def test_forces_by_name(runs):
    """The spring's length from the positions of its ends; its tension by its law."""
    run = runs["joint"]
    hand, force = mechanisms.ByHand(run), run.system.forces["between"]
    L = mechanisms.norm(hand.at("B", force.acts.point_b) - hand.at("A", force.acts.point_a))
    np.testing.assert_allclose(run["between.length"], L, rtol=1e-13)
    np.testing.assert_allclose(run["between.tension"], 20 * (L - 0.5), atol=1e-12)
    np.testing.assert_allclose(run["between.energy"], 10 * (L - 0.5) ** 2, atol=1e-12)
    np.testing.assert_allclose(run["thrust.force"], hand.components(run.system.forces["thrust"]), atol=1e-13)
    np.testing.assert_allclose(run["push.force.y"], 3 * np.sin(4 * run.t), atol=1e-13)
    assert "push.work" in run.names() and "between.work" not in run.names()


def test_whole_turns_are_counted_in_both_formulations():
    """A wheel at constant speed: after 3 s it has turned by 3 w, six and a half turns, whatever is a coordinate of the
    model."""
    s = mk.System(gravity=(0, 0, 0))
    s.body("wheel", 1, inertia=(1, 1, 2))
    s.pin("axle", s.ground, "wheel", at=(0, 0, 0), axis="z", rate=13.6)
    for formulation in FORMULATIONS:
        run = mk.simulate(s, 3.0, every=0.5, formulation=formulation)  # a bit more than a turn between samples
        np.testing.assert_allclose(run["axle.angle"], 13.6 * run.t, atol=1e-7)


def test_quaternions_do_not_jump():
    s = mk.System(gravity=(0, 0, 0))
    s.body("top", 1, inertia=(1, 1, 2), angular_velocity=(0.1, 0.2, 9.0))
    e = mk.simulate(s, 3.0)["top.orientation"].values
    assert np.abs(np.diff(e, axis=0)).max() < 0.1
    np.testing.assert_allclose(np.linalg.norm(e, axis=1), 1.0, atol=1e-14)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("kind", ["ball", "free"])
def test_orientation_of_a_joint(kind, backward, formulation):
    """It turns the joint's axes on a into those on b, whichever body carries the other in the model."""
    run = mk.simulate(mechanisms.tree(kind, backward), 0.2, every=0.1, formulation=formulation)
    joint, hand = run.system.joints["k"], mechanisms.ByHand(run)
    R_F, R_M = hand.R[joint.a] @ joint.R_AF, hand.R[joint.b] @ joint.R_BM
    R = Rotation.from_quat(run["k.orientation"].values).as_matrix()
    np.testing.assert_allclose(R_F @ R, R_M, atol=1e-13)


@pytest.mark.parametrize(
    "name, message",
    [
        ("k.angel", "Did you mean 'k.angle'"),
        ("A.positon", "Did you mean 'A.position'"),
        ("crank.angle", "the model has k, knee"),
        ("A.position.w", "'A' has"),
    ],
)
def test_unknown_names(runs, name, message):
    with pytest.raises(MekaneError, match=message):
        runs["joint"][name]


def test_xarray_is_loaded_only_when_needed():
    code = "import sys, mekane, mekane.analyses.simulate, mekane.exporters.csv; assert not {'xarray', 'pandas'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
