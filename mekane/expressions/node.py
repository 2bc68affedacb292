"""The nodes of an expression graph, and the simplifications made while it is built.

Equal expressions are one object (hash-consing): building the same thing twice gives the same node. Constants are plain
floats, never nodes, so zeros, ones and constant parts vanish on the way. What survives is exactly what has to be
computed.
"""

from contextlib import contextmanager
from contextvars import ContextVar
from weakref import ref

import numpy as np

from mekane.expressions.opcodes import COMPARISONS, FUNCTIONS

LARGEST_UNROLLED_POWER = 16


class _Reference(ref):
    __slots__ = ("key",)


class Nodes(dict):
    """(op, args, name, data) → reference to the one node, as long as it lives. A WeakValueDictionary for this alone, at
    half the price."""

    def __init__(self):
        def forget(reference):
            if self.get(reference.key) is reference:
                self.pop(reference.key, None)

        self.forget = forget

    def put(self, key, found):
        reference = self[key] = _Reference(found, self.forget)
        reference.key = key

    def living(self):
        """The nodes, in the order in which they were made."""
        return [found for reference in list(self.values()) if (found := reference()) is not None]


_nodes = Nodes()


@contextmanager
def own_nodes():
    """Nodes made meanwhile are found among themselves alone, in the order in which they were made: what is built
    depends on nothing that was built before. Gives the nodes."""
    global _nodes
    before, _nodes = _nodes, Nodes()
    try:
        yield _nodes
    finally:
        _nodes = before


_cancels = False
_decide = ContextVar("decide", default=None)  # who says what is true, while a function is traced through its branches


@contextmanager
def cancelled_reciprocals():
    """Meanwhile x (1/x) is one, also where it is zero: for pivots, which are not."""
    global _cancels
    before, _cancels = _cancels, True
    try:
        yield
    finally:
        _cancels = before


@contextmanager
def deciding(decide):
    """Meanwhile the truth of an expression is decide(expression), in this thread."""
    token = _decide.set(decide)
    try:
        yield
    finally:
        _decide.reset(token)


class Carrier:
    """Base of numbers that carry an expression `expr` (TracedNumber); as part of an expression they are that
    expression."""

    __slots__ = ()


class Untraceable(TypeError):
    """A Python function needs the truth of an expression whose value is not known yet."""


def symbol(name):
    """The input of this name."""
    return node("input", name=name)


def callback(function):
    """A value that comes from a Python function which cannot be traced; whoever evaluates supplies it. It counts as a
    constant."""
    return node("callback", data=function)


def node(op, *args, name=None, data=None):
    """The one node of this operation on expressions and numbers; a float when all of them are numbers."""
    args = tuple([x if type(x) is Expr else scalar(x) for x in args])
    if args and Expr not in map(type, args):
        return _fold(op, args, data)
    return _the_one((op, args, name, data))


def _the_one(key):
    reference = _nodes.get(key)
    found = None if reference is None else reference()
    if found is None:
        found = Expr(*key)
        _nodes.put(key, found)
    return found


def scalar(x):
    """An expression as it is, any number as a float (without a negative zero).

    A NumPy complex number, value + i h derivative, stays one where it has a derivative: so constants of a model carry
    derivatives (complex step).
    """
    if type(x) is Expr:
        return x
    if isinstance(x, Carrier):
        return x.expr
    if isinstance(x, np.complexfloating):
        return np.complex128(x) if x.imag != 0.0 else float(x.real) + 0.0
    return float(x) + 0.0


def number(x):
    """A constant as NumPy computes with it."""
    if isinstance(x, Carrier):
        return x
    return np.complex128(x) if isinstance(x, complex) else np.float64(x)


def compute(op, args, data=None):
    """The value of one operation on scalars of any kind."""
    return FUNCTIONS[op](*args) if data is None else FUNCTIONS[op](*args, data)


def _fold(op, args, data):
    with np.errstate(all="ignore"):
        return scalar(compute(op, [number(x) for x in args], data))


def _is(x, number):
    return type(x) is float and x == number


