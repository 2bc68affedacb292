"""MathML: well-formed, the same numbers as the expressions, and drawn by a browser within its panel.

Oracles: an XML parser; a reader of MathML that knows nothing of how it was written (mathml_reader); Chromium.
The reader computes in the order of what is written, which may differ from that of the expression: both agree to 1e-12
of the largest number of a section, some thousand roundings.
"""

import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from mathml_reader import Reader, picture
from odd_names import ODD, odd_system

import mekane as mk
from mekane import gallery
from mekane.expressions.graph import Expr, evaluate, select, symbol
from mekane.symbolic.equations import METHODS
from mekane.symbolic.printing.html import flowing
from mekane.symbolic.printing.printer import write

sys.path.insert(0, str(Path(__file__).parents[1] / "view"))
from browser import CHROMIUM, Browser  # noqa: E402

ROUND_OFF = 1e-12
READ = (
    "double_pendulum",
    "four_bar",
    "car_axis",
    "gyroscope",
    "cam",
    "rolling_disc_1",
    "two_bar_truss",
    "slider_crank_spatial",
)
SMALL = (
    "car_axis",
    "chaotic_plate",
    "chaplygin_sleigh",
    "free_body",
    "pendulum",
    "planetary_gear",
    "trailer",
    "tumbling_top",
)
CYCLIC = ("free_body", "gyroscope", "tumbling_top")
PANEL = 24  # em


def equations_of(name, method="kane"):
    return mk.equations(gallery.find(name).system(), method)


def read_lines(text):
    """[(left, elements of the right side)] of every line of a page, as a browser would join its pieces."""
    page = ElementTree.fromstring(text)
    sides = zip(page.iterfind('.//*[@class="left"]'), page.iterfind('.//*[@class="right"]'), strict=True)
    return [(left[0][0], [x for math in right.iter("math") for x in math]) for left, right in sides]


def values_of(eq):
    """{full name: number} of everything that may stand in equations, other than intermediate variables."""
    rng = np.random.default_rng(3)
    return {name: rng.uniform(0.2, 1.2) for name in eq.naming.names} | eq.traced.values


# ---------------------------------------------------------------- written


@pytest.mark.parametrize("method", METHODS)
def test_well_formed(method):
    """And every formula of every section is there, once."""
    for name in SMALL if method != "routh" else CYCLIC:
        eq = equations_of(name, method)
        formulas = [formula for section in eq.chapters() for formula in section.formulas]
        assert len(read_lines(eq.mathml)) == len(eq.book.definitions) + sum(
            len(formula.lines()) for formula in formulas
        )
        ElementTree.fromstring(eq.html.partition("\n")[2])


@pytest.mark.parametrize(("name", "method"), [(name, "kane") for name in READ] + [("four_bar", "lagrange"), ("double_pendulum", "newton"),
    ("gyroscope", "routh"), ("car_axis", "lagrange"), ("robot", "newton")])  # fmt: skip
def test_read_back_to_the_same_values(name, method):
    """Line by line, intermediate variables first."""
    eq = equations_of(name, method)
    lines, values = read_lines(eq.mathml), values_of(eq)
    seen = {
        picture(ElementTree.fromstring(short.mathml)): values[full]
        for full, short in eq.naming.names.items()
        if full in values
    }
    for (full, expr), (left, right) in zip(eq.book.definitions, lines, strict=False):
        values[full] = evaluate(expr, values)
        seen[picture(left)] = Reader(seen)(right)
        assert seen[picture(left)] == pytest.approx(values[full], rel=ROUND_OFF, abs=ROUND_OFF)
    rest = iter(lines[len(eq.book.definitions) :])
    for section in eq.chapters():
        wanted = [
            evaluate(x, values) if isinstance(x, Expr) else x
            for formula in section.formulas
            for _, x in formula.lines()
        ]
        found = [Reader(seen)(next(rest)[1]) for _ in wanted]
        assert found == pytest.approx(wanted, rel=0, abs=ROUND_OFF * max(1.0, np.abs(wanted).max(initial=0.0))), (
            section.title
        )
    assert next(rest, None) is None and len(lines) > 4


x, y, z = symbol("x"), symbol("y"), symbol("z")
WIDE = sum((k + 1.5) * (x * y) ** (k + 1) for k in range(12))


