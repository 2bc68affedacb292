"""Kane's equations: the order-N recursion against a dense method, which shares with it only where bodies are and how
they move.

Oracle: M from partial velocities at the mass centres (E.3), bias from exact accelerations (complex step), the user's
mass properties; constraints by one dense solve of (C.1). Tolerances: condition of the dense matrices, 1e4 at most here,
times round-off.
"""

import numpy as np
import pytest
import systems
from engine import STEP, Model, derivative, plain_derive

from mekane.formulations import NAMES as FORMULATIONS
from mekane.tables import columns as at
from mekane.tables.columns import OUT
from mekane.tables.tables import N_ACTIVE

SYSTEMS = systems.named() | {f"ring {kind}": (lambda kind=kind: systems.ring(kind)) for kind in systems.KINDS}

everywhere = pytest.mark.parametrize("formulation", FORMULATIONS)
every_system = pytest.mark.parametrize("name", SYSTEMS)
pytestmark = pytest.mark.divided("name", 3)


class Dense:
    """M, f, B and γ of a state, by definition."""

    def __init__(self, model, t, y):
        self.model, self.y = model, y
        n_q, n_u = model.n_q, model.n_u
        q = y[:n_q]
        parts = {name: body for name, body in model.system.bodies.items()}
        here = model.poses(y)
        moving = [model.poses(np.concatenate([q, speed])) for speed in np.eye(n_u)]
        rates = [
            model.evaluate_kinematics(np.concatenate([q, speed])).row[: model.n_rows, at.Y_RATE].copy()
            for speed in np.eye(n_u)
        ]
        self.B = np.array(rates).T.reshape(model.n_rows, n_u)
        W = model.moved(y, model.qd(y), np.zeros(n_u))
        self.gamma = -derivative(W.row[: model.n_rows, at.Y_RATE])
        model.rhs(t, y)
        self.M, self.f = np.zeros((n_u, n_u)), model.W.speed[:, at.S_TAU].copy()
        for name, body in parts.items():
            i = model.compiled.frames.row[name]
            R, w = here.R[name], here.w[name]
            I, c = R @ body.inertia @ R.T, R @ body.com
            from_Bo = here.p[name] + c - W.body[i, at.B_P : at.B_P + 3].real
            w_r = np.array([p.w[name] for p in moving])
            v_r = np.array([p.v[name] + np.cross(p.w[name], c) for p in moving])
            alpha, a = derivative(W.body[i, at.B_W : at.B_W + 3]), derivative(W.body[i, at.B_V : at.B_V + 3])
            a = a + np.cross(alpha, from_Bo) + np.cross(w, np.cross(w, from_Bo))
            force = model.W.body[i, at.B_FX : at.B_FX + 3] + body.mass * np.array(model.system.gravity)
            torque = model.W.body[i, at.B_TX : at.B_TX + 3] - np.cross(from_Bo, model.W.body[i, at.B_FX : at.B_FX + 3])
            self.M += body.mass * v_r @ v_r.T + w_r @ I @ w_r.T
            self.f += v_r @ (force - body.mass * a) + w_r @ (torque - I @ alpha - np.cross(w, I @ w))

    def solve(self):
        """ud and multipliers of the active rows, by (C.1)."""
        active = self.model.active
        B, n, m = self.B[active], len(self.f), len(active)
        K = np.block([[self.M, -B.T], [B, np.zeros((m, m))]])
        x = np.linalg.solve(K, np.concatenate([self.f, self.gamma[active]]))
        return x[:n], x[n:]


def close(a, b, tolerance):
    return np.abs(a - b).max(initial=0.0) <= tolerance * max(1.0, np.abs(b).max(initial=0.0))


@everywhere
@every_system
def test_accelerations_and_multipliers_are_those_of_the_dense_equations(name, formulation):
    model = Model(SYSTEMS[name], formulation)
    y = model.somewhere(far=0.2)
    model.choose(y)
    ud, lam = Dense(model, 0.3, y).solve()
    found = model.rhs(0.3, y)[model.n_q : model.n_q + model.n_u]
    assert close(found, ud, 1e-10)
    assert close(model.W.multiplier[model.active], lam, 1e-9)
    assert np.all(np.delete(model.W.multiplier, model.active) == 0.0)


@everywhere
@every_system
def test_energy_changes_by_the_work_of_non_conservative_elements_alone(name, formulation):
    """d(T + V − W)/dt = 0 on the constraints. Oracle: complex step along the right-hand side; tolerance relative to the
    powers at play."""
    model = Model(SYSTEMS[name], formulation)
    t, y = 0.3, model.on_the_way(0.1)
    model.choose(y)
    yd = model.rhs(t, y)
    W, out = model.workspace(complex), np.zeros(OUT, complex)
    plain_derive(model.T, W, t + 1j * STEP, y + 1j * STEP * yd, np.zeros(len(y), complex), out)
    stored = [derivative(W.r[register]) for register in model.compiled.energy_registers.values()]
    lost = yd[model.n_q + model.n_u :]
    powers = np.array([derivative(out[0]), derivative(out[1]), *stored, *-lost])
    assert abs(powers.sum()) <= 1e-11 * max(1.0, np.abs(powers).max())


