"""Small varied systems: every joint kind in a tree and closing a loop, both ways round; laws of every sort; systems by
chance.

All are given in world keywords at a configuration where every joint fits, with speeds that assembly makes possible.
"""

import numpy as np

import mekane as mk
from mekane.model.joint import joint_kinds

KINDS = sorted(joint_kinds)
OWN_KEYWORDS = {"pitch": 0.3}  # own keywords of joint kinds
G = (0.5, -1.0, -9.0)  # gravity along no axis


def unit(v):
    return np.asarray(v, float) / np.linalg.norm(v)


def some_body(s, name, rng, position, **keywords):
    """A body with nothing special about it: mass centre off the origin, full inertia, rotated, moving."""
    A = rng.normal(size=(3, 3))
    principal = np.sort(rng.uniform(0.2, 0.5, 3)) + 0.3  # any two sum to more than the third
    Q = np.linalg.qr(A)[0]
    axis = unit(rng.normal(size=3))
    settings = dict(
        mass=rng.uniform(0.5, 2.0), inertia=Q @ np.diag(principal) @ Q.T, com=rng.uniform(-0.2, 0.2, 3), position=position,
        orientation=(tuple(axis), rng.uniform(-2, 2)), velocity=rng.normal(size=3), angular_velocity=rng.normal(size=3),
    )  # fmt: skip
    return s.body(name, **{**settings, **keywords})


def join(s, kind, name, a, b, at, z, swapped=False, **keywords):
    """A joint of any registered kind at a world point, its axis (or normal) along z."""
    x = unit(np.cross(z, (0.3, 0.5, 0.8)))
    directions = {"at": tuple(at), "axis": tuple(z), "normal": tuple(z), "axis2": tuple(x)}
    placing = {keyword: directions[keyword] for keyword in joint_kinds[kind].geometry}
    own = {keyword: OWN_KEYWORDS[keyword] for keyword in joint_kinds[kind].own_keywords()}
    first, second = (b, a) if swapped else (a, b)
    return getattr(s, kind)(name, first, second, **placing, **own, **keywords)


def hanging(kind, swapped=False, unary=False, seed=1, gravity=G):
    """A tree whose last joint is of this kind: on the ground, or on a body that turns about a pin; with a further pin
    behind it."""
    rng = np.random.default_rng(seed)
    s = mk.System(f"hanging {kind}", gravity=gravity)
    carrier = s.ground
    if not unary:
        carrier = some_body(s, "carrier", rng, (0.3, 0.1, -0.2))
        join(s, "pin", "root", s.ground, carrier, (0, 0, 0), unit((0.2, 1.0, 0.4)))
    body = some_body(s, "body", rng, (0.8, -0.4, -0.5))
    join(s, kind, "joint", carrier, body, (0.5, -0.1, -0.3), unit((1.0, 0.4, -0.7)), swapped)
    tip = some_body(s, "tip", rng, (1.0, 0.2, -0.9))
    join(s, "pin", "last", body, tip, (0.9, 0.0, -0.6), unit((0.1, -0.5, 1.0)), not swapped)
    return s


def ring(kind, swapped=False, binary=False, seed=2, pins=7, gravity=G):
    """Pins about axes along no common direction, and one joint of this kind that closes the loop: at the ground, or
    between bodies."""
    rng = np.random.default_rng(seed)
    s = mk.System(f"ring {kind}", gravity=gravity)
    angles = np.linspace(0, 2 * np.pi, pins + 2)[:-1]
    corners = np.column_stack([np.cos(angles), np.sin(angles), 0.4 * np.sin(3 * angles)]) - (1, 0, 0)
    bodies = [some_body(s, f"b{k}", rng, (corners[k] + corners[k + 1]) / 2) for k in range(pins)]
    chain = [s.ground, *bodies, s.ground]
    place = pins // 2 if binary else pins  # of the joint of this kind
    axes = [unit(rng.normal(size=3)) for _ in range(pins + 1)]
    for k in range(pins + 1):
        if k != place:
            s.pin(f"p{k}", chain[k], chain[k + 1], at=tuple(corners[k]), axis=tuple(axes[k]))
    join(s, kind, "joint", chain[place], chain[place + 1], corners[place], axes[place], swapped)
    return s


