"""Forces as tables: what their laws read (channels), all laws as one tape, and where the values act (actions)."""

import numpy as np

from mekane.compile import layout as at
from mekane.errors import ExpressionError, did_you_mean
from mekane.expressions.graph import callback, differentiate, inputs, symbol
from mekane.expressions.tape import tape
from mekane.model.force import AtPoint, Axial, Couple, OnJoint

AXES = {"x": 0, "y": 1, "z": 2}
BODY_WORDS = {"position": at.CH_POSITION, "velocity": at.CH_VELOCITY, "angular_velocity": at.CH_BODY}


class Laws:
    """Collects points, lines, channels and actions while going through the forces of a system."""

    def __init__(self, system, frames, pairs, tree_coordinate):
        self.system, self.frames, self.pairs = system, frames, pairs
        self.tree_coordinate = tree_coordinate  # (joint, coordinate) → (index in q, index in u)
        self.point_i, self.point_f, self.line_i = [], [], []
        self.lines = {}  # force name → line
        self.channels = {}  # input name → (kind, index, component); the index of a gauge is (joint, coordinate) until tables are made
        self.actions = []  # (kind, on, values, element, losses); on: for a gauge likewise
        self.elements, self.energies = [], {}
        self.part = f"system {system.name!r}"

    def add_forces(self):
        for force in self.system.forces.values():
            self.part = f"force {force.name!r}"
            self.add(force)

    # ---------------------------------------------------------------- where laws look and push

    def point(self, body, p_U):
        self.point_i.append(self.frames.row[body])
        self.point_f.append(self.frames.point(body, p_U))
        return len(self.point_i) - 1

    def line_of(self, force):
        """The line a force acts along, made when first asked for."""
        if force.name not in self.lines:
            place = force.acts
            self.lines[force.name] = len(self.line_i)
            self.line_i.append((self.point(place.a, place.point_a), self.point(place.b, place.point_b)))
        return self.lines[force.name]

    def channel(self, name, kind, index, component=0):
        self.channels[name] = (kind, index, component)
        return symbol(name)

    # ---------------------------------------------------------------- one force after the other

    def add(self, force):
        law = force.resolve(self.expression)
        if isinstance(force.acts, Axial):
            self.add_axial(force, law)
        elif isinstance(force.acts, OnJoint):
            self.add_on_joint(force, law)
        else:
            self.add_vector(force, law)

    def add_axial(self, force, law):
        line = self.line_of(force)
        L, Ld = self.symbol_of(f"{force.name}.length"), self.symbol_of(f"{force.name}.length.rate")
        tension, energy = law.law(L, Ld), law.energy(L) if force.stores_energy else None
        loss = tension if energy is None else tension - differentiate(energy, L)
        self.action(force, at.ACT_LINE, line, [tension], [loss], energy)

    def add_on_joint(self, force, law):
        joint, coordinate = force.acts.joint, force.acts.coordinate
        q, u = self.symbol_of(f"{joint}.{coordinate}"), self.symbol_of(f"{joint}.{coordinate}.rate")
        value, energy = law.law(q, u), law.energy(q) if force.stores_energy else None
        loss = value if energy is None else value + differentiate(energy, q)
        if (joint, coordinate) in self.tree_coordinate:
            self.action(force, at.ACT_SPEED, self.tree_coordinate[joint, coordinate][1], [value], [loss], energy)
        else:
            self.action(force, at.ACT_GAUGE, (joint, coordinate), [value], [loss], energy)

    def add_vector(self, force, law):
        place = force.acts
        world = place.frame == "world"
        if isinstance(place, AtPoint):
            kind, on = at.ACT_FORCE_WORLD if world else at.ACT_FORCE_BODY, self.point(place.body, place.point)
        else:
            assert isinstance(place, Couple)
            kind, on = at.ACT_TORQUE_WORLD if world else at.ACT_TORQUE_BODY, self.point(place.body, (0.0, 0.0, 0.0))
        values = list(law.law())
        if not world:  # components along the user's axes, wanted along B's
            R = self.frames.R_BU[self.frames.row[place.body]]
            values = [sum(R[i, j] * values[j] for j in range(3)) for i in range(3)]
        self.action(force, kind, on, values, values, None)

    def action(self, force, kind, on, values, losses, energy):
        element = -1
        if not force.conservative:
            element = len(self.elements)
            self.elements.append(force.name)
        if energy is not None:
            self.energies[force.name] = energy
        self.actions.append((kind, on, values, element, losses))

    # ---------------------------------------------------------------- names in expressions

    def expression(self, value):
        """The expression of a user's value, with every name in it turned into a channel."""
        if value.callback is not None:
            for name in self.known_names():  # it may read anything
                self.symbol_of(name)
            return callback(value.callback)
        expr = value.expr()
        for name in inputs([expr]):
            self.symbol_of(name)
        return expr

    def symbol_of(self, name):
        if name == "t" or name in self.system.parameters or name in self.channels:
            return symbol(name)
        owner, _, word = name.partition(".")
        word, _, last = word.partition(".")
        if owner in self.system.joints and last in ("", "rate"):
            return self.joint_symbol(name, owner, word, last == "rate")
        if owner in self.system.forces and word == "length" and last in ("", "rate") and isinstance(self.system.forces[owner].acts, Axial):
            return self.channel(name, at.CH_LENGTH_RATE if last else at.CH_LENGTH, self.line_of(self.system.forces[owner]))
        if owner in self.system.bodies and word in BODY_WORDS and last in AXES:
            on = self.frames.row[owner] if word == "angular_velocity" else self.point(owner, (0.0, 0.0, 0.0))
            return self.channel(name, BODY_WORDS[word], on, AXES[last] + at.B_W * (word == "angular_velocity"))
        raise self.unknown(name)

    def joint_symbol(self, name, joint, coordinate, rate):
        if (joint, coordinate) in self.tree_coordinate:
            index = self.tree_coordinate[joint, coordinate][rate]
            return self.channel(name, at.CH_SPEED if rate else at.CH_COORDINATE, index)
        measure = next((m for m in self.system.joints[joint].measures() if m.name == coordinate), None)
        if measure is None:
            raise self.unknown(name)
        return self.channel(name, at.CH_GAUGE_RATE if rate else at.CH_GAUGE, (joint, coordinate), int(measure.kind == "turned"))

    def known_names(self):
        joints = [f"{j.name}.{m.name}{end}" for j in self.system.joints.values() for m in j.measures() for end in ("", ".rate")]
        bodies = [f"{body}.{word}.{axis}" for body in self.system.bodies for word in BODY_WORDS for axis in AXES]
        axial = [force.name for force in self.system.forces.values() if isinstance(force.acts, Axial)]
        lengths = [f"{name}.length{end}" for name in axial for end in ("", ".rate")]
        return ["t", *self.system.parameters, *joints, *bodies, *lengths]

    def unknown(self, name, known=None):
        known = known or self.known_names()
        shown = ", ".join(known[:12]) + (" …" if len(known) > 12 else "")
        return ExpressionError(self.part, f"unknown name {name!r}", f"this model knows {shown}", did_you_mean(name, known).strip())

    # ---------------------------------------------------------------- tables

    def build(self, rules=()):
        """The tape: first what constraint rows need (`rules`, expressions), then all laws; and the registers of each."""
        laws = [x for _, _, values, _, losses in self.actions for x in (*values, *losses)]
        program = tape([*rules, *laws, *self.energies.values()], ["t", *self.system.parameters, *self.channels])
        registers = program.outputs.tolist()
        n, m = len(rules), len(rules) + len(laws)
        return program, registers[:n], registers[n:m], dict(zip(self.energies, registers[m:], strict=True))

    def action_table(self, registers):
        """action_i, with the registers of the laws' values."""
        registers = iter(registers)
        action_i = np.zeros((len(self.actions), 9), np.int64)
        for line, (kind, on, values, element, losses) in zip(action_i, self.actions, strict=True):
            line[[at.ACTION_KIND, at.ACTION_ON, at.ACTION_ELEMENT]] = kind, self.row_of(on), element
            for c in range(len(values)):
                line[at.ACTION_R + c] = next(registers)
            for c in range(len(losses)):
                line[at.ACTION_LOSS + c] = next(registers)
        return action_i

    def channel_table(self):
        lines = [(kind, self.row_of(index), component) for kind, index, component in self.channels.values()]
        return np.array(lines, np.int64).reshape(-1, 3)

    def row_of(self, index):
        """The row of a gauge, made now that all constraint rows are there; any other index as it is."""
        return self.pairs.measure(*index) if isinstance(index, tuple) else index
