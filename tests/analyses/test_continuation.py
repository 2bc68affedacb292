"""Branches of equilibria: limit loads and buckling loads against closed forms, to 1e-9 (they are found to about
1e-13)."""

import numpy as np
import pytest

import mekane as mk
from mekane.gallery import two_bar_truss


def truss():
    return two_bar_truss.system(0.0)


def test_snap_through_of_a_truss():
    """The limit load, and all loads on the way, in closed form; between the limit points it is unstable."""
    found = mk.continuation(truss(), "load", (0, 20))
    limit = two_bar_truss.limit_load()
    assert [event.value for event in found.turning_points] == pytest.approx([limit, -limit], rel=1e-9)
    (branch,) = found.branches
    heights = branch["apex.position.z"]
    assert heights[0] == pytest.approx(0.3) and heights[-1] < -0.3
    assert branch.value == pytest.approx(two_bar_truss.borne(heights), abs=1e-9)
    top = np.sqrt(two_bar_truss.FREE ** (2 / 3) - 1)
    clear = np.abs(np.abs(heights) - top) > 1e-4  # but for the limit points themselves
    assert np.array_equal(branch.stable[clear], np.abs(heights[clear]) > top) and clear.sum() > 40


def test_equilibria_at_one_value():
    found = mk.continuation(truss(), "load", (0, 20)).at(4.0)
    assert [one.stable for one in found] == [True, False, True]
    assert all(one.parameters["load"] == 4.0 for one in found)
    assert found[0]["left.tension"] == found[0]["right.tension"] < 0


def column(n, load=0.0, stiffness=10.0):
    """n links of unit length, a torsional spring under each, a load on top that stays vertical."""
    s = mk.System("sprung chain", gravity=(0, 0, 0), planar="xz", parameters={"P": load})
    before = s.ground
    for k in range(n):
        link = s.body(f"link{k}", 1.0, 0.1, position=(0, 0, k + 0.5))
        s.pin(f"pin{k}", before, link, at=(0, 0, k), axis="y")
        s.torsional_spring(f"spring{k}", f"pin{k}", stiffness)
        before = link
    s.force("load", before, ("0", "0", "-P"), at=(0, 0, 0.5))
    return s


@pytest.mark.parametrize("n", [1, 2, 3])
def test_buckling_of_a_sprung_chain(n):
    """In absolute angles the springs give k (tridiagonal 2, −1, last 1) and the load −P L times unity, so

    P = 4 k/L sin²((2j − 1) π / (4n + 2))."""
    found = mk.continuation(column(n), "P", (0, 42), branches=False)
    exact = 40 * np.sin((2 * np.arange(1, n + 1) - 1) * np.pi / (4 * n + 2)) ** 2
    assert [event.value for event in found.bifurcations] == pytest.approx(exact, rel=1e-9)
    (branch,) = found.branches
    clear = np.abs(branch.value - exact[0]) > 1e-6
    assert np.array_equal(branch.stable[clear], branch.value[clear] < exact[0])


def test_the_buckled_column():
    """One link: P L sin θ = k θ on the branch that leaves at P = k/L, stable on both sides."""
    found = mk.continuation(column(1), "P", (0, 20))
    assert len(found.branches) == 3
    for branch in found.branches[1:]:
        angle = branch["pin0.angle"]
        assert branch.value[1:] * np.sin(angle[1:]) == pytest.approx(10.0 * angle[1:], abs=1e-8)
        assert branch.stable[1:].all() and branch.value[-1] == 20.0
        assert branch.origin.value == pytest.approx(10.0, rel=1e-9)
    left, right = (branch["pin0.angle"][-1] for branch in found.branches[1:])
    assert left == pytest.approx(-right, abs=1e-10)


def test_a_parameter_of_a_constraint():
    """A guided bead on a wire whose height is the parameter: carried along exactly."""
    s = mk.System("bead", planar="xz", parameters={"h": 0.0})
    s.body("bead", 1.0, position=(0.3, 0, 0.09))
    s.position_constraint("wire", "bead.position.z - h - bead.position.x**2")
    found = mk.continuation(s, "h", (0, 2), at={"bead.position.x": 0.2})
    (branch,) = found.branches
    assert branch["bead.position.z"] == pytest.approx(branch.value, abs=1e-10)
    assert branch.stable.all()