def pair(kind, swapped=False, seed=3, gravity=G):
    """Two bodies on ball joints, joined by a joint of this kind: a small loop that keeps at least the freedom to turn
    as a whole."""
    rng = np.random.default_rng(seed)
    s = mk.System(f"pair {kind}", gravity=gravity)
    one, two = some_body(s, "one", rng, (0.2, 0.5, -0.1)), some_body(s, "two", rng, (0.9, 0.4, 0.2))
    s.ball("left", s.ground, one, at=(0, 0, 0))
    s.ball("right", s.ground, two, at=(1.2, 0.1, 0))
    join(s, kind, "joint", one, two, (0.5, 0.7, 0.2), unit((1.0, 0.3, 0.2)), swapped)
    return s


def mixed_chain(seed=4, swapped=False):
    """Every joint kind once, one behind the other; every second one defined the other way round."""
    rng = np.random.default_rng(seed)
    s = mk.System("mixed chain", gravity=G)
    before, end = s.ground, np.zeros(3)
    for k, kind in enumerate(KINDS):
        position = end + rng.uniform(-0.4, 0.6, 3)
        body = some_body(s, f"b{k}", rng, position)
        join(s, kind, f"{kind} {k}", before, body, end, unit(rng.normal(size=3)), swapped=(k % 2 == 0) != swapped)
        before, end = body, position + rng.uniform(-0.3, 0.3, 3)
    return s


def four_bar(rate=3.0):
    """A planar four-bar of pins: three of the five rows of the last pin repeat the others."""
    s = mk.System("four-bar", gravity=(0, 0, -9.81))
    places = [(0, 0, 0), (0, 0, 0.5), (1.1, 0, 1.0), (1.3, 0, 0)]
    before = s.ground
    for k, name in enumerate(("crank", "coupler", "rocker")):
        middle = (np.array(places[k]) + places[k + 1]) / 2
        body = s.body(name, 1.0 + k, inertia=(0.1, 0.12, 0.05), position=middle)
        s.pin(f"pin {k}", before, body, at=places[k], axis="y", **({"rate": rate} if k == 0 else {}))
        before = body
    s.pin("pin 3", s.ground, before, at=places[3], axis="y")
    return s


def bricard():
    """Six pins, mobile only by their special axes: one row repeats the others. Geometry of the benchmark A04, bodies of
    our own."""
    rng = np.random.default_rng(5)
    s = mk.System("six pins", gravity=(0, -9.81, 0))
    points = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]
    still = dict(velocity=(0, 0, 0), angular_velocity=(0, 0, 0))
    bodies = [some_body(s, f"b{k}", rng, (np.array(points[k]) + points[k + 1]) / 2, **still) for k in range(5)]
    chain = [s.ground, *bodies, s.ground]
    for k, axis in enumerate("yzxyzx"):
        s.pin(f"p{k}", chain[k], chain[k + 1], at=points[k], axis=axis)
    return s


def screw_loop():
    """Two screws of different pitch between the ground and a nut with slider: a closed loop with helix rows."""
    s = mk.System("screw loop", gravity=(0, 0, -9.81))
    nut = s.body("nut", 0.7, inertia=(0.02, 0.03, 0.02), position=(0, 0, 0.4))
    rod = s.body("rod", 1.3, inertia=(0.05, 0.06, 0.02), position=(0, 0, 0.1))
    s.slider("guide", s.ground, nut, at=(0, 0, 0.4), axis="z")
    s.screw("thread", nut, rod, at=(0, 0, 0.4), axis="z", pitch=0.2, rate=20.0)
    s.screw("coarse", s.ground, rod, at=(0, 0, 0.1), axis="z", pitch=-0.5)
    return s


