"""count_equations: how many equations each method needs for a system.  THEORY §11, [T 2.4]

N bodies with six coordinates each, c equations of the joints in the tree, m further equations of the joints that close
loops, n = 6N − c generalized coordinates. A lone point mass, which nothing can turn, counts three instead of six.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mekane import formulations
from mekane.compiler.planar import planar_rows
from mekane.results.printing import Printed, Shown

if TYPE_CHECKING:
    from mekane.model.system import System

METHODS = {  # (method, coordinates) → how its equations are counted
    ("Newton", "absolute"): ("6N + c + m", lambda k: k.absolute + k.c + k.m),
    ("Lagrange", "absolute"): ("6N + c + m", lambda k: k.absolute + k.c + k.m),
    ("Kane", "absolute"): ("6N", lambda k: k.absolute),
    ("Newton", "generalized"): ("6N + m", lambda k: k.absolute + k.m),
    ("Lagrange", "generalized"): ("n + m", lambda k: k.n + k.m),
    ("Kane", "generalized"): ("n", lambda k: k.n),
}


def count_equations(system: System) -> EquationCount:
    """Equations of motion and of constraint that Newton's, Lagrange's and Kane's methods lead to."""
    tree = formulations.find("joint")(system)
    speeds = sum(3 if primitive.kind == "quaternion" else 1 for link in tree.links for primitive in link.primitives)
    absolute = sum(3 if link.joint is None and len(link.primitives) == 3 else 6 for link in tree.links)
    further = sum(len(planar_rows(system, system.joints[name])) for name in tree.cut)
    return EquationCount(system.name, len(tree.links), absolute, absolute - speeds, further, speeds)


@dataclass(frozen=True, repr=False)
class EquationCount(Printed):
    """count("Kane", "generalized") is a number; str(count) the table of all."""

    name: str
    N: int  # bodies
    absolute: int  # their coordinates, 6N
    c: int  # equations of the joints in the tree
    m: int  # equations of the joints that close loops
    n: int  # generalized coordinates of the tree

    def __call__(self, method, coordinates="generalized"):
        return METHODS[method, coordinates][1](self)

    def shown(self):
        rows = []
        for method in ("Newton", "Lagrange", "Kane"):
            cells = [(METHODS[method, kind][0], self(method, kind)) for kind in ("absolute", "generalized")]
            rows.append([method, *(x for cell in cells for x in cell)])
        headings = ["method", "absolute coordinates", "equations", "generalized coordinates", "equations"]
        remark = f"N = {self.N} bodies, c = {self.c} equations of joints in the tree, m = {self.m} of joints that close loops, n = {self.n}"
        return [Shown(f"{self.name}: how many equations", headings, rows, remark)]
