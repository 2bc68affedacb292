"""mekane run: what it writes, says and leaves alone. Oracle: the Result of the same model from Python, number by
number."""

import csv
import json
import os
import signal

import pytest

import mekane as mk
from mekane.progress import Bar


def test_same_as_python(mekane, folder, pendulum):
    output = mekane("run", pendulum, "-o", "out.nc")
    assert output.code == 0 and output.err == ""
    for arguments in ("pendulum: 1 body, 1 joint, 0 forces; 6 samples", "hinge.angle", "trusted", "Written: out.nc"):
        assert arguments in output.out
    run, again = mk.simulate(mk.load_model(pendulum), 0.5, every=0.1), mk.load("out.nc")
    assert (run.t == again.t).all() and (run["hinge.angle"].values == again["hinge.angle"].values).all()


def test_output_is_named_after_the_model(mekane, folder, pendulum):
    assert "Written: pendulum.nc" in mekane("run", pendulum).out
    assert sorted(os.listdir(folder)) == ["pendulum.nc", "pendulum.yaml"]


def test_embedded_constraints(mekane, folder, four_bar):
    """Oracle: multipliers; a quarter of a second at 1e-9."""
    output = mekane("run", four_bar, "-o", "out.nc", "--t-end", 0.25, "--constraints", "embedded")
    assert output.code == 0 and "onstraints were embedded: 1 equation for 3 speeds" in output.out
    run, again = mk.simulate(mk.load_model(four_bar), 0.25), mk.load("out.nc")
    assert again["a.angle"].values == pytest.approx(run["a.angle"].values, abs=1e-8)
    assert len(again.info["independent"]) == again.info["equations"] == 1
    (folder / "in_file.yaml").write_text(
        (folder / four_bar).read_text() + "simulate: {t_end: 0.1, constraints: embeded}\n"
    )
    assert "Did you mean 'embedded'" in mekane("run", "in_file.yaml").err


def test_json_is_alone_on_stdout(mekane, folder, pendulum):
    output = mekane("run", pendulum, "--json")
    data = json.loads(output.out)
    angle = mk.load("pendulum.nc")["hinge.angle"].values
    assert data["t"] == 0.5 and data["samples"] == 6 and data["trusted"] and data["files"] == ["pendulum.nc"]
    assert data["channels"]["hinge.angle"] == {
        "unit": "rad", "first": angle[0], "smallest": angle.min(), "largest": angle.max(), "last": angle[-1],
    }  # fmt: skip


def test_csv_beside_and_alone(mekane, folder, pendulum):
    assert "Written: out.nc, out.csv" in mekane("run", pendulum, "-o", "out.nc", "--csv").out
    assert "Written: alone.csv" in mekane("run", pendulum, "-o", "alone.csv").out
    assert not (folder / "alone.nc").exists()
    head, *rows = csv.reader(open("alone.csv"))
    assert len(rows) == 6
    assert float(rows[-1][head.index("hinge.angle")]) == mk.load("out.nc")["hinge.angle"].values[-1]


def test_command_line_overrules_the_file(mekane, folder, pendulum):
    arguments = [
        "--t-end",
        "20 ms",
        "--every",
        "5 ms",
        "--method",
        "rk4",
        "--step",
        "1 ms",
        "--formulation",
        "absolute",
        "--no-correct",
    ]
    run = json.loads(mekane("run", pendulum, "--json", *arguments).out)
    expected = {"t_end": 0.02, "method": "rk4", "step": 1e-3, "formulation": "absolute", "correct": False, "steps": 20}
    assert {word: run["run"][word] for word in expected} == expected
    assert run["samples"] == 5


PARAMETERS = """
system: swing
parameters: {l: 80 cm, m: 2}
bodies:
  arm: {mass: $m, shape: {rod: $l}, position: [0, 0, $-l/2]}
joints:
  hinge: {pin: [ground, arm], at: [0, 0, 0], axis: y, rate: 2}
simulate: {t_end: 0.5, every: 0.1}
"""


