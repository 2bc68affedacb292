"""What a user holds or starts from, by name: {"arm.angle": "30 deg", "cart": "2 cm", "ball.position.z": 0.3}."""

from mekane.errors import ModelError, did_you_mean
from mekane.model.units import quantity

RATE_OF = {"length": "velocity", "angle": "angular_velocity"}
OF_BODIES = {"position": "length", "velocity": "velocity", "angular_velocity": "angular_velocity"}


def read_targets(system, said, part):
    """(names, numbers in SI). A joint with a single coordinate may be named alone; any other text is an expression of state names."""
    if not isinstance(said, dict):
        raise ModelError(part, f"it is {said!r}", "names and values are expected", 'Write {"arm.angle": "30 deg"}.')
    names = [full_name(system, name, part) for name in said]
    return names, [quantity(value, dimension_of(system, name), part, name) for name, value in zip(names, said.values(), strict=True)]


def full_name(system, name, part):
    if name in system.joints:
        measures = [m.name for m in system.joints[name].measures()]
        if len(measures) != 1:
            raise ModelError(part, f"{name!r} has the coordinates {', '.join(measures) or 'none'}", "one of them is expected")
        return f"{name}.{measures[0]}"
    return str(name)


def dimension_of(system, name):
    owner, _, word = name.partition(".")
    word, _, last = word.partition(".")
    if owner in system.joints:
        measure = next((m for m in system.joints[owner].measures() if m.name == word), None)
        if measure is not None and last in ("", "rate"):
            return RATE_OF[measure.dimension] if last else measure.dimension
    return OF_BODIES.get(word) if owner in system.bodies else None


def known_parameters(system, names, part):
    """The system in which all these are parameters; numbers of parts ("motor.torque") become parameters of a copy."""
    names = [names] if isinstance(names, str) else list(names)
    missing = [name for name in names if name not in system.parameters]
    if not missing:
        return system, names
    if hasattr(type(system), "named"):
        return system.named(missing), names
    raise unknown_parameter(system, missing[0], part)


def unknown_parameter(system, name, part):
    has = f"the system has the parameters {', '.join(system.parameters)}" if system.parameters else "the system has no parameters"
    return ModelError(part, f"there is no parameter {name!r}", has, did_you_mean(str(name), system.parameters).strip())
