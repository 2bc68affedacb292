"""Equations printed for one set of modes: solved for accelerations and multipliers, they must give what the time loop gives
in that phase of a run, which solves for friction in another way (N.4)."""

import numpy as np
import pytest
from oracles import G, belt, belt_pressed, block, box_on_slope, rods, rolling, shafts

import mekane as mk


def solved(found, run, i):
    """{speed: acceleration} and {multiplier: value} by M u' = f + Bᵀ lambda + s, B u' + b = 0, at sample i. s is linear in the
    multipliers."""
    compiled, trace = run.compiled, found.trace
    y = run.record.y[i]
    names = [*(q.name for q in trace.q if hasattr(q, "name")), *compiled.speeds]
    moving = [k for k, q in enumerate(trace.q) if hasattr(q, "name")]
    state = dict(zip(names, [*y[moving], *y[compiled.n_q : compiled.n_q + compiled.n_u]], strict=True)) | {
        "t": run.t[i]
    }
    short = lambda name: found.naming.of(name).text
    given = {short(name): float(value) for name, value in state.items()}
    unknown = [short(one.name) for one in trace.multipliers]
    zero = dict.fromkeys(unknown, 0.0)
    number = lambda formula, **more: np.asarray(formula.evaluate(**(given | zero | more)), float)
    n, m = compiled.n_u, len(unknown)
    s = lambda **more: np.zeros(n) if found.sliding_friction is None else number(found.sliding_friction, **more).ravel()
    B = number(found.constraint_matrix).reshape(m, n) if m else np.zeros((0, n))
    b = number(found.constraint_bias).ravel() if m else np.zeros(0)
    columns = B.T + np.array([s(**{one: 1.0}) - s() for one in unknown]).reshape(m, n).T
    K = np.block([[number(found.mass_matrix).reshape(n, n), -columns], [B, np.zeros((m, m))]])
    x = np.linalg.lstsq(K, np.concatenate([number(found.forcing).ravel() + s(), -b]), rcond=1e-12)[0]
    return dict(zip(compiled.speeds, x[:n], strict=True)), dict(zip(unknown, x[n:], strict=True))


def run_to(s, t, formulation):
    return mk.simulate(s, t, every=[0.0, t], formulation=formulation, rtol=1e-10, atol=1e-12)


def check(s, t, formulation, tolerance=1e-7):
    """At the end of a run, in the modes of the state there. Loads are regularized by 1e-6 at most, which is refined."""
    run = run_to(s, t, formulation)
    found = mk.equations(run.state(t).system, formulation=formulation, parameters="numeric")
    ud, multipliers = solved(found, run, 1)
    computed = system_accelerations(run)
    assert np.allclose([ud[name] for name in computed], list(computed.values()), rtol=0, atol=tolerance)
    return run, found, ud, multipliers


def system_accelerations(run):
    """Those of the time loop at the last sample."""
    from mekane.solvers.entries.calls import rhs
    from mekane.solvers.solver import Solver

    c = run.compiled
    solver = Solver(c, run.record.y[1], t=float(run.t[1]))
    yd = np.zeros(len(solver.y))
    rhs(solver.handle, solver.t, solver.y, yd)
    return dict(zip(c.speeds, yd[c.n_q : c.n_q + c.n_u].tolist(), strict=True))


WAYS = ("joint", "absolute")


@pytest.mark.parametrize("formulation", WAYS)
def test_block_that_slides(formulation):
    """The normal force is g cos α; it slows down by g (sin α + μ cos α)."""
    run, found, ud, multipliers = check(block(), 0.3, formulation)
    a = np.radians(25.0)
    assert min(abs(x + G * (np.sin(a) + 0.3 * np.cos(a))) for x in ud.values()) < 1e-9
    assert np.allclose(list(multipliers.values()), G * np.cos(a)) and np.isclose(
        float(run["slope.force"][1]), G * np.cos(a)
    )
    assert "Friction of what slides" in str(found) and "M u' = f + Bᵀ lambda + s" in str(found)
    assert r"M \dot{u} = f + B^T \lambda + s" in found.latex


@pytest.mark.parametrize("formulation", WAYS)
@pytest.mark.parametrize("t", [0.2, 0.4])
def test_belt(formulation, t):
    """It sticks at 0.2 s and slides at 0.4 s: on a plane that moves, and with friction of given size."""
    check(belt_pressed(), t, formulation)
    check(belt(), t, formulation)


@pytest.mark.parametrize("formulation", WAYS)
def test_tip_of_two_rods(formulation):
    """Kane's puzzle, the tip pressed on the floor: it slides in a plane of a spatial model."""
    s, _, lower, tip = rods(np.radians([20, 30]), (0.3, -0.2), gravity=(0, 0, -G))
    plane = mk.Plane(at=tuple(tip + np.array([0, 0, -0.002])))
    s.contact("floor", (lower, (0, 0, -0.5)), (s.ground, plane), friction=0.2)
    check(s, 0.1, formulation)


