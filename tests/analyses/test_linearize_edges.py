"""Linearized motion in corners: laws that remember, laws of time, inputs that are no forces, states that are none.

Oracles: characteristic polynomials by hand, and refusals that name what is wrong."""

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError

FORMULATIONS = ("joint", "absolute", "relative", "mixed", "bryan")


def lift(target=0.3, gravity=-9.81):
    s = mk.System("lift", gravity=(0, 0, gravity))
    s.body("box", mass=20, inertia=(1, 1, 1))
    s.slider("guide", s.ground, "box", axis="z")
    s.pid("hoist", "guide", target=target, stiffness=5000, integral=8000, damping=500)
    return s


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_integral_that_carries_a_weight(formulation):
    """20 s³ + 500 s² + 5000 s + 8000 = 0, whatever the weight; roots to round-off (condition about 10)."""
    linear = mk.linearize(lift(), at=mk.equilibrium(lift(), formulation=formulation), formulation=formulation)
    exact = np.sort_complex(np.roots([20, 500, 5000, 8000]))
    np.testing.assert_allclose(np.sort_complex(linear.eigenvalues), exact, rtol=1e-12)
    assert linear.states[-1] == "hoist.integral"


def test_an_integral_that_grows_is_refused():
    """A motor balances k·error, so that speeds rest while ∫ error grows by 0.1 per second."""
    s = lift(0.1, gravity=0)
    s.motor("against", "guide", force=-500.0)
    with pytest.raises(ModelError, match=r"integral of 'hoist' grows by 0\.1"):
        mk.linearize(s)


def test_the_time_of_an_equilibrium():
    """Stiffness 50 (1 + t), mass 2: ω² = 50 at t = 1, where the spring rests at 0.1."""
    s = mk.System("timed", gravity=(0, 0, 0))
    s.body("a", mass=2, inertia=(1, 1, 1))
    s.slider("guide", s.ground, "a", axis="z")
    s.sliding_spring("k", "guide", stiffness="50*(1+t)", displacement="0.1*t")
    rest = mk.equilibrium(s, t=1.0)
    np.testing.assert_allclose(mk.linearize(s, at=rest).A, [[0, 1], [-50, 0]], rtol=1e-13)
    np.testing.assert_allclose(mk.modes(s, at=rest).frequencies, np.sqrt(50) / (2 * np.pi), rtol=1e-13)


def geared():
    s = mk.System("gears", gravity=(0, 0, 0), parameters={"m": 1.0})
    s.body("a", mass="$m", inertia=(0.1, 0.1, 0.2))
    s.body("b", mass=1, inertia=(0.3, 0.3, 0.5), position=(1, 0, 0))
    s.pin("pa", s.ground, "a", at=(0, 0, 0), axis="z")
    s.pin("pb", s.ground, "b", at=(1, 0, 0), axis="z")
    s.gear("mesh", "pa", "pb", ratio=-3)
    s.torsional_spring("k", "pa", stiffness=5)
    return s


@pytest.mark.parametrize("name", ["m", "gravity.z", "mesh.phase", "b.mass"])
def test_inputs_that_are_no_forces(name):
    """Their columns of B would be silently zero."""
    with pytest.raises(ModelError, match="built into the model"):
        mk.linearize(geared(), inputs=[name])


def test_words_that_are_no_names():
    assert mk.linearize(geared(), independent="pb.angle").states == ["pb.angle", "pb.angle.rate"]
    for keywords in (dict(independent=3), dict(outputs=3), dict(inputs=3), dict(tolerance="x")):
        with pytest.raises(ModelError, match=next(iter(keywords))):
            mk.linearize(geared(), **keywords)


def test_numbers_that_leave_a_gear_open():
    """q_a − ratio q_b = 0 + 3·1."""
    with pytest.raises(ModelError, match="'mesh' open by 3"):
        mk.linearize(geared(), at=([0.0, 1.0], [0, 0]))


