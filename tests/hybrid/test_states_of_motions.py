"""Analyses at a state of a motion, with what is active then. Oracles: closed forms, and the model described as it is after
the event."""

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError

LENGTH, MASS, G = 0.5, 2.0, 9.81
EXACT = 1e-9  # of frequencies about 1: A is exact, what is left is the state of a run at rtol 1e-9, which rests


def links(lock=None, stiff=False):
    """Two slender rods that hang; the elbow is welded from the start, or locked by an event."""
    s = mk.System("links")
    for k, name in enumerate(("upper", "lower")):
        s.body(name, mass=MASS, shape=mk.Rod(LENGTH, axis="z"), position=(0, 0, -(k + 0.5) * LENGTH))
    s.pin("shoulder", s.ground, "upper", at=(0, 0, 0), axis="y")
    if not stiff:
        s.pin("elbow", "upper", "lower", at=(0, 0, -LENGTH), axis="y")
    if lock or stiff:
        s.weld("clamp", "upper", "lower", at=(0, 0, -LENGTH), active=stiff)
    if lock:
        s.event("clamp it", when=lock, lock="clamp")
    return s


def frequencies(answer):
    return sorted(mode.frequency for mode in answer)


def closed_form(locked):
    """Of two equal rods: m L² [4/3 1/2; 1/2 1/3] θ'' + m g L diag(3/2, 1/2) θ = 0 [Hz]; clamped: one rod of length 2 L."""
    if locked:
        return [np.sqrt(3 * G / (4 * LENGTH)) / (2 * np.pi)]
    M, K = np.array([[4 / 3, 1 / 2], [1 / 2, 1 / 3]]), np.diag([3 / 2, 1 / 2]) * G / LENGTH
    return sorted(np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K))) / (2 * np.pi))


@pytest.mark.parametrize("of_run", ["joint", "absolute"])
@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_modes_before_and_after_a_lock(formulation, of_run):
    s = links(lock="t >= 0.5")
    run = mk.simulate(s, 1.0, every=0.25, formulation=of_run)
    for t, locked in ((0.25, False), (0.5, True), (1.0, True)):
        state = run.state(t)
        assert state.discrete == {"clamp.active": float(locked)}
        found = mk.modes(s, at=state, formulation=formulation)
        np.testing.assert_allclose(frequencies(found), closed_form(locked), rtol=EXACT)
    assert len(mk.linearize(links(stiff=True), formulation=formulation).A) == 2


def test_states_of_steppers():
    s = links(lock="t >= 0.005")
    sim = mk.stepper(s, method="rk4")
    before = sim.state()
    for _ in range(10):
        sim.step(1e-3)
    np.testing.assert_allclose(frequencies(mk.modes(s, at=before)), closed_form(False), rtol=EXACT)
    np.testing.assert_allclose(frequencies(mk.modes(s, at=sim.state())), closed_form(True), rtol=EXACT)
    assert sim.state().t == sim.t


def test_by_hand():
    s = links(lock="t >= 0.5").with_discrete_state({"clamp.active": True})
    np.testing.assert_allclose(frequencies(mk.modes(s)), closed_form(True), rtol=EXACT)
    assert frequencies(mk.modes(s.with_discrete_state({"clamp.active": False}))) == frequencies(mk.modes(links()))
    assert mk.mobility(s).freedom == 1


def gearbox():
    """A flywheel on a spring, driven with a torque that depends on the gear; the brake sits in a clamp."""
    s = mk.System("gearbox", gravity=(0, 0, 0), parameters={"k": 5.0})
    s.body("wheel", mass=1.0, inertia=(0.2, 0.2, 0.2))
    s.pin("shaft", s.ground, "wheel", at=(0, 0, 0), axis="z")
    s.variable("gear", 1)
    s.input("u", 0.5, unit="N m")
    s.motor("spring", "shaft", torque="-k*shaft.angle - 0.4*shaft.angle.rate + gear*u")
    s.event("shift", when="t >= 1", set={"gear": "gear + 1"})
    return s


def test_equilibrium_with_variables_of_a_state():
    """k θ = gear u"""
    s = gearbox()
    state = mk.simulate(s, 2.0, every=1.0).state()
    assert state.discrete == {"u": 0.5, "gear": 2.0} and state["gear"] == 2.0
    assert abs(mk.equilibrium(s)["shaft.angle"] - 0.5 / 5.0) < 1e-12
    assert abs(mk.equilibrium(s, at=state)["shaft.angle"] - 2 * 0.5 / 5.0) < 1e-12
    assert abs(mk.equilibrium(state.system)["shaft.angle"] - 2 * 0.5 / 5.0) < 1e-12
    by_hand = s.with_discrete_state({"gear": 3, "u": "1 N m"})
    assert abs(mk.equilibrium(by_hand)["shaft.angle"] - 3 * 1.0 / 5.0) < 1e-12
    assert s.inputs["u"].value == 0.5


