"""Sine and cosine together.

x less the nearest multiple k of π/2, kept as a pair, then polynomials (after fdlibm: k_sin, k_cos). Below FAR the first
difference x − k·PARTS[0] is exact by fma, and the next parts of π/2 follow as pairs. A lane with a larger angle has its
remainder from `huge_angle`; the others keep theirs.
"""

from mekane.codegen.functions import huge_angle
from mekane.codegen.sincos import COS, PER_QUARTER, SIN, SIN_FIRST

PARTS = 1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33  # of π/2, 53 bits each
FAR, TINY = 2.0**30, 2.0**-30


def sincos(a, x):
    """(sin x, cos x) within 0.8 units in the last place."""
    r, tail, k = remainder(a, x)
    s, c = quadrant(a, sine(a, r, tail), cosine(a, r, tail), a.integer(k))
    return unless_tiny(a, x, s), c


def tan(a, x):
    """sin x/cos x, both as pairs, within 0.8 units in the last place."""
    r, tail, k = remainder(a, x)
    s, c, odd = sine_pair(a, r, tail), cosine_pair(a, r, tail), a.bit(a.integer(k), 1)
    n, n_low = (a.choose(odd, a.neg(one), other) for one, other in zip(c, s, strict=True))
    d, d_low = (a.choose(odd, one, other) for one, other in zip(s, c, strict=True))
    return unless_tiny(a, x, a.add(*a.quotient_pair(n, n_low, d, d_low)))


def unless_tiny(a, x, value):
    """x itself where it is so small that it is the value: also −0, which sums would lose."""
    return a.choose(a.less(a.size(x), a.constant(TINY)), x, value)


def quadrant(a, s, c, k):
    """Sine and cosine of k quarter turns more."""
    odd, after = a.bit(k, 1), a.integers("add", k, a.whole(1))
    s, c = a.choose(odd, c, s), a.choose(odd, s, c)
    return turned(a, s, k), turned(a, c, after)


def turned(a, x, k):
    """−x where bit 1 of k is set."""
    sign = a.integers("shl", a.integers("and", k, a.whole(2)), a.whole(62))
    return a.number(a.integers("xor", a.bits(x), sign))


def remainder(a, x):
    """(r, tail, k): x − k π/2 = r + tail, |r| < 0.8; k modulo 4 where x is huge."""
    near, usual = near_remainder(a, x), a.less(a.size(x), a.constant(FAR))
    far = lambda: [a.choose(usual, *pair) for pair in zip(near, huge_angle.remainder(a, x, PARTS), strict=True)]
    return a.unless(a.every(usual), near, far)


def near_remainder(a, x):
    k = a.call("rint", a.mul(x, a.constant(PER_QUARTER)))
    first = a.fms(k, a.constant(PARTS[0]), x)  # exact
    b, b_low = a.product_pair(k, a.constant(PARTS[1]))
    r, lost = a.any_sum_pair(first, a.neg(b))
    rest = a.sub(lost, a.fma(k, a.constant(PARTS[2]), b_low))
    return *a.sum_pair(r, rest), k


def sine(a, x, tail):
    """sin(x + tail), |x| < 0.8"""
    z = a.mul(x, x)
    v = a.mul(z, x)
    inner = a.fms(v, a.horner(z, SIN), a.mul(a.constant(0.5), tail))
    inner = a.fma(z, inner, a.neg(tail))
    return a.sub(x, a.fms(v, a.constant(SIN_FIRST), inner))


def cosine(a, x, tail):
    """cos(x + tail), |x| < 0.8"""
    z = a.mul(x, x)
    half = a.mul(a.constant(0.5), z)
    main, lost = a.sum_pair(a.constant(1.0), a.neg(half))
    small = a.fms(x, tail, a.mul(a.mul(z, z), a.horner(z, COS)))
    return a.add(main, a.add(lost, small))


def sine_pair(a, x, tail):
    """sin(x + tail) = x + tail + x³ (…)"""
    z = a.mul(x, x)
    cubic = a.horner(z, (SIN_FIRST, *SIN))
    return a.sum_pair(x, a.fma(a.mul(z, x), cubic, a.fms(a.mul(a.constant(0.5), z), tail, tail)))


def cosine_pair(a, x, tail):
    z, z_low = a.product_pair(x, x)
    minus_half = a.constant(-0.5)
    main, lost = a.sum_pair(a.constant(1.0), a.mul(minus_half, z))
    small = a.fms(x, tail, a.fma(minus_half, z_low, a.mul(a.mul(z, z), a.horner(z, COS))))
    return a.sum_pair(main, a.add(lost, small))
