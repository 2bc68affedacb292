"""compile: System + formulation → Compiled, the flat tables and the names that belong to their rows."""

from dataclasses import dataclass, field

import numpy as np

from mekane import formulations
from mekane.compiler.constraint_rows import Pairs
from mekane.compiler.constraints import make_constraint_equations, outputs_of
from mekane.compiler.forces import Laws
from mekane.compiler.frames import Frames
from mekane.compiler.planar import check_planar
from mekane.compiler.sparsity import elimination_order, patterns
from mekane.compiler.tree import speeds_on_path, tree_tables
from mekane.errors import ModelError
from mekane.expressions.traced_number import kind_of_numbers
from mekane.tables.columns import ROW_TERM, ROW_TERM_END, TERM_BODY
from mekane.tables.tables import Tables, Workspace, workspace


@dataclass
class Compiled:
    """Everything numbers are computed from. Names end here; kernels see only `tables` and a workspace."""

    system: object
    formulation: str
    links: list
    cut: list  # names of joints constrained by rows
    frames: Frames
    pairs: Pairs
    tables: Tables
    program: object  # the tape of all laws
    elements: list  # names of the non-conservative elements, in the order of the work integrals
    energy_registers: dict  # force name → register of its potential energy
    tree_coordinate: dict  # (joint, coordinate) → (index in q, index in u)
    coordinates: list = field(default_factory=list)  # name of every q
    speeds: list = field(default_factory=list)  # name of every u
    link_of: dict = field(default_factory=dict)  # joint name → its link in the tree
    places: dict = field(default_factory=dict)  # constraint name → registers of the point its force is reported at
    # names of the forces that have an integral, in the order of the state
    integrals: list = field(default_factory=list)
    first_action: dict = field(default_factory=dict)  # force name → its first row in action_i
    outputs: list = field(default_factory=list)  # registers of the Values requested besides

    @property
    def n_q(self):
        return len(self.coordinates)

    @property
    def n_u(self):
        return len(self.speeds)

    @property
    def n_work(self):
        """How much of the state comes after the speeds: integrals, then work."""
        return len(self.integrals) + len(self.elements)

    @property
    def n_rows(self):
        return sum(len(rows) for rows in self.pairs.rows_of.values())

    def held_bodies(self, name):
        """Bodies that the rows of a cut joint or constraint push on, ground left out."""
        rows, terms = self.pairs.rows_of[name], self.tables.term_i
        pushed = {
            int(terms[k, TERM_BODY])
            for row in rows
            for k in range(*self.tables.row_i[row, ROW_TERM : ROW_TERM_END + 1])
        }
        return [self.links[i - 1].body for i in sorted(pushed) if i > 0]

    @property
    def initial_measurements(self):
        """Where counting of angles that are not part of q begins, a number for each row."""
        measurements = np.zeros(len(self.tables.row_i))
        for (joint, coordinate), row in self.pairs.measurement.items():
            measurements[row] = self.system._start.get(f"{joint}.{coordinate}", 0.0)
        return measurements

    @property
    def start_memory(self):
        """What comes after the speeds in the initial state: controller states, and no work."""
        return np.array(
            [
                *(self.system._start.get(f"{name}.integral", 0.0) for name in self.integrals),
                *([0.0] * len(self.elements)),
            ]
        )

    def workspace(self, dtype=None, embedded=False) -> Workspace:
        registers = self.program.registers(self.frames.dtype)
        registers[1 : 1 + len(self.system.parameters)] = list(self.system.parameters.values())
        made = workspace(self.tables, registers, self.system.gravity, dtype or self.frames.dtype, embedded)
        made.measurement[:] = self.initial_measurements
        return made


