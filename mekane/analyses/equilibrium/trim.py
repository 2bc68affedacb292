"""Trim: parameters, such as motor torques, with which a configuration is an equilibrium.

    Zᵀ(tau + K Z y + P (p − p0)) = 0          Z: what the constraints allow,  y: along directions that are not fixed,  P
    = ∂tau/∂p

What the free coordinates cannot balance is left to the parameters. If these are more than needed, the smallest values
are taken.
"""

import numpy as np

from mekane.analyses.equilibrium.equilibrium import Equilibrium, refuse_growing_controller_state, start_at
from mekane.analyses.equilibrium.solver import BALANCED, WIDEST
from mekane.analyses.equilibrium.stability import coordinate
from mekane.analyses.equilibrium.static_equations import least, range_and_null
from mekane.analyses.quantity_names import known_parameters, named_values
from mekane.errors import ModelError

STEPS = 80
RANK = 1e-9
IDLE = 1e-12  # of the forces in play: less than this, brought about by a change of a parameter by its size or by 1


def trimmed(system, solve_for, at, hold, t, formulation):
    """An Equilibrium with the parameters `solve_for` found. hold=None: the whole configuration is fixed."""
    system, unknown = known_parameters(system, solve_for or (), "equilibrium, solve_for")
    names, targets = named_values(system, hold or {}, "equilibrium, hold")
    start = {**(at or {}), **(hold or {})}
    statics, state = start_at(system, start, t, formulation, unknown, names)
    refuse_idle(state, unknown)
    task = Trim(statics, names, targets, slice(len(start), len(start) + len(names)), hold is None)
    best = task.solve(state)
    if task.wrong(best) > BALANCED:
        raise task.not_balanced(best)
    refuse_growing_controller_state(best)
    return Equilibrium(statics, best, unknown, task.remarks(best))


def refuse_idle(state, unknown):
    """Parameters to be found must push on something, and there must be some."""
    if not unknown:
        problem = "hold= names what to hold, but no parameter that shall do it"
        raise ModelError("equilibrium", problem, "solve_for= names them", 'Write solve_for=["motor.torque"].')
    sizes = np.maximum(1.0, np.abs([state.statics.compiled.system.parameters[name] for name in unknown]))
    for name, effect in zip(unknown, sizes * np.linalg.norm(state.by_unknowns, axis=0), strict=True):
        if effect <= IDLE * state.scale:
            raise ModelError(
                f"parameter {name!r}",
                "no force depends on it in this configuration",
                "solve_for= names what can balance forces",
            )


class Trim:
    """The search: `fixed` are the readings that have targets; `all_fixed`: the whole configuration."""

    def __init__(self, statics, names, targets, fixed, all_fixed):
        self.statics, self.names, self.targets = statics, names, np.array(targets, float)
        self.fixed, self.all_fixed = fixed, all_fixed
        self.where = [statics.names.index(name) for name in statics.unknown]

    def wrong(self, state):
        return state.unbalanced + np.abs(state.readings[self.fixed] - self.targets).max(initial=0.0)

    def solve(self, state):
        """Newton's steps; the best that was met."""
        statics, best = self.statics, state
        for _ in range(STEPS):
            y, values = self.step(state)
            far = np.abs(y).max(initial=0.0)
            state = statics.closed(
                statics.at(statics.displaced(state.q, y * min(1.0, WIDEST / max(far, 1e-300))), values, state.integrals)
            )
            if state is None:
                break
            better = self.wrong(state) < 0.5 * self.wrong(best)
            best = state if self.wrong(state) <= self.wrong(best) else best
            if far < 1e-14 or (not better and self.wrong(best) < 1e-12):
                break
        return best

    def free(self, state):
        """Allowed directions that change no fixed reading: columns, in terms of Z."""
        if self.all_fixed:
            return np.zeros((state.Z.shape[1], 0))
        rows = state.H[self.fixed] @ state.Z
        length = np.linalg.norm(rows, axis=1)
        for name, size in zip(self.names, length, strict=True):
            if size < RANK:
                problem = f"{name!r} cannot be moved here"
                raise ModelError(
                    "equilibrium, hold", problem, "something that the constraints leave free", "Leave it out of hold=."
                )
        return range_and_null(rows / length[:, None])[1]

    def step(self, state):
        """Scaled change of the configuration and new values of all parameters."""
        back = -least(state.H[self.fixed] @ state.Z, state.readings[self.fixed] - self.targets)
        P, free = state.Z.T @ state.by_unknowns, self.free(state)
        A, right = state.stiffness @ free, P @ state.parameters[self.where] - state.gradient - state.stiffness @ back
        beyond = orthogonal_complement(A)
        values = state.parameters.copy()
        values[self.where] = least(beyond.T @ P, beyond.T @ right)
        y = least(A, right - P @ values[self.where])
        return state.Z @ (back + free @ y), values

    def remarks(self, state):
        """Whether the parameters found are the only ones."""
        P, n = (
            orthogonal_complement(state.stiffness @ self.free(state)).T @ state.Z.T @ state.by_unknowns,
            len(self.where),
        )
        size = np.linalg.svd(P, compute_uv=False)
        rank = int(np.sum(size > RANK * max(size.max(initial=0.0), 1e-300)))
        if rank == n:
            return []
        return [
            f"{n} parameters for {rank} condition{'' if rank == 1 else 's'}: of all solutions the one with the smallest values."
        ]

    def not_balanced(self, state):
        """Fewer unknowns than equations, or unknowns that do not help: the freedom that is left."""
        beyond = orthogonal_complement(np.hstack([state.stiffness @ self.free(state), state.Z.T @ state.by_unknowns]))
        left = state.Z @ (beyond @ (beyond.T @ state.gradient))
        part, names = f"equilibrium of {self.statics.system.name!r}", ", ".join(map(repr, self.statics.unknown))
        if np.abs(left).max(initial=0.0) > BALANCED * state.scale:
            k = int(np.abs(left).argmax())
            force = f"{-(left / self.statics.unit)[k]:.4g} {'N' if self.statics.translational[k] else 'N m'}"
            problem = f"nothing balances {force} along {coordinate(self.statics.compiled.speeds[k])}"
            expected = f"{names} leave{'s' if len(self.where) == 1 else ''} {beyond.shape[1]} of {state.Z.shape[1]} freedoms unbalanced"
            return ModelError(
                part, problem, expected, "Name more parameters in solve_for=, or hold less of the configuration."
            )
        problem = f"no values of {names} were found that balance the configuration"
        return ModelError(
            part, problem, f"{state.unbalanced:.2g} of the forces at work is left", "Start closer with at=."
        )


def orthogonal_complement(A):
    """Orthonormal columns that span what A cannot reach."""
    size = np.linalg.norm(A, axis=0)
    return range_and_null((A / np.where(size > 0, size, 1.0)).T)[1]
