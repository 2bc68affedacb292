"""run.verify: the digits that agree with a repetition in another formulation. Oracle: runs that are good, and runs
spoilt on purpose."""

import numpy as np
import pytest
import systems

import mekane as mk
from mekane import gallery
from mekane.analyses import verify as verifying
from mekane.errors import ModelError


@pytest.mark.parametrize("formulation, other", [("joint", "absolute"), ("absolute", "joint"), ("bryan", "joint")])
def test_another_formulation_agrees(formulation, other):
    """At rtol 1e-9 over a second: errors of 1e-8 of the motion, so that six digits agree in all that follows from the
    state."""
    found = mk.simulate(systems.four_bar(), 1.0, formulation=formulation).verify()
    assert found.repetition.compiled.formulation == other and found.repetition.info["rtol"] == pytest.approx(1e-11)
    assert found.ok and found.complete and found.t == 1.0 and found.worst.digits >= 6
    assert set(found.digits) >= {name for name in found.repetition.names() if found.repetition.follows_from_state(name)}
    assert f"in {other} coordinates: at least {found.worst.digits} digits agree" in str(found)


def test_the_difference_is_the_error():
    """Euler steps of 1 ms against a run near round-off: the repetition, by another method, has none of that error."""
    s = systems.four_bar()
    run, truth = mk.simulate(s, 0.5, method="euler", step=1e-3), mk.simulate(s, 0.5, rtol=1e-12, atol=1e-15)
    found = {one.channel: one for one in run.verify().agreements}
    name = next(iter(s.joints)) + ".angle"
    true = np.abs(run.numbers(name) - truth.numbers(name)).max()
    assert found[name].difference == pytest.approx(true, rel=1e-6)


def test_a_wrong_run_is_reported():
    """A state changed by 1e-4 rad from the middle on: four digits, and no more, agree in that angle."""
    run = mk.simulate(gallery.find("double_pendulum").system(), 1.0)
    y = run.record.y.copy()
    y[100:, 0] += 1e-4
    found = type(run)(run.system, run.compiled, run.record._replace(y=y), run.info).verify()
    angle = run.compiled.coordinates[0]
    assert found.digits[angle] in (3, 4, 5) and found.worst.digits <= 5
    y[100:, 0] += 0.1
    assert not type(run)(run.system, run.compiled, run.record._replace(y=y), run.info).verify().ok


def test_chaos_does_not_agree():
    s = mk.System("double pendulum")
    s.body("upper", 1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.body("lower", 1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -1.5))
    s.pin("shoulder", s.ground, "upper", at=(0, 0, 0), axis="y", rate=9.0)
    s.pin("elbow", "upper", "lower", at=(0, 0, -1), axis="y")
    found = mk.simulate(s, 60.0).verify()
    assert not found.ok and found.worst.digits == 0


def test_loaded_results_and_plain_data(tmp_path):
    run = mk.simulate(systems.by_chance(2), 0.2)
    run.save(tmp_path / "run.nc")
    found, again = run.verify(), mk.load(tmp_path / "run.nc").verify()
    assert found.to_dict() == again.to_dict()
    data = found.to_dict()
    assert data["ok"] and data["repetition"]["formulation"] == "absolute"
    assert data["channels"]["b0.position"]["digits"] == found.digits["b0.position"]


def test_every_mechanism_of_a_sort():
    """Constraints, rolling, prescribed motion: what is not unique is left out, and the rest agrees."""
    for name in ("planetary_gear", "rolling_disc_1", "driven_four_bar", "squeezer"):
        mechanism = gallery.find(name)
        found = mechanism.run(min(mechanism.t_end, 0.5)).verify()
        assert found.ok and found.worst.digits >= 4, str(found)


def test_a_repetition_that_is_wrong_itself_is_no_witness(monkeypatch):
    """The first repetition is made to have stopped early: the run is compared with the next, and the first is named."""

    def spoiled(run, progress, repetitions=verifying.repetitions):
        found = repetitions(run, progress)
        first = next(found)
        first.info["stopped"] = "stopped at t = 0.05 s"
        yield first
        yield from found

    run = mk.simulate(systems.four_bar(), 0.1)
    monkeypatch.setattr(verifying, "repetitions", spoiled)
    found = run.verify()
    assert found.unfit == ("absolute",) and found.repetition.compiled.formulation != "absolute"
    assert found.ok and "absolute" in str(found)


def test_what_cannot_be_repeated_is_refused():
    run = mk.simulate(systems.four_bar(), 0.1)
    with pytest.raises(ModelError, match="it does not say how it was computed"):
        type(run)(run.system, run.compiled, run.record, {}).verify()
