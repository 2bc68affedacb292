"""Random values of forces: expressions that compare and choose, tables, Python functions with and without an
expression.

All draw from a `random.Random`, so that a seed says everything. `names` are quantities of the state that a law may
read. Laws are bounded by about their `size`, and switch near zero, where mechanisms start: short runs cross the
switches. They never switch at zero itself: what stands still is zero to round-off, and a law that is discontinuous there has no
answer.
"""

import numpy as np


def number(rng, low, high):
    """Between two positive numbers, evenly in the logarithm."""
    return float(f"{low * (high / low) ** rng.random():.4g}")


def signed(rng, low, high):
    return rng.choice((-1, 1)) * number(rng, low, high)


def near_zero(rng):
    return float(f"{rng.gauss(0, 0.1):.3g}")


def condition(rng, names, depth=1):
    """A comparison, or several."""
    x = rng.choice(names)
    if depth and rng.random() < 0.2:
        first, second = condition(rng, names, depth - 1), condition(rng, names, depth - 1)
        return rng.choice((f"({first} and {second})", f"({first} or {second})", f"(not {first})"))
    return rng.choice(
        (
            f"{x} < {near_zero(rng)}",
            f"{x} >= {near_zero(rng)}",
            f"t > {number(rng, 0.01, 0.3)}",
            f"{x} > {rng.choice(names)} + {near_zero(rng)}",
        )
    )


def points(rng, n=5):
    """Of a table around zero, as text."""
    xs = sorted({float(f"{rng.gauss(0, 0.3):.3g}") for _ in range(n)} | {-1.0, 1.0})
    return ", ".join(f"({x}, {rng.uniform(-1, 1):.3g})" for x in xs)


SMOOTH = (
    lambda rng, x, y: f"sin({signed(rng, 0.5, 8)}*{x} + {near_zero(rng)})",
    lambda rng, x, y: f"cos({x})*tanh({y})",
    lambda rng, x, y: f"exp(-{x}**2)",
    lambda rng, x, y: f"atan2({x}, 1 + {y}**2)",
    lambda rng, x, y: f"sqrt({x}**2 + {y}**2 + 0.01)",
    lambda rng, x, y: f"{x}/(1 + abs({y})**3)",
    lambda rng, x, y: f"log(1.5 + tanh({x}))",
    lambda rng, x, y: f"spline({x}, {points(rng)})",
    lambda rng, x, y: f"asin(0.9*sin({x}))",
    lambda rng, x, y: f"tanh({x}*{y})",
    lambda rng, x, y: f"2**(-{x}**2)",
)
WITH_SLOPE_DISCONTINUITY = (
    lambda rng, x, y: f"min({x}, {near_zero(rng)})",
    lambda rng, x, y: f"max({x}, {y}, {near_zero(rng)})",
    lambda rng, x, y: f"abs({x} - {near_zero(rng)})",
    lambda rng, x, y: f"table({x}, {points(rng)})",
    lambda rng, x, y: f"hypot({x}, {y})",
    lambda rng, x, y: f"max(0, {x} - {near_zero(rng)})**1.5",
    lambda rng, x, y: f"{x}*abs({x})",
    lambda rng, x, y: f"sqrt(max(0, {x}))",
)
JUMPING = (
    lambda rng, x, y: f"(1 if {condition(rng, [x, y])} else -0.3)",
    lambda rng, x, y: f"({x} if {condition(rng, [x, y])} else sin({y}))",
    lambda rng, x, y: f"sign({x} - {near_zero(rng)})",
    lambda rng, x, y: f"step({x} - {near_zero(rng)})",
    lambda rng, x, y: f"step(t - {number(rng, 0.01, 0.3)})",
    lambda rng, x, y: f"floor({signed(rng, 2, 6)}*{x} + 0.5)",
    lambda rng, x, y: f"(({x} + 0.1) % 0.3)",
    lambda rng, x, y: f"({condition(rng, [x, y])})",
)


def text(rng, names, size):
    """An expression of one to three terms."""
    families = rng.choices((SMOOTH, WITH_SLOPE_DISCONTINUITY, JUMPING), weights=(5, 4, 3), k=rng.randint(1, 3))
    terms = [
        f"{signed(rng, 0.1 * size, size)}*{rng.choice(family)(rng, rng.choice(names), rng.choice(names))}"
        for family in families
    ]
    return " + ".join(terms)


def table(rng, names, size):
    rows = sorted({float(f"{rng.gauss(0, 0.3):.3g}") for _ in range(rng.randint(2, 7))} | {0.0, 0.5})
    values = [[x, float(f"{size * rng.uniform(-1, 1):.3g}")] for x in rows]
    return {"table": values, "of": rng.choice(names), "kind": rng.choice(("linear", "cubic"))}


def traced(rng, names, size):
    """A Python function that becomes an expression."""
    x, a, b = rng.choice(names), signed(rng, 0.1 * size, size), number(rng, 0.5, 5)
    return lambda t, state: a * np.sin(b * (t if x == "t" else state[x]))


def called(rng, names, size):
    """A Python function that asks for a truth and has to be called in every step; it is continuous."""
    x, a = rng.choice(names), signed(rng, 0.1 * size, size)

    def law(t, state):
        value = t if x == "t" else state[x]
        return a * float(value) if value > 0 else 0.5 * a * float(value)

    return law


def value(rng, names, size):
    """What a user may say where a force wants a value."""
    kinds = (text, table, traced, called, lambda rng, names, size: signed(rng, 0.1 * size, size))
    return rng.choices(kinds, weights=(12, 3, 1, 1, 2))[0](rng, names, size)


def of_time(rng):
    """A smooth motion that starts at zero."""
    a, w = signed(rng, 0.02, 0.3), number(rng, 1, 8)
    forms = (f"{a}*sin({w}*t)", f"{a}*(1 - cos({w}*t))", f"{a}*t**2", f"{a}*t*exp(-{w}*t)", f"{a}*tanh({w}*t)")
    rows = [[0.1 * k, float(f"{a * rng.random():.3g}") if k else 0.0] for k in range(12)]
    return rng.choice((*forms, {"table": rows, "kind": "cubic"}))
