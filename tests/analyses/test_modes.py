"""Modes and root loci. Oracles: closed forms of springs and masses, published speeds of the bicycle, counts of
rigid-body motions."""

import numpy as np
import pytest

import mekane as mk
from mekane.analyses.linear.eigensystem import eigensystem, nullity
from mekane.errors import ModelError
from mekane.gallery import bicycle


def carts(n=3, k=100.0, c=0.0, held=True):
    """Masses of 1 kg in a row on one rail, springs between them; the first is tied to the ground if held."""
    s = mk.System("carts", gravity=(0, 0, 0), parameters={"k": k, "c": c})
    before = s.ground
    for i in range(n):
        cart = s.body(f"cart{i}", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(i + 1.0, 0, 0))
        s.slider(f"rail{i}", s.ground, cart, at=(i + 1.0, 0, 0), axis="x")
        if before is not s.ground or held:
            s.spring(f"spring{i}", (before, (0, 0, 0)), (cart, (0, 0, 0)), stiffness="k", length=1.0, damping="c")
        before = cart
    return s


@pytest.mark.parametrize("formulation", ["joint", "absolute", "relative", "mixed", "bryan"])
def test_masses_in_a_row(formulation):
    """ω_j = 2 √(k/m) sin((2j − 1) π / (4n + 2)): fixed at one end, free at the other. Round-off."""
    n, k = 3, 100.0
    expected = 2 * np.sqrt(k) * np.sin((2 * np.arange(1, n + 1) - 1) * np.pi / (4 * n + 2))
    found = mk.modes(carts(n, k), formulation=formulation)
    np.testing.assert_allclose(2 * np.pi * found.frequencies, expected, rtol=1e-12)
    assert found.zeros == 0 and found.linear.stable
    shape = found[0].shape  # sin((2j − 1) π i / (2n + 1)) for cart i
    along = np.array([shape[f"cart{i}"][0][0] for i in range(n)])
    wave = np.sin(np.arange(1, n + 1) * np.pi / (2 * n + 1))
    np.testing.assert_allclose(along / along[-1], wave / wave[-1], rtol=0, atol=1e-12)


def test_damping():
    """Dampers in proportion to springs: each mode has the damping c ω / (2 k)."""
    k, c = 100.0, 0.4
    for mode in mk.modes(carts(3, k, c)):
        assert mode.damping == pytest.approx(c * abs(mode.eigenvalue) / (2 * k), rel=1e-11)
        assert mode.frequency == pytest.approx(mode.natural_frequency * np.sqrt(1 - mode.damping**2), rel=1e-12)


def test_rigid_body_motions_are_counted():
    """A row of carts that nothing holds: one rigid motion, a double zero. A free pair of bodies on a spring, in space:
    of 12 freedoms one swings, the others (the pair as one, each body about its own centre) meet no force."""
    row = mk.modes(carts(3, held=False))
    assert (row.zeros, row.rigid, len(row)) == (2, 1, 2)
    s = mk.System("pair", gravity=(0, 0, 0))
    for name, x in (("a", 0.0), ("b", 1.0)):
        s.body(name, mass=1.0, inertia=(0.1, 0.2, 0.3), position=(x, 0, 0))
    s.spring("tie", ("a", (0, 0, 0)), ("b", (0, 0, 0)), stiffness=50.0, length=1.0)
    found = mk.modes(s)
    assert (found.zeros, found.rigid, len(found)) == (22, 11, 1)
    assert found[0].frequency == pytest.approx(np.sqrt(2 * 50.0) / (2 * np.pi), rel=1e-12)


@pytest.mark.parametrize("noise", [0.0, 1e-13, 1e-11])
def test_round_off_makes_no_modes(noise):
    """Two carts on a spring and one that is free; entries of the free one are round-off of a processor. 1e-11: what is
    left after terms of size one cancel; scaled up by the choice of units it would count as a mode."""
    A = np.zeros((6, 6))
    A[:3, 3:] = np.eye(3)
    A[3:, :3] = 1e2 * np.array([[-1, 1, 0], [1, -1, 0], [0, 0, 0]])
    A[5, :3] = noise * np.array([1.0, -0.3, 0.7])
    values, _, zeros = eigensystem(A)
    assert (zeros, nullity(A)) == (4, 2)
    assert np.sort(values[zeros:].imag) == pytest.approx([-np.sqrt(200), np.sqrt(200)], rel=1e-12)


