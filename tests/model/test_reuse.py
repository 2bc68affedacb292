"""Sub-assemblies. Oracles: the same parts described by hand in the host, which move the same to round-off; for a mirrored one
the reflected motion of the original; mass matrices at random states where no motion is needed."""

import numpy as np
import pytest
from robots import random_robot

import mekane as mk
from mekane.errors import ModelError
from mekane.importers.yaml import dumps, load

TURN = ("xyz", (0.3, -0.5, 0.8))


def leg(**given):
    """Joints, forces, a constraint, a marker, an output and expressions that name parts and parameters."""
    s = mk.System("leg", parameters={"k": 40.0, "c": 0.3, **given})
    s.body(
        "thigh",
        mass=2,
        inertia=(0.04, 0.045, 0.01, 0.001, 0.002, 0.003),
        com=(0.01, 0.02, 0.03),
        position=(0, 0.1, -0.2),
    )
    s.body("shank", mass=1, inertia=(0.02, 0.02, 0.005), position=(0.05, 0.1, -0.6), shape=mk.Capsule(0.03, 0.3))
    s.body("slide", mass=0.3, inertia=(1e-3, 1e-3, 1e-3), position=(0, 0.15, -0.4))
    s.pin("hip", s.ground, "thigh", at=(0, 0.1, 0), axis=(0.1, 1, 0.2), rate=0.8)
    s.universal("knee", "thigh", "shank", at=(0, 0.1, -0.4), axis="y", axis2="x")
    s.slider("guide", "thigh", "slide", axis=(0, 0.2, 1))
    s.spring("tendon", (s.ground, (0, 0.2, 0.1)), ("shank", (0, 0.03, 0.1)), stiffness="k", length=0.3, damping="c")
    s.torsional_spring("return", "knee", stiffness=5, coordinate="angle", damping="0.1 + 0.01*hip.angle**2")
    s.sliding_spring("coil", "guide", stiffness=300, displacement="0.01*sin(3*t)", damping="$c")
    s.motor("drive", "hip", torque="2*sin(5*t) - c*hip.angle.rate")
    s.force("push", "shank", value=("0.5*cos(t)", 0.2, "-k/100"), frame="body", at=(0, 0, -0.2))
    s.torque("twist", "thigh", value=(0.1, "0.2*t", 0.3), frame="body")
    s.marker("tip", "shank", at=(0, 0, -0.2))
    s.output("bend", "2*knee.angle")
    return s


def host():
    s = mk.System("walker")
    s.body(
        "torso",
        mass=8,
        inertia=(0.3, 0.4, 0.5),
        position=(0.2, 0, 1),
        orientation=("z", 0.4),
        angular_velocity=(0.1, 0, 0.3),
    )
    s.pin("yaw", s.ground, "torso", at=(0.2, 0, 1), axis="z", rate=0.5)
    return s


def places(run, name):
    return run[f"{name}.position"].values


def test_added_to_the_ground_it_moves_as_by_itself():
    """Oracle: the leg alone. Placed at an offset: gravity is the same, all positions are shifted. 1e-10: points are sums of
    other numbers, and steps depend on errors at round-off."""
    alone, s = mk.simulate(leg(), 0.5), mk.System("host")
    names = s.add("left leg", leg(), at=(1, 2, 3))
    assert (
        names["knee"] == "left leg knee" and s.joints["left leg hip"].kind == "pin" and names["bend"] == "left_leg_bend"
    )
    run = mk.simulate(s, 0.5)
    assert np.abs(run["left leg knee.angle"].values - alone["knee.angle"].values).max() < 1e-10
    assert np.abs(places(run, "left leg tip") - places(alone, "tip") - [1, 2, 3]).max() < 1e-10
    assert np.abs(run["left_leg_bend"].values - alone["bend"].values).max() < 1e-10


def test_turned_with_gravity_it_moves_as_by_itself():
    """Oracle: the leg alone; the whole world is turned, gravity with it."""
    alone, s = mk.simulate(leg(), 0.5), mk.System("host")
    s.add("a", leg(), orientation=TURN)
    R = s.bodies["a_thigh"].R_NB @ leg().bodies["thigh"].R_NB.T
    s.gravity = R @ [0, 0, -9.81]
    run = mk.simulate(s, 0.5)
    assert np.abs(places(run, "a_tip") - places(alone, "tip") @ R.T).max() < 1e-10
    assert np.abs(run["a_knee.angle"].values - alone["knee.angle"].values).max() < 1e-10


