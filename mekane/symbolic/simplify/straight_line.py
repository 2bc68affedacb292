"""Expressions as a straight-line program: z1 = …, z2 = …, then the outputs. What is used twice is computed once.

What is used once stands where it is used, as long as a line stays short. The number of lines grows with the number of
operations, and the same expressions give the same program.
"""

from collections import Counter
from typing import NamedTuple

from mekane.expressions.graph import Expr, topological

LONGEST = 12  # operations in one line
LEAVES = ("input", "callback")


class Program(NamedTuple):
    inputs: list  # symbols that are read, in order of first use
    steps: list  # expressions to be computed one after the other; each reads inputs and earlier steps
    names: dict  # step → its name, z1, z2 …
    outputs: list  # expressions of inputs and steps, or numbers


def program(outputs, longest=LONGEST):
    """The program that computes these expressions."""
    nodes = topological(outputs)
    steps = kept_apart(nodes, outputs, longest)
    names = {x: f"z{k}" for k, x in enumerate((x for x in nodes if x in steps), 1)}
    return Program([x for x in nodes if x.op == "input"], list(names), names, list(outputs))


def kept_apart(nodes, outputs, longest):
    """Expressions that get a line of their own: used more than once, or too long to stand inside another."""
    uses = Counter(x for node in nodes for x in node.args if isinstance(x, Expr))
    uses.update(x for x in outputs if isinstance(x, Expr))
    found, size = set(), {}
    for node in nodes:
        inside = [x for x in dict.fromkeys(node.args) if isinstance(x, Expr) and x.op not in LEAVES and x not in found]
        inside.sort(key=size.__getitem__)
        while inside and 1 + sum(map(size.__getitem__, inside)) > longest:
            found.add(inside.pop())
        size[node] = 1 + sum(map(size.__getitem__, inside))
        if uses[node] > 1 and node.op not in LEAVES:
            found.add(node)
    return found
