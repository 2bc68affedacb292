"""Mechanisms with contact laws whose motions are known in closed form."""

import numpy as np

import mekane as mk

G = 9.81
TIGHT = dict(rtol=1e-12, atol=1e-14)
THIN = 1e-9  # moment of inertia of a thin rod about its own axis


def ball(e=0.7, height=1.0, **keywords):
    s = mk.System("ball")
    b = s.body("ball", shape=mk.Sphere(0.1), mass=1.0, position=(0, 0, 0.1 + height))
    s.contact("floor", b, (s.ground, mk.Plane(normal="z")), restitution=e, **keywords)
    return s


def block(static=None, slope=25.0, friction=0.3, speed=4.0):
    """A particle thrown up a slope, which is level here: gravity is inclined."""
    a = np.radians(slope)
    s = mk.System("block", gravity=(-G * np.sin(a), 0, -G * np.cos(a)))
    b = s.body("block", mass=1.0, inertia=(1, 1, 1), velocity=(speed, 0, 0))
    s.contact("slope", (b, (0, 0, 0)), (s.ground, mk.Plane()), friction=friction, static=static)
    return s


def sled(gravity=(0, 0, 0), position=0.0, speed=0.0, mass=1.0):
    """A mass on a rail along x."""
    s = mk.System("sled", gravity=gravity)
    b = s.body("sled", mass=mass, inertia=(1, 1, 1), position=(position, 0, 0), velocity=(speed, 0, 0))
    s.slider("rail", s.ground, b, at=(0, 0, 0), axis="x")
    return s, b


def rods(angles, rates, gravity=(0, 0, 0)):
    """Two thin rods of mass and length 1, hanging from a shoulder in the xz plane; angles from the vertical."""
    s = mk.System("two rods", gravity=gravity)
    (a, b), thin = angles, dict(mass=1.0, inertia=(1 / 12, 1 / 12, THIN))
    along = lambda x: np.array([np.sin(x), 0.0, -np.cos(x)])
    elbow, tip = along(a), along(a) + along(b)
    turned = lambda x: ("y", -x)
    upper = s.body("upper", position=tuple(0.5 * elbow), orientation=turned(a), **thin)
    lower = s.body("lower", position=tuple(0.5 * (elbow + tip)), orientation=turned(b), **thin)
    s.pin("shoulder", s.ground, upper, at=(0, 0, 0), axis=(0, -1, 0), rate=rates[0])
    s.pin("elbow", upper, lower, at=tuple(elbow), axis=(0, -1, 0), rate=rates[1] - rates[0])
    return s, upper, lower, tip


def belt():
    """A sled on a spring (m 1, k 100) on a band that moves at 0.2 m/s: N 10, friction 0.4, static 0.6."""
    s = mk.System("stick-slip", gravity=(0, 0, 0))
    band = s.body("band", mass=1.0, inertia=(1, 1, 1))
    sled = s.body("sled", mass=1.0, inertia=(1, 1, 1), velocity=(0.2, 0, 0))
    s.slider("drive", s.ground, band, at=(0, 0, 0), axis="x")
    s.prescribed("motion", "drive", motion="0.2*t")
    s.slider("rail", band, sled, at=(0, 0, 0), axis="x")
    s.spring("spring", (s.ground, (-10, 0, 0)), sled, stiffness=100, length=10)
    s.dry_friction("rub", "rail", force=4.0, static=6.0)
    return s


def belt_pressed():
    """The same with a contact: the load presses the sled, a particle, on the band, which is a plane that moves."""
    s = mk.System("stick-slip, pressed", gravity=(0, 0, -10.0))
    band = s.body("band", mass=1.0, inertia=(1, 1, 1))
    sled = s.body("sled", mass=1.0, velocity=(0.2, 0, 0))
    s.slider("drive", s.ground, band, at=(0, 0, 0), axis="x")
    s.prescribed("motion", "drive", motion="0.2*t")
    s.spring("spring", (s.ground, (-10, 0, 0)), sled, stiffness=100, length=10)
    s.contact("rub", (sled, (0, 0, 0)), (band, mk.Plane()), friction=0.4, static=0.6)
    return s


def shafts(rates, torque=50.0):
    """Two shafts, J 2 and 3, with a clutch between them."""
    s = mk.System("clutch", gravity=(0, 0, 0))
    for name, joint, J, rate in (("a", "p", 2.0, rates[0]), ("b", "q", 3.0, rates[1])):
        body = s.body(name, mass=1.0, inertia=(J, J, J))
        s.pin(joint, s.ground, body, at=(0, 0, 0), axis="z", rate=rate)
    s.clutch("clutch", "p", "q", torque=torque)
    return s


