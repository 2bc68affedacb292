"""The 3-D example of [T] chapter IV: two bodies with a ball joint, by Kane in the speeds of the text and by Lagrange.

Oracle: the matrices of the text, typed here: A, f, B of (4.44)–(4.48), C of (4.51), kinetic energy and momenta
(4.61)–(4.62), generalized forces (4.65). Misprints corrected: (4.15) q̇5 s6 for q̇5 c6; (4.50) q̇6 = −(s5/c5)(c6 u4 −
s6 u5) + u6; in (4.65) t1y c5 s6 and t1x s6 stand for the printed t1y c5 c6 and t1x c6, as (4.15) asks for.
"""

import numpy as np
import pytest
import sympy as sp

import mekane as mk
from mekane.expressions.graph import evaluate, symbol
from mekane.gallery.ball_pair import NUMBERS, speeds_of_the_text, system
from mekane.symbolic.compare import random_states
from mekane.symbolic.traced import traced

BODIES = ("one", "two")
COMPONENTS = ("x", "y", "z", "angle1", "angle2", "angle3")


@pytest.fixture(scope="module")
def kane():
    s = system()
    s.generalized_speeds(speeds_of_the_text())
    return mk.equations(s, formulation="bryan")


@pytest.fixture(scope="module")
def lagrange():
    return mk.equations(system(), "lagrange", "bryan")


class Symbols:
    """What the text calls p and q, and speeds, in the SymPy of some equations."""

    def __init__(self, eq):
        form = eq.book.sympy
        self.p = {name: form.symbol(f"${name}" if f"${name}" in eq.traced.values else name) for name in NUMBERS}
        self.q = [form.symbol(f"{body}.{component}") for body in BODIES for component in COMPONENTS]
        self.u = [form.symbol(f"u{k}") for k in range(1, 13)] if eq.method == "Kane" else None
        self.rates = [q.diff(form.time) for q in self.q]

    def vector(self, letter, k):
        return sp.Matrix([self.p[f"{letter}{k}{axis}"] for axis in "xyz"])

    def angles(self, k):
        """sines and cosines of the three angles of body k"""
        angles = self.q[6 * k - 3 : 6 * k]
        return [*map(sp.sin, angles), *map(sp.cos, angles)]

    def turn(self, k):
        """S_k of (4.7) and (4.23)"""
        s4, s5, s6, c4, c5, c6 = self.angles(k)
        return sp.Matrix([
            [c5 * c6, -c5 * s6, s5],
            [c4 * s6 + s4 * s5 * c6, c4 * c6 - s4 * s5 * s6, -s4 * c5],
            [s4 * s6 - c4 * s5 * c6, c4 * s5 * s6 + s4 * c6, c4 * c5],
        ])  # fmt: skip

    def spin(self, k, rates):
        """(4.15), (4.30)"""
        _, s5, s6, _, c5, c6 = self.angles(k)
        d4, d5, d6 = rates[6 * k - 3 : 6 * k]
        return sp.Matrix([d4 * c5 * c6 + d5 * s6, d5 * c6 - d4 * c5 * s6, d4 * s5 + d6])

    def columns(self, k):
        """a_ij, −b_ij of (4.42): the columns are h_y S_·3 − h_z S_·2, −h_x S_·3 + h_z S_·1, h_x S_·2 − h_y S_·1"""
        S, (hx, hy, hz) = self.turn(k), self.vector("h", k)
        x, y, z = S[:, 0], S[:, 1], S[:, 2]
        return sp.Matrix.hstack(hy * z - hz * y, -hx * z + hz * x, hx * y - hy * x)


def is_zero(matrix):
    return all(sp.simplify(sp.expand(x)) == 0 for x in matrix)


def test_mass_matrix(kane):
    """A of (4.47)"""
    p = Symbols(kane).p
    diagonal = [x for k in "12" for x in (*[p[f"M{k}"]] * 3, *(p[f"N{k}{axis}"] for axis in "xyz"))]
    assert kane.mass_matrix.sympy == sp.diag(*diagonal)


def test_forcing(kane):
    """f of (4.48)"""
    s = Symbols(kane)
    expected = []
    for k in (1, 2):
        (Nx, Ny, Nz), (wx, wy, wz) = s.vector("N", k), s.u[6 * k - 3 : 6 * k]
        gyration = sp.Matrix([wy * wz * (Ny - Nz), wz * wx * (Nz - Nx), wx * wy * (Nx - Ny)])
        expected += [*s.vector("r", k), *(s.vector("t", k) + gyration)]
    assert is_zero(kane.forcing.sympy - sp.Matrix(expected))


def test_constraints(kane):
    """B of (4.44): (1 a −1 b); the constraint itself is (4.37)."""
    s, one = Symbols(kane), sp.eye(3)
    B = sp.Matrix.hstack(one, s.columns(1), -one, -s.columns(2))
    assert is_zero(kane.constraint_matrix.sympy - B)
    gap = sp.Matrix(s.q[0:3]) + s.turn(1) * s.vector("h", 1) - sp.Matrix(s.q[6:9]) - s.turn(2) * s.vector("h", 2)
    assert is_zero(kane.constraints.sympy - gap)


