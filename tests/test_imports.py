"""A model is built, read and written, and help is shown, without loading what only computing and drawing need.

Oracle: sys.modules of a fresh process, never a time.
"""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

HEAVY = ("numba", "llvmlite", "scipy", "xarray", "sympy", "matplotlib", "pandas", "h5py", "rich", "typer")
BUILD = """
import mekane as mk
s = mk.System("pendulum", parameters={"k": "5 N/m"})
arm = s.body("arm", mass=1.0, shape=mk.Rod(1.0), position=(0, 0, -0.5))
s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y", rate=2.0)
s.point_on_plane("floor", point=(arm, (0, 0, 0)), on=(s.ground, (0, 0, 0)), normal="z")
s.spring("spring", (s.ground, (1, 0, 0)), (arm, (0, 0, -0.5)), stiffness="k", length=0.4)
s.motor("drive", "hinge", torque="0 if t < 1 else t")
repr(s), s.to_dict(), s.with_parameters({"k": 2.0})
"""
PROGRAMS = {
    "import": ("import mekane", ()),
    "functions of a state": ("import mekane.solvers.entries.tree_functions", ()),
    "build": (BUILD, ()),
    "files": (
        BUILD + "mk.save_model(s, 'model.yaml'); assert mk.load_model('model.yaml').to_dict() == s.to_dict()\n"
        "import sys; assert 'mekane.importers.urdf' not in sys.modules",
        (),
    ),
    "help": (
        "from mekane.cli.main import main\ntry:\n    main(['run', '--help'])\nexcept SystemExit:\n    pass",
        ("typer",),
    ),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_heavy_packages_are_loaded_when_needed(program, tmp_path):
    code, needed = PROGRAMS[program]
    code += f"\nimport json, sys; print(json.dumps([name for name in {HEAVY} if name in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == list(needed)


def test_a_kind_is_imported_when_it_is_first_used():
    """Kinds are known by the names of their files. Oracle: sys.modules of a fresh process."""
    code = """
import sys
import mekane as mk
from mekane.model.force import force_kinds
def kinds():
    found = [name.split(".")[1:] for name in sys.modules if name.startswith("mekane.")]
    return [".".join(name) for name in found if len(name) == 2 and name[0] in ("joints", "forces", "constraints", "contacts")]
s = mk.System()
assert {"pin", "spring", "gear", "contact"} <= set(dir(s)) and "spring" in force_kinds and "gear" not in force_kinds
assert kinds() == [], kinds()
s.pin("hinge", s.ground, s.body("arm", mass=1.0), at=(0, 0, 0), axis="y")
assert kinds() == ["joints.pin"], kinds()
assert mk.System.spring.record_class is force_kinds["spring"] and len(force_kinds) == len(list(force_kinds.values()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_run_without_contact_laws_does_not_load_their_solver():
    """Nor its compiled code. Oracle: sys.modules of a fresh process."""
    code = """
import sys
import mekane as mk
s = mk.System()
s.pin("hinge", s.ground, s.body("arm", mass=1.0, inertia=(1, 1, 1), position=(0, 0, -0.5)), at=(0, 0, 0), axis="y")
mk.simulate(s, 0.01)
found = [name for name in sys.modules if name.startswith(("mekane.solvers.contacts.", "mekane.solvers.moreau", "mekane.kernels.moreau"))]
assert found == ["mekane.solvers.contacts.incipient_sliding"], found  # the time loop calls it
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_kernels_know_every_function_of_scalars():
    """What `scalar` announces reaches Numba however late the first kernel is made: one is compiled after the model was
    built."""
    code = """
import sys
from mekane.algebra import scalar
from mekane.expressions.table import Table, interpolate
assert "numba" not in sys.modules
from mekane.numba_backend.kernel import kernel
curve = Table((0.0, 1.0, 3.0), (0.0, 2.0, -1.0))
def f(rows, x):
    return scalar.atan2(scalar.tanh(x), scalar.power(x, 2.0)) + scalar.maximum(x, 1.0) + interpolate(rows, 0, 3, 0, x)
assert abs(kernel(f, outer=True)(curve.rows, 0.5) - f(curve.rows, 0.5)) < 1e-15
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_run_leaves_scipy_where_numba_needs_it():
    """SciPy's linear algebra is not loaded to compile kernels, and a user's own function that needs it still is
    compiled."""
    code = """
import sys, numba, numpy as np
import mekane.numba_backend.compiling
from numba.np import arraymath, linalg
assert "scipy.linalg" not in sys.modules and arraymath._HAVE_BLAS and arraymath.ensure_blas is linalg.ensure_blas
assert numba.njit(lambda a: np.dot(a, a))(np.eye(2)).tolist() == [[1.0, 0.0], [0.0, 1.0]]
assert "scipy.linalg" in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_modules_of_the_tests_have_names_of_their_own():
    """Files of the tests import their helpers by bare names (pytest puts each folder on the path): of two modules of one
    name, one worker would find the wrong one, depending on which tests ran before. Oracle: the files."""
    files = [file for file in Path(__file__).parent.rglob("*.py") if file.name not in ("conftest.py", "__init__.py")]
    names = Counter(file.stem for file in files if "plugin_package" not in file.parts)
    assert not [name for name, count in names.items() if count > 1]
