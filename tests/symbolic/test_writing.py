"""What is written is what was meant. Oracles: Python's own reader for the text, SymPy's numbers for its form, the
expressions themselves.

Text and SymPy are evaluated by other programs in another order: they agree to 1e-12 of the largest number met, some
thousand roundings.
"""

import math

import numpy as np
import pytest
import sympy

import mekane as mk
from mekane import gallery
from mekane.errors import ModelError
from mekane.expressions.graph import evaluate, select, symbol
from mekane.symbolic.printing.printer import write
from mekane.symbolic.printing.text import Text

ROUND_OFF = 1e-12
MATH = {name: getattr(math, name) for name in dir(math) if not name.startswith("_")}
EXPANDED = (
    "double_pendulum",
    "four_bar",
    "car_axis",
    "gyroscope",
    "heavy_top",
    "robot",
    "two_bar_truss",
    "slider_crank_spatial",
)
WITH_NAMES = ("cam", "rolling_disc_1", "squeezer")


def a_point(eq, seed=3):
    """{short name: number} of all that moves, and of the parameters."""
    rng = np.random.default_rng(seed)
    moving = [*eq.coordinates, *eq.speeds, *eq.multipliers, *(f"{name}'" for name in eq.speeds)]
    return {"t": 0.4} | {name: rng.uniform(0.2, 1.2) for name in moving}


def of_parameters(eq):
    return {eq.naming.of(name).text: value for name, value in eq.traced.values.items()}


def read(text, values):
    """What Python makes of a text; a name with a stroke is not one of Python's."""
    names = {name.replace("'", "_rate"): x for name, x in values.items()}
    return eval(text.replace("'", "_rate"), MATH | names)


def all_formulas(eq):
    return [
        eq.kinematical,
        eq.active_forces,
        eq.inertia_forces,
        eq.mass_matrix,
        eq.forcing,
        eq.kinetic_energy,
        eq.potential_energy,
    ] + ([eq.constraints, eq.constraint_matrix, eq.constraint_bias] if eq.has_rows else [])


@pytest.mark.parametrize("name", EXPANDED + WITH_NAMES)
def test_text_reads_back_to_the_same_value(name):
    """Line by line, definitions of intermediate variables first, as a program would."""
    eq = mk.equations(gallery.find(name).system())
    formulas, point = all_formulas(eq), a_point(eq)
    values = of_parameters(eq) | point
    for short, expr in eq.book.definitions:
        values[eq.naming.of(short).text] = read(write(expr, eq.book.text), values)
    lines = 0
    for formula in formulas:
        found = [read(write(x, eq.book.text), values) for x in formula.expr.ravel()]
        wanted = formula.evaluate(**point).ravel()
        assert found == pytest.approx(list(wanted), rel=0, abs=ROUND_OFF * max(1.0, np.abs(wanted).max(initial=0.0))), (
            formula.symbol
        )
        lines += len(found)
    assert lines > 4


@pytest.mark.parametrize("name", EXPANDED)
def test_sympy_has_the_same_numbers(name):
    eq = mk.equations(gallery.find(name).system())
    point = a_point(eq)
    values = of_parameters(eq) | point
    forms = eq.book.sympy
    inputs = {
        forms.symbol(full): short.text
        for full, short in eq.naming.names.items()
        if short.text in values and not short.dots
    }
    plain = {x: sympy.Dummy() for x in inputs}
    for formula in (eq.mass_matrix, eq.forcing):
        found = sympy.lambdify(list(plain.values()), formula.sympy.subs(plain), "numpy")(
            *(values[name] for name in inputs.values())
        )
        wanted = formula.evaluate(**point)
        assert np.array(found, float).ravel() == pytest.approx(wanted.ravel(), abs=ROUND_OFF * np.abs(wanted).max())


