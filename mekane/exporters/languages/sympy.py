"""A script that builds the equations as SymPy matrices, with intermediate variables z1, z2 … for what is used more than
once."""

import builtins
import keyword

from mekane.exporters.languages._language import FUNCTIONS, Language, Writer, rows_of
from mekane.expressions.graph import Expr
from mekane.expressions.text import ATOM

SYMPY_NAMES = {"pow": "Pow"}
USED = (
    "sympy", "Matrix", "Ne", "Piecewise", "Symbol", "oo", "pprint", "dynamicsymbols", "let", "expanded", "Z", "MATRICES", "START",
    "VALUES", "I", "E", "N", "O", "Q", "S", "C", "name", "value", "one", "x",
)  # fmt: skip

HELPERS = '''\
Z = []  # intermediate variables and what each is, in order


def let(name, value):
    """A new intermediate variable."""
    Z.append((Symbol(name), value))
    return Z[-1][0]


def expanded(x):
    """x without intermediate variables: short for small models, very long for large ones."""
    for one, value in reversed(Z):
        x = x.xreplace({one: value})
    return x
'''
LAST = """\
if __name__ == "__main__":
    for one, value in Z:
        pprint(one, value)
    for name, value in MATRICES.items():
        print(f"\\n{name} =")
        pprint(value, wrap_line=False)
""".replace("pprint(one, value)", 'print(f"{one} = {value}")')


class SymPy(Language):
    title, suffix, goes_by_suffix = "Python", ".py", False
    calls = {name: SYMPY_NAMES.get(name, name) for name in FUNCTIONS}
    reserved = frozenset({*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *calls.values(), *USED})
    infinity, nan = "oo", "nan"

    def number(self, x):
        """Whole numbers exact."""
        text = super().number(x)
        return str(int(x)) if text.endswith(".0") and abs(x) < 1e15 else text

    def choice(self, condition, yes, no):
        return ATOM, f"Piecewise(({yes}, {condition}), ({no}, True))"

    def unequal(self, a, b):
        return f"Ne({a}, {b})"

    def lookup(self, number, x):
        return f"table{number}({x})"

    def text(self, functions, name):
        names = self.names(functions)
        writer = Writer(self, functions, names)
        found = writer.open([x for one in functions.functions for x in one.outputs])
        imported = sorted({self.calls[function] for function in FUNCTIONS})
        lines = [
            *self.head(functions, names),
            "",
            f"from sympy import Matrix, Ne, Piecewise, Symbol, nan, oo, pprint, {', '.join(imported)}",
        ]
        lines += ["from sympy.physics.mechanics import dynamicsymbols", "", "t = dynamicsymbols._t"]
        lines += [
            f"{names[one.symbol]} = dynamicsymbols({names[one.symbol]!r})"
            for one in functions.state
            if isinstance(one.symbol, Expr)
        ]
        lines += [f"{names[one.symbol]} = Symbol({names[one.symbol]!r})" for one in functions.parameters]
        lines += [
            f"START = {self.values(functions.state, names)}",
            f"VALUES = {self.values(functions.parameters, names)}",
        ]
        lines += [HELPERS, *[self.table(table, number) for table, number in writer.tables.items()], ""]
        lines += [f'{found.names[x]} = let("{found.names[x]}", {writer.step(x)})' for x in found.steps]
        lines += [self.matrix(one, writer) for one in functions.functions]
        entries_text = ", ".join(f'"{one.name}": {one.name}' for one in functions.functions)
        return "\n".join([*lines, f"\nMATRICES = {{{entries_text}}}\n", LAST])

    def values(self, entries, names):
        entries_text = [f"{names[one.symbol]}: {one.value!r}" for one in entries if isinstance(one.symbol, Expr)]
        return f"{{{', '.join(entries_text)}}}"

    def matrix(self, function, writer):
        rows, columns = function.shape if len(function.shape) == 2 else (*function.shape, 1)
        entries = "".join(f"    {writer.value(x)},\n" for x in function.outputs)
        return f"\n# {function.meaning}\n{function.name} = Matrix({rows}, {columns}, [\n{entries}])"

    def table(self, table, number):
        xs, pieces, before, after = rows_of(table)
        lines = [
            f"\ndef table{number}(x):",
            "    return Piecewise(",
            f"        ({self.number(before)}, x < {self.number(xs[0])}),",
        ]
        for k, (start, piece) in enumerate(zip(xs[:-1], pieces[:-1], strict=True)):
            inside = "<=" if k == len(xs) - 2 else "<"
            c, d = list(map(self.number, piece)), f"(x - {self.number(start)})"
            lines.append(
                f"        ({c[0]} + {d}*({c[1]} + {d}*({c[2]} + {d}*{c[3]})), x {inside} {self.number(xs[k + 1])}),"
            )
        return "\n".join([*lines, f"        ({self.number(after)}, True),", "    )", ""])


language = SymPy()
