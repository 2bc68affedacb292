"""Specialised code of whole models. Oracle: the loops, which tests/kernels and tests/gallery hold against everything
else.

Tolerance: the same operations in another order. 1e-13 of the largest number, more where constraints are nearly
dependent, as in tests/kernels/test_one_source.py; the motion of a run agrees to its own tolerances.
"""

import ctypes
import os

import numpy as np
import pytest
import systems
from engine import Model

import mekane as mk
from mekane import gallery
from mekane.codegen import emit, machine_code
from mekane.codegen.entry_code import place_of
from mekane.codegen.machine_code import Machine
from mekane.codegen.specialise import right_hand_side
from mekane.codegen.specialised_code import Specialised
from mekane.errors import ModelError
from mekane.expressions.graph import topological
from mekane.tables.handle import RHS
from mekane.tables.tables import FOLLOWING, FROZEN, N_ACTIVE

OURS = {
    "laws": systems.laws, "mounts": systems.mounts, "driven": systems.driven, "driven ring": lambda: systems.driven_ring("universal"),
    "screw loop": systems.screw_loop, "mixed chain": systems.mixed_chain, "massless link": systems.massless_link,
}  # fmt: skip
OTHER = [("squeezer", "absolute"), ("four_bar", "mixed"), ("gyroscope", "bryan"), ("robot", "relative")]
LARGE = 8  # bodies: larger mechanisms of the gallery are the same again


def cases():
    found = [pytest.param(build, "joint", id=name) for name, build in OURS.items()]
    for name in gallery.names():
        system = gallery.find(name).system()
        if len(system.bodies) <= LARGE and not system.contact_laws:
            found.append(pytest.param(gallery.find(name).system, "joint", id=name))
    return found + [pytest.param(gallery.find(name).system, how, id=f"{name}-{how}") for name, how in OTHER]


class Both:
    """A model with its specialised code in a header of its own; the workspace is shared."""

    def __init__(self, system, formulation="joint"):
        self.model = Model(system, formulation)
        traced = lambda: [right_hand_side(self.model.compiled, self.model.W)]
        self.loops = int(self.model.handle.header[RHS])
        self.code = Specialised(traced, {"rhs": self.loops})

    def by(self, address, t, y):
        self.model.handle.header[RHS] = address
        return self.model.rhs(t, y)

    def compare(self, t, y):
        """Relative difference of the two, and what of the workspace is read after an evaluation."""
        W, found = self.model.W, []
        for address in (self.loops, self.code.address("rhs")):
            W.multiplier[:], W.row[:] = 7.0, np.nan
            yd = self.by(address, t, y)
            found.append([yd, W.multiplier.copy(), W.modes.copy(), W.r[self.model.compiled.program.event_registers]])
            rows = W.row[: self.model.n_rows, :2].copy() if self.model.compiled.tables.count[-1] > 0 else np.zeros(0)
            found[-1].append(rows)
        return [np.abs(a - b).max(initial=0.0) / np.abs(a).max(initial=1e-12) for a, b in zip(*found, strict=True)]


@pytest.mark.parametrize("build, formulation", cases())
def test_one_evaluation_is_that_of_the_loops(build, formulation):
    both = Both(build(), formulation)
    if both.model.compiled.program.callbacks:
        pytest.skip("a Python function")
    y = both.model.somewhere(far=0.03 * max(0.01, np.abs(both.model.y[: both.model.n_q]).max()))
    exact = both.model.extended_rhs(0.7, y)
    off = [
        *both.compare(0.7, y)[1:],
        *(relative(both.by(address, 0.7, y), exact) for address in (both.loops, both.code.address("rhs"))),
    ]
    assert max(off) <= both.model.reordering(), off


def relative(found, exact):
    """Each of the two against more digits: their difference may be the sum of what either order of the sums has
    lost."""
    return np.abs(found - exact).max(initial=0.0) / np.abs(exact).max(initial=1e-12)


# ---------------------------------------------------------------- what changes during a run


def test_frozen_comparisons_keep_their_outcome():
    both = Both(switched())
    W, y = both.model.W, both.model.somewhere()
    for before in (0.2, 0.8):  # on both sides of the comparison of time
        W.state[FROZEN] = 0
        both.by(both.loops, before, y)
        outcomes = W.modes.copy()
        W.state[FROZEN] = 1
        assert max(both.compare(1.0 - before, y)) <= 1e-13
        assert W.modes.tolist() == outcomes.tolist() and len(outcomes) >= 2


