"""Everything public can be pickled, copied and sent to other processes, or raises an error with an explanation. Oracle: the object
itself.

A copy must not only look the same: what it computes afterwards is compared, because addresses of memory would lead
elsewhere.
"""

import copy
import gc
import multiprocessing
import pickle
import weakref
from dataclasses import dataclass

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError

OPTIONS = (
    {},
    {"method": "implicit"},
    {"constraints": "embedded"},
    {"code": "specialised"},
    {"method": "rk4", "step": 1e-3},
)
WAYS = {"pickle": lambda x: pickle.loads(pickle.dumps(x)), "copy": copy.copy, "deepcopy": copy.deepcopy}


def crank(torque="sin(t) if hinge.angle < 0.3 else 0.2"):
    """A loop, a comparison of the state, a parameter, an integral."""
    s = mk.System("crank", parameters={"k": 10.0})
    s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.body("rod", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -1.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=2.0)
    s.pin("elbow", "arm", "rod", at=(0, 0, -1), axis="y")
    s.distance("tie", ("ground", (1, 0, -1)), ("rod", (0, 0, 0)))
    s.torsional_spring("spring", "hinge", stiffness=mk.Param("k"))
    s.torsional_damper("damper", "elbow", damping=0.5)
    s.motor("drive", "hinge", torque=torque)
    return s


def pendulum():
    s = mk.System("pendulum", parameters={"k": 10.0})
    s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y")
    s.torsional_spring("spring", "hinge", stiffness=mk.Param("k"))
    s.motor("m", "hinge", torque=0.0)
    return s


def fitted():
    """To a motion under a load, which the stiffness decides."""
    s = pendulum()
    s.motor("load", "hinge", torque=1.0)
    run = mk.simulate(s.with_parameters(k=11.0), 0.3, every=0.1)
    return mk.optimize(
        s, {"k": (5, 20)}, fit={"times": run.t, "hinge.angle": run.numbers("hinge.angle") + 1e-3 * np.sin(run.t)}
    )


