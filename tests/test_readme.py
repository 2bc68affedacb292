"""What the README shows really runs: its Python blocks one after the other, in a folder that holds its YAML block as
`shaker.yaml`."""

import re
from pathlib import Path

import numpy as np
import pytest

import mekane as mk
from mekane.importers.yaml import load_document

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (yaml,) = blocks("yaml")
    (tmp_path / "shaker.yaml").write_text(yaml)


def test_python_blocks(folder, capsys):
    names = {}
    first, second = blocks("python")
    exec(first, names)
    run = names["run"]
    x, angle = run["bore.displacement"].values, run["main.angle"].values
    # closed form of a slider-crank, crank 0.1 m and rod 0.2 m; it starts stretched, at 0.3 m. Joints close to
    # round-off.
    reach = 0.1 * np.cos(angle) + np.sqrt(0.2**2 - (0.1 * np.sin(angle)) ** 2)
    assert x == pytest.approx(reach - 0.3, abs=1e-12)
    assert run.health.ok and str(run.health) in capsys.readouterr().out
    exec(second, names)
    assert names["run"].health.ok


def test_yaml_block(folder):
    """Once the start has died away the shaker follows its force; amplitude of a driven damped oscillator in closed
    form."""
    system, options = load_document("shaker.yaml")
    run = mk.simulate(system, 20.0, every=options["every"])
    w = 2 * np.pi * 3
    amplitude = 15 / np.hypot(4e3 - 12 * w**2, 20 * w)
    late = run["guide.displacement"].values[run.t > 15.0]
    # 100 samples in three turns come within 1.8 degrees of a peak, which is 5e-4 of it; the start has decayed by e^-12
    assert np.ptp(late) / 2 == pytest.approx(amplitude, rel=6e-4)
    assert run.health.ok


def test_the_pages_it_points_to_exist():
    for page in re.findall(r"\]\(([^)]+)\)", README):
        assert (Path(__file__).parent.parent / page).exists(), page
