"""Numba's private side: used only where it is as expected, only while Mekane's kernels are compiled, and not needed.

Oracle: the numbers of the same pendulum, or of the same small kernels, compiled the usual way; and Numba's own methods.
"""

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.codegen import JITCPUCodegen

import mekane as mk
from mekane.numba_backend import private
from mekane.numba_backend.compiling import private_kernel
from mekane.solvers.entries.addresses import open_model
from mekane.solvers.entries.calls import project, rhs
from mekane.tables.handle import WORKSPACE

LINE = "kernels are compiled in every process anew"
PENDULUM = """
import mekane as mk
s = mk.System("pendulum")
s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=2.0)
print(*mk.simulate(s, 1.0).record.y[-1])
"""
SMALL = f"""
import sys, tempfile
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
import damaged
from mekane.numba_backend import kernel_cache
kernel_cache.PACKAGE = Path(tempfile.mkdtemp())
(kernel_cache.PACKAGE / "part.py").write_text(damaged.KERNELS)
print(*damaged.load()[0])
"""
MISSING = "import numba.core.compiler\ndel numba.core.compiler.CompileResult._reduce\n"
UNKNOWN = "from mekane.numba_backend import private\nprivate.TESTED = (0, 1), (0, 2)\n"
CHANGED = "import numba.core.compiler\nnumba.core.compiler.CompileResult._rebuild = lambda *_: None\n"


def numbers(*program, **variables):
    """What a program prints, and what it says beside."""
    environment = {**os.environ, **variables}
    done = subprocess.run([sys.executable, "-c", "".join(program)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [float(x) for x in done.stdout.split()], done.stderr


@pytest.mark.exhaustive
def test_without_a_private_name_the_numbers_are_the_same():
    """Unoptimised code adds in another order: round-off, far below the tolerance 1e-9 of the run. All kernels are
    compiled anew for it, which takes a minute and more; `make test` tries small ones (test_damaged_cache.py)."""
    usual, silent = numbers(PENDULUM)
    plain, reported = numbers(MISSING, PENDULUM, NUMBA_OPT="0")
    assert plain == pytest.approx(usual, rel=1e-10, abs=1e-10)
    assert reported.count(LINE) == 1 and "has no numba.core.compiler.CompileResult._reduce" in reported
    assert LINE not in silent


def test_an_unknown_version_that_passes_the_trial_is_used():
    """Then the compiled code of this version is loaded from disk: the same numbers, bit by bit."""
    found, reported = numbers(UNKNOWN, PENDULUM)
    assert found == numbers(PENDULUM)[0] and LINE not in reported


def test_an_unknown_version_that_fails_the_trial_is_not():
    """Here the code of a kernel cannot be rebuilt. Oracle: three small kernels, exact in binary."""
    found, reported = numbers(UNKNOWN, CHANGED, SMALL)
    assert found == [16.0, 7.0]
    assert reported.count(LINE) == 1 and f"Numba {numba.__version__} is not among 0.1 to 0.2" in reported


@pytest.mark.parametrize("version, tested", [("0.68.1", True), ("0.62.0rc1", True), ("0.61.2", False), ("1.0", False)])
def test_tested_versions(version, tested):
    assert private.is_tested(version) is tested


def test_this_version_is_tested():
    """A new version of Numba goes into TESTED when all tests have passed with it."""
    assert private.is_tested(numba.__version__) and private.probe()


def test_numba_is_patched_only_while_kernels_are_compiled():
    usual = JITCPUCodegen.create_library, JITCPUCodegen.set_env
    with pytest.raises(KeyboardInterrupt), private.inner_libraries():
        with private.inner_libraries():
            assert JITCPUCodegen.create_library is not usual[0] and JITCPUCodegen.set_env is not usual[1]
        assert JITCPUCodegen.create_library is not usual[0]
        raise KeyboardInterrupt
    assert (JITCPUCodegen.create_library, JITCPUCodegen.set_env) == usual
    assert JITCPUCodegen.create_library.__module__ == "numba.core.codegen"


def test_other_users_of_numba_compile_with_numbas_own_methods():
    """A function of somebody else that calls a kernel: only the kernel is compiled with libraries of ours."""
    inner = private_kernel(lambda x: 2.0 * x, {}, inner=True, stored=False)
    usual, libraries = JITCPUCodegen.create_library, []
    watch = lambda self, name, **options: libraries.append(name) or usual(self, name, **options)
    try:
        JITCPUCodegen.create_library = watch
        assert numba.njit(lambda x: inner(x) + 1.0)(3.0) == 7.0
        assert JITCPUCodegen.create_library is watch
    finally:
        JITCPUCodegen.create_library = usual
    assert any("lambda" in name for name in libraries)
    assert not any(name.startswith(private.INNER) for name in libraries)


@pytest.mark.parametrize("place, number", [(0, 0), (1, WORKSPACE.end + 1)])
def test_what_is_no_header_is_not_called(place, number):
    """Its first integer is the magic number, its second its length. Oracle: nothing is written."""
    s = mk.System("pendulum")
    s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=2.0)
    solver = mk.stepper(s)
    handle = open_model(solver.tables, solver.workspace)
    y, yd = solver.y.copy(), np.full(len(solver.y), 7.0)
    handle.header[place] = number
    rhs(handle, 0.0, y, yd)
    assert (yd == 7.0).all() and np.isnan(project(handle, 0.0, y, np.zeros(1)))
