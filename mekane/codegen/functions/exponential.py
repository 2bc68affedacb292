"""eˣ, and the hyperbolic functions made of it.

x = k log 2 + r, |r| ≤ 0.35; eʳ − 1 = r + r² (1/2 + r/6 + …) as a pair; k goes to the exponent. That it is a pair makes
sums and quotients of eˣ and e⁻ˣ right to the last place as well.
"""

import math

LN2 = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # log 2; products of the first with exponents are exact
PER_LN2 = 1 / math.log(2)
SERIES = [1 / math.factorial(n) for n in range(2, 14)]
SINH = [1 / math.factorial(n) for n in range(3, 21, 2)]  # (sinh x/x − 1)/x² in x²
LEAST, MOST = -746.0, 711.0  # beyond, eˣ is 0 or infinite; cosh is infinite


def exp(a, x):
    """eˣ within 0.9 units in the last place."""
    x = a.at_least(a.at_most(x, MOST), LEAST)
    return of_pair(a, x, a.constant(0.0))


def of_pair(a, high, low):
    """e^(high + low), LEAST ≤ high ≤ MOST"""
    grown, grown_low, k = less_one(a, high, low)
    return scaled(a, a.add(a.constant(1.0), a.add(grown, grown_low)), k)


def less_one(a, high, low):
    """(g, g_low, k): e^(high + low) = 2^k (1 + g + g_low); k as a number."""
    k = a.call("rint", a.mul(high, a.constant(PER_LN2)))
    r, r_low = a.fms(k, a.constant(LN2[0]), high), a.fms(k, a.constant(LN2[1]), low)
    x, x_low = a.sum_pair(r, r_low)
    return *a.sum_pair(x, a.fma(a.mul(x, x), a.horner(x, SERIES), x_low)), k


def scaled(a, x, k):
    """x 2^k in two steps, as 2^k itself may be no number: only the last one rounds."""
    k = a.integer(k)
    half = a.integers("ashr", k, a.whole(1))
    return a.mul(a.mul(x, a.power_of_two(half)), a.power_of_two(a.integers("sub", k, half)))


# ---------------------------------------------------------------- hyperbolic functions


def power_and_inverse(a, x):
    """(p, p_low, i, i_low, k): eˣ = 2^k (p + p_low), e⁻ˣ = 2^k (i + i_low), 0 ≤ x ≤ MOST."""
    grown, grown_low, k = less_one(a, x, a.constant(0.0))
    p, lost = a.sum_pair(a.constant(1.0), grown)
    p_low = a.add(lost, grown_low)
    i, i_low = a.quotient_pair(a.constant(1.0), a.constant(0.0), p, p_low)
    down = a.at_least(a.mul(a.constant(-2.0), k), -1000.0)
    scale = a.power_of_two(a.integer(down))
    return p, p_low, a.mul(i, scale), a.mul(i_low, scale), k


def cosh(a, x):
    """(eˣ + e⁻ˣ)/2 within 0.8 units in the last place."""
    p, p_low, i, i_low, k = power_and_inverse(a, a.at_most(a.size(x), MOST))
    high, low = a.sum_pair(p, i)
    return scaled(a, a.add(high, a.add(low, a.add(p_low, i_low))), a.sub(k, a.constant(1.0)))


def sinh(a, x):
    """(eˣ − e⁻ˣ)/2, or its series below 1, within 0.8 units in the last place."""
    size = a.at_most(a.size(x), MOST)
    p, p_low, i, i_low, k = power_and_inverse(a, size)
    high, low = a.sum_pair(p, a.neg(i))
    large = scaled(a, a.add(high, a.add(low, a.sub(p_low, i_low))), a.sub(k, a.constant(1.0)))
    z = a.mul(size, size)
    small = a.fma(a.mul(size, z), a.horner(z, SINH), size)
    return a.with_sign(a.choose(a.less(size, a.constant(1.0)), small, large), x)


def tanh(a, x):
    """g/(g + 2) with g = e²ˣ − 1, within 1 unit in the last place."""
    size = a.at_most(a.size(x), 20.0)  # the tangent is 1 there
    grown, grown_low, k = less_one(a, a.add(size, size), a.constant(0.0))
    scale = a.power_of_two(a.integer(k))
    g, lost = a.any_sum_pair(a.sub(scale, a.constant(1.0)), a.mul(grown, scale))
    g_low = a.fma(grown_low, scale, lost)
    d, d_lost = a.any_sum_pair(g, a.constant(2.0))
    return a.with_sign(a.add(*a.quotient_pair(g, g_low, d, a.add(d_lost, g_low))), x)
