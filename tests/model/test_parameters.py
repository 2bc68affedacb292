"""Parameters: any number of a model may have a name. Oracle: the same model built with plain numbers, record by record,
bit for bit."""

import copy
import json
import pickle

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.importers.yaml import dumps, from_dict, load
from mekane.model.construction_log import rebuilt

L = mk.Param("l", "80 cm")


def swing(l, m=2.0, k=40.0, a=0.3):
    """A rod on a hinge, a rope, a spring; with numbers or with parameters."""
    s = mk.System("swing", gravity=(0, 0, -9.81))
    arm = s.body("arm", mass=m, shape=mk.Rod(l, axis="z", radius=l / 20), position=(0, 0, -l / 2), orientation=("z", a))
    bob = s.body("bob", m / 2, (m / 10,) * 3, com=(0, 0, l / 10), position=[0, 0, -2 * l], velocity=(0, l / 2, 0))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis=(l, 1, 0), rate={"angle": a / 2})
    s.distance("rope", (arm, (0, 0, -l / 2)), (bob, (0, 0, 0)))
    s.spring("spring", (s.ground, (l, 0, 0)), (bob, (0, 0, 0)), stiffness=k, length=l / 2)
    s.force("push", bob, (0, 2 * m, 0), at=(0, 0, l / 10))
    return s


def test_what_parameter_returns_is_followed():
    """A mass and a place computed from it change with it, as those of mk.Param do."""
    s = mk.System("ball")
    m = s.parameter("m", "2 kg")
    s.body("ball", mass=m, shape=mk.Sphere(0.1), position=(0, 0, m / 4))
    assert s.parameters["m"] == 2.0
    assert (s.bodies["ball"].mass, s.bodies["ball"].position[2]) == (2.0, 0.5)
    other = s.with_parameters(m=3.0)
    assert (other.bodies["ball"].mass, other.bodies["ball"].position[2]) == (3.0, 0.75)


def parametrized():
    """With parameters, in the ways they can be given."""
    s = mk.System("swing", gravity="(0, 0, $-g)", parameters={"m": 2.0, "k": "40 N/m", "a": 0.3, "g": 9.81})
    arm = s.body(
        "arm",
        mass="$m",
        shape=mk.Rod(L, axis="z", radius="$l/20"),
        position=(0, 0, -L / 2),
        orientation=("z", mk.Param("a")),
    )
    bob = s.body(
        "bob", "$m/2", ("$m/10",) * 3, com=np.array([0, 0, L / 10]), position="[0, 0, $-2*l]", velocity=(0, "$l/2", 0)
    )
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis=(L, 1, 0), rate={"angle": "$a/2"})
    s.distance("rope", (arm, (0, 0, -L / 2)), (bob, (0, 0, 0)))
    s.spring("spring", (s.ground, ("$l", 0, 0)), (bob, (0, 0, 0)), stiffness="$k", length=L / 2)
    s.force("push", bob, (0, "$2*m", 0), at=(0, 0, "$l/10"))
    return s


def same(one, other):
    """All records equal but for values, which are symbols in one of them; and the motion, bit by bit."""
    assert one.gravity == other.gravity and one.bodies == other.bodies and one.joints == other.joints
    assert one.constraints == other.constraints
    assert [force.acts for force in one.forces.values()] == [force.acts for force in other.forces.values()]
    runs = [mk.simulate(s, 0.2, every=0.1) for s in (one, other)]
    assert np.array_equal(runs[0].record.y[:, : runs[0].compiled.n_q], runs[1].record.y[:, : runs[1].compiled.n_q])


# ---------------------------------------------------------------- saying them


def test_parameters_are_numbers():
    s = parametrized()
    assert s.parameters == {"m": 2.0, "k": 40.0, "a": 0.3, "g": 9.81, "l": 0.8}
    same(s, swing(0.8))


def test_values_stay_symbols():
    """A force reads its parameters while it runs; state and parameters mix."""
    s = parametrized()
    s.motor("drive", "hinge", torque="-$k*hinge.angle + 2*m*sin(t)")
    assert s.forces["spring"].stiffness.names() == ["k"] and s.forces["spring"].length.names() == ["l"]
    assert s.forces["drive"].torque.names() == ["k", "hinge.angle", "m", "t"]
    assert s.forces["spring"].stores_energy and s.forces["spring"].conservative


def test_functions_may_hold_parameters():
    s = parametrized()
    c = mk.Param("c", 3.0)
    s.motor("drive", "hinge", torque=lambda t, state: -c * state["hinge.angle.rate"])
    assert s.parameters["c"] == 3.0
    assert s.with_parameters(c=4).forces["drive"].torque.names() == ["c", "hinge.angle.rate"]


