"""Spatial slider-crank: its start as published, and its motion against the energy of hand-written kinematics."""

import numpy as np
import pytest

from mekane import gallery
from mekane.formulations import NAMES as FORMULATIONS
from mekane.gallery import slider_crank_spatial as spatial


@pytest.fixture(scope="module", params=FORMULATIONS)
def run(request):
    return gallery.find("slider_crank_spatial").run(formulation=request.param)


def test_the_start_follows_from_the_crank_alone(run):
    """Published: slider 0.24 m/s, rod centre (0.12, −0.24, 0) m/s, rod spin (1.92, −0.96, 0.48) rad/s. Assembly solves
    a linear system."""
    assert float(run["slider.velocity.x"][0]) == pytest.approx(0.24, abs=1e-13)
    np.testing.assert_allclose(run["rod.velocity"][0], (0.12, -0.24, 0), rtol=0, atol=1e-13)
    np.testing.assert_allclose(run["rod.angular_velocity"][0], (1.92, -0.96, 0.48), rtol=0, atol=1e-13)


def test_speed_of_the_crank_by_its_angle(run):
    """θ̇(θ) from the energy, kinematics by hand, at every sample: the run holds its energy to 1e-10 of θ̇ = 24
    rad/s."""
    theta, rate = np.asarray(run["A.angle"]), np.asarray(run["A.angle.rate"])
    np.testing.assert_allclose(rate, [spatial.rate(angle) for angle in theta], rtol=0, atol=1e-8)


def test_place_of_the_slider_by_the_angle_of_the_crank(run):
    """Geometry alone; closed loops give round-off."""
    theta = np.asarray(run["A.angle"])
    np.testing.assert_allclose(
        run["slider.position.x"], [spatial.slider_place(angle) for angle in theta], rtol=0, atol=1e-13
    )


def test_one_turn_takes_its_time(run):
    """∫ dθ/θ̇ over a turn, by the trapezoidal rule (exact for periodic functions): 0.5788974396007104 s; eight turns
    fit into the run."""
    angles = 2 * np.pi * np.arange(600) / 600
    period = 2 * np.pi * np.mean([1 / spatial.rate(angle) for angle in angles])
    assert period == pytest.approx(0.5788974396007104, rel=1e-13)
    # samples are 10 ms apart
    assert np.interp(8 * 2 * np.pi, run["A.angle"], run.t) == pytest.approx(8 * period, abs=1e-4)
