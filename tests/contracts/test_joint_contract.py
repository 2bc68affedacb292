"""The same checks of every registered joint kind: do its rows allow what its primitives do, and are rates, biases and
wrenches those of phi?

Oracles: complex step (exact derivatives) and the joint itself built the other way. Tolerances are round-off of numbers
of order one to ten.
"""

import numpy as np
import pytest
import systems
from engine import Model, derivative

from mekane.compiler.coordinates import coordinates_of
from mekane.kernels.articulated_body import apply_inverse_mass
from mekane.model.joint import joint_kinds
from mekane.solvers.constraints.assembly import state_of
from mekane.tables import columns as at

ROUND_OFF = 5e-13

every_kind = pytest.mark.parametrize("kind", systems.KINDS)
both_ways = pytest.mark.parametrize("swapped", [False, True])
unary_and_binary = pytest.mark.parametrize("unary", [False, True])


def joint_rows(model):
    """Rows of the joint: those of its constraints, and its measurements."""
    pairs = model.compiled.pairs
    measurements = [row for (name, _), row in pairs.measurement.items() if name == "joint"]
    return [*pairs.rows_of.get("joint", ()), *measurements]


def twists(W, pair):
    return [np.concatenate([W.body[i, at.B_W : at.B_W + 3], W.body[i, at.B_V : at.B_V + 3]]) for i in pair]


def accelerations(W, pair):
    return [np.concatenate([W.body[i, at.B_AL : at.B_AL + 3], W.body[i, at.B_A : at.B_A + 3]]) for i in pair]


def held(kind, swapped, unary):
    """The joint held by rows, at a state of the motion, which meets all rows."""
    model = Model(systems.hanging(kind, swapped, unary), "absolute")
    return model, model.on_the_way(0.15)


@every_kind
def test_rows_and_speeds_add_up_to_six(kind):
    joint = systems.hanging(kind).joints["joint"]
    speeds = sum(3 if primitive.kind == "quaternion" else 1 for primitive in joint.primitives())
    assert len(joint.rows()) + speeds == 6
    assert set(joint.coordinates) <= {measure.name for measure in joint.measures()}


@every_kind
@both_ways
@unary_and_binary
def test_rates_are_derivatives_of_residuals(kind, swapped, unary):
    """On the constraints for all rows and measurements; off them for those that are plain products (a helix and an angle need
    the other rows)."""
    model, y = held(kind, swapped, unary)
    off = model.somewhere(far=0.3)
    for state, left_out in ((y, ()), (off, (at.HELIX, at.ANGLE))):
        W = model.moved(state, model.qd(state), np.zeros(model.n_u))
        for row in joint_rows(model):
            if model.T.row_i[row, at.ROW_KIND] not in left_out:
                assert derivative(W.row[row, at.Y_PHI]) == pytest.approx(W.row[row, at.Y_RATE].real, abs=ROUND_OFF)


def wrenches(model, W, row):
    """Moment and force of a row on a and on b, each about its Bo."""
    first = model.T.row_i[row, at.ROW_TERM]
    return W.term[first], W.term[first + 1]


@every_kind
@both_ways
@unary_and_binary
def test_bias_completes_the_second_derivative(kind, swapped, unary):
    """d(rate)/dt along any ud = bias + wrenches · accelerations. Rates are differentiated as written: it holds off the
    constraints too."""
    model, y = held(kind, swapped, unary)
    rng = np.random.default_rng(4)
    for state in (y, model.somewhere(far=0.3)):
        ud = rng.normal(size=model.n_u)
        W, A = model.moved(state, model.qd(state), ud), model.accelerated(state, ud)
        for row in joint_rows(model):
            pair = model.T.pair_i[model.T.row_i[row, at.ROW_PAIR], : at.PAIR_PLACE]
            a, b = accelerations(A, pair)
            on_a, on_b = wrenches(model, A, row)
            second = A.row[row, at.Y_BIAS] + on_a @ a + on_b @ b
            assert derivative(W.row[row, at.Y_RATE]) == pytest.approx(second, abs=20 * ROUND_OFF)


