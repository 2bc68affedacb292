"""Assembly: from a rough description to a state that meets every joint, the same in every formulation; or a plain
refusal.

Oracles: geometry. Tolerance of a closed loop: 1e-12 of lengths of order one, a few ulps of sums of several terms.
"""

import numpy as np
import pytest
import systems
from engine import Model

import mekane as mk
from mekane.analyses.simulate import initial_solver
from mekane.formulations import NAMES as FORMULATIONS
from mekane.model.values.orientation import rotation
from mekane.solvers.constraints.assembly import assemble, poses_of, state_of
from mekane.tables import columns as at

everywhere = pytest.mark.parametrize("formulation", FORMULATIONS)


def loop_of_rods(error=0.0, turn=0.0, lengths=(0.4, 1.0, 0.8), base=0.9, seed=0):
    """A planar four-bar given by local points, its rods displaced and turned by up to `error` and `turn`."""
    rng = np.random.default_rng(seed)
    s = mk.System("rods", gravity=(0, 0, 0))
    a, b, c = lengths
    A, B = np.zeros(2), np.array([0.0, a])
    D = np.array([base, 0.0])
    d = np.linalg.norm(D - B)
    if abs(b - c) < d < b + c:
        x = (b * b - c * c + d * d) / (2 * d)
        along = (D - B) / d
        C = B + x * along + np.sqrt(b * b - x * x) * np.array([-along[1], along[0]])
    else:
        C = (B + D) / 2 + (0.0, 0.3)
    before = "ground"
    for k, (start_, end, length) in enumerate(((A, B, a), (B, C, b), (C, D, c))):
        angle = np.arctan2(*(end - start_)[::-1]) + turn * rng.uniform(-1, 1)
        middle = np.append((start_ + end) / 2, 0.0) + error * rng.uniform(-1, 1, 3)
        s.body(f"rod {k}", 1.0, inertia=np.array([0.01, 0.1, 0.1]) * base**2, position=middle, orientation=("z", angle))
        on_a = (0, 0, 0) if k == 0 else (lengths[k - 1] / 2, 0, 0)
        s.pin(f"pin {k}", before, f"rod {k}", on_a=on_a, on_b=(-length / 2, 0, 0), axis_a="z", axis_b="z")
        before = f"rod {k}"
    s.pin("pin 3", before, "ground", on_a=(c / 2, 0, 0), on_b=(*D, 0), axis_a="z", axis_b="z")
    return s


def open_by(system, poses):
    """Largest misfit of any joint, by Joint.rows read from frames."""
    worst = 0.0
    for joint in system.joints.values():
        R_F, R_M = poses.R[joint.a] @ joint.R_AF, poses.R[joint.b] @ joint.R_BM
        r = poses.p[joint.b] + poses.R[joint.b] @ joint.p_BM - poses.p[joint.a] - poses.R[joint.a] @ joint.p_AF
        vectors = np.concatenate([R_F.T, R_M.T])
        for row in joint.rows():
            phi = {
                "along": vectors[row.e] @ r,
                "coincide": r[row.e % 3],
                "perpendicular": vectors[row.e] @ vectors[row.m],
            }
            worst = max(worst, abs(phi[row.kind]))
    return worst


@pytest.mark.parametrize("error, turn", [(0.0, 0.0), (1e-6, 1e-6), (0.01, 0.02), (0.1, 0.3), (0.2, 0.6)])
@pytest.mark.parametrize("seed", range(4))
def test_rough_starts_close(error, turn, seed):
    system = loop_of_rods(error, turn, seed=seed)
    assembly = assemble(system)
    assert open_by(system, assembly.poses) < 1e-12
    assert assembly.gap == pytest.approx(open_by(system, described(system)), abs=1e-12)
    assert assembly.moved < 4 * error + 2 * turn + 1e-12


def described(system):
    from mekane.compiler.coordinates import initial_poses

    return initial_poses(system)


def test_an_exact_start_is_left_alone():
    """Nothing moves that fits already, but for round-off."""
    assembly = assemble(loop_of_rods())
    assert assembly.moved < 1e-14 and assembly.turned < 1e-14


@pytest.mark.parametrize(
    "name", ["mixed chain", "four-bar", "screw loop", "driven ring screw", "massless link", "free bodies", "laws"]
)
def test_every_formulation_starts_from_the_same_state(name):
    """Poses and motions of all bodies as each formulation has them at the start. Tolerance: round-off of a chain of
    nine joints."""
    found = []
    for formulation in FORMULATIONS:
        solver, _ = initial_solver(systems.named()[name](), formulation=formulation)
        model = Model(solver.compiled.system, formulation)
        found.append(poses_of(solver.compiled, model.evaluate_kinematics(solver.y)))
    for other in found[1:]:
        same_poses(found[0], other, 1e-12)


