"""Steady motions against closed forms. The equations are solved to round-off; tolerances leave a factor for numbers of
order ten."""

import numpy as np
import pytest

import mekane as mk
from mekane.analyses.steady.equations import Task
from mekane.gallery import bicycle, governor, rolling_disc

G = 9.81


# ---------------------------------------------------------------- rolling disc


@pytest.mark.parametrize("formulation", ["joint", "absolute", "mixed", "bryan"])
def test_a_disc_rolls_in_a_circle_at_a_given_bank_angle(formulation):
    """Le Saux, Leine, Glocker 2005, eq. 5.12: lean and rate of turn give the spin, hence the speed of the hub. The
    start is 20 % off."""
    turn, spin = rolling_disc.steady_rates()
    lean, r = rolling_disc.LEAN, rolling_disc.SMALL
    s = rolling_disc.disc(rolling_disc.LIGHT, r, (0.0, 1.2 * lean, 0.0), (0.9 * turn, 0.0, 1.1 * spin))
    found = mk.steady(s, hold={"disc.position.z": r * np.cos(lean)}, turning=turn, formulation=formulation)
    exact = rolling_disc.steady_exact(np.array([0.0]))
    assert np.linalg.norm(found["disc.velocity"]) == pytest.approx(
        abs(turn) * (rolling_disc.R_CIRCLE - r * np.sin(lean)), abs=1e-9
    )
    assert np.linalg.norm(found["disc.angular_velocity"]) == pytest.approx(
        np.hypot(turn * np.cos(lean), spin + turn * np.sin(lean)), abs=1e-8
    )
    force = found.reaction("contact").force.values
    assert np.sort(np.abs(force)) == pytest.approx(np.sort(np.abs(exact["force"][0])), abs=1e-8)


def test_it_goes_on_like_that():
    turn, spin = rolling_disc.steady_rates()
    s = rolling_disc.disc(rolling_disc.LIGHT, rolling_disc.SMALL, (0.0, 0.1, 0.0), (turn, 0.0, spin))
    found = mk.steady(s, hold={"disc.position.z": rolling_disc.SMALL * np.cos(rolling_disc.LEAN)}, turning=turn)
    run = mk.simulate(found.system, 3.0, rtol=1e-11, atol=1e-13)
    assert np.abs(run["disc.position.z"] - found["disc.position"][2]).max() < 1e-8


# ---------------------------------------------------------------- bicycle


def test_a_bicycle_runs_straight():
    """From a leaning, steering start: straight running upright, both wheels rolling, v = r ω at each."""
    s = bicycle.system(roll=0.05, steer=0.03, wheel_rate=4.6 / 0.3)
    found = mk.steady(s, speeds={"rear hub.angle.rate": 5.0 / 0.3}, turning=0)
    assert np.linalg.norm(found["frame.velocity"]) == pytest.approx(5.0, abs=1e-9)
    assert found["front hub.angle.rate"] == pytest.approx(5.0 / 0.35, abs=1e-9)
    assert found["steering.angle"] == pytest.approx(0, abs=1e-10)
    assert found["rear wheel.position"][2] == pytest.approx(0.3, abs=1e-11)
    assert found["frame.angular_velocity"] == pytest.approx(np.zeros(3), abs=1e-10)


