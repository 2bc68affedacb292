"""Random mechanisms: trees and closed loops of every kind of joint, with constraints, prescribed motions and laws of
every kind.

`mechanism(seed)` is a System of one to four bodies with physical parameters. All joints are placed with world keywords, so
that loops close at the start. What makes no sense together (a prescribed motion against a rate) may be refused by
Mekane; it is rare.
"""

import random

from random_laws import near_zero, number, of_time, signed, text, value

import mekane as mk

COORDINATES = {
    "pin": {"angle": "angle"},
    "slider": {"displacement": "length"},
    "screw": {"angle": "angle"},
    "pin_slider": {"displacement": "length", "angle": "angle"},
    "universal": {"angle": "angle", "angle2": "angle"},
    "ball": {},
    "planar": {"x": "length", "y": "length", "angle": "angle"},
    "free": {"x": "length", "y": "length", "z": "length"},
    "weld": {},
}
IN_A_TREE = (
    ("pin",) * 5
    + ("slider",) * 3
    + ("universal",) * 2
    + ("pin_slider", "screw", "ball", "ball", "planar", "free", "weld")
)
# not many rows
CLOSING = ("ball", "universal", "planar", "pin_slider", "distance", "distance", "point_on_plane", "point_on_line")


def mechanism(seed):
    """The System of a seed."""
    return Mechanism(random.Random(seed), seed).system


