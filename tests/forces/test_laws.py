"""Laws and energies of every kind of force. Oracles: the formula written here by hand, and power = −dV/dt by exact
differentiation.

Tolerances of 1e-14 relative are a few roundings; the complex step has no truncation error.
"""

import numpy as np
import pytest

import mekane.joints  # noqa: F401
from mekane.errors import ModelError
from mekane.expressions.graph import differentiate, evaluate, symbol
from mekane.forces import kinds
from mekane.model.force import (
    AtPoint,
    Axial,
    BetweenCoordinates,
    BetweenFrames,
    Couple,
    JointCoordinate,
    MovingPoint,
    RotatingBody,
)
from mekane.model.system import System
from mekane.model.values.values import Value

G = 6.67430e-11
ENDS = (("ground", (0, 0, 0)), ("arm", (0, 0, 1)))


def make_system():
    s = System("test", parameters={"k": 100})
    s.body("arm", 2, (1, 1, 1), com=(0.1, 0.2, 0.3))
    s.body("cart", "5 g", (1e-3, 1e-3, 1e-3), position=(1, 0, 0))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="z")
    s.pin_slider("guide", s.ground, "cart", at=(1, 0, 0), axis="x")
    s.ball("knee", "arm", "cart", at=(0.5, 0, 0))
    return s


