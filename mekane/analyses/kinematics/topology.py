"""topology: how the bodies of a system are connected, in the terms of [A] and [R].  THEORY §2

Bodies are numbered outward: in the order they were added, but each after its parent body. L(K) is the number of the
adjacent lower-numbered body, 0 being the ground; u_K is the number of bodies between K and the ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mekane import formulations
from mekane.model.interface.lazy import lazy_method
from mekane.results.printing import Printed, Shown

if TYPE_CHECKING:
    from mekane.model.system import System


def topology(system: System) -> Topology:
    """The tree of the `joint` formulation; s.topology("relative") is that of another."""
    return tree_of(system, "joint")


def tree_of(system, formulation):
    tree = formulations.find(formulation)(system)
    links = {link.body: link for link in tree.links}
    bodies = numbered(system, links)
    return Topology(system, formulation, tuple(bodies), tuple(links[body] for body in bodies), tuple(tree.cut))


def numbered(system, links):
    """Names of the bodies, each after its parent and otherwise in the order they were added."""
    order, done = [], {"ground"}
    for body in system.bodies:
        path = []
        while body not in done:
            path.append(body)
            done.add(body)
            body = links[body].parent
        order += reversed(path)
    return order


@dataclass(frozen=True, repr=False, eq=False)
class Topology(Printed):
    """The tree that a formulation makes of a system; number K of a body is its place in `bodies`, counted from 1."""

    system: object
    formulation: str
    bodies: tuple[str, ...]
    links: tuple
    cut: tuple[str, ...]  # joints that are constraint equations

    def __call__(self, formulation):
        """The same system in another formulation."""
        return tree_of(self.system, formulation)

    @property
    def number(self):
        """Name of a body → its number; the ground has 0."""
        return {"ground": 0} | {body: K for K, body in enumerate(self.bodies, 1)}

    @property
    def L(self):
        """The body-connection array."""
        return tuple(self.number[link.parent] for link in self.links)

    @property
    def below(self):
        """u_K: how many bodies lie below each, between it and the ground."""
        found = {"ground": -1}
        for link in self.links:
            found[link.body] = found[link.parent] + 1
        return tuple(found[body] for body in self.bodies)

    def path(self, body):
        """Names of the bodies from this one down to the last before the ground: K, L(K), L(L(K)) …"""
        parent = {link.body: link.parent for link in self.links}
        found = []
        while body != "ground":
            found.append(body)
            body = parent[body]
        return tuple(found)

    plot = lazy_method("mekane.view.topology.drawing", "topology_picture")
    text = lazy_method("mekane.view.topology.text", "topology_text")

    def shown(self):
        rows = []
        for K, (link, L, below) in enumerate(zip(self.links, self.L, self.below, strict=True), 1):
            joint = f"{link.joint} ({self.system.joints[link.joint].kind})" if link.joint else "(its own coordinates)"
            rows.append([K, link.body, L, link.parent, below, joint])
        cut = ", ".join(f"{name} ({self.system.joints[name].kind})" for name in self.cut) or "none"
        title = f"{self.system.name}: tree of the {self.formulation} formulation"
        return [Shown(title, ["K", "body", "L(K)", "parent", "u_K", "by"], rows, f"joints held by constraints: {cut}")]
