"""Formulas: arrays of expressions with a symbol of their own, that write themselves as text, LaTeX, MathML and
SymPy."""

from functools import cached_property

import numpy as np

from mekane.errors import ModelError, did_you_mean
from mekane.expressions.graph import Expr, count, evaluate, inputs, substitute
from mekane.symbolic.printing import html
from mekane.symbolic.printing.latex import Latex
from mekane.symbolic.printing.line_breaking import aligned
from mekane.symbolic.printing.mathml import CLOSE, OPEN, MathML
from mekane.symbolic.printing.mathml_elements import grouped, indexed, letter, named
from mekane.symbolic.printing.naming import below_in_latex
from mekane.symbolic.printing.printer import write
from mekane.symbolic.printing.sympy import SympyForm
from mekane.symbolic.printing.text import Text
from mekane.symbolic.simplify.intermediate_variables import Intermediates

LETTERS = {"F*": "F^{*}", "phi": r"\varphi", "omega": r"\omega", "H'": r"\dot{H}", "ma": "(ma)"}
MATHML_LETTERS = {"phi": "<mi>φ</mi>", "ma": grouped((OPEN, "<mi>m</mi>", "<mi>a</mi>", CLOSE))}


class Book:
    """What all formulas of one set of equations share: names, values of parameters, intermediate variables."""

    def __init__(self, naming, moving, values):
        self.naming, self.moving, self.values = naming, list(moving), dict(values)
        self.intermediates = Intermediates([*values, *(short.text for short in naming.names.values())])
        self._expanded = {}
        self.text, self.latex, self.mathml = Text(naming), Latex(naming), MathML(naming)

    @property
    def definitions(self):
        """(name, expression) of every intermediate variable, in order."""
        return self.intermediates.definitions

    @cached_property
    def sympy(self):
        return SympyForm(self.naming, self.moving)

    def expanded(self):
        """{name: expression} of every intermediate variable, without others in it; each is put in once."""
        for name, expr in self.definitions[len(self._expanded) :]:
            self._expanded[name] = substitute(expr, self._expanded)
        return self._expanded

    def numbers(self, values):
        """{name: number} of everything, from the given ones (full names, or short ones) and the values of
        parameters."""
        known = {short.text: name for name, short in self.naming.names.items()}
        for name in values:
            # rates of what moves are known wherever they stand
            if name not in known and name.rstrip("'") not in self.naming.names:
                raise ModelError(
                    f"{name}",
                    "it stands in no equation",
                    "names of what moves and of parameters",
                    did_you_mean(name, known).strip(),
                )
        given = {known.get(name, name): value for name, value in values.items()}
        found = self.values | given
        for name, expr in self.definitions:
            missing = [x for x in inputs([expr]) if x not in found]
            if missing:
                break
            found[name] = evaluate(expr, found)
        return found


