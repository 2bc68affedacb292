"""The compiler: System + formulation → Compiled, in steps: the tree, the numbers of its coordinates, the constraint
equations, the tape of all laws, the rows, the tables."""

from typing import NamedTuple

import numpy as np

from mekane import formulations
from mekane.compiler.compiled import Compiled
from mekane.compiler.constraint_rows import Pairs
from mekane.compiler.constraints import make_constraint_equations, outputs_of
from mekane.compiler.contacts import contact_table, element_places, make_contact_equations, mark_alike
from mekane.compiler.coordinate_names import number_coordinates
from mekane.compiler.discrete_state import initial_discrete_state
from mekane.compiler.forces import Laws
from mekane.compiler.frames import Frames
from mekane.compiler.hybrid_laws import HybridLaws
from mekane.compiler.planar import check_planar
from mekane.compiler.rotors import add_rotors, count_rotors
from mekane.compiler.sparsity import elimination_order, patterns
from mekane.compiler.tree import speeds_on_path, tree_tables
from mekane.errors import ModelError
from mekane.expressions.traced_number import kind_of_numbers
from mekane.model.interface.kept import kept
from mekane.model.traced_functions import functions_of, refuse_changed
from mekane.tables import tables as at
from mekane.tables.tables import Tables


def compile_system(system, formulation="joint", outputs=()):
    """Choose the tree, number everything, flatten it. outputs: Values to be computed beside the laws."""
    check(system)
    tree = formulations.tree_of(system, formulation)
    frames = Frames(tree.links, kind_of_numbers(system.parameters.values()))
    bodies = tree_tables(system, tree.links, frames)
    numbering = number_coordinates(system, tree.links)
    add_rotors(system, tree.links, bodies["primitive_i"], bodies["primitive_f"], numbering.tree_coordinate)
    pairs = Pairs(system, frames)
    laws = Laws(system, frames, pairs, numbering.tree_coordinate)
    constraints = make_constraint_equations(system, laws, lambda k: make_contact_equations(k, system, laws))
    n_constraint_inputs = len(laws.inputs)
    tape, hybrid = write_tape(system, laws, constraints, outputs)
    rows = make_rows(system, tree, bodies["body_i"], laws, constraints, tape)
    count = counts(system, numbering, laws, constraints, tape, rows)
    count[at.CONSTRAINT_INPUTS] = n_constraint_inputs
    events, controllers = hybrid.registers(tape.hybrid)
    return Compiled(
        system=system,
        formulation=formulation,
        links=tree.links,
        cut=tree.cut,
        frames=frames,
        pairs=pairs,
        tables=Tables(**bodies, **rows.tables, **laws.place_tables(), **tape.tables(), count=count),
        program=tape.program,
        elements=laws.elements,
        energy_registers=tape.energies,
        tree_coordinate=numbering.tree_coordinate,
        coordinates=numbering.coordinates,
        speeds=numbering.speeds,
        link_of={link.joint: link for link in tree.links if link.joint},
        places=rows.places,
        integrals=list(laws.integrals),
        first_action=laws.first_action,
        outputs=tape.outputs,
        discrete=list(initial_discrete_state(system)),
        events=events,
        controllers=controllers,
        elements_of_contact=[one for name in system.contact_laws for one in constraints[name].elements],
    )


def compiled_as_it_is(system, formulation):
    """The compiled system, the same one as before while nothing has changed. Models that call Python functions are not kept: their
    tables hold the address of that of one run."""
    check(system)
    found, start = kept(system, "compiled"), ([*system._initial_conditions.items()], [*system._contact_modes.items()])
    if formulation not in found or found[formulation][0] != start:
        compiled = compile_system(system, formulation)
        if compiled.program.callbacks:
            return compiled
        found[formulation] = start, compiled
    return found[formulation][1]


def check(system):
    """Refuse a system without bodies, and parts that would leave the plane of a planar one."""
    if not system.bodies:
        raise ModelError(
            f"system {system.name!r}",
            "it has no bodies",
            "there must be something to move",
            "Add one with s.body(...).",
        )
    refuse_changed(functions_of(system))
    if system.plane:
        check_planar(system)


# ---------------------------------------------------------------- laws


def write_tape(system, laws, constraints, outputs):
    """All forces, and one tape that computes the constraint equations, their laws, the outputs, and what events and
    controllers need."""
    laws.elements = [
        name
        for name, found in constraints.items()
        if found.works or any(equation.works for equation in found.constraint_equations)
    ]
    laws.add_forces()
    hybrid = HybridLaws(system, laws)
    laws.part, laws.local = "outputs", ()
    equations = [x for found in constraints.values() for x in outputs_of(found)]
    return laws.build(equations, outputs, hybrid.expressions), hybrid


# ---------------------------------------------------------------- rows: constraints first, then measurements


