"""Stiff flyball governor. Oracle: its equations in two coordinates, written by hand (mekane/gallery/governor.py)."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mekane import gallery
from mekane.formulations import NAMES as FORMULATIONS
from mekane.gallery import governor


def test_table_of_the_gallery_follows_from_the_equations():
    """Radau IIA at 1e-9 for a second, against numbers from 1e-12 with all digits shown."""
    answer = solve_ivp(
        governor.equations,
        (0, 1),
        [governor.DROP, governor.HEIGHT, 0, 0],
        "Radau",
        [0.1, 0.5, 1.0],
        rtol=1e-9,
        atol=1e-11,
    )
    expected = [check.expected for check in gallery.find("governor").checks if check.what == "s" and check.t <= 1]
    np.testing.assert_allclose(answer.y[1], expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_an_explicit_method_gets_there_as_well(formulation):
    """Two roads to one number: dop853 with error control at 1e-9, held back by stability."""
    mechanism = gallery.find("governor")
    run = mechanism.run(1.0, formulation=formulation, method="dop853")
    assert all(outcome.met for outcome in mechanism.outcomes(run)) and len(mechanism.outcomes(run)) == 6


def test_both_sides_move_alike():
    """The model is symmetric, no force is not: left and right to round-off, grown over ten thousand steps."""
    run = gallery.find("governor").run(2.0)
    np.testing.assert_allclose(run["left hinge.angle"], run["right hinge.angle"], rtol=0, atol=1e-10)


def test_angular_momentum_about_the_shaft_is_kept():
    """Nothing turns the shaft: H about z is what it was, 79 kg m²/s … error control at 1e-9."""
    run = gallery.find("governor").run(2.0)
    H = np.asarray(run.momentum["angular"])[:, 2]
    assert H[0] == pytest.approx(governor.momentum(), rel=1e-12)
    np.testing.assert_allclose(H, H[0], rtol=1e-8)
