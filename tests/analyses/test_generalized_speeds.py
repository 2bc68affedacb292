"""Own generalized speeds (F.1). Oracles: text [S]'s example in closed form, a pendulum by hand, and that no motion
changes."""

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError
from mekane.importers.yaml import dumps, load

INERTIA = np.array([0.5, 0.8, 1.1])


def gimbal():
    """A body on three turns, 1-2-3 body-fixed, through two rings without mass; its mass centre is where the axes
    meet."""
    s = mk.System("gimbal", gravity=(0, 0, 0))
    for name in ("outer", "inner"):
        s.body(name, massless=True)
    s.body("rotor", 2.0, INERTIA)
    s.pin("q1", s.ground, "outer", at=(0, 0, 0), axis="x", rate=0.4)
    s.pin("q2", "outer", "inner", at=(0, 0, 0), axis="y", rate=-0.3)
    s.pin("q3", "inner", "rotor", at=(0, 0, 0), axis="z", rate=0.9)
    return s


ANGULAR_VELOCITIES = {  # [S 4]: body-fixed components of the angular velocity, u = Y(q) qd
    "w1": "q1.angle.rate*cos(q2.angle)*cos(q3.angle) + q2.angle.rate*sin(q3.angle)",
    "w2": "-q1.angle.rate*cos(q2.angle)*sin(q3.angle) + q2.angle.rate*cos(q3.angle)",
    "w3": "q1.angle.rate*sin(q2.angle) + q3.angle.rate",
}


@pytest.mark.parametrize("seed", range(3))
def test_angular_velocities_as_speeds(seed):
    """[S 4–7, 12]: partial angular velocities are the body's axes, M is the inertia itself, f = −w × (I w): Euler's
    equations. Round-off over cos θ2, kept away from zero: 1e-12."""
    rng = np.random.default_rng(seed)
    q, qd = rng.uniform(-1, 1, 3), rng.normal(size=3)
    s = gimbal()
    s.generalized_speeds(ANGULAR_VELOCITIES)
    k, p = s.kane_equations(q, qd), s.partial_velocities(q, qd, axes="body")
    (c2, c3), (s2, s3) = np.cos(q[1:]), np.sin(q[1:])
    w = np.array([[c2 * c3, s3, 0], [-c2 * s3, c3, 0], [s2, 0, 1]]) @ qd
    np.testing.assert_allclose(k.speeds, w, atol=1e-13)
    np.testing.assert_allclose(k.mass_matrix, np.diag(INERTIA), atol=1e-12)
    np.testing.assert_allclose(k.forcing, -np.cross(w, INERTIA * w), atol=1e-12)
    np.testing.assert_allclose(k.ud, -np.cross(w, INERTIA * w) / INERTIA, atol=1e-12)
    np.testing.assert_allclose(p.angular_velocity.sel(body="rotor"), np.eye(3), atol=1e-12)
    np.testing.assert_allclose(p.angular_velocity_rate.sel(body="rotor"), np.zeros((3, 3)), atol=1e-12)
    assert k.active.speed.values.tolist() == ["w1", "w2", "w3"]


def test_singular_speeds_are_named_with_the_configuration():
    """[S]: the matrix is singular when the second angle is π/2."""
    s = gimbal()
    s.generalized_speeds(ANGULAR_VELOCITIES)
    with pytest.raises(ModelError, match=r"'w1', 'w2', 'w3' do not determine the motion at .*q2.angle = 1.5708"):
        s.kane_equations([0.3, np.pi / 2, 0.1], [0, 0, 0])


M, COM, I, G = 1.3, 0.4, 0.05, 9.81


def pendulum():
    s = mk.System("pendulum", parameters={"k": 3.0})
    s.body("arm", M, (I, I, I), com=(COM, 0, 0))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="-y", rate=1.5)
    return s


