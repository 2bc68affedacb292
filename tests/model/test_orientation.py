"""Orientations. Oracle: SciPy's Rotation, independent code that is scalar-last too; 2e-15 is a few roundings of numbers
≤ 1."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mekane.errors import ModelError
from mekane.model.values.orientation import (
    canonical_perpendicular,
    direction,
    frame_with_x,
    frame_with_z,
    matrix_from,
    matrix_from_quaternion,
    quaternion_from_matrix,
    quaternions_from_matrices,
)

RANDOM = Rotation.random(50, random_state=7)
S = np.sqrt(0.5)


def close(R, expected, within=2e-15):
    assert np.max(np.abs(R - expected)) < within


def test_quaternions_both_ways():
    for rotation in RANDOM:
        e = rotation.as_quat()
        close(matrix_from_quaternion(e), rotation.as_matrix())
        close(matrix_from(e), rotation.as_matrix())
        close(quaternion_from_matrix(rotation.as_matrix()), e * np.sign(e[3]))


@pytest.mark.parametrize("axis", ["x", "y", "z", (1, 1, 0), (1, -2, 3)])
@pytest.mark.parametrize("angle", [np.pi, np.pi - 1e-9, 1e-9, 0.0])
def test_quaternion_of_half_turns_is_accurate(axis, angle):
    R = matrix_from((axis, angle))
    close(matrix_from_quaternion(quaternion_from_matrix(R)), R)


def test_axis_and_angle():
    expected = Rotation.from_rotvec(np.radians(30) * np.array([1, 2, 2]) / 3).as_matrix()
    for given in [((1, 2, 2), "30 deg"), {"axis": (1, 2, 2), "angle": "30 deg"}, ["(1, 2, 2)", np.radians(30)]]:
        close(matrix_from(given), expected)
    close(matrix_from(("-z", "90 deg")), [[0, 1, 0], [-1, 0, 0], [0, 0, 1]])


@pytest.mark.parametrize("sequence", ["xyz", "zxz", "zyx", "xy", "y"])
def test_rotation_sequences(sequence):
    angles = [0.3, -1.1, 2.0][: len(sequence)]
    # SciPy writes body-fixed in capitals, Mekane in small letters
    close(matrix_from((sequence, angles)), Rotation.from_euler(sequence.upper(), angles).as_matrix())
    close(
        matrix_from({"sequence": sequence.upper(), "angles": angles}), Rotation.from_euler(sequence, angles).as_matrix()
    )


def test_unit_vectors():
    for rotation in RANDOM[:5]:
        R = rotation.as_matrix()
        x, y, z = R.T
        for given in [{"x": x, "y": y}, {"y": y, "z": z}, {"x": x, "z": z}, {"x": x, "y": y, "z": z}]:
            close(matrix_from(given), R)


def test_numbers_copied_from_print_are_polished():
    R = matrix_from({"x": (0.8660254, -0.5, 0), "y": (0.5, 0.8660254, 0)})
    assert np.max(np.abs(R.T @ R - np.eye(3))) < 1e-15
    close(R, Rotation.from_euler("z", -30, degrees=True).as_matrix(), 1e-7)
    close(matrix_from((0, 0, 0.7071, 0.7071)), [[0, -1, 0], [1, 0, 0], [0, 0, 1]])


def test_what_was_written_is_read_back_bit_by_bit():
    for rotation in RANDOM:
        for R in (
            matrix_from(rotation.as_quat()),
            matrix_from(rotation.as_matrix() + 1e-5),
            frame_with_z(rotation.as_matrix()[0]),
        ):
            assert np.array_equal(matrix_from(R.tolist()), R)


def test_scipy_rotation_and_none():
    close(matrix_from(RANDOM[0]), RANDOM[0].as_matrix())
    assert np.array_equal(matrix_from(None), np.eye(3))
    assert np.array_equal(matrix_from({"quaternion": (0, 0, 0, 1)}), np.eye(3))
    assert np.array_equal(matrix_from({"matrix": np.eye(3)}), np.eye(3))


@pytest.mark.parametrize(
    "bad, says",
    [
        ((0, 0, 0, 2), "of length 2; its length must be 1"),
        ((0, 0, 0, 0), "of length 0"),
        ((0, 0, 0, np.nan), "not a finite number"),
        ((1e200, 0, 0, 1e200), "its length must be 1"),
        ([[1e200, 1e200, 0], [1e200, -1e200, 0], [0, 0, 1]], "not orthonormal"),
        ({"x": (1e308, 0, 0), "y": (0, 1e308, 0)}, "not orthonormal"),
        ([[1, 0, 0], [0, 1, 0], [0, 0, -1]], "left-handed"),
        ([[1, 0, 0], [0, 2, 0], [0, 0, 1]], "not orthonormal"),
        ([[1, 0], [0, 1]], "orientation"),
        ([[1, 0, 0], [0, 1, 0], 3], "orientation[2] is 3"),
        ((0.1, 0.2, 0.3), 'name the axes: ("xyz", [0.1, 0.2, 0.3])'),
        (("z", "30 mm"), "not a unit of angle"),
        (("q", "30 deg"), "a direction is expected"),
        (((0, 0, 0), 1.0), "a direction cannot have length zero"),
        (("xyw", [1, 2, 3]), "made of the letters x, y, z"),
        (("xYz", [1, 2, 3]), "made of the letters x, y, z"),
        (("xyz", [1, 2]), "3 components are expected"),
        ({"axes": "z", "angle": 1}, "Did you mean 'axis'?"),
        ({"x": (1, 0, 0)}, "no form of orientation"),
        ({"x": (1, 0, 0), "y": (1, 0, 0)}, "not orthonormal"),
        ({"matrix": 3}, "three rows"),
        ("upside down", "no form of orientation"),
        (1.0, "no form of orientation"),
        (np.array(1.0), "no form of orientation"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_bad_orientations_are_refused_by_name(bad, says):
    with pytest.raises(ModelError) as caught:
        matrix_from(bad, "body 'arm'")
    assert str(caught.value).startswith("body 'arm': ") and says in str(caught.value)


def test_directions():
    assert direction("-y").tolist() == [0, -1, 0] and direction("+Z").tolist() == [0, 0, 1]
    assert direction((0, 0, 5)).tolist() == [0, 0, 1]
    close(direction((1e-200, 1e-200, 0)), [S, S, 0])
    close(direction((1e200, 1e200, 0)), [S, S, 0])
    u = direction((1, 2, 3))
    assert np.array_equal(direction(u), u)


@pytest.mark.parametrize("bad", ["w", "", (0, 0, 0), (1, 2), (1, np.nan, 0), None, 3])
def test_bad_directions_are_refused_by_name(bad):
    with pytest.raises(ModelError, match=r"joint 'elbow': axis(\[1\])? is "):
        direction(bad, "joint 'elbow'", "axis")


def test_canonical_frames():
    assert canonical_perpendicular(direction("x")).tolist() == [0, 1, 0]
    assert canonical_perpendicular(direction("y")).tolist() == [0, 0, 1]
    assert canonical_perpendicular(direction("z")).tolist() == [1, 0, 0]
    assert np.array_equal(frame_with_z(direction("z")), np.eye(3))
    assert np.array_equal(frame_with_x(direction("x")), np.eye(3))
    for axis in RANDOM.as_matrix()[:, 0]:
        for frame, column in ((frame_with_z(axis), 2), (frame_with_x(axis), 0)):
            close(frame.T @ frame, np.eye(3))
            assert np.linalg.det(frame) > 0 and np.array_equal(frame[:, column], axis)


def test_quaternions_of_many_matrices_at_once():
    """Against those of one matrix each, half turns among them, where three of the four pivots are zero."""
    half_turns = Rotation.from_rotvec(np.pi * np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.6, 0, 0.8]])).as_matrix()
    R = np.concatenate([RANDOM.as_matrix(), half_turns, [np.eye(3)]])
    close(quaternions_from_matrices(R), np.array([quaternion_from_matrix(one) for one in R]), 1e-15)
    assert quaternions_from_matrices(np.zeros((0, 3, 3))).shape == (0, 4)