class Mechanism:
    """A System under construction."""

    def __init__(self, rng, seed):
        self.rng, self.bodies, self.coordinates = rng, [], []
        family = rng.choices(
            (self.tree, self.spatial_loop, self.four_bar, self.slider_crank, self.roller), weights=(9, 5, 3, 2, 2)
        )[0]
        self.rule = (
            rng.choices((None, self.prescribed, self.gear, self.coupler), weights=(13, 3, 2, 2))[0]
            if family == self.tree
            else None
        )
        self.by_rates = (
            family == self.tree and not self.rule and rng.random() < 0.6
        )  # else bodies have velocities, which any loop can take on
        self.plane = "zx" if family in (self.four_bar, self.slider_crank) and rng.random() < 0.4 else None
        gravity = (
            (0, 0, -9.81)
            if self.plane or rng.random() < 0.7
            else tuple(float(f"{rng.gauss(0, 5):.3g}") for _ in range(3))
        )
        self.system = mk.System(
            f"mechanism {seed}", gravity=gravity, planar=self.plane, parameters={"k": number(rng, 0.5, 2)}
        )
        family()
        if self.rule and self.coordinates:
            self.rule()
        for number_of_force in range(rng.randint(1, 4)):
            self.add_force(f"f{number_of_force}")

    # ------------------------------------------------------------ bodies and joints

    def body(self, position):
        rng, name = self.rng, f"b{len(self.bodies)}"
        sizes = [number(rng, 0.03, 0.4) for _ in range(3)]
        keywords = dict(mass=number(rng, 0.2, 4), shape=mk.Box(*sizes))
        if not self.plane and rng.random() < 0.5:
            keywords["orientation"] = ("xyz", [near_zero(rng) * 10 for _ in range(3)])
        if not self.plane and rng.random() < 0.3:
            keywords["com"] = self.offset()
        if not self.by_rates:
            keywords |= dict(
                velocity=self.offset(),
                angular_velocity=(0.0, near_zero(rng) * 10, 0.0) if self.plane else self.offset(1.0),
            )
        self.system.body(name, position=position, **keywords)
        self.bodies.append(name)
        return name

    def offset(self, size=0.1):
        """A vector of about this length; in the plane if there is one."""
        x, y, z = (float(f"{self.rng.gauss(0, size):.3g}") for _ in range(3))
        return (x, 0.0, z) if self.plane else (x, y, z)

    def axis(self):
        return self.rng.choice(("x", "y", "z", "-y", self.offset(1.0)))

    def join(self, kind, a, b, at, **keywords):
        name = f"j{len(self.system.joints)}"
        rates = {coordinate: near_zero(self.rng) * 20 for coordinate in COORDINATES[kind] if self.rng.random() < 0.6}
        if rates and self.by_rates:
            keywords["rate"] = rates
        getattr(self.system, kind)(name, a, b, **keywords if kind in ("free", "weld") else dict(at=at, **keywords))
        self.coordinates += [(name, coordinate, sort) for coordinate, sort in COORDINATES[kind].items()]
        return name

    def placed(self, kind):
        """Words of a joint of this kind besides its point."""
        if kind == "planar":
            return {"normal": self.axis()}
        if kind == "universal":
            first, second = self.rng.sample("xyz", 2)
            return {"axis": first, "axis2": second}
        keywords = {} if kind in ("ball", "free", "weld") else {"axis": self.axis()}
        return keywords | ({"pitch": signed(self.rng, 0.01, 0.3)} if kind == "screw" else {})

    def tree(self, bodies=(1, 3), kinds=IN_A_TREE):
        rng, places = self.rng, {"ground": (0.0, 0.0, 0.0)}
        for _ in range(rng.randint(*bodies)):
            parent = rng.choice(list(places))
            at = tuple(a + b for a, b in zip(places[parent], self.offset(0.2), strict=True))
            place = tuple(a + b for a, b in zip(at, self.offset(0.2), strict=True))
            name = self.body(place)
            kind = rng.choice(kinds)
            self.join(kind, parent, name, at, **self.placed(kind))
            places[name] = place
        return places

    def spatial_loop(self):
        """A tree with freedom enough, closed by one joint or constraint."""
        places = self.tree((2, 3), ("pin", "universal", "ball", "ball", "pin_slider", "free"))
        a, b = self.rng.sample(list(places), 2)
        kind = self.rng.choice(CLOSING)
        middle = tuple(0.5 * (x + y) + z for x, y, z in zip(places[a], places[b], self.offset(), strict=True))
        if kind == "distance":
            self.system.distance("c", (a, self.offset()), (b, self.offset()))
        elif kind in ("point_on_plane", "point_on_line"):
            keywords = {"normal": self.axis()} if kind == "point_on_plane" else {"direction": self.axis()}
            getattr(self.system, kind)(
                "c", (self.bodies[-1], (0, 0, 0)), on=("ground", places[self.bodies[-1]]), **keywords
            )
        else:
            self.join(kind, a, b, middle, **self.placed(kind))

    def four_bar(self):
        """Four pins with one direction: in space three of its equations are redundant."""
        height, width = number(self.rng, 0.2, 0.6), number(self.rng, 0.3, 0.8)
        corners = [
            (0.0, 0.0, 0.0),
            (near_zero(self.rng), 0.0, height),
            (width, 0.0, height * 1.2),
            (width + near_zero(self.rng), 0.0, 0.0),
        ]
        links = [
            self.body(tuple(0.5 * (a + b) for a, b in zip(*ends, strict=True)))
            for ends in zip(corners, corners[1:], strict=False)
        ]
        for k, (a, b) in enumerate(zip(["ground", *links], [*links, "ground"], strict=True)):
            self.join("pin", a, b, corners[k], axis="y")

    def slider_crank(self):
        crank, rod = number(self.rng, 0.05, 0.2), number(self.rng, 0.3, 0.6)
        bodies = [self.body((x, 0.0, 0.0)) for x in (crank / 2, crank + rod / 2, crank + rod)]
        self.join("pin", "ground", bodies[0], (0, 0, 0), axis="y")
        self.join("pin", bodies[0], bodies[1], (crank, 0, 0), axis="y")
        last = "pin" if self.plane else self.rng.choice(("pin", "ball", "universal"))
        self.join(last, bodies[1], bodies[2], (crank + rod, 0, 0), **self.rolled(last))
        self.join("slider", "ground", bodies[2], (crank + rod, 0, 0), axis="x")

    def rolled(self, kind):
        return {"pin": {"axis": "y"}, "ball": {}, "universal": {"axis": "y", "axis2": "z"}}[kind]

    def roller(self):
        """What rolls or slides along an edge on the ground."""
        kind = self.rng.choice(("rolling_sphere", "rolling_disc", "knife_edge"))
        radius = number(self.rng, 0.1, 0.4)
        name = self.body((0.0, 0.0, radius if kind != "knife_edge" else 0.0))
        self.join("planar", "ground", name, (0, 0, 0), normal="z") if kind == "knife_edge" else self.join(
            "free", "ground", name, None
        )
        keywords = {"along": "x"} if kind == "knife_edge" else {"radius": radius}
        getattr(self.system, kind)("c", (name, (0, 0, 0)), **keywords)

    # ------------------------------------------------------------ constraints and forces

    def prescribed(self):
        self.system.prescribed("c", self.rng.choice(self.coordinates)[:2], motion=of_time(self.rng))

    def gear(self):
        if len(self.coordinates) > 1:
            first, second = self.rng.sample(self.coordinates, 2)
            self.system.gear("c", first[:2], second[:2], ratio=signed(self.rng, 0.3, 3))

    def coupler(self):
        if len(self.coordinates) > 1:
            first, (joint, coordinate, _) = self.rng.sample(self.coordinates, 2)
            self.system.coupler("c", first[:2], to=f"0.3*sin(2*{joint}.{coordinate}) + 0.1*t**2")

    def names(self):
        """Quantities of the state that laws may read."""
        joints = [f"{joint}.{coordinate}" for joint, coordinate, _ in self.coordinates]
        found = [*joints, *(f"{name}.rate" for name in joints), "t"]
        for body in self.bodies:
            found += [f"{body}.position.{self.rng.choice('xz')}", f"{body}.velocity.{self.rng.choice('xz')}"]
        return found

    def end(self):
        return self.rng.choice(self.bodies), self.offset()

    def add_force(self, name):
        rng, s = self.rng, self.system
        draw = [self.force, self.torque, self.spring, self.axial_law, self.drag, self.potential]
        draw += (
            [self.motor] * 6 + [self.stop, self.stop, self.pd, self.pid, self.joint_spring, self.joint_law]
            if self.coordinates
            else []
        )
        rng.choice(draw)(s, name)

    def vector(self, size):
        """Components of a force in the plane, if there is one."""
        x, y, z = (value(self.rng, self.names(), size) if self.rng.random() < 0.5 else 0.0 for _ in range(3))
        return (x, 0.0, z) if self.plane else (x, y, z)

    def force(self, s, name):
        body, at = self.end()
        s.force(name, body, self.vector(5), at=at, frame=self.rng.choice(("world", "body")))

    def torque(self, s, name):
        x, y, z = self.vector(0.5)
        s.torque(name, self.rng.choice(self.bodies), (0.0, y if y else 0.1, 0.0) if self.plane else (x, y, z))

    def spring(self, s, name):
        s.spring(name, ("ground", self.offset(0.5)), self.end(), stiffness=number(self.rng, 5, 300), length=number(self.rng, 0.1, 0.6),
                 damping=self.rng.choice((0, 0.3, 2)))  # fmt: skip

    def axial_law(self, s, name):
        tension = self.rng.choice(
            (text(self.rng, ["L", "Ld"], 3), {"table": [[0, -2], [0.3, 0], [0.5, 5]], "of": "L", "kind": "cubic"})
        )
        s.axial_law(name, ("ground", self.offset(0.5)), self.end(), tension=tension, potential="k*(L - 0.3)**2")

    def drag(self, s, name):
        body, at = self.end()
        s.drag(name, body, linear=number(self.rng, 0.01, 1), quadratic=number(self.rng, 0.01, 1), at=at)

    def potential(self, s, name):
        s.potential(name, self.rng.choice(self.bodies), V=f"{number(self.rng, 1, 20)}*(X**2 + Z**2) + k*cos(3*X)")

    def a_coordinate(self):
        """(joint, coordinate, its keywords, size of loads that suit it)"""
        joint, coordinate, sort = self.rng.choice(self.coordinates)
        return joint, coordinate, sort, {"coordinate": coordinate}, (5.0 if sort == "length" else 1.0)

    def motor(self, s, name):
        joint, _, sort, keywords, size = self.a_coordinate()
        s.motor(
            name, joint, **{"force" if sort == "length" else "torque": value(self.rng, self.names(), size)}, **keywords
        )

    def stop(self, s, name):
        joint, _, _, keywords, size = self.a_coordinate()
        limits = {"upper": number(self.rng, 0.01, 0.2)} | (
            {"lower": -number(self.rng, 0.01, 0.2)} if self.rng.random() < 0.6 else {}
        )
        damping, width = self.rng.choice((0, 0.5)), self.rng.choice((1e-3, 1e-2))
        s.stop(
            name, joint, stiffness=size * number(self.rng, 20, 500), damping=damping, width=width, **limits, **keywords
        )

    def pd(self, s, name):
        joint, _, _, keywords, size = self.a_coordinate()
        s.pd(
            name,
            joint,
            target=of_time(self.rng),
            stiffness=size * number(self.rng, 2, 60),
            damping=size * number(self.rng, 0.1, 3),
            **keywords,
        )

    def pid(self, s, name):
        joint, _, _, keywords, size = self.a_coordinate()
        gains = dict(
            stiffness=size * number(self.rng, 2, 60),
            integral=size * number(self.rng, 1, 30),
            damping=size * number(self.rng, 0.1, 3),
        )
        s.pid(name, joint, target=of_time(self.rng), **gains, **keywords)

    def joint_spring(self, s, name):
        joint, _, sort, keywords, size = self.a_coordinate()
        kind = "sliding_spring" if sort == "length" else "torsional_spring"
        getattr(s, kind)(
            name, joint, stiffness=size * number(self.rng, 2, 100), damping=self.rng.choice((0, 0.1)), **keywords
        )

    def joint_law(self, s, name):
        joint, _, sort, keywords, size = self.a_coordinate()
        kind, keyword = ("sliding_law", "force") if sort == "length" else ("torsional_law", "torque")
        laws = {keyword: text(self.rng, ["q", "u"], size), "potential": f"{size}*q**2 + k*q**4"}
        getattr(s, kind)(name, joint, **laws, **keywords)