def test_arithmetic():
    a = mk.Param("a", "30 deg")
    s = mk.System()
    s.body("b", mass=2 * a, position=(np.sin(a), np.cos(a) ** 2, np.hypot(a, 1)))
    x = np.pi / 6
    assert s.bodies["b"].mass == pytest.approx(2 * x, rel=1e-15)
    assert s.bodies["b"].position == pytest.approx([np.sin(x), np.cos(x) ** 2, np.hypot(x, 1)], rel=1e-15)


def test_names_that_are_no_python_names():
    s = mk.System(parameters={"wheel base": 2.0, "lambda": 3.0})
    s.body("b", mass="${wheel base}/4", position=("$lambda", 0, mk.Param("wheel base")))
    assert s.bodies["b"].mass == 0.5 and s.bodies["b"].position.tolist() == [3, 0, 2]
    assert load(dumps(s)).to_dict() == s.to_dict()


def test_parts_may_have_dollars_in_their_names():
    s = mk.System()
    s.body("$a", 1, inertia=(1, 1, 1))
    s.pin("$j", "ground", "$a", at=(0, 0, 0), axis="y")
    s.spring("$s", ("ground", (0, 0, 0)), ("$a", (0, 0, 1)), 1, 0)
    assert s.joints["$j"].b == "$a"


def test_a_parameter_has_one_value():
    s = mk.System(parameters={"k": 1.0})
    s.body("a", mass=mk.Param("k", 1.0))
    with pytest.raises(mk.ModelError, match="comes with the value 2, and in this system it is 1"):
        s.body("b", mass=mk.Param("k", 2.0))
    assert "b" not in s.bodies
    s.set_parameters(k=3)
    s.body("b", mass=mk.Param("k", 1.0))  # the same parameter as before
    assert s.bodies["b"].mass == 3


def test_nothing_is_left_of_a_failure():
    s = mk.System()
    with pytest.raises(mk.ModelError):
        s.body("a", mass=mk.Param("m", 1.0), position=(mk.Param("x", 1.0), "$unknown", 0))
    assert not s.parameters and not s.bodies
    s.parameter("m", 2)


@pytest.mark.parametrize(
    "mass, says",
    [
        ("$mm", "body 'a': mass is '$mm', and 'mm' is not a parameter; this system has m, k. Did you mean 'm'?"),
        (mk.Param("x"), "'x' is not a parameter; this system has m, k. Write s.parameter(\"x\", …) first"),
        ("$m*t", "which reads 't'; only parameters may be in a number that does not change"),
        ("$m*hinge.angle", "which reads 'hinge.angle'"),
        ("$1/(m - 1)", "comes to inf; a finite number is expected"),
        ("$m kg", "this is not a formula"),
        ("$m*", "this is not a formula"),
        ("$-m", "mass is -1.0; it must be greater than zero"),
        ("${m", "this is not a formula"),
    ],
)
def test_bad_numbers(mass, says):
    s = mk.System(parameters={"m": 1.0, "k": 1.0})
    with pytest.raises(mk.ModelError) as caught:
        s.body("a", mass=mass)
    assert says in str(caught.value) and "body 'a'" in str(caught.value)


# ---------------------------------------------------------------- changing them


def test_with_parameters_is_the_model_with_that_number():
    s = parametrized()
    other = s.with_parameters(l=0.9, m="3 kg", k="0.1 kN/m", a="10 deg")
    same(other, swing(0.9, 3.0, 100.0, np.radians(10)))
    assert s.parameters["l"] == 0.8 and s.bodies["arm"].position[2] == -0.4


def test_a_pendulum_of_another_length():
    """What the issue asks: a motion with another number is that of the pendulum built with it, bit for bit."""

    def pendulum(l):
        s = mk.System("pendulum")
        s.body("bob", mass=1.0, inertia=(0.01, 0.01, 0.01), position=(l, 0, 0))
        s.pin("hinge", "ground", "bob", at=(0, 0, 0), axis="y")
        return s

    runs = [mk.simulate(s, 1.0) for s in (pendulum(mk.Param("l", 1.0)).with_parameters(l=0.73), pendulum(0.73))]
    assert np.array_equal(runs[0].record.y, runs[1].record.y)


def test_set_parameters_changes_in_place_or_not_at_all():
    s = parametrized()
    bodies, arm = s.bodies, s.bodies["arm"]
    s.set_parameters({"l": 0.9}, m=3)
    assert s.bodies is bodies and s.bodies["bob"].mass == 1.5
    same(s, swing(0.9, 3.0))
    before = s.to_dict()
    for wrong in ({"l": -1}, {"l": "1 mmm"}, {"m": "heavy"}, {"m": 1j}, {"q": 1}, {"m": 2, "arm.q": 3}, {3: 4}):
        with pytest.raises(mk.ModelError):
            s.set_parameters(wrong)
        assert s.to_dict() == before
    s.weld("more", arm, "bob")  # a record from before still means its body


