"""Going through expression graphs, with an explicit stack: graphs may be a million nodes deep."""

import numpy as np

from mekane.errors import ExpressionError, did_you_mean
from mekane.expressions.node import Expr, compute, number


def topological(exprs):
    """Every node below some expressions, once, each after its arguments, in order of first use."""
    found = {}
    stack = [x for x in reversed(list(exprs)) if type(x) is Expr]
    while stack:
        node = stack.pop()
        if node in found:
            continue
        waits = False
        for x in reversed(node.args):
            if type(x) is Expr and x not in found:
                if not waits:
                    waits = True
                    stack.append(node)
                stack.append(x)
        if not waits:
            found[node] = None
    return list(found)


def inputs(exprs):
    """Names of the inputs in order of first use."""
    return [node.name for node in topological(exprs) if node.op == "input"]


def count(exprs):
    """Number of operations to compute all the expressions together."""
    return sum(node.op not in ("input", "callback") for node in topological(exprs))


def reading(exprs, names):
    """Every node below some expressions that any of the inputs of these names is in, as a set."""
    found = set()
    for node in topological(exprs):
        if (node.op == "input" and node.name in names) or any(x in found for x in node.args if isinstance(x, Expr)):
            found.add(node)
    return found


def evaluate(exprs, values):
    """The values of expressions, given {input name: scalar}; for a callback, {its function: scalar}.

    Scalars may be real, complex, or expressions: then this substitutes. One expression gives one value, a list gives a
    list.
    """
    if isinstance(exprs, Expr | float | int):
        return evaluate([exprs], values)[0]
    known = {}
    with np.errstate(all="ignore"):
        for node in topological(exprs):
            if node.op in ("input", "callback"):
                known[node] = _number(_given(node, values))
            else:
                known[node] = compute(
                    node.op, [known[x] if isinstance(x, Expr) else number(x) for x in node.args], node.data
                )
    return [known[x] if isinstance(x, Expr) else x for x in exprs]


def substitute(exprs, values):
    """The expression, or a list of them, with scalars or expressions in place of the inputs named in `values`; all others
    stay."""
    nodes = topological([exprs] if isinstance(exprs, Expr | float | int) else exprs)
    leaves = [node for node in nodes if node.op in ("input", "callback")]
    return evaluate(exprs, {(node.name if node.op == "input" else node.data): node for node in leaves} | values)


def _number(x):
    return x if isinstance(x, Expr) else number(x)


def _given(node, values):
    key = node.name if node.op == "input" else node.data
    if key not in values:
        raise ExpressionError(
            "expression", f"no value is given for {key!r}", remedy=did_you_mean(str(key), map(str, values))
        )
    return values[key]
