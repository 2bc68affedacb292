"""Every file is written whole or not at all, and a failure says what is missing.

Oracle: the operating system itself, which refuses: a disk of 64 kB that is full, a limit to the size of files, the
device /dev/full. Where no disk can be mounted, the same error is raised in its place.
"""

import errno
import os
import stat
import subprocess
from contextlib import contextmanager

import pytest

import mekane as mk
from mekane import files
from mekane.cli.main import main
from mekane.errors import FileError

resource = pytest.importorskip("resource", reason="limits of files are set by POSIX calls")
SMALL = 64  # kB of the full disk

WRITERS = {
    "x.nc": lambda run, path: run.save(path),
    "x.csv": lambda run, path: run.to_csv(path),
    "x.txt": lambda run, path: run.report(path),
    "x.html": lambda run, path: run.save_html(path),
    "plot.png": lambda run, path: run.plot(path=path),
    "plot.svg": lambda run, path: run.plot_energy(path=path),
    "picture.png": lambda run, path: run.picture(path),
    "x.gif": lambda run, path: run.animation(path, most=5, size=(64, 48)),
    "x.yaml": lambda run, path: mk.save_model(run.system, path),
    "x.c": lambda run, path: mk.export_equations(run.system, path),
}


@pytest.fixture(scope="module")
def run():
    return mk.simulate(pendulum(), 0.2, every=0.01)


def pendulum():
    s = mk.System("pendulum")
    s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=2.0)
    return s


@pytest.fixture
def full_disk(tmp_path, monkeypatch):
    """A folder where a small file stands and nothing else can be written."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = (
        os.geteuid() == 0
        and not subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SMALL}k", "tmpfs", disk]).returncode
    )
    if mounted:
        with open(disk / "ballast", "wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
            while True:
                file.write(bytes(4096))
    else:
        monkeypatch.setattr(
            os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
        )
    yield disk
    if mounted:
        subprocess.run(["umount", disk], check=True)


@contextmanager
def largest_file(size):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk(run, full_disk, tmp_path, name, monkeypatch):
    before = sorted(os.listdir(full_disk))
    with pytest.raises(FileError, match="cannot be written .No space left on device.*free"):
        WRITERS[name](run, full_disk / name)
    assert sorted(os.listdir(full_disk)) == before
    monkeypatch.undo()
    WRITERS[name](run, tmp_path / name)  # the run has survived
    assert (tmp_path / name).stat().st_size > 100


@pytest.mark.parametrize("name", WRITERS)
def test_a_limit_to_the_size_of_files(run, tmp_path, name):
    target = tmp_path / name
    target.write_text("precious")
    with (
        largest_file(100),
        pytest.raises(FileError, match="cannot be written .File too large.*may not exceed 100 bytes here"),
    ):
        WRITERS[name](run, target)
    assert target.read_text() == "precious" and os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("name", ["x.nc", "x.csv", "x.txt", "x.yaml"])
def test_a_device_is_not_replaced(run, name):
    """/dev/full refuses every byte; /dev/null takes all."""
    with pytest.raises(FileError, match="No space left"):
        WRITERS[name](run, "/dev/full")
    WRITERS[name](run, "/dev/null")
    assert all(stat.S_ISCHR(os.stat(device).st_mode) for device in ("/dev/full", "/dev/null"))


def test_how_much_is_missing(tmp_path, monkeypatch):
    usage = files.shutil.disk_usage(tmp_path)._replace(free=1_500_000)
    monkeypatch.setattr(files.shutil, "disk_usage", lambda folder: usage)
    assert files.free_space(tmp_path, 4_000_000) == "it needs 4 MB; 1.5 MB are free, 2.5 MB are missing"
    assert (
        files.free_space(tmp_path, 1_000_000) == "it needs 1 MB; 1.5 MB are free"
    )  # others may write at the same time
    assert files.free_space(tmp_path, None) == "1.5 MB are free"


def test_rights_and_links_are_kept(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    files.write(link, "new")
    assert link.is_symlink() and real.read_text() == "new" and real.stat().st_mode & 0o777 == 0o640


def test_the_command_line_keeps_what_it_computed(run, tmp_path, monkeypatch, capsys):
    """A run of hours is not lost because its folder is full: it goes to the folder for temporary files."""
    spare = tmp_path / "spare"
    spare.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(spare))
    mk.save_model(run.system, "model.yaml")
    whole = files.replacing

    def full(path, *rest, **keywords):
        folder = os.path.dirname(os.path.abspath(path))
        return whole("/dev/full" if folder == str(tmp_path) else path, *rest, **keywords)

    monkeypatch.setattr(files, "replacing", full)
    with pytest.raises(SystemExit) as end:
        main(["run", "model.yaml", "--t-end", "0.2", "-o", "x.nc"])
    message = capsys.readouterr().err
    (kept,) = spare.iterdir()
    assert end.value.code == 2 and "No space left" in message and str(kept) in message and "defect" not in message
    assert mk.load(kept).t[-1] == 0.2
