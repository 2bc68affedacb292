"""One specialised code of a model for all modes of its contact laws. Oracle: the loops, which branch where the code selects.

Tolerance of one evaluation: the same operations in another order, as in test_specialised.py; more where rows are nearly dependent,
by their weakest pivot. Motions agree to their own tolerances, and events are the same ones.
"""

import ctypes
import itertools

import numpy as np
import pytest
from engine import Model

import mekane as mk
from mekane import gallery
from mekane.codegen.specialise import right_hand_side
from mekane.codegen.specialised_code import Specialised
from mekane.errors import ModelError
from mekane.solvers.constraints.projection import FACTOR
from mekane.solvers.entries.calls import evaluate_inertias
from mekane.solvers.solver import Solver
from mekane.solvers.specialised.projection import kinematics_with_guards
from mekane.tables import columns as at
from mekane.tables.handle import KINEMATICS, RHS
from mekane.tables.tables import N_REPEATED, REFINEMENTS, V_PIVOT, n_guards

ENTRY = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64, ctypes.c_double, ctypes.c_int64, ctypes.c_int64)
MODES = (at.OPEN, at.SLIDING, at.STICKING)
NAMES = [
    "bouncing_ball", "cam_lift_off", "coulomb_decay", "friction_clutch", "kanes_puzzle", "newtons_cradle", "painleves_chalk",
    "ratchet_hoist", "slider_crank_with_stop", "spinning_coin", "stick_slip_belt",
]  # fmt: skip


def walker():
    """A trunk on two legs whose round feet touch a rough floor, with a stop, and a loop that is always closed."""
    s = mk.System("walker")
    trunk = s.body("trunk", 3.0, (0.1, 0.2, 0.2), position=(0, 0, 0.5))
    for name, y, phase in (("left", 0.1, 0.0), ("right", -0.1, 2.0)):
        shin = s.body(f"{name} shin", 0.4, (4e-3, 4e-3, 1e-3), position=(0, y, 0.3))
        s.universal(f"{name} hip", trunk, shin, at=(0, y, 0.5), axis="x", axis2="y")
        s.torsional_spring(f"{name} spring", f"{name} hip", coordinate="angle", stiffness=30.0, damping=1.0)
        s.pd(
            f"{name} drive",
            f"{name} hip",
            target=f"0.3*sin(9*t + {phase})",
            coordinate="angle2",
            stiffness=40.0,
            damping=1.0,
        )
        s.contact(f"{name} foot", (shin, mk.Sphere(0.03, at=(0, 0, -0.2))), (s.ground, mk.Plane()), friction=0.3)
    rod = s.body("rod", 0.1, (1e-4, 1e-3, 1e-3), position=(0.1, 0.0, 0.5))
    s.pin("crank", trunk, rod, at=(0.0, 0, 0.5), axis="y")
    s.spring("tie", (rod, (0.1, 0, 0)), (trunk, (0.3, 0, 0.2)), stiffness=50.0, length=0.2)
    s.limit("stop", "crank", lower=-0.4, upper=0.5, restitution=0.3)
    return s


def four_bar():
    """A closed loop that a rough stop meets."""
    s = gallery.find("four_bar").system()
    joint = next(name for name, one in s.joints.items() if type(one).__name__ == "Pin")
    s.dry_friction("rub", joint, torque=0.1)
    return s


def cases():
    of_gallery = [pytest.param(gallery.find(name).system, "joint", id=name) for name in NAMES]
    others = [
        pytest.param(gallery.find(name).system, "absolute", id=f"{name}-absolute")
        for name in ("cam_lift_off", "spinning_coin", "ratchet_hoist")
    ]
    return [
        *of_gallery,
        *others,
        pytest.param(walker, "joint", id="walker"),
        pytest.param(four_bar, "joint", id="four_bar"),
    ]