def test_kinematics(kane):
    """C of (4.51), q̇ = C u"""
    s, rows = Symbols(kane), {}
    for name, x in zip(kane.kinematical.rows, kane.kinematical.sympy, strict=True):
        rows[name] = x
    found = sp.Matrix([rows[f"{body}.{component}"] for body in BODIES for component in COMPONENTS]).jacobian(s.u)
    blocks = []
    for k in (1, 2):
        _, s5, s6, _, c5, c6 = s.angles(k)
        angles = sp.Matrix([[c6 / c5, -s6 / c5, 0], [s6, c6, 0], [-c6 * s5 / c5, s6 * s5 / c5, 1]])
        blocks += [sp.eye(3), angles]
    assert is_zero(found - sp.diag(*blocks))


def test_partial_velocities(kane):
    """(4.19), (4.34): unit vectors"""
    for k, body in enumerate(BODIES):
        unit = np.zeros((2, 12, 3))
        unit[0, 6 * k : 6 * k + 3] = unit[1, 6 * k + 3 : 6 * k + 6] = np.eye(3)
        assert kane.partial_velocities[body].sympy == sp.Matrix(unit[0].astype(int))
        assert kane.partial_angular_velocities[body].sympy == sp.Matrix(unit[1].astype(int))


def test_energy_and_momenta(lagrange):
    """(4.61), and (4.62) by differentiating it"""
    s = Symbols(lagrange)
    K = 0
    for k in (1, 2):
        v, w, N = sp.Matrix(s.rates[6 * k - 6 : 6 * k - 3]), s.spin(k, s.rates), s.vector("N", k)
        K += s.p[f"M{k}"] * v.dot(v) / 2 + sum(n * x**2 for n, x in zip(N, w, strict=True)) / 2
    assert is_zero([lagrange.kinetic_energy.sympy - K])
    p4 = (s.p["N1x"] * sp.cos(s.q[4]) ** 2 * sp.cos(s.q[5]) ** 2 + s.p["N1y"] * sp.cos(s.q[4]) ** 2 * sp.sin(s.q[5]) ** 2
          + s.p["N1z"] * sp.sin(s.q[4]) ** 2) * s.rates[3] + (s.p["N1x"] - s.p["N1y"]) * sp.cos(s.q[4]) * sp.cos(s.q[5]) * sp.sin(
        s.q[5]) * s.rates[4] + s.p["N1z"] * sp.sin(s.q[4]) * s.rates[5]  # fmt: skip
    assert is_zero([lagrange.momenta.sympy[3] - p4])
    assert is_zero(lagrange.momenta.sympy - sp.Matrix([K.diff(rate) for rate in s.rates]))


def test_generalized_forces(lagrange):
    """Q of (4.65)"""
    s, expected = Symbols(lagrange), []
    for k in (1, 2):
        _, s5, s6, _, c5, c6 = s.angles(k)
        tx, ty, tz = s.vector("t", k)
        expected += [*s.vector("r", k), tx * c5 * c6 - ty * c5 * s6 + tz * s5, tx * s6 + ty * c6, tz]
    assert is_zero(lagrange.generalized_forces.sympy - sp.Matrix(expected))


def test_lagrange_is_a_linear_combination_of_kane(kane, lagrange):
    """[T 4.4]: with u = Y q̇, Lagrange's equations are Yᵀ times Kane's. Mass matrices, and how much longer Lagrange's
    are."""
    s = Symbols(lagrange)
    Y = sp.diag(
        *(block for k in (1, 2) for block in (sp.eye(3), s.spin(k, s.rates).jacobian(s.rates[6 * k - 3 : 6 * k])))
    )
    A = kane.mass_matrix.sympy.subs({kane.book.sympy.symbol(name): x for name, x in s.p.items()})
    assert is_zero(lagrange.mass_matrix.sympy - Y.T * A * Y)
    assert kane.mass_matrix.operations == 0 and lagrange.mass_matrix.operations > 30


def test_user_defined_speeds_give_the_same_motion():
    """Accelerations in user-defined generalized speeds, changed back, are those in rates of angles. 1e-12: two orders of the same sums."""
    s = system()
    s.generalized_speeds(speeds_of_the_text())
    user = mk.equations(s, formulation="bryan", parameters="numeric")
    plain = traced(s, "bryan", "numeric").trace
    state = next(random_states(traced(s, "bryan", "numeric")))
    names = plain.compiled.speeds
    y = evaluate([own_speed(user.trace, k, names) for k in range(12)], state)
    replaced = {name: x for name, x in state.items() if name not in names} | dict(
        zip(user.trace.compiled.speeds, y, strict=True)
    )
    ours, theirs = (
        np.array(evaluate(user.trace.right_hand_side(), replaced)),
        np.array(evaluate(plain.right_hand_side(), state)),
    )
    assert ours[:14] == pytest.approx(theirs[:14], abs=1e-12)  # rates of coordinates
    u_dot = np.array(evaluate(user.trace.back.ravel().tolist(), replaced)).reshape(12, 12) @ (
        ours[14:26] - np.array(evaluate(user.trace.rate_bias, replaced))
    )
    assert u_dot == pytest.approx(theirs[14:26], abs=1e-12 * np.abs(theirs).max())


def own_speed(trace, k, names):
    """y_k in the speeds of the formulation"""
    return sum(a * symbol(name) for a, name in zip(trace.change[k], names, strict=True)) + trace.offset[k]
