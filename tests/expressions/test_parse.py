"""Reading text: what is allowed means what it means in Python, anything else is refused with a reason."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mekane.errors import ExpressionError
from mekane.expressions.graph import Expr, evaluate, symbol
from mekane.expressions.parse import DEEPEST, FUNCTION_NAMES, parse

a, b, c = symbol("a"), symbol("b"), symbol("c")

# text whose meaning is Python's own: eval is the oracle here, never in the engine
SAME_AS_PYTHON = """
a + b*c - a/b; -a**2; 2**-a; a**b**2; (a - b) - c; a - (b - c); a/b/c; a/(b/c); +a; 7//2 + a%2; 1e-3*a; 0x10 + 1_000
a < b; a > b; a <= b < c; a == b; a != b; b if a < b else c; a if a > 1 else b if b > 1 else c; not a < b; a < b and b < c or c < a
sin(a)*cos(b) + tan(c); asin(a/9) + acos(b/9) + atan(c); atan2(a, b) + atan2(1, c); sinh(a) + cosh(b) + tanh(c); exp(-a) + log(b) + log10(c)
sqrt(abs(a - 9)); floor(a*3) + ceil(b*3); min(a, b, c) + max(a, b); pow(a, b) + hypot(a, c); degrees(a) + radians(b)
pi*a + e*b + tau*c
""".replace("\n", ";").split(";")
PYTHON = {name: getattr(math, name) for name in dir(math)} | {"min": min, "max": max, "abs": abs, "pow": pow}


@pytest.mark.parametrize("text", [t.strip() for t in SAME_AS_PYTHON if t.strip()])
def test_means_what_it_means_in_python(text):
    for values in ({"a": 1.3, "b": 2.1, "c": 0.4}, {"a": 2.0, "b": 0.7, "c": 2.0}):
        expected = float(eval(text, PYTHON, values))  # noqa: S307
        assert evaluate(parse(text), values) == pytest.approx(expected, rel=1e-14)  # log10 and degrees round once more


def test_own_functions():
    for x, value in ((-0.1, 0.0), (0.0, 1.0), (2.0, 1.0)):
        assert evaluate(parse("step(a)"), {"a": x}) == value
    assert [parse(f"sign({x})") for x in (-3, 0, 2)] == [-1.0, 0.0, 1.0]
    assert (
        parse("table(0.5, (0, 1), (1, 3))") == 2.0
        and evaluate(parse("spline(a, (0, 0), (1, 1), (2, 4), (3, 9))"), {"a": 1.5}) == 2.25
    )
    assert parse("spline(a, (0, -1), (1, 2.5), order=1)").data.order == 1


def test_names():
    assert parse("crank.angle.rate") is symbol("crank.angle.rate")
    assert parse('state["odd name.angle"]*2') is symbol("odd name.angle") * 2
    assert parse(" a\n") is a and parse("(a +\n b)") is a + b and parse("θ") is symbol("θ")
    assert parse("a*t", {"a", "t"}) is a * symbol("t") and parse("a", lambda name: name == "a") is a


def test_known_names_hide_constants_and_functions():
    assert parse("e", {"e"}) is symbol("e") and parse("e", {"a"}) == math.e and parse("tau", ["tau"]) is symbol("tau")
    assert parse("step*step(a)", {"step", "a"}) is symbol("step") * (0 <= a)


def test_constants_fold_to_floats():
    for text, value in (
        ("2*3 + 1", 7.0),
        ("1 < 2", 1.0),
        ("sin(0)", 0.0),
        ("log10(1000)", 3.0),
        ("4 if 1 > 2 else 5", 5.0),
    ):
        assert type(parse(text)) is float and parse(text) == value


# fmt: off
REFUSED = [
    ("", "it is empty"), ("   ", "it is empty"), ("a +", "not a formula"), ("a b", "not a formula"), ("a = 1", "not a formula"),
    ("lambda: 1", "'lambda: 1' is not allowed"), ("[a]", r"'\[a\]' is not allowed"), ("{1: 2}", "is not allowed"),
    ("(a, b)", "is not allowed"),
    ("[x for x in a]", "is not allowed"), ("f'{a}'", "is not allowed"), ("'text'", "is not allowed"), ("b'1'", "is not allowed"),
    ("True", "is not allowed"), ("None", "is not allowed"), ("1j", "is not allowed"), ("...", "is not allowed"),
    ("(y := 1)", "is not allowed"),
    ("a[0]", "is not allowed"), ("state[0]", "is not allowed"), ("a is b", "is not allowed"), ("a in b", "is not allowed"),
    ("a @ b", "is not allowed"), ("a << 2", "is not allowed"), ("~a", "is not allowed"), ("a^2", r"Powers are written x\*\*2"),
    ("a & b", "is not allowed"), ("await a", "is not allowed|not a formula"), ("yield a", "not a formula"),
    ("*a", "not a formula|not allowed"),
    ("a.real()", "'a.real' cannot be called"), ("(lambda: 1)()", "cannot be called"), ("sin(a)(b)", "cannot be called"),
    ("().__class__", "is not allowed"), ("a.__class__", "two underscores"), ("__import__", "two underscores"),
    ("__import__('os').system('true')", "cannot be called"), ("__import__('os')", "there is no function '__import__'"),
    ("eval('1')", "there is no function 'eval'"), ("sinn(a)", "there is no function 'sinn'; functions are .* Did you mean 'sin'"),
    ("sin", r"sin is a function; write sin\("), ("sin()", "has 0 arguments; sin takes 1"), ("atan2(a)", "has 1 arguments; atan2 takes 2"),
    ("sin(a=1)", "arguments are written one after another"), ("sin(*a)", "one after another"), ("sin(**a)", "one after another"),
    ("max()", "needs at least one"), ("1/0", "'1/0' divides by zero"), ("a/(1 - 1)", "divides by zero"), ("a % 0", "divides by zero"),
    ("log(-1)", r"'log\(-1\)' is nan"), ("9**9**9**9", "'9[*][*]9[*][*]9' is inf"), ("1e999*a", "'1e999' is inf"), ("1" * 400, "too large"),
    ("9" * 5000, "not a formula"), ("a" * 10_001, "10001 characters; at most 10000"), ("-" * 9000 + "a", "nested too deeply"),
    ("(" * 300 + "a" + ")" * 300, "nested"), ("a" + "+a" * 4900, "nested too deeply"), ("a.b" + ".c" * 4900, "nested too deeply"),
    ("\x00", "null"), ("\ud800", "cannot be read"),
    ("table(a)", "has no points"), ("table(a, (0, 1))", "at least two"), ("table(a, (0, b), (1, 2))", r"'\(0, b\)' is not a point"),
    ("table(a, 1, 2)", "is not a point"), ("table(a, (1, 0), (0, 0))", "Sort the points"),
    ("table(a, (0, 0), (1, 1), order=9)", "unknown option"),
    ("table(a, (0, 0), (1, 1), kind=1)", "unknown option"), ("table(*a)", "one after another"),
]  # fmt: on


@pytest.mark.parametrize("text", ["a{}", "-{}a", "a.b{}"])
def test_the_deepest_is_our_own_limit(text):
    """The same on every interpreter: 1000 parts within parts are read, 1001 are not."""
    # what goes one deeper, and how deep it is without
    more = {"a{}": ("+a", 1), "-{}a": ("-", 2), "a.b{}": (".c", 2)}[text]
    parse(text.format(more[0] * (DEEPEST - more[1])))
    with pytest.raises(ExpressionError, match="at most 1000 parts"):
        parse(text.format(more[0] * (DEEPEST - more[1] + 1)))


@pytest.mark.parametrize(("text", "reason"), REFUSED, ids=lambda t: ascii(t)[:20])
def test_refused_with_a_reason(text, reason):
    with pytest.raises(ExpressionError, match=reason):
        parse(text)


def test_unknown_names_get_a_suggestion():
    with pytest.raises(ExpressionError, match="expression '2[*]crnk.angle': 'crnk.angle' is not known. Did you mean 'crank.angle'?"):
        parse("2*crnk.angle", {"crank.angle", "t"})
    with pytest.raises(ExpressionError, match="'k' is not known"):
        parse('state["k"]', lambda name: False)
    with pytest.raises(ExpressionError, match="3 is of type int; an expression is a text"):
        parse(3)


SCRAPS = r"""a b.c t pi state if else and or not lambda for in is order await 1 2.5 1e3 0x 1j + - * / // % ** ^ < <= == = :=
             ( ) [ ] { } , . : " ' \ # @ __class__ é""".split()
WORDS = [*FUNCTION_NAMES, *SCRAPS, " ", "\n", "\x00"]


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS)).map(" ".join), st.lists(st.sampled_from(WORDS)).map("".join)))
@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_any_text_gives_an_expression_or_an_expression_error(text):
    try:
        result = parse(text)
    except ExpressionError as error:
        assert str(error).startswith(("expression", "table"))
    else:
        assert isinstance(result, Expr) or (type(result) is float and np.isfinite(result))