def test_inputs_are_inputs_of_a_linearization():
    """I θ'' = … + gear u, so that B = gear/I."""
    s = gearbox().with_discrete_state({"gear": 3})
    rest = mk.equilibrium(s)
    found = mk.linearize(s, at=rest, inputs=["u", "k"])
    np.testing.assert_allclose(found.B, [[0, 0], [3 / 0.2, -rest["shaft.angle"] / 0.2]], atol=1e-12)


def test_accelerations_and_mass_matrix_of_a_state():
    """Of a released load, which falls; before, it hangs."""
    s = mk.System("hook")
    s.body("load", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1))
    s.ball("hook", s.ground, "load", at=(0, 0, 0))
    s.event("let go", when="t >= 0.1", release="hook")
    run = mk.simulate(s, 0.2, every=0.1)
    held, free = run.state(0.0).system, run.state(0.2).system
    assert np.abs(held.forward_dynamics(*held.initial_state())).max() < 1e-9
    assert free.forward_dynamics(*free.initial_state())[2] == pytest.approx(-G, abs=1e-12)
    assert len(free.coordinates) == len(free.initial_state()[0])
    np.testing.assert_allclose(free.mass_matrix(free.initial_state()[0])[:3, :3], 2.0 * np.eye(3), atol=1e-12)
    assert free.bodies["load"].velocity[2] == pytest.approx(-G * 0.1, abs=1e-9)


@pytest.mark.parametrize(
    "values, words",
    [
        ({"clmp.active": True}, "Did you mean 'clamp.active'"),
        ({"clamp": True}, "Write 'clamp.active'"),
        ({"clamp.active": 2}, "True or False"),
        ({"m": 2}, "with_parameters"),
        ("clamp", "names and values"),
    ],
)
def test_names_that_do_not_exist(values, words):
    s = links(lock="t >= 1")
    s.parameter("m", 1.0)
    with pytest.raises(ModelError, match=words):
        s.with_discrete_state(values)


def test_states_that_do_not_exist():
    s = links(lock="t >= 1")
    run = mk.simulate(s, 1.0, every=0.5)
    with pytest.raises(ModelError, match="nearest samples are at 0.5 and 1 s"):
        run.state(0.7)
    with pytest.raises(ModelError, match="run.state"):
        mk.linearize(s, at=run)
    with pytest.raises(ModelError, match="run.state"):
        mk.equilibrium(s, at=run)
    with pytest.raises(ModelError, match="run.state"):
        mk.linearize(s, at=mk.stepper(s))


def test_forces_at_what_is_not_active_are_refused():
    s = links()
    s.pin("brake", s.ground, "upper", at=(0, 0, 0), axis="y", active=False)
    s.torsional_spring("band", "brake", stiffness=3.0)
    with pytest.raises(ModelError, match="'band'.*'brake', which is not active"):
        mk.equilibrium(s)


def test_inverse_dynamics_takes_one_phase():
    s = links(lock="t >= 0.5")
    with pytest.raises(ModelError, match="'clamp.active' is not as at the start"):
        mk.inverse_dynamics(s, mk.simulate(s, 1.0, every=0.25), formulation="absolute", actuators=["shoulder"])


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_locks_at_present_positions(formulation):
    """Two rods, clamped with an angle between them, rest with their mass centre below the shoulder."""
    s = links(lock="t >= 0.2")
    s.replace("elbow", rate=2.0)
    s.replace("clamp it", at="its present position")
    run = mk.simulate(s, 1.0, every=0.1, formulation=formulation)
    assert len(mk.linearize(s, at=mk.equilibrium(s, at=run.state(0.1))).A) == 4
    rest = mk.equilibrium(s, at=run.state(0.5), formulation=formulation)
    bend, turned = float(run["elbow.angle"][-1]), rest["shoulder.angle"]
    assert abs(bend) > 0.1 and abs(rest["elbow.angle"] - bend) < 1e-9
    assert abs(3 * np.sin(turned) + np.sin(turned + bend)) < 1e-9
    assert list(run.state(0.5).discrete) == ["clamp.active"]
