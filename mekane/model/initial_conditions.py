"""What positions and velocities of bodies leave open of an initial state: whole revolutions of joints and states of
controllers.

{"hinge.angle": 19.1, "drive.integral": 0.24}: of an angle only its whole revolutions count, the rest is where the
bodies are.
"""

from mekane.errors import ModelError, did_you_mean
from mekane.model.values.units import quantity, shown

HALF_REVOLUTION = 3.0  # less a little: beyond, round-off could decide on which side an angle is


def read_initial_conditions(system, values) -> dict[str, float]:
    """The values in SI, by names as in results."""
    part = f"system {system.name!r}, initial_conditions"
    if not isinstance(values, dict):
        raise ModelError(
            part,
            f"it is {shown(values)}",
            "names and values are expected",
            'Write s.initial_conditions({"hinge.angle": "3 turn"}).',
        )
    known = starting_names(system)
    for name in values:
        if name not in known:
            problem, hint = (
                f"{name!r} is no angle of a joint and no integral of a law",
                did_you_mean(str(name), known).strip(),
            )
            raise ModelError(part, problem, f"there are {', '.join(known) or 'none'}", hint)
    return {name: quantity(value, known[name], part, name) for name, value in values.items()}


def starting_names(system) -> dict[str, str | None]:
    """All names that may stand there, with their dimensions."""
    angles = [
        f"{name}.{m.name}" for name, joint in system.joints.items() for m in joint.measures() if m.dimension == "angle"
    ]
    return dict.fromkeys(angles, "angle") | {
        f"{name}.integral": None for name, force in system.forces.items() if force.has_controller_state
    }


def needed(system, values: dict) -> dict[str, float]:
    """Those that a start without them would not have: angles near half a revolution and beyond, integrals that are not
    zero."""
    known = starting_names(system)
    return {
        name: value
        for name, value in values.items()
        if abs(value) > (HALF_REVOLUTION if known.get(name) == "angle" else 0.0)
    }
