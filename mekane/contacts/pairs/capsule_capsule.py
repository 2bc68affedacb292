"""Two capsules: they touch where their axes are nearest, at one point. While they lie side by side it is not determined, so
round-off decides how they turn: such ones touch better with spheres at their ends, each a contact of its own."""

from mekane.algebra.scalar import maximum
from mekane.algebra.triples import add, dot, scale, sub
from mekane.contacts.pairs import axes_of, centre_of, spheres_apart
from mekane.contacts.pairs._distance import clamped
from mekane.model.geometry.shapes import Capsule

shapes = (Capsule, Capsule)
PARALLEL = 1e-10  # sin² of the angle between axes that count as parallel: they touch at the middle


def labels(a, b):
    return [""]


def points(k, a, b):
    one, other = nearest(k, a, b)
    return [spheres_apart(k, "", one, other, a.shape.radius, b.shape.radius)]


def nearest(k, a, b):
    """The points of two segments that are nearest: s and t are measured from their middles."""
    p, q, u, v = centre_of(k, a), centre_of(k, b), axes_of(k, a)[2], axes_of(k, b)[2]
    half_a, half_b = 0.5 * a.shape.length, 0.5 * b.shape.length
    r, c = sub(p, q), dot(u, v)
    along_a, along_b = dot(u, r), dot(v, r)
    s = clamped((c * along_b - along_a) / maximum(1.0 - c * c, PARALLEL), half_a)
    t = clamped(along_b + c * s, half_b)
    s = clamped(c * t - along_a, half_a)
    return add(p, scale(s, u)), add(q, scale(t, v))
