"""The exported JAX file can be compiled and differentiated, and gives the numbers of the engine. Oracles: see
exported.py.

JAX is large and no part of Mekane: without it these tests are skipped.
"""

import numpy as np
import pytest
from exported import GALLERY, OTHERS, T, compare, exported

import mekane as mk
from mekane.exporters import languages

jax = pytest.importorskip("jax")


def played(name):
    names = {"__name__": name}
    exec(compile(languages.find("jax").text(exported(name)[0], name), f"{name}.py", "exec"), names)
    return names


@pytest.mark.parametrize("name", [*GALLERY, *OTHERS])
def test_jax_gives_the_numbers_of_the_engine(name):
    """Operation by operation: compiling the largest takes long."""
    names = played(name)
    with jax.disable_jit():
        compare(name, lambda function, t, y, p: names[function.name](t, y, p))


@pytest.mark.parametrize("name", ["double_pendulum", "slider_crank_planar", "rolling_disc_1", "two_bar_truss", "cam"])
def test_compiled_it_gives_the_same(name):
    names = played(name)
    compare(name, lambda function, t, y, p: jax.jit(names[function.name])(t, y, p))


def test_it_can_be_differentiated():
    """Oracle: the Jacobian that Mekane itself exports."""
    ours = {}
    exec(mk.export_equations(GALLERY["double_pendulum"].system(), language="numpy", jacobian=True), ours)
    y = exported("double_pendulum")[2][:4]
    found = jax.jacfwd(played("double_pendulum")["rhs"], argnums=1)(T, y)
    assert np.abs(found - ours["jacobian"](T, y)).max() <= 1e-12 * np.abs(found).max()
