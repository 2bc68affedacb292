"""A roller that follows a cam; their axes are parallel and stay so."""

from mekane.algebra.triples import cross, length
from mekane.contacts.pairs import at_start, axes_of, centre_of
from mekane.contacts.pairs._cam import following
from mekane.errors import ModelError
from mekane.model.geometry.curved import Cam
from mekane.model.geometry.shapes import Cylinder

shapes = (Cylinder, Cam)
PARALLEL = 1e-6  # angle between axes that count as parallel


def labels(a, b):
    return [""]


def points(k, a, b):
    if at_start(k, [length(cross(axes_of(k, a)[2], axes_of(k, b)[2]))])[0] > PARALLEL:
        problem = f"the axes of roller {a.body!r} and cam {b.body!r} are not parallel"
        raise ModelError(k.laws.part, problem, "they are parallel", "Give axis= of either, or a Sphere as the roller.")
    return [following(k, centre_of(k, a), a.shape.radius, b)]
