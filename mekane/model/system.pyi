# Written by docs/make_stubs.py: change the code, then run `make stubs`.

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from numpy import ndarray
from numpy.typing import ArrayLike

from mekane.analyses.kinematics.topology import Topology
from mekane.analyses.state.derivatives import Derivatives
from mekane.analyses.state.equation_count import EquationCount
from mekane.analyses.state.kane import KaneEquations, PartialVelocities
from mekane.constraints.acceleration_constraint import AccelerationConstraint
from mekane.constraints.coupler import Coupler
from mekane.constraints.distance import Distance
from mekane.constraints.gear import Gear
from mekane.constraints.knife_edge import KnifeEdge
from mekane.constraints.parallel import Parallel
from mekane.constraints.path import Path
from mekane.constraints.perpendicular import Perpendicular
from mekane.constraints.point_on_curve import PointOnCurve
from mekane.constraints.point_on_line import PointOnLine
from mekane.constraints.point_on_plane import PointOnPlane
from mekane.constraints.position_constraint import PositionConstraint
from mekane.constraints.prescribed import Prescribed
from mekane.constraints.rack_and_pinion import RackAndPinion
from mekane.constraints.rolling_disc import RollingDisc
from mekane.constraints.rolling_ellipsoid import RollingEllipsoid
from mekane.constraints.rolling_sphere import RollingSphere
from mekane.constraints.rolling_spheres import RollingSpheres
from mekane.constraints.steering_wheel import SteeringWheel
from mekane.constraints.velocity_constraint import VelocityConstraint
from mekane.contacts.backlash import Backlash
from mekane.contacts.bearing_friction import BearingFriction
from mekane.contacts.brake import Brake
from mekane.contacts.cable import Cable
from mekane.contacts.clutch import Clutch
from mekane.contacts.contact import Contact
from mekane.contacts.contacts import Contacts
from mekane.contacts.dry_friction import DryFriction
from mekane.contacts.guide_friction import GuideFriction
from mekane.contacts.limit import Limit
from mekane.contacts.one_way import OneWay
from mekane.contacts.position_limit import PositionLimit
from mekane.expressions.graph import Expr
from mekane.forces.actuator import Actuator
from mekane.forces.axial_law import AxialLaw
from mekane.forces.bushing import Bushing
from mekane.forces.damper import Damper
from mekane.forces.drag import Drag
from mekane.forces.force import AppliedForce
from mekane.forces.gravitation import Gravitation
from mekane.forces.harmonic import Harmonic
from mekane.forces.inverse_square import InverseSquare
from mekane.forces.motor import Motor
from mekane.forces.pd import Pd
from mekane.forces.pid import Pid
from mekane.forces.potential import Potential
from mekane.forces.rotational_drag import RotationalDrag
from mekane.forces.rotor import Rotor
from mekane.forces.shaft import Shaft
from mekane.forces.sliding_damper import SlidingDamper
from mekane.forces.sliding_law import SlidingLaw
from mekane.forces.sliding_spring import SlidingSpring
from mekane.forces.spring import Spring
from mekane.forces.stop import Stop
from mekane.forces.torque import Torque
from mekane.forces.torsional_damper import TorsionalDamper
from mekane.forces.torsional_law import TorsionalLaw
from mekane.forces.torsional_spring import TorsionalSpring
from mekane.joints.ball import Ball
from mekane.joints.free import Free
from mekane.joints.pin import Pin
from mekane.joints.pin_slider import PinSlider
from mekane.joints.planar import Planar
from mekane.joints.screw import Screw
from mekane.joints.slider import Slider
from mekane.joints.universal import Universal
from mekane.joints.weld import Weld
from mekane.model.body import Body
from mekane.model.constraint import Constraint
from mekane.model.force import Force
from mekane.model.generalized_speed import GeneralizedSpeed
from mekane.model.geometry.shapes import Shape
from mekane.model.hybrid.controller import Controller
from mekane.model.hybrid.event import Event
from mekane.model.joint import Joint
from mekane.model.set_valued import SetValued
from mekane.model.signals.input import Input
from mekane.model.signals.marker import Marker
from mekane.model.signals.output import Output
from mekane.model.signals.variable import Variable
from mekane.model.types import (
    AxisLike,
    BodyLike,
    ConstrainedLike,
    CoordinateLike,
    DirectionLike,
    ImpulseLike,
    JointLike,
    MatrixLike,
    NumberLike,
    OrientationLike,
    PointLike,
    RateLike,
    SideLike,
    ValueLike,
    VectorLike,
    VectorValueLike,
)

