"""assemble: from a rough or wrong configuration to a consistent one, in which named positions have the values a user
pins down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mekane.analyses.kinematics.assembly_result import assembly_result
from mekane.analyses.kinematics.named_positions import Attitude
from mekane.analyses.kinematics.position_equations import PositionEquations
from mekane.analyses.kinematics.position_solver import MET, nearest_from_several_starts, newton, solve_positions, starts
from mekane.analyses.kinematics.targets import position_target
from mekane.compiler.coordinates import initial_poses
from mekane.errors import ModelError
from mekane.model.names import quoted
from mekane.model.values.units import shown
from mekane.solvers.constraints import assembly

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from mekane.analyses.kinematics.assembly_result import Assembled
    from mekane.model.system import System

PART = "assemble"


def assemble(
    system: System, pins: Mapping[str, Any] | None = None, formulation: str = "joint", **more: Any
) -> Assembled:
    """A system put together: loops closed, its bodies as near to where they were described as Newton leads.

    Parameters:
        system: what is put together. Velocities stay as given.
        pins: values that are wanted, {"crank.angle": "30 deg", "rod.position.x": 0.1} [rad, m]; a joint means its
            coordinate.
        formulation: "joint", or a name in mekane.formulations.
        more: the same by keyword, crank="30 deg".

    Returns:
        Assembled: .system is the new one, .coordinates, .q where it is.

    Example:
        from mekane import gallery
        found = mk.assemble(gallery.find("slider_crank_planar").system(), pivot="30 deg")
        print(found.coordinates)
    """
    positions = PositionEquations(bare(system), formulation)
    targets = read_pins(positions.system, pins, more)
    q = closed(positions)
    if targets:
        found = solve_positions(positions, q, targets, lambda q: fits(positions, q))
        if found.q is None:
            raise refusal(positions, q, targets, found)
        q = found.q
    result = assembly_result(f"{system.name}: assembled", positions, q, targets)
    result.speed_gap = float(assembly.assemble(result.system).speed_gap)
    give_contact_laws(system, result.system)
    return result


# ---------------------------------------------------------------- what is pinned


def bare(system):
    """The system without contact laws, which leave positions free where they are open."""
    if not system.contact_laws:
        return system
    new = system.copied()
    new.contact_laws = {}
    return new


def give_contact_laws(system, new):
    """The contact laws of a system for the one that was made from it."""
    new.contact_laws |= system.contact_laws
    new._construction |= {
        name: system._construction[name] for name in system.contact_laws if name in system._construction
    }


def read_pins(system, pins, more):
    """Targets from {name: value}; values of coordinates, points and orientations, with units."""
    if pins is not None and not isinstance(pins, dict):
        remedy = 'Write {"crank.angle": "30 deg"} or crank="30 deg".'
        raise ModelError(PART, f"the pins are {shown(pins)}", "names and values are expected", remedy)
    targets = {}
    for name, given in [*(pins or {}).items(), *more.items()]:
        target = position_target(system, name, given, PART)
        if target.name in targets:
            raise ModelError(PART, f"{target.name!r} is pinned twice", "one value for each name", "Leave one out.")
        targets[target.name] = target
    return list(targets.values())


# ---------------------------------------------------------------- putting it together


def closed(positions):
    """q where all loops are closed: by Newton in absolute coordinates, else in those of the formulation, from several
    starts."""
    try:
        poses = assembly.assemble(positions.described).poses
    except ModelError as error:
        if error.part.startswith("joint") or "cannot" in error.problem:
            return closed_otherwise(positions, error)
        raise
    q = positions.coordinates(poses)
    positions.forget_turns(q)
    return newton(positions, q)[0]


def closed_otherwise(positions, error):
    q = positions.coordinates(initial_poses(positions.system))
    found, gap = newton(positions, q)
    for start in [found] if gap < MET and fits(positions, found) else starts(positions, q):
        if newton(positions, start)[1] < MET and fits(positions, start):
            return start
    raise error


def fits(positions, q):
    """No joint points the opposite way."""
    try:
        assembly.refuse_opposite(positions.system, positions.poses(q))
    except ModelError:
        return False
    return True


# ---------------------------------------------------------------- pins that cannot be met


def refusal(positions, q, targets, found):
    """Which pin is the first that cannot be met beside those before it, and how near one can come."""
    if len(targets) == 1 and found.distance > MET:
        return unmet(positions, targets[0], [], found.nearest, found.distance)
    for k, target in enumerate(targets):
        before = targets[:k]
        start = solve_positions(positions, q, before).q if before else q
        if not any(newton(positions, one, targets[: k + 1])[1] < MET for one in starts(positions, start)):
            return unmet(positions, target, before, *nearest_from_several_starts(positions, start, [target], before))
    problem = "the pins can be met only with a joint whose directions point opposite ways"
    return ModelError(
        f"system {positions.described.name!r}", problem, "they must agree", "Turn a body over, or pin other values."
    )


def unmet(positions, target, before, q, distance):
    here = positions.here(q)
    beside = (
        f" while {quoted([one.name for one in before])} {'is' if len(before) == 1 else 'are'} as pinned"
        if before
        else ""
    )
    problem = f"it cannot be {shown(target.given)}{beside}"
    if isinstance(target.position, Attitude):
        near = f"the nearest orientation is {np.degrees(distance):.6g} deg away"
    elif target.position.labels:
        point = tuple(float(f"{x:.6g}") for x in target.position.value(here))
        near = f"the nearest point is {distance * positions.size:.6g} m away, at {point}"
    else:
        near = f"the nearest value it can have is {with_units(target, target.found(here))}"
    return ModelError(f"pin {target.name!r}", problem, near, "Pin a value it can reach, or fewer of them.")


def with_units(target, value):
    if target.position.units == "rad":
        return f"{value:.9g} rad ({np.degrees(value):.7g} deg)"
    return f"{value:.9g} {target.position.units}"
