"""The exported CasADi file gives the numbers of the engine. Oracles: see exported.py.

CasADi is large and no part of Mekane: without it the text runs with a stand-in that has CasADi's names and computes with
NumPy, which knows nothing of how Mekane writes; with it, on CasADi itself.
"""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from exported import GALLERY, OTHERS, T, compare, exported

import mekane as mk
from mekane.exporters import languages

FEW = ("double_pendulum", "slider_crank_planar", "rolling_disc_1", "cam", "two_bar_truss", *OTHERS)
NAMES = [*FEW, *(pytest.param(name, marks=pytest.mark.exhaustive) for name in GALLERY if name not in FEW)]
FUNCTIONS = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "floor", "power")
OTHER_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2"}


class Matrix(np.ndarray):
    """Columns first in reshape, as CasADi has it."""

    def __new__(cls, values):
        return np.asarray(values, float).view(cls)


def stand_in():
    """What the text uses of CasADi. Its symbols are numbers: ca.Function keeps the Python function behind a call."""
    kinds = SimpleNamespace(
        sym=lambda name, n=None: 0.5 if n is None else Matrix(np.full(n, 0.5)), zeros=lambda n: Matrix(np.zeros(n))
    )
    found = {name: getattr(np, name) for name in FUNCTIONS}
    found |= {name: getattr(np, other) for name, other in OTHER_NAMES.items()}

    class SX:
        sym = kinds.sym

        def __new__(cls, values):
            return Matrix(values)

    class DM(SX):
        zeros = kinds.zeros

    reshape = lambda values, rows, columns: np.reshape(values, (rows, columns), order="F")
    found |= dict(SX=SX, DM=DM, vertcat=lambda *values: np.array(values, float), reshape=reshape)
    found |= dict(if_else=lambda condition, yes, no: yes if condition else no)
    return SimpleNamespace(
        **found, Function=lambda name, arguments, values, names, out: sys._getframe(1).f_globals[name]
    )


def played(name, library):
    names = {"__name__": name}
    text = languages.find("casadi").text(exported(name)[0], name)
    before = sys.modules.get("casadi")
    sys.modules["casadi"] = library
    try:
        with np.errstate(all="ignore"):
            exec(compile(text, f"{name}.py", "exec"), names)
    finally:
        sys.modules.pop("casadi")
        if before is not None:
            sys.modules["casadi"] = before
    return names


@pytest.mark.parametrize("name", NAMES)
def test_the_text_gives_the_numbers_of_the_engine(name):
    names = played(name, stand_in())
    compare(name, lambda function, t, y, p: names[function.name](t, y, p))


@pytest.mark.parametrize("name", NAMES)
def test_casadi_gives_the_numbers_of_the_engine(name):
    names = played(name, pytest.importorskip("casadi"))
    compare(name, lambda function, t, y, p: np.array(names[function.name](t, y, p)))


def test_casadi_differentiates_it():
    """Oracle: the Jacobian that Mekane itself exports."""
    casadi = pytest.importorskip("casadi")
    names, ours = played("double_pendulum", casadi), {}
    exec(mk.export_equations(GALLERY["double_pendulum"].system(), language="numpy", jacobian=True), ours)
    y = exported("double_pendulum")[2][:4]
    state = casadi.SX.sym("y", 4)
    found = np.array(casadi.Function("J", [state], [casadi.jacobian(names["rhs"](T, state, names["P"]), state)])(y))
    assert np.abs(found - ours["jacobian"](T, y)).max() <= 1e-12 * np.abs(found).max()
