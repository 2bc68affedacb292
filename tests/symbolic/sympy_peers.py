"""Eleven systems twice: by Mekane's methods, and with frames, points and bodies of sympy.physics.mechanics, from which
KanesMethod derives.

Numbers are whole or simple fractions, so that SymPy can decide whether two formulas are the same.
"""

from dataclasses import dataclass, field

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

import mekane as mk

G = 10
TIME = me.dynamicsymbols._t


@dataclass
class Peer:
    """Both of them, and what one calls the other's."""

    system: object  # function of the state (a dictionary of SymPy's q and u) that builds ours; few need it
    kane: me.KanesMethod
    speeds: dict  # our speed → what it is in SymPy's
    # our coordinate → the same; where there are none, the system is built in the state
    coordinates: dict = field(default_factory=dict)
    holds: tuple = ()  # constraints between SymPy's coordinates
    rates: tuple = ()  # and between its speeds

    @property
    def q(self):
        return list(self.kane.q)

    @property
    def u(self):
        return list(self.kane.u)


class Sketch:
    """SymPy's side under construction: coordinates, speeds that are their rates, bodies, loads."""

    def __init__(self, n, down="z"):
        self.N, self.O = me.ReferenceFrame("N"), me.Point("O")
        self.O.set_vel(self.N, 0)
        self.q, self.u = list(me.dynamicsymbols(f"q:{n}")), list(me.dynamicsymbols(f"u:{n}"))
        self.bodies, self.loads, self.down = [], [], -getattr(self.N, down)

    def frame(self, parent, k, axis):
        """A frame rotated from its parent by coordinate k."""
        frame = parent.orientnew(f"A{k}", "Axis", [self.q[k], axis])
        frame.set_ang_vel(parent, self.u[k] * axis)
        return frame

    def point(self, name, origin, place, frame):
        """A point fixed in a frame, as the origin is."""
        point = origin.locatenew(name, place)
        point.v2pt_theory(origin, self.N, frame)
        return point

    def body(self, name, centre, frame, mass, inertia):
        body = me.RigidBody(name, centre, frame, mass, (me.inertia(frame, *inertia), centre))
        self.bodies.append(body)
        self.loads.append((centre, mass * G * self.down))
        return body

    def kane(self, **options):
        rates = [u - q.diff(TIME) for q, u in zip(self.q, self.u, strict=True)]
        options = {"q_ind": self.q, "u_ind": self.u, "kd_eqs": rates} | options
        kane = me.KanesMethod(self.N, **options)
        kane.kanes_equations(self.bodies, self.loads)
        return kane

    def named(self, *names):
        """Coordinates and speeds of ours that are those of this side, in order."""
        return {
            "coordinates": dict(zip(names, self.q, strict=True)),
            "speeds": {f"{name}.rate": u for name, u in zip(names, self.u, strict=True)},
        }


def system(name, **options):
    return mk.System(name, gravity=(0, 0, -G), **options)


# ---------------------------------------------------------------- open chains


def pendulum():
    def ours(_):
        s = system("pendulum")
        s.body("arm", 2.0, (0.25, 0.25, 0.125), position=(0, 0, -0.5))
        s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y")
        return s

    k = Sketch(1)
    A = k.frame(k.N, 0, k.N.y)
    k.body("arm", k.point("C", k.O, -A.z / 2, A), A, 2, (sm.Rational(1, 4), sm.Rational(1, 4), sm.Rational(1, 8)))
    return Peer(ours, k.kane(), **k.named("hinge.angle"))


