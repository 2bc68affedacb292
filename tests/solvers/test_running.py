"""Running a solver: grids, samples, steps by hand, methods changed on the way, Python functions, interruptions.

Oracles: closed forms, and the same motion computed another way.
"""

import math

import numpy as np
import pytest
import systems

import mekane as mk
from mekane.analyses.simulate import initial_solver
from mekane.formulations import NAMES as FORMULATIONS
from mekane.solvers import integrators

FIXED = [name for name in integrators.NAMES if len(integrators.find(name).method.error) == 0]


def spring_mass(force="-4*rail.displacement"):
    """x'' = −4 x from x = 0 at 1 m/s: x = sin(2t)/2."""
    s = mk.System("spring", gravity=(0, 0, 0))
    body = s.body("b", 1.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, body, axis="x", rate=1.0)
    s.motor("drive", "rail", force=force)
    return s


# ---------------------------------------------------------------- grids and samples


@pytest.mark.parametrize("method", FIXED)
def test_a_fixed_grid_hits_its_times_exactly(method):
    """500 steps of 1 ms end at 0.5 and nowhere near it; a sample there is the state of that step, so it equals stepping
    by hand."""
    solver, _ = initial_solver(spring_mass(), method=method, step=1e-3)
    record, stopped = solver.run(0.5, np.array([0.0, 0.25, 0.5]))
    assert solver.t == 0.5 and stopped is None
    assert solver.facts()["steps"] == 500
    by_hand, _ = initial_solver(spring_mass(), method=method)
    for _ in range(500):
        by_hand.step(1e-3)
    assert record.y[-1] == pytest.approx(by_hand.y, abs=1e-14)
    assert np.array_equal(record.y[-1], solver.y)


def test_a_last_step_that_does_not_fit_is_shortened():
    """1.0 is no multiple of 0.03: the run still ends there. Oracle: closed form; tolerance: rk4 at this step, 1e-6."""
    run = mk.simulate(spring_mass(), 1.0, method="rk4", step=0.03, every=[0.0, 1.0])
    assert run.t[-1] == 1.0
    assert run.record.y[-1, 0] == pytest.approx(math.sin(2) / 2, abs=1e-6)


def test_samples_are_where_they_were_requested():
    """Given times and multiples of `every` alike, the end included; values from the closed form at rtol 1e-12."""
    run = mk.simulate(spring_mass(), 1.0, every=[0.0, 0.123456, 0.5, 0.999], rtol=1e-12, atol=1e-13)
    assert run.record.y[:, 0] == pytest.approx(np.sin(2 * run.t) / 2, abs=1e-11)
    run = mk.simulate(spring_mass(), 1.0, every=0.3)
    assert run.t == pytest.approx([0.0, 0.3, 0.6, 0.9, 1.0], rel=1e-15)


def test_samples_do_not_change_the_motion():
    """Explicit methods take the same steps whether sampled densely or not. Which of several dependent rows are held may
    differ: 1e-11."""
    few, many = (mk.simulate(systems.four_bar(), 1.0, every=every) for every in (1.0, 0.001))
    assert few.info["steps"] == many.info["steps"]
    assert few.record.y[-1] == pytest.approx(many.record.y[-1], abs=1e-11)


def test_a_fixed_method_without_a_step_says_so():
    with pytest.raises(mk.ModelError, match="step"):
        mk.simulate(spring_mass(), 1.0, method="rk4")


# ---------------------------------------------------------------- by hand


def test_method_and_step_may_change_at_any_time():
    """Euler–Heun, rk4 with two lengths, adaptive, implicit, and back. Oracle: closed form; tolerance: that of Heun's
    few steps."""
    solver, _ = initial_solver(spring_mass(), method="heun")
    plan = [
        ("heun", 1e-4, 100),
        ("rk4", 1e-2, 9),
        ("rk4", 5e-3, 20),
        ("auto", 0.3, 1),
        ("implicit", 0.2, 1),
        ("rk4", 1e-2, 10),
    ]
    for method, dt, count in plan:
        solver.method = method
        for _ in range(count):
            solver.step(dt)
    t = 0.01 + 0.09 + 0.1 + 0.3 + 0.2 + 0.1
    assert solver.t == pytest.approx(t, abs=1e-14)
    assert solver.y[:2] == pytest.approx([math.sin(2 * t) / 2, math.cos(2 * t)], abs=3e-8)


def test_a_run_in_pieces_is_the_whole_run():
    """An adaptive solver with many short advances; tolerance: its own error, 1e-11."""
    solver, _ = initial_solver(systems.four_bar(), rtol=1e-12, atol=1e-13)
    for _ in range(10):
        solver.step(0.05)
    whole = mk.simulate(systems.four_bar(), 0.5, every=[0.0, 0.5], rtol=1e-12, atol=1e-13)
    assert solver.y == pytest.approx(whole.record.y[-1], abs=1e-10)


