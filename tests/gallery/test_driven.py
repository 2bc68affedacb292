"""Mechanisms in a given motion: what their drives give, at every sample. Oracle: inverse dynamics by virtual power, by
hand."""

import numpy as np
import pytest

from mekane import gallery
from mekane.gallery import cam, driven_four_bar, planetary_gear

DRIVEN = {"driven_four_bar": driven_four_bar, "cam": cam, "planetary_gear": planetary_gear}


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("name", DRIVEN)
def test_drives_give_what_inverse_dynamics_says(name, formulation):
    """No freedom is left, so that no error can grow: 1e-9 leaves a margin for the softened solve of constraints."""
    mechanism = gallery.find(name)
    run = mechanism.run(formulation=formulation)
    answers = mechanism.exact(run.t)
    for word, read in DRIVEN[name].READ.items():
        found = np.asarray(run[read] if isinstance(read, str) else read(run))
        np.testing.assert_allclose(found, answers[word], rtol=0, atol=1e-9, err_msg=word)


@pytest.mark.parametrize("name", DRIVEN)
def test_work_of_the_drive_is_the_change_of_energy(name):
    """Balance of energy at a tolerance of 1e-11, the work of the drive integrated along."""
    run = gallery.find(name).run()
    assert run.energies.drift < 1e-9


@pytest.mark.parametrize("method", ["dop853", "implicit"])
def test_car_axis_by_two_methods(method):
    """Published solution at t = 3 s: positions to 1e-8 at a tolerance of 1e-10."""
    axis = gallery.find("car_axis")
    run = axis.run(method=method, rtol=1e-10, atol=1e-12, every=[3.0])
    places = [outcome for outcome in axis.outcomes(run) if outcome.check.what[0] in "xy"]
    assert len(places) == 4 and max(outcome.error for outcome in places) < 1e-8