def _has(x, op):
    return type(x) is Expr and x.op == op


# ---------------------------------------------------------------- operations that can be simplified


def add(a, b):
    a, b = scalar(a), scalar(b)
    if type(a) is float and a == 0.0:
        return b
    if type(b) is not Expr:
        return a if b == 0.0 else node("add", a, b)
    if a is b:
        return mul(2.0, a)
    for x, y in ((a, b), (b, a)):
        if _has(x, "sub") and x.args[1] is y:  # (x − y) + y: rotations about an axis of the frame are full of it
            return x.args[0]
    return sub(a, b.args[0]) if b.op == "neg" else _the_one(("add", (a, b), None, None))


def sub(a, b):
    a, b = scalar(a), scalar(b)
    if a is b:
        return 0.0
    if type(a) is float and a == 0.0:
        return neg(b)
    if type(b) is not Expr:
        return a if b == 0.0 else node("sub", a, b)
    return add(a, b.args[0]) if b.op == "neg" else _the_one(("sub", (a, b), None, None))


def mul(a, b):
    a, b = scalar(a), scalar(b)
    if type(a) is Expr and type(b) is Expr:
        rest = _without_reciprocal(a, b) if _cancels else None
        return _the_one(("mul", (a, b), None, None)) if rest is None else rest
    for x, y in ((a, b), (b, a)):
        if type(x) is float:
            if x == 0.0:
                return 0.0
            if x == 1.0:
                return y
            if x == -1.0:
                return neg(y)
    return node("mul", a, b)


def _without_reciprocal(a, b):
    """a b where one of them is 1 over the other, or that times a factor; else None."""
    for x, y in ((a, b), (b, a)):
        if _is_reciprocal(x, y):
            return 1.0
        if x.op == "mul":
            first, second = x.args
            if _is_reciprocal(first, y) or _is_reciprocal(second, y):
                return second if _is_reciprocal(first, y) else first
    return None


def _is_reciprocal(x, y):
    return _has(x, "div") and x.args[1] is y and _is(x.args[0], 1.0)


def div(a, b):
    a, b = scalar(a), scalar(b)
    if _is(a, 0) and type(b) is Expr:
        return 0.0
    if _is(b, 1):
        return a
    return neg(a) if _is(b, -1) else node("div", a, b)


def neg(a):
    return a.args[0] if _has(a, "neg") else node("neg", a)


def power(a, b):
    """Small whole powers become products: exact for negative numbers, fast, and easy to differentiate."""
    a, b = scalar(a), scalar(b)
    if isinstance(a, Expr) and isinstance(b, float):
        if b == 0.5:
            return node("sqrt", a)
        if b.is_integer() and abs(b) <= LARGEST_UNROLLED_POWER:
            return _product_of_equals(a, int(b)) if b >= 0 else div(1.0, _product_of_equals(a, int(-b)))
    return node("pow", a, b)


def _product_of_equals(a, n):
    result = 1.0
    for bit in f"{n:b}":  # square for every binary digit, multiply for every one
        result = mul(result, result)
        if bit == "1":
            result = mul(result, a)
    return result


def less(a, b):
    return 0.0 if a is b else node("less", a, b)


def less_equal(a, b):
    return 1.0 if a is b else node("less_equal", a, b)


def equal(a, b):
    return mul(less_equal(a, b), less_equal(b, a))


def select(condition, yes, no):
    """`yes` where the condition is not zero, else `no`."""
    condition, yes, no = scalar(condition), scalar(yes), scalar(no)
    if isinstance(condition, float):
        return yes if condition != 0 else no
    if yes is no or (isinstance(no, float) and _is(yes, no)):
        return yes
    if _is(yes, 1) and _is(no, 0) and condition.op in COMPARISONS:
        return condition
    if condition.op == "select" and all(isinstance(x, float) for x in condition.args[1:]):  # not c, or the truth of c
        inner, if_true, if_false = condition.args
        return select(inner, yes if if_true else no, yes if if_false else no)
    return node("select", condition, yes, no)


def truth(a):
    return select(a, 1.0, 0.0)


