"""Equilibria against closed forms, balances of forces and other formulations. Newton ends at round-off: tolerances are
1e-9 and below."""

import numpy as np
import pytest
from scipy.optimize import brentq

import mekane as mk
from mekane import formulations
from mekane.analyses.equilibrium.equilibrium import without_noise
from mekane.gallery import double_pendulum, hanging_chain, pendulum, rod_chain, two_bar_truss

G = 9.81


# ---------------------------------------------------------------- how many, and which are stable


def test_a_pendulum_has_two():
    low, high = mk.equilibrium(pendulum.system(), all=True)
    assert (low.stable, high.stable) == (True, False)
    assert low["hinge.angle"] == pytest.approx(0, abs=1e-12)
    assert abs(high["hinge.angle"]) == pytest.approx(np.pi, abs=1e-12)
    assert (low.potential, high.potential) == (pytest.approx(-G), pytest.approx(G))
    assert low.reaction("hinge").force.values == pytest.approx([0, G, 0], abs=1e-12)
    assert low.eigenvalues == pytest.approx(np.sqrt(G) * np.array([-1j, 1j]), abs=1e-12)
    assert float(low.stiffness.sel({"coordinate": "hinge.angle", "with": "hinge.angle"})) == pytest.approx(G)


def test_a_double_pendulum_has_four_and_one_is_stable():
    found = mk.equilibrium(double_pendulum.system(), all=True)
    assert len(found) == 4
    assert [one.stable for one in found] == [True, False, False, False]
    assert "4 distinct equilibria" in str(found)


def test_stiffness_and_eigenvalues_agree():
    """Every negative stiffness is one eigenvalue to the right of the axis, and none else is there (Kelvin and Tait)."""
    found = mk.equilibrium(rod_chain.system(3), all=True)
    assert len(found) == 8
    for one in found:
        falling = int(np.sum(np.linalg.eigvalsh(one.stiffness.values) < 0))
        assert falling == np.sum(one.eigenvalues.real > 1e-6)
        assert one.stable == (falling == 0)


def test_from_far_it_goes_down_to_a_stable_one():
    """A chain that starts nearly upright ends hanging: potential −(n²/2) m g L."""
    for formulation in formulations.NAMES:
        found = mk.equilibrium(rod_chain.system(3), at={"pin1": "175 deg", "pin2": "5 deg"}, formulation=formulation)
        assert found.stable
        assert found.potential == pytest.approx(-4.5 * G, abs=1e-9)


# ---------------------------------------------------------------- the two-bar truss


def test_a_truss_has_three():
    load = 4.0
    found = mk.equilibrium(two_bar_truss.system(load), all=True)
    top = np.sqrt((0.3**2 + 1) ** (1 / 3) - 1)  # where the bars bear most
    roots = [
        brentq(lambda w: two_bar_truss.borne(w) - load, *side, xtol=1e-15)
        for side in ((-1, -top), (-top, top), (top, 1))
    ]
    heights = sorted((one["apex.position"][2], one.stable) for one in found)
    assert [h for h, _ in heights] == pytest.approx(roots, abs=1e-11)
    assert [stable for _, stable in heights] == [True, False, True]


# ---------------------------------------------------------------- bodies that hang or stand


def test_a_plate_on_three_springs():
    """The tensions of three vertical springs follow from three linear equations: the force and both moments. Natural
    lengths and anchors are chosen so that the plate ends level, at z = 0; the search starts from a tilted and shifted
    plate."""
    mass, centre = 12.0, np.array([0.1, -0.05])
    corners = np.array([[0.6, 0.0], [-0.4, 0.5], [-0.3, -0.6]])
    tension = np.linalg.solve(np.vstack([np.ones(3), corners.T]), mass * G * np.array([1, *centre]))
    s = mk.System("plate")
    plate = s.body(
        "plate", mass, (1, 1, 2), com=(*centre, 0), position=(0.05, -0.08, 0.2), orientation=("xyz", (0.2, -0.3, 0.1))
    )
    for k, (corner, pull) in enumerate(zip(corners, tension, strict=True)):
        stiffness = 300.0 * (k + 1)
        s.spring(f"spring{k}", (s.ground, (*corner, 1.0)), (plate, (*corner, 0)), stiffness, 1.0 - pull / stiffness)
    for formulation in formulations.NAMES:
        found = mk.equilibrium(s, formulation=formulation)
        assert found["plate.position"] == pytest.approx([0, 0, 0], abs=1e-10)
        assert [found[f"spring{k}.tension"] for k in range(3)] == pytest.approx(tension, abs=1e-8)
        assert found.stable and not found.indifferent


