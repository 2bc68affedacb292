"""Contact laws in closed loops: formulations and ways to hold constraints agree, and loops stay closed."""

import numpy as np
import pytest
from oracles import TIGHT, four_bar, slider_crank

import mekane as mk

OTHERS = [("joint", "embedded"), ("absolute", "multipliers"), ("absolute", "embedded")]
NEAR = 1e-10  # rtol 1e-12 through some 15 events that double errors of time at worst


def rubbing_piston():
    """Coulomb friction of 8 N in the bore: it comes to rest and sticks."""
    s = slider_crank()
    s.dry_friction("rub", "bore", force=8.0)
    return s


MECHANISMS = {
    "four-bar between limits": (four_bar, 2.0),
    "four-bar without rebound": (lambda: four_bar(0.0), 2.0),
    "four-bar with friction": (lambda: four_bar(0.5, 1.5), 3.0),
    "piston with friction": (rubbing_piston, 3.0),
    "piston and stop": (lambda: slider_crank(rate=6.0, e=0.6, at=-0.1), 1.0),
}
each = pytest.mark.parametrize("name", list(MECHANISMS))


def run_of(name, formulation="joint", constraints="multipliers"):
    make, t = MECHANISMS[name]
    return mk.simulate(make(), t, formulation=formulation, constraints=constraints, **TIGHT)


@each
@pytest.mark.parametrize("formulation, constraints", OTHERS)
def test_every_way_gives_the_same_motion(name, formulation, constraints):
    run, other = run_of(name), run_of(name, formulation, constraints)
    ours, theirs = ([line for line in one.events if line.kind == "impact"] for one in (run, other))
    assert [line.event for line in ours] == [line.event for line in theirs]
    np.testing.assert_allclose([a.time for a in ours], [b.time for b in theirs], rtol=0, atol=NEAR)
    for body in run.system.bodies:
        for what in ("position", "velocity", "angular_velocity"):
            channel = f"{body}.{what}"
            np.testing.assert_allclose(run[channel].values, other[channel].values, rtol=0, atol=NEAR, err_msg=channel)


@each
def test_loops_stay_closed(name):
    """Positions and velocities of both bodies at every joint, at every sample; the size of the mechanism is 1 m."""
    run = run_of(name)
    for what in ("position", "rate"):
        assert np.nanmax(np.abs(run.residual[what].values)) < 1e-12, what
    assert run.health.ok, run.health


@each
def test_limits_hold(name):
    """No sample is beyond a limit by more than round-off."""
    run = run_of(name)
    for channel in [one for one in run.names() if one.endswith(".gap")]:
        assert run[channel].values.min() > -1e-14, channel


def test_a_stuck_piston_does_not_creep():
    run = run_of("piston with friction")
    last = run.events[-1]
    assert last.changes == {"rub.mode": (1.0, 2.0)}
    rates = run["bore.displacement.rate"].values[run.t > last.time]
    assert len(rates) > 5 and np.abs(rates).max() < 1e-14


def test_without_rebound_the_crank_stays_at_its_limit():
    run = run_of("four-bar without rebound")
    t, angle = run.t, run["pin 0.angle"].values
    np.testing.assert_allclose(angle[t > run.events[0].time], 0.6, rtol=0, atol=1e-13)
    assert (run["stop.upper.force"].values[t > run.events[0].time] > 0).all()


@pytest.mark.parametrize("formulation, constraints", [("joint", "multipliers"), *OTHERS])
def test_friction_beside_a_limit_stays_in_its_set(formulation, constraints):
    """At rest on the limit, friction and limit can share the load in many ways; |friction| ≤ 1.5 in each of them."""
    run = run_of("four-bar with friction", formulation, constraints)
    assert np.abs(run["rub.force"].values).max() < 1.5 + 1e-9
