"""Functions that ask `if`, traced through every way. Oracle: the functions themselves, called with numbers."""

import numpy as np
import pytest

from mekane.expressions.branches import DEEPEST, MOST, complement, with_branches
from mekane.expressions.graph import Untraceable, evaluate, symbol, to_text

X, V = symbol("x"), symbol("v")


def nested(x, v):
    if x < 0:
        return -x if v > 0.5 else v * x
    if 0.25 <= x < 0.75 and not v == 0.5:
        return 2.0
    return max(x, v, 0.9) - min(1.0, v)


def ladder(x, v):
    """Nothing is returned where no number can lead."""
    if x < v:
        return 1.0
    if x >= v:
        return x


def loop(x, v):
    total = 0.0
    for k in range(4):
        if x > 0.25 * k:
            total += v
    return total


def with_numpy(x, v):
    return np.where(x > v, x, 3.0) + np.maximum(x, 0.5) + np.clip(v, 0.2, 0.8)


def with_or(x, v):
    return 1.0 if x > 0.7 or v < 0.2 or (x > 0.4 and v > 0.4) else abs(x - v)


@pytest.mark.parametrize("function", [nested, ladder, loop, with_numpy, with_or])
def test_answers_are_those_of_the_function(function):
    """At 400 random places and on the borders: the same numbers to round-off, as sums may be taken in another order."""
    expression = with_branches(lambda: (np.asarray(function(X, V), object).item(),))
    grid = [(x, v) for x in (-0.5, 0.0, 0.25, 0.5, 0.75, 1.0) for v in (0.0, 0.2, 0.5, 0.8, 1.0)]
    for x, v in [*np.random.default_rng(3).uniform(-1, 1, (400, 2)), *grid]:
        assert evaluate(expression, {"x": x, "v": v})[0] == pytest.approx(float(function(x, v)), rel=1e-15, abs=1e-15)


def test_the_example_of_the_module():
    def law(x):
        if x < 0:
            return -x
        return 2 if x > 2 else x

    assert to_text(with_branches(lambda: (law(X),))[0]) == "-x if x < 0 else 2 if 2 < x else x"


def test_each_component_has_its_own():
    assert [to_text(one) for one in with_branches(lambda: (X, V, 0.0) if X < V else (X, X, 1.0))] == [
        "x", "v if x < v else x", "0 if x < v else 1",
    ]  # fmt: skip


def test_a_condition_is_decided_once():
    """Also where its opposite is requested: two ways, not eight."""
    requested = []

    def function():
        requested.append(bool(X < V) and not X >= V and not V <= X)
        return (1.0 if requested[-1] else 2.0,)

    assert to_text(with_branches(function)[0]) == "1 if x < v else 2" and requested == [True, False]


@pytest.mark.parametrize("condition", [X < V, X <= V, (X < V) & (X < 0.0), X == V])
def test_complements(condition):
    for x, v in ((-1.0, 0.0), (0.5, 0.5), (1.0, 0.0), (-1.0, -2.0)):
        one, other = evaluate([condition, complement(condition)], {"x": x, "v": v})
        assert {bool(one), bool(other)} == {True, False}


def test_too_many_ways_are_refused():
    with pytest.raises(Untraceable, match=f"more than {MOST} ways"):
        with_branches(lambda: (sum(1.0 if X > k else V for k in range(20)),))


def test_loops_without_end_are_refused():
    def endless():
        x = X
        while x > 0:
            x = x - 1.0
        return (x,)

    with pytest.raises(Untraceable, match=f"more than {DEEPEST} conditions"):
        with_branches(endless)


def test_nothing_is_decided_afterwards():
    with_branches(lambda: (1.0 if X < V else 2.0,))
    with pytest.raises(Untraceable, match="no truth value"):
        bool(X < V)
