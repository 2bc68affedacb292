"""Rotors: inertia on a joint coordinate.

Oracles: the closed form of a pendulum with more inertia; and the same model with a body for every rotor, on a pin of
its own in the ground and geared to the joint by a constraint, which is quite another computation. Tolerances: ten to a
hundred times rtol for motions, round-off for states.
"""

import copy

import numpy as np
import pytest
import systems
from engine import Model

import mekane as mk
from mekane.errors import ModelError
from mekane.formulations import NAMES as FORMULATIONS
from mekane.importers.yaml import dumps, load

J, RATIO = 2e-3, -15.0
PRECISE = dict(rtol=1e-10, atol=1e-13)


def pendulum(**rotor):
    """Inertia 0.35 about the hinge, weight moment 4.905, reflected inertia 0.45."""
    s = mk.System("pendulum", parameters={"J": J})
    rod = s.body("rod", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, rod, at=(0, 0, 0), axis="y", rate=0.0)
    s.rotor("rotor", "hinge", **{"inertia": "J", "ratio": RATIO, **rotor})
    return s


REFLECTED = J * RATIO**2


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_pendulum_with_a_rotor(formulation):
    s = pendulum()
    expected = np.sqrt(9.81 * 0.5 / (0.35 + REFLECTED))
    assert max(abs(mk.linearize(s, formulation=formulation).eigenvalues)) == pytest.approx(expected, rel=1e-10)
    run = mk.simulate(s, 2.0, formulation=formulation, **PRECISE)
    assert run.health.ok


def test_dynamics_of_a_state():
    s = pendulum()
    assert s.mass_matrix([0.3]) == pytest.approx(np.array([[0.35 + REFLECTED]]), rel=1e-14)
    assert s.forward_dynamics([0.3], [0.0]) == pytest.approx(-4.905 * np.sin(0.3) / (0.35 + REFLECTED), rel=1e-13)
    needed = s.required_forces([0.3], [0.5], [2.0])
    assert needed == pytest.approx(2.0 * (0.35 + REFLECTED) + 4.905 * np.sin(0.3), rel=1e-13)
    kane = s.kane_equations([0.3], [0.5])
    assert kane.mass_matrix.values == pytest.approx(np.array([[0.35 + REFLECTED]]), rel=1e-13)
    assert abs(float(kane.residual.values[0])) < 1e-13


def test_energy_and_quantities():
    s = pendulum()
    run = mk.simulate(with_rate(s), 1.0, **PRECISE)
    rate = run["hinge.angle.rate"].values
    assert run.energy["kinetic"].values == pytest.approx((0.35 + REFLECTED) * rate**2 / 2, rel=1e-9)
    assert np.ptp(run.energy["balance"].values) < 1e-8
    assert run["rotor.rate"].values == pytest.approx(RATIO * rate, rel=1e-14)
    acceleration = -4.905 * np.sin(run["hinge.angle"].values) / (0.35 + REFLECTED)
    assert run["rotor.torque"].values == pytest.approx(-REFLECTED * acceleration, abs=1e-10)
    moment = run.reaction("hinge")["moment"].values
    assert np.abs(moment[:, 1]).max() < 1e-12  # about its own axis a pin constrains nothing


def with_rate(s):
    return s.with_parameters({"hinge.rate": 2.0})


# ---------------------------------------------------------------- against bodies with gears

JOINTS = ("turn", "both")


def chain():
    """Two bodies in a chain of a pin and a pin_slider with general axes."""
    rng = np.random.default_rng(21)
    s = mk.System("two", gravity=systems.G)
    one, two = systems.some_body(s, "one", rng, (0.3, 0.1, 0.2)), systems.some_body(s, "two", rng, (0.9, -0.2, 0.4))
    systems.join(s, "pin", "turn", s.ground, one, (0, 0, 0), systems.unit((0.2, 1, 0.1)), rate=0.7)
    systems.join(
        s,
        "pin_slider",
        "both",
        one,
        two,
        (0.6, 0, 0.3),
        systems.unit((1, 0.2, 0.4)),
        rate={"angle": -0.4, "displacement": 0.3},
    )
    return s


ROTORS = {
    "r1": ("turn", "angle", 0.02, 6.0),
    "r2": ("both", "angle", 0.3, -1.4),
    "r3": ("both", "displacement", 0.01, 9.0),
}


def with_rotors():
    s = chain()
    for name, (joint, coordinate, inertia, ratio) in ROTORS.items():
        s.rotor(name, joint, inertia, ratio, coordinate=coordinate)
    return s


