"""Expression graphs as LLVM code: straight-line functions that read arrays of doubles and write arrays of doubles.

With more than one lane every number is a vector, one element for each of several evaluations at once: element i of an
array of inputs or outputs then stands in `lanes` doubles from i · lanes on. Code is written as text, which is far
quicker than building it object by object.

Two kinds of arithmetic. Usually sums and products carry the flags of the kernels, so results are those of the loops but
for the order of sums. Exact code settles every rounding itself: no flags, sums are chains of `fma`
(`mekane.codegen.sums`), and elementary functions are our own (`mekane.codegen.functions`). Its results are the same bits on any
number of lanes, beside any other evaluation, and on any processor.
"""

from contextlib import contextmanager, nullcontext
from typing import NamedTuple

from mekane.codegen import sincos, table_code
from mekane.codegen.functions import elementary
from mekane.codegen.llvm_writer import Shape, Writer
from mekane.codegen.regions import NONE, Region, leaving, regions
from mekane.codegen.sums import Chains
from mekane.expressions.graph import Expr, topological
from mekane.expressions.opcodes import COMPARISONS, OPCODES
from mekane.numba_backend.kernel import FAST

FLAGS = " ".join(sorted(FAST))
ARITHMETIC = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
INTRINSIC = {"sqrt": "sqrt", "floor": "floor"}  # instructions of the processor, on all lanes
LIBRARY = {  # functions of the mathematical library of C, lane by lane
    "pow": "pow", "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan", "atan2": "atan2", "sinh": "sinh", "cosh": "cosh",
    "tanh": "tanh", "exp": "exp", "log": "log",
}  # fmt: skip
ORDERED = {"less": "olt", "less_equal": "ole"}
TRIG = ("sin", "cos")
EMITTED = {*ARITHMETIC, *INTRINSIC, *LIBRARY, *ORDERED, *TRIG, "neg", "select", "table"}
assert set(OPCODES) == EMITTED, "every operation an expression can hold has its code"


class Function(NamedTuple):
    """Text of a function  void name(ptr array, …), and {name: text} of what else its module needs."""

    text: str
    needs: dict
    operations: int


def function(name, inputs, outputs, lanes=1, exact=False, order=None, branches=NONE):
    """inputs: {node: Place} of every symbol, and of what else is known already; outputs: {Place: expression or number}.
    The arrays, in order of first mention, are its arguments.

    An array that is written to may be read as well: it is read first. Otherwise arrays must not overlap.
    exact: the same bits on any number of lanes, see above. order: nodes in the order of their code, arguments first;
    else depth first. branches: where code is jumped over, of one lane: see `regions`.
    """
    arrays = list(dict.fromkeys(place.array for place in (*inputs.values(), *outputs)))
    writer = Writer(Shape(lanes))
    nodes = in_order(needed([*outputs.values(), *branches.numbers], inputs), inputs, order)
    operands = ExactOperands(writer, nodes, inputs, outputs.values()) if exact else Operands(writer)
    groups = regions(nodes, inputs, outputs.values(), branches) if branches.numbers else None
    write(writer, inputs, outputs, nodes, operands, groups)
    head = (
        f"define internal void @{name}({', '.join(f'ptr noalias %{array}' for array in arrays)}) noinline nounwind {{"
    )
    text = "\n".join([head, "start:", *writer.lines, "  ret void", "}"])
    return Function(text, writer.needs, sum(node not in inputs for node in nodes)), arrays


def write(writer, inputs, outputs, nodes, operands, groups=None):
    """Lines of these nodes, one after the other, and of their stores. groups: the nodes as regions, each of which may be jumped
    over."""
    groups = groups or [Region(None, nodes)]
    written = {place.array for place in outputs}
    for node in nodes:
        if node in inputs and inputs[node].array in written:
            operands.known[node] = writer.load(inputs[node])
    waiting = {}
    for place, x in outputs.items():
        if isinstance(x, Expr):
            waiting.setdefault(x, []).append(place)
        else:
            writer.store(operands.at(x), place)
    used = leaving(groups)
    for region in groups:
        with jumped_over(writer, inputs, operands, region, used) if region.condition is not None else nullcontext():
            write_nodes(writer, inputs, waiting, region.nodes, operands)
    for node in waiting.keys() & inputs.keys():
        read(writer, inputs, node, operands)
        for place in waiting[node]:
            writer.store(operands.known[node], place)


def write_nodes(writer, inputs, waiting, nodes, operands):
    """Lines of these nodes, and of their stores."""
    for node in nodes:
        if node in inputs:
            read(writer, inputs, node, operands)
            continue
        for x in expressions(node.args):
            if x in inputs:
                read(writer, inputs, x, operands)
        if node not in operands.fused:
            operands.known[node] = operands.compute(node)
        for place in waiting.get(node, ()):
            writer.store(operands.known[node], place)


def read(writer, inputs, node, operands):
    if node not in operands.known:
        operands.known[node] = writer.load(inputs[node])


