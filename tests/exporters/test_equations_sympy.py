"""The exported SymPy script runs, and its matrices have the values of the engine. Oracles: see exported.py."""

import subprocess
import sys

import numpy as np
import pytest
from exported import compare, exported

from mekane.exporters import languages

sympy = pytest.importorskip("sympy")


@pytest.mark.parametrize(
    "name", ["pendulum", "double_pendulum", "two_bar_truss", "slider_crank_planar", "chaplygin_sleigh", "trailer", "cam"]
)
def test_sympy_gives_the_numbers_of_the_engine(name):
    """Intermediate variables are computed one after the other, as they stand in the script. SymPy may reorder sums."""
    names, found = {"__name__": name}, exported(name)[0]
    exec(compile(languages.find("sympy").text(found, name), f"{name}.py", "exec"), names)

    def call(function, t, y, p):
        values = {names["t"]: t, **dict(zip(names["START"], y, strict=True)), **names["VALUES"]}
        for z, meaning in names["Z"]:
            values[z] = value(meaning, values)
        return [value(x, values) for x in names[function.name]]

    compare(name, call)


def value(x, values):
    """The number an expression comes to, in NumPy."""
    reads = [one for one in values if x.has(one)]
    return float(sympy.lambdify(reads, x, "numpy")(*(values[one] for one in reads)))


def test_small_models_can_be_written_out():
    """Oracle: the textbook's point pendulum, m = l = 1: M = 1, f = -g sin(angle)."""
    names = {"__name__": "pendulum"}
    exec(languages.find("sympy").text(exported("pendulum")[0], "pendulum"), names)
    angle = names["hinge_angle"]
    assert sympy.simplify(names["expanded"](names["mass_matrix"])) == sympy.Matrix([1])
    assert names["expanded"](names["forcing"])[0] == -9.81 * sympy.sin(angle)
    assert angle.diff(names["t"]) != 0
    assert np.isclose(list(names["START"].values())[0], exported("pendulum")[1].y[0])


def test_run_as_a_program_it_prints(tmp_path):
    (tmp_path / "model.py").write_text(languages.find("sympy").text(exported("pendulum")[0], "pendulum"), encoding="utf-8")
    done = subprocess.run([sys.executable, "model.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "mass_matrix =" in done.stdout and "hinge_angle" in done.stdout
