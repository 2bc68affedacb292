"""Equations as a part of a web page, or a page of its own: MathML, drawn by the browser without a network or a library.

Browsers do not break mathematics over lines, but between one piece of it and the next. So a sum is written as a piece
for each term, and goes on in the next line where there is no space; terms that are wide themselves may be broken inside
their brackets, or at factors.
"""

import re

from mekane.symbolic.printing.mathml import LESS, MORE, TIMES, depths, is_wide
from mekane.symbolic.printing.mathml_elements import element, identifier, indexed, letter, visible
from mekane.symbolic.printing.printer import write

# marks, and brackets they may stand in; best first
BREAKS = (((MORE, LESS), 0), ((MORE, LESS), 1), ((MORE, LESS, TIMES), 9))
EQUALS = '<mo form="infix">=</mo>'
IN_TITLES = re.compile(r"(d?)(lambda|phi|[A-Za-z])(ᵀ?)('*)|[=+/,-]")
STYLE = """
.mekane-equations { overflow-wrap: anywhere; }
.mekane-equations .lines {
  display: grid; grid-template-columns: auto minmax(8em, 1fr); gap: .3em 0; align-items: baseline;
  overflow: auto hidden; padding: .1em 0;
}
.mekane-equations .left { text-align: right; white-space: nowrap; }
.mekane-equations .right { padding-left: 1.2em; text-indent: -1.2em; line-height: 1.8; }
.mekane-equations math, .mekane-equations .term { text-indent: 0; }
.mekane-equations .term { display: inline-block; }
.mekane-equations summary { cursor: pointer; }
.mekane-equations table { border-collapse: collapse; }
.mekane-equations td { padding: .1em .8em .1em 0; vertical-align: baseline; }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="{policy}"/>
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; color: #1c2733; max-width: 60em; margin: 1em auto; padding: 0 1em; }}
{style}</style>
</head>
<body>
{body}</body>
</html>
"""


def page(eq):
    return PAGE.format(policy=POLICY, title=visible(eq.heading), style=STYLE, body=fragment(eq))


def cell(body):
    """A part of a page that brings its style along: what a notebook shows, also when it is saved as a page."""
    return f'<style>{STYLE}</style>\n<div class="mekane-equations">\n{body}</div>\n'


def fragment(eq):
    """Heading, symbols, parameters, intermediate variables and sections."""
    sections = "".join(f"<h3>{titled(section)}</h3>\n{lines(sides_of(section))}" for section in eq.chapters())
    return (
        f'<section class="mekane-equations">\n<h2>{visible(eq.heading)}</h2>\n{introduction(eq)}{sections}</section>\n'
    )


def sides_of(section):
    return [sides for formula in section.formulas for sides in formula.mathml_sides()]


def introduction(eq):
    """What moves; parameters with values and meanings, and intermediate variables, folded away."""
    listed = lambda names: ", ".join(dict.fromkeys(math(eq.naming.of(name).mathml) for name in names))
    found = "".join(f"<p>{title}: {listed(names)}</p>\n" for title, names in eq.symbols().items() if names)
    parameters = [
        (math(eq.naming.of(name).mathml), *eq.parameters[eq.naming.of(name).text]) for name in eq.used_parameters
    ]
    if parameters:
        number = lambda x: math("".join(eq.book.mathml.number(x)))
        rows = "".join(
            f"<tr><td>{name}</td><td>{number(x)}</td><td>{visible(what)}</td></tr>\n" for name, x, what in parameters
        )
        found += folded(f"Parameters ({len(parameters)})", f"<table>\n{rows}</table>\n")
    if eq.book.definitions:
        sides = [(eq.naming.of(name).mathml, write(x, eq.book.mathml)) for name, x in eq.book.definitions]
        found += folded(f"Intermediate variables ({len(sides)})", lines(sides))
    return found


def folded(title, text):
    return f"<details><summary>{title}</summary>\n{text}</details>\n"


# ---------------------------------------------------------------- lines


def lines(sides):
    """(left, right) sides, aligned at their signs of equality."""
    return '<div class="lines">\n' + "".join(f"{line(left, right)}\n" for left, right in sides) + "</div>\n"


def line(left, right):
    return f'<div class="left">{math(left + EQUALS)}</div><div class="right">{flowing(right)}</div>'


def math(text):
    return f'<math displaystyle="true">{text}</math>'


def flowing(row, level=0, is_first=True):
    """Pieces that may stand in lines of their own: each term of a sum. Wide ones have pieces again, which keep together
    if they can."""
    if level == len(BREAKS) or (level and not is_wide(row)):
        return math("".join(row))
    parts = split(row, *BREAKS[level])
    found = "<wbr/>".join(flowing(part, level + 1, is_first and k == 0) for k, part in enumerate(parts))
    return found if is_first or len(parts) == 1 else f'<span class="term">{found}</span>'


def split(row, marks, deepest):
    """Cut before every mark that is in no more brackets than that."""
    cuts = [
        k for k, (x, depth) in enumerate(zip(row, depths(row), strict=True)) if k and x in marks and depth <= deepest
    ]
    return [row[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(row)], strict=True)]


# ---------------------------------------------------------------- titles


def titled(section):
    """What is mathematics in a title, as such."""
    title = visible(section.title)
    for expression in section.maths:
        title = title.replace(visible(expression), math("".join(mathematics(expression))))
    return title


def mathematics(expression):
    """ "M u' = f + Bᵀ lambda" as elements."""
    for found in IN_TITLES.finditer(expression):
        d, name, transposed, dots = found.groups()
        if name is None:
            yield f"<mo>{found[0].replace('-', '−')}</mo>"
            continue
        if d:
            yield identifier("d" if name in "tp" else "∂")
        shown = dotted(name, len(dots))
        yield element("msup", (shown,), (identifier("T"),)) if transposed else shown


def dotted(name, dots):
    return indexed("<mi>φ</mi>" if name == "phi" else letter(name), [], dots)