def planar_pendulums(n=3):
    """Each angle from the link before."""
    quarter = sm.Rational(1, 4)

    def ours(_):
        s, before = system("pendulums"), "ground"
        for i in range(n):
            s.body(f"link{i}", 1.0 + i, (0.25, 0.25, 0.0), position=(0, 0, -i - 0.5))
            s.pin(f"pin{i}", before, f"link{i}", at=(0, 0, -i), axis="y")
            before = f"link{i}"
        return s

    k = Sketch(n)
    frame, point = k.N, k.O
    for i in range(n):
        frame = k.frame(frame, i, k.N.y)
        k.body(f"link{i}", k.point(f"C{i}", point, -frame.z / 2, frame), frame, 1 + i, (quarter, quarter, 0))
        point = k.point(f"P{i}", point, -frame.z, frame)
    return Peer(ours, k.kane(), **k.named(*(f"pin{i}.angle" for i in range(n))))


def spatial_chain(n=5):
    """Pins about y and x by turns, every link with its own mass, inertia about no symmetry axis."""

    def ours(_):
        s, before = system("chain"), "ground"
        for i in range(n):
            s.body(
                f"link{i}",
                1.0 + 0.5 * i,
                (0.25, 0.3125, 0.1875, 0.0625, 0.0, -0.03125),
                com=(0.125, 0, -0.5),
                position=(0, 0, -i),
            )
            s.pin(f"pin{i}", before, f"link{i}", at=(0, 0, -i), axis="xy"[(i + 1) % 2])
            before = f"link{i}"
        return s

    k = Sketch(n)
    frame, point = k.N, k.O
    for i in range(n):
        frame = k.frame(frame, i, frame.x if i % 2 else frame.y)
        centre = k.point(f"C{i}", point, frame.x / 8 - frame.z / 2, frame)
        inertia = [sm.Rational(x, 32) for x in (8, 10, 6, 2, -1, 0)]  # xx, yy, zz, xy, yz, zx
        k.body(f"link{i}", centre, frame, 1 + sm.Rational(i, 2), inertia)
        point = k.point(f"P{i}", point, -frame.z, frame)
    return Peer(ours, k.kane(), **k.named(*(f"pin{i}.angle" for i in range(n))))


def short_spatial_chain():
    return spatial_chain(3)


def cart_pole():
    def ours(_):
        s = system("cart and pole")
        s.body("cart", 3.0)
        s.body("pole", 1.0, (0.125, 0.125, 0.0), position=(0, 0, 0.5))
        s.slider("rail", "ground", "cart", at=(0, 0, 0), axis="x")
        s.pin("hinge", "cart", "pole", at=(0, 0, 0), axis="y")
        s.motor("push", "rail", force="4*cos(t) - 0.5*rail.displacement.rate")
        return s

    k, eighth = Sketch(2), sm.Rational(1, 8)
    cart = k.O.locatenew("cart", k.q[0] * k.N.x)
    cart.set_vel(k.N, k.u[0] * k.N.x)
    A = k.frame(k.N, 1, k.N.y)
    k.bodies.append(me.Particle("cart", cart, 3))
    k.body("pole", k.point("C", cart, A.z / 2, A), A, 1, (eighth, eighth, 0))
    k.loads.append((cart, (4 * sm.cos(TIME) - k.u[0] / 2) * k.N.x))
    return Peer(ours, k.kane(), **k.named("rail.displacement", "hinge.angle"))


def gyroscope():
    """Outer gimbal about z, inner one about x, rotor about its own z; the centre of the rotor out of the crossing of
    the axes."""

    def ours(_):
        s = system("gyroscope")
        s.body("outer", 1.0, (0.5, 0.375, 0.25))
        s.body("inner", 0.5, (0.25, 0.375, 0.25))
        s.body("rotor", 2.0, (0.25, 0.25, 0.375), position=(0, 0, 0.25))
        s.pin("yaw", "ground", "outer", at=(0, 0, 0), axis="z")
        s.pin("lean", "outer", "inner", at=(0, 0, 0), axis="x")
        s.pin("spin", "inner", "rotor", at=(0, 0, 0), axis="z")
        return s

    k, e = Sketch(3), lambda *x: [sm.Rational(one, 8) for one in x]
    A = k.frame(k.N, 0, k.N.z)
    B = k.frame(A, 1, A.x)
    C = k.frame(B, 2, B.z)
    k.body("outer", k.O, A, 1, e(4, 3, 2))
    k.body("inner", k.O, B, sm.Rational(1, 2), e(2, 3, 2))
    k.body("rotor", k.point("R", k.O, C.z / 4, C), C, 2, e(2, 2, 3))
    return Peer(ours, k.kane(), **k.named("yaw.angle", "lean.angle", "spin.angle"))


