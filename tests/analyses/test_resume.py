"""A run that goes on to a later time. Oracle: one run to that time, to the last bit, in all it states of itself."""

import copy
import os
import pickle
import signal
import subprocess
import sys

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.errors import FileError, ModelError
from mekane.solvers.specialised import hand_over
from tests.solvers.test_checkpoint import Presses, crank


def machine(end=False, delay="7 ms"):
    """Events that lock, release, strike and count; a sampled controller that is a formula; a comparison in a law."""
    s = mk.System("machine")
    s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.body("load", mass=0.5, inertia=(0.01, 0.01, 0.01), position=(0, 0, -1.2))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=2.0)
    s.pin("wrist", "arm", "load", at=(0, 0, -1), axis="y")
    s.velocity_constraint("brake", "wrist.angle.rate", active=False)
    s.input("u", 0.0)
    s.variable("count", 0)
    s.motor("drive", "hinge", torque="u + (0.3 if hinge.angle > 0.2 else count)")
    s.controller("pilot", "10 ms", writes="u", function="-2*hinge.angle - 0.3*hinge.angle.rate", delay=delay)
    s.event("counting", when="hinge.angle > 0.1", set={"count": "count + 0.1"}, once=False)
    s.event("knock", when="t >= 0.7", impulse={"load": (0.2, 0, 0)})
    s.event("stiffen", when="t >= 1.1", lock="brake")
    s.event("loosen", when="t >= 1.6", release="brake")
    if end:
        s.event("end", when="hinge.angle < -0.1 and t > 0.5", stop=True)
    return s


def closing():
    """With a constraint that is closed where it is, and opened again."""
    s = machine()
    s.distance("tie", ("ground", (1, 0, -1)), ("load", (0, 0, 0)), active=False)
    s.event("close", when="t >= 0.3", lock="tie", at="its present position")
    s.event("open", when="t >= 1.0", release="tie")
    return s


RUNS = {
    "pendulum": (lambda: gallery.find("pendulum").system(), 1.0, 2.0, {}),
    "loops": (crank, 1.0, 2.0, dict(code="loops", step=0.01)),
    "specialised": (crank, 1.0, 2.0, dict(code="specialised", formulation="absolute", step=0.01)),
    "hand-over": (crank, 4.0, 8.0, dict(step=0.01)),
    "embedded": (crank, 1.0, 2.0, dict(constraints="embedded", step=0.01)),
    "bryan": (crank, 1.0, 2.0, dict(formulation="bryan", step=0.01)),
    "implicit": (crank, 1.0, 1.5, dict(method="implicit", step=0.01)),
    "rk4": (crank, 1.0, 2.0, dict(method="rk4", step=3e-3)),
    "no whole steps": (crank, 1.0, 2.0, dict(method="rk4", step=7.3e-4)),
    "events before": (machine, 0.9, 2.0, dict(step=0.01)),
    "events after": (machine, 0.4, 2.0, dict(step=0.01, formulation="absolute")),
    "while locked": (machine, 1.3, 2.0, dict(step=0.01, code="specialised")),
    "closed where it is": (closing, 0.6, 1.5, dict(step=0.01, formulation="absolute")),
    "at an event": (machine, 1.1, 2.0, dict(step=0.01)),
    "by rk4 through events": (machine, 1.3, 2.0, dict(method="rk4", step=1e-3)),
}


@pytest.fixture(autouse=True)
def hand_over_early(monkeypatch):
    """Every run that can goes over to specialised code."""
    monkeypatch.setattr(hand_over, "WORTH", 0.0)


@pytest.mark.divided("name", 2)
@pytest.mark.parametrize("name", RUNS)
def test_equals_one_run(name, tmp_path):
    """In the same process, from a file, and from a copy; then once more. The largest step is given where laws compare the
    state: by default it is a share of the length of the run."""
    system, first, last, options = RUNS[name]
    s, options = system(), options | dict(every=first / 100)
    run, whole = mk.simulate(s, first, **options), mk.simulate(s, last, **options)
    before = copy.deepcopy(run)
    assert run.resume(last) == whole and run == before
    run.save(tmp_path / "run.nc")
    assert mk.load(tmp_path / "run.nc").resume(last) == whole
    assert pickle.loads(pickle.dumps(before)).resume(0.5 * (first + last)).resume(last) == whole


def test_the_runs_are_what_they_are_called():
    handed_over, machines = mk.simulate(crank(), 4.0, step=0.01), mk.simulate(machine(), 2.0, step=0.01)
    assert handed_over.info["code"] == "specialised"
    assert {line.event for line in machines.events} == {"counting", "knock", "stiffen", "loosen"}


def test_in_another_process(tmp_path):
    options = dict(step=0.01, every=0.01, code="loops")
    mk.simulate(machine(), 0.9, **options).save(tmp_path / "run.nc")
    program = "import sys, mekane as mk; mk.load(sys.argv[1]).resume(2.0).save(sys.argv[2])"
    subprocess.run([sys.executable, "-c", program, tmp_path / "run.nc", tmp_path / "more.nc"], check=True)
    assert mk.load(tmp_path / "more.nc") == mk.simulate(machine(), 2.0, **options)