def test_time_only_goes_forward():
    solver, _ = initial_solver(spring_mass(), method="rk4")
    for dt in (0.0, -1.0, math.nan):
        with pytest.raises(mk.ModelError, match="dt"):
            solver.step(dt)


def test_a_step_that_fails_says_so():
    """By hand there is no result to carry the bad news; returning as if nothing had happened would be a lie."""
    solver, _ = initial_solver(spring_mass("sqrt(0.5 - t)"))
    with pytest.raises(mk.SimulationError):
        solver.step(1.0)


# ---------------------------------------------------------------- turns


def turns(formulation, method="auto", rtol=None):
    """Angles of the two bearings of a shaft after 300 rad."""
    run = mk.simulate(systems.shaft(), 10.0, formulation=formulation, method=method, rtol=rtol, every=0.5)
    return run.record.measurement[:, run.compiled.pairs.measurement["far", "angle"]], run.t


@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-9, 1e-12])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_whole_turns_of_a_cut_joint_are_counted(formulation, rtol):
    """30 rad/s for 10 s, in as few steps as the method likes. Oracle: 30 t; tolerance: the error it was allowed."""
    angle, t = turns(formulation, rtol=rtol)
    assert angle == pytest.approx(30.0 * t, abs=max(1e-6, 3000 * rtol))


@pytest.mark.parametrize("turns, frequency", [(160, 1.0), (16, 5.0), (1600, 1.0)])
@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-9])
def test_whole_turns_are_counted_while_the_speed_changes(turns, frequency, rtol):
    """A shaft swings to and fro through many turns in few long steps. Oracle: its other bearing, whose angle is
    integrated in the tree."""
    s = mk.System("shaft", gravity=(0, 0, 0))
    body = s.body("shaft", 2.0, inertia=(0.02, 0.2, 0.2), position=(0.5, 0, 0))
    largest = 2 * np.pi * turns
    s.pin("near", s.ground, body, at=(0, 0, 0), axis="x", rate=largest * frequency)
    s.pin("far", s.ground, body, at=(1, 0, 0), axis="x")
    s.motor("drive", "near", torque=f"{-0.02 * largest * frequency**2}*sin({frequency}*t)")
    run = mk.simulate(s, 7.0, rtol=rtol)
    assert run.compiled.cut == ["far"]
    assert np.asarray(run["far.angle"]) == pytest.approx(np.asarray(run["near.angle"]), abs=1e-9)


@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-10])
def test_a_spring_on_a_cut_joint_winds_up(rtol):
    """A shaft in two bearings with a weak coil on the cut one, which feels every turn: x = A sin(w t), A = 24 turns.
    Tolerance: rtol of A, a hundred times over."""
    s = systems.shaft()
    s.torsional_spring("coil", "far", 0.02 * 0.04)
    s.torsional_damper("touch", "near", 0.0)  # both bearings are used by laws, so that the first is kept
    run = mk.simulate(s, 20.0, rtol=rtol, atol=rtol)
    assert run.compiled.cut == ["far"]
    for bearing in ("near", "far"):
        assert np.asarray(run[f"{bearing}.angle"]) == pytest.approx(150.0 * np.sin(0.2 * run.t), abs=1.5e4 * rtol)


def test_turns_of_a_four_bar_crank_are_those_of_its_tree_angle():
    """Absolute coordinates measure the crank by frames, joint coordinates integrate it: the same angle, many turns
    on."""
    s = systems.four_bar(rate=40.0)
    tree = mk.simulate(s, 1.0, rtol=1e-10)
    frames = mk.simulate(s, 1.0, rtol=1e-10, formulation="absolute")
    measurement = frames.record.measurement[:, frames.compiled.pairs.measurement["pin 0", "angle"]]
    angle = tree.record.y[:, tree.compiled.tree_coordinate["pin 0", "angle"][0]]
    assert angle[-1] > 4 * math.pi
    assert measurement == pytest.approx(angle, abs=1e-6)


# ---------------------------------------------------------------- Python functions


def test_functions_that_cannot_be_traced_agree_with_expressions():
    """`math` and `float` defeat tracing, so the function is called back; the motion is that of the expression.
    Tolerance: rtol."""

    def law(t, state):
        swing = math.sin(3 * t) - 0.1 * state["rail.displacement.rate"]
        return swing - 4 * float(state["rail.displacement"]) + 0.01 * state["b.position"][1]

    called = spring_mass(law)
    assert called.forces["drive"].torque is None and called.forces["drive"].force.callback is not None
    traced = spring_mass("sin(3*t) - 0.1*rail.displacement.rate - 4*rail.displacement + 0.01*b.position.y")
    a, b = (mk.simulate(s, 2.0, rtol=1e-11, atol=1e-12).record.y[-1, :2] for s in (called, traced))
    assert a == pytest.approx(b, abs=1e-10)


