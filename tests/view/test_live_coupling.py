"""Live pages where friction changes normal accelerations as much as normal forces do: rough feet on light legs, arms that jam.

Oracles: the laws of contact themselves (N.2), closed forms, and mk.simulate. Tolerances: 1e-11 of the velocities for one contact, round-off
of sums of a few terms where compliances differ by up to 36; motions as in test_live_contacts.py.
"""

import json

import numpy as np
import pytest
from contacts.test_degenerate_instants import arm, slider_crank
from contacts.test_one_contact import broken, compliance
from fuzz.random_walkers import walker
from javascript import run_javascript
from view.live_pages import ADVANCED, relative_errors, simulated
from view.test_live_contacts import AGREED, ENGINE, run

import mekane as mk
from mekane.gallery.painleves_chalk import system as chalk

PLAYED = """(() => {
    const e = engineOf(window.liveModel, about), first = e.energy.balance;
    let drift = 0, lowest = 0;
    for (let k = 1; k <= 20; k++) {
        e.advance(%s * k / 20);
        drift = Math.max(drift, Math.abs(e.energy.balance - first));
        e.view.see(e.t, e.y, e.p);
        for (const { normal, rate } of e.elements) if (normal >= 0 && !rate) lowest = Math.min(lowest, e.view.gaps[normal]);
    }
    return { drift, lowest, notes: [...e.notes], log: e.log.map(({ lines }) => lines[0]) };
})()"""


def computed(code, *data):
    """What a function of these data returns in JavaScript."""
    return json.loads(run_javascript(ENGINE, f"JSON.stringify(({code})(...{json.dumps(data)}))"))


def test_the_force_of_one_contact_obeys_its_laws():
    """As contacts/test_one_contact.py. Forces that were found in turns did not settle."""
    rng, problems = np.random.default_rng(0), []
    for _ in range(1000):
        W, q = compliance(rng, 3, rng.uniform(0.5, 36.0)), rng.normal(size=3)
        problems.append((W.tolist(), q.tolist(), rng.uniform(0.0, 1.5), rng.choice([0.0, rng.uniform(0.0, 1.0)])))
    forces = computed("(all) => all.map((one) => forceOfContact(...one))", problems)
    for force, (W, q, friction, floor) in zip(np.array(forces), problems, strict=True):
        off, size = broken(force, np.array(W) @ force + q, friction, floor)
        assert force[0] >= floor and off <= 1e-11 * size


def test_contacts_that_friction_couples_strongly():
    """As there: two contacts, sixty times. Normal forces and friction that were found in turns went round in circles."""
    problems = []
    for seed in range(60):
        rng = np.random.default_rng(1000 + seed)
        problems.append((compliance(rng, 6).tolist(), rng.normal(size=6).tolist(), rng.uniform(0.3, 1.2)))
    found = computed("""(all) => all.map(([D, g, friction]) => solveCones(D, g,
        [0, 3].map((k) => ({ rows: [k, k + 1, k + 2], byNormal: true, friction, floor: 0 }))))""", problems)  # fmt: skip
    for one, (D, g, friction) in zip(found, problems, strict=True):
        x = np.array(one["x"])
        v = np.array(D) @ x + g
        assert one["left"] <= 1e-11
        for k in range(2):
            rows = slice(3 * k, 3 * k + 3)
            off, size = broken(x[rows], v[rows], friction, 0.0)
            assert off <= 1e-9 * size


