"""The exported NumPy file needs NumPy alone and gives the numbers of the engine, for every mechanism. Oracles: see
exported.py."""

import ast
import subprocess
import sys

import numpy as np
import pytest
from exported import GALLERY, OTHERS, T, compare, exported

import mekane as mk
from mekane.exporters import languages


def played(name, language="numpy"):
    """The names of the file after it ran in a name space of its own."""
    text, names = languages.find(language).text(exported(name)[0], name), {"__name__": name}
    exec(compile(text, f"{name}.py", "exec"), names)
    return names


@pytest.mark.parametrize("name", [*GALLERY, *OTHERS])
def test_numpy_gives_the_numbers_of_the_engine(name):
    names = played(name)
    compare(name, lambda function, t, y, p: names[function.name](t, y, p))


def test_the_file_imports_numpy_alone(tmp_path):
    """Isolated from the environment's paths, in a folder without Mekane."""
    path = tmp_path / "model.py"
    text = mk.export_equations(GALLERY["four_bar"].system(), path)
    imported = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [ast.unparse(node) for node in imported] == ["import numpy as np"]
    code = "import sys, model; model.rhs(0, model.Y0); assert not [x for x in sys.modules if x.startswith('mekane')]"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


@pytest.mark.parametrize("name", ["four_bar", "laws", "cam"])
def test_many_states_at_once(name):
    """Oracle: one after the other."""
    names, (found, _, y) = played(name), exported(name)
    y = y[: found.sizes["state"]]
    many = np.column_stack([y, 0.9 * y, 1.05 * y])
    for function in found.functions:
        at_once = names[function.name](T, many)
        assert at_once.shape == (*function.shape, 3)
        for k in range(3):
            one = names[function.name](T, many[:, k])
            assert np.allclose(
                at_once[..., k], one, rtol=1e-13, atol=1e-14 * np.abs(one).max(initial=1.0)
            )  # vector units may round otherwise


def test_the_jacobian_is_the_slope_of_the_right_hand_side():
    """Oracle: central differences, h = 1e-6; what they leave is h² times third derivatives and round-off over h, below
    1e-8."""
    names = {}
    exec(mk.export_equations(GALLERY["driven_four_bar"].system(), language="numpy", jacobian=True), names)
    y = exported("driven_four_bar")[2][:6]
    differences = [(names["rhs"](T, y + step) - names["rhs"](T, y - step)) / 2e-6 for step in 1e-6 * np.eye(6)]
    found = names["jacobian"](T, y)
    assert found.shape == (6, 6)
    assert np.abs(found - np.transpose(differences)).max() <= 1e-8 * np.abs(found).max()


def test_parameters_of_laws_are_arguments():
    """Oracle: the engine with another value of the parameter. Numbers where the user wants numbers."""
    system = GALLERY["two_bar_truss"].system()
    names, fixed = {}, {}
    exec(mk.export_equations(system, language="numpy"), names)
    exec(mk.export_equations(system, language="numpy", parameters="numeric"), fixed)
    assert names["PARAMETERS"] == ("load",) and fixed["PARAMETERS"] == ()
    expected = system.with_parameters(load=31.0).forward_dynamics([0.1], [0.2])
    assert names["rhs"](0.0, [0.1, 0.2], [31.0])[1] == pytest.approx(expected[0], rel=1e-13)
    assert fixed["rhs"](0.0, [0.1, 0.2])[1] == pytest.approx(system.forward_dynamics([0.1], [0.2])[0], rel=1e-13)


@pytest.mark.parametrize("name, changed", [
    ("slider_crank_planar", ["crank.mass", "rod.mass"]), ("car_axis", ["left spring.stiffness", "axle.length", "base.mass"]),
    ("robot", ["gravity"]),
])  # fmt: skip
def test_any_number_of_the_model_may_be_an_argument(name, changed):
    """Oracle: the engine's model built with the other numbers, at the same state. Numbers requested by name, then all
    that there are."""
    system = GALLERY[name].system()
    for parameters in (changed, "symbolic"):
        names = {}
        exec(mk.export_equations(system, language="numpy", parameters=parameters), names)
        assert set(changed) <= set(names["PARAMETERS"])
        p = np.where(np.isin(names["PARAMETERS"], changed), 1.3 * names["P"], names["P"])
        if changed == ["gravity"]:
            other = GALLERY[name].system()
            other.gravity = 1.3 * np.array(system.gravity)
        else:
            values = dict(zip(names["PARAMETERS"], p.tolist(), strict=True))
            other = system.with_parameters({one: values[one] for one in changed})
        _, model, y = exported(name)
        n, m = model.n_q, model.n_u
        expected = other.forward_dynamics(y[:n], y[n : n + m], T)
        found = names["rhs"](T, y[: len(names["STATE"])], p)[n : n + m]
        assert np.abs(found - expected).max() <= 1e-11 * np.abs(expected).max()
        assert np.abs(names["mass_matrix"](T, y, p) - other.mass_matrix(y[:n])).max() <= 1e-12 * np.abs(p).max()


def test_the_text_is_the_same_every_time():
    for language in languages.NAMES:
        once, again = (mk.export_equations(GALLERY["cam"].system(), language=language) for _ in range(2))
        assert once == again and once.endswith("\n")


def test_lines_stay_short():
    text = mk.export_equations(GALLERY["squeezer"].system(), language="numpy")
    assert max(map(len, text.splitlines()[130:])) < 500
