"""Runs that go over from the loops to specialised code on the way. Oracle: the same runs by the loops alone, and by
specialised code alone.

A hand-over happens in the middle of a run, where comparisons are frozen, measurements are followed and rows have been chosen;
code made there must be the code made at the start. Tolerance: all three do the same operations, in another order; that
is round-off, which a motion that chatters about a border makes larger, but not to 1e-8 of the largest coordinate. They
must also find the same switches.
"""

import numpy as np
import pytest
import systems

import mekane as mk
from mekane import gallery
from mekane.analyses.simulate import initial_solver
from mekane.codegen.specialise import right_hand_side
from mekane.solvers import solver as solving
from mekane.solvers.specialised import hand_over as handing_over
from mekane.solvers.state import STEPS
from mekane.tables.tables import FROZEN

EARLY = 3  # steps by the loops
METHODS = {"dop853": {}, "implicit": {}, "rk4": dict(step=2e-3), "heun": dict(step=1e-3), "euler": dict(step=1e-3)}
FORMULATIONS = ("joint", "absolute", "mixed", "relative", "bryan")


@pytest.fixture
def hand_over(monkeypatch):
    """simulate(system, t_end, **keywords) with code="auto" that surely hands over after EARLY steps; checks that it
    did."""
    begun = []

    def use(self, solver, use=handing_over.HandOver.use):
        begun.append(int(solver.counters[STEPS]))
        use(self, solver)

    def run(system, t_end, **keywords):
        begun.clear()
        with monkeypatch.context() as patch:
            patch.setattr(handing_over.HandOver, "use", use)
            patch.setattr(handing_over, "WORTH", 0.0)
            patch.setattr(solving, "FIRST", EARLY)
            found = mk.simulate(system, t_end, code="auto", **keywords)
        assert begun == [EARLY] and found.info["code"] == "specialised"
        return found

    return run


def agree(a, b):
    """Two runs that do the same."""
    assert a.info["stopped"] == b.info["stopped"] == ""
    assert a.info["switches"] == b.info["switches"]
    assert a.info["steps"] == pytest.approx(b.info["steps"], rel=0.1, abs=3)
    assert np.abs(a.record.y - b.record.y).max() <= 1e-8 * np.abs(a.record.y).max()


def compare(build, t_end, hand_over, **keywords):
    loops = mk.simulate(build(), t_end, code="loops", **keywords)
    agree(loops, hand_over(build(), t_end, **keywords))
    agree(loops, mk.simulate(build(), t_end, code="specialised", **keywords))
    return loops


# ---------------------------------------------------------------- every law that compares

x, v = "rail.displacement", "rail.displacement.rate"
LAWS = {
    "sign": f"0.2 - 0.5*sign({v})",
    "abs": f"-3*abs({x})*{v} + cos(9*t)",
    "min and max": f"3*cos(9*t) - 50*max(0, {x} - 0.05) + 50*min(0.02, -{x})",
    "if of the state": f"-40*({x} - 0.1) if {x} > 0.1 else 1",
    "if of both": f"1 if {x} < 0.02 or {v} < 0.1 and t > 0.2 else -4*{v}",
    "equal": f"0 if {x} == 0.01 else 1 - 3*{v}",
    "if of t": f"(2 if t < 0.21 else -1) - 5*{x}",
    "if of a parameter": f"(2 if t < when else -1) - 5*{x}",
    "wave of t": f"(1 if sin(40*t) > 0.3 else -1) - 5*{x}",
    "floor": f"floor(7*t) - 3*{v}",
    "remainder": f"(t % 0.13) - 3*{v}",
    "table of t": {"table": [[0, 0], [0.1, 3], [0.17, -1], [0.4, 2]]},
    "table of the state": {"table": [[-1, 20], [0, 1], [0.02, -1], [0.03, 4], [1, -50]], "of": x},
    "spline of the state": {"table": [[-1, 20], [0, 1], [0.02, -1], [0.03, 0.4], [1, -50]], "of": x, "kind": "cubic"},
}


