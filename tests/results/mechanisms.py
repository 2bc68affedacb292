"""Small mechanisms that hold every kind of joint, in trees and in loops, and the balance of forces on their bodies done
by hand."""

import numpy as np
from scipy.spatial.transform import Rotation

import mekane as mk

KINDS = "ball free pin pin_slider planar screw slider universal weld".split()
KEYWORDS = {
    "pin": dict(axis=(1, 2, 2)), "slider": dict(axis=(1, 2, 2)), "pin_slider": dict(axis=(1, 2, 2)), "planar": dict(normal=(1, 2, 2)),
    "universal": dict(axis=(1, 2, 2), axis2=(2, 1, -2)), "screw": dict(axis=(1, 2, 2), pitch=0.3), "ball": {}, "weld": {}, "free": {},
}  # fmt: skip
GRAVITY = (1.0, -2.0, -9.0)


def add_body(s, name, position, seed):
    """A body with nothing special about it: mass centre and axes anywhere."""
    random = np.random.default_rng(seed)
    principal = 0.1 + random.random(3) * 0.05
    turn = Rotation.from_rotvec(random.normal(size=3)).as_matrix()
    return s.body(
        name, 1 + random.random(), inertia=turn @ np.diag(principal) @ turn.T, com=0.2 * random.normal(size=3), position=position,
        orientation=("xyz", random.normal(size=3)), velocity=0.3 * random.normal(size=3), angular_velocity=random.normal(size=3),
    )  # fmt: skip


def join(s, kind, name, a, b, at):
    place = {} if kind == "free" else {"at": at}
    return getattr(s, kind)(name, a, b, **place, **KEYWORDS[kind])


def load(s):
    """Loads of every sort on bodies A and B, and on every coordinate of joint k."""
    s.spring("spring", (s.ground, (0.1, 0.5, 2.0)), ("B", (0.1, -0.2, 0.3)), stiffness=30, length=0.4, damping=0.7)
    s.spring("between", ("A", (0.3, 0, 0.1)), ("B", (0, 0.2, 0.1)), stiffness=20, length=0.5)
    s.force("push", "B", (2.0, "3*sin(4*t)", 1.0), at=(0.2, 0.1, 0.4))
    s.force("thrust", "A", (1.0, -2.0, 0.5), at=(0.1, 0.3, -0.2), frame="body")
    s.torque("twist", "B", (0.3, 0.2, "-0.5*t"), frame="body")
    s.torque("turn", "A", (0.1, -0.4, 0.2))
    joint = s.joints["k"]
    for measure in joint.measures():
        if measure.name in joint.coordinates:
            spring = s.torsional_spring if measure.kind == "rotated" else s.sliding_spring
            rest = "angle" if measure.kind == "rotated" else "displacement"
            spring(f"on {measure.name}", "k", stiffness=3.0, damping=0.2, coordinate=measure.name, **{rest: 0.3})
    return s


def tree(kind, backward=False):
    """ground – ball – A – kind – B; the joint may be given from B to A."""
    s = mk.System(f"tree {kind}", gravity=GRAVITY)
    add_body(s, "A", (0.5, 0.1, 0.2), 1)
    add_body(s, "B", (0.9, 0.4, 0.7), 2)
    s.ball("foot", s.ground, "A", at=(0, 0, 0))
    join(s, kind, "k", *(("B", "A") if backward else ("A", "B")), (0.6, 0.3, 0.5))
    return load(s)


def ring(kind):
    """ground – ball – A – kind – B – ball – ground."""
    s = tree(kind)
    s.name = f"ring {kind}"
    s.ball("hand", s.ground, "B", at=(1.1, 0.8, 0.2))
    return s


def crank(closing):
    """Three pins and a last joint of the given kind, axes parallel; the last one is cut in joint coordinates."""
    s = mk.System(f"crank {closing}", gravity=GRAVITY)
    add_body(s, "A", (0.0, 0.1, 0.5), 3)
    add_body(s, "B", (0.6, 0.2, 1.1), 4)
    add_body(s, "C", (1.2, 0.0, 0.4), 5)
    s.pin("main", s.ground, "A", at=(0, 0, 0), axis="y", rate=1.5)
    s.pin("k", "A", "B", at=(0, 0, 1), axis="y")
    s.pin("r", "B", "C", at=(1.2, 0, 1.3), axis="y")
    keywords = {"pin": dict(axis="y"), "slider": dict(axis="x"), "pin_slider": dict(axis="y")}[closing]
    getattr(s, closing)("end", s.ground, "C", at=(1.4, 0, 0), **keywords)
    return load(s)


