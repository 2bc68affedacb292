"""The exported C file builds without a warning and gives the numbers of the engine, for every mechanism. Oracles: see
exported.py."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest
from exported import GALLERY, OTHERS, compare, exported

from mekane.exporters import languages

GCC = shutil.which("gcc")
STRICT = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror")
pytestmark = pytest.mark.skipif(GCC is None, reason="there is no gcc here")
OTHER_FORMULATIONS = [
    (name, formulation)
    for name in ("slider_crank_planar", "rolling_disc_1", "heavy_top")
    for formulation in GALLERY[name].formulations[1:]
]
CASES = [(name, None) for name in (*GALLERY, *OTHERS)] + OTHER_FORMULATIONS


def prefix(name, formulation):
    return f"{name}_{formulation or 'own'}"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """All of them in one shared library."""
    folder, c = tmp_path_factory.mktemp("c"), languages.find("c")
    for name, formulation in CASES:
        stem = prefix(name, formulation)
        (folder / f"{stem}.c").write_text(c.text(exported(name, formulation)[0], stem), encoding="utf-8")
    files = sorted(map(str, folder.glob("*.c")))
    halves = [
        subprocess.Popen([GCC, *STRICT, "-O0", "-shared", "-fPIC", "-o", folder / f"{k}.so", *files[k::2], "-lm"])
        for k in range(2)
    ]
    assert [half.wait() for half in halves] == [0, 0]
    return [ctypes.CDLL(str(folder / f"{k}.so")) for k in range(2)]


def function_of(library, name):
    return next(getattr(half, name) for half in library if hasattr(half, name))


def caller(library, name):
    def call(function, t, y, p):
        out = np.full(function.shape, np.nan)
        numbers = lambda x: x.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
        function_of(library, f"{name}_{function.name}")(ctypes.c_double(t), numbers(y), numbers(p), numbers(out))
        return out

    return call


@pytest.mark.parametrize("name, formulation", CASES)
def test_c_gives_the_numbers_of_the_engine(library, name, formulation):
    compare(name, caller(library, prefix(name, formulation)), formulation)


def test_the_start_is_in_the_file(library):
    model, name = exported("driven_four_bar")[1], "driven_four_bar_own_y0"
    half = next(half for half in library if hasattr(half, name))
    start = (ctypes.c_double * (2 * model.n_q)).in_dll(half, name)
    assert np.array_equal(list(start), model.y[: 2 * model.n_q])


def test_the_header_belongs_to_the_file(tmp_path):
    """A program that includes the header, linked with the file."""
    found = exported("two_bar_truss")[0]
    for stem in ("c", "h"):
        (tmp_path / f"truss.{stem}").write_text(languages.find(stem).text(found, "truss"), encoding="utf-8")
    call = "double yd[truss_n_state]; truss_rhs(0.0, truss_y0, truss_p, yd); return yd[0] != truss_y0[1];"
    (tmp_path / "main.c").write_text(f'#include "truss.h"\nint main(void) {{ {call} }}\n', encoding="utf-8")
    subprocess.run(
        [GCC, *STRICT, "-o", tmp_path / "a.out", tmp_path / "main.c", tmp_path / "truss.c", "-lm"], check=True
    )
    assert subprocess.run([tmp_path / "a.out"]).returncode == 0
