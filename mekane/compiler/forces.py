"""Forces as tables: what their laws read (inputs), all laws as one tape, and where the values act (actions)."""

from typing import NamedTuple

import numpy as np

from mekane.compiler.discrete_state import initial_discrete_state, is_place
from mekane.compiler.named_frames import frame_of, is_component
from mekane.compiler.relative_pose import MovingFrame, RelativePose
from mekane.compiler.rotation_vector import rotation_vector
from mekane.errors import ExpressionError, did_you_mean
from mekane.expressions.graph import callback, differentiate, inputs, substitute, symbol
from mekane.expressions.tape import tape
from mekane.model.force import (
    AtPoint,
    Axial,
    BetweenCoordinates,
    BetweenFrames,
    Couple,
    JointCoordinate,
    MovingPoint,
    RotatingBody,
)
from mekane.model.record import plain_numbers
from mekane.tables import columns as at

AXES = {"x": 0, "y": 1, "z": 2}
IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
POINT_QUANTITIES = {"position": at.INPUT_POSITION, "velocity": at.INPUT_VELOCITY}
BODY_QUANTITIES = (*POINT_QUANTITIES, "angular_velocity", "orientation")


class LawTape(NamedTuple):
    """The tape of a system, and the registers where its results stand."""

    program: object
    constraints: list  # of the expressions of constraint rows
    actions: list  # of the values and losses of all actions
    energies: dict  # force name → register of its potential energy
    outputs: list  # of the Values requested besides
    hybrid: list  # of the expressions of events and controllers

    @property
    def n_constraint_code(self):
        """How many instructions, from the first on, the constraint rows need."""
        first_result = len(self.program.registers()) - len(self.program.code)
        return max([0, *(register - first_result + 1 for register in self.constraints)])

    def tables(self):
        return dict(code=self.program.code, table_i=self.program.table_i, table_f=self.program.table_f)