def cardan():
    """Two shafts at 30° joined by a universal joint, which is cut."""
    s = mk.System("cardan", gravity=GRAVITY)
    add_body(s, "A", (-0.3, 0, 0.1), 6)
    add_body(s, "B", (0.3, 0.1, 0), 7)
    s.pin("k", s.ground, "A", at=(-0.5, 0, 0), axis="x", rate=3.0)
    s.pin(
        "out",
        s.ground,
        "B",
        at=(0.5 * np.cos(np.pi / 6), 0.5 * np.sin(np.pi / 6), 0),
        axis=(np.cos(np.pi / 6), np.sin(np.pi / 6), 0),
    )
    s.universal("cross", "A", "B", at=(0, 0, 0), axis="z", axis2=(-np.sin(np.pi / 6), np.cos(np.pi / 6), 0))
    return load(s)


def nut():
    """A spindle turns and drives a nut that only slides; the screw is cut."""
    s = mk.System("nut", gravity=GRAVITY)
    add_body(s, "A", (0, 0, 0.1), 8)
    add_body(s, "B", (0.1, 0, 0.4), 9)
    s.pin("k", s.ground, "A", at=(0, 0, 0), axis="z", rate=4.0)
    s.slider("guide", s.ground, "B", at=(0.3, 0, 0), axis="z")
    s.screw("thread", "A", "B", at=(0, 0, 0.4), axis="z", pitch=0.1)
    return load(s)


def welded():
    """Three bodies welded in a ring: the last weld only repeats."""
    s = mk.System("welded", gravity=GRAVITY)
    for number, name in enumerate("ABC"):
        add_body(s, name, (0.3 * number, 0.2, 0.4), 10 + number)
    s.pin("k", s.ground, "A", at=(0, 0, 0), axis=(1, 2, 2))
    for a, b in ("AB", "BC", "CA"):
        s.weld(a + b, a, b)
    return load(s)


def table():
    """A rod on a universal joint, another on its end, whose foot stays in a plane; the planar joint is cut."""
    s = mk.System("table", gravity=GRAVITY)
    add_body(s, "A", (0.2, 0.1, 0.5), 13)
    add_body(s, "B", (0.7, 0.3, 0.6), 14)
    s.universal("k", s.ground, "A", at=(0, 0, 0), axis="z", axis2="x")
    s.universal("knee", "A", "B", at=(0.4, 0.3, 1.0), axis="y", axis2="x")
    s.planar("plane", s.ground, "B", at=(1, 0.5, 0), normal=(0.2, 0.1, 1.0))
    return load(s)


def spatial():
    """A crank and a rocker on universal joints, joined by a ball, which is cut."""
    s = mk.System("spatial", gravity=GRAVITY)
    add_body(s, "A", (0.2, 0.1, 0.5), 15)
    add_body(s, "B", (0.9, 0.3, 0.6), 16)
    s.universal("k", s.ground, "A", at=(0, 0, 0), axis="z", axis2="x")
    s.universal("knee", s.ground, "B", at=(1.2, 0.3, 0), axis="y", axis2="x")
    s.ball("middle", "A", "B", at=(0.5, 0.4, 1.0))
    return load(s)


def mounted(kind="pin"):
    """The ring of a kind with a bushing across it, drag, a potential, a stop that is pressed, and drives, on top of all
    other loads."""
    s = ring(kind)
    mix = np.cos(np.add.outer(np.arange(6), np.arange(6)))
    s.bushing(
        "mount", "A", "B", 20 * np.eye(6) + 3 * mix, np.eye(6) + 0.1 * mix, at=(0.4, 0.2, 0.3), frame_a=("x", 0.3)
    )
    s.drag("air", "A", linear=0.5, quadratic=0.8, wind=(1, 2, 0), at=(0.1, 0.2, 0.3))
    s.rotational_drag("stir", "B", linear=0.2, quadratic=0.1)
    s.potential("field", "B", V="3*X*Y - exp(-Z)", at=(0.3, 0, 0.1))
    s.inverse_square("charge", ("A", (0, 0, 0)), ("B", (0, 0, 0)), strength=0.6)
    s.axial_law("rubber", ("ground", (0, 1, 0)), ("A", (0, 0, 0)), tension="0.3*Ld", potential="4*L**3")
    s.stop("end", "k", stiffness=30, lower=0.2, damping=0.1)
    s.pid("drive", "k", target="0.3*sin(5*t)", stiffness=4, integral=8, damping=0.3)
    return s


