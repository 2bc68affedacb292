"""Laws that compare numbers, on lanes. Oracles: closed forms of motions in pieces; runs one by one, whose events are located by
other code; the same runs in another order, on other lanes, by other threads, to the last bit."""

import re

import lane_systems
import numpy as np
import pytest

import mekane as mk
from mekane.analyses.batch.lane_runs import LaneEngine, NotOnLanes, run_on_lanes
from mekane.analyses.batch.runs import DONE, Batch
from mekane.gallery import four_bar
from mekane.solvers.lanes.lane_state import UNDECIDED
from mekane.solvers.lanes.threads import run_on_threads

K = np.linspace(0.6, 2.4, 7)


def slider(law):
    """A slider of 1 kg that begins at x = 0 with 1 m/s, under a force law of x, its rate v and k."""
    s = mk.System("slider", gravity=(0, 0, 0), parameters={"k": 1.0})
    s.slider("rail", s.ground, s.body("mass", 1.0), at=(0, 0, 0), axis="z", rate=1.0)
    s.motor("law", "rail", force=re.sub(r"\bx\b", "rail.displacement", re.sub(r"\bv\b", "rail.displacement.rate", law)))
    return s


def batch_of(law, t_end=6.0, k=K, **settings):
    channels = ("rail.displacement", "rail.displacement.rate", "law.force")
    return Batch(slider(law), {"k": k}, np.linspace(0.0, t_end, 25), channels, settings)


def left(batch):
    """Numbers of the runs that left their lanes because of a comparison."""
    engine = LaneEngine(batch, 4)
    runs = engine.runs()
    run_on_threads(*engine.arguments(runs))
    return np.flatnonzero(runs.outcome == UNDECIDED)


def test_two_springs():
    """x'' = −k² x for x > 0, −4 x for x < 0: half waves of 1/k sin(k t) and 1/2 sin(2 t), by turns."""
    batch = batch_of("-k**2*x if x > 0 else -4*x", 12.0)
    runs, k, t = run_on_lanes(batch), K[:, None], batch.times
    into = t % (np.pi / k + np.pi / 2)
    exact = np.where(into < np.pi / k, np.sin(k * into) / k, -np.sin(2 * (into - np.pi / k)) / 2)
    assert (runs.outcome == DONE).all() and not len(left(batch))
    assert (
        np.abs(runs.values[:, :, 0] - exact).max() < 1e-7
    )  # a hundred times the tolerance, after four to eight events


def test_a_force_that_ends_at_a_time_that_varies():
    """x'' = 1 until t = k: then x' = 1 + k."""
    runs = run_on_lanes(batch_of("1 if t < k else 0"))
    t, k = np.linspace(0.0, 6.0, 25), K[:, None]
    exact = t + np.where(t < k, t**2 / 2, k * t - k**2 / 2)
    assert np.abs(runs.values[:, :, 0] - exact).max() < 1e-12  # a polynomial, its pieces joined at a known instant
    assert (runs.steps < 60).all()  # nothing is watched


LAWS = {
    "choice": "-3*x if x < 0.3*k else -5*x + 1",
    "rate": "-x - 0.2*(v if v > 0.1*k else 3*v)",
    "absolute": "-x - 0.3*k*v*abs(v)",
    "stop": "-x - 1e3*max(x - 0.4*k, 0)",
    "dead band": "-4*(x - 0.2*k if x > 0.2*k else (x + 0.2*k if x < -0.2*k else 0))",
    "saturated": "max(-0.5*k, min(0.5*k, -9*x))",
    "power": "-x - max(x - 0.2, 0)**1.5",
    "both": "-x if x < 0.3 and v > 0 else -2*k*x",
    "with time": "(1 if t < 2*k else -1)*(1 if x < 1 else 0.2) - x",
    "of a sine": "sin(3*t) - x if sin(3*t) > 0.5*k else -x",
}


@pytest.mark.parametrize("name", LAWS)
def test_laws_of_every_kind_are_those_one_by_one(name):
    """A thousand times the tolerance, of values of about 1, is above the errors of both and below any event that is missed."""
    batch = batch_of(LAWS[name])
    runs = run_on_lanes(batch)
    assert (runs.outcome == DONE).all() and not runs.messages
    for run in (0, 3, 6):
        assert np.abs(runs.values[run] - lane_systems.run_alone(batch, run))[:, :2].max() < 1e-6
    assert len(left(batch)) <= (len(K) if name == "power" else 1)  # the branch has no value beyond its border


AT_BORDERS = {  # where they begin or end, their branch has no value, or only round-off decides on which side a time is
    "arc sine": ("1e5*(asin(1e5*(t - 0.3*k)) + pi/2) if abs(t - 0.3*k) < 1e-5 else 0", 1e-7),
    "root": ("1e5*sqrt(1 - 1e5*abs(t - 0.3*k)) if abs(t - 0.3*k) < 1e-5 else 0", 1e-7),
    "two floors": ("1e6*(floor(t/k + 1e-6) - floor(t/k))", 1e-7),
    "two instants": ("(1 if t < 0.3*k else 0) + (2 if t < 0.1*k + 0.2*k else 0)", 1e-10),
    "a femtosecond": ("(1 if t < 0.3*k else 0) + (2 if t < 0.3*k + 1e-15 else 0)", 1e-10),
    "a picosecond": (
        "1e9 if 0.3*k < t and t < 0.3*k + 1e-12 else 0",
        3e-6,
    ),  # round-off of times, 2e-16 s, is 2e-7 of v
}


