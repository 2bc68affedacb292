"""log x, and xʸ = e^(y log x) with the logarithm as a pair.

x = 2^k m, √½ ≤ m < √2, s = (m − 1)/(m + 1), log m = 2 s + s³ (2/3 + 2/5 s² + …).
"""

import math
from fractions import Fraction

from mekane.codegen.functions import exponential
from mekane.codegen.functions.arithmetic import MAGIC, MAGIC_BITS

LN2 = exponential.LN2
ROOT_HALF = 0x3FE6A09E667F3BCD  # bits of √½
THIRD = 2 / 3, float(Fraction(2, 3) - Fraction(2 / 3))  # 2/3 as a pair
SERIES = [2 / n for n in range(5, 25, 2)]
SMALLEST, UP = 2.0**-1022, 54  # numbers below have fewer digits: they are taken times 2⁵⁴


def log(a, x):
    """log x within 0.6 units in the last place."""
    return a.choose(a.less(x, a.constant(0.0)), a.constant(math.nan), as_pair(a, x)[0])


def as_pair(a, x):
    """log x for x ≥ 0; −∞, ∞ and what is no number as C99 has it, with 0 as their second part."""
    m, k = split(a, x)
    high, low = sum_with_exponent(a, k, *of_mantissa(a, m))
    special = a.choose(a.equal(x, a.constant(0.0)), a.constant(-math.inf), x)
    usual = a.both(a.less(a.constant(0.0), x), a.less(x, a.constant(math.inf)))
    return a.choose(usual, high, special), a.choose(usual, low, a.constant(0.0))


def split(a, x):
    """(m, k): x = 2^k m; k as a number."""
    tiny = a.less(x, a.constant(SMALLEST))
    bits = a.bits(a.choose(tiny, a.mul(x, a.constant(2.0**UP)), x))
    k = a.integers("ashr", a.integers("sub", bits, a.whole(ROOT_HALF)), a.whole(52))
    m = a.number(a.integers("sub", bits, a.integers("shl", k, a.whole(52))))
    k = a.sub(a.number(a.integers("add", k, a.whole(MAGIC_BITS))), a.constant(MAGIC))
    return m, a.sub(k, a.choose(tiny, a.constant(float(UP)), a.constant(0.0)))


def of_mantissa(a, m):
    """(2 s, b, low): log m = 2 s + b + low"""
    one, d = a.constant(1.0), a.add(m, a.constant(1.0))
    s, s_low = a.quotient_pair(a.sub(m, one), a.constant(0.0), d, a.sub(m, a.sub(d, one)))
    z, z_low = a.product_pair(s, s)
    z_low = a.fma(a.add(s, s), s_low, z_low)
    q, q_low = a.sum_pair(a.constant(THIRD[0]), a.mul(z, a.horner(z, SERIES)))
    q_low = a.add(q_low, a.constant(THIRD[1]))
    c, c_low = a.product_pair(z, q)
    c_low = a.fma(z, q_low, a.fma(z_low, q, c_low))
    b, b_low = a.product_pair(s, c)
    b_low = a.fma(s, c_low, a.fma(s_low, c, b_low))
    return a.add(s, s), b, a.add(a.add(s_low, s_low), b_low)


def sum_with_exponent(a, k, twice, b, low):
    """k log 2 + 2 s + b + low as a pair."""
    first, lost = a.sum_pair(a.mul(k, a.constant(LN2[0])), twice)
    second, more = a.sum_pair(first, b)
    return a.sum_pair(second, a.add(a.fma(k, a.constant(LN2[1]), low), a.add(lost, more)))


# ---------------------------------------------------------------- powers


def power(a, x, y):
    """xʸ within 0.9 units in the last place; zeros, infinities and negative x as C99 has it."""
    high, low = as_pair(a, a.size(x))
    top, top_low = a.product_pair(y, high)
    small = a.less(a.size(top), a.constant(800.0))
    top_low = a.choose(small, a.fma(y, low, top_low), a.constant(0.0))
    top = a.at_least(a.at_most(top, exponential.MOST), exponential.LEAST)
    value = of_negative(a, x, y, exponential.of_pair(a, top, top_low))
    one = a.either(a.equal(x, a.constant(1.0)), a.equal(y, a.constant(0.0)))
    one = a.either(one, a.both(a.equal(x, a.constant(-1.0)), a.equal(a.size(y), a.constant(math.inf))))
    return a.choose(one, a.constant(1.0), value)


def of_negative(a, x, y, value):
    """xʸ, given |x|ʸ: negative x have powers by integers alone, and odd ones are negative."""
    half = a.mul(y, a.constant(0.5))
    even, whole = a.equal(a.call("floor", half), half), a.equal(a.call("floor", y), y)
    signed = a.with_sign(value, a.choose(even, a.constant(1.0), a.choose(whole, x, a.constant(1.0))))
    undefined = a.both(a.less(x, a.constant(0.0)), a.less(a.constant(-math.inf), x))
    return a.choose(a.both(undefined, a.opposite(whole)), a.constant(math.nan), signed)
