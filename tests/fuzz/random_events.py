"""Random mechanisms with random events: joints that are released, constraints that are locked where they fit, impulses,
rates and variables that are set, and the end of the motion.

`eventful(seed)` is a System of one to four bodies. Laws are smooth, so that nothing but events divides the motion into phases.
"""

import random

from random_laws import SMOOTH, near_zero, number, signed
from random_mechanism import Mechanism


def eventful(seed):
    """The System of a seed."""
    return EventfulMechanism(random.Random(f"events {seed}"), seed).system


class EventfulMechanism(Mechanism):
    """A mechanism under construction, and its events."""

    def __init__(self, rng, seed):
        super().__init__(rng, seed)
        self.system.variable("gear", 1)
        actions = [self.impulse, self.explosion, self.release, self.release, self.catch, self.no_slip, self.shift]
        actions += [self.grab]
        actions += [self.hold, self.hold, self.set_rate, self.set_rate] if self.coordinates else []
        for number_of_event in range(rng.randint(1, 4)):
            rng.choice(actions)(f"e{number_of_event}")
        if rng.random() < 0.2:
            self.system.event("end", when=f"t >= {number(rng, 0.1, 0.3)} and {self.crossing()}", stop=True)

    # ------------------------------------------------------------ smooth laws

    def add_force(self, name):
        choices = [self.spring, self.drag, self.push] + ([self.motor, self.joint_spring] if self.coordinates else [])
        self.rng.choice(choices)(self.system, name)

    def smooth(self, size):
        x, y = self.rng.choice(self.names()), self.rng.choice(self.names())
        return f"{signed(self.rng, 0.1 * size, size)}*{self.rng.choice(SMOOTH)(self.rng, x, y)}"

    def push(self, s, name):
        x, z = self.smooth(5), self.smooth(5)
        s.force(name, self.rng.choice(self.bodies), (x, 0.0, z))

    def motor(self, s, name):
        joint, _, sort, keywords, size = self.a_coordinate()
        s.motor(name, joint, **{"force" if sort == "length" else "torque": self.smooth(size)}, **keywords)

    # ------------------------------------------------------------ events

    def crossing(self):
        """A comparison of the state that becomes true sooner or later, maybe."""
        x = self.rng.choice([name for name in self.names() if name != "t"])
        return f"{x} {self.rng.choice('<>')} {near_zero(self.rng)}"

    def when(self):
        return self.rng.choice((f"t >= {number(self.rng, 0.01, 0.3)}", self.crossing()))

    def repeated(self):
        return {} if self.rng.random() < 0.6 else {"once": False}

    def components(self, size):
        return self.offset(size)

    def impulse(self, name):
        body, at = self.end()
        kind = self.rng.choice(("force", "torque"))
        if kind == "force":
            given = dict(impulse={body: self.components(0.3)}, at=at, frame=self.rng.choice(("world", "body")))
        else:
            given = dict(torque_impulse={body: (0.0, near_zero(self.rng) * 0.1, 0.0)})
        self.system.event(name, when=self.when(), **given)

    def explosion(self, name):
        if len(self.bodies) < 2:
            return self.impulse(name)
        pair = tuple(self.rng.sample(self.bodies, 2))
        self.system.event(name, when=self.when(), impulse=self.components(0.3), between=pair)

    def release(self, name):
        what = self.rng.choice([*self.system.joints, *self.system.constraints])
        self.system.event(name, when=self.when(), release=what)

    def catch(self, name):
        """A plane is in the way of a body: its point stays there from the instant on at which it meets it."""
        body, z = self.rng.choice(self.bodies), near_zero(self.rng)
        self.system.point_on_plane(
            f"plane_{name}", (body, (0, 0, 0)), on=("ground", (0, 0, z)), normal="z", active=False
        )
        self.system.event(name, when=f"{body}.position.z {self.rng.choice('<>')} {z}", lock=f"plane_{name}")
        self.let_go(name, f"plane_{name}")

    def hold(self, name):
        """A coordinate is kept where it crosses a value."""
        joint, coordinate, _ = self.rng.choice(self.coordinates)
        value = near_zero(self.rng)
        self.system.prescribed(f"hold_{name}", (joint, coordinate), motion=value, active=False)
        self.system.event(name, when=f"{joint}.{coordinate} {self.rng.choice('<>')} {value}", lock=f"hold_{name}")
        self.let_go(name, f"hold_{name}")

    def no_slip(self, name):
        """A knife edge fits everywhere."""
        body = self.rng.choice(self.bodies)
        self.system.knife_edge(f"edge_{name}", (body, (0, 0, 0)), along="x", active=False)
        self.system.event(name, when=self.when(), lock=f"edge_{name}")
        self.let_go(name, f"edge_{name}")

    def grab(self, name):
        """A joint closes where it is."""
        body, kind = self.rng.choice(self.bodies), self.rng.choice(("ball", "pin", "slider", "weld"))
        other = self.rng.choice(["ground", *(one for one in self.bodies if one != body)])
        axis = {"axis": "y" if kind == "pin" else "x"} if kind in ("pin", "slider") else {}
        at = {} if kind == "weld" else {"at": self.offset()}
        getattr(self.system, kind)(f"grip_{name}", other, body, **at, **axis, active=False)
        self.system.event(name, when=self.when(), lock=f"grip_{name}", at="its present position")
        self.let_go(name, f"grip_{name}")

    def let_go(self, name, what):
        if self.rng.random() < 0.4:
            self.system.event(f"free {name}", when=f"{what}.active and t >= {number(self.rng, 0.1, 0.4)}", release=what)

    def set_rate(self, name):
        joint, coordinate, _ = self.rng.choice(self.coordinates)
        rate = f"{joint}.{coordinate}.rate"
        self.system.event(
            name, when=self.when(), set={rate: f"{near_zero(self.rng) * 8:g} - 0.5*{rate}"}, **self.repeated()
        )

    def shift(self, name):
        """A push that a variable turns on and off."""
        self.system.force(f"push {name}", self.rng.choice(self.bodies), ("(gear - 1)*2", 0.0, "sin(gear*t)"))
        self.system.event(name, when=self.crossing(), set={"gear": "gear + 1"}, **self.repeated())