def test_an_arm_that_jams_does_not_rebound():
    """Closed form, as there: where friction can take the line from contact to pin no velocity is left; with half as much it leaves with
    e, by Poisson's law, because friction is as the normal impulse."""
    arms, e = [], 0.6
    for seed in range(20):
        rng = np.random.default_rng(seed)
        way = np.array([1.0, rng.normal()])
        arms.append((np.outer(way, way) * rng.uniform(0.1, 3.0), -way * rng.uniform(0.1, 2.0), 1.0 / abs(way[1])))
    found = computed(
        """(all) => all.map(([D, v, locks]) => [[1.1, "poisson"], [1.1, "stronge"], [0.5, "poisson"]].map(
            ([share, law]) => Array.from(impactOfOne(D, v, share * locks, 0.6, law))))""",
        [(D.tolist(), v.tolist(), locks) for D, v, locks in arms],
    )
    for impulses, (D, v, locks) in zip(np.array(found), arms, strict=True):
        for P in impulses[:2]:
            assert np.abs(v + D @ P).max() < 1e-12 * np.abs(v).max()
            assert P[0] > 0.0 and abs(P[1]) <= 1.1 * locks * P[0] * (1.0 + 1e-12)
        after = v + D @ impulses[2]
        assert np.abs(after + e * v * (0.5 / 1.5)).max() < 1e-12 * np.abs(v).max()


def played(system, seconds):
    """How far the ledger opens and gaps fall below zero until then, and what the page tells."""
    return run(system, PLAYED % seconds)


@pytest.mark.parametrize("seed", [1, 7, 18, 19, 28])
def test_walkers_go_on(seed):
    """Once their impacts did not end, at 0.3 s; in 1 friction pushed where it turned by more than a right angle in a step. The ledger
    closes to what steps of 1e-9 let through, nothing enters the floor, and impulses obey their laws."""
    found = played(walker(seed), 0.4)
    assert found["drift"] < 1e-8 and found["lowest"] > -1e-11
    assert not any("known to" in note for note in found["notes"])


def agree(system, seconds, places=AGREED):
    times, expected = simulated(system, seconds)
    found = run(system, ADVANCED % ("window.about", json.dumps(list(times)), "[]"))
    errors = relative_errors(np.array(found["poses"]).reshape(len(times), -1, 18), expected)
    assert errors[0] < places and errors[1] < 10 * places and found["drift"] < 1e-10


@pytest.mark.parametrize("seed, seconds", [(7, 0.45), (18, 0.38), (19, 0.34), (28, 0.65), (37, 0.29)])
def test_walkers_agree_with_simulate(seed, seconds):
    """Up to where slow sliding needs many steps of a page. In 28 and 37 feet jam beside others that slide."""
    agree(walker(seed), seconds)


@pytest.mark.parametrize("system, seconds", [(slider_crank(0.9, 40.0), 0.1), (arm("phases"), 0.4)])
def test_forces_that_pass_by_zero_or_are_many(system, seconds):
    """As contacts/test_degenerate_instants.py: the load of a guide, and what stops an arm."""
    agree(system, seconds)


def test_a_jam_that_no_guard_can_tell():
    """A foot of a walker: forces grow beyond bounds before floats show the instant, and the page gave up as its step became too small.
    Oracle: the jam in the table of events of mk.simulate. Each fixes its instant by what floats showed of bounces of 1e-9 m before."""
    system = walker(3)
    (expected,) = [line for line in mk.simulate(system, 0.28, rtol=1e-12, atol=1e-14).events if line.kind == "jam"]
    jams = run(system, """(() => {
        const e = engineOf(window.liveModel, about, { rtol: 1e-13, atol: 1e-15 });
        e.advance(0.28);
        return e.log.filter(({ lines }) => lines[0].includes("jams")).map(({ time, name }) => [time, name]);
    })()""")  # fmt: skip
    assert [name for _, name in jams] == [expected.event]
    assert jams[0][0] == pytest.approx(expected.time, abs=1e-8)


def chalk_and_block():
    s = chalk()
    s.body("block", mass=1.0, inertia=(1, 1, 1), position=(0.3, 0, 0), velocity=(2, 0, 0))
    s.contact("floor", ("block", (0, 0, 0)), (s.ground, mk.Plane()), friction=0.2)
    return s


