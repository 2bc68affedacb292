"""What constraints tell of the appearance of bodies: wheels, balls and ellipsoids that roll, gear wheels, pinions,
cams.

Each gives pairs (name of a body, Solid); what a constraint does not tell is left to appearance.py.
"""

import numpy as np
from scipy.optimize import brentq

from mekane.expressions.graph import evaluate
from mekane.model.constraint import axes_of, world
from mekane.model.values.orientation import frame_with_z
from mekane.view.scene.solid import placed

THICK = 0.12  # of a wheel, as a share of its radius
RAYS = 72  # of a cam's outline


def solids_from_constraints(system) -> dict[str, list]:
    """Solids of bodies (or of the ground), by name."""
    found = {}
    for constraint in system.constraints.values():
        for body, solid in SOLIDS_BY_KIND.get(constraint.kind, lambda system, c: ())(system, constraint):
            if not any(same(solid, other) for other in found.setdefault(body, [])):
                found[body].append(solid)
    return found


def same(one, other) -> bool:
    """Two constraints may tell of the same wheel, up to round-off."""
    if one.kind != other.kind or one.outline != other.outline:
        return False
    return np.allclose([*one.size, *one.position], [*other.size, *other.position], rtol=1e-9, atol=1e-12)


def wheel(radius: float, centre, axis):
    return placed("disc", (radius, THICK * radius), centre, about(axis))


# ---------------------------------------------------------------- what rolls


def rolling_disc(system, c):
    yield (
        c.centre.body,
        placed("disc", (c.radius + c.tube, max(2 * c.tube, THICK * c.radius)), c.centre.point, about(c.axis)),
    )
    yield from table(system, c, c.radius)


def rolling_sphere(system, c):
    yield c.centre.body, placed("sphere", (c.radius,), c.centre.point)
    yield from table(system, c, c.radius)


def rolling_ellipsoid(system, c):
    yield c.centre.body, placed("ellipsoid", c.axes, c.centre.point)
    yield from table(system, c, max(c.axes))


def table(system, c, radius: float):
    """A moving body that something rolls on: a round table below the plane, larger than where it starts."""
    if c.on.body in system.bodies:
        far = np.linalg.norm(world(system, c.centre) - world(system, c.on)) + 2 * radius
        normal, thick = np.asarray(c.normal, float), 0.04 * far
        yield c.on.body, placed("disc", (far, thick), c.on.point - thick / 2 * normal, about(normal))


def about(axis):
    return frame_with_z(np.asarray(axis, float))


def rolling_spheres(system, c):
    yield c.b.body, placed("sphere", (c.radius_b,), c.b.point)
    if not c.inside:
        yield c.a.body, placed("sphere", (c.radius_a,), c.a.point)


def rack_and_pinion(system, c):
    joint = system.joints[c.pinion.joint]
    if len(joint.coordinates) == 1:
        yield joint.b, wheel(c.radius, joint.p_BM, joint.R_BM[:, 2])


# ---------------------------------------------------------------- gear wheels


def gear(system, c):
    """Two wheels on parallel pins of one body: the distance of the pins and the ratio give their radii; a ring if one
    is in the other."""
    one, other = system.joints[c.a.joint], system.joints[c.b.joint]
    carriers = {one.a, one.b} & {other.a, other.b}
    if one.kind != "pin" or other.kind != "pin" or len(carriers) != 1 or one is other:
        return
    carrier = carriers.pop()
    (p, n, first), (q, m, second) = on_carrier(one, carrier), on_carrier(other, carrier)
    apart = np.linalg.norm(p - q - np.dot(p - q, n) * n)
    if abs(np.dot(n, m)) < 1 - 1e-9 or apart < 1e-12:
        return
    # revolutions of the first wheel for one of the second, both in the carrier
    speed_ratio = c.ratio * first[3] * second[3] * np.sign(np.dot(n, m))
    yield from meshing(first, second, speed_ratio, apart)


def on_carrier(joint, carrier: str):
    """Point and axis of a pin on the carrier; the wheel on its other side: its name, point, axis, and the sign of its
    rotation."""
    on_a, on_b = (joint.p_AF, joint.R_AF[:, 2]), (joint.p_BM, joint.R_BM[:, 2])
    if joint.a == carrier:
        return *on_a, (joint.b, *on_b, 1.0)
    return *on_b, (joint.a, *on_a, -1.0)


def meshing(first, second, speed_ratio: float, apart: float):
    """r1 |speed_ratio| = r2; r1 + r2 = apart from outside (speed_ratio < 0), |r1 − r2| = apart from inside."""
    share = abs(speed_ratio)
    small = apart / (1 + share) if speed_ratio < 0 else apart / abs(1 - share) if share != 1 else 0.0
    if small <= 0:
        return
    radii = small, small * share
    for (name, point, axis, _), radius in zip((first, second), radii, strict=True):
        if speed_ratio > 0 and radius == max(radii):
            size = (radius, radius + 0.3 * min(radii), THICK * min(radii))
            yield name, placed("ring", size, point, about(axis))
        else:
            yield name, placed("disc", (radius, THICK * min(radii)), point, about(axis))


# ---------------------------------------------------------------- cams


def point_on_curve(system, c):
    """One equation whose curve goes once round `on`: a cam."""
    if (
        len(c.curve) != 1
        or c.curve[0].callback is not None
        or not set(c.curve[0].names()) <= {"x", "y", "z", "r", "theta", "t", *system.constants}
    ):
        return
    axes = np.array([axes_of(system, c.on.body, axis) for axis in np.eye(3)])
    x, y, z = axes @ (world(system, c.point) - world(system, c.on))
    radii, about = [], np.hypot(x, y)
    for angle in 2 * np.pi * np.arange(RAYS) / RAYS:
        radii.append(radius_at(system, c.curve[0].expr(), angle, about, z, radii[-1] if radii else about))
        if radii[-1] is None:
            return
    outline = [(r * np.cos(2 * np.pi * k / RAYS), r * np.sin(2 * np.pi * k / RAYS)) for k, r in enumerate(radii)]
    yield c.on.body, placed("prism", (0.3 * min(radii),), np.array(c.on.point) + (0, 0, z), outline=outline)


def radius_at(system, g, angle: float, about: float, z: float, before: float):
    """The root on a ray near the one `before` it, else the one nearest to `about`; None if there is none."""

    def value(r):
        known = {
            "x": r * np.cos(angle),
            "y": r * np.sin(angle),
            "z": z,
            "r": r,
            "theta": np.arctan2(np.sin(angle), np.cos(angle)),
        }
        return float(evaluate(g, {**system.constants, "t": 0.0, **known}))

    near = (0.9 * before, 1.1 * before)
    if value(near[0]) * value(near[1]) < 0:
        return brentq(value, *near, xtol=1e-12 * about)
    grid = np.linspace(0.1, 3.0, 30) * about
    values = np.array([value(r) for r in grid])
    crossings = np.flatnonzero(values[:-1] * values[1:] <= 0)
    if not len(crossings):
        return None
    k = min(crossings, key=lambda k: abs(grid[k] - about))
    return brentq(value, grid[k], grid[k + 1], xtol=1e-12 * about)


SOLIDS_BY_KIND = {
    function.__name__: function
    for function in (
        rolling_disc,
        rolling_sphere,
        rolling_ellipsoid,
        rolling_spheres,
        rack_and_pinion,
        gear,
        point_on_curve,
    )
}
