"""Model files. Oracle of a round trip: the plain data are equal, number by number, because every number is written with
all its digits."""

import copy
import math
import os
from pathlib import Path

import numpy as np
import pytest

import mekane.importers._yaml_text as yaml_text
from mekane.errors import FileError, MekaneError, ModelError
from mekane.importers.yaml import dump, dumps, from_dict, load, load_document
from mekane.model.system import System

MODEL = """
system: crank
gravity: [0, 0, -9.81]
parameters: {k: 100}
bodies:
  crank: {mass: 1.2, inertia: [0.1, 0.1, 0.02], position: [0, 0, 1], orientation: {axis: z, angle: 30 deg}, shape: {box: [1, 2, 3]}}
  wheel: {shape: {cylinder: {radius: 0.1, length: 20 mm}}, density: 7800}
joints:
  main: {pin: [ground, crank], at: [0, 0, 0], axis: y, rate: 60 rpm}
  link: {pin_slider: [crank, wheel], at: [0, 0, 1], axis: z}
forces:
  return: {spring: [[ground, [0, 0, 0]], [crank, [0, 0, 1]]], stiffness: 4e3, length: 80 mm}
  drive: {motor: main, torque: "5*sin(3*t)"}
  lift: {force: 10*t, motor: link}
  push: {force: crank, value: [0, "10*t", 0], at: [0, 0, 1], frame: body}
  brake: {torsional_damper: link, damping: {table: [[0, 0], [1, 2]], of: t, kind: linear}}
  pull: {gravitation: [crank, wheel]}
simulate: {t_end: 2 s, every: 0.01, method: auto, rtol: 1e-9, correct: false}
"""
BODY = "bodies:\n  crank: {mass: 1, inertia: [1, 1, 1]}\n"


def test_same_words_as_python():
    s = System("crank", gravity=(0, 0, -9.81), parameters={"k": 100})
    s.body("crank", 1.2, (0.1, 0.1, 0.02), position=(0, 0, 1), orientation=("z", "30 deg"), shape={"box": (1, 2, 3)})
    s.body("wheel", shape={"cylinder": (0.1, 0.02)}, density=7800)
    s.pin("main", s.ground, "crank", at=(0, 0, 0), axis="y", rate="60 rpm")
    s.pin_slider("link", "crank", "wheel", at=(0, 0, 1), axis="z")
    s.spring("return", (s.ground, (0, 0, 0)), ("crank", (0, 0, 1)), stiffness=4000, length="80 mm")
    s.motor("drive", "main", torque="5*sin(3*t)")
    s.motor("lift", "link", force="10*t")
    s.force("push", "crank", (0, "10*t", 0), at=(0, 0, 1), frame="body")
    s.torsional_damper("brake", "link", {"table": [[0, 0], [1, 2]]})
    s.gravitation("pull", "crank", "wheel")
    read = load(MODEL)
    assert read.to_dict() == s.to_dict()
    assert (read.bodies, read.joints, read.forces) == (s.bodies, s.joints, s.forces)


def test_simulate_options():
    assert load_document(MODEL)[1] == {"t_end": 2.0, "every": 0.01, "method": "auto", "rtol": 1e-9, "correct": False}
    assert load_document(BODY)[1] == {}
    embedded = load_document(BODY + "simulate: {constraints: embedded, independent: [j.angle.rate]}\n")[1]
    assert embedded == {"constraints": "embedded", "independent": ["j.angle.rate"]}
    options = {"t_end": 3.0, "until": "b.position.z < 0"}
    system, until = load_document(BODY + "simulate: {t_end: 3, until: b.position.z < 0}\n")
    assert until == options == load_document(dumps(system, options))[1]


def test_numbers_of_numpy_are_written_as_numbers():
    options = {"t_end": np.float64(2.5), "correct": np.bool_(True), "independent": np.array(["main.angle.rate"])}
    assert load_document(dumps(load(MODEL), options))[1] == {
        "t_end": 2.5,
        "correct": True,
        "independent": ["main.angle.rate"],
    }


def test_round_trip_through_data_text_and_file(tmp_path):
    s, options = load_document(MODEL)
    assert from_dict(s.to_dict()).to_dict() == s.to_dict()
    assert load(dumps(s)).to_dict() == s.to_dict()
    dump(s, tmp_path / "crank.yaml", options)
    again, again_options = load_document(tmp_path / "crank.yaml")
    assert (again.to_dict(), again_options) == (s.to_dict(), options)
    assert os.listdir(tmp_path) == ["crank.yaml"]


