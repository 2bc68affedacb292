"""scene(system): everything a page needs to draw a System, as plain data. docs/scene.md lists the fields.

Lengths are metres; rotations are quaternions x, y, z, w (scalar last, as everywhere in Mekane); bodies and joints are
referred to by their index, and the ground is body −1. Everything on a body is given in the frame of that body.
"""

import json
from dataclasses import asdict, dataclass, fields, replace
from functools import partial

import numpy as np

from mekane.analyses.kinematics.topology import topology
from mekane.expressions.graph import evaluate
from mekane.model.attachments import (
    BetweenCoordinates,
    JointCoordinate,
    RotationCoordinate,
)
from mekane.model.constraint import End
from mekane.model.geometry.contact_side import Side
from mekane.model.geometry.mesh import LOOK, Mesh
from mekane.model.geometry.solid import Solid, Triangles, plain
from mekane.model.geometry.surfaces import Plane
from mekane.model.plane import plane_axes
from mekane.model.values.orientation import quaternion_from_matrix
from mekane.model.values.values import Value, is_constant
from mekane.view.scene.appearance import LARGEST, arms, of_inertia, of_points, of_shapes
from mekane.view.scene.attachment_points import AttachmentPoints, ends_of, keyword_values, to_world
from mekane.view.scene.camera import camera, up_of
from mekane.view.scene.gimbals import extent_from, gimbal_axes, ring
from mekane.view.scene.joint_glyphs import glyph
from mekane.view.scene.layers import Layers, behind, is_pin, layers, pin_through, post_of
from mekane.view.scene.wheels import solids_from_constraints
from mekane.view.web.packing import packed_mesh

FORMAT = "mekane scene 1"
PALETTE = (
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#e08e45", "#7b6fd0", "#5fa08c", "#b5651d",
)  # fmt: skip
GROUND_COLOUR = "#9aa0a6"
GROUND = -1
# what is marked; least radius, as a share of the scale
ROUND, MARKED = ("cylinder", "disc", "ring", "sphere", "ellipsoid"), 0.06
LEAST_SCALE = 2.0  # scale of few bodies that are small and far apart, as a share of the size for each
PIN = 0.02  # radius of a pin, as a share of the scale
MOST_TRIANGLES = 250_000  # of all meshes together


@dataclass(frozen=True)
class Place:
    """A point fixed in a body."""

    body: int
    point: tuple[float, float, float]


@dataclass(frozen=True)
class Frame:
    """A frame fixed in a body."""

    body: int
    position: tuple[float, float, float]
    rotation: tuple[float, float, float, float]


@dataclass(frozen=True)
class SceneBody:
    name: str
    colour: str
    mass: float
    com: tuple[float, float, float]
    position: tuple[float, float, float]  # at the start, as in the model
    rotation: tuple[float, float, float, float]
    solids: tuple[Solid, ...]


@dataclass(frozen=True)
class SceneJoint:
    name: str
    kind: str
    a: Frame  # F; its z is the axis
    b: Frame  # M
    glyph: tuple[dict, ...]  # {"body": …, "solid": …}
    coordinates: tuple[str, ...]
    translations: int  # in how many directions b slides
    cut: bool = False  # it closes a loop of the tree
    post: tuple[float, float, float] | None = None  # top of the post that carries it, in the world


@dataclass(frozen=True)
class SceneForce:
    name: str
    kind: str
    look: str  # spring, rod, rope, damper, line, actuator; spiral, motor; arrow, turn; bushing, stop
    ends: tuple[Place, ...]
    joint: int | None = None
    coordinate: str | None = None
    natural_length: float | None = None
    coils: int | None = None
    turning: bool = False  # about the axis of its joint


@dataclass(frozen=True)
class SceneConstraint:
    name: str
    kind: str
    look: str  # link, rope, or nothing but its points
    points: tuple[dict, ...]  # {"word", "body", "point"}
    directions: tuple[dict, ...]  # {"word", "body", "direction"}
    joints: tuple[dict, ...]  # {"word", "joint", "coordinate"}