class Formula:
    """One expression, a column, or a matrix, called `symbol`. Indexing gives the parts; `expr` is the array of
    expressions itself.

    rows, columns: full names of what its rows and columns belong to.  owner: the body it is a vector of.  place: of one
        element.
    """

    def __init__(self, symbol, expr, book, rows=(), columns=(), owner="", place=()):
        self.symbol, self.book, self.owner, self.place = symbol, book, owner, place
        self.expr = np.array(expr, object)
        self.rows, self.columns = list(rows), list(columns)

    @property
    def shape(self):
        return self.expr.shape

    def __len__(self):
        return len(self.expr)

    def __getitem__(self, place):
        """One element keeps its mark; rows, columns and pieces are marked anew."""
        part = np.array(self.expr[place], object)
        if part.ndim or not self.expr.ndim:
            return Formula(self.symbol, part, self.book)
        at = tuple(k % n for k, n in zip(np.atleast_1d(place).tolist(), self.shape, strict=True))
        return Formula(self.symbol, part, self.book, self.rows, self.columns, self.owner, at)

    def each(self, function):
        """An object array of what a function makes of every expression."""
        found = np.empty(self.expr.shape, object)
        for place in np.ndindex(self.expr.shape):
            found[place] = function(self.expr[place])
        return found

    @property
    def operations(self):
        """How many operations computing it takes, common parts once."""
        return count([x for x in self.expr.ravel() if isinstance(x, Expr)])

    @property
    def sympy(self):
        """As SymPy has it: an expression, or a Matrix. Intermediate variables are put in."""
        form = self.book.sympy
        found = self.each(lambda x: form(self.without_intermediates(x)))
        if found.ndim == 0:
            return found.item()
        return form.sympy.Matrix(found.reshape(len(found), -1).tolist()) if found.size else form.sympy.Matrix(0, 0, [])

    def without_intermediates(self, x):
        return substitute(x, self.book.expanded()) if isinstance(x, Expr) else x

    def simplify(self):
        """SymPy's simplification of it. Slow for anything large."""
        import sympy

        found = self.sympy
        return found.applyfunc(sympy.simplify) if hasattr(found, "applyfunc") else sympy.simplify(found)

    def evaluate(self, **values):
        """Its numbers: evaluate(q_shoulder=0.3, u_shoulder=1.0). Parameters have the model's values unless given."""
        found = self.book.numbers(values)
        wanted = [x for x in self.expr.ravel() if isinstance(x, Expr)]
        missing = [self.book.naming.of(name).text for name in inputs(wanted) if name not in found]
        if missing:
            remedy = f"Write evaluate({missing[0]}=0.3, …), or evaluate(**{{{missing[0]!r}: 0.3}})."
            raise ModelError(
                f"{self.symbol}",
                f"{', '.join(missing)} is not given",
                "a number for everything that moves is expected",
                remedy,
            )
        return np.array(evaluate(list(self.expr.ravel()), found), float).reshape(self.expr.shape)

    # ---------------------------------------------------------------- written

    @property
    def text(self):
        return "\n".join(f"{left} = {write(x, self.book.text)}" for left, x in self.lines())

    @property
    def latex(self):
        """To stand between dollars, or in any display."""
        rows = self.latex_rows()
        return (
            rows[0].replace("&", "")
            if len(rows) == 1
            else "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"
        )

    def latex_rows(self):
        """Lines to be aligned at their &, long ones broken at their signs."""
        return aligned(self.latex_sides())

    def latex_sides(self):
        return [(left, write(x, self.book.latex)) for left, x in self.lines(self.called_in_latex)]

    @property
    def mathml(self):
        """A part of a web page."""
        return html.lines(self.mathml_sides())

    def mathml_sides(self):
        """[(element, row)] of all lines."""
        return [(left, write(x, self.book.mathml)) for left, x in self.lines(self.called_in_mathml)]

    def lines(self, called=None):
        """[(left side, expression)], zeros left out of matrices, the lower half of symmetric ones too."""
        call = called or self.called
        if self.expr.ndim == 0:
            return [(call(self.place), self.expr.item())]
        return [(call(place), self.expr[place]) for place in np.ndindex(self.expr.shape) if self.is_shown(place)] or [
            (call(()), 0.0)
        ]

    def called(self, place):
        """M[1,2], F[1], omega_arm[x], q_hinge'"""
        if self.symbol == "q'":
            return self.book.naming.of(self.rows[place[0]]).text + "'"
        name = f"{self.symbol}_{self.owner}" if self.owner else self.symbol
        return f"{name}[{','.join(self.marks(place))}]" if place else name

    def called_in_latex(self, place):
        if self.symbol == "q'":
            return self.book.naming.of(self.rows[place[0]])._replace(dots=1).latex
        letter = LETTERS.get(self.symbol, self.symbol)
        below = [below_in_latex(self.owner)] * bool(self.owner) + self.marks(place)
        return f"{letter}_{{{','.join(below)}}}" if below else letter

    def called_in_mathml(self, place):
        if self.symbol == "q'":
            return self.book.naming.of(self.rows[place[0]])._replace(dots=1).mathml
        below = [named(self.owner)] * bool(self.owner) + [named(mark) for mark in self.marks(place)]
        shown = MATHML_LETTERS.get(self.symbol) or letter(self.symbol.rstrip("*'"))
        return indexed(shown, below, self.symbol.count("'"), ("<mo>*</mo>",) * self.symbol.count("*"))

    def marks(self, place):
        """The index: axes by their letters, all else by numbers."""
        names = (self.rows, self.columns)
        return [
            names[axis][k] if names[axis] and len(names[axis][k]) == 1 else str(k + 1) for axis, k in enumerate(place)
        ]

    def is_shown(self, place):
        if self.expr.ndim < 2 and not self.owner:
            return True
        x = self.expr[place]
        is_zero = not isinstance(x, Expr) and x == 0.0
        return not is_zero and not (self.is_symmetric and place[1] < place[0])

    @cached_property
    def is_symmetric(self):
        e = self.expr
        return e.ndim == 2 and e.shape[0] == e.shape[1] and all(same(e[i, j], e[j, i]) for i, j in np.ndindex(e.shape))

    def __str__(self):
        return self.text

    __repr__ = __str__

    def _repr_html_(self):
        return html.cell(self.mathml)

    def _repr_latex_(self):
        return f"$\\displaystyle {self.latex}$"


def same(a, b):
    return a is b or (not isinstance(a, Expr) and not isinstance(b, Expr) and a == b)