def test_chalk_jams_beside_a_block_that_slides():
    """Oracle: both are independent; the chalk turns with ω = 3 v s / 2 l at once
    (gallery.painleves_chalk), the block loses μ g t of its speed."""
    w, v = run(chalk_and_block(), """(() => {
        const e = engineOf(window.liveModel, about), m = (e.advance(1e-9), e.model.bodies(e.t, e.y, e.p));
        return [Math.hypot(...m.slice(15, 18)), (e.advance(0.1), e.model.bodies(e.t, e.y, e.p))[18 + 12]];
    })()""")  # fmt: skip
    assert w == pytest.approx(1.5 * 0.3 * 2.0 / 5.0**0.5 / 0.08, rel=1e-6)
    assert v == pytest.approx(2.0 - 0.2 * 9.81 * 0.1, abs=1e-9)


def ball_beside_a_cart():
    """A ball comes to rest while a cart leaves its stop for good, as slowly as a push from 0.42 s on moves it."""
    s = mk.System("ball and cart")
    s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 0.2))
    s.contact("floor", "ball", (s.ground, mk.Plane()), restitution=0.5)
    s.body("cart", mass=1.0, inertia=(1, 1, 1), position=(1, 0, 0))
    s.slider("rail", s.ground, "cart", at=(1, 0, 0), axis="x")
    s.limit("stop", "rail", lower=0.0)
    s.force("push", "cart", ("1e-4*(t - 0.42)", 0, 0))
    return s


def test_low_bounces_are_closed_beside_what_leaves_slowly():
    """Oracle: heights 0.1 m / 4ⁿ; bounces below 1e-9 m are left out, so the fourteenth impact is the last. What left slowly for good kept
    the page from that: impacts went on without end."""
    found = played(ball_beside_a_cart(), 0.6)
    assert sum(line.startswith("floor") and "lost" in line for line in found["log"]) == 14


def ball_on_the_floor():
    s = mk.System("ball")
    s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 0.1))
    s.contact("floor", "ball", (s.ground, mk.Plane()), friction=0.3)
    return s


def test_what_leaves_slower_than_floats_can_show_is_closed():
    """A ball leaves with 1e-7 m/s: it would be back from 5e-16 m. It flies, unless its gap ends the motion again at this instant."""
    modes, speed = run(ball_on_the_floor(), """(() => {
        const e = engineOf(window.liveModel, about), modes = [];
        e.t = 1;
        e.write(0, Mode.OPEN);
        e.y[about.q + 2] = 1e-7;
        for (let k = 0; k < 3; k++) { e.resolve([[0, 0]]); modes.push(e.mode(0)); }
        e.view.see(e.t, e.y, e.p);
        return [modes, e.view.velocity[e.elements[0].normal]];
    })()""")  # fmt: skip
    assert modes[0] == 0 and modes[-1] == 2 and abs(speed) < 1e-20


def test_modes_stay_banned_while_no_time_passes():
    """What breaks away and comes back at once looks for another way to break away; what comes to rest twice at an instant, too."""
    away, twice, later, opened = run(ball_on_the_floor(), """(() => {
        const e = engineOf(window.liveModel, about);
        const ban = (mode, which) => { e.write(0, mode, [1, 0]); return [...e.bannedBy([[0, which]])]; };
        e.t = 1;
        const away = (ban(Mode.STICKING, 1), ban(Mode.SLIDING, 1));
        e.t = 2;
        const twice = (ban(Mode.SLIDING, 1), ban(Mode.SLIDING, 1));
        e.t = 3;
        return [away, twice, ban(Mode.SLIDING, 1), ban(Mode.STICKING, 0)];
    })()""")  # fmt: skip
    returned, sliding, sticking, incipient = "0 -1", "0 1", "0 2", "0 3"
    assert away == [sticking, incipient] and twice == [returned, incipient] and later == [returned]
    assert opened == [returned, sliding, sticking]