class Both:
    """A model by its loops, and by code that counts how often it hands over to them."""

    def __init__(self, build, formulation):
        self.model, self.handed_over = Model(build, formulation), 0
        self.loops = int(self.model.handle.header[RHS])
        by_loops = ENTRY(self.loops)

        def count(*arguments):
            self.handed_over += 1
            return by_loops(*arguments)

        self._kept = by_loops, ENTRY(count)
        fallback = {"rhs": ctypes.cast(self._kept[1], ctypes.c_void_p).value}
        self.code = Specialised(lambda: [right_hand_side(self.model.compiled, self.model.W)], fallback)

    def set_modes(self, modes, y, rng):
        """Rows and modes as a run has them; directions of sliding at random."""
        W, T = self.model.W, self.model.T
        for e, mode in enumerate(modes):
            d, angle = T.contact_i[e, at.C_DIRECTION], rng.uniform(0, 2 * np.pi)
            W.r[T.contact_i[e, at.C_MODE]] = mode
            W.r[d : d + 2] = (
                (np.cos(angle), np.sin(angle)) if T.contact_i[e, at.C_TANGENTS] == 2 else (np.sign(np.cos(angle)), 0)
            )
            W.incipient[e] = 0.0
        self.model.choose(y, 0.3)
        evaluate_inertias(self.model.handle, FACTOR, y)

    def by(self, address, y):
        """yd, multipliers, guards, and what the time loop reads of each element that slides."""
        model, W = self.model, self.model.W
        model.handle.header[RHS] = address
        W.multiplier[:] = 0.0
        yd = model.rhs(0.3, y)
        first = model.T.contact_i[0, at.C_GUARD]
        guards = W.r[first : first + n_guards(model.T)].copy()
        slides = np.array(
            [W.contact[e] == at.SLIDING and line[at.C_TANGENTS] == 2 for e, line in enumerate(model.T.contact_i)], bool
        )
        return yd, W.multiplier.copy(), guards, W.incipient[slides][:, [at.I_X, at.I_Y, at.I_TURNS]].ravel()


@pytest.mark.parametrize("build, formulation", cases())
def test_one_code_in_all_modes(build, formulation):
    both, rng = Both(build, formulation), np.random.default_rng(0)
    W, n = both.model.W, len(both.model.T.contact_i)
    every = list(itertools.product(MODES, repeat=n))
    compared = 0
    for k in rng.permutation(len(every))[:30]:
        y = both.model.somewhere(int(k), far=0.03 * max(0.01, np.abs(both.model.y[: both.model.n_q]).max()))
        both.set_modes(every[k], y, rng)
        weakest, handed_over = W.vectors[V_PIVOT].min(initial=1.0), both.handed_over
        found = [both.by(address, y) for address in (both.loops, both.code.address("rhs"))]
        ordinary = W.state[N_REPEATED] == 0 and W.state[REFINEMENTS] == 1
        assert both.handed_over == handed_over + (not ordinary)
        compared += ordinary
        off = [np.abs(a - b).max(initial=0.0) / np.abs(a).max(initial=1.0) for a, b in zip(*found, strict=True)]
        assert max(off) <= both.model.reordering() / min(1.0, weakest), (every[k], off)
    assert compared > 0


@pytest.mark.parametrize(
    "build", [walker, gallery.find("ratchet_hoist").system, gallery.find("slider_crank_with_stop").system]
)
def test_kinematics_leave_the_same(build):
    """Bodies, rows and guards of a state, whatever state was there before. Tolerance: round-off of positions of a metre."""
    both, rng = Both(build, "joint"), np.random.default_rng(1)
    model, W, T = both.model, both.model.W, both.model.T
    loops = int(model.handle.header[KINEMATICS])
    made = Specialised(lambda: [kinematics_with_guards(model.compiled, W)], {"kinematics": loops})
    first = T.contact_i[0, at.C_GUARD]
    for seed in range(6):
        y, other = model.somewhere(seed, 0.03), model.somewhere(50 + seed, 0.03)
        both.set_modes(rng.choice(MODES, len(T.contact_i)), y, rng)
        both.by(both.loops, y)
        found = []
        for address in (loops, made.address("kinematics")):
            for entry, state in ((loops, other), (address, y)):
                ENTRY(entry)(model.handle.header.ctypes.data, 0.3, state.ctypes.data, 0)
            found.append(
                [
                    W.row[:, :3].copy(),
                    W.term.copy(),
                    W.body.copy(),
                    W.speed.copy(),
                    W.r[first : first + n_guards(T) - 1].copy(),
                ]
            )
        for a, b in zip(*found, strict=True):
            assert np.allclose(a, b, rtol=1e-12, atol=1e-12), (a - b, a, b)


