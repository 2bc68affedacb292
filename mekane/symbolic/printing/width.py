"""How wide a formula will be on paper: about as many points as TeX makes of it, at ten points."""

import re

TOKENS = re.compile(r"\\[a-zA-Z]+|\\.|\S")
SMALL = 0.74  # letters above and below, beside others
LETTER, CAPITAL, DIGIT, GREEK, ROMAN = 5.4, 7.2, 5.0, 5.8, 5.3
WIDTHS = {
    "+": 12.3, "-": 12.3, "=": 13.4, "<": 13.4, r"\le": 13.4, r"\cdot": 7.3, "(": 3.9, ")": 3.9, ",": 4.5, ".": 2.8, "/": 5.0, "'": 3.0,
    "m": 8.8, "l": 3.2, "i": 3.5, "j": 4.2, "w": 7.2, "M": 10.0, "I": 5.0,
    r"\,": 1.7, r"\;": 2.8, r"\ ": 3.4, r"\quad": 10.0, r"\mathrm": 0.0, r"\text": 0.0, r"\operatorname": 1.7, r"\dot": 0.0,
    r"\ddot": 0.0, "&": 0.0,
    r"\displaystyle": 0.0, r"\backslash": 5.0, r"\wedge": 6.7, r"\sim": 7.8, r"\lfloor": 4.5, r"\rfloor": 4.5,
}  # fmt: skip
HIGH = {r"\left", r"\right", r"\Bigl", r"\Bigr", r"\bigl", r"\bigr"}  # the bracket after it is larger
FUNCTIONS = {"sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "ln", "exp"}
# what they add: high brackets, a root's sign, a fraction's ends, the brace of cases
HIGHER, ROOT, BAR, BRACE = 3.4, 9.0, 2.4, 19.0


def width(latex):
    """Points, of one line."""
    return _Reader(latex).row()


class _Reader:
    """Reads token by token; every method returns a width."""

    def __init__(self, latex):
        self.tokens, self.at = TOKENS.findall(latex), 0

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def row(self, ends=("}",)):
        """Up to one of these marks, which is taken too and kept in `end`."""
        total = 0.0
        while token := self.take():
            if token in ends:
                break
            total += self.one(token)
        self.end = token
        return total

    def one(self, token):
        if token == "{":
            return self.row()
        if token in "_^":
            return SMALL * self.group()
        if token == r"\frac":
            return max(self.group(), self.group()) + BAR
        if token == r"\sqrt":
            return self.group() + ROOT
        if token == r"\begin":
            return self.cases()
        if token in HIGH:
            return self.group() + HIGHER
        return WIDTHS[token] if token in WIDTHS else plain(token)

    def group(self):
        return self.one(self.take())

    def cases(self):
        """Columns as wide as their widest cell."""
        self.group()
        columns, column = {}, 0
        while True:
            columns[column] = max(columns.get(column, 0.0), self.row(("&", r"\\", r"\end")))
            if self.end not in ("&", r"\\"):
                break
            column = column + 1 if self.end == "&" else 0
        self.group()
        return sum(columns.values()) + BRACE


def plain(token):
    name = token.removeprefix("\\")
    if name in FUNCTIONS:
        return ROMAN * len(name) + WIDTHS[r"\,"]
    if name != token:
        return GREEK
    return DIGIT if name.isdigit() else CAPITAL if name.isupper() else LETTER
