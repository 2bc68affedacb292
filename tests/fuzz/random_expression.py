"""Random expressions as trees: their text for Mekane, and their value and derivative in many digits, by rules written down
here once more.

A tree is ("x",), ("number", 0.5) or (operation, tree, …). `exact` walks it with mpmath on pairs (value, derivative along x).
With `noise` every result is off by a few units in the last place of a double, at random: what that changes is what
round-off may change.
"""

import mpmath as mp

NAMES = ("x", "y", "z")
ROUNDING = mp.mpf(2) ** -52
NEAR = mp.mpf(
    "1e-9"
)  # closer to a discontinuity of value or slope than this, an expression has no answer to compare with
LARGEST, SMALLEST = mp.mpf("1e280"), mp.mpf("1e-280")  # outside, doubles overflow or lose digits

UNARY = (
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "log10", "sqrt", "abs", "sign", "floor", "ceil",
    "step", "degrees", "radians", "neg",
)  # fmt: skip
INFIX = ("+", "-", "*", "/", "+", "-", "*", "/", "**", "%", "//")
BINARY = ("min", "max", "atan2", "hypot", "pow")
COMPARED = ("<", "<=", ">", ">=")


class Undefined(ArithmeticError):
    """No real number, or one that a double cannot hold."""


class Doubtful(ArithmeticError):
    """So near a discontinuity that round-off decides."""


def tree(rng, depth):
    draw = rng.random()
    if depth == 0 or draw < 0.1:
        return ("number", constant(rng)) if rng.random() < 0.3 else (rng.choice(NAMES),)
    if draw < 0.5:
        return rng.choice(INFIX), tree(rng, depth - 1), tree(rng, depth - 1)
    if draw < 0.85:
        return rng.choice(UNARY), tree(rng, depth - 1)
    if draw < 0.93:
        return rng.choice(BINARY), tree(rng, depth - 1), tree(rng, depth - 1)
    condition = (rng.choice(COMPARED), tree(rng, depth - 1), tree(rng, depth - 1))
    if rng.random() < 0.3:
        condition = rng.choice((("not", condition), ("and", condition, (rng.choice(COMPARED), ("x",), ("y",)))))
    return "if", condition, tree(rng, depth - 1), tree(rng, depth - 1)


def constant(rng):
    return rng.choice(
        (
            0.0,
            1.0,
            2.0,
            3.0,
            -1.0,
            0.5,
            -2.5,
            17.0,
            1e-3,
            round(rng.gauss(0, 3), 3),
            float(f"{10 ** rng.uniform(-6, 6):.3g}"),
        )
    )


def coordinate(rng):
    """A value of an input: anything, or where functions have their edges."""
    return rng.choice(
        (
            rng.gauss(0, 1),
            rng.gauss(0, 1),
            rng.uniform(0, 4),
            rng.gauss(0, 10),
            rng.choice((0.0, 1.0, -1.0, 0.5, 2.0, 1e-8, -1e-8, 1e5)),
        )
    )


def text_of(one):
    op, *args = one
    if op == "number":
        return repr(args[0]) if args[0] >= 0 else f"({args[0]!r})"
    if not args:
        return op
    written = [text_of(arg) for arg in args]
    if op == "neg":
        return f"(-{written[0]})"
    if op == "not":
        return f"(not {written[0]})"
    if op == "if":
        return f"({written[1]} if {written[0]} else {written[2]})"
    return f"({f' {op} '.join(written)})" if op in {*INFIX, *COMPARED, "and"} else f"{op}({', '.join(written)})"


def exact(one, point, noise=None):
    """(value, derivative along x). The derivative is None where there is none; it is the integer 0 where nothing changes."""
    op, *args = one
    if op == "number":
        return mp.mpf(args[0]), 0
    if op in NAMES:
        return mp.mpf(point[op]), mp.mpf(1) if op == "x" else 0
    if op == "if":
        return exact(args[1] if exact(args[0], point, noise)[0] else args[2], point, noise)
    if op == "%":
        return exact(("-", args[0], ("*", ("//", *args), args[1])), point, noise)
    pairs = [exact(arg, point, noise) for arg in args]
    value, partials = RULES[op](*(value for value, _ in pairs))
    if not mp.isfinite(value) or abs(value) > LARGEST or (value != 0 and abs(value) < SMALLEST):
        raise Undefined(f"{op} gives {mp.nstr(value, 5)}")
    derivative = chain(partials, [derivative for _, derivative in pairs], noise)
    if noise is None:
        return value, derivative
    return value * (1 + noise()), None if derivative is None else derivative * (1 + noise())


def chain(partials, derivatives, noise=None):
    """Σ partial · derivative, each product rounded by itself: that of x/x is 1/x − x/x², which need not cancel."""
    changing = [
        (partial, derivative)
        for partial, derivative in zip(partials, derivatives, strict=True)
        if not (nothing(derivative) or nothing(partial))
    ]
    if any(partial is None or derivative is None for partial, derivative in changing):
        return None
    rounded = lambda: 1 if noise is None else 1 + noise()
    return sum((partial * derivative * rounded() for partial, derivative in changing), 0)


