"""Arithmetic of a function's code, operand by operand: without flags, so that every rounding is where it is written.

A pair (high, low) stands for the sum of two doubles, about 106 bits.
"""

from functools import reduce

from mekane.codegen.llvm_writer import Writer

MAGIC = 1.5 * 2.0**52  # added to an integer |k| < 2⁵¹, it shows k in the last bits
MAGIC_BITS = 0x4338000000000000


class Arithmetic(Writer):
    """Lines of one function, by operations on its numbers. Comparisons are false where a number is none."""

    def __init__(self, shape, needs):
        super().__init__(shape, "n")
        self.needs = needs
        self.constant = shape.constant
        self.wide = shape.type_of("i64")

    def two(self, op, kind, a, b):
        return self.result(f"{op} {kind} {a}, {b}")

    def add(self, a, b):
        return self.two("fadd", self.shape.number, a, b)

    def sub(self, a, b):
        return self.two("fsub", self.shape.number, a, b)

    def mul(self, a, b):
        return self.two("fmul", self.shape.number, a, b)

    def div(self, a, b):
        return self.two("fdiv", self.shape.number, a, b)

    def fma(self, a, b, c):
        """a b + c, rounded once."""
        return self.call("fma", a, b, c)

    def fms(self, a, b, c):
        """c − a b, rounded once."""
        return self.call("fma", self.neg(a), b, c)

    def neg(self, x):
        return self.result(f"fneg {self.shape.number} {x}")

    def size(self, x):
        return self.call("fabs", x)

    def with_sign(self, x, sign):
        return self.call("copysign", x, sign)

    def horner(self, z, coefficients):
        """c0 + c1 z + c2 z² …"""
        c = [self.constant(x) for x in coefficients]
        return reduce(lambda found, one: self.fma(found, z, one), c[-2::-1], c[-1])

    # ------------------------------------------------------------ choices

    def less(self, a, b):
        return self.two("fcmp olt", self.shape.number, a, b)

    def equal(self, a, b):
        return self.two("fcmp oeq", self.shape.number, a, b)

    def no_number(self, a, b):
        return self.two("fcmp uno", self.shape.number, a, b)

    def both(self, a, b):
        return self.two("and", self.shape.truth, a, b)

    def either(self, a, b):
        return self.two("or", self.shape.truth, a, b)

    def opposite(self, truth):
        return self.two("xor", self.shape.truth, truth, self.shape.spread("i1", "true"))

    def choose(self, truth, yes, no):
        T = self.shape.number
        return self.result(f"select {self.shape.truth} {truth}, {T} {yes}, {T} {no}")

    def at_most(self, x, limit):
        """The smaller one; x where it is no number."""
        limit = self.constant(limit)
        return self.choose(self.less(limit, x), limit, x)

    def at_least(self, x, limit):
        limit = self.constant(limit)
        return self.choose(self.less(x, limit), limit, x)

    def every(self, truth):
        """Whether it holds in all lanes."""
        if not self.shape.is_vector:
            return truth
        name = f"@llvm.vector.reduce.and.v{self.shape.lanes}i1"
        self.needs[name] = f"declare i1 {name}({self.shape.truth})"
        return self.result(f"call i1 {name}({self.shape.truth} {truth})")

    def unless(self, usual, values, others):
        """These values, or, where `usual` does not hold, those whose code `others` writes. Once in a function."""
        T = self.shape.number
        self.lines += [f"  br i1 {usual}, label %both, label %seldom", "seldom:"]
        rare = others()
        self.lines += ["  br label %both", "both:"]
        return [self.result(f"phi {T} [{x}, %0], [{y}, %seldom]") for x, y in zip(values, rare, strict=True)]

    # ------------------------------------------------------------ bits

    def whole(self, k):
        return self.shape.spread("i64", str(k))

    def integers(self, op, a, b):
        return self.two(op, self.wide, a, b)

    def bits(self, x):
        return self.result(f"bitcast {self.shape.number} {x} to {self.wide}")

    def number(self, bits):
        return self.result(f"bitcast {self.wide} {bits} to {self.shape.number}")

    def integer(self, k):
        """Integers of numbers that hold integers, |k| < 2⁵¹."""
        return self.integers("sub", self.bits(self.add(k, self.constant(MAGIC))), self.whole(MAGIC_BITS))

    def bit(self, integer, which):
        masked = self.integers("and", integer, self.whole(which))
        return self.result(f"icmp ne {self.wide} {masked}, {self.whole(0)}")

    def power_of_two(self, integer):
        """2^k as a number, −1022 ≤ k ≤ 1023."""
        return self.number(self.integers("shl", self.integers("add", integer, self.whole(1023)), self.whole(52)))

    # ------------------------------------------------------------ pairs

    def sum_pair(self, a, b):
        """a + b, |a| ≥ |b| or a = 0."""
        high = self.add(a, b)
        return high, self.sub(b, self.sub(high, a))

    def any_sum_pair(self, a, b):
        """a + b, whichever is larger."""
        high = self.add(a, b)
        from_b = self.sub(high, a)
        return high, self.add(self.sub(a, self.sub(high, from_b)), self.sub(b, from_b))

    def product_pair(self, a, b):
        high = self.mul(a, b)
        return high, self.fma(a, b, self.neg(high))

    def quotient_pair(self, a, a_low, b, b_low):
        """(a + a_low)/(b + b_low)"""
        q = self.div(a, b)
        rest = self.add(self.fms(q, b, a), a_low)
        return q, self.div(self.fms(q, b_low, rest), b)
