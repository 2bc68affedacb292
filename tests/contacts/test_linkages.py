"""Loops with limits, floors and friction in their joints: formulations and ways to hold constraints agree, loops stay
closed, nothing enters anything, energy and every body are in balance. Contacts that share a load in many ways.

Tolerances: runs at rtol 1e-12. Reached, at worst: agreement 2e-11 (rad/s, of 1000), ledger 4e-11 J of 34 J, loops 2e-15, gaps 2e-16 m,
balance of bodies 3e-14 of the largest force."""

import sys
from functools import cache
from pathlib import Path

import contact_linkages as linkages
import numpy as np
import pytest
from oracles import TIGHT, G

import mekane as mk

sys.path.append(str(Path(__file__).resolve().parent.parent / "results"))
from mechanisms import ByHand  # noqa: E402

MECHANISMS = {  # how it is made, end of the run, its impacts
    "four-bar with rough pins": (linkages.rough_four_bar, 2.0, 14),
    "squeezer with a stop": (linkages.squeezer_with_a_stop, 0.03, 11),
    "double wishbone": (linkages.double_wishbone, 1.0, 2),
    "double wishbone with friction": (lambda: linkages.double_wishbone(friction=20.0), 1.0, 1),
    "Stewart platform": (linkages.stewart_platform, 1.0, 10),
}
OTHERS = [("joint", "embedded"), ("absolute", "multipliers"), ("absolute", "embedded")]
WAYS = [("joint", "multipliers"), *OTHERS]
pytestmark = pytest.mark.thinned("formulation", "constraints")
each = pytest.mark.parametrize("name", list(MECHANISMS))
ways = pytest.mark.parametrize("formulation, constraints", WAYS)


@cache
def run_of(name, formulation="joint", constraints="multipliers"):
    make, t, _ = MECHANISMS[name]
    return mk.simulate(make(), t, formulation=formulation, constraints=constraints, **TIGHT)


def impacts(run):
    return [line for line in run.events if line.kind == "impact"]


@each
@pytest.mark.parametrize("formulation, constraints", OTHERS)
def test_every_way_gives_the_same_motion(name, formulation, constraints):
    run, other = run_of(name), run_of(name, formulation, constraints)
    assert [line.event for line in impacts(run)] == [line.event for line in impacts(other)]
    np.testing.assert_allclose(
        [line.time for line in impacts(run)], [line.time for line in impacts(other)], rtol=0, atol=1e-11
    )
    for body in run.system.bodies:
        for what in ("position", "velocity", "angular_velocity"):
            channel = f"{body}.{what}"
            np.testing.assert_allclose(run[channel].values, other[channel].values, rtol=0, atol=1e-10, err_msg=channel)


@each
@ways
def test_loops_stay_closed_and_limits_hold(name, formulation, constraints):
    run = run_of(name, formulation, constraints)
    assert len(impacts(run)) == MECHANISMS[name][2]
    for what in ("position", "rate"):
        assert np.nanmax(np.abs(run.residual[what].values)) < 1e-13, what
    for channel in [one for one in run.names() if one.endswith(".gap")]:
        assert run[channel].values.min() > -1e-14, channel


@each
def test_its_runs_can_be_trusted(name):
    run = run_of(name)
    assert run.health.ok, run.health


@each
@ways
def test_the_ledger_closes(name, formulation, constraints):
    """Heat, losses and work of springs and motors; losses of impulses are those of the kinetic energy."""
    run = run_of(name, formulation, constraints)
    found = run.energy.balance.values
    assert np.abs(found - found[0]).max() < 1e-10
    largest = max(line.kinetic_energy[0] for line in impacts(run))
    for line in impacts(run):
        before, after = line.kinetic_energy
        assert sum(line.losses.values()) == pytest.approx(before - after, abs=1e-12 * largest)


@each
@ways
def test_every_body_is_in_balance(name, formulation, constraints):
    """Newton's and Euler's equations by hand, with reactions of joints, constraints and contact laws."""
    missing = ByHand(run_of(name, formulation, constraints)).missing()
    assert max(missing.values()) < 1e-11, missing