def coupled_pair():
    """Two pendulums side by side, a spring with a damper between their bobs."""

    def ours(_):
        s = system("coupled pair")
        for i in range(2):
            s.body(f"bob{i}", 1.0 + i, position=(2 * i, 0, -1))
            s.pin(f"pin{i}", "ground", f"bob{i}", at=(2 * i, 0, 0), axis="y")
        s.spring("tie", ("bob0", (0, 0, 0)), ("bob1", (0, 0, 0)), stiffness=5.0, length=1.5, damping=0.5)
        return s

    k = Sketch(2)
    bobs = []
    for i in range(2):
        A = k.frame(k.N, i, k.N.y)
        foot = k.O.locatenew(f"F{i}", 2 * i * k.N.x)
        foot.set_vel(k.N, 0)
        bob = k.point(f"bob{i}", foot, -A.z, A)
        k.bodies.append(me.Particle(f"bob{i}", bob, 1 + i))
        k.loads.append((bob, (1 + i) * G * k.down))
        bobs.append(bob)
    apart = bobs[1].pos_from(bobs[0])
    length = sm.sqrt(apart.dot(apart))
    growth = (bobs[1].vel(k.N) - bobs[0].vel(k.N)).dot(apart) / length
    tension = (5 * (length - sm.Rational(3, 2)) + growth / 2) * apart / length
    k.loads += [(bobs[0], tension), (bobs[1], -tension)]
    return Peer(ours, k.kane(), **k.named("pin0.angle", "pin1.angle"))


def robot_arm():
    """A planar arm with a slider and two pins; motors between neighbours."""

    def ours(_):
        s = system("arm")
        s.body("sledge", 4.0)
        s.body("upper", 2.0, (0.0, 0.25, 0.25), position=(0.5, 0, 0))
        s.body("lower", 1.0, (0.0, 0.125, 0.125), position=(1.5, 0, 0))
        s.slider("lift", "ground", "sledge", at=(0, 0, 0), axis="z")
        s.pin("shoulder", "sledge", "upper", at=(0, 0, 0), axis="y")
        s.pin("elbow", "upper", "lower", at=(1, 0, 0), axis="y")
        s.motor("hoist", "lift", force="70 - 8*lift.displacement")
        s.motor("first", "shoulder", torque="5*sin(3*t) - 2*shoulder.angle.rate")
        s.motor("second", "elbow", torque="-3*(elbow.angle - 0.5)")
        return s

    k = Sketch(3)
    sledge = k.O.locatenew("sledge", k.q[0] * k.N.z)
    sledge.set_vel(k.N, k.u[0] * k.N.z)
    A = k.frame(k.N, 1, k.N.y)
    B = k.frame(A, 2, k.N.y)
    elbow = k.point("elbow", sledge, A.x, A)
    k.bodies.append(me.Particle("sledge", sledge, 4))
    k.body("upper", k.point("CA", sledge, A.x / 2, A), A, 2, (0, sm.Rational(1, 4), sm.Rational(1, 4)))
    k.body("lower", k.point("CB", elbow, B.x / 2, B), B, 1, (0, sm.Rational(1, 8), sm.Rational(1, 8)))
    first, second = 5 * sm.sin(3 * TIME) - 2 * k.u[1], -3 * (k.q[2] - sm.Rational(1, 2))
    k.loads += [
        (sledge, (4 * G * k.down) + (70 - 8 * k.q[0]) * k.N.z),
        (A, (first - second) * k.N.y),
        (B, second * k.N.y),
    ]
    return Peer(ours, k.kane(), **k.named("lift.displacement", "shoulder.angle", "elbow.angle"))