def shaft():
    """A shaft in two bearings, given as two pins."""
    s = mk.System("shaft", gravity=(0, 0, -9.81))
    body = s.body("shaft", 2.0, inertia=(0.02, 0.2, 0.2), position=(0.5, 0, 0))
    s.pin("near", s.ground, body, at=(0, 0, 0), axis="x", rate=30.0)
    s.pin("far", s.ground, body, at=(1, 0, 0), axis="x")
    return s


def driven(swapped=False):
    """Motors, springs, dampers on coordinates of a pin_slider, a universal and a screw: of the tree in `joint`,
    measured in `absolute`."""
    rng = np.random.default_rng(6)
    s = mk.System("driven", gravity=G)
    pose = [(0.4, 0.3, -0.2), (0.9, 0.1, 0.3), (1.4, -0.3, 0.1)]
    before, end = s.ground, np.zeros(3)
    for k, kind in enumerate(("pin_slider", "universal", "screw")):
        body = some_body(s, f"b{k}", rng, pose[k])
        join(s, kind, f"j{k}", before, body, end, unit(rng.normal(size=3)), swapped)
        before, end = body, np.array(pose[k]) + 0.2
    s.motor("push", "j0", force="3*cos(2*t) - 0.5*j0.displacement.rate")
    s.torsional_spring("coil", "j0", 4.0, angle=0.3, damping=0.2)
    s.sliding_spring("stop", "j0", 30.0, displacement=0.1, damping=0.4)
    s.torsional_damper("rub", "j1", 0.3, coordinate="angle2")
    s.motor("turn", "j1", torque="sin(j1.angle) + 0.1*j2.angle", coordinate="angle")
    s.torsional_spring("thread coil", "j2", 2.0, damping=0.1)
    return s


def driven_ring(kind, swapped=False):
    """A ring whose closing joint stays cut although laws act on its coordinates, because laws act on all others too."""
    s = ring(kind, swapped, binary=True)
    for name, joint in list(s.joints.items()):
        for measure in joint.measures():
            if measure.name in joint.coordinates:
                spring = s.torsional_spring if measure.kind == "rotated" else s.sliding_spring
                spring(f"{name} {measure.name}", joint, 3.0, 0.2, damping=0.4, coordinate=measure.name)
    return s


def laws():
    """Expressions, comparisons, tables, parameters, functions of (t, state); forces and torques in world and body axes;
    gravitation."""
    rng = np.random.default_rng(7)
    s = mk.System("laws", gravity=G, parameters={"k0": 25.0, "w0": 3.0})
    arm = some_body(s, "arm", rng, (0.4, 0, -0.1))
    puck = some_body(s, "puck", rng, (1.5, 0.7, 0.2))
    dust = s.body("dust", 0.3, position=(-0.6, 0.9, 0.4), velocity=(0.2, -0.1, 0.5))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis=(0.1, 1, 0.2))
    s.spring("long", (s.ground, (2.0, 0.1, 0.4)), (puck, (0.1, 0.1, -0.1)), "k0", 0.4, damping=0.7)
    s.spring("hard", (arm, (0.5, 0, 0)), (puck, (0, 0, 0)), "k0*(1 + 0.3*sin(w0*t))", 0.8)
    s.damper("oil", (arm, (0, 0.2, 0)), (dust, (0, 0, 0)), "0.2 if dust.position.x < 5 else 2*k0")
    s.gravitation("pull", puck, dust, G=0.8)
    s.force(
        "breeze", puck, ("-0.3*puck.velocity.x", "min(1, 0.2*puck.position.y**2)", "1 if hinge.angle > 0.1 else -t")
    )
    s.force(
        "jet",
        arm,
        (0.5, "exp(-t)", lambda t, state: 0.1 * np.tanh(state["hinge.angle.rate"])),
        at=(0.3, 0, 0.1),
        frame="body",
    )
    s.torque("spin", puck, ("0.1*atan2(puck.angular_velocity.x, 2)", 0.2, "abs(hinge.angle) - 1"), frame="body")
    s.torque("swirl", puck, (0.0, {"table": [[0, 0], [0.5, 1], [2, -1]]}, 0.1))
    curve = {"table": [[-3, 1], [-1, 0.2], [0.2, -0.4], [1, 0.3], [3, -1]], "of": "hinge.angle", "kind": "cubic"}
    s.motor("cam", "hinge", torque=curve)
    s.harmonic("shake", dust, (0.1, 0.2, 0.3), "w0", phase=0.4)
    return s


