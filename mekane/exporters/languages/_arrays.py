"""Python functions on arrays: what NumPy and JAX have in common."""

import builtins
import keyword

from mekane.exporters.languages._language import FUNCTIONS, Language, Writer, read, rows_of
from mekane.expressions.text import ATOM

NUMPY_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "pow": "power"}


class Arrays(Language):
    suffix, library = ".py", "np"
    own = ()  # names of the library and of helpers

    def __init__(self):
        self.calls = {name: f"{self.library}.{NUMPY_NAMES.get(name, name)}" for name in FUNCTIONS}
        self.reserved = frozenset({*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *self.own})
        self.infinity, self.nan = f"{self.library}.inf", f"{self.library}.nan"

    def choice(self, condition, yes, no):
        return ATOM, f"{self.library}.where({condition}, {yes}, {no})"

    def lookup(self, number, x):
        return f"lookup({x}, *TABLE{number})"

    def text(self, functions, name):
        names = self.names(functions)
        writer = Writer(self, functions, names)
        parts = ["\n".join([*self.head(functions, names), "", *self.imports, "", *self.constants(functions)])]
        parts += (
            [self.helper, *[self.table(table, number) for table, number in writer.tables.items()]]
            if writer.tables
            else []
        )
        parts += ["\n".join(self.function(one, functions, writer)) for one in functions.functions]
        return "\n\n".join(parts) + "\n"

    def constants(self, functions):
        names = lambda entries: f"({', '.join(repr(one.name) for one in entries)}{',' if len(entries) == 1 else ''})"
        lines = [f"STATE = {names(functions.state)}", f"PARAMETERS = {names(functions.parameters)}"]
        lines += [f"Y0 = {self.array([one.value for one in functions.state])}  # the start, after assembly"]
        return lines + [
            f"P = {self.array([one.value for one in functions.parameters])}  # parameters as the model has them",
            "",
        ]

    def array(self, values):
        lines = self.numbers(values)
        return f"{self.library}.array([{lines[0] if lines else ''}])" if len(lines) < 2 else self.tall_array(lines)

    def tall_array(self, lines):
        return f"{self.library}.array([\n    " + "\n    ".join(lines) + "\n])"

    def table(self, table, number):
        xs, pieces, before, after = rows_of(table)
        rows = ",\n    ".join("[" + ", ".join(map(self.number, piece)) + "]" for piece in pieces)
        ends = f"{self.number(before)}, {self.number(after)}"
        return f"TABLE{number} = ({self.array(xs)}, {self.library}.array([\n    {rows}\n]), {ends})\n"

    def assigned(self, functions, found, writer):
        """Inputs and steps, each in a line."""
        lines = [f"    {writer.inputs[one.symbol]} = {array}[{k}]" for array, k, one in read(functions, found)]
        return lines + [f"    {found.names[x]} = {writer.step(x)}" for x in found.steps]


HELPER = '''\
def lookup(x, xs, pieces, before, after):
    """The value at x of the curve with these pieces, c0 + c1 d + c2 d^2 + c3 d^3 from each of xs on; before and after: beyond the ends."""
    k = {0}.clip({0}.searchsorted(xs, x, side="right") - 1, 0, len(xs) - 2)
    d = x - xs[k]
    inside = pieces[k, 0] + d*(pieces[k, 1] + d*(pieces[k, 2] + d*pieces[k, 3]))
    return {0}.where(x < xs[0], before, {0}.where(x > xs[-1], after, inside))
'''
