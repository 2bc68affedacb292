"""Units of the input. Oracle: the definitions of the units, written as literals; equality is exact because the table is
decimal."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from mekane.errors import MekaneError, ModelError, UnitError
from mekane.model.values.units import DIMENSIONS, quantity, read_unit, vector


@pytest.mark.parametrize(
    "text, dimension, si",
    [
        ("12 mm", "length", 0.012),
        ("12mm", "length", 0.012),
        ("-3 cm", "length", -0.03),
        ("1 in", "length", 0.0254),
        ("5 µm", "length", 5e-6),
        ("5 μm", "length", 5e-6),
        ("5 g", "mass", 0.005),
        ("3 kN", "force", 3000.0),
        ("2 kg m^2", "inertia", 2.0),
        ("2 kg·m²", "inertia", 2.0),
        ("2 kg*m**2", "inertia", 2.0),
        ("9.81 m/s^2", "acceleration", 9.81),
        ("10 N/mm", "stiffness", 10000.0),
        ("36 km/h", "velocity", 10.0),
        ("7.85 g/cm^3", "density", 7850.0),
        ("20 N m/rad", "angular_stiffness", 20.0),
        ("20 Nm", "angular_stiffness", 20.0),
        ("0.1 N m s/rad", "angular_damping", 0.1),
        ("3 1/s", "frequency", 3.0),
        ("3 Hz", "frequency", 3.0),
        ("50 %", "number", 0.5),
        ("5 mm", "pitch", 0.005),
        ("5 mm/rev", "pitch", 0.005),
        ("4e3", "stiffness", 4000.0),
        (" .5 ", "length", 0.5),
        ("−2", "length", -2.0),
        ("1/4", "length", 0.25),
        ("2 kJ", None, 2000.0),
    ],
)
def test_text_becomes_si(text, dimension, si):
    assert quantity(text, dimension) == si


@pytest.mark.parametrize(
    "text, dimension, si",
    [
        ("30 deg", "angle", math.pi / 6),
        ("45°", "angle", math.pi / 4),
        ("pi/6", "angle", math.pi / 6),
        ("-2*pi/3", "angle", -2 * math.pi / 3),
        ("0.5 rev/s", "angular_velocity", math.pi),
        ("120 rpm", "angular_velocity", 4 * math.pi),
        ("5 mm/rad", "pitch", 0.01 * math.pi),
        ("9 N m/deg", "angular_stiffness", 1620 / math.pi),
    ],
)
def test_angles(text, dimension, si):
    assert quantity(text, dimension) == pytest.approx(si, rel=3e-16)  # one or two roundings of the oracle itself


@pytest.mark.parametrize("number", [2, 2.0, np.float32(2), np.int64(2), np.array(2.0), Fraction(2), Decimal(2), "2"])
def test_every_real_number_is_welcome(number):
    result = quantity(number, "mass")
    assert result == 2.0 and type(result) is float


@pytest.mark.parametrize(
    "bad", [math.nan, math.inf, -math.inf, True, np.True_, 1j, None, [1], {}, "1e999", 10**400, np.array([1.0])]
)
def test_not_a_number_is_refused_by_name(bad):
    with pytest.raises(ModelError, match=r"body 'x': mass is .*; mass in kg is expected.*Write for example 2\.5"):
        quantity(bad, "mass", "body 'x'", "mass")


@pytest.mark.parametrize(
    "bad, says",
    [
        ("30 deg", "'deg' is not a unit of length"),
        ("3 m m", "'m m' is not a unit of length"),
        ("3 Mm", "Did you mean 'mm'"),
        ("3 furlong", "'furlong' is not a unit Mekane knows"),
        ("abc", "does not start with a number"),
        ("", "does not start with a number"),
        ("nan", "does not start with a number"),
        ("3 m/", "'/' is not a unit"),
        ("3 2", "'2' is not a unit"),
        ("__import__('os')", "does not start with a number"),
        ("9" * 20_000 + " mm mm", "…"),
    ],
)
def test_wrong_units_are_refused_by_name(bad, says):
    with pytest.raises(UnitError) as caught:
        quantity(bad, "length", "joint 'elbow'", "offset")
    message = str(caught.value)
    assert (
        message.startswith("joint 'elbow': offset is ")
        and says in message
        and '"12 mm"' in message
        and len(message) < 400
    )


def test_examples_in_messages_are_readable_themselves():
    for name, dimension in DIMENSIONS.items():
        for example in dimension.examples.replace(" or ", ", ").split(", "):
            quantity(example.strip('"'), name)
        for unit in dimension.units:
            read_unit(unit)


@pytest.mark.parametrize(
    "given", [(0.001, 0.002, 3), ["1 mm", "2 mm", 3], "(1, 2, 3000) mm", "[1 mm, 2 mm, 3]", np.array([1e-3, 2e-3, 3])]
)
def test_vectors(given):
    result = vector(given, "length")
    assert result.tolist() == [0.001, 0.002, 3.0]
    with pytest.raises(ValueError, match="read-only"):
        result[0] = 1


@pytest.mark.parametrize(
    "bad", [(1, 2), 3, "1, 2, 3", "z", None, [[1, 2, 3]], {"x": 1}, (1, 2, math.nan), (1, "2 s", 3), "(1, 2, 3) s"]
)
def test_bad_vectors_are_refused_by_name(bad):
    with pytest.raises(MekaneError, match=r"body 'x': position(\[\d\])? is "):
        vector(bad, "length", "body 'x'", "position")


@pytest.mark.parametrize("dimension", [name for name in DIMENSIONS if name != "number"])
def test_a_quantity_whose_powers_are_no_numbers_is_refused(dimension):
    assert quantity(-1e50, dimension) == -1e50
    with pytest.raises(ModelError, match=r"body 'arm': size is 2e\+50; a number of at most 1e\+50 in .* is expected"):
        quantity(2e50, dimension, "body 'arm'", "size")


@pytest.mark.parametrize("dimension", [None, "number"])
def test_parameters_and_directions_may_be_huge(dimension):
    assert quantity(1e300, dimension) == 1e300
