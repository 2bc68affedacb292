"""inverse_kinematics: coordinates for which points and bodies are where they are wanted, nearest to where the search
starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mekane.analyses.kinematics.assemble import closed, fits
from mekane.analyses.kinematics.assembly_result import assembly_result
from mekane.analyses.kinematics.position_equations import PositionEquations
from mekane.analyses.kinematics.position_solver import MET, newton, solve_positions
from mekane.analyses.kinematics.targets import body_targets, position_target
from mekane.errors import ModelError
from mekane.model.names import quoted
from mekane.model.values.units import shown

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from numpy.typing import ArrayLike

    from mekane.analyses.kinematics.assembly_result import Assembled
    from mekane.model.system import System

PART = "inverse_kinematics"


def inverse_kinematics(
    system: System,
    targets: Mapping[str, Any],
    at: Mapping[str, Any] | ArrayLike | None = None,
    formulation: str = "joint",
) -> Assembled:
    """Where the joints must be, so that bodies are where they are wanted; loops stay closed.

    Every step is the smallest that will do, so that an arm with joints to spare stays near its start.

    Parameters:
        system: the mechanism.
        targets: {"hand": {"position": (x, y, z), "orientation": ("z", "30 deg"), "point": (0, 0, 0.1)}}, where `point`
            of the body, in its frame, is to be at `position` [m]; or {"hand.position.x": 0.3, "elbow": "20 deg"}.
        at: coordinates to start from, in the order of s.coordinates, or joints with their values; by default where the
            system is.
        formulation: "joint", or a name in mekane.formulations.

    Returns:
        Assembled: .coordinates, .q, .system.

    Example:
        from mekane import gallery
        found = mk.inverse_kinematics(gallery.find("double_pendulum").system(), {"shoulder": "30 deg", "elbow": "-20 deg"})
        print(found.coordinates)
    """
    positions = PositionEquations(system, formulation)
    targets = read_targets(positions.system, targets)
    q = start_of(positions, at)
    found = solve_positions(positions, q, targets, lambda q: fits(positions, q))
    if found.q is None:
        raise unreachable(positions, found.nearest, targets)
    return assembly_result(f"{system.name}: inverse kinematics", positions, found.q, targets)


def start_of(positions, at):
    if isinstance(at, dict):
        from mekane.analyses.kinematics.assemble import assemble

        return assemble(positions.described, at, positions.compiled.formulation).q
    if at is None:
        return closed(positions)
    q = positions.model.state(PART, at, np.zeros(positions.n_u))[: positions.compiled.n_q]
    q, gap = newton(positions, q)
    if gap > MET:
        problem = f"from `at` the loops stay open by {gap:.3g}"
        raise ModelError(PART, problem, "a position that can be closed is expected", "Start with mk.assemble(s, …).q.")
    return q


def read_targets(system, targets):
    """Targets of names and of whole bodies, in the order given."""
    if not isinstance(targets, dict) or not targets:
        remedy = 'Write {"hand": {"position": (x, y, z)}} or {"hand.position": (x, y, z)}.'
        raise ModelError(PART, f"the targets are {shown(targets)}", "names and places are expected", remedy)
    found = []
    for name, given in targets.items():
        name = getattr(name, "name", name)
        found += (
            body_targets(system, name, given, PART)
            if isinstance(given, dict)
            else [position_target(system, name, given, PART)]
        )
    return found


def unreachable(positions, near, targets):
    """How near one can come, all targets weighed alike: radians, and lengths in sizes of the mechanism."""
    here = positions.here(near)
    gaps = []
    for target in targets:
        gap = float(np.linalg.norm(np.atleast_1d(target.position.residual(here, target.value))))
        gaps.append(f"{target.name} {gap:.6g} {'m' if target.position.dimension == 'length' else 'rad'} away")
    problem = (
        f"{quoted([target.name for target in targets])} cannot be reached{'' if len(targets) == 1 else ' together'}"
    )
    return ModelError(
        PART, problem, f"the nearest found: {', '.join(gaps)}", "Move the target nearer, or ask for less."
    )
