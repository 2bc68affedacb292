"""Compiled code on disk that is damaged, missing or can only be read.

Oracle: the numbers of three small kernels, total(0, 1, 2, 3) = Σ (2 k + 1) = 16 and tripled(2) = 7, exact in binary;
and how many of the two outer ones were found on disk by the next load.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mekane.numba_backend import private
from mekane.numba_backend.kernel_cache import PACKAGE

HELPER = Path(__file__).with_name("damaged.py")


def run(what, tmp_path, **variables):
    cache = tmp_path / "cache"
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "MEKANE_CACHE": str(cache), **variables}
    done = subprocess.run([sys.executable, HELPER, what, tmp_path], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()], done.stderr


def test_damaged_code_is_compiled_anew_and_heals(tmp_path):
    """21 kinds of damage to all files, to one, and to the mark that says they are all there; and files gone, swapped or
    in the way."""
    lines, errors = run("all_damages", tmp_path)
    assert len(lines) == 21 * 3 + 3 + 4 and not errors
    for name, *numbers, from_disk, before, after in lines:
        assert [float(x) for x in numbers] == [16.0, 7.0, 16.0, 7.0], name
        assert (from_disk, before, after) == ("2", "False", "True"), name
    left = [
        path
        for path in (tmp_path / "cache").rglob("*")
        if path.is_file() and not path.name.endswith((".code", ".native"))
    ]
    assert [path.name.partition("-")[0] for path in left] == ["complete"]  # no temporary file was left behind


@pytest.mark.skipif(os.name != "posix" or sys.platform == "darwin", reason="permissions are Linux's")
def test_a_cache_that_can_only_be_read_is_read(tmp_path):
    lines, _ = run("read_only", tmp_path)
    assert lines == [["read only", "(16.0, 7.0)", "2", "False"], ["read only and empty", "(16.0, 7.0)", "0", "False"]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder with the compiled code."""
    folder = tmp_path_factory.mktemp("whole")
    run("load", folder)
    return folder


def test_whole_machine_code_is_called_without_numba(whole):
    assert run("load_without_numba", whole)[0] == [["16.0", "7.0", "False"]]


@pytest.mark.parametrize("damage", ["empty", "half", "bit in the middle", "text"])
def test_damaged_machine_code_is_left_to_numba(whole, tmp_path, damage):
    """It could end the process."""
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    assert run("damaged_machine_code", tmp_path, DAMAGE=damage)[0] == [["16.0", "7.0", "True"]]


def test_code_is_kept_for_each_processor(tmp_path):
    """Code for one processor may end a process on another."""
    cache = tmp_path / "cache"
    for processor in ({}, dict(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")):
        run("load", tmp_path, **processor)
    assert len(list(cache.rglob("total-*.code"))) == 2


def test_another_numba_is_used_plainly(tmp_path):
    """Where Numba's private side has changed, a line says so and the numbers are the same."""
    program = f"""
import runpy, sys
import numba.core.compiler
del numba.core.compiler.CompileResult._reduce
sys.path.insert(0, {str(HELPER.parent)!r})
import damaged
from mekane.numba_backend import kernel_cache
from pathlib import Path
kernel_cache.PACKAGE = Path({str(tmp_path)!r})
(kernel_cache.PACKAGE / "part.py").write_text(damaged.KERNELS)
print(damaged.load())
"""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "MEKANE_CACHE": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.stdout == "((16.0, 7.0), 0)\n", done.stderr
    assert "has no numba.core.compiler.CompileResult._reduce" in done.stderr and not (tmp_path / "cache").exists()


def test_this_numba_is_as_expected():
    assert private.is_as_expected()
