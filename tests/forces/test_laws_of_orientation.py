"""Laws that read the orientation of a body as a rotation vector.

Oracles: SciPy's rotation vectors (another algorithm), the closed form of how a rotation vector changes, and one turn
about a principal axis, which is a linear oscillator. Tolerances: round-off for formulas, ten times rtol for motions.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import mekane as mk
from mekane.compiler.rotation_vector import EXPRESSIONS, MATRIX, rotation_vector_of_numbers
from mekane.errors import ExpressionError
from mekane.expressions.arrays import evaluate_over
from mekane.expressions.graph import evaluate, rates_along
from mekane.formulations import NAMES as FORMULATIONS

ANGLES = [0.0, 1e-300, 1e-9, 1e-3, 0.45, 0.452, 1.5, 2.69, 2.7, 3.1, np.pi - 1e-6, np.pi - 1e-12]
I, K, C = 0.4, 3.0, 0.5  # inertia about x, stiffness and damping of the attitude control
AXES = "xyz"


def some_axes(n=20):
    axes = np.random.default_rng(3).normal(size=(n, 3))
    return [*np.eye(3), *(axes / np.linalg.norm(axes, axis=1, keepdims=True))]


@pytest.mark.parametrize("angle", ANGLES)
def test_rotation_vector_of_any_rotation(angle):
    for axis in some_axes():
        R = Rotation.from_rotvec(angle * axis).as_matrix()
        assert rotation_vector_of_numbers(R) == pytest.approx(angle * axis, rel=0, abs=3e-15)
        assert np.ravel(rotation_vector_of_numbers(R[None], evaluate_over)) == pytest.approx(
            rotation_vector_of_numbers(R), rel=0, abs=1e-15
        )


@pytest.mark.parametrize("axis", [*np.eye(3), np.array([1, 1, 0]) / np.sqrt(2), -np.ones(3) / np.sqrt(3)])
def test_exactly_half_a_turn_is_half_a_turn(axis):
    """R is symmetric there, bit by bit."""
    vector = rotation_vector_of_numbers(2 * np.outer(axis, axis) - np.eye(3))
    assert np.linalg.norm(vector) == pytest.approx(np.pi, rel=1e-15)
    assert np.abs(np.cross(vector, axis)) == pytest.approx(np.zeros(3), abs=1e-15)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.3, 1.5, 2.9, 3.1])
def test_rate_is_exact(angle):
    """Oracle: d theta/dt = w + θ × w / 2 + (1 − (θ/2) cot (θ/2)) n × (n × w), for w in the fixed axes with − in place of +;
    at θ = 0 it is w. The factor n × (n × w) is the only one that cancels, at small angles."""
    w = np.array([0.3, -0.7, 0.5])
    for axis in some_axes(5):
        R = Rotation.from_rotvec(angle * axis).as_matrix()
        Rd = np.cross(w, R.T).T
        rates = {MATRIX[i][j]: float(Rd[i, j]) for i in range(3) for j in range(3)}
        found = evaluate(
            rates_along(EXPRESSIONS, rates), {MATRIX[i][j].name: R[i, j] for i in range(3) for j in range(3)}
        )
        half = angle / 2
        factor = 1 - half / np.tan(half) if angle else 0.0
        expected = w - np.cross(angle * axis, w) / 2 + factor * np.cross(axis, np.cross(axis, w))
        assert found == pytest.approx(expected, rel=1e-13, abs=1e-13)


def satellite(angle=3.0, law=None):
    """Free in space, turned about x; a torque brings it back."""
    s = mk.System("satellite", gravity=(0, 0, 0))
    bus = s.body("bus", mass=20, inertia=(I, 0.7, 0.9), orientation=("x", angle), position=(1, 2, 3))
    law = law or tuple(f"-{K}*bus.orientation.{axis} - {C}*bus.angular_velocity.{axis}" for axis in AXES)
    s.torque("control", bus, law)
    return s


def oscillation(t, angle):
    """I θ'' + C θ' + K θ = 0 from rest."""
    decay, frequency = C / (2 * I), np.sqrt(K / I - (C / (2 * I)) ** 2)
    return angle * np.exp(-decay * t) * (np.cos(frequency * t) + decay / frequency * np.sin(frequency * t))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_attitude_control_about_a_principal_axis(formulation):
    """From near half a turn through zero, again and again: through all three formulas."""
    run = mk.simulate(satellite(), 6.0, formulation=formulation, every=0.1)
    assert run["bus.orientation.x"].values == pytest.approx(oscillation(run.t, 3.0), abs=1e-8)
    assert np.abs(run["bus.orientation.y"]).max() < 1e-12
    assert run["bus.orientation.x"].units == "rad"
    assert run.health.ok


