"""Formulas of quantities, and tables of them. Oracles: NumPy on the plain quantities, bit for bit where the operations
are the same; the scalar evaluation of expressions, sample by sample; units written down by hand; xarray beside pandas."""

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ExpressionError, ModelError, UnitError
from mekane.expressions.arrays import evaluate_over
from mekane.expressions.graph import evaluate
from mekane.expressions.parse import parse


@pytest.fixture(scope="module")
def run():
    s = mk.System("two arms", parameters={"k": "4 kN/m", "n": 2.0})
    s.body("a", 1, (0.1, 0.1, 0.1), position=(0, 0, -0.5))
    s.body("b", 1, (0.1, 0.1, 0.1), position=(0, 0, -1.5))
    s.pin("p", s.ground, "a", at=(0, 0, 0), axis="y", rate=1)
    s.pin("crank pin", "a", "b", at=(0, 0, -1), axis="y")
    s.spring("sp", s.ground, "b", stiffness="k", length=1)
    return mk.simulate(s, 0.2, every=0.02)


def test_a_formula_is_what_numpy_gives(run):
    p, q, x, z = (run.numbers(name) for name in ("p.angle", "crank pin.angle", "a.position.x", "a.velocity.z"))
    for text, expected in {
        "2*p.angle + state['crank pin.angle']": 2 * p + q,
        "p.angle - n*t": p - 2.0 * run.t,
        "abs(a.position.x)": np.abs(x),
        "max(p.angle, 0.1)": np.maximum(p, 0.1),
        "a.velocity.z**2": z**2,
        "1 if t < 0.1 else p.angle": np.where(run.t < 0.1, 1.0, p),
        "3 + 4": np.full(len(run.t), 7.0),
    }.items():
        assert np.array_equal(run[text].values, expected), text
        assert np.array_equal(run.numbers(text), expected) and run[text].dims == ("time",)


def test_hooke_holds(run):
    """Stiffness times stretch is the tension, to the rounding of one multiplication."""
    assert np.abs(run["k*(sp.length - 1) - sp.tension"].values).max() <= 1e-12 * 4000


@pytest.mark.parametrize(
    "text",
    "sin(x) cos(x) tan(x) asin(x/9) acos(x/9) atan(x) atan2(x,y) sinh(x) cosh(x) tanh(x) exp(x) log(y) log10(y) sqrt(y) floor(x) "
    "ceil(x) abs(x) sign(x) step(x) degrees(x) radians(x) pow(y,x) hypot(x,y) min(x,y,1) max(x,y) x//y x%y x**3 (x<y)*(x<=1) "
    "(not(x>y))+(x==y)+(x!=1) table(x,(0,0),(1,2),(2,-1)) spline(x,(0,0),(1,2),(2,-1),(3,0)) y**-0.5".split(),
)
def test_arrays_give_what_scalars_give(text):
    """Every function of the language on arrays and number by number; NumPy's vector loops may differ in the last bits."""
    x, y = np.linspace(-3, 3, 13), np.linspace(0.25, 4, 13)
    expression = parse(text)
    one_by_one = [float(evaluate(expression, {"x": a, "y": b})) for a, b in zip(x, y, strict=True)]
    assert np.allclose(
        evaluate_over([expression], {"x": x, "y": y})[0], one_by_one, rtol=1e-14, atol=1e-15, equal_nan=True
    )


@pytest.mark.parametrize(
    "text, unit",
    {
        "2*p.angle + t*p.angle.rate": "rad",
        "degrees(p.angle)": "deg",
        "hypot(a.position.x, a.position.z)": "m",
        "sp.tension*sp.length.rate": "W",
        "sp.tension/k": "m",
        "k*(sp.length - 1)": "N",
        "a.velocity.x**2": "m^2/s^2",
        "sqrt(a.velocity.x**2 + 1)": "m/s",
        "a.acceleration.x/a.velocity.x": "1/s",
        "sin(p.angle)": "1",
        "atan2(a.position.x, a.position.z)": "rad",
        "sp.length*p.angle + a.position.x": "m",
        "0.3*p.angle + a.position.x": "",  # 0.3 may be a radius
        "n*t": "",  # n has no unit
        "a.position.x if t > 1 else 0": "m",
    }.items(),
)
def test_units_are_derived(run, text, unit):
    assert run[text].attrs["units"] == unit == run.units(text)


@pytest.mark.parametrize(
    "text, error, words",
    [
        ("p.angle + sp.tension", UnitError, "rad and N are added"),
        ("a.position.x < t", UnitError, "m and s are compared"),
        ("sin(a.position.x)", UnitError, "sin is taken of m"),
        ("p.angel*2", ExpressionError, "'p.angel' is not known.*Did you mean 'p.angle'"),
        ("2*a.position", ExpressionError, "components x, y, z.*Write a.position.x"),
        ("2*a.position.w", ExpressionError, "'a.position.w' is not known"),
        ("2*", ExpressionError, "not a formula"),
        ("2*crank pin.angle", ExpressionError, 'Write state."crank pin'),
        ("sinus(t)", ExpressionError, "no function 'sinus'.*Did you mean 'sin'"),
        ("crank pin.angel", ModelError, "Did you mean 'crank pin.angle'"),
    ],
)
def test_what_is_wrong_is_reported(run, text, error, words):
    with pytest.raises(error, match=words):
        run[text]
    assert text not in run


def test_formulas_work_where_names_do(run, tmp_path):
    text = "degrees(p.angle)"
    assert text in run and text not in run.names() and run.follows_from_state(text)
    assert not run.follows_from_state("sp.tension*2")
    run.to_csv(tmp_path / "x.csv", ["p.angle", text])
    assert (tmp_path / "x.csv").read_text().splitlines()[0] == f"t,p.angle,{text}"
    assert np.array_equal(run.to_xarray([text])[text].values, np.degrees(run.numbers("p.angle")))
    assert run.plot(text, "p.angle").axes[0].get_ylabel().endswith("[deg]")


def test_a_table_for_pandas(run):
    frame = run.to_pandas(["a.position", "p.angle", "2*p.angle"])
    assert list(frame.columns) == ["a.position.x", "a.position.y", "a.position.z", "p.angle", "2*p.angle"]
    assert frame.index.name == "t" and np.array_equal(frame.index, run.t)
    assert np.array_equal(frame["a.position.z"], run["a.position"].sel(axis="z"))
    assert frame.attrs["units"] == {**dict.fromkeys(frame.columns[:3], "m"), "p.angle": "rad", "2*p.angle": "rad"}
    assert list(run.to_pandas("p.angle").columns) == ["p.angle"]
    whole = run.to_pandas()
    assert {"p.angle", "crank pin.angle.rate", "b.orientation.e4"} <= set(whole.columns)
    with pytest.raises(ModelError, match="Did you mean"):
        run.to_pandas(["p.angel"])
