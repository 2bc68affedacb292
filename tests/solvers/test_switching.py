"""Laws that change abruptly: at known times, and where the state crosses a border. Oracles: closed forms, piece by
piece.

Known times are met exactly, so only the integrator's own error is left (tolerance 1e-12 at rtol 1e-13). A crossing is
found by bisection to 1e-12 of the step and passed by 1e-10 of it, which a jump of the force turns into errors of that
size in the speed.
"""

import math
import subprocess
import sys

import numpy as np
import pytest

import mekane as mk

TIGHT = dict(rtol=1e-13, atol=1e-14)
adaptive_methods = pytest.mark.parametrize("method", ["dop853", "implicit"])


def on_a_rail(force, rate=0.0, **keywords):
    """One kilogram sliding along x."""
    s = mk.System("rail", gravity=(0, 0, 0), **keywords)
    body = s.body("b", 1.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, body, axis="x", rate=rate)
    s.motor("drive", "rail", force=force)
    return s


def end(system, t, **keywords):
    """Place and speed at the end, and the run."""
    run = mk.simulate(system, t, **{**TIGHT, **keywords})
    assert not run.info["stopped"] and run.t[-1] == pytest.approx(t, rel=1e-15)
    return run.record.y[-1][:2], run


def oscillator(x, v, f, t):
    """x'' = −x + f from (x, v), after t."""
    c, s = math.cos(t), math.sin(t)
    return f + (x - f) * c + v * s, v * c - (x - f) * s


# ---------------------------------------------------------------- known times


@pytest.mark.parametrize(
    "law",
    [
        "-rail.displacement + (2 if t < 0.3337 else -1)",
        "-rail.displacement + (2 if t <= 0.3337 else -1)",
        "-rail.displacement + (-1 if t > 0.3337 else 2)",
        "-rail.displacement + (-1 if 3*t - 1.0011 >= 0 else 2)",
        "-rail.displacement + (2 if 1/2 - t > 0.5 - 0.3337 else -1)",
        lambda t, state: -state["rail.displacement"] + mk.expressions.graph.select(t < 0.3337, 2.0, -1.0),
    ],
)
def test_a_jump_at_a_known_time_is_met_exactly(law):
    expected = oscillator(*oscillator(0.0, 0.5, 2.0, 0.3337), -1.0, 1.0 - 0.3337)
    found, run = end(on_a_rail(law, rate=0.5), 1.0)
    assert found == pytest.approx(expected, abs=1e-12)


def test_the_implicit_method_meets_known_times_too():
    """Tolerance: its own, order 4 at rtol 1e-9."""
    expected = oscillator(*oscillator(0.0, 0.5, 2.0, 0.3337), -1.0, 1.0 - 0.3337)
    law = "-rail.displacement + (2 if t < 0.3337 else -1)"
    found, _ = end(on_a_rail(law, rate=0.5), 1.0, method="implicit", rtol=1e-9, atol=1e-10)
    assert found == pytest.approx(expected, abs=1e-7)


def test_a_parameter_may_hold_the_time():
    """Then the time is found, not known. Tolerance: the passing by 1e-10 of a step of about 0.3."""
    system = on_a_rail("-rail.displacement + (2 if t < when else -1)", rate=0.5, parameters={"when": 0.3337})
    expected = oscillator(*oscillator(0.0, 0.5, 2.0, 0.3337), -1.0, 1.0 - 0.3337)
    found, _ = end(system, 1.0)
    assert found == pytest.approx(expected, abs=3e-10)


def test_many_discontinuities_and_the_slope_discontinuities_of_a_table():
    """A staircase and a sawtooth of t: v(1) is the area, x(1) its integral, exactly. Steps end at every slope discontinuity."""
    times = [0.1, 0.25, 0.4, 0.75, 0.9]
    stairs = " + ".join(f"(1 if t > {when} else 0)" for when in times)
    found, _ = end(on_a_rail(stairs), 1.0)
    assert found == pytest.approx([sum((1 - w) ** 2 / 2 for w in times), sum(1 - w for w in times)], abs=1e-12)
    saw = {"table": [[0, 0], [0.2, 3], [0.5, -1], [0.8, 2], [1, 0]]}
    found, run = end(on_a_rail(saw), 1.0)
    xs, ys = np.array(saw["table"]).T
    assert found[1] == pytest.approx(np.trapezoid(ys, xs), abs=1e-12)


