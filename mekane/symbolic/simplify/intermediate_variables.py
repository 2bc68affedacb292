"""Intermediate variables z1, z2 …: what is used more than once, or is long, is computed once and named (as Autolev
does)."""

import re

from mekane.expressions.graph import Expr, symbol, topological
from mekane.expressions.node import node as make
from mekane.symbolic.simplify.straight_line import LEAVES, kept_apart
from mekane.symbolic.simplify.tidy import written_size

LONGEST = 24  # operations in one line
LONGEST_INSIDE = 16  # operations and inputs inside a root, a fraction's lower half, or another function
ARITHMETIC = ("add", "sub", "mul", "div", "neg", "sin", "cos", "less", "less_equal")


class Intermediates:
    """Names common parts. What it has named once keeps its name, for whatever is written later. taken: names that mean
    something else."""

    def __init__(self, taken=()):
        self.letter = "z"
        while any(re.fullmatch(self.letter + r"\d+", name) for name in taken):
            self.letter += "z"
        self.definitions = []  # (name, expression) in order
        self.named = {}  # node → symbol

    def __call__(self, expressions):
        """The expressions with symbols for what is used more than once, or is long."""
        apart = kept_apart(topological(expressions), expressions, LONGEST)
        return self.named_where(expressions, lambda f, new: f in apart and is_worth_a_name(new))

    def of_long_functions(self, expressions):
        """The expressions with symbols for functions of something long (roots, cases, reciprocals of sums) and nothing
        else."""
        return self.named_where(expressions, lambda f, new: is_function(f) and written_size(new) > LONGEST_INSIDE)

    def named_where(self, expressions, is_to_be_named):
        """With symbols for what has a name, or is to have one: judged by the node and what became of it."""
        new = {}
        for f in topological(expressions):
            if f in self.named:
                new[f] = self.named[f]
                continue
            args = [new[x] if isinstance(x, Expr) else x for x in f.args]
            new[f] = f if f.op in LEAVES else make(f.op, *args, name=f.name, data=f.data)
            if is_to_be_named(f, new[f]):
                new[f] = self.name(f, new[f])
        return [new[x] if isinstance(x, Expr) else x for x in expressions]

    def name(self, f, expr):
        found = self.named[f] = symbol(f"{self.letter}{len(self.definitions) + 1}")
        self.definitions.append((found.name, expr))
        return found


def is_function(f):
    """Something a sum cannot be taken out of."""
    is_reciprocal = f.op == "div" and not isinstance(f.args[0], Expr) and f.args[1].op in ("add", "sub")
    return is_reciprocal or f.op not in (*LEAVES, *ARITHMETIC)


def is_worth_a_name(f):
    """A leaf has one, and a sign before a leaf needs none."""
    return isinstance(f, Expr) and f.op not in LEAVES and not (f.op == "neg" and f.args[0].op in LEAVES)
