"""JavaScript: a script that defines one object, for a page (<script>) or for Node (require)."""

from mekane.exporters.languages._language import FUNCTIONS, Language, Writer, nonzero, read, rows_of
from mekane.expressions.text import CHOICE

KEYWORDS = """
abstract arguments async await boolean break byte case catch char class const continue debugger default delete do double else enum eval
export extends false final finally float for from function get goto if implements import in instanceof int interface let long native new
null of package private protected public return set short static super switch synchronized this throw throws transient true try typeof
undefined var void volatile while with yield Infinity NaN Math Object Array Float64Array Number String Symbol Function Date JSON module
exports require globalThis window document self top name length location status event history parent screen origin lookup
""".split()

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
        size = len(function.outputs)
        lines = [f"  // {function.meaning}{shape}"]
        lines += [f"  function {function.name}(t, y, p, out = new Float64Array({size})) {{"]
        lines += [f"    const {writer.inputs[one.symbol]} = {array}[{k}];" for array, k, one in read(functions, found)]
        lines += [f"    const {found.names[x]} = {writer.step(x)};" for x in found.steps]
        given = nonzero(function.outputs)
        lines += ["    out.fill(0);"] if len(given) < size else []
        lines += [f"    out[{k}] = {writer.value(x)};" for k, x in given]
        return "\n".join([*lines, "    return out;", "  }", ""])


language = JavaScript()