@pytest.mark.parametrize(
    "name", ["no", "on", "null", "true", "1", "4e3", "12:30", "2024-01-01", "a b", "ä: #x", "- x", "*a", "~", "'", "t2"]
)
def test_names_survive_whatever_yaml_thinks_of_them(name):
    s = System(name)
    s.body(name, 1, (1, 1, 1))
    s.force(name + "!", name, (0, f'state["{name}.position.x"]', "4e3"))
    assert load(dumps(s)).to_dict() == s.to_dict()


def test_traced_functions_are_written_as_expressions():
    s = load(BODY)
    s.force("f", "crank", lambda t, state: (0, 2 * t * state["crank.position"][0], 0))
    assert load(dumps(s)).forces["f"].value[1].given == "2*t*crank.position.x"
    s.torque("g", "crank", lambda t, state: (0, math.sin(t), 0))
    with pytest.raises(ModelError, match="torque 'g': value is a Python function"):
        dumps(s)


# what is wrong in the text

BAD_TEXT = {
    "line 2, column 4: mapping values": "a: b\n  c: d\n",
    "line 2, column .*spaces, not with tabs": "bodies:\n\tcrank: 1\n",
    "while parsing a flow mapping": "bodies: {c: {mass: 1\n",
    "it is empty": "# nothing\n",
    "line 3, column 3: 'crank' is given twice": "bodies:\n  crank: {mass: 1}\n  crank: {mass: 2}\n",
    "'mass' is given twice": "bodies:\n  crank: {mass: 1, mass: 2}\n",
    "tag 'tag:yaml.org,2002:python/object/apply:os.system'": "x: !!python/object/apply:os.system ['touch hacked']\n",
    "line 1: it has the tag": "x: !!int abc\n",
    r"line 1: the alias '\*a' is inside": "a: &a [*a]\n",
    r"line 3: the alias '\*b' is inside": "a: &a [x, x]\nb: &b [x, x]\nc: &c [*b, *b]\n",
    "more than 2000000 entries": "a: &a [" + "x," * 3000 + "]\nb: [" + "*a," * 3000 + "]\n",
    "undefined alias": "a: *b\nc: 1\n",
    "nested more than 40 deep": "a: " + "[" * 100_000 + "\n",
    "a key is not plain text": "? [1, 2]\n: 3\n",
    "another document": "a: 1\n---\nb: 2\n",
    "control characters|special characters": "system: \x01\n",
}


@pytest.mark.parametrize("message", BAD_TEXT)
def test_bad_text(message):
    with pytest.raises(FileError, match=f"YAML text: .*(?:{message})"):
        load(BAD_TEXT[message])
    assert not Path("hacked").exists()


BAD_MODEL = {
    "YAML text: unknown key 'bodis'.*Did you mean 'bodies'": "system: x\nbodis: {}\n",
    r"YAML text: it is \[1, 2\]; a mapping": "- 1\n- 2\n",
    r"bodies: it is \['crank'\]; a mapping.*without a dash": "bodies:\n  - crank\n",
    "bodies › crank: it is 3; a mapping": "bodies:\n  crank: 3\n",
    "bodies › crank: unknown key 'mas'.*Did you mean 'mass'": "bodies:\n  crank: {mas: 3}\n",
    "bodies › crank: mass is -3": "bodies:\n  crank: {mass: -3}\n",
    "bodies › crank: mass is 'heavy'": "bodies:\n  crank: {mass: heavy}\n",
    "bodies › crank: mass is {'a': 1}": "bodies:\n  crank: {mass: {a: 1}}\n",
    "bodies › crank: mass is inf": "bodies:\n  crank: {mass: " + "9" * 5000 + "}\n",
    "bodies › crank: shape is {'bx': 3}.*Did you mean 'box'": "bodies:\n  crank: {mass: 1, shape: {bx: 3}}\n",
    "bodies › 1: the name is a int": "bodies:\n  1: {mass: 1}\n",
    "parameters › k: .*'x'": "parameters: {k: x}\n" + BODY,
    "gravity is 3": "gravity: 3\n" + BODY,
    "joints › j: none of 'pn', 'at' is a kind.*Did you mean 'pin'": BODY
    + "joints:\n  j: {pn: [ground, crank], at: [0, 0, 0]}\n",
    "joints › j: it is empty": BODY + "joints:\n  j: {}\n",
    "joints › j: pin is 'crank'; two ends": BODY + "joints:\n  j: {pin: crank}\n",
    "joints › j: 'crnk' is not a body.*Did you mean 'crank'": BODY
    + "joints:\n  j: {pin: [ground, crnk], axis: z, at: [0, 0, 0]}\n",
    "joints › j: unknown key 'axs'.*Did you mean 'axis'": BODY + "joints:\n  j: {pin: [ground, crank], axs: z}\n",
    "joints › j: unknown key 'slider'": BODY + "joints:\n  j: {pin: [ground, crank], axis: z, slider: 3}\n",
    "forces › f: a is .*; a body, or a body and a point": BODY
    + "forces:\n  f: {spring: [[0, 0, 0], crank], stiffness: 1, length: 1}\n",
    "forces › f: value is missing": BODY + "forces:\n  f: {force: crank}\n",
    "forces › f: value.z: expression 'import os'": BODY + "forces:\n  f: {force: crank, value: [1, 2, import os]}\n",
    "forces › crank: .*already used by a body": BODY + "forces:\n  crank: {force: crank, value: [1, 2, 3]}\n",
    "simulate: unknown key 't_ed'.*Did you mean 't_end'": BODY + "simulate: {t_ed: 3}\n",
    "simulate: t_end is -3": BODY + "simulate: {t_end: -3}\n",
    "simulate: until is 5; text is expected": BODY + "simulate: {until: 5}\n",
    "simulate: correct is 5; true or false": BODY + "simulate: {correct: 5}\n",
    "simulate: independent is 'x'; a list of names": BODY + "simulate: {independent: x}\n",
    "simulate: it is 4; a mapping": BODY + "simulate: 4\n",
}