@dataclass(frozen=True)
class Scene:
    name: str
    bodies: tuple[SceneBody, ...]
    ground: dict  # colour, solids, floor: {"point", "normal"}
    joints: tuple[SceneJoint, ...]
    # {"body", "parent", "joint"} of the joint formulation, outward; joint is null where a body is free
    tree: tuple[dict, ...]
    forces: tuple[SceneForce, ...]
    constraints: tuple[SceneConstraint, ...]
    gravity: tuple[float, float, float]
    up: tuple[float, float, float]
    camera: dict  # "towards" (from the mechanism to the eye) and "up" of the picture, unit vectors
    box: tuple[tuple, tuple]  # lowest and highest corner of all solids at the start
    size: float  # diagonal of that box
    scale: float  # what glyphs are sized by: about four links, or the whole mechanism
    not_drawn: tuple[str, ...] = ()  # files of meshes that cannot be read
    format: str = FORMAT

    def to_dict(self) -> dict:
        """Lists, dicts, texts and numbers, as JSON has them; the triangles of meshes are packed, each once."""
        meshes = {}  # of Triangles, and their number in the list
        plain = json.dumps(self, allow_nan=False, default=lambda part: plain_part(part, meshes))
        return json.loads(plain) | {"meshes": [packed_mesh(one) for one in meshes]}

    @property
    def triangle_count(self) -> int:
        """Of all meshes that are drawn."""
        solids = [*self.ground["solids"], *(solid for body in self.bodies for solid in body.solids)]
        return sum(len(solid.triangles.faces) for solid in solids if solid.triangles)


def plain_part(part, meshes: dict):
    if isinstance(part, Triangles):
        return meshes.setdefault(part, len(meshes))
    return {field.name: getattr(part, field.name) for field in fields(part)}


def scene(system) -> Scene:
    """What there is to draw, at the start of the motion."""
    attached, from_constraints, tree = AttachmentPoints(system), solids_from_constraints(system), topology(system)
    shown = drawn_shapes(system)
    size, scale = sizes(system, attached, from_constraints, shown)
    points = attached.everywhere()
    links = [name for name in system.bodies if is_link(name, from_constraints, shown)]
    own = layers(system, points, links, scale)
    solids_by_name = solids_by_body(system, attached, from_constraints, shown, size, scale)
    if own is not None:
        solids_by_name |= {name: own.moved(system.bodies[name], solids_by_name[name]) for name in own.of}
        corners = [
            to_world(system, name, x) for name, some in solids_by_name.items() for s in some for x in s.corners()
        ]
        pins = [to_world(system, joint.a, joint.p_AF) for joint in system.joints.values()]
        own = behind(own, np.array(corners).reshape(-1, 3), np.array(pins), PIN * scale)
    bodies = tuple(body_of(body, solids_by_name[body.name], k, scale) for k, body in enumerate(system.bodies.values()))
    gimbals = {name for name, some in solids_by_name.items() if any(solid.kind == "ring" for solid in some)}
    unposted = lambda joint: {joint.a, joint.b} & gimbals or system.ground_look  # a look shows what carries it
    on_ground = ground_solids(system, from_constraints.get("ground", ()), scale)
    low, high = box_around(system, bodies, on_ground, attached)
    return Scene(
        system.name,
        bodies,
        {"colour": GROUND_COLOUR, "solids": on_ground, "floor": floor(system, low, high, on_ground)},
        tuple(
            joint_of(system, joint, scale, joint.name in tree.cut, own, None if unposted(joint) else points)
            for joint in system.joints.values()
        ),
        tuple(link_of(system, link) for link in tree.links),
        tuple(force_of(system, force, scale) for force in system.forces.values()),
        tuple(constraint_of(system, constraint) for constraint in drawn_constraints(system)),
        plain(system.gravity),
        plain(up_of(system)),
        camera(system, points),
        (plain(low), plain(high)),
        float(np.linalg.norm(high - low)),
        scale,
        unreadable(system),
    )