class Laws:
    """Collects points, lines, inputs and actions while going through the forces of a system."""

    def __init__(self, system, frames, pairs, tree_coordinate):
        self.system, self.frames, self.pairs = system, frames, pairs
        self.constants = system.constants | initial_discrete_state(system)  # constant in a smooth phase
        self.tree_coordinate = tree_coordinate  # (joint, coordinate) → (index in q, index in u)
        self.point_i, self.point_f, self.line_i = [], [], []
        self.lines, self.points = {}, {}  # force name → line, point; (body, place) → point
        # input name → (kind, index, component); the index of a measurement is (joint, coordinate) until tables are made
        self.inputs = {}
        # (kind, on, values, element, losses), on likewise; force name → its first action
        self.actions, self.first_action = [], {}
        self.elements, self.energies = [], {}
        self.integrals = {}  # force name → rate of its integral
        self.formulas = {}  # name in expressions → expression of inputs that it stands for
        self.part, self.local = f"system {system.name!r}", ()

    def add_forces(self):
        for force in self.system.forces.values():
            self.part, self.local = f"force {force.name!r}", force.local
            self.add(force)

    # ---------------------------------------------------------------- where laws look and push

    def point(self, body, p_U):
        self.point_i.append(self.frames.row[body])
        self.point_f.append(self.frames.point(body, p_U))
        return len(self.point_i) - 1

    def line_of(self, force):
        """The line a force acts along, made when first requested."""
        if force.name not in self.lines:
            place = force.acts
            self.lines[force.name] = len(self.line_i)
            self.line_i.append((self.point(place.a, place.point_a), self.point(place.b, place.point_b)))
        return self.lines[force.name]

    def point_of(self, force):
        """The point a force acts at, made when first requested."""
        if force.name not in self.points:
            self.points[force.name] = self.point(force.acts.body, force.acts.point)
        return self.points[force.name]

    def input_row(self, name, kind, index, component=0):
        self.inputs[name] = (kind, index, component)
        return symbol(name)

    # ---------------------------------------------------------------- one force after the other

    def add(self, force):
        if force.adds_inertia:  # see rotors
            return
        law = force.resolve(self.expression)
        if isinstance(force.acts, Axial):
            self.add_axial(force, law)
        elif isinstance(force.acts, JointCoordinate):
            self.add_on_joint(force, law)
        elif isinstance(force.acts, BetweenCoordinates):
            self.add_between_coordinates(force, law)
        elif isinstance(force.acts, BetweenFrames):
            self.add_between_frames(force, law)
        else:
            self.add_vector(force, law)

    def add_axial(self, force, law):
        line = self.line_of(force)
        L, Ld = self.symbol_of(f"{force.name}.length"), self.symbol_of(f"{force.name}.length.rate")
        tension, energy = law.law(*self.given(force, law, L, Ld)), law.energy(L) if force.stores_energy else None
        loss = tension if energy is None else tension - differentiate(energy, L)
        self.act(force, [(at.ACT_LINE, line, [tension], [loss])], energy)

    def add_on_joint(self, force, law):
        q, u = self.coordinate_symbols(force.acts)
        value, energy = law.law(*self.given(force, law, q, u)), law.energy(q) if force.stores_energy else None
        loss = value if energy is None else value + differentiate(energy, q)
        self.act(force, [self.on_coordinate(force.acts, value, loss)], energy)

    def add_between_coordinates(self, force, law):
        (q_a, u_a), (q_b, u_b) = self.coordinate_symbols(force.acts.a), self.coordinate_symbols(force.acts.b)
        w, wd = q_a - law.ratio * q_b, u_a - law.ratio * u_b
        value, energy = law.law(w, wd), law.energy(w) if force.stores_energy else None
        loss = value if energy is None else value + differentiate(energy, q_a)
        on_a = self.on_coordinate(force.acts.a, value, loss)
        on_b = self.on_coordinate(force.acts.b, -law.ratio * value, -law.ratio * loss)
        self.act(force, [on_a, on_b], energy)

    def coordinate_symbols(self, place):
        """A joint coordinate and its rate."""
        name = f"{place.joint}.{place.coordinate}"
        return self.symbol_of(name), self.symbol_of(f"{name}.rate")

    def on_coordinate(self, place, value, loss):
        """The action of a force on a joint coordinate, of the tree or measured."""
        where = place.joint, place.coordinate
        if where in self.tree_coordinate:
            return at.ACT_SPEED, self.tree_coordinate[where][1], [value], [loss]
        return at.ACT_MEASUREMENT, where, [value], [loss]

    def given(self, force, law, *measured):
        """What the law is given: what is measured and, if it has a controller state, that."""
        if not force.has_controller_state:
            return measured
        measured = *measured, self.symbol_of(f"{force.name}.integral")
        self.integrals[force.name] = law.integrand(*measured)
        return measured

    def add_vector(self, force, law):
        place = force.acts
        world = place.frame == "world"
        if isinstance(place, AtPoint):
            kind, on = at.ACT_FORCE_WORLD if world else at.ACT_FORCE_BODY, self.point_of(force)
        else:
            assert isinstance(place, Couple)
            kind, on = at.ACT_TORQUE_WORLD if world else at.ACT_TORQUE_BODY, self.point(place.body, (0.0, 0.0, 0.0))
        motion = self.motion(force)
        values, energy = list(law.law(*motion)), law.energy(motion[0]) if force.stores_energy else None
        if not world:  # components along the user's axes, wanted along B's
            R = self.frames.R_BU[self.frames.row[place.body]]
            values = [sum(R[i, j] * values[j] for j in range(3)) for i in range(3)]
        losses = (
            values if energy is None else [x + differentiate(energy, p) for x, p in zip(values, motion[0], strict=True)]
        )
        self.act(force, [(kind, on, values, losses)], energy)

    def motion(self, force):
        """What a law at a point or on a body is given: position and velocity, angular velocity, or nothing."""
        if isinstance(force.acts, MovingPoint):
            return [
                [self.symbol_of(f"{force.name}.{quantity}.{axis}") for axis in AXES] for quantity in POINT_QUANTITIES
            ]
        if isinstance(force.acts, RotatingBody):
            return [[self.symbol_of(f"{force.acts.body}.angular_velocity.{axis}") for axis in AXES]]
        return []

    def add_between_frames(self, force, law):
        place = force.acts
        points = self.point(place.a, place.point_a), self.point(place.b, place.point_b)
        F, M = self.frame(place.a, points[0], place.frame_a), self.frame(place.b, points[1], place.frame_b)
        pose = RelativePose(F, M)
        values, energy = law.law(pose.z, pose.zd), law.energy(pose.z) if force.stores_energy else None
        losses = (
            values if energy is None else [f + differentiate(energy, z) for f, z in zip(values, pose.z, strict=True)]
        )
        on_b = [pose.wrench(six) for six in (values, losses)]
        # force and torque on b, force and torque on a
        four = zip(*([*wrench, *pose.reaction(*wrench)] for wrench in on_b), strict=True)
        kinds, on = (at.ACT_FORCE_WORLD, at.ACT_TORQUE_WORLD) * 2, (points[1], points[1], points[0], points[0])
        self.act(
            force,
            [(kind, k, list(value), list(loss)) for kind, k, (value, loss) in zip(kinds, on, four, strict=True)],
            energy,
        )

    def frame(self, body, point, R_U):
        """A frame fixed in a body at a point, and how it moves."""
        vector = lambda symbols: np.array(list(symbols), dtype=object)
        p, v = (
            vector(self.input_row(f'"point {point}" {kind}{c}', kind, point, c) for c in range(3))
            for kind in POINT_QUANTITIES.values()
        )
        w = vector(self.body_column(body, at.B_W + k) for k in range(3))
        return MovingFrame(p, self.axes(body, R_U), v, w)

    def axes(self, body, R_U=IDENTITY):
        """Axes given in the user's frame of a body, in world axes: a matrix of expressions."""
        R_NB = [self.body_column(body, at.B_R + k) for k in range(9)] if body != "ground" else list(np.eye(3).ravel())
        R_BU = plain_numbers(self.frames.axes(body, np.array(R_U)).ravel())
        return np.array(R_NB, dtype=object).reshape(3, 3) @ np.array(R_BU, dtype=object).reshape(3, 3)

    def body_column(self, body, k):
        """A column of the workspace array `body`, as an input. No user's name has quotes."""
        return self.input_row(f'"{body}" {k}', at.INPUT_BODY, self.frames.row[body], k)

    def act(self, force, actions, energy):
        """Its actions (kind, on, values, losses), its place among the non-conservative elements, its energy."""
        element = -1
        if not force.conservative:
            element = len(self.elements)
            self.elements.append(force.name)
        if energy is not None:
            self.energies[force.name] = energy
        self.first_action[force.name] = len(self.actions)
        self.actions += [(kind, on, values, element, losses) for kind, on, values, losses in actions]

    # ---------------------------------------------------------------- names in expressions

    def expression(self, value):
        """The expression of a user's value, with every name in it as an input."""
        if value.callback is not None:
            for name in self.known_names():  # it may read anything
                self.symbol_of(name)
            return callback(value.callback)
        expr, formulas = value.expr(), {}
        for name in inputs([expr]):
            if name not in self.local:
                formulas[name] = self.symbol_of(name)
            elif name in self.constants:
                problem, expected = f"{name!r} is a parameter of the model", "in this law it means an input of the law"
                raise ExpressionError(self.part, problem, expected, "Give the parameter another name.")
        return substitute(expr, formulas) if self.formulas else expr

    def symbol_of(self, name):
        """The symbol of an input of that name, or the expression of other inputs that it stands for."""
        if name in self.formulas:
            return self.formulas[name]
        if name == "t" or name in self.constants or name in self.inputs:
            return symbol(name)
        owner, _, quantity = name.partition(".")
        quantity, _, last = quantity.partition(".")
        if owner in self.system.joints and last in ("", "rate"):
            return self.joint_symbol(name, owner, quantity, last == "rate")
        if (
            owner in self.system.forces
            and quantity == "length"
            and last in ("", "rate")
            and isinstance(self.system.forces[owner].acts, Axial)
        ):
            return self.input_row(
                name, at.INPUT_LENGTH_RATE if last else at.INPUT_LENGTH, self.line_of(self.system.forces[owner])
            )
        if (
            owner in self.system.forces
            and quantity in POINT_QUANTITIES
            and last in AXES
            and isinstance(self.system.forces[owner].acts, MovingPoint)
        ):
            return self.input_row(
                name, POINT_QUANTITIES[quantity], self.point_of(self.system.forces[owner]), AXES[last]
            )
        if (
            owner in self.system.forces
            and quantity == "integral"
            and not last
            and self.system.forces[owner].has_controller_state
        ):
            return self.input_row(name, at.INPUT_CONTROLLER, self.remembering().index(owner))
        if owner != "ground" and (frame := frame_of(self.system, owner)):
            if quantity in POINT_QUANTITIES and last in AXES:
                return self.input_row(name, POINT_QUANTITIES[quantity], self.point_in(frame), AXES[last])
            if quantity == "angular_velocity" and last in AXES:
                return self.input_row(name, at.INPUT_BODY, self.frames.row[frame.body], at.B_W + AXES[last])
            if quantity == "orientation" and is_component(self.system, owner, last):
                return self.orientation(name, frame, frame_of(self.system, last.rpartition(".")[0] or "ground"))
        raise self.unknown(name)

    def point_in(self, frame):
        """The origin of a frame as a point, made when first requested."""
        key = frame.body, *frame.at
        if key not in self.points:
            self.points[key] = self.point(frame.body, frame.at)
        return self.points[key]

    def orientation(self, name, frame, base):
        """A component of the rotation vector from the frame `base` to another."""
        R = self.axes(base.body, base.axes).T @ self.axes(frame.body, frame.axes)
        owner = name.rpartition(".")[0]
        for axis, value in zip(AXES, rotation_vector(R), strict=True):
            self.formulas[f"{owner}.{axis}"] = value
        return self.formulas[name]

    def joint_symbol(self, name, joint, coordinate, rate):
        if (joint, coordinate) in self.tree_coordinate:
            index = self.tree_coordinate[joint, coordinate][rate]
            return self.input_row(name, at.INPUT_SPEED if rate else at.INPUT_COORDINATE, index)
        measure = next((m for m in self.system.joints[joint].measures() if m.name == coordinate), None)
        if measure is None:
            raise self.unknown(name)
        return self.input_row(
            name,
            at.INPUT_MEASUREMENT_RATE if rate else at.INPUT_MEASUREMENT,
            (joint, coordinate),
            int(measure.kind == "rotated"),
        )

    def remembering(self):
        """Names of the forces that have an integral, in the order of the state."""
        return [force.name for force in self.system.forces.values() if force.has_controller_state]

    def known_names(self):
        joints = [
            f"{j.name}.{m.name}{end}"
            for j in self.system.joints.values()
            for m in j.measures()
            for end in ("", ".rate")
        ]
        bodies = [
            f"{frame}.{quantity}.{axis}"
            for frame in (*self.system.bodies, *self.system.markers)
            for quantity in BODY_QUANTITIES
            for axis in AXES
        ]
        axial = [force.name for force in self.system.forces.values() if isinstance(force.acts, Axial)]
        lengths = [f"{name}.length{end}" for name in axial for end in ("", ".rate")]
        moving = [force.name for force in self.system.forces.values() if isinstance(force.acts, MovingPoint)]
        points = [f"{name}.{quantity}.{axis}" for name in moving for quantity in POINT_QUANTITIES for axis in AXES]
        integrals = [f"{name}.integral" for name in self.remembering()]
        constants = [name for name in self.constants if not is_place(name)]
        return ["t", *constants, *joints, *bodies, *lengths, *points, *integrals]

    def unknown(self, name, local=(), more=()):
        """`local`, `more`: names that are known besides where this one stands, to be shown first and last."""
        known = [*self.local, *local, *self.known_names(), *more]
        shown = ", ".join(known[:12]) + (" …" if len(known) > 12 else "")
        return ExpressionError(
            self.part, f"unknown name {name!r}", f"this model knows {shown}", did_you_mean(name, known).strip()
        )

    # ---------------------------------------------------------------- tables

    def build(self, constraint_equations=(), outputs=(), hybrid=()):
        """The tape: first what constraint rows need (`constraint_equations`, expressions), then all laws and energies.

        outputs: Values that are computed beside the laws; hybrid: expressions of events and controllers, last."""
        laws = [x for _, _, values, _, losses in self.all_actions() for x in (*values, *losses)]
        parts = [constraint_equations, laws, self.energies.values(), list(map(self.expression, outputs)), hybrid]
        program = tape(
            [x for part in parts for x in part],
            ["t", *self.constants, *self.inputs],
            self.formulas,
            len(self.constants),
        )
        registers = iter(program.outputs.tolist())
        of_constraints, of_laws, of_energies, of_outputs, of_hybrid = (
            [next(registers) for _ in part] for part in parts
        )
        energies = dict(zip(self.energies, of_energies, strict=True))
        return LawTape(program, of_constraints, of_laws, energies, of_outputs, of_hybrid)

    def place_tables(self):
        """point_i, point_f, line_i"""
        return dict(
            point_i=np.array(self.point_i, np.int64),
            point_f=np.array(self.point_f, self.frames.dtype).reshape(-1, 3),
            line_i=np.array(self.line_i, np.int64).reshape(-1, 2),
        )

    def all_actions(self):
        """Those of forces, then the rates of integrals; in the state work comes after the integrals."""
        n = len(self.integrals)
        actions = [
            (kind, on, values, element + n if element >= 0 else -1, losses)
            for kind, on, values, element, losses in self.actions
        ]
        return actions + [(at.ACT_CONTROLLER, k, [rate], k, [rate]) for k, rate in enumerate(self.integrals.values())]

    def action_table(self, registers):
        """action_i, with the registers of the laws' values."""
        registers, actions = iter(registers), self.all_actions()
        action_i = np.zeros((len(actions), 9), np.int64)
        for line, (kind, on, values, element, losses) in zip(action_i, actions, strict=True):
            line[[at.ACTION_KIND, at.ACTION_ON, at.ACTION_ELEMENT]] = kind, self.row_of(on), element
            for c in range(len(values)):
                line[at.ACTION_R + c] = next(registers)
            for c in range(len(losses)):
                line[at.ACTION_NONCONSERVATIVE + c] = next(registers)
        return action_i

    def input_table(self):
        """input_i"""
        lines = [(kind, self.row_of(index), component) for kind, index, component in self.inputs.values()]
        return np.array(lines, np.int64).reshape(-1, 3)

    def row_of(self, index):
        """The row of a measurement, made now that all constraint rows are there; any other index as it is."""
        return self.pairs.measure(*index) if isinstance(index, tuple) else index
