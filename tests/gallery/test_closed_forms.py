"""Motions that have an exact solution, at every sample; and the exact solutions themselves against printed numbers."""

import numpy as np
import pytest

from mekane import gallery
from mekane.formulations import NAMES as FORMULATIONS
from mekane.gallery import four_bar_chain, free_body, gyroscope, heavy_top, pendulum, tumbling_top
from mekane.gallery.reading import in_body, rotations


def table(mechanism, what):
    """Times and numbers of one column of a mechanism's checks."""
    found = [(check.t, check.expected) for check in mechanism.checks if check.what == what]
    return np.array(found).T


def test_pendulum_exact_solution():
    """Printed to 16 digits; 2000 s in doubles costs four of them."""
    t, x = table(gallery.find("pendulum"), "x")
    np.testing.assert_allclose(pendulum.exact(t)["bob.position"][:, 0], x, rtol=0, atol=1e-11)
    t, rate = table(gallery.find("pendulum"), "rate")
    np.testing.assert_allclose(pendulum.exact(t)["hinge.angle.rate"], rate, rtol=0, atol=1e-11)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_pendulum_for_2000_s(formulation):
    """Default method, rtol = 1e-10; 1e-3 at all 4001 samples is what the benchmark calls high precision."""
    mechanism = gallery.find("pendulum")
    assert mechanism.options == {"rtol": 1e-10}
    run = mechanism.run(formulation=formulation)
    error = np.linalg.norm(np.asarray(run["bob.position"]) - pendulum.exact(run.t)["bob.position"], axis=1)
    assert len(run.t) == 4002 and error.max() < 1e-3


def test_tumbling_top_exact_solution():
    """Printed to 18 digits; k² = 0.9997 and t of a few turns leave 1e-13."""
    for k, what in enumerate(("w1", "w2", "w3")):
        t, w = table(gallery.find("tumbling_top"), what)
        np.testing.assert_allclose(tumbling_top.exact(t)["spin"][:, k], w, rtol=0, atol=1e-12)


def test_tumbling_top_at_every_sample():
    """Fifty seconds and three flips; see the mechanism's checks for the tolerance."""
    run = gallery.find("tumbling_top").run()
    np.testing.assert_allclose(
        in_body(run, "top", "angular_velocity"), tumbling_top.exact(run.t)["spin"], rtol=0, atol=1e-9
    )


def test_tumbling_top_keeps_its_angular_momentum():
    """No torque: three constants, of size 2. Error control at 1e-12 over 200 steps."""
    run = gallery.find("tumbling_top").run()
    H = np.asarray(run.momentum["angular"])
    assert np.abs(H - H[0]).max() < 1e-10


def test_free_body_at_every_sample():
    """A dozen turns at a tolerance of 1e-11."""
    run = gallery.find("free_body").run()
    answer = free_body.exact(run.t)
    np.testing.assert_allclose(rotations(run, "body"), answer["rotation"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(run["body.position"], answer["body.position"], rtol=0, atol=1e-9)


def test_four_bar_chain_exact_solution():
    """Printed to 14 digits."""
    chain = gallery.find("four_bar_chain")
    for what in ("x", "y"):
        t, place = table(chain, what)
        np.testing.assert_allclose(four_bar_chain.exact(2)(t)[what], place, rtol=0, atol=1e-12)
    t, vx = table(chain, "vx")
    np.testing.assert_allclose(
        four_bar_chain.exact(2)(t)["rate"] * four_bar_chain.exact(2)(t)["y"], vx, rtol=0, atol=1e-11
    )


def test_speeds_of_steady_precession():
    """Printed numbers of the quadratic equation's two roots."""
    assert heavy_top.precession() == pytest.approx(0.4995031793933888, rel=1e-14)
    assert heavy_top.precession(fast=True) == pytest.approx(27.21330974170865, rel=1e-14)


@pytest.mark.parametrize("name, fast", [("steady_top", False), ("steady_top_fast", True)])
def test_steady_top_at_every_sample(name, fast):
    """300 rad of spin at a tolerance of 1e-11."""
    run = gallery.find(name).run()
    np.testing.assert_allclose(
        rotations(run, "top"), heavy_top.steady_exact(fast)(run.t)["rotation"], rtol=0, atol=1e-7
    )


def test_gyroscope_nods_with_the_frequency_of_small_nutations():
    """Pushed by 1e-4 of its spin from level, it nods by 1e-4 rad about a mean: the linear frequency holds to amplitude
    squared, and the weight's moment changes it by (precession / nutation)², 1e-5. Counted over whole periods by the
    times of zero rate."""
    from mekane.analyses.simulate import simulate

    period = 2 * np.pi / gyroscope.nutation()
    s = gyroscope.system(tilt=0.0, push=0.04)
    run = simulate(s, 20.5 * period, every=period / 40, rtol=1e-11, atol=1e-13)
    rate = np.asarray(run["inner.angle.rate"])
    k = np.nonzero((rate[:-1] > 0) & (rate[1:] <= 0))[0]
    times = run.t[k] + (run.t[k + 1] - run.t[k]) * rate[k] / (rate[k] - rate[k + 1])
    assert len(k) == 21
    assert (times[-1] - times[0]) / 20 == pytest.approx(period, rel=1e-4)


def test_gyroscope_at_every_sample():
    """800 rad of spin at a tolerance of 1e-11."""
    run = gallery.find("gyroscope").run()
    for channel, values in gyroscope.exact(run.t).items():
        np.testing.assert_allclose(run[channel], values, rtol=0, atol=1e-7)