@pytest.mark.parametrize("kind", systems.KINDS)
@pytest.mark.parametrize("swapped", [False, True])
def test_a_joint_of_any_kind_is_closed(kind, swapped):
    """Bodies put down at random places near their joints: all rows met, positions and speeds, and the state expressible
    in the tree."""
    system = systems.hanging(kind, swapped)
    rng = np.random.default_rng(7)
    moved = mk.System("moved", gravity=system.gravity)
    for name, body in system.bodies.items():
        R = body.R_NB @ rotation(systems.unit(rng.normal(size=3)), 0.1)
        moved.body(name, body.mass, body.inertia, com=body.com, position=body.position + 0.05 * rng.normal(size=3), orientation=R,
                   velocity=rng.normal(size=3), angular_velocity=rng.normal(size=3))  # fmt: skip
    for name, joint in system.joints.items():
        keywords = dict(on_a=joint.p_AF, on_b=joint.p_BM, frame_a=joint.R_AF, frame_b=joint.R_BM)
        keywords |= {word: getattr(joint, word) for word in joint.own_keywords()}
        getattr(moved, joint.kind)(name, joint.a, joint.b, **keywords)
    model = Model(moved, "absolute")
    row = model.evaluate_kinematics(model.y).row[: model.n_rows]
    assert np.abs(row[:, at.Y_PHI]).max(initial=0) < 1e-12
    assert np.abs(row[:, at.Y_RATE]).max(initial=0) < 1e-12
    tree = Model(moved, "joint")
    same_poses(tree.poses(tree.y), model.poses(model.y), 1e-11)


def same_poses(one, other, tolerance):
    for before, after in zip(one, other, strict=True):
        for body in before:
            assert after[body] == pytest.approx(before[body], abs=tolerance)


OPPOSITE = {
    "pin": dict(axis_a="z", axis_b="-z"), "pin_slider": dict(axis_a="z", axis_b="-z"), "screw": dict(axis_a="z", axis_b="-z", pitch=0.1),
    "planar": dict(normal_a="z", normal_b="-z"), "slider": dict(frame_a=np.eye(3), frame_b=np.diag([1.0, -1.0, -1.0])),
    "weld": dict(frame_a=np.eye(3), frame_b=np.diag([-1.0, 1.0, -1.0])),
}  # fmt: skip


@pytest.mark.parametrize("kind", OPPOSITE)
def test_frames_that_point_apart_are_no_solution(kind):
    """Rows such as FZ·MX = 0 also hold with the axes opposite, which the joint does not mean. Either bodies are turned
    or it is refused, but formulations never start from different states."""
    s = mk.System("opposite")
    body = s.body("b", 1.0, inertia=(0.1, 0.2, 0.3), position=(0.3, 0, 0), com=(0.1, 0.05, 0))
    getattr(s, kind)("j", s.ground, body, on_a=(0, 0, 0), on_b=(-0.3, 0, 0), **OPPOSITE[kind])
    try:
        tree, rows = Model(s, "joint"), Model(s, "absolute")
    except mk.ModelError as refusal:
        assert "'j'" in str(refusal)
    else:
        same_poses(tree.poses(tree.y), rows.poses(rows.y), 1e-11)


def test_a_screw_some_turns_on_starts_where_it_was_given():
    """Three pitches along its axis it has turned three times, in every formulation, and its angle says so. Oracle:
    where it was put."""
    s = mk.System("screw")
    body = s.body("b", 1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0.3))
    s.screw("j", s.ground, body, on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="z", axis_b="z", pitch=0.1)
    for formulation in FORMULATIONS:
        model = Model(s, formulation)
        assert model.poses(model.y).p["b"] == pytest.approx((0, 0, 0.3), abs=1e-12)
        run = mk.simulate(s, 0.01, every=0.01, formulation=formulation)
        assert float(run["j.angle"][0]) == pytest.approx(6 * np.pi, abs=1e-9)


