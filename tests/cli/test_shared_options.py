"""Options that commands share behave alike. Oracles: the commands there are; closed forms of a pendulum with another
mass and length."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from mekane.cli.main import app

GUIDE = (Path(__file__).parents[2] / "docs" / "guide.md").read_text(encoding="utf-8")
COMMANDS = [command.name for command in app.registered_commands if not command.hidden]
WITHOUT_A_MODEL = ["gallery", "demo", "studio"]  # the studio changes them on its page
SWING = """
system: swing
parameters: {l: 2, k: 0}
bodies:
  bob: {mass: 1, position: [0, 0, -$l]}
joints:
  hinge: {pin: [ground, bob], at: [0, 0, 0], axis: y}
forces:
  spring: {torsional_spring: hinge, stiffness: k}
  motor: {motor: hinge, torque: 0}
simulate: {t_end: 0.1}
"""


@pytest.fixture
def swing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("swing.yaml").write_text(SWING)
    Path("m.csv").write_text("t,hinge\n" + "".join(f"{t},{np.pi / 2}\n" for t in np.linspace(0, 1, 5)))
    return "swing.yaml"


def test_the_guide_lists_every_command_once():
    listed = re.findall(r"^mekane (\w+)", GUIDE.split("## Command line")[1], re.MULTILINE)
    assert listed == COMMANDS


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in WITHOUT_A_MODEL])
def test_every_model_can_be_read_with_other_parameters(mekane, command):
    assert "--set" in mekane(command, "--help").out


def test_other_parameters_reach_the_analyses(mekane, swing):
    """Frequency √(g/l) and place −l of a pendulum, and the weight that holds it level, m g l; l = 0.5 instead of 2."""
    output = lambda *arguments: json.loads(mekane(arguments[0], swing, *arguments[1:], "--set", "l=0.5", "--json").out)
    assert output("modes")["modes"][0]["frequency"] == pytest.approx(np.sqrt(9.81 / 0.5) / (2 * np.pi), rel=1e-9)
    assert output("equilibrium")["values"]["bob.position"][2] == pytest.approx(-0.5, rel=1e-12)
    assert abs(
        output("inverse", "--motion", "m.csv", "--actuators", "motor")["actuators"]["motor"]["peak"]
    ) == pytest.approx(9.81 * 0.5, rel=1e-9)
    assert output("assemble", "--pin", "hinge=90deg")["bodies"]["bob"]["position"][0] == pytest.approx(-0.5, rel=1e-9)
    over = output("kinematics", "--drive", "hinge", "--path", "0:180deg:3")
    assert over["positions"]["bob.position"][-1][2] == pytest.approx(0.5, rel=1e-9)


@pytest.mark.parametrize(
    "arguments",
    [
        ("kinematics", "--drive", "hinge"),
        ("equilibrium",),
        ("modes",),
        ("modes", "--over", "k=1..9"),
        ("inverse", "--motion", "m.csv"),
    ],
)
def test_pictures_are_refused_alike(mekane, swing, arguments):
    for path, message in {"f.xyz": "pictures are written as .png", "no/f.png": "there is no such folder"}.items():
        output = mekane(arguments[0], swing, *arguments[1:], "--plot", path)
        assert output.code == 2 and message in output.err


BAD_TARGETS = {"x.xyz": "are written as", "no/there": "there is no such folder", "folder": "it is a folder"}
TARGETS = [
    (("inverse", "--motion", "m.csv"), "-o", ".csv"), (("inverse", "--motion", "m.csv", "-o", "f.csv"), "--plot", ".png"),
    (("assemble",), "-o", ".yaml"), (("run",), "-o", ".nc"),
    (("optimize", "-p", "l", "--fit", "m.csv"), "-o", ".yaml"),
    (("optimize", "-p", "l", "--fit", "m.csv", "-o", "f.yaml"), "--plot", ".png"),
    (("equilibrium",), "--plot", ".svg"), (("kinematics", "--drive", "hinge"), "--plot", ".pdf"), (("modes",), "--plot", ".png"),
]  # fmt: skip


@pytest.mark.parametrize("arguments, option, suffix", TARGETS)
@pytest.mark.parametrize("bad", BAD_TARGETS)
def test_files_are_refused_before_anything_is_written(mekane, swing, folder, arguments, option, suffix, bad):
    """Whatever is wrong with one file, the folder stays as it was."""
    target = bad if bad == "x.xyz" else bad + suffix
    if bad == "folder":
        (folder / target).mkdir()
    before = sorted(folder.rglob("*"))
    output = mekane(arguments[0], swing, *arguments[1:], option, target)
    assert output.code == 2 and BAD_TARGETS[bad] in output.err and option in output.err
    assert sorted(folder.rglob("*")) == before


def test_a_table_beside_a_result_is_checked_too(mekane, swing, folder):
    (folder / "out.csv").mkdir()
    output = mekane("run", swing, "-o", "out.nc", "--csv")
    assert output.code == 2 and "it is a folder" in output.err and not (folder / "out.nc").exists()


@pytest.mark.parametrize("command", ["equilibrium", "check", "run"])
def test_units_of_numbers_that_are_set(mekane, swing, command):
    output = mekane(command, swing, "--set", "bob.mass=3 m")
    assert output.code == 2 and "'m' is not a unit of mass; mass in kg is expected" in output.err
    assert mekane(command, swing, "--set", "bob.mass=3000 g").code == 0


def test_ranges_are_read_alike(mekane, swing):
    """--over and --along take FROM:TO and FROM..TO."""
    one, other = (
        json.loads(mekane("modes", swing, "--over", f"k=1{sign}9", "--points", "3", "--json").out)
        for sign in (":", "..")
    )
    assert one == other and one["values"] == [1.0, 5.0, 9.0]
    for arguments in (("modes", "--over", "k"), ("modes", "--over", "k=1"), ("equilibrium", "--along", "k=1:2:3")):
        output = mekane(arguments[0], swing, *arguments[1:])
        assert output.code == 2 and "a parameter and two values are expected" in output.err
