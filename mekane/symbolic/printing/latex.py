"""LaTeX: m_2 l_1 \\cos q_{elbow} u_{elbow}^2"""

import re

from mekane.symbolic.printing.line_breaking import closed
from mekane.symbolic.printing.printer import Typeset, digits

MARKS = {"less": "<", "less_equal": r"\le"}
HIGH = (r"\frac", r"\begin", r"\sqrt", r"\left")
# one symbol: a function of it needs no brackets
LONE = re.compile(r"-?(\\[a-zA-Z]+|[a-zA-Z])(_\{(?:[^{}]|\{[^{}]*\})*\})?")
FUNCTION = re.compile(r"\\(arc)?(sin|cos|tan|ln)")


class Latex(Typeset):
    format = "latex"

    def number(self, x):
        text = digits(x)
        mantissa, e, exponent = text.partition("e")
        return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if e else text

    def brackets(self, text):
        """As high as what is inside, where that is high; a line may end only in plain ones."""
        return rf"\left({text}\right)" if any(high in text for high in HIGH) else f"({text})"

    def times(self, parts):
        """Functions last: what follows would seem to be inside. A thin mark where two numbers would meet."""
        parts = sorted(parts, key=lambda part: bool(FUNCTION.match(part)))
        result = parts[0]
        for part in parts[1:]:
            result += (r" \cdot " if part[:1].isdigit() else r" \, ") + part
        return result

    def is_number(self, text):
        return text.isdigit()

    def ratio(self, above, below):
        return rf"\frac{{{self.times(bare(above))}}}{{{self.times(bare(below))}}}"

    def power(self, base, exponent):
        return (
            f"{base}^{{{exponent}}}"
            if LONE.fullmatch(base) or base.startswith(("(", r"\left("))
            else f"{{{base}}}^{{{exponent}}}"
        )

    def function(self, op, args):
        if op == "sqrt":
            return rf"\sqrt{{{args[0]}}}"
        if op == "exp":
            return f"e^{{{args[0]}}}"
        if op == "floor":
            return rf"\left\lfloor {args[0]} \right\rfloor"
        return f"{self.called(op)} {self.argument(', '.join(args))}"

    def raised_function(self, op, argument, n):
        return f"{self.called(op)}^{{{n}}} {self.argument(argument)}"

    def called(self, op):
        return "\\" + self.function_name(op) if op.isalpha() else rf"\mathrm{{{op}}}"

    def argument(self, text):
        return text if LONE.fullmatch(text) and not text.startswith("-") else self.brackets(text)

    def comparison(self, op, a, b):
        return f"{a} {MARKS[op]} {b}"

    def choice(self, condition, yes, no):
        return rf"\begin{{cases}} {yes} & {condition} \\ {no} & \text{{else}} \end{{cases}}"

    def table(self, table, x):
        mark = "'" * table.order
        return rf"\mathrm{{{self.table_name(table)}}}{mark}{self.brackets(x)}"


def bare(parts):
    """A sum that stands alone above or below needs no brackets."""
    for opening, closing in (("(", ")"), (r"\left(", r"\right)")):
        if len(parts) == 1 and parts[0].startswith(opening):
            inner, after = closed(parts[0].removeprefix(opening), opening, closing)
            if not after:
                return [inner]
    return parts
