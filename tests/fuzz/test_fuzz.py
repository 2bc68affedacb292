"""Short runs of the fuzzers. Oracles and tolerances are stated in their files; long runs are made by hand."""

import fuzz_contacts
import fuzz_events
import fuzz_expressions
import fuzz_files
import fuzz_mechanisms
import fuzz_models
import fuzz_moreau
import numpy as np
import pytest
from random_machines import machine
from random_mechanism import mechanism
from random_trots import trot
from random_walkers import walker

import mekane as mk
from bench.trot import LEGS
from mekane.errors import MekaneError


@pytest.mark.parametrize("seed", range(12))
def test_mechanisms(seed):
    outcome, problem = fuzz_mechanisms.check(seed)
    assert not problem, f"{outcome}: {problem}"


@pytest.mark.divided("first", 3)
@pytest.mark.parametrize("first", range(0, 48, 8))
def test_events(first):
    for seed in range(first, first + 8):
        outcome, problem = fuzz_events.check(seed)
        assert not problem, f"seed {seed}: {outcome}: {problem}"


@pytest.mark.parametrize("seed", [*range(8), 67, 71, 376, 667, 890, 1029, 1135])
def test_contacts(seed):
    """Once, in 4 dry friction took impulses, and friction and a stop took turns without end; in 67 and 71 a stop and the dry
    friction of its joint held nothing where another bearing rubs; in 376 what sticks could hold, but not by the smallest forces:
    modes were chosen anew again and again, and friction was up to seven times as large as it can be; in 667, 890 and 1029 friction of
    joints, stops and a floor share a load, by forces that hung on what had been before: beyond what friction can be, or pulling; in 1135 a
    change of modes puts the load of a guide on its other side at once, and no motion was found."""
    outcome, problem = fuzz_contacts.check(seed)
    assert not problem, f"{outcome}: {problem}"


@pytest.mark.parametrize("seed", [7, 16, 18, 19, 21, 28])
def test_walkers(seed):
    """Rough feet on light legs. Once, in 7, 18, 19 and 28 impulses of two feet went to and fro between normal forces and friction, and
    impacts did not end; in 16 and 21 a foot broke away, and was pressed back at once by its own friction, again and again."""
    outcome, problem = fuzz_contacts.verdict(walker(seed), 0.7)
    assert outcome == "agreed", f"{outcome}: {problem}"


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 471, 546, 565, 693])
def test_machines(seed):
    """Few degrees of freedom, and masses far apart. Once, in 471, 546 and 693 the load of a guide passed by zero again and again; in 565 an
    arm that jams was hit without end, as round-off had it."""
    outcome, problem = fuzz_contacts.verdict(machine(seed), 0.5)
    assert outcome in ("agreed", "nothing happened"), f"{outcome}: {problem}"


@pytest.mark.parametrize("seed", [2, 9, 65, 112, 214, 386])
def test_trots(seed):
    """Four feet, rough enough to jam. Once, in 2 and 9 the wrong foot was found to jam; in 65 a step began anew for ever, as directions of
    loads jam and those of velocities do not; in 112 and 214 these took turns without end; in 386 a foot that leaves slower than
    floats can show was opened again and again."""
    s, tolerances = trot(seed)
    run = mk.simulate(s, 1.0, every=0.01, **tolerances)
    energy, loose = run.energy, 10.0 * tolerances["rtol"]
    assert np.abs(energy.balance.values - energy.balance.values[0]).max() < loose * energy.kinetic.max()
    assert min(run[f"{leg} foot.gap"].values.min() for leg in LEGS) > -fuzz_contacts.ENTERED


@pytest.mark.parametrize("seed", [14, 34, 48, 72, 81, 252])
def test_steps_of_moreau(seed):
    """Balls, a thrown solid and a linkage whose errors fall with the step. Once, in 72 and 81 friction of an impact without rebound turned
    round between the two steps that it took, and its outcome hung on where in a step it happened; in 252 an impact drove a joint
    into a limit that was not in reach without it."""
    outcome, problem = fuzz_moreau.check(seed)
    assert outcome == "agreed", f"{outcome}: {problem}"


def test_most_mechanisms_are_worth_it():
    """The generator makes mechanisms that Mekane accepts: of forty at most a few are refused."""
    refused = 0
    for seed in range(40):
        try:
            mechanism(seed).initial_state()
        except MekaneError:
            refused += 1
    assert refused <= 4


@pytest.mark.parametrize("first", range(0, 20, 5))
def test_expressions(first):
    for seed in range(first, first + 5):
        outcome, problem = fuzz_expressions.check(seed)
        assert not problem, f"seed {seed}: {outcome}: {problem}"


@pytest.mark.parametrize("first", range(0, 100, 20))
def test_models(first):
    for seed in range(first, first + 20):
        outcome, problem = fuzz_models.check(seed)
        assert not problem, f"seed {seed}: {outcome}: {problem}"


@pytest.mark.parametrize("seed", [1101014, 1104203, 1106920])
def test_models_beyond_the_range_of_squares(seed):
    """Rows, positions and energies whose squares or sums overflow: once NumPy's warnings reached the user."""
    outcome, problem = fuzz_models.check(seed)
    assert not problem, f"{outcome}: {problem}"


def test_files():
    for seed in range(150):
        outcome, problem = fuzz_files.check(seed)
        assert not problem, f"seed {seed}: {outcome}: {problem}"
