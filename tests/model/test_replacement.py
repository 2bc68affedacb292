"""Replacing parts. Oracle: the system in which the part was described so from the start, as its file form."""

import pytest

import mekane as mk
from mekane.errors import ModelError


def system(**changes):
    """changes: {part: {argument: value}}"""
    of = lambda name, **given: given | changes.get(name, {})
    s = mk.System("x", parameters={"k": 1.0, "m": 1.0})
    s.body("a", **of("a", mass="$m", inertia=(1, 1, 1), position=(1, 0, 0)))
    s.body("b", **of("b", mass=2.0, inertia=(1, 1, 1), position=(2, 0, 0)))
    s.pin("p", s.ground, "a", **of("p", at=(0, 0, 0), axis="y"))
    s.pin("q", "a", "b", **of("q", at=(1, 0, 0), axis="y", rate=0.5))
    s.spring("spring", s.ground, **of("spring", b="b", stiffness="k*(1 + p.angle**2)", length=1))
    s.distance("rod", ("a", (0, 1, 0)), **of("rod", b=s.ground))
    return s


CHANGES = [
    ("a", dict(mass=3.0)),
    ("a", dict(position=(1.5, 0, 0))),  # everything that is attached to it follows
    ("b", dict(mass="$2*m", com=(0.1, 0, 0))),
    ("b", dict(shape=mk.Box(1, 1, 1), density=10.0, mass=None, inertia=None)),
    ("q", dict(rate=None)),
    ("q", dict(axis="z", at=(1, 0, 1))),
    ("spring", dict(stiffness="2*k*q.angle**2", b="a")),
    ("rod", dict(b=("ground", (0, 0, 1)))),
]


@pytest.mark.parametrize("name, changes", CHANGES)
def test_what_is_replaced_was_always_so(name, changes, tmp_path):
    s, wanted = system(), system(**{name: changes})
    new = s.replace(name, **changes)
    assert s.to_dict() == wanted.to_dict() and s.check() == wanted.check()
    assert new is next(part for part in parts(s) if part.name == name)
    assert [part.name for part in parts(s)] == ["a", "b", "p", "q", "rod", "spring"]
    assert s.with_parameters(m=3.0).to_dict() == wanted.with_parameters(m=3.0).to_dict()
    mk.save_model(s, tmp_path / "x.yaml")
    assert mk.load_model(tmp_path / "x.yaml").to_dict() == s.to_dict()


def parts(s):
    return [part for collection in (s.bodies, s.joints, s.constraints, s.forces) for part in collection.values()]


def test_records_that_are_held_stand_for_the_new_ones():
    s = system()
    old = s.bodies["b"]
    s.replace(old, mass=5.0)
    s.spring("more", s.ground, old, stiffness=1, length=1)
    assert s.forces["more"] and s.bodies["b"].mass == 5.0


def test_the_motion_is_that_of_the_new_part():
    """A model that was simulated before; same numbers, same machine code: bit by bit."""
    s, wanted = system(), system(a=dict(mass=3.0))
    before = mk.simulate(s, 0.1, every=0.05)["q.angle"].values
    s.replace("a", mass=3.0)
    after = mk.simulate(s, 0.1, every=0.05)["q.angle"].values
    assert (after == mk.simulate(wanted, 0.1, every=0.05)["q.angle"].values).all() and (after != before).any()


@pytest.mark.parametrize(
    "name, changes, words",
    [
        ("a", dict(mass=-1.0), "body 'a'.*mass"),
        ("a", dict(mas=2.0), "'mas' is not one of its keywords.*mass"),
        ("q", dict(axs="z"), "'axs' is not one of its keywords.*axis"),
        ("q", dict(axs=None), "'axs' is not one of its keywords.*axis"),
        ("q", dict(axis=(0, 0, 0)), "joint 'q': axis is"),
        ("q", dict(b="c"), "'c' is not a body"),
        ("spring", dict(stiffness="2*(k"), "spring 'spring'|force 'spring'"),
        ("a", dict(mass=mk.Param("new", -1.0)), "body 'a'.*mass"),
        ("k", dict(value=2.0), "it is a parameter.*s.set_parameters"),
        ("sprong", dict(), "there is no 'sprong'.*Did you mean 'spring'"),
    ],
)
def test_what_cannot_be_leaves_the_system_as_it_was(name, changes, words):
    s = system()
    before, held = s.to_dict(), parts(s)
    with pytest.raises(ModelError, match=words):
        s.replace(name, **changes)
    assert s.to_dict() == before and all(one is other for one, other in zip(parts(s), held, strict=True))


def test_a_part_made_by_hand_is_refused():
    s = system()
    s.bodies["b"] = mk.System().body("b", 2.0, (1, 1, 1))
    with pytest.raises(ModelError, match="replace 'b': it was not made by a method of System"):
        s.replace("b", mass=3.0)
