"""Bodies: the arguments become a record in SI, and bad ones raise an error that names them. Oracles: definitions, exact
unless noted."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from mekane.errors import ModelError, UnitError
from mekane.model import Box, Rod, System
from mekane.model.values.orientation import matrix_from


def body(**keywords):
    return System().body("arm", **keywords)


def test_everything_in_si():
    arm = body(
        mass="250 g",
        inertia=["4 g m^2", 0.004, "0.005 kg m^2"],
        com=("1 cm", 0, 0),
        position="(1, 2, 3) mm",
        orientation=("z", "90 deg"),
        velocity=("36 km/h", 0, 0),
        angular_velocity=(0, 0, "60 rpm"),
    )
    assert arm.mass == 0.25
    assert arm.inertia.tolist() == [[0.004, 0, 0], [0, 0.004, 0], [0, 0, 0.005]]
    assert arm.com.tolist() == [0.01, 0, 0] and arm.position.tolist() == [0.001, 0.002, 0.003]
    assert np.array_equal(arm.R_NB, matrix_from(("z", "90 deg")))
    assert arm.velocity.tolist() == [10, 0, 0] and arm.angular_velocity.tolist() == [0, 0, 2 * np.pi]


def test_defaults():
    arm = body(mass=1, inertia=(1, 1, 1))
    assert not arm.com.any() and not arm.position.any() and not arm.velocity.any() and not arm.angular_velocity.any()
    assert np.array_equal(arm.R_NB, np.eye(3)) and arm.shape is None and not arm.massless and not arm.unphysical


def test_three_six_and_nine_numbers():
    tensor = [[2, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 4]]
    assert body(mass=1, inertia=tensor).inertia.tolist() == tensor
    assert body(mass=1, inertia=np.array(tensor)).inertia.tolist() == tensor
    assert body(mass=1, inertia=(2, 3, 4, 0.1, 0.2, 0.3)).inertia.tolist() == tensor
    assert body(mass=1, inertia="(2, 3, 4) g m^2").inertia.tolist() == np.diag([0.002, 0.003, 0.004]).tolist()


@pytest.mark.parametrize(
    "inertia", [(0, 1, 1), (1, 2, 3), (0, 0, 0), (90, 10, 90), (1, 1, 2.194e-06), (1 / 3, 1 / 3, 2 / 3 * (1 + 1e-12))]
)
def test_rods_plates_and_points_are_real_bodies(inertia):
    assert np.array_equal(body(mass=1, inertia=inertia).inertia, np.diag(inertia))


def test_turned_rod_is_accepted():
    """Round-off of a similarity transform must not break the triangle inequality of a limiting case."""
    R = matrix_from(("xyz", (0.3, 0.5, 0.7)))
    tensor = R @ np.diag([0, 1, 1]) @ R.T
    body(mass=1, inertia=tensor)


@pytest.mark.parametrize(
    "inertia, message",
    [
        ((1, 1, 3), "1 + 1 is less than 3; for a real body no principal value exceeds the sum of the other two"),
        ((1, 2, 3 * (1 + 1e-8)), "is less than 3"),
        ((1, 1, 1, 5, 0, 0), "none may be negative"),
        ((-1, 1, 1), "principal values (-1, 1, 1) kg m^2; none may be negative"),
        ([[1, 0.1, 0], [0, 1, 0], [0, 0, 1]], "not symmetric"),
        ((1, 1), "three, six or 3x3 numbers"),
        (5, "three, six or 3x3 numbers"),
        ((1, 1, np.nan), "inertia[2] is nan"),
        ((1, 1, "3 kg"), "'kg' is not a unit of inertia"),
        ([[1, 0, 0], [0, 1, 0], 3], "inertia[2] is 3"),
        ({"xx": 1}, "three, six or 3x3 numbers"),
        ("round", "a vector is expected"),
    ],
)
def test_bad_inertia_is_refused_by_name(inertia, message):
    with pytest.raises(ModelError) as caught:
        body(mass=1, inertia=inertia)
    assert str(caught.value).startswith("body 'arm': inertia") and message in str(caught.value)


def test_published_data_that_no_body_has():
    """PUMA 560 (Corke): link 3 breaks the triangle inequality, link 1 has inertia and no mass."""
    with pytest.raises(ModelError, match="add unphysical=True"):
        body(mass=4.8, inertia=(0.066, 0.086, 0.0125))
    assert body(mass=4.8, inertia=(0.066, 0.086, 0.0125), unphysical=True).unphysical
    link = body(massless=True, inertia=(0, 0.35, 0))
    assert link.mass == 0 and link.inertia[1, 1] == 0.35
    with pytest.raises(ModelError, match=r"none may be negative.*unphysical=True"):
        body(mass=1, inertia=(-1, 1, 1))
    with pytest.raises(ModelError, match="none may be negative"):
        body(massless=True, inertia=(-1, 1, 1))
    assert body(mass=1, inertia=(-1, 1, 1), unphysical=True).inertia[0, 0] == -1


@pytest.mark.parametrize("mass", [0, -1, "0 kg", "-5 g"])
def test_mass_must_be_positive(mass):
    with pytest.raises(ModelError, match=r"body 'arm': mass is .*; it must be greater than zero.*massless=True"):
        body(mass=mass)


def test_massless():
    arm = body(massless=True)
    assert arm.mass == 0 and not arm.inertia.any() and arm.massless and not arm.is_point_mass
    assert body(massless=True, mass=0) == arm
    for contradiction in ({"mass": 1}, {"density": 1, "shape": Box(1, 1, 1)}):
        with pytest.raises(ModelError, match="contradict"):
            body(massless=True, **contradiction)


def test_point_mass_is_noted():
    s = System()
    assert s.body("bob", 2.0).is_point_mass
    assert s.notes == ["body 'bob': no inertia and no shape given, taken as a point mass."]
    s.body("given", 2.0, inertia=(0, 0, 0))
    assert len(s.notes) == 1


def test_shape_gives_mass_properties():
    """A box of 6 m³; closed form of its inertia."""
    arm = body(shape=Box(1, 2, 3, at=(0, 0, 1)), density="0.5 kg/m^3")
    assert arm.mass == 3 and arm.com.tolist() == [0, 0, 1]
    assert np.allclose(arm.inertia, 3 * np.diag([13, 10, 5]) / 12, rtol=1e-15)
    assert body(shape={"box": [1, 2, 3], "at": [0, 0, 1]}, mass=3) == arm
    drawn = body(shape=Box(1, 2, 3, at=(0, 0, 1)), mass=3, inertia=(1, 1, 1), com=(0, 0, 0))
    assert drawn.inertia.tolist() == np.eye(3).tolist() and not drawn.com.any()


@pytest.mark.parametrize(
    "keywords, message",
    [
        ({}, "mass is missing"),
        ({"shape": Box(1, 2, 3)}, "a shape needs density= or mass="),
        ({"density": 1000}, "there is no shape"),
        ({"density": 1000, "shape": Box(1, 2, 3), "mass": 1}, "density and mass are both given"),
        ({"density": 1000, "shape": Box(1, 2, 3), "inertia": (1, 1, 1)}, "density and inertia are both given"),
        ({"density": -1, "shape": Box(1, 2, 3)}, "density is -1"),
        ({"density": 1000, "shape": Rod(1)}, "a density gives no mass"),
        ({"mass": 1, "shape": "cube"}, "one shape is expected"),
        ({"mass": 1, "com": (0, 0)}, "com is (0, 0); 3 components"),
        ({"mass": 1, "position": (0, 0, np.inf)}, "position[2] is inf"),
        ({"mass": 1, "velocity": (0, 0, "1 m")}, "not a unit of velocity"),
        ({"mass": 1, "angular_velocity": (0, 0, "1 m/s")}, "not a unit of angular velocity"),
        ({"mass": 1, "orientation": (1, 2, 3)}, "three numbers alone"),
        ({"mass": "heavy"}, "does not start with a number"),
        ({"mass": 1, "massless": "yes"}, "it is True or False"),
        ({"mass": 1, "unphysical": 1}, "it is True or False"),
    ],
)
def test_bad_bodies_are_refused_by_name(keywords, message):
    s = System()
    with pytest.raises(ModelError) as caught:
        s.body("arm", **keywords)
    assert str(caught.value).startswith("body 'arm'") and message in str(caught.value)
    assert not s.bodies and not s.notes


def test_wrong_unit_is_its_own_error():
    with pytest.raises(UnitError):
        body(mass="3 m")


def test_a_record_does_not_change():
    arm = body(mass=1, inertia=(1, 1, 1))
    with pytest.raises(FrozenInstanceError):
        arm.mass = 2
    for array in (arm.inertia, arm.com, arm.position, arm.R_NB, arm.velocity, arm.angular_velocity):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_copies_are_equal():
    arm = body(mass=1, inertia=(1, 1, 1), shape=Box(1, 2, 3))
    assert copy.deepcopy(arm) == arm and pickle.loads(pickle.dumps(arm)) == arm
    assert body(mass=1, inertia=(1, 1, 1)) != arm and arm != "arm"
