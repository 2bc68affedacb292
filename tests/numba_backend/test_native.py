"""Machine code on disk, called without Numba.

Oracles: the same code called by Numba, bit by bit; Numba's own types and its own view of the processor.
"""

import json
import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from numba import typeof
from numba.core.registry import cpu_target

from mekane.numba_backend import native
from mekane.numba_backend.kernel import plain
from mekane.numba_backend.processor import processor
from mekane.solvers.step_start import just_after

WITHOUT_NUMBA = """
import sys
class Refused:
    def find_spec(self, name, path=None, target=None):
        if name == "numba":
            raise ImportError("Numba is not to be loaded")
sys.meta_path.insert(0, Refused())
"""
RUNS = """
import json
import mekane as mk

def model(loop):
    s = mk.System("four-bar" if loop else "pendulum")
    s.body("crank", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0.5))
    s.pin("a", s.ground, "crank", at=(0, 0, 0), axis="y", rate=2.0)
    s.motor("drive", "a", torque="table(t, (0, 0), (0.1, 1), (0.3, 0.5))" if loop else "0.3*sign(a.angle - 0.2) + sin(3*t)")
    if loop:
        s.body("coupler", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 1))
        s.body("rocker", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(1, 0, 0.5))
        s.pin("b", "crank", "coupler", at=(0, 0, 1), axis="y")
        s.pin("c", "coupler", "rocker", at=(1, 0, 1), axis="y")
        s.pin("d", "rocker", s.ground, at=(1, 0, 0), axis="y")
    return s

found = []
for loop in (False, True):
    run = mk.simulate(model(loop), 0.3, every=0.1)
    found += [run.record.y.tolist(), run.reaction("a")["force"].values.tolist(), run["crank.position"].values.tolist(), str(run.health)]
print(json.dumps(found))
"""


def printed(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_runs_need_no_numba_and_have_the_same_bits():
    """A tree with a law that compares, a closed loop with a table: motion, reactions, positions, health."""
    by_numba = printed("import numba\n" + RUNS)  # compiles what is not on disk yet
    assert printed(WITHOUT_NUMBA + RUNS) == by_numba


@pytest.mark.parametrize(
    "variables",
    [{}, {"NUMBA_CPU_NAME": "generic"}, {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2"}, {"NUMBA_ENABLE_AVX": "0"}],
)  # fmt: skip
def test_the_processor_is_the_one_that_numba_sees(variables):
    program = """
from mekane.numba_backend.kernel import plain
from mekane.numba_backend.processor import processor
from mekane.solvers.step_start import just_after
found = processor()
from numba.core.registry import cpu_target
assert found == cpu_target.target_context.codegen().magic_tuple(), (found, cpu_target.target_context.codegen().magic_tuple())
"""
    done = subprocess.run([sys.executable, "-c", program], env=os.environ | variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_settings_in_the_working_folder_are_seen(tmp_path, monkeypatch):
    """Numba reads a file there: then its own answer counts."""
    (tmp_path / ".numba_config.yaml").write_text("cpu_name: generic\n")
    monkeypatch.chdir(tmp_path)
    assert processor.__wrapped__() == cpu_target.target_context.codegen().magic_tuple()


class Pair(NamedTuple):
    left: np.ndarray
    right: np.ndarray


FROZEN = np.zeros(3)
FROZEN.flags.writeable = False


@pytest.mark.parametrize(
    "value",
    [1.5, np.float64(2.0), 3, np.int64(4), True, np.zeros(3), np.zeros((2, 3)), np.zeros((0, 3)), np.zeros(2, np.int64),
     (1, 2.0), Pair(np.zeros(2), np.zeros((1, 1))), (Pair(np.zeros(1), np.zeros(1)), 1)],
)  # fmt: skip
def test_kinds_are_those_of_numbas_types(value):
    kind = native.kind_of(value)
    assert kind is not None and kind == native.kind_of_type(typeof(value))


@pytest.mark.parametrize(
    "value",
    [FROZEN, np.zeros((3, 3)).T, np.zeros(6)[::2], np.zeros(3, np.float32), np.zeros(3, np.int32), np.zeros(3, complex), "a", None],
)  # fmt: skip
def test_what_code_on_disk_does_not_take(value):
    """Another layout or scalar is other code for Numba: it must not be called with it."""
    assert native.kind_of(value) is None


def test_code_that_needs_unknown_functions_is_not_loaded():
    """LLVM ends the process where a name cannot be found."""
    assert native.is_there("sin") and native.is_there("numba_gil_ensure") and native.is_there("numba_nextafter")
    assert not native.is_there("no_such_function")


def test_numbers_of_a_tuple_are_kept_as_long_as_it_is_the_same(monkeypatch):
    """What a call is given are the numbers of the tuple of that call, kept or not; large ones are not kept alive."""
    calls = native.Calls(lambda pair: None)
    monkeypatch.setattr(calls, "_load", lambda kinds, arguments: lambda numbers: numbers)
    pairs = [Pair(np.zeros(2), np.zeros((1, 3))) for _ in range(3)]
    for one in (pairs[0], pairs[0], pairs[1], pairs[2], pairs[0]):
        assert calls.find((one, 1.5))() == [*native.flat(one), 1.5]
        assert calls._kept[0][0] is one
    large = Pair(np.zeros(2), np.zeros((1, native.KEPT)))
    assert calls.find((large, 1.5))() == [*native.flat(large), 1.5] and calls._kept[0][0] is pairs[0]


def test_kernels_that_only_kernels_call_are_refused_to_python():
    """Their code has no part that unpacks Python's objects: calling it ended the process."""
    with pytest.raises(TypeError, match=r"only compiled code calls the kernel just_after: .*outer=True"):
        just_after(0.1, 1.0, 0.2)
    assert plain(just_after)(0.1, 1.0, 0.2) == 0.1 + 1e-12
