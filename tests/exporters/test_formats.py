"""Results go into the kind of file that the suffix names. Oracle: the method of the run that writes that kind."""

import numpy as np
import pytest

import mekane as mk


@pytest.fixture(scope="module")
def run():
    s = mk.System("pendulum")
    arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y", rate=2.0)
    return mk.simulate(s, 0.1)


def test_suffix_chooses_the_exporter(run, tmp_path):
    run.save(tmp_path / "x.csv", ["hinge.angle"])
    run.to_csv(tmp_path / "y.csv", ["hinge.angle"])
    assert (tmp_path / "x.csv").read_text() == (tmp_path / "y.csv").read_text()
    run.save(tmp_path / "x.TXT")
    assert (tmp_path / "x.TXT").read_text() == run.report()
    for name in ("x.nc", "without_suffix"):
        run.save(tmp_path / name, ["hinge.angle"])
        assert np.array_equal(mk.load(tmp_path / name)["hinge.angle"], run["hinge.angle"])


def test_unknown_suffix_is_answered_with_those_there_are(run, tmp_path):
    with pytest.raises(mk.FileError, match=r"its name ends in '.dat'; results are written as .nc or .csv or .txt"):
        run.save(tmp_path / "x.dat")
    with pytest.raises(mk.FileError, match=r"its name ends in '.json'; models are written as .yaml or .yml"):
        mk.save_model(run.system, tmp_path / "x.json")
    assert not list(tmp_path.iterdir())