def ground_solids(system, from_constraints, scale: float) -> tuple[Solid, ...]:
    """Of the ground: what constraints tell of it, such as a ring gear, and its look."""
    look = of_shapes(system.ground_look or (), scale, LOOK)
    made = [replace(solid, colour=GROUND_COLOUR) for solid in from_constraints]
    return (*made, *(replace(solid, colour=solid.colour or GROUND_COLOUR) for solid in look))


def is_link(name: str, from_constraints: dict, shown: dict) -> bool:
    """True if it is drawn from its points: it has no appearance of its own."""
    return name not in shown and name not in from_constraints


def index_of(system, name: str) -> int:
    return list(system.bodies).index(name) if name in system.bodies else GROUND


# ---------------------------------------------------------------- sizes


def drawn_shapes(system) -> dict:
    """(scale of what is thin) → solids, for each body that is drawn as shapes which can be read."""
    meshes = sum(isinstance(shape, Mesh) for body in system.bodies.values() for shape in body.drawn)
    most = min(LOOK, MOST_TRIANGLES // max(1, meshes))
    found = {name: partial(of_shapes, body.drawn, most=most) for name, body in system.bodies.items()}
    return {name: solids for name, solids in found.items() if system.bodies[name].look == () or solids(0.0)}


def unreadable(system) -> tuple[str, ...]:
    """Names of the files of meshes that are not drawn."""
    drawn = [*(system.ground_look or ()), *(shape for body in system.bodies.values() for shape in body.drawn)]
    meshes = [shape for shape in drawn if isinstance(shape, Mesh)]
    return tuple(dict.fromkeys(mesh.file_name for mesh in meshes if not mesh.is_readable))


def sizes(system, attached: AttachmentPoints, from_constraints: dict, shown: dict) -> tuple[float, float]:
    """Size of the mechanism, and the scale of rods and glyphs: small where it has many small links."""
    solids = [(name, solid) for name, some in from_constraints.items() for solid in some]
    solids += [(name, solid) for name, of_scale in shown.items() for solid in of_scale(0.0)]
    corners = [to_world(system, name, corner) for name, solid in solids for corner in solid.corners()]
    points = np.array([*attached.everywhere(), *corners]).reshape(-1, 3)
    size = float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0
    if size < 1e-12:  # a single body: as large as its inertia gives
        alone = [of_inertia(body, 0.0, None) for body in system.bodies.values()]
        scale = max([2 * float(np.linalg.norm(solid.half)) for solid in alone if solid] or [1.0])
        return scale / LARGEST, scale
    spans = attached.spans(
        {name: [c for solid in some for c in solid.corners()] for name, some in from_constraints.items()}
    )
    least = LEAST_SCALE * size / max(1, len(system.bodies))
    return size, min(size, max(least, 4 * float(np.median(spans)))) if spans else size


def box_around(system, bodies, on_ground, attached: AttachmentPoints):
    """Lowest and highest corner."""
    names = [*system.bodies, "ground"]
    solids = [
        (name, solid)
        for name, some in zip(names, [*(b.solids for b in bodies), on_ground], strict=True)
        for solid in some
    ]
    corners = [to_world(system, name, corner) for name, solid in solids for corner in solid.corners()]
    points = np.array([*attached.everywhere(), *corners, *([np.zeros(3)] if not system.bodies else [])])
    return points.min(axis=0), points.max(axis=0)


def floor(system, low, high, on_ground) -> dict:
    """Below the look of the ground, if it has one; the plane something rolls on or touches, if it is fixed; else a little
    below the mechanism."""
    if on_ground and system.ground_look:
        up = up_of(system)
        lowest = min((corner for solid in on_ground for corner in solid.corners()), key=lambda corner: up @ corner)
        return {"point": plain(lowest), "normal": plain(up)}
    for constraint in system.constraints.values():
        on, normal = getattr(constraint, "on", None), getattr(constraint, "normal", None)
        if isinstance(on, End) and isinstance(normal, tuple) and index_of(system, on.body) == GROUND:
            return {"point": plain(on.point), "normal": plain(normal)}
    for law in system.contact_laws.values():
        for _, side in keyword_values(law, Side):
            if isinstance(side.shape, Plane) and index_of(system, side.body) == GROUND:
                return {"point": plain(side.shape.at), "normal": plain(side.shape.normal)}
    up, middle, half = up_of(system), (low + high) / 2, (high - low) / 2
    below = np.abs(up) @ half + 0.15 * np.linalg.norm(high - low)
    return {"point": plain(middle - below * up), "normal": plain(up)}


# ---------------------------------------------------------------- parts


def body_of(body, solids, k: int, scale: float) -> SceneBody:
    colour, rotation = body.color or PALETTE[k % len(PALETTE)], plain(quaternion_from_matrix(np.real(body.R_NB)))
    solids = solids if body.drawn or body.look is not None else unequal(solids, k)
    look = bool(body.look)
    solids = tuple(
        replace(solid, colour=solid.colour or colour, marked=is_round(solid, scale, look)) for solid in solids
    )
    return SceneBody(body.name, colour, float(body.mass), plain(body.com), plain(body.position), rotation, solids)


def is_round(solid, scale: float, look: bool = False) -> bool:
    """Round about its axis and no mere rod or ball: one could not see it turn. In a look only what has no colour of its
    own."""
    by_itself = not look or (solid.kind != "cylinder" and not solid.colour)
    return bool(by_itself and solid.kind in ROUND and solid.half[0] > MARKED * scale)


def solids_by_body(
    system, attached: AttachmentPoints, from_constraints: dict, shown: dict, size: float, scale: float
) -> dict[str, list[Solid]]:
    """Solids by name. Children come first, since a gimbal is as large as what is inside it."""
    solids_by_name = {
        body.name: shown[body.name](scale)
        if body.name in shown
        else solids_of(system, attached, from_constraints, body, size, scale)
        for body in system.bodies.values()
    }
    for body in reversed(system.bodies.values()):
        axes = gimbal_axes(system, attached, body, 0.02 * scale)
        if axes is not None and is_link(body.name, from_constraints, shown):
            points = {joint.b: joint.p_BM for joint in system.joints.values() if joint.a == body.name}
            inside = [
                extent_from(solids_by_name[name], point) for name, point in points.items() if name in solids_by_name
            ]
            if inside:
                solids_by_name[body.name] = [ring(*axes, max(inside))]
    return solids_by_name


def solids_of(
    system, attached: AttachmentPoints, from_constraints: dict, body, size: float, scale: float
) -> list[Solid]:
    """Of a body without shapes: solids from constraints, with arms to points beyond; else from its points and its
    inertia."""
    if body.name in from_constraints:
        return [*from_constraints[body.name], *arms(from_constraints[body.name], attached.points[body.name], scale)]
    normal = np.real(body.R_NB).T @ plane_axes(system.plane)[:, 2] if system.plane else None
    return of_points(attached.points[body.name], body, scale, size, normal)


def unequal(solids, k: int):
    """Plates and rods of different bodies in one plane get different thicknesses, or their faces would fight for the
    same pixels."""
    for solid in solids:
        more = {"prism": 0.12 * (k % 6), "capsule": 0.04 * (k % 4)}.get(solid.kind, 0.0)
        yield replace(solid, size=(solid.size[0] * (1 + more), *solid.size[1:]))


def link_of(system, link) -> dict:
    joint = list(system.joints).index(link.joint) if link.joint else None
    return {"body": index_of(system, link.body), "parent": index_of(system, link.parent), "joint": joint}


def joint_of(system, joint, scale: float, cut: bool, own: Layers | None, points) -> SceneJoint:
    a, b = index_of(system, joint.a), index_of(system, joint.b)
    F, M = to_world(system, joint.a, joint.p_AF), to_world(system, joint.b, joint.p_BM)
    axis = to_world(system, joint.a, joint.p_AF + joint.R_AF[:, 2]) - F
    pieces = glyph(joint, PIN * scale, float(np.dot(M - F, axis)))
    if looks_guide(system, joint):
        pieces = [(side, solid) for side, solid in pieces if side == "b"]
    if own is not None and is_pin(system, joint, own.normal):
        pieces = pin_through(system, joint, own, pieces, PIN * scale)
    return SceneJoint(
        joint.name,
        joint.kind,
        Frame(a, plain(joint.p_AF), plain(quaternion_from_matrix(np.real(joint.R_AF)))),
        Frame(b, plain(joint.p_BM), plain(quaternion_from_matrix(np.real(joint.R_BM)))),
        tuple({"body": a if side == "a" else b, "solid": solid} for side, solid in pieces),
        tuple(joint.coordinates),
        sum(primitive.kind == "translation" for primitive in joint.primitives()),
        cut,
        post_of(system, joint, own, points),
    )


def looks_guide(system, joint) -> bool:
    """True if looks on both sides show what a slider moves on, and no spring is fixed where a rail would begin."""
    if all(primitive.kind != "translation" for primitive in joint.primitives()):
        return False
    look_of = lambda name: system.bodies[name].look if name in system.bodies else system.ground_look
    acting = [
        force.drawn_as
        for force in system.forces.values()
        if isinstance(force.acts, JointCoordinate) and force.acts.joint == joint.name
    ]
    return bool(look_of(joint.a) and look_of(joint.b)) and not {"spring", "damper"} & {*acting}


def force_of(system, force, scale: float) -> SceneForce:
    place, joints = force.acts, list(system.joints)
    ends = [Place(index_of(system, body), plain(point)) for body, point in ends_of(place)]
    if isinstance(place, BetweenCoordinates):
        between = [system.joints[name] for name in place.joints]
        ends = [Place(index_of(system, joint.b), plain(joint.p_BM)) for joint in between]
    if not isinstance(place, JointCoordinate):
        natural = natural_length(system, force)
        return SceneForce(
            force.name, force.kind, force.drawn_as, tuple(ends), None, None, natural, coils(natural, scale, force)
        )
    joint, look = system.joints[place.joint], force.drawn_as
    ends = [Place(index_of(system, joint.a), plain(joint.p_AF)), Place(index_of(system, joint.b), plain(joint.p_BM))]
    number = coils(None, scale, force) if look in ("spring", "spiral") else None
    where, turning = joints.index(place.joint), isinstance(place, RotationCoordinate)
    return SceneForce(force.name, force.kind, look, tuple(ends), where, place.coordinate, None, number, turning)


def natural_length(system, force) -> float | None:
    """Of a spring, if it is a number or an expression of parameters."""
    length = getattr(force, "length", None)
    if not isinstance(length, Value) or not is_constant(length) or not {*length.names()} <= {*system.constants}:
        return None
    return float(np.real(evaluate(length.expr(), system.constants)))


def coils(natural: float | None, scale: float, force) -> int | None:
    if force.drawn_as not in ("spring", "spiral"):
        return None
    return (
        4 if force.drawn_as == "spiral" else 8 if not natural else int(np.clip(round(natural / (0.04 * scale)), 5, 16))
    )


def drawn_constraints(system):
    """Constraints, and contact laws that are drawn: ropes."""
    return [*system.constraints.values(), *(law for law in system.contact_laws.values() if law.appearance)]


def constraint_of(system, constraint) -> SceneConstraint:
    joints = list(system.joints)
    points = [
        {"word": keyword, **asdict(Place(index_of(system, end.body), plain(end.point)))}
        for keyword, end in keyword_values(constraint, End)
    ]
    arrows = [
        {"word": keyword, "body": index_of(system, arrow.body), "direction": plain(arrow.direction)}
        for keyword, arrow in constraint.directions().items()
    ]
    driven = [
        {"word": keyword, "joint": joints.index(place.joint), "coordinate": place.coordinate}
        for keyword, place in keyword_values(constraint, JointCoordinate)
    ]
    return SceneConstraint(
        constraint.name, constraint.kind, constraint.appearance, tuple(points), tuple(arrows), tuple(driven)
    )