class System:
    """A mechanism: bodies, the joints between them, the forces on them.

    Every kind of joint, constraint and force is a method: s.pin(…), s.distance(…), s.spring(…).
    Each makes a record, stores it by its name and returns it.
    planar="xy" (or "yz", "zx", "xz"): everything moves in this plane, with three speeds for each body instead of six;
    `inertia` of a body may then be one number. All parts share one name space. Numbers are SI; text with units ("12
    mm") is accepted everywhere, and so are
    parameters: mk.Param("k"), or "$k" and "$l/2" as text.
    """

    name: str
    plane: str | None
    bodies: dict[str, Body]
    joints: dict[str, Joint]
    constraints: dict[str, Constraint]
    contact_laws: dict[str, SetValued]
    forces: dict[str, Force]
    parameters: dict[str, float]
    own_speeds: dict[str, GeneralizedSpeed]
    inputs: dict[str, Input]
    variables: dict[str, Variable]
    markers: dict[str, Marker]
    outputs: dict[str, Output]
    events: dict[str, Event]
    controllers: dict[str, Controller]
    notes: list[str]
    def __init__(
        self,
        name: str = "system",
        gravity: VectorLike = (0, 0, -9.81),
        parameters: Mapping[str, NumberLike] | None = None,
        planar: str | None = None,
    ) -> None: ...
    @property
    def ground(self) -> Body:
        """The fixed frame: its axes are the world's."""
        ...
    @property
    def gravity(self) -> tuple[float, float, float]:
        """Acceleration of free fall, world axes [m/s^2]."""
        ...
    @gravity.setter
    def gravity(self, value: VectorLike) -> None: ...
    @property
    def ground_look(self) -> tuple[Shape, ...] | None:
        """What is drawn of the ground: shapes in the world, as `look` of a body; None for nothing of its own."""
        ...
    @ground_look.setter
    def ground_look(self, value: Shape | Mapping[str, Any] | Sequence[Any] | None) -> None: ...
    def body(
        self,
        name: str,
        mass: NumberLike | None = None,
        inertia: MatrixLike | None = None,
        com: VectorLike | None = None,
        *,
        position: VectorLike = (0, 0, 0),
        orientation: OrientationLike | None = None,
        velocity: VectorLike = (0, 0, 0),
        angular_velocity: VectorLike = (0, 0, 0),
        shape: Shape | Mapping[str, Any] | None = None,
        density: NumberLike | None = None,
        massless: bool = False,
        unphysical: bool = False,
        look: Shape | Mapping[str, Any] | Sequence[Any] | None = None,
        color: str | VectorLike | None = None,
    ) -> Body:
        """A rigid body.

        Parameters:
            name: what it is called; names are unique in a system.
            mass: its mass [kg].
            inertia: about the mass centre, body axes [kg m^2]: three principal values, six (xx, yy, zz, xy, xz, yz) or
                3x3. Left out, it comes from the shape; without a shape the body is a point mass.
            com: mass centre in the body's frame [m]; by default its origin, or the centre of its shape.
            position: of its origin at the start, world axes [m]; default (0, 0, 0).
            orientation: of its axes at the start: a quaternion (scalar last), a matrix, ("z", "30 deg"),
                ("xyz", [a, b, c]) or {"x": …, "y": …}; by default those of the world.
            velocity: of its origin at the start, world axes [m/s]; default (0, 0, 0).
            angular_velocity: at the start, world axes [rad/s]; default (0, 0, 0).
            shape: mk.Box(…), mk.Cylinder(…), mk.Mesh("arm.stl"), …: with density or mass it gives the mass properties; it is
                also drawn, and touches others.
            density: of its shape [kg/m^3].
            massless: True: mass 0 is meant; default False.
            unphysical: True: accept an inertia that breaks the triangle inequality or has a negative principal value, as
                some published data do; default False.
            look: a shape, or several, drawn in place of `shape`; [] for a body that is not drawn.
            color: of what is drawn: a name such as "orange", "#rrggbb", or red, green and blue from 0 to 1.

        Example:
            s = mk.System()
            s.body("arm", mass=1.2, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5), color="steel")
            s.body("disc", shape=mk.Cylinder(0.2, 0.02), density=7850, orientation=("x", "90 deg"))
        """
        ...
    def parameter(self, name: str, value: NumberLike) -> Expr:
        """Name a number, to be used in expressions. Text with a unit becomes SI.

        Returns the parameter to compute with, as mk.Param does: what is made with it follows it. Its number is
        s.parameters[name].
        """
        ...
    def take_parameter(self, name: str, value: float) -> None:
        """Know a parameter that came with its value, mk.Param("k", 4e3), from its first use on."""
        ...
    @property
    def constants(self) -> dict[str, float]:
        """Values of the parameters, by the names of their symbols in expressions."""
        ...
    def with_parameters(self, changes: Mapping[str, NumberLike] | None = None, **more: NumberLike) -> System:
        """A new system with other values of parameters: s.with_parameters(k=5e3, l="90 mm"),
        s.with_parameters({"arm.mass": 2}).

        Numbers that have no name are called by part and keyword; see `named`.
        """
        ...
    def set_parameters(self, changes: Mapping[str, NumberLike] | None = None, **more: NumberLike) -> None:
        """Change parameters of this system, as with_parameters. Its parts are made anew; if that fails, nothing is
        changed.
        """
        ...
    def copied(self) -> System:
        """A system of its own with the same parts; changes of its collections do not change these."""
        ...
    def __copy__(self) -> System:
        """A system of its own with the same parts; changes of its collections do not change these."""
        ...
    def add(
        self,
        name: str,
        other: System,
        *,
        to: BodyLike = "ground",
        at: VectorLike = (0, 0, 0),
        orientation: OrientationLike | None = None,
        parameters: Mapping[str, NumberLike] | None = None,
        mirrored: str | None = None,
    ) -> dict[str, str]:
        """Add all parts of another system: its ground becomes a frame fixed in a body of this one.

        Parts are called by `name` and their own name: "left leg" and "knee" make "left leg knee", "left_leg" makes
        "left_leg_knee"; expressions follow. The other system does not change. What moves, moves as in the other system; gravity
        is that of this one. If it is not possible, nothing is added.

        Parameters:
            name: stands in front of the names of all parts and parameters.
            other: the system to add, from Python or from mk.load_model.
            to: the body that the other's ground is fixed in, or its name; by default the ground.
            at: where the other's origin is, in the frame of that body [m].
            orientation: the other's world axes in the frame of that body, as of a body.
            parameters: other values of its parameters, as of with_parameters. Where they define places and masses, they are
                numbers from then on.
            mirrored: "x", "y" or "z": the sign of this coordinate is changed first, in the other's own axes. Joint coordinates
                keep their values.

        Returns:
            The new names, by those in the other system.

        Example:
            leg = mk.System("leg")
            leg.body("shank", mass=2, inertia=(0.1, 0.1, 0.01), position=(0, 0.2, -0.4))
            leg.pin("knee", leg.ground, "shank", at=(0, 0.2, 0), axis="y")
            s = mk.System("walker")
            s.body("torso", mass=10, inertia=(1, 1, 1))
            s.add("left", leg, to="torso")
            s.add("right", leg, to="torso", mirrored="y")
        """
        ...
    def remove(self, name: str) -> None:
        """Take a body, joint, force, event … or parameter out of the system. Its name is free again afterwards.

        name: the part, or its name. It is refused while another part is attached to it or names it in an expression.
        """
        ...
    def replace(self, name: str, **changes):
        """Make a body, joint, force, event … anew, with some of its arguments changed: s.replace("arm", mass=2.0).
        Returns the new part, which has the place of the old one.

        name: the part, or its name.  changes: arguments of its kind; None: as if it had not been given. The system is then
        the one that would have been described so from the start; if that is not possible, nothing is changed.
        """
        ...
    def with_discrete_state(self, values):
        """A new system that begins with other values of inputs and variables, and with other joints and constraints active:
        s.with_discrete_state({"gear": 2, "hook.active": False}).

        Analyses take a system as it begins, so they see this phase of its motion. run.state(t).system has the discrete state
        of a run at a time, with its bodies where they are then.
        """
        ...
    def named(self, addresses):
        """A new system in which these numbers are parameters, called by their addresses, with the values they have now."""
        ...
    def numbers(self) -> list[str]:
        """Addresses of all numbers that stand in the system as plain numbers."""
        ...
    def generalized_speeds(self, speeds: Mapping[str, Any]) -> dict[str, GeneralizedSpeed]:
        """Choose generalized speeds: {"u1": "hinge.angle.rate*cos(elbow.angle) + 2*t", …}, replacing those chosen
        before.

        Each is an expression text or a function f(t, state) of s.coordinates, s.speeds, parameters and t, linear in the
        speeds. They stand in for the speeds that occur in them; where that is not clear, {"value": "…", "instead_of":
        "elbow.angle.rate"} names it. The motion does not change; partial velocities, mass matrix and generalized
        forces are given in these speeds.
        """
        ...
    def initial_conditions(self, values: Mapping[str, NumberLike]) -> None:
        """Give what the positions of bodies leave open of the initial state: {"hinge.angle": "3 turn",
        "drive.integral": 0.2}.

        Of an angle only its whole revolutions count, the rest is where the bodies are; an integral is the controller
        state of a pid.
        """
        ...
    def claim(self, name: str, what: str) -> str:
        """The name, if it is a good one and still free."""
        ...
    def find_body(self, who: BodyLike, part: str) -> Body:
        """The body meant by a record or a name; "ground" is one of them."""
        ...
    def find_joint(self, who: JointLike, part: str) -> Joint:
        """The joint meant by a record or a name."""
        ...
    def find_constrained(self, who: ConstrainedLike, part: str) -> Joint | Constraint:
        """The joint or constraint meant by a record or a name."""
        ...
    def has(self, name: str) -> bool:
        """True if a part is called so."""
        ...
    def check(self) -> list[str]:
        """Warnings in plain words about what is allowed but may be unintended."""
        ...
    def to_dict(self) -> dict:
        """Plain data in the form of a model file; reading it back gives the equal system."""
        ...
    def controller(
        self,
        name: str,
        every: NumberLike,
        *,
        reads: str | Sequence[str] = (),
        writes: str | Input | Sequence[Any] | None = None,
        function: Callable[..., Any] | str | Sequence[Any] | Mapping[str, Any],
        offset: NumberLike = 0,
        delay: NumberLike = 0,
    ) -> Controller:
        """A sampled controller: at t = offset, offset + every, offset + 2 every … it reads what it names and sets inputs,
        which keep their values until the next tick.

        function(t, *reads) gives a number, or one for each input it writes. It is called at every tick, unless it is a plain
        formula of its arguments, which is computed without Python. It may also be an object that is called so, with state of
        its own and reset(), which is called at the start of every run; or expressions, one for each input, which may read
        anything.

        Parameters:
            name: what it is called; names are unique in a system.
            every: time from one tick to the next [s].
            reads: what the function gets, names or expressions; default ().
            writes: inputs it sets, or their names.
            function: f(t, …), an object with reset() and __call__, or expressions: one, a list or {input: expression}.
            offset: time of the first tick [s]; default 0.
            delay: time from a tick to the change of the inputs [s]; default 0.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.input("u"); s.controller("pilot", "1 ms", reads=["hinge.angle"], writes="u", function=lambda t, a: -20*a)
        """
        ...
    def variable(self, name: str, value: NumberLike | bool) -> Variable:
        """A discrete variable: a number that only events change. Expressions read it by its name.

        Parameters:
            name: what it is called; names are unique in a system.
            value: its value at the start; True is 1, False 0.

        Example:
            s = mk.System()
            s.variable("gear", 1)
        """
        ...
    def event(
        self,
        name: str,
        *,
        when: ValueLike,
        release: ConstrainedLike | None = None,
        lock: ConstrainedLike | None = None,
        at: VectorLike | Mapping[BodyLike, VectorLike] | None = None,
        impulse: ImpulseLike | None = None,
        torque_impulse: ImpulseLike | None = None,
        between: tuple[BodyLike, BodyLike] | None = None,
        frame: str = "world",
        set: Mapping[str, ValueLike] | None = None,
        stop: bool = False,
        once: bool = True,
        at_start: bool = False,
    ) -> Event:
        """What happens at the instant at which a condition becomes true: joints and constraints are released or locked,
        impulses act, discrete variables, inputs and rates are set, or the motion ends.

        A release changes no speed. A lock is an impulsive event: speeds change so that the joint or constraint holds from
        then on, with all others kept. A set rate is an impulse along that coordinate. An impulse acts at the mass centre,
        unless `at` is given. Events at one instant happen in the order in which they were declared. A condition that is
        true from the start has not become true: see at_start.

        Parameters:
            name: what it is called; names are unique in a system.
            when: the condition: "t >= 2", "tip.position.z < 0.1".
            release: joints or constraints that are free from then on.
            lock: joints or constraints that hold from then on.
            at: where an impulse acts, in the body's frame; or 'its present position', where a lock closes [m].
            impulse: bodies and three components each [N s].
            torque_impulse: bodies and three components each [N m s].
            between: two bodies: the impulse acts on the second, its negative on the first, at the same place.
            frame: axes of the components of impulses, "world" or "body"; default 'world'.
            set: variables, inputs and joint rates with their new values: {"gear": "gear + 1", "hinge.angle.rate": 0}.
            stop: True: the motion ends there; default False.
            once: False: it happens each time the condition becomes true again; default True.
            at_start: True: it also happens at the start, if the condition is true there; default False.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.event("let go", when="t >= 2", release="hinge")
        """
        ...
    def input(self, name: str, value: NumberLike = 0, unit: str = "") -> Input:
        """A number that controllers, events or the program that steps the motion set. Expressions read it by its name.

        It keeps its value until it is set again.

        Parameters:
            name: what it is called; names are unique in a system.
            value: its value at the start, in SI or as text with a unit; default 0.
            unit: SI unit of the number, for results; default ''.

        Example:
            s = mk.System()
            s.input("u", 0.0, unit="N m")
        """
        ...
    def marker(
        self, name: str, body: BodyLike, at: VectorLike = (0, 0, 0), orientation: OrientationLike | None = None
    ) -> Marker:
        """A point and axes fixed in a body. Expressions and results have its position, velocity, acceleration, orientation
        and angular velocity: tip.position.x, tip.velocity.z …, world axes.

        Parameters:
            name: what it is called; names are unique in a system.
            body: body it is fixed in, or its name; s.ground is the world.
            at: its point in the body's frame [m]; default (0, 0, 0).
            orientation: its axes in the body's frame, as of a body.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.marker("tip", arm, at=(0, 0, -0.5))
        """
        ...
    def output(self, name: str, value: ValueLike, unit: str = "") -> Output:
        """An expression with a name, a sensor: results have it, and controllers may read it.

        Parameters:
            name: what it is called; names are unique in a system.
            value: an expression of anything that results have, or a function of (t, state).
            unit: unit of what it comes to; default ''.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.output("speed", "abs(hinge.angle.rate)", unit="rad/s")
        """
        ...
    def acceleration_constraint(
        self, name: str, expressions: ValueLike | Sequence[ValueLike], *, active: bool = True
    ) -> AccelerationConstraint:
        """Expressions that stay zero and hold accelerations linearly, one or a list: "ball.acceleration.x - 0.1*t".

        Names: "crank.angle.rate.rate", "ball.acceleration.x", "ball.angular_acceleration.z", and all those of positions and
        speeds. Positions and speeds are not constrained: they go on from where they start. Its force may do work.

        Parameters:
            name: what it is called; names are unique in a system.
            expressions: expressions that stay zero: one, or a list.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.acceleration_constraint("lift", "arm.acceleration.z - 0.5")
        """
        ...
    def coupler(self, name: str, joint: CoordinateLike, to: ValueLike, *, active: bool = True) -> Coupler:
        """A joint coordinate is a function of other coordinates and of time, an expression or a table.  φ = q − f

        A cam as a table: to={"table": […], "of": "shaft.angle", "kind": "cubic"}. The multiplier is the force or torque on
        the coordinate.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: the joint that follows, or (joint, coordinate).
            to: what its coordinate is: an expression or a table of other coordinates and of t.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            rod = s.body("rod", mass=0.5, inertia=(0.05, 0.05, 0.01), position=(1, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.slider("guide", s.ground, rod, axis="x")
            s.coupler("cam", "guide", to="0.1*sin(hinge.angle)")
        """
        ...
    def distance(
        self, name: str, a: PointLike, b: PointLike, length: NumberLike | None = None, *, active: bool = True
    ) -> Distance:
        """A massless rod between two points: their distance stays as it is at the start, or as given.  φ = |r| − L

        Parameters:
            name: what it is called; names are unique in a system.
            a: point a: (body, point in its frame) [m].
            b: point b: (body, point in its frame) [m].
            length: the distance; as at the start if left out [m].
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            rod = s.body("rod", mass=0.5, inertia=(0.05, 0.05, 0.01), position=(1, 0, -0.5))
            s.distance("link", (arm, (0, 0, 0.5)), (rod, (0, 0, 0)))
        """
        ...
    def gear(
        self,
        name: str,
        a: CoordinateLike,
        b: CoordinateLike,
        ratio: NumberLike,
        phase: NumberLike = 0,
        *,
        active: bool = True,
    ) -> Gear:
        """Two joint coordinates in a fixed ratio: gear wheels, belts, a differential drive.  φ = q_a − ratio q_b − phase

        Wheels that mesh from outside have a negative ratio. The multiplier is the torque (or force) on a's coordinate.

        Parameters:
            name: what it is called; names are unique in a system.
            a: joint, or (joint, coordinate).
            b: joint, or (joint, coordinate).
            ratio: q_a per q_b; negative where wheels mesh from outside.
            phase: q_a where q_b is zero; default 0.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            rod = s.body("rod", mass=0.5, inertia=(0.05, 0.05, 0.01), position=(1, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.slider("guide", s.ground, rod, axis="x")
            s.gear("mesh", "hinge", "guide", ratio=-2)
        """
        ...
    def knife_edge(
        self,
        name: str,
        point: PointLike,
        along: AxisLike = "x",
        on: PointLike = ("ground", (0, 0, 0)),
        normal: AxisLike = "z",
        *,
        active: bool = True,
    ) -> KnifeEdge:
        """A skate: a point of a body does not move across its edge, whose direction `along` is fixed in the body.  side ·
        v = 0

        The plane goes through `on` and has the normal `normal`, both in that body's frame; `side` is normal × edge, a unit
        vector in the plane. It does not hold the point on the plane. Its reaction is the force on the edge.

        Parameters:
            name: what it is called; names are unique in a system.
            point: point of the edge: (body, point in its frame) [m].
            along: direction of the edge, in the body's frame; default 'x'.
            on: a point of the plane: (body, point in its frame) [m]; default ('ground', (0, 0, 0)).
            normal: normal of the plane, in the frame of the body of `on`; default 'z'.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.knife_edge("skate", (arm, (0, 0, -0.5)), along="x")
        """
        ...
    def parallel(self, name: str, a: DirectionLike, b: DirectionLike, *, active: bool = True) -> Parallel:
        """A direction of body a and one of body b stay parallel; the bodies still rotate about them.  φ = e·m, for two e
        across a's direction

        Parameters:
            name: what it is called; names are unique in a system.
            a: (body, direction in its frame).
            b: (body, direction in its frame).
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.parallel("level", (s.ground, "z"), (arm, "z"))
        """
        ...
    def path(
        self,
        name: str,
        point: PointLike,
        x: ValueLike | None = None,
        y: ValueLike | None = None,
        z: ValueLike | None = None,
        on: PointLike = ("ground", (0, 0, 0)),
        *,
        active: bool = True,
    ) -> Path:
        """A point of a body follows functions of time: x, y and z from `on`, along the axes of that body; those left out
        stay free.

        Its reaction is the force that drives the point.  φ = e·r − f(t)

        Parameters:
            name: what it is called; names are unique in a system.
            point: point that is driven: (body, point in its frame) [m].
            x: coordinate along x, a law of t; free if left out [m].
            y: coordinate along y, a law of t; free if left out [m].
            z: coordinate along z, a law of t; free if left out [m].
            on: where x, y, z are counted from: (body, point in its frame) [m]; default ('ground', (0, 0, 0)).
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.path("hand", (arm, (0, 0, 0)), x="0.1*sin(2*t)")
        """
        ...
    def perpendicular(self, name: str, a: DirectionLike, b: DirectionLike, *, active: bool = True) -> Perpendicular:
        """A direction of body a and one of body b stay perpendicular to each other.  φ = e·m

        Parameters:
            name: what it is called; names are unique in a system.
            a: (body, direction in its frame).
            b: (body, direction in its frame).
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.perpendicular("square", (s.ground, "x"), (arm, "z"))
        """
        ...
    def point_on_curve(
        self,
        name: str,
        point: PointLike,
        curve: ValueLike | Sequence[ValueLike],
        on: PointLike = ("ground", (0, 0, 0)),
        *,
        active: bool = True,
    ) -> PointOnCurve:
        """A point of a body stays on a curve carried by another: each equation is an expression that is zero there.  φ = g
        / |grad g|

        In `curve` the names x, y and z are the coordinates of the point from `on`, along the axes of that body; r and theta
        (between −π and π) are the polar ones of x and y. Two equations are a curve in space; one is a surface, or a curve
        for what moves in a plane. Other names are t, parameters, joint coordinates … A cam: curve="r - (0.1 +
        0.02*cos(2*theta))". Its reaction is the force on the point.

        Parameters:
            name: what it is called; names are unique in a system.
            point: point that follows: (body, point in its frame) [m].
            curve: one or two expressions of x, y, z [m], r [m] and theta [rad] that are zero on it.
            on: origin of these coordinates: (body, point in its frame) [m]; default ('ground', (0, 0, 0)).
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.point_on_curve("track", (arm, (0, 0, 0)), curve="x**2 + z**2 - 0.25")
        """
        ...
    def point_on_line(
        self,
        name: str,
        point: PointLike,
        on: PointLike = ("ground", (0, 0, 0)),
        direction: AxisLike = "x",
        *,
        active: bool = True,
    ) -> PointOnLine:
        """A point of a body stays on a line through `on` along `direction`, both in that body's frame.  φ = e·r, across the
        line, twice

        Parameters:
            name: what it is called; names are unique in a system.
            point: point that is held: (body, point in its frame) [m].
            on: a point of the line: (body, point in its frame) [m]; default ('ground', (0, 0, 0)).
            direction: direction of the line, in the frame of the body of `on`; default 'x'.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.point_on_line("slot", (arm, (0, 0, -0.5)), direction="x")
        """
        ...
    def point_on_plane(
        self,
        name: str,
        point: PointLike,
        on: PointLike = ("ground", (0, 0, 0)),
        normal: AxisLike = "z",
        *,
        active: bool = True,
    ) -> PointOnPlane:
        """A point of a body stays on the plane through `on` with the normal `normal`, both in that body's frame.  φ =
        n·r

        Parameters:
            name: what it is called; names are unique in a system.
            point: point that is held: (body, point in its frame) [m].
            on: a point of the plane: (body, point in its frame) [m]; default ('ground', (0, 0, 0)).
            normal: normal of the plane, in the frame of the body of `on`; default 'z'.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.point_on_plane("floor", (arm, (0, 0, -0.5)), on=(s.ground, (0, 0, -1)))
        """
        ...
    def position_constraint(
        self, name: str, expressions: ValueLike | Sequence[ValueLike], *, active: bool = True
    ) -> PositionConstraint:
        """Expressions of time, parameters, joint coordinates and positions of bodies that stay zero: one or a list.

        Names: "crank.angle", "ball.position.x", "spring.length", "t" … Written in metres, the multiplier is a force; in
        radians, a torque.

        Parameters:
            name: what it is called; names are unique in a system.
            expressions: expressions that stay zero: one, or a list.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.position_constraint("slot", "arm.position.x - 0.1*hinge.angle")
        """
        ...
    def prescribed(self, name: str, joint: CoordinateLike, motion: ValueLike, *, active: bool = True) -> Prescribed:
        """A joint coordinate as a given function of time; its reaction is the force or torque of the drive.  φ = q −
        f(t)

        Parameters:
            name: what it is called; names are unique in a system.
            joint: the joint that is driven, or (joint, coordinate).
            motion: what its coordinate is: a law of t.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.prescribed("crank", "hinge", motion="2*pi*t")
        """
        ...
    def rack_and_pinion(
        self,
        name: str,
        pinion: CoordinateLike,
        rack: CoordinateLike,
        radius: NumberLike,
        reversed: bool = False,
        offset: NumberLike = 0,
        *,
        active: bool = True,
    ) -> RackAndPinion:
        """A rack moves as the pinion turns.  φ = x − R θ − offset, or x + R θ − offset if `reversed`

        pinion: a joint coordinate that is an angle; rack: one that is a displacement. The multiplier is the force on the
        rack.

        Parameters:
            name: what it is called; names are unique in a system.
            pinion: joint that turns, or (joint, coordinate).
            rack: joint that slides, or (joint, coordinate).
            radius: pitch radius of the pinion [m].
            reversed: True where the rack is on the other side; default False.
            offset: displacement of the rack where the pinion is at zero [m]; default 0.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            rod = s.body("rod", mass=0.5, inertia=(0.05, 0.05, 0.01), position=(1, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.slider("guide", s.ground, rod, axis="x")
            s.rack_and_pinion("steering", "hinge", "guide", radius="20 mm")
        """
        ...
    def rolling_disc(
        self,
        name: str,
        centre: PointLike,
        radius: NumberLike,
        axis: AxisLike = "y",
        tube: NumberLike = 0,
        on: PointLike = ("ground", (0, 0, 0)),
        normal: AxisLike = "z",
        *,
        active: bool = True,
    ) -> RollingDisc:
        """A disc that rolls without slip on a plane: radius and axis of the disc, a round edge (torus) of radius `tube` if
        there is one.

        The plane goes through `on` and has the normal `normal`, both in that body's frame. Its reaction is the contact
        force on the disc.

        Parameters:
            name: what it is called; names are unique in a system.
            centre: centre of the disc: (body, point in its frame) [m].
            radius: radius of the circle at the middle of the edge [m].
            axis: axis of the disc, in its body's frame; default 'y'.
            tube: radius of a round edge [m]; default 0.
            on: a point of the plane: (body, point in its frame) [m]; default ('ground', (0, 0, 0)).
            normal: normal of the plane, in the frame of the body of `on`; default 'z'.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            wheel = s.body("wheel", mass=2.0, shape=mk.Sphere(0.3), position=(0, 0, 0.3))
            s.rolling_disc("tyre", (wheel, (0, 0, 0)), radius=0.3, axis="y")
        """
        ...
    def rolling_ellipsoid(
        self,
        name: str,
        centre: PointLike,
        axes: VectorLike,
        on: PointLike = ("ground", (0, 0, 0)),
        normal: AxisLike = "z",
        *,
        active: bool = True,
    ) -> RollingEllipsoid:
        """An ellipsoid that rolls without slip on a plane: its semi-axes are along the axes of the body, about a centre.

        axes: the three semi-axes. The plane goes through `on` and has the normal `normal` (towards the ellipsoid), both in
            that body's frame. Its reaction is the contact force on the ellipsoid.

        Parameters:
            name: what it is called; names are unique in a system.
            centre: centre of the ellipsoid: (body, point in its frame) [m].
            axes: semi-axes along the axes of the body [m].
            on: a point of the plane: (body, point in its frame) [m]; default ('ground', (0, 0, 0)).
            normal: normal of the plane towards the ellipsoid, in the frame of the body of `on`; default 'z'.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            wheel = s.body("wheel", mass=2.0, shape=mk.Sphere(0.3), position=(0, 0, 0.3))
            s.rolling_ellipsoid("egg", (wheel, (0, 0, 0)), axes=(0.2, 0.2, 0.3))
        """
        ...
    def rolling_sphere(
        self,
        name: str,
        centre: PointLike,
        radius: NumberLike,
        on: PointLike = ("ground", (0, 0, 0)),
        normal: AxisLike = "z",
        *,
        active: bool = True,
    ) -> RollingSphere:
        """A sphere that rolls without slip on a plane; it may spin about the normal.

        The plane goes through `on` and has the normal `normal` (towards the sphere), both in that body's frame.
        Its reaction is the contact force on the sphere.

        Parameters:
            name: what it is called; names are unique in a system.
            centre: centre of the sphere: (body, point in its frame) [m].
            radius: radius of the sphere [m].
            on: a point of the plane: (body, point in its frame) [m]; default ('ground', (0, 0, 0)).
            normal: normal of the plane towards the sphere, in the frame of the body of `on`; default 'z'.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            wheel = s.body("wheel", mass=2.0, shape=mk.Sphere(0.3), position=(0, 0, 0.3))
            s.rolling_sphere("ball", (wheel, (0, 0, 0)), radius=0.3)
        """
        ...
    def rolling_spheres(
        self,
        name: str,
        a: PointLike,
        b: PointLike,
        radius_a: NumberLike,
        radius_b: NumberLike,
        inside: bool = False,
        *,
        active: bool = True,
    ) -> RollingSpheres:
        """Sphere b rolls without slip on sphere a: outside, or inside a bowl (inside=True).  φ = |r| − (Ra ± Rb)

        a and b are the centres. It holds in both directions: b does not take off. Its reaction is the contact force on b.

        Parameters:
            name: what it is called; names are unique in a system.
            a: centre of sphere a: (body, point in its frame) [m].
            b: centre of sphere b: (body, point in its frame) [m].
            radius_a: radius of sphere a [m].
            radius_b: radius of sphere b [m].
            inside: True if b rolls inside a; default False.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            wheel = s.body("wheel", mass=2.0, shape=mk.Sphere(0.3), position=(0, 0, 0.3))
            s.rolling_spheres("ball", (s.ground, (0, 0, -0.7)), (wheel, (0, 0, 0)), radius_a=0.7, radius_b=0.3)
        """
        ...
    def steering_wheel(
        self,
        name: str,
        point: PointLike,
        steer: ValueLike = 0,
        along: AxisLike = "x",
        on: PointLike = ("ground", (0, 0, 0)),
        normal: AxisLike = "z",
        *,
        active: bool = True,
    ) -> SteeringWheel:
        """A thin wheel on a plane, steered: as a knife edge whose direction `along` is rotated about the normal by `steer`.

        steer: an angle, or an expression of time and of joint coordinates. The spin of the wheel is left out.

        Parameters:
            name: what it is called; names are unique in a system.
            point: where the wheel touches: (body, point in its frame) [m].
            steer: steering angle about the normal [rad]; default 0.
            along: direction of the wheel without steering, in the body's frame; default 'x'.
            on: a point of the plane: (body, point in its frame) [m]; default ('ground', (0, 0, 0)).
            normal: normal of the plane, in the frame of the body of `on`; default 'z'.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.steering_wheel("front", (arm, (0.5, 0, -0.5)), steer="0.2*sin(t)")
        """
        ...
    def velocity_constraint(
        self, name: str, expressions: ValueLike | Sequence[ValueLike], *, active: bool = True
    ) -> VelocityConstraint:
        """Expressions of time, parameters, positions and speeds that stay zero: one or a list.

        Names: "crank.angle.rate", "ball.velocity.x", "ball.angular_velocity.z", and all those of positions. Written as a
        speed, the multiplier is a force; as an angular speed, a torque.

        Parameters:
            name: what it is called; names are unique in a system.
            expressions: expressions that stay zero: one, or a list.
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.velocity_constraint("drift", "arm.velocity.x - 0.5")
        """
        ...
    def backlash(
        self,
        name: str,
        joint: CoordinateLike,
        gap: NumberLike,
        to: ValueLike = 0,
        restitution: NumberLike = 0,
        law: str = "poisson",
    ) -> Backlash:
        """Play: a joint coordinate stays within half of `gap` on either side of `to`, a number or an expression of other
        coordinates; gear teeth with play, for example. It pushes at the ends of the play.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: the joint, or (joint, coordinate).
            gap: play from end to end.
            to: middle of the play: an expression of other coordinates and of t; default 0.
            restitution: rebound at the ends, 0 to 1; default 0.
            law: law of restitution: poisson, stronge, newton or phases; default 'poisson'.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.backlash("teeth", "hinge", gap="0.5 deg", to="-2*shaft.angle")
        """
        ...
    def bearing_friction(
        self,
        name: str,
        joint: CoordinateLike,
        friction: ValueLike,
        radius: NumberLike,
        static: ValueLike | None = None,
        collar: NumberLike | None = None,
    ) -> BearingFriction:
        """Dry friction of a journal bearing, from the joint's own reaction: the torque is at most friction × radius × force
        across the axis. With `collar`, the force along the axis rubs, too, at that radius. It is solved with the reaction,
        which it changes.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: the joint, or (joint, coordinate).
            friction: coefficient of friction while it turns.
            radius: of the journal [m].
            static: coefficient while it sticks; by default as turning.
            collar: mean radius of the collar that takes thrust [m].

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.bearing_friction("bearing", "hinge", friction=0.1, radius="10 mm")
        """
        ...
    def brake(
        self, name: str, joint: CoordinateLike, torque: ValueLike | None = None, force: ValueLike | None = None
    ) -> Brake:
        """A brake holds a coordinate of a joint with at most `torque` or `force`, which may change with time.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: the joint, or (joint, coordinate).
            torque: the most it can hold a turning coordinate with [N m].
            force: the most it can hold a sliding coordinate with [N].

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.brake("brake", "hinge", torque="40 if t > 1 else 0")
        """
        ...
    def cable(
        self,
        name: str,
        a: PointLike,
        b: PointLike,
        length: NumberLike,
        restitution: NumberLike = 0,
        law: str = "poisson",
    ) -> Cable:
        """A rope between two points that does not stretch: it pulls when it is taut, and goes slack.

        Parameters:
            name: what it is called; names are unique in a system.
            a: one end: (body, point in its frame), or a body for its origin [m].
            b: the other end [m].
            length: of the rope when it is taut [m].
            restitution: rebound when it becomes taut, 0 to 1; default 0.
            law: law of restitution: poisson, stronge, newton or phases; default 'poisson'.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.cable("rope", s.ground, (arm, (0, 0, -0.5)), length=2)
        """
        ...
    def clutch(
        self, name: str, a: CoordinateLike, b: CoordinateLike, torque: ValueLike, ratio: NumberLike = 1
    ) -> Clutch:
        """A friction clutch between two turning coordinates: it drives both to the same rate with at most `torque`, which may
        change with time, and then holds them together. With a ratio, a.rate = ratio × b.rate.

        Parameters:
            name: what it is called; names are unique in a system.
            a: one joint, or (joint, coordinate).
            b: the other.
            torque: the most it can carry, on a [N m].
            ratio: rate of a over that of b when it holds; default 1.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            wheel = s.body("wheel", mass=2.0, shape=mk.Sphere(0.3), position=(0, 0, 0.3))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.pin("axle", s.ground, wheel, at=(0, 0, 0.3), axis="y")
            s.clutch("clutch", "hinge", "axle", torque="50 if t > 0.1 else 0")
        """
        ...
    def contact(
        self,
        name: str,
        a: SideLike,
        b: SideLike,
        friction: ValueLike = 0,
        static: ValueLike | None = None,
        restitution: NumberLike = 0,
        law: str = "poisson",
        across: NumberLike = 1,
        along: AxisLike = "x",
        rolling: NumberLike = 0,
        spinning: NumberLike = 0,
    ) -> Contact:
        """Two bodies that touch and do not enter each other, with Coulomb friction: |F_T| ≤ friction × F_N; what sticks does
        not move. They rebound with the coefficient of restitution that is given.

        Each side is a body (its shape), (body, shape), (body, mk.Plane(…)) or (body, point); the second may be (body,
        mk.HeightField(…)) or (body, mk.Cam(…)), too. A cylinder touches a plane with its rims while it is tilted or lies; one
        that stands, with the corners of a mk.Polygon.

        Parameters:
            name: what it is called; names are unique in a system.
            a: a body, (body, shape) or (body, point in its frame) [m].
            b: the other: a body, (body, shape) or (body, mk.Plane(…)) [m].
            friction: coefficient of friction while it slides; default 0.
            static: coefficient while it sticks; by default as sliding.
            restitution: 0: no rebound, 1: no loss; default 0.
            law: law of restitution: poisson, stronge, newton or phases; default 'poisson'.
            across: friction across the direction `along`, over that along it; default 1.
            along: where friction is not the same in all directions: one of them, in the frame of b; default 'x'.
            rolling: resistance to rolling: a torque of at most this length × F_N [m]; default 0.
            spinning: the same to spinning about the normal [m]; default 0.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.contact("floor", (arm, (0, 0, -0.5)), (s.ground, mk.Plane(at=(0, 0, -2), normal="z")), friction=0.3)
        """
        ...
    def contacts(
        self,
        name: str,
        among: Sequence[SideLike],
        friction: NumberLike = 0,
        restitution: NumberLike = 0,
        law: str = "poisson",
    ) -> Contacts:
        """Contact of each of these bodies with each other, as `contact` of all pairs.

        Of more than 200 pairs, those that may touch are searched in every step: spheres, capsules, boxes on planes and beside
        spheres, and planes. Such a motion is computed with method="moreau".

        Parameters:
            name: what it is called; names are unique in a system.
            among: bodies with shapes, (body, shape) or (body, mk.Plane(…)) [m].
            friction: coefficient of friction; default 0.
            restitution: 0: no rebound, 1: no loss; default 0.
            law: law of restitution: poisson, stronge, newton or phases; default 'poisson'.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            wheel = s.body("wheel", mass=2.0, shape=mk.Sphere(0.3), position=(0, 0, 0.3))
            s.contacts("all", among=[wheel, (arm, mk.Sphere(0.1)), (s.ground, mk.Plane(at=(0, 0, -2)))], friction=0.3)
        """
        ...
    def dry_friction(
        self,
        name: str,
        joint: CoordinateLike,
        torque: ValueLike | None = None,
        force: ValueLike | None = None,
        static: ValueLike | None = None,
    ) -> DryFriction:
        """Dry friction in a joint: it sticks, and does not move at all, until it has to carry more than `static`; sliding, it
        resists with `torque` or `force`.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: the joint, or (joint, coordinate).
            torque: torque while a turning coordinate slides [N m].
            force: force while a sliding coordinate slides [N].
            static: the most it holds while it sticks; by default as sliding [N or N m].

        Example:
            s = mk.System()
            rod = s.body("rod", mass=0.5, inertia=(0.05, 0.05, 0.01), position=(1, 0, -0.5))
            s.slider("guide", s.ground, rod, axis="x")
            s.dry_friction("seal", "guide", force=12, static=15)
        """
        ...
    def guide_friction(
        self, name: str, joint: CoordinateLike, friction: ValueLike, static: ValueLike | None = None
    ) -> GuideFriction:
        """Dry friction of a straight guide, from the joint's own reaction: the force is at most friction × (|N1| + |N2|), the
        forces on its two pairs of faces, across the axis. It is solved with the reaction, which it changes.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: the joint, or (joint, coordinate).
            friction: coefficient of friction while it slides.
            static: coefficient while it sticks; by default as sliding.

        Example:
            s = mk.System()
            rod = s.body("rod", mass=0.5, inertia=(0.05, 0.05, 0.01), position=(1, 0, -0.5))
            s.slider("guide", s.ground, rod, axis="x")
            s.guide_friction("cylinder", "guide", friction=0.15)
        """
        ...
    def limit(
        self,
        name: str,
        joint: CoordinateLike,
        lower: ValueLike | None = None,
        upper: ValueLike | None = None,
        restitution: NumberLike = 0,
        law: str = "poisson",
    ) -> Limit:
        """Rigid limits that keep a coordinate of a joint between `lower` and `upper`, or on one side of one of them.

        It pushes and never pulls; hit at a rate v, the coordinate goes back at restitution × v. `stop` is the elastic one.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: the joint, or (joint, coordinate).
            lower: least value of the coordinate [m or rad].
            upper: largest value of the coordinate [m or rad].
            restitution: rate after over rate before an impact, 0 to 1; default 0.
            law: law of restitution: poisson, stronge, newton or phases; default 'poisson'.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.limit("bumper", "hinge", lower="-30 deg", upper="45 deg", restitution=0.4)
        """
        ...
    def one_way(self, name: str, joint: CoordinateLike, rate: ValueLike = 0) -> OneWay:
        """A freewheel: the rate of a coordinate is never less than `rate`, that of what drives it (0: it does not turn back).
        It takes hold without a rebound.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: the joint, or (joint, coordinate).
            rate: least rate: a number, or an expression of time and other rates [m/s or rad/s]; default 0.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.one_way("freewheel", "hinge")
        """
        ...
    def position_limit(
        self,
        name: str,
        expression: ValueLike,
        lower: ValueLike | None = None,
        upper: ValueLike | None = None,
        restitution: NumberLike = 0,
        law: str = "poisson",
    ) -> PositionLimit:
        """Rigid limits that keep an expression of joint coordinates and positions between `lower` and `upper`, or on one side of
        one of them: the length of a tendon over several joints, for example.

        Names: "crank.angle", "ball.position.x", "spring.length", "t" … It pushes and never pulls; hit at a rate v, the
        expression goes back at restitution × v. `limit` is that of one coordinate.

        Parameters:
            name: what it is called; names are unique in a system.
            expression: what is kept between the limits [m or rad].
            lower: its least value [m or rad].
            upper: its largest value [m or rad].
            restitution: rate after over rate before an impact, 0 to 1; default 0.
            law: law of restitution: poisson, stronge, newton or phases; default 'poisson'.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.position_limit("reach", "hinge.angle + 0.5*arm.position.x", upper=1.2)
        """
        ...
    def actuator(
        self,
        name: str,
        joint: JointLike,
        torque: ValueLike | None = None,
        force: ValueLike | None = None,
        limit: ValueLike | None = None,
        rate: ValueLike = 0,
        *,
        coordinate: str | None = None,
    ) -> Actuator:
        """Drive on a coordinate of a joint with a state a, whose rate is given, and which the torque or force may read.

            ȧ = rate(a, q, u),   F = torque(a, q, u)

        In its expressions a is the state, q the coordinate and u its rate. The state is zero at the start unless
        s.initial_conditions({"name.integral": …}) sets it; it is "name.integral" in results and in other expressions.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: joint it acts on, or its name.
            torque: torque on a turning coordinate [N m].
            force: force on a sliding coordinate [N].
            limit: largest force or torque, in either direction; left out, there is none [N or N m].
            rate: rate of the state a, a law of a, q and u [1/s]; default 0.
            coordinate: which of its coordinates, where several are possible.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.actuator("servo", "hinge", torque="50*(a - q) - 2*u", rate="(0.5*sin(t) - a)/0.1")
        """
        ...
    def axial_law(
        self,
        name: str,
        a: PointLike,
        b: PointLike,
        tension: ValueLike = 0,
        potential: ValueLike = 0,
        *,
        look: str | None = None,
    ) -> AxialLaw:
        """Any law along the line between two points: a tension, a potential, or both.  F = tension(L, L̇) + dV/dL

        In their expressions and tables L is the length [m] and Ld its rate [m/s]; the tension is positive when it pulls. A
        potential is differentiated exactly and counts as stored energy; the work of the tension is counted as it is done.

        Parameters:
            name: what it is called; names are unique in a system.
            a: point a: (body, point in its frame), or a body for its origin [m].
            b: point b: (body, point in its frame), or a body for its origin [m].
            tension: law of the length L [m] and its rate Ld [m/s], positive when it pulls [N]; default 0.
            potential: stored energy, a law of the length L [m] [J]; default 0.
            look: how it is drawn, where that is not as its kind: "spring", "rod", "rope" or "line".

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.axial_law("rubber", (s.ground, (1, 0, 0)), (arm, (0, 0, 0)), tension="5*Ld", potential="40*(L - 0.5)**4")
        """
        ...
    def bushing(
        self,
        name: str,
        a: BodyLike,
        b: BodyLike,
        stiffness: MatrixLike,
        damping: MatrixLike = (0, 0, 0, 0, 0, 0),
        *,
        at: VectorLike | None = None,
        on_a: VectorLike | None = None,
        on_b: VectorLike | None = None,
        frame_a: OrientationLike | None = None,
        frame_b: OrientationLike | None = None,
    ) -> Bushing:
        """Six springs and dampers, or 6×6 of them, between a frame F on a and a frame M on b; at rest where they coincide.
        f = −K z − C ż

        z is the shift of M along the axes of F, and the rotation of M in F as Bryan angles about x, y', z'' (a small one:
        about the axes of F). All of it comes from the energy ½ z·K z, at any size of motion below a quarter turn about y'.
        The force on a acts where that on b does, so that action is reaction. Numbers are in the order x, y, z, about x,
        about y, about z. `at` places F and M at a point of the world, with the axes of b unless frame_a or frame_b is
        given; on_a and on_b are local.

        Parameters:
            name: what it is called; names are unique in a system.
            a: first body, or its name; s.ground is the world.
            b: second body, or its name; it moves relative to the first.
            stiffness: along x, y, z and about them: six numbers or 6×6 [N/m, N m/rad].
            damping: in the same order [N s/m, N m s/rad]; default (0, 0, 0, 0, 0, 0).
            at: where it is at the start, world coordinates [m].
            on_a: where it is on a, in the frame of a [m].
            on_b: where it is on b, in the frame of b [m].
            frame_a: all its axes on a, in the frame of a, as an orientation.
            frame_b: all its axes on b, in the frame of b, as an orientation.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.bushing("mount", s.ground, arm, stiffness=("200 N/mm",) * 3 + (50,) * 3, damping=(100,) * 3 + (1,) * 3)
        """
        ...
    def damper(self, name: str, a: PointLike, b: PointLike, damping: ValueLike, *, look: str | None = None) -> Damper:
        """Straight damper between two points, pulling while it grows. M.A.K.E.'s Damper.  F = c L̇

        Parameters:
            name: what it is called; names are unique in a system.
            a: point a: (body, point in its frame), or a body for its origin [m].
            b: point b: (body, point in its frame), or a body for its origin [m].
            damping: tension per rate of the length [N s/m].
            look: how it is drawn, where that is not as its kind: "spring", "rod", "rope" or "line".

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.damper("dashpot", (s.ground, (1, 0, 0)), (arm, (0, 0, 0)), damping=15)
        """
        ...
    def drag(
        self,
        name: str,
        body: BodyLike,
        linear: ValueLike = 0,
        quadratic: ValueLike = 0,
        wind: VectorValueLike = (0, 0, 0),
        *,
        at: VectorLike | None = None,
    ) -> Drag:
        """Drag at a point of a body, against its velocity relative to the medium.  F = −(c1 + c2 |v|) v,  v = velocity of
        the point − wind

        `linear` is c1 [N s/m], `quadratic` c2 [N s²/m²]: ½ ρ Cd A of a body in a fluid. `at` is the point, in the body's
        frame; the mass centre by default. `wind` is the velocity of the medium, world axes.

        Parameters:
            name: what it is called; names are unique in a system.
            body: body it acts on, or its name.
            linear: drag per speed, c1 [N s/m]; default 0.
            quadratic: drag per speed squared, c2 [N s^2/m^2]; default 0.
            wind: velocity of the medium, world axes [m/s]; default (0, 0, 0).
            at: point of the body it acts at, in its frame; its mass centre if left out [m].

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.drag("air", arm, quadratic=0.02, wind=("5 m/s", 0, 0))
        """
        ...
    def force(
        self, name: str, body: BodyLike, value: VectorValueLike, *, at: VectorLike | None = None, frame: str = "world"
    ) -> AppliedForce:
        """Constant or varying force at a point of a body, in world or body components.

        `at` is the point in the body's own frame, by default the mass centre. `value` is three components, or one function
        or table that gives three. Covers M.A.K.E.'s CLForce and VLOForce (frame="body"), CGForce (frame="world") and
        Force_con_glo_CM (frame="world", no `at`). [T 5.20–5.23]

        Parameters:
            name: what it is called; names are unique in a system.
            body: body it acts on, or its name.
            value: three components [N].
            at: point of the body it acts at, in its frame; its mass centre if left out [m].
            frame: axes of the components, "world" or "body"; default 'world'.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.force("push", arm, value=(0, 0, "10*sin(3*t)"), at=(0, 0, 0.5))
        """
        ...
    def gravitation(self, name: str, a: BodyLike, b: BodyLike, G: ValueLike = 6.6743e-11) -> Gravitation:
        """Newton's attraction between the mass centres of two bodies. M.A.K.E.'s Gravitation.  F = G ma mb / L²

        The weight of bodies near the ground is not this but `System(gravity=…)`.

        Parameters:
            name: what it is called; names are unique in a system.
            a: body a, or its name.
            b: body b, or its name.
            G: gravitational constant [m^3/kg/s^2]; default 6.6743e-11.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            rod = s.body("rod", mass=0.5, inertia=(0.05, 0.05, 0.01), position=(1, 0, -0.5))
            s.gravitation("pull", arm, rod)
        """
        ...
    def harmonic(
        self,
        name: str,
        body: BodyLike,
        amplitude: VectorValueLike,
        frequency: ValueLike,
        phase: ValueLike = 0,
        *,
        at: VectorLike | None = None,
        frame: str = "world",
    ) -> Harmonic:
        """Harmonic force at a point of a body, M.A.K.E.'s HForce.  F = amplitude sin(frequency t + phase)

        The frequency is an angular one, in rad/s; "50 Hz" is 2π·50 rad/s. A phase of "90 deg" makes it a cosine. `at` and
        `frame` are those of a force.

        Parameters:
            name: what it is called; names are unique in a system.
            body: body it acts on, or its name.
            amplitude: three components of the largest force [N].
            frequency: angular frequency [rad/s].
            phase: phase at t = 0 [rad]; default 0.
            at: point of the body it acts at, in its frame; its mass centre if left out [m].
            frame: axes of the components, "world" or "body"; default 'world'.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.harmonic("shaker", arm, amplitude=("5 N", 0, 0), frequency="50 Hz")
        """
        ...
    def inverse_square(
        self, name: str, a: PointLike, b: PointLike, strength: ValueLike, *, look: str | None = None
    ) -> InverseSquare:
        """Repulsion of two points, falling with the square of their distance; attraction if negative.  F = −strength / L²,
        V = strength / L

        For electric charges the strength is 8.9875e9 qa qb (in coulombs), for magnetic poles 1e-7 pa pb (in ampere metres)
        [N m²].

        Parameters:
            name: what it is called; names are unique in a system.
            a: point a: (body, point in its frame), or a body for its origin [m].
            b: point b: (body, point in its frame), or a body for its origin [m].
            strength: force times distance squared, positive when it repels [N m^2].
            look: how it is drawn, where that is not as its kind: "spring", "rod", "rope" or "line".

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.inverse_square("charges", (s.ground, (1, 0, 0)), (arm, (0, 0, 0)), strength=0.2)
        """
        ...
    def motor(
        self,
        name: str,
        joint: JointLike,
        torque: ValueLike | None = None,
        force: ValueLike | None = None,
        limit: ValueLike | None = None,
        *,
        coordinate: str | None = None,
    ) -> Motor:
        """Torque on a turning coordinate of a joint, or force on a sliding one: positive drives the coordinate up, a feels
        the opposite of b. With `limit`, it gives no more than that in either direction.

        `coordinate` is needed if the joint has several coordinates of that kind.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: joint it acts on, or its name.
            torque: torque on a turning coordinate [N m].
            force: force on a sliding coordinate [N].
            limit: largest force or torque, in either direction; left out, there is none [N or N m].
            coordinate: which of its coordinates, where several are possible.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.motor("drive", "hinge", torque="5*sin(3*t)")
        """
        ...
    def pd(
        self,
        name: str,
        joint: JointLike,
        target: ValueLike,
        stiffness: ValueLike,
        damping: ValueLike = 0,
        limit: ValueLike | None = None,
        *,
        coordinate: str | None = None,
    ) -> Pd:
        """Drive on a coordinate of a joint: proportional to how far it is from the target, and how fast it leaves it.

            F = kp (target − q) + kd (d target/dt − u)

        The target is a number, an expression or a table of time; its rate is its exact derivative. kp is `stiffness`, kd is
        `damping`. With `limit`, F is cut off there. A drive stores no energy: all its work is counted.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: joint it acts on, or its name.
            target: value that the coordinate is driven to [m or rad].
            stiffness: kp, per error [N/m or N m/rad].
            damping: kd, per rate of the error [N s/m or N m s/rad]; default 0.
            limit: largest force or torque, in either direction; left out, there is none [N or N m].
            coordinate: which of its coordinates, where several are possible.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.pd("hold", "hinge", target="30 deg", stiffness=40, damping=2)
        """
        ...
    def pid(
        self,
        name: str,
        joint: JointLike,
        target: ValueLike,
        stiffness: ValueLike,
        integral: ValueLike,
        damping: ValueLike = 0,
        limit: ValueLike | None = None,
        *,
        coordinate: str | None = None,
    ) -> Pid:
        """Drive on a coordinate of a joint, as pd, that also sums up how far it was from the target.

            F = kp (target − q) + kd (d target/dt − u) + ki ∫(target − q) dt

        kp is `stiffness`, ki is `integral`, kd is `damping`. The integral is zero at the start unless
        s.initial_conditions({"name.integral": …}) sets it; it is part of the state, and "name.integral" in results and expressions.

        With `limit`, F is cut off there, and the integral does not wind up: it stops while the drive is at its limit and
        the error asks for still more, and goes on as soon as the error changes sign. It comes to rest over the first
        hundredth of the limit beyond it, so that the law has no jump.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: joint it acts on, or its name.
            target: value that the coordinate is driven to [m or rad].
            stiffness: kp, per error [N/m or N m/rad].
            integral: ki, per integral of the error [N/m/s or N m/rad/s].
            damping: kd, per rate of the error [N s/m or N m s/rad]; default 0.
            limit: largest force or torque, in either direction; left out, there is none [N or N m].
            coordinate: which of its coordinates, where several are possible.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.pid("hold", "hinge", target="30 deg", stiffness=40, integral=10, damping=2)
        """
        ...
    def potential(self, name: str, body: BodyLike, V: ValueLike, *, at: VectorLike | None = None) -> Potential:
        """Force at a point of a body from a potential, an expression of where the point is.  F = −∇V(X, Y, Z)   [C 1]

        X, Y, Z are the world coordinates of the point [m], V is an energy [J]; parameters may be in it. The gradient is
        exact. If V also changes with t or with other names of the model, it stores no energy, and its work is counted as it
        is done.

        Parameters:
            name: what it is called; names are unique in a system.
            body: body it acts on, or its name.
            V: potential energy, a law of the world coordinates X, Y, Z [m] of the point [J].
            at: point of the body it acts at, in its frame; its mass centre if left out [m].

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.potential("bowl", arm, V="2*(X**2 + Y**2)")
        """
        ...
    def rotational_drag(
        self, name: str, body: BodyLike, linear: ValueLike = 0, quadratic: ValueLike = 0
    ) -> RotationalDrag:
        """Torque against the angular velocity of a body.  M = −(c1 + c2 |ω|) ω, with c1 = `linear` and c2 = `quadratic`

        Parameters:
            name: what it is called; names are unique in a system.
            body: body it acts on, or its name.
            linear: torque per angular speed, c1 [N m s/rad]; default 0.
            quadratic: torque per angular speed squared, c2 [N m s^2/rad^2]; default 0.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.rotational_drag("oil", arm, linear=0.02)
        """
        ...
    def rotor(
        self, name: str, joint: JointLike, inertia: ValueLike, ratio: ValueLike = 1, *, coordinate: str | None = None
    ) -> Rotor:
        """Rotor of a motor that turns with a joint coordinate through a gear: `ratio` times as fast. The coordinate feels
        the inertia  ratio² inertia.

        It is what MuJoCo calls armature. The rotor has kinetic energy, but neither weight nor gyroscopic moments: these
        belong to the body that carries the motor, as part of its mass and inertia. On a sliding coordinate, `ratio` is in
        rad/m, as of a spindle. A ball joint feels the inertia about all axes; of a free joint that is coordinate="rotation".

        Parameters:
            name: what it is called; names are unique in a system.
            joint: joint it acts on, or its name.
            inertia: of the rotor about its own axis [kg m^2].
            ratio: angle of the rotor per angle or displacement of the joint; default 1.
            coordinate: which of its coordinates, where several are possible.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.rotor("rotor", "hinge", inertia="2e-5 kg m^2", ratio=100)
        """
        ...
    def shaft(
        self,
        name: str,
        a: CoordinateLike,
        b: CoordinateLike,
        stiffness: ValueLike,
        damping: ValueLike = 0,
        ratio: ValueLike = 1,
        twist: ValueLike = 0,
    ) -> Shaft:
        """Elastic shaft or belt between two joint coordinates: a spring and a damper where a `gear` is rigid.

            w = q_a − ratio q_b       F_a = −k (w − twist) − c dw/dt       F_b = −ratio F_a

        Stiffness and damping are those seen at a. Wheels that mesh from outside have a negative ratio.

        Parameters:
            name: what it is called; names are unique in a system.
            a: joint, or (joint, coordinate) where it has several.
            b: joint, or (joint, coordinate) where it has several.
            stiffness: torque or force on a, per twist [N/m or N m/rad].
            damping: the same, per rate of twist [N s/m or N m s/rad]; default 0.
            ratio: q_a per q_b, where the shaft is rigid; default 1.
            twist: q_a − ratio q_b where it is relaxed [m or rad]; default 0.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            rod = s.body("rod", mass=0.5, inertia=(0.05, 0.05, 0.01), position=(1, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.slider("guide", s.ground, rod, axis="x")
            s.shaft("belt", "hinge", "guide", stiffness=40, damping=0.1, ratio=3)
        """
        ...
    def sliding_damper(
        self, name: str, joint: JointLike, damping: ValueLike, *, coordinate: str | None = None
    ) -> SlidingDamper:
        """Damper on a sliding coordinate of a joint.  F = −c ẋ

        Parameters:
            name: what it is called; names are unique in a system.
            joint: joint it acts on, or its name.
            damping: force per speed [N s/m].
            coordinate: which of its coordinates, where several are possible.

        Example:
            s = mk.System()
            rod = s.body("rod", mass=0.5, inertia=(0.05, 0.05, 0.01), position=(1, 0, -0.5))
            s.slider("guide", s.ground, rod, axis="x")
            s.sliding_damper("oil", "guide", damping=15)
        """
        ...
    def sliding_law(
        self,
        name: str,
        joint: JointLike,
        force: ValueLike = 0,
        potential: ValueLike = 0,
        *,
        coordinate: str | None = None,
    ) -> SlidingLaw:
        """Any law on a sliding coordinate of a joint: a force, a potential, or both.  F = force(x, ẋ) − dV/dx

        In their expressions and tables q is the displacement [m] and u its rate [m/s]; the force is positive when it drives
        it up.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: joint it acts on, or its name.
            force: law of the displacement q [m] and its rate u [m/s] [N]; default 0.
            potential: stored energy, a law of the displacement q [m] [J]; default 0.
            coordinate: which of its coordinates, where several are possible.

        Example:
            s = mk.System()
            rod = s.body("rod", mass=0.5, inertia=(0.05, 0.05, 0.01), position=(1, 0, -0.5))
            s.slider("guide", s.ground, rod, axis="x")
            s.sliding_law("rubber", "guide", force="-5*u", potential="40*q**4")
        """
        ...
    def sliding_spring(
        self,
        name: str,
        joint: JointLike,
        stiffness: ValueLike,
        displacement: ValueLike = 0,
        damping: ValueLike = 0,
        *,
        coordinate: str | None = None,
    ) -> SlidingSpring:
        """Spring and damper on a sliding coordinate of a joint, at rest at displacement.  F = −k (x − x0) − c ẋ

        Parameters:
            name: what it is called; names are unique in a system.
            joint: joint it acts on, or its name.
            stiffness: force per displacement [N/m].
            displacement: where it is at rest [m]; default 0.
            damping: force per speed [N s/m]; default 0.
            coordinate: which of its coordinates, where several are possible.

        Example:
            s = mk.System()
            rod = s.body("rod", mass=0.5, inertia=(0.05, 0.05, 0.01), position=(1, 0, -0.5))
            s.slider("guide", s.ground, rod, axis="x")
            s.sliding_spring("centre", "guide", stiffness="10 N/mm")
        """
        ...
    def spring(
        self,
        name: str,
        a: PointLike,
        b: PointLike,
        stiffness: ValueLike,
        length: ValueLike,
        damping: ValueLike = 0,
        *,
        look: str | None = None,
    ) -> Spring:
        """Straight spring and damper between two points, pulling when long. M.A.K.E.'s Spring.  F = k (L − L0) + c L̇   [T
        5.28]

        Parameters:
            name: what it is called; names are unique in a system.
            a: point a: (body, point in its frame), or a body for its origin [m].
            b: point b: (body, point in its frame), or a body for its origin [m].
            stiffness: tension per stretch [N/m].
            length: natural length [m].
            damping: tension per rate of the length [N s/m]; default 0.
            look: how it is drawn, where that is not as its kind: "spring", "rod", "rope" or "line".

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.spring("return", (s.ground, (1, 0, 0)), (arm, (0, 0, 0)), stiffness="4 kN/m", length="80 mm")
        """
        ...
    def stop(
        self,
        name: str,
        joint: JointLike,
        stiffness: ValueLike,
        lower: ValueLike | None = None,
        upper: ValueLike | None = None,
        damping: ValueLike = 0,
        width: ValueLike = 0.001,
        *,
        coordinate: str | None = None,
    ) -> Stop:
        """Elastic stops that keep a coordinate of a joint between `lower` and `upper`, or on one side of one of them.

        At a depth p behind a stop it pushes back with k p²/2w while p < w, and with k (p − w/2) from there on: force and
        stiffness begin at zero, and the full stiffness is reached at the depth `width` (1 mm or 1 mrad by default).
        Damping grows to its full value over the same depth; a stop never pulls, however fast the coordinate leaves it.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: joint it acts on, or its name.
            stiffness: reached at the depth `width` [N/m or N m/rad].
            lower: least value of the coordinate [m or rad].
            upper: largest value of the coordinate [m or rad].
            damping: reached at the depth `width` [N s/m or N m s/rad]; default 0.
            width: depth over which the stop comes on [m or rad]; default 0.001.
            coordinate: which of its coordinates, where several are possible.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.stop("bumper", "hinge", stiffness=2e3, upper="60 deg")
        """
        ...
    def torque(self, name: str, body: BodyLike, value: VectorValueLike, *, frame: str = "world") -> Torque:
        """Constant or varying torque on a body, in world or body components. Covers M.A.K.E.'s CLMoment and VLMoment
        (frame="body").

        Parameters:
            name: what it is called; names are unique in a system.
            body: body it acts on, or its name.
            value: three components [N m].
            frame: axes of the components, "world" or "body"; default 'world'.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.torque("twist", arm, value=(0, "2 N m", 0), frame="body")
        """
        ...
    def torsional_damper(
        self, name: str, joint: JointLike, damping: ValueLike, *, coordinate: str | None = None
    ) -> TorsionalDamper:
        """Damper on a turning coordinate of a joint.  M = −c θ̇

        Parameters:
            name: what it is called; names are unique in a system.
            joint: joint it acts on, or its name.
            damping: torque per angular speed [N m s/rad].
            coordinate: which of its coordinates, where several are possible.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.torsional_damper("friction", "hinge", damping=0.1)
        """
        ...
    def torsional_law(
        self,
        name: str,
        joint: JointLike,
        torque: ValueLike = 0,
        potential: ValueLike = 0,
        *,
        coordinate: str | None = None,
    ) -> TorsionalLaw:
        """Any law on a turning coordinate of a joint: a torque, a potential, or both.  M = torque(θ, θ̇) − dV/dθ

        In their expressions and tables q is the angle [rad] and u its rate [rad/s]; the torque is positive when it drives
        the angle up.

        Parameters:
            name: what it is called; names are unique in a system.
            joint: joint it acts on, or its name.
            torque: law of the angle q [rad] and its rate u [rad/s] [N m]; default 0.
            potential: stored energy, a law of the angle q [rad] [J]; default 0.
            coordinate: which of its coordinates, where several are possible.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.torsional_law("rubber", "hinge", torque="-0.1*u", potential="4*q**4")
        """
        ...
    def torsional_spring(
        self,
        name: str,
        joint: JointLike,
        stiffness: ValueLike,
        angle: ValueLike = 0,
        damping: ValueLike = 0,
        *,
        coordinate: str | None = None,
    ) -> TorsionalSpring:
        """Spring and damper on a turning coordinate of a joint, at rest at angle.  M = −k (θ − θ0) − c θ̇

        Parameters:
            name: what it is called; names are unique in a system.
            joint: joint it acts on, or its name.
            stiffness: torque per angle [N m/rad].
            angle: where it is at rest [rad]; default 0.
            damping: torque per angular speed [N m s/rad]; default 0.
            coordinate: which of its coordinates, where several are possible.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
            s.torsional_spring("coil", "hinge", stiffness=20, angle="30 deg")
        """
        ...
    def ball(
        self,
        name: str,
        a: BodyLike,
        b: BodyLike,
        *,
        at: VectorLike | None = None,
        on_a: VectorLike | None = None,
        on_b: VectorLike | None = None,
        frame_a: OrientationLike | None = None,
        frame_b: OrientationLike | None = None,
        rate: RateLike | None = None,
        active: bool = True,
    ) -> Ball:
        """Turning in every direction about a point fixed in both bodies.

        Parameters:
            name: what it is called; names are unique in a system.
            a: first body, or its name; s.ground is the world.
            b: second body, or its name; it moves relative to the first.
            at: where it is at the start, world coordinates [m].
            on_a: where it is on a, in the frame of a [m].
            on_b: where it is on b, in the frame of b [m].
            frame_a: all its axes on a, in the frame of a, as an orientation.
            frame_b: all its axes on b, in the frame of b, as an orientation.
            rate: none: a single number does not tell its motion [m/s or rad/s].
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.ball("shoulder", s.ground, arm, at=(0, 0, 0))
        """
        ...
    def free(
        self,
        name: str,
        a: BodyLike,
        b: BodyLike,
        *,
        on_a: VectorLike | None = None,
        on_b: VectorLike | None = None,
        frame_a: OrientationLike | None = None,
        frame_b: OrientationLike | None = None,
        rate: RateLike | None = None,
        active: bool = True,
    ) -> Free:
        """No constraint at all: b moves freely relative to a. Its coordinates are the pose of b in a's frame.

        Parameters:
            name: what it is called; names are unique in a system.
            a: first body, or its name; s.ground is the world.
            b: second body, or its name; it moves relative to the first.
            on_a: where it is on a, in the frame of a [m].
            on_b: where it is on b, in the frame of b [m].
            frame_a: all its axes on a, in the frame of a, as an orientation.
            frame_b: all its axes on b, in the frame of b, as an orientation.
            rate: initial rate of x, y, z [m/s or rad/s].
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.free("flight", s.ground, arm, rate={"x": "2 m/s"})
        """
        ...
    def pin(
        self,
        name: str,
        a: BodyLike,
        b: BodyLike,
        *,
        at: VectorLike | None = None,
        axis: AxisLike | None = None,
        on_a: VectorLike | None = None,
        on_b: VectorLike | None = None,
        axis_a: AxisLike | None = None,
        axis_b: AxisLike | None = None,
        frame_a: OrientationLike | None = None,
        frame_b: OrientationLike | None = None,
        rate: RateLike | None = None,
        active: bool = True,
    ) -> Pin:
        """Rotation about an axis fixed in both bodies.

        Parameters:
            name: what it is called; names are unique in a system.
            a: first body, or its name; s.ground is the world.
            b: second body, or its name; it moves relative to the first.
            at: where it is at the start, world coordinates [m].
            axis: its axis at the start, world axes: "x", "-z" or three numbers.
            on_a: where it is on a, in the frame of a [m].
            on_b: where it is on b, in the frame of b [m].
            axis_a: its axis, in the frame of a.
            axis_b: its axis, in the frame of b.
            frame_a: all its axes on a, in the frame of a, as an orientation.
            frame_b: all its axes on b, in the frame of b, as an orientation.
            rate: initial rate of angle [m/s or rad/s].
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin("shoulder", s.ground, arm, at=(0, 0, 0), axis="y", rate="30 rpm")
        """
        ...
    def pin_slider(
        self,
        name: str,
        a: BodyLike,
        b: BodyLike,
        *,
        at: VectorLike | None = None,
        axis: AxisLike | None = None,
        on_a: VectorLike | None = None,
        on_b: VectorLike | None = None,
        axis_a: AxisLike | None = None,
        axis_b: AxisLike | None = None,
        frame_a: OrientationLike | None = None,
        frame_b: OrientationLike | None = None,
        rate: RateLike | None = None,
        active: bool = True,
    ) -> PinSlider:
        """Sliding along and turning about one axis fixed in both bodies, independently (a cylindrical joint).

        Parameters:
            name: what it is called; names are unique in a system.
            a: first body, or its name; s.ground is the world.
            b: second body, or its name; it moves relative to the first.
            at: where it is at the start, world coordinates [m].
            axis: its axis at the start, world axes: "x", "-z" or three numbers.
            on_a: where it is on a, in the frame of a [m].
            on_b: where it is on b, in the frame of b [m].
            axis_a: its axis, in the frame of a.
            axis_b: its axis, in the frame of b.
            frame_a: all its axes on a, in the frame of a, as an orientation.
            frame_b: all its axes on b, in the frame of b, as an orientation.
            rate: initial rate of displacement, angle [m/s or rad/s].
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.pin_slider("shaft", s.ground, arm, at=(0, 0, 0), axis="z", rate={"angle": "2 rev/s"})
        """
        ...
    def planar(
        self,
        name: str,
        a: BodyLike,
        b: BodyLike,
        *,
        at: VectorLike | None = None,
        normal: AxisLike | None = None,
        on_a: VectorLike | None = None,
        on_b: VectorLike | None = None,
        normal_a: AxisLike | None = None,
        normal_b: AxisLike | None = None,
        frame_a: OrientationLike | None = None,
        frame_b: OrientationLike | None = None,
        rate: RateLike | None = None,
        active: bool = True,
    ) -> Planar:
        """Sliding in a plane across `normal`, fixed in a, and turning about the normal.

        Parameters:
            name: what it is called; names are unique in a system.
            a: first body, or its name; s.ground is the world.
            b: second body, or its name; it moves relative to the first.
            at: where it is at the start, world coordinates [m].
            normal: normal of its plane at the start, world axes.
            on_a: where it is on a, in the frame of a [m].
            on_b: where it is on b, in the frame of b [m].
            normal_a: normal of its plane, in the frame of a.
            normal_b: normal of its plane, in the frame of b.
            frame_a: all its axes on a, in the frame of a, as an orientation.
            frame_b: all its axes on b, in the frame of b, as an orientation.
            rate: initial rate of x, y, angle [m/s or rad/s].
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.planar("table", s.ground, arm, normal="z", rate=(0.1, 0, "30 deg/s"))
        """
        ...
    def screw(
        self,
        name: str,
        a: BodyLike,
        b: BodyLike,
        *,
        pitch: NumberLike,
        at: VectorLike | None = None,
        axis: AxisLike | None = None,
        on_a: VectorLike | None = None,
        on_b: VectorLike | None = None,
        axis_a: AxisLike | None = None,
        axis_b: AxisLike | None = None,
        frame_a: OrientationLike | None = None,
        frame_b: OrientationLike | None = None,
        rate: RateLike | None = None,
        active: bool = True,
    ) -> Screw:
        """Turning about an axis fixed in both bodies and sliding along it, `pitch` metres per revolution (positive:
        right-hand thread).

        Parameters:
            name: what it is called; names are unique in a system.
            a: first body, or its name; s.ground is the world.
            b: second body, or its name; it moves relative to the first.
            pitch: advance in one revolution; positive: right-hand thread [m/rev].
            at: where it is at the start, world coordinates [m].
            axis: its axis at the start, world axes: "x", "-z" or three numbers.
            on_a: where it is on a, in the frame of a [m].
            on_b: where it is on b, in the frame of b [m].
            axis_a: its axis, in the frame of a.
            axis_b: its axis, in the frame of b.
            frame_a: all its axes on a, in the frame of a, as an orientation.
            frame_b: all its axes on b, in the frame of b, as an orientation.
            rate: initial rate of angle [m/s or rad/s].
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.screw("spindle", s.ground, arm, pitch="5 mm", at=(0, 0, 0), axis="z")
        """
        ...
    def slider(
        self,
        name: str,
        a: BodyLike,
        b: BodyLike,
        *,
        at: VectorLike | None = None,
        axis: AxisLike | None = None,
        on_a: VectorLike | None = None,
        on_b: VectorLike | None = None,
        axis_a: AxisLike | None = None,
        axis_b: AxisLike | None = None,
        frame_a: OrientationLike | None = None,
        frame_b: OrientationLike | None = None,
        rate: RateLike | None = None,
        active: bool = True,
    ) -> Slider:
        """Straight sliding along an axis fixed in both bodies, without turning.

        Parameters:
            name: what it is called; names are unique in a system.
            a: first body, or its name; s.ground is the world.
            b: second body, or its name; it moves relative to the first.
            at: where it is at the start, world coordinates [m].
            axis: its axis at the start, world axes: "x", "-z" or three numbers.
            on_a: where it is on a, in the frame of a [m].
            on_b: where it is on b, in the frame of b [m].
            axis_a: its axis, in the frame of a.
            axis_b: its axis, in the frame of b.
            frame_a: all its axes on a, in the frame of a, as an orientation.
            frame_b: all its axes on b, in the frame of b, as an orientation.
            rate: initial rate of displacement [m/s or rad/s].
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            rod = s.body("rod", mass=0.5, inertia=(0.05, 0.05, 0.01), position=(1, 0, -0.5))
            s.slider("rail", s.ground, rod, axis="x", rate="0.2 m/s")
        """
        ...
    def universal(
        self,
        name: str,
        a: BodyLike,
        b: BodyLike,
        *,
        at: VectorLike | None = None,
        axis: AxisLike | None = None,
        axis2: AxisLike | None = None,
        on_a: VectorLike | None = None,
        on_b: VectorLike | None = None,
        axis_a: AxisLike | None = None,
        axis2_b: AxisLike | None = None,
        frame_a: OrientationLike | None = None,
        frame_b: OrientationLike | None = None,
        rate: RateLike | None = None,
        active: bool = True,
    ) -> Universal:
        """Turning about two perpendicular axes that meet in a point: `axis` is fixed in a, `axis2` in b (a Cardan
        joint).

        Parameters:
            name: what it is called; names are unique in a system.
            a: first body, or its name; s.ground is the world.
            b: second body, or its name; it moves relative to the first.
            at: where it is at the start, world coordinates [m].
            axis: its axis at the start, world axes: "x", "-z" or three numbers.
            axis2: its second axis at the start, world axes, perpendicular to the first.
            on_a: where it is on a, in the frame of a [m].
            on_b: where it is on b, in the frame of b [m].
            axis_a: its axis, in the frame of a.
            axis2_b: its second axis, in the frame of b.
            frame_a: all its axes on a, in the frame of a, as an orientation.
            frame_b: all its axes on b, in the frame of b, as an orientation.
            rate: initial rate of angle, angle2 [m/s or rad/s].
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            s.universal("cross", s.ground, arm, at=(0, 0, 0), axis="x", axis2="y")
        """
        ...
    def weld(
        self,
        name: str,
        a: BodyLike,
        b: BodyLike,
        *,
        at: VectorLike | None = None,
        on_a: VectorLike | None = None,
        on_b: VectorLike | None = None,
        frame_a: OrientationLike | None = None,
        frame_b: OrientationLike | None = None,
        rate: RateLike | None = None,
        active: bool = True,
    ) -> Weld:
        """No relative motion: b stays to a as it is at the start.

        Parameters:
            name: what it is called; names are unique in a system.
            a: first body, or its name; s.ground is the world.
            b: second body, or its name; it moves relative to the first.
            at: where it is at the start, world coordinates [m].
            on_a: where it is on a, in the frame of a [m].
            on_b: where it is on b, in the frame of b [m].
            frame_a: all its axes on a, in the frame of a, as an orientation.
            frame_b: all its axes on b, in the frame of b, as an orientation.
            rate: none: a single number does not tell its motion [m/s or rad/s].
            active: False: it does not hold at the start, an event may lock it; default True.

        Example:
            s = mk.System()
            arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
            rod = s.body("rod", mass=0.5, inertia=(0.05, 0.05, 0.01), position=(1, 0, -0.5))
            s.weld("mount", arm, rod)
        """
        ...
    def initial_state(self, formulation: str = "joint") -> tuple[ndarray, ndarray]:
        """(q, u) at the start, after assembly.

        Parameters:
            formulation: whose q and u are wanted; "joint" by default.

        Example:
            from mekane import gallery
            s = gallery.find("double_pendulum").system()
            q, u = s.initial_state()
        """
        ...
    def forward_dynamics(self, q: ArrayLike, u: ArrayLike, t: float = 0, formulation: str = "joint") -> ndarray:
        """ud: how the speeds change in this state under the laws of the model; joints that close loops are constraints.

        Parameters:
            q: in the order of s.coordinates [rad, m].
            u: in the order of s.speeds [rad/s, m/s].
            t: time [s]; default 0.
            formulation: whose q and u these are; "joint" by default.

        Example:
            from mekane import gallery
            s = gallery.find("double_pendulum").system()
            q, u = s.initial_state()
            ud = s.forward_dynamics(q, u)
        """
        ...
    def forward_dynamics_derivatives(
        self, q: ArrayLike, u: ArrayLike, t: float = 0, formulation: str = "joint", forces: bool = True
    ) -> Derivatives:
        """ud of this state with its exact derivatives; joints that close loops and constraints are satisfied.

        Parameters:
            q: in the order of s.coordinates [rad, m].
            u: in the order of s.speeds [rad/s, m/s].
            t: time [s]; default 0.
            formulation: whose q and u these are; "joint" by default.
            forces: also by generalized forces; default True.

        Example:
            from mekane import gallery
            s = gallery.find("double_pendulum").system()
            q, u = s.initial_state()
            derivatives = s.forward_dynamics_derivatives(q, u)
        """
        ...
    def required_forces(
        self, q: ArrayLike, u: ArrayLike, ud: ArrayLike, t: float = 0, formulation: str = "joint"
    ) -> ndarray:
        """tau [N m, N]: the forces on the speeds that a motion with these ud needs besides the laws of the model.

        Joints that close loops are not considered: there tau holds what they and any drives have to give together. Along a
        whole motion, and with loops, mk.inverse_dynamics answers.

        Parameters:
            q: in the order of s.coordinates [rad, m].
            u: in the order of s.speeds [rad/s, m/s].
            ud: accelerations, in the same order [rad/s^2, m/s^2].
            t: time [s]; default 0.
            formulation: whose q and u these are; "joint" by default.

        Example:
            from mekane import gallery
            s = gallery.find("double_pendulum").system()
            q, u = s.initial_state()
            tau = s.required_forces(q, u, 0 * u)
        """
        ...
    def mass_matrix(self, q: ArrayLike, formulation: str = "joint") -> ndarray:
        """M(q), symmetric; of the tree: joints that close loops are not considered.

        Parameters:
            q: in the order of s.coordinates [rad, m].
            formulation: whose q these are; "joint" by default.

        Example:
            from mekane import gallery
            s = gallery.find("double_pendulum").system()
            q, u = s.initial_state()
            M = s.mass_matrix(q)
        """
        ...
    def bias_forces(self, q: ArrayLike, u: ArrayLike, t: float = 0, formulation: str = "joint") -> ndarray:
        """tau [N m, N] for ud = 0: gravity and velocity terms, less what the laws of the model supply.

        Parameters:
            q: in the order of s.coordinates [rad, m].
            u: in the order of s.speeds [rad/s, m/s].
            t: time [s]; default 0.
            formulation: whose q and u these are; "joint" by default.

        Example:
            from mekane import gallery
            s = gallery.find("double_pendulum").system()
            q, u = s.initial_state()
            bias = s.bias_forces(q, u)
        """
        ...
    def partial_velocities(
        self,
        q: ArrayLike | None = None,
        u: ArrayLike | None = None,
        t: float = 0,
        at: str = "centre",
        axes: str = "world",
        formulation: str = "joint",
        own_speeds: bool = True,
    ) -> PartialVelocities:
        """Partial velocities and partial angular velocities of every body, and their time derivatives.

        Parameters:
            q: in the order of s.coordinates [rad, m]; the initial ones by default.
            u: in the order of s.speeds [rad/s, m/s]; the initial ones by default.
            t: time [s]; default 0.
            at: "centre" (mass centres) or "origin" (the bodies' own).
            axes: of the components, "world", "body" (as in [R]) or "parent" (those of its parent body); the time
                derivatives are those of the components.
            formulation: whose q and u these are; "joint" by default.
            own_speeds: in the speeds of s.generalized_speeds, where there are any; default True.

        Example:
            from mekane import gallery
            s = gallery.find("double_pendulum").system()
            q, u = s.initial_state()
            print(s.partial_velocities(q, u))
        """
        ...
    def kane_equations(
        self,
        q: ArrayLike | None = None,
        u: ArrayLike | None = None,
        t: float = 0,
        formulation: str = "joint",
        own_speeds: bool = True,
    ) -> KaneEquations:
        """Kane's equations at a state, with the ud that follows.

        Parameters:
            q: in the order of s.coordinates [rad, m]; the initial ones by default.
            u: in the order of s.speeds [rad/s, m/s]; the initial ones by default.
            t: time [s]; default 0.
            formulation: whose q and u these are; "joint" by default.
            own_speeds: in the speeds of s.generalized_speeds, where there are any; default True.

        Example:
            from mekane import gallery
            s = gallery.find("double_pendulum").system()
            q, u = s.initial_state()
            print(s.kane_equations(q, u))
        """
        ...
    def count_equations(self) -> EquationCount:
        """Equations of motion and of constraint that Newton's, Lagrange's and Kane's methods lead to."""
        ...
    @property
    def coordinates(self) -> list[str]:
        """Names of all q, in order."""
        ...
    @property
    def speeds(self) -> list[str]:
        """Names of all u, in order."""
        ...
    @property
    def topology(self) -> Topology:
        """The tree of the `joint` formulation; s.topology("relative") is that of another."""
        ...
    def _repr_html_(self):
        """The tree as a drawing and the degrees of freedom; of a large system its summary alone."""
        ...

COLLECTIONS: dict[str, str]

def add_kind(kind: str, record_class: type, collection: str, call: Any = None) -> None: ...
