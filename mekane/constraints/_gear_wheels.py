"""What a gear ratio tells of the shape of its wheels."""

from dataclasses import replace

import numpy as np

from mekane.model.geometry.solid import about, placed

THICK = 0.12  # of a wheel, as a share of the radius of the smaller one
TEETH, MOST_TEETH = 18, 200  # of the smaller wheel; a wheel with more is drawn smooth
STILL = np.zeros(3), np.eye(3)  # the ground


def gear_wheels(system, c):
    """Two wheels on parallel pins of one body: the distance of the pins and the ratio give their radii; a ring if one
    is in the other."""
    one, other = system.joints[c.a.joint], system.joints[c.b.joint]
    carriers = {one.a, one.b} & {other.a, other.b}
    if one.hinge_axis is None or other.hinge_axis is None or len(carriers) != 1 or one is other:
        return
    carrier = carriers.pop()
    (p, n, first), (q, m, second) = on_carrier(one, carrier), on_carrier(other, carrier)
    apart = np.linalg.norm(p - q - np.dot(p - q, n) * n)
    if abs(np.dot(n, m)) < 1 - 1e-9 or apart < 1e-12:
        return
    # revolutions of the first wheel for one of the second, both in the carrier
    speed_ratio = c.ratio * first[3] * second[3] * np.sign(np.dot(n, m))
    yield from meshing(system, first, second, speed_ratio, apart)


def on_carrier(joint, carrier: str):
    """Point and axis of a pin on the carrier; the wheel on its other side: its name, point, axis, and the sign of its
    rotation."""
    on_a, on_b = (joint.p_AF, joint.R_AF @ joint.hinge_axis), (joint.p_BM, joint.R_BM @ joint.hinge_axis)
    if joint.a == carrier:
        return *on_a, (joint.b, *on_b, 1.0)
    return *on_b, (joint.a, *on_a, -1.0)


def meshing(system, first, second, speed_ratio: float, apart: float):
    """r1 |speed_ratio| = r2; r1 + r2 = apart from outside (speed_ratio < 0), |r1 − r2| = apart from inside."""
    share = abs(speed_ratio)
    small = apart / (1 + share) if speed_ratio < 0 else apart / abs(1 - share) if share != 1 else 0.0
    if small <= 0:
        return
    radii = small, small * share
    for mine, other, radius in ((first, second, radii[0]), (second, first, radii[1])):
        name, point, axis, _ = mine
        teeth, inside = round(TEETH * radius / min(radii)), speed_ratio > 0 and radius == max(radii)
        thick, R = THICK * min(radii), facing(system, mine, other, 0.0 if mine is first else np.pi / teeth)
        size = (radius, radius + 0.3 * min(radii), thick) if inside else (radius, thick)
        solid = placed("ring" if inside else "disc", size, point, R)
        yield name, replace(solid, teeth=teeth if teeth <= MOST_TEETH else 0)


def facing(system, mine, other, ahead: float) -> np.ndarray:
    """Axes of a wheel: z along its axis, x towards the other wheel at the start, or `ahead` of that: teeth then meet
    gaps."""
    pose = lambda name: (system.bodies[name].position, system.bodies[name].R_NB) if name in system.bodies else STILL
    (_, point, axis, _), (p, R), (q, S) = mine, pose(mine[0]), pose(other[0])
    to = np.real(R.T @ (q + S @ other[1] - p - R @ point))
    x = to - (to @ axis) * axis
    if np.linalg.norm(x) < 1e-9 * max(np.linalg.norm(to), 1e-300):
        return about(axis)
    x = x / np.linalg.norm(x)
    y = np.cross(axis, x)
    return np.column_stack([np.cos(ahead) * x + np.sin(ahead) * y, np.cos(ahead) * y - np.sin(ahead) * x, axis])
