"""Bryan angles (THEORY §5, [C]) that never meet their singular position: long tumbling motions, and every change of
sequence by itself."""

import numpy as np
import pytest
import systems

import mekane as mk
from mekane import gallery
from mekane.compiler.compiler import compile_system
from mekane.compiler.coordinates import initial_poses, sequenced_angles
from mekane.gallery import free_body, heavy_top, tumbling_top
from mekane.gallery.reading import in_body, rotations
from mekane.kernels.projection import switch_sequence
from mekane.model.values.orientation import rotation
from mekane.solvers.constraints.assembly import poses_of, state_of
from mekane.solvers.entries.addresses import open_model
from mekane.solvers.entries.calls import evaluate_kinematics
from mekane.tables import columns as at

TIGHT = dict(formulation="bryan", rtol=1e-12, atol=1e-13)


def rotated(q):
    """R of three angles and their sequence, by Rodrigues' formula."""
    third = (1, 0, 0) if q[3] else (0, 0, 1)
    return rotation((1, 0, 0), q[0]) @ rotation((0, 1, 0), q[1]) @ rotation(third, q[2])


def changes(run, body):
    """How often the sequence of a body changed from one sample to the next."""
    return int(np.abs(np.diff(run.record.y[:, run.compiled.coordinates.index(f"{body}.sequence")])).sum())


def strength(run, body):
    """|cos θ2| of x-y-z, |sin θ2| of x-y-x, at every sample."""
    k = run.compiled.coordinates.index(f"{body}.angle2")
    second, sequence = run.record.y[:, k], run.record.y[:, k + 2]
    return np.abs(np.where(sequence == 0, np.cos(second), np.sin(second)))


# ---------------------------------------------------------------- motions


def test_a_thrown_body_tumbles_as_in_the_closed_form():
    """Sixty seconds, some fifty turns. Oracle: closed form of R and of the fall. 1e-8: 4000 steps at 1e-12, angles of
    order one."""
    t = np.linspace(0, 60, 6001)
    run = mk.simulate(free_body.system(), 60.0, every=t, **TIGHT)
    exact = free_body.exact(t)
    np.testing.assert_allclose(rotations(run, "body"), exact["rotation"], rtol=0, atol=1e-8)
    np.testing.assert_allclose(run["body.position"], exact["body.position"], rtol=1e-12, atol=1e-8)
    assert changes(run, "body") >= 50
    assert strength(run, "body").min() > 0.9 * at.WEAK_SEQUENCE  # samples lie between steps, so a little below


def test_a_top_flips_over_as_in_the_closed_form():
    """Spun about its middle axis, with one flip behind it. Oracle: Jacobi's functions, and constant energy and angular
    momentum.

    Errors grow a hundredfold in each flip, hence 1e-8 for errors of some 1e-12 in the steps; the invariants do not
    grow: 1e-10.
    """
    t = np.linspace(0, 30, 3001)
    run = mk.simulate(tumbling_top.system(), 30.0, every=t, **TIGHT)
    np.testing.assert_allclose(
        in_body(run, "top", "angular_velocity"), tumbling_top.exact(t)["spin"], rtol=0, atol=1e-8
    )
    assert changes(run, "top") >= 10
    assert run.energies.drift < 1e-10 * run.energies.kinetic[0]
    momentum = run.momentum["angular"].values
    np.testing.assert_allclose(momentum, momentum[:1].repeat(len(t), axis=0), rtol=0, atol=1e-10)


def test_a_heavy_top_moves_as_in_absolute_coordinates():
    """150 rad/s about an axis that no sequence is made for: the angles change sequence twice a turn. Oracle: Euler
    parameters, in the same model; 1e-8 of entries of rotations after fifty turns at 1e-13 a step."""
    t = np.linspace(0, 2, 4001)
    one, other = (gallery.find("heavy_top").run(every=t, formulation=name) for name in ("bryan", "absolute"))
    np.testing.assert_allclose(rotations(one, "top"), rotations(other, "top"), rtol=0, atol=1e-8)
    assert changes(one, "top") >= 100
    assert one.energies.drift < 1e-9 * one.energies.kinetic[0]


@pytest.mark.parametrize("fast", [False, True])
def test_a_steady_top_stays_steady(fast):
    """Oracle: closed form; 60 rad/s for two seconds."""
    t = np.linspace(0, 2, 2001)
    run = mk.simulate(heavy_top.steady_system(fast), 2.0, every=t, **TIGHT)
    np.testing.assert_allclose(rotations(run, "top"), heavy_top.steady_exact(fast)(t)["rotation"], rtol=0, atol=1e-8)


