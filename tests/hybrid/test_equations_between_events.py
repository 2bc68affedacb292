"""Models with inputs, variables, events and controllers in the analyses that know smooth motions only: inputs and
variables are symbols there. Oracle: a system without them, whose laws have the numbers."""

import copy
import pickle
import runpy

import numpy as np
import pytest

import mekane as mk


def arm(u=0.5, gear=2.0, numbers=False):
    """A double pendulum with everything. numbers: with the numbers in place of input and variable, and no events."""
    s = mk.System("arm", parameters={"k": 3.0})
    s.body("arm", mass=1, inertia=(0.1, 0.1, 0.1), position=(0, 0, -0.5))
    s.body("tool", mass=1, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y")
    s.pin("wrist", "arm", "tool", at=(0, 0, -0.8), axis="y")
    if not numbers:
        s.input("u", u, unit="N m")
        s.variable("gear", gear)
        s.marker("tip", "tool", at=(0, 0, -0.1))
        s.output("power", "u*hinge.angle.rate", unit="W")
        s.ball("grip", s.ground, "tool", on_a=(0, 0, -1.1), on_b=(0, 0, -0.1), active=False)
        s.event("grab", when="t >= 0.5 and tip.position.x > 5", lock="grip")
        s.event("shift", when="t >= 0.3", set={"gear": "gear + 1"})
        s.controller("pilot", 0.01, writes="u", function="0.5 - hinge.angle")
    s.motor("drive", "hinge", torque=f"{u}*{gear} - k*hinge.angle" if numbers else "u*gear - k*hinge.angle")
    s.torsional_spring("spring", "wrist", stiffness=f"{gear}*5" if numbers else "gear*5")
    return s


STATE = np.array([0.3, -0.2]), np.array([0.4, 0.1])


def accelerations(**values):
    return np.asarray(arm(**values, numbers=True).forward_dynamics(*STATE), float)


@pytest.mark.parametrize("method", ["kane", "lagrange"])
def test_equations_keep_inputs_and_variables(method):
    """M u' = f, evaluated with other numbers; round-off of a hundred operations."""
    found = mk.equations(arm(), method=method)
    text = str(found)
    assert "u = 0.5    input 'u' [N m]" in text and "gear = 2    variable 'gear'" in text
    assert r"\mathrm{gear}" in found.latex
    assert "gear" not in str(mk.equations(arm(), parameters="numeric"))
    assert "u = 0.5" in str(mk.equations(arm(), parameters=["u"]))


@pytest.mark.parametrize("values", [{}, {"u": -1.25}, {"u": 2.0, "gear": 3.0}])
def test_exported_code_takes_them_as_parameters(values, tmp_path):
    path = tmp_path / "arm.py"
    mk.export_equations(arm(), path)
    code = runpy.run_path(str(path))
    names = list(code["PARAMETERS"])
    p = np.array(code["P"], float)
    assert names == ["k", "u", "gear"] and p.tolist() == [3.0, 0.5, 2.0]
    for name, value in values.items():
        p[names.index(name)] = value
    np.testing.assert_allclose(
        code["rhs"](0.0, np.concatenate(STATE), p)[2:], accelerations(**values), rtol=1e-13, atol=1e-13
    )


@pytest.mark.parametrize("suffix", ["c", "m", "py"])
def test_every_language_says_what_is_left_out(suffix, tmp_path):
    path = tmp_path / f"arm.{suffix}"
    mk.export_equations(arm(), path)
    text = " ".join(path.read_text().split())
    assert "gear" in text and "equations between events" in text


def test_outputs_of_a_model_are_outputs_of_its_linearized_motion():
    """power = u rate: its derivative by the rate is u, by u the rate, which is 0."""
    found = mk.linearize(mk.equilibrium(arm()).system, inputs=["u"], outputs=["power"])
    np.testing.assert_allclose(found.C, [[0, 0, 0.5, 0]], rtol=0, atol=1e-15)
    np.testing.assert_allclose(found.D, [[0]], rtol=0, atol=1e-15)


def test_equilibrium_and_linearization_see_the_present_numbers():
    one, other = mk.equilibrium(arm(u=0.7)), mk.equilibrium(arm(u=0.7, numbers=True))
    assert one["hinge.angle"] == pytest.approx(other["hinge.angle"], abs=1e-13)
    np.testing.assert_allclose(mk.linearize(one.system).A, mk.linearize(other.system).A, rtol=0, atol=1e-11)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s)), mk.System.copied])
def test_copies_run_the_same(copied):
    run, same = mk.simulate(arm(), 0.4), mk.simulate(copied(arm()), 0.4)
    np.testing.assert_array_equal(run.record.y, same.record.y)
    assert repr(run.events) == repr(same.events) and len(run.events) == 1


def test_model_files_keep_everything(tmp_path):
    first, second = tmp_path / "one.yaml", tmp_path / "two.yaml"
    mk.save_model(arm(), first)
    loaded = mk.load_model(first)
    mk.save_model(loaded, second)
    assert first.read_text() == second.read_text()
    np.testing.assert_array_equal(mk.simulate(loaded, 0.4).record.y, mk.simulate(arm(), 0.4).record.y)
