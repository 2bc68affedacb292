"""Reading a NetCDF file that has no checksum. HDF5 may crash on damaged files, take all memory or never end: it reads
in a process of its own, under limits, and Ctrl-C ends it."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

SECONDS, PER_MB = 20, 0.2  # of computing
MEMORY = 4 * 2**30  # bytes, besides ten times those of the file
PATIENCE = 30  # times longer than it may compute, where the processor is busy with other things
REFUSED = 3
COMMAND = "from mekane.exporters._unchecked import main; main()"


class Unreadable(Exception):
    """Says why."""


def read_unchecked(path):
    """The whole file as a Dataset."""
    seconds = allowed_seconds(path)
    packages = os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": packages, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", COMMAND, os.fspath(path)]
    try:
        end = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE * seconds
        )
    except subprocess.TimeoutExpired:
        raise Unreadable(f"it was not read within {PATIENCE * seconds} s") from None
    if end.returncode == 0:
        return pickle.loads(end.stdout)  # from our own process
    if end.returncode == REFUSED:
        raise Unreadable(end.stderr.decode(errors="replace").strip())
    raise Unreadable(f"HDF5 did not survive reading it, or computed for more than {seconds} s")


def allowed_seconds(path):
    return int(SECONDS + PER_MB * os.path.getsize(path) / 1e6)


# ---------------------------------------------------------------- in the other process


def main():
    path = sys.argv[1]
    set_limits(path)
    try:
        data = pickle.dumps(read(path))
    except Exception as error:  # the readers below have many ways to report that a file is not theirs
        print(first_line(error), file=sys.stderr)
        sys.exit(REFUSED)
    sys.stdout.buffer.write(data)


def first_line(error):
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def set_limits(path):
    try:
        import resource
    except ImportError:  # not on this operating system: the patience of the other process is the only limit
        return
    lower(resource, "RLIMIT_CPU", allowed_seconds(path))
    lower(resource, "RLIMIT_AS", MEMORY + 10 * os.path.getsize(path))
    lower(resource, "RLIMIT_CORE", 0)


def lower(resource, name, value):
    """Not every system has every limit, or lets it be set: macOS has none for memory."""
    try:
        which = getattr(resource, name)
        hard = resource.getrlimit(which)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (value, hard))
    except (AttributeError, OSError, ValueError):
        pass  # the patience of the other process is a limit in any case


def read(path):
    """The whole file as a Dataset, in this process."""
    import warnings

    import xarray

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about files of other programs, which are refused afterwards
        with xarray.open_dataset(path, engine="h5netcdf", decode_times=False, phony_dims="access") as opened:
            return opened.load()
