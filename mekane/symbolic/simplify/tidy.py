"""Expressions as one would write them: multiplied out, sums of angles put together, terms of the same motion collected.

(m1 l1² + m2 l1²) + 2 m2 l1 l2 cos(q2)          (m1 + m2) g l1 sin(q1) + m2 g l2 sin(q1 + q2)
"""

from collections import defaultdict
from itertools import combinations

from mekane.expressions.graph import Expr, inputs, symbol, topological
from mekane.expressions.node import add, mul
from mekane.symbolic.simplify.polynomial import EQUAL, Algebra, TooLarge, common_factor, merged, put, shared, without

OPERATIONS_IN_A_TERM = 16  # on the average; more of them than of terms come from what could not be multiplied out


class Tidy:
    """Writes expressions tidily. `fixed`: names that do not change in a motion; terms are collected by all the others.
    Factors stand in the order of `fixed`, then of `moving`."""

    def __init__(self, fixed=(), moving=(), most_terms=4000, units=()):
        self.algebra, self.fixed = Algebra(most_terms), set(fixed)
        for name in (*fixed, *moving):
            self.algebra.named(symbol(name))
        self.algebra.know(units)

    def __call__(self, expr, longest=None):
        """The tidy expression; nothing where it would be too large, or longer than so many terms as they are
        collected."""
        if not isinstance(expr, Expr):
            return expr
        try:
            polynomial = self.with_tangents(self.contracted(self.algebra.of(expr)))
        except TooLarge:
            return None
        groups = self.grouped(polynomial)
        if longest is not None and len(groups) > longest:
            return None
        found = self.written(groups)
        return None if longest is not None and written_size(found) > OPERATIONS_IN_A_TERM * longest else found

    def or_itself(self, expr, longest=None):
        """The tidy expression, or the same one where there is none."""
        found = self(expr, longest)
        return expr if found is None else found

    def are_equal(self, a, b):
        """True if two expressions are the same, multiplied out; False if not, or if that is not decided."""
        try:
            return not self.difference(a, b)
        except TooLarge:
            return False

    def difference(self, a, b):
        """What is left of a − b, as {monomial: coefficient}, beside the size of the terms."""
        algebra = self.algebra
        p, q = algebra.cleared([algebra.of(a), algebra.of(b)])
        largest = max(map(abs, (*p.values(), *q.values())), default=0.0)
        left = algebra.sum(p, algebra.scaled(q, -1.0))
        return {monomial: x for monomial, x in left.items() if abs(x) > EQUAL * largest}

    # ---------------------------------------------------------------- sums of angles

    def contracted(self, polynomial):
        """sin a cos b + cos a sin b → sin(a + b) and its like, as long as terms become fewer."""
        polynomial = dict(polynomial)
        while True:
            angles = self.angles_in(polynomial)
            before = len(polynomial)
            for a, b in combinations(angles, 2):
                self.contract(polynomial, a, b)
            if len(polynomial) == before:
                return polynomial

    def angles_in(self, polynomial):
        """Angles whose sines and cosines occur, in the order of their first occurrence."""
        atoms = {atom for monomial in polynomial for atom, _ in monomial}
        functions = [self.algebra.atoms[k] for k in sorted(atoms)]
        return list(dict.fromkeys(f.args[0] for f in functions if f.op in ("sin", "cos")))

    def contract(self, polynomial, a, b):
        number = lambda f: self.algebra.named(f)
        sa, ca, sb, cb = number(a.sin()), number(a.cos()), number(b.sin()), number(b.cos())
        for monomial in sorted(polynomial):
            for one, other, whole, sign in (((sa, cb), (ca, sb), "sin", 1.0), ((ca, cb), (sa, sb), "cos", -1.0)):
                x = polynomial.get(monomial)
                rest = divided(monomial, one) if x is not None else None
                if rest is None:
                    continue
                twin = merged(rest, tuple(sorted((k, 1) for k in other)))
                y = polynomial.get(twin)
                if y is None or abs(abs(x) - abs(y)) > EQUAL * abs(x):
                    continue
                f, x = self.function(whole, a, b, 1.0 if x * y * sign > 0 else -1.0, x)
                del polynomial[monomial], polynomial[twin]
                put(polynomial, merged(rest, ((self.algebra.named(f), 1),)), x)

    def function(self, op, a, b, sign, x):
        """x sin(a ± b) or x cos(a ± b), the angle in order and its first term positive: the function, and the factor it
        comes with."""
        algebra = self.algebra
        angle = algebra.sum(algebra.of(a), algebra.scaled(algebra.of(b), sign))
        if angle[min(angle)] < 0.0:
            angle, x = algebra.scaled(angle, -1.0), -x if op == "sin" else x
        return getattr(algebra.expr(angle), op)(), x

    def with_tangents(self, polynomial):
        """sin a / cos a → tan a"""
        found = {}
        for monomial, x in polynomial.items():
            for atom, n in monomial:
                f = self.algebra.atoms[atom]
                cosine = self.algebra.number.get(f.args[0].cos()) if f.op == "sin" and n == 1 else None
                if dict(monomial).get(cosine, 0) < 0:
                    tangent = self.algebra.named(f.args[0].tan())
                    monomial = merged(without(monomial, ((atom, 1), (cosine, -1))), ((tangent, 1),))
            put(found, monomial, x)
        return found

    # ---------------------------------------------------------------- writing

    def grouped(self, polynomial):
        """{what moves: {what stays fixed: coefficient}}"""
        groups = defaultdict(dict)
        for monomial, coefficient in polynomial.items():
            fixed = tuple((atom, n) for atom, n in monomial if self.is_fixed(atom))
            moving = tuple((atom, n) for atom, n in monomial if not self.is_fixed(atom))
            groups[moving][fixed] = coefficient
        return groups

    def written(self, groups):
        """Terms that differ only in what stays fixed are collected, and their common factors taken out."""
        total = 0.0
        for moving in sorted(groups, key=lambda m: (len(m), m)):
            total = add(total, self.collected(groups[moving], moving))
        return total

    def collected(self, fixed, moving):
        """(a b + a c) x → a (b + c) x"""
        common = shared(list(fixed))
        inner = {without(monomial, common): x for monomial, x in fixed.items()}
        factor = common_factor(inner.values()) if len(inner) > 1 else 1.0
        if len(inner) > 1 and all(x < 0 for x in inner.values()):
            factor = -factor
        inner = self.algebra.expr({monomial: x / factor for monomial, x in inner.items()})
        return mul(mul(self.algebra.term(common, factor), inner), self.algebra.term(self.functions_last(moving), 1.0))

    def functions_last(self, monomial):
        return tuple(sorted(monomial, key=lambda pair: (self.algebra.atoms[pair[0]].op != "input", pair)))

    def is_fixed(self, atom):
        return all(name in self.fixed for name in inputs([self.algebra.atoms[atom]]))


def written_size(expr):
    """How many operations and inputs there are to be written, common parts each time."""
    size = {}
    for f in topological([expr]):
        size[f] = 1 + sum(size[x] for x in f.args if isinstance(x, Expr))
    return size.get(expr, 0)


def divided(monomial, atoms):
    """The monomial divided by these atoms, if each stands in it once or more."""
    powers = dict(monomial)
    return (
        without(monomial, tuple((atom, 1) for atom in atoms))
        if all(powers.get(atom, 0) >= 1 for atom in atoms)
        else None
    )