def test_a_table_on_four_legs_is_statically_indeterminate():
    s = mk.System("table")
    top = s.body("top", 20.0, (1, 1, 2), position=(0, 0, 0.7))
    for k, (x, y) in enumerate([(0.5, 0.4), (-0.5, 0.4), (-0.5, -0.4), (0.5, -0.4)]):
        s.point_on_plane(f"leg{k}", (top, (x, y, -0.7)), (s.ground, (0, 0, 0)), normal="z")
    found = mk.equilibrium(s)
    assert found.indeterminate == ["leg0", "leg1", "leg2", "leg3"]
    assert sum(found.reaction(name).force.values[2] for name in found.indeterminate) == pytest.approx(20 * G, rel=1e-12)
    assert len(found.indifferent) == 3 and found.stable
    assert "Statically indeterminate: how 'leg0', 'leg1', 'leg2', 'leg3' share the load is not unique" in str(found)


# ---------------------------------------------------------------- a hanging chain


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_a_chain_hangs_as_its_links_must(formulation):
    found = mk.equilibrium(hanging_chain.system(20), formulation=formulation)
    expected = [-hanging_chain.horizontal_tension(20), 0, G * hanging_chain.LENGTH / 2]
    assert found.reaction("pin0").force.values == pytest.approx(expected, rel=1e-8)
    hinges = np.array([found[f"pin{k}.point"] for k in range(21)])
    assert np.abs(hinges - hanging_chain.hanging(20)).max() < 1e-9
    assert found.stable


def test_a_chain_of_50_links_hangs_as_a_catenary():
    """Links of length h leave the catenary by an error of second order: 50 links are within it, and half the length
    leaves a quarter."""
    found = {n: mk.equilibrium(hanging_chain.system(n)).reaction("pin0").force.values[0] for n in (24, 48, 50)}
    error = {n: abs(-x / hanging_chain.catenary_tension() - 1) for n, x in found.items()}
    assert error[50] < 0.25 / 50**2
    assert error[24] / error[48] == pytest.approx(4, rel=0.02)


# ---------------------------------------------------------------- all formulations, loops, other laws


def slider_crank():
    s = mk.System("sprung crank")
    crank = s.body("crank", 1.0, (0.01, 0.01, 0.01), position=(0.1, 0, 0.0))
    rod = s.body("rod", 1.5, (0.02, 0.02, 0.02), position=(0.45, 0, 0))
    piston = s.body("piston", 0.7, (0.01, 0.01, 0.01), position=(0.7, 0, 0))
    s.pin("main", s.ground, crank, at=(0, 0, 0), axis="y")
    s.pin("big end", crank, rod, at=(0.2, 0, 0), axis="y")
    s.pin("wrist", rod, piston, at=(0.7, 0, 0), axis="y")
    s.slider("bore", s.ground, piston, at=(0, 0, 0), axis="x")
    s.spring("return", (s.ground, (1.2, 0, 0)), (piston, (0, 0, 0)), 150.0, 0.4)
    s.torsional_damper("friction", "main", 0.3)
    return s


def test_all_formulations_find_the_same():
    start = {"main": "20 deg"}
    found = {name: mk.equilibrium(slider_crank(), at=start, formulation=name) for name in formulations.NAMES}
    first = found["joint"]
    assert first.stable and first.indeterminate  # the plane of the loop is held twice
    for one in found.values():
        for body in ("crank", "rod", "piston"):
            assert one[f"{body}.position"] == pytest.approx(first[f"{body}.position"], abs=1e-10)
        assert one.reaction("bore").force.values[2] == pytest.approx(first.reaction("bore").force.values[2], abs=1e-8)
        assert one.eigenvalues == pytest.approx(first.eigenvalues, abs=1e-7)


