"""mekane optimize: from a table of measurements to a model that moves so. Oracle: the values the table was made
with."""

import json

import numpy as np

import mekane as mk

MODEL = """
system: swing
parameters: {l: 1.0, c: 0.2}
bodies:
  bob: {mass: 2, inertia: [0, 0, 0], position: [0, 0, "$-l"]}
joints:
  hinge: {pin: [ground, bob], at: [0, 0, 0], axis: y, rate: 1.5}
forces:
  friction: {torsional_damper: hinge, damping: "$c"}
"""


def measurements(folder):
    (folder / "swing.yaml").write_text(MODEL)
    t = np.linspace(0, 2, 41)
    run = mk.simulate(mk.load_model("swing.yaml").with_parameters(l=1.2, c=0.35), 2, every=t, rtol=1e-12, atol=1e-14)
    lines = [f"{a!r},{b!r}" for a, b in zip(t.tolist(), run["hinge.angle"].values.tolist(), strict=True)]
    (folder / "data.csv").write_text("t,hinge.angle\n" + "\n".join(lines) + "\n")


def test_parameters_are_found_and_written(mekane, folder):
    measurements(folder)
    output = mekane(
        "optimize",
        "swing.yaml",
        "-p",
        "l=0.1..2, c=0..1",
        "--fit",
        "data.csv",
        "--json",
        "-o",
        "fitted.yaml",
        "--plot",
        "fit.png",
    )
    assert output.code == 0, output.err
    found = json.loads(output.out)
    np.testing.assert_allclose([found["parameters"][name] for name in "lc"], [1.2, 0.35], atol=1e-8)
    assert found["success"] and found["standard_errors"]["l"] < 1e-8
    assert abs(mk.load_model("fitted.yaml").parameters["l"] - 1.2) < 1e-8
    assert (folder / "fit.png").stat().st_size > 1000


def test_it_prints_a_table(mekane, folder):
    measurements(folder)
    output = mekane(
        "optimize", "swing.yaml", "--parameters", "l", "--parameters", "c=0..1", "--fit", "data.csv", "--sigma", "0.01"
    )
    assert output.code == 0 and "standard error" in output.out and "1.2" in output.out


def test_mistakes_are_answered(mekane, folder):
    measurements(folder)
    optimize = lambda *more: mekane("optimize", "swing.yaml", *more)
    assert "'L' is not a parameter" in optimize("-p", "L=0..1", "--fit", "data.csv").err
    assert "has no range" in optimize("-p", "l=3", "--fit", "data.csv").err
    assert "cannot be read" in optimize("-p", "l=0..3", "--fit", "no.csv").err
    assert "a number is expected" in optimize("-p", "l=a..3", "--fit", "data.csv").err
    assert "written as .yaml" in optimize("-p", "l=0..3", "--fit", "data.csv", "-o", "out.nc").err
