"""How joints are shown: by their joint primitives, so that a new kind of joint has a glyph too.

A rotation is a short cylinder along its axis, two rotations a cross, a quaternion a ball, a translation a rail on a and
a block on b, two translations a plate and a puck, a screw a spindle and a nut, nothing at all (a weld) a small cube;
what moves freely has none.
"""

import numpy as np

from mekane.model.geometry.solid import Solid, placed
from mekane.model.values.orientation import frame_with_z

COLOUR, RAIL = "#3c4148", "#8d949e"


def glyph(joint, unit: float, shift: float = 0.0) -> list[tuple[str, Solid]]:
    """Pairs ("a" or "b", Solid in the frame of that body). unit: radius of a pin; shift: how far b is along the rail at
    the start."""
    primitives = joint.primitives()
    translations, rotations = (
        [b for b in primitives if b.kind == "translation"],
        [b for b in primitives if b.kind == "rotation"],
    )
    if len(translations) == 3:
        return []
    if not primitives:
        return [("b", on_b(joint, "box", (1.6 * unit,) * 3))]
    found = [*on_translations(joint, translations, unit, shift)]
    for primitive in primitives:
        if primitive.kind == "quaternion":
            found.append(("b", on_b(joint, "sphere", (1.2 * unit,))))
        elif primitive.kind == "screw":
            found += screw(joint, primitive, unit, shift)
    return [*found, *on_rotations(joint, rotations, bool(translations), unit)]


def on_translations(joint, translations, unit: float, shift: float):
    if len(translations) == 2:
        normal = np.cross(translations[0].axis, translations[1].axis)
        yield "a", on_a(joint, "box", (16 * unit, 16 * unit, 0.15 * unit), normal, colour=RAIL)
        yield "b", on_b(joint, "cylinder", (1.5 * unit, 0.8 * unit), normal)
    elif translations:
        yield (
            "a",
            on_a(
                joint, "box", (0.8 * unit, 0.8 * unit, rail_length(unit, shift)), translations[0].axis, shift / 2, RAIL
            ),
        )
        if all(primitive.kind != "rotation" for primitive in joint.primitives()):
            yield "b", on_b(joint, "box", (2 * unit, 2 * unit, 3.2 * unit), translations[0].axis)


def screw(joint, primitive, unit: float, shift: float):
    yield "a", on_a(joint, "cylinder", (0.5 * unit, rail_length(unit, shift)), primitive.axis, shift / 2, RAIL)
    yield "b", on_b(joint, "cylinder", (1.6 * unit, 1.6 * unit), primitive.axis)


def on_rotations(joint, rotations, translations: bool, unit: float):
    """The last rotation is about an axis of M, on b; one before it about an axis of F, on a."""
    if not rotations:
        return
    length = 5 * unit if len(rotations) > 1 else 3.2 * unit
    yield "b", on_b(joint, "cylinder", (0.5 * unit if len(rotations) > 1 else unit, length), rotations[-1].axis)
    if len(rotations) > 1 and not translations:
        yield "a", on_a(joint, "cylinder", (0.5 * unit, length), rotations[0].axis)


def rail_length(unit: float, shift: float) -> float:
    return abs(shift) + 12 * unit


def on_a(joint, kind: str, size, axis=(0.0, 0.0, 1.0), ahead: float = 0.0, colour: str = COLOUR) -> Solid:
    """At the joint's point on a, or `ahead` of it along the axis."""
    R = joint.R_AF @ frame_with_z(np.array(axis, float))
    return placed(kind, size, joint.p_AF + ahead * R[:, 2], R, colour)


def on_b(joint, kind: str, size, axis=(0.0, 0.0, 1.0), colour: str = COLOUR) -> Solid:
    return placed(kind, size, joint.p_BM, joint.R_BM @ frame_with_z(np.array(axis, float)), colour)