def compile_system(system, formulation="joint", outputs=()):
    """Choose the tree, number everything, flatten it. outputs: Values to be computed beside the laws."""
    if not system.bodies:
        raise ModelError(
            f"system {system.name!r}",
            "it has no bodies",
            "there must be something to move",
            "Add one with s.body(...).",
        )
    if system.plane:
        check_planar(system)
    tree = formulations.tree_of(system, formulation)
    frames = Frames(tree.links, kind_of_numbers(system.parameters.values()))
    *tree_parts, n_q = tree_tables(system, tree.links, frames)
    coordinates, speeds, tree_coordinate = name_coordinates(system, tree.links)
    pairs = Pairs(system, frames)
    laws = Laws(system, frames, pairs, tree_coordinate)
    constraint_equations = make_constraint_equations(system, laws)
    n_constraint_inputs = len(laws.channels)
    laws.elements = [
        name
        for name, ruled in constraint_equations.items()
        if any(equation_row.works for equation_row in ruled.constraint_equations)
    ]
    laws.add_forces()
    laws.part = "outputs"
    program, told, acting, energy_registers, told_besides = laws.build(
        [x for ruled in constraint_equations.values() for x in outputs_of(ruled)], outputs
    )
    integrals = list(laws.integrals)
    places = constraint_tables(
        system, tree, tree_parts[0], pairs, constraint_equations, told, [*integrals, *laws.elements]
    )
    n_rows, n_work = len(pairs.row_i), len(integrals) + len(laws.elements)
    input_i, action_i = laws.channel_table(), laws.action_table(acting)
    n_read = len(pairs.row_i)
    for name in tree.cut:  # measurements no law reads: followed from step to step, so that whole turns are counted
        for measure in system.joints[name].measures():
            pairs.measure(name, measure.name)
    for name, joint in system.joints.items():  # initial rates are met through measurements
        for coordinate in joint.rates:
            pairs.measure(name, coordinate)
    row_parts = pairs.tables(tree_parts[0])
    first_result = len(program.registers()) - len(program.code)
    n_rule_code = max([register - first_result + 1 for register in told], default=0)
    n_told = sum(len(ruled.constraint_equations) for ruled in constraint_equations.values())
    count = [n_q, len(speeds), n_rows, n_work, 1 + len(system.parameters), n_read, 0]
    count += [n_constraint_inputs, max(n_rule_code, 0), len(integrals), n_told]
    tables = Tables(
        *tree_parts,
        **row_parts,
        **patterns(row_parts, n_rows),
        point_i=np.array(laws.point_i, np.int64),
        point_f=np.array(laws.point_f, frames.dtype).reshape(-1, 3),
        line_i=np.array(laws.line_i, np.int64).reshape(-1, 2),
        input_i=input_i,
        action_i=action_i,
        code=program.code,
        table_i=program.table_i,
        table_f=program.table_f,
        count=np.array(count, np.int64),
    )
    return Compiled(
        system, formulation, tree.links, tree.cut, frames, pairs, tables, program, laws.elements, energy_registers,
        tree_coordinate, coordinates, speeds, {link.joint: link for link in tree.links if link.joint}, places,
        integrals, laws.first_action, told_besides,
    )  # fmt: skip


def constraint_tables(system, tree, body_i, pairs, constraint_equations, told, elements):
    """Constraint rows of all cut joints and constraints, in an order that keeps their equations sparse. Returns the
    registers of places."""
    registers, start, places = {}, 0, {}
    for name, ruled in constraint_equations.items():
        n = len(outputs_of(ruled))
        registers[name], start = told[start : start + n], start + n
        if ruled.place is not None:
            places[name] = registers[name][-3:]
    names = [*tree.cut, *constraint_equations]
    bodies = [(system.joints[name].a, system.joints[name].b) for name in tree.cut] + [
        ruled.bodies for ruled in constraint_equations.values()
    ]
    speeds = [speeds_on_path(body_i, [pairs.frames.row[body] for body in group]) for group in bodies]
    number = {name: k for k, name in enumerate(elements)}
    for k in elimination_order(speeds):
        if names[k] in constraint_equations:
            pairs.hold_told(names[k], constraint_equations[names[k]], registers[names[k]], number.get(names[k], -1))
        else:
            pairs.constrain(names[k])
    return places


QUATERNION_WORDS = ("e1", "e2", "e3", "e4")


def name_coordinates(system, links):
    """Names of all q and u, and where the coordinates of tree joints stand."""
    coordinates, speeds, where = [], [], {}
    for link in links:
        owner = link.joint or link.body
        # its slides are those of a seen from b
        backward = link.swapped and any(primitive.kind == "quaternion" for primitive in link.primitives)
        scalar = iter(block_names(system, link))
        for primitive in link.primitives:
            if primitive.kind in ("quaternion", "mixed"):
                coordinates += [f"{owner}.{word}" for word in QUATERNION_WORDS]
                speeds += [f"{owner}.w{axis}" for axis in "xyz"]
            else:
                name = next(scalar)
                if link.joint and not backward and name in system.joints[link.joint].coordinates:
                    where[link.joint, name] = (len(coordinates), len(speeds))
                coordinates.append(f"{owner}.{name}")
                speeds.append(f"{owner}.{name}.rate")
                coordinates += [f"{owner}.sequence"] * (primitive.kind == "bryan")
    return coordinates, speeds, where


def block_names(system, link):
    """Names of the one-coordinate primitives of a link, in its order."""
    if link.joint is None or any(primitive.kind == "quaternion" for primitive in link.primitives):
        return ["x", "y", "z", "angle1", "angle2", "angle3"] if not system.plane else [*system.plane, "angle"]
    names = system.joints[link.joint].coordinates
    return reversed(names) if link.swapped else names
