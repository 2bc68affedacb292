"""Expressions as SymPy has them: coordinates and speeds as functions of time, all else as symbols."""

from mekane.expressions.graph import Expr, topological

PLAIN = {
    "asin": "asin",
    "acos": "acos",
    "atan": "atan",
    "atan2": "atan2",
    "log": "log",
    "floor": "floor",
    "sqrt": "sqrt",
    "exp": "exp",
}


class SympyForm:
    """Turns expressions into SymPy's; the same symbols for the same names."""

    def __init__(self, naming, moving):
        import sympy

        self.sympy, self.naming, self.moving, self.symbols = sympy, naming, set(moving), {}
        self.time = sympy.Symbol("t")
        try:
            from sympy.physics.vector import dynamicsymbols

            self.time = dynamicsymbols._t
        except (ImportError, AttributeError):
            pass

    def symbol(self, name):
        """The symbol, or function of time, of an input."""
        if name not in self.symbols:
            self.symbols[name] = self.made(name)
        return self.symbols[name]

    def made(self, name):
        if name == "t":
            return self.time
        short = self.naming.of(name)
        if short.dots:
            return self.sympy.Derivative(self.symbol(name[: -short.dots]), (self.time, short.dots))
        if name in self.moving:
            return self.sympy.Function(short.text)(self.time)
        return self.sympy.Symbol(short.text, real=True)

    def __call__(self, expr):
        """One expression, or number."""
        if not isinstance(expr, Expr):
            return self.number(expr)
        known = {}
        for node in topological([expr]):
            known[node] = self.node(node, [known[x] if isinstance(x, Expr) else self.number(x) for x in node.args])
        return known[expr]

    def number(self, x):
        """Whole numbers and simple fractions exactly."""
        from mekane.symbolic.printing.printer import simple_fraction

        fraction = simple_fraction(x)
        return self.sympy.Rational(*fraction) if fraction else self.sympy.Float(float(x), 17)

    def node(self, node, args):
        sympy = self.sympy
        if node.op == "input":
            return self.symbol(node.name)
        if node.op == "select":
            return sympy.Piecewise(
                (args[1], sympy.Ne(args[0], 0) if not args[0].is_Relational else args[0]), (args[2], True)
            )
        if node.op == "table":
            return interpolated(sympy, node.data, args[0])
        return operations(sympy)[node.op](*args)


def operations(sympy):
    return {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b, "neg": lambda a: -a,
        "pow": lambda a, b: a**b, "less": lambda a, b: a < b, "less_equal": lambda a, b: a <= b,
        **{op: getattr(sympy, name) for op, name in PLAIN.items()},
        **{op: getattr(sympy, op) for op in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    }  # fmt: skip


def interpolated(sympy, table, x):
    """A table as a piecewise polynomial."""
    if table.kind == "linear" and table.order == 0:
        return sympy.interpolating_spline(1, x, list(map(float, table.xs)), list(map(float, table.ys)))
    return sympy.Function("spline" if table.kind == "cubic" else "table")(x)