@contextmanager
def jumped_over(writer, inputs, operands, region, used):
    """What is written meanwhile is jumped over where the condition of the region is zero. Numbers of it that other regions use are
    zero then."""
    if region.condition in inputs:
        read(writer, inputs, region.condition, operands)
    begun = writer.branch(operands.truth(region.condition))
    lasting = [(found, len(found)) for found in (operands.known, operands.truths, operands.trig)]
    yield
    inside = {node: operands.known[node] for node in region.nodes if node in used}
    for found, count in lasting:
        while len(found) > count:
            found.popitem()
    operands.known |= writer.land(begun, inside)


def needed(outputs, inputs):
    """The nodes that outputs are computed from, depth first; nothing below inputs."""
    reached, waiting = set(), expressions(outputs)
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting += expressions(node.args) if node not in inputs else []
    return [node for node in topological(outputs) if node in reached]


def expressions(values):
    return [x for x in values if isinstance(x, Expr)]


def in_order(nodes, inputs, order):
    """All these nodes, as `order` has them. Inputs need not be in it; they come before what uses them."""
    if order is None:
        return nodes
    wanted, found = set(nodes), {}
    for node in order:
        if node in wanted and node not in inputs:
            found |= dict.fromkeys(x for x in expressions(node.args) if x in inputs)
            found[node] = None
    found |= dict.fromkeys(node for node in nodes if node in inputs)  # outputs that are inputs
    assert len(found) == len(nodes), "an operation is missing in the order"
    return list(found)


class Operands:
    """What stands for each node of a graph in the code written so far."""

    flags = f" {FLAGS}"
    fused = frozenset()  # products that are no operation of their own

    def __init__(self, writer):
        self.writer, self.shape = writer, writer.shape
        self.known, self.truths, self.trig = {}, {}, {}

    def at(self, x):
        return self.known[x] if isinstance(x, Expr) else self.shape.constant(x)

    def compute(self, node):
        """Code of one operation; its operand is returned."""
        args, T, w = [self.at(x) for x in node.args], self.shape.number, self.writer
        if node.op in ARITHMETIC:
            return w.result(f"{ARITHMETIC[node.op]}{self.flags} {T} {args[0]}, {args[1]}")
        if node.op == "neg":
            return w.result(f"fneg{self.flags} {T} {args[0]}")
        if node.op in TRIG:
            return self.sine_and_cosine(node.args[0])[TRIG.index(node.op)]
        if node.op in INTRINSIC:
            return w.call(INTRINSIC[node.op], *args)
        if node.op in LIBRARY:
            return self.elementary(node.op, *args)
        if node.op in COMPARISONS:
            self.truths[node] = w.result(f"fcmp {ORDERED[node.op]} {T} {args[0]}, {args[1]}")
            return self.choose(self.truths[node], self.shape.constant(1.0), self.shape.constant(0.0))
        if node.op == "select":
            return self.choose(self.truth(node.args[0]), *args[1:])
        return table_code.call(w, node.data, *args)

    def sine_and_cosine(self, x):
        if x not in self.trig:
            self.trig[x] = self.sincos(self.at(x))
        return self.trig[x]

    def sincos(self, x):
        return sincos.call(self.writer, x)

    def elementary(self, op, *args):
        return self.writer.library(LIBRARY[op], *args)

    def truth(self, x):
        if x not in self.truths:
            self.truths[x] = self.writer.result(
                f"fcmp une {self.shape.number} {self.at(x)}, {self.shape.constant(0.0)}"
            )
        return self.truths[x]

    def choose(self, truth, yes, no):
        T = self.shape.number
        return self.writer.result(f"select {self.shape.truth} {truth}, {T} {yes}, {T} {no}")


class ExactOperands(Operands):
    """Every rounding is settled here: sums are chains of products that are rounded with what they are added to."""

    flags = ""

    def __init__(self, writer, nodes, inputs, outputs):
        super().__init__(writer)
        self.chains = Chains([node for node in nodes if node not in inputs], outputs)
        self.fused = self.chains.inside

    def compute(self, node):
        if node not in self.chains.terms:
            return super().compute(node)
        first, *others = self.chains.terms[node]
        found = self.term(first)
        for one in others:
            found = self.added(found, one)
        return found

    def term(self, term):
        """Of a chain, the first."""
        factors = [self.at(x) for x in term.factors]
        found = self.combined("fmul", *factors) if term.is_product else factors[0]
        return found if term.sign > 0 else self.negative(found)

    def added(self, total, term):
        factors = [self.at(x) for x in term.factors]
        if not term.is_product:
            return self.combined("fadd" if term.sign > 0 else "fsub", total, *factors)
        a, b = factors
        return self.writer.call("fma", a if term.sign > 0 else self.negative(a), b, total)

    def combined(self, operation, a, b):
        return self.writer.result(f"{operation} {self.shape.number} {a}, {b}")

    def negative(self, x):
        return self.writer.result(f"fneg {self.shape.number} {x}")

    def sincos(self, x):
        return elementary.call(self.writer, "sincos", x)

    def elementary(self, op, *args):
        return elementary.call(self.writer, op, *args)


def module(functions, *more):
    """Text of a module with these functions and any other definitions."""
    needs = {}
    for one in functions:
        needs |= one.needs
    return "\n".join([*needs.values(), *(one.text for one in functions), *more, ""])
