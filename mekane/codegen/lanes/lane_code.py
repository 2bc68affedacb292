"""Functions of a model as code over lanes:  void name(ptr t, ptr y, ptr p, ptr out),  each number being `lanes` doubles.

What depends on parameters alone is computed once for each run, by a function `prepare`, and is then an input p[k] to all
others. Operations stand in the order in which kernels made them, so that few results wait at a time.
"""

from mekane.codegen import emit
from mekane.codegen.entry_code import place_of
from mekane.codegen.lanes.fused import Fused
from mekane.codegen.llvm_writer import Place
from mekane.codegen.machine_code import Machine
from mekane.expressions.graph import Expr, topological

ARRAYS = ("t", "y", "p", "out")
PREPARE = "prepare"


class LaneCode:
    """Expressions of several functions, {name: {Place: expression}}, of inputs `at("t")`, `at("y", k)` and parameters.

    parameters: their symbols, in the order in which values are given. nodes: of the trace by key, see `own_nodes`.
    first: inputs p[k] before those of the parameters, which the time loop fills. more: expressions of parameters, or
    numbers, that `prepare` writes after p.
    """

    def __init__(self, functions, parameters, nodes, first=0, more=()):
        self.functions, self.parameters, self.first, self.more = functions, list(parameters), first, more
        self._rank = {node: k for k, node in enumerate(nodes.values())}
        self._fixed = self.find_fixed()
        self.prepared = self.find_prepared()  # {node: k of p[k]}

    def ordered(self, expressions):
        """All nodes below some expressions, in the order in which they were made."""
        return sorted(topological(expressions), key=lambda node: self._rank.get(node, -1))

    def find_fixed(self):
        """Nodes that depend on parameters alone."""
        fixed = set()
        for node in self.ordered([x for outputs in self.functions.values() for x in outputs.values()]):
            known = node in self.symbols if node.op == "input" else all(x in fixed for x in expressions_in(node.args))
            if known:
                fixed.add(node)
        return fixed

    @property
    def symbols(self):
        return set(self.parameters)

    def find_prepared(self):
        """Those of them that other nodes, or outputs, use."""
        used = {}
        for outputs in self.functions.values():
            for node in self.ordered(outputs.values()):
                if node not in self._fixed:
                    used |= dict.fromkeys(x for x in expressions_in(node.args) if x in self._fixed)
            used |= dict.fromkeys(x for x in expressions_in(outputs.values()) if x in self._fixed)
        return {node: self.first + k for k, node in enumerate(used)}

    def nodes_of(self, outputs):
        """The nodes that a function reads or computes, and its inputs {node: Place}."""
        reached, waiting = set(), expressions_in(outputs.values())
        while waiting:
            node = waiting.pop()
            if node not in reached:
                reached.add(node)
                waiting += [] if node in self.prepared else expressions_in(node.args)
        nodes = [node for node in self.ordered(outputs.values()) if node in reached]
        inputs = {node: place_of(node) for node in nodes if node.op == "input" and node not in self.prepared}
        return nodes, inputs | {node: Place("p", self.prepared[node]) for node in nodes if node in self.prepared}

    def compile(self, lanes):
        """Machine code of all functions."""
        return Machine(self.text(lanes))

    def text(self, lanes):
        made = [self.written(name, outputs, lanes, *self.nodes_of(outputs)) for name, outputs in self.functions.items()]
        made.append(self.written_prepare(lanes))
        bodies, entries = zip(*made, strict=True)
        return emit.module(bodies, *entries)

    def written_prepare(self, lanes):
        """out = (p, more) from the parameters, which stand in `y`."""
        outputs = {Place("out", k): node for k, node in enumerate([*self.prepared, *self.more])}
        inputs = {node: Place("y", k) for k, node in enumerate(self.parameters)}
        return self.written(PREPARE, outputs, lanes, self.ordered(outputs.values()), inputs)

    @staticmethod
    def written(name, outputs, lanes, nodes, inputs):
        """A function, and the entry that calls it."""
        operands = lambda writer: Fused(writer, nodes, inputs, outputs)
        body, arrays = emit.function(f"{name}_body", inputs, outputs, lanes, nodes, operands)
        head = f"define void @{name}({', '.join(f'ptr %{array}' for array in ARRAYS)}) nounwind {{"
        call = f"  call void @{name}_body({', '.join(f'ptr %{array}' for array in arrays)})"
        return body, "\n".join([head, call, "  ret void", "}"])


def expressions_in(values):
    return [x for x in values if isinstance(x, Expr)]
