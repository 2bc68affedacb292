"""Laws on joint coordinates as attributes of joints, couplers and motors of MJCF; all other laws are listed."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from mekane.contacts.dry_friction import DryFriction
from mekane.contacts.limit import Limit
from mekane.expressions.derivative import differentiate
from mekane.expressions.graph import evaluate, symbol, topological
from mekane.forces.motor import Motor
from mekane.forces.rotor import Rotor
from mekane.forces.sliding_damper import SlidingDamper
from mekane.forces.sliding_spring import SlidingSpring
from mekane.forces.torsional_damper import TorsionalDamper
from mekane.forces.torsional_spring import TorsionalSpring
from mekane.importers.urdf.laws import LINEAR
from mekane.model.set_valued import number_of
from mekane.model.system import System


class Laws:
    """Puts laws into the joints of a model. coordinates: (joint, coordinate) → element of the joint in the file."""

    def __init__(self, system: System, coordinates: dict, left_out: list[str]):
        self.system, self.coordinates, self.left_out = system, coordinates, left_out
        self.inputs = set()  # those that a motor has

    def add_to(self, root: ET.Element) -> None:
        self.root = root
        parts = {
            "contact_laws": (self.add_limit, self.add_friction),
            "forces": (self.add_damping, self.add_spring, self.add_rotor, self.add_motor),
            "constraints": (self.add_coupler,),
        }
        for collection, ways in parts.items():
            for part in getattr(self.system, collection).values():
                if not any(way(part) for way in ways):
                    self.left_out.append(part.part)
        self.left_out += [f"input {name!r}" for name in self.system.inputs if name not in self.inputs]

    def element(self, place) -> ET.Element | None:
        return self.coordinates.get((place.joint, place.coordinate))

    def add_numbers(self, element: ET.Element | None, **numbers) -> bool:
        """Add to attributes of a joint; False if it is none, or something is not a number."""
        if element is None or None in numbers.values():
            return False
        element.attrib |= {keyword: repr(float(element.get(keyword, 0.0)) + x) for keyword, x in numbers.items()}
        return True

    def add_limit(self, law) -> bool:
        element = self.element(law.joint) if isinstance(law, Limit) else None
        limits = None if element is None else (number_of(law.lower), number_of(law.upper))
        if limits is None or None in limits or "range" in element.attrib:
            return False
        element.set("range", " ".join(repr(float(x)) for x in limits))
        self.left_out.append(f"that {law.part} is rigid; it is soft in MuJoCo")
        return True

    def add_friction(self, law) -> bool:
        if not isinstance(law, DryFriction) or law.static is not None:
            return False
        return self.add_numbers(
            self.element(law.joint), frictionloss=number_of(law.torque if law.force is None else law.force)
        )

    def add_damping(self, force) -> bool:
        if not isinstance(force, TorsionalDamper | SlidingDamper):
            return False
        return self.add_numbers(self.element(force.acts), damping=number_of(force.damping))

    def add_spring(self, force) -> bool:
        if not isinstance(force, TorsionalSpring | SlidingSpring):
            return False
        rest = force.angle if isinstance(force, TorsionalSpring) else force.displacement
        numbers = {"stiffness": number_of(force.stiffness), "springref": number_of(rest)}
        element = self.element(force.acts)
        if element is None or "stiffness" in element.attrib:
            return False
        return self.add_numbers(element, **numbers, damping=number_of(force.damping))

    def add_rotor(self, force) -> bool:
        """What the coordinate feels:  ratio² inertia"""
        if not isinstance(force, Rotor):
            return False
        inertia, ratio = number_of(force.inertia), number_of(force.ratio)
        return None not in (inertia, ratio) and self.add_numbers(
            self.element(force.acts), armature=inertia * ratio * ratio
        )

    def add_motor(self, force) -> bool:
        """A motor whose torque or force is a number times an input."""
        element = self.element(force.acts) if isinstance(force, Motor) and force.limit is None else None
        gain, offset, name = (
            linear(force.torque if force.force is None else force.force) if element is not None else (None,) * 3
        )
        if gain is None or offset or name not in self.system.inputs:
            return False
        section = self.section("actuator")
        ET.SubElement(section, "motor", name=force.name, joint=element.get("name"), gear=repr(gain))
        self.inputs.add(name)
        return True

    def add_coupler(self, coupler) -> bool:
        """q = offset + multiplier × another coordinate, if the expression is that."""
        element = self.element(coupler.joint) if coupler.kind == "coupler" else None
        multiplier, offset, name = linear(coupler.to) if element is not None else (None,) * 3
        other = self.coordinates.get(tuple((name or "").rpartition(".")[::2]))
        if multiplier is None or other is None:
            return False
        coefficients = f"{offset!r} {multiplier!r} 0 0 0"
        joints = {"joint1": element.get("name"), "joint2": other.get("name")}
        ET.SubElement(self.section("equality"), "joint", name=coupler.name, **joints, polycoef=coefficients)
        return True

    def section(self, tag: str) -> ET.Element:
        found = self.root.find(tag)
        return ET.SubElement(self.root, tag) if found is None else found


def linear(value) -> tuple[float | None, float | None, str | None]:
    """m, n and name of an expression  m × name + n; None if it is not one."""
    names = value.names() if value is not None else []
    if len(names) != 1:
        return None, None, None
    slope = differentiate(value.graph, symbol(names[0]))
    if {node.op for node in topological([value.graph])} - LINEAR or not isinstance(slope, int | float):
        return None, None, None
    return float(slope), float(evaluate(value.graph, {names[0]: 0.0})), names[0]