@pytest.mark.parametrize("method, keywords, tolerance", [
    ("rk4", dict(step=1e-3), 1e-8), ("rk4", dict(step=1e-3, correct=False), 1e-8), ("implicit", dict(rtol=1e-8, atol=1e-10), 2e-6),
])  # fmt: skip
def test_every_method_changes_sequence(method, keywords, tolerance):
    """Three seconds of tumbling. Oracle: closed form. Fourth order: (5 rad/s · 1e-3 s)⁴ a radian, times what the angles
    are steeper; the implicit method keeps 1e-8 a step over a few hundred steps."""
    t = np.linspace(0, 3, 301)
    run = mk.simulate(free_body.system(), 3.0, every=t, formulation="bryan", method=method, **keywords)
    np.testing.assert_allclose(rotations(run, "body"), free_body.exact(t)["rotation"], rtol=0, atol=tolerance)
    assert changes(run, "body") >= 2 and run.info["notes"] == []


def test_a_tumbling_body_is_not_taken_for_stiff():
    """Oracle: nothing in this motion decays, so the automatic method must stay explicit, on a long run with many
    changes."""
    run = mk.simulate(free_body.system(), 200.0, every=0.05, formulation="bryan", rtol=1e-6)
    assert run.info["notes"] == [] and changes(run, "body") > 100


# ---------------------------------------------------------------- one change


def test_a_change_of_sequence_keeps_place_and_motion():
    """R and w before and after a change, for any angles and rates. Oracle: themselves; round-off of angular_velocities up to 400
    rad/s."""
    compiled = compile_system(gallery.find("heavy_top").system(), "bryan")
    W, seen = compiled.workspace(), 0
    handle = open_model(compiled.tables, W)

    def placed(q, u):
        evaluate_kinematics(handle, 0.0, np.concatenate([q, u]), W.measurement)
        return poses_of(compiled, W)

    rng = np.random.default_rng(2)
    for _ in range(200):
        q, u = state_of(compiled, initial_poses(compiled.system))
        q[3:6], u[3:6] = rng.uniform(-7, 7, 3), rng.uniform(-150, 150, 3)
        q[6] = rng.integers(2)
        weak = abs(np.sin(q[4]) if q[6] else np.cos(q[4]))
        before, sequence = placed(q, u), q[6]
        changed = switch_sequence(compiled.tables.primitive_i, q, u)
        assert changed == (weak < at.WEAK_SEQUENCE) and q[6] == (1 - sequence if changed else sequence)
        after, seen = placed(q, u), seen + changed
        assert after.R["top"] == pytest.approx(before.R["top"], abs=3e-15)
        assert after.w["top"] == pytest.approx(before.w["top"], abs=1e-12)
        assert switch_sequence(compiled.tables.primitive_i, q, u) == 0  # the other one is strong there
    assert seen > 30


def test_angles_of_a_rotation_give_it_back():
    """Oracle: Rodrigues' formula for three turns. Singular positions of both sequences, and anything between."""
    rng = np.random.default_rng(3)
    orientations = [rotation(systems.unit(rng.normal(size=3)), x) for x in rng.uniform(-np.pi, np.pi, 50)]
    orientations += [
        rotation((0, 1, 0), x) @ rotation((1, 0, 0), y)
        for x in (np.pi / 2, -np.pi / 2, 0, np.pi)
        for y in (0, 0.3, np.pi)
    ]
    for R in orientations:
        q = sequenced_angles(R)
        assert rotated(q) == pytest.approx(R, abs=3e-15)
        assert abs(np.sin(q[1]) if q[3] else np.cos(q[1])) >= at.WEAK_SEQUENCE


def test_names_of_the_coordinates():
    compiled = compile_system(free_body.system(), "bryan")
    assert compiled.coordinates == [
        f"body.{coordinate}" for coordinate in ("x", "y", "z", "angle1", "angle2", "angle3", "sequence")
    ]
    assert compiled.speeds == [
        f"body.{coordinate}.rate" for coordinate in ("x", "y", "z", "angle1", "angle2", "angle3")
    ]


def test_a_body_given_at_the_singular_position_starts_in_the_other_sequence():
    """θ2 = 90°: free fall with spin, ten turns. Oracle: R = Rot(w t) R(0), a sphere keeps its spin."""
    s, spin = mk.System("sphere"), np.array([1.0, 2.0, -2.0])
    s.body("ball", 1.0, (1, 1, 1), orientation=("y", np.pi / 2), angular_velocity=spin)
    run = mk.simulate(s, 20.0, every=20.0, **TIGHT)
    assert run.record.y[0, 6] == 1
    assert rotations(run, "ball")[-1] == pytest.approx(
        rotation(spin / 3, 60.0) @ rotation((0, 1, 0), np.pi / 2), abs=1e-9
    )