def test_eigenvalues_about_it_are_those_of_linearize():
    """Two roads to the eigenvalues: reduced matrices here, independent states there."""
    found = mk.equilibrium(slider_crank(), at={"main": "20 deg"})
    other = np.linalg.eigvals(mk.linearize(slider_crank(), at=found).A)
    assert other[np.argsort(other.imag)] == pytest.approx(
        found.eigenvalues[np.argsort(found.eigenvalues.imag)], abs=1e-8
    )


def test_the_whole_weight_is_borne():
    """Ground carries what the springs do not: Σ reactions + spring + weight = 0."""
    found = mk.equilibrium(slider_crank(), at={"main": "20 deg"})
    borne = found.reaction("main").force.values + found.reaction("bore").force.values
    assert borne + [found["return.tension"], 0, -3.2 * G] == pytest.approx([0, 0, 0], abs=1e-9)


def test_it_stays_there():
    still = mk.equilibrium(slider_crank(), at={"main": "20 deg"})
    run = mk.simulate(still.system, 1.0)
    assert np.abs(run["main.angle"] - still["main.angle"]).max() < 1e-9


def test_units_do_not_matter():
    """The same chain a thousand times smaller and a million times lighter hangs at the same angles."""

    def two_links(size, mass):
        s = mk.System("links", gravity=(0, 0, -G))
        a = s.body("a", mass, (mass * size**2 / 12,) * 3, position=(size / 2, 0, 0))
        b = s.body("b", mass, (mass * size**2 / 12,) * 3, position=(1.5 * size, 0, 0))
        s.pin("one", s.ground, a, at=(0, 0, 0), axis="y")
        s.pin("two", a, b, at=(size, 0, 0), axis="y")
        s.torsional_spring("stiff", "one", 20 * mass * size)
        s.spring("tie", (s.ground, (2 * size, 0, size)), (b, (size / 2, 0, 0)), 15 * mass / size, 0.5 * size)
        return s

    large, small = mk.equilibrium(two_links(1.0, 1.0)), mk.equilibrium(two_links(1e-3, 1e-6))
    for name in ("one.angle", "two.angle"):
        assert small[name] == pytest.approx(large[name], abs=1e-10)
    assert large.stable and small.stable


def test_a_controller_with_an_integral_reaches_its_target():
    """With an integral gain the error vanishes, and the integral bears the weight: ki ∫ = m g L cos θ."""
    s = mk.System("held arm")
    arm = s.body("arm", 2.0, (0.1, 0.1, 0.1), position=(0.5, 0, 0))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
    s.pid("servo", "hinge", target=0.4, stiffness=40.0, integral=30.0, damping=8.0)
    found = mk.equilibrium(s)
    assert found["hinge.angle"] == pytest.approx(0.4, abs=1e-12)
    assert 30.0 * found["servo.integral"] == pytest.approx(-2 * G * 0.5 * np.cos(0.4), abs=1e-9)
    assert found.stable and "negative real parts" in found.reason


def test_a_loaded_ball_rolls_until_its_weight_is_lowest():
    s = mk.System("ball")
    s.body("ball", 1.0, (0.01, 0.01, 0.01), com=(0.05, 0, 0), position=(0, 0, 0.1))
    s.rolling_sphere("contact", ("ball", (0, 0, 0)), 0.1)
    found = mk.equilibrium(s)
    assert found["ball.centre"][2] == pytest.approx(0.05, abs=1e-10)
    assert found["ball.position"][0] == pytest.approx(0.1 * np.pi / 2, abs=1e-9)  # a quarter of a turn
    assert found.stable and found.reaction("contact").force.values == pytest.approx([0, 0, G], abs=1e-9)


