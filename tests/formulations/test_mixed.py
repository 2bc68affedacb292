"""Absolute angular_velocities on relative coordinates (THEORY §5, [A])."""

import numpy as np
import pytest
import systems
from engine import Model

import mekane as mk
from mekane.solvers.constraints.assembly import state_of
from mekane.solvers.entries.calls import project
from mekane.tables import columns as at

CHAINS = {"mixed chain": systems.mixed_chain, "driven": systems.driven, "massless link": systems.massless_link}
CHAINS |= {f"by chance {seed}": (lambda seed=seed: systems.by_chance(seed)) for seed in range(3)}


def angular_velocities(model):
    """(body row, first speed) of every absolute spin."""
    return [
        (primitive[at.PRIMITIVE_BODY], primitive[at.PRIMITIVE_U])
        for primitive in model.T.primitive_i
        if primitive[at.KIND] == at.MIXED
    ]


@pytest.mark.parametrize("name", CHAINS)
def test_speeds_are_absolute_angular_velocities_in_body_axes(name):
    """Anywhere, and at the start as the user gave it. Oracle: R_NBᵀ w_NB from where bodies are and how they move."""
    model = Model(CHAINS[name](), "mixed")
    assert angular_velocities(model)
    for y in (model.y, model.somewhere(far=0.5)):
        W = model.evaluate_kinematics(y)
        for i, r in angular_velocities(model):
            R, w = W.body[i, at.B_R : at.B_R + 9].reshape(3, 3), W.body[i, at.B_W : at.B_W + 3]
            assert y[model.n_q + r : model.n_q + r + 3] == pytest.approx(R.T @ w, abs=1e-13)


def test_relative_speeds_follow_as_printed():
    """[R 11]: ω'_K = R_KJ ω'_J + ω̂'_K, the hat being the speed that turns the Euler parameters (K.8). Oracle: ed of
    the state."""
    model = Model(systems.mixed_chain(), "mixed")
    y = model.somewhere(far=0.5)
    qd, W = model.qd(y), model.evaluate_kinematics(y)
    for primitive in model.T.primitive_i[model.T.primitive_i[:, at.KIND] == at.MIXED]:
        i, e, ed = (
            primitive[at.PRIMITIVE_BODY],
            *(x[primitive[at.PRIMITIVE_Q] : primitive[at.PRIMITIVE_Q] + 4] for x in (y, qd)),
        )
        G = np.array([[e[3], -e[2], e[1]], [e[2], e[3], -e[0]], [-e[1], e[0], e[3]], [-e[0], -e[1], -e[2]]])
        hat = 2 * G.T @ ed
        R, k = W.body[i, at.B_R : at.B_R + 9].reshape(3, 3), model.T.body_i[i, at.PARENT]
        u = y[model.n_q + primitive[at.PRIMITIVE_U] :][:3]
        assert hat == pytest.approx(u - R.T @ W.body[k, at.B_W : at.B_W + 3], abs=1e-13)


def test_every_body_is_a_child_of_its_neighbour():
    model = Model(systems.mixed_chain(), "mixed")
    joint = Model(systems.mixed_chain(), "joint")
    assert [(link.body, link.parent) for link in model.compiled.links] == [
        (link.body, link.parent) for link in joint.compiled.links
    ]
    assert set(model.compiled.cut) == set(model.system.joints)


@pytest.mark.parametrize("name", ["mixed chain", "by chance 2"])
def test_correction_brings_absolute_angular_velocities_onto_the_joints(name):
    """Speeds thrown off every joint: one correction meets them all, to round-off; a second one moves nothing."""
    model = Model(CHAINS[name](), "mixed")
    y, x = model.y.copy(), np.zeros(model.n_u)
    y[model.n_q : model.n_q + model.n_u] += 0.1 * np.random.default_rng(4).normal(size=model.n_u)
    assert np.abs(model.evaluate_kinematics(y).row[: model.n_rows, at.Y_RATE]).max() > 1e-3
    project(model.handle, 0.0, y, x)
    assert np.abs(model.evaluate_kinematics(y).row[: model.n_rows, at.Y_RATE]).max() < 1e-13
    again = y.copy()
    project(model.handle, 0.0, again, x)
    assert again == pytest.approx(y, abs=1e-13)


def test_correction_is_the_same_in_every_formulation():
    """(C.3) is a projection in the mass metric, which knows no coordinates. Oracle: body speeds after correction in
    `absolute`."""
    found = []
    for formulation in ("absolute", "bryan", "mixed"):
        model = Model(systems.mixed_chain(), formulation)
        poses = model.poses(model.y)
        off = {name: w + (0.1, -0.2, 0.05) for name, w in poses.w.items() if name != "ground"} | {"ground": np.zeros(3)}
        y = np.concatenate([*state_of(model.compiled, poses._replace(w=off)), np.zeros(model.compiled.n_work)])
        project(model.handle, 0.0, y, np.zeros(model.n_u))
        after = model.poses(y)
        found.append(np.concatenate([np.concatenate([after.w[b], after.v[b]]) for b in model.system.bodies]))
    assert found[1] == pytest.approx(found[0], abs=1e-11) and found[2] == pytest.approx(found[0], abs=1e-11)


def test_a_fast_chain_keeps_its_energy():
    """Default tolerances, five seconds: T + V − W as constant as with the speeds of the joints allows, 1e-7 of the energy
    in play."""
    run = mk.simulate(systems.mixed_chain(), 5.0, every=0.1, formulation="mixed")
    assert run.health.ok and run.health.drift < 1e-7
