"""Studies in files. Oracles: the same study in memory, to the last bit; counts of what is computed again."""

import json
import os
import signal
import subprocess
import sys
from errno import ENOSPC
from pathlib import Path

import numpy as np
import pytest
import xarray
from oscillators import oscillator

import mekane as mk
from mekane.analyses.studies import store as store_module
from mekane.analyses.studies.store import boxes, extent
from mekane.analyses.studies.study import Study
from mekane.analyses.studies.sweep import StudyWarning
from mekane.errors import FileError, ModelError

pytestmark = pytest.mark.filterwarnings("ignore::mekane.analyses.studies.sweep.StudyWarning")
VARY = {"k": np.linspace(1, 900, 7), "mass.mass": [1.0, -1.0, 2.0], "without": ["", "damper"]}
WANTED = dict(t_end=0.5, every=0.05, keep=["mass.position"], measure={"top": "max(abs(mass.position.x))"})


def study(path=None, vary=None, system=None, **more):
    return mk.sweep(system or oscillator(damper=True), vary or VARY, to=path, **WANTED | more)


def alike(a, b):
    numbers = all(a[name].values.tobytes() == b[name].values.tobytes() for name in ("mass.position", "top", "status"))
    return numbers and (a["message"].values == b["message"].values).all() and dict(a.sizes) == dict(b.sizes)


@pytest.fixture(scope="module")
def in_memory():
    return study()


def test_a_file_holds_what_memory_would(tmp_path, in_memory):
    found = study(tmp_path / "a.nc")
    assert alike(found, in_memory) and os.listdir(tmp_path) == ["a.nc"]
    with xarray.open_dataset(tmp_path / "a.nc", engine="h5netcdf") as read:
        assert read["top"].values.tobytes() == in_memory["top"].values.tobytes()
        assert read["top"].attrs["units"] == "m" and read.attrs["runs_failed"] == 14


def counting(monkeypatch, interrupt_after=None):
    """A list of how many runs each chunk has; Ctrl-C after so many chunks."""
    counts, compute = [], Study.compute

    def counted(self, values, *args):
        if interrupt_after is not None and len(counts) >= interrupt_after:
            raise KeyboardInterrupt
        if self.error is None:  # else a few runs are checked
            counts.append(len(next(iter(values.values()))))
        return compute(self, values, *args)

    monkeypatch.setattr(Study, "compute", counted)
    return counts


def test_only_what_is_missing_is_computed(tmp_path, in_memory, monkeypatch):
    with monkeypatch.context() as m:
        first = counting(m, interrupt_after=1)
        broken_off = study(tmp_path / "a.nc")
    done = broken_off["status"].values != 5
    assert done.sum() == sum(first) < 42 and broken_off.attrs["runs_missing"] == 42 - sum(first)
    assert (broken_off["top"].values[done] == in_memory["top"].values[done]).sum() > 0
    second = counting(monkeypatch)
    found = study(tmp_path / "a.nc")
    assert sum(second) == 42 - sum(first) and alike(found, in_memory)
    third = counting(monkeypatch)
    assert alike(study(tmp_path / "a.nc"), in_memory) and not third


def test_ctrl_c_in_memory_returns_what_is_done(in_memory, monkeypatch):
    first = counting(monkeypatch, interrupt_after=1)
    found = study()
    missing = found["status"].values == 5
    assert missing.sum() == 42 - sum(first) and np.isnan(found["top"].values[missing]).all()


def test_a_damaged_part_is_computed_again(tmp_path, in_memory, monkeypatch):
    with monkeypatch.context() as m:
        counting(m, interrupt_after=1)
        study(tmp_path / "a.nc")
    part = sorted((tmp_path / "a.nc.parts").glob("runs-*"))[0]
    part.write_bytes(part.read_bytes()[:-100])
    assert alike(study(tmp_path / "a.nc"), in_memory)


def test_another_study_is_refused(tmp_path, monkeypatch):
    path, few = tmp_path / "a.nc", {"k": [1.0, 2.0]}
    study(path, few)
    for change, what in (
        (dict(vary={"k": [1.0, 3.0]}), "values"),
        (dict(system=oscillator()), "model"),
        (dict(t_end=0.6), "times"),
        (dict(rtol=1e-6), "what"),
    ):
        with pytest.raises(FileError, match=f"another study: {what} differ"):
            study(path, **{"vary": few} | change)
    monkeypatch.setattr(store_module, "versions", lambda: {"mekane": "9.9", "program": "0"})
    with pytest.raises(FileError, match="another study: version differ"):
        study(path, few)


