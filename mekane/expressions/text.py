"""Expressions as text in Python's syntax, which `parse` reads back to the same expression."""

import keyword

from mekane.errors import ExpressionError
from mekane.expressions.node import Expr
from mekane.expressions.parse import CONSTANTS, FUNCTION_NAMES, LONGEST_TEXT, PARAMETER
from mekane.expressions.traversal import count, topological

CHOICE, COMPARISON, SUM, PRODUCT, SIGN, POWER, ATOM = range(7)  # how strongly Python binds
RESERVED = {*CONSTANTS, *FUNCTION_NAMES}

# op -> (its own binding, pattern, the weakest binding each argument may have without brackets)
PATTERNS = {
    "add": (SUM, "{} + {}", (SUM, PRODUCT)),
    "sub": (SUM, "{} - {}", (SUM, PRODUCT)),
    "mul": (PRODUCT, "{}*{}", (PRODUCT, SIGN)),
    "div": (PRODUCT, "{}/{}", (PRODUCT, SIGN)),
    "neg": (SIGN, "-{}", (SIGN,)),
    "pow": (POWER, "{}**{}", (ATOM, SIGN)),
    "less": (COMPARISON, "{} < {}", (SUM, SUM)),
    "less_equal": (COMPARISON, "{} <= {}", (SUM, SUM)),
    "select": (CHOICE, "{1} if {0} else {2}", (COMPARISON, COMPARISON, CHOICE)),
}


def to_text(expr):
    """An expression or number as text. Common parts are written out each time, so large graphs are refused: `parse`
    would not read them."""
    known = {}
    for node in topological([expr]):
        binding, text = _write(node, [known[x] if isinstance(x, Expr) else _constant(x) for x in node.args])
        if len(text) > LONGEST_TEXT:
            raise ExpressionError(
                "expression", f"its text is longer than {LONGEST_TEXT} characters", remedy="Print it in parts."
            )
        known[node] = binding, text
    return (known[expr] if isinstance(expr, Expr) else _constant(expr))[1]


def short_text(expr, longest=200):
    """The text for people to read: complete if short, else a summary."""
    size = count([expr])
    try:
        text = to_text(expr) if size <= longest else ""
    except ExpressionError:  # what is shared is written out each time
        text = ""
    return text if 0 < len(text) <= 10 * longest else f"<expression of {size} operations>"


def _write(node, args):
    if node.op == "input":
        return ATOM, _name(node.name)
    if node.op == "callback":
        return ATOM, f"<{getattr(node.data, '__name__', node.data)}>"
    if node.op in PATTERNS:
        own, pattern, weakest = PATTERNS[node.op]
        return own, pattern.format(
            *[t if binding >= least else f"({t})" for (binding, t), least in zip(args, weakest, strict=True)]
        )
    if node.op == "table":
        return ATOM, _table(node.data, args[0][1])
    return ATOM, f"{node.op}({', '.join(text for _, text in args)})"


def _constant(x):
    if isinstance(x, complex):
        raise ExpressionError("expression", f"it holds the complex number {x:g}", "numbers are real")
    x = float(x)
    text = str(int(x)) if x.is_integer() and abs(x) < 1e15 else repr(x)
    return (SIGN if x < 0 else ATOM), text


def _name(name):
    import json  # here: most models have no such names, and every start of Mekane would load it
    import unicodedata

    of_parameter = name.startswith(PARAMETER) and "." in name
    bare = name.removeprefix(PARAMETER) if of_parameter else name
    readable = all(
        part.isidentifier() and not keyword.iskeyword(part) and not part.startswith("__") for part in bare.split(".")
    )
    if readable and name not in RESERVED and unicodedata.normalize("NFKC", name) == name:
        return name
    return f"${{{bare}}}" if of_parameter and "}" not in bare else f"state[{json.dumps(name)}]"


def _table(table, x):
    points = "".join(f", ({_constant(a)[1]}, {_constant(b)[1]})" for a, b in zip(table.xs, table.ys, strict=True))
    order = f", order={table.order}" if table.order else ""
    return f"{'spline' if table.kind == 'cubic' else 'table'}({x}{points}{order})"