def test_other_parameters(mekane, folder):
    """Oracle: the file with the other numbers in it."""
    (folder / "swing.yaml").write_text(PARAMETERS)
    (folder / "other.yaml").write_text(PARAMETERS.replace("80 cm, m: 2", "90 cm, m: 3").replace("rate: 2", "rate: 1.5"))
    arguments = ["--set", "l=90 cm", "--set", "m=3", "--set", "hinge.rate=1.5"]
    assert (
        mekane("run", "swing.yaml", *arguments, "-o", "a.nc").code
        == mekane("run", "other.yaml", "-o", "b.nc").code
        == 0
    )
    one, other = mk.load("a.nc"), mk.load("b.nc")
    assert (one["hinge.angle"].values == other["hinge.angle"].values).all()
    assert one.system.parameters == {"l": 0.9, "m": 3.0, "hinge.rate": 1.5}
    assert "3 parameters: l = 0.9, m = 3, hinge.rate = 1.5" in mekane("check", "swing.yaml", *arguments).out
    assert mekane("report", "swing.yaml", *arguments).out == mekane("report", "a.nc").out
    bad = {
        "q=1": "'q' is not a parameter",
        "l": "not NAME=VALUE",
        "m=-1": "body 'arm'",
        "arm.mas=1": "Did you mean 'mass'",
    }
    for wrong, says in bad.items():
        output = mekane("run", "swing.yaml", "--set", wrong)
        assert output.code == 2 and says in output.err and "command line, --set" in output.err
    assert "it is a result" in mekane("report", "a.nc", "--set", "l=1").err


def test_no_t_end(mekane, folder, four_bar):
    output = mekane("run", four_bar)
    assert output.code == 2 and "--t-end" in output.err


def test_a_free_body_is_allowed_and_noted(mekane, folder):
    (folder / "stone.yaml").write_text("bodies: {stone: {mass: 1, inertia: [1, 1, 1]}}")
    output = mekane("run", "stone.yaml", "--t-end", 1)
    assert output.code == 0
    assert "body 'stone' is attached to nothing: it moves freely" in output.err
    assert "stone.position.z" in output.out


@pytest.fixture
def interrupted(monkeypatch):
    """Ctrl-C after a second of motion: the real signal, sent from the progress callback."""

    def press(self, t, share):
        if t >= 1.0:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Bar, "__call__", press)


LONG = ("--t-end", "1e4", "--every", "0.01")


def test_ctrl_c_keeps_what_was_computed(mekane, folder, pendulum, interrupted):
    output = mekane("run", pendulum, "-o", "out.nc", *LONG)
    assert output.code == 130
    assert "stopped by the user at t = " in output.err and "kept" in output.err and "Traceback" not in output.err
    kept = mk.load("out.nc")
    assert 100 <= len(kept.t) < 1e6
    run = mk.simulate(mk.load_model(pendulum), 1.0, every=0.01)
    # rtol 1e-9, other step sequence
    assert kept["hinge.angle"].values[:100] == pytest.approx(run["hinge.angle"].values[:100], abs=1e-8)


def test_ctrl_c_does_not_replace_a_whole_result(mekane, folder, pendulum, interrupted):
    (folder / "out.nc").write_text("precious")
    output = mekane("run", pendulum, "-o", "out.nc", *LONG)
    assert output.code == 130 and "Written: out.partial.nc" in output.out
    assert (folder / "out.nc").read_text() == "precious"


SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@pytest.fixture
def as_at_a_terminal():
    """No signal is ignored, as it would be below nohup or in the background of a shell."""
    before = [signal.getsignal(one) for one in SIGNALS]
    for one in SIGNALS:
        signal.signal(one, signal.default_int_handler if one == signal.SIGINT else signal.SIG_DFL)
    yield
    for one, handler in zip(SIGNALS, before, strict=True):
        signal.signal(one, handler)


@pytest.mark.parametrize("number", SIGNALS)
def test_signals_end_a_run_that_goes_on_later(mekane, folder, pendulum, monkeypatch, as_at_a_terminal, number):
    """Oracle: the run that was not interrupted, bit by bit; handlers of signals are left as they were."""
    before = [signal.getsignal(one) for one in SIGNALS]
    arguments = ("run", pendulum, "--t-end", "20", "--every", "0.1")
    assert mekane(*arguments, "-o", "whole.nc").code == 0
    with monkeypatch.context() as patch:
        patch.setattr(Bar, "__call__", lambda self, t, share: signal.raise_signal(number))
        output = mekane(*arguments, "-o", "out.nc")
    assert output.code == 130 and "stopped by the user" in output.err and "--resume" in output.err
    assert len(mk.load("out.nc").t) < 201 and (folder / "out.nc.checkpoint").exists()
    assert mekane(*arguments, "-o", "out.nc", "--resume").code == 0
    assert mk.load("out.nc") == mk.load("whole.nc") and not (folder / "out.nc.checkpoint").exists()
    assert [signal.getsignal(one) for one in SIGNALS] == before


