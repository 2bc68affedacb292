"""Runs that would hardly go on: the cause is removed, or they end with an explanation. No test measures time; steps are
counted."""

import pytest

import mekane as mk
from mekane.gallery import four_bar_chain


@pytest.mark.parametrize("n, rtol", [(23, 1e-9), (23, 1e-10), (30, 1e-10)])
def test_embedded_constraints_of_a_long_chain_of_loops(n, rtol):
    """Pivots chosen upright are in a bad order upside down: errors grew by 1e13 along the chain and steps fell to 1e-7
    s, with t = 1.126 s never reached. Oracle: the pendulum that the chain is equivalent to. 1e-5 as in the gallery:
    each singular position costs digits."""
    run = mk.simulate(four_bar_chain.system(n), 1.5, every=[1.5], constraints="embedded", rtol=rtol)
    exact = four_bar_chain.exact(n)(1.5)
    assert run.info["steps"] < 200  # 24 or less were seen
    assert run["left0.point.x"].values[-1] == pytest.approx(exact["x"], abs=1e-5)
    assert run["left0.point.y"].values[-1] == pytest.approx(exact["y"], abs=1e-5)


def test_a_law_that_is_noise_ends_the_run_with_words():
    """A force that takes any value within 1e-3 N at every next number of the displacement: steps by the hundred million
    would be needed."""
    s = mk.System("noise", gravity=(0, 0, 0))
    s.body("block", 1.0, (1, 1, 1))
    s.slider("rail", s.ground, "block", at=(0, 0, 0), axis="x", rate=0.1)
    s.sliding_law("push", "rail", force="1 + 1e-3*sin(1e17*(1 + q))")
    run = mk.simulate(s, 100.0)
    assert not run.health.ok and "noise in a law sets the step" in str(run.health)
    assert run.info["steps"] < 100_000  # ten looks in a row, a hundred steps apart


class EnoughError(Exception):
    """Raised by the test itself."""


def test_a_smooth_law_of_many_steps_goes_on():
    """A swing of 1e5 rad/s for 1000 s needs steps by the million. They are not noise: the run goes on until the test
    has seen enough, 1600 periods of some ten steps."""
    s = mk.System("fast", gravity=(0, 0, 0))
    s.body("block", 1.0, (1, 1, 1))
    s.slider("rail", s.ground, "block", at=(0, 0, 0), axis="x", rate=100.0)
    s.sliding_spring("spring", "rail", stiffness=1e10)

    def enough(t, share):
        if t > 0.1:
            raise EnoughError

    with pytest.raises(EnoughError):
        mk.simulate(s, 1000.0, method="dop853", progress=enough)