def nothing(derivative):
    return isinstance(derivative, int) and derivative == 0


def inside(holds, what):
    if not holds:
        raise Undefined(what)


def apart(difference, size):
    """Refuse what is next to a discontinuity; exactly on it the answer is clear, but not the derivative."""
    if abs(difference) <= NEAR * (1 + abs(size)):
        raise Doubtful


def quotient(a, b):
    inside(b != 0, "division by zero")
    return a / b, (1 / b, -a / b**2)


def power(a, b):
    if b == int(b) and abs(b) < 1000:
        inside(a != 0 or b >= 0, "zero to a negative power")
        derivative = b * a ** (int(b) - 1) if b != 0 and (a != 0 or b >= 1) else mp.mpf(0)
        return a ** int(b), (derivative, mp.log(a) * a ** int(b) if a > 0 else None)
    inside(a >= 0 and (a > 0 or b > 0), "a root of a negative number")
    return (a**b, (b * a ** (b - 1), mp.log(a) * a**b)) if a > 0 else (mp.mpf(0), (mp.mpf(0) if b > 1 else None, None))


def floored(a):
    apart(a - mp.nint(a), a)
    return mp.floor(a), (0,)


def floor_divided(a, b):
    return floored(quotient(a, b)[0])[0], (0, 0)


def chosen(first):
    def rule(a, b):
        apart(a - b, a)
        return (a, (mp.mpf(1), 0)) if first(a, b) else (b, (0, mp.mpf(1)))

    return rule


def compared(holds):
    def rule(a, b):
        apart(a - b, a)
        return mp.mpf(holds(a, b)), (0, 0)

    return rule


def sided(value, derivative):
    """abs, sign and step: what they are on a side of zero."""

    def rule(a):
        apart(a, 0)
        return value(a), (derivative(a),)

    return rule


def arc(function, derivative):
    def rule(a):
        inside(abs(a) <= 1, "outside of its range")
        apart(1 - abs(a), 0)
        return function(a), (derivative / mp.sqrt(1 - a * a),)

    return rule


def angle(y, x):
    apart(abs(x) + abs(y), 0)
    if x < 0:
        apart(y, 0)
    return mp.atan2(y, x), (x / (x * x + y * y), -y / (x * x + y * y))


def root(a):
    inside(a >= 0, "a root of a negative number")
    return mp.sqrt(a), (1 / (2 * mp.sqrt(a)) if a > 0 else None,)


def logarithm(base):
    def rule(a):
        inside(a > 0, "a logarithm of no positive number")
        return mp.log(a) / base, (1 / (a * base),)

    return rule


def exponential(function, derivative):
    def rule(a):
        inside(abs(a) < 600, "too large an exponent")
        return function(a), (derivative(a),)

    return rule


def tangent(a):
    inside(abs(a) < 1e6, "an angle of many turns")
    return mp.tan(a), (1 + mp.tan(a) ** 2,)


RULES = {
    "+": lambda a, b: (a + b, (1, 1)), "-": lambda a, b: (a - b, (1, -1)), "*": lambda a, b: (a * b, (b, a)),
    "/": quotient, "**": power, "pow": power,
    "//": floor_divided, "neg": lambda a: (-a, (-1,)),
    "sin": lambda a: (mp.sin(a), (mp.cos(a),)), "cos": lambda a: (mp.cos(a), (-mp.sin(a),)), "tan": tangent,
    "asin": arc(mp.asin, 1), "acos": arc(mp.acos, -1), "atan": lambda a: (mp.atan(a), (1 / (1 + a * a),)), "atan2": angle,
    "sinh": exponential(mp.sinh, mp.cosh), "cosh": exponential(mp.cosh, mp.sinh), "tanh": lambda a: (mp.tanh(a), (1 / mp.cosh(a) ** 2,)),
    "exp": exponential(mp.exp, mp.exp), "log": logarithm(mp.mpf(1)), "log10": logarithm(mp.log(10)), "sqrt": root,
    "abs": sided(abs, mp.sign), "sign": sided(mp.sign, lambda a: 0), "step": sided(lambda a: mp.mpf(a > 0), lambda a: 0),
    "floor": floored, "ceil": lambda a: (-floored(-a)[0], (0,)), "degrees": lambda a: (a * 180 / mp.pi, (180 / mp.pi,)),
    "radians": lambda a: (a * mp.pi / 180, (mp.pi / 180,)),
    "hypot": lambda a, b: (root(a * a + b * b)[0], (hypot_slope(a, b), hypot_slope(b, a))),
    "min": chosen(lambda a, b: a < b), "max": chosen(lambda a, b: a > b), "<": compared(lambda a, b: a < b),
    "<=": compared(lambda a, b: a <= b),
    ">": compared(lambda a, b: a > b), ">=": compared(lambda a, b: a >= b), "not": lambda a: (mp.mpf(a == 0), (0,)),
    "and": lambda a, b: (mp.mpf(a != 0 and b != 0), (0, 0)),
}  # fmt: skip


def hypot_slope(a, b):
    return a / mp.sqrt(a * a + b * b) if a or b else None
