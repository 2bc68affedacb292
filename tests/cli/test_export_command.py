"""mekane export: the kind of file follows from its name. Oracles: what the functions of the library write."""

import zipfile

import pytest

import mekane as mk

MODEL = """
parameters: {m: 1.0}
bodies:
  arm: {mass: $m, inertia: [0.1, 0.1, 0.01], position: [0, 0, -0.5]}
joints:
  hinge: {pin: [ground, arm], at: [0, 0, 0], axis: y, rate: 1}
simulate: {t_end: 3}
"""


@pytest.fixture
def pendulum(tmp_path):
    (tmp_path / "pendulum.yaml").write_text(MODEL, encoding="utf-8")
    return tmp_path / "pendulum.yaml"


@pytest.mark.parametrize("version, head", [("2", 'fmiVersion="2.0"'), ("3", 'fmiVersion="3.0"')])
def test_an_fmu(mekane, pendulum, tmp_path, monkeypatch, version, head):
    """Of the version requested, with the end of the model's own run. Without a compiler it says what is missing."""
    monkeypatch.setenv("CC", "no-such-compiler")
    output = mekane(
        "export", pendulum, "-o", tmp_path / "arm.fmu", "--fmi", version, "--outputs", "hinge.angle,arm.position"
    )
    assert output.code == 0 and "no C compiler" in output.err
    text = zipfile.ZipFile(tmp_path / "arm.fmu").read("modelDescription.xml").decode()
    assert head in text and 'stopTime="3.0"' in text and 'name="arm.position.x"' in text and 'name="m"' in text
    assert 'name="energy.kinetic"' not in text


def test_other_kinds_of_files(mekane, pendulum, tmp_path):
    for name in ("arm.c", "arm.urdf", "other.yaml"):
        assert mekane("export", pendulum, "-o", tmp_path / name).code == 0
    system = mk.load_model(pendulum)
    assert (tmp_path / "arm.c").read_text(encoding="utf-8") == mk.export_equations(system, tmp_path / "again.c")
    assert mk.load_model(tmp_path / "other.yaml").bodies["arm"].mass == 1.0
    assert "hinge" in mk.load_model(tmp_path / "arm.urdf").joints


@pytest.mark.parametrize(
    "arguments, text",
    [
        (("-o", "arm.fmu", "--fmi", "1"), "2 or 3 is expected"),
        (("-o", "arm.xyz"), "models for other programs are written as .fmu"),
        (("-o", "arm.c", "--outputs", "hinge.angle"), "it belongs to FMUs"),
        (("-o", "arm.fmu", "--outputs", "hinge.angel"), "hinge.angle"),
    ],
)
def test_refused(mekane, pendulum, arguments, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    output = mekane("export", pendulum, *arguments)
    assert output.code == 2 and text in output.err
