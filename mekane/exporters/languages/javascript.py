"""JavaScript: a script that defines one object, for a page (<script>) or for Node (require)."""

from mekane.exporters.languages._language import FUNCTIONS, Language, Writer, nonzero, read, rows_of
from mekane.expressions.graph import Expr
from mekane.expressions.text import ATOM, CHOICE

KEYWORDS = """
abstract arguments async await boolean break byte case catch char class const continue debugger default delete do double else enum eval
export extends false final finally float for from function get goto if implements import in instanceof int interface let long native new
null of package private protected public return set short static super switch synchronized this throw throws transient true try typeof
undefined var void volatile while with yield Infinity NaN Math Object Array Float64Array Number String Symbol Function Date JSON module
exports require globalThis window document self top name length location status event history parent screen origin lookup
""".split()

LONGEST = 400  # lines of a function: V8 compiles none of more than 60 kB of its code well

LOOKUP = """\
  // The value of a table at x. rows: point, c0, c1, c2, c3 of the piece from there on; before and after: beyond the ends.
  function lookup(rows, before, after, x) {
    const n = rows.length / 5;
    let low = 0, high = n - 1;
    if (x < rows[0]) return before;
    if (x > rows[5*high]) return after;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (x < rows[5*middle]) high = middle; else low = middle;
    }
    const k = 5*low, d = x - rows[k];
    return rows[k + 1] + d*(rows[k + 2] + d*(rows[k + 3] + d*rows[k + 4]));
  }
"""


class JavaScript(Language):
    title, suffix, comment = "JavaScript", ".js", "// "
    reserved = frozenset(KEYWORDS)
    calls = {name: f"Math.{name}" for name in FUNCTIONS}
    infinity, nan = "Infinity", "NaN"

    def choice(self, condition, yes, no):
        return CHOICE, f"{condition} ? {yes} : {no}"

    def unequal(self, a, b):
        return f"{a} !== {b}"

    def lookup(self, number, x):
        return f"table{number}({x})"

    def text(self, functions, name):
        names = self.names(functions)
        export = f'if (typeof module !== "undefined") module.exports = {name};\n'
        return "\n".join([*self.head(functions, names, f"{name}."), self.model(functions, name, names), export])

    def model(self, functions, name, names):
        """The object alone: arrays y0 and p, and the functions. Nothing of it is a name of the model's."""
        writer = Writer(self, functions, names)
        parts = [f"const {name} = (() => {{", '  "use strict";']
        parts += (
            [LOOKUP, *[self.table(table, number) for table, number in writer.tables.items()]] if writer.tables else []
        )
        parts += [self.function(one, functions, writer) for one in functions.functions]
        parts += [f"  const y0 = {self.array(functions.state)};", f"  const p = {self.array(functions.parameters)};"]
        called = ", ".join(one.name for one in functions.functions)
        return "\n".join([*parts, f"  return {{ y0, p, {called} }};", "})();", ""])

    def array(self, entries):
        return f"Float64Array.of({', '.join(self.number(one.value) for one in entries)})"

    def table(self, table, number):
        xs, pieces, before, after = rows_of(table)
        rows = ", ".join(self.number(x) for one, piece in zip(xs, pieces, strict=True) for x in (one, *piece))
        ends = f"{self.number(before)}, {self.number(after)}"
        return f"  const ROWS{number} = Float64Array.of({rows});\n  const table{number} = (x) => lookup(ROWS{number}, {ends}, x);"

    def function(self, function, functions, writer):
        found = writer.open(function.outputs)
        shape = "; row by row" if len(function.shape) == 2 else ""
        size, given = len(function.outputs), nonzero(function.outputs)
        pieces = Pieces(function.name, functions, found, given)
        lines = [*pieces.written(writer), f"  // {function.meaning}{shape}"]
        lines += [f"  function {function.name}(t, y, p, out = new Float64Array({size})) {{"]
        lines += ["    out.fill(0);"] if len(given) < size else []
        return "\n".join([*lines, *pieces.body, "    return out;", "  }", ""])


class Pieces:
    """The steps and outputs of a function, in pieces that a browser's compiler takes: it leaves long functions slow.

    What is read in another piece than it is computed in stands in an array z. body: lines of the function itself."""

    def __init__(self, name, functions, found, given):
        self.name, self.functions, self.found = name, functions, found
        lines = [*((None, x) for x in found.steps), *given]  # (place of an output or none, expression)
        self.pieces = [lines[k : k + LONGEST] for k in range(0, len(lines), LONGEST)] or [[]]
        self.alone, self.body = len(self.pieces) == 1, []

    def written(self, writer):
        """Lines of the functions of all pieces; none if there is one piece, which is the body then."""
        shared = {} if self.alone else self.shared()
        writer.known |= {x: (ATOM, f"z[{k}]") for x, k in shared.items()}
        parts = [self.lines(piece, shared, writer) for piece in self.pieces]
        if self.alone:
            self.body = parts[0]
            return []
        found = [f"  const z_{self.name} = new Float64Array({len(shared)});"]
        for k, lines in enumerate(parts):
            found += [f"  function {self.name}_{k}(t, y, p, out, z) {{", *lines, "  }"]
            self.body.append(f"    {self.name}_{k}(t, y, p, out, z_{self.name});")
        return found

    def shared(self):
        """{step: place in z} of those that another piece reads."""
        piece_of = {x: k for k, piece in enumerate(self.pieces) for place, x in piece if place is None}
        found = {}
        for k, piece in enumerate(self.pieces):
            for place, x in piece:
                for one in leaves(x, piece_of, inside=place is None):
                    if piece_of.get(one, k) != k:
                        found.setdefault(one, len(found))
        return found

    def lines(self, piece, shared, writer):
        used = {one for place, x in piece for one in leaves(x, self.found.names, inside=place is None)}
        entries = [entry for entry in read(self.functions, self.found) if entry[2].symbol in used]
        lines = [f"    const {writer.inputs[one.symbol]} = {array}[{k}];" for array, k, one in entries]
        for place, x in piece:
            if place is not None:
                lines.append(f"    out[{place}] = {writer.value(x)};")
            elif x in shared:
                lines.append(f"    z[{shared[x]}] = {writer.step(x)};")
            else:
                lines.append(f"    const {self.found.names[x]} = {writer.step(x)};")
        return lines


def leaves(x, steps, inside):
    """Inputs and steps that the line of an expression reads. inside: x itself is a step, whose line it is."""
    if not isinstance(x, Expr):
        return
    if x.op == "input" or (x in steps and not inside):
        yield x
        return
    for one in x.args:
        yield from leaves(one, steps, inside=False)


language = JavaScript()