def masses_and_wall(ratio):
    """A heavy mass drives a light one against a wall, all without loss: Galperin."""
    s = mk.System("wall", gravity=(0, 0, 0))
    a = s.body("light", mass=1.0, inertia=(1, 1, 1), position=(1, 0, 0))
    b = s.body("heavy", mass=ratio, inertia=(1, 1, 1), position=(2, 0, 0), velocity=(-1, 0, 0))
    s.slider("ra", s.ground, a, at=(0, 0, 0), axis="x")
    s.slider("rb", s.ground, b, at=(0, 0, 0), axis="x")
    s.contact("wall", (a, (0, 0, 0)), (s.ground, mk.Plane(normal="x")), restitution=1)
    s.contact("pair", (b, (0, 0, 0)), (a, mk.Plane(normal="x")), restitution=1)
    return s


def cradle(e, n=3):
    """Spheres in a row, the first at 1 m/s."""
    s = mk.System("cradle", gravity=(0, 0, 0))
    for k in range(n):
        x, v = k * 0.1 - (0.1 if k == 0 else 0.0), 1.0 if k == 0 else 0.0
        b = s.body(f"b{k}", mass=1.0, shape=mk.Sphere(0.05), position=(x, 0, 0), velocity=(v, 0, 0))
        s.slider(f"r{k}", s.ground, b, at=(0, 0, 0), axis="x")
    for k in range(n - 1):
        s.contact(f"c{k}", f"b{k}", f"b{k + 1}", restitution=e)
    return s


def pendulum_on_a_stop(e=0.6):
    """A point mass at 1 m, from 0.9 rad; the stop is at 0.3 rad from the vertical."""
    s = mk.System("pendulum")
    bob = s.body("bob", mass=1.0, position=(np.sin(0.9), 0, -np.cos(0.9)))
    s.pin("hinge", s.ground, bob, at=(0, 0, 0), axis=(0, -1, 0))
    s.limit("stop", "hinge", lower=-0.6, restitution=e)
    return s


def kane(law):
    """Kane's puzzle: two rods, the tip slides and hits a rough floor."""
    s, _, lower, tip = rods(np.radians([20, 30]), (-0.1, -0.2))
    plane = mk.Plane(at=tuple(tip))
    s.contact("floor", (lower, (0, 0, -0.5)), (s.ground, plane), friction=0.5, restitution=0.5, law=law)
    return s


def rolling(inertia, radius=0.1, friction=0.2, velocity=(5, 0, 0), spin=(0, -80, 0), slope=0.0, **keywords):
    """A ball of mass 1 on a plane, J = inertia × r²; gravity is inclined by `slope` [rad] towards x."""
    s = mk.System("ball on a table", gravity=(G * np.sin(slope), 0, -G * np.cos(slope)))
    J = (inertia * radius**2,) * 3
    b = s.body("ball", mass=1.0, inertia=J, position=(0, 0, radius), velocity=velocity, angular_velocity=spin)
    s.contact("table", (b, mk.Sphere(radius)), (s.ground, mk.Plane()), friction=friction, **keywords)
    return s


def box_on_slope(friction, slope=20.0, shape=(0.4, 0.2, 0.1), **start):
    a = np.radians(slope)
    s = mk.System("box", gravity=(G * np.sin(a), 0, -G * np.cos(a)))
    b = s.body("box", mass=1.0, shape=mk.Box(*shape), position=(0, 0, shape[2] / 2), **start)
    s.contact("slope", b, (s.ground, mk.Plane()), friction=friction)
    return s


def leaning_rod(angle, friction, speed=-1.0):
    """A thin rod (m = l = 1), its lower end on the floor at the origin; `angle` from the floor. It slides along −x."""
    s = mk.System("leaning rod")
    c, z = 0.5 * np.cos(angle), 0.5 * np.sin(angle)
    rod = s.body("rod", mass=1.0, inertia=(1 / 12, 1 / 12, THIN), position=(c, 0, z), velocity=(speed, 0, 0))
    s.contact("tip", (rod, (-c, 0, -z)), (s.ground, mk.Plane()), friction=friction)
    return s


def slider_crank(crank=0.9, rate=3.0, gravity=(0, 0, -G), e=None, at=None):
    """Crank 0.3 m, rod 0.8 m, piston along x; with a rigid stop for the piston where it is, or `at` further on."""
    s = mk.System("slider-crank", gravity=gravity)
    c = np.array([0.3 * np.cos(crank), 0, 0.3 * np.sin(crank)])
    p = np.array([c[0] + np.sqrt(0.64 - c[2] ** 2), 0, 0])
    arm = s.body("arm", mass=1.0, inertia=(0.02, 0.03, 0.04), position=tuple(0.5 * c))
    rod = s.body("rod", mass=1.5, inertia=(0.05, 0.06, 0.07), position=tuple(0.5 * (c + p)))
    piston = s.body("piston", mass=2.0, inertia=(0.1, 0.1, 0.1), position=tuple(p))
    s.pin("main", s.ground, arm, at=(0, 0, 0), axis=(0, -1, 0), rate=rate)
    s.pin("big end", arm, rod, at=tuple(c), axis=(0, -1, 0))
    s.pin("small end", rod, piston, at=tuple(p), axis=(0, -1, 0))
    s.slider("bore", s.ground, piston, at=tuple(p), axis="x")
    if e is not None:
        s.limit("stop", "bore", lower=0.0 if at is None else at, restitution=e)
    return s


