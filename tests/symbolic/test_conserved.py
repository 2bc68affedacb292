"""Cyclic coordinates, conserved quantities and Routh's reduction.

Oracles: closed forms of the spherical pendulum and of the symmetric top (Goldstein, Classical Mechanics, 5.7); runs of
the engine, along which what is listed as constant stays so, to the tolerance of the run; reduced equations integrated
by SciPy give the same nutation.
"""

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import solve_ivp

import mekane as mk
from mekane import gallery

TOLERANCE = dict(rtol=1e-12, atol=1e-13)


def spherical_pendulum():
    s = mk.System("spherical pendulum", gravity=(0, 0, -mk.Param("g", 9.81)))
    m, l = mk.Param("m", 2.0), mk.Param("l", 0.7)
    fork = s.body("fork", massless=True)
    bob = s.body("bob", m, position=(0.6 * l, 0, -0.8 * l), orientation=("y", -np.arctan2(3, 4)))
    s.pin("turn", s.ground, fork, at=(0, 0, 0), axis="z", rate=3.0)
    s.pin("swing", fork, bob, on_a=(0, 0, 0), on_b=(0, 0, l), axis_a="y", axis_b="y", rate=0.5)
    return s


def top():
    """Euler angles z, x, z: precession, nutation, spin; the mass centre above the fixed point."""
    s = mk.System("top", gravity=(0, 0, -mk.Param("g", 9.81)))
    m, l, A, C = mk.Param("m", 1.5), mk.Param("l", 0.2), mk.Param("A", 0.01), mk.Param("C", 0.02)
    tilted = ("x", 0.5)
    one, two = s.body("one", massless=True), s.body("two", massless=True, orientation=tilted)
    body = s.body("body", m, inertia=(A, A, C), com=(0, 0, l), orientation=tilted)
    s.pin("precession", s.ground, one, on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="z", axis_b="z", rate=0.4)
    s.pin("nutation", one, two, on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="x", axis_b="x", rate=0.1)
    s.pin("spin", two, body, on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="z", axis_b="z", rate=60.0)
    return s


def symbols(eq, *names):
    return [eq.book.sympy.symbol(f"${name}" if f"${name}" in eq.book.values else name) for name in names]


def test_cyclic_coordinates():
    found = mk.conserved(top())
    assert found.cyclic == ["precession.angle", "spin.angle"] and found.energy is not None
    assert mk.conserved(spherical_pendulum()).cyclic == ["turn.angle"]
    assert mk.conserved(gallery.find("double_pendulum").system()).cyclic == []
    assert "kinetic energy depends on it" in str(mk.conserved(gallery.find("double_pendulum").system()))


def test_what_acts_on_a_coordinate_is_listed():
    s = top()
    s.motor("drive", "precession", torque=0.3)
    s.torsional_spring("spring", "spin", stiffness=1.0)
    found = mk.conserved(s)
    assert found.cyclic == [] and found.energy is None
    assert found.why["precession.angle"] == "a force without a potential acts on it"
    assert (
        found.why["spin.angle"] == "the potential energy depends on it"
        and found.why["H"] == "forces without a potential do work"
    )


def test_a_driven_constraint_changes_the_energy():
    assert mk.conserved(gallery.find("cam").system()).energy is None
    assert mk.conserved(gallery.find("four_bar").system()).energy is not None


def test_routhian_of_the_spherical_pendulum():
    eq = mk.equations(spherical_pendulum(), "routh", parameters="named")
    m, l, g, q, rate, p = symbols(eq, "m", "l", "g", "swing.angle", "swing.angle'", "turn.angle.momentum")
    expected = m * l**2 * rate**2 / 2 - p**2 / (2 * m * l**2 * sp.sin(q) ** 2) + m * g * l * sp.cos(q)
    assert sp.simplify(eq.routhian.sympy - expected) == 0
    assert sp.simplify(eq.cyclic_rates.sympy[0] - p / (m * l**2 * sp.sin(q) ** 2)) == 0


