"""User-defined generalized speeds y = T(q, t) u + z(q, t) in place of those of a formulation.  [S 1–7, 12, 13], THEORY
(F.1)

partial velocities       V_y = V T⁻¹,   d/dt V_y = (dV/dt − V_y dT/dt) T⁻¹
mass matrix              M_y = T⁻ᵀ M T⁻¹
forcing                  f_y = T⁻ᵀ ( f + M T⁻¹ (dT/dt u + dz/dt) ),      since  u = T⁻¹ (y − z),   ud = T⁻¹ (yd − dT/dt
u − dz/dt) generalized forces       F_y = T⁻ᵀ F
"""

from typing import NamedTuple

import numpy as np

from mekane.errors import ModelError, did_you_mean
from mekane.expressions.graph import differentiate, evaluate, inputs, symbol

SINGULAR = 1e-12  # smallest singular value of T, beside one and the largest


class Change(NamedTuple):
    """The change of speeds at one state."""

    names: list[str]  # of y
    T: np.ndarray
    T_rate: np.ndarray
    z: np.ndarray
    z_rate: np.ndarray
    back: np.ndarray  # T⁻¹


def no_change(compiled):
    n = compiled.n_u
    return Change(list(compiled.speeds), np.eye(n), np.zeros((n, n)), np.zeros(n), np.zeros(n), np.eye(n))


def change_of_speeds(compiled, q, qd, t):
    """The change of speeds that the user-defined generalized speeds mean, at a state."""
    system, own = compiled.system, list(compiled.system.own_speeds.values())
    rows = [split(compiled, speed) for speed in own]
    change, replaced = no_change(compiled), places(compiled, own)
    state = {"t": t, **system.constants, **dict(zip(compiled.coordinates, q, strict=True))}
    rates = {"t": 1.0, **dict(zip(compiled.coordinates, qd, strict=True))}
    for r, speed, (row, rest) in zip(replaced, own, rows, strict=True):
        change.names[r] = speed.name
        change.T[r], change.z[r] = evaluate(row, state), evaluate([rest], state)[0]
        change.T_rate[r] = [time_derivative(entry, state, rates) for entry in row]
        change.z_rate[r] = time_derivative(rest, state, rates)
    refuse_singular(compiled, change, replaced, state)
    return change._replace(back=np.linalg.inv(change.T))


def split(compiled, speed):
    """Row of T as expressions, and z: the value is linear in the speeds."""
    value = speed.value.expr()
    known = {*compiled.coordinates, *compiled.speeds, *compiled.system.constants, "t"}
    for name in inputs([value]):
        if name not in known:
            shown = ", ".join([*compiled.coordinates, *compiled.speeds][:12])
            remedy = (
                did_you_mean(name, known).strip()
                or "Or request the equations in the speeds of the formulation: own_speeds=False."
            )
            raise ModelError(
                speed.part, f"unknown name {name!r}", f"the {compiled.formulation} formulation has {shown} …", remedy
            )
    row = [differentiate(value, symbol(name)) for name in compiled.speeds]
    if set(inputs(row)) & set(compiled.speeds):
        raise ModelError(speed.part, "it is not linear in the speeds", "u = Y(q) qd + z(q, t) is expected")
    still = {name: 0.0 if name in compiled.speeds else symbol(name) for name in inputs([value])}
    return row, evaluate([value], still)[0]


def time_derivative(expr, state, rates):
    """d/dt of an expression of coordinates and time."""
    return sum(
        evaluate([differentiate(expr, symbol(name))], state)[0] * rates[name]
        for name in inputs([expr])
        if name in rates
    )


def places(compiled, own):
    """Which speed of the formulation each user-defined speed replaces."""
    replaced = [speed.instead_of for speed in own]
    for speed in own:
        if speed.instead_of is not None and speed.instead_of not in compiled.speeds:
            remedy = did_you_mean(speed.instead_of, compiled.speeds).strip()
            raise ModelError(
                speed.part, f"there is no speed {speed.instead_of!r}", f"there are {', '.join(compiled.speeds)}", remedy
            )
        if speed.instead_of is not None and replaced.count(speed.instead_of) > 1:
            raise ModelError(
                speed.part, f"two speeds stand in for {speed.instead_of!r}", "one of them", "Change instead_of."
            )
    used = {name for speed in own if speed.instead_of is None for name in inputs([speed.value.expr()])}
    free = [name for name in compiled.speeds if name in used and name not in replaced]
    if len(free) != replaced.count(None):
        names = ", ".join(repr(speed.name) for speed in own if speed.instead_of is None)
        problem = f"{names}: {replaced.count(None)} to stand in for {len(free)} that occur in them ({', '.join(free) or 'none'})"
        raise ModelError(
            "speeds",
            problem,
            "as many of the one as of the other",
            'Write {"value": …, "instead_of": …} where it is not clear.',
        )
    rest = iter(free)
    return [compiled.speeds.index(next(rest) if name is None else name) for name in replaced]


def refuse_singular(compiled, change, replaced, state):
    T = change.T
    values = np.linalg.svd(T, compute_uv=False) if np.isfinite(T).all() else np.array([0.0])
    if values.min(initial=1.0) < SINGULAR * max(1.0, values.max(initial=0.0)):
        used = inputs([speed.value.expr() for speed in compiled.system.own_speeds.values()])
        where = ", ".join(
            f"{name} = {state[name]:.6g}" for name in used if name in state and name not in compiled.system.constants
        )
        names = ", ".join(repr(change.names[r]) for r in sorted(replaced))
        problem = f"{names} do not determine the motion" + (f" at {where}" if where else "")
        raise ModelError(
            "speeds", problem, "Y must have an inverse", "Choose other speeds, or stay away from this configuration."
        )