def test_on_a_moving_body_it_is_the_leg_built_there_by_hand():
    """Oracle: the same bodies, joints and a spring described in the host by hand, in world coordinates of the start."""
    small = mk.System("leg")
    small.body("shank", mass=1, inertia=(0.02, 0.03, 0.01), position=(0, 0, -0.4), velocity=(0.1, 0, 0))
    small.pin("knee", small.ground, "shank", at=(0, 0, -0.1), axis="y", rate=1.0)
    small.spring("tendon", (small.ground, (0.2, 0, 0)), ("shank", (0, 0, 0.1)), stiffness=50, length=0.2)
    s, hand = host(), host()
    s.add("leg", small, to="torso", at=(0, 0.2, -0.1), orientation=("x", 0.3))
    torso = hand.bodies["torso"]
    R = torso.R_NB @ mk.System().body("b", 1, orientation=("x", 0.3)).R_NB
    p = torso.position + torso.R_NB @ [0, 0.2, -0.1]
    hand.body("leg_shank", mass=1, inertia=(0.02, 0.03, 0.01), position=p + R @ [0, 0, -0.4], orientation=R)
    hand.pin("leg_knee", "torso", "leg_shank", at=p + R @ [0, 0, -0.1], axis=R @ [0, 1, 0], rate=1.0)
    start = torso.R_NB.T @ (p + R @ [0.2, 0, 0] - torso.position)
    hand.spring("leg_tendon", ("torso", start), ("leg_shank", (0, 0, 0.1)), stiffness=50, length=0.2)
    one, other = mk.simulate(s, 0.5), mk.simulate(hand, 0.5)
    assert np.abs(places(one, "leg_shank") - places(other, "leg_shank")).max() < 1e-10
    assert np.abs(one["leg_knee.angle"].values - other["leg_knee.angle"].values).max() < 1e-10


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_mirrored_motion_is_the_mirror_image(axis):
    """Oracle: the motion of the original, reflected; gravity is reflected, too. All coordinates keep their values."""
    alone, s = mk.simulate(leg(), 0.5), mk.System("host")
    S = np.diag([-1.0 if one == axis else 1.0 for one in "xyz"])
    s.add("m", leg(), mirrored=axis)
    s.gravity = S @ [0, 0, -9.81]
    run = mk.simulate(s, 0.5)
    for name in ("thigh", "shank", "slide", "tip"):
        assert np.abs(places(run, f"m_{name}") - places(alone, name) @ S).max() < 1e-10
    for channel in ("hip.angle", "knee.angle", "knee.angle2", "guide.displacement"):
        assert np.abs(run[f"m_{channel}"].values - alone[channel].values).max() < 1e-10
    assert np.ptp(alone["knee.angle2"].values) > 1e-3


def test_a_screw_changes_its_hand():
    nut = mk.System("nut")
    nut.body("nut", mass=1, inertia=(0.1, 0.1, 0.1), position=(0.1, 0, 0))
    nut.screw("thread", nut.ground, "nut", pitch=0.3, at=(0, 0, 0), axis="z", rate=2.0)
    nut.motor("drive", "thread", torque=0.2)
    alone, s = mk.simulate(nut, 0.5), mk.System("host")
    s.add("m", nut, mirrored="x")
    run = mk.simulate(s, 0.5)
    assert np.abs(places(run, "m_nut") - places(alone, "nut") * [-1, 1, 1]).max() < 1e-10


def test_constraints_contacts_and_events_come_along():
    """Oracle: the system alone, whose contact laws act on joint coordinates and on a plane of its ground."""

    def ball():
        s = mk.System("ball")
        s.body("ball", mass=1, shape=mk.Sphere(0.1), position=(0, 0, 0.3), inertia=(4e-3, 4e-3, 4e-3))
        s.body("arm", mass=1, inertia=(0.1, 0.1, 0.1), com=(0.2, 0, 0), position=(1, 0, 0))
        s.pin("hinge", s.ground, "arm", at=(1, 0, 0), axis="y")
        s.contact("floor", "ball", (s.ground, mk.Plane(normal="z")), restitution=0.6)
        s.limit("stop", "hinge", upper=0.4, restitution=0.3)
        s.distance("rod", ("ball", (0, 0, 0)), (s.ground, (0, 3, 0.3)))
        s.variable("hits", 0)
        s.event("late", when="t > 0.3 and hinge.angle > 0", set={"hits": "hits + 1"})
        return s

    alone, s = mk.simulate(ball(), 0.5), mk.System("host")
    s.add("b", ball(), at=(0, 0, 2), mirrored="y")
    run = mk.simulate(s, 0.5)
    assert np.abs(places(run, "b_ball") - places(alone, "ball") * [1, -1, 1] - [0, 0, 2]).max() < 1e-9
    assert np.abs(run["b_hinge.angle"].values - alone["hinge.angle"].values).max() < 1e-9
    assert run["b_hits"].values[-1] == alone["hits"].values[-1] == 1


