"""A compiled system is kept as long as the system stays as it is. Oracle: a system that was made anew, with the changes from the
start; its runs have the same bits."""

import numpy as np
import pytest

import mekane as mk
from mekane.compiler.compiler import compiled_as_it_is


def pendulum(stiffness=2.0, gravity=9.81, spring=True):
    s = mk.System("pendulum")
    s.gravity = (0.0, 0.0, -gravity)
    s.parameter("k", stiffness)
    arm = s.body("arm", 1.0, (0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y", rate=1.0)
    s.contact("floor", (arm, mk.Sphere(0.1)), (s.ground, mk.Plane(at=(0, 0, -0.7))), friction=0.2)
    if spring:
        s.torsional_spring("spring", "hinge", stiffness="k")
    return s


CHANGES = {
    "a parameter": (lambda s: s.set_parameters({"k": 5.0}), dict(stiffness=5.0)),
    "gravity": (lambda s: setattr(s, "gravity", (0.0, 0.0, -3.0)), dict(gravity=3.0)),
    "a part that goes": (lambda s: s.remove("spring"), dict(spring=False)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changes_are_seen(name):
    change, anew = CHANGES[name]
    s = pendulum()
    first = compiled_as_it_is(s, "joint")
    assert compiled_as_it_is(s, "joint") is first and compiled_as_it_is(s, "absolute") is not first
    mk.simulate(s, 0.5)
    assert compiled_as_it_is(s, "joint") is first
    change(s)
    assert compiled_as_it_is(s, "joint") is not first
    runs = [mk.simulate(one, 0.5)["hinge.angle"].values for one in (s, pendulum(**anew))]
    assert np.array_equal(*runs)


def test_runs_do_not_change_it():
    """The second run of a system has the same bits as the first."""
    s = pendulum()
    runs = [mk.simulate(s, 1.0) for _ in range(2)]
    assert np.array_equal(runs[0].record.y, runs[1].record.y) and len(runs[0].events) == len(runs[1].events)


def test_steppers_beside_one_another():
    """Two motions of one compiled model at once, as each alone."""
    s = pendulum()
    alone, one, other = (mk.stepper(s) for _ in range(3))
    alone.step(0.4)
    for _ in range(4):
        one.step(0.1)
        other.step(0.05)
    assert abs(one.y - alone.y).max() < 1e-9 and abs(other.t - 0.2) < 1e-12


def test_python_functions_are_never_kept():
    """Tables hold the address of the function of one run."""
    s = pendulum()
    s.motor("odd", "hinge", lambda t, state: 1.0 if float(state["hinge.angle"]) > 0 else -1.0)
    assert compiled_as_it_is(s, "joint") is not compiled_as_it_is(s, "joint")


def test_another_start_is_another_model():
    """Angles of cut joints and integrals begin where they are specified to begin."""
    s = pendulum()
    first = compiled_as_it_is(s, "joint")
    s.initial_conditions({"hinge.angle": 0.4})
    assert compiled_as_it_is(s, "joint") is not first
