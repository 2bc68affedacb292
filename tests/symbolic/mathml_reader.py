"""What a reader of presentation MathML makes of it: numbers. It knows signs, brackets, fractions, powers, roots,
functions and cases."""

import math

FUNCTIONS = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "arcsin": math.asin, "arccos": math.acos, "arctan": math.atan, "ln": math.log,
    "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "atan2": math.atan2,
}  # fmt: skip
APPLY, TIMES = "\u2061", ("\u2062", "·")


def sign_of(element):
    """The text of an operator, else nothing."""
    return (element.text or "") if element.tag == "mo" else ""


def picture(element):
    """The same for elements that look the same."""
    return (element.tag, (element.text or "").strip(), *(picture(x) for x in element))


class Reader:
    """names: {picture of an element: its value}"""

    def __init__(self, names):
        self.names = names

    def __call__(self, elements):
        self.left = list(flat(elements))
        value = self.sum()
        assert not self.left, f"not read: {[picture(x) for x in self.left]}"
        return value

    def inside(self, *elements):
        return Reader(self.names)(elements)

    def next(self):
        return sign_of(self.left[0]) if self.left else ""

    def take(self):
        return self.left.pop(0)

    def sum(self):
        value = self.product()
        while self.next() in ("+", "−"):
            value += self.product() if sign_of(self.take()) == "+" else -self.product()
        if self.next() in ("<", "≤"):
            mark, other = sign_of(self.take()), self.sum()
            return float(value < other if mark == "<" else value <= other)
        return value

    def product(self):
        if self.next() == "−":
            self.take()
            return -self.product()
        value = self.factor()
        while self.next() in (*TIMES, "/"):
            value = value / self.factor() if sign_of(self.take()) == "/" else value * self.factor()
        return value

    def factor(self):
        element = self.take()
        if self.next() == APPLY:
            return self.function(element)
        if sign_of(element) == "(":
            return self.bracketed()
        if sign_of(element) == "⌊":
            value = math.floor(self.sum())
            assert sign_of(self.take()) == "⌋"
            return value
        if sign_of(element) == "{":
            return self.cases(self.take())
        return self.value(element)

    def bracketed(self):
        """Up to the closing bracket, which may be raised to a power."""
        value = self.sum()
        end = self.take()
        if end.tag == "msup":
            assert sign_of(end[0]) == ")"
            return value ** self.inside(end[1])
        assert sign_of(end) == ")"
        return value

    def function(self, element):
        self.take()
        called, power = (element[0], self.inside(element[1])) if element.tag == "msup" else (element, 1)
        if self.next() != "(":
            return FUNCTIONS[called.text](self.value(self.take())) ** power
        self.take()
        args = [self.sum()]
        while self.next() == ",":
            self.take()
            args.append(self.sum())
        assert sign_of(self.take()) == ")"
        return FUNCTIONS[called.text](*args) ** power

    def cases(self, table):
        (yes, condition), (no, _) = table
        return self.inside(*yes) if self.inside(*condition) else self.inside(*no)

    def value(self, element):
        if picture(element) in self.names:
            return self.names[picture(element)]
        if element.tag == "mn":
            return float(element.text)
        if element.tag == "mfrac":
            return self.inside(element[0]) / self.inside(element[1])
        if element.tag == "msqrt":
            return math.sqrt(self.inside(*element))
        if element.tag == "msup":
            base = math.e if (element[0].tag, element[0].text) == ("mi", "e") else self.inside(element[0])
            return base ** self.inside(element[1])
        if element.tag == "msubsup":
            return self.names[("msub", "", picture(element[0]), picture(element[1]))] ** self.inside(element[2])
        raise ValueError(f"{picture(element)} means nothing")


def flat(elements):
    """Groups mean nothing by themselves."""
    for element in elements:
        yield from flat(element) if element.tag == "mrow" else [element]