# ---------------------------------------------------------------- with constraints


def four_bar():
    """Three links in a row whose end is fixed; each angle from the link before."""
    lengths, start = (1.0, 2.0, 1.5), (np.pi / 2, -np.pi / 4, -np.pi / 2)
    foot = 2.5

    def ours(_):
        s = mk.System("four-bar", gravity=(0, -G, 0))
        before, on_before = "ground", (0, 0, 0)
        for i, (length, turn) in enumerate(zip(lengths, np.cumsum(start), strict=True)):
            s.body(f"link{i}", 1.0 + i, (0.125, 0.25, 0.25), com=(length / 2, 0, 0), orientation=("z", turn))
            s.pin(f"pin{i}", before, f"link{i}", on_a=on_before, on_b=(0, 0, 0), axis_a="z", axis_b="z")
            before, on_before = f"link{i}", (length, 0, 0)
        s.pin("close", before, "ground", on_a=on_before, on_b=(foot, 0, 0), axis_a="z", axis_b="z")
        return s

    k = Sketch(3, down="y")
    frame, point = k.N, k.O
    for i, length in enumerate(lengths):
        frame = k.frame(frame, i, k.N.z)
        length = sm.nsimplify(length)
        k.body(
            f"link{i}",
            k.point(f"C{i}", point, length / 2 * frame.x, frame),
            frame,
            1 + i,
            [sm.Rational(x, 8) for x in (1, 2, 2)],
        )
        point = k.point(f"P{i}", point, length * frame.x, frame)
    gap = point.pos_from(k.O) - sm.nsimplify(foot) * k.N.x
    holds = [gap.dot(k.N.x), gap.dot(k.N.y)]
    rates = [point.vel(k.N).dot(k.N.x), point.vel(k.N).dot(k.N.y)]
    options = {"q_ind": k.q[:1], "q_dependent": k.q[1:], "u_ind": k.u[:1], "u_dependent": k.u[1:]}
    kane = k.kane(configuration_constraints=holds, velocity_constraints=rates, **options)
    return Peer(ours, kane, holds=tuple(holds), rates=tuple(rates), **k.named("pin0.angle", "pin1.angle", "pin2.angle"))


def on_ice(n):
    """A body in the plane: coordinates 0, 1 of its origin, 2 for its heading. The sketch, its frame and its origin."""
    k = Sketch(n)
    A = k.frame(k.N, 2, k.N.z)
    P = k.O.locatenew("P", k.q[0] * k.N.x + k.q[1] * k.N.y)
    P.set_vel(k.N, k.u[0] * k.N.x + k.u[1] * k.N.y)
    return k, A, P


def sleigh():
    """Chaplygin's: one blade, behind the mass centre."""

    def ours(_):
        s = system("sleigh")
        s.body("sleigh", 2.0, (0.25, 0.25, 0.5))
        s.planar("ice", "ground", "sleigh", on_a=(0, 0, 0), on_b=(0, 0, 0), normal_a="z", normal_b="z")
        s.knife_edge("blade", ("sleigh", (-0.5, 0, 0)), along="x")
        return s

    k, A, P = on_ice(3)
    k.body("sleigh", P, A, 2, [sm.Rational(1, 4), sm.Rational(1, 4), sm.Rational(1, 2)])
    across = k.point("blade", P, -A.x / 2, A).vel(k.N).dot(A.y)
    kane = k.kane(u_ind=[k.u[0], k.u[2]], u_dependent=[k.u[1]], velocity_constraints=[across])
    return Peer(ours, kane, rates=(across,), **k.named("ice.x", "ice.y", "ice.angle"))