def with_bodies():
    """The rotors as bodies beside the mechanism. Their weight hangs in their own pins."""
    s = chain()
    for k, (name, (joint, coordinate, inertia, ratio)) in enumerate(ROTORS.items()):
        body = s.body(name, mass=1.0, inertia=(inertia,) * 3, position=(5, k, 0))
        s.pin(f"{name} pin", s.ground, body, at=(5, k, 0), axis="x")
        s.gear(f"{name} gear", (f"{name} pin", "angle"), (joint, coordinate), ratio=ratio)
    return s


@pytest.mark.parametrize("constraints", ["multipliers", "embedded"])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_motion_is_that_of_geared_bodies(formulation, constraints):
    one = mk.simulate(with_rotors(), 1.0, every=0.1, formulation=formulation, constraints=constraints, **PRECISE)
    other = mk.simulate(with_bodies(), 1.0, every=0.1, **PRECISE)
    for name in ("turn.angle", "both.angle", "both.displacement", "two.position.x"):
        assert one[name].values == pytest.approx(other[name].values, abs=2e-8), name
    for name, (_, coordinate, _, ratio) in ROTORS.items():
        assert one[f"{name}.rate"].values == pytest.approx(other[f"{name} pin.angle.rate"].values, abs=1e-7)
        unit = "torque" if coordinate == "angle" else "force"
        multiplier = other.reaction(f"{name} gear")["multiplier"].values.ravel()
        assert one[f"{name}.{unit}"].values == pytest.approx(-ratio * multiplier, abs=1e-6)
    for joint in JOINTS:
        for part in ("force", "moment"):
            found, expected = (constrained(run, joint, run.reaction(joint)[part].values, part) for run in (one, other))
            assert found == pytest.approx(expected, abs=2e-6), (joint, part)
    kinetic = other.energy["kinetic"].values
    assert one.energy["kinetic"].values == pytest.approx(kinetic, rel=1e-7)
    assert one.health.ok


def constrained(run, joint, values, part):
    """Without the direction along, or about, the axis, in which nothing constrains."""
    axis = run.kinematics.unit(joint, 2)
    if joint == "turn" and part == "force":
        return values
    return values - np.sum(values * axis, axis=1, keepdims=True) * axis


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_power_is_the_rate_of_energy(formulation):
    """By the complex step along the motion."""
    model = Model(with_rotors(), formulation)
    rate, size = model.energy_balance(0.4, model.on_the_way(0.15))
    assert abs(rate) <= 1e-12 * max(1.0, size)


@pytest.mark.parametrize("parameters", ["numeric", "symbolic"])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_kane_newton_and_lagrange_agree(formulation, parameters):
    """Each at random states with the recursion; symbolic: the inertia of the rotor is one of the symbols."""
    for s in (pendulum(), with_rotors()):
        found = mk.compare(s, formulation, parameters=parameters, points=1)
        assert found.agree, found


def test_equations_name_the_inertia():
    text = str(mk.equations(pendulum(inertia=J)))
    assert "inertia of rotor 'rotor'" in text


def test_specialised_code():
    runs = [mk.simulate(with_rotors(), 0.5, every=0.1, code=code, **PRECISE) for code in ("loops", "specialised")]
    assert runs[0]["two.position"].values == pytest.approx(runs[1]["two.position"].values, abs=1e-9)


def test_exported_equations():
    s, names = pendulum(inertia=J), {}
    exec(mk.export_equations(s, language="numpy", parameters="symbolic"), names)
    assert "rotor.inertia" in names["PARAMETERS"]
    p = np.where(np.isin(names["PARAMETERS"], ["rotor.inertia"]), 3 * names["P"], names["P"])
    found = names["rhs"](0.0, np.array([0.3, 0.5]), p)
    assert found == pytest.approx([0.5, -4.905 * np.sin(0.3) / (0.35 + 3 * REFLECTED)], rel=1e-13)
    assert names["mass_matrix"](0.0, np.array([0.3, 0.5]), p)[0, 0] == pytest.approx(0.35 + 3 * REFLECTED, rel=1e-13)


def test_inverse_dynamics():
    """The torque for a given motion, of the pendulum and of the rotor."""
    need = mk.inverse_dynamics(pendulum(), {"hinge": "0.3*sin(2*t)"}, times=np.linspace(0, 1, 11))
    t = need.t
    q, ud = 0.3 * np.sin(2 * t), -1.2 * np.sin(2 * t)
    expected = (0.35 + REFLECTED) * ud + 4.905 * np.sin(q)
    assert np.ravel(need["hinge"]) == pytest.approx(expected, abs=1e-10)


