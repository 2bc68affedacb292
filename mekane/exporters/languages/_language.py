"""What languages have in common: expressions as text, the head of a file, tables of interpolated laws."""

import math

import numpy as np

from mekane.errors import ExpressionError
from mekane.exporters.languages._identifiers import identifiers
from mekane.expressions.graph import Expr, topological
from mekane.expressions.opcodes import COMPARISONS
from mekane.expressions.text import ATOM, PATTERNS, SIGN, SUM
from mekane.symbolic.simplify.straight_line import program

OPERATORS = ("add", "sub", "mul", "div", "neg")  # written alike everywhere
FUNCTIONS = (
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "log",
    "sqrt",
    "floor",
    "pow",
)
ARGUMENTS = ("t", "y", "p", "out")  # and what functions return


class Language:
    """The file of a language defines its functions, and in `text` the layout of a whole file."""

    title = ""  # for people
    suffix = ""  # of files
    goes_by_suffix = True  # False: another language is meant by this suffix by default
    named_by_file = False  # True: functions are called as their file
    comment = "# "
    reserved = frozenset()  # names that mean something else
    calls = {}  # operation → function
    infinity, nan = "inf", "nan"
    first, entry = 0, "{}[{}]"  # index of the first entry of an array, and how an entry is written

    def text(self, functions, name):
        """The whole file."""
        raise NotImplementedError

    # ---------------------------------------------------------------- expressions

    def number(self, x):
        if isinstance(x, complex):
            raise ExpressionError("expression", f"it holds the complex number {x:g}", "numbers are real")
        if math.isfinite(x):
            return repr(float(x))
        return self.nan if math.isnan(x) else self.infinity if x > 0 else f"-{self.infinity}"

    def choice(self, condition, yes, no):
        """How strongly it binds, and the text, of `yes if condition else no`; texts without brackets."""
        raise NotImplementedError

    def truth(self, comparison):
        """The same for a comparison as a number, one or zero."""
        return self.choice(comparison, self.number(1.0), self.number(0.0))

    def unequal(self, a, b):
        return f"{a} != {b}"

    def lookup(self, number, x):
        """The value of table `number`, counted from one, at x."""
        raise NotImplementedError

    # ---------------------------------------------------------------- a file

    def names(self, functions):
        """{symbol: identifier} of all that is read, in the order of y, then of p."""
        entries = [one for one in (*functions.state, *functions.parameters) if isinstance(one.symbol, Expr)]
        own = {function.name for function in functions.functions}
        found = identifiers([one.name for one in entries], {*self.reserved, *ARGUMENTS, *own})
        return {one.symbol: identifier for one, identifier in zip(entries, found, strict=True)}

    def head(self, functions, names, before=""):
        """Comment lines that describe y and p."""
        comment_line, size = lambda text: (self.comment + clean(text)).rstrip(), functions.sizes
        lines = [
            comment_line(
                f"{functions.title}: equations of motion, {functions.formulation} formulation. Written by Mekane; SI units."
            ),
            comment_line(""),
        ]
        pieces = [f"{piece} ({size[piece]})" for piece in ("coordinates", "speeds", "integrals") if size[piece]]
        lines += [comment_line(f"Functions of (t, y, p). The state y: {', then '.join(pieces) or 'nothing moves'}.")]
        lines += map(comment_line, self.listed(functions.state, names, "y"))
        if functions.parameters:
            lines += [
                comment_line(""),
                comment_line("Parameters p:"),
                *map(comment_line, self.listed(functions.parameters, names, "p")),
            ]
        if functions.rows:
            lines += [comment_line(""), comment_line("Constraint rows, and what each is an equation for:")]
            listed = [f"{name}  {level}{'' if active else ', not active'}" for name, level, active in functions.rows]
            lines += [comment_line(f"  {k}  {row}") for k, row in enumerate(listed, self.first)]
        lines += [
            comment_line(""),
            comment_line("Functions:"),
            *[comment_line(f"  {before}{one.name}  {one.meaning}") for one in functions.functions],
        ]
        return lines + ([comment_line(""), *map(comment_line, functions.remarks)] if functions.remarks else [])

    def listed(self, entries, names, array):
        """Lines of a table: place, identifier, name in the model, unit, value."""
        rows = []
        for k, one in enumerate(entries, self.first):
            identifier = names[one.symbol] if isinstance(one.symbol, Expr) else "-"
            rows.append(("  " + self.entry.format(array, k), identifier, one.name, f"[{one.unit}]", f"{one.value:.9g}"))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]

    def numbers(self, values, per_line=6):
        """Numbers with commas, some in each line."""
        texts = list(map(self.number, values))
        return [
            ", ".join(texts[k : k + per_line]) + ("," if k + per_line < len(texts) else "")
            for k in range(0, len(texts), per_line)
        ]