@pytest.mark.parametrize("name", ["car_axis", *WITH_NAMES])
def test_definitions_put_in_give_what_was_traced(name):
    """Without intermediate variables: from the formula back to inputs alone."""
    eq = mk.equations(gallery.find(name).system())
    traced, formula = eq.trace.forcing, eq.forcing
    values = eq.traced.values | {
        eq_name: a_point(eq)[short.text] for eq_name, short in eq.naming.names.items() if short.text in a_point(eq)
    }
    assert eq.book.definitions
    whole = [formula.without_intermediates(x) for x in formula.expr]
    found, wanted = np.array(evaluate(whole, values), float), np.array(evaluate(traced, values), float)
    assert found == pytest.approx(wanted, abs=ROUND_OFF * np.abs(wanted).max())


x, y = symbol("x"), symbol("y")
STYLE = Text(type("Plain", (), {"of": lambda self, name: type("Name", (), {"text": name})})())


@pytest.mark.parametrize(("expr", "text"), [
    (x - (y - 2), "x - y + 2"), (x - 2 * (y - 2), "x - 2*(y - 2)"), (-(x + y), "-(x + y)"), (x * -2.7, "-2.7*x"), (1.5 * x, "3*x/2"),
    (x / (y * 2), "x/(2*y)"), (0.5 * x, "x/2"), (x / 3, "x/3"), (1 / x**2, "1/x**2"), (x**3, "x**3"), ((x + y)**2, "(x + y)**2"),
    (x**-y, "x**(-y)"), (x**0.3, "x**(0.3)"), (np.sin(x)**2, "sin(x)**2"), (-np.cos(x + y) * x, "-cos(x + y)*x"), (x * 1e-7, "1e-07*x"),
    (select(x < y, 1, -x), "(1 if x < y else -x)"), ((x / y) / (y / x), "x**2/y**2"), (x - -3.0, "x + 3"), (np.sqrt(x) / 2, "sqrt(x)/2"),
    ((-x)**1.5, "(-x)**(1.5)"), (1.0, "1"), (-0.25, "-0.25"),
])  # fmt: skip
def test_small_texts(expr, text):
    assert write(expr, STYLE) == text
    values = {"x": 0.7, "y": 1.9}
    if text != "(-x)**(1.5)":  # of a negative number
        assert eval(text, MATH | values) == pytest.approx(float(evaluate(expr, values)), rel=1e-14)


# ---------------------------------------------------------------- refusals


def a_pendulum(**keywords):
    s = mk.System("pendulum")
    arm = s.body("arm", mass=mk.Param("m", 2.0), inertia=(1, 1, 1), position=(0, 0, -1))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y", **keywords)
    return s


def test_too_large_to_be_expanded_is_offered_with_intermediate_variables():
    with pytest.raises(ModelError, match='Use form="z"') as error:
        mk.equations(gallery.find("squeezer").system(), form="expanded")
    assert "squeez" in error.value.part.lower() and "terms in one place" in error.value.problem
    assert mk.equations(gallery.find("squeezer").system()).form == "z"


@pytest.mark.parametrize(("keywords", "named"), [
    (dict(method="kanes"), "kane"), (dict(method=3), "kane"), (dict(form="expand"), "expanded"), (dict(form=None), "expanded"),
    (dict(parameters="symbolik"), "symbolic"), (dict(parameters=["no such"]), "no such"), (dict(parameters=["arm.masss"]), "'mass'"),
    (dict(parameters=7), "symbolic"), (dict(formulation="joints"), "joint"),
])  # fmt: skip
def test_unknown_keywords_name_those_known(keywords, named):
    with pytest.raises(ModelError) as error:
        mk.equations(a_pendulum(), **keywords)
    assert named in str(error.value)


def test_an_untraceable_function_is_named_with_the_remedy():
    s = a_pendulum()
    s.motor("drive", "hinge", torque=lambda t, state: 1.0 if state["hinge.angle"] > 0 else math.cos(float(t)))
    with pytest.raises(ModelError) as error:
        mk.equations(s)
    assert "drive" in error.value.part and "torque" in error.value.problem and "mk.select" in error.value.remedy


# ---------------------------------------------------------------- formulas


def test_evaluate_names_what_is_missing():
    eq = mk.equations(gallery.find("double_pendulum").system())
    with pytest.raises(ModelError) as error:
        eq.forcing.evaluate(q_shoulder=0.1)
    assert all(name in error.value.problem for name in ("q_elbow", "u_shoulder", "u_elbow"))
    assert "q_shoulder" not in error.value.problem


