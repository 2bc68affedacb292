"""Units of expressions, derived from those of their names: lengths add to lengths, a force times a length is in N m.

A plain number has the unit that its place needs, as in laws, where numbers are SI: "L - 0.1". Radians count as a number
beside other units: "r*wheel.angle - cart.displacement". A number that multiplies is taken as a factor, 2*p.angle is an
angle; where that does not fit, as in "0.3*wheel.angle - cart.displacement", it may be a length, and no unit is derived.
Where a name has no unit, none is derived and none is checked.
"""

import re
from math import pi

from mekane.errors import UnitError
from mekane.expressions.graph import Expr, topological
from mekane.model.values.units import NUMBER as VALUE
from mekane.model.values.units import TYPOGRAPHY, read_unit

NAMED = (
    "m",
    "kg",
    "s",
    "rad",
    "N",
    "N m",
    "W",
    "m/s",
    "m/s^2",
    "rad/s",
    "rad/s^2",
    "N/m",
    "N s/m",
    "N m s",
    "kg m/s",
    "kg m^2",
)
BASE = ("m", "kg", "s", "rad")
NUMBER = "a number"  # in place of a unit: a constant, which has the one its place needs
PURE = "1"  # the unit of a ratio
ANGLE_TO_NUMBER = ("sin", "cos", "tan")
NUMBER_TO_ANGLE = ("asin", "acos", "atan")
NUMBER_TO_NUMBER = ("sinh", "cosh", "tanh", "exp", "log")
TO_DEGREES, TO_RADIANS = 180.0 / pi, pi / 180.0  # the factors of the functions degrees and radians


def derived_unit(expression, unit_of, part):
    """The unit of an expression; "" where it is not known. unit_of: the unit of a name, "" where it has none."""
    if not isinstance(expression, Expr):
        return PURE
    found, scaled = {}, set()  # scaled: what a plain number multiplies, so that its unit is likely, not certain
    for node in topological([expression]):
        if node.op == "input":
            found[node] = unit_of(node.name) or None
            continue
        units = [found[x] if isinstance(x, Expr) else NUMBER for x in node.args]
        if not scaled.isdisjoint(node.args) or (node.op in ("mul", "div") and NUMBER in units):
            scaled.add(node)
        try:
            found[node] = of_operation(node, units, part)
        except UnitError:
            if scaled.isdisjoint(node.args):
                raise
            found[node] = None
    return shown_unit(found[expression])


def shown_unit(unit):
    return "" if unit is None else PURE if unit == NUMBER else unit


def of_operation(node, units, part):
    """The unit of an operation on arguments of these units; None where one of them is not known."""
    op = node.op
    if op == "select":
        return common(op, units[1:], part)
    if op in ("less", "less_equal"):
        common(op, units, part)
        return PURE
    if op in ("add", "sub", "atan2"):
        unit = common(op, units, part)
        return "rad" if op == "atan2" else unit
    if op in ("neg", "floor"):
        return units[0]
    if op in ("mul", "div"):
        return in_degrees(node, units) or product(units, -1 if op == "div" else 1)
    if op in (*ANGLE_TO_NUMBER, *NUMBER_TO_ANGLE, *NUMBER_TO_NUMBER):
        refuse_dimension(op, units[0], part)
        return "rad" if op in NUMBER_TO_ANGLE else PURE
    if op == "sqrt":
        return power(units[0], fraction(0.5))
    if op == "pow":
        return of_power(node, units)
    return None  # a table, or a Python function


def in_degrees(node, units):
    """The unit of degrees(x) and radians(x); None for any other product."""
    factors = [x for x in node.args if not isinstance(x, Expr)]
    unit = next((unit for unit in units if unit != NUMBER), None)
    if node.op == "mul" and factors and (factors[0], unit) in ((TO_DEGREES, "rad"), (TO_RADIANS, "deg")):
        return "deg" if unit == "rad" else "rad"
    return None


def common(op, units, part):
    """The one unit of what is added or compared."""
    known = [unit for unit in units if unit not in (NUMBER, None)]
    if None in units or not known:
        return None if None in units else NUMBER
    first = known[0]
    for other in known[1:]:
        if measure(first)[1][:3] != measure(other)[1][:3] or measure(first)[0] != measure(other)[0]:
            verb = "compared" if op in ("less", "less_equal", "select", "atan2") else "added or subtracted"
            raise UnitError(part, f"{first} and {other} are {verb}", "quantities of one unit are expected")
        if first != other and measure(first)[1] != measure(other)[1]:
            first = first if not measure(first)[1][3] else other  # radians beside others count as a number
    return first


def refuse_dimension(op, unit, part):
    if unit not in (NUMBER, None) and any(measure(unit)[1][:3]):
        raise UnitError(part, f"{op} is taken of {unit}", "an angle or a number is expected")


def product(units, sign):
    if None in units:
        return None
    (fa, a), (fb, b) = (measure(unit) for unit in units)
    if fa != 1 or fb != 1:  # degrees: only numbers keep them
        plain = [unit for unit in units if unit not in (NUMBER, PURE)]
        return plain[0] if len(plain) == 1 and not (sign < 0 and plain[0] is units[1]) else None
    return written([x + sign * y for x, y in zip(a, b, strict=True)])


def of_power(node, units):
    if isinstance(node.args[1], Expr):
        return PURE if units[0] in (PURE, NUMBER) else None
    return power(units[0], fraction(node.args[1]))


def fraction(exponent):
    from fractions import Fraction  # when a law is checked, not at every start

    return Fraction(exponent).limit_denominator(1000)


def power(unit, exponent):
    if unit in (None, NUMBER):
        return unit and PURE
    factor, powers = measure(unit)
    raised = [x * exponent for x in powers]
    return written(raised) if factor == 1 and all(x == int(x) for x in raised) else None


def si_unit(text):
    """The SI unit of a quantity given as text: "12 mm" is in m."""
    return written(read_unit(text.translate(TYPOGRAPHY)[re.match(VALUE, text).end() :].strip())[1])


def measure(unit):
    """Factor and powers of m, kg, s, rad."""
    return (1, (0, 0, 0, 0)) if unit in (NUMBER, PURE) else read_unit(unit)


def written(powers):
    """A unit of these powers as text. Radians beside other units count as a number, but for rates and angles."""
    powers = tuple(int(x) for x in powers)
    for exact in (powers, (*powers[:3], 0)):
        for name in (PURE, *NAMED):
            if measure(name)[1] == exact:
                return name
    over = [base if n == 1 else f"{base}^{n}" for base, n in zip(BASE, powers, strict=True) if n > 0]
    under = [f"/{base}" if n == -1 else f"/{base}^{-n}" for base, n in zip(BASE, powers, strict=True) if n < 0]
    return (" ".join(over) or "1") + "".join(under)
