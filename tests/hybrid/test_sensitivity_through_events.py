"""Sensitivities through events and ticks, by the saltation matrix. Oracles: closed forms, and differences of runs."""

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError

G = 9.81
TIGHT = dict(rtol=1e-12, atol=1e-14)
# differences of fourth order with steps of 1e-3: their own error is about 1e-12, of runs at 1e-12 they leave 1e-9
DIFFERENCES = 5e-9  # beside the largest derivative of the quantity; 5e-10 was seen


def differences(make, name, of, t_end, every=None, **keywords):
    """Derivatives of runs: (time, quantity)"""
    value = make().parameters[name]
    step = 1e-3 * max(abs(value), 0.1)

    def run(k):
        result = mk.simulate(make().with_parameters({name: value + k * step}), t_end, every=every, **TIGHT, **keywords)
        return np.column_stack([result.numbers(one) for one in of])

    return (8 * (run(1) - run(-1)) - (run(2) - run(-2))) / (12 * step)


def assert_as_differences(make, names, of, t_end, every, formulations=("joint", "absolute")):
    expected = np.stack([differences(make, name, of, t_end, every) for name in names], axis=-1)
    size = np.abs(expected).max(axis=0) + 1e-3
    for formulation in formulations:
        found = mk.sensitivity(
            make(), names, of, t_end=t_end, every=every, formulation=formulation, rtol=1e-11, atol=1e-13
        )
        off = np.abs(found.slopes - expected) / size
        assert off.max() < DIFFERENCES, (formulation, off.max(axis=0))
    return found


# ---------------------------------------------------------------- a ball that bounces


def ball():
    s = mk.System("ball", parameters={"h": 1.0, "eps": 0.7, "g": G}, gravity=(0, 0, "$-g"))
    s.body("ball", mass=0.2, inertia=(1, 1, 1), position=(0, 0, "$h"))
    s.slider("rail", s.ground, "ball", at=(0, 0, 0), axis="z")
    bounce = {"rail.displacement.rate": "-eps*rail.displacement.rate"}
    s.event("bounce", when="ball.position.z < 0", set=bounce, once=False)
    return s


