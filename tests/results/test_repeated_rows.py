"""Redundant constraints, named. Oracle: counts known from mechanism theory."""

import mechanisms
import numpy as np
import pytest

import mekane as mk
from mekane.compiler.compiler import compile_system
from mekane.results import redundancy as module
from mekane.results.redundancy import redundancy


@pytest.mark.parametrize(
    "name, redundant, freedom, closing",
    [
        ("crank pin", 3, 1, {"end": (3, 5)}),  # a planar four-bar of pins
        ("crank slider", 3, 1, {"end": (3, 5)}),
        ("crank pin_slider", 2, 1, {"end": (2, 4)}),
        ("cardan", 3, 1, {"cross": (3, 4)}),  # one of four constraints is needed to couple two shafts
        ("nut", 4, 1, {"thread": (4, 5)}),
        ("welded", 6, 1, {"CA": (6, 6)}),
        ("ring ball", 0, 3, {}),
        ("ring weld", 1, 1, {"hand": (1, 3)}),  # two balls hold five freedoms of one rigid body
        ("spatial", 0, 1, {}),
        ("tree pin", 0, 4, {}),
        ("tree free", 0, 9, {}),
    ],
)
def test_counts(name, redundant, freedom, closing):
    found = redundancy(mechanisms.ALL[name]())
    assert (found.redundant, found.freedom, found.repeats) == (redundant, freedom, closing)
    assert found.rank == found.rows - redundant


def test_plain_words():
    text = str(redundancy(mechanisms.crank("pin")))
    assert text.startswith("Joint 'end' repeats 3 of the 5 constraints it adds; 1 degree of freedom remains.")
    assert "'main', 'k', 'r', 'end' is not unique" in text
    assert str(redundancy(mechanisms.spatial())) == "No constraint is redundant; 1 degree of freedom remains."


def test_only_joints_that_share_a_load_are_marked():
    """A pendulum hanging from a four-bar: its pin is determined, those of the four-bar are not."""
    s = mechanisms.crank("pin")
    s.body("bob", 1, inertia=(1, 1, 1), position=(1.2, 0, 0.9))
    s.pin("hook", "C", "bob", at=(1.2, 0, 1.2), axis="y")
    run = mk.simulate(s, 0.05, every=0.05)
    assert run.is_unique("hook") and not run.is_unique("end")
    assert run.reaction("hook").attrs["unique"] == 1 and run.reaction("end").attrs["unique"] == 0
    assert run.redundancy.freedom == 2


def test_a_singular_position_is_not_redundancy():
    """A parallelogram lying flat lacks one more row of rank, but only there: with another position given as well there
    are 3."""
    s = mk.System(gravity=(0, 0, 0))
    for name, x in (("A", 0.5), ("B", 2.0), ("C", 2.5)):
        s.body(name, 1, inertia=(0.1, 0.1, 0.1), position=(x, 0, 0))
    for name, a, b, x in (("p", "ground", "A", 0), ("q", "A", "B", 1), ("r", "B", "C", 3), ("d", "ground", "C", 2)):
        s.pin(name, a, b, at=(x, 0, 0), axis="z")
    compiled, flat, bent = compile_system(s), np.zeros(3), np.array([0.5, -0.5, 0.5])
    assert compiled.coordinates == ["p.angle", "q.angle", "r.angle"]
    assert redundancy(s).redundant == 4
    assert module.redundancy_at(compiled, flat, bent).redundant == 3


def test_large_loops_are_not_looked_at(monkeypatch):
    monkeypatch.setattr(module, "MOST_ROWS", 10)
    found = redundancy(mechanisms.crank("pin"))
    assert "not looked for" in str(found) and found.not_unique == ()


def test_long_trees_are_no_trouble():
    s = mk.System()
    last = "ground"
    for number in range(400):
        s.body(f"b{number}", 1, inertia=(1, 1, 1), position=(number, 0, 0))
        s.pin(f"p{number}", last, f"b{number}", at=(number, 0, 0), axis="y")
        last = f"b{number}"
    assert redundancy(s).freedom == 400
