"""Health: the verdict must be right for runs known to be good and for runs known to be bad."""

import warnings

import mechanisms
import numpy as np

import mekane as mk


def pendulum(gap=0.0):
    s = mk.System("pendulum")
    s.body("arm", 2.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.body("leg", 1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -1.5))
    s.pin("hip", s.ground, "arm", at=(0, 0, 0), axis="y", rate=3.0)
    s.pin("knee", "arm", "leg", on_a=(0, 0, -0.5), on_b=(0, 0, 0.5 + gap), axis="y")
    return s


def test_a_good_run():
    run = mk.simulate(pendulum(), 1.0)
    assert run.health.ok and run.health.finished and run.health.drift < 1e-7 and run.health.residual < 1e-13
    assert str(run.health).startswith("This run can be trusted. It reached t = 1 s")
    assert "moved" not in str(run.health)


def test_assembly_is_reported():
    run = mk.simulate(pendulum(gap=1e-3), 0.1)
    assert run.health.ok and run.health.moved > 1e-4
    assert "The initial state was moved by" in str(run.health)


def test_too_long_a_step_is_not_trusted():
    """Euler with 20 ms gains energy visibly."""
    run = mk.simulate(pendulum(), 2.0, method="euler", step=0.02)
    assert not run.health.ok and run.health.drift > 1e-3
    assert "energy is not balanced" in str(run.health)


def test_without_correction_the_drift_is_reported():
    run = mk.simulate(mechanisms.spatial(), 0.5, method="rk4", step=5e-3, correct=False)
    assert "Joints were not corrected" in str(run.health)


def test_repeated_constraints_are_reported():
    run = mk.simulate(mechanisms.crank("pin"), 0.1)
    assert run.health.ok and run.health.redundant == 3
    assert "Joint 'end' repeats 3 of the 5 constraints it adds; 1 degree of freedom remains" in str(run.health)


def test_a_run_that_stopped_is_not_trusted():
    run = mk.simulate(pendulum(), 0.1)
    stopped = type(run)(
        run.system, run.compiled, run.record, run.info | {"stopped": "stopped by the user at t = 0.05 s"}
    )
    assert not stopped.health.ok and "Stopped by the user at t = 0.05 s" in str(stopped.health)


def test_python_functions_are_reported():
    s = pendulum()
    s.motor("drive", "hip", torque=lambda t, state: float(np.round(3 * state["hip.angle"])))
    assert "Python functions were called in every step for 'drive'" in str(mk.simulate(s, 0.1).health)


def test_rest_is_healthy():
    """Nothing moves: no energy in play, and that is not an error."""
    s = mk.System()
    s.body("arm", 2.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hip", s.ground, "arm", at=(0, 0, 0), axis="y")
    assert mk.simulate(s, 1.0).health.ok


def test_residual_covers_every_joint():
    run = mk.simulate(mechanisms.crank("pin"), 0.2)
    assert list(run.residual.joint.values) == ["main", "k", "r", "end"]
    assert float(run.residual.position.max()) < 1e-13 and float(run.residual.rate.max()) < 1e-12
    np.testing.assert_array_equal(run.residual.position, run.residual.position_of.max("joint"))


def test_a_system_that_cannot_move():
    s = mk.System()
    s.body("block", 3.0, inertia=(1, 1, 1))
    s.weld("bolt", s.ground, "block")
    run = mk.simulate(s, 1.0)
    assert run.health.ok
    np.testing.assert_allclose(run.reaction("bolt").force[0], [0, 0, 3 * 9.81])


def relay(gap, rate=0.01):
    """Two events that undo each other, at speeds of −gap and gap."""
    s = mk.System("relay", gravity=(0, 0, 0))
    s.body("cart", mass=1.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, "cart", axis="x", rate=rate)
    s.input("u", -1.0)
    s.motor("push", "rail", force="u")
    s.event("forth", when=f"rail.displacement.rate < -{gap}", set={"u": 1.0}, once=False)
    s.event("back", when=f"rail.displacement.rate > {gap}", set={"u": -1.0}, once=False)
    return s


def test_events_are_counted():
    """An acceleration of 1 m/s² from 0.01 to −0.01 m/s and back: one event in 20 ms."""
    health = mk.simulate(relay(0.01), 0.5).health
    assert "24 events happened: 'forth' 12, 'back' 12." in str(health) and "chatter" not in str(health) and health.ok


def test_events_that_chatter(monkeypatch):
    """Remedy included; the same words as for laws. Fewer are many here, so that the test is short."""
    from mekane.solvers import chatter

    monkeypatch.setattr(chatter, "MANY", 50)
    run = mk.simulate(relay(1e-5, 1e-4), 0.006)
    text = str(run.known_health)
    assert "Events 'forth' and 'back' chatter: a comparison changed sides" in text and "lock what comes to rest" in text
    assert "tanh" not in text and "and its error is not known" in text


def test_work_that_is_less_accurate_than_the_motion_is_reported():
    """A prescribed motion is met by projection, to round-off however long the steps are; work is integrated. Oracle of the drift:
    T = v²/2 + W of the prescribed motion and the damper, in closed form zero."""
    s = mk.System("shaken", gravity=(0, 0, 0))
    s.slider("rail", s.ground, s.body("b", 1.0, inertia=(1, 1, 1)), on_a=(0, 0, 0), on_b=(0, 0, 0), axis="x", rate=0.9)
    s.prescribed("shaker", "rail", "0.1*sin(9*t)")
    s.motor("brake", "rail", force="-3*rail.displacement.rate")
    coarse, fine = (mk.simulate(s, 1.0, rtol=rtol, atol=1e-3 * rtol) for rtol in (1e-5, 1e-10))
    assert coarse.error.relative < 1e-9 and coarse.health.drift > 1e-6
    assert "Work and losses are right to about" in str(coarse.health)
    assert "Work and losses" not in str(fine.health)


def test_a_body_of_next_to_no_mass_has_a_size():
    """Its radius of gyration is 6e155 m: the square of that is beyond floats, and was a warning."""
    s = mk.System("top")
    s.body("top", mass=1e-312, inertia=(0.32, 0.32, 0.2), com=(0, 0, 0.3), angular_velocity=(0, 0, 1.0))
    s.ball("pivot", s.ground, "top", on_a=(0, 0, 0), on_b=(0, 0, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert str(mk.simulate(s, 0.1).health)
