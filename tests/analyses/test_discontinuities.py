"""Laws that are not smooth at the given state. Oracle: one-sided limits by hand; sign(v) is discontinuous by 2 at 0,
|x| and max(x, 0) have a slope discontinuity there, v|v| and max(x, 0)² have none (their first derivatives are continuous)."""

import numpy as np
import pytest

import mekane as mk


def cart(force, gravity=0.0, **parameters):
    s = mk.System("cart", gravity=(0, 0, gravity), parameters=parameters)
    s.body("b", mass=2, inertia=(0.1, 0.1, 0.1))
    s.slider("g", s.ground, "b", axis="z")
    s.sliding_spring("k", "g", stiffness=50)
    s.motor("law", "g", force=force)
    return s


ANSWERS = {"equilibrium": mk.equilibrium, "linearize": mk.linearize, "modes": mk.modes}


@pytest.mark.parametrize("formulation", ("joint", "absolute"))
@pytest.mark.parametrize("analysis", ANSWERS)
@pytest.mark.parametrize(
    ("force", "what"),
    [
        ("-3*sign(g.displacement.rate)", "is discontinuous"),
        ("-3*sign(g.displacement.rate) - 40*g.displacement", "is discontinuous"),
        ("-3*abs(g.displacement)", "has a slope discontinuity"),
        ("-300*max(g.displacement, 0)", "has a slope discontinuity"),
        ("-3*abs(g.displacement.rate)", "has a slope discontinuity"),
        ("floor(2*g.displacement)", "is discontinuous"),
        ("ceil(g.displacement) - 3*(g.displacement.rate % 2)", "is discontinuous"),
        ("-3*g.displacement*floor(g.displacement)", "has a slope discontinuity"),
    ],
)
def test_a_law_that_is_not_smooth_here_is_named(analysis, force, what, formulation):
    """In the table and in the plain data."""
    found = ANSWERS[analysis](cart(force), formulation=formulation)
    expected = f"The law of 'law' {what} exactly at this state"
    assert expected in str(found) and ("sticking" in str(found)) == (what == "is discontinuous")
    assert [note.startswith(expected) for note in found.to_dict()["notes"]] == [True]


@pytest.mark.parametrize("analysis", ANSWERS)
@pytest.mark.parametrize(
    "force",
    [
        "-3*g.displacement.rate*abs(g.displacement.rate)",
        "-300*max(g.displacement, 0)**2",
        "-3*sign(g.displacement.rate - 1) - 3",
        "-300*max(g.displacement - 0.01, 0)",
        "-3*g.displacement if $p >= 2 else 0",
        "-3*sin(g.displacement)",
        "sign(t - 0)*0",
        "floor(g.displacement + 0.5)",
        "-g.displacement**2*floor(g.displacement)",
        "0*floor(t)",
    ],
)
def test_smooth_laws_are_not_remarked_upon(analysis, force):
    """Nor those that change elsewhere, or with a parameter, whatever its value."""
    found = ANSWERS[analysis](cart(force, p=2.0))
    assert found.to_dict()["notes"] == []


def test_a_slope_discontinuity_where_an_equilibrium_was_found():
    """It sags by m g / k = 0.3924 m and just touches there: found by iteration, so equal only to round-off."""
    s = cart(f"400*max({-0.3924!r} - g.displacement, 0)", gravity=-9.81)
    rest = mk.equilibrium(s)
    np.testing.assert_allclose(rest["g.displacement"], -0.3924, rtol=1e-12)
    assert "'law' has a slope discontinuity" in " ".join(rest.notes) and "'law' has a slope discontinuity" in " ".join(
        mk.linearize(s, at=rest).notes
    )


@pytest.mark.parametrize(
    ("force", "stable"),
    [
        ("floor(g.displacement)", None),  # below zero 1 N pushes away, and the spring is slack
        ("-100*abs(g.displacement)", None),  # 100 x − 50 x below zero: it runs away there
        ("100*abs(g.displacement)", False),  # above zero, the side that is taken
        ("-3*sign(g.displacement.rate)", True),  # friction takes energy; the potential has a minimum
        ("100*max(g.displacement - 0.01, 0)", True),  # elsewhere
    ],
)
def test_one_side_alone_decides_nothing(force, stable):
    """A linearized motion that holds on one side of a position only must not call it stable. By hand: the force on both
    sides, beside that of the spring."""
    found = mk.equilibrium(cart(force))
    assert found["g.displacement"] == 0.0 and found.stable is stable
    assert ("on one side of this state" in str(found)) == (stable is None)


