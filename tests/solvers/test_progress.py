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


def door(torque):
    """A door whose hinge is a universal joint, held in a plane: its second angle stays zero, its rate is round-off."""
    s = mk.System("door")
    leaf = s.body("leaf", 0.54, (2.2e-3, 1.7e-3, 1.9e-3), position=(0.1, -0.23, -0.25), angular_velocity=(0, 1.35, 0))
    s.universal("hinge", s.ground, leaf, at=(-0.0474, -0.0324, -0.274), axis="y", axis2="x")
    s.planar("floor", leaf, s.ground, at=(0.113, -0.0952, -0.14), normal="y")
    handle = s.body("handle", 0.5, (1e-3, 1e-3, 1e-3), position=(0.1, -0.7, -0.5))
    s.universal("cross", leaf, handle, at=(0.1155, -0.4824, -0.3293), axis="z", axis2="x")
    s.torque("push", handle, (0, 0, torque))
    return s


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("law", ["sqrt(max(0, {}))", "sqrt(abs({}))"])
def test_a_root_of_round_off_changes_sides_at_every_instant(law, formulation):
    """Beyond its border the branch in use has no value, so steps were computed with comparisons open and then repeated to
    end at the border, at the same instant again and again: a hundred thousand times. Oracle: no torque, for the rate is
    zero. 1e-7: the root of 1e-16 is 1e-8, and the errors of the runs at rtol 1e-9."""
    with_law, without = (
        mk.simulate(door(torque), 0.3, formulation=formulation, every=[0.3], code="loops")
        for torque in ("0.06*" + law.format("hinge.angle2.rate"), 0.0)
    )
    assert not with_law.info["stopped"] and with_law.info["steps"] + with_law.info["switches"] < 5000
    assert with_law.numbers("handle.position") == pytest.approx(without.numbers("handle.position"), abs=1e-7)