def bouncing(h, eps, g, t):
    """z and v by the parabolas, in complex numbers for their derivatives."""
    t0, v = np.sqrt(2 * h / g), eps * np.sqrt(2 * g * h)
    while (t0 + 2 * v / g).real < t:
        t0, v = t0 + 2 * v / g, eps * v
    return np.array([v * (t - t0) - 0.5 * g * (t - t0) ** 2, v - g * (t - t0)])


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_bouncing_ball(formulation):
    """Four bounces; a motion at rtol 1e-11 leaves 1e-10 of derivatives up to 40."""
    values, step = np.array([1.0, 0.7, G]), 1e-30
    found = mk.sensitivity(
        ball(),
        ["h", "eps", "g"],
        ["ball.position.z", "ball.velocity.z"],
        t_end=2.0,
        formulation=formulation,
        rtol=1e-11,
    )
    exact = np.column_stack([bouncing(*(values + 1j * step * unit), 2.0).imag / step for unit in np.eye(3)])
    np.testing.assert_allclose(found.slopes[-1], exact, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(exact[:, 0], [0.588792, 9.536821], atol=1e-6)  # NONSMOOTH §5
    np.testing.assert_allclose(found.values[-1], bouncing(*values, 2.0).real, rtol=1e-9)


def test_a_motion_that_is_ended_by_an_event():
    """A thrown stone: it lands after √(2h/g) at v √(2h/g), and both move with h and g."""
    s = mk.System("stone", parameters={"h": 2.0, "v": 3.0, "g": G}, gravity=(0, 0, "$-g"))
    s.body("stone", mass=1.0, inertia=(1, 1, 1), position=(0, 0, "$h"), velocity=("$v", 0, 0))
    of, until = ["stone.position.x", "stone.position.z"], "stone.position.z < 0"
    found = mk.sensitivity(s, ["h", "v", "g"], of, t_end=5.0, every=0.25, until=until)
    time = np.sqrt(2 * 2.0 / G)
    by = np.array([time / 4.0, 0.0, -time / (2 * G)])
    assert abs(found.t[-1] - time) < 1e-12 and len(found.t) == 4
    np.testing.assert_allclose(found.end_slopes, by, atol=1e-9)
    np.testing.assert_allclose(found.slopes[-1, 0], 3.0 * by + np.array([0.0, time, 0.0]), atol=1e-9)
    np.testing.assert_allclose(found.slopes[-1, 1], 0.0, atol=1e-9)  # it always lands at z = 0
    np.testing.assert_allclose(found.slopes[1, 1], [1.0, 0.0, -0.5 * 0.25**2], atol=1e-9)  # at a fixed time


# ---------------------------------------------------------------- locks, releases, impulses


def arm():
    """A double pendulum whose elbow is clamped where it is straight, and let go where the shoulder turns back."""
    s = mk.System("arm", parameters={"m": 1.5, "L": 0.6, "w": 3.0, "c": 0.1})
    s.body("upper", mass=1.0, inertia=(0.02, 0.03, 0.02), position=(0, 0, -0.25))
    s.body("lower", mass="$m", inertia=(0.05, 0.04, 0.01), position=(0, 0, "$-0.5 - L/2"))
    s.pin("shoulder", s.ground, "upper", at=(0, 0, 0), axis="y", rate=1.0)
    s.pin("elbow", "upper", "lower", at=(0, 0, -0.5), axis="y", rate="$w")
    s.weld("clamp", "upper", "lower", at=(0, 0, -0.5), active=False)
    s.motor("drag", "elbow", torque="-c*elbow.angle.rate")
    s.event("clamp it", when="elbow.angle < 0 and t > 0.1", lock="clamp")
    s.event("let go", when="clamp.active and shoulder.angle < -0.3", release="clamp")
    return s


def test_lock_and_release():
    names = [line.event for line in mk.simulate(arm(), 1.2, **TIGHT).events]
    assert names == ["clamp it", "let go"]
    of = ["shoulder.angle", "elbow.angle", "elbow.angle.rate", "lower.position.x"]
    assert_as_differences(arm, ["m", "L", "w", "c"], of, 1.2, 0.3)


def struck():
    """Two rods that fly, hinged; impulses and torque impulses in all ways where the joint angle passes a value."""
    s = mk.System("rods", parameters={"P": 0.3, "a": 0.2, "w": 2.0, "k": 0.15})
    s.body("one", mass=1.0, inertia=(0.02, 0.03, 0.04), angular_velocity=(0.3, 0.1, -0.2))
    s.body("two", mass="$1 + a", inertia=(0.03, 0.01, 0.02), position=(0.5, 0, 0.1))
    s.pin("hinge", "one", "two", at=(0.3, 0, 0), axis=(0, 1, 0.2), rate="$w")
    s.torsional_spring("spring", "hinge", stiffness=0.5)
    force, at = {"two": ("P*hinge.angle.rate", "0.1*t", -0.2)}, {"two": ("$a", 0, 0.1)}
    s.event("hit", when="hinge.angle > k", impulse=force, at=at, frame="body")
    s.event("burst", when="hinge.angle > 1.5*k", impulse={"two": ("P", 0, "-P*k")}, between=("one", "two"))
    s.event("twist", when="t >= 0.4 + 0.1*k", torque_impulse={"one": (0, "0.2*P", "0.1*k")})
    return s


def test_impulses():
    assert len(mk.simulate(struck(), 0.8, **TIGHT).events) == 3
    of = ["hinge.angle", "hinge.angle.rate", "one.position.x", "two.velocity.z", "one.angular_velocity.x"]
    assert_as_differences(struck, ["P", "a", "w", "k"], of, 0.8, 0.2)


def crank():
    """A slider-crank with a spring; where the piston passes a place its crank is braked."""
    s = mk.System("crank", parameters={"r": 0.2, "q": 0.4, "v": 12.0}, planar="zx", gravity=(0, 0, -G))
    s.body("crank", mass=2.0, inertia=0.02, position=("$r/2", 0, 0))
    s.body("rod", mass=1.0, inertia=0.03, position=("$r + 0.3", 0, 0))
    s.body("piston", mass=0.5, inertia=0.01, position=("$r + 0.6", 0, 0))
    s.pin("main", s.ground, "crank", at=(0, 0, 0), axis="y", rate="$v")
    s.pin("big", "crank", "rod", at=("$r", 0, 0), axis="y")
    s.pin("small", "rod", "piston", at=("$r + 0.6", 0, 0), axis="y")
    s.slider("guide", s.ground, "piston", axis="x")
    s.event("brake", when="piston.position.x < 0.6", set={"main.angle.rate": "q*main.angle.rate"}, once=False)
    return s


def test_rates_set_in_a_closed_loop():
    assert len(mk.simulate(crank(), 0.6, **TIGHT).events) >= 1
    assert_as_differences(crank, ["r", "q", "v"], ["main.angle", "piston.position.x", "rod.velocity.z"], 0.6, 0.15)


# ---------------------------------------------------------------- discrete states and controllers


def shifting():
    """A mass on a spring whose rest moves to where it was, with dry friction; one event follows from another."""
    s = mk.System("shift", parameters={"k": 20.0, "x0": 0.5, "mu": 0.8, "t0": 0.7}, gravity=(0, 0, 0))
    s.body("mass", mass=1.0, inertia=(1, 1, 1), position=("$x0", 0, 0))
    s.slider("rail", s.ground, "mass", on_a=(0, 0, 0), on_b=(0, 0, 0), axis="x")
    s.variable("rest", 0.0)
    s.variable("gear", 1)
    s.input("u", "$k/10")
    x = "rail.displacement"
    s.motor("spring", "rail", force=f"-k*({x} - rest) - mu*sign({x}.rate) + gear*u")
    s.event("shift", when=f"{x} < -0.1", set={"rest": f"rest + 0.5*{x}.rate/k", "gear": "gear + 1"})
    s.event("follows", when="gear > 1", set={"u": "u + rest*mu"})
    s.event("later", when="t > t0 + rest", set={"rest": "rest - 0.1*t", "rail.displacement.rate": "0.5"})
    return s


def test_discrete_states():
    run = mk.simulate(shifting(), 1.5, **TIGHT)
    assert [line.event for line in run.events] == ["shift", "follows", "later"]
    names, of = ["k", "x0", "mu", "t0"], ["rail.displacement", "rail.displacement.rate", "rest", "u"]
    assert_as_differences(shifting, names, of, 1.5, 0.3)


def controlled():
    s = mk.System("controlled", parameters={"kp": 3.0, "kd": 0.4, "goal": 1.0, "J": 0.2}, gravity=(0, 0, 0))
    s.body("wheel", mass=1.0, inertia=(0.2, 0.2, "$J"))
    s.pin("shaft", s.ground, "wheel", at=(0, 0, 0), axis="z")
    s.input("u", 0.0)
    s.input("old", 0.0)
    s.motor("drive", "shaft", torque="u - 0.2*old")
    s.controller("p", every=0.05, writes="u", function={"u": "kp*(goal - shaft.angle) - kd*shaft.angle.rate"})
    s.controller("slow", every=0.08, offset=0.01, delay=0.03, writes="old", function={"old": "u*shaft.angle"})
    s.event("stop", when="shaft.angle > goal", set={"shaft.angle.rate": "-0.3*shaft.angle.rate"}, once=False)
    return s


def test_ticks_of_controllers():
    assert len(mk.simulate(controlled(), 1.0, **TIGHT).events) >= 1
    assert_as_differences(controlled, ["kp", "kd", "goal", "J"], ["shaft.angle", "shaft.angle.rate", "u"], 1.0, 0.25)


def test_optimize_goes_through_events():
    """The coefficient of restitution with which a ball is at 0.3 m after 0.9 s, between its first bounces."""
    best = mk.optimize(
        ball(), {"eps": (0.5, 0.95)}, objective=lambda design: (design.at("ball.position.z", 0.9) - 0.3) ** 2
    )
    assert abs(bouncing(1.0, best.parameters["eps"], G, 0.9)[0] - 0.3) < 1e-6


# ---------------------------------------------------------------- what has no derivative


def test_grazing_is_refused():
    """A pendulum whose condition touches the turning point."""
    s = mk.System("graze", parameters={"x0": 0.5}, gravity=(0, 0, 0))
    s.body("mass", mass=1.0, inertia=(1, 1, 1), position=("$x0", 0, 0))
    s.slider("rail", s.ground, "mass", on_a=(0, 0, 0), on_b=(0, 0, 0), axis="x")
    s.motor("spring", "rail", force="-4*rail.displacement")
    s.event("touch", when="rail.displacement < -0.5 + 1e-13", set={"rail.displacement.rate": 1.0})
    with pytest.raises(ModelError, match="'touch' is only just touched"):
        mk.sensitivity(s, "x0", t_end=2.0)


def test_events_at_the_same_instant_are_refused():
    """They are not for other values of the parameter."""
    s = ball()
    s.parameter("gap", 0.0)
    s.remove("bounce")
    s.event("bounce", when="ball.position.z < gap", set={"rail.displacement.rate": 3.0})
    s.event("other", when="ball.position.z < 2*gap", set={"rail.displacement.rate": 4.0})
    with pytest.raises(ModelError, match="'bounce', 'other' happen at the same instant"):
        mk.sensitivity(s, ["gap"], "ball.position.z", t_end=1.0)
    assert mk.sensitivity(s, ["h"], "ball.position.z", t_end=1.0).slopes.shape == (201, 1, 1)  # they stay together


def test_functions_are_refused():
    s = controlled()
    log = []
    s.remove("slow")
    s.controller("python", every=0.1, reads=["shaft.angle"], writes="old", function=lambda t, x: log.append(x) or x)
    with pytest.raises(ModelError, match="controller 'python' is a Python function"):
        mk.sensitivity(s, "kp", t_end=1.0)


def test_locks_that_fit_by_chance_are_refused():
    s = arm()
    s.replace("clamp it", when="t > 0.3 and elbow.angle < 10")
    s.replace("elbow", rate=0.0)
    s.replace("shoulder", rate=0.0)
    s.named(["elbow.rate"])
    with pytest.raises(ModelError, match="for these values of the parameters alone"):
        mk.sensitivity(s, "elbow.rate", t_end=0.5)
