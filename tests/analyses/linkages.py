"""Planar four-bars, slider-cranks and Bennett's linkage, for the tests of assembly, kinematics and mobility."""

import numpy as np

import mekane as mk


def turn(angle):
    return np.array([np.cos(angle), np.sin(angle)])


def coupler_angle(crank, coupler, rocker, base, theta):
    """Heading of the coupler, the rocker's end above the line from the crank's end to the rocker's foot: a triangle."""
    away = np.array([base, 0.0]) - crank * turn(theta)
    d = np.hypot(*away)
    return np.arctan2(away[1], away[0]) + np.arccos((coupler**2 + d**2 - rocker**2) / (2 * coupler * d))


def four_bar(crank, coupler, rocker, base, theta, shift=0.0, tilt=0.0, seed=0):
    """Four pins about z, in space; bodies drawn wrongly by up to `shift` and `tilt`. All pins are given locally."""
    rng = np.random.default_rng(seed)
    B, D = crank * turn(theta), np.array([base, 0.0])
    C = B + coupler * turn(coupler_angle(crank, coupler, rocker, base, theta))
    s = mk.System("four-bar")
    for name, start, end in (("crank", np.zeros(2), B), ("coupler", B, C), ("rocker", D, C)):
        place = np.append((start + end) / 2, 0.0) + shift * rng.uniform(-1, 1, 3)
        heading = np.arctan2(*(end - start)[::-1]) + tilt * rng.uniform(-1, 1)
        s.body(name, 1.0, (0.01, 0.1, 0.1), position=place, orientation=("z", heading))
    pin = lambda name, a, b, on_a, on_b: s.pin(name, a, b, on_a=(on_a, 0, 0), on_b=(on_b, 0, 0), axis_a="z", axis_b="z")
    pin("main", "ground", "crank", 0.0, -crank / 2)
    pin("knee", "crank", "coupler", crank / 2, -coupler / 2)
    pin("tip", "coupler", "rocker", coupler / 2, rocker / 2)
    pin("foot", "ground", "rocker", base, -rocker / 2)
    return s


def slider_crank(crank=0.3, rod=0.8, offset=0.1, theta=0.4):
    """In the plane xy; the slider runs along x at the height `offset`."""
    B = crank * turn(theta)
    x = B[0] + np.sqrt(rod**2 - (offset - B[1]) ** 2)
    C = np.array([x, offset])
    s = mk.System("slider-crank", planar="xy")
    s.body("crank", 1.0, 0.1, position=(*(B / 2), 0), orientation=("z", theta))
    s.body("rod", 1.0, 0.1, position=(*((B + C) / 2), 0), orientation=("z", np.arctan2(*(C - B)[::-1])))
    s.body("block", 1.0, 0.1, position=(*C, 0))
    s.pin("main", s.ground, "crank", on_a=(0, 0, 0), on_b=(-crank / 2, 0, 0), axis_a="z", axis_b="z")
    s.pin("knee", "crank", "rod", at=(*B, 0), axis="z")
    s.pin("wrist", "rod", "block", at=(*C, 0), axis="z")
    s.slider("guide", s.ground, "block", on_a=(0, offset, 0), on_b=(0, 0, 0), axis_a="x", axis_b="x")
    return s


def slider_place(theta, crank=0.3, rod=0.8, offset=0.1):
    """x of the slider, and its first and second derivatives by the crank angle."""
    c, s = np.cos(theta), np.sin(theta)
    h = offset - crank * s
    root = np.sqrt(rod**2 - h**2)
    first = -crank * s + h * crank * c / root  # h' = −crank cos θ
    second = -crank * c + (-((crank * c) ** 2) - h * crank * s) / root - (h * crank * c) ** 2 / root**3
    return crank * c + root, first, second


def bennett(a=1.0, alpha=0.6, beta=1.1, theta=0.8):
    """Bennett's linkage: four pins with lengths a, b and twists α, β in turn, sin α / a = sin β / b. It moves though it
    counts −2.

    Closed form of the angles: tan(θ/2) tan(φ/2) = sin((β + α)/2) / sin((β − α)/2).
    """
    b = a * np.sin(beta) / np.sin(alpha)
    phi = 2 * np.arctan(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2) / np.tan(theta / 2))
    s, T = mk.System("bennett"), np.eye(4)
    links = [(a, alpha, theta), (b, beta, phi), (a, alpha, 2 * np.pi - theta), (b, beta, 2 * np.pi - phi)]
    frames = []
    for length, twist, angle in links:
        T = T @ screw_of("z", angle, 0.0)
        frames.append(T)  # of the link, at its pin
        T = T @ screw_of("x", twist, length)
    assert np.abs(T - np.eye(4)).max() < 1e-12, T  # the closed form closes the loop
    for k in (1, 2, 3):
        s.body(f"link{k}", 1.0, (0.1, 0.1, 0.1), position=frames[k][:3, 3], orientation=frames[k][:3, :3])
    names = ["ground", "link1", "link2", "link3"]
    for k in range(4):
        where = frames[k][:3, 3], frames[k][:3, 2]
        s.pin(f"P{k}", names[k - 1], names[k], at=where[0], axis=where[1])
    return s


def screw_of(axis, angle, shift):
    """Homogeneous: a turn about and a shift along one of x and z."""
    from mekane.model.values.orientation import rotation

    e = np.array({"x": (1.0, 0, 0), "z": (0, 0, 1.0)}[axis])
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rotation(e, angle), shift * e
    return T