@pytest.mark.parametrize("formulation", ("joint", "absolute"))
@pytest.mark.parametrize("force", ["-300*max(g.displacement, 0)", "-3*abs(g.displacement)"])
def test_a_minimum_on_both_sides_is_stable(force, formulation):
    """By hand: the stiffness is positive on either side (350 and 50, 53 and 47), and the force is continuous."""
    found = mk.equilibrium(cart(force), formulation=formulation)
    assert found.stable is True and "rises on both sides" in found.reason


@pytest.mark.parametrize(
    "law, stable", [("-20*max({}, 0)", True), ("40*max({}, 0)", False), ("-40*max(-({}), 0)", False)]
)
def test_a_minimum_across_a_border_between_two_freedoms(law, stable):
    """Two carts, 2 kg each, on springs of 50 and 30 N/m, and a law of one-sided distance between them. By hand: on the side where
    it acts K = [[50 + k, -k], [-k, 30 + k]] with k = 20, or -40, which has a negative eigenvalue."""
    s = mk.System("carts", gravity=(0, 0, 0))
    for name, stiffness in (("a", 50), ("b", 30)):
        s.body(name, mass=2, inertia=(0.1, 0.1, 0.1))
        s.slider(f"g_{name}", s.ground, name, axis="z")
        s.sliding_spring(f"k_{name}", f"g_{name}", stiffness=stiffness)
    between = law.format("g_a.displacement - g_b.displacement")
    s.motor("to_a", "g_a", force=between)
    s.motor("to_b", "g_b", force=f"-({between})")
    assert (mk.equilibrium(s).stable is True) == stable  # else False, or None by the other side


def test_two_borders_are_not_decided():
    """Four sides, of which two are looked at."""
    s = mk.System("carts", gravity=(0, 0, 0))
    for name in "ab":
        s.body(name, mass=2, inertia=(0.1, 0.1, 0.1))
        s.slider(f"g_{name}", s.ground, name, axis="z")
        s.motor(f"law_{name}", f"g_{name}", force=f"-50*g_{name}.displacement - 3*abs(g_{name}.displacement)")
    assert mk.equilibrium(s).stable is None


def test_each_of_several_laws_is_judged_by_itself():
    """They share a comparison; only two of them are not smooth across it."""
    s = cart("-3*sign(g.displacement.rate)")
    s.motor("drag", "g", force="-3*g.displacement.rate*abs(g.displacement.rate)")
    s.motor("one-way", "g", force="-3*abs(g.displacement.rate)")
    notes = mk.linearize(s).notes
    assert (
        len(notes) == 2 and "'law' is discontinuous" in notes[0] and "'one-way' has a slope discontinuity" in notes[1]
    )


def test_friction_in_a_closed_loop():
    """The joint with friction closes the loop, so that its angle is not a coordinate."""
    s = mk.System("loop")
    for name, at in (("crank", (0, 0, 0)), ("coupler", (0, 0, 1)), ("rocker", (1, 0, 0))):
        s.body(name, mass=1, inertia=(0.1, 0.1, 0.1), position=at)
    s.pin("a", s.ground, "crank", axis="y", at=(0, 0, 0))
    s.pin("b", "crank", "coupler", axis="y", at=(0, 0, 1))
    s.pin("c", "coupler", "rocker", axis="y", at=(1, 0, 1))
    s.pin("d", "rocker", s.ground, axis="y", at=(1, 0, 0))
    for name in "abcd":
        s.torsional_spring(f"k{name}", name, stiffness=100)
        s.motor(f"rub {name}", name, torque=f"-0.1*sign({name}.angle.rate)")
    notes = mk.equilibrium(s).notes
    assert [note.split("'")[1] for note in notes] == [f"rub {name}" for name in "abcd"]


@pytest.mark.parametrize("law", ["3*floor(A.angle/0.3)", "-k*abs(A.angle)"])
def test_a_root_locus_says_where_laws_are_not_smooth(law):
    """Eigenvalues of one side only are no verdict; mk.linearize says so, and so does what is made of it."""
    s = mk.System("p", gravity=(0, 0, -9.81))
    s.parameter("k", 2.5)
    body = s.body("b", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1))
    s.pin("A", s.ground, body, at=(0, 0, 0), axis="y")
    s.motor("m", "A", torque=law)
    found = mk.root_locus(s, "k", [1.0, 2.0])
    assert found.notes == mk.linearize(s).notes
    assert "holds on one side only" in str(found)
    assert found.to_dict()["notes"] == found.notes
