"""Section `include` of model files: another model as a sub-assembly. Oracle: System.add with the same arguments; and files that
may not be read from a model file are refused."""

import pytest

import mekane as mk
from mekane.errors import ModelError
from mekane.importers import yaml

LEG = """
system: leg
parameters: {k: 40}
bodies: {shank: {mass: 1, inertia: [0.02, 0.02, 0.01], position: [0, 0, -0.3]}}
joints: {knee: {pin: [ground, shank], at: [0, 0, 0], axis: y}}
forces: {return: {torsional_spring: knee, stiffness: k}}
"""
WALKER = """
system: walker
bodies: {torso: {mass: 5, inertia: [1, 1, 1]}}
include:
  left leg: {file: parts/leg.yaml, to: torso, at: [0, 20 cm, 0], parameters: {k: 60}}
  right leg: {file: parts/leg.yaml, to: torso, at: [0, -20 cm, 0], mirrored: y}
joints: {yaw: {pin: [ground, torso], at: [0, 0, 0], axis: z}}
forces: {drive: {motor: left leg knee, torque: sin(t)}}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "leg.yaml").write_text(LEG, encoding="utf-8")
    (tmp_path / "walker.yaml").write_text(WALKER, encoding="utf-8")
    return tmp_path


def test_includes_are_sub_assemblies(folder):
    s, leg = mk.load_model(folder / "walker.yaml"), mk.load_model(LEG)
    hand = mk.System("walker")
    hand.body("torso", mass=5, inertia=(1, 1, 1))
    hand.add("left leg", leg, to="torso", at=(0, 0.2, 0), parameters={"k": 60})
    hand.add("right leg", leg, to="torso", at=(0, -0.2, 0), mirrored="y")
    hand.pin("yaw", hand.ground, "torso", at=(0, 0, 0), axis="z")
    hand.motor("drive", "left leg knee", torque="sin(t)")
    assert s.to_dict() == hand.to_dict()
    mk.save_model(s, folder / "flat.yaml")
    assert mk.load_model(folder / "flat.yaml").to_dict() == s.to_dict()


def test_a_robot_is_included(folder):
    (folder / "arm.urdf").write_text('<robot name="arm"><link name="base"/></robot>', encoding="utf-8")
    (folder / "cell.yaml").write_text("include: {arm: {file: arm.urdf, at: [1, 0, 0]}}\n", encoding="utf-8")
    assert mk.load_model(folder / "cell.yaml").bodies["arm_base"].position.tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{file: ../leg.yaml}", "in the folder of the model, or below it"),
        ("{file: /etc/hostname}", "in the folder of the model, or below it"),
        ("{file: parts/../../leg.yaml}", "in the folder of the model, or below it"),
        ("{file: parts/arm.yaml}", "there is no such file"),
        ("{file: bad.yaml}", "includes this one"),
        ("{file: parts/loop.yaml}", "include"),
        ("{at: [0, 0, 0]}", "the name of a model file is expected"),
        ("{file: parts/leg.yaml, on: torso}", "unknown key 'on'"),
        ("{file: parts/leg.yaml, to: torso}", "'torso' is not a body"),
    ],
)
def test_bad_includes_are_refused(entry, message, folder):
    (folder / "bad.yaml").write_text(f"include: {{x: {entry}}}\n", encoding="utf-8")
    (folder / "parts" / "loop.yaml").write_text("include: {y: {file: loop.yaml}}\n", encoding="utf-8")
    with pytest.raises(ModelError, match=message) as caught:
        mk.load_model(folder / "bad.yaml")
    assert "include › x" in str(caught.value) or "parts" in str(caught.value)


def test_a_robot_is_included_with_options(folder):
    """Inertias that no body has are accepted where the file that includes the robot says so, as by mk.load_model."""
    inertia = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="9"/>'
    link = f'<link name="arm"><inertial><mass value="1"/>{inertia}</inertial></link>'
    (folder / "odd.urdf").write_text(f'<robot name="odd">{link}</robot>')
    model = folder / "all.yaml"
    for options, message in (("{}", "no body has"), ("{loops: x.yaml}", "joints are expected"), ("3", "keywords")):
        model.write_text(f"include: {{odd: {{file: odd.urdf, options: {options}}}}}")
        with pytest.raises(mk.MekaneError, match=message):
            mk.load_model(model)
    model.write_text("include: {odd: {file: odd.urdf, options: {unphysical: true, base: floating}}}")
    assert len(mk.load_model(model).speeds) == 6


def test_links_do_not_lead_out_of_the_folder(folder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "leg.yaml"
    outside.write_text(LEG, encoding="utf-8")
    (folder / "link.yaml").symlink_to(outside)
    (folder / "bad.yaml").write_text("include: {x: {file: link.yaml}}\n", encoding="utf-8")
    with pytest.raises(ModelError, match="in the folder of the model"):
        mk.load_model(folder / "bad.yaml")


def test_text_includes_nothing():
    with pytest.raises(ModelError, match="only a file can include others"):
        mk.load_model("bodies: {a: {mass: 1}}\ninclude: {x: {file: leg.yaml}}\n")


def test_files_that_multiply_are_refused(folder, monkeypatch):
    """Ten files, each including the next ten times: ten to the ninth. A model may have a thousand; here a tenth of them
    is read until it is refused."""
    assert yaml.MOST_INCLUDED == 1000
    monkeypatch.setattr(yaml, "MOST_INCLUDED", 100)
    for i in range(10):
        inner = ", ".join(f"p{j}: {{file: f{i + 1}.yaml}}" for j in range(10))
        text = f"include: {{{inner}}}\n" if i < 9 else "bodies: {a: {mass: 1}}\n"
        (folder / f"f{i}.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match="more than 100 files are included"):
        mk.load_model(folder / "f0.yaml")
