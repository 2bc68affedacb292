"""A system whose numbers vary from run to run: parameters, numbers by address, and values at the start."""

import numpy as np

from mekane.analyses.kinematics.assemble import assemble
from mekane.analyses.kinematics.placement import placed, poses_at
from mekane.compiler.compiler import compile_system
from mekane.errors import ModelError, did_you_mean
from mekane.model.construction_log import with_names
from mekane.model.initial_conditions import starting_names
from mekane.model.joint import RATE_OF
from mekane.model.values.parameter_paths import numbers_of, unit_of_number


class VariedSystem:
    """`at(values)` is the system with these values. Names are parameters, addresses such as "crank.mass", and values at
    the start: coordinates ("hinge.angle", or "hinge" alone) and speeds ("hinge.angle.rate", "hinge.rate")."""

    def __init__(self, system, names, formulation="joint"):
        self.formulation, self.given = formulation, system
        self.starts = {name: start for name in names if (start := start_of(system, name)) is not None}
        compiled = compile_system(system, formulation) if self.starts else None
        self.direct = compiled is not None and is_direct(compiled, self.starts.values())
        numbers = {name: name for name in names if name not in self.starts}
        if not self.direct:
            speeds = {name: start for name, start in self.starts.items() if start.endswith(".rate")}
            numbers |= {name: rate_address(system, start) for name, start in speeds.items()}
            self.starts = {name: start for name, start in self.starts.items() if name not in speeds}
        self.numbers = numbers
        self.base = with_names(with_rates(system, numbers.values()), list(numbers.values()))

    def at(self, values):
        """The system of one run. values: name → number in SI."""
        system = self.with_numbers(values)
        starts = {start: float(values[name]) for name, start in self.starts.items()}
        if not starts:
            return system
        return self.placed_directly(system, starts) if self.direct else assemble(system, starts).system

    def with_numbers(self, values):
        """The same before values at the start are set."""
        changes = {address: float(values[name]) for name, address in self.numbers.items()}
        return self.base.with_parameters(changes) if changes else self.base

    def placed_directly(self, system, starts):
        """Without loops, or with all coordinates given, the state is overwritten; nothing has to be solved."""
        from mekane.analyses.state.dynamics import initial_state

        compiled = compile_system(system, self.formulation)
        state = np.concatenate(initial_state(system, self.formulation))
        places = state_places(compiled)
        for name, value in starts.items():
            state[places[name]] = value
        known = starting_names(system)
        turns = {name: value for name, value in starts.items() if name in known}
        return placed(system, poses_at(compiled, np.append(state, compiled.start_memory)), start=turns)


def state_places(compiled):
    return {name: k for k, name in enumerate([*compiled.coordinates, *compiled.speeds])}


def is_direct(compiled, starts):
    """True if overwriting these numbers of the state leaves no constraint open."""
    places, starts = state_places(compiled), set(starts)
    return starts <= places.keys() and (compiled.n_rows == 0 or set(compiled.coordinates) <= starts)


def start_of(system, name):
    """The name of a coordinate or speed at the start; None for a parameter or an address."""
    if name in system.parameters:
        return None
    owner, _, channel = str(name).partition(".")
    if owner not in system.joints:
        return name if name in free_names(system, owner) else None
    measures = [m.name for m in system.joints[owner].measures()]
    if channel == "" and len(measures) == 1:
        return f"{owner}.{measures[0]}"
    if channel.removesuffix(".rate") in measures:
        return name
    return None


def free_names(system, owner):
    """Coordinates and speeds of a body that no joint holds."""
    if owner not in system.bodies:
        return ()
    compiled = compile_system(system)
    return [name for name in (*compiled.coordinates, *compiled.speeds) if name.partition(".")[0] == owner]


def rate_address(system, start):
    """Where a speed at the start is given: "hinge.rate", or "guide.rate.angle" of several coordinates."""
    joint, coordinate = start.removesuffix(".rate").split(".", 1)
    alone = len(list(system.joints[joint].measures())) == 1
    return f"{joint}.rate" if alone else f"{joint}.rate.{coordinate}"


def with_rates(system, addresses):
    """The system in which joints whose rates vary have rates: those that were not given are zero."""
    missing = {address.split(".")[0] for address in addresses if is_missing_rate(system, address)}
    if not missing:
        return system
    system = system.copied()
    for joint in missing:
        measures = [m.name for m in system.joints[joint].measures()]
        system.replace(joint, rate=0.0 if len(measures) == 1 else dict.fromkeys(measures, 0.0))
    return system


def is_missing_rate(system, address):
    joint, _, rest = address.partition(".")
    return (
        joint in system.joints
        and rest.split(".")[0] == "rate"
        and address not in system.parameters
        and not system.joints[joint].rates
    )


def unit_of(system, name):
    """The SI unit of what varies; "" where it has none or it is not known."""
    start = start_of(system, name)
    if start is None:
        return unit_of_number(system, name)
    joint, channel = start.split(".", 1)
    if joint not in system.joints:
        return ""
    dimension = next(m.dimension for m in system.joints[joint].measures() if m.name == channel.removesuffix(".rate"))
    from mekane.model.values.units import DIMENSIONS

    return DIMENSIONS[RATE_OF[dimension] if channel.endswith(".rate") else dimension].units[0]


def check_names(system, names, part):
    """Raise for what is no number of the system, with what may be meant."""
    for name in names:
        if not isinstance(name, str):
            raise ModelError(part, f"{name!r} is to vary", "names are expected", 'Write {"k": [1e3, 2e3]}.')
        if name in system.parameters or start_of(system, name) is not None or is_missing_rate(system, name):
            continue
        try:
            system.named([name])
        except ModelError as error:
            raise unknown(system, name, error, part) from None


def unknown(system, name, error, part):
    starts = [f"{joint}.{m.name}" for joint, made in system.joints.items() for m in made.measures()]
    options = [*system.parameters, *starts, *numbers_of(system)]
    remedy = did_you_mean(name, options).strip() or error.remedy
    if "." in name and name.split(".")[0] in {**system.bodies, **system.joints, **system.forces}:
        return ModelError(f"{part}, {error.part}", error.problem, error.expected, error.remedy or remedy)
    problem = f"{name!r} is no parameter, number or coordinate of {system.name!r}"
    known = ", ".join([*system.parameters][:8]) or "none"
    return ModelError(part, problem, f"its parameters are {known}", remedy)
