"""The description of a mechanism: frozen, checked records with names, collected by System. No numerics here."""

from mekane.model.body import Body
from mekane.model.geometry.hull import Hull
from mekane.model.geometry.mesh import Mesh
from mekane.model.geometry.polygon import Polygon
from mekane.model.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, Plate, Rod, Shape, Sphere, Torus
from mekane.model.hybrid.controller import Controller
from mekane.model.hybrid.event import Event
from mekane.model.hybrid.impulse import Impulse
from mekane.model.joint import Joint, joint_kinds
from mekane.model.signals.input import Input
from mekane.model.signals.marker import Marker
from mekane.model.signals.output import Output
from mekane.model.signals.variable import Variable
from mekane.model.system import System, add_kind

__all__ = [
    "Body",
    "Box",
    "Capsule",
    "Controller",
    "Cylinder",
    "Ellipsoid",
    "Event",
    "Hull",
    "Impulse",
    "Input",
    "Joint",
    "Marker",
    "Mesh",
    "Output",
    "Plate",
    "Polygon",
    "Rod",
    "Shape",
    "Sphere",
    "System",
    "Torus",
    "Variable",
    "add_kind",
    "joint_kinds",
]
