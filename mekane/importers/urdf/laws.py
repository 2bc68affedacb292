"""Laws on joint coordinates as limit, dynamics and mimic of URDF; all other laws are listed."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from mekane.contacts.dry_friction import DryFriction
from mekane.contacts.limit import Limit
from mekane.expressions.derivative import differentiate
from mekane.expressions.graph import evaluate, symbol, topological
from mekane.forces.sliding_damper import SlidingDamper
from mekane.forces.torsional_damper import TorsionalDamper
from mekane.model.attachments import JointCoordinate
from mekane.model.set_valued import number_of
from mekane.model.system import System

UNLIMITED = repr(1e9)
LINEAR = {"input", "add", "sub", "mul", "div", "neg"}  # operations whose derivative tells whether they are linear


class Laws:
    """Puts laws into the joints of a robot. coordinates: (joint, coordinate) → name of the joint in the file."""

    def __init__(self, system: System, coordinates: dict, left_out: list[str]):
        self.system, self.coordinates, self.left_out = system, coordinates, left_out

    def add_to(self, root: ET.Element) -> None:
        self.joints = {element.get("name"): element for element in root.iter("joint")}
        for law in self.system.contact_laws.values():
            if not (self.add_limit(law) or self.add_friction(law)):
                self.left_out.append(law.part)
        for force in self.system.forces.values():
            if not self.add_damping(force):
                self.left_out.append(force.part)
        for constraint in self.system.constraints.values():
            if constraint.kind == "coupler" and not self.add_mimic(constraint):
                self.left_out.append(constraint.part)
        for element in self.joints.values():
            self.add_missing_limit(element)

    def element(self, place: JointCoordinate) -> ET.Element | None:
        return self.joints.get(self.coordinates.get((place.joint, place.coordinate)))

    def add_limit(self, law) -> bool:
        element = self.element(law.joint) if isinstance(law, Limit) else None
        if element is None or None in (number_of(law.lower), number_of(law.upper)) or element.find("limit") is not None:
            return False
        if element.get("type") == "continuous":
            element.set("type", "revolute")
        limits = {"lower": repr(number_of(law.lower)), "upper": repr(number_of(law.upper))}
        ET.SubElement(element, "limit", limits, effort=UNLIMITED, velocity=UNLIMITED)
        if law.restitution:
            self.left_out.append(f"restitution of {law.part}")
        return True

    def add_friction(self, law) -> bool:
        element = self.element(law.joint) if isinstance(law, DryFriction) else None
        capacity = None if element is None else number_of(law.torque if law.force is None else law.force)
        if capacity is None or law.static is not None:
            return False
        return self.add_dynamics(element, "friction", capacity)

    def add_damping(self, force) -> bool:
        element = self.element(force.acts) if isinstance(force, TorsionalDamper | SlidingDamper) else None
        damping = None if element is None else number_of(force.damping)
        return damping is not None and self.add_dynamics(element, "damping", damping)

    def add_dynamics(self, element: ET.Element, keyword: str, value: float) -> bool:
        dynamics = element.find("dynamics")
        dynamics = ET.SubElement(element, "dynamics") if dynamics is None else dynamics
        dynamics.set(keyword, repr(float(dynamics.get(keyword, 0.0)) + value))
        return True

    def add_mimic(self, coupler) -> bool:
        """q = multiplier × another coordinate + offset, if the expression is that."""
        element, names = self.element(coupler.joint), coupler.to.names()
        of = tuple(names[0].rpartition(".")[::2]) if len(names) == 1 else None
        if element is None or of not in self.coordinates or element.find("mimic") is not None:
            return False
        graph = coupler.to.graph
        multiplier = differentiate(graph, symbol(names[0]))
        if {node.op for node in topological([graph])} - LINEAR or not isinstance(multiplier, int | float):
            return False
        offset = evaluate(graph, {names[0]: 0.0})
        given = {"joint": self.coordinates[of], "multiplier": repr(float(multiplier)), "offset": repr(float(offset))}
        ET.SubElement(element, "mimic", given)
        return True

    def add_missing_limit(self, element: ET.Element) -> None:
        """URDF needs limits of a prismatic joint."""
        if element.get("type") == "prismatic" and element.find("limit") is None:
            ET.SubElement(
                element, "limit", lower="-" + UNLIMITED, upper=UNLIMITED, effort=UNLIMITED, velocity=UNLIMITED
            )
