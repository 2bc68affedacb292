"""Kinematics (THEORY §3) against derivatives of the positions themselves, for every joint kind both ways round.

Oracle: complex step along the motion, exact but for round-off; hence tolerances near 1e-13 of numbers of order one.
"""

import numpy as np
import pytest
import systems
from engine import Model, cross_of, derivative

import mekane as mk
from mekane.formulations import NAMES as FORMULATIONS
from mekane.model.values.orientation import rotation
from mekane.tables import columns as at

CASES = {f"hanging {kind}{' unary' * unary}{' swapped' * sw}": (lambda k=kind, s=sw, u=unary: systems.hanging(k, s, u))
         for kind in systems.KINDS for sw in (False, True) for unary in (False, True)}  # fmt: skip
CASES |= {"mixed chain": systems.mixed_chain, "mixed chain swapped": lambda: systems.mixed_chain(swapped=True)}
CASES |= {
    "massless link": systems.massless_link,
    "free bodies": systems.free_bodies,
    "by chance": lambda: systems.by_chance(1),
}
ROUND_OFF = 2e-13

everywhere = pytest.mark.parametrize("formulation", FORMULATIONS)
every_system = pytest.mark.parametrize("name", CASES)
pytestmark = pytest.mark.divided("name", 3)


def part(W, i, column, n=3):
    return W.body[i, column : column + n]


def bodies(model):
    return range(1, len(model.T.body_i))


@everywhere
@every_system
def test_velocities_are_derivatives_of_positions(name, formulation):
    model = Model(CASES[name], formulation)
    y = model.somewhere(far=0.8)
    W = model.moved(y, model.qd(y), np.zeros(model.n_u))
    for i in bodies(model):
        assert derivative(part(W, i, at.B_P)) == pytest.approx(part(W, i, at.B_V).real, abs=ROUND_OFF)
        R = part(W, i, at.B_R, 9).reshape(3, 3)
        assert R.real @ R.real.T == pytest.approx(np.eye(3), abs=ROUND_OFF)
        assert cross_of(derivative(R), R.real) == pytest.approx(part(W, i, at.B_W).real, abs=ROUND_OFF)


@everywhere
@every_system
def test_partial_velocities_are_what_a_unit_speed_gives(name, formulation):
    """(K.6): with one speed 1 and all others 0, its body moves relative to its parent by exactly w_r, v_r."""
    model = Model(CASES[name], formulation)
    y = model.somewhere(far=0.8)
    for i in bodies(model):
        for r in range(model.T.body_i[i, at.SPEED0], model.T.body_i[i, at.SPEED1]):
            alone = y[: model.n_q + model.n_u].copy()
            alone[model.n_q :] = np.eye(model.n_u)[r]
            W = model.moved(alone, model.qd(alone), np.zeros(model.n_u))
            R = part(W, i, at.B_R, 9).reshape(3, 3)
            S = W.speed[r].real
            kind = model.T.speed_kind[r]
            v_r = np.zeros(3) if kind == at.PURE_ROTATION else S[at.S_V : at.S_V + 3]
            assert cross_of(derivative(R), R.real) == pytest.approx(S[at.S_W : at.S_W + 3], abs=ROUND_OFF)
            assert derivative(part(W, i, at.B_P)) == pytest.approx(v_r, abs=ROUND_OFF)
            if kind == at.PURE_TRANSLATION:
                assert np.all(S[at.S_W : at.S_W + 3] == 0.0)


@everywhere
@every_system
def test_bias_and_accelerations_are_derivatives_of_velocities(name, formulation):
    """The recursion over bias accelerations, with any ud, is the derivative of velocities along the motion. Numbers up
    to ten."""
    model = Model(CASES[name], formulation)
    y = model.somewhere(far=0.8)
    for ud in (np.zeros(model.n_u), np.random.default_rng(3).normal(size=model.n_u)):
        A = model.accelerated(y, ud)
        W = model.moved(y, model.qd(y), model.of_the_state(A, ud))
        for i in bodies(model):
            assert derivative(part(W, i, at.B_W)) == pytest.approx(part(A, i, at.B_AL), abs=20 * ROUND_OFF)
            assert derivative(part(W, i, at.B_V)) == pytest.approx(part(A, i, at.B_A), abs=20 * ROUND_OFF)


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("kind", systems.KINDS)
def test_tree_coordinates_are_what_the_joint_measures(kind, swapped):
    """Oracle: Joint.measures, read from the frames of the bodies. Away from zero, so that a wrong sign or order
    shows."""
    model = Model(systems.hanging(kind, swapped), "joint")
    y = model.somewhere(far=0.8)
    joint = model.system.joints["joint"]
    poses = model.poses(y)
    R_F, R_M = poses.R[joint.a] @ joint.R_AF, poses.R[joint.b] @ joint.R_BM
    r = poses.p[joint.b] + poses.R[joint.b] @ joint.p_BM - poses.p[joint.a] - poses.R[joint.a] @ joint.p_AF
    vectors = np.concatenate([R_F.T, R_M.T])
    w = poses.w[joint.b] - poses.w[joint.a]
    where = {word: at_ for (name, word), at_ in model.compiled.tree_coordinate.items() if name == "joint"}
    backward = swapped and kind == "free"  # its slides are then those of a seen from b, and x, y, z are measured
    assert set(where) == (set() if backward else set(joint.coordinates))
    for m in (m for m in joint.measures() if m.name in where):
        q, u = where[m.name]
        if m.kind == "shift":
            assert y[q] == pytest.approx(vectors[m.e] @ r, abs=ROUND_OFF)
        else:
            assert y[q] == pytest.approx(
                np.arctan2(vectors[m.of] @ vectors[m.ninety], vectors[m.of] @ vectors[m.zero]), abs=ROUND_OFF
            )
            assert y[model.n_q + u] == pytest.approx(vectors[m.e] @ w, abs=ROUND_OFF)


def test_a_turn_about_any_axis_is_the_usual_rotation():
    """(K.1) through a whole model: a pin turns its body by Rodrigues' formula (model.orientation.rotation)."""
    axis = systems.unit((0.3, -0.5, 0.8))
    s = mk.System("turn")
    body = s.body("b", 1.0, inertia=(1, 1, 1), position=(0.2, 0.1, -0.4))
    s.pin("p", s.ground, body, at=(0, 0.5, 0), axis=tuple(axis))
    model = Model(s)
    expected = rotation(axis, 1.1)
    found = model.poses(np.array([1.1, 0.0]))
    assert found.R["b"] == pytest.approx(expected, abs=1e-15)
    assert found.p["b"] == pytest.approx((0, 0.5, 0) + expected @ (0.2, -0.4, -0.4), abs=1e-15)
