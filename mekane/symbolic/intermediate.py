"""Intermediate variables z1, z2 …: what is used more than once, or is long, is computed once and named (as Autolev does)."""

from mekane.expressions.graph import Expr, symbol, topological
from mekane.expressions.node import node as make

LONGEST = 24  # operations in one line
LONGEST_INSIDE = 8  # operations inside a root, a fraction's lower half, or another function
LEAVES = ("input", "callback")
ARITHMETIC = ("add", "sub", "mul", "div", "neg", "sin", "cos", "less", "less_equal")


class Intermediates:
    """Names common parts. What it has named once keeps its name, for whatever is asked later."""

    def __init__(self, letter="z"):
        self.letter = letter
        self.definitions = []  # (name, expression) in order
        self.named = {}  # node → symbol

    def __call__(self, expressions):
        """The expressions with symbols for what is used more than once, or is long."""
        uses = count_uses(topological(expressions), expressions)
        return self.named_where(expressions, lambda f, new, size: is_worth_a_name(new) and (uses[f] > 1 or size > LONGEST))

    def of_long_functions(self, expressions):
        """The expressions with symbols for functions of something long (roots, cases, reciprocals of sums) and nothing else."""
        return self.named_where(expressions, lambda f, new, size: is_function(f) and size > LONGEST_INSIDE)

    def named_where(self, expressions, is_to_be_named):
        """With symbols for what has a name, or is to have one: judged by the node, what became of it, and its operations in one line."""
        new, size = {}, {}
        for f in topological(expressions):
            if f in self.named:
                new[f], size[f] = self.named[f], 0
                continue
            args = [new[x] if isinstance(x, Expr) else x for x in f.args]
            new[f] = f if f.op in LEAVES else make(f.op, *args, name=f.name, data=f.data)
            size[f] = 0 if f.op in LEAVES else 1 + sum(size[x] for x in f.args if isinstance(x, Expr))
            if is_to_be_named(f, new[f], size[f]):
                new[f], size[f] = self.name(f, new[f]), 0
        return [new[x] if isinstance(x, Expr) else x for x in expressions]

    def name(self, f, expr):
        found = self.named[f] = symbol(f"{self.letter}{len(self.definitions) + 1}")
        self.definitions.append((found.name, expr))
        return found


def count_uses(nodes, expressions):
    uses = {}
    for x in [*(x for f in nodes for x in f.args), *expressions]:
        if isinstance(x, Expr):
            uses[x] = uses.get(x, 0) + 1
    return uses


def is_function(f):
    """Something a sum cannot be taken out of."""
    is_reciprocal = f.op == "div" and not isinstance(f.args[0], Expr) and f.args[1].op in ("add", "sub")
    return is_reciprocal or f.op not in (*LEAVES, *ARITHMETIC)


def is_worth_a_name(f):
    """A leaf has one, and a sign before a leaf needs none."""
    return isinstance(f, Expr) and f.op not in LEAVES and not (f.op == "neg" and f.args[0].op in LEAVES)
