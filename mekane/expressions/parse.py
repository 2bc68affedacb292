"""Text to expressions. Python's own grammar reads the text, a list of what is allowed turns it into a graph; nothing is
ever executed."""

import ast
import keyword
import math
import re
import warnings
from functools import partial

from mekane.algebra.scalar import absolute, atan2, maximum, minimum, sign
from mekane.errors import ExpressionError, did_you_mean
from mekane.expressions import node as graph
from mekane.expressions.node import Expr, node, scalar, symbol
from mekane.expressions.table import Table

LONGEST_TEXT = 10_000
DEEPEST = 1000  # parts within parts, a sum of so many terms: less than any interpreter's own limit
# before the name of a parameter; needed if it has a dot, since arm.mass is a parameter and arm.angle is not
PARAMETER = "$"
SIGNED = r"""(?P<quoted>"[^"]*"|'[^']*')|\$\{(?P<any>[^{}]*)\}|\$(?P<plain>[^\W\d]\w*(?:\.[^\W\d]\w*)*)"""
CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau}
ALLOWED = "numbers, names like t or arm.angle.rate, + - * / // % **, comparisons, and/or/not, a if c else b and functions are allowed"

OPERATORS = {
    ast.Add: graph.add,
    ast.Sub: graph.sub,
    ast.Mult: graph.mul,
    ast.Div: graph.div,
    ast.FloorDiv: graph.floor_divide,
    ast.Mod: graph.remainder,
    ast.Pow: graph.power,
    ast.USub: graph.neg,
    ast.UAdd: lambda a: a,
    ast.Not: graph.opposite,
    ast.And: graph.both,
    ast.Or: graph.either,
    ast.Lt: graph.less,
    ast.LtE: graph.less_equal,
    ast.Gt: lambda a, b: graph.less(b, a),
    ast.GtE: lambda a, b: graph.less_equal(b, a),
    ast.Eq: graph.equal,
    ast.NotEq: lambda a, b: graph.opposite(graph.equal(a, b)),
}

ELEMENTARY = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "floor")
FUNCTIONS = {  # name -> (function, number of arguments)
    **{op: (partial(node, op), 1) for op in ELEMENTARY},
    "abs": (absolute, 1),
    "sign": (sign, 1),
    "step": (lambda x: graph.less_equal(0.0, x), 1),
    "ceil": (lambda x: graph.neg(node("floor", graph.neg(x))), 1),
    "log10": (lambda x: x.log10() if isinstance(x, Expr) else node("log", x) if x <= 0 else math.log10(x), 1),
    "degrees": (lambda x: graph.mul(x, 180.0 / math.pi), 1),
    "radians": (lambda x: graph.mul(x, math.pi / 180.0), 1),
    "atan2": (atan2, 2),
    "pow": (graph.power, 2),
    "hypot": (graph.hypot, 2),
}
OF_MANY = {"min": minimum, "max": maximum}
CURVES = {"table": "linear", "spline": "cubic"}
FUNCTION_NAMES = [*FUNCTIONS, *OF_MANY, *CURVES]


def parse(text, known=None):
    """The expression (or float) that a text stands for. `known` defines which names exist: a container, a function, or
    None for any name.

    "$k" is the parameter k, "$arm.mass" the parameter of that name, "${any name}" one whose name is no Python name; a
    "$" in front of the text is allowed, too. Known names hide the constants pi, e and tau. Besides the usual functions
    there are step(x), which is 1 from x = 0 on, and the curves table(x, (x0, y0), (x1, y1), …) of straight lines and
    spline(x, …) of cubics; see `Table`.
    """
    return _Reader(text, known).read()


def depth(part):
    """How many parts within parts a formula has: 1 for a number or a name."""
    found, layer = 0, [part]
    while layer:
        found, layer = (
            found + 1,
            [inner for one in layer for inner in ast.iter_child_nodes(one) if isinstance(inner, ast.expr)],
        )
    return found


def symbol_name(parameter):
    """The name of a parameter's symbol: its own, or with a $ if it has a dot, so that it is no name of the state."""
    return PARAMETER + parameter if "." in parameter else parameter


