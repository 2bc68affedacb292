"""The 2-D example of [T] chapter III by three methods.

Oracle: the equations of the text, typed here: (3.17)–(3.52) for the free bodies, (3.58)–(3.60) by Lagrange and by Kane;
SymPy says whether they are equal. In (3.58) and (3.91) the factor of q̈2 is printed (Iz1 + Iz2); it is (Iz2 + Iz3).
"""

import pytest
import sympy as sp

import mekane as mk
from mekane.gallery.sprung_mechanism import NUMBERS, system

JOINTS = ("hinge1.angle", "hinge2.angle", "guide.displacement")


def turn(angle):
    """(3.2)"""
    return sp.Matrix([[sp.cos(angle), -sp.sin(angle)], [sp.sin(angle), sp.cos(angle)]])


def along(a, S, b):
    """(a1 a2) S (b1, b2)ᵀ"""
    return (sp.Matrix([a]) * S * sp.Matrix(b))[0]


class Text:
    """What the text says, in given symbols for q, q̇ and q̈."""

    def __init__(self, p, q, rates, second):
        self.p, self.q, self.d, self.e = p, q, rates, second

    def lagrange(self, misprint=False):
        """Left side less right side of (3.58), (3.59), (3.60)."""
        p, (q1, q2, q3), (d1, d2, d3), (e1, e2, e3) = self.p, self.q, self.d, self.e
        a1, a2, b1, b2, c1, c2, h1, h2 = (p[x] for x in ("a1", "a2", "b1", "b2", "c1", "c2", "h1", "h2"))
        M1, M2, M3, I1, I2, I3 = (p[x] for x in ("M1", "M2", "M3", "Iz1", "Iz2", "Iz3"))
        S2, H, h, b, c, x = turn(q2), (-h2, h1), (h1, h2), (-b2, b1), (-c2, q3 + c1), (1, 0)
        first = (
            e1 * (I1 + I2 + I3) + e2 * (I1 + I2 if misprint else I2 + I3) + M1 * e1 * (a1**2 + a2**2)
            + M2 * (e1 * (h1**2 + h2**2) + (2 * e1 + e2) * along(H, S2, b) + (2 * d1 + d2) * d2 * along(h, S2, b)
                    + (e1 + e2) * (b1**2 + b2**2))
            + M3 * (e1 * (h1**2 + h2**2) + e3 * along(H, S2, x) + (2 * e1 + e2) * along(H, S2, c)
                    + 2 * (d1 + d2) * d3 * along(h, S2, x) + (2 * d1 + d2) * d2 * along(h, S2, c) - e3 * c2
                    + (e1 + e2) * (c2**2 + (q3 + c1) ** 2) + 2 * (d1 + d2) * d3 * (q3 + c1))
            - (-p["K1"] * q1 + along((0, -p["Q1"]), turn(q1), (-a2, a1)))
        )  # fmt: skip
        second = (
            (e1 + e2) * (I2 + I3)
            + M2 * (e1 * along(H, S2, b) + (e1 + e2) * (b1**2 + b2**2) - d1**2 * along(h, S2, b))
            + M3 * (e1 * along(H, S2, c) - e3 * c2 + (e1 + e2) * (c2**2 + (q3 + c1) ** 2) + 2 * (d1 + d2) * d3 * (q3 + c1)
                    - d1**2 * along(h, S2, c))
            + p["K2"] * q2
        )  # fmt: skip
        third = M3 * (e1 * along(H, S2, x) + e3 - (e1 + e2) * c2 - d1**2 * along(h, S2, x) - (d1 + d2) ** 2 * (q3 + c1))
        return sp.Matrix([first, second, third + p["K3"] * (q3 - p["f"])])

    def newton(self, F1, F2, F3, F4, F5, F6):
        """Right side less left side of (3.17), (3.24), (3.33), (3.39), (3.48), (3.52): two forces and a moment for each
        body."""
        p, (q1, q2, q3), (d1, d2, d3), (e1, e2, e3) = self.p, self.q, self.d, self.e
        a1, a2, b1, b2, c1, c2, h1, h2 = (p[x] for x in ("a1", "a2", "b1", "b2", "c1", "c2", "h1", "h2"))
        s1, k1, s2, k2 = sp.sin(q1), sp.cos(q1), sp.sin(q2), sp.cos(q2)
        Q1, tension, w, e = p["Q1"], p["K3"] * (q3 - p["f"]), d1 + d2, e1 + e2
        M1, M2, M3 = (p[x] for x in ("M1", "M2", "M3"))
        at_hinge = (
            e1 * (-h2 * k2 + h1 * s2) - d1**2 * (h1 * k2 + h2 * s2),
            e1 * (h2 * s2 + h1 * k2) - d1**2 * (-h1 * s2 + h2 * k2),
        )
        return [
            [M1 * (-e1 * a2 - d1**2 * a1) - (F1 * k1 + F2 * s1 + F3 - Q1 * s1),
             M1 * (e1 * a1 - d1**2 * a2) - (-F1 * s1 + F2 * k1 + F4 - Q1 * k1),
             e1 * p["Iz1"] - (-F1 * (-a2 * k1 - a1 * s1) - F2 * (-a2 * s1 + a1 * k1) - F3 * (h2 - a2) + F4 * (h1 - a1)
                              + p["K2"] * q2 - p["K1"] * q1)],
            [M2 * (at_hinge[0] - e * b2 - w**2 * b1) - (-F3 * k2 - F4 * s2 + tension),
             M2 * (at_hinge[1] + e * b1 - w**2 * b2) - (F3 * s2 - F4 * k2 + F5),
             e * p["Iz2"] - (F3 * (-b2 * k2 - b1 * s2) + F4 * (-b2 * s2 + b1 * k2) + F5 * (q3 - b1) + tension * b2 + F6 - p["K2"] * q2)],
            [M3 * (at_hinge[0] + e3 - e * c2 - w**2 * (q3 + c1)) + tension,
             M3 * (at_hinge[1] + e * (q3 + c1) + 2 * w * d3 - w**2 * c2) + F5,
             e * p["Iz3"] - (F5 * c1 - tension * c2 - F6)],
        ]  # fmt: skip


