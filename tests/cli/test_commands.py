"""check, report, gallery, demo: they say what they should, as text and as JSON."""

import json
import os
import subprocess
import sys

import pytest

import mekane as mk
from mekane import gallery

# four parallel pins: 3 bodies × 6 − 4 × 5 = −2, yet it moves; so 3 of the 20 constraints repeat others
FREEDOM, REPEATED = 1, "repeats 3 of the 5"


OPEN = """
bodies:
  stone: {mass: 1, inertia: [1, 1, 1]}
  arm: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  h: {pin: [ground, arm], on_a: [0, 0, 0.5], on_b: [-1, 0, 0], axis_a: y, axis_b: y}
"""

WITH_EVENTS = """
inputs: {u: 2 N m}
variables: {n: 0}
bodies:
  arm: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
  load: {mass: 1, inertia: [1, 1, 1], position: [2, 0, 0]}
markers: {tip: {body: arm, at: [1, 0, 0]}}
joints:
  h: {pin: [ground, arm], at: [0, 0, 0], axis: y}
  grip: {ball: [arm, load], at: [2, 0, 0], active: false}
outputs: {power: {value: u*h.angle.rate, unit: W}}
events:
  end: {when: t >= 2, stop: true}
  count: {when: h.angle > 1, set: {n: n + 1}, once: false}
controllers: {pilot: {every: 0.1, function: {u: -h.angle}}}
"""


def test_check_says_what_it_understood(mekane, four_bar):
    output = mekane("check", four_bar)
    assert output.code == 0 and output.err == ""
    for arguments in (
        "3 bodies: crank (1 kg)",
        "4 joints: a (pin: ground – crank)",
        "closes the loop",
        REPEATED,
        "1 degree of freedom",
    ):
        assert arguments in output.out


def test_check_as_json(mekane, four_bar):
    data = json.loads(mekane("check", four_bar, "--json").out)
    assert data["degrees_of_freedom"] == FREEDOM and REPEATED in data["redundancy"]
    (loop,) = data["loops"].values()
    assert sorted(loop) == ["coupler", "crank", "ground", "rocker"]


def test_check_prints_warnings(mekane, folder):
    (folder / "model.yaml").write_text(OPEN)
    output = mekane("check", "model.yaml")
    assert "Remark: body 'stone' is attached to nothing" in output.out
    assert "joints are open by up to 0.5" in output.out


def test_check_lists_inputs_events_and_controllers(mekane, folder):
    (folder / "model.yaml").write_text(WITH_EVENTS)
    output, data = mekane("check", "model.yaml"), json.loads(mekane("check", "model.yaml", "--json").out)
    for line in (
        "1 input: u (2 N m)",
        "1 variable: n (0)",
        "1 marker: tip (on arm at (1, 0, 0))",
        "1 output: power (u*h.angle.rate [W])",
        "2 events: end (when t >= 2: stop), count (when h.angle > 1: set n = n + 1)",
        "1 controller: pilot (every 0.1 s: u)",
        "Not active at the start: grip",
        "Remark: joint 'grip' has active=False, and no event locks it",
    ):
        assert line in output.out
    assert data["events"]["end"] == "when t >= 2: stop" and data["inactive"] == ["grip"]


def test_check_reads_until(mekane, folder):
    (folder / "model.yaml").write_text(WITH_EVENTS + "simulate: {t_end: 3, until: h.angle > 2}\n")
    assert "The motion ends when h.angle > 2" in mekane("check", "model.yaml").out
    assert json.loads(mekane("check", "model.yaml", "--json").out)["until"] == "h.angle > 2"
    (folder / "model.yaml").write_text(WITH_EVENTS + "simulate: {t_end: 3, until: h.angel > 2}\n")
    assert "model.yaml, event 'until'" in (wrong := mekane("check", "model.yaml").err) and "h.angle" in wrong


def test_check_writes_nothing(mekane, folder, four_bar):
    mekane("check", four_bar)
    assert os.listdir(folder) == [four_bar]


def test_report_of_a_result_and_of_its_model(mekane, folder, pendulum):
    mekane("run", pendulum, "-o", "out.nc")
    of_result, of_model = mekane("report", "out.nc"), mekane("report", pendulum)
    assert of_result.code == of_model.code == 0
    assert of_result.out == of_model.out == mk.load("out.nc").report() + "\n"
    for arguments in ("pendulum", "arm", "hinge"):
        assert arguments in of_result.out


