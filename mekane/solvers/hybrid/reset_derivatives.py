"""Speeds after an event, with their exact derivatives along parameters.  (N.8)

    M u⁺ − AᵀΛ = M u⁻ + I,     A u⁺ + c = w               A: active constraint rows and rates that are set
    M δu⁺ − AᵀδΛ = M δu⁻ + δM (u⁻ − u⁺) + δI + δAᵀ Λ,     A δu⁺ = δw − δc − δA u⁺

Velocities and tau are linear in speeds and accelerations, so that M, A and partial velocities come from one evaluation
for each speed, on dual numbers. Arrays here begin with an axis for the value and its derivatives along each parameter.
"""

from typing import NamedTuple

import numpy as np

from mekane.compiler.parameter_derivatives import STEP
from mekane.solvers.hybrid.impulse_wrenches import impulse_wrenches
from mekane.tables import columns as at

REDUNDANT = 1e-13  # beside the largest: rows that repeat others


class LinearParts(NamedTuple):
    """Of a model at one configuration, each (1 + parameters, …)."""

    M: np.ndarray  # (…, speeds, speeds)
    A: np.ndarray  # (…, rows, speeds)
    c: np.ndarray  # (…, rows)
    partial: np.ndarray  # (…, speeds, bodies, 6)  of (w, v at Bo)
    body: np.ndarray  # (…, bodies, columns)
    load_ud: np.ndarray  # (…, loads, speeds)  reactions that limit friction, by accelerations
    load_multipliers: np.ndarray  # (…, loads, all rows)  and by multipliers


def linear_parts(group, x, directions, rows):
    """group: of ParameterDerivatives; x: where; directions: how x changes with each parameter, whatever speeds do; rows:
    places of rates in z."""
    idle, X, n = group.without_laws, group.x, group.compiled.n_u
    x, directions = x.copy(), directions.copy()
    for part in (X.u, X.ud, X.multipliers):
        x[part], directions[:, part] = 0.0, 0.0

    def at_unit(part=None, r=0):
        here = x.copy()
        if part is not None:
            here[part.start + r] = 1.0
        z, derivatives = idle.along(here, directions)
        return np.vstack([z[None], derivatives]), idle.bodies_along()

    still, body = at_unit()
    accelerated = np.array([at_unit(X.ud, r)[0] for r in range(n)])
    tau, loads = accelerated[:, :, idle.z.tau], idle.z.loads
    pressed = [at_unit(X.multipliers, y)[0] for y in range(group.compiled.n_rows if loads.stop > loads.start else 0)]
    answers = lambda found: np.moveaxis(np.array([z[:, loads] - still[:, loads] for z in found]), 0, -1)
    moving = [at_unit(X.u, r) for r in range(n)]
    A = np.array([z[:, rows] - still[:, rows] for z, _ in moving])
    motion = slice(at.B_W, at.B_W + 6)
    partial = np.array([bodies[..., motion] - body[..., motion] for _, bodies in moving])
    return LinearParts(
        np.moveaxis(tau, 0, -1), np.moveaxis(A, 0, -1), still[:, rows], np.moveaxis(partial, 0, 1), body,
        answers(accelerated), answers(pressed) if pressed else np.zeros((len(still), 0, 0)),
    )  # fmt: skip


def speeds_after(parts, u, wanted, impulses):
    """u⁺ with its derivatives. u: before, wanted: rates of the rows, impulses: generalized; each with derivatives."""
    M, A, n, m = parts.M[0], parts.A[0], parts.M.shape[-1], parts.A.shape[1]
    scale = np.trace(M) / max(n, 1)
    K = np.block([[M / scale, -A.T], [A, np.zeros((m, m))]])
    solve = lambda force, rate: np.linalg.lstsq(K, np.concatenate([force / scale, rate]), rcond=REDUNDANT)[0]
    found = np.zeros_like(u)
    x = solve(M @ u[0] + impulses[0], wanted[0] - parts.c[0])
    found[0], multipliers = x[:n], scale * x[n:]
    for k in range(1, len(u)):
        dM, dA, dc = parts.M[k], parts.A[k], parts.c[k]
        force = M @ u[k] + dM @ (u[0] - found[0]) + impulses[k] + dA.T @ multipliers
        found[k] = solve(force, wanted[k] - dc - dA @ found[0])[:n]
    return found


def generalized_impulses(group, parts, number, components):
    """Of event `number`, with derivatives. components: (1 + parameters, impulses, 3)"""
    found = np.zeros(parts.M.shape[:2])
    for k, member in enumerate(group.members, 1):
        along = lambda X, k=k: X[0] + 1j * STEP * X[k]
        event = list(member.compiled.system.events.values())[number]
        wrenches = impulse_wrenches(member.compiled.frames, event, along(components), along(parts.body))
        impulses = np.einsum("rba,ba->r", along(parts.partial), wrenches)
        found[0], found[k] = impulses.real, impulses.imag / STEP
    return found
