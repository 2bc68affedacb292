"""Expression graphs as LLVM code: straight-line functions that read arrays of doubles and write arrays of doubles.

With more than one lane every number is a vector, one element for each of several evaluations at once: element i of an
array of inputs or outputs then stands in `lanes` doubles from i · lanes on. Sums and products carry the flags of the
kernels, so results are those of the loops but for the order of sums. Code is written as text, which is far quicker than
building it object by object.
"""

from typing import NamedTuple

from mekane.codegen import sincos, table_code
from mekane.codegen.llvm_writer import Shape, Writer
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


def function(name, inputs, outputs, lanes=1, nodes=None, operands_of=None):
    """inputs: {node: Place}, outputs: {Place: expression or number}. The arrays, in order of first mention, are its
    arguments.

    An array that is written to may be read as well: it is read first. Otherwise arrays must not overlap.
    nodes: all nodes of the outputs, each after its arguments, in the order in which they are computed.
    operands_of: a kind of Operands, which writes the operations.
    """
    arrays = list(dict.fromkeys(place.array for place in (*inputs.values(), *outputs)))
    writer = Writer(Shape(lanes))
    nodes = topological(outputs.values()) if nodes is None else nodes
    write(writer, inputs, outputs, nodes, (operands_of or Operands)(writer))
    head = (
        f"define internal void @{name}({', '.join(f'ptr noalias %{array}' for array in arrays)}) noinline nounwind {{"
    )
    text = "\n".join([head, *writer.lines, "  ret void", "}"])
    return Function(text, writer.needs, sum(node not in inputs for node in nodes)), arrays


def write(writer, inputs, outputs, nodes, operands):
    """Lines of all nodes in this order, and of their stores."""
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
    for node in nodes:
        if node not in operands.known:
            operands.known[node] = writer.load(inputs[node]) if node in inputs else operands.compute(node)
        for place in waiting.get(node, ()):
            writer.store(operands.known[node], place)


class Operands:
    """What stands for each node of a graph in the code written so far."""

    flags = FLAGS

    def __init__(self, writer):
        self.writer, self.shape = writer, writer.shape
        self.known, self.truths, self.trig = {}, {}, {}

    def at(self, x):
        return self.known[x] if isinstance(x, Expr) else self.shape.constant(x)

    def compute(self, node):
        """Code of one operation; its operand is returned."""
        args, T, w = [self.at(x) for x in node.args], self.shape.number, self.writer
        if node.op in ARITHMETIC:
            return w.result(f"{ARITHMETIC[node.op]} {self.flags} {T} {args[0]}, {args[1]}")
        if node.op == "neg":
            return w.result(f"fneg {self.flags} {T} {args[0]}")
        if node.op in TRIG:
            return self.sine_and_cosine(node.args[0])[TRIG.index(node.op)]
        if node.op in INTRINSIC:
            return w.call(INTRINSIC[node.op], *args)
        if node.op in LIBRARY:
            return w.library(LIBRARY[node.op], *args)
        if node.op in COMPARISONS:
            self.truths[node] = w.result(f"fcmp {ORDERED[node.op]} {T} {args[0]}, {args[1]}")
            return self.choose(self.truths[node], self.shape.constant(1.0), self.shape.constant(0.0))
        if node.op == "select":
            return self.choose(self.truth(node.args[0]), *args[1:])
        return table_code.call(w, node.data, *args)

    def sine_and_cosine(self, x):
        if x not in self.trig:
            self.trig[x] = sincos.call(self.writer, self.at(x))
        return self.trig[x]

    def truth(self, x):
        if x not in self.truths:
            self.truths[x] = self.writer.result(
                f"fcmp une {self.shape.number} {self.at(x)}, {self.shape.constant(0.0)}"
            )
        return self.truths[x]

    def choose(self, truth, yes, no):
        T = self.shape.number
        return self.writer.result(f"select {self.shape.truth} {truth}, {T} {yes}, {T} {no}")


def module(functions, *more):
    """Text of a module with these functions and any other definitions."""
    needs = {}
    for one in functions:
        needs |= one.needs
    return "\n".join([*needs.values(), *(one.text for one in functions), *more, ""])