def test_far_from_the_origin_it_still_closes():
    """100 km away an ulp is 1.5e-11 m: no loop closes better, and none need."""
    for far in (1e3, 1e5):
        s = mk.System("far", gravity=(0, 0, -9.81))
        body = s.body("b", 1.0, inertia=(1, 1, 1), position=(far, 0.3, -0.5), orientation=((1, 2, 3), 0.7))
        s.ball("top", s.ground, body, at=(far + 0.1, 0.2, 0.1))
        s.ball("other", s.ground, body, at=(far - 0.3, 0.1, -0.2))
        assert assemble(s).gap < 1e-9


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1.0, 1e3, 1e6])
def test_the_size_of_a_mechanism_does_not_matter(scale):
    """Micrometres or kilometres: closed relative to its size. Oracle: geometry."""
    lengths = tuple(scale * x for x in (0.4, 1.0, 0.8))
    system = loop_of_rods(0.05 * scale, 0.1, lengths, 0.9 * scale)
    assert open_by(system, assemble(system).poses) < 1e-10 * scale + 1e-15


# ---------------------------------------------------------------- refusals


def test_a_loop_that_cannot_close_names_a_joint_of_it():
    """Rods of 0.4 + 0.3 + 0.2 do not span 2."""
    with pytest.raises(mk.ModelError, match=r"joint 'pin \d'.*stays open by .* (m|rad)") as caught:
        assemble(loop_of_rods(lengths=(0.4, 0.3, 0.2), base=2.0))
    assert "between" in str(caught.value)


def test_what_is_far_from_closed_is_not_searched_for_rows_that_repeat(monkeypatch):
    """A search in dense matrices, without end for a long chain: rows that repeat others leave round-off open, not metres."""
    monkeypatch.setattr("mekane.solvers.constraints.assembly.independent_rows", lambda *_: pytest.fail("searched"))
    s = mk.System("chain")
    last = s.ground
    for k in range(150):  # all at the origin
        body = s.body(f"b{k}", 1.0, inertia=(0.1, 0.1, 0.1))
        s.pin(f"p{k}", last, body, on_a=(0, 0, -1), on_b=(0, 0, 0), axis="y")
        last = body
    s.pin("far", last, s.ground, on_a=(0, 0, -1), on_b=(0, 0, -200), axis="y")  # no chain of 150 m reaches it
    with pytest.raises(mk.ModelError, match="it stays open by"):
        mk.simulate(s, 1.0)


@pytest.mark.parametrize("kind", ["pin", "ball"])
@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_a_tree_whose_bodies_are_all_at_the_origin_is_put_together(kind, formulation):
    """Its joints can always be closed. Oracle: the same chain with every body given where it belongs, hanging, and then its motion.
    It was refused as a loop that cannot be closed from 40 bodies on."""
    from mekane.solvers.constraints.assembly import assemble

    def chain(at_origin):
        s, last = mk.System("chain"), None
        for k in range(60):
            last, body = (
                last or s.ground,
                s.body(f"b{k}", 1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0 if at_origin else -k)),
            )
            place = dict(on_a=(0, 0, -1 if k else 0), on_b=(0, 0, 0)) | (dict(axis="y") if kind == "pin" else {})
            getattr(s, kind)(f"p{k}", last, body, **place)
            last = body
        s.force("push", last, value=(1.0, 0, 0), at=(0, 0, 0))
        return s

    there = assemble(chain(True)).poses
    for k in range(60):
        assert there.p[f"b{k}"] == pytest.approx((0, 0, -k), abs=1e-12)
    one, other = (mk.simulate(chain(at_origin), 0.05, formulation=formulation) for at_origin in (True, False))
    assert one["b59.position"].values == pytest.approx(other["b59.position"].values, rel=0, abs=1e-9)


def test_two_welds_that_contradict_each_other():
    s = mk.System("welds")
    body = s.body("b", 1.0, inertia=(1, 1, 1))
    s.weld("one", s.ground, body, on_a=(0, 0, 0), on_b=(0, 0, 0))
    s.weld("two", s.ground, body, on_a=(1, 0, 0), on_b=(0, 0, 0))
    with pytest.raises(mk.ModelError, match="joint '(one|two)'"):
        assemble(s)


def test_rates_that_contradict_each_other_are_named():
    """One crank cannot turn two rockers as it pleases."""
    s = systems.four_bar(rate=3.0)
    from dataclasses import replace

    s.joints["pin 3"] = replace(s.joints["pin 3"], rates={"angle": 100.0})
    with pytest.raises(mk.ModelError, match="'pin 0', 'pin 3'"):
        assemble(s)


# ---------------------------------------------------------------- speeds