def test_fixed_steps_that_end_at_the_jump_are_exact_too():
    """Steps of 0.1 end at 0.3, where stages of the next step already see the new law. Oracle: constant forces, rk4 is
    exact."""
    found, _ = end(on_a_rail("2 if t < 0.3 else -1"), 1.0, method="rk4", step=0.1, rtol=None, atol=None)
    assert found[1] == pytest.approx(2 * 0.3 - 0.7, abs=0.06)  # one stage sees the wrong side


@pytest.mark.parametrize(
    "law, v", [("1 if t > 0 else 0", 1.0), ("0 if t <= 0 else 1", 1.0), ("1 if t >= 0 else 0", 1.0)]
)
def test_a_jump_at_the_very_start(law, v):
    """What holds just after the start counts: the start is a switching time as any other."""
    found, _ = end(on_a_rail(law), 1.0)
    assert found == pytest.approx([v / 2, v], abs=1e-12)


def test_a_jump_whose_comparison_loses_digits():
    """t + 1000 has an ulp of 1e-13: just after 0.5 the comparison may still see no change, but the law must not stay
    frozen for long."""
    found, _ = end(on_a_rail("1 if t + 1000 > 1000.5 else 0"), 1.0)
    assert found == pytest.approx([0.125, 0.5], abs=1e-9)


def test_a_run_that_ends_an_ulp_after_a_jump():
    """3 × 0.1 is 0.30000000000000004, one ulp after 0.3: the rest of the run is no step that vanished."""
    run = mk.simulate(on_a_rail("1 if t < 0.3 else 0"), 3 * 0.1, every=0.1)
    assert not run.info["stopped"]
    assert len(run.t) == 4 and run.record.y[-1][:2] == pytest.approx([0.045, 0.3], abs=1e-12)


def test_two_jumps_a_few_ulps_apart():
    """The step between them is as short as numbers allow, and no failure."""
    found, _ = end(on_a_rail("(1 if t < 0.3 else 0) + (1 if t < 0.300000000000002 else 0)"), 1.0)
    assert found == pytest.approx([2 * 0.3**2 / 2 + 0.6 * 0.7, 0.6], abs=1e-12)


# ---------------------------------------------------------------- crossings of the state


@adaptive_methods
def test_a_one_sided_spring(method):
    """Flies at −2 m/s from x = 1, meets the spring (k = 100) at x = 0, leaves after half a period at +2. Closed form in
    three pieces."""
    system = on_a_rail("-100*(rail.displacement + 1) if rail.displacement < -1 else 0", rate=-2.0)
    accuracy = TIGHT if method == "dop853" else dict(rtol=1e-9, atol=1e-11)
    meet, leave = 0.5, 0.5 + np.pi / 10
    times = np.array([0.0, meet, meet + 0.1, leave, leave + 0.3])
    run = mk.simulate(system, times[-1], every=times, method=method, **accuracy)
    expected = [0.0, -1.0, -1.0 - 0.2 * math.sin(1.0), -1.0, -1.0 + 0.6]
    assert run.record.y[:, 0] == pytest.approx(expected, abs=2e-10 if method == "dop853" else 1e-7)
    assert run.record.y[-1, 1] == pytest.approx(2.0, abs=1e-9 if method == "dop853" else 1e-6)
    assert run.info["switches"] >= 2