def test_another_study_that_was_interrupted_is_refused(tmp_path, monkeypatch):
    with monkeypatch.context() as m:
        counting(m, interrupt_after=0)
        study(tmp_path / "a.nc")
    (tmp_path / "a.nc").unlink()
    with pytest.raises(FileError, match="parts.*another study: model, values differ|parts.*values"):
        study(tmp_path / "a.nc", {"k": [1.0]})


def test_files_that_are_no_studies(tmp_path):
    (tmp_path / "a.nc").write_text("something else")
    with pytest.raises(FileError, match="no study of Mekane"):
        study(tmp_path / "a.nc")
    assert (tmp_path / "a.nc").read_text() == "something else"
    with pytest.raises(FileError, match="studies are written as .nc"):
        study(tmp_path / "a.csv")
    with pytest.raises(FileError, match="no such folder"):
        study(tmp_path / "there" / "a.nc")


def test_a_function_has_no_text(tmp_path):
    s = oscillator()
    list_of = [1.0]
    s.motor("odd", "guide", force=lambda t, state: list_of[0])
    with pytest.raises(ModelError, match="recognised by its model.*leave out to="):
        study(tmp_path / "a.nc", {"k": [1.0]}, s)


def test_a_full_disk_keeps_what_is_done(tmp_path, in_memory, monkeypatch):
    written, write = [], store_module.write

    def full(path, *contents):
        if len(written) == 2:  # the identity and one chunk
            raise FileError(
                f"file {str(path)!r}", f"it cannot be written ({os.strerror(ENOSPC)})", "", "Free some space there."
            )
        written.append(path)
        write(path, *contents)

    with monkeypatch.context() as m:
        m.setattr(store_module, "write", full)
        with pytest.raises(
            FileError, match="Free some space there. The 16 runs that are done are kept in .*repeat the call"
        ):
            study(tmp_path / "a.nc")
    again = counting(monkeypatch)
    assert alike(study(tmp_path / "a.nc"), in_memory) and sum(again) == 26


def test_too_small_a_disk_is_reported_before(tmp_path, monkeypatch):
    monkeypatch.setattr(store_module.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": 10})())
    with pytest.raises(FileError, match="the study needs .* and 10 bytes are free"):
        study(tmp_path / "a.nc")


PROGRAM = """
import sys, numpy as np, mekane as mk
sys.path.insert(0, {here!r})
from oscillators import oscillator
from test_study_store import study
study({path!r}, {{"k": np.linspace(1, 900, 100000)}}, threads=1)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals differ on Windows")
def test_a_process_killed_at_any_time_leaves_a_store_that_goes_on(tmp_path, monkeypatch):
    """kill −9 after the first part: what is there afterwards is read without damage."""
    path = tmp_path / "a.nc"
    process = subprocess.Popen([sys.executable, "-c", PROGRAM.format(here=str(Path(__file__).parent), path=str(path))])
    parts = tmp_path / "a.nc.parts"
    while not list(parts.glob("runs-*.npz")):
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    first = counting(monkeypatch, interrupt_after=0)
    found = study(path, {"k": np.linspace(1, 900, 100000)})
    done = found["status"].values == 0
    assert not first and 0 < done.sum() < 100000
    assert np.isfinite(found["top"].values[done]).all()


@pytest.mark.parametrize("shape", [(7,), (3, 5), (2, 3, 4), (4, 1, 3)])
def test_boxes_make_up_every_range(shape):
    """Oracle: flat numbers of an array."""
    numbers = np.arange(np.prod(shape)).reshape(shape)
    for low in range(numbers.size):
        for high in range(low + 1, numbers.size + 1):
            found = [(numbers[box].ravel().tolist(), a, b, extent(box, shape)) for box, a, b in boxes(low, high, shape)]
            assert [k for values, *_ in found for k in values] == list(range(low, high))
            assert all(values == list(range(a, b)) and np.prod(size) == b - a for values, a, b, size in found)


def test_failures_are_reported_again(tmp_path):
    study(tmp_path / "a.nc")
    with pytest.warns(StudyWarning, match="14 of 42 runs failed"):
        found = study(tmp_path / "a.nc")
    assert json.loads(found.attrs["failures"])[0][1] == 14
