"""The rotation vector of a rotation matrix as expressions: along the axis, as long as the angle, at most half a turn.

a = n sin θ   from the antisymmetric part of R,      c = cos θ   from its trace

small angles        a θ / sin θ, as a series in (1 − c) / 2: smooth, and exact derivatives, where θ = 0
angles between      a θ / |a|
near half a turn    θ n with n from R + Rᵀ, since a vanishes there; the vector jumps at half a turn, as it must
"""

from mekane.algebra.scalar import atan2, select
from mekane.algebra.triples import dot, length, scale
from mekane.expressions.graph import evaluate, inputs, symbol

SMALL, LARGE = 0.9, -0.9  # cos θ, beyond which the angle is small or near half a turn
TERMS = 13  # of the series: 0.05¹³ is below round-off
ENOUGH = (
    0.19,
    0.23,
)  # share of x, and of y, in n·n from which this component is divided by; odd, so no axis of symmetry


def rotation_vector(R):
    """Three scalars, from a matrix of scalars by rows; the same components in both frames."""
    a = tuple(0.5 * (R[k][j] - R[j][k]) for j, k in ((1, 2), (2, 0), (0, 1)))
    c = 0.5 * (R[0][0] + R[1][1] + R[2][2] - 1.0)
    is_small, is_large = SMALL < c, c < LARGE
    safe = tuple(select(is_small, 1.0, select(is_large, 1.0, x)) for x in a)  # its length is not zero
    between = scale(atan2(length(safe), c) / length(safe), a)
    small, large = scale(angle_over_sine(0.5 - 0.5 * c), a), near_half_a_turn(R, a, c, is_large)
    return tuple(select(is_small, x, select(is_large, y, z)) for x, y, z in zip(small, large, between, strict=True))


def angle_over_sine(x):
    """θ / sin θ = Σ 4ⁿ (n!)² / (2n + 1)! xⁿ,  x = sin² θ/2"""
    total = 0.0
    for n in range(TERMS - 1, 0, -1):
        total = (1.0 + total) * (2.0 * n / (2.0 * n + 1.0)) * x
    return 1.0 + total


def near_half_a_turn(R, a, c, is_large):
    """θ n, where n is a column of n nᵀ = (R + Rᵀ − 2 c) / (2 − 2 c), made a unit vector."""
    twice = select(is_large, 2.0 - 2.0 * c, 1.0)
    nn = [[(R[i][j] + R[j][i] - (2.0 * c if i == j else 0.0)) / twice for j in range(3)] for i in range(3)]
    # elsewhere the comparisons have a constant outcome: they are no events there
    enough = [ENOUGH[i] < select(is_large, nn[i][i], 1.0) for i in range(2)]
    column = [select(enough[0], nn[i][0], select(enough[1], nn[i][1], nn[i][2])) for i in range(3)]
    n = scale(1.0 / length(select_each(is_large, column, (1.0, 0.0, 0.0))), column)
    return scale(atan2(dot(a, n), c), n)


def select_each(condition, yes, no):
    return tuple(select(condition, x, y) for x, y in zip(yes, no, strict=True))


# ---------------------------------------------------------------- the same on numbers

MATRIX = [[symbol(f"R{i}{j}") for j in range(3)] for i in range(3)]
EXPRESSIONS = rotation_vector(MATRIX)


def rotation_vector_of_numbers(R, evaluate=evaluate):
    """Three numbers, by the same expressions, so that they are the same in results as in laws. evaluate: a function of
    expressions and {name: number or array}."""
    values = {MATRIX[i][j].name: R[..., i, j] for i in range(3) for j in range(3)}
    return evaluate(EXPRESSIONS, {name: values[name] for name in inputs(EXPRESSIONS)})
