"""Expressions multiplied out: sums of products of atoms, with sin² + cos² = 1 used up. Two equal expressions come out the same.

A polynomial is {monomial: coefficient}; a monomial is a sorted tuple of (atom, power), an atom the number of an input or of a function of
something that is itself multiplied out. Powers may be negative: dividing by one product is a product. Dividing by a sum makes an atom.
"""

from mekane.expressions.graph import Expr, topological
from mekane.expressions.node import add, div, mul, node, power

CANCELLED = 1e-13  # a sum of coefficients this small beside them is what rounding left of zero
LONGEST_ANGLE = 5  # sums of more angles are not taken apart
ONE = ()


class TooLarge(Exception):
    """Multiplied out, there would be too many terms."""


class Algebra:
    """Knows the atoms, and works with polynomials in them."""

    def __init__(self, most_terms=4000):
        self.most_terms = most_terms
        self.atoms, self.number = [], {}  # Expr of each; Expr → its number
        self.rules = {}  # atom → polynomial of its square
        self.known = {}  # node → its polynomial

    def know(self, units):
        """Groups of inputs whose squares add up to one: Euler parameters."""
        for *others, last in units:
            squares = {((self.named(x), 2),): -1.0 for x in others}
            self.rules[self.named(last)] = {ONE: 1.0} | squares

    # ---------------------------------------------------------------- from expressions and back

    def of(self, expr):
        """The polynomial of an expression or number."""
        if not isinstance(expr, Expr):
            return {ONE: expr} if expr != 0.0 else {}
        for f in topological([expr]):
            if f not in self.known:
                self.known[f] = self.checked(self.of_node(f))
        return self.known[expr]

    def of_node(self, f):
        args = [self.known[x] if isinstance(x, Expr) else self.of(x) for x in f.args]
        if f.op == "add":
            return self.sum(*args)
        if f.op == "sub":
            return self.sum(args[0], self.scaled(args[1], -1.0))
        if f.op == "neg":
            return self.scaled(args[0], -1.0)
        if f.op == "mul":
            return self.product(*args)
        if f.op == "div":
            return self.product(args[0], self.inverse(args[1]))
        if f.op in ("sin", "cos"):
            return self.turned(args[0])[f.op == "cos"]
        return self.atom(f if f.op in ("input", "callback") else node(f.op, *map(self.expr, args), name=f.name, data=f.data))

    def expr(self, polynomial):
        """One expression again, terms in order."""
        total = 0.0
        for monomial in sorted(polynomial):
            total = add(total, self.term(monomial, polynomial[monomial]))
        return total

    def term(self, monomial, coefficient):
        above, below = coefficient, 1.0
        for atom, n in monomial:
            if n > 0:
                above = mul(above, power(self.atoms[atom], n))
            else:
                below = mul(below, power(self.atoms[atom], -n))
        return div(above, below)

    def atom(self, expr):
        return {((self.named(expr), 1),): 1.0} if isinstance(expr, Expr) else self.of(expr)

    def named(self, expr):
        """The number of an atom, with what is known of its square."""
        if expr not in self.number:
            self.number[expr] = len(self.atoms)
            self.atoms.append(expr)
            if expr.op == "sin":
                cosine = self.named(expr.args[0].cos())
                self.rules[self.number[expr]] = {ONE: 1.0, ((cosine, 2),): -1.0}
            elif expr.op == "sqrt":
                self.rules[self.number[expr]] = self.of(expr.args[0])
        return self.number[expr]

    # ---------------------------------------------------------------- arithmetic

    def checked(self, polynomial):
        if len(polynomial) > self.most_terms:
            raise TooLarge
        return polynomial

    def sum(self, *polynomials):
        total = dict(polynomials[0])
        for polynomial in polynomials[1:]:
            for monomial, coefficient in polynomial.items():
                put(total, monomial, coefficient)
        return total

    def scaled(self, polynomial, factor):
        return {monomial: factor * coefficient for monomial, coefficient in polynomial.items()}

    def product(self, a, b):
        total = {}
        if len(a) * len(b) > 50 * self.most_terms:
            raise TooLarge
        for m, x in a.items():
            for n, y in b.items():
                for monomial, coefficient in self.reduced(merged(m, n)).items():
                    put(total, monomial, coefficient * x * y)
        return total

    def reduced(self, monomial):
        """A monomial without squares of atoms whose squares are known."""
        for k, (atom, n) in enumerate(monomial):
            if n > 1 and atom in self.rules:
                rest = monomial[:k] + (((atom, n - 2),) if n > 2 else ()) + monomial[k + 1 :]
                return self.product({rest: 1.0}, self.rules[atom])
        return {monomial: 1.0}

    def inverse(self, a):
        if len(a) == 1:
            ((monomial, coefficient),) = a.items()
            return {tuple((atom, -n) for atom, n in monomial): 1.0 / coefficient}
        return self.atom(div(1.0, self.expr(a)))

    def turned(self, angle):
        """(sin, cos) of a sum of angles, each taken apart."""
        terms = sorted(angle.items())
        if len(terms) > LONGEST_ANGLE or not terms:
            x = self.expr(angle)
            return (self.atom(x.sin()), self.atom(x.cos())) if terms else ({}, {ONE: 1.0})
        s, c = {}, {ONE: 1.0}
        for monomial, coefficient in terms:
            x = self.term(monomial, abs(coefficient))
            sign = 1.0 if coefficient > 0 else -1.0
            sx, cx = [self.atom(node(op, x)) for op in ("sin", "cos")]
            sx = self.scaled(sx, sign)
            s, c = self.sum(self.product(s, cx), self.product(c, sx)), self.sum(self.product(c, cx), self.scaled(self.product(s, sx), -1.0))
        return s, c


def put(total, monomial, coefficient):
    """Add a term; what rounding leaves of nothing is nothing."""
    before = total.get(monomial, 0.0)
    after = before + coefficient
    if abs(after) <= CANCELLED * abs(before):
        total.pop(monomial, None)
    else:
        total[monomial] = after


def merged(m, n):
    """The product of two monomials."""
    if not m or not n:
        return m or n
    powers = dict(m)
    for atom, k in n:
        powers[atom] = powers.get(atom, 0) + k
    return tuple(sorted((atom, k) for atom, k in powers.items() if k))