def test_routhian_of_the_top():
    """Effective potential (pφ − pψ cos θ)² / (2 A sin² θ) + pψ² / (2 C) + m g l cos θ, A about the fixed point."""
    eq = mk.equations(top(), "routh", parameters="named")
    inputs = (
        "m",
        "l",
        "g",
        "A",
        "C",
        "nutation.angle",
        "nutation.angle'",
        "precession.angle.momentum",
        "spin.angle.momentum",
    )
    m, l, g, A, C, q, rate, p, spin = symbols(eq, *inputs)
    whole = A + m * l**2
    expected = (
        whole * rate**2 / 2
        - (p - spin * sp.cos(q)) ** 2 / (2 * whole * sp.sin(q) ** 2)
        - spin**2 / (2 * C)
        - m * g * l * sp.cos(q)
    )
    assert sp.simplify(eq.routhian.sympy - expected) == 0
    assert eq.coordinates == ["q_nutation"] and list(eq.momenta_held) == ["p_precession", "p_spin"]


@pytest.mark.parametrize(
    "make", [spherical_pendulum, top, gallery.find("gyroscope").system, gallery.find("chaplygin_sleigh").system]
)
def test_they_stay_constant_in_a_run(make):
    """1e-9 of their size: a run to 1e-12 of a second has some hundred steps."""
    s = make()
    found, run = mk.conserved(s), mk.simulate(s, 1.0, every=0.1, **TOLERANCE)
    formulas = [*found.momenta.values(), *([found.energy] if found.energy is not None else [])]
    assert formulas
    names = found.equations.trace.compiled.coordinates
    speeds = found.equations.trace.compiled.speeds
    for formula in formulas:
        values = []
        for k in range(len(run.t)):
            state = {name: float(run[name][k]) for name in names} | {
                f"{name}'": float(run[u][k]) for name, u in zip(names, speeds, strict=True)
            }
            values.append(float(formula.evaluate(**state)))
        assert np.ptp(values) < 1e-9 * max(1e-3, np.abs(values).max()), formula


@pytest.mark.parametrize(
    ("make", "left", "ignored"), [(spherical_pendulum, "swing", ["turn"]), (top, "nutation", ["precession", "spin"])]
)
def test_reduced_equations_give_the_same_motion(make, left, ignored):
    """One equation in place of two or three; the cyclic coordinates follow by quadrature. 1e-8: both runs are to
    1e-12."""
    s, t = make(), np.linspace(0, 1.5, 16)
    eq = mk.equations(s, "routh", parameters="named")
    run = mk.simulate(s, 1.5, every=t, **TOLERANCE)
    M, f, rates = eq.mass_matrix, eq.forcing, eq.cyclic_rates

    def slope(_, y):
        state = {f"{left}.angle": y[0], f"{left}.angle'": y[1]}
        return [y[1], f.evaluate(**state)[0] / M.evaluate(**state)[0, 0], *rates.evaluate(**state)]

    start = [
        float(run[name][0]) for name in (f"{left}.angle", f"{left}.angle.rate", *(f"{one}.angle" for one in ignored))
    ]
    found = solve_ivp(slope, (0, 1.5), start, t_eval=t, method="DOP853", rtol=1e-11, atol=1e-12).y
    for row, name in zip(
        found, [f"{left}.angle", f"{left}.angle.rate", *(f"{one}.angle" for one in ignored)], strict=True
    ):
        assert row == pytest.approx(np.asarray(run[name]), abs=1e-8 * max(1.0, np.abs(row).max())), name


def test_hamiltonian_is_the_energy():
    eq = mk.equations(top(), "lagrange", parameters="named")
    assert eq.tidy.are_equal(eq.hamiltonian.expr.item(), eq.kinetic + eq.potential)


def test_nothing_cyclic_is_an_error():
    with pytest.raises(
        mk.ModelError, match="it has no cyclic coordinate .q?.*shoulder.angle: the potential energy depends on it"
    ):
        mk.equations(gallery.find("double_pendulum").system(), "routh")
