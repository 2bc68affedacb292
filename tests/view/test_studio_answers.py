"""What the studio answers: health that says what it belongs to, modes that mark no good line, symbols in equations, lists
that stay where they are, units that agree. Oracles: rectangles as the browser has laid them out, the text of the model."""

import json
import re

import pytest
from browser import CHROMIUM
from input_events import centre, click, mouse
from studio_in_browser import READY, opened_studio

from mekane.view.studio import opening

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
NO_LINE = "$('error').hidden && !document.querySelector('.cm-lint-marker') && !$('stage').classList.contains('stale')"


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    with opened_studio(tmp_path_factory.mktemp("answers"), plays=False) as browser:
        yield browser


def test_nothing_moves_under_the_pointer(studio):
    """Rows of the list of parts have the same rectangles before, while one is pointed at, and while a body on the stage is."""
    rows = (
        "[...document.querySelectorAll('#parts li')].map((one) => Object.values(one.getBoundingClientRect().toJSON()))"
    )
    studio.evaluate("page.pause(), page.seek(0), $('parts').scrollIntoView({ block: 'end' })")
    mouse(studio, "mouseMoved", (5, 5))
    before = studio.evaluate(rows)
    assert len(before) > 2
    for k in range(len(before)):
        mouse(studio, "mouseMoved", centre(studio, f"#parts li:nth-child({k + 1})"))
        studio.evaluate("page.draw()")
        assert studio.evaluate(rows) == before
    box = studio.evaluate("""(() => {
        const p = vec([-0.433, 0, -0.25]).project(page.stage.camera), b = page.stage.canvas.getBoundingClientRect();
        return [b.left + (p.x + 1) / 2 * b.width, b.top + (1 - p.y) / 2 * b.height];
    })()""")
    mouse(studio, "mouseMoved", box)
    studio.wait("page.near === 'rod' && !$('tip').hidden")
    assert studio.evaluate(rows) == before
    assert studio.evaluate("$('tip').textContent.split('\\n')[0]") == "body rod"


def test_units_of_sliders_and_readouts_agree(studio):
    """The text gives the angle in degrees, and so do its slider, its plot, and the values of the part."""
    unit = studio.evaluate(
        "[...studio.rows].find(([key]) => key.includes('hinge.angle'))[1].line.querySelector('small').textContent"
    )
    shown = studio.evaluate(
        "[$('plots').innerText, page.values('hinge', 0).find(([quantity]) => quantity === 'angle')[1]]"
    )
    assert unit == "deg" and "[deg]" in shown[0] and shown[1] == "60 deg"


def test_health_says_what_it_belongs_to(studio):
    assert studio.evaluate("[$('trust').hidden, $('trust-of').textContent]") == [False, "of the run, 0 … 10 s"]
    click(studio, "#do-equilibrium")
    studio.wait("!$('answer').hidden && !studio.analysis")
    assert studio.evaluate("$('trust').hidden")  # an equilibrium took no steps: there is nothing to trust or not
    click(studio, "#do-back")
    studio.wait(f"$('answer').hidden && {READY}")
    assert not studio.evaluate("$('trust').hidden")


def test_parameters_stay_symbols_in_equations(studio):
    """No number of the inertia m l²/12 or of a length is worked out; decimals are only in the table of parameters."""
    click(studio, "#do-equations")
    studio.wait("$('equations').open && document.querySelectorAll('#formulas math').length > 3")
    formulas = studio.evaluate("[...document.querySelectorAll('#formulas math')].map((one) => one.textContent)")
    terms = [one for one in formulas if re.search("[a-z]", one)]
    assert any("m" in one and "l" in one for one in terms) and not [one for one in terms if re.search(r"\d\.\d", one)]
    click(studio, "#close-equations")


def test_without_modes_no_line_is_marked(studio):
    driven = opening.FIRST.replace("forces:\n", "forces:\n  drive: {motor: hinge, torque: 50}\n", 1)
    studio.evaluate(f"studio.editor.set({json.dumps(driven)}), studio.run({{}})")
    studio.wait(f"{READY} && [...studio.rows.keys()].some((key) => key.includes('drive'))")
    click(studio, "#do-modes")
    studio.wait("!$('answer').hidden && !studio.analysis")
    words = studio.evaluate("$('report').textContent")
    assert words.startswith("There are no modes to show") and "solve_for" not in words and studio.evaluate(NO_LINE)
