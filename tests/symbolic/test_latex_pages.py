"""LaTeX of equations becomes pages, and no line is wider than a page. Oracle: pdflatex, which reports both.

One run sets the equations of many models, since starting it takes longer than most pages.
"""

import re
import shutil
import subprocess

import pytest
from odd_names import odd_system

import mekane as mk
from mekane import gallery
from mekane.expressions.graph import symbol
from mekane.symbolic.equations import METHODS
from mekane.symbolic.methods.presentation import DOCUMENT
from mekane.symbolic.printing.line_breaking import WIDEST, aligned
from mekane.symbolic.printing.width import width

pytestmark = pytest.mark.skipif(
    shutil.which("pdflatex") is None, reason="pdflatex is not installed (apt-get install texlive-latex-base)"
)
TOO_WIDE = 2.0  # points: nobody sees less
MARK = "MODEL "
SMALL = ("pendulum", "double_pendulum", "four_bar", "two_bar_truss", "gyroscope")


def set_pages(parts, folder):
    """Set {name: LaTeX} as one document. {name: what the log says of it}"""
    body = "\n\\clearpage\n".join(f"\\typeout{{{MARK}{name}}}\n{latex}" for name, latex in parts.items())
    (folder / "all.tex").write_text(DOCUMENT.replace("TITLE", "Equations").replace("BODY", body), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    log = (folder / "all.log").read_text(errors="replace")
    assert done.returncode == 0, log[-2000:]
    logs = {one.partition("\n")[0]: one for one in log.split(MARK)[1:]}
    assert list(logs) == list(parts)
    return logs


def too_wide(log):
    return [x for x in map(float, re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)) if x > TOO_WIDE]


@pytest.mark.divided("part", 4)
@pytest.mark.parametrize("part", range(4))
def test_every_mechanism_of_the_gallery(part, tmp_path):
    """Expanded or with intermediate variables, as it comes."""
    names = gallery.names()[part::4]
    logs = set_pages({name: mk.equations(gallery.find(name).system()).latex for name in names}, tmp_path)
    assert not {name: too_wide(log) for name, log in logs.items() if too_wide(log)}


def test_other_methods_formulations_and_parameters(tmp_path):
    ways = [dict(method=method) for method in METHODS if method != "routh"]
    ways += [dict(formulation=name) for name in ("absolute", "relative", "mixed", "bryan")]
    ways += [dict(parameters="numeric"), dict(parameters="named"), dict(form="z")]
    tried = [(name, way) for name in ("pendulum", "two_bar_truss", "heavy_top") for way in ways]
    tried += [
        (name, dict(method=method))
        for name in ("sprung_mechanism", "gyroscope", "car_axis")
        for method in ("lagrange", "newton")
    ]
    tried += [("gyroscope", dict(method="routh"))]
    parts = {
        f"{name} {' '.join(way.values())}": mk.equations(gallery.find(name).system(), **way).latex
        for name, way in tried
        if way.get("formulation", "joint") in gallery.find(name).formulations
    }
    assert len(parts) >= 30
    logs = set_pages(parts, tmp_path)
    assert not {name: too_wide(log) for name, log in logs.items() if too_wide(log)}


def test_odd_names(tmp_path):
    """In a whole document, whose title holds the name of the system."""
    system = odd_system()
    (tmp_path / "odd.tex").write_text(mk.equations(system, form="z").document, encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "odd.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
    )
    assert done.returncode == 0, done.stdout[-2000:]
    log = (tmp_path / "odd.log").read_text(errors="replace")
    assert not too_wide(log) and "invalid in math mode" not in log and "Missing character" not in log


def test_widths_are_those_of_tex(tmp_path):
    """Lines of every mechanism of small size, measured by TeX itself: none is wider than was thought by more than what
    is left free of a page, and none is thought to be much wider than it is."""
    rows = [
        row
        for name in SMALL
        for row in re.findall(r"^.*&=.*$", mk.equations(gallery.find(name).system()).latex, re.MULTILINE)
    ]
    lines = [row.removesuffix(r" \\").replace("&", "{}") for row in rows]
    measured = "\n".join(rf"\setbox0\hbox{{$\displaystyle {line}$}}\typeout{{{MARK}\the\wd0}}" for line in lines)
    (tmp_path / "all.tex").write_text(DOCUMENT.replace("TITLE", "").replace("BODY", measured), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "all.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
    )
    widths = [float(x) for x in re.findall(MARK + r"([\d.]+)pt", done.stdout)]
    assert len(widths) == len(lines) > 150
    for line, wide in zip(lines, widths, strict=True):
        assert wide - 14.0 < width(line) < 1.3 * wide + 14.0, line


def test_what_cannot_be_broken_is_written_so_that_it_can(tmp_path):
    """A root, a fraction, a high bracket, a power: each wider than three pages."""
    sum_of = lambda n: " + ".join(rf"q_{{\mathrm{{joint}},{k}}} \, \sin q_{{{k}}}" for k in range(n))
    wide = [
        rf"\sqrt{{{sum_of(40)}}}", rf"\frac{{m \, g}}{{\sqrt{{{sum_of(40)}}}}}", rf"\frac{{{sum_of(40)}}}{{{sum_of(40)}}}",
        rf"\left({sum_of(40)} + \frac{{1}}{{2}}\right)^{{2}} \, u", rf"\cos ({sum_of(40)})", r" \, ".join(f"q_{{{k}}}" for k in range(120)),
        rf"\frac{{1}}{{2}} \, \left(\frac{{a}}{{b}} + \left(\frac{{c}}{{d}} + {sum_of(30)}\right) \, {sum_of(20)}\right)",
    ]  # fmt: skip
    rows = [row for latex in wide for row in aligned([("F", latex)])]
    assert len(rows) > 3 * len(wide) and all(width(row) <= WIDEST for row in rows)
    logs = set_pages({"wide": "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"}, tmp_path)
    assert not too_wide(logs["wide"])


def test_functions_stand_last_in_products():
    """“sin q r” would be read as the sine of a product."""
    from types import SimpleNamespace

    from mekane.symbolic.printing.latex import Latex
    from mekane.symbolic.printing.printer import write

    style = Latex(SimpleNamespace(of=lambda name: SimpleNamespace(latex=name)))
    q, r = symbol("q"), symbol("r")
    assert write(q.sin() * r, style) == r"r \, \sin q"
    assert write(q.sin() ** 2 * r / (q.cos() * 2), style) == r"\frac{r \, \sin^{2} q}{2 \, \cos q}"
    assert write((q + r) / (2 - q), style) == r"\frac{q + r}{2 - q}"
