"""Exact derivatives of expressions: forward through the graph for one direction, backward for many symbols at once."""

from mekane.expressions.node import Expr, add, div, mul, node, power, select
from mekane.expressions.walk import topological

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
    "tanh": lambda f, a: (1.0 - f * f,),
    "exp": lambda f, a: (f,),
    "log": lambda f, a: (1.0 / a,),
    "sqrt": lambda f, a: (0.5 / f,),
    "floor": lambda f, a: (0.0,),
    "less": lambda f, a, b: (0.0, 0.0),
    "less_equal": lambda f, a, b: (0.0, 0.0),
    "table": lambda f, a: (_slope(f.data, a),),
}


def differentiate(expr, symbol):
    """The derivative of an expression with respect to a symbol (or to any node, taken as independent): an expression or a float.

    Between its jumps a comparison, a floor or a sign has the slope zero. A choice differentiates both of its branches.
    """
    return differentiate_along(expr, {symbol: 1.0})


def differentiate_along(expr, rates):
    """The rate of an expression when its symbols change at these rates, {symbol: expression or number}; the others stay."""
    slopes = {symbol: rate for symbol, rate in rates.items() if not is_zero(rate)}  # of the nodes that change
    for f in topological([expr]):
        if f in rates:
            continue
        of_args = [slopes.get(x, 0.0) if isinstance(x, Expr) else 0.0 for x in f.args]
        slope = _chain(f, of_args) if not all(map(is_zero, of_args)) else 0.0
        if not is_zero(slope):
            slopes[f] = slope
    return slopes.get(expr, 0.0) if isinstance(expr, Expr) else 0.0


def gradient(expr, symbols):
    """The derivatives of one expression with respect to several symbols (or any nodes), by one pass backward: a list.

    A choice is passed as a whole, its branches each by themselves: the slope of a branch that is not taken may be infinite.
    """
    order = _changing([expr], symbols)
    weights, found = {expr: 1.0}, dict.fromkeys(symbols, 0.0)  # derivative of the whole with respect to a node
    for f in reversed(order):
        weight = weights.pop(f, 0.0)
        if f in found:
            found[f] = add(found[f], weight)
        elif f.op == "select":
            yes, no = (gradient(branch, symbols) for branch in f.args[1:])
            for symbol, a, b in zip(symbols, yes, no, strict=True):
                found[symbol] = add(found[symbol], mul(weight, select(f.args[0], a, b)))
        elif not is_zero(weight):
            for partial, x in zip(PARTIALS[f.op](f, *f.args), f.args, strict=True):
                if isinstance(x, Expr) and x in order:
                    weights[x] = add(weights.get(x, 0.0), mul(partial, weight))
    return [found[symbol] for symbol in symbols]


def _changing(exprs, symbols):
    """The nodes below some expressions that depend on these symbols, each after its arguments; those below the symbols not at all."""
    found = dict.fromkeys(symbols)
    for f in topological(exprs):
        if f not in found and any(isinstance(x, Expr) and x in found for x in f.args):
            found[f] = None
    return found


def _chain(f, of_args):
    if f.op == "select":  # not a product: a branch that is not taken may be infinite
        return select(f.args[0], of_args[1], of_args[2])
    total = 0.0
    for partial, of_arg in zip(PARTIALS[f.op](f, *f.args), of_args, strict=True):
        if not is_zero(of_arg):
            total = add(total, mul(partial, of_arg))
    return total


def is_zero(x):
    """True for the number zero; what an expression may come to is not asked."""
    return not isinstance(x, Expr) and x == 0.0


def _slope(table, x):
    slope = table.derivative()
    return slope if slope == 0.0 else slope(x)