def car():
    """Rear axle fixed to the chassis, front axle that is steered against a spring; neither slides sideways. An engine
    pushes."""

    def ours(_):
        s = system("car")
        s.body("chassis", 10.0, (1, 2, 3))
        s.body("axle", 1.0, (0.125, 0.125, 0.25), position=(1.5, 0, 0))
        s.planar("road", "ground", "chassis", on_a=(0, 0, 0), on_b=(0, 0, 0), normal_a="z", normal_b="z")
        s.pin("steering", "chassis", "axle", at=(1.5, 0, 0), axis="z")
        s.knife_edge("rear", ("chassis", (-1, 0, 0)), along="x")
        s.knife_edge("front", ("axle", (0, 0, 0)), along="x")
        s.force("engine", "chassis", (20, 0, 0), at=(-1, 0, 0), frame="body")
        s.motor("centring", "steering", torque="-4*steering.angle")
        return s

    k, A, P = on_ice(4)
    B = k.frame(A, 3, A.z)
    rear, front = k.point("rear", P, -A.x, A), k.point("front", P, sm.Rational(3, 2) * A.x, A)
    k.body("chassis", P, A, 10, (1, 2, 3))
    k.body("axle", front, B, 1, [sm.Rational(x, 8) for x in (1, 1, 2)])
    k.loads += [(rear, 20 * A.x), (A, 4 * k.q[3] * A.z), (B, -4 * k.q[3] * A.z)]
    across = [rear.vel(k.N).dot(A.y), front.vel(k.N).dot(B.y)]
    kane = k.kane(u_ind=[k.u[0], k.u[3]], u_dependent=[k.u[1], k.u[2]], velocity_constraints=across)
    return Peer(ours, kane, rates=tuple(across), **k.named("road.x", "road.y", "road.angle", "steering.angle"))


def rolling_disc():
    """Turned by heading about z, lean about x, spin about y. SymPy's speeds: angular velocity along the leaning axes,
    no contact force."""
    m, r = 2, sm.Rational(1, 2)
    q, u = list(me.dynamicsymbols("q:3")), list(me.dynamicsymbols("u:3"))
    N, O = me.ReferenceFrame("N"), me.Point("O")
    Y = N.orientnew("Y", "Axis", [q[0], N.z])
    L = Y.orientnew("L", "Axis", [q[1], Y.x])
    R = L.orientnew("R", "Axis", [q[2], L.y])
    w = u[0] * L.x + u[1] * L.y + u[2] * L.z
    kinematical = [(R.ang_vel_in(N) - w).dot(axis) for axis in L]
    rates = sm.solve(kinematical, [x.diff(TIME) for x in q])
    L.set_ang_vel(N, L.ang_vel_in(N).subs(rates))
    R.set_ang_vel(N, w)
    O.set_vel(N, 0)  # of the disc where it touches, at this moment
    centre = O.locatenew("C", r * L.z)
    centre.set_vel(N, w.cross(r * L.z))
    inertia = [m * r**2 * sm.Rational(x, 4) for x in (1, 2, 1)]
    disc = me.RigidBody("disc", centre, R, m, (me.inertia(R, *inertia), centre))
    kane = me.KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=kinematical)
    kane.kanes_equations([disc], [(centre, -m * G * N.z)])
    spin, velocity = [w.dot(axis) for axis in R], [centre.vel(N).dot(axis) for axis in N]
    motion = sm.lambdify([q, u], [[w.dot(axis) for axis in N], velocity, [(r * L.z).dot(axis) for axis in N]])

    def ours(state):
        angles, speeds = [state[x] for x in q], [state[x] for x in u]
        turning, moving, place = motion(angles, speeds)
        s = system("disc")
        s.body(
            "disc",
            float(m),
            [float(x) for x in inertia],
            position=place,
            orientation=("zxy", angles),
            velocity=moving,
            angular_velocity=turning,
        )
        s.rolling_disc("contact", ("disc", (0, 0, 0)), float(r), axis="y")
        return s

    names = [f"disc.{component}" for component in ("wx", "wy", "wz")]
    return Peer(
        ours,
        kane,
        dict(zip(names, spin, strict=True))
        | dict(zip(("disc.x.rate", "disc.y.rate", "disc.z.rate"), velocity, strict=True)),
    )
