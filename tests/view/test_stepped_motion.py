"""Motions that the studio steps. Oracles: mk.simulate of the same model, a spring of the model in place of the hand, free fall,
the balance of energies, and the same steps taken again."""

import json
import tracemalloc

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.view.studio.computation import read
from mekane.view.studio.opening import FIRST, mechanism_text
from mekane.view.studio.stepped import motion as module
from mekane.view.studio.stepped import worker_side
from mekane.view.studio.stepped.hand import Hand
from mekane.view.studio.stepped.motion import SteppedMotion, balance

FRAME = 1 / 60
GRIP = {"quick": 10.0, "weight": 9.81, "sag": 0.1, "strength": 1.0}


def model(name):
    return read(mechanism_text(gallery.find(name)))


@pytest.fixture(scope="module")
def ball():
    return model("bouncing_ball")


def stepped(motion, end, hand=None, begin=0.0):
    """All rows to a time; hand(t): what is held."""
    rows, events, t = [], [], begin
    while t < end - 1e-9:
        reply = motion.advance(t, min(FRAME, end - t), hand and hand(t))
        assert not reply["stopped"]
        rows += reply["rows"]
        events += reply["events"]
        t = rows[-1]["t"]
    return rows, events


def circling(t):
    return {
        "number": 1,
        "body": 0,
        "place": [0.05, -0.03, 0.02],
        "target": [np.sin(3 * t), 0.2, 0.6 + 0.3 * np.cos(5 * t)],
        **GRIP,
    }


@pytest.mark.parametrize("name", ["bouncing_ball", "stick_slip_belt"])
def test_without_a_hand_it_is_what_simulate_computes(name):
    """Positions at every row, and each event at its instant; steps end at other times, so that both err by their
    tolerances (1e-9)."""
    system, options = model(name)
    rows, events = stepped(SteppedMotion(system, options), 1.5)
    run = mk.simulate(system, 1.5, every=[row["t"] for row in rows])
    places = np.array([row["poses"] for row in rows]).reshape(len(rows), -1, 7)[:, :, :3]
    expected = np.stack([run.numbers(f"{body}.position") for body in system.bodies], axis=1)
    assert np.abs(places - expected).max() < 1e-8
    assert [one["name"] for one in events] == [line.event for line in run.events] and len(events) > 1
    assert np.allclose([one["time"] for one in events], [line.time for line in run.events], rtol=0, atol=1e-8)
    assert np.ptp([balance(row) for row in rows]) < 1e-8


def test_the_hand_is_a_spring_at_the_point_that_is_held():
    """A body that turns freely, held beside its mass centre: Mekane's own spring of no length pulls the same."""
    s = mk.System("stone", gravity=(0, 0, -9.81))
    s.body(
        "stone",
        mass=2.0,
        inertia=(0.1, 0.2, 0.25),
        position=(0.1, 0, 0),
        angular_velocity=(1, 2, 0.5),
        velocity=(0, 1, 0),
    )
    place, target, stiffness = (0.2, -0.1, 0.3), (0.3, 0.2, 0.5), 40.0
    hand = Hand(s)
    s.spring("spring", (s.ground, target), ("stone", place), stiffness=stiffness, length=0.0)
    sim = mk.stepper(hand.system)
    sim.set(hand.values((0, place, target, stiffness, 0.0)))
    for _ in range(20):
        sim.step(0.05)
    run = mk.simulate(s, 1.0)
    for quantity in ("position", "velocity", "angular_velocity"):
        assert np.abs(sim[f"stone.{quantity}"] - run.numbers(f"stone.{quantity}")[-1]).max() < 1e-8
    work = sum(sim[f"{name}.work"] for name in hand.elements)
    stored = run.energy["potential_of"].sel(store="spring")
    assert work == pytest.approx(float(stored[0] - stored[-1]), abs=1e-7)


def test_the_ledger_counts_the_work_of_the_hand(ball):
    """A ball that is swung about and hits the floor on the way."""
    rows, events = stepped(SteppedMotion(*ball), 2.0, circling)
    assert np.ptp([balance(row) for row in rows]) < 1e-7 and abs(rows[-1]["energies"][2]) > 0.1
    assert all(row["grasp"] is not None for row in rows)


def test_the_hand_feels_the_mass_at_its_point():
    """Of a rod on a hinge a third at the end; of a box that friction holds no more than its own."""
    system, options = read(FIRST)
    rod = SteppedMotion(system, options)
    assert rod.readings.mass_at(0, np.array([0.0, 0.0, -0.5])) == pytest.approx(1 / 3, rel=1e-9)
    box = SteppedMotion(*model("box_on_slope"))
    stepped(box, 0.4)
    assert box.readings.mass_at(0, np.zeros(3)) == 5.0
    held = {"number": 1, "body": 0, "place": [0, 0, 0], "target": [0.5, 0, 0.4], **GRIP}
    rows, _ = stepped(box, 0.8, lambda t: held, begin=0.4)  # it breaks away
    assert rows[-1]["poses"][0] > rows[0]["poses"][0] + 0.02 and np.ptp([balance(row) for row in rows]) < 1e-7


def test_going_back_and_on_gives_the_same_numbers(ball):
    motion = SteppedMotion(*ball)
    rows, _ = stepped(motion, 1.2, circling)
    again, _ = stepped(motion, 1.2, circling, begin=rows[36]["t"])
    assert again == rows[37:]
    let_go, _ = stepped(motion, 1.0, begin=rows[36]["t"])
    assert let_go[-1]["grasp"] is None and abs(balance(let_go[-1]) - balance(rows[0])) < 1e-7


