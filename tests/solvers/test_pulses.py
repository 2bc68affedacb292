"""Laws of time alone that are short, sharp or rare. Oracles: their integrals, in closed form; one kilogram, so v(t) is
the integral.

Tolerances: switching times are exact and forces between them constant (1e-12 of the force times the time); smooth
pulses are integrated at rtol 1e-9, which over a few hundred steps and a background gives 1e-7; the implicit method has
1e-6.
"""

import math

import numpy as np
import pytest

import mekane as mk
from mekane.analyses.simulate import initial_solver
from mekane.expressions.time_laws import TimeLaws

BOTH = pytest.mark.parametrize("method, near", [("dop853", 1e-7), ("implicit", 1e-6)])


def on_a_rail(force, **keywords):
    s = mk.System("rail", gravity=(0, 0, 0), **keywords)
    s.slider("rail", s.ground, s.body("b", 1.0, inertia=(1, 1, 1)), axis="x")
    s.motor("drive", "rail", force=force)
    return s


def speed(run):
    assert not run.info["stopped"]
    return run["rail.displacement.rate"].values[-1]


gauss = "1e4/sqrt(pi)*exp(-(1e4*(t-0.537))**2)"
PULSES = {  # law, time, speed after it
    "square": ("1e4 if (t-0.537)**2 < 2.5e-9 else 0", 1.0, 1.0),
    "Gauss": (gauss, 1.0, 1.0),
    "narrower": ("1e7/sqrt(pi)*exp(-(1e7*(t-0.537))**2)", 1.0, 1.0),
    "beside a wave": (f"3*cos(t) + {gauss}", 1.0, 1.0 + 3 * math.sin(1.0)),
    "Lorentz": ("1e5/pi/(1 + (1e5*(t-0.3))**2)", 1.0, (math.atan(7e4) + math.atan(3e4)) / math.pi),
    "in a long run": ("1e4 if (t-537)**2 < 2.5e-9 else 0", 1000.0, 1.0),
    "by hyperbolic tangents": ("5e3*(tanh(1e6*(t-0.3)) - tanh(1e6*(t-0.3002)))", 1.0, 2.0),
    "triangle by a table": ("1e5*table(t, (0, 0), (0.3, 0), (0.30001, 1), (0.30002, 0), (1, 0))", 1.0, 1.0),
    "triangle by a table of a function": (
        "1e5*table(sin(t), (0, 0), (0.3, 0), (0.30001, 1), (0.30002, 0), (1, 0))",
        1.0,
        1 / math.cos(math.asin(0.30001)),
    ),
    "triangle by min and max": ("1e5*max(0, 1 - 1e5*abs(t - 0.3))", 1.0, 1.0),
    "product of steps": ("1e4*(t > 0.3)*(t*t < 0.3001**2)", 1.0, 1.0),
    "nested": ("1e3 if sin(50*t) > 0.99 else 0", 1.0, 1e3 * 8 * 2 * math.acos(0.99) / 50),
    "train": ("1000*exp(-(1000*sin(5*t))**2)", 1.0, None),
    "parameters": ("height if abs(t - when) < 5e-5 else 0", 1.0, 1.0),
    "steps by floor": ("floor(7*t)", 1.0, 3.0),
    "saw": ("t % 0.125", 1.0, 0.0625),
    "start": ("1e4 if t < 1e-4 else 0", 1.0, 1.0),
    "between two floors": ("1e6*(floor(t + 1e-6) - floor(t))", 1.5, 1.0),
    # at its border round-off asks for the arc sine of less than -1
    "arc sine": ("1e3*(asin(min(1, max(-1, 1e3*(t-0.6)))) + pi/2) if abs(t-0.6) < 1e-3 else 0", 1.0, math.pi),
    # its branch has no value where it ends, so steps end ever nearer to there: all of them must be on its side
    "narrow arc sine": ("1e6*(asin(1e6*(t-0.6)) + pi/2) if abs(t-0.6) < 1e-6 else 0", 1.0, math.pi),
    "narrow logarithm": ("1e6*abs(log(max(1e-9, abs(1e6*(t-0.6))))) if abs(t-0.6) < 1e-6 else 0", 1.0, 2.0),
}
PULSES["train"] = (PULSES["train"][0], 1.0, (0.5 + 1.0) * math.sqrt(math.pi) / 5)


