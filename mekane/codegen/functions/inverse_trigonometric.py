"""Arctangents by one quotient and one polynomial, arcsine and arccosine by one square root and one polynomial.

The polynomials are the best for the relative error on z = x² ≤ 1/4 (found by Remez' exchange): it is below 1e-18.
"""

ATAN = (  # (atan x/x − 1)/x² in x²
    -0.33333333333333315, 0.19999999999993445, -0.1428571428497769, 0.11111111069360767, -0.09090907691998489, 0.07692277475405755,
    -0.06666223691050904, 0.05877809271469868, -0.052300298499943436, 0.045895323568664284, -0.03712127819371198,
    0.02365928775702981, -0.008368754578423909,
)  # fmt: skip
ASIN = (  # (asin x/x − 1)/x² in x²
    0.16666666666666763, 0.07499999999970258, 0.0446428571751233, 0.030381942683512318, 0.022372215662992957, 0.01735160004636448,
    0.013980961978153692, 0.011397771738046339, 0.010786552889374674, 0.0036829509692159266, 0.021763724411141702,
    -0.02107761769276915, 0.03267709796001275,
)  # fmt: skip
QUARTER = 0.7853981633974483, 3.061616997868383e-17  # π/4 as a pair
HALF = 1.5707963267948966, 6.123233995736766e-17  # π/2
INFINITE = float("inf")


def atan(a, x):
    """arctan x within 0.7 units in the last place."""
    size, one = a.at_most(a.size(x), 1e300), a.constant(1.0)
    steep = a.less(one, size)
    n, d = a.choose(steep, one, size), a.choose(steep, size, one)
    eighths = a.choose(steep, a.constant(2.0), a.constant(0.0))
    sign = a.choose(steep, a.constant(-1.0), one)
    return a.with_sign(angle(a, n, d, eighths, sign), x)


def atan2(a, y, x):
    """The angle of (x, y) within 0.7 units in the last place; zeros and infinities as C99 has it."""
    across, along = a.size(y), a.size(x)
    steep, back = a.less(along, across), a.less(a.with_sign(a.constant(1.0), x), a.constant(0.0))
    n, d = finite_quotient(a, a.choose(steep, along, across), a.choose(steep, across, along))
    straight = a.choose(back, a.constant(4.0), a.constant(0.0))
    eighths = a.choose(steep, a.constant(2.0), straight)
    onward, backward = a.constant(1.0), a.constant(-1.0)
    sign = a.choose(steep, a.choose(back, onward, backward), a.choose(back, backward, onward))
    found = a.with_sign(angle(a, n, d, eighths, sign), y)
    return a.choose(a.no_number(x, y), a.add(x, y), found)


def finite_quotient(a, n, d):
    """(n, d) with the same quotient, 0 ≤ n ≤ d, where d is neither zero nor infinite, and sums and remainders are numbers
    of full length."""
    one, nothing, infinite = a.constant(1.0), a.constant(0.0), a.constant(INFINITE)
    large, small = a.less(a.constant(2.0**1000), d), a.less(d, a.constant(2.0**-400))
    scale = a.choose(large, a.constant(2.0**-100), a.choose(small, a.constant(2.0**600), one))
    endless, neither = a.equal(d, infinite), a.equal(d, nothing)
    n_there = a.choose(a.equal(n, infinite), one, nothing)
    n, d = a.choose(endless, n_there, a.mul(n, scale)), a.choose(a.either(endless, neither), one, a.mul(d, scale))
    return n, d


def angle(a, n, d, eighths, sign):
    """eighths · π/4 + sign · arctan n/d, 0 ≤ n ≤ d. Above 1/2: arctan n/d = π/4 + arctan (n − d)/(n + d)."""
    nothing = a.constant(0.0)
    high = a.less(a.mul(a.constant(0.5), d), n)
    total, lost = a.sum_pair(d, n)
    n, d = a.choose(high, a.sub(n, d), n), a.choose(high, total, d)
    t, t_low = a.quotient_pair(n, nothing, d, a.choose(high, lost, nothing))
    eighths = a.choose(high, a.add(eighths, sign), eighths)
    base, base_low = a.product_pair(eighths, a.constant(QUARTER[0]))
    base_low = a.fma(eighths, a.constant(QUARTER[1]), base_low)
    return added(a, base, base_low, a.mul(sign, t), a.mul(sign, curved(a, t, t_low, ATAN)))


def curved(a, t, t_low, series):
    """f(t + t_low) − t for a function t + t³ P(t²)"""
    z = a.mul(t, t)
    return a.fma(a.mul(t, z), a.horner(z, series), t_low)


def added(a, base, base_low, t, rest):
    """base + t + (base_low + rest), base being zero or the largest"""
    high, low = a.sum_pair(base, t)
    return a.add(high, a.add(low, a.add(base_low, rest)))


# ---------------------------------------------------------------- arcsine and arccosine


def asin(a, x):
    """arcsin x within 0.7 units in the last place: below 1/2 by the polynomial, else π/2 − 2 arcsin √((1 − x)/2)."""
    size, one = a.size(x), a.constant(1.0)
    near, t, t_low = half_angle(a, size)
    nothing, twice = a.constant(0.0), a.choose(near, one, a.constant(-2.0))
    base = a.choose(near, nothing, a.constant(HALF[0])), a.choose(near, nothing, a.constant(HALF[1]))
    found = added(a, *base, a.mul(twice, t), a.mul(twice, curved(a, t, t_low, ASIN)))
    return a.with_sign(found, x)


def acos(a, x):
    """arccos x within 0.7 units in the last place: π/2 − arcsin x, 2 arcsin √((1 − x)/2) or π − 2 arcsin √((1 + x)/2)."""
    nothing, back = a.constant(0.0), a.less(x, a.constant(0.0))
    near, t, t_low = half_angle(a, a.size(x))
    halves = a.choose(near, a.constant(1.0), a.choose(back, a.constant(2.0), nothing))
    twice = a.choose(near, a.constant(1.0), a.constant(2.0))
    sign = a.choose(near, a.choose(back, twice, a.neg(twice)), a.choose(back, a.neg(twice), twice))
    base = a.mul(halves, a.constant(HALF[0])), a.mul(halves, a.constant(HALF[1]))
    return added(a, *base, a.mul(sign, t), a.mul(sign, curved(a, t, t_low, ASIN)))


def half_angle(a, size):
    """(whether size < 1/2, t, t_low): t = size there, else √((1 − size)/2) as a pair."""
    near, half = a.less(size, a.constant(0.5)), a.constant(0.5)
    w = a.mul(half, a.sub(a.constant(1.0), size))  # exact
    root = a.call("sqrt", w)
    below = a.choose(a.equal(root, a.constant(0.0)), a.constant(1.0), a.add(root, root))
    low = a.div(a.fms(root, root, w), below)
    return near, a.choose(near, size, root), a.choose(near, a.constant(0.0), low)
