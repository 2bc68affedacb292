"""The discrete state: what is constant in a smooth phase of a motion and may change at events. Inputs, variables, for each
joint or constraint that is locked or released whether it is active, 1 or 0; and where those close that are locked at
their present positions. It stands in the registers of the tape, behind the parameters."""

import numpy as np

from mekane.model.hybrid.activity import is_active, switched_parts
from mekane.model.set_valued import CONTACTS, DIRECTION, MODE, STICKS, elements_of, searched_laws
from mekane.tables.columns import DIRECTIONS

ACTIVE = ".active"
FRAME, OFFSET = ".frame.", ".offset."  # of a joint: M' from M, position and axes; of a constraint: of its equations
ELEMENT_STATE = (MODE, STICKS, *(f"{DIRECTION}{k}" for k in range(DIRECTIONS)))
MOST_EQUATIONS = 6  # of a constraint that is locked at its present position
SAME_FRAME = (0.0, 0.0, 0.0, *np.eye(3).ravel().tolist())


def initial_discrete_state(system):
    """{name: value at the start}, in the order of the registers."""
    values = {name: one.value for name, one in (*system.inputs.items(), *system.variables.items())}
    values |= {name + ACTIVE: float(is_active(system, name)) for name in switched_parts(system)}
    values |= {name: value for part in closed_parts(system) for name, value in places_of(system, part).items()}
    modes = {one + what: 0.0 for one in elements_of(system) for what in ELEMENT_STATE}
    modes |= {name + CONTACTS: 0.0 for name in searched_laws(system)}
    return values | modes | {one + MODE: float(mode) for one, mode in system._contact_modes.items()}


def closed_parts(system):
    """Names of the joints and constraints that events lock at their present positions."""
    return list(dict.fromkeys(name for event in system.events.values() if event.at_present for name in event.lock))


def places_of(system, part):
    """{name: value at the start} of where a part closes."""
    if part in system.joints:
        return {f"{part}{FRAME}{k}": value for k, value in enumerate(SAME_FRAME)}
    return {f"{part}{OFFSET}{k}": 0.0 for k in range(MOST_EQUATIONS)}


def is_place(name):
    """Whether a discrete state says where a part closes or slides; users see the others."""
    return FRAME in name or OFFSET in name or DIRECTION in name or name.endswith(STICKS)


def registers_of(system):
    """{name: its register}"""
    return {name: 1 + len(system.parameters) + k for k, name in enumerate(initial_discrete_state(system))}


def flag_registers(system):
    """{joint or constraint: the register of its flag}"""
    registers = registers_of(system)
    return {name: registers[name + ACTIVE] for name in switched_parts(system)}


def frame_registers(system):
    """{joint: the first register of its frame}, of those that are locked at their present positions."""
    registers = registers_of(system)
    return {name: registers[f"{name}{FRAME}0"] for name in closed_parts(system) if name in system.joints}
