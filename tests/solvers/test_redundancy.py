"""Which rows are held when some repeat others. Oracle: the rank of B, by singular values, and the motion itself."""

import numpy as np
import pytest
import systems
from engine import Model

import mekane as mk
from mekane.formulations import NAMES as FORMULATIONS
from mekane.tables import columns as at

everywhere = pytest.mark.parametrize("formulation", FORMULATIONS)
EXPECTED = {  # freedoms: speeds minus independent rows
    "four-bar": (systems.four_bar, 1), "bricard": (systems.bricard, 1), "screw loop": (systems.screw_loop, 1), "shaft": (systems.shaft, 1),
    "ring pin": (lambda: systems.ring("pin"), 2), "ring weld": (lambda: systems.ring("weld"), 1), "mixed chain": (systems.mixed_chain, 19),
    "pair weld": (lambda: systems.pair("weld"), 1), "pair free": (lambda: systems.pair("free"), 6),
}  # fmt: skip


def constraint_matrix(model, y):
    q = y[: model.n_q]
    rates = [
        model.evaluate_kinematics(np.concatenate([q, speed])).row[: model.n_rows, at.Y_RATE].copy()
        for speed in np.eye(model.n_u)
    ]
    return np.array(rates).T


@everywhere
@pytest.mark.parametrize("name", EXPECTED)
def test_as_many_rows_are_held_as_are_independent(name, formulation):
    build, freedoms = EXPECTED[name]
    model = Model(build(), formulation)
    y = model.on_the_way(0.1) if name != "bricard" else model.on_the_way(0.4)
    model.choose(y)
    B = constraint_matrix(model, y)
    assert len(model.active) == model.n_u - freedoms == np.linalg.matrix_rank(B, tol=1e-7)
    assert np.linalg.matrix_rank(B[model.active], tol=1e-7) == len(model.active)
    assert list(model.active) == sorted(set(model.active))


@everywhere
@pytest.mark.parametrize("name", ["four-bar", "bricard", "screw loop", "shaft"])
def test_rows_left_out_are_met_all_the_same(name, formulation):
    """They repeat the others, so their residuals stay at round-off although nothing holds them. A second of motion,
    rtol 1e-9."""
    run = mk.simulate(EXPECTED[name][0](), 1.0, formulation=formulation)
    assert run.info["rows_held"] < run.info["rows"]
    assert np.abs(run.record.measurement[:, : run.info["rows"]]).max() < 1e-12


def test_more_bearings_than_needed_do_not_change_the_motion():
    """A pendulum on one pin, and on three in line: the same swing. Tolerance: rtol 1e-10."""
    found = []
    for bearings in (1, 3):
        s = mk.System("pendulum")
        body = s.body("b", 1.0, inertia=(0.1, 0.2, 0.3), position=(0.5, 0.2, 0))
        for k in range(bearings):
            s.pin(f"bearing {k}", s.ground, body, at=(0, k * 0.3, 0), axis="y")
        found += [mk.simulate(s, 2.0, rtol=1e-10, formulation=f, every=2.0)["b.position"][-1] for f in FORMULATIONS]
    for other in found[1:]:
        assert np.asarray(other) == pytest.approx(np.asarray(found[0]), abs=1e-8)


def test_a_singular_position_is_crossed():
    """A parallelogram passes through the line where it could fold, evenly, because all rods balance. Tolerance: near
    the line the constraints are softened."""
    s = mk.System("parallelogram", gravity=(0, 0, 0))
    rods = [("a", (0, 0, 0), (0, 0, 1)), ("b", (0, 0, 1), (2, 0, 1)), ("c", (2, 0, 1), (2, 0, 0))]
    before = s.ground
    for k, (name, start, end) in enumerate(rods):
        body = s.body(name, 1.0, inertia=(0.1, 0.1, 0.1), position=(np.array(start) + end) / 2)
        s.pin(f"p{k}", before, body, at=start, axis="y", **({"rate": 2.0} if k == 0 else {}))
        before = body
    s.pin("p3", s.ground, before, at=(2, 0, 0), axis="y")
    run = mk.simulate(s, 3.0, rtol=1e-10)
    assert not run.info["stopped"]
    angle = np.asarray(run["p0.angle"])
    assert angle == pytest.approx(2.0 * run.t, abs=1e-5)
    assert np.asarray(run["c.angular_velocity"])[:, 1] == pytest.approx(np.full(len(run.t), 2.0), abs=1e-4)
