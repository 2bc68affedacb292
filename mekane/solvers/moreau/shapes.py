"""Shapes among which contacts are searched, as tables of the compiled search."""

import numpy as np

from mekane.errors import ModelError
from mekane.kernels.moreau import memory as of
from mekane.model.geometry.shapes import Box, Capsule, Sphere
from mekane.model.geometry.surfaces import Plane, Point
from mekane.model.set_valued import CONTACTS, searched_laws
from mekane.model.values.orientation import frame_with_z

LARGE = 4.0  # times the median size: such a shape is compared with all others


class Shapes:
    """Of all laws of a compiled model whose contacts are searched."""

    def __init__(self, compiled):
        self.compiled, system = compiled, compiled.system
        self.laws = [system.contact_laws[name] for name in searched_laws(system)]
        self.sides = [(number, side) for number, law in enumerate(self.laws) for side in law.among]
        self.lines = [self.line(law, side) for law, side in self.sides]
        bounds = np.array([f[of.BOUND] for _, f in self.lines])
        finite = bounds[np.isfinite(bounds)]
        usual = LARGE * np.median(finite) if len(finite) else 0.0
        self.large = np.flatnonzero(~(bounds <= usual))
        self.cell = 2.0 * bounds[bounds <= usual].max(initial=0.0)

    def __len__(self):
        return len(self.lines)

    def line(self, law, side):
        """Rows of shape_i and shape_f."""
        shape, frames = side.shape, self.compiled.frames
        f = np.zeros(of.N_SHAPE_F)
        kind, axes, half, radius, bound = facts(self.laws[law], side)
        f[of.CENTRE : of.CENTRE + 3] = frames.point(side.body, np.asarray(shape.at, float))
        f[of.AXES : of.AXES + 9] = (frames.R_BU[frames.row[side.body]] @ axes).ravel()
        f[of.HALF : of.HALF + 3], f[of.RADIUS], f[of.BOUND] = half, radius, bound
        return (law, frames.row[side.body], kind), f

    def write(self, memory):
        """Fill the tables of a Memory."""
        for k, (i, f) in enumerate(self.lines):
            memory.shape_i[k], memory.shape_f[k] = i, f
        memory.large[:], memory.next[self.large] = self.large, -2
        memory.numbers[of.CELL] = self.cell
        compiled, system = self.compiled, self.compiled.system
        first = 1 + len(system.parameters)
        for k, law in enumerate(self.laws):
            memory.law_f[k] = law.friction, law.restitution
            work = len(compiled.integrals) + compiled.elements.index(law.name)
            memory.law_i[k] = work, first + compiled.discrete.index(law.name + CONTACTS)

    def names(self, i, j):
        """Law and bodies of two shapes."""
        law, side = self.sides[i]
        return self.laws[law], side.body, self.sides[j][1].body


def facts(law, side):
    """Kind, axes, half lengths, radius and the radius of a sphere about it."""
    shape, none = side.shape, (0.0, 0.0, 0.0)
    if isinstance(shape, Plane):
        return of.PLANE, frame_with_z(np.asarray(shape.normal, float)), none, 0.0, np.inf
    if isinstance(shape, Point):
        return of.SEGMENT, np.eye(3), none, 0.0, 0.0
    if isinstance(shape, Sphere):
        return of.SEGMENT, shape.R_BS, none, shape.radius, shape.radius
    if isinstance(shape, Capsule):
        return of.SEGMENT, shape.R_BS, (0.0, 0.0, 0.5 * shape.length), shape.radius, 0.5 * shape.length + shape.radius
    if isinstance(shape, Box):
        half = 0.5 * np.array([shape.x, shape.y, shape.z])
        return of.BOX, shape.R_BS, half, 0.0, float(np.linalg.norm(half))
    raise ModelError(
        law.part,
        f"{side.body!r} is a {type(shape).__name__.lower()}, and there are {len(law.pairs)} pairs",
        "so many are searched among spheres, capsules, boxes, points and planes",
        "Leave it out, and write contacts of it one by one.",
    )


def refuse_searched(system):
    """Runs with events know contacts by their expressions."""
    for name in searched_laws(system):
        law = system.contact_laws[name]
        raise ModelError(
            law.part,
            f"it has {len(law.pairs)} pairs",
            "a run that finds the instant of every impact takes at most 200",
            'Use method="moreau" with a fixed step, such as step="1 ms".',
        )
