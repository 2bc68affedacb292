"""Wrong edits of every section: each is explained, at its line, and nothing else happens. Oracle: the line that was
made wrong."""

import json

import pytest

from mekane.view.studio.backend import Backend

BASE = """\
system: crank
gravity: [0, 0, -9.81]
parameters: {l: 1, m: 1, c: 0.05}
bodies:
  rod: {mass: $m, shape: {rod: $l}, position: [0, 0, $-l/2]}
  bob:
    mass: 2 kg
    inertia: [0.1, 0.1, 0.1]
    position: [0, 0, -1]
joints:
  hinge: {pin: [ground, rod], at: [0, 0, 0], axis: y, rate: 1}
  elbow:
    pin: [rod, bob]
    at: [0, 0, -1]
    axis: y
constraints:
  follow: {gear: [hinge, elbow], ratio: -1}
forces:
  friction: {torsional_damper: hinge, damping: c}
  drive: {motor: elbow, torque: 5*sin(3*t)}
speeds: {u1: 2*hinge.angle.rate}
initial_conditions: {hinge.angle: 1 turn}
assemble: {hinge.angle: 60 deg}
simulate: {t_end: 2, every: 0.02}
"""
WRONG = [  # old, new, line, a word that must be in the message
    ("system: crank", "system: [1]", 1, "name"),
    ("gravity: [0, 0, -9.81]", "gravity: [0, 0]", 2, "3 components"),
    ("gravity: [0, 0, -9.81]", "gravity: [0, 0, -9.81 kg]", 2, "acceleration"),
    ("gravity: [0, 0, -9.81]", "planar: xq", 2, "xq"),
    ("parameters: {l: 1,", "parameters: {l: one,", 3, "one"),
    ("parameters: {l: 1,", "parameters: {l: .nan,", 3, "finite"),
    ("parameters: {l: 1,", "parameters: {l: 1e999,", 3, "finite"),
    ("parameters: {l: 1,", "parameters: {l: 1, l: 2,", 3, "twice"),
    ("mass: 2 kg", "mass: -2 kg", 7, "greater than zero"),
    ("mass: 2 kg", "mass: 2 m", 7, "unit of mass"),
    ("mass: 2 kg", "mas: 2 kg", 7, "Did you mean 'mass'"),
    ("inertia: [0.1, 0.1, 0.1]", "inertia: [0.1, 0.1, 5]", 8, "principal"),
    ("inertia: [0.1, 0.1, 0.1]", "inertia: [0.1, -0.1, 0.1]", 8, "negative"),
    ("inertia: [0.1, 0.1, 0.1]", "inertia: 3", 8, "3x3"),
    ("position: [0, 0, -1]", "position: [0, 0, up]", 9, "up"),
    ("position: [0, 0, -1]", "orientation: {axis: q, angle: 3}", 9, "direction"),
    ("  bob:", "  rod:", 6, "twice"),
    ("bob:\n", "bob: 3\n  x:\n", 6, "mapping"),
    ("$-l/2", "$-ll/2", 5, "Did you mean 'l'"),
    ("$-l/2", "$-l/0", 5, "divides by zero"),
    ("shape: {rod: $l}", "shape: {rod: 0}", 5, "greater than zero"),
    ("shape: {rod: $l}", "shape: {stick: 1}", 5, "stick"),
    ("pin: [rod, bob]", "pin: [rod, bog]", 13, "Did you mean 'bob'"),
    ("pin: [rod, bob]", "pin: [rod, rod]", 12, "itself"),
    ("pin: [rod, bob]", "pin: rod", 13, "two ends"),
    ("    axis: y\nconstr", "    axis: w\nconstr", 15, "direction"),
    ("rate: 1}", "rate: 1 m}", 11, "angular velocity"),
    ("rate: 1}", "rate: [1, 2]}", 11, "coordinates"),
    ("rate: 1}", "rate: 1", 12, "flow mapping"),
    ("ratio: -1", "ratio: 0", 17, "not zero"),
    ("gear: [hinge, elbow]", "gear: [hinge, knee]", 17, "knee"),
    ("gear: [", "gearr: [", 17, "kind"),
    ("ratio: -1", "ratio: -1, color: red", 17, "color"),
    ("follow: {gear: [hinge, elbow], ratio: -1}", "follow: {prescribed: hinge, motion: 3*t}", 11, "initial rates"),
    (
        "follow: {gear: [hinge, elbow], ratio: -1}",
        "a: {distance: [[ground, [0, 0, 0]], [bob, [0, 0, 0]]], length: 5}",
        17,
        "both hold",
    ),
    ("damping: c", "damping: c*", 19, "formula"),
    ("damping: c", "damping: __import__('os')", 19, "no function"),
    ("torque: 5*sin(3*t)", "torque: 5*sine(3*t)", 20, "sine"),
    ("torque: 5*sin(3*t)", "torque: 5/(t-t)", 20, "divides by zero"),
    ("torque: 5*sin(3*t)", "torque: 5/t", 20, "finite"),
    ("torque: 5*sin(3*t)", "torque: 9**9**9**9", 20, "inf"),
    ("torque: 5*sin(3*t)", "torque: " + "(" * 3000 + "t" + ")" * 3000, 20, "nested"),
    ("torque: 5*sin(3*t)", "torque: " + "t+" * 9000 + "t", 20, "characters"),
    ("torque: 5*sin(3*t)", "torque: hinge.__class__", 20, "underscores"),
    ("motor: elbow", "motor: elbows", 20, "Did you mean 'elbow'"),
    ("initial_conditions: {hinge.angle: 1 turn}", "initial_conditions: {hinge.angl: 1 turn}", 22, "Did you mean"),
    ("initial_conditions: {hinge.angle: 1 turn}", "initial_conditions: {hinge.angle: 1 kg}", 22, "unit of angle"),
    ("assemble: {hinge.angle", "assemble: {hinge.angel", 23, "Did you mean"),
    ("assemble: {hinge.angle: 60 deg", "assemble: {hinge.angle: 60 deg, elbow.angle: 0.1", 23, "cannot be 0.1"),
    ("assemble: {hinge.angle: 60 deg}", "assemble: 3", 23, "mapping"),
    ("every: 0.02", "every: 0", 24, "greater than zero"),
    ("every: 0.02", "method: magic", 24, "dop853"),
    ("every: 0.02", "formulation: magic", 24, "bryan"),
    ("every: 0.02", "code: magic", 24, "loops"),
    ("every: 0.02", "independent: [u1]", 24, "embedded"),
    ("every: 0.02", "rtol: 0", 24, "greater than zero"),
    ("every: 0.02", "correct: 3", 24, "true or false"),
    ("every: 0.02", "step: 1e-300", 24, "too small"),
    ("t_end: 2, ", "t_end: 1e300, ", 24, "at most 1e+50"),
    ("simulate:", "simulat:", 24, "Did you mean 'simulate'"),
]


