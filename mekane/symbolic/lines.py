"""Lines of LaTeX no wider than a page: long sums are broken at their signs."""

import re

WIDEST = 88  # letters as they are seen: a line of an A4 page at ten points
UNSEEN = re.compile(r"\\(left|right|mathrm|dot|frac|begin\{\w+\}|end\{\w+\}|,|;|quad)|[{}&\\^_]")


def width(latex):
    """About how many letters wide it is; what stands below or above counts less."""
    small = sum(len(seen(part)) for part in re.findall(r"[_^]\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}", latex))
    return len(seen(latex)) - 0.35 * small


def seen(latex):
    return re.sub(r"\\[a-zA-Z]+", "xx", UNSEEN.sub("", latex))


def broken(left, right, widest=WIDEST):
    """[“left &= part”, “&\\quad + part”, …]"""
    lines, line = [], f"{left} &= "
    for k, term in enumerate(split_sum(right)):
        if k and width(line) + width(term) > widest:
            lines.append(line)
            line = r"&\quad "
        line += term
    return [*lines, line]


def split_sum(latex):
    """A sum cut before every sign that is in no bracket, group or fraction."""
    parts, depth, start, k = [], 0, 0, 0
    while k < len(latex):
        if latex.startswith((r"\left", r"\begin"), k):
            depth += 1
        elif latex.startswith((r"\right", r"\end"), k):
            depth -= 1
        elif latex[k] in "{}":
            depth += 1 if latex[k] == "{" else -1
        elif depth == 0 and latex.startswith((" + ", " - "), k):
            parts.append(latex[start:k])
            start = k
        k += 1
    return [*parts, latex[start:]]
