"""The quantities constraints are written in: where the bodies are and how they move, as expressions.

Every body has symbols for R_NB, p_NB, w_NB, v_NB, alpha_NB and a_NB of its own frame B, read from the workspace (the
accelerations never
are: constraints are linear in them, and their factors are what is wanted). `rates` says how each symbol changes with
    time.
"""

import numpy as np

from mekane.algebra.triples import add, cross, dot, length, sub, times
from mekane.compiler.named_frames import frame_of, is_component
from mekane.compiler.rotation_vector import rotation_vector
from mekane.errors import ExpressionError
from mekane.expressions.graph import evaluate, inputs, rates_along, reading, symbol
from mekane.model.attachments import Axial, JointCoordinate
from mekane.model.record import plain_numbers
from mekane.tables import columns as at

COLUMNS = {"R": at.B_R, "p": at.B_P, "w": at.B_W, "v": at.B_V}  # read from the workspace
SIZES = {"R": 9, "p": 3, "w": 3, "v": 3, "alpha": 3, "a": 3}
SPEEDS, ACCELERATIONS = ("v", "w"), ("a", "alpha")
ZERO, AXES = (0.0, 0.0, 0.0), {"x": 0, "y": 1, "z": 2}
IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Frame:
    """Symbols of a body's own frame B."""

    def __init__(self, body):
        names = {quantity: [symbol(f"@{body}.{quantity}{i}") for i in range(size)] for quantity, size in SIZES.items()}
        R = names["R"]
        self.R, self.p = (tuple(R[:3]), tuple(R[3:6]), tuple(R[6:])), tuple(names["p"])
        self.w, self.v, self.alpha, self.a = (tuple(names[quantity]) for quantity in ("w", "v", "alpha", "a"))
        self.read = {s.name: (quantity, i) for quantity in COLUMNS for i, s in enumerate(names[quantity])}

    def rates(self):
        measurement_stride = [cross(self.w, tuple(row[j] for row in self.R)) for j in range(3)]
        found = {self.R[i][j]: measurement_stride[j][i] for i in range(3) for j in range(3)}
        for value, rate in ((self.p, self.v), (self.v, self.a), (self.w, self.alpha)):
            found |= dict(zip(value, rate, strict=True))
        return found


class Ground:
    R, p, w, v, alpha, a, read = IDENTITY, ZERO, ZERO, ZERO, ZERO, ZERO, {}

    def rates(self):
        return {}