@BOTH
@pytest.mark.parametrize("name", PULSES)
def test_no_pulse_is_stepped_over(name, method, near):
    law, t_end, expected = PULSES[name]
    run = mk.simulate(on_a_rail(law, parameters={"height": 1e4, "when": 0.537}), t_end, method=method)
    slack = 2e-6 if name in ("triangle by a table of a function", "train") else 0.0  # the closed form is to first order
    assert speed(run) == pytest.approx(expected, abs=near * max(1.0, abs(expected)) + slack)


STEEP = {  # pulses that are infinitely steep at a border, beyond which they have no value; times the width: their integral
    "asin((t-T)/W) if T <= t and t <= T+W else 0": math.pi / 2 - 1,
    "asin((t-T)/W) + pi/2 if abs(t-T) < W else 0": math.pi,
    "sqrt(1-((t-T)/W)**2) if abs(t-T) < W else 0": math.pi / 2,
    "log((t-T)/W) if T < t and t < T+W else 0": -1.0,
    "((t-T)/W)**0.3 if t > T and t < T+W else 0": 1 / 1.3,
    "(1-(t-T)/W)**0.3 if t > T and t < T+W else 0": 1 / 1.3,
}


@pytest.mark.parametrize("width", [1e-2, 1e-6, 1e-7])
@pytest.mark.parametrize("law", STEEP)
def test_no_pulse_is_worse_than_it_says(law, width):
    """Floats at 0.6 are 1e-16 apart, 1e-9 of the shortest pulse: where that sets the error, the repetition must not round in
    the same way. Down to 1e-6 all runs end, to 1e-7 what cannot be estimated is not trusted."""
    force = f"1/W*({law})".replace("T", "0.6").replace("W", str(width))
    run = mk.simulate(on_a_rail(force), 1.0)
    assert width < 1e-6 or not run.info["stopped"]
    if run.health.trusted or width == 1e-2:
        assert run.health.trusted and run.error.velocity >= 0.1 * abs(speed(run) - STEEP[law])
        assert speed(run) == pytest.approx(
            STEEP[law], abs=2e-8
        )  # rtol 1e-9, and 1e-8 of the shortest step beside its width


@pytest.mark.parametrize("name", ["square", "Gauss", "nested"])
@pytest.mark.parametrize("keywords", [dict(code="specialised"), dict(formulation="absolute"), dict(rtol=1e-4)])
def test_in_every_code_formulation_and_tolerance(name, keywords):
    law, t_end, expected = PULSES[name]
    assert speed(mk.simulate(on_a_rail(law), t_end, **keywords)) == pytest.approx(
        expected, abs=1e-3 if "rtol" in keywords else 1e-7
    )


@pytest.mark.parametrize("dt", [0.01, 0.3, 1.0])
@pytest.mark.parametrize("name", ["square", "Gauss", "nested"])
def test_step_by_step(name, dt):
    law, t_end, expected = PULSES[name]
    solver, _ = initial_solver(on_a_rail(law))
    while solver.t < t_end - 1e-9:
        solver.step(min(dt, t_end - solver.t))
    assert solver.y[1] == pytest.approx(expected, abs=1e-7)


def test_prescribed_motions():
    """A cart driven along a bump of 0.1 ms: the force on it is m a, of opposite signs in its two halves; the run must
    see both."""
    s = mk.System("bump", gravity=(0, 0, 0))
    s.slider("rail", s.ground, s.body("b", 1.0, inertia=(1, 1, 1)), axis="x")
    s.prescribed("drive", "rail", "1e-3*exp(-(1e4*(t-0.537))**2)")
    run = mk.simulate(s, 1.0, every=[0.0, 0.537, 1.0])
    assert run["rail.displacement"].values == pytest.approx([0.0, 1e-3, 0.0], abs=1e-9)
    assert run.info["steps"] > 20


@pytest.mark.parametrize(
    "law, message", [("1 if sin(1e6*t) > 0 else 0", "changes too often"), ("sin(1e6*t) if t < 0.01 else 0", "too fast")]
)
def test_what_cannot_be_resolved_is_reported(law, message):
    """Health prints what the solver notes. The comparison is then looked at in every step, as one of the state."""
    solver, _ = initial_solver(on_a_rail(law))
    found = solver.time_laws.between(solver.workspace.r, 0.0, 1.0)
    assert len(found.notes) == 1 and message in found.notes[0] and "give step=" in found.notes[0]
    assert found.watched.tolist() == [message == "changes too often"]


def test_what_cannot_be_resolved_is_not_trusted():
    """Unless the user has bounded the steps, as the note says."""
    law = "sin(1e6*t) if t < 0.01 else 0"
    run = mk.simulate(on_a_rail(law), 1.0)
    assert not run.health.ok and "changes too fast to be followed" in run.health.verdict
    solver, _ = initial_solver(on_a_rail(law), step=1e-7)
    solver.step(1e-5)
    assert not solver.facts()["unresolved"]