@pytest.fixture(scope="module")
def found():
    return mk.compare(system())


def symbols(eq):
    """Parameters, and q, its rates and second rates, as these equations have them in SymPy."""
    form = eq.book.sympy
    p, q = (
        {name: form.symbol(f"${name}" if f"${name}" in eq.traced.values else name) for name in NUMBERS},
        [form.symbol(x) for x in JOINTS],
    )
    if eq.method == "Lagrange":
        return p, q, *([form.symbol(name + dots) for name in JOINTS] for dots in ("'", "''"))
    return p, q, [form.symbol(f"{name}.rate") for name in JOINTS], [form.symbol(f"{name}.rate'") for name in JOINTS]


def matrices(text, second):
    """Mass matrix and forcing of equations that are linear in q̈."""
    M = text.jacobian(sp.Matrix(second))
    return M, -text.subs({x: 0 for x in second})


def is_zero(matrix):
    return all(sp.simplify(sp.expand(x)) == 0 for x in matrix)


def vanishes(x, angles):
    """True if an expression is zero, sines and cosines of sums taken apart and s² + c² = 1 used. Much faster than
    simplify."""
    x = sp.expand_trig(x)
    for angle in angles:
        s, c = sp.symbols("s c")
        x = sp.rem(sp.expand(x.subs({sp.sin(angle): s, sp.cos(angle): c})), s**2 + c**2 - 1, s).subs(
            {s: sp.sin(angle), c: sp.cos(angle)}
        )
    return sp.expand(x) == 0


@pytest.mark.parametrize("method", ["kane", "lagrange", "newton"])
def test_mass_matrix_and_forcing(found, method):
    eq = getattr(found, method)
    *state, second = symbols(eq)
    M, f = matrices(Text(*state, second).lagrange(), second)
    ours = (eq.mass_matrix, eq.forcing) if method != "newton" else eq.eliminated[:2]
    assert is_zero(ours[0].sympy - M) and is_zero(ours[1].sympy - f)


def test_the_misprint(found):
    """As printed, the first equation differs by q̈2 (Iz3 − Iz1) from both methods."""
    *state, second = symbols(found.kane)
    p = state[0]
    M, _ = matrices(Text(*state, second).lagrange(misprint=True), second)
    difference = sp.simplify(sp.expand(found.kane.mass_matrix.sympy - M))
    assert difference == sp.Matrix(3, 3, lambda i, j: p["Iz3"] - p["Iz1"] if (i, j) == (0, 1) else 0)


def test_free_bodies(found):
    """Nine equations with F1 … F6. The text has forces along axes of each body, and F3 … F6 as they act on the inner
    body."""
    eq = found.newton
    assert eq.matrix.shape == (9, 9) and len(eq.reactions) == 6
    state, form = symbols(eq), eq.book.sympy
    inner = {"hinge1.Fx": 1, "hinge1.Fy": 1, "hinge2.Fx": -1, "hinge2.Fy": -1, "guide.Fx": -1, "guide.My": -1}
    text = Text(*state).newton(*(sign * form.symbol(name) for name, sign in inner.items()))
    q1, q2, _ = state[1]
    for body, angle, expected in zip(eq.bodies, (q1, q1 + q2, q1 + q2), text, strict=True):
        parts = zip(*(which[body] for which in (eq.inertia_terms, eq.applied_loads, eq.reaction_loads)), strict=True)
        force, moment = (a.sympy - b.sympy - c.sympy for a, b, c in parts)
        found_here = [*(turn(angle).T * force), *moment]
        assert all(vanishes(a - b, (q1, q2)) for a, b in zip(found_here, expected, strict=True)), body


def test_no_reaction_is_left(found):
    """Times the partial velocities, Newton's equations are Kane's ([T 3.4.4])."""
    assert is_zero(found.newton.eliminated[2].sympy) and found.identical == {"newton": True, "lagrange": True}
    assert [size.equations for size in found.sizes] == [9, 3, 3]