@pytest.mark.parametrize("message", BAD_MODEL)
def test_bad_model(message):
    with pytest.raises(ModelError, match=message) as caught:
        load_document(BAD_MODEL[message])
    assert str(caught.value).startswith("YAML text") and "\n" not in str(caught.value)


def paths(data, path=()):
    """Every place in plain data."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from paths(value, (*path, key))


def replaced(data, path, value):
    if not path:
        return value
    data = copy.copy(data)
    data[path[0]] = replaced(data[path[0]], path[1:], value)
    return data


DATA = yaml_text.read_data(MODEL, "test")


@pytest.mark.divided("junk", 3)
@pytest.mark.parametrize(
    "junk",
    [None, True, -1, 0, 1e400, math.nan, "", "x", "1 kg", [], [1], {}, {"a": 1}, [[]], {1: 2}, 10**400, "\0"],
    ids=repr,
)
def test_junk_anywhere_is_accepted_or_refused_in_words(junk):
    for path in paths(DATA):
        data = replaced(DATA, path, junk)
        try:
            from_dict(data)
            load_document(dumps(from_dict(data)))
        except MekaneError as error:
            assert len(str(error)) < 1000


# files


def test_bad_files(tmp_path):
    path = tmp_path / "model.yaml"
    for content in (b"\0\1\2", b"\x89PNG\r\n", "system: ü".encode("latin-1"), "system: x".encode("utf-16")):
        path.write_bytes(content)
        with pytest.raises(FileError, match="model.yaml: it is not UTF-8 text"):
            load(path)
    path.write_bytes(b"")
    with pytest.raises(FileError, match="it is empty"):
        load(path)
    with pytest.raises(FileError, match="no such file"):
        load(tmp_path / "other.yaml")
    with pytest.raises(FileError, match="it is a folder"):
        load(str(tmp_path))


def test_byte_order_mark_and_windows_lines_are_fine(tmp_path):
    path = tmp_path / "model.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + MODEL.replace("\n", "\r\n").encode())
    assert load(path).to_dict() == load(MODEL).to_dict()


def test_a_huge_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "model.yaml"
    with path.open("wb") as file:
        file.truncate(2**30)  # sparse: takes no space on the disk
    with pytest.raises(FileError, match="larger than 64 MB"):
        load(path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_no_permission(tmp_path):
    path = tmp_path / "model.yaml"
    path.write_text(MODEL)
    path.chmod(0)
    with pytest.raises(FileError, match="cannot be read"):
        load(path)


def test_an_existing_file_is_never_lost(tmp_path, monkeypatch):
    s, path = load(BODY), tmp_path / "model.yaml"
    path.write_text("precious")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(FileError, match="cannot be written .No space"):
        dump(s, path)
    assert path.read_text() == "precious" and os.listdir(tmp_path) == ["model.yaml"]
    with pytest.raises(FileError, match="cannot be written"):
        dump(s, tmp_path / "no" / "such" / "folder.yaml")
