"""The tutorial does what it says, as typed: what is printed below a block is what the block prints, and the notebook is
the page.

Oracles: the page's text and assertions; Grashof, counting and the other checks in it are asserted in its code.
Its code is typed into one Python, and its commands into a shell's place.
"""

import json
import re
import sys
from base64 import b64decode
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import mekane as mk
from mekane.cli.main import main
from mekane.importers.yaml import load_document

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "tutorial.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
LONGEST = 12  # lines of a block to be typed


def blocks(language):
    return [text for kind, text in BLOCKS if kind == language]


def follows(expected, printed):
    """Every line that is shown is printed, in this order; "…" stands for the rest of a line, or for lines."""
    rest = iter(printed.splitlines())
    for line in expected.splitlines():
        start = line.removesuffix("…")
        assert any(line == other or (start != line and other.startswith(start)) for other in rest), (
            f"not printed: {line!r} in\n{printed}"
        )


@pytest.fixture(scope="module")
def typed(tmp_path_factory):
    """(what is shown below a block, what the block printed), and the folder it was typed in."""
    folder, names, pairs, printed = tmp_path_factory.mktemp("newcomer"), {}, [], None
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for number, (kind, text) in enumerate(BLOCKS, 1):
            if text == "run.view()\n":
                names["viewing"] = names["run"].view(open=False)  # no browser
            elif kind == "python":
                with redirect_stdout(StringIO()) as printed:
                    exec(compile(text, f"tutorial.md, block {number}", "exec"), names)
            elif kind == "text":
                pairs.append((text, printed.getvalue()))
    names["viewing"].close()
    return pairs, folder, names


@pytest.fixture
def written(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(DOCS), *sys.path])
    return (DOCS / "tutorial.ipynb").read_text(encoding="utf-8")


def test_what_is_shown_is_printed(typed):
    assert len(typed[0]) + len(blocks("math")) > 15
    for expected, printed in typed[0]:
        follows(expected, printed)


def test_files_are_written_where_it_says(typed):
    named = set(re.findall(r'"([\w-]+\.(?:png|nc|html|yaml))"', "".join(blocks("python"))))
    assert len(named) == 7 and all((typed[1] / name).stat().st_size for name in named)


def test_the_short_file_is_the_same_machine(typed):
    """To round-off: it was placed by world coordinates there as here."""
    system, options = load_document(blocks("yaml")[0])
    run = mk.simulate(system, options["t_end"], every=options["every"])
    ours = typed[2]["run"]
    assert system.to_dict()["parameters"] == ours.system.to_dict()["parameters"]
    assert np.array_equal(run.t, ours.t)
    # 390 rad, at a tolerance of 1e-9
    assert run["main.angle"].values == pytest.approx(ours["main.angle"].values, abs=1e-5)


def test_its_commands(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("machine.yaml").write_text(blocks("yaml")[0], encoding="utf-8")
    printed = {}
    for line in blocks("console")[0].splitlines():
        _, *arguments = line.split()
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code in (0, None), line
        printed[arguments[0]] = capsys.readouterr().out
    assert all(phrase in printed["check"] for phrase in ("3 bodies", "4 joints", "1 degree of freedom"))
    assert "9.81" in printed["equilibrium"] and "23.544" in printed["equilibrium"]
    assert all(Path(name).stat().st_size for name in ("machine.nc", "run-up.png", "machine.html"))


def test_blocks_are_short_enough_to_be_typed():
    assert max(len(text.splitlines()) for text in blocks("python")) <= LONGEST


def test_the_notebook_is_the_page(typed, written):
    """With what the page shows below a block as the output of its cell, and nowhere else. If this fails: python
    docs/make_tutorial.py"""
    from make_tutorial import notebook

    assert notebook(PAGE, typed[2]["eq"]._repr_html_()) == written
    cells = json.loads(written)["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    texts = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    assert ["".join(cell["source"]) + "\n" for cell in code] == blocks("python")
    assert printed_by(code) == blocks("text")
    assert not re.search(r"^```(python|text|math)$|^!\[", texts, re.MULTILINE)
    assert texts.count("```") == 2 * len(blocks("yaml") + blocks("console"))


def printed_by(cells):
    return [
        "".join(output["text"]) for cell in cells for output in cell["outputs"] if output["output_type"] == "stream"
    ]


def test_its_formulas_are_those_of_the_equations(typed, written):
    """On the page as LaTeX; in the notebook as MathML, which needs no network."""
    eq, rows = typed[2]["eq"], blocks("math")[0].splitlines()[1:-1]
    assert [row.removesuffix(r" \\").replace("&", "") for row in rows] == [
        formula.latex for formula in (eq.mass_matrix, eq.forcing, eq.kinetic_energy)
    ]
    (formulas,) = [shown["text/html"] for shown in data_shown(written) if "text/html" in shown]
    assert "<math" in "".join(formulas) and "\\" not in "".join(formulas)


def test_it_shows_the_machine(typed, written):
    """As a picture, the one that would be drawn now; where the notebook is run, as the page that plays."""
    from make_tutorial import PICTURE, SIZE

    (picture,) = [shown["image/png"] for shown in data_shown(written) if "image/png" in shown]
    assert b64decode(picture) == PICTURE.read_bytes()
    now = typed[2]["run"].picture(t=0.0, size=SIZE).image
    with Image.open(PICTURE) as kept:
        apart = np.asarray(kept.convert("RGB")).astype(int) - np.asarray(now.convert("RGB")).astype(int)
    assert np.abs(apart).mean() < 1  # of 255: fonts and the edges of lines differ between machines
    shown = typed[2]["viewing"]._repr_html_()
    assert shown.startswith("<iframe") and 'sandbox="allow-scripts' in shown and "srcdoc=" in shown


def data_shown(written):
    outputs = [output for cell in json.loads(written)["cells"] for output in cell.get("outputs", ())]
    return [output["data"] for output in outputs if "data" in output]


def test_it_comes_first():
    index, readme = ((DOCS.parent / name).read_text(encoding="utf-8") for name in ("docs/index.md", "README.md"))
    assert re.search(r"^\|---\|---\|\n\| \[Tutorial\]\(tutorial\.md\)", index, re.MULTILINE)
    assert "](docs/tutorial.md)" in readme
