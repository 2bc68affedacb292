"""The numbers inside an expression such as 5*sin(3*t) - 1e-1*x, and the expression with one of them changed."""

import re
from dataclasses import dataclass

NAMES = r"""\"[^\"]*\"|'[^']*'|\$\{[^{}]*\}"""  # numbers in them are no numbers
NUMBERS = re.compile(rf"{NAMES}|(?P<number>(?<![\w.}}])(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))")
SIGN = re.compile(r"(?:^\s*\$?|[(,])\s*(?P<sign>-\s*)$")  # it can belong to nothing else
RAISED = re.compile(r"\s*\*\*")
OPEN = re.compile(r"(?:^\s*\$?|[(,])\s*$")


@dataclass(frozen=True)
class Literal:
    """Characters begin … end − 1 of an expression, with the sign if it can only be of this number."""

    begin: int
    end: int
    value: float


def literals_in(text: str) -> list[Literal]:
    return [_signed(text, found) for found in NUMBERS.finditer(text) if found["number"]]


def _signed(text, found) -> Literal:
    value, sign = float(found[0]), SIGN.search(text[: found.start()])
    if sign and not RAISED.match(text, found.end()):
        return Literal(sign.start("sign"), found.end(), -value)
    return Literal(found.start(), found.end(), value)


def with_number(text: str, k: int, number: str) -> str:
    """The expression with another number in the k-th place; in brackets where its sign could be misread."""
    old = literals_in(text)[k]
    free = OPEN.search(text[: old.begin]) and not RAISED.match(text, old.end)
    if number.startswith("-") and not free:
        number = f"({number})"
    return text[: old.begin] + number + text[old.end :]
