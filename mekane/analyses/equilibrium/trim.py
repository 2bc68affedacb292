"""Trim: parameters, such as motor torques, with which a posture is an equilibrium.

    Zᵀ(tau + K Z y + P (p − p0)) = 0          Z: what the constraints allow,  y: along directions that are not held,  P
    = ∂tau/∂p

What the free coordinates cannot balance is left to the parameters. If these are more than needed, the smallest values
are taken.
"""

import numpy as np

from mekane.analyses.equilibrium.equilibrium import Equilibrium, refuse_growing, start_at
from mekane.analyses.equilibrium.solver import BALANCED, WIDEST
from mekane.analyses.equilibrium.stability import coordinate
from mekane.analyses.equilibrium.static_equations import least, range_and_null
from mekane.analyses.kinematics.targets import known_parameters, read_targets
from mekane.errors import ModelError

STEPS = 80
RANK = 1e-9


def trimmed(system, solve_for, at, hold, t, formulation):
    """An Equilibrium with the parameters `solve_for` found. hold=None: the whole posture is held."""
    system, unknown = known_parameters(system, solve_for or (), "equilibrium, solve_for")
    names, targets = read_targets(system, hold or {}, "equilibrium, hold")
    start = {**(at or {}), **(hold or {})}
    statics, rest = start_at(system, start, t, formulation, unknown, names)
    refuse_idle(rest, unknown)
    task = Trim(statics, names, targets, slice(len(start), len(start) + len(names)), hold is None)
    best = task.solve(rest)
    if task.wrong(best) > BALANCED:
        raise task.not_balanced(best)
    refuse_growing(best)
    return Equilibrium(statics, best, unknown, task.remarks(best))


def refuse_idle(rest, unknown):
    """Parameters to be found must push on something, and there must be some."""
    if not unknown:
        problem = "hold= says what to hold, but not which parameters shall do it"
        raise ModelError("equilibrium", problem, "solve_for= names them", 'Write solve_for=["motor.torque"].')
    for name, effect in zip(unknown, np.linalg.norm(rest.by_unknowns, axis=0), strict=True):
        if effect == 0.0:
            raise ModelError(
                f"parameter {name!r}",
                "no force depends on it in this posture",
                "solve_for= names what can balance forces",
            )


class Trim:
    """The search: `held` are the readings that have targets; `all_held`: the whole posture."""

    def __init__(self, statics, names, targets, held, all_held):
        self.statics, self.names, self.targets = statics, names, np.array(targets, float)
        self.held, self.all_held = held, all_held
        self.where = [statics.names.index(name) for name in statics.unknown]

    def wrong(self, rest):
        return rest.unbalanced + np.abs(rest.readings[self.held] - self.targets).max(initial=0.0)

    def solve(self, rest):
        """Newton's steps; the best that was met."""
        statics, best = self.statics, rest
        for _ in range(STEPS):
            y, values = self.step(rest)
            far = np.abs(y).max(initial=0.0)
            rest = statics.closed(
                statics.at(statics.moved(rest.q, y * min(1.0, WIDEST / max(far, 1e-300))), values, rest.integrals)
            )
            if rest is None:
                break
            better = self.wrong(rest) < 0.5 * self.wrong(best)
            best = rest if self.wrong(rest) <= self.wrong(best) else best
            if far < 1e-14 or (not better and self.wrong(best) < 1e-12):
                break
        return best

    def free(self, rest):
        """Allowed directions that change nothing that is held: columns, in terms of Z."""
        if self.all_held:
            return np.zeros((rest.Z.shape[1], 0))
        rows = rest.H[self.held] @ rest.Z
        length = np.linalg.norm(rows, axis=1)
        for name, size in zip(self.names, length, strict=True):
            if size < RANK:
                problem = f"{name!r} cannot be moved here"
                raise ModelError(
                    "equilibrium, hold", problem, "something that the constraints leave free", "Leave it out of hold=."
                )
        return range_and_null(rows / length[:, None])[1]

    def step(self, rest):
        """Scaled change of the configuration and new values of all parameters."""
        back = -least(rest.H[self.held] @ rest.Z, rest.readings[self.held] - self.targets)
        P, free = rest.Z.T @ rest.by_unknowns, self.free(rest)
        A, right = rest.stiffness @ free, P @ rest.parameters[self.where] - rest.slope - rest.stiffness @ back
        beyond = out_of_reach(A)
        values = rest.parameters.copy()
        values[self.where] = least(beyond.T @ P, beyond.T @ right)
        y = least(A, right - P @ values[self.where])
        return rest.Z @ (back + free @ y), values

    def remarks(self, rest):
        """Whether the parameters found are the only ones."""
        P, n = out_of_reach(rest.stiffness @ self.free(rest)).T @ rest.Z.T @ rest.by_unknowns, len(self.where)
        size = np.linalg.svd(P, compute_uv=False)
        rank = int(np.sum(size > RANK * max(size.max(initial=0.0), 1e-300)))
        if rank == n:
            return []
        return [
            f"{n} parameters for {rank} condition{'' if rank == 1 else 's'}: of all solutions the one with the smallest values."
        ]

    def not_balanced(self, rest):
        """Fewer unknowns than equations, or unknowns that do not help: the freedom that is left."""
        beyond = out_of_reach(np.hstack([rest.stiffness @ self.free(rest), rest.Z.T @ rest.by_unknowns]))
        left = rest.Z @ (beyond @ (beyond.T @ rest.slope))
        part, names = f"equilibrium of {self.statics.system.name!r}", ", ".join(map(repr, self.statics.unknown))
        if np.abs(left).max(initial=0.0) > BALANCED * rest.scale:
            k = int(np.abs(left).argmax())
            force = f"{-(left / self.statics.unit)[k]:.4g} {'N' if self.statics.slides[k] else 'N m'}"
            problem = f"nothing balances {force} along {coordinate(self.statics.compiled.speeds[k])}"
            expected = f"{names} leave{'s' if len(self.where) == 1 else ''} {beyond.shape[1]} of {rest.Z.shape[1]} freedoms unbalanced"
            return ModelError(
                part, problem, expected, "Name more parameters in solve_for=, or hold less of the posture."
            )
        problem = f"no values of {names} were found that balance the posture"
        return ModelError(
            part, problem, f"{rest.unbalanced:.2g} of the forces at work is left", "Start closer with at=."
        )


def out_of_reach(A):
    """Orthonormal columns that span what A cannot reach."""
    size = np.linalg.norm(A, axis=0)
    return range_and_null((A / np.where(size > 0, size, 1.0)).T)[1]
