"""Every public analysis takes a System, and raises the same explained error for anything else."""

import pickle
from inspect import signature

import pytest

import mekane as mk
from mekane.errors import ModelError

ANALYSES = [name for name in mk._LAZY if "system" in signature(getattr(mk, name)).parameters]
REMEDIES = [
    (3, "mk.System()"),
    (None, "mk.load_model(path)"),
    ("arm.yaml", "mk.load_model('arm.yaml')"),
    (mk.System, "with brackets"),
]


def test_these_are_the_analyses():
    assert set(mk._LAZY) - set(ANALYSES) == mk._WITHOUT_SYSTEM


@pytest.mark.parametrize("name", ANALYSES)
@pytest.mark.parametrize("given, remedy", REMEDIES)
def test_it_expects_a_system(name, given, remedy):
    needed = [
        p
        for p in signature(getattr(mk, name)).parameters.values()
        if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD
    ]
    keywords = {p.name: 1.0 for p in needed[1:]}
    for call in (lambda: getattr(mk, name)(given, **keywords), lambda: getattr(mk, name)(system=given, **keywords)):
        with pytest.raises(ModelError) as error:
            call()
        assert (
            error.value.part == f"mk.{name}"
            and error.value.expected == "it expects a System"
            and remedy in error.value.remedy
        )


def test_a_result_has_a_system():
    s = mk.System("arm")
    s.body("a", mass=1)
    run = mk.simulate(s, 0.1)
    with pytest.raises(ModelError, match="give its .system"):
        mk.simulate(run, 0.1)


def test_a_root_locus_of_a_function():
    with pytest.raises(ModelError, match="root_locus: its argument is 3.0.*expects a System"):
        mk.root_locus(lambda k: k, "k", [3.0, 4.0])


def test_analyses_stay_themselves():
    """One function each, which can be sent to another process."""
    assert mk.simulate is mk.simulate and pickle.loads(pickle.dumps(mk.simulate)) is mk.simulate
    with pytest.raises(TypeError, match="system"):
        mk.mobility()
