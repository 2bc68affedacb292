"""System: names, topology, remarks and the way out as plain data."""

import copy
import json
import pickle

import pytest

import mekane
import mekane.joints  # noqa: F401  gives System its methods
from mekane.errors import ModelError, UnitError
from mekane.model import Joint, Rod, System, add_kind
from mekane.model.joint import joint_kinds


def pendulum():
    s = System("pendulum")
    s.body("rod", shape=Rod("1 m"), mass=1, position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "rod", at=(0, 0, 0), axis="y")
    return s


def test_what_is_given_is_kept_in_order():
    s = System("many", gravity=(0, "-9.81 m/s^2", 0), parameters={"k": "4 kN/m"})
    for name in ("c", "a", "b"):
        s.body(name, 1)
    s.parameter("length", "30 mm")
    assert list(s.bodies) == ["c", "a", "b"] and s.gravity == (0, -9.81, 0)
    assert s.parameters == {"k": 4000.0, "length": 0.03}
    assert s.ground.name == "ground" and "ground" not in s.bodies
    assert System().gravity == (0, 0, -9.81)
    assert repr(s) == "System('many': 3 bodies, 0 joints, 0 forces)"
    s.free("loose", s.ground, "a")
    assert repr(s) == "System('many': 3 bodies, 1 joint, 0 forces)"


@pytest.mark.parametrize("name", ["crank", "left arm", "Kurbel ä", "1", "a-b", "α"])
def test_good_names(name):
    assert System().body(name, 1).name == name


@pytest.mark.parametrize(
    "name, says",
    [
        ("", "the name is empty"),
        ("  ", "the name is empty"),
        ("a.b", "Write 'a_b' instead"),
        ('a"b', "holds '\"'"),
        ("a\nb", "line breaks"),
        ("ground", "reserved for the fixed frame"),
        ("t", "reserved for the time"),
        (3, "a name is text"),
        (None, "a name is text"),
    ],
)
def test_bad_names(name, says):
    s = System()
    s.body("arm", 1)
    parameter = [] if name == "a.b" else [lambda: s.parameter(name, 1)]  # "arm.mass" is a good name for a parameter
    for add in (lambda: s.body(name, 1), *parameter, lambda: s.ball(name, "ground", "arm", at=(0, 0, 0))):
        with pytest.raises(ModelError) as caught:
            add()
        assert says in str(caught.value)


def test_all_parts_share_one_name_space():
    s = pendulum()
    s.parameter("k", 1)
    for taken, owner in (("rod", "body"), ("hinge", "joint"), ("k", "parameter")):
        message = f"the name '{taken}' is already used by a {owner}"
        with pytest.raises(ModelError, match=f"body '{taken}': {message}"):
            s.body(taken, 1)
        with pytest.raises(ModelError, match=f"joint '{taken}': {message}"):
            s.ball(taken, "ground", "rod", at=(0, 0, 0))
        with pytest.raises(ModelError, match=f"parameter '{taken}': {message}"):
            s.parameter(taken, 1)


@pytest.mark.parametrize("name", ["pi", "e", "tau"])
def test_a_parameter_cannot_hide_a_constant(name):
    with pytest.raises(ModelError, match="is the constant"):
        System(parameters={name: 1})


@pytest.mark.parametrize(
    "keywords, says",
    [
        ({"name": 3}, "a name is text"),
        ({"gravity": 9.81}, "system 'system': gravity is 9.81; 3 components are expected"),
        ({"gravity": (0, 0, float("nan"))}, "gravity[2] is nan"),
        ({"gravity": (0, 0, "9.81 m")}, "not a unit of acceleration"),
        ({"parameters": [1]}, "names and numbers are expected"),
        ({"parameters": {"k": "stiff"}}, "parameter 'k': value is 'stiff'"),
    ],
)
def test_bad_systems(keywords, says):
    with pytest.raises(ModelError) as caught:
        System(**keywords)
    assert says in str(caught.value)


def test_unknown_words_are_guessed():
    with pytest.raises(AttributeError, match="System has no method 'balll'. Did you mean 'ball'?"):
        System().balll("x")
    assert not hasattr(System(), "xyzzy")


@pytest.mark.parametrize("analysis", ["simulate", "equations", "modes", "equilibrium", "save_model"])
def test_analyses_of_the_package_are_pointed_to(analysis):
    """s.equations is what a newcomer writes first; "Did you mean 'kane_equations'?" would lead astray."""
    assert callable(getattr(mekane, analysis))
    with pytest.raises(AttributeError, match=rf"System has no method '{analysis}'\. Write mk\.{analysis}\(s\)\.$"):
        getattr(System(), analysis)


def test_bodies_are_found_by_record_or_name():
    s = pendulum()
    by_record = s.weld("w1", s.ground, s.bodies["rod"])
    by_name = s.weld("w2", "ground", "rod")
    assert (by_record.a, by_record.b) == (by_name.a, by_name.b) == ("ground", "rod")
    assert s.find_joint("hinge", "motor 'm'") is s.find_joint(s.joints["hinge"], "motor 'm'") is s.joints["hinge"]