def test_ball_that_slides_and_turns():
    check(rolling(0.4, velocity=(0, 2, 0), spin=(3, 5, 7), slope=0.17, friction=0.3), 0.1, "joint")


def test_box_on_four_corners():
    """Loads of the corners are not unique; their sum and the motion are."""
    _, _, ud, multipliers = check(box_on_slope(0.3), 0.1, "joint")
    a = np.radians(20.0)
    assert abs(sum(multipliers.values()) - G * np.cos(a)) < 1e-9
    assert min(abs(x - G * (np.sin(a) - 0.3 * np.cos(a))) for x in ud.values()) < 1e-9


def test_clutch_by_words():
    found = mk.equations(shafts((100, -20)), modes={"clutch": "sliding"}, parameters="numeric")
    friction = found.sliding_friction.evaluate(u_p=100.0, u_q=-20.0)
    assert np.allclose(np.ravel(friction), [-50.0, 50.0])
    assert not found.has_rows


def tip_on_floor():
    """Kane's puzzle, the tip pressed on the floor."""
    s, _, lower, tip = rods(np.radians([20, 30]), (0.3, -0.2), gravity=(0, 0, -G))
    plane = mk.Plane(at=tuple(tip + np.array([0, 0, -0.002])))
    s.contact("floor", (lower, (0, 0, -0.5)), (s.ground, plane), friction=0.2)
    return s


SLIDING = {
    "tip": (tip_on_floor, 0.1),
    "belt": (belt_pressed, 0.4),
    "given force": (belt, 0.4),
    "clutch": (lambda: shafts((100, -20)), 0.5),
}


@pytest.mark.parametrize("method", ["lagrange", "newton"])
@pytest.mark.parametrize("name", list(SLIDING))
def test_methods_agree(name, method):
    """q'' by Lagrange and u' by Newton are what the time loop computes."""
    make, t = SLIDING[name]
    run = run_to(make(), t, "joint")
    c, y, exact = run.compiled, run.record.y[1], system_accelerations(run)
    state = dict(zip([*c.coordinates, *c.speeds], y[: c.n_q + c.n_u], strict=True)) | {"t": t}
    state |= {f"{name}'": state[f"{name}.rate"] for name in c.coordinates if f"{name}.rate" in state}
    found = mk.equations(run.state(t).system, method=method, parameters="numeric")
    given = {found.naming.of(name).text: float(x) for name, x in state.items()}
    unknown = {found.naming.of(one.name).text: 0.0 for one in found.trace.multipliers}
    number = lambda formula, more=(): np.asarray(formula.evaluate(**(given | unknown | dict(more))), float)
    ud = by_newton(found, number) if method == "newton" else by_lagrange(found, number, list(unknown))
    assert ud
    np.testing.assert_allclose([ud[name] for name in ud], [exact[name] for name in ud], atol=1e-7)


def by_newton(found, number):
    A, b = number(found.matrix), number(found.right_side).ravel()
    return dict(zip(found.trace.compiled.speeds, np.linalg.lstsq(A, b, rcond=1e-12)[0], strict=False))


def by_lagrange(found, number, multipliers):
    """M q'' = f + Gᵀ lambda + s, G q'' + b = 0; s is linear in the multipliers."""
    M, f, s = number(found.mass_matrix), number(found.forcing).ravel(), number(found.sliding_friction).ravel()
    n, m = len(f), len(multipliers)
    columns = [number(found.sliding_friction, {one: 1.0}).ravel() - s for one in multipliers]
    G = number(found.constraint_matrix).reshape(-1, n) if len(found.vanishing) else np.zeros((0, n))
    b = number(found.constraint_bias).ravel() if len(G) else np.zeros(0)
    columns = G.T + np.array([*columns, *np.zeros((len(G) - m, n))]).reshape(len(G), n).T
    K = np.block([[M.reshape(n, n), -columns], [G, np.zeros((len(G),) * 2)]])
    x = np.linalg.lstsq(K, np.concatenate([f + s, -b]), rcond=1e-12)[0]
    return {f"{name}.rate": value for name, value in zip(found.rates.names, x[:n], strict=True)}


def test_refusals():
    with pytest.raises(mk.ModelError, match=r"mode of 'slope': it is 'slide'; open, sliding, sticking are known"):
        mk.equations(block(), modes={"slope": "slide"})
    with pytest.raises(mk.ModelError, match=r"'slope' slides with friction; .*method=\"lagrange\""):
        mk.equations(block(), modes={"slope": "sliding"}, method="routh")
    with pytest.raises(
        mk.ModelError, match=r"there is no contact law 'slop'; there are 'slope'\. Did you mean 'slope'"
    ):
        mk.equations(block(), modes={"slop": "sliding"})
