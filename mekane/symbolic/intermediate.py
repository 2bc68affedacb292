"""Intermediate variables z1, z2 …: what is used more than once, or is long, is computed once and named (as Autolev does)."""

from mekane.expressions.graph import Expr, symbol, topological
from mekane.expressions.node import node as make

LONGEST = 24  # operations in one line
LEAVES = ("input", "callback")


class Intermediates:
    """Names common parts. What it has named once keeps its name, for whatever is asked later."""

    def __init__(self, letter="z"):
        self.letter = letter
        self.definitions = []  # (name, expression) in order
        self.named = {}  # node → symbol

    def __call__(self, expressions):
        """The expressions with symbols for what has a name."""
        nodes, new, size = topological(expressions), {}, {}
        uses = count_uses(nodes, expressions)
        for f in nodes:
            if f in self.named:
                new[f], size[f] = self.named[f], 0
                continue
            args = [new[x] if isinstance(x, Expr) else x for x in f.args]
            new[f] = f if f.op in LEAVES else make(f.op, *args, name=f.name, data=f.data)
            size[f] = 0 if f.op in LEAVES else 1 + sum(size[x] for x in f.args if isinstance(x, Expr))
            if is_worth_a_name(new[f]) and (uses[f] > 1 or size[f] > LONGEST):
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


def is_worth_a_name(f):
    """A leaf has one, and a sign before a leaf needs none."""
    return isinstance(f, Expr) and f.op not in LEAVES and not (f.op == "neg" and f.args[0].op in LEAVES)
