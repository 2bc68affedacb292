"""Exact derivatives of expressions: forward through the graph for one direction, backward for many symbols at once."""

from mekane.expressions.node import Expr, add, div, mul, node, power, select
from mekane.expressions.opcodes import COMPARISONS
from mekane.expressions.traversal import topological

# op -> the partial derivatives of f = op(a, b) with respect to its arguments
PARTIALS = {
    "add": lambda f, a, b: (1.0, 1.0),
    "sub": lambda f, a, b: (1.0, -1.0),
    "mul": lambda f, a, b: (b, a),
    "div": lambda f, a, b: (div(1.0, b), -(f / b)),
    "neg": lambda f, a: (-1.0,),
    "pow": lambda f, a, b: (mul(b, power(a, b - 1.0)), f * node("log", a)),
    "sin": lambda f, a: (a.cos(),),
    "cos": lambda f, a: (-a.sin(),),
    "tan": lambda f, a: (1.0 + f * f,),
    "asin": lambda f, a: (1.0 / (1.0 - a * a).sqrt(),),
    "acos": lambda f, a: (-1.0 / (1.0 - a * a).sqrt(),),
    "atan": lambda f, a: (1.0 / (1.0 + a * a),),
    "atan2": lambda f, y, x: (x / (x * x + y * y), -(y / (x * x + y * y))),
    "sinh": lambda f, a: (a.cosh(),),
    "cosh": lambda f, a: (a.sinh(),),
    "tanh": lambda f, a: (1.0 / (a.cosh() * a.cosh()),),  # 1 − f² would cancel
    "exp": lambda f, a: (f,),
    "log": lambda f, a: (1.0 / a,),
    "sqrt": lambda f, a: (0.5 / f,),
    "floor": lambda f, a: (0.0,),
    "less": lambda f, a, b: (0.0, 0.0),
    "less_equal": lambda f, a, b: (0.0, 0.0),
    "table": lambda f, a: (_slope(f.data, a),),
}


def differentiate(expr, symbol):
    """The derivative of an expression with respect to a symbol (or to any node, taken as independent): an expression or
    a float.

    Between its discontinuities a comparison, a floor or a sign has the derivative zero. A choice differentiates both of
    its branches.
    """
    return differentiate_along(expr, {symbol: 1.0})


def differentiate_along(expr, rates):
    """The rate of an expression when its symbols change at these rates, {symbol: expression or number}; the others
    stay."""
    return rates_along([expr], rates)[0]


def rates_along(exprs, rates):
    """The same of some expressions, in one walk through what they have in common."""
    derivatives = {symbol: rate for symbol, rate in rates.items() if not is_zero(rate)}  # of the nodes that change
    for f in topological(exprs):
        if f in rates:
            continue
        of_args = [derivatives.get(x, 0.0) if isinstance(x, Expr) else 0.0 for x in f.args]
        derivative = _chain(f, of_args, _partials(f)) if not all(map(is_zero, of_args)) else 0.0
        if not is_zero(derivative):
            derivatives[f] = derivative
    return [derivatives.get(x, 0.0) if isinstance(x, Expr) else 0.0 for x in exprs]


def jacobian(exprs, symbols):
    """Derivatives of all expressions (rows) with respect to all symbols (columns), in one walk through what they have
    in common.

    A list of lists. A symbol may be a number: its column is zero.
    """
    derivatives = {
        symbol: {symbol: 1.0} for symbol in symbols if isinstance(symbol, Expr)
    }  # node → {symbol: derivative}
    none = {}
    for f in topological(exprs):
        if f in derivatives:
            continue
        of_args = [derivatives.get(x, none) if isinstance(x, Expr) else none for x in f.args]
        changing = dict.fromkeys(symbol for of_arg in of_args for symbol in of_arg)
        if changing:
            partials = _partials(f)
            found = {
                symbol: _chain(f, [of_arg.get(symbol, 0.0) for of_arg in of_args], partials) for symbol in changing
            }
            derivatives[f] = {symbol: derivative for symbol, derivative in found.items() if not is_zero(derivative)}
    of = lambda x: derivatives.get(x, none) if isinstance(x, Expr) else none
    return [[of(x).get(symbol, 0.0) if isinstance(symbol, Expr) else 0.0 for symbol in symbols] for x in exprs]


def _partials(f):
    return None if f.op == "select" else PARTIALS[f.op](f, *f.args)


def _chain(f, of_args, partials):
    if f.op == "select":  # not a product: a branch that is not taken may be infinite
        return select(f.args[0], of_args[1], of_args[2])
    total = 0.0
    for partial, of_arg in zip(partials, of_args, strict=True):
        if not is_zero(of_arg):
            total = add(total, _times(partial, of_arg))
    return total


def _times(partial, derivative):
    """partial · derivative. Where the derivative is chosen and zero on one side, so is the product, however steep the
    function is there."""
    if isinstance(derivative, Expr) and derivative.op in COMPARISONS:
        return select(derivative, partial, 0.0)
    if isinstance(derivative, Expr) and derivative.op == "select" and any(map(is_zero, derivative.args[1:])):
        return select(derivative.args[0], *(_times(partial, x) for x in derivative.args[1:]))
    return mul(partial, derivative)


def is_zero(x):
    """True for the number zero; the value of an expression is not examined."""
    return not isinstance(x, Expr) and x == 0.0


def _slope(table, x):
    derivative = table.derivative()
    return derivative if derivative == 0.0 else derivative(x)
