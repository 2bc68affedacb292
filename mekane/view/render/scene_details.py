"""A scene with what the page adds when it draws: rails, holds, motors about axes, bushings, anchors (page/mechanism.js,
about.js)."""

from dataclasses import replace

import numpy as np

from mekane.model.geometry.solid import Solid, plain
from mekane.model.values.orientation import matrix_from_quaternion
from mekane.view.render.rails import begin_of, with_rail
from mekane.view.scene.scene import GROUND, PIN, Place, Scene

ABOUT = {  # what rotates about an axis: kind of solid, size in radii of a pin, colour
    "motor": ("disc", (2.3, 2.0), "#d97706"),
    "damper": ("disc", (1.45, 0.8), "#5b6875"),
    "stop": ("ring", (1.55, 2.05, 0.5), "#d1242f"),
    "bushing": ("sphere", (1.7,), "#3b3f46"),
}
UNDRAWN = ("bushing", "stop")  # no line between their ends


def with_details(scene: Scene, travel: dict) -> Scene:
    """travel: least and largest displacement of joints that slide (frames.travel)."""
    unit, colour = PIN * scene.scale, scene.ground["colour"]
    joints = [with_rail(joint, travel.get(joint.name)) for joint in scene.joints]
    lines = [along(force, joints) for force in scene.forces if is_line(force, joints)]
    about = [*about_axes(scene, joints, travel, unit), *holds(joints, travel, unit, colour)]
    joints = [
        replace(joint, glyph=(*joint.glyph, *(part for k, part in about if k == n))) for n, joint in enumerate(joints)
    ]
    ends = [end.point for force in lines for end in force.ends if end.body == GROUND]
    ends += [end["point"] for tie in scene.constraints if tie.look for end in tie.points if end["body"] == GROUND]
    anchors = [Solid("sphere", (0.8 * unit,), plain(point), colour=colour) for point in ends]
    spirals = [force for force in scene.forces if force.look == "spiral"]
    soft = [force.ends[0] for force in scene.forces if force.look == "bushing" and force.ends]
    around = lambda body: tuple(sized("bushing", unit, end.point) for end in soft if end.body == body)
    bodies = [replace(body, solids=(*body.solids, *around(k))) for k, body in enumerate(scene.bodies)]
    ground = {**scene.ground, "solids": (*scene.ground["solids"], *anchors, *around(GROUND))}
    return replace(scene, bodies=tuple(bodies), joints=tuple(joints), forces=(*lines, *spirals), ground=ground)


def is_line(force, joints) -> bool:
    """True if it is drawn from its one end to its other."""
    on_plate = force.joint is not None and joints[force.joint].translations == 2
    return len(force.ends) == 2 and not force.turning and force.look not in (*UNDRAWN, "spiral") and not on_plate


def along(force, joints):
    """A force in a joint that translates is fixed where its rail begins."""
    if force.joint is None:
        return force
    joint = joints[force.joint]
    return replace(force, ends=(Place(joint.a.body, begin_of(joint)), force.ends[1]))


def about_axes(scene, joints, travel, unit: float):
    """(joint, part) of what is about axes; the next about the same joint stands on the other side, or further out."""
    slots = {}
    for force in scene.forces:
        if force.turning and force.look in ABOUT:
            slot = slots[force.joint] = slots.get(force.joint, -1) + 1
            joint = joints[force.joint]
            frame = joint.b if joint.name in travel else joint.a
            out = (
                (1 if slot % 2 else -1)
                * unit
                * (2.4 + 1.6 * (slot // 2))
                * matrix_from_quaternion(frame.rotation)[:, 2]
            )
            yield (
                force.joint,
                {"body": frame.body, "solid": sized(force.look, unit, np.array(frame.position) + out, frame.rotation)},
            )


def sized(look: str, unit: float, point, rotation=(0.0, 0.0, 0.0, 1.0)) -> Solid:
    kind, size, colour = ABOUT[look]
    return Solid(kind, plain(unit * np.array(size)), plain(point), rotation, colour)


def holds(joints, travel, unit: float, colour: str):
    """(joint, part): a collar where a joint holds to the ground."""
    for n, joint in enumerate(joints):
        frame = next((frame for frame in (joint.a, joint.b) if frame.body == GROUND), None)
        if frame is not None and joint.glyph and joint.name not in travel and joint.translations != 2:
            yield (
                n,
                {
                    "body": GROUND,
                    "solid": Solid(
                        "disc", (1.9 * unit, 0.9 * unit), joint.post or frame.position, frame.rotation, colour
                    ),
                },
            )