@pytest.mark.parametrize("name", AT_BORDERS)
def test_borders_of_time_are_those_one_by_one(name):
    """Runs on lanes beside mk.simulate, which begin steps after instants by one rule; tolerance: of smooth pulses a hundred
    times rtol, of constant forces what rounding of the instants leaves."""
    law, tolerance = AT_BORDERS[name]
    batch = batch_of(law, 3.0, K[::3])
    runs = run_on_lanes(batch)
    assert (runs.outcome == DONE).all() and not runs.messages
    for run in range(len(batch.varied["k"])):
        assert np.abs(runs.values[run] - lane_systems.run_alone(batch, run))[:, :2].max() < tolerance


def test_a_window_of_the_state_is_entered_where_it_begins():
    """A window of the width w = 1e-4 in which 1/w acts gives 1 J; some of these have one of the points inside that a step is
    looked at in. Oracle: the energy at the end, to 1e-7: a hundred times the tolerance."""
    batch = batch_of("1e4 if (x - 0.3*k)**2 < 0.25e-8 else 0", 1.0, np.linspace(1.0, 2.5, 60))
    runs = run_on_lanes(batch)
    assert np.abs(0.5 * runs.values[:, -1, 1] ** 2 - 1.5).max() < 1e-7


def test_a_closed_loop_with_a_stop():
    """A four-bar whose crank is pushed back beyond an angle: steps that end there are projected, too."""
    s = four_bar.system()
    s.motor("stop", "J1", torque="-k*max(J1.angle - 0.3, 0) - 0.1*abs(J1.angle.rate)*J1.angle.rate")
    s.parameter("k", 20.0)
    batch = Batch(s, {"k": np.array([20.0, 60.0])}, np.linspace(0.0, 1.0, 9), ("link3.position.x", "J1.angle"), {})
    runs = run_on_lanes(batch)
    assert (runs.outcome == DONE).all() and not len(left(batch))
    for run in range(2):
        assert np.abs(runs.values[run] - lane_systems.run_alone(batch, run)).max() < 1e-7


def test_bits_depend_on_the_run_alone():
    batch, order = batch_of(LAWS["dead band"], k=np.linspace(0.5, 2.5, 13)), np.random.default_rng(2).permutation(13)
    found = run_on_lanes(batch, threads=2, lanes=4).values
    for lanes, threads in ((1, 1), (8, 2)):
        mixed = LaneEngine(batch._replace(varied={"k": batch.varied["k"][order]}), lanes).run(threads).values
        assert mixed.tobytes() == found[order].tobytes()


def test_runs_that_cannot_be_decided_leave():
    """Dry friction as a comparison holds the mass by changing again and again: mk.simulate computes such a run."""
    batch = batch_of("-0.8*x - k*sign(v)", 3.0, K[:2])
    runs = run_on_lanes(batch)
    assert len(left(batch)) == 2
    for run in range(2):
        assert np.array_equal(runs.values[run], lane_systems.run_alone(batch, run))


def test_a_fixed_step_sees_laws_change_within_it():
    batch = batch_of(LAWS["stop"], method="rk4", step=1e-3)
    runs = run_on_lanes(batch)
    assert np.abs(runs.values[0] - lane_systems.run_alone(batch, 0)).max() < 1e-12


def test_comparisons_in_constraints_are_refused():
    s = slider("0")
    s.prescribed("drive", "rail", "t if t < 1 else 2*t - 1")
    with pytest.raises(NotOnLanes, match="compare"):
        run_on_lanes(Batch(s, {"k": K}, np.linspace(0, 1, 3), ("rail.displacement",), {}))


def test_laws_that_jump_without_comparing_run_one_by_one():
    """Lanes locate comparisons alone; floors of the time or of parameters are none of the state. Oracle: runs one by one."""
    batch = batch_of("0.2 - k*floor(4*x)", k=np.array([0.6, 1.0]))
    with pytest.raises(NotOnLanes, match="floors and angles"):
        LaneEngine(batch, 4)
    LaneEngine(batch_of("0.2 - k*floor(k) + floor(4*t)", k=np.array([0.6, 1.0])), 4)
    s = slider("0.2 - k*floor(4*x)")
    found = mk.sweep(s, {"k": [0.6, 1.0]}, t_end=3.0)
    for k in range(2):
        alone = mk.simulate(s.with_parameters({"k": [0.6, 1.0][k]}), 3.0)
        ends = found["rail.displacement"].values[k, -1], alone["rail.displacement"].values[-1]
        assert ends[0] == pytest.approx(ends[1], rel=0, abs=1e-13)


def test_laws_that_jump_in_fixed_steps_are_on_lanes():
    """Fixed steps locate nothing, beside one another or alone. Oracle: runs one by one; round-off of 300 steps."""
    batch = batch_of("0.2 - k*floor(4*x)", t_end=3.0, k=np.array([0.6, 1.0]), method="rk4", step=0.01)
    runs = run_on_lanes(batch)
    for k in range(2):
        assert np.abs(runs.values[k] - lane_systems.run_alone(batch, k)).max() < 1e-12
