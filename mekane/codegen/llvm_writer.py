"""Lines of LLVM code for numbers of one or several lanes."""

import struct
from typing import NamedTuple


class Place(NamedTuple):
    """Element `index` of one of the arrays a function is given."""

    array: str
    index: int
    is_whole: bool = False  # an integer, which is read as a number


class Shape:
    """The type of a number: one double, or a vector of them."""

    def __init__(self, lanes=1, vector=False):
        """vector: of one lane, too."""
        self.lanes, self.is_vector = lanes, vector or lanes > 1
        self.number, self.integer, self.truth = map(self.type_of, ("double", "i32", "i1"))
        self.suffix = f"v{lanes}f64" if self.is_vector else "f64"

    def type_of(self, kind):
        return f"<{self.lanes} x {kind}>" if self.is_vector else kind

    def constant(self, x):
        return self.spread("double", literal(x))

    def whole(self, k):
        return self.spread("i32", str(k))

    def spread(self, kind, text):
        return f"<{', '.join([f'{kind} {text}'] * self.lanes)}>" if self.is_vector else text


def literal(x):
    """A double, to the last bit."""
    return "0x" + struct.pack(">d", float(x)).hex().upper()


class Writer:
    """Lines of one function, each with a new name for its result; besides, what the module must declare or define."""

    def __init__(self, shape, prefix="x"):
        self.shape, self.prefix, self.lines, self.needs, self.count = shape, prefix, [], {}, 0
        self.block = "start"  # the label that was passed last

    def result(self, text):
        name = f"%{self.prefix}{self.count}"
        self.count += 1
        self.lines.append(f"  {name} = {text}")
        return name

    def line(self, text):
        self.lines.append(f"  {text}")

    def branch(self, truth):
        """What comes next is jumped over unless this holds; up to `land`, which is given what this returns."""
        number, before = self.count, self.block
        self.line(f"br i1 {truth}, label %then{number}, label %join{number}")
        self.pass_label(f"then{number}")
        return before, f"join{number}"

    def land(self, begun, values):
        """The end of what may be jumped over. Returns values computed there under their names, zero where it was jumped over."""
        (before, join), inside, T = begun, self.block, self.shape.number
        self.line(f"br label %{join}")
        self.pass_label(join)
        zero = self.shape.constant(0.0)
        return {name: self.result(f"phi {T} [ {x}, %{inside} ], [ {zero}, %{before} ]") for name, x in values.items()}

    def pass_label(self, name):
        self.lines.append(f"{name}:")
        self.block = name

    def call(self, name, *args):
        """An intrinsic of LLVM on whole numbers, whatever their lanes."""
        T = self.shape.number
        full = f"@llvm.{name}.{self.shape.suffix}"
        self.needs[full] = f"declare {T} {full}({', '.join([T] * len(args))})"
        return self.result(f"call {T} {full}({', '.join(f'{T} {x}' for x in args)})")

    def library(self, name, *args):
        """A function of the library of C, lane by lane."""
        self.needs[f"@{name}"] = (
            f"declare double @{name}({', '.join(['double'] * len(args))}) memory(none) nounwind willreturn"
        )
        return self.each_lane(
            lambda *xs: self.result(f"call double @{name}({', '.join(f'double {x}' for x in xs)})"), *args
        )

    def each_lane(self, compute, *args):
        """The same of every lane, as one number."""
        return self.gathered(self.all_lanes(compute, *args))

    def all_lanes(self, compute, *args):
        """The same of every lane, one after the other."""
        if not self.shape.is_vector:
            return [compute(*args)]
        element = lambda x, k: self.result(f"extractelement {self.shape.number} {x}, i32 {k}")
        return [compute(*[element(x, k) for x in args]) for k in range(self.shape.lanes)]

    def gathered(self, values):
        """One number of the values of its lanes."""
        if not self.shape.is_vector:
            return values[0]
        found = "poison"
        for k, one in enumerate(values):
            found = self.result(f"insertelement {self.shape.number} {found}, double {one}, i32 {k}")
        return found

    def load(self, place):
        at = self.result(f"getelementptr double, ptr %{place.array}, i64 {place.index * self.shape.lanes}")
        if not place.is_whole:
            return self.result(f"load {self.shape.number}, ptr {at}, align 8")
        whole = self.shape.type_of("i64")
        return self.result(f"sitofp {whole} {self.result(f'load {whole}, ptr {at}, align 8')} to {self.shape.number}")

    def store(self, value, place):
        at = self.result(f"getelementptr double, ptr %{place.array}, i64 {place.index * self.shape.lanes}")
        self.line(f"store {self.shape.number} {value}, ptr {at}, align 8")