class Rows(NamedTuple):
    tables: dict  # of pairs, rows, inputs and actions, by name
    places: dict  # constraint, or element of a contact law → registers of the point its force is reported at
    n_constraints: int
    n_read: int  # constraints, and the measurements that laws read or act on


def make_rows(system, tree, body_i, laws, constraints, tape):
    """Every row, in the order of the state of a solver: constraints, what laws measure, what is only followed."""
    pairs = laws.pairs
    places = add_constraint_rows(system, tree, body_i, pairs, constraints, tape, [*laws.integrals, *laws.elements])
    n_constraints = len(pairs.row_i)
    input_i, action_i = laws.input_table(), laws.action_table(tape.actions)  # they add measurements
    n_read = len(pairs.row_i)
    add_followed_measurements(system, tree, pairs)
    for name in system.contact_laws:
        for one in constraints[name].elements:
            if one.element.reaction:
                pairs.of(one.element.reaction.joint)
    row_tables = pairs.tables(body_i)
    tables = row_tables | patterns(row_tables, n_constraints) | dict(input_i=input_i, action_i=action_i)
    laws_of_contact = {name: constraints[name] for name in system.contact_laws}
    more, n_registers = constraint_registers(constraints, tape.constraints)[1], len(tape.program.registers())
    tables["contact_i"] = contact_table(laws_of_contact, tree, pairs, more, n_registers)
    mark_alike(tables["contact_i"], tables["row_i"], tables["term_i"])
    return Rows(tables, places | element_places(laws_of_contact, more), n_constraints, n_read)


def add_constraint_rows(system, tree, body_i, pairs, constraints, tape, elements):
    """Rows of all cut joints and constraints, in an order that keeps their equations sparse. Returns the registers of
    places. elements: names of what comes after the speeds in the state."""
    registers, _, places = constraint_registers(constraints, tape.constraints)
    bodies = {name: (system.joints[name].a, system.joints[name].b) for name in tree.cut}
    bodies |= {name: found.bodies for name, found in constraints.items()}
    speeds = [speeds_on_path(body_i, [pairs.frames.row[body] for body in group]) for group in bodies.values()]
    names, number = list(bodies), {name: k for k, name in enumerate(elements)}
    for k in elimination_order(speeds):
        name = names[k]
        if name in constraints:
            pairs.add_expression_rows(name, constraints[name], registers[name], number.get(name, -1))
        else:
            pairs.constrain(name)
    return places


def constraint_registers(constraints, registers):
    """Of each constraint: the registers of its expressions, of what it computes besides its rows, and of the point its
    force is reported at."""
    found, more, places, start = {}, {}, {}, 0
    for name, equations in constraints.items():
        n = len(outputs_of(equations))
        found[name], start = registers[start : start + n], start + n
        place = 3 if equations.place is not None else 0
        more[name] = found[name][n - place - len(equations.more) : n - place]
        if place:
            places[name] = found[name][-3:]
    return found, more, places


def add_followed_measurements(system, tree, pairs):
    """Measurements that no law reads: those of cut joints, followed from step to step so that whole turns are counted,
    and those through which initial rates are met, or rates that events set."""
    for name in tree.cut:
        for measure in system.joints[name].measures():
            pairs.measure(name, measure.name)
    for name, joint in system.joints.items():
        for coordinate in joint.rates:
            pairs.measure(name, coordinate)
    for joint, coordinate in rates_set(system):
        pairs.measure(joint, coordinate)


def rates_set(system):
    """(joint, coordinate) whose rates events set: an impulse acts along each."""
    targets = [target for event in system.events.values() for target in event.set]
    return [tuple(target.rsplit(".", 2)[:2]) for target in targets if target.endswith(".rate")]


# ---------------------------------------------------------------- counts


def counts(system, numbering, laws, constraints, tape, rows):
    """Tables.count, by name; no Python functions yet."""
    count = np.zeros(at.N_COUNTS, np.int64)
    count[at.N_Q], count[at.N_U] = len(numbering.coordinates), len(numbering.speeds)
    count[at.N_ROWS], count[at.N_READ] = rows.n_constraints, rows.n_read
    count[at.N_CONTROLLER] = len(laws.integrals)
    count[at.N_WORK] = len(laws.integrals) + len(laws.elements)
    count[at.FIRST_INPUT] = 1 + len(laws.constants)
    count[at.CONSTRAINT_CODE] = tape.n_constraint_code
    count[at.N_ROTORS] = count_rotors(system)
    count[at.N_LOADS] = sum(bool(one.element.reaction) for found in constraints.values() for one in found.elements)
    count[at.FIRST_RESULT] = len(tape.program.registers()) - len(tape.program.code)
    count[at.N_EXPRESSION_ROWS] = sum(len(found.constraint_equations) for found in constraints.values())
    return count