def on_a_rail(force):
    s = mk.System("rail", gravity=(0, 0, 0), parameters={"when": 0.21})
    s.slider("rail", s.ground, s.body("b", 1.0, inertia=(1, 1, 1)), axis="x", rate=0.3)
    s.motor("drive", "rail", force=force)
    return s


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("law", LAWS)
def test_laws_on_a_rail(law, method, hand_over):
    compare(lambda: on_a_rail(LAWS[law]), 0.45, hand_over, method=method, **METHODS[method])


def test_friction_does_no_work_on_a_body_at_rest(hand_over):
    """A push of 0.2 N against dry friction of 0.5 N. It chatters about rest, 1e-3 m is rest enough; frozen, it would go
    0.35 m."""
    s = mk.System("rest", gravity=(0, 0, 0))
    s.slider("rail", s.ground, s.body("b", 1.0, inertia=(1, 1, 1)), axis="x")
    s.motor("drive", "rail", force=LAWS["sign"])
    assert np.abs(hand_over(s, 0.3)["rail.displacement"]).max() < 1e-3


# ---------------------------------------------------------------- mechanisms with laws of every kind


def loop():
    """A four-bar with a stop, a switched motor, a controller, and comparisons of positions and speeds."""
    s = systems.four_bar()
    first, *_, last = s.joints
    s.stop("stop", last, 40.0, upper=0.05, damping=0.4, width=0.02)
    s.motor(
        "motor",
        first,
        "0.4*sign(crank.angular_velocity.y) + (0.3 if t < 0.11 else -0.2) - min(0.1, coupler.position.x)",
    )
    s.pid("drive", last, "0.1 if t > 0.07 else 0", 3, integral=5, damping=0.3)
    return s


def prescribed():
    """A prescribed motion that goes on at another speed, and a law that compares what it moves."""
    s = mk.System("prescribed", gravity=(0, 0, -9.81))
    arm = s.body("arm", 1.0, (0.1, 0.1, 0.01), position=(0, 0, -0.5))
    tip = s.body("tip", 0.5, (0.02, 0.02, 0.01), position=(0, 0, -1.2))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
    s.pin("elbow", arm, tip, at=(0, 0, -1), axis="y", rate=1.0)
    s.prescribed("drive", "hinge", "0.4*t if t < 0.1 else 0.04 + 0.1*sin(3*(t - 0.1))")
    s.motor("brake", "elbow", "-30*(elbow.angle - 0.05) if elbow.angle > 0.05 else 0")
    return s


MODELS = {"laws": systems.laws, "mounts": systems.mounts, "loop": loop, "prescribed": prescribed}


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("model", MODELS)
def test_models_in_every_formulation(model, formulation, hand_over):
    compare(MODELS[model], 0.3, hand_over, formulation=formulation)


@pytest.mark.parametrize("method", ["implicit", "rk4"])
@pytest.mark.parametrize("model", MODELS)
def test_models_in_other_methods(model, method, hand_over):
    compare(MODELS[model], 0.15, hand_over, method=method, **METHODS[method])


# ---------------------------------------------------------------- the code itself


@pytest.mark.parametrize("build", [systems.laws, systems.mounts, loop, gallery.find("squeezer").system])
def test_code_made_in_mid_run_is_the_code_made_at_the_start(build):
    """The same expressions, node by node, whatever the workspace holds that is read when the code runs."""
    solver, _ = initial_solver(build(), code="loops")
    at_start = right_hand_side(solver.compiled, solver.workspace)
    solver.step(0.01)
    assert solver.workspace.state[FROZEN] == 1
    assert right_hand_side(solver.compiled, solver.workspace) == at_start


@pytest.mark.parametrize("method", ["dop853", "implicit"])
def test_where_calls_of_the_loop_begin_changes_nothing(method, monkeypatch):
    """The loop returns now and then, to show progress. Calls of other lengths give the same numbers to the last bit."""
    found = []
    for first in (2, 7, 50):
        monkeypatch.setattr(solving, "FIRST", first)
        found.append(mk.simulate(systems.mounts(), 0.1, code="loops", method=method).record.y)
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])