# ---------------------------------------------------------------- runs

RUNS = [
    (gallery.find("coulomb_decay").system, 1.0), (gallery.find("ratchet_hoist").system, 1.0), (gallery.find("spinning_coin").system, 0.5),
    (gallery.find("newtons_cradle").system, 1.0), (gallery.find("slider_crank_with_stop").system, 1.0), (walker, 1.0), (four_bar, 1.0),
]  # fmt: skip


@pytest.mark.parametrize("build, t_end", RUNS)
def test_runs_agree(build, t_end):
    """Tolerance: the runs' own, 1e-10, grown by what events and motion make of it. Sliding that turns round within what counts as rest
    may end twice there, as round-off has it: such a line counts once."""
    loops, code = (mk.simulate(build(), t_end, rtol=1e-10, atol=1e-12, code=how) for how in ("loops", "specialised"))
    assert [run.info["code"] for run in (loops, code)] == ["loops", "specialised"] and code.health.ok
    assert np.abs(loops.record.y - code.record.y).max() <= 1e-7 * np.abs(loops.record.y).max()
    lines = [lines_of(run) for run in (loops, code)]
    assert [(one.event, one.kind) for one in lines[0]] == [(one.event, one.kind) for one in lines[1]]
    assert np.allclose(*([one.time for one in found] for found in lines), rtol=0.0, atol=1e-7)


def lines_of(run):
    """Of events, without those that repeat a reversal within 1e-9 s."""
    found = []
    for one in run.events:
        last = found[-1] if found else None
        reverses = last and all(name.endswith(".direction") for name in (*last.changes, *one.changes))
        if not (reverses and one.changes.keys() == last.changes.keys() and one.time - last.time < 1e-9):
            found.append(one)
    return found


def test_code_takes_over_in_the_midst_of_a_run():
    """A state of the walker with a foot that slides, another that hangs, by code from there on."""
    loops, other = (
        Solver(Model(walker).compiled, Model(walker).y.copy(), rtol=1e-10, atol=1e-12, code="loops") for _ in range(2)
    )
    for solver in (loops, other):
        solver.step(0.4)
    other.code.use(other)
    for solver in (loops, other):
        solver.step(0.4)
    assert other.code.facts()["code"] == "specialised" and loops.code.facts()["code"] == "loops"
    assert np.abs(loops.y - other.y).max() <= 1e-8


def test_code_that_was_made_at_rest_serves_all_modes():
    """A foot is in the air where code is made, and never again: the same code, from start to end."""
    s = walker()
    code = mk.compile(s)
    run = mk.simulate(s, 0.6)
    modes = {float(mode) for name in ("left foot", "right foot") for mode in run[f"{name}.mode"].values}
    assert run.info["code"] == "specialised" and modes == {at.OPEN, at.SLIDING, at.STICKING} and code.operations > 500


@pytest.mark.parametrize("name", ["rough_bearing", "slider_crank_with_friction"])
def test_friction_by_loads_is_left_to_the_loops(name):
    run = mk.simulate(gallery.find(name).system(), 0.1, code="specialised")
    assert run.info["code"] == "loops" and "friction of the model is by the load of its joint" in str(run.health)


def test_rows_that_repeat_others_are_left_to_the_loops():
    """A box on four corners: its forces are shared by load, at every evaluation."""
    loops, code = (gallery.find("box_on_slope").run(code=how) for how in ("loops", "specialised"))
    assert np.abs(loops.record.y - code.record.y).max() <= 1e-9 and len(loops.events) == len(code.events)


def test_forward_dynamics_is_refused():
    """There the modes would be those of the start, whatever the state."""
    code = mk.compile(gallery.find("bouncing_ball").system())
    with pytest.raises(ModelError, match="its rows change from phase to phase"):
        code.forward_dynamics(code.y[: code.compiled.n_q], np.zeros(code.compiled.n_u))