def test_sensitivity_to_the_inertia():
    """d(omega²)/dJ of the small pendulum, through the period: by differences of the closed form of the linear motion."""
    s = with_rate(pendulum())
    found = mk.sensitivity(s, to=["J"], of=["hinge.angle"], t_end=1.0, rtol=1e-10)
    slope = float(found.of("hinge.angle", "J")[-1])
    h = 1e-6
    runs = [mk.simulate(s.with_parameters({"J": J + sign * h}), 1.0, every=1.0, **PRECISE) for sign in (1, -1)]
    difference = float(runs[0]["hinge.angle"][-1] - runs[1]["hinge.angle"][-1]) / (2 * h)
    assert slope == pytest.approx(difference, rel=1e-6)  # truncation h² and rtol/h


def test_a_joint_in_a_loop_keeps_its_rotor_in_the_tree():
    """A four-bar of pins: with a rotor on each joint in turn, the same as with a geared body."""
    for joint in ("p0", "p1", "p2", "p3"):
        systems_of = [four_bar(joint, geared) for geared in (False, True)]
        one, other = (mk.simulate(s, 1.0, every=0.1, **PRECISE) for s in systems_of)
        assert one["p0.angle"].values == pytest.approx(other["p0.angle"].values, abs=2e-8), joint


def four_bar(joint, geared):
    s = mk.System("four-bar")
    corners = [(0, 0, 0), (0, 0, 0.3), (0.8, 0, 0.6), (1.0, 0, 0)]
    chain = [s.ground]
    for k in range(3):
        a, b = np.array(corners[k]), np.array(corners[k + 1])
        chain.append(s.body(f"b{k}", 1.0 + k, (0.05, 0.05, 0.05), position=tuple((a + b) / 2)))
    for k in range(4):
        s.pin(f"p{k}", chain[k], chain[(k + 1) % 4], at=corners[k], axis="y", **({"rate": 2.0} if k == 0 else {}))
    if geared:
        body = s.body("wheel", 1.0, (0.1, 0.1, 0.1), position=(5, 0, 0))
        s.pin("axle", s.ground, body, at=(5, 0, 0), axis="y")
        s.gear("mesh", "axle", joint, ratio=3)
    else:
        s.rotor("wheel", joint, inertia=0.1, ratio=3)
    return s


def test_files_copies_and_refusals():
    s = pendulum()
    assert load(dumps(s)).forces["rotor"] == s.forces["rotor"]
    assert copy.deepcopy(s).mass_matrix([0.1]) == pytest.approx(s.mass_matrix([0.1]))
    with pytest.raises(ModelError, match="inertia is t"):
        s.rotor("bad", "hinge", inertia="t")
    with pytest.raises(ModelError, match="inertia is -1"):
        s.rotor("bad", "hinge", inertia=-1)
    with pytest.raises(ModelError, match="ratio is 0"):
        s.rotor("bad", "hinge", inertia=1, ratio=0)
    every = four_bar("p0", False)
    for k in (1, 2, 3):
        every.rotor(f"r{k}", f"p{k}", inertia=0.1)
    with pytest.raises(ModelError, match="closes a loop of joints with rotors.*gear"):
        mk.simulate(every, 0.1)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_impulses_move_the_rotor_too(formulation):
    """A push of 2 N s across the end of the rod, which is at rest: the jump is 2 · 1 m over the whole inertia, and what
    the hinge feels is a force, with no moment about its axis."""
    s = pendulum()
    s.gravity = (0, 0, 0)
    s.event("push", when="t >= 0.1", impulse={"rod": (2, 0, 0)}, at=(0, 0, -0.5))
    run = mk.simulate(s, 0.2, every=0.05, formulation=formulation)
    rate = -2.0 / (0.35 + REFLECTED)
    assert run["hinge.angle.rate"].values[-1] == pytest.approx(rate, rel=1e-9)
    event = run.events[0]
    assert event.kinetic_energy[1] == pytest.approx((0.35 + REFLECTED) * rate**2 / 2, rel=1e-9)
    impulse, angular = event.impulses["hinge"]
    assert impulse == pytest.approx([-0.5 * rate - 2.0, 0, 0], abs=1e-9)
    assert angular == pytest.approx(np.zeros(3), abs=1e-9)


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_a_lock_stops_the_rotor_as_it_stops_a_geared_body(formulation):
    """Two rods, the outer one turned back by the inner one's rate: caught where both are in line."""
    runs = [mk.simulate(caught(geared), 5.0, every=0.5, formulation=formulation) for geared in (False, True)]
    one, other = (run.events[0] for run in runs)
    assert one.time == pytest.approx(other.time, abs=1e-9)
    assert one.kinetic_energy == pytest.approx(other.kinetic_energy, rel=1e-8)
    for joint in ("p", "q", "grip"):
        for found, expected in zip(one.impulses[joint], other.impulses[joint], strict=True):
            assert found == pytest.approx(expected, abs=1e-8), joint
    rates = [run["p.angle.rate"].values[-1] for run in runs]
    assert rates[0] == pytest.approx(rates[1], rel=1e-8)