def test_records_of_another_system_stay_refused():
    one, other = swing(0.8), swing(0.9)
    with pytest.raises(mk.ModelError, match="belongs to another system"):
        one.weld("w", other.bodies["arm"], "bob")


@pytest.mark.parametrize(
    "name, says", [("ll", "Did you mean 'l'?"), ("zzz", 'such as "arm.mass"'), ("amr.mass", "no number of this")]
)
def test_unknown_parameters(name, says):
    with pytest.raises(mk.ModelError) as caught:
        parametrized().with_parameters({name: 1.0})
    assert says in str(caught.value) and "'swing'" in str(caught.value)


def test_parts_put_in_by_hand_are_taken_over():
    s, other = parametrized(), swing(0.5)
    s.bodies["bob"] = other.bodies["bob"]
    del s.forces["push"]
    new = s.with_parameters(l=0.9)
    assert (
        new.bodies["bob"] is other.bodies["bob"] and "push" not in new.forces and new.bodies["arm"].position[2] == -0.45
    )


def test_speeds_and_names_stay():
    s = parametrized()
    s.generalized_speeds({"u1": "$m*hinge.angle.rate"})
    new = s.with_parameters(m=4)
    assert new.own_speeds == s.own_speeds and new.name == "swing" and list(new.parameters) == list(s.parameters)


def test_what_was_given_is_kept_from_later_changes():
    point, s = [0.0, 0.0, "$z"], mk.System(parameters={"z": 1.0})
    s.body("a", 1, position=point)
    point[0] = 5.0
    assert s.with_parameters(z=2).bodies["a"].position.tolist() == [0, 0, 2]


def test_every_mechanism_can_be_built_again():
    """Oracle: itself."""
    for mechanism in gallery.mechanisms():
        s = mechanism.system()
        new = rebuilt(s, s.parameters)
        assert (
            new.bodies == s.bodies
            and new.joints == s.joints
            and new.constraints == s.constraints
            and new.check() == s.check()
        )
        assert [f.acts for f in new.forces.values()] == [f.acts for f in s.forces.values()]


def test_copies_can_be_changed():
    for twin in (copy.deepcopy(parametrized()), pickle.loads(pickle.dumps(parametrized()))):
        twin.set_parameters(l=0.9)
        same(twin, swing(0.9))


# ---------------------------------------------------------------- numbers without a name


def test_numbers_are_called_by_part_and_word():
    s = swing(0.8)
    names = [
        "arm.mass",
        "bob.com.z",
        "hinge.rate",
        "gravity.z",
        "spring.length",
        "spring.a.x",
        "rope.length",
        "push.value.y",
    ]
    names += ["arm.orientation.angle"]
    named = s.named([*names, "arm.shape.radius", "bob.inertia.xx", "hinge.axis.x"])
    values = [2.0, 0.08, 0.15, -9.81, 0.4, 0.8, s.constraints["rope"].length, 4.0, 0.3]
    assert [named.parameters[name] for name in names] == pytest.approx(values, abs=1e-15)
    same(named, s)
    new = named.with_parameters({"arm.mass": 7, "gravity.z": "-1.6 m/s^2", "bob.inertia.xx": 0.25, "spring.a.x": 1.0})
    assert new.bodies["arm"].mass == 7 and new.gravity == (0, 0, -1.6) and new.bodies["bob"].inertia[0, 0] == 0.25
    assert new.forces["spring"].acts.point_a == (1.0, 0, 0) and new.bodies["arm"].shape.radius == 0.04


def test_addresses_do_not_hide_the_state():
    """spring.length is the length it has now in expressions, and its natural length as an address."""
    s = swing(0.8)
    s.motor("drive", "hinge", torque="0.1*spring.length")
    run = mk.simulate(s, 0.1, every=0.1)
    for name in ("spring.length", "bob.position.z"):
        other = mk.simulate(s.named(name), 0.1, every=0.1)
        assert np.array_equal(run["spring.length"], other["spring.length"]) and name in other.system.parameters
        assert np.array_equal(run["drive.torque"], other["drive.torque"])


def test_with_parameters_names_what_it_needs():
    new = swing(0.8).with_parameters({"arm.mass": 5, "spring.stiffness": "1 kN/m"})
    assert new.bodies["arm"].mass == 5 and new.parameters == {"arm.mass": 5.0, "spring.stiffness": 1000.0}


