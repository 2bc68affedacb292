"""Sums of expressions as chains of fused multiply-adds.

A sum that one other sum alone uses is part of it, and a product that sums alone use is part of each of them:
a b + (c d − e) is two operations. Terms that are known early come first, so that the last one known waits for nothing. All
this follows from the expressions alone, not from the order of their code.
"""

from collections import Counter
from typing import NamedTuple

from mekane.expressions.graph import Expr

SUMS = ("add", "sub")


class Term(NamedTuple):
    """± one factor, or ± the product of two."""

    sign: int
    factors: tuple
    depth: int  # of the operations before it, one after the other

    @property
    def is_product(self):
        return len(self.factors) == 2


class Chains:
    """nodes: what is computed, arguments first; outputs: those of it that are wanted.

    terms: {sum: its Terms, the one to begin with first}; inside: nodes that are no operation of their own."""

    def __init__(self, nodes, outputs):
        used = Counter(x for node in nodes for x in node.args if isinstance(x, Expr))
        wanted, users = {x for x in outputs if isinstance(x, Expr)}, users_of(nodes)
        self.depth, sums, self.inside = depths(nodes), set(), set()
        for node in reversed(nodes):
            part = users[node] and users[node] <= sums and node not in wanted
            if part and (node.op == "mul" or node.op in (*SUMS, "neg") and used[node] == 1):
                self.inside.add(node)
            if node.op in SUMS or node.op == "neg" and node in self.inside:
                sums.add(node)
        self.terms = {node: begun(self.terms_of(node, 1)) for node in sums - self.inside}

    def terms_of(self, node, sign):
        """Those of a sum, or of its negative."""
        signs = {"add": (sign, sign), "sub": (sign, -sign), "neg": (-sign,)}[node.op]
        found = []
        for x, s in zip(node.args, signs, strict=True):
            if x not in self.inside:
                found.append(self.term(s, x))
            else:
                found += [self.term(s, *x.args)] if x.op == "mul" else self.terms_of(x, s)
        return found

    def term(self, sign, *factors):
        return Term(sign, factors, max(self.depth.get(x, 0) for x in factors))


def users_of(nodes):
    """{node: set of those that it is an argument of}"""
    found = {node: set() for node in nodes}
    for node in nodes:
        for x in node.args:
            if x in found:
                found[x].add(node)
    return found


def depths(nodes):
    """{node: operations from an input to it, at most}"""
    found = {}
    for node in nodes:
        found[node] = 1 + max((found.get(x, 0) for x in node.args), default=0)
    return found


def begun(terms):
    """The same terms by depth; but first a number to which products can be added, if there is one."""
    terms = sorted(terms, key=lambda term: term.depth)
    first = min(terms, key=lambda term: (term.is_product, -term.sign))
    return [first, *(term for term in terms if term is not first)]