def both(a, b):
    return select(a, truth(b), 0.0)


def either(a, b):
    return select(a, 1.0, truth(b))


def opposite(a):
    return select(a, 0.0, 1.0)


def floor_divide(a, b):
    return node("floor", div(a, b))


def remainder(a, b):
    return sub(a, mul(floor_divide(a, b), b))


def hypot(a, b):
    return node("sqrt", add(mul(a, a), mul(b, b)))


# ---------------------------------------------------------------- the node itself


def _operator(build):
    """The methods for `expression (op) other` and `other (op) expression`."""

    def method(self, other):
        return build(self, other) if isinstance(other, SCALARS) else NotImplemented

    def reflected(self, other):
        return build(other, self) if isinstance(other, SCALARS) else NotImplemented

    return method, reflected


def _function(op):
    return lambda self: node(op, self)


class Expr:
    """An operation `op` on `args` (expressions or floats), an input with a `name`, or a table or callback with `data`.
    Never changes.

    Behaves like a number: Python's operators, numpy's functions and arrays of objects work on it. Comparisons give
    expressions too, worth 1.0 where true and 0.0 where false; asking for their truth raises `Untraceable`, but where
    somebody decides on it (`deciding`). Made by `symbol` and arithmetic.
    """

    __slots__ = ("op", "args", "name", "data", "__weakref__")
    # above numpy's scalars, which then leave the operation to us; below its arrays, which work elementwise
    __array_priority__ = -1.0
    __hash__ = object.__hash__

    def __init__(self, op, args, name, data):
        self.op, self.args, self.name, self.data = op, args, name, data

    __add__, __radd__ = _operator(add)
    __sub__, __rsub__ = _operator(sub)
    __mul__, __rmul__ = _operator(mul)
    __truediv__, __rtruediv__ = _operator(div)
    __floordiv__, __rfloordiv__ = _operator(floor_divide)
    __mod__, __rmod__ = _operator(remainder)
    __pow__, __rpow__ = _operator(power)
    __lt__, __gt__ = _operator(less)
    __le__, __ge__ = _operator(less_equal)
    __eq__ = _operator(equal)[0]
    __ne__ = _operator(lambda a, b: opposite(equal(a, b)))[0]
    __and__, __rand__ = _operator(both)
    __or__, __ror__ = _operator(either)
    __neg__, __invert__ = neg, opposite
    arctan2, arctan2_of = _operator(lambda y, x: node("atan2", y, x))
    hypot = _operator(hypot)[0]

    sin, cos, tan = _function("sin"), _function("cos"), _function("tan")
    arcsin, arccos, arctan = _function("asin"), _function("acos"), _function("atan")
    sinh, cosh, tanh = _function("sinh"), _function("cosh"), _function("tanh")
    exp, log, sqrt, __floor__ = _function("exp"), _function("log"), _function("sqrt"), _function("floor")

    def __pos__(self):
        return self

    def __ceil__(self):
        return neg(node("floor", neg(self)))

    def __abs__(self):
        return select(less(self, 0.0), neg(self), self)

    def log10(self):
        return div(self.log(), np.log(10.0))

    def deg2rad(self):
        return mul(self, np.pi / 180.0)

    def rad2deg(self):
        return mul(self, 180.0 / np.pi)

    radians, degrees = deg2rad, rad2deg
    select = select

    def interpolated(self, table):
        """The value of a `Table` at this expression."""
        return node("table", self, data=table)

    def __bool__(self):
        decide = _decide.get()
        if decide is None:
            raise Untraceable(
                "an expression has no truth value before it is evaluated; write select(condition, yes, no) instead of if"
            )
        return decide(self)

    def __reduce__(self):
        return _rebuild, (self.op, self.args, self.name, self.data)

    def __repr__(self):
        from mekane.expressions.text import short_text

        return short_text(self)


SCALARS = (Expr, float, int, np.floating, np.integer, np.bool_, np.complexfloating, Carrier)


def _rebuild(op, args, name, data):
    return node(op, *args, name=name, data=data)
