"""Parameters of systems that an analysis has placed. Oracle: the same numbers given to the system that was
described."""

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError


def swing():
    s = mk.System("swing", parameters={"l": 1.0, "m": 2.0, "k": 3.0, "w": 0.0})
    s.body("arm", mass="$m", shape=mk.Rod("$l", axis="z"), position=(0, 0, "$-l/2"))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate="$w")
    s.torsional_spring("spring", "hinge", stiffness="$k", angle=0.4)
    return s


def stiffness(system):
    """ω² of linearized motion, where it comes to rest."""
    return np.abs(mk.equilibrium(system).eigenvalues).max() ** 2


PLACED = {
    "equilibrium": lambda s: mk.equilibrium(s).system,
    "assemble": lambda s: mk.assemble(s, hinge="10 deg").system,
}


@pytest.mark.parametrize("way", PLACED)
@pytest.mark.parametrize("change", [{"m": 4.0}, {"k": 5.0}, {"spring.angle": 0.1}, {"gravity.z": -1.62}])
def test_parameters_work_on(way, change):
    """The equilibrium does not depend on where one starts: equal to round-off of its Newton."""
    s = swing()
    there = PLACED[way](s).with_parameters(change)
    np.testing.assert_allclose(stiffness(there), stiffness(s.with_parameters(change)), rtol=1e-10)


@pytest.mark.parametrize("way", PLACED)
def test_parameters_that_give_places_are_refused(way):
    """The hinge keeps its point on the arm: with another l the arm would hang from somewhere else than was given."""
    there = PLACED[way](swing())
    with pytest.raises(ModelError, match="parameter 'l': it defined where 'arm' is"):
        there.with_parameters(l=2.0)
    with pytest.raises(ModelError, match="parameter 'l'"):
        there.with_parameters(m=4.0).set_parameters(l=2.0)
    assert there.with_parameters(l=1.0).parameters["l"] == 1.0  # nothing changes


def test_rates_that_were_given_by_a_parameter():
    with pytest.raises(ModelError, match="parameter 'w'"):
        mk.equilibrium(swing()).system.with_parameters(w=2.0)


def test_the_described_system_stays_as_it_was():
    s = swing()
    before = str(s.to_dict())
    there = mk.equilibrium(s).system
    there.set_parameters(m=7)
    there.body("more", mass=1, inertia=(1, 1, 1))
    assert str(s.to_dict()) == before and "more" not in s._construction and not s._placed_by


def test_a_part_called_like_the_parameter_that_comes_with_it():
    """Such a system could be neither saved nor built again; nothing of the part is left."""
    s = mk.System("clash")
    s.body("b", mass=2, inertia=(1, 1, 1))
    s.slider("g", s.ground, "b", axis="z")
    with pytest.raises(ModelError, match="sliding_spring 'k': the name 'k' is already used by a parameter"):
        s.sliding_spring("k", "g", stiffness=mk.Param("k", 50.0))
    assert not s.forces and not s.parameters
    s.sliding_spring("k", "g", stiffness=mk.Param("stiffness", 50.0))
    assert s.with_parameters(stiffness=60).parameters == {"stiffness": 60.0}
