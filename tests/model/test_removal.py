"""Removing parts. Oracle: the system in which the part was never there, as its file form."""

import pytest

import mekane as mk
from mekane.errors import ModelError


def system(*left_out):
    s = mk.System("x", parameters={name: 1.0 for name in ("k", "m", "spare") if name not in left_out})
    for name in ("a", "b", "loose"):
        if name not in left_out:
            s.body(name, "$m" if name == "a" else 2.0, (1, 1, 1), position=(1, 0, 0))
    s.pin("p", s.ground, "a", at=(0, 0, 0), axis="y")
    if "q" not in left_out:
        s.pin("q", "a", "b", at=(1, 0, 0), axis="y")
    if "spring" not in left_out:
        s.spring("spring", s.ground, "b", stiffness="k*(1 + p.angle**2)", length=1)
    if "rod" not in left_out:
        s.distance("rod", ("a", (0, 1, 0)), s.ground)
    return s


@pytest.mark.parametrize("names", [["loose"], ["spring"], ["rod"], ["spare"], ["spring", "q", "b"], ["spring", "k"]])
def test_what_is_removed_was_never_there(names):
    s = system()
    for name in names:
        s.remove(name)
    assert s.to_dict() == system(*names).to_dict()
    assert s.with_parameters(m=3.0).to_dict() == system(*names).with_parameters(m=3.0).to_dict()
    if "loose" in names:
        s.body("loose", 2.0, (1, 1, 1), position=(1, 0, 0))  # the name is free again
        assert s.bodies["loose"].mass == 2.0


@pytest.mark.parametrize(
    "name, words",
    [
        ("b", "q, spring need it.*Remove 'q', 'spring' first"),
        ("a", "p, q, rod need it"),
        ("p", "spring needs it"),
        ("k", "spring needs it"),
        ("m", "body 'a' needs it"),
        ("losse", "there is no 'losse'.*Did you mean 'loose'"),
    ],
)
def test_what_is_needed_stays(name, words):
    s = system()
    before = s.to_dict()
    with pytest.raises(ModelError, match=words):
        s.remove(name)
    assert s.to_dict() == before