@pytest.mark.parametrize("system, options", [(closing, {"formulation": "absolute"}), (machine, {"method": "rk4"})])
def test_ends_anywhere(system, options):
    """At ends that are no sample, no tick and no event, in any phase of the motion."""
    s, options = system(), dict(step=1e-3 if options.get("method") else 0.01, every=0.013) | options
    whole = mk.simulate(s, 2.0, **options)
    for end in np.random.default_rng(5).uniform(0.02, 1.98, 8):
        assert mk.simulate(s, float(end), **options).resume(2.0) == whole, end


def test_code_is_judged_again(monkeypatch):
    """A short run goes by the loops; what follows may be long enough for specialised code. The motion is the same, but
    for steps that rounding makes a little longer or shorter: to 1e-9, a thousand times the tolerance of a step."""
    options = dict(step=0.01, every=0.01, rtol=1e-12, atol=1e-14)
    monkeypatch.setattr(hand_over, "WORTH", np.inf)
    run = mk.simulate(crank(), 0.6, **options)
    monkeypatch.setattr(hand_over, "WORTH", 0.0)
    more = run.resume(3.0)
    assert run.info["code"] == "loops" and more.info["code"] == "specialised"
    whole = mk.simulate(crank(), 3.0, code="loops", **options)
    np.testing.assert_allclose(more.record.y, whole.record.y, rtol=1e-9, atol=1e-9)


def test_choices_that_depend_on_the_length_of_a_run():
    """The largest step stays that of the first run: 1/200 of it."""
    run = mk.simulate(crank(), 1.0, code="loops", every=0.01)
    whole = mk.simulate(crank(), 2.0, code="loops", every=0.01, step=1.0 / 200)
    assert np.array_equal(run.resume(2.0).record.y, whole.record.y)


# ---------------------------------------------------------------- runs that ended before their time


def never_ending():
    """The same machine with an event at the same instants that does not end the motion."""
    s = machine()
    s.event("end", when="hinge.angle < -0.1 and t > 0.5", set={"count": "count"})
    return s


@pytest.mark.parametrize("margin", [0.1, 0.005, 1e-5])
def test_goes_on_past_an_event_that_ended_it(margin):
    """Also where the end of the run had already set the step that led to the event. The sample at its instant is one of
    the run that ended there, not of the one that went on."""
    whole = mk.simulate(never_ending(), 1.5, step=0.01, every=0.01)
    t_end = whole.events.of("end")[0].time + margin
    run = mk.simulate(machine(True), t_end, step=0.01, every=0.01)
    assert run.info["ended_by"] == "end" and run.info["t_end"] == run.t[-1] < t_end
    more = run.resume(1.5)
    assert all(np.array_equal(a, b) for a, b in zip(more.record, whole.record, strict=True))
    assert more.info["events"] == whole.info["events"] and not more.info["ended_by"]
    assert more.error.ok and more.health.ok  # its repetitions go on past it, too


def test_goes_on_past_until():
    run = mk.simulate(machine(), 1.5, until="hinge.angle < -0.1 and t > 0.5", step=0.01, every=0.01)
    more = run.resume(1.5)
    assert run.info["ended_by"] == "until" and not more.info["ended_by"] and more.t[-1] == 1.5
    found = more.verify()
    assert found.ok and found.complete and run.verify().complete
    early = mk.simulate(machine(), 0.3, until="hinge.angle < -0.1 and t > 0.5", step=0.01, every=0.01)
    assert early.resume(1.5) == run  # what has not happened yet ends it


def test_an_event_that_ends_it_each_time():
    s = gallery.find("pendulum").system()
    s.event("turn", when=f"{next(iter(s.joints))}.angle.rate > 0", stop=True, once=False)
    run, ends = mk.simulate(s, 20.0, step=0.05), []
    for _ in range(3):
        ends.append(run.info["t_end"])
        run = run.resume(20.0)
    assert ends == sorted(set(ends)) and [line.time for line in run.events][:3] == ends


@pytest.mark.parametrize("calls", [1, 5, 40])
def test_goes_on_after_ctrl_c(calls, monkeypatch):
    from mekane.solvers import solver

    monkeypatch.setattr(solver, "CALL_SECONDS", 0.0)
    presses = Presses(np.random.default_rng(0))
    presses.left = calls
    run = mk.simulate(machine(), 2.0, step=0.01, every=0.01, progress=presses)
    assert "by the user" in run.info["stopped"]
    assert run.resume(2.0) == mk.simulate(machine(), 2.0, step=0.01, every=0.01)


# ---------------------------------------------------------------- controllers that are objects


class Sum:
    """With a state: the sum of what it reads. It has no dictionary."""

    __slots__ = ("total", "calls")

    def reset(self):
        self.total, self.calls = 0.0, 0

    def __call__(self, t, angle):
        self.total += angle
        self.calls += 1
        return -0.5 * self.total


