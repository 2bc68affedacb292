"""Mechanisms with contact laws beyond their own checks: exact at every sample, other laws of restitution, other data.

Oracles: closed forms and quadrature in the files of the mechanisms. Tolerances: 1e-12 of a step, magnified by the speeds.
"""

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.errors import SimulationError
from mekane.gallery import (
    bouncing_ball,
    box_on_slope,
    cam_lift_off,
    kanes_puzzle,
    newtons_cradle,
    painleves_chalk,
    rimless_wheel,
    rough_bearing,
    slider_crank_with_friction,
    slider_crank_with_stop,
    spinning_coin,
)


@pytest.mark.parametrize(
    "name",
    [
        "bouncing_ball",
        "stick_slip_belt",
        "friction_clutch",
        "coulomb_decay",
        "box_on_slope",
        "painleves_chalk_drawn",
        "cam_lift_off",
        "spinning_coin",
    ],
)
def test_exact_at_every_sample(name):
    """What each check reads, at all samples; instants of impacts fall on none."""
    mechanism = gallery.find(name)
    run = mechanism.run()
    exact = mechanism.exact(run.t)
    for check in {check.what: check for check in mechanism.checks if check.what in exact}.values():
        found = np.asarray(run[check.read] if isinstance(check.read, str) else check.read(run))
        np.testing.assert_allclose(found, exact[check.what], rtol=0, atol=10 * check.tolerance, err_msg=check.what)


def test_instants_of_bounces():
    run = gallery.find("bouncing_ball").run()
    assert run.events.times[:10] == pytest.approx(bouncing_ball.impacts(10), abs=1e-12)


def test_kanes_puzzle_by_stronge_and_by_newton():
    before, after = mk.simulate(kanes_puzzle.system("stronge"), 0.1).events[0].kinetic_energy
    assert before == pytest.approx(kanes_puzzle.before(), rel=1e-14)
    assert after / before == pytest.approx(kanes_puzzle.SHARE_OF_STRONGE, abs=1e-11)
    with pytest.raises(SimulationError, match="would multiply the kinetic energy by 1.58749"):
        mk.simulate(kanes_puzzle.system("newton"), 0.1)


@pytest.mark.parametrize(
    "e, speeds", [(1.0, (-1 / 3, 2 / 3, 2 / 3)), (0.5, (0, 0.5, 0.5)), (0.0, (1 / 3, 1 / 3, 1 / 3))]
)
def test_cradle_whose_balls_touch(e, speeds):
    run = mk.simulate(newtons_cradle.system(n=3, apart=0.0, e=e), 1.0)
    assert [float(run[f"ball {k}.velocity.x"][-1]) for k in (1, 2, 3)] == pytest.approx(speeds, abs=1e-13)


def test_box_that_slides_back():
    """Static friction as sliding friction does not hold it: tan 20° > 0.3. 1e-11: rtol is 1e-9, and rounding of another
    processor alone makes 1.03e-12 of the 0.3 m."""
    run = mk.simulate(box_on_slope.system(static=None, speed=0.0), 1.0)
    down = 9.81 * (np.sin(box_on_slope.SLOPE) - 0.3 * np.cos(box_on_slope.SLOPE))
    assert box_on_slope.distance(run) == pytest.approx(-down * run.t**2 / 2, abs=1e-11)


def test_times_of_the_slider_crank():
    """The numbers in its file are those of its quadrature."""
    m = slider_crank_with_stop
    assert m.time_at(m.HITS) == pytest.approx(m.IMPACT, abs=1e-14)
    assert m.time_at(np.pi / 3) == pytest.approx(m.AT_60, abs=1e-14)
    assert m.IMPACT + (m.IMPACT - m.AT_60) / m.E == pytest.approx(m.BACK_AT_60, abs=1e-14)
    assert m.IMPACT * (1 + 1 / m.E) == pytest.approx(m.BACK, abs=1e-14)


# ---------------------------------------------------------------- bearings


def test_swings_in_a_rough_bearing():
    """Printed numbers, found by another program, and the closed form of each half swing: small swings keep 12 digits."""
    found = rough_bearing.swings()
    assert len(found) == 22
    np.testing.assert_allclose(found[:3], rough_bearing.TURNS, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found[-1], (rough_bearing.REST, rough_bearing.ANGLE), rtol=0, atol=1e-11)


