"""Runs with contact laws are kept: pickled, copied, saved, resumed, stepped, checkpointed; models go through files."""

import copy
import pickle

import numpy as np
import pytest
from oracles import TIGHT, ball, four_bar, rolling, shafts, thrown_ball, two_ropes

import mekane as mk

CHANNELS = ["ball.position", "ball.velocity", "floor.gap", "floor.force", "floor.friction", "floor.slip", "floor.heat",
            "floor.mode", "floor.point"]  # fmt: skip


def bouncing(t=1.5, **options):
    return mk.simulate(thrown_ball(3), t, **(TIGHT | options))


def assert_same_events(one, other):
    assert len(one.events) == len(other.events) > 3
    for a, b in zip(one.events, other.events, strict=True):
        assert (a.time, a.event, a.kind, a.changes, a.energy) == (b.time, b.event, b.kind, b.changes, b.energy)
        assert (a.losses, a.rest) == (b.losses, b.rest)
        assert list(a.contact_impulses) == list(b.contact_impulses)
        for name in a.contact_impulses:
            np.testing.assert_array_equal(a.contact_impulses[name], b.contact_impulses[name])


def assert_same(one, other, channels=CHANNELS):
    """To the last bit."""
    assert_same_events(one, other)
    np.testing.assert_array_equal(one.t, other.t)
    for channel in channels:
        np.testing.assert_array_equal(one[channel].values, other[channel].values, err_msg=channel)


def test_pickled_and_copied_results_are_the_same():
    run = bouncing()
    assert_same(run, pickle.loads(pickle.dumps(run)))
    assert_same(run, copy.deepcopy(run))


def test_saved_results_are_the_same(tmp_path):
    run = bouncing()
    run.save(tmp_path / "run.nc")
    back = mk.load(tmp_path / "run.nc")
    assert_same(run, back)
    assert str(back.health) == str(run.health)


@pytest.mark.parametrize("t", [0.3, 0.9, 1.4])
def test_a_run_goes_on_in_mid_bounce(t):
    """To the last bit, as `resume` promises; with a largest step, which by default follows from the end of a run."""
    whole, part = (bouncing(end, every=0.05, step=0.01) for end in (1.5, t))
    assert_same(whole, part.resume(1.5))


def test_a_run_goes_on_from_a_file(tmp_path):
    whole, part = (bouncing(end, every=0.05, step=0.01) for end in (1.5, 0.7))
    part.save(tmp_path / "part.nc")
    assert_same(whole, mk.load(tmp_path / "part.nc").resume(1.5))


def test_a_run_goes_on_from_rest():
    """Resumed after the bounces have ended and the ball rolls."""
    whole, part = (bouncing(end, every=0.5, step=0.05) for end in (6.0, 5.0))
    assert whole["floor.mode"].values[-1] == 2
    assert_same(whole, part.resume(6.0))


def test_steps_by_hand_bounce_as_a_run_does():
    """Events between two steps, and several in one. Steps end at other times than a run's, so to its accuracy."""
    run, sim = bouncing(1.5, every=0.05), mk.stepper(thrown_ball(3), **TIGHT)
    for k in range(30):
        sim.step(0.05)
        np.testing.assert_allclose(sim["ball.position"], run["ball.position"].values[k + 1], rtol=0, atol=1e-10)
    np.testing.assert_allclose(sim.result().events.times, run.events.times, rtol=0, atol=1e-10)


def test_a_stepper_goes_back_to_a_bounce():
    sim = mk.stepper(thrown_ball(3), **TIGHT)
    sim.step(0.6)
    kept, other = sim.save(), sim.copy()
    sim.step(0.9)
    first = np.array(sim["ball.position"])
    sim.restore(kept)
    sim.step(0.9)
    other.step(0.9)
    np.testing.assert_array_equal(first, sim["ball.position"])
    np.testing.assert_array_equal(first, other["ball.position"])


def test_a_stepper_starts_again():
    sim = mk.stepper(ball(), **TIGHT)
    sim.step(3.0)
    first = len(sim.result().events)
    sim.reset()
    sim.step(3.0)
    assert len(sim.result().events) == first > 10


def test_a_checkpoint_in_mid_bounce(tmp_path):
    """Interrupted in the middle, resumed from the file: to the last bit."""
    whole, path = bouncing(1.5, every=0.05), tmp_path / "run.checkpoint"

    def interrupt(t, share):
        if t > 0.8:
            raise KeyboardInterrupt

    options = dict(every=0.05, checkpoint=path, checkpoint_every=0)
    try:
        bouncing(1.5, progress=interrupt, **options)
    except KeyboardInterrupt:
        pass
    assert path.exists()
    assert_same(whole, bouncing(1.5, resume=True, **options))


