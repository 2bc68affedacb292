"""mekane view without -o: served until Ctrl-C. And what cannot be seen: other files, no samples. Oracles: a real
process, and the words."""

import re
import signal
import socket
import subprocess
import sys
from urllib.request import urlopen

import numpy as np
import pytest
import xarray

from mekane.exporters.netcdf import in_memory
from mekane.files import with_checksum, write


def heed_ctrl_c():
    """Tests may themselves run in the background, where it is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def begun(folder):
    """begun("model.yaml", …): the process, once it serves, and the address that it printed."""
    processes = []

    def begin(*arguments):
        command = [sys.executable, "-m", "mekane.cli.main", "view", *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        processes.append(subprocess.Popen(command, cwd=folder, preexec_fn=heed_ctrl_c, **pipes))
        return processes[-1], re.search(r"http://127\.0\.0\.1:(\d+)/", processes[-1].stdout.readline())

    yield begin
    for process in processes:
        process.kill()
        process.communicate()


def ended(process):
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    return process.returncode, out, err


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent otherwise there")
def test_until_ctrl_c(begun, pendulum, monkeypatch):
    """Two at once on one port; each ends with code 0 and without a traceback, and frees its port."""
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(variable, raising=False)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    first, at = begun(pendulum, "--port", str(port), "--no-open")
    second, there = begun(pendulum, "arm.velocity", "--port", str(port))
    assert int(at[1]) == port != int(there[1])
    pages = [urlopen(match[0]).read() for match in (at, there)]
    assert all(b'<script id="data"' in page for page in pages)
    assert ended(first) == (0, "", "")
    code, out, err = ended(second)
    assert (code, out) == (0, "") and f"Port {port} is busy: port {there[1]} is taken instead." in err
    assert "No browser could be started: open the address yourself." in err and "Traceback" not in err
    for match in (at, there):
        with socket.create_server(("127.0.0.1", int(match[1]))):
            pass


@pytest.mark.parametrize(
    "arguments, problem", [(("--port", "70000"), "--port is 70000"), (("hinge.angel",), "Did you mean 'hinge.angle'?")]
)
def test_refused(mekane, pendulum, arguments, problem):
    output = mekane("view", pendulum, *arguments)
    assert output.code == 2 and problem in output.err and output.out == ""


# ---------------------------------------------------------------- files that are no results


@pytest.fixture
def kept(mekane, folder, pendulum):
    assert mekane("run", pendulum, "-o", "kept.nc").code == 0
    return folder / "kept.nc"


def changed(kept, target, change):
    with xarray.open_dataset(kept, engine="h5netcdf", decode_times=False) as data:
        write(target, *with_checksum(in_memory(change(data.load()))))  # whole, but of other content


def foreign(path, _):
    import h5py

    with h5py.File(path, "w") as file:
        file["x"] = np.arange(3)


FILES = {
    "of an older version": (
        lambda path, kept: changed(kept, path, lambda d: d.assign_attrs(version=0)),
        "it has version 0 of the format",
    ),
    "of a newer version": (
        lambda path, kept: changed(kept, path, lambda d: d.assign_attrs(version=99)),
        "it has version 99 of the format",
    ),
    "cut off": (lambda path, kept: path.write_bytes(kept.read_bytes()[:3000]), "it is cut off or damaged"),
    "cut off at once": (lambda path, kept: path.write_bytes(kept.read_bytes()[:4]), "it is not a NetCDF file"),
    "empty": (lambda path, kept: path.write_bytes(b""), "it is empty"),
    "text": (lambda path, kept: path.write_text("hello\n"), "it is not a NetCDF file"),
    "HDF5 of another program": (foreign, "it was not written by Mekane"),
    "folder": (lambda path, kept: path.mkdir(), "it is a folder"),
    "without times": (lambda path, kept: changed(kept, path, lambda d: d.drop_vars("time")), "it has no times"),
    "times backwards": (
        lambda path, kept: changed(kept, path, lambda d: d.assign_coords(time=-d.time)),
        "times do not follow each other",
    ),
    "without states": (
        lambda path, kept: changed(kept, path, lambda d: d.drop_vars("state")),
        "its content is damaged",
    ),
    "no samples": (lambda path, kept: changed(kept, path, lambda d: d.isel(time=slice(0))), "the run has no samples"),
}


@pytest.mark.divided("case", 2)
@pytest.mark.parametrize("command, target", [("view", "x.html"), ("plot", "x.png")])
@pytest.mark.parametrize("case", FILES)
def test_files_that_cannot_be_shown(mekane, folder, kept, case, command, target):
    """One sentence that names the file or the run, exit code 2, and nothing written."""
    make, problem = FILES[case]
    make(folder / "other.nc", kept)
    output = mekane(command, "other.nc", "-o", target)
    assert output.code == 2 and output.out == "" and problem in output.err and output.err.count("\n") == 1
    assert not (folder / target).exists()


@pytest.mark.parametrize("command, target", [("view", "x.html"), ("plot", "x.png")])
@pytest.mark.parametrize(
    "change",
    [lambda d: d.isel(time=slice(1)), lambda d: d.assign(state=d.state.where(d.time < 0.2))],
    ids=["one sample", "not finite"],
)
def test_runs_of_one_sample_or_with_missing_numbers_are_shown(mekane, folder, kept, change, command, target):
    changed(kept, folder / "other.nc", change)
    output = mekane(command, "other.nc", "-o", target)
    assert output.code == 0 and output.err == "" and (folder / target).stat().st_size > 5000