def four_bar(e=0.5, friction=None):
    """A crank that swings between two rigid limits, a coupler and a rocker; dry friction in the last pin, if any."""
    s = mk.System("four-bar")
    corners = np.array([(0, 0, 0), (0, 0, 0.4), (0.9, 0, 0.7), (1, 0, 0)], float)
    links = ["crank", "coupler", "rocker"]
    for k, name in enumerate(links):
        middle = 0.5 * (corners[k] + corners[k + 1])
        s.body(name, mass=1 + 0.3 * k, inertia=(0.05, 0.04 + 0.01 * k, 0.05), position=tuple(middle))
    for k, (a, b) in enumerate(zip(["ground", *links], [*links, "ground"], strict=True)):
        s.pin(f"pin {k}", a, b, at=tuple(corners[k]), axis="y", **({"rate": 2.0} if k == 0 else {}))
    s.limit("stop", "pin 0", lower=-0.5, upper=0.6, restitution=e)
    if friction is not None:
        s.dry_friction("rub", "pin 3", torque=friction)
    return s


def dropped_rod(seed, e=0.5, friction=0.4, law="poisson"):
    """A thin rod thrown in a plane; both ends may touch the floor."""
    rng = np.random.default_rng(seed)
    s = mk.System("rod", planar="xz")
    x, w, angle = rng.uniform(-2, 2), rng.uniform(-4, 4), rng.uniform(-1.4, 1.4)
    rod = s.body("rod", mass=1.0, inertia=1 / 12, position=(0, 0, 0.8), orientation=("y", angle),
                 velocity=(x, 0, 0), angular_velocity=(0, w, 0))  # fmt: skip
    for name, end in (("left", -0.5), ("right", 0.5)):
        s.contact(name, (rod, (end, 0, 0)), (s.ground, mk.Plane()), friction=friction, restitution=e, law=law)
    return s


def thrown_ball(seed, e=0.6, friction=0.4, law="poisson"):
    """A ball thrown on the floor with spin in any direction."""
    rng = np.random.default_rng(seed)
    s = mk.System("spinning ball")
    b = s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 0.1 + rng.uniform(0.2, 1)),
               velocity=tuple(rng.uniform(-2, 2, 3)), angular_velocity=tuple(rng.uniform(-30, 30, 3)))  # fmt: skip
    s.contact("floor", b, (s.ground, mk.Plane()), friction=friction, restitution=e, law=law)
    return s


def ball_on_cart():
    """A spinning ball falls on a sprung cart: both bodies of the contact move."""
    s = mk.System("cart")
    cart = s.body("cart", mass=3.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, cart, at=(0, 0, 0), axis="x")
    s.spring("spring", (s.ground, (-1, 0, 0)), cart, stiffness=60, length=1.2)
    b = s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 0.5), angular_velocity=(0, 20, 0))
    s.contact("floor", b, (cart, mk.Plane()), friction=0.4, restitution=0.5)
    return s


def tipping_box(speed=2.0):
    """A tall box slides, tips forward over two corners, and falls back or over."""
    s = mk.System("tall box")
    b = s.body("box", mass=1.0, shape=mk.Box(0.1, 0.1, 0.4), position=(0, 0, 0.2), velocity=(speed, 0, 0))
    s.contact("floor", b, (s.ground, mk.Plane()), friction=0.6)
    return s


def two_ropes():
    """A plate on two ropes, both slack at first."""
    s = mk.System("two ropes")
    b = s.body("plate", mass=1.0, inertia=(0.01, 0.02, 0.03), position=(0.1, 0, -0.3))
    s.cable("left", (s.ground, (-0.5, 0, 0)), (b, (-0.1, 0, 0.05)), length=0.9, restitution=0.2)
    s.cable("right", (s.ground, (0.5, 0, 0)), (b, (0.1, 0, 0.05)), length=0.8, restitution=0.2)
    return s


def stack():
    """A light sphere falls on a heavy one that rests on the floor."""
    s = mk.System("stack")
    a = s.body("lower", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 0.1))
    b = s.body("upper", mass=0.3, shape=mk.Sphere(0.1), position=(0, 0, 0.6))
    s.contact("floor", a, (s.ground, mk.Plane()), friction=0.3, restitution=0.6)
    s.contact("pair", b, a, friction=0.3, restitution=0.6)
    return s


def wedge():
    """A ball falls between two slopes."""
    s = mk.System("wedge", planar="xz")
    b = s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0.02, 0, 0.5))
    for name, normal in (("left", (1, 0, 1)), ("right", (-1, 0, 1.5))):
        s.contact(name, b, (s.ground, mk.Plane(normal=normal)), friction=0.2, restitution=0.6)
    return s