def test_ten_thousands_of_switches():
    """A chopper: instants at which sin(2 pi 1e4 t) changes its sign are k/2e4; half of the time it is on."""
    solver, _ = initial_solver(on_a_rail("1 if sin(2*pi*1e4*t) > 0 else 0"))
    found = solver.time_laws.between(solver.workspace.r, 0.0, 2.0)
    expected = np.arange(1, 40_000) / 2e4
    assert not found.notes and not found.watched.any()
    after = found.event_times[np.searchsorted(found.event_times, expected - 1e-12)]
    # floats at 2 are 4e-16 apart
    assert after == pytest.approx(expected, abs=1e-14) and len(found.event_times) < 1.01 * len(expected)


@pytest.mark.parametrize("t_end", [1e-3, 1.0])
def test_a_comparison_at_the_start_that_only_rounding_decides(t_end, monkeypatch):
    """sin(15 t + π) is zero at 0 but for the rounding of π, which moves the instant by 1e-17 s; floats are dense there. As
    many intervals as in ordinary comparisons: some hundreds, not the 1e5 that fit into the rounding."""
    solver, _ = initial_solver(on_a_rail("max(0, sin(15*t + pi))"))
    over, looked_at = type(solver.time_laws).over, []
    count = lambda self, register, r, low, high, **options: (
        looked_at.append(len(low)) or over(self, register, r, low, high, **options)
    )
    monkeypatch.setattr(type(solver.time_laws), "over", count)
    found = solver.time_laws.between(solver.workspace.r, 0.0, t_end)
    expected = np.pi / 15 * np.arange(1, 5)
    later = found.event_times[found.event_times > 1e-9]
    assert later == pytest.approx(expected[expected < t_end], abs=1e-15) and sum(looked_at) < 10_000


@pytest.mark.parametrize("law", ["sin(12*t)", "t**2 + 3*t", "exp(-t)*cos(5*t)", "tanh(t - 1)", "3 + 0*t"])
def test_ordinary_laws_cost_no_steps(law):
    """Nothing in them is short against the run: they have no stops, and nothing is watched."""
    solver, _ = initial_solver(on_a_rail(law))
    solver.run(2.0, np.array([2.0]))
    assert len(solver.event_times) == 0 and len(solver.events) == 0


LAWS = [  # each differs from another in one thing: a constant, which comparison, a coefficient, a table, floors
    "1 if t < 0.25 + 0.1*sin(t) else 0",
    "1 if t < 0.35 + 0.1*sin(t) else 0",
    "1 if t <= 0.25 + 0.1*sin(t) else 0",
    "1 if sin(9*t) > 0.1 else 0",
    "1 if sin(9.5*t) > 0.1 else 0",
    "floor(3*t + 0.2*sin(t))",
    "floor(3*t + 0.3*sin(t))",
    mk.Table([0, 0.5, 1], [0, 1, 0], "linear"),
    mk.Table([0, 0.6, 1], [0, 1, 0], "linear"),
]


def test_what_was_found_for_the_same_laws_is_taken_again():
    """Oracle: the analysis itself, done anew for each law, over two times."""
    for _ in range(2):
        for law in LAWS:
            solver, _ = initial_solver(on_a_rail(law))
            r = solver.workspace.r
            for end in (1.0, 1.5):
                found, anew = solver.time_laws.between(r, 0.0, end), solver.time_laws.analyse(np.real(r), 0.0, end)
                solver.time_laws.known = None
                assert all(np.array_equal(a, b) for a, b in zip(found, anew, strict=True))


def test_laws_that_were_analysed_before_are_not_analysed_again(monkeypatch):
    """Another model with the same law, elsewhere at the start; one whose parameter is another is analysed."""
    law = "1 if sin(a*t) > 0.123456 else 0"
    first = on_a_rail(law, parameters=dict(a=31.0))
    initial_solver(first)[0].run(0.5, np.array([0.5]))
    calls = []
    analyse = TimeLaws.analyse
    monkeypatch.setattr(TimeLaws, "analyse", lambda *args: calls.append(args) or analyse(*args))
    again, _ = initial_solver(on_a_rail(law, parameters=dict(a=31.0)))
    again.y[0] = 0.5
    again.run(0.5, np.array([0.5]))
    assert not calls
    initial_solver(on_a_rail(law, parameters=dict(a=33.0)))[0].run(0.5, np.array([0.5]))
    assert len(calls) == 1