def mounts():
    """A bushing between moving bodies, drives with a controller state, a stop, drag, a potential, laws with names of their
    own."""
    rng = np.random.default_rng(17)
    s = mk.System("mounts", gravity=G, parameters={"k0": 25.0})
    arm, box = some_body(s, "arm", rng, (0.4, 0, -0.1)), some_body(s, "box", rng, (0.9, 0.3, 0.2))
    s.pin_slider("guide", s.ground, arm, at=(0, 0, 0), axis=(0.1, 1, 0.2))
    mix = 0.3 * np.cos(np.add.outer(np.arange(6), np.arange(6)))
    s.bushing(
        "mount", arm, box, 20 * (np.eye(6) + mix), 0.5 * (np.eye(6) + mix), at=(0.6, 0.1, 0.1), frame_b=("y", 0.4)
    )
    s.pid("drive", "guide", "0.4*sin(3*t)", 20, integral=30, damping=2, coordinate="angle")
    s.pd("hold", "guide", {"table": [[0, 0], [1, 0.2], [2, 0]], "kind": "cubic"}, "k0", coordinate="displacement")
    s.stop("end", "guide", 300, lower=0.1, upper=2, damping=5, width=0.05, coordinate="displacement")
    s.pid("second", "guide", 0.1, 10, integral="drive.integral", coordinate="displacement")
    s.drag("air", box, 0.1, quadratic=0.4, wind=(0, "t", 1), at=(0.1, 0.2, 0.3))
    s.rotational_drag("stir", box, quadratic=0.1)
    s.potential("field", box, "k0*X*Y**2 + cos(Z)")
    s.axial_law("rubber", (s.ground, (0, 1, 0)), (box, (0, 0, 0)), "0.2*Ld*abs(Ld)", potential="k0*(L - 0.5)**4")
    s.torsional_law("detent", "guide", potential="0.3*cos(8*q)")
    s.inverse_square("charge", (arm, (0, 0, 0.1)), (box, (0, 0, 0)), 0.5)
    return s


def free_bodies():
    """Bodies on nothing: one tumbling, one a point; and one by a free joint, defined the other way round."""
    rng = np.random.default_rng(8)
    s = mk.System("free bodies", gravity=G)
    some_body(s, "rock", rng, (0, 0, 0))
    s.body("grain", 0.2, position=(1, 2, 3), com=(0.1, 0.2, 0.3), velocity=(1, 0, -1))
    ship = some_body(s, "ship", rng, (-2, 1, 0))
    boat = some_body(s, "boat", rng, (-1, 1.5, 0.5))
    s.free("reversed", ship, s.ground)
    s.free("beside", boat, ship)
    s.motor("thrust", "reversed", force=1.5, coordinate="x")
    s.sliding_spring("rope", "beside", 8.0, coordinate="z")
    return s


