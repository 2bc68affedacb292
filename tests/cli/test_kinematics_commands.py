"""kinematics and assemble on the command line. Oracle: a parallelogram, whose links stay parallel."""

import json

import numpy as np
import pytest

from mekane.importers.yaml import load_document


def test_kinematics_as_text_and_picture(mekane, folder, four_bar):
    output = mekane("kinematics", four_bar, "--drive", "a", "--path", "10deg:70deg:4", "--plot", "k.png")
    assert output.code == 0 and output.err == "" and "four-bar: kinematics" in output.out
    assert (folder / "k.png").read_bytes()[:4] == b"\x89PNG"


def test_kinematics_as_json(mekane, four_bar):
    data = json.loads(mekane("kinematics", four_bar, "--drive", "a", "--points", "8", "--json").out)
    assert np.abs(np.add(data["drives"]["a.angle"], data["positions"]["d.angle"])).max() < 1e-12
    assert [event["kind"] for event in data["events"]] == ["crossing", "crossing"]


def test_a_dead_point_is_a_stop(mekane, four_bar):
    """Code 3, as for a run that stops; what was found is reported. The coupler's middle goes a metre to the right at
    most."""
    output = mekane("kinematics", four_bar, "--drive", "coupler.position.x", "--path", "0.5:2:16")
    assert output.code == 3 and "after 10 of 16 positions" in output.out


def test_assemble_writes_a_model(mekane, folder, four_bar):
    output = mekane("assemble", four_bar, "--pin", "a=30deg", "-o", "out.yaml")
    assert output.code == 0 and "a.angle" in output.out
    system, _ = load_document(str(folder / "out.yaml"))
    assert np.abs(system.bodies["coupler"].position - (1.0, 0, np.cos(np.pi / 6))).max() < 1e-12
    assert json.loads(mekane("assemble", "out.yaml", "--json").out)["residual"] < 1e-12


def test_check_prints_the_mobility(mekane, four_bar):
    assert "Grübler–Kutzbach) gives -2 degrees of freedom; there is 1" in mekane("check", four_bar).out
    assert json.loads(mekane("check", four_bar, "--json").out)["mobility"]["freedom"] == 1


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (["kinematics", "--drive", "hinge"], "there is no position 'hinge'"),
        (["kinematics", "--drive", "a", "--path", "0:1"], "START:STOP:POINTS"),
        (["kinematics", "--drive", "a", "--path", "round"], "values for the drive"),
        (["kinematics", "--drive", "a", "--path", "nan,1"], "value 1"),
        (["kinematics", "--drive", "a", "--path", "cycle", "--path", "cycle"], "one path for each drive"),
        (["kinematics", "--drive", "a", "--points", "1"], "points is 1"),
        (["assemble", "--pin", "a"], "NAME=VALUE"),
        (["assemble", "--pin", "a=1 m"], "not a unit of angle"),
        (["assemble", "--pin", "rocker.position.x=9"], "the nearest value it can have is 1.5 m"),
        (["assemble", "-o", "out.nc"], "models are written as .yaml"),
    ],
)
def test_bad_options(mekane, four_bar, arguments, problem):
    output = mekane(arguments[0], four_bar, *arguments[1:])
    assert output.code == 2 and problem in output.err
