"""Forward and inverse dynamics of one state. Oracles: closed forms, and that one undoes the other."""

import subprocess
import sys

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError

M1, M2, L1, L2, C1, C2, I1, I2, G = 1.3, 0.8, 0.9, 0.7, 0.4, 0.3, 0.05, 0.03, 9.81


def arm():
    """Two links in the x–z plane, turning about −y (so that angles turn x towards z), straight along x at zero."""
    s = mk.System("arm")
    s.body("one", M1, inertia=(I1, I1, I1), com=(C1, 0, 0))
    s.body("two", M2, inertia=(I2, I2, I2), com=(C2, 0, 0), position=(L1, 0, 0))
    s.pin("shoulder", s.ground, "one", at=(0, 0, 0), axis="-y")
    s.pin("elbow", "one", "two", at=(L1, 0, 0), axis="-y")
    return s


def closed_form(q, u):
    """M and bias of the two-link arm, as in every textbook."""
    c2, s2 = np.cos(q[1]), np.sin(q[1])
    coupling = M2 * L1 * C2
    a, b = I1 + M1 * C1**2 + M2 * L1**2, I2 + M2 * C2**2
    M = np.array([[a + b + 2 * coupling * c2, b + coupling * c2], [b + coupling * c2, b]])
    velocity = coupling * s2 * np.array([-2 * u[0] * u[1] - u[1] ** 2, u[0] ** 2])
    last = M2 * G * C2 * np.cos(q[0] + q[1])
    return M, velocity + np.array([(M1 * C1 + M2 * L1) * G * np.cos(q[0]) + last, last])


@pytest.mark.parametrize("seed", range(4))
def test_two_link_arm(seed):
    """Numbers of order 1 to 10, a few dozen operations: 1e-13."""
    q, u, ud = np.random.default_rng(seed).normal(size=(3, 2))
    s, (M, bias) = arm(), closed_form(q, u)
    np.testing.assert_allclose(s.mass_matrix(q), M, atol=1e-13)
    np.testing.assert_allclose(s.bias_forces(q, u), bias, atol=1e-13)
    np.testing.assert_allclose(s.required_forces(q, u, ud), M @ ud + bias, atol=1e-13)
    np.testing.assert_allclose(s.forward_dynamics(q, u), np.linalg.solve(M, -bias), atol=1e-11)
    assert s.coordinates == ["shoulder.angle", "elbow.angle"] and s.speeds == [
        "shoulder.angle.rate",
        "elbow.angle.rate",
    ]


def test_laws_are_taken_into_account():
    """M ud + bias = tau with bias less what laws give: a motor of 2 N m lowers the bias of its speed by 2. More laws
    than speeds."""
    s, q, u = arm(), np.array([0.3, -0.8]), np.array([1.0, 2.0])
    before = s.bias_forces(q, u)
    for number in range(7):
        s.motor(f"m{number}", "elbow", torque="2*t")
    np.testing.assert_allclose(s.bias_forces(q, u, t=3.0), before - [0, 42.0], atol=1e-12)