def test_time_and_what_is_left_when_speeds_are_zero():
    """y = cos(q) qd + k t² by hand, k = 3:  yd = −sin(q) qd² + cos(q) qdd + 2 k t;  J qdd = −m g c cos q;  v_t = −v_y k
    t². Round-off."""
    s, q, u, t, J = pendulum(), 0.6, 1.7, 0.3, I + M * COM**2
    s.generalized_speeds({"y": "cos(hinge.angle)*hinge.angle.rate + k*t**2"})
    k, p = s.kane_equations([q], [u], t), s.partial_velocities([q], [u], t)
    qdd = -M * G * COM * np.cos(q) / J
    assert k.speeds.item() == pytest.approx(np.cos(q) * u + 3 * t**2, abs=1e-14)
    assert k.ud.item() == pytest.approx(-np.sin(q) * u**2 + np.cos(q) * qdd + 6 * t, abs=1e-12)
    assert k.mass_matrix.item() == pytest.approx(J / np.cos(q) ** 2, abs=1e-13)
    assert k.active.item() == pytest.approx(-M * G * COM, abs=1e-12)
    assert k.mass_matrix.item() * k.ud.item() == pytest.approx(k.forcing.item(), abs=1e-11)
    assert abs(k.residual.item()) < 1e-13
    v = np.array([-np.sin(q), 0, np.cos(q)]) * COM * u
    found = p.velocity.sel(body="arm").values[0] * k.speeds.item() + p.velocity_t.sel(body="arm").values
    np.testing.assert_allclose(found, v, atol=1e-13)
    slope = np.array([-1 / np.cos(q) ** 2, 0, 0]) * COM * u  # of v_y = c (−tan q, 0, 1)
    np.testing.assert_allclose(p.velocity_rate.sel(body="arm").values[0], slope, atol=1e-12)


def arm():
    """Two links with a motor."""
    s = mk.System("arm")
    s.body("one", 1.3, (0.05, 0.05, 0.05), com=(0.4, 0, 0))
    s.body("two", 0.8, (0.03, 0.03, 0.03), com=(0.3, 0, 0), position=(0.9, 0, 0))
    s.pin("shoulder", s.ground, "one", at=(0, 0, 0), axis="-y", rate=1.0)
    s.pin("elbow", "one", "two", at=(0.9, 0, 0), axis="-y", rate=-2.0)
    s.motor("drive", "elbow", torque="sin(3*t)")
    return s


OWN = {
    "u1": "shoulder.angle.rate*cos(elbow.angle) + 2*t",
    "u2": lambda t, state: state["shoulder.angle.rate"] + state["elbow.angle.rate"],
}


def test_the_motion_is_unchanged_and_a_run_tells_the_speeds():
    """The state is the same to the last bit; u1 and u2 follow from it, in every formulation (1e-7: error control at
    1e-9)."""
    before, s = mk.simulate(arm(), 1.0, every=0.1), arm()
    s.generalized_speeds(OWN)
    run = mk.simulate(s, 1.0, every=0.1)
    np.testing.assert_array_equal(run.record.y, before.record.y)
    first, second = np.asarray(run["shoulder.angle.rate"]), np.asarray(run["elbow.angle.rate"])
    np.testing.assert_allclose(run["u1"], first * np.cos(run["elbow.angle"]) + 2 * run.t, atol=1e-14)
    np.testing.assert_allclose(run["u2"], first + second, atol=1e-14)
    for formulation in ("absolute", "relative"):
        np.testing.assert_allclose(mk.simulate(s, 1.0, every=0.1, formulation=formulation)["u1"], run["u1"], atol=1e-7)


def slope_error(s, name, t, h):
    """Differences of fourth order of run[name], steps and samples h apart, less d/dt as the equations have it."""
    run, i = mk.simulate(s, 0.5, every=h, method="rk4", step=h), round(t / h)
    k = s.kane_equations(run.record.y[i, :2], run.record.y[i, 2:4], run.t[i])
    np.testing.assert_allclose(k.mass_matrix.values @ k.ud.values, k.forcing, atol=1e-12)
    far, near = (run.numbers(name)[i + d] - run.numbers(name)[i - d] for d in (2, 1))
    return (8 * near - far) / (12 * h) - k.ud.sel(speed=name).item()


@pytest.mark.parametrize("name", ["u1", "u2"])
@pytest.mark.parametrize("t", [0.1, 0.25, 0.4])
def test_speeds_change_as_the_equations_say(name, t):
    """What differs is the error of the differences alone: it falls by 2⁴ when h is halved (to a few hundredths, the
    next order)."""
    s = arm()
    s.generalized_speeds(OWN)
    coarse, fine = (slope_error(s, name, t, h) for h in (2e-3, 1e-3))
    assert abs(fine) < 1e-6 and coarse / fine == pytest.approx(16.0, abs=0.1)