def test_a_motor_presses_the_squeezer_on_its_stop():
    """Bounces with e = 0.4 accumulate; then seven bodies are at rest, and virtual power gives the force of the stop: motor
    and spring, in the ratio of the rates that they had."""
    run = run_of("squeezer with a stop")
    rest = run.t > impacts(run)[-1].time
    assert rest.sum() > 5
    for body in run.system.bodies:
        assert np.abs(run[f"{body}.velocity"].values[rest]).max() < 1e-12
    np.testing.assert_allclose(run["pin 3.angle"].values[rest], 0.3, rtol=0, atol=1e-14)
    assert run["stop.force"].values[rest].min() > 0
    np.testing.assert_allclose(run["stop.force"].values[rest], power_over_rate(run), rtol=1e-9)


def power_over_rate(run):
    """At the stop, from a motion through it: the same mechanism without a stop, at the instant where it is there."""
    free = linkages.squeezer_with_a_stop()
    free.remove("stop")
    t = impacts(run)[0].time
    there = mk.simulate(free, t, every=[0.0, t], **TIGHT)
    rate = float(there["pin 3.angle.rate"][-1])
    motor = 0.033 * float(there["K1.angular_velocity.z"][-1])
    at, point = np.array([*linkages.squeezer.C, 0.0]), there["K3.position"].values[-1]
    R = ByHand(there).R["K3"][-1]
    arm = R @ np.array([9.57e-3, 7.4e-4, 0])
    line = point + arm - at
    length = np.linalg.norm(line)
    velocity = there["K3.velocity"].values[-1] + np.cross(there["K3.angular_velocity"].values[-1], arm)
    spring = -4530 * (length - 0.07785) * float(line @ velocity) / length
    return -(motor + spring) / rate


def test_journals_take_what_the_motion_loses():
    """Four journals that turn: each heats up, and with the impacts they take what T + V loses."""
    run = run_of("four-bar with rough pins")
    heat = [run[f"journal {k}.heat"].values for k in range(4)]
    assert all(np.diff(one).min() > -1e-13 and one[-1] > 1e-4 for one in heat)
    lost = sum(sum(line.losses.values()) for line in impacts(run))
    total = (run.energy.kinetic + run.energy.potential).values
    assert float(sum(one[-1] for one in heat)) + lost == pytest.approx(total[0] - total[-1], abs=1e-11)


# ---------------------------------------------------------------- contacts that share a load

OFF_CENTRE = (0.05, -0.03, 0.0)


def feet(run):
    return np.transpose([run[f"foot {k}.force"].values for k in range(1, 5)])


@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_four_legs_share_the_weight(friction, formulation):
    """They balance weight and moments in one of many ways, and health names them."""
    run = mk.simulate(linkages.table_on_four_legs(friction, OFF_CENTRE), 0.2, formulation=formulation, **TIGHT)
    moments = np.tile(linkages.WEIGHT * np.array(OFF_CENTRE[:2]), (len(run.t), 1))
    np.testing.assert_allclose(feet(run) @ linkages.FEET, moments, rtol=0, atol=1e-10)
    np.testing.assert_allclose(feet(run).sum(axis=1), linkages.WEIGHT, rtol=0, atol=1e-10)
    assert feet(run).min() > 0
    assert "Forces of 'foot 1', 'foot 2', 'foot 3', 'foot 4' are not unique" in str(run.health)
    assert np.abs(run["table.velocity"].values).max() < 1e-14


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_four_legs_share_the_weight_with_the_smallest_forces(friction):
    """Oracle: of all forces that balance weight and moments, those with the least sum of squares (NumPy). What is not unique
    errs by round-off over the regularization of its rows, 1e-6: 1e-10 of the forces, a few times."""
    run = mk.simulate(linkages.table_on_four_legs(friction, OFF_CENTRE), 0.2, **TIGHT)
    x, y = np.transpose(linkages.FEET)
    least = np.linalg.pinv(np.array([np.ones(4), x, y])) @ (linkages.WEIGHT * np.array([1, *OFF_CENTRE[:2]]))
    np.testing.assert_allclose(feet(run), np.tile(least, (len(run.t), 1)), rtol=0, atol=1e-7)


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_four_legs_of_a_symmetric_table_carry_a_quarter_each(friction):
    """Whatever the scales of rows are, they are equal here."""
    run = mk.simulate(linkages.table_on_four_legs(friction, (0, 0, 0)), 0.2, **TIGHT)
    np.testing.assert_allclose(feet(run), linkages.WEIGHT / 4, rtol=0, atol=1e-7)