def test_a_prescribed_position_is_fixed():
    s = pendulum.system()
    s.prescribed("drive", "hinge", "0.3")
    found = mk.equilibrium(s)
    assert found["hinge.angle"] == pytest.approx(0.3, abs=1e-12)
    assert found.reason == "the constraints leave no freedom"
    assert found.multipliers["drive.1"] == pytest.approx(G * np.sin(0.3), rel=1e-12)


def test_a_critical_point_is_not_called_stable():
    """At its buckling load P L = k a sprung column has no stiffness left, but is not neutral."""
    s = mk.System("column", gravity=(0, 0, 0))
    bar = s.body("bar", 1.0, (0.1, 0.1, 0.1), position=(0, 0, 0.5))
    s.pin("base", s.ground, bar, at=(0, 0, 0), axis="y")
    s.torsional_spring("spring", "base", 7.0)
    s.force("load", bar, (0, 0, -7.0), at=(0, 0, 0.5))
    found = mk.equilibrium(s)
    assert found.stable is None and "critical" in found.reason


# ---------------------------------------------------------------- shown


def test_it_prints_and_becomes_plain_data():
    import json

    found = mk.equilibrium(slider_crank(), at={"main": "20 deg"})
    text = str(found)
    assert (
        "Equilibrium of 'sprung crank'" in text
        and "Reactions" in text
        and "Stable: the potential has a minimum" in text
    )
    data = json.loads(json.dumps(found.to_dict()))
    assert data["stable"] is True and data["values"]["main.angle"] == found["main.angle"]


def test_round_off_is_printed_as_zero():
    """Oracle: the vectors themselves; below 1e-12 of the largest, or of what they are sums of, is round-off."""
    assert without_noise([(1.0, 2e-17, -3e-13), (0, 5e-12, 1e-3)]).tolist() == [[1.0, 0.0, 0.0], [0.0, 5e-12, 1e-3]]
    assert without_noise([(1e-9, 0, 1e-15)], least=1e4).tolist() == [[0.0, 0.0, 0.0]]
    assert without_noise([]).shape == (0, 3)


# ---------------------------------------------------------------- bad input


def refused(*arguments, **more):
    with pytest.raises(mk.ModelError) as error:
        mk.equilibrium(*arguments, **more)
    return str(error.value)


def test_nothing_holds_it():
    s = mk.System("crate")
    s.body("crate", 5.0, (1, 1, 1))
    assert "nothing holds 'crate' against 49.05 N along −z" in refused(s)


def test_a_torque_that_never_balances():
    s = mk.System("motor", gravity=(0, 0, 0))
    s.body("rotor", 5.0, (1, 1, 1))
    s.pin("bearing", s.ground, "rotor", at=(0, 0, 0), axis="z")
    s.motor("drive", "bearing", torque=3.0)
    text = refused(s)
    assert "nothing balances 3 N m on angle at joint 'bearing'" in text and "without end" in text


def test_a_singular_start():
    """Four bars folded onto one line: there the crank may turn either way, and the equations do not say how."""
    s = mk.System("folded", planar="xz")
    ends = {"a": (0, 1), "b": (1, 2.5), "c": (2.5, 4)}
    for name, (x0, x1) in ends.items():
        s.body(name, 1.0, 0.1, position=((x0 + x1) / 2, 0, 0))
    s.pin("p1", s.ground, "a", at=(0, 0, 0), axis="y")
    s.pin("p2", "a", "b", at=(1, 0, 0), axis="y")
    s.pin("p3", "b", "c", at=(2.5, 0, 0), axis="y")
    s.slider("rail", s.ground, "c", at=(4, 0, 0), axis="x")
    s.distance("rod", (s.ground, (0, 0, 0)), ("b", (0.75, 0, 0)), 2.5)
    assert "singular" in refused(s)


def test_what_is_driven_is_refused():
    s = pendulum.system()
    s.prescribed("drive", "hinge", "2*t")
    text = refused(s)
    assert "prescribed 'drive'" in text and "mk.steady" in text


def test_unknown_names():
    assert "hinge.angel" in refused(pendulum.system(), at={"hinge.angel": 1.0})
    assert "names and values are expected" in refused(pendulum.system(), at=3.0)
