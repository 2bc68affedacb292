"""Modes that forces in cones show, and the linear problem of these modes, compiled; and the whole solution where no rows repeat one
another and few sweeps are enough. For all else the answer is "not found", and `complementarity` goes on.  (N.9)"""

from typing import NamedTuple

import numpy as np

from mekane.algebra.lu import lu, lu_solve
from mekane.algebra.symmetric import invert_definite
from mekane.numba_backend.kernel import kernel
from mekane.solvers.contacts.cone_sweeps import AT_EDGE, NORMAL, TANGENT, TANGENTS, residual, sweeps

ROUND_OFF = 1e-13  # residual, relative
PATIENT, TOGETHER = 64, 8  # sweeps
RANK = 1e-12  # relative; Cholesky needs pivots 1e4 times that: forces are unique for certain


class ConeSpace(NamedTuple):
    """Scratch for m rows."""

    inverse: np.ndarray  # (m, m)
    basis: np.ndarray  # (m, m)
    columns: np.ndarray  # (m, m)  each the forces that one unknown stands for
    kept: np.ndarray  # (m,) int  rows whose velocities vanish
    fixed: np.ndarray  # (m,)  forces that are given
    equations: np.ndarray  # (m, m)
    unknown: np.ndarray  # (m,)
    swaps: np.ndarray  # (m,) int
    refined: np.ndarray  # (m,)


def cone_space(m):
    zeros, integers = np.zeros, lambda: np.zeros(m, np.int64)
    return ConeSpace(
        zeros((m, m)), zeros((m, m)), zeros((m, m)), integers(), zeros(m), zeros((m, m)), zeros(m), integers(), zeros(m)
    )  # fmt: skip


@kernel(exact=True, outer=True)
def solve_ordinary(L, scale, x, space):
    """x: the forces. Returns their residual over scale[0]; -1.0: not found."""
    m = x.shape[0]
    for i in range(m):
        x[i] = 0.0
    if not stop_all(L, space):
        return -1.0
    left = residual(L, space.refined) / scale[0]
    if left < ROUND_OFF:
        for i in range(m):
            x[i] = space.refined[i]
        return left
    for _ in range(0, PATIENT, TOGETHER):
        sweeps(L, x, TOGETHER)
        left = residual(L, x) / scale[0]
        if not refine(L, x, space):
            return -1.0
        refined = residual(L, space.refined) / scale[0]
        if refined < left:
            left = refined
            for i in range(m):
                x[i] = space.refined[i]
        if left < ROUND_OFF:
            return left
    return -1.0


@kernel(exact=True)
def stop_all(L, space):
    """space.refined: the forces that bring all velocities to zero, whether the sets allow them or not; False where rows
    repeat one another."""
    m = L.g.shape[0]
    for i in range(m):
        for j in range(m):
            space.inverse[i, j] = L.D[i, j]
        space.refined[i] = 0.0
    if not invert_definite(m, space.inverse, RANK, space.basis):
        return False
    for _ in range(2):  # refined once
        for i in range(m):
            space.unknown[i] = -L.g[i]
            for j in range(m):
                space.unknown[i] -= L.D[i, j] * space.refined[j]
        for i in range(m):
            for j in range(m):
                space.refined[i] += space.inverse[i, j] * space.unknown[j]
    return True


@kernel(exact=True, outer=True)
def write_linear(L, x, space):
    """The linear problem of the modes that x shows: which normals push, what sticks, what slides and where. Returns how many
    unknowns it has: right sides in space.unknown, space.equations over them."""
    m, n, size = x.shape[0], 0, 0.0
    for i in range(m):
        space.fixed[i] = 0.0
        size = max(size, abs(x[i]))
        for j in range(m):
            space.columns[i, j] = 0.0
    for b in range(L.place.shape[0]):
        n = write_columns(L, x, b, size, space, n)
    for i in range(n):
        row = space.kept[i]
        space.unknown[i] = -L.g[row]
        for j in range(m):
            space.unknown[i] -= L.D[row, j] * space.fixed[j]
        for k in range(n):
            space.equations[i, k] = 0.0
            for j in range(m):
                space.equations[i, k] += L.D[row, j] * space.columns[k, j]
    return n


@kernel(exact=True, outer=True)
def take_linear(x, space, n):
    """space.refined: forces from the solution of the linear problem, in space.unknown."""
    for i in range(x.shape[0]):
        space.refined[i] = space.fixed[i]
        for k in range(n):
            space.refined[i] += space.columns[k, i] * space.unknown[k]


@kernel(exact=True)
def refine(L, x, space):
    """space.refined: the solution of the linear problem. False if it is singular."""
    n = write_linear(L, x, space)
    if n > 0:
        if not lu(space.equations[:n, :n], space.swaps[:n]):
            return False
        lu_solve(space.equations[:n, :n], space.swaps[:n], space.unknown[:n])
    take_linear(x, space, n)
    return True


@kernel(exact=True)
def write_columns(L, x, b, size, space, n):
    """Unknowns of one element from number n on; returns the number after them."""
    N, first, count = L.place[b, NORMAL], L.place[b, TANGENT], L.place[b, TANGENTS]
    if L.closed[b] == 0:
        return n
    p = x[first] if count > 0 else 0.0
    q = x[first + 1] if count > 1 else 0.0
    carried, most = np.sqrt(p * p + q * q), L.friction[b] * (max(x[N], 0.0) if N >= 0 else 1.0)
    slides = L.known[b] == 1 or (count > 0 and carried >= most * (1.0 - AT_EDGE))
    p, q = (p / carried, q / carried) if carried > 0.0 else (0.0, 0.0)
    if L.known[b] == 1:
        p, q = -L.direction[b, 0], -L.direction[b, 1]
    if N >= 0:
        n = write_normal(L, x, b, size, space, n, slides, p, q)
    elif slides:
        put_friction(space.fixed, first, count, L.friction[b], p, q)
    if not slides:
        for i in range(count):
            space.kept[n], space.columns[n, first + i] = first + i, 1.0
            n += 1
    return n


@kernel(exact=True)
def write_normal(L, x, b, size, space, n, slides, p, q):
    """The normal of one element, with the friction that goes with it where it slides; returns as `write_columns`."""
    N, first, count = L.place[b, NORMAL], L.place[b, TANGENT], L.place[b, TANGENTS]
    if x[N] <= L.floor[b] + 1e-12 * size:
        space.fixed[N] = L.floor[b] if np.isfinite(L.floor[b]) else 0.0
        if slides:
            put_friction(space.fixed, first, count, L.friction[b] * space.fixed[N], p, q)
        return n
    space.kept[n], space.columns[n, N] = N, 1.0
    if slides:
        put_friction(space.columns[n], first, count, L.friction[b], p, q)
    return n + 1


@kernel(exact=True)
def put_friction(forces, first, count, size, p, q):
    if count > 0:
        forces[first] = size * p
    if count > 1:
        forces[first + 1] = size * q
