"""Light parts beside heavy ones. Oracle: parts that do not act on each other are what each would be alone, whatever the masses; a
pendulum of length l hangs stably with ω² = g/l and stands unstably with s² = g/l."""

import numpy as np
import pytest

import mekane as mk

MASSES = (1.0, 1e-6, 1e-9, 1e-12, 1e-15)
FORMULATIONS = ("joint", "absolute")
RATE = np.sqrt(9.81)  # of a point mass one metre from its hinge


def pendulum_beside(mass, above, hung_on_block=False):
    """A pendulum beside (or on) a block of 1 kg on a spring. It stands exactly upright, so that nothing pushes it over."""
    s = mk.System("beside")
    s.body("block", mass=1, inertia=(1, 1, 1))
    s.body("bob", mass=mass, inertia=(0, 0, 0), position=(0, 0, 1.0 if above else -1.0))
    s.slider("slide", s.ground, "block", axis="y")
    s.pin("hinge", "block" if hung_on_block else s.ground, "bob", axis="y", at=(0, 0, 0))
    s.sliding_spring("spring", "slide", stiffness=100)
    return s


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("mass", MASSES)
@pytest.mark.parametrize("hung_on_block", (False, True))
def test_a_pendulum_hangs_or_stands_whatever_is_beside_it(mass, formulation, hung_on_block):
    """Eigenvalues to 1e-3: constraint forces of 10 N beside 1e-14 N leave 1e-16·1e15 of them uncertain in the worst case, so they are
    asked for down to 1e-12 in `absolute`; the verdict everywhere."""
    block = 100 / (1 + mass) if hung_on_block else 100  # it carries the bob along
    for above, verdict in ((True, False), (False, True)):
        rest = mk.equilibrium(pendulum_beside(mass, above, hung_on_block), formulation=formulation)
        assert rest.stable is verdict and rest.indifferent == []
        exact = [block**0.5, block**0.5, RATE, RATE]
        if formulation == "joint" or mass > 1e-13:
            np.testing.assert_allclose(np.sort(np.abs(rest.eigenvalues)), np.sort(exact), rtol=1e-3)
        assert mk.modes(rest.system, formulation=formulation).linear.stable is verdict


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("mass", MASSES)
def test_a_light_pendulum_falls_to_where_it_hangs(mass, formulation):
    """From 130° off, and the block from 0.3 m off: both come to rest, to the 1e-9 of their own forces that counts as balanced."""
    start = {"hinge.angle": "130 deg", "slide.displacement": 0.3}
    rest = mk.equilibrium(pendulum_beside(mass, above=False), at=start, formulation=formulation)
    assert abs(rest["hinge.angle"]) < 2e-9 and abs(rest["slide.displacement"]) < 2e-9 and rest.stable


@pytest.mark.parametrize("mass", MASSES)
def test_both_equilibria_of_a_light_pendulum_are_found(mass):
    found = mk.equilibrium(pendulum_beside(mass, above=False), all=True, starts=12)
    angles = sorted(round(abs(one["hinge.angle"]), 6) for one in found)
    assert angles == [0.0, 3.141593] and [one.stable for one in found if abs(one["hinge.angle"]) < 1] == [True]


@pytest.mark.parametrize("mass", MASSES)
def test_a_light_wheel_beside_a_block_stays_indifferent(mass):
    """Balanced about its axis: no force however it is turned."""
    s = pendulum_beside(1.0, above=False)
    s.body("wheel", mass=mass, inertia=(mass, mass, mass), position=(3, 0, 0))
    s.pin("axle", s.ground, "wheel", axis="y", at=(3, 0, 0))
    for formulation in FORMULATIONS:
        rest = mk.equilibrium(s, formulation=formulation)
        assert rest.stable and len(rest.indifferent) == 1 and ("axle" in rest.indifferent[0] or "wheel" in rest.indifferent[0])


@pytest.mark.parametrize("mass", MASSES)
def test_negative_damping_of_a_light_part(mass):
    """m s² − c s + k = 0 grows, whatever damps the block."""
    s = mk.System("two", gravity=(0, 0, 0))
    for name, m, sign in (("heavy", 1.0, 1.0), ("light", mass, -1.0)):
        s.body(name, mass=m, inertia=(m, m, m))
        s.slider(f"{name}_guide", s.ground, name, axis="x")
        s.sliding_spring(f"{name} spring", f"{name}_guide", stiffness=100 * m)
        s.motor(f"{name} motor", f"{name}_guide", force=f"{-sign * m!r} * {name}_guide.displacement.rate")
    rest = mk.equilibrium(s)
    assert rest.stable is False
    np.testing.assert_allclose(rest.eigenvalues.real.max(), 0.5, rtol=1e-6)