# kind → (how to make one, the same law by hand)
EXAMPLES = {
    "spring": (lambda s: s.spring("f", *ENDS, 400, 0.5, damping=3), lambda L, Ld: 400 * (L - 0.5) + 3 * Ld),
    "damper": (lambda s: s.damper("f", *ENDS, damping="3 N s/m"), lambda L, Ld: 3 * Ld),
    "gravitation": (lambda s: s.gravitation("f", "arm", "cart"), lambda L, Ld: G * 2 * 0.005 / L**2),
    "motor": (lambda s: s.motor("f", "hinge", torque="5*sin(3*t)"), lambda q, u: 5 * np.sin(3 * 0.7)),
    "torsional_spring": (
        lambda s: s.torsional_spring("f", "hinge", stiffness=20, angle="90 deg", damping=0.5),
        lambda q, u: -20 * (q - np.pi / 2) - 0.5 * u,
    ),
    "torsional_damper": (lambda s: s.torsional_damper("f", "hinge", damping=0.5), lambda q, u: -0.5 * u),
    "sliding_spring": (
        lambda s: s.sliding_spring("f", "guide", stiffness="2 N/mm", displacement="10 mm", damping=0.5),
        lambda q, u: -2000 * (q - 0.01) - 0.5 * u,
    ),
    "sliding_damper": (lambda s: s.sliding_damper("f", "guide", damping=0.5), lambda q, u: -0.5 * u),
    "force": (lambda s: s.force("f", "arm", (1, "10*t", 0)), lambda: (1, 7, 0)),
    "torque": (lambda s: s.torque("f", "arm", "[1, 10*t, 0]", frame="body"), lambda: (1, 7, 0)),
    "harmonic": (
        lambda s: s.harmonic("f", "arm", (1, 0, -2), frequency=3, phase=0.1),
        lambda: tuple(x * np.sin(3 * 0.7 + 0.1) for x in (1, 0, -2)),
    ),
    "axial_law": (
        lambda s: s.axial_law("f", *ENDS, "10*L*Ld", potential={"table": [[0, 0], [1, 5]], "of": "L"}),
        lambda L, Ld: 10 * L * Ld + 5,
    ),
    "torsional_law": (lambda s: s.torsional_law("f", "hinge", potential="2*(1 - cos(q))"), lambda q, u: -2 * np.sin(q)),
    "sliding_law": (lambda s: s.sliding_law("f", "guide", "-u*t", potential="q**4/4"), lambda q, u: -(q**3) - 0.7 * u),
    "stop": (
        lambda s: s.stop(
            "f", "guide", stiffness="2 N/mm", lower="-1 m", upper="50 cm", width="1 cm", coordinate="displacement"
        ),
        lambda q, u: -2000 * (q - 0.5 - 0.005),
    ),
    "pd": (
        lambda s: s.pd("f", "hinge", target="sin(2*t)", stiffness=3, damping=0.5),
        lambda q, u: 3 * (np.sin(1.4) - q) + 0.5 * (2 * np.cos(1.4) - u),
    ),
    "pid": (
        lambda s: s.pid("f", "guide", "1 m", "3 N/m", "7 N/m/s", "0.5 N s/m", coordinate="displacement"),
        lambda q, u, z: 3 * (1 - q) - 0.5 * u + 7 * z,
    ),
    "actuator": (
        lambda s: s.actuator("f", "hinge", torque="3*a - 0.5*q*u", rate="-a"),
        lambda q, u, a: 3 * a - 0.5 * q * u,
    ),
    "shaft": (
        lambda s: s.shaft("f", "hinge", ("guide", "angle"), "40 N m/rad", 0.5, ratio=3, twist="0.1 rad"),
        lambda w, wd: -40 * (w - 0.1) - 0.5 * wd,
    ),
    "rotor": (lambda s: s.rotor("f", "hinge", inertia="2e-5 kg m^2", ratio=50), lambda q, u: 0.0),  # see test_rotor
    "inverse_square": (lambda s: s.inverse_square("f", *ENDS, strength="2 N m^2"), lambda L, Ld: -2 / L**2),
    "potential": (
        lambda s: s.potential("f", "arm", "k*X**2*Y - t*Z", at=(0, 0, 1)),
        lambda p, v: (-200 * p[0] * p[1], -100 * p[0] ** 2, 0.7),
    ),
    "drag": (
        lambda s: s.drag("f", "arm", 2, "3 N s^2/m^2", wind=(0, 0, "1 m/s")),
        lambda p, v: -(2 + 3 * np.linalg.norm(v - (0, 0, 1))) * (v - (0, 0, 1)),
    ),
    "rotational_drag": (
        lambda s: s.rotational_drag("f", "arm", 2, quadratic=3),
        lambda w: -(2 + 3 * np.linalg.norm(w)) * w,
    ),
    "bushing": (
        lambda s: s.bushing("f", "arm", "cart", (1, 2, 3, 4, 5, "6 N m/rad"), coupled(0.1), at=(0, 0, 1)),
        lambda z, zd: -np.arange(1, 7) * z - coupled(0.1) @ zd,
    ),
}
X, V = 0.8, -0.3  # length or coordinate, and its rate
P, W = np.array([0.3, -0.4, 1.2]), np.array([0.2, 0.5, -0.1])  # position and velocity, or angular velocity


def coupled(size):
    """A symmetric positive definite 6×6 without zeros."""
    return size * (6 * np.eye(6) + np.cos(np.add.outer(np.arange(6), np.arange(6))))


def measured(force):
    """The arguments of the law, as numbers."""
    if isinstance(force.acts, Axial | JointCoordinate | BetweenCoordinates):
        return (X, V, 0.4) if force.has_controller_state else (X, V)
    if isinstance(force.acts, MovingPoint):
        return P, W
    if isinstance(force.acts, RotatingBody):
        return (W,)
    return (np.concatenate([P, W]), np.concatenate([W, P])) if isinstance(force.acts, BetweenFrames) else ()


def resolved(kind):
    return EXAMPLES[kind][0](make_system()).resolve(Value.expr)


def number(expressions):
    return evaluate(expressions, {"t": 0.7, "x": X, "v": V, "k": 100})


def test_every_kind_has_an_example():
    assert set(EXAMPLES) == set(kinds)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_law(kind):
    force, by_hand = resolved(kind), EXAMPLES[kind][1]
    arguments = measured(force)
    assert numbers(force.law(*arguments)) == pytest.approx(np.array(by_hand(*arguments)), rel=1e-14)
    if isinstance(force.acts, Axial | JointCoordinate | BetweenCoordinates):
        assert number(force.law(symbol("x"), symbol("v"), *arguments[2:])) == pytest.approx(
            by_hand(*arguments), rel=1e-14
        )


