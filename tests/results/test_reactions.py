"""Reactions. Oracle: Newton's and Euler's equations for every body, done by hand (mechanisms.ByHand) from what a run
says about positions, velocities, accelerations and reactions. They hold to round-off whatever the accuracy of the
motion; 1e-8 relative leaves a margin for the softened solve of constraints."""

import mechanisms
import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError
from mekane.formulations import NAMES as FORMULATIONS

BALANCED = 1e-8
TIMES = [0.0, 0.05, 0.1, 0.2]


def simulate(system, formulation):
    return mk.simulate(system, 0.2, every=TIMES, formulation=formulation)


@pytest.mark.divided("name", 3)
@pytest.mark.parametrize("name", mechanisms.ALL)
def test_every_body_is_in_balance_and_formulations_agree(name):
    system = mechanisms.ALL[name]()
    runs = [simulate(system, formulation) for formulation in FORMULATIONS]
    for run in runs:
        assert max(mechanisms.ByHand(run).missing().values()) < BALANCED
        assert run.health.ok, str(run.health)
    for joint in system.joints:
        one, *others = (run.reaction(joint) for run in runs)
        for other in others:
            # the motions agree to their tolerance, 1e-9, times the stiffness of things: 1e-6
            for word in ("force", "moment"):
                size = max(np.abs(one[word]).max(), 1.0)
                np.testing.assert_allclose(one[word], other[word], atol=1e-6 * size)
                np.testing.assert_allclose(one[word][0], other[word][0], atol=1e-9 * size)


def test_every_kind_is_once_cut_in_joint_coordinates():
    """So that the test above covers reactions of every kind both in a tree and as the joint that closes a loop."""
    from mekane.compiler.compiler import compile_system

    models = [compile_system(make(), "joint") for make in mechanisms.LOOPS.values()]
    cut = {model.system.joints[name].kind for model in models for name in model.cut}
    assert cut >= set(mechanisms.KINDS) - {"free"}


def pendulum():
    s = mk.System("pendulum")
    s.body("arm", 2.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=3.0)
    return s


def test_pendulum_pulls_at_its_pin():
    """At the lowest point the pin carries m g + m l w² (l = 0.5, w = 3), and no moment about its axis."""
    run = mk.simulate(pendulum(), 0.5)
    r = run.reaction("hinge")
    np.testing.assert_allclose(r.force[0], [0, 0, 2.0 * 9.81 + 2.0 * 0.5 * 9.0], atol=1e-12)
    assert np.abs(r.moment.sel(axis="y")).max() < 1e-12
    assert r.attrs["unique"] == 1 and r.force.attrs["units"] == "N"


def test_both_bodies_feel_the_opposite():
    run = simulate(mechanisms.tree("pin"), "joint")
    a, b = run.reaction("k", on="A"), run.reaction("k", on="B")
    np.testing.assert_allclose(a.force, -b.force)
    np.testing.assert_allclose(a.moment, -b.moment)
    np.testing.assert_allclose(run.reaction("k").force, b.force)
    np.testing.assert_allclose(run.reaction("k", on="a").force, a.force)


def test_joint_axes_and_body_axes():
    """Length does not depend on axes; about its axis, z of the joint, a pin resists nothing."""
    run = simulate(mechanisms.tree("pin"), "joint")
    world, joint, body = (run.reaction("k", axes=axes) for axes in ("world", "joint", "A"))
    for r in (joint, body):
        np.testing.assert_allclose(mechanisms.norm(r.force.values), mechanisms.norm(world.force.values))
    assert np.abs(joint.moment.sel(axis="z")).max() < 1e-12 * np.abs(world.moment).max()


def test_moment_at_the_point_on_a():
    """For a slider the two points differ: moving the point changes the moment by arm × force."""
    run = simulate(mechanisms.tree("slider"), "joint")
    on_b, on_a = run.reaction("k"), run.reaction("k", at="a")
    arm = on_b.point.values - on_a.point.values
    assert mechanisms.norm(arm)[-1] > 1e-3
    np.testing.assert_allclose(on_a.moment, on_b.moment.values + np.cross(arm, on_b.force.values), atol=1e-12)


def test_a_weld_carries_everything_and_free_nothing():
    weld, free = simulate(mechanisms.tree("weld"), "joint"), simulate(mechanisms.tree("free", True), "joint")
    assert np.abs(weld.reaction("k").force).min() > 1e-3
    assert np.abs(free.reaction("k").force).max() < 1e-10 and np.abs(free.reaction("k").moment).max() < 1e-10


def test_an_open_joint_is_in_balance_too():
    """Without correction a ball that starts open by 1 mm stays open; its two bodies then feel the force at different
    points."""
    s = mk.System("open")
    mechanisms.add_body(s, "A", (0.5, 0, 0), 20)
    mechanisms.add_body(s, "B", (1.5, 0, 0), 21)
    s.ball("foot", s.ground, "A", at=(0, 0, 0))
    s.ball("k", "A", "B", at=(1, 0, 0))
    s.ball("hand", s.ground, "B", on_a=(2, 0.001, 0), on_b=s.bodies["B"].R_NB.T @ (0.5, 0, 0))
    run = mk.simulate(s, 0.1, every=0.05, method="rk4", step=1e-3, correct=False, formulation="absolute")
    assert run.health.residual > 5e-4
    assert max(mechanisms.ByHand(run).missing().values()) < BALANCED


def test_wrong_words():
    run = mk.simulate(pendulum(), 0.1)
    with pytest.raises(ModelError, match="Did you mean 'hinge'"):
        run.reaction("hinje")
    with pytest.raises(ModelError, match="between 'ground' and 'arm'"):
        run.reaction("hinge", on="leg")
    with pytest.raises(ModelError, match="axes is 'polar'"):
        run.reaction("hinge", axes="polar")