@pytest.mark.filterwarnings("error")
def test_a_massless_body_between_springs_is_named():
    s = mk.System("massless", gravity=(0, 0, 0))
    s.body("a", mass=2, inertia=(1, 1, 1))
    s.body("j", mass=0, massless=True)
    s.slider("g", s.ground, "j", axis="z")
    s.slider("g2", "j", "a", axis="z")
    s.sliding_spring("k1", "g", stiffness=100)
    s.sliding_spring("k2", "g2", stiffness=300)
    with pytest.raises(ModelError, match="no inertia resists the speed 'g"):
        mk.linearize(s)


# ---------------------------------------------------------------- an upright arm on a torsional spring: stable beyond k
# = m g l = 9.81


def upright(k=1.0, damping=0.0):
    s = mk.System("upright", parameters={"k": k})
    s.body("a", mass=2, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0.5))
    s.pin("h", s.ground, "a", at=(0, 0, 0), axis="y")
    s.torsional_spring("spring", "h", stiffness="k", damping=damping)
    return s


@pytest.mark.parametrize(("damping", "values"), [(0.0, np.linspace(1, 20, 8)), (0.3, [1, 9.81, 20]), (0.3, [20, 1])])
def test_stability_that_is_lost_without_a_change_of_sign(damping, values):
    """Undamped pairs leave the imaginary axis at zero; a value may stand on the very point; a pair may part on the way.
    Growth counts from 1e-9 1/s on, which the damped arm (1e-9·damping) reaches within 1e-9 of 9.81."""
    (crossing,) = mk.root_locus(upright(damping=damping), "k", values).crossings
    assert abs(crossing.value - 9.81) < 1e-8 and crossing.becomes == (
        "stable" if values[0] < values[-1] else "unstable"
    )


def test_bad_values_of_a_root_locus():
    with pytest.raises(ModelError, match="two or more values"):
        mk.root_locus(upright(), "k", ["a", "b"])
    with pytest.raises(ModelError, match="at=mk.equilibrium"):
        mk.root_locus(upright(), "k", [1, 2], at=mk.equilibrium(upright()))


def test_gain_at_a_pole_is_no_number():
    """k = m g l: a double pole at zero; at 1 Hz the gain is k / (−0.6 ω²)."""
    gain = mk.linearize(upright(9.81), inputs=["spring.angle"], outputs=["h.angle"]).frequency_response([0.0, 1.0])
    assert np.isnan(gain[0, 0, 0])
    np.testing.assert_allclose(gain[1, 0, 0], -9.81 / (0.6 * 4 * np.pi**2), rtol=1e-12)


# ---------------------------------------------------------------- joints that would be turned over


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_pendulum_has_two_equilibria_in_every_formulation(formulation):
    """The rows of a pin hold also where its axes are opposite; nobody can put it together so."""
    s = mk.System("pendulum")
    s.body("a", mass=1, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1))
    s.pin("h", s.ground, "a", at=(0, 0, 0), axis="y")
    found = mk.equilibrium(s, all=True, formulation=formulation)
    assert [one.stable for one in found] == [True, False]


# ---------------------------------------------------------------- whole turns, and memory in a motion


def wound():
    s = mk.System("wound")
    s.body("a", mass=2, inertia=(0.1, 0.1, 0.1), position=(0, 0, -0.5))
    s.pin("h", s.ground, "a", at=(0, 0, 0), axis="y")
    s.torsional_spring("k", "h", stiffness=50.0, angle=10.0)
    return s


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_spring_that_is_wound_up(formulation):
    """50 (θ − 10) + 9.81 sin θ = 0 near 10, and 0.6 ω² = 50 + 9.81 cos θ; Newton's method on the first, to
    round-off."""
    angle = 10.0
    for _ in range(8):
        angle -= (50 * (angle - 10) + 9.81 * np.sin(angle)) / (50 + 9.81 * np.cos(angle))
    rest = mk.equilibrium(wound(), formulation=formulation)
    np.testing.assert_allclose([rest["h.angle"], rest["k.torque"]], [angle, -50 * (angle - 10)], rtol=1e-11)
    for other in ("joint", formulation):
        linear = mk.linearize(wound(), at=rest, formulation=other)
        np.testing.assert_allclose(np.abs(linear.eigenvalues) ** 2, (50 + 9.81 * np.cos(angle)) / 0.6, rtol=1e-11)