class Kinematics:
    """`k` in Constraint.equations. Points and directions are given in users' frames, results are in world axes."""

    def __init__(self, laws):
        self.laws, self.system, self.frames = laws, laws.system, laws.frames
        self.t = symbol("t")
        self.rates = {self.t: 1.0}
        self.bodies = {}

    def frame(self, body):
        if body not in self.bodies:
            self.bodies[body] = Ground() if body == "ground" else Frame(body)
            self.rates |= self.bodies[body].rates()
        return self.bodies[body]

    # ---------------------------------------------------------------- points and directions

    def point(self, end):
        """Position of a point (body, point)."""
        return add(self.frame(end[0]).p, self.arm(*end))

    def arm(self, body, point):
        """From Bo to a point of the user's frame."""
        return times(self.frame(body).R, plain_numbers(self.frames.point(body, point)))

    def direction(self, body, vector):
        """A direction fixed in a body."""
        R_BU = self.frames.R_BU[self.frames.row[body]]
        return times(self.frame(body).R, plain_numbers(R_BU @ vector))

    def angular_velocity(self, body):
        return self.frame(body).w

    def velocity_at(self, body, place):
        """Velocity of the body's material point that is at this place of the world now."""
        B = self.frame(body)
        return add(B.v, cross(B.w, sub(place, B.p)))

    def velocity(self, end):
        return self.velocity_at(end[0], self.point(end))

    # ---------------------------------------------------------------- joint coordinates

    def coordinate(self, place):
        """Value of a joint coordinate, whole turns counted."""
        measure = self.measure(place)
        if measure.kind == "shift":
            e, r = self.seen(place.joint, measure.e)
            return dot(e, r)
        value = self.laws.symbol_of(f"{place.joint}.{place.coordinate}")
        self.rates[value] = self.rate(place)
        return value

    def rate(self, place):
        measure, joint = self.measure(place), self.system.joints[place.joint]
        e, r = self.seen(place.joint, measure.e)
        if measure.kind == "shift":
            return self.rate_of(dot(e, r))
        return dot(e, sub(self.angular_velocity(joint.b), self.angular_velocity(joint.a)))

    def measure(self, place):
        return next(m for m in self.system.joints[place.joint].measures() if m.name == place.coordinate)

    def seen(self, name, which):
        """Unit vector FX … MZ of a joint, and r from F to M."""
        joint = self.system.joints[name]
        body, axes = (joint.a, joint.R_AF) if which < 3 else (joint.b, joint.R_BM)
        r = sub(self.point((joint.b, joint.p_BM)), self.point((joint.a, joint.p_AF)))
        return self.direction(body, axes[:, which % 3]), r

    def rate_of(self, expression):
        """How an expression changes with time."""
        return self.rates_of([expression])[0]

    def rates_of(self, expressions):
        """The same of some expressions, in one walk through what they have in common."""
        return rates_along(expressions, self.rates)

    def names_of(self, quantities):
        """Names of the symbols of these quantities, of all bodies so far."""
        return {
            x.name
            for body, B in self.bodies.items()
            if body != "ground"
            for quantity in quantities
            for x in getattr(B, quantity)
        }

    def reads(self, expressions, quantities=SPEEDS):
        """True if any of these quantities of a body is in any of the expressions."""
        return bool(self.reading(expressions, quantities))

    def reading(self, expressions, quantities):
        """Those parts of the expressions that any of these quantities of a body is in."""
        return reading(expressions, self.names_of(quantities))

    # ---------------------------------------------------------------- names in users' expressions

    def expression(self, value, local=None):
        """A user's value with every name in it worked out; `local` names come before those of the model."""
        graph, local = value.expr(), local or {}
        return evaluate(
            [graph], {name: local[name] if name in local else self.named(name, local) for name in inputs([graph])}
        )[0]

    def named(self, name, local=()):
        if name == "t" or name in self.laws.constants:
            return symbol(name)
        owner, _, quantity = name.partition(".")
        if owner in self.system.joints:
            return self.joint_quantity(name, owner, quantity)
        if owner in self.system.bodies or owner in self.system.markers:
            return self.frame_quantity(name, owner, quantity)
        if quantity in ("length", "length.rate") and isinstance(
            getattr(self.system.forces.get(owner), "acts", None), Axial
        ):
            return self.length_quantity(self.system.forces[owner].acts, quantity.endswith("rate"))
        raise self.unknown(name, local)

    def joint_quantity(self, name, joint, quantity):
        coordinate, *rates = quantity.split(".")
        if rates not in ([], ["rate"], ["rate", "rate"]) or coordinate not in [
            m.name for m in self.system.joints[joint].measures()
        ]:
            raise self.unknown(name)
        place = JointCoordinate(joint, coordinate)
        value = self.coordinate(place) if not rates else self.rate(place)
        return self.rate_of(value) if len(rates) == 2 else value

    def frame_quantity(self, name, owner, quantity):
        """Of the frame of a body, or of a marker."""
        quantity, _, axis = quantity.partition(".")
        body, at, _ = frame_of(self.system, owner)
        origin = self.point((body, at))
        B = self.frame(body)
        quantities = {
            "position": lambda: origin,
            "velocity": lambda: self.velocity_at(body, origin),
            "angular_velocity": lambda: B.w,
        }
        if quantity == "orientation":
            return self.orientation(name, owner, axis)
        quantities |= {
            "acceleration": lambda: tuple(map(self.rate_of, self.velocity_at(body, origin))),
            "angular_acceleration": lambda: B.alpha,
        }
        if quantity not in quantities or axis not in AXES:
            raise self.unknown(name)
        return quantities[quantity]()[AXES[axis]]

    def orientation(self, name, owner, which):
        """A component of the rotation vector of a frame relative to the world, or ("base.x") to another frame."""
        base, _, axis = which.rpartition(".")
        if not is_component(self.system, owner, which):
            raise self.unknown(name)
        frames = [frame_of(self.system, one) for one in (base or "ground", owner)]
        columns = [[self.direction(frame.body, e) for e in np.transpose(frame.axes)] for frame in frames]
        return rotation_vector([[dot(a, b) for b in columns[1]] for a in columns[0]])[AXES[axis]]

    def length_quantity(self, line, is_rate):
        apart = length(sub(self.point((line.b, line.point_b)), self.point((line.a, line.point_a))))
        return self.rate_of(apart) if is_rate else apart

    def unknown(self, name, local=()) -> ExpressionError:
        """In constraints there are accelerations besides the names that forces know, and local names of a kind."""
        joints = [f"{j.name}.{m.name}.rate.rate" for j in self.system.joints.values() for m in j.measures()]
        quantities = ("acceleration", "angular_acceleration")
        bodies = [
            f"{frame}.{quantity}.{axis}"
            for frame in (*self.system.bodies, *self.system.markers)
            for quantity in quantities
            for axis in AXES
        ]
        return self.laws.unknown(name, local, [*joints, *bodies])