def test_a_bicycle_turns():
    """Hands off, a turn of any rate at any speed is not steady; a torque of the hands makes it so. The contacts bear
    the weight and push all towards the centre of the circle: Σ F = Σ m (Ω × v − g)."""
    s = bicycle.system(roll=0.05, steer=0.03, wheel_rate=6.0 / 0.3)
    s.motor("hands", "steering", torque=0.0)
    with pytest.raises(mk.ModelError, match="no steady motion was found"):
        mk.steady(s, speeds={"rear hub.angle.rate": 6.0 / 0.3}, turning=-0.2)
    found = mk.steady(s, speeds={"rear hub.angle.rate": 6.0 / 0.3}, turning=-0.2, solve_for=["hands.torque"])
    assert found["steering.angle"] > 0.02
    pushed = sum(found.reaction(f"{end} contact").force.values for end in ("rear", "front"))
    turned = sum(m * np.cross(found.turning, found[f"{body}.velocity"]) for body, m in bicycle.MASS.items())
    assert pushed == pytest.approx(turned + [0, 0, sum(bicycle.MASS.values()) * G], abs=1e-7)
    run = mk.simulate(found.system, 0.5, rtol=1e-11, atol=1e-13)
    assert np.abs(run["steering.angle"] - found["steering.angle"]).max() < 1e-7


# ---------------------------------------------------------------- governors


def porter(ball=1.5, sleeve=4.0, arm=0.3, rate=14.0):
    """Porter's governor: balls on arms from the top of a shaft, equal links on to a heavy sleeve; all hinges on the
    axis."""
    s = mk.System("governor")
    shaft = s.body("shaft", 1.0, (0.1, 0.1, 0.01))
    sleeve_body = s.body("sleeve", sleeve, (0.01, 0.01, 0.01), position=(0, 0, -2 * arm * np.cos(0.7)))
    s.pin("bearing", s.ground, shaft, at=(0, 0, 0), axis="z", rate=rate)
    s.slider("guide", shaft, sleeve_body, at=(0, 0, -2 * arm * np.cos(0.7)), axis="z")
    for side, sign in (("right", 1), ("left", -1)):
        tip = np.array([sign * arm * np.sin(0.7), 0, -arm * np.cos(0.7)])
        body = s.body(f"{side} ball", ball, position=tip)
        s.pin(f"{side} hinge", shaft, body, at=(0, 0, 0), axis="y")
        s.distance(f"{side} link", (body, (0, 0, 0)), (sleeve_body, (0, 0, 0)))
    return s


def test_a_governor_at_constant_speed():
    """Balls at angle β from the axis. Vertical balance of the sleeve: 2 S cos β = M g; of a ball: T cos β = m g + S cos
    β; and towards the axis (T + S) sin β = m ω² L sin β. So cos β = (m + M) g / (m ω² L)."""
    ball, sleeve, arm, rate = 1.5, 4.0, 0.3, 14.0
    found = mk.steady(porter(ball, sleeve, arm, rate), speeds={"bearing.angle.rate": rate})
    cosine = (ball + sleeve) * G / (ball * rate**2 * arm)
    assert found["sleeve.position"][2] == pytest.approx(-2 * arm * cosine, abs=1e-10)
    assert found["right ball.position"][2] == pytest.approx(-arm * cosine, abs=1e-10)
    assert found.turning == pytest.approx([0, 0, rate], abs=1e-9)


def test_the_governor_of_the_gallery():
    """Its reduced equations, written by hand, rest at what is found; only the spin is held instead of the momentum."""
    found = mk.steady(governor.system(), speeds={"bearing.angle.rate": governor.SPEED})
    alpha, height = governor.DROP + found["right hinge.angle"], found["slider.position"][2]
    arm = governor.DENSITY * governor.LENGTH * governor.THICKNESS**2
    axial, across = arm * governor.THICKNESS**2 / 6, arm * (governor.LENGTH**2 + governor.THICKNESS**2) / 12
    sa, ca, half = np.sin(alpha), np.cos(alpha), governor.LENGTH / 2
    drop = governor.LENGTH - half * sa - height
    gap = np.hypot(half * ca, drop)
    pull = governor.STIFFNESS * (gap - governor.FREE)
    assert 2 * pull * drop / gap == pytest.approx(governor.DENSITY * governor.CUBE**3 * G, rel=1e-6)  # the slider hangs
    middle, tip = governor.HINGE + half * ca, governor.HINGE + governor.LENGTH * ca
    outward = (
        governor.SPEED**2 * sa * ((across - axial) * ca + arm * middle * half + governor.BALL * tip * governor.LENGTH)
    )
    weight = (arm * half + governor.BALL * governor.LENGTH) * G * ca
    spring = pull * (half**2 * ca * sa + drop * half * ca) / gap
    assert outward == pytest.approx(weight + spring, rel=1e-9)


