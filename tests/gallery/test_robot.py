"""The thesis robot. Oracles: the thesis' listing and an independent converged solution (in mekane/gallery/robot.py)."""

import pytest

from mekane import gallery
from mekane.formulations import NAMES as FORMULATIONS


def off(mechanism, run):
    return [str(outcome) for outcome in mechanism.outcomes(run) if not outcome.met]


def test_the_listing_has_nine_rows_and_each_is_met_by_heun_in_absolute_coordinates():
    """GA1, Z1, Y2 to 2e-5, BE2 (a thousand times smaller than the others) to 1e-3 relative, as an independent program
    meets it."""
    listing = gallery.find("robot_listing")
    run = listing.run()
    assert run.info["formulation"] == "absolute" and run.info["method"] == "heun" and run.info["steps"] == 2000
    assert len({check.t for check in listing.checks}) == 9 and len(listing.checks) == 9 * 3 + 8
    assert not off(listing, run)


def test_what_does_not_drift_meets_the_listing_without_correction_too():
    """Five coordinates are no place to drift: Euler–Heun in `joint` needs no correction. BE2, GA1 … to the same
    tolerances."""
    listing = gallery.find("robot_listing")
    assert not off(listing, listing.run(formulation="joint", correct=False))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_default_meets_the_converged_table_to_its_last_digit(formulation):
    """No options at all: default method, default tolerances. The drives jump at 0.5 s and 1.5 s; the steps must end
    there."""
    robot = gallery.find("robot")
    assert not robot.options
    assert not off(robot, robot.run(formulation=formulation))


def test_the_two_laws_differ_only_at_the_end():
    """The law of the table and that of the listing part at 1.5 s: until then one motion, then another."""
    table, listing = gallery.find("robot").run(), gallery.find("robot_listing").run(method="auto", step=None)
    early, late = table.t <= 1.5, table.t > 1.55
    gap = abs(table["lift.angle"] - listing["lift.angle"]).values
    assert gap[early].max() < 1e-9 and gap[late].min() > 1e-4
