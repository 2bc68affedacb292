"""mk.equations against SymPy's KanesMethod, on systems that were built independently of each other.

At points by chance: mass matrix and forcing entry by entry where the speeds are the same; with constraints, how the
speeds change and which speeds are possible. Tolerance 1e-11 relative: a few hundred roundings, and a linear system to
be solved. As formulas, where SymPy can decide: their difference simplifies to zero.

Whipple's bicycle is left out: SymPy needs minutes for it. The gallery checks it against published accelerations.
"""

import numpy as np
import pytest
import sympy as sm
import sympy_peers as peers
from scipy.linalg import null_space

import mekane as mk

TOLERANCE = 1e-11
OPEN = [
    peers.pendulum,
    peers.planar_pendulums,
    peers.short_spatial_chain,
    pytest.param(peers.spatial_chain, marks=pytest.mark.exhaustive),
    peers.cart_pole,
    peers.gyroscope,
    peers.coupled_pair,
    peers.robot_arm,
]
CONSTRAINED = [peers.four_bar, peers.sleigh, peers.car, peers.rolling_disc]
DECIDABLE = [peers.pendulum, peers.planar_pendulums, peers.cart_pole, peers.gyroscope, peers.robot_arm]
TIME = 0.7


def each(builders):
    return pytest.mark.parametrize("build", builders, ids=lambda build: build.__name__)


def close(found, expected):
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= TOLERANCE * np.abs(expected).max()


# ---------------------------------------------------------------- open chains


@each(OPEN)
def test_mass_matrix_and_forcing_at_points_by_chance(build):
    peer, rng = build(), np.random.default_rng(3)
    eq = mk.equations(peer.system({}), parameters="numeric")
    assert eq.trace.compiled.speeds == list(peer.speeds)
    theirs = sm.lambdify([peers.TIME, peer.q, peer.u], [peer.kane.mass_matrix, peer.kane.forcing], cse=True)
    for _ in range(3):
        q, u = rng.uniform(-1, 1, (2, len(peer.q)))
        M, f = theirs(TIME, q, u)
        known = {"t": TIME} | dict(zip(peer.coordinates, q, strict=True)) | dict(zip(peer.speeds, u, strict=True))
        close(eq.mass_matrix.evaluate(**known), M)
        close(eq.forcing.evaluate(**known), f[:, 0])


@each(DECIDABLE)
def test_mass_matrix_and_forcing_as_formulas(build):
    """SymPy's simplify is the judge. It finds the coupled pair equal too, but the root in its spring takes it half a
    minute."""
    peer = build()
    eq = mk.equations(peer.system({}), parameters="numeric")
    form = eq.book.sympy
    same = {form.symbol(name): theirs for names in (peer.coordinates, peer.speeds) for name, theirs in names.items()}
    for ours, theirs in ((eq.mass_matrix, peer.kane.mass_matrix), (eq.forcing, peer.kane.forcing)):
        difference = sm.nsimplify(ours.sympy.subs(same) - theirs, rational=True)
        assert difference.applyfunc(sm.simplify) == sm.zeros(*theirs.shape)


# ---------------------------------------------------------------- with constraints


class Consistent:
    """A state by chance that meets SymPy's constraints; what follows from it by KanesMethod."""

    def __init__(self, peer, rng):
        kane, q, u = peer.kane, sm.Matrix(peer.q), sm.Matrix(peer.u)
        numeric = lambda x: sm.lambdify([peers.TIME, list(q), list(u)], x, cse=True)
        speeds = sm.Matrix(list(peer.speeds.values()))
        rates = sm.Matrix([kane.kindiffdict()[x.diff(peers.TIME)] for x in q])
        constraint_jacobian = sm.Matrix(peer.rates).jacobian(u) if peer.rates else sm.zeros(0, len(u))
        q0 = self.closed(peer, rng.uniform(-0.4, 0.4, len(q)))
        self.possible = null_space(
            np.array(numeric(constraint_jacobian)(TIME, q0, np.zeros(len(u))), float).reshape(-1, len(u))
        )
        u0 = self.possible @ rng.uniform(-1, 1, self.possible.shape[1])
        wanted = numeric([kane.mass_matrix, kane.forcing, rates, speeds, speeds.jacobian(q), speeds.jacobian(u)])
        M, f, qd, self.speeds, by_q, by_u = (np.array(x, float) for x in wanted(TIME, q0, u0))
        ud = np.linalg.solve(M, f)
        self.accelerations = (by_q @ qd + by_u @ ud)[:, 0]
        self.speeds, self.possible = self.speeds[:, 0], by_u @ self.possible  # of ours
        self.state = dict(zip([*q, *u], [*q0, *u0], strict=True))

    def closed(self, peer, q):
        """Dependent coordinates, the last ones, by Newton's method."""
        if not peer.holds:
            return q
        residual = sm.Matrix(peer.holds)
        n = len(peer.holds)
        both = sm.lambdify([peer.q], [residual, residual.jacobian(peer.q[-n:])])
        q = q + [np.pi / 2, -np.pi / 4, -np.pi / 2]
        for _ in range(20):
            r, J = both(q)
            q[-n:] -= np.linalg.solve(J, r)[:, 0]
        assert np.abs(both(q)[0]).max() < 1e-14
        return q


@each(CONSTRAINED)
def test_motion_with_constraints_at_points_by_chance(build):
    """How the speeds change is the same, and no speeds that SymPy finds possible change a constraint; there are no
    others."""
    peer, rng = build(), np.random.default_rng(4)
    for _ in range(2):
        theirs = Consistent(peer, rng)
        eq = mk.equations(peer.system(theirs.state), parameters="numeric")
        known = {"t": TIME} | of_coordinates(peer, theirs, eq) | dict(zip(peer.speeds, theirs.speeds, strict=True))
        M, f, B, b = (
            x.evaluate(**known) for x in (eq.mass_matrix, eq.forcing, eq.constraint_matrix, eq.constraint_bias)
        )
        order = [list(peer.speeds).index(name) for name in eq.trace.compiled.speeds]
        possible = theirs.possible[order]
        assert np.abs(B @ possible).max() <= TOLERANCE and np.linalg.matrix_rank(B, 1e-9) == len(M) - possible.shape[1]
        close(with_multipliers(M, f, B, b), theirs.accelerations[order])


def of_coordinates(peer, theirs, eq):
    """Ours are SymPy's, or those of the system built in that state."""
    if peer.coordinates:
        return {ours: theirs.state[name] for ours, name in peer.coordinates.items()}
    return dict(zip(eq.trace.compiled.coordinates, eq.system.initial_state()[0], strict=True))


def with_multipliers(M, f, B, b):
    """ud of M ud = f + Bᵀ lambda, B ud + b = 0; rows that repeat others do no harm."""
    K = np.block([[M, -B.T], [B, np.zeros((len(B), len(B)))]])
    return np.linalg.lstsq(K, np.concatenate([f, -b]))[0][: len(M)]


@each([peers.sleigh, peers.car])
def test_constraints_as_formulas(build):
    """The knife edges' rates are SymPy's velocity constraints, or the opposite of them."""
    peer = build()
    eq = mk.equations(peer.system({}), parameters="numeric")
    form = eq.book.sympy
    same = {form.symbol(name): theirs for names in (peer.coordinates, peer.speeds) for name, theirs in names.items()}
    for ours, expected in zip(eq.constraints.sympy.subs(same), peer.rates, strict=True):
        assert any(sm.simplify(sm.nsimplify(ours + sign * expected, rational=True)) == 0 for sign in (1, -1))