@pytest.mark.parametrize("kind", [kind for kind in systems.KINDS if systems.hanging(kind).joints["joint"].coordinates])
@pytest.mark.parametrize("swapped", [False, True])
def test_rates_given_with_a_joint_are_met(kind, swapped):
    """In a moving tree, by any kind with coordinates. Oracle: the rate read back from the frames (measurements)."""
    rng = np.random.default_rng(3)
    s = mk.System("rates")
    carrier, body = (
        systems.some_body(s, "carrier", rng, (0, 0.2, 0)),
        systems.some_body(s, "body", rng, (0.5, 0.3, 0.1)),
    )
    s.pin("root", s.ground, carrier, at=(0, 0, 0), axis=(0, 1, 0.3), rate=1.5)
    names = systems.joint_kinds[kind].coordinates
    wanted = dict(zip(names, rng.normal(size=len(names)), strict=True))
    systems.join(s, kind, "joint", carrier, body, (0.3, 0.2, 0.1), systems.unit((1, 0.5, -0.3)), swapped, rate=wanted)
    model = Model(s, "absolute")
    row = model.evaluate_kinematics(model.y).row
    for word, value in wanted.items():
        assert row[model.compiled.pairs.measurement["joint", word], at.Y_RATE] == pytest.approx(value, abs=1e-12)
    assert row[model.compiled.pairs.measurement["root", "angle"], at.Y_RATE] == pytest.approx(1.5, abs=1e-12)
    tree = Model(s, "joint")
    for word, value in wanted.items():
        if ("joint", word) in tree.compiled.tree_coordinate:
            assert tree.y[tree.n_q + tree.compiled.tree_coordinate["joint", word][1]] == pytest.approx(value, abs=1e-12)


def test_speeds_change_least_in_the_mass_metric():
    """Gauss' principle: of all possible speeds the one nearest to what was given. Oracle: dense projection u −
    M⁻¹Bᵀ(BM⁻¹Bᵀ)⁺ B u."""
    system = systems.ring("ball")
    model = Model(system, "absolute")
    _, given = state_of(model.compiled, described(system))
    n_q, n_u = model.n_q, model.n_u
    q = model.y[:n_q]
    B = np.array(
        [
            model.evaluate_kinematics(np.concatenate([q, speed])).row[: model.n_rows, at.Y_RATE].copy()
            for speed in np.eye(n_u)
        ]
    ).T
    M = mass_matrix(model, q)
    X = np.linalg.solve(M, B.T)
    expected = given - X @ np.linalg.lstsq(B @ X, B @ given, rcond=None)[0]
    assert model.y[n_q : n_q + n_u] == pytest.approx(expected, abs=1e-10)


def mass_matrix(model, q):
    """(E.3) from the motion that each unit speed gives."""
    moving = [model.poses(np.concatenate([q, speed])) for speed in np.eye(model.n_u)]
    M = np.zeros((model.n_u, model.n_u))
    for name, body in model.system.bodies.items():
        R = moving[0].R[name]
        w = np.array([p.w[name] for p in moving])
        v = np.array([p.v[name] + np.cross(p.w[name], R @ body.com) for p in moving])
        M += body.mass * v @ v.T + w @ R @ body.inertia @ R.T @ w.T
    return M


def test_a_massless_link_follows_the_bodies_it_carries():
    """A cross slide on a massless carriage: the carriage has no motion of its own to keep, so the body keeps the
    velocity it was given."""
    s = mk.System("cross slide", gravity=(0, 0, 0))
    s.body("carriage", mass=0, massless=True)
    s.body("tool", mass=2.0, inertia=(1, 1, 1), velocity=(1, 2, 0))
    s.slider("x", "ground", "carriage", axis="x")
    s.slider("y", "carriage", "tool", axis="y")
    assert assemble(s).poses.v["tool"] == pytest.approx([1, 2, 0], abs=1e-14)
    assert assemble(s).poses.v["carriage"] == pytest.approx([1, 0, 0], abs=1e-14)


def test_a_rate_that_nothing_resists_is_refused_in_words():
    """A massless fork on a vertical pin, a point mass straight below: about the pin there is no inertia, so no least
    change of speeds."""
    s = mk.System("fork")
    s.body("fork", mass=0, massless=True)
    s.body("bob", mass=1, position=(0, 0, -1))
    s.pin("upright", s.ground, "fork", at=(0, 0, 0), axis="z", rate=3.0)
    s.pin("hinge", "fork", "bob", at=(0, 0, 0), axis="y", rate=0.0)
    with pytest.raises(mk.ModelError, match="no inertia resists the speed 'upright.angle.rate'"):
        mk.simulate(s, 1.0)