# ---------------------------------------------------------------- models


def laws():
    """Every kind, with every argument that is not at its default."""
    s = shafts((100, -20))
    s.parameter("mu", 0.3)
    b = s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 1))
    box = s.body("box", mass=1.0, shape=mk.Box(0.1, 0.2, 0.3), position=(2, 0, 1))
    cart = s.body("cart", mass=1.0, inertia=(1, 1, 1), position=(4, 0, 1))
    s.slider("rail", s.ground, cart, at=(4, 0, 1), axis="x")
    s.contact("floor", b, (s.ground, mk.Plane(at=(0, 0, 0.1), normal=(0.1, 0, 1))), friction="$mu", static=0.4,
              restitution=0.5, law="stronge")  # fmt: skip
    s.contact("corners", box, (s.ground, mk.Plane()), friction=0.2)
    s.contact("pair", b, (cart, mk.Sphere("5 cm")), restitution=0.3, law="newton")
    s.contact("tip", (cart, (0, 0, -0.1)), (s.ground, mk.Plane(normal="z")), law="phases")
    s.limit("stop", "rail", lower="-10 cm", upper="2*$mu", restitution=0.1)
    s.dry_friction("rub", "rail", force="3 N", static=4)
    s.brake("brake", "p", torque="40 if t > 1 else 0")
    s.one_way("freewheel", "q", rate="-30 - t")
    s.cable("rope", (s.ground, (0, 0, 2)), (b, (0, 0, 0.1)), length=2, restitution=0.2)
    return s


@pytest.mark.parametrize("suffix", ["yaml", "yml"])
def test_every_kind_goes_through_a_file(suffix, tmp_path):
    s, path = laws(), tmp_path / f"model.{suffix}"
    mk.save_model(s, path)
    back = mk.load_model(path)
    assert list(back.contact_laws) == list(s.contact_laws)
    for name in s.contact_laws:
        assert back.contact_laws[name] == s.contact_laws[name], name
    mk.save_model(back, tmp_path / f"again.{suffix}")
    assert (tmp_path / f"again.{suffix}").read_text() == path.read_text()
    run, other = (mk.simulate(one, 0.3, rtol=1e-10) for one in (s, back))
    np.testing.assert_array_equal(run["ball.position"].values, other["ball.position"].values)
    assert len(run.events) == len(other.events)


def test_friction_is_a_parameter():
    """Sliding decelerates at μ g: v = 5 − μ g t at 0.5 s, for each value of the parameter."""
    s = rolling(1e6, friction=0.2, spin=(0, 0, 0))
    s.remove("table")
    s.parameter("mu", 0.2)
    s.contact("table", (s.bodies["ball"], mk.Sphere(0.1)), (s.ground, mk.Plane()), friction="$mu")
    for mu in (0.2, 0.5, 0.0):
        run = mk.simulate(s.with_parameters({"mu": mu}), 0.5, **TIGHT)
        assert run["ball.velocity.x"].values[-1] == pytest.approx(5 - mu * 9.81 * 0.5, abs=1e-11)


def test_a_stepper_takes_another_friction():
    s = rolling(1e6, friction=0.2, spin=(0, 0, 0))
    s.remove("table")
    s.parameter("mu", 0.2)
    s.contact("table", (s.bodies["ball"], mk.Sphere(0.1)), (s.ground, mk.Plane()), friction="$mu")
    sim = mk.stepper(s, **TIGHT)
    sim.step(0.5)
    sim.reset(parameters={"mu": 0.5})
    sim.step(0.5)
    assert sim["ball.velocity"][0] == pytest.approx(5 - 0.5 * 9.81 * 0.5, abs=1e-11)


@pytest.mark.parametrize("make", [laws, ball, four_bar, two_ropes])
def test_copies_of_models_move_alike(make):
    s = make()
    run, other = mk.simulate(s, 0.5), mk.simulate(pickle.loads(pickle.dumps(s)), 0.5)
    assert [(a.time, a.event) for a in run.events] == [(b.time, b.event) for b in other.events]


def test_a_removed_law_acts_no_more():
    s = ball()
    s.remove("floor")
    run = mk.simulate(s, 1.0)
    assert not run.events and run["ball.position.z"].values[-1] == pytest.approx(1.1 - 9.81 / 2, abs=1e-9)
