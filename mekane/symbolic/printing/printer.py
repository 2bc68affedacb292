"""Expressions written for people: sums with signs, products with powers, fractions. The marks are the
style's."""

import math
from fractions import Fraction

from mekane.expressions.graph import Expr, topological

SUM, PRODUCT, POWER, ATOM = range(4)  # how strongly it binds
DENOMINATORS, LARGEST_NUMERATOR, ROUND_OFF = (1, 2, 3, 4, 6, 12), 100, 1e-15
LARGEST_DENOMINATOR, SHORT = 2000, 6  # of fractions that would have more digits than this as decimals


class Style:
    """Base of the styles `Text`, `Latex` and `MathML`: what they share. What a style writes is a text or a tuple of
    elements; either is put together by +. `format` is the attribute of a Name in that style."""

    format = ""
    minus, more, less = "-", " + ", " - "
    functions = {}  # operation → its name, where that is another

    def __init__(self, naming):
        self.naming = naming

    def name(self, name):
        return getattr(self.naming.of(name), self.format)

    def function_name(self, op):
        return self.functions.get(op, op)

    def table_name(self, table):
        return "spline" if table.kind == "cubic" else "table"


class Typeset(Style):
    """Base of the styles with built-up fractions: `ratio`, `is_number` and `bare` are theirs."""

    functions = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "log": "ln"}

    def fraction(self, above, below):
        """A fraction of numbers alone stands before the rest."""
        if len(below) == 1 and self.is_number(below[0]):
            first, rest = (above[0], above[1:]) if self.is_number(above[0]) else (self.number(1.0), above)
            return self.times([self.ratio([first], below), *rest])
        return self.ratio(above, below)


def write(expr, style):
    """An expression or number in a style (see `text`, `latex`, `mathml`): a text, or a row of elements; either is put
    together by +."""
    if not isinstance(expr, Expr):
        return style.number(expr)
    written = {}
    for node in topological([expr]):
        written[node] = write_node(node, written, style)
    return written[expr][1]


def write_node(node, written, style):
    """(binding, text) of a node whose arguments are written."""
    if node.op == "input":
        return ATOM, style.name(node.name)
    if node.op in ("add", "sub"):
        return SUM, signed([(sign, *argument_of(x, written, style)) for sign, x in terms(node)], style)
    if node.op in ("mul", "div", "neg"):
        return product(node, written, style)
    args = [argument_of(x, written, style)[1] for x in node.args]
    if node.op == "pow":
        base = argument_of(node.args[0], written, style)
        return POWER, style.power(base[1] if base[0] == ATOM else style.brackets(base[1]), args[1])
    if node.op in ("less", "less_equal"):
        return SUM, style.comparison(node.op, *args)
    if node.op == "select":
        return ATOM, style.choice(*args)
    if node.op == "table":
        return ATOM, style.table(node.data, args[0])
    if node.op == "callback":
        return ATOM, style.function(getattr(node.data, "__name__", "f"), [style.name("t")])
    return ATOM, style.function(node.op, args)


def argument_of(x, written, style):
    """(binding, text) of an argument."""
    if isinstance(x, Expr):
        return written[x]
    return (PRODUCT if x < 0 else ATOM), style.number(x)


def terms(node, sign=1):
    """[(sign, term)] of a sum with all sums inside it."""
    found, stack = [], [(sign, node)]
    while stack:
        s, x = stack.pop()
        if isinstance(x, Expr) and x.op in ("add", "sub"):
            stack += [(s if x.op == "add" else -s, x.args[1]), (s, x.args[0])]
        else:
            found.append((s, x))
    return found


def signed(parts, style):
    """ "a − b + c" from (sign, binding, text): a minus in front of a term changes its sign."""
    result = None
    for sign, binding, text in parts:
        if text[:1] == style.minus and binding != SUM:
            sign, text = -sign, text[1:]
        elif binding == SUM and sign < 0:
            text = style.brackets(text)
        if result is None:
            result = style.minus + text if sign < 0 else text
        else:
            result += (style.less if sign < 0 else style.more) + text
    return result


def factors(node):
    """(number, [(base, power)]) of a product with all products, quotients and signs inside it."""
    number, powers, stack = 1.0, {}, [(node, 1)]
    while stack:
        x, n = stack.pop()
        if not isinstance(x, Expr):
            number *= x**n
        elif x.op == "mul":
            stack += [(x.args[1], n), (x.args[0], n)]
        elif x.op == "div":
            stack += [(x.args[1], -n), (x.args[0], n)]
        elif x.op == "neg":
            number = -number
            stack.append((x.args[0], n))
        else:
            powers[x] = powers.get(x, 0) + n
    return number, [(x, n) for x, n in powers.items() if n]


def product(node, written, style):
    number, powers = factors(node)
    above = [raised(x, n, written, style) for x, n in powers if n > 0]
    below = [raised(x, -n, written, style) for x, n in powers if n < 0]
    size = abs(number)
    n, d = simple_fraction(size) or (size, 1)
    if d > 1 and (above or below):
        below, size = [style.number(d), *below], n
    if not above and not below:
        return (ATOM if number >= 0 else PRODUCT), style.number(number)
    if size != 1.0 or not above:
        above = [style.number(size), *above]
    text = style.fraction(above, below) if below else style.times(above)
    return PRODUCT, style.minus + text if number < 0 else text


def raised(x, n, written, style):
    binding, text = written[x]
    if n == 1:
        return text if binding > SUM else style.brackets(text)
    if x.op in ("sin", "cos", "tan"):
        return style.raised_function(x.op, written_argument(x, written, style), n)
    return style.power(text if binding == ATOM else style.brackets(text), style.number(float(n)))


def written_argument(x, written, style):
    return argument_of(x.args[0], written, style)[1]


def digits(x):
    """A number in its shortest form with fourteen digits."""
    x = float(f"{float(x):.14g}") if math.isfinite(x) and abs(x) < 1e15 and x != int(x) else float(x)
    if math.isfinite(x) and x == int(x) and abs(x) < 1e15:
        return str(int(x))
    return repr(float(f"{x:.14g}"))


def simple_fraction(x):
    """(n, d) of a number that is a whole number, or a fraction as they come up in mechanics, but for round-off; else
    nothing."""
    x = float(x)
    for d in DENOMINATORS:
        n = round(x * d) if abs(x) < LARGEST_NUMERATOR else 0
        if n and abs(n / d - x) <= ROUND_OFF * abs(x):
            return n, d
    return (0, 1) if x == 0.0 else long_fraction(x)


def long_fraction(x):
    """5/48 of 0.104166…, but for round-off; nothing of what is short in decimals, as numbers of a user are."""
    if not math.isfinite(x) or abs(x) >= LARGEST_NUMERATOR or abs(float(f"{x:.{SHORT}g}") - x) <= ROUND_OFF * abs(x):
        return None
    found = Fraction(x).limit_denominator(LARGEST_DENOMINATOR)
    n, d = found.numerator, found.denominator
    return (n, d) if n and abs(n) <= LARGEST_NUMERATOR and abs(n / d - x) <= ROUND_OFF * abs(x) else None