def test_every_half_swing_in_a_rough_bearing():
    """Angle and rate at all turning points but the last, where it stays. 1e-10: rates of swings, not angles, feel errors of
    time."""
    m = rough_bearing
    turns = m.swings()[:-1]
    run = mk.simulate(m.system(), 25.0, every=turns[:, 0], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(m.angle(run)[: len(turns)], turns[:, 1], rtol=0, atol=1e-11)
    np.testing.assert_allclose(run["hinge.angle.rate"][: len(turns)], 0.0, rtol=0, atol=1e-10)


def test_quarter_turns_of_the_slider_crank():
    """The numbers in its file are those of its balance by hand. 1e-11: rounding of another processor moves them by
    1.5e-12."""
    m = slider_crank_with_friction
    np.testing.assert_allclose(m.quarters(2), m.QUARTERS[:2], rtol=1e-11, atol=0)


def test_heat_of_the_slider_crank():
    """What four frictions take is what the motion loses, weight included; every one of them takes some."""
    run = gallery.find("slider_crank_with_friction").run()
    heat = [run[f"{name}.heat"].values for name in ("main journal", "big end journal", "small end journal", "wall")]
    assert all(np.diff(one).min() >= 0 and one[-1] > 1e-3 for one in heat)
    total = (run.energy.kinetic + run.energy.potential).values
    np.testing.assert_allclose(total[0] - total, sum(heat), rtol=0, atol=1e-11)


# ---------------------------------------------------------------- jamming


@pytest.mark.parametrize("angle", np.radians([45, 55, 63.434948822922, 75]))
def test_chalk_jams_above_the_critical_friction(angle):
    """A thousandth below it slides, a thousandth above it jams."""
    critical = painleves_chalk.critical(angle)
    kinds = [
        mk.simulate(painleves_chalk.system(friction=share * critical, angle=angle), 1e-5).events[0].kind
        for share in (0.999, 1.001)
    ]
    assert kinds == ["modes", "jam"]


def test_least_critical_friction():
    assert painleves_chalk.critical() == pytest.approx(4 / 3, abs=1e-15)
    assert all(painleves_chalk.critical(painleves_chalk.ANGLE + d) > 4 / 3 for d in (-1e-3, 1e-3))


def test_chalk_that_is_drawn_never_jams():
    run = mk.simulate(painleves_chalk.system(1.0, friction=10.0), 1e-3)
    assert [line.kind for line in run.events] == ["modes"]


# ---------------------------------------------------------------- cams, coins, walkers


@pytest.mark.parametrize("share, impacts", [(0.999, 0), (1.001, 2)])
def test_speed_at_which_a_tappet_takes_off(share, impacts):
    """Two turns, and half of one before; at the critical speed the force of the cam just vanishes, on top."""
    m = cam_lift_off
    speed = share * m.CRITICAL
    run = mk.simulate(m.system(speed), 2.5 * 2 * np.pi / speed, rtol=1e-12, atol=1e-14)
    landings = [line for line in run.events if line.kind == "impact"]
    assert bool(landings) == bool(impacts) and len(landings) >= impacts
    if not impacts:
        least = m.LOAD + (m.STIFFNESS - m.MASS * speed**2) * m.ECCENTRIC
        assert run["face.force"].values.min() >= least - 1e-9 > 0


@pytest.mark.parametrize("tilt", np.radians([10, 40, 60]))
def test_coins_at_other_tilts(tilt):
    """Ten turns; unsteady at no tilt. 1e-9 as for its checks."""
    run = mk.simulate(spinning_coin.system(tilt), 0.2, rtol=1e-12, atol=1e-14)
    exact = spinning_coin.exact(run.t, tilt)
    for name, read in spinning_coin.READ.items():
        found = np.asarray(run[read] if isinstance(read, str) else read(run))
        np.testing.assert_allclose(found, exact[name], rtol=0, atol=1e-9, err_msg=name)


def test_thin_coin():
    """Moffatt's Ω² = 4 g/(r sin β), to b/r."""
    m = spinning_coin
    assert m.rate() ** 2 == pytest.approx(4 * m.G / (m.RADIUS * np.sin(m.TILT)), rel=m.HALF / m.RADIUS)


@pytest.mark.parametrize("push", [4.0, 6.0])
def test_walker_finds_its_speed(push):
    """Whatever the push, ω² − steady² shrinks by η² with each step, exactly."""
    m = rimless_wheel
    rates = np.array(
        [m.rate_from(line) for line in m.impacts(mk.simulate(m.system(push), 2.5, rtol=1e-12, atol=1e-14))]
    )
    assert len(rates) > 6
    off = rates**2 - m.STEADY**2
    np.testing.assert_allclose(off[1:], m.KEEPS**2 * off[:-1], rtol=0, atol=1e-10)


def test_walker_that_is_pushed_back_stops():
    """It falls on the foot behind, rocks between two feet, ever less, and stands on both."""
    run = mk.simulate(rimless_wheel.system(-1.0), 3.0)
    assert np.abs(run["wheel.angular_velocity"].values[-1]).max() < 1e-9
    closed = [n for n in range(1, 9) if run[f"foot {n}.mode"].values[-1] > 0]
    assert len(closed) == 2
