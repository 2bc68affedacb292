"""What `make test` keeps of a full product. Oracle: the pairs themselves, enumerated."""

from itertools import product
from types import SimpleNamespace

import pytest
from thinning import beyond_share, left_to_test_all

SYSTEMS, FORMULATIONS, TESTS = range(7), ("joint", "absolute", "relative"), ("a", "b", "c", "d")


def item(test, *, n=None, thin=("formulation",), **parameters):
    marks = {"thinned": SimpleNamespace(args=thin)} if thin else {}
    marks |= {"divided": SimpleNamespace(args=("system", n))} if n else {}
    return SimpleNamespace(
        path="file", originalname=test, callspec=SimpleNamespace(params=parameters), get_closest_marker=marks.get
    )


def kept(items):
    rest = {id(one) for one in left_to_test_all(items)}
    return [one for one in items if id(one) not in rest]


def test_systems_formulations_and_tests_meet_pairwise():
    items = [item(test, system=s, formulation=f) for test, s, f in product(TESTS, SYSTEMS, FORMULATIONS)]
    runs = [(one.originalname, *one.callspec.params.values()) for one in kept(items)]
    assert len(runs) == len(TESTS) * len(SYSTEMS)
    for i, j, pairs in (
        (0, 1, product(TESTS, SYSTEMS)),
        (0, 2, product(TESTS, FORMULATIONS)),
        (1, 2, product(SYSTEMS, FORMULATIONS)),
    ):
        assert {(run[i], run[j]) for run in runs} == set(pairs)


def test_formulations_are_thinned_without_a_mark():
    """As with one. Another parameter is not."""
    many = list(product(TESTS, SYSTEMS, FORMULATIONS))
    marked, bare = (
        [item(test, thin=thin, system=s, formulation=f) for test, s, f in many] for thin in (("formulation",), ())
    )
    names = [[(one.originalname, one.callspec.params) for one in kept(items)] for items in (marked, bare)]
    assert names[0] == names[1]
    others = [item("a", thin=(), system=s, method=f) for s, f in product(SYSTEMS, FORMULATIONS)]
    assert kept(others) == others


def test_what_has_no_such_parameter_stays():
    items = [item("a", system=[s]) for s in SYSTEMS]  # a list cannot be hashed
    assert kept(items) == items


def test_unequal_parameters_are_distinguished():
    values = [-1, -2, 0, False, 0.0, "0", [0], [0]]
    assert len(kept([item("a", value=value, formulation=f) for value in values for f in FORMULATIONS])) == len(values)


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("formulations", [FORMULATIONS, (*FORMULATIONS, "mixed"), (*FORMULATIONS, "mixed", "bryan")])
def test_divided_systems_all_run(n, formulations):
    """In as many tests as parts, every system runs once; every test has its share, and meets every formulation."""
    tests, many = TESTS[:n], range(60)
    items = [item(test, n=n, system=s, formulation=f) for test, s, f in product(tests, many, formulations)]
    runs = [(one.originalname, *one.callspec.params.values()) for one in kept(items)]
    assert sorted(system for _, system, _ in runs) == list(many)
    for test in tests:
        own = [run for run in runs if run[0] == test]
        assert abs(len(own) - len(many) / n) <= 1 and {run[2] for run in own} == set(formulations)


def test_shares_are_disjoint_and_together_all():
    """Every test with as many items as there are shares is in each of them."""
    items = [item(test, system=s, formulation=f) for test, s, f in product(TESTS, SYSTEMS, FORMULATIONS)]
    items.append(item("e"))
    shares = [
        [one for one in items if not any(one is left for left in beyond_share(items, f"{k}/3"))] for k in (1, 2, 3)
    ]
    assert sorted(map(id, (one for share in shares for one in share))) == sorted(map(id, items))
    assert all({one.originalname for one in share} >= set(TESTS) for share in shares)
    assert max(map(len, shares)) - min(map(len, shares)) <= len(TESTS) + 1
    with pytest.raises(ValueError, match="the share is 4/3"):
        list(beyond_share(items, "4/3"))