def test_results_mean_the_same_as_laws():
    """A tumbling body; the law's value is what the results say, component by component."""
    s = satellite(angle=1.0)
    s.torque("kick", "bus", ("0.3*cos(2*t)", 0.4, "-0.2*t"))
    run = mk.simulate(s, 4.0, every=0.05)
    theta = Rotation.from_quat(run["bus.orientation"].values).as_rotvec()
    for k, axis in enumerate(AXES):
        assert run[f"bus.orientation.{axis}"].values == pytest.approx(theta[:, k], abs=1e-13)
        law = -K * theta[:, k] - C * run[f"bus.angular_velocity.{axis}"].values
        assert run[f"control.torque.{axis}"].values == pytest.approx(law, abs=1e-12)
    size = run["hypot(bus.orientation.x, bus.orientation.y)"].values
    assert size == pytest.approx(np.hypot(theta[:, 0], theta[:, 1]), abs=1e-13)


def test_specialised_code_gives_the_same():
    one, other = (mk.simulate(satellite(), 3.0, every=0.1, code=code) for code in ("loops", "specialised"))
    assert one["bus.orientation.x"].values == pytest.approx(other["bus.orientation.x"].values, abs=1e-9)


def test_linearization_at_no_rotation():
    """Each axis an oscillator by itself: the derivatives are exact and finite at θ = 0."""
    values = mk.linearize(satellite(angle=0.0)).eigenvalues
    expected = [np.roots([i, C, K]) for i in (I, 0.7, 0.9)]
    found = values[np.abs(values) > 1e-6]
    assert np.sort_complex(found) == pytest.approx(np.sort_complex(np.concatenate(expected)), rel=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_relative_to_another_body(formulation):
    """Two bodies on one axis: the rotation vector between them is the angle of their pin, about its axis."""
    s = mk.System("two", gravity=(0, 0, 0))
    axis = np.array([1.0, 2.0, 2.0]) / 3
    base = s.body("base", mass=2, inertia=(0.3, 0.4, 0.5), orientation=("y", 0.7), angular_velocity=(0.2, 0.1, 0.3))
    arm = s.body("arm", mass=1, inertia=(0.1, 0.1, 0.1), orientation=("y", 0.7), angular_velocity=(0.2, 0.1, 0.3))
    s.pin("hinge", base, arm, at=(0, 0, 0), axis=tuple(axis), rate=1.0)
    s.motor(
        "spring", "hinge", torque="-(arm.orientation.base.x*u1 + arm.orientation.base.y*u2 + arm.orientation.base.z*u3)"
    )
    R = Rotation.from_rotvec((0, 0.7, 0)).as_matrix()
    for name, value in zip(("u1", "u2", "u3"), R.T @ axis, strict=True):
        s.parameters[name] = float(value)
    run = mk.simulate(s, 2.0, formulation=formulation, every=0.1)
    assert run["spring.torque"].values == pytest.approx(-run["hinge.angle"].values, abs=1e-12)
    seen = np.stack([run[f"arm.orientation.base.{a}"].values for a in AXES], axis=1)
    assert seen == pytest.approx(np.outer(run["hinge.angle"].values, R.T @ axis), abs=1e-12)


def test_python_functions_read_it():
    """Traced, and called back because of an `if`."""

    def law(t, state):
        return -K * state["bus.orientation"] - C * state["bus.angular_velocity"]

    def branching(t, state):
        theta = state["bus.orientation"]
        return (
            -K * theta - C * state["bus.angular_velocity"]
            if theta[0] > 0
            else -K * theta - C * state["bus.angular_velocity"]
        )

    for function, rtol in ((law, 1e-9), (branching, 1e-6)):
        run = mk.simulate(satellite(law=function), 1.0, rtol=rtol, every=0.1)
        assert run["bus.orientation.x"].values == pytest.approx(oscillation(run.t, 3.0), abs=10 * rtol)


def test_constraints_read_it():
    """A body on a ball joint whose rotation vector is kept in a plane turns about axes of this plane only."""
    s = mk.System("ball", gravity=(0, 0, 0))
    top = s.body("top", mass=1, inertia=(0.1, 0.2, 0.3), angular_velocity=(1, 0.5, 0))
    s.ball("socket", s.ground, top, at=(0, 0, 0))
    s.position_constraint("no torsion", "top.orientation.z")
    run = mk.simulate(s, 2.0, every=0.1)
    theta = Rotation.from_quat(run["top.orientation"].values).as_rotvec()
    assert np.abs(theta[:, 2]).max() < 1e-11
    assert np.abs(theta[:, :2]).max() > 1
    assert run.health.ok


@pytest.mark.parametrize(
    "name", ["bus.orientation", "bus.orientation.e1", "bus.orientation.bus.x", "bus.orientation.nobody.x"]
)
def test_other_names_are_refused(name):
    with pytest.raises(ExpressionError, match="unknown name"):
        mk.simulate(satellite(law=(f"-{name}", 0, 0)), 1.0)


def test_derivative_of_the_motion():
    """The oscillator is linear: the derivative with respect to its initial angle is the motion from one radian."""
    found = mk.sensitivity(satellite(angle=0.8), to=["bus.orientation.angle"], of=["bus.orientation.x"], t_end=2.0)
    slope = found.of("bus.orientation.x", "bus.orientation.angle")
    assert slope.values == pytest.approx(oscillation(slope.time.values, 1.0), abs=1e-7)
