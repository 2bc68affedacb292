"""Large models: the work grows with the number of bodies, not with its square, and no chain is too deep. Oracle: calls
counted."""

import cProfile
import sys

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.compiler.compiler import compile_system
from mekane.solvers.constraints import closed_trees
from mekane.solvers.constraints.assembly import assemble


def add_link(s, i, parent, **given):
    s.body(f"b{i}", 1.0, inertia=(0.01, 0.01, 0.01), position=(0.1 * (i + 1), 0, 0), com=(-0.05, 0, 0))
    s.pin(f"j{i}", parent, f"b{i}", at=(0.1 * i, 0, 0), axis="y", **given)


def grown(n, parent, rate=None):
    s = mk.System("large")
    for i in range(n):
        add_link(s, i, parent(i), **({"rate": rate(i)} if rate else {}))
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


@pytest.mark.divided("shape", 3)
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


# ---------------------------------------------------------------- trees that need no assembly


def as_described(system):
    return closed_trees.as_described(system, compile_system(system, "joint"))


def needs_none(name):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closed_trees, "LARGE", 0)
        return as_described(gallery.find(name).system())


@pytest.mark.parametrize("name", ["pendulum", "chaotic_plate", "robot", "rod_chain_3"])
def test_what_needs_no_assembly_is_not_changed_by_it(name):
    """Oracle: assembly itself, which finds no gap and moves nothing; 1e-14 is round-off of its Euler parameters."""
    system, found = gallery.find(name).system(), needs_none(name)
    exact = assemble(system)
    assert exact.gap <= 1e-14 and exact.speed_gap == 0.0
    for body in system.bodies:
        np.testing.assert_allclose(found.poses.p[body], exact.poses.p[body], rtol=0, atol=1e-14)
        np.testing.assert_allclose(found.poses.R[body], exact.poses.R[body], rtol=0, atol=1e-14)
        assert not exact.poses.v[body].any() and not exact.poses.w[body].any()


def slanted(n, **last):
    """A chain in space that stands at any angles."""
    s, rng, at = mk.System("slanted"), np.random.default_rng(3), np.zeros(3)
    for i in range(n):
        end = at + rng.normal(size=3)
        given = last if i == n - 1 else {}
        s.body(f"b{i}", 1.0, (0.1, 0.1, 0.1), position=end, orientation=("xyz", rng.normal(size=3)), **given)
        s.pin(f"j{i}", f"b{i - 1}" if i else "ground", f"b{i}", at=at, axis=rng.normal(size=3))
        at = end
    return s


def test_large_trees_are_not_assembled():
    """Round-off does not accumulate along the chain. Oracle: the poses as described. What moves is assembled."""
    system = slanted(closed_trees.LARGE)
    assert as_described(system).poses.p["b7"] == pytest.approx(system.bodies["b7"].position, abs=0)
    assert mk.simulate(system, 1e-6, every=1e-6).info["gap"] == 0.0
    assert as_described(slanted(closed_trees.LARGE, velocity=(1e-9, 0, 0))) is None


def moving_tree(n, seed, missing=None):
    """Of pins, sliders and two of their kind, with all of their rates given but for that of one joint."""
    s, rng, places = mk.System("moving"), np.random.default_rng(seed), [np.zeros(3)]
    kinds = {"pin": 1, "slider": 1, "pin_slider": 2}
    for k in range(n):
        parent, kind = int(rng.integers(len(places))), str(rng.choice([*kinds]))
        place = places[parent] + rng.normal(size=3)
        places.append(place)
        body = s.body(f"b{k}", 1.0, (0.1, 0.1, 0.1), position=place, orientation=("xyz", rng.normal(size=3)))
        joined = (f"b{parent - 1}" if parent else "ground", body)
        rates = rng.normal(size=kinds[kind])
        given = {} if k == missing else dict(rate=float(rates[0]) if len(rates) == 1 else tuple(rates))
        joined = joined if rng.random() < 0.5 else joined[::-1]
        getattr(s, kind)(f"j{k}", *joined, at=place + rng.normal(size=3), axis=rng.normal(size=3), **given)
    return s


@pytest.mark.parametrize("seed", range(4))
def test_a_tree_whose_rates_are_given_needs_no_assembly(seed, monkeypatch):
    """Oracle: assembly, which solves for all speeds at once; 1e-12 of speeds of some ten. Where a rate is not given it decides."""
    monkeypatch.setattr(closed_trees, "LARGE", 0)
    system = moving_tree(12, seed)
    found, exact = as_described(system).poses, assemble(system).poses
    for body in system.bodies:
        np.testing.assert_allclose(found.v[body], exact.v[body], rtol=0, atol=1e-11)
        np.testing.assert_allclose(found.w[body], exact.w[body], rtol=0, atol=1e-11)
    assert as_described(moving_tree(12, seed, missing=5)) is None


def test_a_long_chain_that_moves_as_one():
    """A thousand links turn about the first pin at 0.01 rad/s, as rigid as that many equations for their speeds leave no digit of.
    Oracle: v = w x r at the tip, 1000 links of 0.1 m; it was refused as contradicting itself."""
    s = grown(1000, PARENTS["chain"], rate=lambda i: 0.0 if i else 0.01)
    run = mk.simulate(s, 1e-6, every=1e-6)
    np.testing.assert_allclose(run.numbers("b999.velocity")[0], [0, 0, -1.0], rtol=0, atol=1e-12)


def with_limit(**given):
    """A pendulum, turned out of the axes, that a rigid limit stops."""
    s, c = mk.System("limited"), np.cos(0.3)
    place = dict(position=(0, 0.5 * np.sin(0.3), -0.5 * c), orientation=("x", 0.3))
    s.body("arm", 1.0, (0.1, 0.1, 0.1), **(place | given))
    s.pin("hinge", s.ground, "arm", on_a=(0, 0, 0), on_b=(0, 0, 0.5), axis_a="x", axis_b="x")
    s.limit("stop", "hinge", lower=-1.0)
    return s


def test_trees_with_contact_laws_are_not_assembled():
    """Rows of contact laws do not hold before the motion begins. Oracle: assembly, to round-off of its Euler parameters. What
    is open or moves is assembled."""
    system = with_limit()
    found, exact = as_described(system).poses, assemble(system).poses
    np.testing.assert_allclose(found.p["arm"], exact.p["arm"], rtol=0, atol=1e-14)
    np.testing.assert_allclose(found.R["arm"], exact.R["arm"], rtol=0, atol=1e-14)
    assert as_described(with_limit(position=(0, 0.1, -0.5))) is None
    assert as_described(with_limit(angular_velocity=(0.1, 0, 0))) is None


def test_a_large_tree_that_is_open_is_assembled(monkeypatch):
    """A joint given in frames of its bodies, open by 1e-9 m, then by half a turn: assembly closes the first and refuses the second."""
    monkeypatch.setattr(closed_trees, "LARGE", 1)
    for gap, turned in ((1e-9, 0.0), (0.0, np.pi)):
        s = mk.System("open")
        s.body("arm", 1.0, (0.1, 0.1, 0.1), position=(0, 0, gap), orientation=("x", turned))
        s.pin("hinge", s.ground, "arm", on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="z", axis_b="z")
        assert as_described(s) is None