def branched():
    """Every kind of joint with coordinates, in one tree, with loads."""
    s = mk.System("branched", gravity=(1, 2, -9))
    names = ["free", "ball", "universal", "planar", "pin_slider", "screw", "slider", "pin"]
    keywords = {
        "universal": dict(axis="z", axis2="x"),
        "planar": dict(normal="y"),
        "pin_slider": dict(axis="x"),
        "slider": dict(axis="z"),
    }
    keywords |= {"screw": dict(axis="y", pitch=0.2), "pin": dict(axis=(1, 1, 0))}
    for number, kind in enumerate(names):
        s.body(
            kind[0] + str(number),
            1 + number,
            inertia=(1, 1.2, 0.9),
            com=(0.1, 0.2, 0),
            position=(number, 0.3 * number, 0.1),
        )
        parent = "ground" if number == 0 else list(s.bodies)[(number - 1) // 2]
        place = {} if kind == "free" else {"at": (number, 0, 0)}
        getattr(s, kind)(kind, parent, kind[0] + str(number), **place, **keywords.get(kind, {}))
    s.spring("spring", (s.ground, (0, 0, 0)), ("p7", (0, 0, 0)), stiffness=100, length=1, damping=3)
    s.torsional_damper("drag", "pin", damping=2)
    return s


@pytest.mark.parametrize("seed", range(3))
def test_inverse_undoes_forward_on_trees(seed):
    s, random = branched(), np.random.default_rng(seed)
    q, u = random.normal(size=len(s.coordinates)), random.normal(size=len(s.speeds))
    ud = s.forward_dynamics(q, u)
    size = np.abs(s.bias_forces(q, u)).max()
    assert np.abs(s.required_forces(q, u, ud)).max() < 1e-11 * size


def test_mass_matrix_of_many_kinds():
    """M is symmetric and positive definite, and M ud + bias = tau for any ud."""
    s, random = branched(), np.random.default_rng(5)
    q, u, ud = (
        random.normal(size=len(s.coordinates)),
        random.normal(size=len(s.speeds)),
        random.normal(size=len(s.speeds)),
    )
    M, bias = s.mass_matrix(q), s.bias_forces(q, u)
    assert np.linalg.eigvalsh(M).min() > 0
    np.testing.assert_allclose(M @ ud + bias, s.required_forces(q, u, ud), rtol=1e-11, atol=1e-10)


def test_loops_are_held():
    """A parallelogram of pins moves its coupler without turning it: a + ud of the first pin and −ud of the second."""
    s = mk.System("parallelogram", gravity=(0, 0, 0))
    for name, p in (("left", (0, 0, 0.5)), ("top", (0.5, 0, 1)), ("right", (1, 0, 0.5))):
        s.body(name, 1.0, inertia=(0.1, 0.1, 0.1), position=p)
    s.pin("a", s.ground, "left", at=(0, 0, 0), axis="y", rate=2.0)
    s.pin("b", "left", "top", at=(0, 0, 1), axis="y")
    s.pin("c", "top", "right", at=(1, 0, 1), axis="y")
    s.pin("d", s.ground, "right", at=(1, 0, 0), axis="y")
    s.motor("drive", "a", torque=3.0)
    q, u = s.initial_state()
    np.testing.assert_allclose(u, [2.0, -2.0, 2.0], atol=1e-12)
    ud = s.forward_dynamics(q, u)
    inertia = 2 * (0.1 + 0.25) + 1.0  # two cranks about their pins, the coupler on a circle of radius 1
    # the softened solve of redundant rows
    np.testing.assert_allclose(ud, np.array([1, -1, 1]) * 3.0 / inertia, atol=1e-9)


def test_a_changed_system_is_compiled_again():
    s = arm()
    before = s.forward_dynamics([0, 0], [0, 0])
    s.motor("drive", "shoulder", torque=5.0)
    assert not np.allclose(s.forward_dynamics([0, 0], [0, 0]), before)
    s.gravity = (0, 0, 0)
    np.testing.assert_allclose(s.bias_forces([0, 0], [0, 0]), [-5, 0], atol=1e-14)


def test_a_model_is_compiled_once():
    from mekane.analyses.state.dynamics import prepared

    s = arm()
    assert prepared(s) is prepared(s)


def test_euler_parameters_are_made_unit():
    s = mk.System(gravity=(0, 0, 0))
    s.body("top", 1, inertia=(1, 2, 3))
    u = np.array([0, 0, 0, 0.3, 0.4, 0.5])
    one, other = (s.forward_dynamics([0, 0, 0, 0, 0, 0, length], u) for length in (1.0, 2.0))
    np.testing.assert_array_equal(one, other)
    np.testing.assert_allclose(one[3:], [-0.2, 0.15, -0.04], atol=1e-15)  # Euler: I1 w1' = (I2 − I3) w2 w3 …


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda s: s.forward_dynamics([0, 0, 0], [0, 0]),
            "forward_dynamics: q has 3 numbers; the model has 2 coordinates: shoulder.angle",
        ),
        (lambda s: s.required_forces([0, 0], [0, 0], [1]), "ud has 1 numbers; the model has 2 speeds"),
        (lambda s: s.mass_matrix([[0, 0]]), "mass_matrix: q has the shape"),
        (lambda s: s.bias_forces([0, np.nan], [0, 0]), "not finite"),
        (lambda s: s.bias_forces("zero", [0, 0]), "q is 'zero'"),
    ],
)
def test_wrong_sizes_are_named(call, message):
    with pytest.raises(ModelError, match=message):
        call(arm())


def test_nothing_is_loaded_before_it_is_used():
    code = "import sys, mekane; mekane.System(); assert not {'mekane.analyses.state.dynamics', 'mekane.solvers'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