def test_three_legs_do_not_share():
    """Without the fourth leg forces are unique, and nothing is reported."""
    s = linkages.table_on_four_legs(0.0, com=(-0.1, 0.05, 0.0))
    s.remove("foot 2")
    run = mk.simulate(s, 0.2, **TIGHT)
    x, y = np.transpose([linkages.FEET[k] for k in (0, 2, 3)])
    exact = np.linalg.solve([np.ones(3), x, y], linkages.WEIGHT * np.array([1, -0.1, 0.05]))
    assert [float(run[f"foot {k}.force"][-1]) for k in (1, 3, 4)] == pytest.approx(exact, abs=1e-11)
    assert "not unique" not in str(run.health)


SWING = dict(angle=0.4, length=0.8)


@cache
def swing(formulation="joint"):
    """Friction of 0.5 keeps the box: it needs 0.4414 at most."""
    return mk.simulate(linkages.swing_with_a_box(0.5, **SWING), 1.5, formulation=formulation, **TIGHT)


def exact_swing(run):
    """Square of the rate and acceleration of the table on its two bars (5 kg with the box, bars 0.6 kg): one degree of
    freedom."""
    angle = run["above 1.angle"].values + SWING["angle"]
    M, bar, length = 5.0, 0.6, SWING["length"]
    inertia = length * (M + 2 / 3 * bar)
    square = 2 * (M + bar) * G * (np.cos(angle) - np.cos(SWING["angle"])) / inertia
    turning = -(M + bar) * G * np.sin(angle) / inertia
    along, up = length * turning, length * square
    return square, along * np.cos(angle) - up * np.sin(angle), along * np.sin(angle) + up * np.cos(angle)


def test_a_box_on_a_swing_does_not_move():
    """A loop of five redundant rows below four corners that share their load: the motion is that of one body, and all
    corners together carry m (g + a). At rtol 1e-12, over one swing."""
    run = swing()
    square, ax, az = exact_swing(run)
    np.testing.assert_allclose(run["above 1.angle.rate"].values ** 2, square, rtol=0, atol=1e-11)
    found = run.reaction("top", on="box").force.values
    np.testing.assert_allclose(found, 2.0 * np.transpose([ax, 0 * ax, G + az]), rtol=0, atol=1e-11)
    apart = run["box.position"].values - run["table.position"].values
    assert np.abs(apart - apart[0]).max() < 1e-14
    assert np.abs(ax / (G + az)).max() == pytest.approx(0.4414, abs=1e-4)


def test_corners_of_a_box_on_a_swing_stay_in_their_cones():
    run = swing()
    for k in (1, 3, 5, 7):
        assert np.all(run[f"top.{k}.friction"].values <= 0.5 * run[f"top.{k}.force"].values + 1e-9), k


def test_a_box_on_a_swing_does_not_move_in_absolute_coordinates():
    run = swing("absolute")
    apart = run["box.position"].values - run["table.position"].values
    assert np.abs(apart - apart[0]).max() < 1e-12


def test_no_corner_of_a_box_on_a_shaken_table_slides_before_the_others():
    """It sticks up to where amplitude × frequency² sin(frequency t) = μ g, whatever the corners carry."""
    breaks = np.arcsin(0.3 * G / 5.0) / 5.0
    run = mk.simulate(linkages.shaken_box(), 0.99 * breaks, **TIGHT)
    assert [line.time for line in run.events] == [0.0]
