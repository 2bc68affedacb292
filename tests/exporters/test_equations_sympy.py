"""The exported SymPy script runs, and its matrices have the values of the engine. Oracles: see exported.py."""

import subprocess
import sys

import numpy as np
import pytest
from exported import compare, exported
from languages_played import play

from mekane.exporters import languages

sympy = pytest.importorskip("sympy")


@pytest.mark.parametrize(
    "name",
    ["pendulum", "double_pendulum", "two_bar_truss", "slider_crank_planar", "chaplygin_sleigh", "trailer", "cam"],
)
def test_sympy_gives_the_numbers_of_the_engine(name, tmp_path):
    """Intermediate variables are computed one after the other, as they stand in the script. SymPy may reorder sums."""
    call = play(exported(name)[0], "sympy", tmp_path)
    compare(name, lambda function, t, y, p: call(function.name, t, y, p))


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
    (tmp_path / "model.py").write_text(
        languages.find("sympy").text(exported("pendulum")[0], "pendulum"), encoding="utf-8"
    )
    done = subprocess.run([sys.executable, "model.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "mass_matrix =" in done.stdout and "hinge_angle" in done.stdout
