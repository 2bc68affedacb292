"""mobility: how many ways a mechanism can move, by Grübler's count and actually, and which constraints repeat others.

The Grübler–Kutzbach count is the freedom of loose bodies less the constraints of all joints. The actual degrees of
freedom are what the equations leave
free: where speeds are concerned, by their rank here; where finite motion is concerned, by moving a little and closing
    the loops again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mekane.analyses.kinematics.assemble import closed
from mekane.analyses.kinematics.position_equations import VANISHING, PositionEquations, null_space
from mekane.analyses.kinematics.position_solver import MET, newton
from mekane.compiler.planar import planar_rows
from mekane.results.printing import Printed, Shown
from mekane.results.redundancy import redundancy_at, speeds_of

if TYPE_CHECKING:
    from mekane.model.system import System

AWAY = 0.02  # how far a mechanism is moved to see whether it moves: radians, or sizes
TRIALS = 6
RANK = 1e-7  # of the largest singular value


@dataclass(frozen=True, repr=False, eq=False)
class Mobility(Printed):
    """How a system can move.

    .freedom    actual degrees of freedom: independent finite motions from here
    .positions  independent infinitesimal motions that loops and constraints on positions allow here
    .motion     those that constraints on velocities allow besides: independent speeds
    .counted    Grübler–Kutzbach count
    .redundancy which rows repeat others and whose reactions are not unique
    .singular   True if infinitesimal motions are allowed here that cannot go on together, or at all
    """

    name: str
    bodies: int
    loose: int  # speeds of a loose body
    joint_freedoms: int
    joint_rows: int
    constraint_rows: int
    velocity_rows: int
    counted: int
    rank: int
    positions: int
    motion: int
    freedom: int
    redundancy: object

    @property
    def redundant(self):
        return self.redundancy.redundant

    @property
    def singular(self):
        return self.positions != self.freedom

    @property
    def remark(self):
        parts = [str(self.redundancy)] if self.redundancy.redundant else []
        if self.singular:
            parts.append(
                f"This position is singular: {small(self.positions)} here, but only {self.freedom} can go on from it."
            )
        if self.motion != self.positions:
            parts.append(
                f"Constraints on velocities leave {self.motion} of {self.positions} independent speeds, and no fewer positions."
            )
        return " ".join(parts)

    def shown(self):
        rows = [
            ["bodies", self.bodies, f"{self.loose} speeds each when loose"],
            ["freedoms of joints", self.joint_freedoms, "summed over all joints"],
            ["rows of joints", self.joint_rows, "constraints, all joints"],
            ["rows of constraints", self.constraint_rows, f"{self.velocity_rows} of them on velocities"],
            ["Grübler count", self.counted, "Grübler–Kutzbach criterion"],
            ["rank", self.rank, "independent rows"],
            ["redundant rows", self.redundant, ", ".join(self.redundancy.repeats)],
            ["infinitesimal motions", self.positions, "singular position" if self.singular else ""],
            ["degrees of freedom", self.freedom, "independent finite motions"],
            ["independent speeds", self.motion, ""],
        ]
        return [Shown(f"{self.name}: mobility", ["", "number", ""], rows, self.remark)]

    def to_dict(self):
        counts = (
            "bodies",
            "joint_freedoms",
            "joint_rows",
            "constraint_rows",
            "velocity_rows",
            "counted",
            "rank",
            "redundant",
            "positions",
        )
        return {
            **{count: int(getattr(self, count)) for count in (*counts, "freedom", "motion")},
            "singular": self.singular,
            "repeats": {name: list(rows) for name, rows in self.redundancy.repeats.items()},
            "not_unique": list(self.redundancy.not_unique),
        }


def small(n):
    return f"{n} independent infinitesimal motion{'' if n == 1 else 's'} {'is' if n == 1 else 'are'} possible"


def mobility(system: System) -> Mobility:
    """How many ways a system can move from its initial position: Grübler count and actual degrees of freedom.

    Parameters:
        system: the mechanism.

    Example:
        from mekane import gallery
        print(mk.mobility(gallery.find("four_bar").system()))
    """
    positions = PositionEquations(system)
    return mobility_at(positions, closed(positions))


def mobility_at(positions, q):
    here, system = positions.here(q), positions.system
    T = free_motions(here)
    nearby = list(neighbours(positions, here, T))
    freedom = min((free_motions(there).shape[1] for there in nearby), default=0)
    speeds = positions.n_u - rank_of(here.row_derivatives(positions.rates))
    states = [np.concatenate([one.q, np.zeros(positions.n_u)]) for one in (here, *nearby)]
    found = redundancy_at(positions.compiled, *states)
    constraints = {name: positions.compiled.pairs.rows_of[name] for name in system.constraints}
    levels = [positions.compiled.pairs.levels[row] for rows in constraints.values() for row in rows]
    joint_rows = sum(len(planar_rows(system, joint)) for joint in system.joints.values())
    loose = sum(loose_speeds(system, body) for body in system.bodies.values())
    return Mobility(
        name=positions.described.name,
        bodies=len(system.bodies),
        loose=3 if system.plane else 6,
        joint_freedoms=sum(joint_freedom(system, joint) for joint in system.joints.values()),
        joint_rows=joint_rows,
        constraint_rows=len(levels),
        velocity_rows=sum(level != "position" for level in levels),
        counted=loose - joint_rows - sum(level == "position" for level in levels),
        rank=found.rank,
        positions=T.shape[1],
        motion=speeds,
        freedom=freedom,
        redundancy=found,
    )


def rank_of(A):
    values = np.linalg.svd(A, compute_uv=False) if len(A) else np.zeros(0)
    return int(np.sum(values > RANK * max(values[0], VANISHING))) if len(values) else 0


def free_motions(here):
    return null_space(here.J, here.of.n_u - rank_of(here.J))


def neighbours(positions, here, T):
    """Configurations a little way off that can be reached: what does not move away when its loops are closed again
    cannot move."""
    rng = np.random.default_rng(0)
    for _ in range(TRIALS if T.shape[1] else 0):
        direction = T @ rng.normal(size=T.shape[1])
        step = AWAY * direction / np.linalg.norm(direction)
        q, gap = newton(positions, positions.displaced(here, step))
        there = positions.here(q)
        if gap < MET and np.linalg.norm(there.q - here.q) > 0.2 * np.linalg.norm(here.N @ (positions.scale * step)):
            yield there


def joint_freedom(system, joint):
    speeds = speeds_of(joint)
    return speeds if not system.plane else 3 - len(planar_rows(system, joint))


def loose_speeds(system, body):
    """Speeds of a body by itself; a point mass that no joint holds has no orientation."""
    joined = any(body.name in (joint.a, joint.b) for joint in system.joints.values())
    if system.plane:
        return 2 if body.is_point_mass and not joined else 3
    return 3 if body.is_point_mass and not joined else 6