def test_bouncing_keeps_its_energy():
    """A ball on a stiff one-sided spring, ten bounces. Oracle: energy; tolerance: 20 crossings, each passed by 1e-10 of
    a step."""
    s = mk.System("ball", gravity=(0, 0, -9.81))
    ball = s.body("ball", 1.0, position=(0, 0, 0.5))
    s.force("floor", ball, (0, 0, "-1e5*ball.position.z if ball.position.z < 0 else 0"))
    run = mk.simulate(s, 6.5, rtol=1e-12, atol=1e-13)
    z, v = run.record.y[:, 2], run.record.y[:, 5]
    energy = 0.5 * v**2 + 9.81 * z + np.where(z < 0, 0.5e5 * z**2, 0.0)
    assert run.info["switches"] == 20
    assert energy == pytest.approx(np.full(len(z), 9.81 * 0.5), rel=1e-7)


def test_starting_on_the_border():
    """x = 0 and moving into the spring: the side that the motion enters counts, from the first step on. Half a period
    later it is back."""
    system = on_a_rail("-100*rail.displacement if rail.displacement > 0 else 0", rate=1.0)
    found, _ = end(system, np.pi / 10)
    assert found == pytest.approx([0.0, -1.0], abs=1e-9)


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-9])
def test_a_short_visit_across_a_border_is_not_missed(rtol):
    """A swing to 1 touches a stop at 0.97 for a time shorter than a step. It must turn there, 0.003 deep in the stop,
    whatever rtol."""
    system = on_a_rail(
        "-rail.displacement - (1e4*(rail.displacement - 0.97) if rail.displacement > 0.97 else 0)", rate=1.0
    )
    run = mk.simulate(system, 20.0, rtol=rtol, every=0.005)
    assert run.record.y[:, 0].max() < 0.975


def test_dry_friction_brings_to_rest():
    """v' = −sign(v) from 1 m/s: at rest after 1 s at x = 0.5, and it stays there. The law chatters about rest; 1e-3 m/s
    is rest enough."""
    law = "-1 if rail.displacement.rate > 0 else (1 if rail.displacement.rate < 0 else 0)"
    run = mk.simulate(on_a_rail(law, rate=1.0), 3.0)
    later = run.t > 1.01
    assert not run.info["stopped"]
    assert np.abs(run.record.y[later, 1]).max() < 1e-3
    assert run.record.y[-1, 0] == pytest.approx(0.5, abs=1e-3)


# ---------------------------------------------------------------- never without an end

HANGING = {
    "a law that is no number at the start": """
body = s.body("b", 1.0, inertia=(1, 1, 1))
s.slider("rail", s.ground, body, axis="x")
s.motor("drive", "rail", force="sqrt(t - 1)")
try:
    mk.simulate(s, 1.0, formulation="absolute")
    raise AssertionError
except mk.ModelError as error:
    assert "force 'drive'" in str(error)
""",
    "a function that fails at the start": """
import math
body = s.body("b", 1.0, inertia=(1, 1, 1))
s.slider("rail", s.ground, body, axis="x")
s.motor("drive", "rail", force=lambda t, state: math.sqrt(t - 1))
try:
    mk.simulate(s, 1.0, formulation="absolute")
    raise AssertionError
except mk.SimulationError:
    pass
""",
    "nothing that moves": """
s.weld("w", s.ground, s.body("b", 1.0, inertia=(1, 1, 1)))
for formulation in ("joint", "absolute"):
    run = mk.simulate(s, 1.0, formulation=formulation)
    assert not run.info["stopped"] and len(run.t) == 201
""",
    "a point mass on a ball joint": """
s.ball("top", s.ground, s.body("b", 1.0, position=(1, 0, 0)), at=(0, 0, 0))
try:
    run = mk.simulate(s, 1.0)
    assert run.info["stopped"] or abs(run["b.position"][-1]).max() < 2
except mk.MekaneError:
    pass
""",
}


@pytest.mark.parametrize("what", HANGING)
def test_a_run_comes_to_an_end(what):
    """In a process of its own with a time limit, because a compiled loop that never ends cannot be interrupted."""
    script = f"import mekane as mk\ns = mk.System('end')\n{HANGING[what]}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
