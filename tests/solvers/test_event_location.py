"""Parts of event location alone, uncompiled: the root of a guard, and when no look at a guard is needed."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import brentq

import mekane as mk
from mekane.analyses.simulate import initial_solver
from mekane.numba_backend.kernel import plain
from mekane.solvers import events
from mekane.solvers.integrators.dop853 import method
from mekane.solvers.state import smooth_curve

SHARES = method.c[: len(method.b)]
GUARDS = {
    "straight": lambda x: 0.37 - x,
    "falling": lambda x: 1.0 - 2.0 * x * x,
    "turning": lambda x: np.sqrt((x - 0.6) ** 2 + 1e-6) - 0.2,
    "late": lambda x: np.exp(-20.0 * x) - 1e-6,
    "steep": lambda x: 1e-3 - x if x < 1e-3 else 10.0 * (1e-3 - x),
    "jumping": lambda x: 1.0 if x < 0.3 else -1e-6,
}


@pytest.mark.parametrize("name", GUARDS)
def test_a_root_is_found_to_round_off(name):
    """Oracle: SciPy's brentq. The share returned is just after the root: the guard has changed sides, within 1e-15."""
    guard, count, registers = GUARDS[name], [0], np.zeros(1)

    def guards_at(P, M, S, y, t, h, share, counters):
        registers[0], count[0] = guard(share), count[0] + 1

    P, S = SimpleNamespace(r=registers), SimpleNamespace(before=np.ones(1))
    end = 0.6 if name == "turning" else 1.0
    root = plain(events.root, {events.guards_at: guards_at})
    found = root(P, None, S, None, 0.0, 1.0, 0.0, end, guard(0.0), guard(end), 0, np.zeros((1, 4), int), None)
    assert guard(found) <= 0.0
    assert abs(found - brentq(guard, 0.0, end, xtol=1e-16, rtol=1e-15)) <= 1e-15
    assert count[0] <= {"jumping": 60, "steep": 80}.get(name, 14)  # at a discontinuity, also of the slope, it bisects


def test_a_guard_that_changes_sides_is_looked_at():
    """Polynomials of the degree of the curve are met by it: one that is below zero anywhere in a step is never taken for far
    from zero, and one that stays above zero by a fifth of how much it varies always is."""
    smoothed, stays_positive = smooth_curve(SHARES), plain(events.stays_positive)
    rng, fine, kept = np.random.default_rng(1), np.linspace(0.0, 1.0, 1001), 0
    for _ in range(2000):
        p = np.polynomial.Polynomial(rng.normal(size=6), domain=(0.0, 1.0), window=(-1.0, 1.0))
        p = p - p(fine).min() + rng.uniform(-0.3, 0.6) * np.ptp(p(fine))
        values = p(SHARES)
        clear = stays_positive(values, smoothed, values[1:].min(), values[1:].max())
        least, varies = p(fine).min(), np.ptp(p(fine))
        assert not (clear and least < 0.0)
        assert clear or least < 0.2 * varies
        kept += clear
    assert kept > 500


def test_a_narrow_dip_is_looked_at():
    """A guard that is below zero only for a millionth of a step, between stages."""
    dip = lambda x: (x - 0.47) ** 2 - 2.5e-13
    values = dip(SHARES)
    assert values.min() > 0.0
    assert not plain(events.stays_positive)(values, smooth_curve(SHARES), values[1:].min(), values[1:].max())


@pytest.fixture(scope="module")
def passage():
    """A mass of 1 kg at 1 m/s, pushed by 0.3 N, and by 1/w in a window of the width w around x = a: work of 1 J there."""
    s = mk.System("passage", gravity=(0, 0, 0), parameters={"a": 0.5, "w": 4e-4})
    s.slider("rail", s.ground, s.body("mass", 1.0, inertia=(1, 1, 1)), axis="x", rate=1.0)
    s.motor("push", "rail", force="(1/w if (rail.displacement - a)**2 < w**2/4 else 0) + 0.3")
    return s


@pytest.mark.parametrize("method", ["dop853", "implicit"])
def test_a_window_is_entered_where_it_begins(passage, method):
    """Also where one of the points that a step is looked at in lies inside of the window: these cover a step. Oracle: kinetic
    energy is that of the start and the work of both forces, to 1e-9 of 1 J: the tolerance."""
    for a in 0.55 + 4e-4 * np.arange(15):
        passage.parameters["a"] = a
        solver, _ = initial_solver(passage, method=method)
        solver.run(1.0, np.array([1.0]))
        x, v = solver.y[:2]
        assert 0.5 * v**2 - 0.5 - 0.3 * x == pytest.approx(1.0, abs=1e-9)
