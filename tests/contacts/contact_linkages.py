"""Mechanisms with closed loops that meet limits and floors."""

import numpy as np
from oracles import G, four_bar

import mekane as mk
from mekane.gallery import squeezer
from mekane.model.values.orientation import rotation


def rough_four_bar():
    """A four-bar between rigid limits of its crank, with bearing friction in all four pins."""
    s = four_bar(0.5)
    for k in range(4):
        s.bearing_friction(f"journal {k}", f"pin {k}", friction=0.1, radius=0.02)
    return s


def squeezer_with_a_stop(e=0.4):
    """Andrews' squeezing mechanism of pins in a plane. The lever K3 meets a rigid stop; the motor presses it on, and all
    seven bodies come to rest."""
    s = mk.System("squeezer with a stop", gravity=(0, 0, 0), planar="xy")
    places = squeezer.consistent_places()
    for name, (mass, inertia, _, _) in squeezer.BODIES.items():
        position, angle = places[name]
        s.body(name, mass, inertia, position=(*position, 0), orientation=("z", angle))
    for number, (first, on_first, second, on_second) in enumerate(squeezer.BALLS, 1):
        place = dict(on_a=(*on_first, 0), on_b=(*on_second, 0))
        s.pin(f"pin {number}", first, second, axis_a="z", axis_b="z", **place)
    s.spring("spring", (s.ground, (*squeezer.C, 0)), ("K3", (9.57e-3, 7.4e-4, 0)), stiffness=4530, length=0.07785)
    s.torque("motor", "K1", (0, 0, 0.033))
    s.limit("stop", "pin 3", lower=0.3, restitution=e)
    return s


def along(a, b):
    """Position and orientation of a body whose x axis leads from a to b."""
    a, b = np.array(a, float), np.array(b, float)
    x = (b - a) / np.linalg.norm(b - a)
    y = np.cross((0, 0, 1), x)
    y = y / np.linalg.norm(y) if np.linalg.norm(y) > 1e-9 else np.array([0, 1.0, 0])
    return dict(position=(a + b) / 2, orientation=np.stack([x, y, np.cross(x, y)], axis=1))


def double_wishbone(e=0.3, friction=None):
    """A wheel carrier on two arms of unequal length and a track rod, with a spring, and rigid bump and rebound stops; the
    wheel is thrown up by a bump."""
    s = mk.System("double wishbone")
    inner = {"lower": (0, 0.3, 0.2), "upper": (0, 0.4, 0.5)}
    outer = {"lower": (0.02, 0.7, 0.18), "upper": (-0.02, 0.68, 0.52)}
    for arm, mass, axis in (("lower", 3.0, (1, 0, 0.05)), ("upper", 2.0, (1, 0.05, -0.08))):
        s.body(f"{arm} arm", mass, (0.02, 0.03, 0.04), position=np.add(inner[arm], outer[arm]) / 2)
        thrown = {"rate": -4.0} if arm == "lower" else {}
        s.pin(f"{arm} bush", s.ground, f"{arm} arm", at=inner[arm], axis=axis, **thrown)
    s.body("carrier", 18.0, (0.5, 0.9, 0.5), position=(0, 0.75, 0.35))
    for arm in inner:
        s.ball(f"{arm} ball", f"{arm} arm", "carrier", at=outer[arm])
    s.distance("track rod", (s.ground, (-0.12, 0.32, 0.26)), ("carrier", (-0.12, -0.07, -0.07)))
    s.spring("spring", (s.ground, (0, 0.45, 0.7)), ("lower arm", (0, 0.05, 0)), stiffness=4e4, length=0.53, damping=200)
    s.force("wheel load", "carrier", (0, 0, 250))
    s.limit("bump stops", "lower bush", lower=-0.07, upper=0.06, restitution=e)
    if friction is not None:
        s.dry_friction("rubber", "upper bush", torque=friction)
    return s


