"""mekane compare: table and JSON. Oracle: the numbers of equations that [T 2.4] counts for one body on a pin."""

import json

import pytest

ARM = """
system: arm
bodies:
  arm: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}
joints:
  hinge: {pin: [ground, arm], at: [0, 0, 0], axis: y}
"""


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.yaml"
    path.write_text(ARM)
    return path


def test_as_a_table(mekane, arm):
    output = mekane("compare", arm)
    assert output.code == 0 and "They agree" in output.out and "1 accelerations, 5 reactions" in output.out


def test_as_json(mekane, arm):
    found = json.loads(mekane("compare", arm, "--json").out)
    assert found["agree"] and {one["method"]: one["equations"] for one in found["methods"]} == {
        "Newton": 6,
        "Lagrange": 1,
        "Kane": 1,
    }
