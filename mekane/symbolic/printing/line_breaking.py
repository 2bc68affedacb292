"""Lines of LaTeX no wider than a page: long sums are broken at their signs, outside of brackets if possible, or inside,
or at factors. What cannot be broken and is too wide (fractions, roots, high brackets) is written as a power with
brackets that can."""

import re

from mekane.symbolic.printing.width import width

WIDEST = 460.0  # points: a line of an A4 page with margins of two centimetres is 484 wide, ten of them left free
INDENT = 10.0  # of the second line and those that follow
SIGNS, FACTOR = (" + ", " - "), r" \, "
BREAKS = ((SIGNS, 0), (SIGNS, 1), ((*SIGNS, FACTOR), 9))  # marks, and brackets they may stand in; best first
RIGID = re.compile(r"\\left\(|\\frac(?=\{)|\\sqrt(?=\{)")


def aligned(sides, widest=WIDEST):
    """Rows to be aligned at their &, from (left, right) sides: all left sides share one column."""
    left_column = max((width(left) for left, _ in sides), default=0.0) + width("=")
    return [line for left, right in sides for line in broken(left, right, widest - left_column)]


def broken(left, right, available):
    """[“left &= part”, “&\\quad + part”, …], with so much space available right of the & [points]."""
    lines, start, line = [], f"{left} &= ", ""
    for piece in pieces(right, available - INDENT):
        if line and width(line + piece) > available:
            lines.append(start + line)
            start, line = r"&\quad ", ""
            available, piece = available if len(lines) > 1 else available - INDENT, continued(piece)
        line += piece
    return [*lines, start + line]


def continued(piece):
    """A line that goes on with a factor begins with a dot."""
    return r"\cdot " + piece.removeprefix(FACTOR) if piece.startswith(FACTOR) else piece.lstrip()


def pieces(latex, widest, level=0):
    """A sum in pieces that fit, as large as they can be."""
    if width(latex) <= widest:
        return [latex]
    if level == len(BREAKS):
        softer = softened(latex)
        return [latex] if softer == latex else pieces(softer, widest)
    return [piece for part in split(latex, *BREAKS[level]) for piece in pieces(part, widest, level + 1)]


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


def softened(latex):
    """The first high bracket, fraction or root in a form that can be broken."""
    found = RIGID.search(latex)
    if not found:
        return latex
    before, rest = latex[: found.start()], latex[found.end() :]
    if found[0] == r"\left(":
        inner, after = closed(rest, r"\left", r"\right")
        return rf"{before}\Bigl({inner}\Bigr){after.removeprefix(')')}"
    first, after = closed(rest[1:], "{", "}")
    if found[0] == r"\sqrt":
        return rf"{before}\bigl({first}\bigr)^{{1/2}}{after}"
    below, after = closed(after[1:], "{", "}")
    above = "" if first == "1" else first + FACTOR
    return before + above + reciprocal(below) + after


def reciprocal(below):
    """1/√x as x to the power of −½, anything else to that of −1."""
    if below.startswith(r"\sqrt{"):
        inner, after = closed(below.removeprefix(r"\sqrt{"), "{", "}")
        if not after:
            return rf"\bigl({inner}\bigr)^{{-1/2}}"
    return rf"\bigl({below}\bigr)^{{-1}}"


def closed(latex, opening, closing):
    """(what stands before the mark that closes a group opened just now, what comes after that mark)"""
    depth = 1
    for found in re.finditer(f"{re.escape(opening)}|{re.escape(closing)}", latex):
        depth += 1 if found[0] == opening else -1
        if depth == 0:
            return latex[: found.start()], latex[found.end() :]
    return latex, ""