def test_it_prints_draws_and_becomes_plain_data(tmp_path):
    import json

    found = mk.continuation(column(1), "P", (0, 20))
    assert "bifurcation" in str(found) and "from 10" in str(found)
    json.dumps(found.to_dict())
    figure = found.plot(tmp_path / "diagram.png")
    assert (tmp_path / "diagram.png").stat().st_size > 5000
    styles = {line.get_linestyle() for line in figure.axes[0].lines}
    assert {"-", "--"} <= styles


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("load", (0,)), "goes from a first to a last value"),
        (("load", (1, 1)), "must change"),
        (("lod", (0, 1)), "Did you mean 'load'"),
        (("apex.mass", (1, 2)), "built into the model"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(mk.ModelError) as error:
        mk.continuation(truss(), *arguments)
    assert message in str(error.value)


def tall_truss(height=3.0):
    """Two sprung bars whose apex may also move sideways: far below its limit load it gives way to one side."""
    s = mk.System("tall truss", gravity=(0, 0, 0), planar="xz", parameters={"P": 0.0})
    for name in ("carriage", "apex"):
        s.body(name, 1.0, 1.0, position=(0, 0, height))
    s.slider("aside", s.ground, "carriage", at=(0, 0, height), axis="x")
    s.slider("down", "carriage", "apex", at=(0, 0, height), axis="z")
    for name, x in (("left", -1.0), ("right", 1.0)):
        s.spring(name, (s.ground, (x, 0, 0)), ("apex", (0, 0, 0)), 100.0, np.hypot(1.0, height))
    s.force("load", "apex", ("0", "0", "-P"))
    return s


def test_closed_branches_of_a_symmetric_truss_are_followed_once():
    """Upright, sideways stiffness 2k(1 − L0 z²/L³) vanishes where L³ = L0 (L² − 1), under P = 2k z (L0/L − 1). The
    branch that crosses there is a closed curve, its own mirror image: it comes back, having been on both sides, and is
    not followed again from its other end. On all branches the bars balance the load, by hand; to 1e-12 m, for which the
    misfit is divided by the stiffness k L0/L of the shorter bar: it grows without bound where a branch ends with the
    apex at a foot."""
    found, free = mk.continuation(tall_truss(), "P", (0, 300)), np.hypot(1.0, 3.0)
    lengths = np.array([L.real for L in np.roots([1.0, -free, 0.0, free]) if abs(L.imag) < 1e-12 and L.real > 1.0])
    exact = np.sort(200.0 * np.sqrt(lengths**2 - 1.0) * (free / lengths - 1.0))
    loads = sorted(event.value for event in found.branches[0].events if event.kind == "bifurcation")
    assert loads == pytest.approx([*-exact[::-1], *exact], rel=1e-9)
    for branch in found.branches:
        x, z = branch["apex.position.x"], branch["apex.position.z"]
        pushes = [(100.0 * (free / L - 1.0), side) for side in (-1.0, 1.0) for L in [np.hypot(x - side, z)]]
        stiffness = 100.0 * free / np.min([np.hypot(x - side, z) for side in (-1.0, 1.0)], axis=0)
        np.testing.assert_allclose(sum(push * (x - side) for push, side in pushes) / stiffness, 0.0, atol=1e-12)
        np.testing.assert_allclose((sum(push * z for push, _ in pushes) - branch.value) / stiffness, 0.0, atol=1e-12)
    closed = [branch for branch in found.branches if branch.origin and branch.line[0] is branch.line[-1]]
    assert sorted(branch.value[0] for branch in closed) == pytest.approx([-exact[0], exact[0]], rel=1e-9)
    for branch in closed:
        x = branch["apex.position.x"]
        assert x.max() == pytest.approx(-x.min(), rel=0.02) and x.max() > 1.0  # the turning points lie between samples
        assert len(branch) < 150 and not branch.events
