"""Names in equations: none twice, in text and in LaTeX; text that Python reads; symbols that SymPy takes.

Oracles: Python's and SymPy's own readers. That LaTeX reads them is shown in test_latex_pages.
"""

import keyword

import pytest
import sympy
from odd_names import ODD, odd_system

import mekane as mk
from mekane.expressions.parse import FUNCTION_NAMES


@pytest.fixture(scope="module")
def odd():
    return mk.equations(odd_system(), form="z")


def test_no_two_are_alike(odd):
    names = odd.naming.names
    assert len(names) > 4 * len(ODD)
    for written in ([x.text for x in names.values()], [x.latex for x in names.values()]):
        assert len(set(written)) == len(names)


def test_python_reads_them_apart(odd):
    """As names of variables, which Python normalizes."""
    identifiers = [name.text.rstrip("'") for name in odd.naming.names.values() if not name.dots]
    assert all(
        identifier.isidentifier() and not keyword.iskeyword(identifier) and identifier not in FUNCTION_NAMES
        for identifier in identifiers
    )
    space = {}
    for k, identifier in enumerate(identifiers):
        exec(f"{identifier} = {k}", space)
    assert [eval(identifier, space) for identifier in identifiers] == list(range(len(identifiers)))


@pytest.mark.parametrize(
    "name", ["lambda", "for", "int", "sin", "z1", "M", "q_hinge", "u_hinge", "g", "m_arm", "I", "beta1", "Sigma"]
)
def test_a_parameter_may_be_called(name):
    """It differs from everything else, and its value can be given by the name shown."""
    s = mk.System("pendulum")
    arm = s.body("arm", mass=2.0, inertia=(4, mk.Param(name, 5.0), 4), position=(0, 0, -1))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
    eq = mk.equations(s)
    assert len(set(eq.parameters)) == len(eq.parameters)
    (shown,) = [short for short, (value, _) in eq.parameters.items() if value == 5.0]
    assert eq.mass_matrix.evaluate() == pytest.approx(7.0)
    assert eq.mass_matrix.evaluate(**{shown: 8.0}) == pytest.approx(10.0)
    assert {str(x) for x in eq.mass_matrix.sympy.free_symbols} >= {shown}


def test_symbols_of_sympy_are_those_of_the_text(odd):
    """Names of symbols and functions of time are the names in the text, so both can be read side by side."""
    forms, names = odd.book.sympy, odd.naming.names
    for name, short in names.items():
        symbol = forms.symbol(name)
        assert symbol is forms.symbol(name)
        if short.dots:
            assert isinstance(symbol, sympy.Derivative) and symbol.expr == forms.symbol(name[:-1])
        elif isinstance(symbol, sympy.Symbol):
            assert symbol.name == short.text
        else:
            assert symbol.func.__name__ == short.text and symbol.args == (sympy.Symbol("t"),)


def test_names_a_textbook_would_choose():
    s = mk.System("arm")
    upper = s.body("upper", mass=1.0, inertia=(1, 2, 3), position=(0, 0, -1))
    ball = s.body("lower", mass=mk.Param("m_2", 1.0), inertia=(1, 1, 1), position=(0, 0, -3))
    s.pin("shoulder", s.ground, upper, at=(0, 0, 0), axis="y")
    s.ball("elbow", upper, ball, at=(0, 0, -2))
    s.torsional_spring("coil", "shoulder", stiffness=mk.Param("kappa", 3.0))
    names = mk.equations(s, form="z").naming.names
    assert {x.text for x in names.values()} >= {
        "t", "q_shoulder", "u_shoulder", "u_shoulder'", "e1_elbow", "omega_elbow_x", "m_upper", "m_2", "kappa", "I_upper_yy", "g",
    }  # fmt: skip
    assert {x.latex for x in names.values()} >= {
        "g", r"q_{\mathrm{shoulder}}",
        r"\dot{u}_{\mathrm{shoulder}}", r"\omega_{\mathrm{elbow},x}", "m_{2}", r"\kappa", r"I_{\mathrm{upper},yy}",
    }  # fmt: skip
