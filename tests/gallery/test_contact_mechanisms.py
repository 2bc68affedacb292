"""Mechanisms with contact laws beyond their own checks: exact at every sample, other laws of restitution, other data.

Oracles: closed forms and quadrature in the files of the mechanisms. Tolerances: 1e-12 of a step, magnified by the speeds.
"""

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.errors import SimulationError
from mekane.gallery import bouncing_ball, box_on_slope, kanes_puzzle, newtons_cradle, slider_crank_with_stop


@pytest.mark.parametrize(
    "name", ["bouncing_ball", "stick_slip_belt", "friction_clutch", "coulomb_decay", "box_on_slope"]
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
    """Static friction as sliding friction does not hold it: tan 20° > 0.3."""
    run = mk.simulate(box_on_slope.system(static=None, speed=0.0), 1.0)
    down = 9.81 * (np.sin(box_on_slope.SLOPE) - 0.3 * np.cos(box_on_slope.SLOPE))
    assert box_on_slope.distance(run) == pytest.approx(-down * run.t**2 / 2, abs=1e-12)


def test_times_of_the_slider_crank():
    """The numbers in its file are those of its quadrature."""
    m = slider_crank_with_stop
    assert m.time_at(m.HITS) == pytest.approx(m.IMPACT, abs=1e-14)
    assert m.time_at(np.pi / 3) == pytest.approx(m.AT_60, abs=1e-14)
    assert m.IMPACT + (m.IMPACT - m.AT_60) / m.E == pytest.approx(m.BACK_AT_60, abs=1e-14)
    assert m.IMPACT * (1 + 1 / m.E) == pytest.approx(m.BACK, abs=1e-14)
