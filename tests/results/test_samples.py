"""Reading a run in one pass over its samples, only what was requested. Oracles: the same numbers in other chunks,
closed forms, and counts of what is moved, read and allocated, which no busy machine changes."""

import tracemalloc

import mechanisms
import numpy as np
import pytest

import mekane as mk
from mekane.results import result, samples
from mekane.results.energies import Energies
from mekane.results.residuals import Residuals
from mekane.results.sampled_kinematics import evaluator_of
from mekane.results.sampling_model import Source
from mekane.tables.handle import KINEMATICS

NUMBER = 8  # bytes


def chain(n):
    s = mk.System("chain")
    last = s.ground
    for i in range(n):
        last = s.body(f"b{i}", 1.0, inertia=(0.01, 0.01, 0.01), position=(0.1 * (i + 1), 0, 0), com=(-0.05, 0, 0))
        s.pin(f"j{i}", "ground" if i == 0 else f"b{i - 1}", last, at=(0.1 * i, 0, 0), axis="y")
    return s


def star(n):
    s = mk.System("star")
    for i in range(n):
        s.body(f"b{i}", 1.0, inertia=(0.01, 0.01, 0.01), position=(0.1 * (i + 1), 0, 0), com=(-0.05, 0, 0))
        s.pin(f"j{i}", "ground", f"b{i}", at=(0.1 * i, 0, 0), axis="y")
    return s


@pytest.fixture
def read(monkeypatch):
    """(entry, samples, bodies moved) of every chunk that is read."""
    chunks, usual = [], Source.read

    def counted(self, record, samples, address, out):
        chunks.append((self.which, samples.stop - samples.start, len(self.workspace.body) - 1))
        usual(self, record, samples, address, out)

    monkeypatch.setattr(Source, "read", counted)
    return chunks


# ---------------------------------------------------------------- the same numbers


@pytest.mark.parametrize("name", ["tree universal", "ring pin_slider", "nut", "table"])
@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_chunks_change_nothing(name, formulation, monkeypatch):
    """Bit by bit: angles that count turns, quaternions that stay near the last, rows chosen from sample to sample, all
    the rest."""
    run = mk.simulate(mechanisms.ALL[name](), 0.3, every=0.01, formulation=formulation)
    words = [*run.names(), *(f"{joint}.reaction" for joint in run.system.joints)]
    whole, health = {word: run.numbers(word) for word in words}, str(run.health)
    monkeypatch.setattr(samples, "CHUNK_SAMPLES", 7)
    again = result.Result(run.system, run.compiled, run.record, run.info)
    assert str(again.health) == health
    for word in words:
        np.testing.assert_array_equal(again.numbers(word), whole[word], err_msg=word)
    np.testing.assert_array_equal(Residuals(again).position.max(axis=0), again.residuals.worst.position[0])
    energies = Energies(again)
    assert np.abs(energies.balance - energies.balance[0]).max() == energies.drift


def test_many_at_once_are_the_same_as_one_by_one():
    run = mk.simulate(mechanisms.spatial(), 0.2, every=0.05)
    names = run.names()
    run.prepare(names)
    for name in names:
        alone = result.Result(run.system, run.compiled, run.record, run.info)
        # two compiled entries
        np.testing.assert_allclose(alone.numbers(name), run.numbers(name), rtol=1e-14, atol=1e-14, err_msg=name)


def test_a_pendulum_is_read_as_it_moves():
    """x'' = −l (θ' ² sin θ + θ'' (−cos θ)), θ'' = −g sin θ / l, written out for θ from the vertical; round-off of a few
    operations."""
    s = mk.System("pendulum")
    s.body("bob", 1.0, position=(0.6, 0, -0.8))
    s.pin("hinge", "ground", "bob", at=(0, 0, 0), axis="-y")
    run = mk.simulate(s, 3.0, every=1e-3)
    x, _, z = run.numbers("bob.position").T
    rate = run.numbers("hinge.angle.rate")
    turning = -9.81 * x  # of θ, about −y, length 1
    expected = np.stack([-(rate**2) * x - turning * z, 0 * x, -(rate**2) * z + turning * x], axis=1)
    np.testing.assert_allclose(run.numbers("bob.acceleration"), expected, atol=1e-12)
    np.testing.assert_allclose(run.reaction("hinge")["force"], expected + [0, 0, 9.81], atol=1e-12)


