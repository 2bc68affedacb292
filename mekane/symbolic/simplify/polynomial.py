"""Expressions multiplied out: sums of products of atoms, with sin² + cos² = 1 used up. Two equal expressions come out
the same.

A polynomial is {monomial: coefficient}; a monomial is a sorted tuple of (atom, power), an atom the number of an input
or of a function of something that is itself multiplied out. Powers may be negative: dividing by one product is a
product. Dividing by a sum makes an atom.
"""

import math

from mekane.expressions.graph import Expr, topological
from mekane.expressions.node import add, div, mul, node, power

CANCELLED = 1e-13  # a sum of coefficients this small beside them is what rounding left of zero
LONGEST_ANGLE = 5  # sums of more angles are not taken apart
MULTIPLES = range(2, 7)  # of an angle, that are taken apart to decide whether two expressions are equal
ROTATED = 2e-16  # what round-off leaves of the cosine of a right angle
EQUAL = 1e-12  # relative difference of two coefficients that are the same
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
            return self.quotient(*args)
        if f.op in ("sin", "cos"):
            return self.sin_cos(args[0])[f.op == "cos"]
        if f.op == "tan" and len(args[0]) == 1:
            return self.quotient(*self.sin_cos(args[0]))
        return self.atom(
            f if f.op in ("input", "callback") else node(f.op, *map(self.expr, args), name=f.name, data=f.data)
        )

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

    def quotient(self, a, b):
        ratio = proportion(a, b)
        return {ONE: ratio} if ratio else self.product(a, self.inverse(b))

    def inverse(self, a):
        """Of one term, a term; of a sum, an atom, once what its terms have in common is taken out."""
        if not a:
            return {ONE: math.inf}
        common = shared(list(a))
        factor = common_factor(a.values()) * (1.0 if a[min(a)] > 0.0 else -1.0)
        outside = {tuple((atom, -n) for atom, n in common): 1.0 / factor}
        inner = {without(monomial, common): x / factor for monomial, x in a.items()}
        return outside if len(a) == 1 else self.product(outside, self.atom(div(1.0, self.expr(inner))))

    def cleared(self, polynomials):
        """The same, multiplied by whatever they are divided by, and multiples of angles taken apart: equal ones are the
        same now."""
        found = [self.with_single_angles(p) for p in polynomials]
        while divisors := self.divisors(found):
            atom, n = divisors.popitem()
            below = self.atoms[atom].args[1] if self.is_reciprocal(atom) else None
            by = {((atom, 1),): 1.0} if below is None else self.of(below)
            found = [self.multiplied(p, atom, n, by) for p in found]
        return found

    def divisors(self, polynomials):
        """{atom: highest power of it that something is divided by}"""
        found = {}
        for atom, n in (pair for polynomial in polynomials for monomial in polynomial for pair in monomial):
            times = n if self.is_reciprocal(atom) else -n
            if times > 0:
                found[atom] = max(times, found.get(atom, 0))
        return found

    def multiplied(self, polynomial, atom, n, by):
        """times by**n, where `by` is the atom, or what it is the reciprocal of."""
        total = {}
        for monomial, x in polynomial.items():
            power_here = dict(monomial).get(atom, 0)
            rest = tuple(pair for pair in monomial if pair[0] != atom)
            times = n - power_here if self.is_reciprocal(atom) else n + power_here
            term = {rest: x}
            for _ in range(times):
                term = self.product(term, by)
            total = self.sum(total, term)
        return self.checked(total)

    def is_reciprocal(self, atom):
        return self.atoms[atom].op == "div"

    def with_single_angles(self, polynomial):
        """sin 2a → 2 sin a cos a, and so on."""
        total = {}
        for monomial, x in polynomial.items():
            term = {ONE: x}
            for atom, n in monomial:
                whole = self.of_multiple(self.atoms[atom]) if n > 0 else None
                for _ in range(n if whole else 1):
                    term = self.product(term, whole or {((atom, n),): 1.0})
            total = self.sum(total, term)
        return self.checked(total)

    def of_multiple(self, f):
        """The polynomial of sin or cos of a whole multiple of an angle, in those of the angle; of anything else
        none."""
        angle = f.args[0] if f.op in ("sin", "cos") else None
        if angle is None or angle.op != "mul" or isinstance(angle.args[0], Expr) or angle.args[0] not in MULTIPLES:
            return None
        one, total = self.sin_cos(self.of(angle.args[1])), ({}, {ONE: 1.0})
        for _ in range(int(angle.args[0])):
            total = self.sin_cos_of_sum(total, one)
        return total[f.op == "cos"]

    def sin_cos(self, angle):
        """(sin, cos) of a sum of angles, each taken apart."""
        terms = sorted(angle.items())
        if len(terms) > LONGEST_ANGLE or not terms:
            x = self.expr(angle)
            return (self.atom(x.sin()), self.atom(x.cos())) if terms else ({}, {ONE: 1.0})
        total = ({}, {ONE: 1.0})
        for monomial, coefficient in terms:
            x = self.term(monomial, abs(coefficient))
            sine, cosine = [self.atom(rounded(node(op, x))) for op in ("sin", "cos")]
            total = self.sin_cos_of_sum(total, (sine if coefficient > 0 else self.scaled(sine, -1.0), cosine))
        return total

    def sin_cos_of_sum(self, a, b):
        """(sin, cos) of the sum of two angles from theirs."""
        (sa, ca), (sb, cb) = a, b
        return self.sum(self.product(sa, cb), self.product(ca, sb)), self.sum(
            self.product(ca, cb), self.scaled(self.product(sa, sb), -1.0)
        )


def rounded(x):
    """Sine or cosine of a number: what round-off leaves of a whole number is that number."""
    return x if isinstance(x, Expr) or abs(x - round(x)) > ROTATED else float(round(x))


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


def without(monomial, divisor):
    """The monomial divided by another."""
    return merged(monomial, tuple((atom, -n) for atom, n in divisor))


def shared(monomials):
    """What all monomials have in common."""
    powers = [dict(monomial) for monomial in monomials]
    least = {atom: min((p.get(atom, 0) for p in powers), key=abs) for atom in powers[0]}
    return tuple(sorted((atom, n) for atom, n in least.items() if n and all(p.get(atom, 0) * n > 0 for p in powers)))


def common_factor(numbers):
    """The smallest of them, without its sign, if all are whole multiples of it; else one."""
    smallest = min(map(abs, numbers))
    return (
        smallest if all(abs(x / smallest - round(x / smallest)) <= EQUAL * abs(x / smallest) for x in numbers) else 1.0
    )


def proportion(a, b):
    """The number a / b, if it is one; else nothing."""
    if len(b) < 2 or a.keys() != b.keys():
        return None
    ratios = [a[monomial] / b[monomial] for monomial in b]
    return ratios[0] if all(abs(x - ratios[0]) <= EQUAL * abs(x) for x in ratios) else None
