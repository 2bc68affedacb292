"""What `make test` keeps of a full product. Oracle: the pairs themselves, enumerated."""

from itertools import product
from types import SimpleNamespace

from thinning import thinned

SYSTEMS, FORMULATIONS, TESTS = range(7), ("joint", "absolute", "relative"), ("a", "b", "c", "d")


def item(test, **parameters):
    mark = SimpleNamespace(args=("formulation",))
    return SimpleNamespace(
        path="file", originalname=test, callspec=SimpleNamespace(params=parameters), get_closest_marker=lambda _: mark
    )


def kept(items):
    rest = {id(one) for one in thinned(items)}
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


def test_what_has_no_such_parameter_stays():
    items = [item("a", system=[s]) for s in SYSTEMS]  # a list cannot be hashed
    assert kept(items) == items


def test_unequal_parameters_are_distinguished():
    values = [-1, -2, 0, False, 0.0, "0", [0], [0]]
    assert len(kept([item("a", value=value, formulation=f) for value in values for f in FORMULATIONS])) == len(values)