def numbers(law):
    """A law's value, or the three or six of them."""
    return np.array(number(list(law)), float) if isinstance(law, tuple | list) else np.array(number(law), float)


def storing(*places):
    examples = {kind: EXAMPLES[kind][0](make_system()) for kind in EXAMPLES}
    return [kind for kind, force in examples.items() if force.stores_energy and isinstance(force.acts, places)]


@pytest.mark.parametrize("kind", storing(Axial, JointCoordinate, BetweenCoordinates))
def test_power_is_what_the_energy_loses(kind):
    """At rest the law is the gradient of the energy; what moves adds can only take energy away."""
    force, x, v = resolved(kind), symbol("x"), symbol("v")
    derivative = differentiate(force.energy(x), x)
    sign = -1 if isinstance(force.acts, Axial) else 1  # a tension shortens, a force on a coordinate drives it up
    power = sign * number(force.law(x, v) * v)
    at_rest = sign * number(force.law(x, 0.0) * v)
    assert at_rest == pytest.approx(-number(derivative * v), rel=1e-14)
    assert power - at_rest <= 0
    assert force.conservative == (power == at_rest)


@pytest.mark.parametrize("kind", ["bushing"])
def test_six_forces_are_the_gradient_of_the_energy(kind):
    """By the complex step, at rest."""
    force, z = resolved(kind), np.concatenate([P, W])
    gradient = [force.energy(z + 1e-30j * axis).imag / 1e-30 for axis in np.eye(6)]
    assert numbers(force.law(z, np.zeros(6))) == pytest.approx(-np.array(gradient), rel=1e-14)


def test_a_potential_is_differentiated_exactly():
    """By the complex step, on an expression with everything in it."""
    s = make_system()
    force = s.potential(
        "f", "arm", "exp(-X**2)*atan2(Y, Z) + sqrt(X**2 + Y**2)*spline(Z, (0, 0), (1, 2), (2, 1))"
    ).resolve(Value.expr)
    gradient = [force.energy(P + 1e-30j * axis).imag / 1e-30 for axis in np.eye(3)]
    assert numbers(force.law(P, W)) == pytest.approx(-np.array(gradient), rel=1e-14)


def test_a_stop_is_smooth_and_never_pulls():
    """Value and derivative of the push agree on both sides of its two joints; with damping it is still a push at any speed
    of leaving."""
    s = make_system()
    stop = s.stop("f", "hinge", stiffness=50, upper=1, damping=4, width=0.2).resolve(Value.expr)
    soft = s.stop("g", "hinge", stiffness=50, upper=1, width=0.2).resolve(Value.expr)
    derivative = lambda q: soft.law(q + 1e-30j, 0.0).imag / 1e-30
    for joint in (1.0, 1.2):
        assert soft.law(joint - 1e-9, 0.0) == pytest.approx(soft.law(joint + 1e-9, 0.0), abs=1e-6)  # slope 50 over 2e-9
        assert derivative(joint - 1e-9) == pytest.approx(derivative(joint + 1e-9), abs=1e-6)  # curvature 250 over 2e-9
    assert derivative(1.3) == -50.0 and soft.law(0.99, -3.0) == 0.0 and stop.law(0.99, 9.0) == 0.0
    for q in (1.0001, 1.1, 1.3):
        assert stop.law(q, 5.0) < stop.law(q, 0.0) < stop.law(q, -0.01) <= 0.0
        assert stop.law(q, -100.0) == 0.0


def test_drag_has_a_slope_at_rest():
    """d(|v| v)/dv is zero at v = 0, where |v| alone has none."""
    s = make_system()
    force, v = s.drag("f", "arm", quadratic=3).resolve(Value.expr), [symbol("x"), symbol("v"), 0.0]
    derivatives = [differentiate(component, x) for component in force.law(P, v)[:2] for x in v[:2]]
    assert np.abs(evaluate(derivatives, {"x": 0.0, "v": 0.0})).max() < 1e-11
    assert evaluate(list(force.law(P, v)[:2]), {"x": 0.0, "v": 0.0}) == [0.0, 0.0]