def test_nohup_is_respected(mekane, folder, pendulum, monkeypatch):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        monkeypatch.setattr(Bar, "__call__", lambda self, t, share: signal.raise_signal(signal.SIGHUP))
        assert mekane("run", pendulum).code == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_what_is_printed_about_checkpoints(mekane, folder, pendulum):
    assert "no checkpoint pendulum.nc.checkpoint" in mekane("run", pendulum, "--resume").err
    (folder / "pendulum.nc.checkpoint").write_text("something else")
    output = mekane("run", pendulum, "--resume")
    assert output.code == 2 and "checksum does not hold" in output.err
    output = mekane("run", pendulum)
    assert output.code == 0 and "was not finished" in output.err


def test_ctrl_c_before_the_first_step(mekane, folder, pendulum, monkeypatch):
    def press(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("mekane.analyses.simulate.initial_solver", press)
    output = mekane("run", pendulum)
    assert output.code == 130 and "nothing to keep" in output.err
    assert os.listdir(folder) == ["pendulum.yaml"]


def test_a_run_that_cannot_go_on_keeps_what_there_is(mekane, folder):
    """The force has no value from t = 0.5 on."""
    (folder / "log.yaml").write_text(
        "bodies: {arm: {mass: 1, inertia: [1, 1, 1]}}\nforces: {f: {force: arm, value: [0, log(0.5 - t), 0]}}"
    )
    output = mekane("run", "log.yaml", "--t-end", 1, "--every", 0.1)
    assert output.code == 3
    assert "Not finished: stopped at t = 0.5 s" in output.err and "Do not trust this run" in output.out
    assert 5 <= len(mk.load("log.nc").t) <= 6
    output = mekane("report", "log.nc")
    assert output.code == 0 and "Do not trust this run" in output.out


def test_no_bar_unless_a_person_waits(capsys):
    """Under pytest stderr is no terminal."""
    bar = Bar(1.0)
    bar.begun -= 10
    bar(0.5, 0.5)
    bar.close()
    assert capsys.readouterr() == ("", "")


def test_bar_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    bar = Bar(2.0)
    bar(0.1, 0.05)
    assert bar.shown is None  # not yet
    bar.begun -= 10
    bar(0.5, 0.25)
    assert bar.shown is not None
    bar.close()
    assert "t = 0.50 of 2 s" in capsys.readouterr().err


def test_digits_are_printed_and_kept(mekane, folder, pendulum):
    """The error is estimated before the file is written, so that the file knows it."""
    output = mekane("run", pendulum)
    assert "digits are right at the end" in output.out
    kept = mk.load("pendulum.nc").known_error
    data = json.loads(mekane("run", pendulum, "--json").out)
    assert kept.known and data["error"]["digits"] == kept.digits and data["error"]["position"] == kept.position


def test_verify(mekane, folder, pendulum):
    output = mekane("run", pendulum, "--verify")
    assert output.code == 0 and "Repeated with rtol 1e-11 in absolute coordinates: at least" in output.out
    assert "hinge.angle.rate" in output.out and "digits" in output.out
    data = json.loads(mekane("run", pendulum, "--verify", "--json").out)["verification"]
    assert (
        data["ok"]
        and data["channels"]["hinge.angle"]["digits"] >= 6
        and data["repetition"]["formulation"] == "absolute"
    )


BOUNCING = """
system: ball
variables: {count: 0}
bodies:
  ball: {mass: 1, position: [0, 0, 1]}
joints:
  rail: {slider: [ground, ball], axis: z}
events:
  bounce: {when: ball.position.z < 0, set: {rail.displacement.rate: -0.9*rail.displacement.rate, count: count + 1}, once: false}
simulate: {t_end: 60, every: 0.1, until: count >= 3}
"""


def test_events_are_printed(mekane, folder):
    """A long table is cut, and says by how much."""
    (folder / "ball.yaml").write_text(BOUNCING)
    output = mekane("run", "ball.yaml")
    assert "time [s]" in output.out and "count: 2 → 3" in output.out and "Event 'until' ended it at t = " in output.out
    assert "4 events happened: 'bounce' 3, 'until' 1." in " ".join(output.out.split())
    run = mk.simulate(mk.load_model("ball.yaml"), 60.0, every=0.1, until="count >= 3")
    assert all(f"{line.time:.9g}" in output.out for line in run.events) and mk.load("ball.nc") == run
    output = mekane("run", "ball.yaml", "--until", "count >= 30")
    assert "count: 23 → 24" in output.out and "count: 24 → 25" not in output.out and "… and 7 events more" in output.out
    assert len(json.loads(mekane("run", "ball.yaml", "--json").out)["run"]["events"]) == 4