def test_two_of_them_with_parameters_of_their_own():
    s = host()
    s.add("left", leg(), to="torso", parameters={"k": 70})
    s.add("right", leg(), to="torso", mirrored="y")
    assert (s.parameters["left_k"], s.parameters["right_k"]) == (70, 40)
    assert s.with_parameters(left_k=90.0).parameters["left_k"] == 90
    run = mk.simulate(s, 0.05)
    assert run.health.ok


def test_parameters_of_places_are_numbers_from_then_on():
    part = mk.System("part", parameters={"l": 0.4})
    part.body("arm", mass=1, inertia=(0.1, 0.1, 0.1), position=(0, 0, "$l"))
    s = mk.System()
    s.add("a", part, parameters={"l": 0.7})
    assert s.bodies["a_arm"].position[2] == 0.7
    with pytest.raises(ModelError, match="'a_l'"):
        s.with_parameters(a_l=1.0)


def test_what_was_added_is_saved_and_read():
    s = host()
    s.add("left leg", leg(), to="torso", orientation=TURN)
    again = load(dumps(s))
    assert again.to_dict() == s.to_dict()
    q, u = s.initial_state()
    assert np.array_equal(again.forward_dynamics(q, u), s.forward_dynamics(q, u))


def test_an_imported_robot_is_added():
    robot, s = mk.load_model(random_robot(1)), mk.System()
    s.add("arm", robot, orientation=TURN)
    q = np.random.default_rng(0).uniform(-1, 1, len(robot.coordinates))
    assert np.abs(s.mass_matrix(q) - robot.mass_matrix(q)).max() <= 1e-12 * np.abs(robot.mass_matrix(q)).max()
    assert all(note.startswith("arm: ") for note in s.notes)


REFUSED = {
    "taken": (lambda s: s.body("a_thigh", mass=1), {}, "'a_thigh' is already used"),
    "no system": (None, {"other": "leg.yaml"}, "a System is expected"),
    "wrong body": (None, {"to": "trso"}, "'trso' is not a body"),
    "wrong mirror": (None, {"mirrored": "xy"}, "x, y or z is expected"),
    "wrong parameter": (None, {"parameters": {"kk": 1}}, "'kk' is not a parameter"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_and_nothing_is_left(case):
    prepare, given, message = REFUSED[case]
    s = host()
    if prepare:
        prepare(s)
    before = s.to_dict()
    with pytest.raises(ModelError, match=message):
        s.add("a", given.pop("other", leg()), **given)
    assert s.to_dict() == before and "a_k" not in s.parameters


def controlled(s):
    s.input("u")
    s.controller("brain", every=0.1, reads="bend", writes="u", function=lambda t, bend: -bend)


@pytest.mark.parametrize(
    ("change", "given", "message"),
    [
        (lambda s: s.motor("m", "hip", torque="shank.position.x"), {"at": (1, 0, 0)}, "in world axes"),
        (lambda s: s.force("f", "shank", value=(1, 0, 0)), {"to": "torso"}, "components in world axes"),
        (controlled, {}, "functions"),
        (lambda s: s.generalized_speeds({"u1": "2*hip.angle.rate"}), {}, "generalized speeds of its own"),
    ],
)
def test_what_has_no_form_in_the_host_is_refused(change, given, message):
    other = leg()
    change(other)
    with pytest.raises(ModelError, match=message):
        host().add("a", other, **given)


def test_world_forces_turn_with_a_ground_that_stays():
    """Oracle: the force alone, turned."""
    s, part = mk.System("host", gravity=(0, 0, 0)), mk.System("part", gravity=(0, 0, 0))
    part.body("ball", mass=2, inertia=(1, 1, 1))
    part.force("f", "ball", value=("sin(t)", 1, "t"))
    s.add("a", part, orientation=TURN, mirrored="x")
    alone, run = mk.simulate(part, 1.0), mk.simulate(s, 1.0)
    M = mk.System().body("b", 1, orientation=TURN).R_NB @ np.diag([-1.0, 1, 1])
    assert np.abs(places(run, "a_ball") - places(alone, "ball") @ M.T).max() < 1e-10
