"""Every command that takes a model takes the name of a mechanism of the gallery as well. Oracles: the same model from
a file that the mechanism was written to, number by number."""

import json

import pytest

from mekane import gallery
from mekane.importers.yaml import dump

PINS = ["--drive", "hinge", "--path", "0:180deg:3"]


@pytest.fixture
def file(folder):
    """The pendulum of the gallery as a file of another name."""
    dump(gallery.find("pendulum").system(), "as_file.yaml")
    return "as_file.yaml"


@pytest.mark.parametrize("command", ["check", "info", "equations", "equilibrium", "linearize", "modes", "assemble"])
def test_a_name_answers_as_its_file(mekane, file, command):
    by_name, by_file = (mekane(command, source, "--json") for source in ("pendulum", file))
    assert by_name.code == by_file.code == 0
    facts = lambda answer: {key: x for key, x in json.loads(answer.out).items() if key != "remarks"}
    assert facts(by_name) == facts(by_file)  # remarks aside: the file states the inertia that the mechanism leaves out


def test_kinematics_of_a_name(mekane, file):
    by_name, by_file = (json.loads(mekane("kinematics", source, *PINS, "--json").out) for source in ("pendulum", file))
    assert by_name == by_file


def test_run_of_a_name_is_kept_under_it(mekane, folder):
    """The bob after one second: the exact solution by elliptic functions, to the tolerance of the mechanism's run."""
    import mekane as mk

    assert mekane("run", "pendulum", "--t-end", "1").code == 0
    run = mk.load("pendulum.nc")
    assert len(run.t) == 201  # another span of time has the usual number of samples
    exact = gallery.find("pendulum").exact(run.t)["hinge.angle"]
    assert abs(run["hinge.angle"].values - exact).max() < 1e-8  # rtol 1e-10 over half a swing


def test_parameters_are_set_in_a_mechanism(mekane, folder):
    facts = json.loads(mekane("check", "pendulum", "--set", "bob.mass=3", "--json").out)
    assert facts["bodies"] == {"bob": 3.0}


@pytest.mark.parametrize("command", ["check", "modes", "run", "view"])
def test_a_misspelt_name_is_answered(mekane, folder, command):
    answer = mekane(command, "pendulun")
    assert answer.code == 2
    assert "there is no such file" in answer.err and "Did you mean 'pendulum'?" in answer.err