def test_a_function_with_an_if_is_followed_by_error_control():
    """Its jump at 0.4 is unknown to the solver, which shortens its steps there. Oracle: v = 2·0.4 − 0.6; tolerance:
    rtol."""

    def law(t, state):
        return 2.0 if t < 0.4 else -1.0

    run = mk.simulate(spring_mass(law), 1.0, rtol=1e-9, atol=1e-9)
    assert run.record.y[-1, 1] == pytest.approx(1.0 + 0.8 - 0.6, abs=1e-6)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_function_of_everything_sees_what_the_model_measures(formulation):
    """All names a function may read, on a model with laws of every sort. Oracle: poses of the same state."""
    seen = {}

    def spy(t, state):
        seen.update(
            {
                name: state[name]
                for name in ("hinge.angle", "hinge.angle.rate", "puck.velocity", "puck.angular_velocity.y", "k0")
            }
        )
        return 0.0 if t >= 0 else 1.0

    s = systems.laws()
    s.motor("spy", "hinge", torque=spy)
    solver, assembly = initial_solver(s, formulation=formulation, method="euler")
    solver.step(1e-9)
    assert seen["puck.velocity"] == pytest.approx(assembly.poses.v["puck"], abs=1e-8)
    assert seen["puck.angular_velocity.y"] == pytest.approx(assembly.poses.w["puck"][1], abs=1e-8)
    assert seen["hinge.angle.rate"] == pytest.approx(s.joints["hinge"].R_AF[:, 2] @ assembly.poses.w["arm"], abs=1e-8)
    assert seen["k0"] == 25.0


@pytest.mark.parametrize("method", ["auto", "implicit", "rk4"])
def test_a_function_that_fails_is_reported(method):
    """As a SimulationError that carries the cause and the time."""

    def law(t, state):
        return 1.0 if t < 0.3 else [][0]

    with pytest.raises(mk.SimulationError, match="t = 0[.](2[89]|3).*IndexError") as caught:
        mk.simulate(spring_mass(law), 1.0, method=method, step=0.01)
    assert isinstance(caught.value.__cause__, IndexError)


def test_solvers_of_one_compiled_model_do_not_share_functions():
    """Two solvers, one thrown away: the other goes on calling its own function, not freed memory."""
    from mekane.compiler.compiler import compile_system
    from mekane.solvers.solver import Solver
    from mekane.tables.tables import CALLBACK

    compiled = compile_system(spring_mass(lambda t, state: math.cos(t)))
    one = Solver(compiled, np.zeros(3))
    address = int(one.tables.count[CALLBACK])
    Solver(compiled, np.zeros(3))
    assert int(one.tables.count[CALLBACK]) == address != 0
    one.step(1.0)
    assert one.y[:2] == pytest.approx([1 - math.cos(1), math.sin(1)], abs=1e-8)


# ---------------------------------------------------------------- interruptions


def test_ctrl_c_keeps_what_was_computed():
    """KeyboardInterrupt from the progress callback, as from the keyboard between two calls of the compiled loop.
    Oracle: closed form."""

    def watch(t, share):
        raise KeyboardInterrupt

    run = mk.simulate(spring_mass(), 2000.0, every=0.1, step=0.05, progress=watch)
    assert "stopped by the user" in run.info["stopped"]
    assert 1 < len(run.t) < 20001
    assert run.record.y[:, 0] == pytest.approx(np.sin(2 * run.t) / 2, abs=1e-6)


def test_failure_keeps_what_was_computed():
    """A law that is no number after t = 0.5. Oracle: the samples before are those of the motion."""
    run = mk.simulate(spring_mass("-4*rail.displacement + 1e-12*sqrt(0.5 - t)"), 1.0, every=0.1)
    assert "stopped at t = 0.5" in run.info["stopped"]
    assert run.t == pytest.approx(0.1 * np.arange(len(run.t)))
    assert len(run.t) >= 5
    assert run.record.y[:, 0] == pytest.approx(np.sin(2 * run.t) / 2, abs=1e-8)


def test_a_long_run_needs_no_more_memory_than_a_short_one():
    """The compiled loop allocates nothing: Numba's own count of allocations stays, and so does what Python has."""
    import tracemalloc

    solver, _ = initial_solver(systems.four_bar(), method="rk4")
    solver.step_size = 1e-3
    solver.run(0.1, np.array([]))
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    solver.run(3.0, np.array([]))
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 20_000