class Writer:
    """Expressions of one program as text. names: of symbols; steps have their own."""

    def __init__(self, language, functions, names):
        self.language, self.inputs = language, names
        tables = [
            x.data for x in topological([x for one in functions.functions for x in one.outputs]) if x.op == "table"
        ]
        self.tables = {table: number for number, table in enumerate(dict.fromkeys(tables), 1)}

    def open(self, outputs):
        """The program of these outputs, whose steps are called by name from now on."""
        found = program(outputs)
        self.known = {x: (ATOM, name) for x, name in (self.inputs | found.names).items()}
        return found

    def value(self, x):
        """An expression or number where anything may stand."""
        return self.bound(x)[1]

    def step(self, x):
        """What a step is computed from."""
        return self.written(x)[1]

    def bound(self, x):
        if not isinstance(x, Expr):
            return (ATOM if x >= 0 or x != x else SIGN), self.language.number(x)
        if x in self.known:
            return self.known[x]
        return (ATOM, "t") if x.op == "input" and x.name == "t" else self.written(x)

    def written(self, x):
        """How strongly an operation binds, and its text."""
        language = self.language
        if x.op == "select":
            return language.choice(self.condition(x.args[0]), *map(self.value, x.args[1:]))
        if x.op in COMPARISONS:
            return language.truth(self.comparison(x))
        if x.op == "table":
            return ATOM, language.lookup(self.tables[x.data], self.value(x.args[0]))
        if x.op in OPERATORS:
            return fill(PATTERNS[x.op], list(map(self.bound, x.args)))
        if x.op not in language.calls:
            raise ExpressionError("expression", f"{x.op} cannot be written in {language.title}")
        return ATOM, f"{language.calls[x.op]}({', '.join(map(self.value, x.args))})"

    def condition(self, x):
        if isinstance(x, Expr) and x.op in COMPARISONS and x not in self.known:
            return self.comparison(x)
        return self.language.unequal(at_least(SUM, self.bound(x)), self.language.number(0.0))

    def comparison(self, x):
        return fill(PATTERNS[x.op], list(map(self.bound, x.args)))[1]


def fill(pattern, args):
    own, text, weakest = pattern
    return own, text.format(*[at_least(least, arg) for arg, least in zip(args, weakest, strict=True)])


def at_least(least, arg):
    binding, text = arg
    return text if binding >= least else f"({text})"


def rows_of(table):
    """(points, coefficients of the pieces, value before the first point, value after the last)"""
    ends = (table.ys[0], table.ys[-1]) if table.order == 0 else (0.0, 0.0)
    return table.rows[:, 0], table.rows[:, 2:6], *map(float, ends)


def clean(text):
    """One line that closes no comment of any language."""
    text = " ".join(text.split()) if not text.startswith("  ") else "  " + " ".join(text[2:].splitlines())
    for sign in ("*/", "/*", "??"):
        text = text.replace(sign, " ".join(sign))
    return text.replace("\\", "/")


def nonzero(outputs):
    """(place, output) of all that are not the number zero."""
    return [(k, x) for k, x in enumerate(outputs) if isinstance(x, Expr) or x != 0.0]


def read(functions, found):
    """(array, place, entry) of all entries of y and p that a program reads."""
    used = set(found.inputs)
    entries = [
        (array, k, one)
        for array, group in (("y", functions.state), ("p", functions.parameters))
        for k, one in enumerate(group)
    ]
    return [entry for entry in entries if isinstance(entry[2].symbol, Expr) and entry[2].symbol in used]


def place(k, shape):
    """Of an output, as an index tuple."""
    return tuple(map(int, np.unravel_index(k, shape)))