def test_frames_of_an_animation():
    """A pendulum's bob moves on its circle; a quarter period after the start it hangs straight."""
    s = mk.System("pendulum")
    arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
    (mode,) = mk.modes(s)
    assert 2 * np.pi * mode.frequency == pytest.approx(np.sqrt(9.81 * 0.5 / (0.1 + 0.25)), rel=1e-12)
    frames = mode.frames(4, amplitude=0.2)
    angle = [np.arctan2(-p["arm"][1][0], -p["arm"][1][2]) for p in frames]
    np.testing.assert_allclose(angle, [0.2, 0.0, -0.2, 0.0], rtol=0, atol=1e-12)
    assert all(np.linalg.norm(p["arm"][1]) == pytest.approx(0.5, abs=1e-12) for p in frames)


def test_root_locus_of_the_bicycle():
    """Weave and capsize speeds as published: 4.29238253634111, 6.02426201538837."""
    found = mk.root_locus(lambda v: bicycle.system(wheel_rate=v / 0.3), "speed", np.linspace(3.0, 7.0, 9))
    weave, capsize = found.crossings
    assert weave.value == pytest.approx(4.29238253634111, abs=1e-9) and weave.becomes == "stable"
    assert capsize.value == pytest.approx(6.02426201538837, abs=1e-9) and capsize.becomes == "unstable"
    assert abs(weave.eigenvalue.imag) == pytest.approx(3.43503384866144, abs=1e-8) and capsize.eigenvalue.imag == 0
    assert "stable" in str(found) and len(found.to_dict()["eigenvalues"]) == 9


def test_root_locus_over_a_parameter(tmp_path):
    """An inverted pendulum on a torsional spring stands if k > m g l."""
    s = mk.System("inverted", parameters={"k": 1.0})
    arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, 0.5))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
    s.motor("spring", "hinge", torque="-k*hinge.angle - 0.2*hinge.angle.rate")
    found = mk.root_locus(s, "k", np.linspace(1.0, 9.0, 9))
    assert [c.becomes for c in found.crossings] == ["stable"]
    assert found.crossings[0].value == pytest.approx(9.81 * 0.5, abs=1e-10)
    found.plot(tmp_path / "locus.png")
    mk.modes(s.with_parameters(k=9.0)).plot(tmp_path / "modes.png")
    assert (tmp_path / "locus.png").stat().st_size > 5000 and (tmp_path / "modes.png").exists()
    with pytest.raises(ModelError, match="two or more values"):
        mk.root_locus(s, "k", 3.0)
    with pytest.raises(ModelError, match="is not a parameter"):
        mk.root_locus(s, "kk", [1.0, 2.0])


def test_zeros_are_judged_beside_the_uncertainty_of_the_entries():
    """A free turn beside a fast mode, with 1e-8 where zero should stand, as accelerations that are left of an equilibrium
    leave it: two zeros if entries are that uncertain, ±√1e-8 if they are exact. The fast mode is the same, to what 1e-8
    changes of it, 1e-8/(2·478)."""
    A = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [1e-8, 1e-8, 0, 0], [1e-8, 478.0**2, 0, 0]])
    uncertain = np.array([[0, 0, 0, 0], [0, 0, 0, 0], [1e-8, 1e-8, 0, 0], [1e-8, 1e-8, 0, 0]])
    values, _, zeros = eigensystem(A, uncertain)
    assert (zeros, nullity(A, uncertain)) == (2, 1)
    np.testing.assert_allclose(np.sort(values.real), [-478.0, 0, 0, 478.0], rtol=0, atol=1e-10)
    values, _, zeros = eigensystem(A)
    assert (zeros, nullity(A)) == (0, 0)
    np.testing.assert_allclose(np.sort(values.real), [-478.0, -1e-4, 1e-4, 478.0], rtol=0, atol=1e-10)
