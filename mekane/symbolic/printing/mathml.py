"""MathML, which browsers draw without any help. What is written is a row: a tuple of elements, each of them a text.

Sums, products and brackets stand side by side in their row, so that a long one can be cut at any of its signs;
fractions and roots that are wide are written as powers for that.
"""

import re
from itertools import accumulate

from mekane.symbolic.printing.mathml_elements import COMMA, element, grouped, identifier, number
from mekane.symbolic.printing.printer import Typeset, digits

MARKS = {"less": "<mo>&lt;</mo>", "less_equal": "<mo>≤</mo>"}
MINUS, MORE, LESS = '<mo form="prefix">−</mo>', '<mo form="infix">+</mo>', '<mo form="infix">−</mo>'
TIMES, DOT = '<mo rspace="0.17em">\u2062</mo>', "<mo>·</mo>"
APPLIED, APPLIED_TO_BRACKETS = '<mo rspace="0.17em">\u2061</mo>', "<mo>\u2061</mo>"
OPEN, CLOSE = '<mo form="prefix" stretchy="false">(</mo>', '<mo form="postfix" stretchy="false">)</mo>'
HIGH_OPEN, HIGH_CLOSE = '<mo form="prefix">(</mo>', '<mo form="postfix">)</mo>'
OPENING, CLOSING = (OPEN, HIGH_OPEN), (CLOSE, HIGH_CLOSE)
CLOSING_OR_RAISED = (*CLOSING, *(f"<msup>{x}" for x in CLOSING))
HALF = (number("1"), "<mo>/</mo>", number("2"))
HIGH = ("<mfrac", "<msqrt", "<mtable")

WIDEST, LETTER, SMALLER = 12.0, 0.5, 0.7  # em of what need not be cut, em of a letter and its share in an index, about
TAGS, INDEX = re.compile(r"<[^>]*>|[\u2061\u2062]"), re.compile(r"<msu\w+>.*?</msu\w+>")


class MathML(Typeset):
    format = "mathml"
    minus, more, less = (MINUS,), (MORE,), (LESS,)

    def name(self, name):
        return (super().name(name),)

    def number(self, x):
        text = digits(x)
        sign, text = (self.minus, text[1:]) if text.startswith("-") else ((), text)
        mantissa, e, exponent = text.partition("e")
        power = (DOT, element("msup", (number("10"),), self.number(int(exponent)))) if e else ()
        return (*sign, number(mantissa), *power)

    def brackets(self, row):
        """As high as what is inside, where that is high."""
        is_high = any(element.startswith(HIGH) for element in row)
        return (HIGH_OPEN, *row, HIGH_CLOSE) if is_high else (OPEN, *row, CLOSE)

    def times(self, parts):
        """Functions last: what follows would seem to be inside. A mark where two numbers would meet."""
        first, *others = sorted(parts, key=lambda row: APPLIED in row[1:2])
        return (*first, *(x for row in others for x in (DOT if row[0].startswith("<mn") else TIMES, *row)))

    def is_number(self, row):
        return row[0].startswith("<mn") and len(row) == 1

    def ratio(self, above, below):
        """A wide one is written as a product with a reciprocal."""
        top, bottom = self.times(bare(above)), self.times(bare(below))
        if is_wide(top) or is_wide(bottom):
            return self.times([*above, self.power(self.brackets(bottom), self.number(-1.0))])
        return (element("mfrac", top, bottom),)

    def power(self, base, exponent):
        """Of what is in brackets, the closing one carries the exponent; above an index it stands as far left as
        that."""
        if base[-1] in CLOSING:
            return (*base[:-1], element("msup", base[-1:], exponent))
        if base[0].startswith("<msub>"):
            return (f"<msubsup>{base[0].removeprefix('<msub>').removesuffix('</msub>')}{grouped(exponent)}</msubsup>",)
        return (element("msup", base, exponent),)

    def function(self, op, args):
        if op == "sqrt":
            return (
                self.power(self.brackets(args[0]), HALF)
                if is_wide(args[0])
                else (f"<msqrt>{''.join(args[0])}</msqrt>",)
            )
        if op == "exp":
            return (element("msup", (identifier("e"),), args[0]),)
        if op == "floor":
            return (f"<mrow><mo>⌊</mo>{''.join(args[0])}<mo>⌋</mo></mrow>",)
        return self.applied(identifier(self.function_name(op)), args)

    def raised_function(self, op, argument, n):
        return self.applied(element("msup", (identifier(op),), self.number(n)), [argument])

    def applied(self, function, args):
        """A single symbol needs no brackets."""
        if len(args) == 1 and len(args[0]) == 1 and args[0][0].startswith(("<mi", "<msub>", "<mover")):
            return (function, APPLIED, *args[0])
        row = tuple(x for arg in args for x in (COMMA, *arg))[1:]
        return (function, APPLIED_TO_BRACKETS, *self.brackets(row))

    def comparison(self, op, a, b):
        return (*a, MARKS[op], *b)

    def choice(self, condition, yes, no):
        cell = lambda row: f"<mtd>{grouped(row)}</mtd>"
        rows = f"<mtr>{cell(yes)}{cell(condition)}</mtr><mtr>{cell(no)}<mtd><mtext>else</mtext></mtd></mtr>"
        return (f'<mrow><mo form="prefix">{{</mo><mtable>{rows}</mtable></mrow>',)

    def table(self, table, x):
        called = identifier(self.table_name(table))
        return self.applied(element("msup", (called,), ("<mo>′</mo>",) * table.order) if table.order else called, [x])


def bare(parts):
    """A sum that stands alone above or below needs no brackets."""
    if len(parts) == 1 and parts[0][0] in OPENING and parts[0][-1] in CLOSING and 0 not in depths(parts[0])[:-1]:
        return [parts[0][1:-1]]
    return parts


def depths(row):
    """In how many brackets it goes on after each element."""
    return list(accumulate((x in OPENING) - x.startswith(CLOSING_OR_RAISED) for x in row))


def is_wide(row):
    text = "".join(row)
    small = sum(len(TAGS.sub("", x)) for x in INDEX.findall(text))
    return LETTER * (len(TAGS.sub("", text)) - (1.0 - SMALLER) * small) > WIDEST