def posted(backend, text):
    return json.loads(backend.post("/run", {"text": text}).body)


@pytest.fixture(scope="module")
def backend(tmp_path_factory):
    return Backend(BASE, "crank", tmp_path_factory.mktemp("studio") / "crank.yaml", exists=False)


@pytest.fixture(scope="module")
def good(backend):
    return posted(backend, BASE)


@pytest.mark.parametrize("old, new, line, says", WRONG, ids=[new[:40] for _, new, _, _ in WRONG])
def test_a_wrong_edit(backend, good, old, new, line, says):
    """No motion is sent, so that the page keeps the one it has; what it has is still served."""
    text = BASE.replace(old, new, 1)
    assert text != BASE and "error" not in good
    reply = posted(backend, text)
    assert set(reply) == {"text", "error"} and reply["text"] == text
    assert says in reply["error"]["text"] and reply["error"]["line"] == line and reply["error"]["column"] > 0
    key = good["motion"]["address"].strip("/")
    assert backend.get(f"/{key}/channel", {"name": "hinge.angle"}) is not None


@pytest.mark.parametrize("torque, until", [("sqrt(1 - t)", 1.0), ("1/(1.5 - t)", 1.5), ("log(1.2 - t)", 1.2)])
def test_a_run_that_stops_early_shows_what_it_has(backend, torque, until):
    """The law ends at this time: the motion is shown up to there, and a remark says why."""
    reply = posted(backend, BASE.replace("5*sin(3*t)", torque))
    assert "stopped at t =" in reply["remarks"][-1]
    end = float(reply["remarks"][-1].split("t = ")[1].split()[0])
    assert end == pytest.approx(until, rel=1e-3) and reply["motion"]["info"]["subtitle"].startswith("0 …")
