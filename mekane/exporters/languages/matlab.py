"""MATLAB or GNU Octave: one function file that gives the functions as handles."""

from mekane.exporters.languages._language import FUNCTIONS, Language, Writer, nonzero, place, read, rows_of
from mekane.expressions.text import ATOM

KEYWORDS = """
break case catch classdef continue else elseif end for function global if otherwise parfor persistent return spmd switch try while do
until endif endfor endwhile endfunction endswitch unwind_protect end_try_catch enumeration events methods properties arguments import
pi i j e eps Inf NaN inf nan NA ans zeros ones double numel find pick truth lookup m varargin varargout nargin nargout true false
abs min max sum size length disp ode45 clear close all hold load
""".split()
HELPERS = {
    "pick": """\
function x = pick(condition, yes, no)
    if condition
        x = yes;
    else
        x = no;
    end
end
""",
    "lookup": """\
function out = lookup(x, rows, before, after)
    % rows: point, c0, c1, c2, c3 of the piece from there on; before and after: beyond the ends
    if x < rows(1, 1)
        out = before;
    elseif x > rows(end, 1)
        out = after;
    else
        k = min(find(rows(:, 1) <= x, 1, 'last'), size(rows, 1) - 1);
        d = x - rows(k, 1);
        out = rows(k, 2) + d*(rows(k, 3) + d*(rows(k, 4) + d*rows(k, 5)));
    end
end
""",
}


class Matlab(Language):
    title, suffix, comment, named_by_file = "MATLAB", ".m", "% ", True
    first, entry = 1, "{}({})"
    calls = {name: {"pow": "power"}.get(name, name) for name in FUNCTIONS}
    reserved = frozenset([*KEYWORDS, *calls.values()])
    infinity, nan = "Inf", "NaN"

    def choice(self, condition, yes, no):
        return ATOM, f"pick({condition}, {yes}, {no})"

    def unequal(self, a, b):
        return f"{a} ~= {b}"

    def lookup(self, number, x):
        return f"table{number}({x})"

    def text(self, functions, name):
        names = self.names(functions)
        writer = Writer(self, functions, names)
        parts = [self.main(functions, name, names)]
        parts += [self.function(one, functions, writer) for one in functions.functions]
        parts += [self.table(table, number) for table, number in writer.tables.items()]
        return "\n".join(
            [*parts, *[helper for function, helper in HELPERS.items() if any(f"{function}(" in part for part in parts)]]
        )

    def main(self, functions, name, names):
        column = lambda entries: (
            "[" + "; ".join(self.number(one.value) for one in entries) + "]" if entries else "zeros(0, 1)"
        )
        head, *lines = self.head(functions, names)
        lines = [head, "%", f"% m = {name}(); [t, y] = ode45(@(t, y) m.rhs(t, y, m.p), [0 1], m.y0);", *lines]
        lines += ["% Outside their domains sqrt, log, asin, acos and powers give complex numbers here."]
        handles = [f"    m.{one.name} = @{one.name};" for one in functions.functions]
        start = [
            f"    m.y0 = {column(functions.state)};  % the start, after assembly",
            f"    m.p = {column(functions.parameters)};",
        ]
        return "\n".join([f"function m = {name}()", *lines, *handles, *start, "end", ""])

    def table(self, table, number):
        xs, pieces, before, after = rows_of(table)
        rows = "\n    ".join(" ".join(map(self.number, (x, *piece))) for x, piece in zip(xs, pieces, strict=True))
        last = f"    out = lookup(x, rows, {self.number(before)}, {self.number(after)});\nend\n"
        return f"function out = table{number}(x)\n    rows = [\n    {rows}\n    ];\n{last}"

    def function(self, function, functions, writer):
        found = writer.open(function.outputs)
        shape = function.shape if len(function.shape) == 2 else (*function.shape, 1)
        lines = [f"function out = {function.name}(t, y, p)", f"    % {function.meaning}"]
        lines += [f"    {writer.inputs[one.symbol]} = {array}({k + 1});" for array, k, one in read(functions, found)]
        lines += [f"    {found.names[x]} = {writer.step(x)};" for x in found.steps]
        lines += [f"    out = zeros({shape[0]}, {shape[1]});"]
        for k, x in nonzero(function.outputs):
            lines.append(f"    out({', '.join(str(i + 1) for i in place(k, function.shape))}) = {writer.value(x)};")
        return "\n".join([*lines, "end", ""])


language = Matlab()
