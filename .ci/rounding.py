"""Ranks, zero eigenvalues, redundant rows, equilibria: decided by tolerances, not by the last bit of a processor's BLAS or compiler.

    python .ci/rounding.py        those tests in which round-off could change a decision, with the arithmetic of several processors

OpenBLAS does not ask whether this machine has the instructions of the processor it is told: those it lacks are left out, and said. So is
Haswell where there is no AVX-512: its arithmetic is what all other tests have run with.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from numpy._core._multiarray_umath import __cpu_features__ as found

ROOT = Path(__file__).resolve().parent.parent
TESTS = [
    "tests/gallery/test_linearized_gallery.py::test_eigenvalues_are_the_same_in_all_formulations", "tests/analyses/test_tilted.py",
    "tests/analyses/test_mobility.py", "tests/analyses/test_modes.py", "tests/analyses/test_equilibrium.py",
    "tests/results/test_repeated_rows.py",
]  # fmt: skip
# with another compiler everything is compiled anew: those that need the fewest kernels
FEW = ["tests/analyses/test_tilted.py", "tests/analyses/test_mobility.py", "tests/results/test_repeated_rows.py"]
COMPILER = "NUMBA_CPU_NAME=generic"
# setting: the instructions it needs, in numpy's words
PROCESSORS = {
    "OPENBLAS_CORETYPE=SkylakeX": {"AVX512F", "AVX512CD", "AVX512_SKX"},
    "OPENBLAS_CORETYPE=Haswell": {"AVX2", "FMA3"},
    "OPENBLAS_CORETYPE=Prescott": {"SSE3"},
    COMPILER: set(),
}


def main():
    settings = [setting for setting in PROCESSORS if not left_out(setting)]
    others = [setting for setting in settings if setting != COMPILER]
    with ThreadPoolExecutor() as pool:  # the compiler, in one process, beside the others, one after the other
        compiled = pool.submit(outcome, COMPILER)
        outcomes = [outcome(setting) for setting in others] + [compiled.result()]
    failed = [setting for setting, code in zip([*others, COMPILER], outcomes, strict=True) if code]
    if failed:
        print("failed with", *failed)
    return bool(failed)


def left_out(setting):
    """True, and said, if this processor cannot do it, or does it anyway."""
    missing = sorted(name for name in PROCESSORS[setting] if not found.get(name))
    own = "Haswell" in setting and not found.get("AVX512F")
    if missing or own:
        reason = f"this processor has no {', '.join(missing)}" if missing else "this processor's own"
        print(f"--- {setting}: left out, {reason}", flush=True)
    return bool(missing or own)


def outcome(setting):
    """Exit code of the tests with this setting; what they print is printed when they end."""
    name, value = setting.split("=")
    tests, workers = (FEW, "0") if setting == COMPILER else (TESTS, "auto")  # two would compile the same kernels
    command = [sys.executable, "-m", "pytest", "-q", "-n", workers, "-k", "not root_locus", *tests]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {name: value}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    print(f"--- {setting}\n{done.stdout}", flush=True)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