def summed(function):
    s = crank()
    s.input("u", 0.0)
    s.motor("more", "hinge", torque="u")
    s.controller("sum", "10 ms", reads="hinge.angle", writes="u", function=function, delay="3 ms")
    return s


def test_controllers_with_a_state_go_on(tmp_path):
    """From where they were, whatever the object was used for since."""
    own = Sum()
    s = summed(own)
    run = mk.simulate(s, 1.0, step=0.01, every=0.01)
    assert own.calls == 100  # the tick at the end is the first of what follows
    mk.simulate(s, 0.5)
    used = own.calls, own.total
    more = run.resume(2.0)
    assert (own.calls, own.total) == used
    whole = mk.simulate(summed(Sum()), 2.0, step=0.01, every=0.01)
    assert all(np.array_equal(a, b) for a, b in zip(more.record, whole.record, strict=True))
    with pytest.raises(FileError, match="controller 'sum'"):
        run.save(tmp_path / "run.nc")
    with pytest.raises(ModelError, match="checkpoint.*controller 'sum'.*Python function"):
        mk.simulate(s, 1.0, checkpoint=tmp_path / "checkpoint")


class Uncopied(Sum):
    __slots__ = ()

    def __deepcopy__(self, memo):
        raise TypeError("it is connected")


def test_controllers_that_cannot_be_copied():
    """The run is as it is; only what needs a copy is refused."""
    s = summed(Uncopied())
    run = mk.simulate(s, 0.3)
    for use in (lambda: run.resume(0.5), lambda: mk.stepper(s)):
        with pytest.raises(ModelError, match="controller 'sum': its object cannot be copied .*it is connected"):
            use()


# ---------------------------------------------------------------- what is refused, and other samples


def test_what_cannot_go_on(tmp_path):
    s = gallery.find("pendulum").system()
    run = mk.simulate(s, 1.0)
    for t_end, words in ((1.0, "the run goes to 1 s"), (0.5, "a later time"), (-1, "t_end"), ("2 kg", "t_end")):
        with pytest.raises(ModelError, match=words):
            run.resume(t_end)
    with pytest.raises(ModelError, match="no state to go on from"):
        mk.stepper(s).result().resume(1.0)
    listed = mk.simulate(s, 1.0, every=[0.0, 0.3, 1.0])
    with pytest.raises(ModelError, match="a list of times.*Give every="):
        listed.resume(2.0)
    assert listed.resume(2.0, every=[1.5, 2.0]).t.tolist() == [0.0, 0.3, 1.5, 2.0]
    s.marker("tip", next(iter(s.bodies)))
    with pytest.raises(ModelError, match="was changed since"):
        run.resume(2.0)


def test_files_of_other_versions(tmp_path, monkeypatch):
    from mekane.solvers import end_state

    run = mk.simulate(gallery.find("pendulum").system(), 1.0)
    run.save(tmp_path / "run.nc")
    monkeypatch.setattr(end_state, "source_digest", lambda: "another")
    kept = mk.load(tmp_path / "run.nc")
    with pytest.raises(FileError, match="another version of Mekane"):
        kept.resume(2.0)


def test_other_samples_from_here_on():
    s = gallery.find("pendulum").system()
    run = mk.simulate(s, 1.0, every=0.1)
    more = run.resume(2.0, every=0.25)
    assert np.array_equal(more.record.y[:5], run.record.y[:5]) and more.t[-1] == 2.0
    whole = mk.simulate(s, 2.0, every=more.t)
    np.testing.assert_array_equal(more.record.y, whole.record.y)


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_ctrl_c_in_a_controller():
    """Its tick is finished first, so that the run goes on as if nothing had happened."""

    class Pressed(Sum):
        __slots__ = ()

        def __call__(self, t, angle):
            if self.calls == 40 and armed:
                armed.clear()
                os.kill(os.getpid(), signal.SIGINT)
            return super().__call__(t, angle)

    armed = []
    whole = mk.simulate(summed(Pressed()), 1.0, step=0.01, every=0.01)
    armed.append(True)
    run = mk.simulate(summed(Pressed()), 1.0, step=0.01, every=0.01)
    assert "by the user" in run.info["stopped"] and not armed
    assert all(np.array_equal(a, b) for a, b in zip(run.resume(1.0).record, whole.record, strict=True))


def test_ctrl_c_in_a_law_that_is_called():
    """From then on it gives no numbers: what remains is no state to go on from, which an error states."""
    s = crank()
    s.motor("more", "elbow", torque=lambda t, state: pressed(t))

    def pressed(t):
        if t > 0.3:
            raise KeyboardInterrupt
        return float(np.round(t))

    run = mk.simulate(s, 1.0)
    assert "by the user" in run.info["stopped"]
    with pytest.raises(ModelError, match="no state to go on from"):
        run.resume(1.0)
