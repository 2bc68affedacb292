"""Units of the input: "30 deg", "12 mm" or a plain number in, an SI float out. Inside Mekane everything is SI.

A unit is a decimal factor and its powers of metre, kilogram, second and radian. Decimals make "12 mm" exactly 0.012.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from numbers import Real
from typing import NamedTuple

import numpy as np

from mekane.errors import ExpressionError, ModelError, UnitError, did_you_mean
from mekane.expressions.parse import parse
from mekane.expressions.traced_number import TracedNumber
from mekane.model.record import frozen_array

PI = Decimal("3.14159265358979323846264338327950288")

# powers of (m, kg, s, rad) → {unit: factor}
TABLE = {
    (1, 0, 0, 0): {
        "m": 1,
        "cm": 0.01,
        "mm": 1e-3,
        "um": 1e-6,
        "µm": 1e-6,
        "nm": 1e-9,
        "km": 1e3,
        "in": 0.0254,
        "ft": 0.3048,
    },
    (0, 1, 0, 0): {"kg": 1, "g": 1e-3, "mg": 1e-6, "t": 1e3, "lb": 0.45359237},
    (0, 0, 1, 0): {"s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "min": 60, "h": 3600},
    (0, 0, 0, 1): {"rad": 1, "mrad": 1e-3, "deg": PI / 180, "°": PI / 180, "rev": 2 * PI, "turn": 2 * PI},
    (1, 1, -2, 0): {"N": 1, "mN": 1e-3, "kN": 1e3, "MN": 1e6, "lbf": 4.4482216152605},
    (2, 1, -2, 0): {"J": 1, "mJ": 1e-3, "kJ": 1e3, "MJ": 1e6, "Nm": 1, "kNm": 1e3, "Nmm": 1e-3},
    (2, 1, -3, 0): {"W": 1, "mW": 1e-3, "kW": 1e3, "MW": 1e6},
    (-1, 1, -2, 0): {"Pa": 1, "kPa": 1e3, "MPa": 1e6, "GPa": 1e9, "bar": 1e5},
    (0, 0, -1, 0): {"Hz": 1, "kHz": 1e3},
    (0, 0, -1, 1): {"rpm": 2 * PI / 60},
    (0, 0, 0, 0): {"%": 0.01},
}
UNITS = {name: (Decimal(str(factor)), powers) for powers, names in TABLE.items() for name, factor in names.items()}


class Dimension(NamedTuple):
    """A plain number is in units[0]; text may have any unit that matches one of them."""

    units: tuple[str, ...]
    examples: str
    others: tuple[tuple[str, Decimal], ...] = ()  # units of another kind, and what one of them is in units[0]


DIMENSIONS = {
    "number": Dimension(("",), "0.5"),
    "length": Dimension(("m",), '0.5 or "12 mm"'),
    "angle": Dimension(("rad",), '0.5 or "30 deg"'),
    "time": Dimension(("s",), '0.5 or "20 ms"'),
    "frequency": Dimension(("Hz",), '50, "50 Hz", "6 rad/s" or "90 rpm"', (("rad/s", 1 / (2 * PI)),)),
    "angular_frequency": Dimension(("rad/s",), '6.28, "1 Hz" or "60 rpm"', (("Hz", 2 * PI),)),
    "mass": Dimension(("kg",), '2.5 or "5 g"'),
    "density": Dimension(("kg/m^3",), '7850 or "7.85 g/cm^3"'),
    "inertia": Dimension(("kg m^2",), '0.02 or "2 kg m^2"'),
    "velocity": Dimension(("m/s",), '0.5 or "3 km/h"'),
    "angular_velocity": Dimension(("rad/s",), '0.5, "120 rpm" or "0.5 rev/s"'),
    "acceleration": Dimension(("m/s^2",), '9.81 or "9.81 m/s^2"'),
    "angular_acceleration": Dimension(("rad/s^2",), '0.5 or "30 deg/s^2"'),
    "force": Dimension(("N",), '12 or "3 kN"'),
    "torque": Dimension(("N m",), '12 or "3 N m"'),
    "impulse": Dimension(("N s",), '5 or "5 N s"'),
    "angular_impulse": Dimension(("N m s",), '5 or "5 N m s"'),
    "energy": Dimension(("J",), '12 or "3 kJ"'),
    "power": Dimension(("W",), '12 or "3 kW"'),
    "stiffness": Dimension(("N/m",), '4e3 or "10 N/mm"'),
    "damping": Dimension(("N s/m",), '15 or "15 N s/m"'),
    "angular_stiffness": Dimension(("N m/rad", "N m"), '20 or "20 N m/rad"'),
    "angular_damping": Dimension(("N m s/rad", "N m s"), '0.1 or "0.1 N m s/rad"'),
    "stiffness_rate": Dimension(("N/m/s",), '50 or "50 N/m/s"'),
    "angular_stiffness_rate": Dimension(("N m/rad/s", "N m/s"), '5 or "5 N m/rad/s"'),
    "quadratic_damping": Dimension(("N s^2/m^2",), '0.3 or "0.3 N s^2/m^2"'),
    "angular_quadratic_damping": Dimension(("N m s^2/rad^2", "N m s^2"), '0.01 or "0.01 N m s^2/rad^2"'),
    "inverse_square": Dimension(("N m^2",), '2.5 or "2.5 N m^2"'),
    "pitch": Dimension(("m/rev", "m"), '0.005, "5 mm" or "5 mm/rev"'),
    "gravitational_constant": Dimension(("m^3/kg/s^2",), '6.6743e-11 or "6.6743e-11 m^3/kg/s^2"'),
}
LARGEST = 1e50  # of a quantity: products of six of them, as in inertias and in squares of gaps, are still numbers
UNBOUNDED = (None, "number")  # parameters; ratios and directions, which are normalised first


@dataclass(frozen=True)
class Stepped:
    """A number with a derivative, value + i h derivative (complex step), or a TracedNumber. Only Mekane itself
    makes one; from a user either raises an error."""

    number: np.complex128 | TracedNumber


class Measured(float):
    """A number that was given with a unit, for a parameter: where the parameter stands alone, the unit must fit."""

    text = ""


# patterns, compiled when first used
NUMBER = r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*"
FACTOR = r"\s*([*/]?)\s*(%|°|[^\W\d_]+)\s*(?:(?:\^|\*\*)\s*([+-]?\d))?"
TUPLE = r"\s*[(\[](.*)[)\]]([^()\[\]]*)"
TYPOGRAPHY = str.maketrans({"−": "-", "·": "*", "⋅": "*", "×": "*", "μ": "µ"}) | {ord("²"): "^2", ord("³"): "^3"}


def quantity(value, dimension: str | None, part: str = "value", what: str = "value") -> float:
    """`value` (a number, or text such as "12 mm") as an SI float. `dimension` is a key of DIMENSIONS; None accepts any
    unit."""
    if type(value) is float and -LARGEST <= value <= LARGEST:  # most are
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, Stepped):
        return value.number
    if isinstance(value, Measured):
        return _fitting(value, dimension, part, what)
    if isinstance(value, str):
        return _finite(_read_text(value, dimension, part, what), value, dimension, part, what)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (Real, Decimal)):
        raise ModelError(
            part, f"{what} is {shown(value)} ({type(value).__name__})", _expected(dimension), _examples(dimension)
        )
    return _finite(value, value, dimension, part, what)


def measured(value, part: str) -> float:
    """The value of a parameter: as quantity(), and a Measured if it was given with a unit."""
    number = quantity(value, None, part)
    if isinstance(value, Measured):
        return value
    if not isinstance(value, str) or not has_unit(value):
        return number
    result = Measured(number)
    result.text = value
    return result


def has_unit(text: str) -> bool:
    """True for "12 mm", false for "3e3" and "pi/6"."""
    plain = text.translate(TYPOGRAPHY)
    number = re.match(NUMBER, plain)
    if number is None or not (unit := plain[number.end() :].strip()):
        return False
    try:
        read_unit(unit)
    except ValueError:  # an expression
        return False
    return True


def _fitting(value: Measured, dimension: str | None, part: str, what: str) -> float:
    """The number, if it was given in a unit of this dimension, and means the same there. Directions may be given by
    lengths."""
    if dimension == "number":
        return float(value)
    number = quantity(value.text, dimension, part, what)
    if abs(number - value) > 1e-12 * abs(value):  # "5 mm/rev": a parameter is in m/rad, a pitch in m/rev
        problem = f"{what} is {shown(value.text)}, which is {float(value):.6g} as a parameter and {number:.6g} as {_spaced(dimension)}"
        raise UnitError(part, problem, _expected(dimension), f"Give the parameter as a plain number, {number:.6g}.")
    return float(value)


def positive(value, dimension: str, part: str, what: str, remedy: str = "") -> float:
    """As quantity(), and greater than zero."""
    number = quantity(value, dimension, part, what)
    if number.real <= 0:
        raise ModelError(
            part, f"{what} is {shown(value)}", "it must be greater than zero", remedy or _examples(dimension)
        )
    return number


def vector(value, dimension: str | None, part: str = "value", what: str = "value", size: int = 3) -> np.ndarray:
    """`size` quantities: (1, 2, 3), ["1 mm", 2, 3] or "(1, 2, 3) mm" → read-only array in SI."""
    items = _split_text(value, part, what) if isinstance(value, str) else value
    if not is_list(items) or len(items) != size:
        remedy = f"Write {what}=({', '.join('…' for _ in range(size))})."
        raise ModelError(part, f"{what} is {shown(value)}", f"{size} components are expected", remedy)
    return frozen_array([quantity(item, dimension, part, f"{what}[{i}]") for i, item in enumerate(items)])


def is_list(value) -> bool:
    """A list, a tuple or an array that can be walked through."""
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def shown(value) -> str:
    """A value as messages show it: short."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _split_text(text: str, part: str, what: str) -> list[str]:
    """ "(1, 2, 3) mm" → ["1 mm", "2 mm", "3 mm"]."""
    match = re.fullmatch(TUPLE, text)
    if not match:
        raise ModelError(
            part, f"{what} is {shown(text)}", "a vector is expected", f'Write {what}=(1, 2, 3) or "(1, 2, 3) mm".'
        )
    inside, unit = match.groups()
    return [f"{item.strip()} {unit.strip()}".strip() for item in inside.split(",")]