ANSWERS = {
    "assembly": lambda: mk.assemble(crank()),
    "compare": lambda: mk.compare(pendulum()),
    "conserved": lambda: mk.conserved(pendulum()),
    "continuation": lambda: mk.continuation(pendulum(), "k", (8, 12)),
    "count": lambda: crank().count_equations(),
    "equations": lambda: mk.equations(pendulum()),
    "equilibria": lambda: mk.equilibrium(pendulum(), all=True, starts=3),
    "equilibrium": lambda: mk.equilibrium(crank("0.3")),
    "health": lambda: mk.simulate(crank(), 0.05).health,
    "inverse dynamics": lambda: mk.inverse_dynamics(pendulum(), {"hinge": "sin(t)"}, times=np.linspace(0, 1, 5)),
    "inverse kinematics": lambda: mk.inverse_kinematics(pendulum(), {"arm.position": (-0.3, 0, -0.4)}),
    "kane": lambda: crank().kane_equations(),
    "kinematics": lambda: mk.kinematics(pendulum(), "hinge", (0, 1, 5)),
    "linearization": lambda: mk.linearize(pendulum()),
    "mobility": lambda: mk.mobility(crank()),
    "modes": lambda: mk.modes(pendulum()),
    "optimum": fitted,
    "error of a run": lambda: mk.simulate(pendulum(), 0.05).error,
    "partial velocities": lambda: crank().partial_velocities(),
    "picture": lambda: mk.simulate(pendulum(), 0.05).picture(),
    "root locus": lambda: mk.root_locus(pendulum(), "k", [5, 10]),
    "sensitivity": lambda: mk.sensitivity(pendulum(), to="k", of="hinge.angle", t_end=0.1),
    "steady": lambda: mk.steady(pendulum(), turning=0),
    "table": lambda: mk.Table([0, 1], [0, 1]),
    "topology": lambda: crank().topology,
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers(name):
    answer = ANSWERS[name]()
    text = str(answer)
    for way in WAYS.values():
        again = way(answer)
        assert type(again) is type(answer) and (str(again) == text or "object at 0x" in text)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("options", OPTIONS)
def test_a_solver_goes_on_bit_by_bit(way, options):
    """Original and copy go on side by side: neither writes into the other's memory."""
    solver = mk.stepper(crank(), **options)
    for _ in range(5):
        solver.step(0.01)
    again = WAYS[way](solver)
    for _ in range(20):
        assert solver.step(0.01) == again.step(0.01)
        assert np.array_equal(solver.y, again.y)
    assert solver.facts() == again.facts()
    solver.step(0.01)
    assert not np.array_equal(solver.y, again.y)


@pytest.mark.parametrize("way", WAYS)
def test_results(way):
    run = mk.simulate(crank(), 0.2)
    before = run.numbers("arm.acceleration"), run.reaction("elbow"), str(run.health), run.energy
    again = WAYS[way](run)
    assert again == run and str(again.health) == before[2]
    np.testing.assert_array_equal(again.numbers("arm.acceleration"), before[0])
    assert again.reaction("elbow").identical(before[1]) and again.energy.identical(before[3])


@pytest.mark.parametrize("way", WAYS)
def test_machine_code(way):
    code = mk.compile(crank())
    again = WAYS[way](code)
    assert np.array_equal(again.rhs(0.1, code.y), code.rhs(0.1, code.y)) and again.address != code.address


@pytest.mark.parametrize("way", WAYS)
def test_systems(way):
    s = crank()
    again = WAYS[way](s)
    assert again.to_dict() == s.to_dict()
    again.body("more", 1.0)
    again.parameter("c", 3.0)
    assert "more" not in s.bodies and "c" not in s.parameters and s.with_parameters(k=3).parameters["k"] == 3


def test_other_processes():
    """Started anew, they share no memory with this one."""
    s, run = crank(), mk.simulate(crank(), 0.1)
    solver = mk.stepper(s, code="specialised")
    solver.step(0.05)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there, end, acceleration = pool.apply(elsewhere, (s, solver, run))
    solver.step(0.05)
    assert there == mk.simulate(s, 0.1) and np.array_equal(end, solver.y)
    np.testing.assert_array_equal(acceleration, run.numbers("arm.acceleration"))


def elsewhere(system, solver, run):
    solver.step(0.05)
    return mk.simulate(system, 0.1), solver.y, run.numbers("arm.acceleration")


def rounded(t, state):
    """Cannot be traced."""
    return float(np.round(3 * t))


@dataclass
class Gain:
    k: float

    def __call__(self, t, state):
        return self.k * float(np.round(3 * t))


@pytest.mark.parametrize("function", [rounded, Gain(2.0)])
def test_functions_with_a_name(function):
    run = mk.simulate(crank(function), 0.1)
    for way in WAYS.values():
        again = way(run)
        np.testing.assert_array_equal(again.numbers("arm.acceleration"), run.numbers("arm.acceleration"))


def test_functions_without_a_name():
    s = crank(lambda t, state: float(np.round(3 * t)))
    run, solver = mk.simulate(s, 0.1), mk.stepper(s)
    for what in (s, run, solver):
        with pytest.raises(ModelError, match="motor 'drive': torque is a Python function that cannot be pickled"):
            pickle.dumps(what)
    again = copy.deepcopy(solver)
    assert again.step(0.1) == solver.step(0.1) and np.array_equal(again.y, solver.y)


def test_a_handle_is_refused():
    solver = mk.stepper(crank())
    with pytest.raises(ModelError, match="addresses of memory"):
        copy.deepcopy(solver.handle)


def test_systems_that_nobody_holds_are_forgotten():
    """With the models and the code that are kept with them. Oracle: weak references. Copies have none of it."""
    references = []
    for analysis in (
        lambda s: s.mass_matrix([0.1]),
        mk.compile,
        lambda s: mk.simulate(s, 0.1, code="specialised"),
        mk.equations,
    ):
        s = mk.System("forgotten")
        arm = s.body("arm", 1.0, (0.1, 0.1, 0.01), position=(0, 0, -0.5))
        s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
        analysis(s)
        assert "_kept" not in vars(s.copied()) and "_kept" not in vars(copy.deepcopy(s))
        references.append(weakref.ref(s))
    del s, arm
    gc.collect()
    assert [one() for one in references] == [None] * 4
