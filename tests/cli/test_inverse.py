"""mekane inverse: forces for a motion in a file. Oracle: the law of the model that made the motion, and the same
analysis in Python."""

import json

import numpy as np
import pytest

import mekane as mk

ARM = """
system: arm
bodies:
  upper: {mass: 2, inertia: [0.1, 0.1, 0.01], position: [0, 0, -0.5]}
  lower: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [0, 0, -1.5]}
joints:
  shoulder: {pin: [ground, upper], at: [0, 0, 0], axis: y}
  elbow: {pin: [upper, lower], at: [0, 0, -1], axis: y}
forces:
  motor: {motor: shoulder, torque: 0.5*cos(3*t)}
simulate: {t_end: 0.5, every: 0.01}
"""


@pytest.fixture
def arm(folder):
    (folder / "arm.yaml").write_text(ARM)
    t = np.linspace(0, 1, 41)
    table = np.column_stack([t, np.sin(t), 0.3 * np.cos(t)])
    np.savetxt(folder / "m.csv", table, delimiter=",", header="t,shoulder.angle,elbow.angle", comments="", fmt="%.17g")
    return folder


def test_the_law_comes_back_from_a_result(mekane, arm):
    assert mekane("run", "arm.yaml", "-o", "arm.nc").code == 0
    output = mekane("inverse", "arm.yaml", "--motion", "arm.nc", "-o", "f.csv", "--plot", "f.png", "--json")
    data = json.loads(output.out)
    assert output.code == 0 and data["choice"] == "unique" and list(data["force"]) == ["motor"]
    np.testing.assert_allclose(data["force"]["motor"], 0.5 * np.cos(3 * np.array(data["t"])), rtol=0, atol=1e-12)
    written = np.loadtxt(arm / "f.csv", delimiter=",", skiprows=1)
    np.testing.assert_array_equal(written[:, 1], data["force"]["motor"])
    assert (arm / "f.png").stat().st_size > 1000


def test_a_table_says_the_same_as_python(mekane, arm):
    output = mekane("inverse", "arm.yaml", "--motion", "m.csv")
    t, shoulder, elbow = np.loadtxt(arm / "m.csv", delimiter=",", skiprows=1).T
    expected = mk.inverse_dynamics(mk.load_model(arm / "arm.yaml"), {"shoulder": shoulder, "elbow": elbow}, times=t)
    assert output.code == 0 and output.out.strip() == str(expected).strip()


BAD = {
    "actuator": (["--motion", "m.csv", "--actuators", "shoulde"], "Did you mean 'shoulder'"),
    "too few": (["--motion", "m.csv", "--actuators", "elbow"], "on shoulder.angle"),
    "not determined": (["--motion", "m.csv", "--drive", "elbow.angle"], "1 more coordinate is needed"),
    "column": (["--motion", "m.csv", "--drive", "elbow.angel"], "Did you mean 'elbow.angle'"),
    "no file": (["--motion", "no.csv"], "no.csv"),
    "no time": (["--motion", "no_time.csv"], "the time, t"),
    "no coordinate": (["--motion", "other.csv"], "is a coordinate of a joint"),
    "not a number": (["--motion", "bad.csv"], "line 3: shoulder is 'fast'"),
    "ragged": (["--motion", "ragged.csv"], "line 3: it has 1 cells"),
    "not a table": (["--motion", "m.csv", "-o", "f.nc"], ".csv"),
    "not a picture": (["--motion", "m.csv", "--plot", "f.xyz"], "f.xyz"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(mekane, arm, case):
    (arm / "no_time.csv").write_text("time,shoulder\n0,1\n1,2\n")
    (arm / "other.csv").write_text("t,wrist\n0,1\n1,2\n")
    (arm / "bad.csv").write_text("t,shoulder\n0,1\n1,fast\n")
    (arm / "ragged.csv").write_text("t,shoulder\n0,1\n1\n")
    arguments, message = BAD[case]
    output = mekane("inverse", "arm.yaml", *arguments)
    assert output.code != 0 and message in output.err and "Traceback" not in output.err