def _read_text(text: str, dimension: str | None, part: str, what: str) -> Decimal | float:
    """A number with a unit, or a formula of numbers such as "pi/6"."""
    plain = text.translate(TYPOGRAPHY)
    number = re.match(NUMBER, plain)
    problem = "it does not start with a number"
    if number:
        try:
            return Decimal(number.group(1)) * _factor(plain[number.end() :].strip(), text, dimension, part, what)
        except ValueError as error:
            problem = str(error)
    try:
        return parse(plain, known=())
    except ExpressionError:
        raise UnitError(
            part, f"{what} is {shown(text)}: {problem}", _expected(dimension), _examples(dimension)
        ) from None


def _factor(unit: str, text: str, dimension: str | None, part: str, what: str) -> Decimal:
    """What to multiply the number by to have it in the unit of plain numbers."""
    if not unit:
        return Decimal(1)
    factor, powers = read_unit(unit)
    if dimension is None:
        return factor
    wanted = DIMENSIONS[dimension]
    for reference, worth in (*((unit, Decimal(1)) for unit in wanted.units), *wanted.others):
        reference_factor, reference_powers = read_unit(reference)
        if powers == reference_powers:
            return factor / reference_factor * worth
    problem = f"{what} is {shown(text)}, and {unit!r} is not a unit of {_spaced(dimension)}"
    raise UnitError(part, problem, _expected(dimension), _examples(dimension))


