"""Results as files. A round trip gives the same bits; what is not a result raises with an explanation; an existing file
survives a failure."""

import csv
import json

import mechanisms
import numpy as np
import pytest

import mekane as mk
from mekane.errors import FileError, ModelError
from mekane.formulations import NAMES as FORMULATIONS


@pytest.fixture(scope="module")
def run():
    return mk.simulate(mechanisms.crank("slider"), 0.1, every=0.02, formulation="joint")


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_round_trip(tmp_path, formulation):
    run = mk.simulate(mechanisms.ring("pin_slider"), 0.1, every=0.05, formulation=formulation)
    run.save(tmp_path / "x.nc")
    again = mk.load(tmp_path / "x.nc")
    assert again == run and again.names() == run.names()
    for name in run.names():
        np.testing.assert_array_equal(again.numbers(name), run.numbers(name))
    assert str(again.health) == str(run.health)
    np.testing.assert_array_equal(again.reaction("k").moment, run.reaction("k").moment)


def test_a_system_without_any_coordinate(tmp_path):
    s = mk.System()
    s.body("block", 3.0, inertia=(1, 1, 1))
    s.weld("bolt", s.ground, "block")
    run = mk.simulate(s, 1.0, every=0.5)
    run.save(tmp_path / "x.nc")
    assert mk.load(tmp_path / "x.nc") == run


def test_quantities_for_other_programs(tmp_path, run):
    import xarray

    run.save(tmp_path / "x.nc", quantities=["k.angle", "B.position"])
    with xarray.open_dataset(tmp_path / "x.nc", engine="h5netcdf") as data:
        np.testing.assert_array_equal(data["B.position"], run["B.position"])
        assert data["k.angle"].attrs["units"] == "rad"
        assert json.loads(data.attrs["model"])["system"] == "crank slider"
    assert mk.load(tmp_path / "x.nc") == run


@pytest.mark.parametrize("content", [b"", b"not a result", b"\x89HDF\r\n\x1a\n" + bytes(100), bytes(1000)])
def test_what_is_no_result_is_refused(tmp_path, content):
    (tmp_path / "x.nc").write_bytes(content)
    with pytest.raises(FileError, match="x.nc"):
        mk.load(tmp_path / "x.nc")


def test_missing_foreign_and_damaged_files(tmp_path, run):
    import xarray

    with pytest.raises(FileError, match="no such file"):
        mk.load(tmp_path / "none.nc")
    with pytest.raises(FileError, match="it is a folder"):
        mk.load(tmp_path)
    xarray.Dataset({"a": ("x", [1.0])}).to_netcdf(tmp_path / "foreign.nc", engine="h5netcdf")
    with pytest.raises(FileError, match="not written by Mekane"):
        mk.load(tmp_path / "foreign.nc")
    run.save(tmp_path / "x.nc")
    whole = (tmp_path / "x.nc").read_bytes()
    (tmp_path / "half.nc").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FileError, match="damaged"):
        mk.load(tmp_path / "half.nc")


@pytest.mark.parametrize(
    "attribute, value", [("model", "{}"), ("model", "[1"), ("formulation", "polar"), ("version", 99), ("info", "?")]
)
def test_changed_files(tmp_path, run, attribute, value):
    import xarray

    run.save(tmp_path / "x.nc")
    with xarray.open_dataset(tmp_path / "x.nc", engine="h5netcdf") as data:
        data.load().assign_attrs({"version": 1, attribute: value}).to_netcdf(tmp_path / "y.nc", engine="h5netcdf")
    with pytest.raises(FileError, match="y.nc"):
        mk.load(tmp_path / "y.nc")


def test_folders_that_are_not_there(run):
    for write in (run.save, run.to_csv, run.report):
        with pytest.raises(FileError, match="cannot be written"):
            write("/nowhere/at/all/x")


def test_python_functions_cannot_be_saved(tmp_path):
    s = mk.System()
    s.body("arm", 2.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hip", s.ground, "arm", at=(0, 0, 0), axis="y")
    s.motor("drive", "hip", torque=lambda t, state: float(np.round(3 * t)))
    run = mk.simulate(s, 0.1)
    with pytest.raises(FileError, match="to_csv"):
        run.save(tmp_path / "x.nc")
    assert not list(tmp_path.iterdir())


def test_csv(tmp_path, run):
    run.to_csv(tmp_path / "x.csv", columns=["k.angle", "B.position", "B.velocity.z"])
    with open(tmp_path / "x.csv", newline="") as file:
        header, *lines = csv.reader(file)
    assert header == ["t", "k.angle", "B.position.x", "B.position.y", "B.position.z", "B.velocity.z"]
    values = np.array(lines, float)  # bit by bit the same
    np.testing.assert_array_equal(values[:, 0], run.t)
    np.testing.assert_array_equal(values[:, 2:5], run["B.position"])
    run.to_csv(tmp_path / "all.csv")
    assert "end.displacement.rate" in (tmp_path / "all.csv").read_text().splitlines()[0]
    with pytest.raises(ModelError, match="Did you mean"):
        run.to_csv(tmp_path / "x.csv", columns=["k.angel"])
    assert (tmp_path / "x.csv").read_text().startswith("t,k.angle")


def test_report(tmp_path, run):
    text = run.report(tmp_path / "x.txt")
    assert (tmp_path / "x.txt").read_text() == text
    for line in (
        "* Control data *",
        "* Body 1: A *",
        "* Joint 4: end *",
        "* Force 1: spring *",
        "* Method *",
        "* Results *",
        "* Health *",
    ):
        assert line in text
    assert "constraint equations     20, of which 3 repeat others" in text and "stiffness                30" in text
    assert f"{run.numbers('k.angle')[-1]:.8g}" in text and "not unique" in text
