"""Every mechanism of the gallery, in every formulation it supports: its checks, and the same motion in each."""

from functools import cache

import numpy as np
import pytest

from mekane import gallery
from mekane.errors import ModelError
from mekane.gallery.reading import rotations
from mekane.importers.yaml import from_dict

ALL = gallery.mechanisms()
EACH = pytest.mark.parametrize("mechanism", ALL, ids=lambda mechanism: mechanism.name)
PAIRS = [
    pytest.param(mechanism, name, id=f"{mechanism.name}-{name}") for mechanism in ALL for name in mechanism.formulations
]


def test_names_are_unique_and_a_wrong_one_is_answered_with_the_right_one():
    assert len(set(gallery.names())) == len(gallery.names())
    with pytest.raises(ModelError, match="Did you mean 'squeezer'"):
        gallery.find("sqeezer")


@EACH
def test_it_says_where_it_comes_from(mechanism):
    assert mechanism.title and mechanism.source and mechanism.checks
    assert all(check.why for check in mechanism.checks)
    assert mechanism.formulations == gallery.entry.EVERY or mechanism.only_because


@pytest.mark.divided("mechanism", 3)
@EACH
def test_its_model_can_be_written_and_read_back(mechanism):
    """Oracle: the plain data of the model itself, bit for bit."""
    data = mechanism.system().to_dict()
    assert from_dict(data).to_dict() == data


@pytest.mark.parametrize("mechanism, formulation", PAIRS)
def test_it_meets_its_checks(mechanism, formulation):
    """Oracle and tolerance are given by each check; run with the mechanism's own options to its own end."""
    run = mechanism.run(formulation=formulation)
    assert not run.info["stopped"]
    off = [f"{outcome} [{outcome.check.why}]" for outcome in mechanism.outcomes(run) if not outcome.met]
    assert len(mechanism.outcomes(run)) == len(mechanism.checks)
    assert not off, "\n".join(off)


CONSTRAINED = [mechanism for mechanism in ALL if mechanism.system().constraints]


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("mechanism", CONSTRAINED, ids=lambda mechanism: mechanism.name)
def test_it_meets_its_checks_with_embedded_constraints(mechanism, formulation):
    """The same oracles and tolerances on another road: equations for independent speeds alone (C.2)."""
    run = mechanism.run(formulation=formulation, constraints="embedded")
    assert not run.info["stopped"]
    off = [f"{outcome} [{outcome.check.why}]" for outcome in mechanism.outcomes(run) if not outcome.met]
    assert not off, "\n".join(off)


# each of the others beside joint coordinates; those alone where there are no others
BESIDE_JOINT = [p for p in PAIRS if p.values[1] != "joint" or len(p.values[0].formulations) == 1]


@cache
def short_run(name, formulation):
    """Its first 0.3 s, or three tenths of a shorter run, corrected and with error control at 1e-10."""
    mechanism = gallery.find(name)
    t_end = min(0.3, 0.3 * mechanism.t_end)
    keywords = dict(method="auto", rtol=1e-10, atol=1e-13, step=None, correct=True, every=t_end / 10)
    return mechanism.run(t_end, formulation=formulation, **keywords)


@pytest.mark.parametrize("mechanism, formulation", BESIDE_JOINT)
def test_formulations_stay_closed_keep_their_energy_and_agree(mechanism, formulation):
    """Two roads to one number, each of which stays closed and keeps its energy."""
    one, other = short_run(mechanism.name, "joint"), short_run(mechanism.name, formulation)
    for run in (one, other):
        stays_closed(run)
        keeps_its_energy(run)
    same_motion(one, other)


def stays_closed(run):
    """Oracle: zero. Round-off of positions of a few metres is 1e-15; after correction residuals are to be of that
    order."""
    assert float(run.residual["position"].max()) < 1e-13


def keeps_its_energy(run):
    """Kinetic + potential − work is constant, the work of drives included. Error control at 1e-10 leaves 1e-8 of the
    energy in play."""
    assert run.energies.drift <= 1e-8 * run.energies.in_play


def same_motion(one, other):
    """1e-8 of metres and of entries of rotations: error control at 1e-10 leaves about 1e-9 over such a time."""
    for body in one.system.bodies:
        np.testing.assert_allclose(one[f"{body}.position"], other[f"{body}.position"], rtol=0, atol=1e-8)
        np.testing.assert_allclose(rotations(one, body), rotations(other, body), rtol=0, atol=1e-8)