@pytest.mark.parametrize("kind", ["spring", "gravitation"])
def test_axial_force_is_the_gradient_in_space(kind):
    """F on b = −∂V/∂p_b by the complex step; the law pulls b towards a."""
    force, p = resolved(kind), np.array([0.3, -0.4, 1.2])
    length = lambda p: np.sqrt(np.sum(p * p))
    gradient = [force.energy(length(p + 1e-30j * axis)).imag / 1e-30 for axis in np.eye(3)]
    pull = -force.law(length(p), 0.0) * p / length(p)
    assert pull == pytest.approx(-np.array(gradient), rel=1e-14)


def test_conservative():
    s = make_system()
    spring = lambda name, **form: s.spring(name, *ENDS, **{"stiffness": 400, "length": 0.5, **form})
    assert spring("a").conservative
    assert spring("b", stiffness="k", damping="0 N s/m").conservative  # a parameter stays as it is during a run
    assert not spring("c", damping=1).conservative and s.forces["c"].stores_energy
    assert not spring("d", stiffness="100*t").stores_energy
    assert not spring("e", length="hinge.angle").conservative
    assert not spring("f", stiffness=lambda t, state: 400.0 if t < 1 else 500.0).conservative
    assert s.gravitation("g", "arm", "cart").conservative
    assert not s.force("h", "arm", (0, 0, 1)).conservative and not s.motor("i", "hinge", torque=1).conservative


def test_places():
    s = make_system()
    assert s.force("a", "arm", (0, 0, 1)).acts == AtPoint("arm", (0.1, 0.2, 0.3), "world")  # the mass centre
    assert s.force("b", s.bodies["arm"], (0, 0, 1), at=("1 mm", 0, 0), frame="body").acts == AtPoint(
        "arm", (0.001, 0.0, 0.0), "body"
    )
    assert s.torque("c", "arm", (0, 0, 1)).acts == Couple("arm", "world")
    assert s.damper("d", *ENDS, 3).acts == Axial("ground", (0.0, 0.0, 0.0), "arm", (0.0, 0.0, 1.0))
    pull = s.gravitation("e", "arm", "cart").acts
    assert (pull.point_a, pull.point_b, pull.mass_a, pull.mass_b) == ((0.1, 0.2, 0.3), (0.0, 0.0, 0.0), 2.0, 0.005)
    assert isinstance(pull, Axial)


def test_the_coordinate_follows_from_the_kind_of_motion():
    s = make_system()
    assert s.motor("a", "guide", torque=1).acts.coordinate == "angle"
    assert s.motor("b", "guide", force=1).acts.coordinate == "displacement"
    assert s.torsional_spring("c", "guide", stiffness=1).acts.coordinate == "angle"
    assert s.motor("d", s.joints["guide"], force=1, coordinate="displacement").acts.joint == "guide"
    s.universal("cross", "arm", "cart", at=(0, 0, 0), axis="x", axis2="y")
    assert s.motor("e", "cross", torque=1, coordinate="angle2").acts.coordinate == "angle2"


@pytest.mark.parametrize("kind", EXAMPLES)
def test_file_form_gives_the_equal_force(kind):
    s = make_system()
    force = EXAMPLES[kind][0](s)
    form = force.to_dict()
    where = form.pop(kind)
    again = make_system()
    method = getattr(again, kind)
    assert (method("f", *where, **form) if isinstance(where, list) else method("f", where, **form)) == force


