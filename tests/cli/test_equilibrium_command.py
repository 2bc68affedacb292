"""mekane equilibrium: tables, JSON and pictures. Oracles: closed forms of the two-bar truss and of a pendulum."""

import json

import numpy as np
import pytest

from mekane.gallery import two_bar_truss

FREE = float(two_bar_truss.FREE)
TRUSS = f"""
system: truss
planar: xz
gravity: [0, 0, 0]
parameters: {{load: 4}}
bodies:
  apex: {{mass: 1, position: [0, 0, 0.3]}}
joints:
  guide: {{slider: [ground, apex], at: [0, 0, 0.3], axis: z}}
forces:
  left: {{spring: [[ground, [-1, 0, 0]], [apex, [0, 0, 0]]], stiffness: 1000, length: {FREE}}}
  right: {{spring: [[ground, [1, 0, 0]], [apex, [0, 0, 0]]], stiffness: 1000, length: {FREE}}}
  weight: {{force: apex, value: [0, 0, -load]}}
"""
ARM = """
bodies:
  arm: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}
joints:
  hinge: {pin: [ground, arm], at: [0, 0, 0], axis: y}
forces:
  motor: {motor: hinge, torque: 0}
"""


@pytest.fixture
def truss(tmp_path):
    path = tmp_path / "truss.yaml"
    path.write_text(TRUSS)
    return path


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.yaml"
    path.write_text(ARM)
    return path


def test_one_and_all(mekane, truss, tmp_path):
    output = mekane("equilibrium", truss)
    assert output.code == 0 and "Stable: the potential has a minimum" in output.out
    found = json.loads(mekane("equilibrium", truss, "--all", "--json", "--plot", tmp_path / "all.png").out)[
        "equilibria"
    ]
    heights = [one["values"]["apex.position"][2] for one in found]
    assert [two_bar_truss.borne(w) for w in heights] == pytest.approx([4.0] * 3, abs=1e-9)
    assert (tmp_path / "all.png").stat().st_size > 1000


def test_along_a_parameter(mekane, truss, tmp_path):
    output = mekane("equilibrium", truss, "--along", "load=0:20", "--json", "--plot", tmp_path / "diagram.png")
    (branch,) = json.loads(output.out)["branches"]
    assert branch["events"][0]["value"] == pytest.approx(two_bar_truss.limit_load(), rel=1e-9)
    assert (tmp_path / "diagram.png").exists()


def test_trim(mekane, arm):
    output = json.loads(
        mekane("equilibrium", arm, "--solve-for", "motor.torque", "--hold", "hinge=30deg", "--json").out
    )
    assert output["found"]["motor.torque"] == pytest.approx(-9.81 * np.cos(np.radians(30)), rel=1e-10)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--hold", "hinge"), "a name and a value are expected"),
        (("--along", "load"), "a parameter and two values are expected"),
        (("--solve-for", "moter.torque"), "'moter.torque' is no number"),
    ],
)
def test_what_is_not_understood_is_explained(mekane, arm, arguments, message):
    output = mekane("equilibrium", arm, *arguments)
    assert output.code != 0 and message in output.err