@every_kind
@both_ways
@unary_and_binary
def test_wrenches_are_the_rate_and_cancel(kind, swapped, unary):
    """rate = wrench on a · twist of a + wrench on b · twist of b; and the two wrenches, taken about one point, are
    opposite.

    But for a ball's point while it is open: each body is then held at its own point, as in the thesis.
    """
    model, y = held(kind, swapped, unary)
    for state, left_out in ((y, ()), (model.somewhere(far=0.3), (at.COINCIDE,))):
        W = model.accelerated(state, np.zeros(model.n_u))
        for row in joint_rows(model):
            pair = model.T.pair_i[model.T.row_i[row, at.ROW_PAIR], : at.PAIR_PLACE]
            a, b = twists(W, pair)
            on_a, on_b = wrenches(model, W, row)
            assert W.row[row, at.Y_RATE] == pytest.approx(on_a @ a + on_b @ b, abs=ROUND_OFF)
            p_a, p_b = (W.body[i, at.B_P : at.B_P + 3] for i in pair)
            T_a, F_a, T_b, F_b = on_a[:3], on_a[3:], on_b[:3], on_b[3:]
            assert F_a + F_b == pytest.approx(np.zeros(3), abs=ROUND_OFF)
            if model.T.row_i[row, at.ROW_KIND] not in left_out:
                assert T_a + np.cross(p_a, F_a) + T_b + np.cross(p_b, F_b) == pytest.approx(np.zeros(3), abs=ROUND_OFF)


@every_kind
@both_ways
@unary_and_binary
def test_blocks_move_only_where_rows_allow(kind, swapped, unary):
    """A state of the tree, far from the start, seen in absolute coordinates: every row is met, in position, rate and
    acceleration.

    Tolerance of accelerations: two different solves, both well conditioned.
    """
    system = systems.hanging(kind, swapped, unary)
    tree, rows = Model(system, "joint"), Model(system, "absolute")
    y = tree.somewhere(far=0.8)
    q, u = state_of(rows.compiled, tree.poses(y))
    W = rows.evaluate_kinematics(np.concatenate([q, u]))
    for row in rows.compiled.pairs.rows_of.get("joint", ()):
        assert W.row[row, at.Y_PHI] == pytest.approx(0.0, abs=ROUND_OFF)
        assert W.row[row, at.Y_RATE] == pytest.approx(0.0, abs=ROUND_OFF)
    ud = tree.rhs(0.0, y)[tree.n_q : tree.n_q + tree.n_u]
    other = rows.rhs(0.0, np.concatenate([q, u, np.zeros(rows.compiled.n_work)]))[rows.n_q : rows.n_q + rows.n_u]
    A, B = tree.accelerated(y, ud), rows.accelerated(np.concatenate([q, u]), other)
    for name in system.bodies:
        i, k = tree.compiled.frames.row[name], rows.compiled.frames.row[name]
        assert A.body[i, at.B_AL : at.B_AL + 3] == pytest.approx(B.body[k, at.B_AL : at.B_AL + 3], abs=1e-9)


@every_kind
@both_ways
def test_a_pose_of_the_tree_is_read_back(kind, swapped):
    """coordinates_of and state_of undo the kinematics. Oracle: the state we began with (Euler parameters up to
    sign)."""
    model = Model(systems.hanging(kind, swapped), "joint")
    y = model.somewhere(far=0.8)
    poses = model.poses(y)
    q, u = state_of(model.compiled, poses)
    assert np.array_equal(q, coordinates_of(model.compiled, poses))
    again = model.poses(np.concatenate([q, u]))
    for name in model.system.bodies:
        for before, after in zip(poses, again, strict=True):
            assert after[name] == pytest.approx(before[name], abs=ROUND_OFF)
    assert u == pytest.approx(y[model.n_q : model.n_q + model.n_u], abs=20 * ROUND_OFF)


@every_kind
@both_ways
def test_held_rows_are_independent_and_all_needed(kind, swapped):
    """In absolute coordinates a tree has no repeated rows: all are chosen, and pushing on any of them moves it (D has
    full rank)."""
    model = Model(systems.hanging(kind, swapped), "absolute")
    assert len(model.active) == model.n_rows == sum(len(joint.rows()) for joint in model.system.joints.values())
    x = np.zeros(model.n_u)
    W = model.W
    apply_inverse_mass(model.T.body_i, model.T.speed_kind, W.wrench, W.speed, W.body, np.ones(model.n_u), x)
    assert np.all(np.isfinite(x))


def test_every_kind_is_tested():
    """New kinds are found by being there."""
    assert set(systems.KINDS) == set(joint_kinds)