BAD = {
    "spring 'f': 'stifness' .*Did you mean 'stiffness'": lambda s: s.spring("f", *ENDS, stifness=1, length=1),
    "spring 'f': length is missing": lambda s: s.spring("f", *ENDS, 1),
    "spring 'f': too many": lambda s: s.spring("f", *ENDS, 1, 1, 1, 1),
    "spring 'f': length is -1.0; .*not negative": lambda s: s.spring("f", *ENDS, 1, -1),
    "spring 'f': stiffness is nan": lambda s: s.spring("f", *ENDS, float("nan"), 1),
    "spring 'f': both ends are on 'arm'": lambda s: s.spring("f", ENDS[1], ENDS[1], 1, 1),
    "spring 'f': 'amr' is not a body.*Did you mean 'arm'": lambda s: s.spring("f", ENDS[0], ("amr", (0, 0, 0)), 1, 1),
    "spring 'f': 'amr' is not a body.*Did you mean 'arm'.*": lambda s: s.spring("f", "ground", "amr", 1, 1),
    r"spring 'f': b is \(0, 0, 0\); a body, or a body and a point": lambda s: s.spring("f", "arm", (0, 0, 0), 1, 1),
    r"spring 'f': point is \(0, 0\)": lambda s: s.spring("f", ENDS[0], ("arm", (0, 0)), 1, 1),
    "force 'knee': .*already used": lambda s: s.spring("knee", *ENDS, 1, 1),
    "force 'f': it acts on the ground": lambda s: s.force("f", s.ground, (0, 0, 1)),
    "force 'f': frame is 'wrld'.*Did you mean 'world'": lambda s: s.force("f", "arm", (0, 0, 1), frame="wrld"),
    "force 'f': frame is None": lambda s: s.force("f", "arm", (0, 0, 1), frame=None),
    r"force 'f': at is \(1, 2\)": lambda s: s.force("f", "arm", (0, 0, 1), at=(1, 2)),
    "force 'f': value is 3; three components": lambda s: s.force("f", "arm", 3),
    "harmonic 'f': frequency is '50 m'.*1 Hz": lambda s: s.harmonic("f", "arm", (0, 0, 1), "50 m"),
    "motor 'f': neither torque nor force": lambda s: s.motor("f", "hinge"),
    "motor 'f': torque and force are both": lambda s: s.motor("f", "hinge", torque=1, force=1),
    "motor 'f': joint 'hinge' has no sliding coordinate; .*'angle'": lambda s: s.motor("f", "hinge", force=1),
    "motor 'f': joint 'knee' has no turning coordinate; a ball": lambda s: s.motor("f", "knee", torque=1),
    "motor 'f': 'hing' is not a joint.*Did you mean 'hinge'": lambda s: s.motor("f", "hing", torque=1),
    "motor 'f': coordinate is 'angel'.*Did you mean 'angle'": lambda s: s.motor(
        "f", "guide", torque=1, coordinate="angel"
    ),
    "motor 'f': torque is '5 kg'": lambda s: s.motor("f", "hinge", torque="5 kg"),
    "torsional_spring 'f': coordinate is 'displacement'": lambda s: s.torsional_spring(
        "f", "guide", 1, coordinate="displacement"
    ),
    "gravitation 'f': it acts on the ground": lambda s: s.gravitation("f", "arm", "ground"),
    "gravitation 'f': both ends": lambda s: s.gravitation("f", "arm", "arm"),
    "axial_law 'f': tension and potential are zero; it does nothing": lambda s: s.axial_law("f", *ENDS),
    "axial_law 'f': potential reads 'Ld'; a potential depends on L": lambda s: s.axial_law(
        "f", *ENDS, potential="L*Ld"
    ),
    "torsional_law 'f': potential is a Python function.*expression text": lambda s: s.torsional_law(
        "f", "hinge", potential=untraceable
    ),
    "torsional_law 'f': torque is '5 N'": lambda s: s.torsional_law("f", "hinge", "5 N"),
    "sliding_law 'f': joint 'hinge' has no sliding": lambda s: s.sliding_law("f", "hinge", "-u"),
    "stop 'f': neither lower nor upper": lambda s: s.stop("f", "hinge", 5),
    "stop 'f': lower is 1.0 and upper is 1.0; lower must": lambda s: s.stop("f", "hinge", 5, 1, 1),
    "stop 'f': stiffness is -5.0": lambda s: s.stop("f", "hinge", -5, 1),
    "stop 'f': width is 0": lambda s: s.stop("f", "hinge", 5, 1, width=0),
    "stop 'f': lower is '1 mm'.*not a unit of angle": lambda s: s.stop("f", "hinge", 5, "1 mm"),
    "stop 'f': the coordinate is missing": lambda s: s.stop("f", "guide", 5, 1),
    "drag 'f': linear and quadratic are zero": lambda s: s.drag("f", "arm"),
    "drag 'f': quadratic is -1.0; drag slows down": lambda s: s.drag("f", "arm", 1, -1),
    "drag 'f': 'frame' is not one of its keywords": lambda s: s.drag("f", "arm", 1, frame="body"),
    "rotational_drag 'f': linear is -1.0": lambda s: s.rotational_drag("f", "arm", -1),
    "potential 'f': V is 3.0; a potential depends on X, Y or Z": lambda s: s.potential("f", "arm", 3),
    "potential 'f': V is a Python function": lambda s: s.potential("f", "arm", untraceable),
    "potential 'f': it acts on the ground": lambda s: s.potential("f", "ground", "X"),
    "pd 'f': target reads 'knee.angle'.*motor": lambda s: s.pd("f", "hinge", "knee.angle", 5),
    "pd 'f': target is a Python function": lambda s: s.pd("f", "hinge", untraceable, 5),
    "pd 'f': stiffness is -5.0; .*run away": lambda s: s.pd("f", "hinge", 0, -5),
    "pid 'f': integral is missing": lambda s: s.pid("f", "hinge", 0, 5),
    "pid 'f': integral is '5 N/m/s'": lambda s: s.pid("f", "hinge", 0, 5, "5 N/m/s"),
    "inverse_square 'f': strength is '5 N'": lambda s: s.inverse_square("f", *ENDS, "5 N"),
    "bushing 'f': both ends are on 'arm'": lambda s: s.bushing("f", "arm", "arm", (1,) * 6),
    "bushing 'f': stiffness is 5; six numbers or": lambda s: s.bushing("f", "arm", "cart", 5),
    "bushing 'f': stiffness is .*; six numbers or": lambda s: s.bushing("f", "arm", "cart", [[1] * 6] * 5 + [[1] * 5]),
    r"bushing 'f': stiffness\[3\] is '1 N/m'": lambda s: s.bushing("f", "arm", "cart", (1, 1, 1, "1 N/m", 1, 1)),
    r"bushing 'f': stiffness\[1\]\[0\] is not the same as stiffness\[0\]\[1\]": lambda s: s.bushing(
        "f", "arm", "cart", lopsided()
    ),
    "bushing 'f': damping has the eigenvalue -1": lambda s: s.bushing(
        "f", "arm", "cart", (1,) * 6, (1, 1, 1, 1, 1, -1)
    ),
    "bushing 'f': at and on_b are both given": lambda s: s.bushing(
        "f", "arm", "cart", (1,) * 6, at=(0, 0, 0), on_b=(0, 0, 0)
    ),
}


def untraceable(t, state):
    return 1.0 if float(t) < 1 else 2.0


def lopsided():
    K = np.eye(6)
    K[0, 1] = 1e-3
    return K


@pytest.mark.parametrize("message", BAD)
def test_bad_input_names_part_value_and_remedy(message):
    s = make_system()
    with pytest.raises(ModelError, match=message):
        BAD[message](s)
    assert s.forces == {}


def test_a_joint_with_two_turns_asks_which_one():
    s = make_system()
    s.universal("cross", "arm", "cart", at=(0, 0, 0), axis="x", axis2="y")
    with pytest.raises(ModelError, match="coordinate is missing; .*'angle' and 'angle2'. Write coordinate='angle'"):
        s.motor("f", "cross", torque=1)