def test_all_numbers_of_every_mechanism_can_be_named():
    """The named system is the same one."""
    for mechanism in gallery.mechanisms():
        s = mechanism.system()
        named = s.named(s.numbers())
        assert len(named.parameters) > 10
        for name, body in s.bodies.items():
            assert named.bodies[name].mass == body.mass and np.allclose(
                named.bodies[name].inertia, body.inertia, rtol=1e-15
            )
            assert np.allclose(named.bodies[name].R_NB, body.R_NB, atol=1e-15)
        assert not set(named.numbers()) & set(s.numbers())


@pytest.mark.parametrize(
    "address, says",
    [
        ("arm.mas", "body 'arm': it has no number 'mas'; it has mass, inertia"),
        ("amr.mass", "Did you mean 'arm.mass'?"),
        ("arm", "part.keyword is expected"),
        ("arm.com", "there is arm.com.x, arm.com.y, arm.com.z"),
        ("arm.com.w", "Did you mean 'arm.com"),
        ("hinge.on_a.x", "on_a was not given"),
        ("hinge.angle", "it has no number 'angle'"),
        ("drive.torque", "motor 'drive': drive.torque is '2*t'; a plain number is expected"),
        ("function.torque", "a plain number is expected"),
        ("bob.velocity.x", "bob.velocity.x is '$v'; a plain number is expected"),
        ("gravity.w", "there is gravity.x, gravity.y, gravity.z"),
        ("table.torque", "a plain number is expected"),
        (3, "text is expected"),
    ],
)
def test_bad_addresses(address, says):
    s = swing(0.8)
    s.parameter("v", 1.0)
    s.set_parameters()
    s.motor("drive", "hinge", torque="2*t")
    s.motor("function", "hinge", torque=lambda t, state: 2 * t)
    s.motor("table", "hinge", torque={"table": [[0, 1], [1, 2]]})
    del s.bodies["bob"], s._construction["bob"], s.constraints["rope"], s.forces["spring"], s.forces["push"]
    s.body("bob", 1, velocity=("$v", 0, 0))
    with pytest.raises(mk.ModelError) as caught:
        s.named([address])
    assert says in str(caught.value)


def test_parts_made_by_hand_have_no_words():
    s, other = swing(0.8), swing(0.9)
    s.bodies["arm"] = other.bodies["arm"]
    with pytest.raises(mk.ModelError, match="not made by a method of System"):
        s.named("arm.mass")


# ---------------------------------------------------------------- files and results


def test_files_keep_parameters():
    s = parametrized()
    text = dumps(s)
    for piece in (
        "mass: $m",
        "[0, 0, $-l/2]",
        "rod: {length: $l",
        "radius: $l/20",
        "gravity: (0, 0, $-g)",
        "stiffness: $k",
    ):
        assert piece in text
    again = load(text)
    assert again.to_dict() == s.to_dict() == from_dict(json.loads(json.dumps(s.to_dict()))).to_dict()
    same(again.with_parameters(l=0.9, m=3), swing(0.9, 3.0))


def test_places_that_follow_from_parameters_are_written_as_given():
    """The hinge holds no parameter, but where it is in the arm follows from where the arm is."""
    again = load(dumps(parametrized())).with_parameters(l=0.9)
    assert again.joints["hinge"].p_BM[2] == 0.45
    assert "on_b" in dumps(swing(0.8)) and "on_b" not in dumps(parametrized())


def test_files_keep_named_numbers():
    s = swing(0.8).named(["arm.mass", "spring.length", "hinge.rate", "bob.com.z"])
    text = dumps(s)
    assert "mass: $arm.mass" in text and "length: $spring.length" in text and "arm.mass: 2.0" in text
    assert load(text).to_dict() == s.to_dict()
    same(load(text), s)


def test_files_keep_functions_beside_parameters():
    s = parametrized()
    s.motor("drive", "hinge", torque=lambda t, state: 2 * t)
    assert load(dumps(s)).forces["drive"].torque.given == "2*t"
    s.motor("odd", "hinge", torque=lambda t, state: 2.0 if float(t) > 1 else 0.0)
    with pytest.raises(mk.ModelError, match="odd"):
        s.to_dict()


def test_all_mechanisms_with_all_numbers_named_survive_a_file():
    for mechanism in gallery.mechanisms():
        s = mechanism.system()
        try:
            s.to_dict()
        except mk.ModelError:
            continue  # a Python function without an expression
        named = s.named(s.numbers())
        assert load(dumps(named)).to_dict() == named.to_dict()


def test_results_keep_parameters(tmp_path):
    run = mk.simulate(parametrized().with_parameters(l=0.9), 0.1)
    run.save(tmp_path / "run.nc")
    again = mk.load(tmp_path / "run.nc")
    assert again.system.parameters == run.system.parameters and np.array_equal(
        again["bob.position"], run["bob.position"]
    )
    assert again.system.with_parameters(l=0.7).bodies["arm"].position[2] == -0.35