def massless_link():
    """A crank and a rocker joined by a coupler without mass, which stays a child of a neighbour in every formulation."""
    rng = np.random.default_rng(9)
    s = mk.System("massless link", gravity=G)
    crank, rocker = some_body(s, "crank", rng, (0, 0.2, 0.3)), some_body(s, "rocker", rng, (1.2, 0.1, 0.4))
    rod = s.body("rod", massless=True, position=(0.6, 0.4, 0.7))
    s.pin("left", s.ground, crank, at=(0, 0, 0), axis=(0, 1, 0.1))
    s.pin("right", s.ground, rocker, at=(1.3, 0, 0), axis=(0.2, 1, 0))
    s.universal("first", crank, rod, at=(0.1, 0.3, 0.6), axis=(0, 1, 0), axis2=(0, 0, 1))
    s.ball("second", rod, rocker, at=(1.1, 0.3, 0.8))
    return s


def by_chance(seed):
    """A random tree of random joints defined either way round, one or two loops closed by joints that leave freedom,
    springs and motors."""
    rng = np.random.default_rng(1000 + seed)
    s = mk.System(f"by chance {seed}", gravity=tuple(rng.normal(size=3) * 5))
    n = int(rng.integers(3, 6))
    names, places = ["ground"], [np.zeros(3)]
    for k in range(n):
        parent = int(rng.integers(0, k + 1))
        place = places[parent] + rng.uniform(0.3, 0.9, 3) * rng.choice([-1, 1], 3)
        some_body(s, f"b{k}", rng, place)
        kind = str(rng.choice([kind for kind in KINDS if kind != "weld"]))
        join(
            s,
            kind,
            f"j{k}",
            names[parent],
            f"b{k}",
            (place + places[parent]) / 2,
            unit(rng.normal(size=3)),
            bool(rng.integers(2)),
        )
        names.append(f"b{k}")
        places.append(place)
    a, b = (int(i) for i in rng.choice(n + 1, 2, replace=False))
    s.spring("spring", (names[a], (0.1, 0.2, 0)), (names[b], (0, -0.1, 0.3)), 20.0, 0.3, damping=0.5)
    if seed % 2:
        kind = str(rng.choice(["ball", "planar", "pin_slider", "universal"]))
        join(s, kind, "closing", names[0], names[-1], places[-1] + 0.2, unit(rng.normal(size=3)), bool(rng.integers(2)))
    return s


def named():
    """Name → function that builds a system: what tests of the engine run over."""
    found = {
        f"hanging {kind}{' swapped' * sw}": (lambda kind=kind, sw=sw: hanging(kind, sw))
        for kind in KINDS
        for sw in (False, True)
    }
    found |= {
        f"pair {kind}{' swapped' * sw}": (lambda kind=kind, sw=sw: pair(kind, sw))
        for kind in KINDS
        for sw in (False, True)
    }
    found |= {f"by chance {seed}": (lambda seed=seed: by_chance(seed)) for seed in range(6)}
    found |= {
        f"driven ring {kind}": (lambda kind=kind: driven_ring(kind))
        for kind in ("pin", "pin_slider", "universal", "screw")
    }
    found |= {
        "mixed chain": mixed_chain, "four-bar": four_bar, "bricard": bricard, "screw loop": screw_loop, "shaft": shaft, "driven": driven,
        "driven swapped": lambda: driven(swapped=True), "laws": laws, "free bodies": free_bodies, "massless link": massless_link,
    }  # fmt: skip
    return found


def named_double_pendulum():
    """Its length l and damping c are parameters."""
    s = mk.System("double pendulum", gravity=(0, 0, -9.81))
    l = mk.Param("l", 1.0)
    upper = s.body("upper", mass=1.0, inertia=(0.02, 0.03, 0.02), position=(l / 2, 0, 0))
    lower = s.body("lower", mass=0.6, inertia=(0.02, 0.01, 0.02), position=(l, 0, -0.4))
    s.pin("shoulder", s.ground, upper, at=(0, 0, 0), axis="y")
    s.pin("elbow", upper, lower, at=(l, 0, 0), axis="y")
    s.torsional_damper("friction", "elbow", damping=mk.Param("c", 0.1))
    return s
