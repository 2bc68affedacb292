"""Damaged result files. Oracle: the run that was saved; a file is refused, or gives exactly that run. Nothing hangs or
ends the process."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import mekane as mk
from mekane.errors import FileError
from mekane.exporters import _unchecked
from mekane.files import TRAILER, checksum_holds

DAMAGES = 100  # of each kind
NO_CHECKSUM = "read from a file without a checksum"


@pytest.fixture(scope="module")
def run():
    s = mk.System("pendulum")
    s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=2.0)
    return mk.simulate(s, 0.2, every=0.01)


@pytest.fixture(scope="module")
def whole(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "x.nc"
    run.save(path)
    return path.read_bytes()


@pytest.fixture
def old(whole, tmp_path):
    """A file of the first version, which had no checksum."""
    import xarray

    (tmp_path / "new.nc").write_bytes(whole)
    with xarray.open_dataset(tmp_path / "new.nc", engine="h5netcdf") as data:
        data.load().assign_attrs(version=1).to_netcdf(tmp_path / "old.nc", engine="h5netcdf")
    return tmp_path / "old.nc"


def flip(data, random):
    data[random.integers(len(data))] ^= 1 << random.integers(8)
    return data


def cut(data, random):
    return data[: random.integers(len(data))]


def cut_end(data, random):
    return data[: -random.integers(1, TRAILER + 2)]


def clear(data, random):
    first = random.integers(len(data))
    end = min(len(data), first + 2 ** random.integers(3, 13))
    data[first:end] = bytes(int(end - first))
    return data


def swap(data, random):
    size = 2 ** random.integers(4, 11)
    a, b = random.integers(0, len(data) // size, 2) * size
    data[a : a + size], data[b : b + size] = data[b : b + size], data[a : a + size]
    return data


def append(data, random):
    return data + random.bytes(random.integers(1, 200))


@pytest.mark.parametrize("damage", [flip, cut, cut_end, clear, swap, append])
def test_damaged_files_are_refused(run, whole, tmp_path, damage):
    random, path = np.random.default_rng(sum(map(ord, damage.__name__))), tmp_path / "x.nc"
    refused = 0
    for _ in range(DAMAGES):
        damaged = damage(bytearray(whole), random)
        path.write_bytes(damaged)
        try:
            assert mk.load(path) == run and damaged == whole
        except FileError as error:
            assert "x.nc" in str(error)
            refused += 1
    assert refused  # a swap may leave the file as it was


def test_the_file_is_plain_netcdf(run, whole, tmp_path):
    import h5py
    import xarray

    path = tmp_path / "x.nc"
    path.write_bytes(whole)
    assert checksum_holds(path) is True
    with xarray.open_dataset(path, engine="h5netcdf") as data, h5py.File(path) as plain:
        np.testing.assert_array_equal(data["state"], run.record.y)
        np.testing.assert_array_equal(plain["state"], run.record.y)


def test_a_cut_file_says_so(whole, tmp_path):
    (tmp_path / "x.nc").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(
        FileError, match=f"cut off or damaged: it should have {len(whole) - TRAILER} bytes and has {len(whole) // 2}"
    ):
        mk.load(tmp_path / "x.nc")


def test_what_another_program_wrote_again(run, whole, tmp_path):
    """Its content is nobody's run any more."""
    import h5py

    (tmp_path / "x.nc").write_bytes(whole)
    with h5py.File(tmp_path / "x.nc", "r+") as file:
        file["state"][0, 0] += 1e-3
    with pytest.raises(FileError, match="checksum"):
        mk.load(tmp_path / "x.nc")


def test_files_of_the_first_version(run, old):
    again = mk.load(old)
    np.testing.assert_array_equal(again.record.y, run.record.y)
    assert NO_CHECKSUM in again.info["notes"][-1] and "without a checksum" in str(again.health)


ENDLESS = "import sys; from mekane.exporters import _unchecked as u; u.SECONDS = 1; u.read = lambda path: any(iter(int, 1)); u.main()"
CRASHING = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"


@pytest.mark.skipif(os.name != "posix", reason="limits are set by POSIX calls")
@pytest.mark.parametrize("reader", [ENDLESS, CRASHING])
def test_reading_that_never_ends_or_crashes(old, monkeypatch, reader):
    monkeypatch.setattr(_unchecked, "COMMAND", reader)
    with pytest.raises(FileError, match="HDF5 did not survive"):
        mk.load(old)


def test_a_system_that_lacks_a_limit():
    """Windows has no module `resource`; elsewhere a limit may be missing, or may not be set."""

    class Resource:
        RLIM_INFINITY, RLIMIT_CPU = -1, 0

        def getrlimit(self, which):
            return 5, 5

        def setrlimit(self, which, limits):
            raise ValueError("current limit exceeds maximum limit")

    for name in ("RLIMIT_CPU", "RLIMIT_AS"):
        _unchecked.lower(Resource(), name, 3)


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_ctrl_c_ends_reading(old, tmp_path):
    """The reader tells its number through a pipe and then never ends."""
    os.mkfifo(tmp_path / "begun")
    reader = f"import os; open({str(tmp_path / 'begun')!r}, 'w').write(str(os.getpid())); any(iter(int, 1))"
    script = f"import mekane as mk; from mekane.exporters import _unchecked as u; u.COMMAND = {reader!r}; mk.load({str(old)!r})"
    process = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE)
    stop = threading.Timer(600, process.kill)  # never, if all is well
    stop.start()
    child = int((tmp_path / "begun").read_text())
    process.send_signal(signal.SIGINT)
    assert b"KeyboardInterrupt" in process.communicate()[1]
    stop.cancel()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
