"""Quantities and parameters by name, as analyses take them: {"arm.angle": "30 deg", "cart": "2 cm", "ball.position.z":
0.3}."""

import numpy as np

from mekane.compiler.compiler import compile_system
from mekane.errors import ExpressionError, ModelError
from mekane.expressions.graph import symbol
from mekane.model.construction_log import with_names
from mekane.model.joint import RATE_OF
from mekane.model.values.units import quantity
from mekane.model.values.values import Value, read_value

OF_BODIES = {
    "position": "length",
    "velocity": "velocity",
    "angular_velocity": "angular_velocity",
    "orientation": "angle",
}  # and of markers


def named_values(system, given, part):
    """(names, numbers in SI). A joint with a single coordinate may be named alone; any other text is an expression of
    state names."""
    if not isinstance(given, dict):
        raise ModelError(part, f"it is {given!r}", "names and values are expected", 'Write {"arm.angle": "30 deg"}.')
    names = [full_name(system, name, part) for name in given]
    return names, [
        quantity(value, dimension_of(system, name), part, name)
        for name, value in zip(names, given.values(), strict=True)
    ]


def names_of(names, part, some=False):
    """A list of different names; some=True: at least one."""
    if names is not None and not isinstance(names, (str, list, tuple, set, dict)):
        raise ModelError(part, f"it is {names!r}", "a list of names is expected", 'Write ["motor.torque"].')
    names = [names] if isinstance(names, str) else list(names or ())
    for name in names:
        if not isinstance(name, str):
            raise ModelError(part, f"{name!r} is among them", "names are expected")
        if names.count(name) > 1:
            raise ModelError(part, f"{name!r} stands there twice", "every name once")
    if some and not names:
        raise ModelError(part, "no name is there", "parameters, or numbers such as 'arm.mass', are expected")
    return names


def as_value(system, name, part):
    """What to compute for a name or an expression; names of parts may hold spaces, expressions may not."""
    if name in system.outputs:
        return system.outputs[name].value
    owner = name.partition(".")[0]
    known = any(owner in parts for parts in (system.joints, system.bodies, system.forces, system.markers))
    plain = known and all(part.replace("_", "").isalnum() for part in name.split(".")[1:])
    return Value(name, symbol(name)) if plain else read_value(name, None, part, name)


def compile_with(system, formulation, values, part):
    """The model with these values to watch; an unknown name is reported with the keyword it came
    from."""
    try:
        return compile_system(system, formulation, outputs=values)
    except ExpressionError as error:
        if error.part != "outputs":
            raise
        raise ExpressionError(part, error.problem, error.expected, error.remedy) from None


def full_name(system, name, part):
    if name in system.joints:
        measures = [m.name for m in system.joints[name].measures()]
        if len(measures) != 1:
            raise ModelError(
                part, f"{name!r} has the coordinates {', '.join(measures) or 'none'}", "one of them is expected"
            )
        return f"{name}.{measures[0]}"
    return str(name)


def dimension_of(system, name):
    """What units a number of this name may have; None where it is not known."""
    owner, _, channel = name.partition(".")
    channel, _, last = channel.partition(".")
    if owner in system.joints:
        measure = next((m for m in system.joints[owner].measures() if m.name == channel), None)
        if measure is not None and last in ("", "rate"):
            return RATE_OF[measure.dimension] if last else measure.dimension
    return OF_BODIES.get(channel) if owner in system.bodies or owner in system.markers else None


def known_parameters(system, names, part):
    """The system in which all these are parameters; numbers of laws ("motor.torque") become parameters of a copy."""
    names = names_of(names, part)
    system = with_names(system, names)
    refuse_built_in(system, names, part)
    return system, names


def refuse_built_in(system, names, part):
    """Only what laws read may change while a model is used: masses and lengths are built into it."""
    before = compile_system(system) if names else None
    for name in names:
        after = compile_system(system.with_parameters({name: system.parameters[name] * 1.001 + 1e-6}))
        same = all(np.array_equal(a, b) for a, b in zip(before.tables, after.tables, strict=True))
        if (
            not same
            or system.gravity != after.system.gravity
            or not np.array_equal(before.program.constants, after.program.constants)
        ):
            problem = f"{name!r} is built into the model, such as a mass, a length or a place"
            raise ModelError(
                part, problem, "parameters of forces, such as a torque or a stiffness, can be found or followed"
            )
