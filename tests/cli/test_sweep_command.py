"""mekane sweep. Oracles: mk.sweep in Python; the file that is written."""

import json

import numpy as np
import pytest
import xarray
from typer.testing import CliRunner

import mekane as mk
from mekane.cli.main import app
from mekane.errors import MekaneError

MODEL = """
system: pendulum
bodies: {bob: {mass: 1, position: [0, 0, -1]}}
joints: {hinge: {pin: [ground, bob], at: [0, 0, 0], axis: y, rate: 1}}
simulate: {t_end: 0.5, every: 0.05}
"""
VARY = [
    "--vary",
    "bob.mass=1:3:3",
    "--vary",
    "hinge.rate=1,120deg/s",
    "--measure",
    "pull=max(abs(hinge.reaction.force))",
]


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "pendulum.yaml"
    path.write_text(MODEL)
    return path


def run(*words):
    return CliRunner().invoke(app, ["sweep", *map(str, words)])


def test_a_sweep_becomes_a_file_and_a_picture(model, tmp_path):
    done = run(model, *VARY, "-o", tmp_path / "a.nc", "--plot", tmp_path / "a.png")
    assert done.exit_code == 0, done.output
    vary = {"bob.mass": np.linspace(1, 3, 3), "hinge.rate": [1.0, "120 deg/s"]}
    expected = mk.sweep(
        mk.load_model(model), vary, t_end=0.5, every=0.05, measure={"pull": "max(abs(hinge.reaction.force))"}
    )
    with xarray.open_dataset(tmp_path / "a.nc", engine="h5netcdf") as found:
        assert found["pull"].values.tobytes() == expected["pull"].values.tobytes()
    assert "6 done, 0 failed, 0 missing" in done.output and (tmp_path / "a.png").stat().st_size > 1000


def test_json_for_programs(model):
    done = run(model, *VARY, "--json")
    found = json.loads(done.stdout)
    assert found["runs"] == 6 and found["dimensions"] == {"bob.mass": 3, "hinge.rate": 2}
    assert found["variables"]["pull"]["unit"] == "N" and found["variables"]["pull"]["least"] > 9.81


def test_explained_before_it_runs(model):
    done = run(model, *VARY, "--explain")
    assert done.exit_code == 0 and "6 = 3 bob.mass × 2 hinge.rate" in done.output


@pytest.mark.parametrize("words, message", [
    (["--vary", "k"], "NAME=VALUES is expected"), (["--vary", "k=1:2"], "FROM:TO:HOW MANY"), (["--vary", "k=1:2:0"], "FROM:TO:HOW MANY"),
    (["--vary", "bob.mas=1,2"], "Did you mean 'mass'"), (["--vary", "bob.mass=1,2", "-o", "a.csv"], "sweeps are written as .nc"),
    (["--vary", "bob.mass=1,2", "--measure", "max(x)"], "is not NAME=VALUE"),
])  # fmt: skip
def test_bad_words(model, words, message):
    done = run(model, *words)
    assert isinstance(done.exception, MekaneError) and message in str(done.exception)


DRAWN = [
    "--vary",
    "bob.mass=normal(1 kg, 5 %)",
    "--vary",
    "hinge.rate=uniform(0, 60 deg/s)",
    "--samples",
    8,
    "--seed",
    3,
]


def test_numbers_drawn_from_distributions(model, tmp_path):
    measure = ["--measure", "pull=max(abs(hinge.reaction.force))"]
    done = run(model, *DRAWN, *measure, "-o", tmp_path / "a.nc", "--plot", tmp_path / "a.png")
    assert done.exit_code == 0, done.output
    vary = {"bob.mass": mk.normal("1 kg", "5 %"), "hinge.rate": mk.uniform(0, "60 deg/s")}
    given = dict(n=8, seed=3, t_end=0.5, every=0.05, measure={"pull": "max(abs(hinge.reaction.force))"})
    expected = mk.monte_carlo(mk.load_model(model), vary, **given)
    with xarray.open_dataset(tmp_path / "a.nc", engine="h5netcdf") as found:
        assert found["pull"].values.tobytes() == expected["pull"].values.tobytes()
    assert (tmp_path / "a.png").stat().st_size > 1000


@pytest.mark.parametrize(
    "words, message",
    [
        (["--vary", "bob.mass=gaussian(1, 2)"], "distributions are normal"),
        (["--vary", "bob.mass=normal(1)"], r"normal\(mean, sigma\) is expected"),
        (["--vary", "bob.mass=normal(1, -2)"], "greater than zero"),
        (["--vary", "bob.mass=normal(1, 0.1)", "--vary", "hinge.rate=1,2"], "for all, or for none"),
        (["--vary", "bob.mass=1,2", "--samples", "4"], "a distribution is expected"),
    ],
)
def test_distributions_that_are_wrong(model, words, message):
    done = run(model, *words)
    assert done.exit_code != 0 and isinstance(done.exception, MekaneError)
    with pytest.raises(MekaneError, match=message):
        raise done.exception


def test_the_error_that_is_wanted(model, tmp_path):
    """Every run has an estimate; a share that makes no sense is refused."""
    done = run(model, *VARY, "--error", "1e-9", "-o", tmp_path / "a.nc")
    assert done.exit_code == 0, done.output
    with xarray.open_dataset(tmp_path / "a.nc", engine="h5netcdf") as found:
        assert (found["error"] <= 1e-9).all() and (found["rtol"] <= 1e-9).all()
    refused = run(model, *VARY, "--error", "2")
    assert refused.exit_code != 0 and "a share of the motion between 0 and 1" in str(
        refused.exception or refused.output
    )
