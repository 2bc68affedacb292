"""Operations whose rounding the code settles, not the compiler: results are the same bits on any number of lanes.

No flag lets the compiler reorder or fuse. A product that one sum alone uses is one `fma` with it, which is rounded once.
"""

from collections import Counter

from mekane.codegen.emit import Operands
from mekane.codegen.sincos import negative
from mekane.expressions.graph import Expr


class Fused(Operands):
    """nodes, inputs, outputs: of the function that is written, see `emit.write`."""

    flags = ""

    def __init__(self, writer, nodes, inputs, outputs):
        super().__init__(writer)
        writer.is_exact, self.inputs = True, inputs
        computed = [node for node in nodes if node not in inputs]
        self.users = Counter([x for node in computed for x in node.args] + list(outputs.values()))

    def compute(self, node):
        place = self.fused_product(node)
        if place is None:
            return super().compute(node)
        product, other = node.args[place], self.at(node.args[1 - place])
        a, b = map(self.at, product.args)
        if node.op == "sub" and place == 0:  # a b − c
            other = negative(self.writer, other)
        elif node.op == "sub":  # c − a b
            a = negative(self.writer, a)
        return self.writer.call("fma", a, b, other)

    def fused_product(self, node):
        """Which argument of a sum is a product that nothing else uses; None if there is none."""
        if node.op not in ("add", "sub"):
            return None
        return next((k for k in (0, 1) if self.is_product(node.args[k])), None)

    def is_product(self, x):
        return isinstance(x, Expr) and x.op == "mul" and self.users[x] == 1 and x not in self.inputs