def test_bodies_that_are_not_there():
    s, other = pendulum(), System()
    stranger, impostor = other.body("stranger", 1), other.body("rod", 7)
    with pytest.raises(ModelError, match=r"joint 'j': 'rood' is not a body of this system.*Did you mean 'rod'\?"):
        s.ball("j", s.ground, "rood", at=(0, 0, 0))
    with pytest.raises(ModelError, match="'stranger' is not a body of this system"):
        s.ball("j", s.ground, stranger, at=(0, 0, 0))
    with pytest.raises(ModelError, match="body 'rod' belongs to another system"):
        s.ball("j", s.ground, impostor, at=(0, 0, 0))
    with pytest.raises(ModelError, match="is not a body"):
        s.ball("j", s.ground, s.joints["hinge"], at=(0, 0, 0))
    with pytest.raises(ModelError, match="5 is not a body"):
        s.ball("j", s.ground, 5, at=(0, 0, 0))
    with pytest.raises(ModelError, match="'hing' is not a joint of this system.*Did you mean 'hinge'"):
        s.find_joint("hing", "motor 'm'")
    assert list(s.joints) == ["hinge"]


@pytest.mark.parametrize("name", ["rod", "ground"])
def test_a_joint_needs_two_bodies(name):
    with pytest.raises(ModelError, match=f"joint 'j': it joins '{name}' with itself"):
        pendulum().ball("j", name, name, at=(0, 0, 0))


def test_remarks():
    s = System()
    assert s.check() == ["system 'system' has no bodies: there is nothing to move."]
    for name in ("fixed", "loose", "one", "two"):
        s.body(name, 1, inertia=(1, 1, 1))
    s.body("bob", 1)
    s.body("link", massless=True)
    s.ball("j1", "ground", "fixed", at=(0, 0, 0))
    s.ball("j2", "one", "two", at=(0, 0, 0))
    s.ball("j3", "fixed", "bob", at=(0, 0, 0))
    s.ball("j4", "bob", "link", at=(0, 0, 0))
    assert s.check() == [
        "body 'bob': no inertia and no shape given, taken as a point mass.",
        "body 'loose' is attached to nothing: it moves freely.",
        "bodies 'one' and 'two' are joined to one another but not to ground: together they move freely.",
        "body 'bob' has mass but no inertia: where a joint lets it spin about its mass centre, that spin is undetermined.",
        "body 'link' is massless and has fewer than two joints: nothing determines its motion.",
    ]
    assert pendulum().check() == []


def test_plain_data():
    s = pendulum()
    assert s.to_dict() == {
        "system": "pendulum",
        "gravity": [0.0, 0.0, -9.81],
        "parameters": {},
        "bodies": {
            "rod": {
                "mass": 1.0,
                "inertia": [1 / 12, 1 / 12, 0.0],
                "com": [0.0, 0.0, 0.0],
                "position": [0.0, 0.0, -0.5],
                "shape": {"rod": {"length": 1.0, "axis": [0.0, 0.0, 1.0], "radius": 0.0}},
            }
        },
        "joints": {
            "hinge": {
                "pin": ["ground", "rod"],
                "on_a": [0.0, 0.0, 0.0],
                "on_b": [0.0, 0.0, 0.5],
                "frame_a": [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
                "frame_b": [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
            }
        },
        "constraints": {},
        "forces": {},
    }
    assert json.loads(json.dumps(s.to_dict())) == s.to_dict()


def test_bodies_are_read_back_exactly():
    s, again = System(), System()
    s.body(
        "a",
        "250 g",
        inertia=(2, 3, 4, 0.1, 0.2, 0.3),
        com=(1, 2, 3),
        position=(1, 0, 0),
        orientation=("xyz", (0.1, 0.2, 0.3)),
    )
    s.body("b", shape=Rod(1, (1, 2, 3), 0.1, at=(1, 0, 0), orientation=("x", 1)), density=7850, velocity=(1, 2, 3))
    s.body("c", massless=True, inertia=(0, 0.35, 0))
    s.body("d", 4.8, inertia=(0.066, 0.086, 0.0125), unphysical=True, angular_velocity=(0, 0, "60 rpm"))
    s.body("e", 1)
    for name, keywords in s.to_dict()["bodies"].items():
        again.body(name, **json.loads(json.dumps(keywords)))
    assert again.bodies == s.bodies and again.notes == []


def test_systems_can_be_copied_and_sent():
    s = pendulum()
    for twin in (copy.deepcopy(s), pickle.loads(pickle.dumps(s))):
        assert twin.to_dict() == s.to_dict()
        twin.weld("w", twin.ground, s.bodies["rod"])
        assert "w" not in s.joints


def test_words_have_help():
    assert System.pin.__doc__.startswith("Rotation about an axis fixed in both bodies.\n\nParameters:\n")
    assert System.pin.__qualname__ == "System.pin"


def test_a_kind_cannot_take_the_word_of_another():
    class Gear:
        @classmethod
        def create(cls, system, name):
            return name

    for taken in ("pin", "body", "to_dict", "bodies", "gravity"):
        with pytest.raises(TypeError, match=f"already has the method '{taken}'"):
            add_kind(taken, Gear, "joints")


def test_a_new_kind_is_one_class():
    try:

        class Hinge(Joint):
            """A pin by another name."""

            coordinates = ("angle",)
            geometry = ("at", "axis")

        s = pendulum()
        made = s.hinge("h", s.ground, "rod", at=(0, 0, 0), axis="y")
        assert s.joints["h"] is made and type(made) is Hinge
        assert System.hinge.__doc__.startswith("A pin by another name.\n\nParameters:\n    name: ")
    finally:
        joint_kinds.pop("hinge", None)
        del System.hinge


def test_unit_errors_are_model_errors():
    assert issubclass(UnitError, ModelError)
