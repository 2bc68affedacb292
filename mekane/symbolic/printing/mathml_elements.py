"""Elements of MathML as texts, and the names in them: nothing in a name means anything to a browser."""

import re
import unicodedata
from html import escape

from mekane.symbolic.printing.latex_text import GREEK

NAME_AND_NUMBER = re.compile(r"([A-Za-z]+?)_?(\d*)")
AS_LATEX_HAS_THEM = {"phi": "ϕ", "epsilon": "ϵ"}
DOTS = {1: "˙", 2: "¨"}
COMMA, KEPT_SPACE = "<mo>,</mo>", "\u00a0"


def element(tag, *children):
    """Each child is a row: a tuple of elements. One that is not a single element is grouped."""
    return f"<{tag}>{''.join(map(grouped, children))}</{tag}>"


def grouped(row):
    return row[0] if len(row) == 1 else f"<mrow>{''.join(row)}</mrow>"


def number(text):
    return f"<mn>{text}</mn>"


def identifier(text):
    """An element <mi>: a single letter is slanted, a longer name upright. Spaces are kept."""
    return f"<mi>{visible(text).replace(' ', KEPT_SPACE)}</mi>"


def visible(text):
    """As it is shown; signs that are not visible by their numbers."""
    return escape("".join(" " if x.isspace() else x if x.isprintable() else f"U{ord(x):x}" for x in text), quote=False)


def named(text):
    """The row of a part of a name: "alpha1" → α1, "12" → a number."""
    found = NAME_AND_NUMBER.fullmatch(text)
    if text.isascii() and text.isdigit():
        return (number(text),)
    if found and found[1] in GREEK:
        return (identifier(greek(found[1])), *([number(found[2])] if found[2] else []))
    return (identifier(text),)


def letter(text):
    return identifier(greek(text) if text in GREEK else text)


def greek(name):
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    return AS_LATEX_HAS_THEM.get(name) or unicodedata.lookup(
        f"GREEK {size} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}"
    )


def indexed(letter, below, dots=0, above=()):
    """An element: a letter with rows below it, apart by commas, a row above it, and dots over it."""
    if dots:
        letter = f'<mover>{letter}<mo stretchy="false" mathsize="130%">{DOTS[dots]}</mo></mover>'
    row = tuple(x for part in below for x in (COMMA, *part))[1:]
    tag = "m" + "sub" * bool(row) + "sup" * bool(above)
    return element(tag, (letter,), *filter(None, (row, above))) if row or above else letter
