"""Branches in straight-line code: what only one side of a `select` needs is computed only where that side is taken.

Code branches on a few numbers that stay the same for many evaluations (modes of contacts): known are the literals, (condition,
outcome) of a `select`, and which of these numbers are not zero wherever each holds. A node is needed in the case that all its
uses have in common, and computed where the rarest number of that case is not zero. Nodes with the same one stand together, as
far as what they are computed from lets them: a region, jumped over where it is zero. What is computed beyond need may be of
what was jumped over, which is zero: nobody reads it.
"""

import heapq
from collections import defaultdict
from typing import NamedTuple

from mekane.expressions.graph import Expr

SMALL, ROUNDS = 40, 3  # nodes: so few are not worth a jump; then others stand together that did not


class Region(NamedTuple):
    """Nodes that are computed where a number is not zero; None: always."""

    condition: Expr | None
    nodes: list


def regions(nodes, inputs, outputs, branches):
    """Regions in the order of their code. nodes: topological; outputs: always needed."""
    numbers, bit = branches.numbers, {x: 1 << k for k, x in enumerate(branches.numbers)}
    known = {literal: sum(bit[x] for x in more) for literal, more in branches.literals.items()}
    rarest = {x: case.bit_length() for x, case in needed_in(nodes, (*outputs, *numbers), known).items()}
    for _ in range(ROUNDS):
        small = [x for k, group in together(nodes, inputs, rarest) for x in group if k and len(group) < SMALL]
        rarest |= dict.fromkeys(small, 0)
    return [Region(numbers[k - 1] if k else None, group) for k, group in together(nodes, inputs, rarest)]


class Branches(NamedTuple):
    """Where code may be jumped over."""

    numbers: list  # that code branches on, rare ones last
    literals: dict  # {(condition, outcome) of a `select`: those of the numbers that are not zero where it holds}


NONE = Branches([], {})


def needed_in(nodes, outputs, known):
    """{node: bits of the numbers that are not zero wherever it is needed}. outputs: always needed."""
    found = dict.fromkeys(nodes, -1)
    found |= {x: 0 for x in outputs if isinstance(x, Expr)}
    for node in reversed(nodes):
        case = found[node]
        for k, x in enumerate(node.args):
            if isinstance(x, Expr):
                requested = known.get((node.args[0], k == 1), 0) if node.op == "select" and k > 0 else 0
                found[x] = found.get(x, -1) & (case | requested)
    return found


def together(nodes, inputs, cases):
    """(case, nodes) one after the other: all of a case that can be computed, in the order given; what is always needed goes first."""
    place, users, waits, ready = {x: k for k, x in enumerate(nodes)}, defaultdict(list), {}, defaultdict(list)
    for node in nodes:
        if node not in inputs:
            before = {x for x in node.args if isinstance(x, Expr) and x not in inputs}
            waits[node] = len(before)
            for x in before:
                users[x].append(node)
            if not before:
                heapq.heappush(ready[cases[node]], place[node])
    while ready:
        case = 0 if 0 in ready else max(ready, key=lambda one: len(ready[one]))
        group, places = [], ready[case]
        while places:
            node = nodes[heapq.heappop(places)]
            group.append(node)
            for user in users[node]:
                waits[user] -= 1
                if waits[user] == 0:
                    heapq.heappush(ready[cases[user]], place[user])
        del ready[case]
        yield case, group


def leaving(groups):
    """Nodes that another region uses."""
    where = {node: k for k, region in enumerate(groups) for node in region.nodes}
    return {x for k, region in enumerate(groups) for node in region.nodes for x in node.args if where.get(x, k) != k}