def test_one_joint_may_have_its_own():
    """The absolute angle rate of the forearm instead of the elbow's; the shoulder keeps its own. M_y of two links in
    absolute rates: the textbook's, whose off-diagonal term is m2 l1 c2 cos(elbow) and whose last entry is I2 + m2
    c2²."""
    s, q, u = arm(), [0.2, 0.7], [1.0, 0.5]
    s.generalized_speeds(
        {"forearm": {"value": "shoulder.angle.rate + elbow.angle.rate", "instead_of": "elbow.angle.rate"}}
    )
    k = s.kane_equations(q, u)
    assert k.active.speed.values.tolist() == ["shoulder.angle.rate", "forearm"]
    expected = [
        [0.05 + 1.3 * 0.16 + 0.8 * 0.81, 0.8 * 0.9 * 0.3 * np.cos(0.7)],
        [0.8 * 0.9 * 0.3 * np.cos(0.7), 0.03 + 0.8 * 0.09],
    ]
    np.testing.assert_allclose(k.mass_matrix, expected, atol=1e-13)
    plain = s.kane_equations(q, u, own_speeds=False)
    assert plain.active.speed.values.tolist() == s.speeds
    np.testing.assert_allclose(plain.mass_matrix, s.mass_matrix(q), atol=1e-13)


def test_constraints_are_given_in_user_defined_speeds_too():
    """A closed loop: residual zero, and B y is what B u was, zero since the state meets its constraints."""
    from mekane import gallery

    s = gallery.find("four_bar").system()
    first, second, third = s.speeds
    q, u = s.initial_state()
    s.generalized_speeds({"a": f"{first} + {second}", "b": f"2*{second}*(1 + t)"})
    k = s.kane_equations(q, u, 0.5)
    assert k.active.speed.values.tolist() == ["a", "b", third]
    assert np.abs(k.residual).max() < 1e-13 * np.abs(k.inertia).max()
    assert np.abs(k.constraint_matrix.values @ k.speeds.values).max() < 1e-12


def test_model_files_keep_them():
    s = arm()
    s.generalized_speeds({**OWN, "u2": {"value": OWN["u2"], "instead_of": "elbow.angle.rate"}})
    again = load(dumps(s))
    assert again.to_dict() == s.to_dict() and list(again.own_speeds) == ["u1", "u2"]
    np.testing.assert_allclose(again.kane_equations().forcing, s.kane_equations().forcing, rtol=1e-14)


@pytest.mark.parametrize(
    "speeds, message",
    [
        ({"u": "shoulder.angle.rate**2"}, "speed 'u': it is not linear in the speeds"),
        ({"u": "shoulder.angel.rate"}, "unknown name 'shoulder.angel.rate'.*Did you mean 'shoulder.angle.rate'"),
        ({"u": "shoulder.angle.rate + elbow.angle.rate"}, "1 to stand in for 2"),
        ({"u": "shoulder.angle"}, "1 to stand in for 0"),
        ({"u": {"value": "elbow.angle.rate", "instead_of": "elbow.rate"}}, "there is no speed 'elbow.rate'"),
        ({"u": {"value": "shoulder.angle.rate", "instead_of": "elbow.angle.rate"}}, "'u' do not determine the motion"),
    ],
)
def test_wrong_speeds_are_named_when_used(speeds, message):
    s = arm()
    s.generalized_speeds(speeds)
    with pytest.raises(ModelError, match=message):
        s.kane_equations()


@pytest.mark.parametrize(
    "speeds, message",
    [
        ("u", "names and expressions are expected"),
        ({"one": "elbow.angle.rate"}, "already used by a body"),
        ({"u": {"expression": "elbow.angle.rate"}}, "it takes value and instead_of"),
        ({"u": lambda t, state: 1.0 if float(state["elbow.angle"]) > 0 else 2.0}, "has no expression"),
    ],
)
def test_wrong_speeds_are_refused_and_change_nothing(speeds, message):
    s = arm()
    s.generalized_speeds({"kept": "elbow.angle.rate"})
    with pytest.raises(ModelError, match=message):
        s.generalized_speeds(speeds)
    assert list(s.own_speeds) == ["kept"]
