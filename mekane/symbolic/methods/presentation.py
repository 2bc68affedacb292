"""What the equations by every method have in common: how expressions are tidied, named and put in order."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from mekane.errors import ModelError
from mekane.expressions.graph import Expr, count, inputs
from mekane.symbolic.printing import html
from mekane.symbolic.printing.formula import Book, Formula
from mekane.symbolic.printing.latex_text import escaped_text
from mekane.symbolic.printing.line_breaking import aligned
from mekane.symbolic.printing.naming import Naming
from mekane.symbolic.printing.printer import digits, write
from mekane.symbolic.simplify.tidy import Tidy

MOST_TERMS = 400  # of one expression, while it is multiplied out
LONGEST = 40  # terms of one expression, to be shown so
LINES_IN_NOTEBOOKS = 200  # of one section
MOST_OPERATIONS = 4000  # of mass matrix, forcing and constraints as traced, to try it at all


TITLES = {
    "M u' = f + Bᵀ lambda + s": r"M \dot{u} = f + B^T \lambda + s", "M u' = f + s": r"M \dot{u} = f + s",
    "M u' = f + Bᵀ lambda": r"M \dot{u} = f + B^T \lambda", "M u' = f": r"M \dot{u} = f", "B u' + b = 0": r"B \dot{u} + b = 0",
    "M q'' = f + Gᵀ lambda + s": r"M \ddot{q} = f + G^T \lambda + s", "M q'' = f + s": r"M \ddot{q} = f + s",
    "phi = 0": r"\varphi = 0", "M q'' = f + Gᵀ lambda": r"M \ddot{q} = f + G^T \lambda", "M q'' = f": r"M \ddot{q} = f",
    "G q'' + b = 0": r"G \ddot{q} + b = 0", "p = dT/dq'": r"p = \partial T / \partial \dot{q}",
    "E = dp/dt - dT/dq + dV/dq = Q + Gᵀ lambda + s":
        r"E = \dot{p} - \partial T / \partial q + \partial V / \partial q = Q + G^T \lambda + s",
    "E = dp/dt - dT/dq + dV/dq = Q + s": r"E = \dot{p} - \partial T / \partial q + \partial V / \partial q = Q + s",
    "E = dp/dt - dT/dq + dV/dq = Q + Gᵀ lambda":
        r"E = \dot{p} - \partial T / \partial q + \partial V / \partial q = Q + G^T \lambda",
    "E = dp/dt - dT/dq + dV/dq = Q": r"E = \dot{p} - \partial T / \partial q + \partial V / \partial q = Q",
    "E = d/dt dR/dq' - dR/dq = Q": r"E = \frac{d}{dt} \partial R / \partial \dot{q} - \partial R / \partial q = Q",
    "ma = R + F + S, H' = T + M + U": r"m a = R + F + S, \dot{H} = T + M + U",
    "ma = R + F, H' = T + M": r"m a = R + F, \dot{H} = T + M",
}  # fmt: skip
DOCUMENT = r"""\documentclass[a4paper,fleqn]{article}
\usepackage[T1]{fontenc}
\usepackage{amsmath}
\usepackage[margin=2cm]{geometry}
\allowdisplaybreaks
\setlength{\mathindent}{1em}
\begin{document}
\section*{TITLE}
BODY
\end{document}
"""


class Section(NamedTuple):
    title: str
    formulas: list

    @property
    def latex_title(self):
        """What is mathematics in a title, as such."""
        title = self.title
        for plain, latex in TITLES.items():
            title = title.replace(plain, f"${latex}$")
        return title

    @property
    def maths(self):
        """What is mathematics in a title."""
        return [plain for plain in TITLES if plain in self.title]

    @property
    def latex_sides(self):
        """[(left, right)] of all lines."""
        return [sides for formula in self.formulas for sides in formula.latex_sides()]


class Presented:
    """Base of the equations by a method; `sections()` lists what is shown, in order."""

    method = ""

    def __init__(self, traced, form="auto"):
        self.traced, self.trace, self.system, self.formulation = traced, traced.trace, traced.system, traced.formulation
        trace = self.trace
        self.bodies = list(trace.compiled.system.bodies)
        self.has_rows = bool(trace.compiled.n_rows)
        moving = [
            *trace.compiled.coordinates,
            *trace.compiled.speeds,
            *(x.name for x in (*trace.integrals, *trace.multipliers)),
        ]
        self.naming = Naming(trace, traced.values)
        self.book = Book(self.naming, moving, traced.values)
        self.form = self.chosen(form)

    def chosen(self, form):
        """Expanded where that is short; an error where that is requested and it is long."""
        if form == "z":
            return form
        size = count([x for x in self.essential() if isinstance(x, Expr)])
        fits = size <= MOST_OPERATIONS and all(self.tidied(x) is not None for x in self.essential())
        if form == "expanded" and not fits:
            problem = f"multiplied out, its equations have more than {LONGEST} terms in one place (with common parts: {size} operations)"
            remedy = 'Use form="z": intermediate variables.'
            raise ModelError(f"system {self.system.name!r}", problem, "small systems can be expanded", remedy)
        return "expanded" if fits else "z"

    def essential(self):
        """What must be short for the expanded form."""
        trace = self.trace
        return [*trace.mass_matrix.ravel(), *trace.forcing, *(trace.rows.B.ravel() if self.has_rows else [])]

    @cached_property
    def tidy(self):
        c = self.trace.compiled
        moving = ["t", *(f"{name}'" for name in c.speeds), *c.speeds, *c.coordinates]
        return Tidy(self.traced.values, moving, MOST_TERMS, self.trace.units)

    def symbols(self):
        """{what they are: full names} of all that is no parameter."""
        trace = self.trace
        coordinates, multipliers = [q.name for q in trace.q if isinstance(q, Expr)], [x.name for x in trace.multipliers]
        return {"Coordinates": coordinates, "Speeds": list(trace.compiled.speeds), "Multipliers": multipliers}

    def called(self, what):
        """Short names of one kind of symbols."""
        return [self.naming.of(name).text for name in self.symbols()[what]]

    @property
    def coordinates(self):
        """Short names of the coordinates."""
        return self.called("Coordinates")

    @property
    def speeds(self):
        return self.called("Speeds")

    @property
    def multipliers(self):
        return self.called("Multipliers")

    @property
    def parameters(self):
        """{short name: (value, meaning)} of those that stand in the equations."""
        values, meanings = self.traced.values, self.traced.meanings
        return {
            self.naming.of(name).text: (values[name], meanings.get(name, "parameter")) for name in self.used_parameters
        }

    @property
    def intermediate(self):
        """{name: text} of every intermediate variable, in the order to compute them."""
        self.chapters()  # names whatever is common
        return {self.naming.of(name).text: write(expr, self.book.text) for name, expr in self.book.definitions}

    @cached_property
    def used_parameters(self):
        """Full names of the parameters that stand in the equations."""
        used = set(
            inputs(
                [
                    x
                    for x in (*self.essential(), *self.trace.energies[2].values(), *self.trace.rows.phi)
                    if isinstance(x, Expr)
                ]
            )
        )
        return [name for name in self.traced.values if name in used]

    # ---------------------------------------------------------------- making formulas

    def formula(self, symbol, value, rows=(), columns=(), owner=""):
        """The formula, in the form chosen. rows, columns: full names of what they belong to."""
        value = np.array(value, object)
        flat = list(value.ravel())
        found = np.empty(value.size, object)
        found[:] = self.in_form(flat)
        return Formula(symbol, found.reshape(value.shape), self.book, rows, columns, owner)

    def in_form(self, expressions):
        """Tidy ones, roots and the like of long sums by name; with intermediate variables where that is the form, or
        one is too long."""
        found = [None if self.form == "z" else self.tidied(x) for x in expressions]
        long = [k for k, x in enumerate(found) if x is None]
        short = [k for k, x in enumerate(found) if x is not None]
        name = self.book.intermediates
        for places, new in (
            (short, name.of_long_functions([found[k] for k in short])),
            (long, name([expressions[k] for k in long])),
        ):
            for k, x in zip(places, new, strict=True):
                found[k] = x
        return found

    def tidied(self, x):
        return self.tidy(x, LONGEST)

    def column(self, symbol, values, names):
        return self.formula(symbol, values, names)

    def vector(self, symbol, values, body):
        """Three components, called by their axes."""
        return self.formula(symbol, values, "xyz", owner=body)

    # ---------------------------------------------------------------- shown

    def sections(self):
        raise NotImplementedError

    def chapters(self):
        """Sections with something in them; intermediate variables, once all is written, come first."""
        return [section for section in self.sections() if section.formulas]

    @property
    def text(self):
        """Everything, as plain text."""
        parts = [
            f"{section.title}\n{indented(formula.text for formula in section.formulas)}" for section in self.chapters()
        ]
        return "\n\n".join([self.heading, *self.introduction(), *parts])

    @property
    def latex(self):
        """Everything, as LaTeX to be put into a document that uses amsmath."""
        parts = [latex_section(section.latex_title, aligned(section.latex_sides)) for section in self.chapters()]
        return "\n\n".join([*self.latex_introduction(), *parts]) + "\n"

    @property
    def document(self):
        """The same as a document that LaTeX makes pages of."""
        return DOCUMENT.replace("TITLE", escaped_text(self.heading)).replace("BODY", self.latex)

    @property
    def mathml(self):
        """Everything, as a part of a web page: mathematics that browsers draw themselves. `html.STYLE` goes with it."""
        return html.fragment(self)

    @property
    def html(self):
        """The same as a page of its own."""
        return html.page(self)

    @property
    def heading(self):
        return f"{self.system.name}: equations of motion by {self.method}, {self.formulation} formulation"

    def introduction(self):
        """Coordinates, speeds, parameters, intermediate variables."""
        self.chapters()  # names whatever is common
        lines = [
            f"{title}: {', '.join(dict.fromkeys(self.called(title)))}"
            for title, names in self.symbols().items()
            if names
        ]
        parts = ["\n".join(lines)]
        if self.parameters:
            rows = [f"{name} = {digits(value)}    {meaning}" for name, (value, meaning) in self.parameters.items()]
            parts.append("Parameters\n" + indented(rows))
        if self.book.definitions:
            rows = [f"{name} = {text}" for name, text in self.intermediate.items()]
            parts.append("Intermediate variables\n" + indented(rows))
        return parts

    def latex_introduction(self):
        self.chapters()
        listed = lambda names: ", ".join(dict.fromkeys(f"${self.naming.of(name).latex}$" for name in names))
        c = self.trace.compiled
        lines = [
            r"{\raggedright",
            f"Coordinates {listed(c.coordinates)}" + (f"; speeds {listed(c.speeds)}." if self.speeds else "."),
        ]
        if self.parameters:
            number = lambda name: self.book.latex.number(self.traced.values[name])
            values = [f"${self.naming.of(name).latex} = {number(name)}$" for name in self.used_parameters]
            lines.append("Parameters: " + ", ".join(values) + ".")
        lines.append(r"\par}")
        if self.book.definitions:
            sides = [(self.naming.of(name).latex, write(x, self.book.latex)) for name, x in self.book.definitions]
            lines.append(latex_section("Intermediate variables", aligned(sides)))
        return lines

    def to_dict(self):
        """Plain data: names, parameters, and every formula as text."""
        sections = {
            section.title: [line for formula in section.formulas for line in formula.text.splitlines()]
            for section in self.chapters()
        }
        named = dict(coordinates=self.coordinates, speeds=self.speeds, multipliers=self.multipliers)
        parameters = {name: {"value": value, "meaning": meaning} for name, (value, meaning) in self.parameters.items()}
        about = dict(system=self.system.name, method=self.method, formulation=self.formulation, form=self.form)
        return about | named | dict(parameters=parameters, intermediate=self.intermediate, sections=sections)

    def __str__(self):
        return self.text

    __repr__ = __str__

    def _repr_html_(self):
        """MathML, which needs no network; None of many equations, which are then shown as Markdown, shortened."""
        lines = sum(len(formula.lines()) for section in self.chapters() for formula in section.formulas)
        return html.cell(html.fragment(self)) if lines + len(self.book.definitions) <= LINES_IN_NOTEBOOKS else None

    def _repr_markdown_(self):
        from mekane.symbolic.printing.markdown import page

        return f"## {self.heading}\n\n{page(self, most_lines=LINES_IN_NOTEBOOKS)}"


def indented(texts):
    return "\n".join("    " + line for text in texts for line in text.splitlines())


def latex_section(title, rows):
    return f"\\paragraph{{{title}}}\n\\begin{{align*}}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"
