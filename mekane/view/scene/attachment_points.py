"""Points of bodies at which something is attached: joints, forces between points, constraints, contacts."""

import numpy as np

from mekane.model.attachments import AtPoint, Axial, BetweenFrames
from mekane.model.constraint import End
from mekane.model.geometry.contact_side import Side
from mekane.model.geometry.surfaces import Point


class AttachmentPoints:
    """Of one system, at its start. Bodies are given by name; the ground is one of them."""

    def __init__(self, system):
        self.system = system
        self.points = {name: [] for name in (*system.bodies, "ground")}
        for joint in system.joints.values():
            self._add_joint(joint)
        for body, point in [*force_ends(system), *constraint_ends(system)]:
            self.points[body].append(point)

    def _add_joint(self, joint):
        translations = sum(primitive.kind == "translation" for primitive in joint.primitives())
        if translations < 3:
            self.points[joint.b].append(joint.p_BM)
        if translations < 2:
            self.points[joint.a].append(joint.p_AF)

    def world(self, name: str, point) -> np.ndarray:
        return to_world(self.system, name, point)

    def everywhere(self) -> np.ndarray:
        """All of them and the mass centres, in the world."""
        centres = [self.world(name, body.com) for name, body in self.system.bodies.items()]
        attached = [self.world(name, point) for name, points in self.points.items() for point in points]
        return np.array(centres + attached, float).reshape(-1, 3)

    def spans(self, more: dict) -> list[float]:
        """How far the points of each body are apart, its mass centre and `more` points included; 0 is left out."""
        all_of = lambda name, body: np.array([*self.points[name], body.com, *more.get(name, ())], float)
        found = [np.linalg.norm(np.ptp(all_of(name, body), axis=0)) for name, body in self.system.bodies.items()]
        return [float(span) for span in found if span > 0]


def to_world(system, name: str, point) -> np.ndarray:
    """A point fixed in a body, where it is at the start."""
    body = system.bodies.get(name)
    return np.array(point, float) if body is None else np.real(body.position + body.R_NB @ np.asarray(point))


def force_ends(system):
    """(body, point) of all forces that act between points or at one that is not a mass centre."""
    for force in system.forces.values():
        yield from ends_of(force.acts)


def ends_of(place):
    if isinstance(place, Axial | BetweenFrames):
        yield place.a, place.point_a
        yield place.b, place.point_b
    elif isinstance(place, AtPoint):
        yield place.body, place.point


def constraint_ends(system):
    """(body, point) of the points that constraints act on; `on` only tells where a plane or a curve is."""
    for constraint in system.constraints.values():
        for keyword, end in keyword_values(constraint, End):
            if keyword != "on":
                yield end.body, end.point
    for law in system.contact_laws.values():
        yield from ((end.body, end.point) for _, end in keyword_values(law, End))
        yield from ((s.body, s.shape.at) for _, s in keyword_values(law, Side) if isinstance(s.shape, Point))


def keyword_values(constraint, kind):
    """(keyword, value) of a constraint's fields of one kind."""
    values = [(f.name, getattr(constraint, f.name)) for f in constraint.own_fields()]
    return [(keyword, value) for keyword, value in values if isinstance(value, kind)]
