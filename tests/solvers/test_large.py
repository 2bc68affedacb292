"""Large models: the work grows with the number of bodies, not with its square, and no chain is too deep. Oracle: calls
counted."""

import cProfile
import sys

import numpy as np
import pytest

import mekane as mk


def add_link(s, i, parent):
    s.body(f"b{i}", 1.0, inertia=(0.01, 0.01, 0.01), position=(0.1 * (i + 1), 0, 0), com=(-0.05, 0, 0))
    s.pin(f"j{i}", parent, f"b{i}", at=(0.1 * i, 0, 0), axis="y")


def grown(n, parent):
    s = mk.System("large")
    for i in range(n):
        add_link(s, i, parent(i))
    return s


PARENTS = {
    "chain": lambda i: f"b{i - 1}" if i else "ground",
    "star": lambda i: "ground",
    "tree": lambda i: f"b{(i - 1) // 2}" if i else "ground",
}


def built_and_read(shape, n):
    run = mk.simulate(grown(n, PARENTS[shape]), 2e-3, method="rk4", step=1e-3, every=1e-3)
    run["b1.position"], run["b1.acceleration"], run.reaction("j1"), str(run.health)
    return run


def calls(function):
    """How many functions of Python and of its libraries were called."""
    profile = cProfile.Profile()
    profile.runcall(function)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("shape", PARENTS)
def test_work_grows_as_the_model_does(shape):
    """Twice the bodies, twice the calls; a tenth more is for what comes with logarithms. Squares would show as three
    times and more."""
    built_and_read(shape, 4)  # imports, compilation
    assert calls(lambda: built_and_read(shape, 400)) < 2.2 * calls(lambda: built_and_read(shape, 200))


def test_a_chain_deeper_than_the_interpreter_may_call():
    """Oracle: a hanging chain, straight and at rest, stays: accelerations are zero but for round-off of the forces, n
    times the weight."""
    n = sys.getrecursionlimit() + 200
    s = mk.System("plumb", gravity=(9.81, 0, 0))
    for i in range(n):
        add_link(s, i, PARENTS["chain"](i))
    run = mk.simulate(s, 1e-3, method="rk4", step=1e-3, every=1e-3)
    assert np.abs(run.numbers(f"b{n - 1}.acceleration")).max() < 1e-8 and run.health.ok
    np.testing.assert_allclose(run.reaction("j0")["force"][0], [-9.81 * n, 0, 0], rtol=1e-12, atol=1e-9 * n)
    assert len(run.names()) > 5 * n and s.topology.text()
