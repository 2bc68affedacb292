"""Laws and energies of every kind of force. Oracles: the formula written here by hand, and power = −dV/dt by exact differentiation.

Tolerances of 1e-14 relative are a few roundings; the complex step has no truncation error.
"""

import numpy as np
import pytest

import mekane.joints  # noqa: F401
from mekane.errors import ModelError
from mekane.expressions.graph import differentiate, evaluate, symbol
from mekane.forces import kinds
from mekane.model.force import AtPoint, Axial, Couple, OnJoint
from mekane.model.system import System
from mekane.model.values import Value

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
}
X, V = 0.8, -0.3  # length or coordinate, and its rate


def resolved(kind):
    return EXAMPLES[kind][0](make_system()).resolve(Value.expr)


def number(expressions):
    return evaluate(expressions, {"t": 0.7, "x": X, "v": V})


def test_every_kind_has_an_example():
    assert set(EXAMPLES) == set(kinds)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_law(kind):
    force, by_hand = resolved(kind), EXAMPLES[kind][1]
    if isinstance(force.acts, Axial | OnJoint):
        assert number(force.law(X, V)) == pytest.approx(by_hand(X, V), rel=1e-14)
        assert number(force.law(symbol("x"), symbol("v"))) == pytest.approx(by_hand(X, V), rel=1e-14)
    else:
        assert number(list(force.law())) == pytest.approx(by_hand(), rel=1e-14)


@pytest.mark.parametrize("kind", [kind for kind in EXAMPLES if EXAMPLES[kind][0](make_system()).stores_energy])
def test_power_is_what_the_energy_loses(kind):
    """At rest the law is the gradient of the energy; what moves adds can only take energy away."""
    force, x, v = resolved(kind), symbol("x"), symbol("v")
    slope = differentiate(force.energy(x), x)
    sign = -1 if isinstance(force.acts, Axial) else 1  # a tension shortens, a force on a coordinate drives it up
    power = sign * number(force.law(x, v) * v)
    at_rest = sign * number(force.law(x, 0.0) * v)
    assert at_rest == pytest.approx(-number(slope * v), rel=1e-14)
    assert power - at_rest <= 0
    assert force.conservative == (power == at_rest)


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
    spring = lambda name, **words: s.spring(name, *ENDS, **{"stiffness": 400, "length": 0.5, **words})
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
    assert s.force("b", s.bodies["arm"], (0, 0, 1), at=("1 mm", 0, 0), frame="body").acts == AtPoint("arm", (0.001, 0.0, 0.0), "body")
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
    words = force.to_dict()
    where = words.pop(kind)
    again = make_system()
    method = getattr(again, kind)
    assert (method("f", *where, **words) if isinstance(where, list) else method("f", where, **words)) == force


BAD = {
    "spring 'f': 'stifness' .*Did you mean 'stiffness'": lambda s: s.spring("f", *ENDS, stifness=1, length=1),
    "spring 'f': length is missing": lambda s: s.spring("f", *ENDS, 1),
    "spring 'f': too many": lambda s: s.spring("f", *ENDS, 1, 1, 1, 1),
    "spring 'f': length is -1.0; .*not negative": lambda s: s.spring("f", *ENDS, 1, -1),
    "spring 'f': stiffness is nan": lambda s: s.spring("f", *ENDS, float("nan"), 1),
    "spring 'f': both ends are on 'arm'": lambda s: s.spring("f", ENDS[1], ENDS[1], 1, 1),
    "spring 'f': 'amr' is not a body.*Did you mean 'arm'": lambda s: s.spring("f", ENDS[0], ("amr", (0, 0, 0)), 1, 1),
    "spring 'f': b is 'arm'; a body and a point": lambda s: s.spring("f", ENDS[0], "arm", 1, 1),
    r"spring 'f': point is \(0, 0\)": lambda s: s.spring("f", ENDS[0], ("arm", (0, 0)), 1, 1),
    "force 'knee': .*already used": lambda s: s.spring("knee", *ENDS, 1, 1),
    "force 'f': it acts on the ground": lambda s: s.force("f", s.ground, (0, 0, 1)),
    "force 'f': frame is 'wrld'.*Did you mean 'world'": lambda s: s.force("f", "arm", (0, 0, 1), frame="wrld"),
    "force 'f': frame is None": lambda s: s.force("f", "arm", (0, 0, 1), frame=None),
    r"force 'f': at is \(1, 2\)": lambda s: s.force("f", "arm", (0, 0, 1), at=(1, 2)),
    "force 'f': value is 3; three components": lambda s: s.force("f", "arm", 3),
    "harmonic 'f': frequency is '50 Hz'.*rev/s": lambda s: s.harmonic("f", "arm", (0, 0, 1), "50 Hz"),
    "motor 'f': neither torque nor force": lambda s: s.motor("f", "hinge"),
    "motor 'f': torque and force are both": lambda s: s.motor("f", "hinge", torque=1, force=1),
    "motor 'f': joint 'hinge' has no sliding coordinate; .*'angle'": lambda s: s.motor("f", "hinge", force=1),
    "motor 'f': joint 'knee' has no turning coordinate; a ball": lambda s: s.motor("f", "knee", torque=1),
    "motor 'f': 'hing' is not a joint.*Did you mean 'hinge'": lambda s: s.motor("f", "hing", torque=1),
    "motor 'f': coordinate is 'angel'.*Did you mean 'angle'": lambda s: s.motor("f", "guide", torque=1, coordinate="angel"),
    "motor 'f': torque is '5 kg'": lambda s: s.motor("f", "hinge", torque="5 kg"),
    "torsional_spring 'f': coordinate is 'displacement'": lambda s: s.torsional_spring("f", "guide", 1, coordinate="displacement"),
    "gravitation 'f': it acts on the ground": lambda s: s.gravitation("f", "arm", "ground"),
    "gravitation 'f': both ends": lambda s: s.gravitation("f", "arm", "arm"),
}


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
