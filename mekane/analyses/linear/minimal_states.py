"""Independent changes of a state that keep all constraints, to first order.  THEORY §6

    P δs = 0                         rows for positions, over changes of the configuration expressed in speeds
    V δs + G δu = 0                  rows for positions and speeds, over changes of both

solved for dependent changes: δs = S x_q, δu = U x_u + C x_q, where x_q and x_u are some of the numbers of δs and δu
themselves.
"""

from typing import NamedTuple

import numpy as np

from mekane.analyses.kinematics.speed_scales import size_of, unit_rows
from mekane.errors import ModelError

RANK = 1e-9  # of a row, beside one: rows are scaled to length one before


class Independent(NamedTuple):
    q: list  # which of δs are independent
    u: list  # which of δu
    S: np.ndarray  # δs = S x_q
    U: np.ndarray  # δu = U x_u + C x_q
    C: np.ndarray


def independent_states(local, wanted=None, kept=None):
    """Of a Local. wanted: names of speeds or coordinates that are to be among them; kept: those of another state, to be
    the same."""
    levels = np.array(local.compiled.pairs.levels[: local.compiled.n_rows])
    position, velocity_level = (levels == "position") & local.active, (levels != "acceleration") & local.active
    P, V, G = (
        local.by_shifts[:, local.z.phi].T[position],
        local.by_shifts[:, local.z.rate].T[velocity_level],
        local.G[velocity_level],
    )
    keep = indices_of(local.compiled, wanted)
    n, size = local.compiled.n_u, size_of(local.compiled.system)
    dependent_q, from_q = eliminated(P, np.zeros((len(P), 0)), [], kept.q if kept else keep, size)
    dependent_u, from_u = eliminated(G, -V, dependent_q, kept.u if kept else keep, size)
    free_q, free_u = ([r for r in range(n) if r not in taken] for taken in (dependent_q, dependent_u))
    refuse_dependent(local.compiled, keep, free_u)
    S, U = (
        completed(free_q, dependent_q, from_q[:, : len(free_q)]),
        completed(free_u, dependent_u, from_u[:, : len(free_u)]),
    )
    C = np.zeros((n, len(free_q)))
    C[dependent_u] = from_u[:, len(free_u) :] @ S
    return Independent(free_q, free_u, S, U, C)


def eliminated(rows, right, first, keep, size):
    """Columns that the rows determine, and how: by the free columns, then by the right side.

    Columns in `first` are taken before others, those in `keep` after all others."""
    rows, length = unit_rows(rows, size)
    right = right / length[:, None]
    n, solved = rows.shape[1], []  # (row, column)
    rank = np.ones(n)
    rank[keep], rank[first] = 1e-6, 1e6
    used = np.zeros(len(rows), bool)
    while not used.all():
        open_rows = np.abs(rows[~used])
        taken = [column for _, column in solved]
        open_rows[:, taken] = 0.0
        best = np.where(open_rows > RANK, open_rows * rank, 0.0)
        if best.max(initial=0.0) == 0.0:
            break
        k, column = np.unravel_index(np.argmax(best), best.shape)
        row = np.flatnonzero(~used)[k]
        used[row] = True
        pivot = rows[row, column]
        rows[row], right[row] = rows[row] / pivot, right[row] / pivot
        for other in range(len(rows)):
            if other != row and rows[other, column] != 0.0:
                factor = rows[other, column]
                rows[other], right[other] = rows[other] - factor * rows[row], right[other] - factor * right[row]
        solved.append((row, column))
    dependent = [int(column) for _, column in solved]
    free = [r for r in range(n) if r not in dependent]
    order = [row for row, _ in solved]
    return dependent, np.hstack([-rows[np.ix_(order, free)], right[order]])


def completed(free, dependent, by_free):
    """All numbers from the free ones."""
    matrix = np.zeros((len(free) + len(dependent), len(free)), by_free.dtype)
    matrix[free, range(len(free))] = 1.0
    matrix[dependent] = by_free
    return matrix


def shift_names(compiled):
    """Names of the changes of the configuration: coordinates, or turns about the body's axes for Euler parameters."""
    names = []
    for speed in compiled.speeds:
        owner, _, suffix = speed.rpartition(".")
        names.append(owner if suffix == "rate" else f"{owner}.turn.{suffix[-1]}")
    return names


def state_names(compiled):
    """Names of all changes of a state: of the configuration, then of speeds."""
    return [*shift_names(compiled), *compiled.speeds]


def indices_of(compiled, wanted):
    """Which changes are meant by these names."""
    names = state_names(compiled)
    return list(dict.fromkeys(names.index(name) % compiled.n_u for name in wanted or ()))


def refuse_dependent(compiled, keep, free):
    missing = [compiled.speeds[r] for r in keep if r not in free]
    if missing:
        problem = f"{', '.join(map(repr, missing))} cannot be independent together with the others"
        raise ModelError(
            "independent", problem, f"{len(free)} of them are independent here", "Name others, or leave it out."
        )