def stewart_platform(friction=0.4, e=0.3, tilt=0.1):
    """A press: a plate hangs on six telescopic legs with springs in them and falls on a table, corner by corner. Each leg
    turns in a universal joint above and a ball below; five loops."""
    s = mk.System("Stewart platform")
    ring = lambda radius, angles, z: [np.array([radius * np.cos(a), radius * np.sin(a), z]) for a in np.radians(angles)]
    above, below = ring(0.5, (10, 110, 130, 230, 250, 350), 1.0), ring(0.3, (50, 70, 170, 190, 290, 310), 0.05)
    centre, R = np.array([0, 0, 0.45]), rotation((1, 2, 0) / np.sqrt(5), tilt)
    plate = s.body("plate", 8.0, (0.3, 0.35, 0.6), position=centre, orientation=R)
    for k, (top, foot) in enumerate(zip(above, below, strict=True), 1):
        foot = centre + R @ (foot * (1, 1, 0))
        x = (foot - top) / np.linalg.norm(foot - top)
        place = along(top, foot)["orientation"]
        tube = s.body(f"tube {k}", 0.6, (2e-4, 4e-3, 4e-3), position=top + 0.15 * x, orientation=place)
        rod = s.body(f"rod {k}", 0.4, (1e-4, 3e-3, 3e-3), position=foot - 0.15 * x, orientation=place)
        s.universal(f"cross {k}", s.ground, tube, at=top, axis=place[:, 1], axis2=place[:, 2])
        s.slider(f"leg {k}", tube, rod, at=top, axis=x)
        s.ball(f"ball {k}", rod, plate, at=foot)
        s.sliding_spring(f"spring {k}", f"leg {k}", stiffness=300.0, damping=4.0, displacement=0.0)
    for k, foot in enumerate(ring(0.3, (0, 120, 240), -0.02), 1):
        s.contact(f"corner {k}", (plate, foot), (s.ground, mk.Plane(at=(0, 0, 0.35))), friction=friction, restitution=e)
    return s


def swing_with_a_box(friction, angle=0.4, length=0.8):
    """A table that hangs on two parallel bars, with a box that stands on its four corners."""
    s = mk.System("swing")
    down = np.array([np.sin(angle), 0, -np.cos(angle)])
    table = s.body("table", 3.0, (0.1, 0.2, 0.3), position=length * down)
    for k, x in enumerate((-0.3, 0.3), 1):
        top = np.array([x, 0, 0])
        bar = s.body(f"bar {k}", 0.6, (0.032, 0.032, 0.032), position=top + length / 2 * down)
        s.pin(f"above {k}", s.ground, bar, at=top, axis=(0, -1, 0))
        s.pin(f"below {k}", bar, table, at=top + length * down, axis=(0, -1, 0))
    box = s.body("box", 2.0, shape=mk.Box(0.2, 0.1, 0.1), position=length * down + (0.05, 0, 0.05))
    s.contact("top", box, (table, mk.Plane()), friction=friction)
    return s


def table_on_four_legs(friction=0.3, com=(0.05, -0.03, 0.0)):
    """A table whose mass centre is not in the middle, on four feet."""
    s = mk.System("table")
    table = s.body("table", 10.0, (0.5, 0.8, 1.0), com=com, position=(0, 0, 0.7))
    for k, (x, y) in enumerate(FEET, 1):
        s.contact(f"foot {k}", (table, (x, y, -0.7)), (s.ground, mk.Plane()), friction=friction)
    return s


FEET = [(0.5, 0.3), (0.5, -0.3), (-0.5, -0.3), (-0.5, 0.3)]
WEIGHT = 10.0 * G


def shaken_box(friction=0.3, amplitude=0.2, frequency=5.0):
    """A box on four corners on a table that moves along x as amplitude × sin(frequency × t); both begin at that speed."""
    s = mk.System("shaken box")
    speed = amplitude * frequency
    table = s.body("table", 3.0, (0.1, 0.2, 0.3))
    s.slider("rail", s.ground, table, at=(0, 0, 0), axis="x", rate=speed)
    s.prescribed("drive", "rail", f"{amplitude}*sin({frequency}*t)")
    box = s.body("box", 2.0, shape=mk.Box(0.2, 0.1, 0.1), position=(0, 0, 0.05), velocity=(speed, 0, 0))
    s.contact("top", box, (table, mk.Plane()), friction=friction)
    return s