def caught(geared):
    s = mk.System("two rods", gravity=(0, 0, 0))
    a, b = (s.body(name, 1.0, (0.1, 0.1, 0.1), position=(x, 0, 0)) for name, x in (("a", 0.5), ("b", 1.5)))
    s.pin("p", s.ground, a, at=(0, 0, 0), axis="y", rate=1.0)
    s.pin("q", a, b, at=(1, 0, 0), axis="y", rate=-2.0)
    s.weld("grip", a, b, on_a=(0.5, 0, 0), on_b=(-0.5, 0, 0), active=False)
    if geared:
        wheel = s.body("wheel", 1.0, (0.02, 0.02, 0.02), position=(5, 0, 0))
        s.pin("axle", s.ground, wheel, at=(5, 0, 0), axis="y")
        s.gear("mesh", "axle", "q", ratio=4)
    else:
        s.rotor("wheel", "q", inertia=0.02, ratio=4)
    s.event("catch", when="q.angle <= -2*pi", lock="grip")
    return s


# ---------------------------------------------------------------- joints that turn in every direction


def on_balls():
    """Two bodies on ball joints, one on the other, with rotors on both; nothing is symmetric."""
    s = mk.System("balls")
    s.body("one", mass=1.0, inertia=(0.1, 0.2, 0.25), com=(0.1, 0.2, -0.3), angular_velocity=(1.0, 2.0, 0.5))
    s.body(
        "two",
        mass=0.5,
        inertia=(0.03, 0.02, 0.04),
        com=(0.0, 0.1, -0.2),
        position=(0.1, 0.0, -0.5),
        velocity=(-1, 0.6, -0.2),
    )
    s.ball("upper", s.ground, "one", on_a=(0, 0, 0), on_b=(0, 0, 0))
    s.ball("lower", "one", "two", on_a=(0.1, 0, -0.5), on_b=(0, 0, 0))
    s.rotor("rotor 1", "upper", inertia=0.03, ratio=2)
    s.rotor("rotor 2", "lower", inertia=0.05, coordinate="rotation")
    return s


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_rotors_of_ball_joints(formulation):
    """The power of all forces is the rate of energy, by the complex step; and the motion is that in the joint coordinates, to a
    hundred times the tolerance of the runs."""
    model = Model(on_balls(), formulation)
    rate, size = model.energy_balance(0.4, model.on_the_way(0.15))
    assert abs(rate) <= 1e-12 * max(1.0, size)
    one, other = (
        mk.simulate(on_balls(), 0.5, every=0.1, formulation=kind, **PRECISE) for kind in ("joint", formulation)
    )
    assert one["two.position"].values == pytest.approx(other["two.position"].values, abs=1e-8) and other.health.ok


def test_kane_newton_and_lagrange_agree_on_ball_joints():
    assert mk.compare(on_balls(), points=1).agree


def test_the_mass_matrix_of_a_ball_joint_has_the_inertia():
    """ratio² inertia on the three speeds of each joint, and nowhere else."""
    s = on_balls()
    q, _ = s.initial_state()
    with_rotors = s.mass_matrix(q)
    for name in ("rotor 1", "rotor 2"):
        s.remove(name)
    assert with_rotors - s.mass_matrix(q) == pytest.approx(np.diag([0.12] * 3 + [0.05] * 3), abs=1e-15)
    run = mk.simulate(on_balls(), 0.1, every=0.05)
    assert run["rotor 2.torque"].shape == (3, 3)
    with pytest.raises(mk.ModelError, match="coordinate is 'rotation'"):
        pendulum(coordinate="rotation")
