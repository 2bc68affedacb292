"""Exact derivatives of the initial state with respect to a parameter: of what was given, and of what assembly makes of
it.

Assembly moves bodies, and changes speeds, as little as possible in the mass metric (C.3). Here its steps are taken again on
numbers that carry a derivative (complex step), and one more from where it ended.
"""

import numpy as np

from mekane.algebra.vectors import sym_turned
from mekane.compiler.compiler import compile_system
from mekane.compiler.coordinates import Poses, initial_poses
from mekane.compiler.parameter_derivatives import derivative, exact, stepped
from mekane.kernels.projection import shift
from mekane.numba_backend.kernel import plain
from mekane.solvers.constraints.assembly import (
    REPEATED,
    assemble,
    damping,
    evaluate_rows,
    largest,
    least_squares,
    mechanism_size,
    poses_of,
    shortened,
    state_of,
)
from mekane.tables import columns as at


def initial_state_derivatives(
    system, formulation: str, name: str, assembled: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """d q/dp and d u/dp of the initial state, for the parameter (or the number at the address) `name`.

    assembled: of the state that meets all joints, constraints and initial rates. Otherwise of what was given with the
        bodies alone: positions and velocities as the tree of the formulation can express them; nothing is projected
        onto constraints, and rates given with joints are left out.
    """
    system_h = stepped(system, name)
    with exact():
        compiled = compile_system(system_h, formulation)
        given = initial_poses(system_h)
        poses = assembled_poses(system_h, given, assemble(system)) if assembled else given
        q, u = state_of(compiled, poses)
    return derivative(q), derivative(u)


def assembled_poses(system, given: Poses, assembly) -> Poses:
    """Poses that meet all joints, with their derivatives; `assembly` is that of the system without derivatives."""
    compiled, size = compile_system(system, "absolute"), mechanism_size(system)
    W = compiled.workspace()
    moved = assembly.gap > REPEATED * np.real(size)  # else what stays open may be rounding in a file
    q, u = state_of(compiled, given if moved else about(given, assembly.poses))
    evaluate_rows(compiled, W, q, 0 * u)
    active = np.flatnonzero(compiled.rows_on(W.r)).tolist()
    reach = max(size, largest(W.row[active, at.Y_PHI]), key=np.real)
    for _ in range(assembly.steps if moved else 0):
        close_further(compiled, W, q, active, size, reach)
    x = changed(compiled, W, active, 1j * W.row[active, at.Y_PHI].imag, 0 * u)
    plain(shift)(compiled.tables.primitive_i, q, -x)
    evaluate_rows(compiled, W, q, u)
    measurements = compiled.pairs.measurement
    rates = {
        measurements[name, coordinate]: value
        for name, joint in system.joints.items()
        for coordinate, value in joint.rates.items()
    }
    rows = active + list(rates)
    target = np.array([0.0] * len(active) + list(rates.values()), complex)
    if any(system.bodies[link.parent].mass == 0 for link in compiled.links if link.parent != "ground"):
        u = nearest(compiled, W, given)
        evaluate_rows(compiled, W, q, u)
    u = u + changed(compiled, W, rows, target - W.row[rows, at.Y_RATE], 0 * u)
    evaluate_rows(compiled, W, q, u)
    return poses_of(compiled, W)


def close_further(compiled, W, q, active, size, reach):
    """One Newton step of assembly on q, and the rows there.  x = −M⁻¹ Bᵀ s (s B M⁻¹ Bᵀ s + c)⁻¹ s φ,  c the damping"""
    S, phi = partial_velocities(compiled, W), W.row[active, at.Y_PHI]
    M, B = sum(s.T @ m @ s for s, m in zip(S, masses(compiled, W), strict=True)), row_matrix(compiled, W, active, S)
    wrench = solve(M, B.T)
    scale = 1.0 / np.sqrt(np.sum(B.T * wrench, axis=0))
    D = scale[:, None] * (B @ wrench) * scale
    lam = scale * solve(D + damping(largest(phi) / size) * np.eye(len(phi)), scale * phi)
    x = -wrench @ lam
    plain(shift)(compiled.tables.primitive_i, q, x * shortened(compiled.tables.speed_kind, x, reach))
    evaluate_rows(compiled, W, q, 0 * x)


def solve(A, b):
    """A⁻¹ b, with its derivative (complex step)."""
    x = np.linalg.solve(A.real, b.real)
    return x + 1j * np.linalg.solve(A.real, b.imag - A.imag @ x)


def about(given: Poses, found: Poses) -> Poses:
    """The poses found, with the derivatives of those given; motions as given."""
    rotated = {name: found.R[name] @ given.R[name].real.T @ given.R[name] for name in given.R}
    return Poses(rotated, {name: found.p[name] + 1j * np.imag(given.p[name]) for name in given.p}, given.w, given.v)


def changed(compiled, W, rows, wanted, x):
    """The smallest change of speeds, in the mass metric, that changes these rows as wanted.  M x + Bᵀ λ = 0,  B x =
    wanted"""
    if not rows:
        return x
    S = partial_velocities(compiled, W)
    M, B = sum(s.T @ m @ s for s, m in zip(S, masses(compiled, W), strict=True)), row_matrix(compiled, W, rows, S)
    n, scale = len(M), np.trace(M).real / len(M)
    K = np.block([[M / scale, B.T], [B, np.zeros((len(rows), len(rows)))]])
    return least_squares(K, np.concatenate([np.zeros(n), wanted]), rcond=1e-12)[:n]


def nearest(compiled, W, given: Poses):
    """Speeds that leave least kinetic energy in what they miss of the motions given."""
    S, m = partial_velocities(compiled, W), masses(compiled, W)
    right = 0.0
    for i, link in enumerate(compiled.links):
        R_NB = W.body[i + 1, at.B_R : at.B_R + 9].reshape(3, 3)
        w = given.w[link.body]
        right = right + S[i].T @ m[i] @ np.concatenate(
            [w, given.v[link.body] - np.cross(w, R_NB @ compiled.frames.p_BU[i + 1])]
        )
    return least_squares(sum(s.T @ b @ s for s, b in zip(S, m, strict=True)), right, rcond=1e-12)


def partial_velocities(compiled, W):
    """For each body of the tree the 6×speeds matrix of (w_r, v_r) at Bo."""
    T, S = compiled.tables, [np.zeros((6, compiled.n_u), complex)]
    for i, link in enumerate(compiled.links, 1):
        parent = S[compiled.frames.row[link.parent]]
        mine = parent.copy()
        mine[3:] += np.cross(parent[:3], W.body[i, at.B_D : at.B_D + 3], axis=0)
        for r in range(T.body_i[i, at.SPEED0], T.body_i[i, at.SPEED1]):
            mine[:, r] = W.speed[r, at.S_W : at.S_W + 6]
            if T.speed_kind[r] == at.PURE_ROTATION:
                mine[3:, r] = 0.0
        S.append(mine)
    return S[1:]


def masses(compiled, W):
    """For each body the 6×6 matrix of twice its kinetic energy in (w, v) at Bo, world axes."""
    found = []
    for i in range(1, len(compiled.links) + 1):
        R, row = W.body[i, at.B_R : at.B_R + 9], compiled.tables.body_f[i, at.T_MASS :]
        x, y, z = R.reshape(3, 3) @ row[1:4]
        xx, yy, zz, xy, xz, yz = plain(sym_turned)(R, row[4:10])
        arm = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        found.append(
            np.block([[np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), arm], [-arm, row[0] * np.eye(3)]])
        )
    return found


def row_matrix(compiled, W, rows, S):
    """B: how the rates of these rows change with the speeds."""
    T, B = compiled.tables, np.zeros((len(rows), compiled.n_u), complex)
    for line, y in zip(B, rows, strict=True):
        for k in range(T.row_i[y, at.ROW_TERM], T.row_i[y, at.ROW_TERM_END]):
            body = T.term_i[k, at.TERM_BODY]
            if body > 0:
                line += W.term[k, at.Z_T : at.Z_T + 6] @ S[body - 1]
    return B
