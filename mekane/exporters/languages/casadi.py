"""Python with CasADi: functions for optimal control and estimation, which CasADi differentiates and writes as C."""

from mekane.exporters.languages._arrays import Arrays
from mekane.exporters.languages._language import FUNCTIONS, rows_of
from mekane.expressions.text import ATOM

CASADI_NAMES = {"pow": "power"}
HELPER = '''\
def lookup(x, rows, before, after):
    """The value at x of the curve with these rows: point, c0, c1, c2, c3 of the piece from there on; before and after: beyond the ends."""
    inside = 0.0
    for k in range(len(rows) - 2, -1, -1):
        start, c0, c1, c2, c3 = rows[k]
        d = x - start
        piece = c0 + d*(c1 + d*(c2 + d*c3))
        inside = piece if k == len(rows) - 2 else ca.if_else(x < rows[k + 1][0], piece, inside)
    return ca.if_else(x < rows[0][0], before, ca.if_else(x > rows[-1][0], after, inside))
'''


class CasADi(Arrays):
    title, library, goes_by_suffix = "Python", "ca", False
    own = ("ca", "lookup", "values", "STATE", "PARAMETERS", "Y0", "P", "TIME", "Y", "NUMBERS")
    helper = HELPER
    imports = (
        "# rhs(t, y, P) and the others are functions of CasADi: of numbers, and of its symbols.",
        "",
        "import casadi as ca",
    )

    def __init__(self):
        super().__init__()
        self.nan = "float('nan')"  # CasADi has no name for it
        self.calls = {name: f"ca.{CASADI_NAMES.get(name, name)}" for name in FUNCTIONS}

    def choice(self, condition, yes, no):
        return ATOM, f"ca.if_else({condition}, {yes}, {no})"

    def array(self, values):
        lines = self.numbers(values)
        return "ca.DM.zeros(0)" if not lines else f"ca.DM([{lines[0]}])" if len(lines) == 1 else self.tall_array(lines)

    def tall_array(self, lines):
        return "ca.DM([\n    " + "\n    ".join(lines) + "\n])"

    def constants(self, functions):
        symbols = f'TIME, Y, NUMBERS = ca.SX.sym("t"), ca.SX.sym("y", {len(functions.state)}), ca.SX.sym("p", {len(functions.parameters)})'
        return [*super().constants(functions)[:-1], symbols, ""]

    def table(self, table, number):
        xs, pieces, before, after = rows_of(table)
        rows = ",\n    ".join(
            "(" + ", ".join(map(self.number, (x, *piece))) + ")" for x, piece in zip(xs, pieces, strict=True)
        )
        return f"TABLE{number} = ((\n    {rows}\n), {self.number(before)}, {self.number(after)})\n"

    def function(self, function, functions, writer):
        found = writer.open(function.outputs)
        lines = [f"def {function.name}(t, y, p):", f'    """{function.meaning}"""']
        lines += self.assigned(functions, found, writer)
        lines += [
            "    values = ca.SX(ca.vertcat(",
            *[f"        {writer.value(x)}," for x in function.outputs],
            "    ))",
        ]
        if len(function.shape) == 2:
            rows, columns = function.shape
            lines += [f"    return ca.reshape(values, {columns}, {rows}).T"]
        else:
            lines += ["    return values"]
        call = (
            f"{function.name} = ca.Function({function.name!r}, [TIME, Y, NUMBERS], [{function.name}(TIME, Y, NUMBERS)]"
        )
        return [*lines, "", "", f"{call}, ['t', 'y', 'p'], ['out'])", ""]


language = CasADi()