def test_another_model_goes_on_from_where_it_was(ball):
    """A heavier ball falls and bounces the same; weaker gravity acts from that moment on; the ledger has the difference."""
    system, options = ball
    motion = SteppedMotion(system, options)
    (*_, last), _ = stepped(motion, 0.3)
    heavy = SteppedMotion(system.with_parameters({"ball.mass": 2.0}), options, motion)
    assert heavy.anew == "" and heavy.row()["poses"] == last["poses"]
    assert sum(heavy.row()["energies"][:2]) == pytest.approx(2 * sum(last["energies"][:2]))
    rows, events = stepped(heavy, 0.8, begin=0.3)
    run = mk.simulate(system, 0.8)
    assert np.abs(np.array(rows[-1]["poses"][:3]) - run.numbers("ball.position")[-1]).max() < 1e-9 and len(events) == 1
    assert balance(rows[-1]) == pytest.approx(balance(last), abs=1e-8)


def test_a_ball_that_would_be_in_the_floor_begins_anew(ball):
    system, options = ball
    motion = SteppedMotion(system, options)
    stepped(motion, 0.44)
    text = mechanism_text(gallery.find("bouncing_ball")).replace("radius: 0.1", "radius: 0.3")
    larger, _ = read(text)
    new = SteppedMotion(larger, options, motion)
    assert new.anew.startswith("It begins anew: contact 'floor'") and new.sim.t == 0.0


def test_controllers_and_events_go_on():
    """A controller ticks on in time, what has happened once does not happen again."""
    s = mk.System("switch", gravity=(0, 0, 0))
    cart = s.body("cart", mass=1.0)
    s.slider("rail", s.ground, cart, at=(0, 0, 0), axis="x")
    s.input("u", 0.0)
    s.controller("steps", every=0.1, writes="u", function="u + 1")
    s.variable("hits", 0.0)
    s.event("begin", when="t > 0.25", set={"hits": "hits + 1"})
    s.force("push", cart, value=("u", 0, 0))
    first = SteppedMotion(s, {})
    stepped(first, 0.5)
    second = SteppedMotion(s, {}, first)
    stepped(second, 1.0, begin=0.5)
    run = mk.simulate(s, 1.0)
    assert second.sim["rail.displacement"] == pytest.approx(float(run.numbers("rail.displacement")[-1]), abs=1e-10)
    discrete = dict(zip(second.sim.solver.compiled.discrete, second.sim.solver.discrete, strict=True))
    assert discrete["hits"] == 1.0 and discrete["u"] == run.numbers("u")[-1]


def test_a_thousand_steps_of_dragging_leave_nothing_behind(ball, monkeypatch):
    """What is kept is bounded: in the last five hundred steps nothing grows."""
    monkeypatch.setattr(module, "MOST_ROWS", 200)
    monkeypatch.setattr(module, "BETWEEN", (10, 20))
    motion = SteppedMotion(*ball)
    motion.most = 200
    (*_, middle), _ = stepped(motion, 500 * FRAME, circling)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    stepped(motion, 1000 * FRAME, circling, begin=middle["t"])
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert len(motion.times) <= 200 and len(motion.kept) <= 21 and len(motion.sim.solver.phases.table) <= 200
    assert grown < 3e6  # the states that are kept, anew
    assert motion.advance(motion.times[0] - 1.0, FRAME)["rows"][0]["t"] > motion.times[0]  # the oldest that is left


def test_an_event_that_stops_ends_the_motion_until_one_goes_back():
    s = mk.System("fall")
    s.body("stone", mass=1.0, position=(0, 0, 1))
    s.event("floor", when="stone.position.z < 0", stop=True)
    motion = SteppedMotion(s, {})
    reply = {"stopped": "", "rows": [motion.row()]}
    while not reply["stopped"]:
        last = reply["rows"][-1]
        reply = motion.advance(last["t"], FRAME)
    assert reply["rows"][-1]["t"] == pytest.approx(np.sqrt(2 / 9.81), abs=1e-9)
    assert reply["stopped"].startswith("event 'floor' ends the motion")
    assert motion.advance(reply["rows"][-1]["t"], FRAME)["rows"] == []
    assert motion.advance(0.1, FRAME)["stopped"] == ""


@pytest.mark.parametrize(
    "wrong",
    [
        {"step": None},
        {"step": "1"},
        {"begin": float("nan")},
        {"hand": []},
        {"hand": {**circling(0.0), "body": 1}},
        {"hand": {**circling(0.0), "target": [0, 0]}},
        {"hand": {**circling(0.0), "place": [0, 0, float("inf")]}},
        {"hand": {**circling(0.0), "sag": 0}},
    ],
)
def test_what_no_page_sends_is_refused(ball, monkeypatch, wrong):
    monkeypatch.setattr(
        worker_side, "motion", SteppedMotion(*ball) if worker_side.motion is None else worker_side.motion
    )
    with pytest.raises(mk.ModelError, match="Load the page again"):
        worker_side.advance("", {"begin": 0.0, "step": FRAME, "hand": None, **wrong})


def test_rows_are_plain_data(ball):
    reply = SteppedMotion(*ball).advance(0.0, FRAME, circling(0.0))
    assert json.loads(json.dumps(reply, allow_nan=False)) == reply