def test_a_torque_that_keeps_the_speed():
    """A motor against drag: torque = c ω."""
    s = mk.System("fan")
    fan = s.body("fan", 1.0, (0.1, 0.1, 0.2))
    s.pin("axle", s.ground, fan, at=(0, 0, 0), axis="z", rate=10.0)
    s.motor("drive", "axle", torque=0.0)
    s.torsional_damper("drag", "axle", 0.07)
    found = mk.steady(s, speeds={"axle.angle.rate": "120 rpm"}, solve_for=["drive.torque"])
    assert found.parameters["drive.torque"] == pytest.approx(0.07 * 4 * np.pi, rel=1e-10)
    assert "drive.torque" in str(found)
    assert found.to_dict()["found"] == {"drive.torque": found.parameters["drive.torque"]}


def test_motion_that_cannot_be_steady():
    s = mk.System("stone")
    s.body("stone", 1.0, (1, 1, 1))
    with pytest.raises(mk.ModelError, match="no steady motion was found: .* body 'stone' is accelerated by 9.81"):
        mk.steady(s)


def test_a_motion_with_more_independent_states_later():
    """A sphere that rolls a million metres off the axis of its turntable: one state more is independent 0.02 s later than now,
    by round-off of the distance. An error tells."""
    s = mk.System("sphere on a turntable")
    table = s.body("table", 10.0, inertia=(0.4, 0.4, 0.8))
    keywords = dict(position=(1e6, 0.1, 0.05), velocity=(-0.1, 0.25, 0.0), angular_velocity=(13.0, 4.0, 2.0))
    sphere = s.body("sphere", 0.5, inertia=(5e-4, 5e-4, 5e-4), **keywords)
    s.pin("axle", s.ground, table, at=(0, 0, 0), axis="z", rate=3.0)
    s.prescribed("drive", "axle", motion="3*t")
    s.rolling_sphere("contact", sphere, radius=0.05, on=(table, (0, 0, 0)), normal="z")
    with pytest.raises(mk.ModelError, match="its linearized equations change with time"):
        mk.linearize(s)


# ---------------------------------------------------------------- derivatives


@pytest.mark.parametrize("make", [lambda: bicycle.system(roll=0.05, steer=0.03, wheel_rate=20.0), governor.system])
def test_equations_of_the_jerk_by_its_own_unknowns(make):
    """Oracle: central differences, which of linear equations are exact: round-off over the step of 1e-5."""
    task = Task(make(), [], [], [], None, 0.0, "joint")
    x = task.start()
    rates, n = task.by_rates(x), task.equations(x)[1].shape[1]
    n_all = n + rates.shape[1]
    by_differences = task.by_differences(x, n_all, n_all)[:, n:]
    assert np.abs(rates).max() > 0.0
    assert np.abs(rates - by_differences).max() <= 1e-9 * np.abs(task.going_on(x)).max() + 1e-9 * np.abs(rates).max()


@pytest.mark.parametrize("law", ["sqrt(abs(A.angle))", "abs(A.angle)**0.3"])
def test_a_slope_that_is_infinite_ends_the_search(law, capfd):
    """At rest a root of the angle has no finite slope. LAPACK did not come back from it."""
    s = mk.System("p", gravity=(0, 0, -9.81))
    body = s.body("b", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1))
    s.pin("A", s.ground, body, at=(0, 0, 0), axis="y")
    s.motor("m", "A", torque=law)
    with pytest.raises(mk.ModelError, match="not finite"):
        mk.steady(s)
    assert "DLASCL" not in "".join(capfd.readouterr())