@pytest.mark.parametrize("expr", [
    x - (y - 2), x - 2 * (y - 2), -(x + y), 1.5 * x, x / (y * 2), 1 / x**2, ((x + y) / (y - x * z)) ** 3, (x + y) ** -y, x**0.3, 0.25 / y,
    np.sin(x) ** 2 * y, -np.cos(x + y) * x, 1e-7 * x, -2.5e-9 + x, select(x < y, x / 2, -x) * y, np.sqrt(x / y), (-x) ** 2, np.exp(-x / y),
    np.arctan2(x, -y), np.log(x + y) * x, np.sqrt(WIDE) * y, x / WIDE, WIDE / (x + WIDE), np.cos(WIDE) * y, (WIDE * x) ** 2, 7.0, -0.25,
    x - select(x < y, x, y - 1), np.floor(3 * y) * x,
])  # fmt: skip
def test_small_expressions(expr):
    """With brackets, powers, roots and fractions of every kind, also where they are too wide and written otherwise."""
    naming = mk.equations(gallery.find("pendulum").system()).naming
    style = mk.equations(gallery.find("pendulum").system()).book.mathml.__class__(naming)
    values = {"x": 0.7, "y": 1.9, "z": 0.4}
    seen = {picture(ElementTree.fromstring(naming.of(name).mathml)): value for name, value in values.items()}
    page = ElementTree.fromstring(f"<div>{flowing(write(expr, style))}</div>")
    found = Reader(seen)([x for math in page.iter("math") for x in math])
    assert found == pytest.approx(float(evaluate(expr, values)) if isinstance(expr, Expr) else expr, rel=1e-13)


# ---------------------------------------------------------------- names


def test_no_two_names_are_alike():
    eq = mk.equations(odd_system(), form="z")
    seen = [picture(ElementTree.fromstring(name.mathml)) for name in eq.naming.names.values()]
    assert len(set(seen)) == len(seen) > 4 * len(ODD)
    ElementTree.fromstring(eq.mathml)


def test_names_mean_nothing_to_a_browser():
    """Neither those of parts nor that of the system; signs that are not seen, or no page may hold, are shown by their
    numbers."""
    wicked = "<script>alert(1)&amp;</script><img src=x onerror=alert(1)>"
    s = mk.System(f"{wicked}\x01")
    bob = s.body(wicked, mass=1.0, inertia=(1, 1, 1), position=(0, 0, -1))
    s.pin(f"{wicked} \x00\u202e]]>", s.ground, bob, at=(0, 0, 0), axis="y")
    for method in ("kane", "lagrange", "newton"):
        eq = mk.equations(s, method)
        page = ElementTree.fromstring(eq.html.partition("\n")[2])
        assert not list(page.iter("script")) and not list(page.iter("img")) and "<script" not in eq.html
        assert "U0U202e]]>" in "".join(page.itertext()) and f"{wicked}U1:" in page.find(".//title").text


# ---------------------------------------------------------------- drawn


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
@pytest.mark.parametrize("name", ["double_pendulum", "robot", "car_axis"])
def test_drawn_within_a_narrow_panel(name, tmp_path):
    """No section is wider than the panel, no piece runs out of its line, and mathematics is drawn as such: letters have
    a height."""
    file = tmp_path / "equations.html"
    file.write_text(equations_of(name).html.replace("<body>", f'<body style="width: {PANEL}em">'), encoding="utf-8")
    with Browser() as browser:
        browser.open(file.as_uri(), "document.readyState === 'complete'")
        browser.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        assert browser.evaluate("document.querySelectorAll('.right math').length") > 30
        assert (
            browser.evaluate(
                "[...document.querySelectorAll('.lines')].filter((e) => e.scrollWidth > e.clientWidth).length"
            )
            == 0
        )
        furthest = "Math.max(...[...document.querySelectorAll('math')].map((e) => e.getBoundingClientRect().right))"
        assert browser.evaluate(f"{furthest} <= document.body.getBoundingClientRect().right + 1")
        lowered = "(() => { const [q, below] = document.querySelector('msub').children; return below.getBoundingClientRect().bottom"
        assert browser.evaluate(f"{lowered} > q.getBoundingClientRect().bottom; }})()")
        assert browser.errors == []