def test_report_as_json(mekane, folder, pendulum):
    data = json.loads(mekane("report", pendulum, "--json").out)
    assert data["model"]["system"] == "pendulum" and data["samples"] == 6 and "arm" in data["report"]


def test_report_of_what_is_no_result(mekane, folder):
    (folder / "x.nc").write_bytes(b"\x89HDF nonsense")
    output = mekane("report", "x.nc")
    assert output.code == 2 and "x.nc" in output.err and "Traceback" not in output.err


def test_gallery_lists_every_mechanism(mekane):
    output = mekane("gallery")
    assert output.code == 0
    assert [name for name in gallery.names() if name not in output.out] == []
    assert [entry["name"] for entry in json.loads(mekane("gallery", "--json").out)] == gallery.names()


def test_gallery_runs_one_and_shows_its_checks(mekane):
    output = mekane("gallery", "squeezer")
    mechanism = gallery.find("squeezer")
    assert output.code == 0
    assert "tolerance" in output.out and output.out.count(" ok") >= len(mechanism.checks) and "OFF" not in output.out
    assert mechanism.checks[0].what in output.out


def test_gallery_as_json(mekane):
    checks = json.loads(mekane("gallery", "squeezer", "--json").out)["checks"]
    assert len(checks) == len(gallery.find("squeezer").checks)
    assert all(check["met"] and check["error"] <= check["tolerance"] for check in checks)


def test_gallery_without_that_name(mekane):
    output = mekane("gallery", "squeezr")
    assert output.code == 2 and "Did you mean 'squeezer'?" in output.err


def test_demo(mekane, folder):
    output = mekane("demo")
    assert output.code == 0 and "trusted" in output.out
    assert sorted(os.listdir("out")) == [f"squeezer.{kind}" for kind in ("csv", "html", "nc", "png", "txt")]
    for name in os.listdir("out"):
        assert os.path.join("out", name) in output.out
    data = json.loads(mekane("demo", "--json", "--folder", "elsewhere").out)
    assert data["files"] == [
        os.path.join("elsewhere", f"squeezer.{kind}") for kind in ("nc", "csv", "txt", "png", "html")
    ]


def test_demo_where_nothing_can_be_written(mekane, folder):
    (folder / "out").write_text("a file, not a folder")
    output = mekane("demo")
    assert output.code == 2 and "it cannot be made" in output.err


@pytest.mark.parametrize(
    "arguments", [["--help"], ["run", "--help"], ["check", "--help"], ["gallery", "--help"], ["--version"]]
)
def test_help(mekane, arguments):
    output = mekane(*arguments)
    assert output.code == 0 and output.out


def test_warm(mekane):
    assert mekane("warm").code == 0


def test_as_a_process(folder):
    """The way the shell starts it."""
    done = subprocess.run(
        [sys.executable, "-m", "mekane.cli.main", "run", "nothing.yaml"], capture_output=True, text=True
    )
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == "Error: nothing.yaml: there is no such file. Check the path.\n"


def test_heavy_libraries_wait_until_they_are_needed():
    """A command that only lists or refuses must not pay for result files, tables and plots."""
    heavy = ["xarray", "h5netcdf", "pandas", "scipy.linalg", "matplotlib", "rich.progress"]
    program = f"import sys, mekane.cli.main; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_constraints_are_named_everywhere(mekane, folder):
    """check, run and report speak of them, and what they hold is not called attached to nothing."""
    from mekane.importers import yaml

    model, out = folder / "wheel.yaml", folder / "wheel.nc"
    s = mk.System("wheel")
    s.body(
        "wheel",
        mass=2.0,
        inertia=(0.1, 0.2, 0.1),
        position=(0, 0, 0.4),
        velocity=(1, 0, 0),
        angular_velocity=(0, 2.5, 0),
    )
    s.rolling_disc("road", ("wheel", (0, 0, 0)), 0.4)
    yaml.dump(s, model, {"t_end": 0.2})
    checked = mekane("check", model)
    assert (
        "1 constraint: road (rolling_disc: wheel, ground)" in checked.out and "attached to nothing" not in checked.out
    )
    assert "1 constraint" in mekane("run", model, "-o", out).out
    report = mekane("report", out).out
    assert "* Constraint 1: road *" in report and "constraint equations     3, of which 0 repeat others" in report
    assert any(line.startswith("road ") and "e+01" in line for line in report.splitlines())  # 2 kg on the road: 19.62 N
