"""Floors and angles of atan2 that read the state: in a step they go on beyond their jumps, as a frozen comparison keeps its
outcome, and guards say how far it is to the next jump.

              frozen: n, or φ0                       guard above      guard below
    floor     n: the whole number where it began     n + 1 − x        x − n
    atan2     φ: within π of φ0 where it began       π − φ            φ + π

The steps of a run end where a guard becomes negative. From there on n is one more or less, φ0 a whole turn.
"""

import numpy as np

from mekane.expressions.node import Expr, add, sub
from mekane.expressions.opcodes import DISCONTINUOUS

# what a guard of `Solver.events` is: a comparison that changes sides by crossing zero, or also by touching it; the next
# jump of a floor above and below; that of an angle
CROSSES, TOUCHES, FLOOR_ABOVE, FLOOR_BELOW, TURN_ABOVE, TURN_BELOW = range(6)
GUARDS = {"floor": (FLOOR_ABOVE, FLOOR_BELOW), "atan2": (TURN_ABOVE, TURN_BELOW)}


def discontinuities_of_state(nodes, fixed):
    """{floor or atan2: its guards above and below} of those nodes, in topological order, that read more than these inputs."""
    of_state = set()
    for node in nodes:
        if (
            node.op == "callback"
            or (node.op == "input" and node.name not in fixed)
            or any(isinstance(x, Expr) and x in of_state for x in node.args)
        ):
            of_state.add(node)
    return {node: guards(node) for node in nodes if node.op in DISCONTINUOUS and node in of_state}


def guards(node):
    """How far it is to the next jumps, above and below, of a floor or an angle: positive numbers in between."""
    if node.op == "floor":
        return sub(add(node, 1.0), node.args[0]), sub(node.args[0], node)
    return sub(np.pi, node), add(node, np.pi)
