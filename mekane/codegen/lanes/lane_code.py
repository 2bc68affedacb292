"""Functions of a model as code over lanes:  void name(ptr t, ptr y, ptr p, ptr out),  each number being `lanes` doubles.

What depends on parameters alone is computed once for each run, by a function `prepare`, and is then an input p[k] to all
others. Operations stand in the order in which kernels made them, so that few results wait at a time.
"""

from mekane.codegen import emit
from mekane.codegen.entry_code import place_of
from mekane.codegen.llvm_writer import Place
from mekane.codegen.machine_code import Machine
from mekane.expressions.graph import topological

ARRAYS = ("t", "y", "p", "out")
PREPARE = "prepare"


class LaneCode:
    """Expressions of several functions, {name: {Place: expression}}, of inputs `at("t")`, `at("y", k)` and parameters.

    parameters: their symbols, in the order in which values are given. nodes: of the trace, see `own_nodes`.
    first: inputs p[k] before those of the parameters, which the time loop fills. more: expressions of parameters, or
    numbers, that `prepare` writes after p. tables: expressions of parameters that loop kernels read at p.
    """

    def __init__(self, functions, parameters, nodes, first=0, more=(), tables=()):
        self.functions, self.parameters, self.first, self.more = functions, list(parameters), first, more
        self.read = [outputs.values() for outputs in functions.values()] + [tables]
        self._rank = {node: k for k, node in enumerate(nodes.living())}
        self._fixed = self.find_fixed()
        self.prepared = self.find_prepared()  # {node: k of p[k]}

    def ordered(self, expressions):
        """All nodes below some expressions, in the order in which they were made."""
        return sorted(topological(expressions), key=lambda node: self._rank.get(node, -1))

    def find_fixed(self):
        """Nodes that depend on parameters alone."""
        fixed = set()
        for node in self.ordered([x for expressions in self.read for x in expressions]):
            known = node in self.symbols if node.op == "input" else all(x in fixed for x in emit.expressions(node.args))
            if known:
                fixed.add(node)
        return fixed

    @property
    def symbols(self):
        return set(self.parameters)

    def find_prepared(self):
        """Those of them that other nodes, or outputs, use."""
        used = {}
        for expressions in self.read:
            for node in self.ordered(expressions):
                if node not in self._fixed:
                    used |= dict.fromkeys(x for x in emit.expressions(node.args) if x in self._fixed)
            used |= dict.fromkeys(x for x in emit.expressions(expressions) if x in self._fixed)
        return {node: self.first + k for k, node in enumerate(used)}

    def inputs_of(self, outputs):
        """{node: Place} of what a function reads: time and state, and what is prepared."""
        symbols = [node for node in self.ordered(outputs.values()) if node.op == "input" and node not in self._fixed]
        places = {node: place_of(node) for node in symbols}
        return places | {node: Place("p", k) for node, k in self.prepared.items()}

    def compile(self, lanes):
        """Machine code of all functions."""
        return Machine(self.text(lanes))

    def text(self, lanes):
        made = [self.written(name, outputs, lanes, self.inputs_of(outputs)) for name, outputs in self.functions.items()]
        bodies, entries = zip(*made, self.written_prepare(lanes), strict=True)
        return emit.module(bodies, *entries)

    def written_prepare(self, lanes):
        """out = (p, more) from the parameters, which stand in `y`."""
        outputs = {Place("out", k): node for k, node in enumerate([*self.prepared, *self.more])}
        return self.written(PREPARE, outputs, lanes, {node: Place("y", k) for k, node in enumerate(self.parameters)})

    def written(self, name, outputs, lanes, inputs):
        """A function, and the entry that calls it."""
        order = self.ordered(outputs.values())
        body, arrays = emit.function(f"{name}_body", inputs, outputs, lanes, exact=True, order=order)
        head = f"define void @{name}({', '.join(f'ptr %{array}' for array in ARRAYS)}) nounwind {{"
        call = f"  call void @{name}_body({', '.join(f'ptr %{array}' for array in arrays)})"
        return body, "\n".join([head, call, "  ret void", "}"])
