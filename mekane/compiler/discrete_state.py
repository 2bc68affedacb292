"""The discrete state: what is constant in a smooth phase of a motion and may change at events. Inputs, variables, and for
each joint or constraint that is locked or released whether it is active, 1 or 0. It stands in the registers of the tape,
behind the parameters."""

from mekane.model.hybrid.activity import is_active, switched_parts

ACTIVE = ".active"


def initial_discrete_state(system):
    """{name: value at the start}, in the order of the registers."""
    values = {name: one.value for name, one in (*system.inputs.items(), *system.variables.items())}
    return values | {name + ACTIVE: float(is_active(system, name)) for name in switched_parts(system)}


def flag_registers(system):
    """{joint or constraint: the register of its flag}"""
    first = 1 + len(system.parameters)
    names = list(initial_discrete_state(system))
    return {name: first + names.index(name + ACTIVE) for name in switched_parts(system)}
