"""Threads that run models at the same time. Oracle: the same runs one after the other, bit for bit."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import mekane as mk
from mekane.gallery import find
from mekane.solvers.explicit import advance as explicit
from mekane.solvers.implicit import advance as implicit

ROOT = Path(mk.__file__).resolve().parent.parent


def pendulum(law="-0.3*hinge.angle.rate"):
    s = mk.System("pendulum", gravity=(0, 0, -9.81))
    s.body("bob", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "bob", at=(0, 0, 0), axis="y", rate=1.0)
    s.motor("drag", "hinge", torque=law)
    return s


def four_bar():
    return find("four_bar").system()


def function_law():
    """A law that has no expression is called back, by every thread that runs it."""
    return pendulum(lambda t, state: -0.3 * state["hinge.angle.rate"] - float(np.sin(t)))


def run(system, **keywords):
    keywords = dict(every=0.05) | keywords
    return mk.simulate(system, 1.0, **keywords).record.y


def at_once(jobs):
    with ThreadPoolExecutor(len(jobs)) as pool:
        return [job.result() for job in [pool.submit(run, system, **keywords) for system, keywords in jobs]]


WAYS = [
    dict(),
    dict(code="specialised"),
    dict(formulation="absolute"),
    dict(method="implicit"),
    dict(constraints="embedded"),
]


@pytest.mark.parametrize("make", [pendulum, four_bar, function_law])
def test_one_system_in_several_threads(make):
    """Each way twice at the same time, all on the same System."""
    system = make()
    jobs = [(system, way) for way in WAYS * 2]
    alone = [run(system, **way) for way in WAYS] * 2
    for one, other in zip(alone, at_once(jobs), strict=True):
        np.testing.assert_array_equal(one, other)


def test_different_systems_in_several_threads():
    systems = [make() for make in (pendulum, four_bar, function_law)] * 2
    alone = [run(system) for system in systems]
    for one, other in zip(alone, at_once([(system, {}) for system in systems]), strict=True):
        np.testing.assert_array_equal(one, other)


def test_analyses_of_one_system_from_several_threads():
    """What is kept of a system between questions has a workspace: each thread has one of its own."""
    system = four_bar()
    q, u = initial(system)
    states = [(q, u * (1.0 + 0.1 * k)) for k in range(4)]
    ask = lambda state: [system.forward_dynamics(*state) for _ in range(50)]
    alone = [ask(state) for state in states]
    with ThreadPoolExecutor(len(states)) as pool:
        for one, other in zip(alone, pool.map(ask, states), strict=True):
            np.testing.assert_array_equal(one, other)


def initial(system):
    from mekane.analyses.simulate import initial_solver

    solver, _ = initial_solver(system)
    n_q, n_u = solver.compiled.n_q, solver.compiled.n_u
    return solver.y[:n_q].copy(), solver.y[n_q : n_q + n_u].copy()


def test_time_loops_let_other_threads_go_on():
    assert explicit.targetoptions["nogil"] and implicit.targetoptions["nogil"]


FIRST_USE = """
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import mekane as mk
from mekane.gallery import find

system = find("four_bar").system()
ask = lambda way: mk.simulate(system, 0.2, **way).record.y
with ThreadPoolExecutor(6) as pool:
    found = list(pool.map(ask, [{}, {"method": "implicit"}, {"formulation": "absolute"}] * 2))
assert all(np.array_equal(found[k], found[k + 3]) for k in range(3))
assert np.array_equal(found[0], ask({}))
"""


def test_first_use_in_several_threads_at_once():
    """A new process whose threads all load compiled code first."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", FIRST_USE], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
