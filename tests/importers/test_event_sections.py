"""Sections of model files for inputs, variables, markers, outputs, events and controllers. Oracles: the same system
described in Python, and the plain data, which a round trip keeps number by number."""

import pytest

import mekane as mk
from mekane.errors import ModelError
from mekane.importers.yaml import dump, dumps, from_dict, load

MODEL = """
system: gripper
parameters: {l: 0.5}
inputs: {u: {value: 2 N m, unit: N m}, v: 0}
variables: {loads: 0, open: true}
bodies:
  arm: {mass: 2, inertia: [0.1, 0.1, 0.01], position: [0, 0, -0.5]}
  load: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.6, 0, -0.8]}
markers:
  tip: {body: arm, at: [0, 0, $-l], orientation: [z, 30 deg]}
joints:
  hinge: {pin: [ground, arm], at: [0, 0, 0], axis: y}
  grip: {ball: [arm, load], on_a: [0, 0, -0.5], on_b: [0, 0, 0], active: false}
constraints:
  hook: {distance: [[ground, [0.6, 0, 0]], [load, [0, 0, 0]]], active: true}
forces:
  drive: {motor: hinge, torque: u}
outputs:
  power: {value: u*hinge.angle.rate, unit: W}
  reach: tip.position.x
  curve: {value: {table: [[0, 1], [2, 5]], of: t, kind: linear}}
events:
  grab: {when: tip.position.x > load.position.x, lock: grip, at: its present position, set: {loads: loads + 1}}
  let go: {when: grip.active and t >= 1, release: [hook]}
  knock: {when: t >= 2, impulse: {load: [0, 0.1 N s, 0]}, at: [0, 0, 0.05]}
  burst: {when: t >= 2, torque_impulse: [0, 0.1, t], between: [arm, load], frame: body}
  rebound: {when: hinge.angle > 1.5, set: {hinge.angle.rate: -0.5*hinge.angle.rate}, once: false, at_start: true}
  end: {when: loads > 0, stop: true}
controllers:
  pilot: {every: 1 ms, function: {u: -20*hinge.angle}, offset: 5 ms}
  other: {every: $l, writes: v, function: t}
"""
BASE = """
inputs: {u: 0}
bodies:
  arm: {mass: 2, inertia: [0.1, 0.1, 0.01], position: [0, 0, -0.5]}
joints:
  hinge: {pin: [ground, arm], at: [0, 0, 0], axis: y}
"""
COLLECTIONS = ("inputs", "variables", "markers", "joints", "constraints", "forces", "outputs", "events", "controllers")


def described():
    s = mk.System("gripper", parameters={"l": 0.5})
    s.input("u", 2.0, unit="N m")
    s.input("v", 0)
    s.variable("loads", 0)
    s.variable("open", True)
    arm = s.body("arm", 2, (0.1, 0.1, 0.01), position=(0, 0, -0.5))
    load_ = s.body("load", 1, (0.1, 0.1, 0.1), position=(0.6, 0, -0.8))
    s.marker("tip", arm, at=(0, 0, "$-l"), orientation=("z", "30 deg"))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
    grip = s.ball("grip", arm, load_, on_a=(0, 0, -0.5), on_b=(0, 0, 0), active=False)
    hook = s.distance("hook", (s.ground, (0.6, 0, 0)), load_)
    s.motor("drive", "hinge", torque="u")
    s.output("power", "u*hinge.angle.rate", unit="W")
    s.output("reach", "tip.position.x")
    s.output("curve", {"table": [[0, 1], [2, 5]]})
    s.event(
        "grab",
        when="tip.position.x > load.position.x",
        lock=grip,
        at="its present position",
        set={"loads": "loads + 1"},
    )
    s.event("let go", when="grip.active and t >= 1", release=hook)
    s.event("knock", when="t >= 2", impulse={load_: (0, "0.1 N s", 0)}, at=(0, 0, 0.05))
    s.event("burst", when="t >= 2", torque_impulse={load_: (0, 0.1, "t")}, between=(arm, load_), frame="body")
    s.event(
        "rebound",
        when="hinge.angle > 1.5",
        set={"hinge.angle.rate": "-0.5*hinge.angle.rate"},
        once=False,
        at_start=True,
    )
    s.event("end", when="loads > 0", stop=True)
    s.controller("pilot", "1 ms", writes="u", function="-20*hinge.angle", offset="5 ms")
    s.controller("other", "$l", function={"v": "t"})
    return s


