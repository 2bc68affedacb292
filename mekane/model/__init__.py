"""The description of a mechanism: frozen, checked records with names, collected by System. No numerics here."""

from mekane.model.body import Body
from mekane.model.geometry.shapes import Box, Capsule, Cylinder, Plate, Rod, Shape, Sphere
from mekane.model.joint import Joint, joint_kinds
from mekane.model.system import System, add_kind

__all__ = [
    "Body",
    "Box",
    "Capsule",
    "Cylinder",
    "Joint",
    "Plate",
    "Rod",
    "Shape",
    "Sphere",
    "System",
    "add_kind",
    "joint_kinds",
]
