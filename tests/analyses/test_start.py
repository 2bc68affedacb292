"""What places of bodies do not tell of an initial state: whole turns of joints, integrals of laws.

Oracle: what rests in an equilibrium rests when it is simulated from there, to round-off (1e-10, a hundredth of what the
run's tolerance of 1e-9 allows on angles of size 10; most formulations do 1e-13).
"""

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError
from mekane.formulations import NAMES
from mekane.importers.yaml import dumps


def arm():
    s = mk.System("arm")
    s.body("a", mass=2, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0))
    s.pin("h", s.ground, "a", at=(0, 0, 0), axis="y")
    return s


def wound():
    """A spring that reads the whole angle: at rest three half turns on."""
    s = arm()
    s.torsional_spring("k", "h", stiffness=50.0, angle=10.0)
    return s


def held():
    """The integral bears the weight: 2·9.81·0.5·cos 0.3 = 30 |I|."""
    s = arm()
    s.pid("c", "h", target=0.3, stiffness=50, integral=30, damping=5)
    return s


def closed():
    """A loop whose springs sit on joints of which one is cut, each wound up by two turns and more."""
    s = mk.System("four-bar")
    for name, place in dict(crank=(0, 0, 0.2), coupler=(0.5, 0, 0.7), rocker=(1, 0, 0.5)).items():
        s.body(name, mass=1, inertia=(0.1, 0.1, 0.1), position=place)
    s.pin("p", s.ground, "crank", at=(0, 0, 0), axis="y")
    s.pin("q", "crank", "coupler", at=(0, 0, 0.4), axis="y")
    s.pin("r", "coupler", "rocker", at=(1, 0, 1), axis="y")
    s.pin("w", "rocker", s.ground, at=(1, 0, 0), axis="y")
    s.torsional_spring("k", "w", stiffness=50.0, angle=13.0)
    s.torsional_spring("kp", "p", stiffness=50.0, angle=-13.0)
    return s


def rests(system, at, names, formulation):
    run = mk.simulate(system, 1.0, formulation=formulation)
    for name in names:
        np.testing.assert_allclose(run.numbers(name), at[name], rtol=0, atol=1e-10)


@pytest.mark.parametrize("formulation", NAMES)
@pytest.mark.parametrize("make, names", [(wound, ["h.angle"]), (held, ["h.angle", "c.integral"])])
def test_a_run_from_an_equilibrium_rests(make, names, formulation):
    rest = mk.equilibrium(make(), formulation=formulation)
    assert abs(rest["h.angle"]) > np.pi or rest["c.integral"] == pytest.approx(
        -2 * 9.81 * 0.5 * np.cos(0.3) / 30, rel=1e-12
    )
    for other in {"joint", "absolute", formulation}:
        rests(rest.system, rest, names, other)


def test_a_loop_rests():
    """The spring on 'w' is read by a measurement wherever that joint is cut."""
    s = closed()
    s.initial_conditions({"w.angle": "2 turn", "p.angle": "-2 turn"})
    rest = mk.equilibrium(s)
    assert abs(rest["w.angle"] - 4 * np.pi) < np.pi and abs(rest["p.angle"] + 4 * np.pi) < np.pi
    for formulation in ("joint", "absolute"):
        rests(rest.system, rest, ["p.angle", "w.angle"], formulation)


def test_other_analyses_start_there_too():
    """Linearized motion and forward dynamics about the placed system, and the same equilibrium found again."""
    for make in (wound, held):
        s = make()
        rest = mk.equilibrium(s)
        np.testing.assert_allclose(mk.linearize(rest.system).A, mk.linearize(s, at=rest).A, atol=1e-9)
        q, u = rest.system.initial_state()
        np.testing.assert_allclose(rest.system.forward_dynamics(q, u), 0.0, atol=1e-11)
        np.testing.assert_allclose(rest.system.required_forces(q, u, 0 * u), 0.0, atol=1e-11)
        again = mk.equilibrium(rest.system)
        np.testing.assert_allclose([again["h.angle"], *again.integrals], [rest["h.angle"], *rest.integrals], rtol=1e-12)


def test_derivatives_of_a_run_from_there():
    """d angle/d(angle of the spring) at the start of a run from rest, against differences of runs (central, h = 1e-4:
    1e-7)."""
    at = mk.equilibrium(wound()).system.named(["k.angle"])
    found = mk.sensitivity(at, to=["k.angle"], of=["h.angle"], t_end=0.2)
    angle = lambda x: mk.simulate(at.with_parameters({"k.angle": x}), 0.2).numbers("h.angle")[-1]
    slope = (angle(10 + 1e-4) - angle(10 - 1e-4)) / 2e-4
    np.testing.assert_allclose(found.slopes[-1, 0, 0], slope, rtol=1e-6)


def test_it_goes_with_copies_changes_and_files():
    rest = mk.equilibrium(wound())
    changed = rest.system.with_parameters({"k.stiffness": 50.0})
    read = mk.load_model(dumps(rest.system))
    for system in (rest.system.copied(), changed, read):
        rests(system, rest, ["h.angle"], "joint")


def test_an_assembled_joint_keeps_the_turns_it_was_given():
    found = mk.assemble(arm(), {"h.angle": 7.0}).system
    for formulation in ("joint", "absolute"):
        assert mk.simulate(found, 0.01, formulation=formulation).numbers("h.angle")[0] == pytest.approx(7.0, abs=1e-12)


def test_what_places_tell_is_not_given_twice():
    """A file of a system at rest near where it was drawn has no section more; turns that are gone are gone."""
    assert "start" not in mk.equilibrium(arm(), at={"h.angle": 1.0}).system.to_dict()
    found = mk.assemble(mk.assemble(arm(), {"h.angle": 7.0}).system, {"h.angle": 0.5}).system
    assert "start" not in found.to_dict()
    assert mk.simulate(found, 0.01).numbers("h.angle")[0] == pytest.approx(0.5, abs=1e-12)


def test_half_a_turn_keeps_its_side():
    """An arm that stands upright, half a turn from where it is drawn, on either side."""
    for side in (np.pi, -np.pi):
        s = mk.System("hanging")
        s.body("a", mass=1, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1))
        s.pin("h", s.ground, "a", at=(0, 0, 0), axis="y")
        found = mk.assemble(s, {"h.angle": side}).system
        for formulation in ("joint", "absolute"):
            assert mk.simulate(found, 0.01, formulation=formulation).numbers("h.angle")[0] == pytest.approx(
                side, abs=1e-12
            )


def test_a_user_says_it():
    """Two turns do not move the arm; they wind up the spring."""
    s = wound()
    s.initial_conditions({"h.angle": "2 turn"})
    run = mk.simulate(s, 0.01)
    np.testing.assert_allclose(
        [run.numbers("h.angle")[0], run.numbers("k.torque")[0]], [4 * np.pi, 50 * (10 - 4 * np.pi)], rtol=1e-12
    )
    for given, word in (
        ({"h.anglee": 1}, "Did you mean 'h.angle'"),
        ({"h.angle": "2 kg"}, "not a unit of angle"),
        (3, "names and values"),
    ):
        with pytest.raises(ModelError, match=word):
            s.initial_conditions(given)