def parts(system):
    return {collection: getattr(system, collection) for collection in COLLECTIONS}


def test_same_words_as_python():
    assert parts(load(MODEL)) == parts(described())


def test_round_trip_through_data_text_and_file(tmp_path):
    s = load(MODEL)
    for again in (from_dict(s.to_dict()), load(dumps(s))):
        assert again.to_dict() == s.to_dict() and parts(again) == parts(s)
        assert again.with_parameters(l=1.0).markers["tip"].at[2] == -1.0
        assert again.with_parameters(l=1.0).controllers["other"].every == 1.0
    dump(s, tmp_path / "gripper.yaml")
    assert load(tmp_path / "gripper.yaml").to_dict() == s.to_dict()


def test_with_a_parameter_in_a_body_all_is_written_as_given():
    text = MODEL.replace("mass: 2,", "mass: $4*l,")
    s = load(text)
    assert load(dumps(s)).to_dict() == s.to_dict() and parts(load(dumps(s))) == parts(s)
    assert load(dumps(s)).with_parameters(l=1.0).bodies["arm"].mass == 4.0


def test_functions_are_written_as_their_expressions():
    s = load(BASE.replace("mass: 2", "mass: $m").replace("inputs", "parameters: {m: 2}\ninputs"))
    s.variable("n", 0)
    s.output("double", lambda t, state: 2 * state["hinge.angle"])
    s.event("end", when=lambda t, state: t > 3, set={"n": lambda t, state: t}, once=False)
    s.controller("pilot", 0.1, reads="hinge.angle", writes="u", function=lambda t, a: -3 * a)
    again = load(dumps(s))
    assert again.outputs["double"].value.graph is s.outputs["double"].value.graph
    assert again.events["end"].when.graph is s.events["end"].when.graph
    assert again.events["end"].set["n"].graph is s.events["end"].set["n"].graph
    (before,), (after,) = s.controllers["pilot"].expressions, again.controllers["pilot"].expressions
    assert after.graph is before.graph and not again.controllers["pilot"].reads


def test_a_python_function_is_not_written():
    s = load(BASE)
    s.controller("pilot", 0.1, reads="hinge.angle", writes="u", function=lambda t, a: 1.0 if a > 0 else 0.0)
    with pytest.raises(
        ModelError, match="controller 'pilot': function is a Python function.*only expressions can be saved"
    ):
        dumps(s)


def test_systems_without_events_are_written_as_before():
    s = mk.System("x")
    s.body("b", 1.0)
    assert list(s.to_dict()) == ["system", "gravity", "parameters", "bodies", "joints", "constraints", "forces"]


@pytest.mark.parametrize(
    "section, words",
    [
        ("inputs: {u: {vlaue: 3}}", "inputs › u: unknown key 'vlaue'.*Did you mean 'value'"),
        ("inputs: [u]", "inputs: it is .*a mapping of names"),
        ("variables: {n: [1]}", r"variables › n: value is \[1\]"),
        ("markers: {tip: {body: amr}}", "markers › tip: 'amr' is not a body.*Did you mean 'arm'"),
        ("markers: {tip: arm}", "markers › tip: it is 'arm'"),
        ("outputs: {p: {value: t, untis: W}}", "outputs › p: unknown key 'untis'"),
        ("events: {end: {when: t > 1}}", "events › end: nothing happens"),
        ("events: {end: {stop: true}}", "events › end: when is missing"),
        ("events: {end: {when: t > 1, stop: yes}}", "events › end: stop is 'yes'"),
        ("events: {end: {when: t > 1, release: hing}}", "events › end: release: 'hing' is not a joint.*'hinge'"),
        ("controllers: {c: {every: 1, function: {w: t}}}", "controllers › c: it writes 'w', which is no input"),
        ("controllers: {c: {every: 1, writes: u, function: __import__('os')}}", "there is no function '__import__'"),
        ("event: {end: {}}", "In Mekane this is events"),
        ("sensors: {}", "In Mekane this is outputs"),
        ("evnts: {}", "Did you mean 'events'"),
    ],
)
def test_errors_name_the_place(section, words):
    text = BASE.replace("inputs: {u: 0}\n", "") if section.startswith("inputs") else BASE
    with pytest.raises(ModelError, match=words):
        load(text + section + "\n")
