"""mekane equations: as text, LaTeX, JSON and code. Oracle: the equation of a pendulum, m l² q" = −m g l sin q, and
mk.equations itself."""

import json

import numpy as np
import pytest

import mekane as mk

PENDULUM = """
system: pendulum
parameters: {m: 2, l: 0.5}
bodies:
  bob: {mass: $m, position: [0, 0, $-l]}
joints:
  hinge: {pin: [ground, bob], at: [0, 0, 0], axis: y}
"""


@pytest.fixture
def pendulum(tmp_path):
    path = tmp_path / "pendulum.yaml"
    path.write_text(PENDULUM)
    return path


def test_text_is_that_of_python(mekane, pendulum):
    output = mekane("equations", pendulum)
    assert output.code == 0 and output.out.strip() == mk.equations(mk.load_model(pendulum)).text
    assert "M[1,1] = m*l**2" in output.out and "f[1] = -m*l*g*sin(q_hinge)" in output.out


def test_latex_is_a_document(mekane, pendulum):
    output = mekane("equations", pendulum, "--latex")
    assert output.out.startswith(r"\documentclass") and r"M_{1,1} &= m \, l^{2}" in output.out


def test_a_web_page(mekane, pendulum, tmp_path):
    """By option and by the ending of the file: that of Python, and nothing in it is loaded from elsewhere."""
    page = mk.equations(mk.load_model(pendulum)).html
    assert mekane("equations", pendulum, "--html").out.strip() == page.strip()
    assert mekane("equations", pendulum, "-o", tmp_path / "pendulum.html").code == 0
    assert (tmp_path / "pendulum.html").read_text(encoding="utf-8") == page
    assert "default-src 'none'" in page and "://" not in page and "<script" not in page


def test_json(mekane, pendulum):
    found = json.loads(mekane("equations", pendulum, "--json").out)
    assert found["sections"]["Mass matrix"] == ["M[1,1] = m*l**2"] and found["parameters"]["l"]["value"] == 0.5


def test_numbers_in_place_of_symbols(mekane, pendulum):
    assert "M[1,1] = 0.5" in mekane("equations", pendulum, "--parameters", "numeric").out


@pytest.mark.parametrize("method", ["lagrange", "newton"])
def test_other_methods(mekane, pendulum, method):
    assert (
        mekane("equations", pendulum, "--method", method).out.strip()
        == mk.equations(mk.load_model(pendulum), method).text
    )


def test_code_by_the_ending_of_the_file(mekane, pendulum, tmp_path):
    """The file is run: ud = −g/l sin q, to rounding."""
    assert mekane("equations", pendulum, "-o", tmp_path / "pendulum.py").code == 0
    space = {}
    exec((tmp_path / "pendulum.py").read_text(), space)
    assert space["rhs"](0.0, np.array([0.3, 0.1]), np.array([2.0, 0.5])) == pytest.approx(
        [0.1, -9.81 / 0.5 * np.sin(0.3)], rel=1e-15
    )


@pytest.mark.parametrize(
    "option, mark",
    [
        ("--c", "#include <math.h>"),
        ("--jax", "jax.numpy"),
        ("--casadi", "casadi"),
        ("--matlab", "function"),
        ("--sympy", "sympy"),
    ],
)
def test_code_on_the_screen(mekane, pendulum, option, mark):
    assert mark in mekane("equations", pendulum, option).out


def test_any_language_by_its_name_or_the_suffix_of_its_files(mekane, pendulum, tmp_path):
    """The header of C has no option of its own."""
    header = mk.export_equations(mk.load_model(pendulum), language="h")
    assert mekane("equations", pendulum, "--language", "h").out.strip() == header.strip()
    assert mekane("equations", pendulum, "-o", tmp_path / "pendulum.h").code == 0
    assert (tmp_path / "pendulum.h").read_text() == mk.export_equations(mk.load_model(pendulum), tmp_path / "other.h")


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (("--c", "--latex"), "--latex and --c are given"),
        (("--c", "--method", "newton"), "--method is given"),
        (("--json", "-o", "x.txt"), "--json and -o are both given"),
        (("--method", "kan"), "Did you mean 'kane'?"),
        (("--form", "short"), "form is 'short'"),
        (("--parameters", "bob.mas"), "Did you mean 'mass'?"),
        (("-o", "x.xyz"), "its name ends in '.xyz'"),
        (("--language", "fortran"), "there are c, casadi, h, javascript, jax"),
        (("--language", "jax", "--c"), "--c and --language are given"),
    ],
)
def test_refused(mekane, pendulum, arguments, problem):
    output = mekane("equations", pendulum, *arguments)
    assert output.code != 0 and problem in output.err


def test_modes_of_contacts(mekane, tmp_path):
    path = tmp_path / "block.yaml"
    mk.save_model(slope(), path)
    output = mekane("equations", path, "--modes", "slope=sliding")
    assert output.out.strip() == mk.equations(mk.load_model(path), modes={"slope": "sliding"}).text
    assert "Friction of what slides" in output.out
    assert "Friction" not in mekane("equations", path).out
    refused = mekane("equations", path, "--modes", "slope")
    assert refused.code and "Write --modes floor=sliding" in refused.err
    refused = mekane("equations", path, "--modes", "slope=sliding", "--c")
    assert refused.code and "Leave out --modes" in refused.err


def slope():
    s = mk.System("block")
    s.body("block", mass=2, velocity=(1, 0, 0))
    s.contact("slope", ("block", (0, 0, 0)), (s.ground, mk.Plane()), friction=0.3)
    return s
