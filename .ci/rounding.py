"""Ranks, zero eigenvalues, redundant rows, equilibria: decided by tolerances, not by the last bit of a processor's BLAS or compiler.

    python .ci/rounding.py        those tests in which round-off could change a decision, with the arithmetic of several processors

OpenBLAS does not ask whether this machine has the instructions of the processor it is told: those it lacks are left out, and said. So is
Haswell where there is no AVX-512: its arithmetic is what all other tests have run with.
"""

import os
import subprocess
import sys
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
# setting: the instructions it needs, in numpy's words
PROCESSORS = {
    "OPENBLAS_CORETYPE=SkylakeX": {"AVX512F", "AVX512CD", "AVX512_SKX"},
    "OPENBLAS_CORETYPE=Haswell": {"AVX2", "FMA3"},
    "OPENBLAS_CORETYPE=Prescott": {"SSE3"},
    "NUMBA_CPU_NAME=generic": set(),
}


def main():
    failed = []
    for setting, needed in PROCESSORS.items():
        missing = sorted(name for name in needed if not found.get(name))
        if missing:
            print(f"--- {setting}: left out, this processor has no {', '.join(missing)}", flush=True)
        elif "Haswell" in setting and not found.get("AVX512F"):
            print(f"--- {setting}: left out, this processor's own", flush=True)
        elif exit_code(setting):
            failed.append(setting)
    if failed:
        print("failed with", *failed)
    return bool(failed)


def exit_code(setting):
    """Exit code of the tests with this setting."""
    print(f"--- {setting}", flush=True)
    name, value = setting.split("=")
    tests, workers = (TESTS, "auto") if "BLAS" in name else (FEW, "0")  # two would compile the same kernels
    command = [sys.executable, "-m", "pytest", "-q", "-n", workers, "-k", "not root_locus", *tests]
    return subprocess.run(command, cwd=ROOT, env=os.environ | {name: value}).returncode


if __name__ == "__main__":
    sys.exit(main())