def _without_signs(text):
    """The text with every "$name" as Python can read it."""
    import json  # here: few texts have such names, and every start of Mekane would load it

    def readable(match):
        name = match["plain"]
        if match["quoted"] or (name and "." not in name and not keyword.iskeyword(name)):
            return match["quoted"] or name
        return f"state[{json.dumps(symbol_name(name or match['any']))}]"

    return re.sub(SIGNED, readable, text).removeprefix(PARAMETER)


class _Reader:
    def __init__(self, text, known):
        self.text, self.known = text, known
        self.code = _without_signs(text.strip()) if isinstance(text, str) and PARAMETER in text else text

    def read(self):
        root = self.grammar()
        order, stack = [], [root]
        while stack:  # parents before children, so that backwards every part is ready when it is needed
            part = stack.pop()
            order.append(part)
            stack.extend(self.children(part))
        values = {}
        for part in reversed(order):
            values[part] = self.finite(part, self.value(part, [values[child] for child in self.children(part)]))
        return values[root]

    def grammar(self):
        if not isinstance(self.text, str):
            raise ExpressionError(
                "expression", f"{self.text!r} is of type {type(self.text).__name__}", "an expression is a text"
            )
        if len(self.text) > LONGEST_TEXT:
            self.fail(
                f"it has {len(self.text)} characters", f"at most {LONGEST_TEXT} are allowed", "Use a Python function."
            )
        if not self.code.strip():
            self.fail("it is empty", ALLOWED)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about "1if": read as Python reads it, or refused below
                found = ast.parse(self.code.strip(), mode="eval").body
        except SyntaxError as error:
            self.fail(f"this is not a formula ({error.msg})", ALLOWED, _hint(self.text))
        except (MemoryError, RecursionError):
            self.too_deep()
        except ValueError as error:
            self.fail(f"it cannot be read ({error})", ALLOWED)
        return found if depth(found) <= DEEPEST else self.too_deep()

    def too_deep(self):
        remedy = "Split it into several expressions, or use a Python function."
        self.fail("it is nested too deeply", f"at most {DEEPEST} parts within parts are allowed", remedy)

    def children(self, part):
        """The parts of a formula that are formulas themselves."""
        match part:
            case ast.BinOp(left=a, right=b, op=op) if type(op) in OPERATORS:
                return [a, b]
            case ast.UnaryOp(operand=a, op=op) if type(op) in OPERATORS:
                return [a]
            case ast.BoolOp(values=parts):
                return parts
            case ast.Compare(left=a, comparators=parts, ops=ops) if all(type(op) in OPERATORS for op in ops):
                return [a, *parts]
            case ast.IfExp(test=c, body=a, orelse=b):
                return [c, a, b]
            case ast.Call():
                return self.arguments(part)
            case ast.Constant() | ast.Name() | ast.Attribute() | ast.Subscript():
                return []
        self.refuse(part)

    def value(self, part, args):
        match part:
            case ast.BinOp(op=op) | ast.UnaryOp(op=op):
                if isinstance(op, ast.Div | ast.FloorDiv | ast.Mod) and isinstance(args[1], float) and args[1] == 0.0:
                    self.fail(f"{self.source(part)} divides by zero")
                return OPERATORS[type(op)](*args)
            case ast.BoolOp(op=op):
                return _combine(OPERATORS[type(op)], args)
            case ast.Compare(ops=ops):
                links = [OPERATORS[type(op)](a, b) for op, a, b in zip(ops, args, args[1:], strict=False)]
                return _combine(graph.both, links)
            case ast.IfExp():
                return graph.select(*args)
            case ast.Call():
                return self.call(part, args)
            case ast.Constant(value=number) if type(number) in (int, float):
                return self.number(part, number)
            case ast.Name() | ast.Attribute():
                return self.named(part)
            case ast.Subscript(value=ast.Name(id="state"), slice=ast.Constant(value=str(name))):
                return self.input(name)
        self.refuse(part)

    # ------------------------------------------------------------ numbers and names

    def number(self, part, number):
        try:
            return float(number)
        except OverflowError:
            self.fail(f"{self.source(part)} is too large for a number")

    def named(self, part):
        names = []
        while isinstance(part, ast.Attribute):
            names.append(part.attr)
            part = part.value
        if not isinstance(part, ast.Name):
            self.refuse(part)
        name = ".".join([part.id, *reversed(names)])
        if name in CONSTANTS and (self.known is None or not self.exists(name)):
            return CONSTANTS[name]
        if any(x.startswith("__") for x in (part.id, *names)):
            self.fail(f"the name {name!r} has a part that starts with two underscores", "such names are not allowed")
        if name in FUNCTION_NAMES and (self.known is None or not self.exists(name)):
            self.fail(f"{name} is a function", f"write {name}(…)")
        return self.input(name)

    def input(self, name):
        if not self.exists(name):
            names = [] if callable(self.known) else list(self.known)
            self.fail(f"{name!r} is not known", remedy=did_you_mean(name, [*names, *CONSTANTS]))
        return symbol(name)

    def exists(self, name):
        if self.known is None:
            return True
        return self.known(name) if callable(self.known) else name in self.known

    # ------------------------------------------------------------ functions

    def arguments(self, call):
        name = self.function_name(call)
        if any(isinstance(x, ast.Starred) for x in call.args) or (call.keywords and name not in CURVES):
            self.fail(f"{self.source(call)} has an argument with * or =", "arguments are written one after another")
        return call.args[:1] if name in CURVES else call.args

    def function_name(self, call):
        if not isinstance(call.func, ast.Name):
            self.fail(f"{self.source(call.func)} cannot be called", "functions are " + ", ".join(FUNCTION_NAMES))
        if call.func.id not in FUNCTION_NAMES:
            remedy = did_you_mean(call.func.id, FUNCTION_NAMES)
            self.fail(f"there is no function {call.func.id!r}", "functions are " + ", ".join(FUNCTION_NAMES), remedy)
        return call.func.id

    def call(self, part, args):
        name = part.func.id
        if name in CURVES:
            return self.curve(part, args)
        if name in OF_MANY:
            return (
                _combine(OF_MANY[name], args)
                if args
                else self.fail(f"{name}() has no arguments", "it needs at least one")
            )
        function, wanted = FUNCTIONS[name]
        if len(args) != wanted:
            self.fail(f"{self.source(part)} has {len(args)} arguments", f"{name} takes {wanted}")
        return function(*args)

    def curve(self, part, args):
        points = [self.point(x) for x in part.args[1:]]
        if not points:
            self.fail(f"{self.source(part)} has no points", f"write {part.func.id}(x, (x0, y0), (x1, y1), …)")
        xs, ys = zip(*points, strict=True)
        return Table(xs, ys, CURVES[part.func.id], self.order(part))(args[0])

    def point(self, part):
        try:
            x, y = ast.literal_eval(part)
            return float(x), float(y)
        except (ValueError, TypeError, SyntaxError, OverflowError, MemoryError, RecursionError):
            self.fail(f"{self.source(part)} is not a point", "a point of a table is two numbers in brackets, (x, y)")

    def order(self, call):
        match call.keywords:
            case []:
                return 0
            case [ast.keyword(arg="order", value=ast.Constant(value=order))] if (
                order in (0, 1, 2, 3) and type(order) is int
            ):
                return order
        self.fail(
            f"{self.source(call)} has an unknown option",
            "the only option is order, 0 to 3, for a derivative of the curve",
        )

    # ------------------------------------------------------------ messages

    def finite(self, part, value):
        value = scalar(value)
        if isinstance(value, float) and not math.isfinite(value):
            self.fail(f"{self.source(part)} is {value}", "every constant must be a finite number")
        return value

    def refuse(self, part):
        self.fail(f"{self.source(part)} is not allowed", ALLOWED, _hint(self.text))

    def fail(self, problem, expected="", remedy=""):
        shown = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        raise ExpressionError(f"expression {shown!r}", problem, expected, remedy) from None

    def source(self, part):
        return repr((ast.get_source_segment(self.code.strip(), part) or type(part).__name__)[:60])


def _combine(function, args):
    result = args[0]
    for x in args[1:]:
        result = function(result, x)
    return result


def _hint(text):
    return "Powers are written x**2." if "^" in text else ""