def governor():
    s = mk.System("governor")
    s.body("shaft", mass=1, inertia=(0.01, 0.01, 0.01))
    s.body("arm", mass=2, inertia=(0.05, 0.05, 0.05), position=(0.3, 0, -0.4))
    s.pin("bearing", s.ground, "shaft", at=(0, 0, 0), axis="z", rate=6.0)
    s.pin("hinge", "shaft", "arm", at=(0, 0, 0), axis="y")
    s.pid("drive", "bearing", target="6*t", stiffness=50, integral=5, damping=5)
    s.torsional_damper("friction", "bearing", damping=0.2)
    return s


@pytest.mark.parametrize("t", [0.0, 1.0])
def test_an_integral_in_a_steady_motion(t):
    """It bears the friction 0.2·6 N m by itself, so that the shaft does not lag: I = 1.2/5. The arm: cos a = g/(ω² r),
    a sphere."""
    steady = mk.steady(governor(), speeds={"bearing.angle.rate": 6.0}, t=t)
    np.testing.assert_allclose(steady.integrals, [0.24], rtol=1e-9)
    np.testing.assert_allclose(steady["bearing.angle"], 6 * t, atol=1e-10)
    np.testing.assert_allclose(-steady["arm.position"][2] / 0.5, 9.81 / (36 * 0.5), rtol=1e-9)
    linear = mk.linearize(governor(), at=steady)
    # H = J w, dH/da at 6 rad/s
    J, slope = 0.01 + 0.05 + 2 * 0.25 * (1 - 0.545**2), 2 * 2 * 0.25 * 0.545 * np.sqrt(1 - 0.545**2) * 6
    # (bearing, a, rates, integral), by hand: a'' (0.55) = slope w − 0.5·36 sin² a·a,  J w' = −slope a' + drive
    A = np.zeros((5, 5))
    A[0, 2] = A[1, 3] = 1.0
    A[2] = np.array([-50, 0, -5.2, -slope, 5]) / J
    A[3] = np.array([0, -0.5 * 36 * (1 - 0.545**2), slope, 0, 0]) / 0.55
    A[4, 0] = -1.0
    np.testing.assert_allclose(np.poly(linear.A), np.poly(A), rtol=1e-8)


@pytest.mark.parametrize(
    ("rate", "message"), [(1e9, r"10000 steps led to t = \S+ s only"), (1e27, "the step became too small")]
)
def test_a_motion_that_cannot_be_followed_is_refused(rate, message, monkeypatch):
    """At t = 0 the prescribed speed vanishes beside the spin, so the motion looks steady. Whether it stays so needs a
    run that hardly goes on: once it took minutes, and a run that stopped half-way was taken as complete. The bound is
    lowered here, to save time only."""
    monkeypatch.setattr("mekane.analyses.steady.conditions.MOST_STEPS", 10_000)
    s = mk.System("spun", gravity=(0, 0, -9.81))
    s.body("top", mass=0.3, inertia=(0.003, 0.003, 0.0002), angular_velocity=(rate, 0, 0))
    s.universal("joint", s.ground, "top", at=(0.1, 0, 0.02), axis="x", axis2="y")
    s.prescribed("held", ("joint", "angle2"), motion="-0.05*sin(1.2*t)")
    with pytest.raises(ModelError, match=rf"could not be followed for .*{message}"):
        mk.modes(s)