def switched():
    """Laws that compare time and state."""
    s = mk.System("switched")
    arm = s.body("arm", 1.0, (0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y", rate=1.0)
    s.motor("motor", "hinge", "2 if t < 0.5 else -1")
    s.motor("brake", "hinge", "-3*hinge.angle.rate if hinge.angle > 0.1 else 0")
    return s


def test_measurements_count_turns_from_where_they_were_known():
    """A law that reads an angle of a loop's cut joint: the angle goes on beyond half a turn."""
    both = Both(systems.driven_ring("universal"))
    W, y = both.model.W, both.model.somewhere(far=0.01)
    W.measurement[:], W.measurement_rate[:], W.measurement_time[0] = 20.0, 3.0, 0.2
    for following in (0, 1):
        W.state[FOLLOWING] = following
        assert max(both.compare(0.7, y)) <= both.model.reordering()


def test_other_rows_in_use_are_left_to_the_loops():
    both = Both(gallery.find("bricard").system())
    W, y = both.model.W, both.model.somewhere(far=0.01)
    used = np.flatnonzero(W.active)
    assert len(used) and both.code.fits(W)
    W.active[used[-1]] = 0
    W.state[N_ACTIVE] -= 1
    assert not both.code.fits(W)
    assert np.array_equal(both.by(both.loops, 0.1, y), both.by(both.code.address("rhs"), 0.1, y))


def test_parameters_of_laws_are_read_when_it_runs():
    both = Both(sprung())
    y = both.model.somewhere()
    before = both.by(both.code.address("rhs"), 0.0, y)
    both.model.W.r[1] *= 3.0
    assert max(both.compare(0.0, y)) <= 1e-13
    assert np.abs(both.by(both.code.address("rhs"), 0.0, y) - before).max() > 1.0


def sprung():
    s = mk.System("sprung")
    s.parameter("k", 40.0)
    arm = s.body("arm", mk.Param("m", 2.0), (0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y", rate=1.3)
    s.torsional_spring("spring", "hinge", stiffness="k*(1 + 0.1*t)")
    return s


# ---------------------------------------------------------------- runs


@pytest.mark.parametrize(
    "name, t_end", [("double_pendulum", 2.0), ("squeezer", 0.02), ("slider_crank_spatial", 1.0), ("heavy_top", 1.0)]
)
def test_runs_agree(name, t_end):
    """Tolerance: round-off, where it changes no step; else that of the runs, 1e-9, grown by what the motion makes of
    it."""
    runs = [mk.simulate(gallery.find(name).system(), t_end, code=code) for code in ("loops", "specialised")]
    a, b = (run.record.y for run in runs)
    assert np.abs(a - b).max() <= 1e-8 * np.abs(a).max()
    assert [run.info["code"] for run in runs] == ["loops", "specialised"]
    assert "made for this model" in str(runs[1].health) and "made for this model" not in str(runs[0].health)


def test_switches_happen_at_the_same_times():
    runs = [mk.simulate(switched(), 3.0, code=code) for code in ("loops", "specialised")]
    assert runs[0].info["switches"] == runs[1].info["switches"] > 0
    assert np.abs(runs[0]["hinge.angle"] - runs[1]["hinge.angle"]).max() < 1e-9


def test_changed_parameters_are_honoured():
    """Also after mk.compile: what it made is not used once the system has changed."""
    s = sprung()
    mk.compile(s)
    for changes in ({"k": 90.0}, {"m": 7.0}):
        s.set_parameters(changes)
        fast, slow = (mk.simulate(s, 1.0, code=code)["hinge.angle"] for code in ("specialised", "loops"))
        assert np.abs(fast - slow).max() < 1e-9
        assert mk.simulate(s, 0.1).info["code"] == "loops"


def test_auto_takes_code_that_is_there_and_makes_it_for_long_runs_only():
    s = sprung()
    assert mk.simulate(s, 1.0).info["code"] == "loops"
    long = mk.simulate(s, 400.0, method="rk4", step=2e-4)  # eight million evaluations
    assert long.info["code"] == "specialised" and long.health.ok
    mk.compile(s)
    assert mk.simulate(s, 1.0).info["code"] == "specialised"
    assert mk.simulate(s, 1.0, code="loops").info["code"] == "loops"


def test_python_functions_and_embedded_constraints_stay_with_the_loops():
    s = sprung()
    s.motor("odd", "hinge", lambda t, state: 1.0 if float(state["hinge.angle"]) > 0 else -1.0)
    run = mk.simulate(s, 0.2, code="specialised")
    assert run.info["code"] == "loops" and "No code was made for this model: a Python function" in str(run.health)
    with pytest.raises(ModelError, match="odd"):
        mk.compile(s)
    run = mk.simulate(gallery.find("four_bar").system(), 0.1, constraints="embedded", code="specialised")
    assert run.info["code"] == "loops" and "embedded constraints" in str(run.health)


def test_large_models_stay_with_the_loops():
    s = mk.System("long chain")
    before = s.ground
    for i in range(120):
        before, last = s.body(f"b{i}", 1.0, (0.1, 0.1, 0.1), position=(i, 0, 0)), before
        s.pin(f"p{i}", last, before, at=(i, 0, 0), axis="y")
    run = mk.simulate(s, 0.01, code="specialised")
    assert run.info["code"] == "loops" and "120 bodies are too many" in str(run.health)


@pytest.mark.parametrize("code", ["fast", None, 3])
def test_unknown_words(code):
    with pytest.raises(ModelError, match="'auto', 'loops' or 'specialised'"):
        mk.simulate(sprung(), 1.0, code=code)


# ---------------------------------------------------------------- mk.compile


@pytest.mark.parametrize("name", ["double_pendulum", "puma560", "squeezer", "governor"])
def test_forward_dynamics_with_given_forces(name):
    """Oracle: M (ud − ud without forces) = tau, less what loops take up: their forces do no work on motions they
    allow."""
    s = gallery.find(name).system()
    code = mk.compile(s)
    n_q, n_u = code.compiled.n_q, code.compiled.n_u
    q, u = code.y[:n_q], code.y[n_q : n_q + n_u] + 0.0
    free, tau = code.forward_dynamics(q, u), np.random.default_rng(0).normal(size=n_u)
    assert np.allclose(free, s.forward_dynamics(q, u), rtol=1e-10, atol=1e-10 * np.abs(free).max())
    answer = code.forward_dynamics(q, u, tau) - free
    M = s.mass_matrix(q)
    if not code.compiled.n_rows:
        assert np.abs(M @ answer - tau).max() < 1e-11 * np.abs(M).max() * max(1.0, np.abs(answer).max())
    assert answer @ (tau - M @ answer) == pytest.approx(0.0, abs=1e-8 * abs(answer @ tau))


def test_what_it_tells():
    code = mk.compile(sprung())
    assert "machine code" in str(code) and "operations" in str(code) and code.operations < 100
    assert code.address > 0 and min(code.seconds) >= 0.0
    assert np.allclose(code.rhs(0.0, code.y), code.rhs_by_loops(0.0, code.y), rtol=1e-14)
    assert code.forward_dynamics([0.1], [0]).tolist() == code.forward_dynamics(np.array([0.1]), np.zeros(1)).tolist()


def test_bad_numbers():
    code = mk.compile(sprung())
    bad = (
        dict(q=[1.0, 2.0], u=[0.0]),
        dict(q=[1.0], u="fast"),
        dict(q=[1.0], u=[0.0], tau=[1.0, 2.0]),
        dict(q=np.zeros((1, 1)), u=[0.0]),
    )
    for keywords in bad:
        with pytest.raises(ModelError, match="1 numbers are expected"):
            code.forward_dynamics(**keywords)
    with pytest.raises(ModelError, match="3 numbers are expected"):
        code.rhs(0.0, [1.0])


# ---------------------------------------------------------------- several at once


def test_a_whole_model_on_four_lanes():
    """Four states of a robot in one evaluation. Oracle: the loops, one state after the other."""
    model = Model(gallery.find("puma560").system())
    entry = right_hand_side(model.compiled, model.W)
    outputs = {place: x for place, x in entry.outputs.items() if place.array == "b"}
    inputs = {node: place_of(node) for node in topological(outputs.values()) if node.op == "input"}
    body, arrays = emit.function("body", inputs, outputs, lanes=4)
    assert set(arrays) <= {"a", "b", "t"}
    pointers = ", ".join(f"ptr %{array}" for array in arrays)
    opened = f"define void @f(ptr %t, ptr %a, ptr %b) {{\n  call void @body({pointers})\n  ret void\n}}"
    machine = Machine(emit.module([body], opened))
    y = np.array([model.somewhere(seed) for seed in range(4)])
    t, a, b = np.full(4, 0.3), np.ascontiguousarray(y.T), np.zeros((y.shape[1], 4))
    ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(machine.address("f"))(t.ctypes.data, a.ctypes.data, b.ctypes.data)
    for lane in range(4):
        one = model.rhs(0.3, y[lane])
        assert np.abs(b[:, lane] - one).max() <= model.reordering() * np.abs(one).max()


def test_a_system_that_cannot_move():
    s = mk.System("welded")
    s.weld("hold", s.ground, s.body("block", 1.0, (0.1, 0.1, 0.1), position=(0, 0, 1)), at=(0, 0, 1))
    run = mk.simulate(s, 0.1, code="specialised")
    assert run.info["code"] == "specialised" and run.health.ok


def test_of_modules_on_disk_the_latest_used_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(machine_code, "cache_home", lambda: tmp_path)
    monkeypatch.setattr(machine_code, "KEPT", 3)
    for k in range(5):
        machine_code.store(f"module {k}", b"code")
        os.utime(machine_code.place(f"module {k}"), (k, k))
    assert [machine_code.read(f"module {k}") for k in range(5)] == [None, None, *3 * [b"code"]]
