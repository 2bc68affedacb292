"""How joints are shown: by their blocks, so that a new kind of joint has a glyph too.

A turn is a short cylinder along its axis, two turns a cross, a quaternion a ball, a slide a rail on a and a block on b,
two slides a plate and a puck, a screw a spindle and a nut, nothing at all (a weld) a small cube; what moves freely has
none.
"""

import numpy as np

from mekane.model.values.orientation import frame_with_z
from mekane.view.scene.solid import Solid, placed

COLOUR, RAIL = "#3c4148", "#8d949e"


def glyph(joint, unit: float, reach: float = 0.0) -> list[tuple[str, Solid]]:
    """Pairs ("a" or "b", Solid in the frame of that body). unit: radius of a pin; reach: how far b is along the rail at
    the start."""
    primitives = joint.primitives()
    slides, turns = [b for b in primitives if b.kind == "translation"], [b for b in primitives if b.kind == "rotation"]
    if len(slides) == 3:
        return []
    if not primitives:
        return [("b", on_b(joint, "box", (1.6 * unit,) * 3))]
    found = [*sliding(joint, slides, unit, reach)]
    for primitive in primitives:
        if primitive.kind == "quaternion":
            found.append(("b", on_b(joint, "sphere", (1.2 * unit,))))
        elif primitive.kind == "screw":
            found += screw(joint, primitive, unit, reach)
    return [*found, *turning(joint, turns, bool(slides), unit)]


def sliding(joint, slides, unit: float, reach: float):
    if len(slides) == 2:
        normal = np.cross(slides[0].axis, slides[1].axis)
        yield "a", on_a(joint, "box", (16 * unit, 16 * unit, 0.15 * unit), normal, colour=RAIL)
        yield "b", on_b(joint, "cylinder", (1.5 * unit, 0.8 * unit), normal)
    elif slides:
        yield (
            "a",
            on_a(joint, "box", (0.8 * unit, 0.8 * unit, rail_length(unit, reach)), slides[0].axis, reach / 2, RAIL),
        )
        if all(primitive.kind != "rotation" for primitive in joint.primitives()):
            yield "b", on_b(joint, "box", (2 * unit, 2 * unit, 3.2 * unit), slides[0].axis)


def screw(joint, primitive, unit: float, reach: float):
    yield "a", on_a(joint, "cylinder", (0.5 * unit, rail_length(unit, reach)), primitive.axis, reach / 2, RAIL)
    yield "b", on_b(joint, "cylinder", (1.6 * unit, 1.6 * unit), primitive.axis)


def turning(joint, turns, slides: bool, unit: float):
    """The last turn is about an axis of M, on b; one before it about an axis of F, on a."""
    if not turns:
        return
    length = 5 * unit if len(turns) > 1 else 3.2 * unit
    yield "b", on_b(joint, "cylinder", (0.5 * unit if len(turns) > 1 else unit, length), turns[-1].axis)
    if len(turns) > 1 and not slides:
        yield "a", on_a(joint, "cylinder", (0.5 * unit, length), turns[0].axis)


def rail_length(unit: float, reach: float) -> float:
    return abs(reach) + 12 * unit


def on_a(joint, kind: str, size, axis=(0.0, 0.0, 1.0), ahead: float = 0.0, colour: str = COLOUR) -> Solid:
    """At the joint's point on a, or `ahead` of it along the axis."""
    R = joint.R_AF @ frame_with_z(np.array(axis, float))
    return placed(kind, size, joint.p_AF + ahead * R[:, 2], R, colour)


def on_b(joint, kind: str, size, axis=(0.0, 0.0, 1.0), colour: str = COLOUR) -> Solid:
    return placed(kind, size, joint.p_BM, joint.R_BM @ frame_with_z(np.array(axis, float)), colour)
