"""Are equations between speeds secretly equations between positions?  Frobenius' condition, at random points, with
exact derivatives.

ω_a = Σ A_ai dx_i + B_a dt.  They are integrable if dω_a vanishes on all directions that every ω_a allows.
"""

import numpy as np

from mekane.expressions.graph import differentiate, evaluate, inputs, substitute, symbol

POINTS = 5


def is_integrable(expressions, parameters) -> bool:
    """True if the expressions, linear in rates of named coordinates, hold together as equations between positions and
    time.

    Coordinates are taken as independent of one another. False where it cannot be decided.
    """
    names = inputs(expressions)
    rates = {name: coordinate_of(name) for name in names if coordinate_of(name)}
    if not rates or any(is_turning(name) for name in names):
        return False
    places = [name for name in names if name not in rates and name not in parameters and name != "t"]
    coordinates = list(dict.fromkeys([*rates.values(), *places, "t"]))
    A = [factors(one, rates, coordinates) for one in expressions]
    if any(set(inputs(row)) & set(rates) for row in A):
        return False  # not linear in the rates
    derivatives = [[[differentiate(x, symbol(name)) for name in coordinates] for x in row] for row in A]
    return all(has_no_curl(A, derivatives, values) for values in random_points(coordinates, parameters))


def coordinate_of(name):
    """What a rate is the rate of: "crank.angle.rate" → "crank.angle"."""
    if name.endswith(".rate"):
        return name.removesuffix(".rate")
    owner, _, quantity = name.partition(".")
    return f"{owner}.{quantity.replace('velocity', 'position')}" if quantity.startswith("velocity.") else None


def is_turning(name):
    """An angular velocity is not the rate of anything named."""
    return ".angular_velocity." in name


def factors(expression, rates, coordinates):
    """A_a: the factor of every coordinate's rate; that of t is what is left without rates."""
    rest = substitute(expression, dict.fromkeys(rates, 0.0))
    of = {rates[name]: differentiate(expression, symbol(name)) for name in rates}
    return [rest if name == "t" else of.get(name, 0.0) for name in coordinates]


def random_points(coordinates, parameters):
    rng = np.random.default_rng(0)
    return [
        dict(zip(coordinates, rng.uniform(0.1, 1.3, len(coordinates)), strict=True)) | dict(parameters)
        for _ in range(POINTS)
    ]


def has_no_curl(A, derivatives, values):
    """Nᵀ dω N = 0 for N, the directions that all equations allow."""
    n = len(A[0])
    A = np.array(evaluate([x for row in A for x in row], values), float).reshape(-1, n)
    S = np.array(evaluate([x for rows in derivatives for row in rows for x in row], values), float).reshape(-1, n, n)
    if not (np.isfinite(A).all() and np.isfinite(S).all()):
        return False
    _, size, Vt = np.linalg.svd(A)
    N = Vt[int(np.sum(size > 1e-12 * size.max(initial=0.0))) :].T
    curl = N.T @ (S - S.transpose(0, 2, 1)) @ N
    return bool(np.abs(curl).max(initial=0.0) <= 1e-10 * max(1.0, np.abs(S).max(initial=0.0)))
