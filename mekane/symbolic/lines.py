"""Lines of LaTeX no wider than a page: long sums are broken at their signs, outside of brackets if possible, or inside, or at factors."""

import re

WIDEST = 74  # letters as they are seen: a line of an A4 page at ten points
UNSEEN = re.compile(r"\\(left|right|mathrm|dot|frac|begin\{\w+\}|end\{\w+\}|,|;|quad)|[{}&\\^_]")
BELOW = re.compile(r"[_^]\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
SMALL = 0.35  # what a small letter is less than others
BREAKS = (((" + ", " - "), 0), ((" + ", " - "), 1), ((" + ", " - ", r" \, "), 9))  # marks, and brackets they may stand in; best first


def width(latex):
    """About how many letters wide it is; what stands below or above counts less."""
    return len(seen(latex)) - SMALL * sum(len(seen(part)) for part in BELOW.findall(latex))


def seen(latex):
    return re.sub(r"\\[a-zA-Z]+", "xx", UNSEEN.sub("", latex))


def broken(left, right, widest=WIDEST):
    """[“left &= part”, “&\\quad + part”, …]"""
    lines, line = [], f"{left} &= "
    for k, piece in enumerate(pieces(right, widest - 4)):
        if k and width(line) + width(piece) > widest:
            lines.append(line)
            line, piece = r"&\quad ", piece.removeprefix(r" \, ")
        line += piece
    return [*lines, line]


def pieces(latex, widest, level=0):
    """A sum in pieces that fit, as large as they can be."""
    if level == len(BREAKS) or width(latex) <= widest and level > 0:
        return [latex]
    parts = split(latex, *BREAKS[level])
    return [piece for part in parts for piece in ([part] if width(part) <= widest else pieces(part, widest, level + 1))]


def split(latex, marks, deepest):
    """Cut before every mark that is in no group or fraction, and in no more brackets than that."""
    parts, groups, brackets, start = [], 0, 0, 0
    for k, letter in enumerate(latex):
        if letter in "{}":
            groups += 1 if letter == "{" else -1
        elif latex.startswith((r"\left", r"\begin"), k):
            groups += 1
        elif latex.startswith((r"\right", r"\end"), k):
            groups -= 1
        elif letter in "()" and not latex[:k].endswith((r"\left", r"\right")):
            brackets += 1 if letter == "(" else -1
        elif k > start and groups == 0 and brackets <= deepest and latex.startswith(marks, k):
            parts.append(latex[start:k])
            start = k
    return [*parts, latex[start:]]
