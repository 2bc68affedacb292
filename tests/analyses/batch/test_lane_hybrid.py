"""Sampled controllers and events on lanes. Oracles: the recursion of a mass under a force that is held; the time of a fall; runs
one by one, whose clocks and events are other code; the same runs in another order, on other lanes, by other threads, to
the last bit."""

import lane_systems
import numpy as np
import pytest

import mekane as mk
from mekane.analyses.batch.lane_runs import LaneEngine, NotOnLanes, run_on_lanes
from mekane.analyses.batch.runs import DONE, Batch

K = np.linspace(0.5, 3.5, 13)
CHANNELS = ("mass.position.z", "rail.displacement.rate", "u", "n", "mass.acceleration.z")


def slider(law="u + n", **parts):
    """A slider of 1 kg that begins at x = 1 and falls. parts: events and controllers, by name."""
    s = mk.System("slider", gravity=(0, 0, -10), parameters={"k": 1.0})
    s.slider("rail", s.ground, s.body("mass", 1.0, position=(0, 0, 1)), at=(0, 0, 0), axis="z")
    s.input("u")
    s.variable("n", 0.0)
    s.motor("law", "rail", force=law)
    for name, one in parts.items():
        (s.event if "when" in one else s.controller)(name, **one)
    return s


def batch_of(s, t_end=1.0, samples=21, **settings):
    return Batch(s, {"k": K}, np.linspace(0.0, t_end, samples), CHANNELS, settings)


def test_a_sampled_controller():
    """u = −k x − x' is held for 0.1 s: x, v by their recursion. Samples at ticks show the new u."""
    batch = batch_of(slider(pilot=dict(every=0.1, function={"u": "-k*mass.position.z - rail.displacement.rate"})))
    runs, x, v = run_on_lanes(batch), np.ones(len(K)), np.zeros(len(K))
    for tick in range(10):
        u = -K * x - v
        found = runs.values[:, 2 * tick]
        exact = np.stack([x, v, u, 0 * u, u - 10.0], axis=1)
        assert np.abs(found - exact).max() < 1e-12, tick  # parabolas: round-off
        x, v = x + 0.1 * v + 0.005 * (u - 10.0), v + 0.1 * (u - 10.0)
    assert (runs.outcome == DONE).all() and np.abs(runs.values[:, -1, 0] - x).max() < 1e-12
    assert np.abs(runs.values[:, -1, 2] - u).max() < 1e-12  # no tick at the end


def test_an_event_ends_runs():
    """A fall from 1 m with the acceleration 10 − k: √(2/(10 − k)). That instant is the last sample of each run."""
    s = slider("k", landing=dict(when="mass.position.z < 0", stop=True))
    ds = mk.sweep(s, {"k": K}, t_end=1.0, every=0.1, keep="mass.position.z", measure=MEASURES, engine="lanes")
    ends, x, t = np.sqrt(2 / (10 - K)), ds["mass.position.z"].values, ds["time"].values
    assert (ds["status"] == 0).all()
    assert np.abs(ds["fall"].values - ends).max() < 1e-12 and np.abs(ds["last"].values).max() < 1e-12
    assert np.abs(ds["speed"].values + (10 - K) * ends).max() < 1e-11
    assert np.array_equal(np.isnan(x), t > ends[:, None]) and np.nanmin(x) >= 0
    alone = mk.sweep(s, {"k": K}, t_end=1.0, every=0.1, keep="mass.position.z", measure=MEASURES, engine="one by one")
    for name in (*MEASURES, "mass.position.z"):
        assert np.allclose(ds[name], alone[name], rtol=0, atol=1e-11, equal_nan=True)


MEASURES = {
    "fall": "max(t)",
    "last": "mass.position.z[-1]",
    "speed": "min(rail.displacement.rate)",
    "area": "integral(mass.position.z)",
}
FALLS = "mass.position.z < "
PARTS = {
    "delay": dict(pilot=dict(every=0.07, offset=0.013, delay=0.1, function={"u": "max(-k, 9 - 5*mass.position.z)"})),
    "two states": dict(
        low=dict(when=FALLS + "0.5", set={"u": 30}, once=False),
        high=dict(when="mass.position.z > 0.8", set={"u": 0}, once=False),
    ),
    "one after the other": dict(
        a=dict(when="t >= 0.25", set={"n": "2*n + k"}),
        b=dict(when="4*t >= 1", set={"n": "n + 3", "u": "n"}),
        c=dict(when="n > 3.5", set={"n": "10*n"}),
    ),
    "at the start": dict(a=dict(when="mass.position.z > 0.5", set={"u": "5*k"}, at_start=True)),
    "not at the start": dict(a=dict(when="mass.position.z > 0.5", set={"u": "5*k"})),
    "both": dict(
        low=dict(when="mass.position.z < 0.7 and rail.displacement.rate < -k", set={"n": 4}),
        pilot=dict(every=0.05, function={"u": "n - 3*mass.position.z if n > 0 else k"}),
        end=dict(when="t > 0.9", stop=True),
    ),
}


@pytest.mark.parametrize("name", PARTS)
def test_as_one_by_one(name):
    """Tolerance: both have rtol 1e-9; events are located to round-off by both, and motions are parabolas."""
    batch, order = batch_of(slider(**PARTS[name])), np.random.default_rng(1).permutation(len(K))
    runs = run_on_lanes(batch, threads=2, lanes=4)
    assert (runs.outcome == DONE).all()
    for run in (0, 6, 12):
        assert np.allclose(runs.values[run], lane_systems.run_alone(batch, run), rtol=0, atol=1e-9, equal_nan=True)
    mixed = LaneEngine(batch._replace(varied={"k": K[order]}), 8).run(1)
    assert mixed.values.tobytes() == runs.values[order].tobytes()
    assert [mixed.ends.get(k) for k in range(len(K))] == [runs.ends.get(int(k)) for k in order]


def test_what_lanes_leave_to_runs_one_by_one():
    rate = dict(when=FALLS + "0", set={"rail.displacement.rate": 1})
    for part, why in (
        (rate, "set rates"),
        (dict(when=FALLS + "0", impulse={"mass": (0, 0, 1)}), "push"),
        (dict(every=0.1, reads="t", writes="u", function=lambda t, x: float(np.floor(x))), "call Python"),
        (dict(when="t >= 0.1*(n + 1)", set={"n": "n + 1"}), "laws of time"),
    ):
        with pytest.raises(NotOnLanes, match=why):
            run_on_lanes(batch_of(slider(part=part)))


def test_a_formula_without_a_value_is_a_failure():
    """log(x) has no value once the mass has fallen below 0; other runs stay above."""
    s = slider("4*k + u", pilot=dict(every=0.1, function={"u": "log(mass.position.z)"}))
    runs = run_on_lanes(batch_of(s))
    failed = np.flatnonzero(runs.outcome != DONE)
    assert 0 < len(failed) < len(K) and all("controller 'pilot'" in runs.messages[int(k)] for k in failed)