@everywhere
@every_system
def test_inverse_dynamics_undoes_forward_dynamics(name, formulation):
    """tau = M ud − f for any ud; and for the ud of the motion what is left is the constraint force Bᵀ lam, zero without
    constraints.

    Inverse dynamics is expressed in the speeds of the recursion; where those of the state are others, y = T u, as in (F.1):
    tau = Tᵀ (M yd − f).
    """
    model = Model(SYSTEMS[name], formulation)
    y = model.somewhere(far=0.2)
    model.choose(y)
    dense = Dense(model, 0.3, y)
    state = y[: model.n_q + model.n_u]
    T, bias = change_of_speeds(model, y)
    ud = np.random.default_rng(5).normal(size=model.n_u)
    assert close(model.inverse(0.3, state, ud), T.T @ (dense.M @ (T @ ud + bias) - dense.f), 1e-11)
    ud = np.linalg.solve(T, model.rhs(0.3, y)[model.n_q : model.n_q + model.n_u] - bias)
    held = dense.B[model.active].T @ model.W.multiplier[model.active] if len(model.active) else np.zeros(model.n_u)
    assert close(model.inverse(0.3, state, ud), T.T @ held, 1e-9)


def change_of_speeds(model, y):
    """T and Ṫ u of yd = T ud + Ṫ u, the rates of the state's speeds for the ud of the recursion; mostly the identity
    and zero."""
    of = lambda y, ud: model.of_the_state(model.accelerated(y, ud), ud)
    rest = np.concatenate([y[: model.n_q], np.zeros(model.n_u)])
    return np.array([of(rest, ud) for ud in np.eye(model.n_u)]).T, of(y, np.zeros(model.n_u))


@everywhere
@every_system
def test_deriving_twice_gives_the_same(name, formulation):
    """A second call of `derive` finds nothing left of the first. Oracle: the first answer, to the last bit. The
    right-hand side by itself, compiled separately with its sums in another order, agrees to round-off times the
    condition of D: 1e-9."""
    model = Model(SYSTEMS[name], formulation)
    y = model.somewhere(far=0.2)
    model.choose(y)
    before = model.rhs(0.3, y)
    first = model.derive(0.3, y)
    assert np.array_equal(model.derive(0.3, y), first)
    np.testing.assert_allclose(first[: len(y)], before, rtol=1e-9, atol=1e-9 * max(1.0, np.abs(before).max()))


@everywhere
@every_system
def test_bodies_balance_with_what_their_joints_carry(name, formulation):
    """After `derive`, W.wrench holds what each body gets through its tree joint. Oracle: Newton and Euler for each body
    by itself, with the user's mass properties and exact accelerations along yd."""
    model = Model(SYSTEMS[name], formulation)
    y = model.somewhere(far=0.2)
    model.choose(y)
    yd = model.derive(0.3, y)[: len(y)]
    carried, loads = model.W.wrench.copy(), model.W.body.copy()
    W = model.moved(y, yd[: model.n_q], yd[model.n_q : model.n_q + model.n_u])
    here = model.poses(y)
    row = model.compiled.frames.row
    for name_, body in model.system.bodies.items():
        i, R, w = row[name_], here.R[name_], here.w[name_]
        I = R @ body.inertia @ R.T
        c = here.p[name_] + R @ body.com - W.body[i, at.B_P : at.B_P + 3].real
        alpha, a = derivative(W.body[i, at.B_W : at.B_W + 3]), derivative(W.body[i, at.B_V : at.B_V + 3])
        a = a + np.cross(alpha, c) + np.cross(w, np.cross(w, c))
        force = carried[i, 3:] + loads[i, at.B_FX : at.B_FX + 3] + body.mass * np.array(model.system.gravity)
        moment = (
            carried[i, :3]
            + loads[i, at.B_TX : at.B_TX + 3]
            - np.cross(c, carried[i, 3:] + loads[i, at.B_FX : at.B_FX + 3])
        )
        for k in range(1, len(model.T.body_i)):
            if model.T.body_i[k, at.PARENT] == i:
                arm = W.body[k, at.B_P : at.B_P + 3].real - W.body[i, at.B_P : at.B_P + 3].real - c
                force = force - carried[k, 3:]
                moment = moment - carried[k, :3] - np.cross(arm, carried[k, 3:])
        size = max(1.0, np.abs(carried).max())
        assert np.abs(force - body.mass * a).max() <= 1e-10 * size
        assert np.abs(moment - I @ alpha - np.cross(w, I @ w)).max() <= 1e-10 * size


@pytest.mark.parametrize("kind", ["ball", "universal", "pin_slider"])
def test_holding_more_rows_never_adds_motion(kind):
    """With the rows of the closing joint in use their second derivatives vanish; without them the joint would part."""
    model = Model(systems.ring(kind))
    y = model.on_the_way(0.1)
    model.choose(y)
    for active, expected in ((len(model.active), True), (0, False)):
        model.W.state[N_ACTIVE] = active
        ud = model.rhs(0.0, y)[model.n_q : model.n_q + model.n_u]
        W = model.moved(y, model.qd(y), ud)
        parting = np.abs(derivative(W.row[: model.n_rows, at.Y_RATE])).max()
        assert (parting < 1e-10) == expected
