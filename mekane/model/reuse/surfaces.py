"""Shapes and surfaces of a sub-assembly, placed anew and mirrored."""

from mekane.errors import ModelError
from mekane.model.geometry.hull import Hull
from mekane.model.geometry.mesh import Mesh
from mekane.model.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, Plate, Rod, Shape, Sphere, Torus
from mekane.model.geometry.surfaces import Plane, Point
from mekane.model.reuse.placement import Placement

SYMMETRIC = (Box, Capsule, Cylinder, Ellipsoid, Plate, Rod, Sphere, Torus)  # in their own axes, about all three planes


def moved(shape, place: Placement, body: str, part: str):
    """What touches or is drawn, in the frame of the same body in the host."""
    if body != "ground" and not place.is_mirrored:
        return shape
    if isinstance(shape, Plane):
        return Plane(at=place.point(body, shape.at), normal=place.direction(body, shape.normal))
    if isinstance(shape, Point):
        return place.point(body, shape.at)
    if isinstance(shape, SYMMETRIC) or (isinstance(shape, Shape) and not place.is_mirrored):
        return shape.with_arguments(lambda given, keyword: _argument(given, keyword, place, body))
    if isinstance(shape, Mesh | Hull):
        return _reflected(shape, place, body)
    problem = f"{part} has a shape that cannot be placed anew or mirrored"
    raise ModelError(part, problem, "a shape with planes of symmetry", "Add it to the host itself.")


def _reflected(shape: Mesh | Hull, place: Placement, body: str):
    """S (p + R x) = S p + (S R S) S x: the corners x are mirrored, too."""
    own = {"scale": place.S @ shape.scale} if isinstance(shape, Mesh) else {"points": (shape.points @ place.S).tolist()}
    moved = {keyword: _argument(given, keyword, place, body) for keyword, given in shape.arguments().items()}
    return type(shape)(**moved | own)


def _argument(given, keyword: str, place: Placement, body: str):
    if keyword == "at":
        return place.point(body, given)
    if keyword == "orientation":
        return place.frame(body, given, place.S)
    return place.S @ given if keyword == "axis" else given