TREES = {f"tree {kind}": (lambda kind=kind: tree(kind)) for kind in KINDS}
TREES |= {f"tree {kind} backward": (lambda kind=kind: tree(kind, True)) for kind in KINDS}
LOOPS = {f"ring {kind}": (lambda kind=kind: ring(kind)) for kind in KINDS}
LOOPS |= {f"crank {kind}": (lambda kind=kind: crank(kind)) for kind in ("pin", "slider", "pin_slider")}
LOOPS |= {f.__name__: f for f in (cardan, nut, welded, table, spatial, mounted)}
ALL = TREES | LOOPS


# ---------------------------------------------------------------- Newton and Euler, by hand


class ByHand:
    """All forces on every body, from positions, velocities and reactions of a run, in plain NumPy."""

    def __init__(self, run):
        self.run, self.system = run, run.system
        self.R = {name: Rotation.from_quat(run[f"{name}.orientation"].values).as_matrix() for name in run.system.bodies}
        self.R["ground"] = np.tile(np.eye(3), (len(run.t), 1, 1))
        zero = np.zeros((len(run.t), 3))
        self.F = {name: zero.copy() for name in ("ground", *run.system.bodies)}
        self.M = {name: zero.copy() for name in ("ground", *run.system.bodies)}  # about the mass centre
        self.size = {name: np.zeros((len(run.t), 2)) for name in self.F}
        self.centre = {"ground": zero} | {name: self.at(name, body.com) for name, body in run.system.bodies.items()}

    def at(self, body, point):
        origin = 0.0 if body == "ground" else self.run[f"{body}.position"].values
        return origin + self.R[body] @ np.asarray(point)

    def velocity(self, body, point):
        if body == "ground":
            return np.zeros((len(self.run.t), 3))
        w = self.run[f"{body}.angular_velocity"].values
        return self.run[f"{body}.velocity"].values + np.cross(w, self.R[body] @ np.asarray(point))

    def push(self, body, F, point=None, M=0.0):
        """A force at a point (default: mass centre) and a couple."""
        M = M + (0.0 * F if point is None else np.cross(point - self.centre[body], F))
        self.F[body] += F
        self.M[body] += M
        self.size[body] = np.maximum(self.size[body], np.stack([norm(F), norm(M)], axis=1))

    def missing(self):
        """For every body what is missing in Σ F = m a and in the moment equation, relative to the largest term that
        could be in it."""
        self.gravity()
        for force in self.system.forces.values():
            getattr(self, f"by_{force.kind}", self.by_its_law)(force)
        for joint in self.system.joints.values():
            for body in (joint.a, joint.b):
                r = self.run.reaction(joint.name, on=body)
                self.push(body, r.force.values, r.point.values, r.moment.values)
        for constraint in (*self.system.constraints, *self.system.contact_laws):
            for body in self.run.compiled.constrained_bodies(constraint):
                r = self.run.reaction(constraint, on=body)
                self.push(body, r.force.values, r.point.values, r.moment.values)
        return {name: self.newton_euler(name) for name in self.system.bodies}

    def newton_euler(self, name):
        body, run, R = self.system.bodies[name], self.run, self.R[name]
        w, alpha = run[f"{name}.angular_velocity"].values, run[f"{name}.angular_acceleration"].values
        c = R @ body.com
        ma = body.mass * (run[f"{name}.acceleration"].values + np.cross(alpha, c) + np.cross(w, np.cross(w, c)))
        I = R @ body.inertia @ np.swapaxes(R, 1, 2)
        turning, spinning = np.einsum("tij,tj->ti", I, alpha), np.cross(w, np.einsum("tij,tj->ti", I, w))
        force = max(self.size[name][:, 0].max(), norm(ma).max(), 1e-12)
        moment = max(self.size[name][:, 1].max(), norm(turning).max(), norm(spinning).max(), 1e-2 * force)
        return max(norm(self.F[name] - ma).max() / force, norm(self.M[name] - turning - spinning).max() / moment)

    def gravity(self):
        for name, body in self.system.bodies.items():
            self.push(name, np.tile(body.mass * np.array(self.system.gravity), (len(self.run.t), 1)))

    def by_spring(self, force):
        p = force.acts
        r = self.at(p.b, p.point_b) - self.at(p.a, p.point_a)
        L = norm(r)[:, None]
        rate = np.sum(r / L * (self.velocity(p.b, p.point_b) - self.velocity(p.a, p.point_a)), axis=1)[:, None]
        pull = (force.stiffness.given * (L - force.length.given) + force.damping.given * rate) * r / L
        self.push(p.a, pull, self.at(p.a, p.point_a))
        self.push(p.b, -pull, self.at(p.b, p.point_b))

    def by_bushing(self, force):
        """Bryan angles by SciPy; torques from them by solving  w = (x, y', z'') · rates  for the transpose."""
        p, values = force.acts, lambda six: np.array([[one.given for one in row] for row in six])
        R_F, R_M = self.R[p.a] @ np.array(p.frame_a), self.R[p.b] @ np.array(p.frame_b)
        F, M, spin = (
            self.at(p.a, p.point_a),
            self.at(p.b, p.point_b),
            lambda body: self.run[f"{body}.angular_velocity"].values,
        )
        angles = Rotation.from_matrix(np.swapaxes(R_F, 1, 2) @ R_M).as_euler("XYZ")
        seen = self.velocity(p.b, p.point_b) - self.velocity(p.a, p.point_a) - np.cross(spin(p.a), M - F)
        for i, (alpha, beta, _) in enumerate(angles):
            turns = [
                np.eye(3)[0],
                np.array([0, np.cos(alpha), np.sin(alpha)]),
                Rotation.from_euler("XY", [alpha, beta]).as_matrix()[:, 2],
            ]
            E = np.stack(turns, axis=1)
            z = np.concatenate([R_F[i].T @ (M - F)[i], angles[i]])
            zd = np.concatenate([R_F[i].T @ seen[i], np.linalg.solve(E, R_F[i].T @ (spin(p.b) - spin(p.a))[i])])
            six = -values(force.stiffness) @ z - values(force.damping) @ zd
            push, turn = np.zeros_like(M), np.zeros_like(M)
            push[i], turn[i] = R_F[i] @ six[:3], R_F[i] @ np.linalg.solve(E.T, six[3:])
            self.push(p.b, push, M, turn)
            self.push(p.a, -push, M, -turn)

    def components(self, force):
        t = self.run.t
        at_t = {"3*sin(4*t)": 3 * np.sin(4 * t), "-0.5*t": -0.5 * t}
        for name, value in self.run.system.parameters.items():
            at_t |= {name: np.full(len(t), value), f"-{name}": np.full(len(t), -value)}
        F = np.stack(
            [
                at_t[value.given] if isinstance(value.given, str) else np.full(len(t), value.given)
                for value in force.value
            ],
            axis=1,
        )
        return np.einsum("tij,tj->ti", self.R[force.acts.body], F) if force.acts.frame == "body" else F

    def by_force(self, force):
        self.push(force.acts.body, self.components(force), self.at(force.acts.body, force.acts.point))

    def by_torque(self, force):
        self.push(force.acts.body, np.zeros((len(self.run.t), 3)), M=self.components(force))

    def by_torsional_spring(self, force, rest="angle"):
        name, word = force.acts.joint, force.acts.coordinate
        q, u = self.run[f"{name}.{word}"].values, self.run[f"{name}.{word}.rate"].values
        k, zero, c = (self.number(getattr(force, word)) for word in ("stiffness", rest, "damping"))
        self.drive(force.acts, -k * (q - zero) - c * u)

    def number(self, value):
        """What was given: a number, or a parameter by its name."""
        return self.run.system.parameters[value.given.strip("$")] if isinstance(value.given, str) else value.given

    def by_sliding_spring(self, force):
        self.by_torsional_spring(force, rest="displacement")

    def drive(self, place, value):
        """On a joint's coordinate: along or about its axis, on b; the opposite on a. A force acts at the joint's point
        on b."""
        joint = self.system.joints[place.joint]
        measure = next(m for m in joint.measures() if m.name == place.coordinate)
        frame = self.R[joint.a] @ joint.R_AF if measure.e < 3 else self.R[joint.b] @ joint.R_BM
        along, point = value[:, None] * frame[:, :, measure.e % 3], self.at(joint.b, joint.p_BM)
        for body, sign in ((joint.b, 1.0), (joint.a, -1.0)):
            if measure.kind == "rotated":
                self.push(body, 0.0 * along, M=sign * along)
            else:
                self.push(body, sign * along, point)

    def by_its_law(self, force):
        """Any other kind: the value is taken from the run, where it acts is worked out here."""
        place, value = force.acts, lambda word: self.run[f"{force.name}.{word}"].values
        if hasattr(place, "joint"):
            self.drive(place, value("torque" if f"{force.name}.torque" in self.run else "force"))
        elif hasattr(place, "point_a"):
            a, b = self.at(place.a, place.point_a), self.at(place.b, place.point_b)
            pull = value("tension")[:, None] * (b - a) / norm(b - a)[:, None]
            self.push(place.a, pull, a)
            self.push(place.b, -pull, b)
        elif hasattr(place, "point"):
            self.push(place.body, value("force"), self.at(place.body, place.point))
        else:
            self.push(place.body, np.zeros((len(self.run.t), 3)), M=value("torque"))


def norm(x):
    return np.linalg.norm(x, axis=1)
