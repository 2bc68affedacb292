"""Kernels on lanes: right-hand side and projection of whole models. Oracle: the same equations in more digits
(`Model.extended_rhs`), the kernels as plain Python on floats, other lane counts and neighbours.

The kernels are compiled for each number of lanes, which takes half a minute. So `make test` has the number that many runs use
on this processor, and `make test-all` the others.

Tolerance: what reordering may change, as in tests/kernels/test_one_source.py; bits of a run are equal or not.
"""

import ctypes

import numpy as np
import pytest
import systems
from engine import Model

import mekane as mk
from mekane import gallery
from mekane.compiler.symbolic_tables import symbolic
from mekane.errors import ModelError
from mekane.expressions.graph import evaluate
from mekane.kernels.lanes.projection import N_AFTER, PIVOT, RESIDUAL, lane_projection
from mekane.numba_backend.kernel import plain
from mekane.numba_backend.lane import lane_array
from mekane.solvers.lanes.loop_code import LoopCode, LoopModel
from mekane.solvers.lanes.threads import lanes_of_processor
from mekane.tables.columns import Y_PHI, Y_RATE

WIDE = lanes_of_processor()
CALL = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)
STRIDE = 3
CASES = {
    "laws": systems.laws, "mounts": systems.mounts, "driven": systems.driven, "driven ring": lambda: systems.driven_ring("universal"),
    "screw loop": systems.screw_loop, "mixed chain": systems.mixed_chain, "massless link": systems.massless_link,
}  # fmt: skip
CASES |= {name: gallery.find(name).system for name in ("squeezer", "four_bar", "gyroscope", "robot")}


class OnLanes:
    """Functions of a model over rows of states, `lanes` of them at a time."""

    def __init__(self, model, lanes, varied=(), **options):
        self.lanes, self.model = lanes, LoopModel(symbolic(model.system, "joint", list(varied)), model.W)
        self.code = LoopCode(self.model, lanes, self.p, STRIDE, **options)

    @property
    def p(self):
        return {x: k for k, x in enumerate(dict.fromkeys(self.model.given.values()))}

    def rows(self, name, t, y, more, stride=1, p=None):
        found, f = np.zeros((len(y), y.shape[1] + more)), CALL(self.code.address(name))
        p = np.zeros((len(y), 1)) if p is None else p
        for k in range(0, len(y), self.lanes):
            given = [lane_array(self.lanes, n) for n in (1, y.shape[1], p.shape[1], (y.shape[1] + more) * stride)]
            for array, x in zip(given, (np.full((len(y), 1), t), y, p), strict=False):
                array[:] = x[k : k + self.lanes].T
            f(*(x.ctypes.data for x in given))
            found[k : k + self.lanes] = given[-1][::stride].T
        return found

    def rhs(self, t, y, p=None):
        return self.rows("rhs", t, y, 1, STRIDE, p)


def states(model, n=8):
    far = 0.01 * max(0.1, np.abs(model.y[: model.n_q]).max())
    return np.stack([model.somewhere(seed, far) for seed in range(n)])


@pytest.mark.divided("name", 2)
@pytest.mark.parametrize("name", CASES)
def test_right_hand_side(name):
    """The same bits in another order, and beside a run that has ended in nonsense."""
    model = Model(CASES[name]())
    y, lanes = states(model), OnLanes(model, WIDE)
    found = lanes.rhs(0.7, y)
    for row, one in zip(found, y, strict=True):
        exact, _ = model.extended_rhs(0.7, one), model.rhs(0.7, one)  # the rows at this state, for its tolerance
        assert np.abs(row[:-1] - exact).max() <= np.abs(exact).max() * model.reordering()
    assert lanes.rhs(0.7, y[::-1].copy())[::-1].tobytes() == found.tobytes()
    y[3] = np.nan
    assert np.delete(lanes.rhs(0.7, y), 3, 0).tobytes() == np.delete(found, 3, 0).tobytes()


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", CASES)
def test_bits_on_other_numbers_of_lanes(name):
    model = Model(CASES[name]())
    y = states(model)
    found = {lanes: OnLanes(model, lanes).rhs(0.7, y).tobytes() for lanes in {1, 8, WIDE}}
    assert len(set(found.values())) == 1


def test_numbers_that_differ_from_run_to_run():
    """A mass, and a parameter of a law. Oracle: systems that were built with these numbers."""

    def pendulum(mass=2.0, k=3.0):
        s = mk.System("pendulum")
        s.parameter("k", k)
        arm = s.body("arm", mass, (0.1, 0.12, 0.03), position=(0, 0, -0.5))
        s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y", rate=1.0)
        s.motor("motor", "hinge", "-k*sin(hinge.angle) - 0.1*hinge.angle.rate")
        return s

    masses, ks = np.linspace(1.0, 4.0, 8), np.linspace(-2.0, 5.0, 8)
    model = Model(pendulum())
    lanes = OnLanes(model, WIDE, ("arm.mass", "k"))
    names = list(symbolic(model.system, "joint", ["arm.mass", "k"]).values)
    mass_name = next(name for name in names if name != "k")
    p = np.array([
        evaluate(list(lanes.p), {mass_name: m, "k": k}) for m, k in zip(masses, ks, strict=True)
    ])  # fmt: skip
    y = np.tile(model.somewhere(), (8, 1))
    found = lanes.rhs(0.2, y, p)[:, :-1]
    for row, mass, k in zip(found, masses, ks, strict=True):
        exact = Model(pendulum(mass, k)).rhs(0.2, y[0])
        assert np.abs(row - exact).max() <= 1e-13 * np.abs(exact).max()


@pytest.mark.parametrize("name", ["four_bar", "driven ring", "mounts"])
def test_projection(name):
    """One step is that of the kernel on floats; three steps meet the constraints of positions, one more those of
    speeds."""
    model = Model(CASES[name]())
    lanes = OnLanes(model, WIDE, projection=True)
    y, n = states(model), len(model.y)
    for function, column in (("project_positions", Y_PHI), ("project_speeds", Y_RATE)):
        found = lanes.rows(function, 0.0, y, N_AFTER)
        for before, after in zip(y, found, strict=True):
            W, exact = model.workspace(float), np.zeros(n + N_AFTER)
            W.regularization[0] = 0.0
            exact[:n] = before
            plain(lane_projection)(model.T, W, 0.0, exact[:n], column, np.zeros(model.n_u), exact[n:])
            assert np.abs(after - exact).max() <= 1e-11 * np.abs(exact).max()
        for _ in range(3):
            y = lanes.rows(function, 0.0, y, N_AFTER)[:, :n]
        after = lanes.rows(function, 0.0, y, N_AFTER)[:, n:]
        assert after[:, RESIDUAL].max() <= 1e-12 and (after[:, PIVOT] > 0.0).all()


def test_what_stays_with_the_scalar_engine_is_refused():
    model = Model(gallery.find("coulomb_decay").system())
    with pytest.raises(ModelError, match="rows change"):
        OnLanes(model, WIDE)