def test_evaluate_refuses_names_that_mean_nothing():
    with pytest.raises(ModelError, match="q_hing: it stands in no equation.*Did you mean 'q_hinge'"):
        mk.equations(a_pendulum()).forcing.evaluate(q_hinge=0.1, q_hing=0.1)


def test_evaluate_takes_short_and_full_names_and_other_parameters():
    eq = mk.equations(a_pendulum())
    at = lambda **values: eq.forcing.evaluate(**values).item()
    assert at(q_hinge=0.3) == at(**{"hinge.angle": 0.3}) == pytest.approx(-2 * 9.81 * math.sin(0.3))
    assert at(q_hinge=0.3, m=5.0) == pytest.approx(-5 * 9.81 * math.sin(0.3))


def test_simplify_is_sympys():
    """Closed form of a pendulum: (m l² + I) u' = −m g l sin q"""
    eq = mk.equations(a_pendulum(), parameters=["m"])
    m, q = sympy.Symbol("m", real=True), sympy.Function("q_hinge")(sympy.Symbol("t"))
    assert sympy.simplify(eq.mass_matrix.simplify()[0, 0] - (m + 1)) == 0
    assert sympy.simplify(eq.forcing.simplify()[0] + sympy.Float(9.81) * m * sympy.sin(q)) == 0
    assert (
        sympy.simplify(eq.kinetic_energy.simplify() - (m + 1) * sympy.Function("u_hinge")(sympy.Symbol("t")) ** 2 / 2)
        == 0
    )


def test_parts_of_formulas_are_formulas():
    eq = mk.equations(gallery.find("double_pendulum").system())
    assert eq.mass_matrix.shape == (2, 2) and len(eq.forcing) == 2
    assert eq.mass_matrix[0, 1].sympy == eq.mass_matrix.sympy[0, 1] == eq.mass_matrix.sympy[1, 0]
    assert eq.mass_matrix[0].evaluate(q_elbow=0.2) == pytest.approx(eq.mass_matrix.evaluate(q_elbow=0.2)[0])
    assert eq.mass_matrix[0, 1].latex in eq.mass_matrix.latex.replace("&", "")
    assert eq.mass_matrix[0, -1].text == eq.mass_matrix.text.splitlines()[1] and eq.mass_matrix[0, -1].text.startswith(
        "M[1,2] = "
    )
    assert eq.forcing[-1].text == eq.forcing.text.splitlines()[1] and eq.velocities["upper"][0].text.startswith(
        "v_upper[x] = "
    )
    assert eq.mass_matrix[1].text.startswith("M[1] = ") and eq.kinetic_energy[()].text == eq.kinetic_energy.text
    assert eq.mass_matrix.operations > eq.mass_matrix[1, 1].operations > 0


def test_notebooks_show_mathematics():
    eq = mk.equations(a_pendulum())
    assert eq.mass_matrix._repr_latex_().startswith("$\\displaystyle M_{1,1} = ")
    page = eq._repr_markdown_()
    assert page.count("$$") == 2 * page.count(r"\begin{aligned}") == 2 * page.count("### ") == 20
    assert "### Mass matrix" in page and r"\dot{q}_{\mathrm{hinge}}" in page and "| `m` | 2 | parameter 'm' |" in page
    large = mk.equations(gallery.find("squeezer").system())._repr_markdown_()
    assert "Intermediate variables (" in large and "lines more." in large and len(large) < 200_000


def test_notebooks_need_no_network_for_mathematics():
    """What is shown first, HTML, is MathML: no TeX for a library to set. Many equations are left to Markdown."""
    eq = mk.equations(a_pendulum())
    for shown in (eq._repr_html_(), eq.mass_matrix._repr_html_()):
        assert "<math" in shown and ".mekane-equations" in shown and "\\" not in shown and "http" not in shown
    assert eq._repr_html_().count("<h3>") == 10  # as many sections as the Markdown has
    assert mk.equations(gallery.find("squeezer").system())._repr_html_() is None