@lru_cache
def read_unit(text: str) -> tuple[Decimal, tuple[int, ...]]:
    """ "N m s/rad" → (factor, powers of m, kg, s, rad). "/" divides by the one unit after it. ValueError explains what
    is wrong."""
    factor, powers, position = Decimal(1), (0, 0, 0, 0), 1 if text.startswith("1/") else 0
    while position < len(text):
        match = re.compile(FACTOR).match(text, position)
        if not match:
            raise ValueError(f"{text[position:]!r} is not a unit")
        sign, name, exponent = match.groups()
        if name not in UNITS:
            hint = did_you_mean(name, UNITS).strip()
            raise ValueError(f"{name!r} is not a unit Mekane knows" + (f" ({hint})" if hint else ""))
        power = int(exponent or 1) * (-1 if sign == "/" else 1)
        unit_factor, unit_powers = UNITS[name]
        factor *= unit_factor**power
        powers = tuple(p + power * u for p, u in zip(powers, unit_powers, strict=True))
        position = match.end()
    return factor, powers


def _finite(number, value, dimension, part: str, what: str) -> float:
    try:
        result = float(number)
    except OverflowError:
        result = float("inf")
    if not np.isfinite(result):
        raise ModelError(
            part, f"{what} is {shown(value)}, which is not a finite number", _expected(dimension), _examples(dimension)
        )
    if abs(result) > LARGEST and dimension not in UNBOUNDED:
        expected = f"a number of at most {LARGEST:g} in {DIMENSIONS[dimension].units[0]} is expected: its powers must be numbers, too"
        raise ModelError(part, f"{what} is {shown(value)}", expected, _examples(dimension))
    return result


def _spaced(dimension: str) -> str:
    return dimension.replace("_", " ")


def _expected(dimension: str | None) -> str:
    if dimension is None:
        return "a number, with or without a unit, is expected"
    if dimension == "number":
        return "a plain number is expected"
    return f"{_spaced(dimension)} in {DIMENSIONS[dimension].units[0]} is expected, or text with a unit"


def _examples(dimension: str | None) -> str:
    return f"Write for example {DIMENSIONS[dimension].examples}." if dimension else 'Write for example 0.5 or "12 mm".'
