"""A system whose inputs, variables and activity are those of another phase of its motion."""

from dataclasses import replace

import numpy as np

from mekane.errors import ModelError, did_you_mean
from mekane.model.construction_log import construction_of
from mekane.model.record import frozen_array
from mekane.model.set_valued import CONTACTS, DIRECTION, MODE, OPEN, SLIDING, STICKING, STICKS, elements_of
from mekane.model.signals.unit import read_number
from mekane.model.signals.variable import plain
from mekane.model.values.units import quantity, shown

ACTIVE, FRAME, OFFSET = ".active", ".frame.", ".offset."
SAME_FRAME = np.concatenate([np.zeros(3), np.eye(3).ravel()])


def with_discrete_state(system, values):
    """A new system that begins with other values of inputs and variables, and with other joints and constraints active:
    s.with_discrete_state({"gear": 2, "hook.active": False}).

    Analyses take a system as it begins, so they see this phase of its motion. run.state(t).system has the discrete state
    of a run at a time, with its bodies where they are then.
    """
    part = f"system {system.name!r}, discrete state"
    if not hasattr(values, "items"):
        problem, remedy = f"it is {shown(values)}", 'Write {"gear": 2, "hook.active": False}.'
        raise ModelError(part, problem, "names and values are expected", remedy)
    new, frames = system.copied(), {}
    for name, value in values.items():
        owner, _, k = str(name).partition(FRAME)
        if k and owner in system.joints:
            frames.setdefault(owner, {})[int(k)] = value
        else:
            change(new, name, value, part)
    for name, numbers in frames.items():
        close_elsewhere(new, name, np.array([numbers[k] for k in range(12)]))
    return new


def close_elsewhere(system, name, frame):
    """A joint that was locked at its present position closes there: M' from M, position and axes."""
    joint, turn = system.joints[name], frame[3:].reshape(3, 3)
    if np.array_equal(frame, SAME_FRAME):
        return
    p, R = joint.p_BM + joint.R_BM @ frame[:3], joint.R_BM @ turn
    system.joints[name] = replace(joint, p_BM=frozen_array(p), R_BM=frozen_array(R))
    system._construction.pop(name, None)  # it is what it is, whatever parameters say


def change(system, name, value, part):
    """Give a system of its own another initial value."""
    owner = str(name).removesuffix(ACTIVE)
    constrained = system.joints if owner in system.joints else system.constraints
    if name in system.inputs:
        number = read_number(value, system.inputs[name].unit, part, name)
        put(system, system.inputs, name, value=number)
    elif name in system.variables:
        put(system, system.variables, name, value=quantity(plain(value), None, part, name))
    elif owner in constrained and owner != name:
        put(system, constrained, owner, active=read_flag(value, part, name))
    elif str(name).removesuffix(MODE) in elements_of(system) and str(name).endswith(MODE):
        put_mode(system, str(name), value, part)
    elif str(name).endswith((STICKS, CONTACTS)) or DIRECTION in str(name):
        pass  # follows from the mode and the speeds
    elif OFFSET in str(name):
        refuse_offset(name, value, part)
    else:
        raise unknown(system, name, part)


def put_mode(system, name, value, part):
    """The mode in which an element of a contact law begins."""
    if value not in (OPEN, SLIDING, STICKING):
        raise ModelError(part, f"{name!r} is {shown(value)}", "0 (open), 1 (sliding) or 2 (sticking) is expected")
    system._contact_modes[name.removesuffix(MODE)] = int(value)


def refuse_offset(name, value, part):
    if value != 0.0:
        owner = str(name).partition(OFFSET)[0]
        problem = f"{owner!r} was locked at its present position, which is not where it was described"
        expected = "other analyses take constraints as described"
        raise ModelError(part, problem, expected, "Describe it there, and go on from that.")


def put(system, collection, name, **changes):
    """Replace a record, and what is known of how it was made."""
    made = construction_of(system, name, collection[name])
    collection[name] = replace(collection[name], **changes)
    if made is not None:
        system._construction[name] = made._replace(keywords=made.keywords | changes, record=collection[name])


def read_flag(value, part, name):
    """True or False; results have 1 and 0."""
    if value in (0, 1):
        return bool(value)
    raise ModelError(part, f"{name!r} is {shown(value)}", "True or False is expected")


def unknown(system, name, part):
    flags = [one + ACTIVE for one in (*system.joints, *system.constraints)]
    known = [*system.inputs, *system.variables, *flags]
    hint = (
        f"Write {name + ACTIVE!r}."
        if name in {**system.joints, **system.constraints}
        else did_you_mean(str(name), known)
    )
    if name in system.parameters:
        hint = f"It is a parameter: write s.with_parameters({name}=…)."
    shown_names = ", ".join(known[:12]) + (" …" if len(known) > 12 else "")
    return ModelError(part, f"there is no {name!r}", f"there are {shown_names or 'none'}", hint.strip())