def test_what_is_not_a_number_stays_so():
    """A state that is not finite must not be lost in a largest value."""
    run = mk.simulate(mechanisms.ALL["ring pin_slider"](), 0.1, every=0.01)
    run.record.y[5, 0] = np.nan
    assert np.isnan(run.residuals.largest) and np.isnan(run.energies.drift) and not run.health.ok
    assert not samples.is_finite(run.record)


# ---------------------------------------------------------------- only what was requested


@pytest.mark.parametrize("system, moved", [(chain(9), 5), (star(9), 1)])
def test_only_the_path_to_the_ground_is_moved(system, moved, read):
    run = mk.simulate(system, 0.1, every=0.01)
    run.numbers("b4.position")
    assert read == [(KINEMATICS, 11, moved)]  # at eleven samples


def test_a_joint_is_looked_at_alone():
    compiled = mk.simulate(chain(6), 0.01, formulation="absolute").compiled
    observer = evaluator_of(compiled, {("pair", "j3", 0, 3): slice(0, 3)})
    assert len(observer.workspace.body) == 3 and len(observer.workspace.pair) == 1 and len(observer.workspace.row) == 0


def test_one_after_the_other_costs_few_passes(read):
    """Who asks for all bodies, one by one, gets more of them at a time: 1 + 2 + 4 + … passes over the samples, not one
    for each body."""
    run = mk.simulate(chain(60), 0.01, every=0.002)
    for body in run.system.bodies:
        run.numbers(f"{body}.position")
    for joint in run.system.joints:
        run.reaction(joint)
    passes = [sum(chunk[0] == which for chunk in read) for which in {chunk[0] for chunk in read}]
    assert max(passes) <= 3 * 6  # bodies; joints: their reactions and their points


def test_elements_of_a_contact_law_cost_few_passes(read):
    """As bodies do. Oracles: 1 + log2 of the elements passes; the forces carry the weight."""
    s = mk.System()
    s.body("box", mass=2, shape=mk.Box(0.4, 0.4, 0.2), position=(0, 0, 0.1))
    s.contact("floor", "box", (s.ground, mk.Plane()), friction=0.5)
    run = mk.simulate(s, 0.01, every=0.002)
    read.clear()
    elements = s.contact_laws["floor"].ids(s)
    total = sum(run.numbers(f"{element}.force") for element in elements)
    assert len(elements) == 8 and len(read) <= 4
    np.testing.assert_allclose(total, 2 * 9.81, rtol=1e-9)


def test_what_is_read_ahead_is_bounded(monkeypatch, read):
    run = mk.simulate(chain(20), 0.01, every=0.001)
    monkeypatch.setattr(result, "AHEAD_NUMBERS", 11 * 3 * 2)
    for body in run.system.bodies:
        run.numbers(f"{body}.position")
        assert len(run._numbers) <= int(body[1:]) + 3
    assert len(read) <= 9


def test_reactions_are_no_names_of_their_own():
    run = mk.simulate(chain(2), 0.01)
    assert not [name for name in run.names() if "reaction" in name]


# ---------------------------------------------------------------- memory


def peak(function):
    """Most bytes that were allocated at once."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def long_run():
    """Everything is compiled and imported before memory is measured."""
    run = mk.simulate(chain(2), 100.0, every=1e-3)
    first = mk.simulate(chain(2), 0.01)
    str(first.health), first["b1.acceleration"], first["b1.position"]
    return run


def margin():
    """What a chunk takes: its numbers, and a few times that in what formulas make of them."""
    return 8 * NUMBER * samples.CHUNK_NUMBERS


@pytest.mark.parametrize("word", ["position", "acceleration"])
def test_memory_is_that_of_the_answer(long_run, word):
    assert peak(lambda: long_run.numbers(f"b1.{word}")) < 3 * NUMBER * len(long_run.t) + margin()


def test_health_keeps_nothing(long_run):
    """A fixed amount, whatever the number of samples: less than one number for each of a hundred thousand and a chunk."""
    assert peak(lambda: str(long_run.health)) < margin()
