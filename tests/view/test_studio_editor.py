"""The studio's editor, driven by keys and mouse in headless Chromium: completion, errors in place, one history, panes. Oracles: the
kinds of the library themselves, and fresh readings of the text."""

import json

import pytest
from browser import CHROMIUM
from input_events import CTRL, SHIFT, centre, click, drag, mouse, press, replace_text, write
from studio_in_browser import READY, opened_studio

from mekane.importers.yaml import load_document
from mekane.model.joint import joint_kinds
from mekane.model.system import System
from mekane.view.studio import opening
from mekane.view.studio.vocabulary import vocabulary

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
OFFERED = "CM.completionStatus(studio.editor.view.state) === 'active'"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with opened_studio(tmp_path_factory.mktemp("editor"), plays=False) as browser:
        yield browser


@pytest.fixture
def studio(page):
    """With the first model."""
    if text(page) != opening.FIRST:
        replace_text(page, opening.FIRST)
        page.wait(f"{READY} && $('error').hidden && studio.rows.size > 5")
    return page


def text(studio):
    return studio.evaluate("studio.editor.text")


def cursor_to(studio, before):
    """Behind the first occurrence of this text."""
    place = text(studio).index(before) + len(before)
    studio.evaluate(f"studio.editor.view.focus(), studio.editor.view.dispatch({{ selection: {{ anchor: {place} }} }})")


def offered(studio):
    studio.wait(OFFERED)
    return studio.evaluate("CM.currentCompletions(studio.editor.view.state).map((one) => one.label)")


def accept(studio, key):
    """What is offered first; the editor takes no key for it in the first moment, so that nobody chooses unseen."""
    studio.evaluate("new Promise((done) => setTimeout(done, 100))")
    press(studio, key)
    assert not studio.evaluate(OFFERED)


# ---------------------------------------------------------------- completion


def test_the_vocabulary_is_that_of_the_library():
    """Every kind takes the keys that are offered for it: oracle, the signatures that models are read by."""
    from inspect import signature

    words = vocabulary()
    assert set(words["kinds"]["joints"]) >= set(joint_kinds)
    for kinds in words["kinds"].values():
        for kind, entry in kinds.items():
            taken = set(signature(getattr(System, kind)).parameters)
            assert {one["name"] for one in entry["keys"]} <= taken, kind
            assert entry["help"] and all(one["help"] for one in entry["keys"]), kind
    assert {one["name"] for one in words["keys"]["bodies"]} == set(signature(System.body).parameters) - {"self", "name"}


PLACES = [  # text before the cursor, what is offered among others, what is not
    ("", ["bodies", "joints", "simulate"], ["pin"]),
    ("bodies:\n  arm: {", ["mass", "shape", "position"], ["pin", "joints"]),
    ("bodies:\n  arm: {mass: 1, ", ["shape"], ["mass"]),
    ("bodies:\n  arm:\n    mass: 1\n    ", ["shape"], ["mass", "pin"]),
    ("bodies:\n  arm: {shape: {", ["rod", "box"], ["mass"]),
    ("bodies:\n  arm: {mass: 1}\njoints:\n  j: {", ["pin", "slider"], ["mass"]),
    ("bodies:\n  arm: {mass: 1}\njoints:\n  j: {pin: [", ["ground", "arm"], ["pin", "j"]),
    ("bodies:\n  arm: {mass: 1}\njoints:\n  j: {pin: [ground, arm], ", ["at", "axis", "rate"], ["slider", "pin"]),
    ("joints:\n  j: {pin: [ground, arm], axis: ", ["x", "y", "z"], ["ground"]),
    ("joints:\n  j: {pin: [ground, arm]}\nforces:\n  m: {motor: ", ["j"], ["arm", "ground"]),
    ("parameters: {k: 3, 'a b': 2}\nforces:\n  m: {motor: j, torque: ", ["k", "t", "sin", "hinge.angle"], ["ground"]),
    ("parameters:\n  k: 3\nbodies:\n  arm: {mass: ", ["$k"], ["sin"]),
    ("bodies:\n  'odd: {name': {", ["mass"], ["pin"]),
    ("simulate: {t_end: 2, ", ["every", "formulation"], ["t_end"]),
    ("# bodies: {\njo", ["joints"], []),
]


@needs_chromium
def test_what_is_offered_fits_the_place(studio):
    found = studio.evaluate(f"""(() => {{
        const completion = new Completion(studio.given.vocabulary, () => ["hinge.angle", "energy"]);
        const offered = (text) => completion.options(text, placeIn(text, text.length)).map((one) => one.label);
        return {json.dumps([before for before, *_ in PLACES])}.map(offered);
    }})()""")
    for (before, expected, others), labels in zip(PLACES, found, strict=True):
        assert set(expected) <= set(labels) and not set(others) & set(labels), (before, labels)


@needs_chromium
def test_completion_by_keys(studio):
    """A force is written with the help of what is offered; the model that stands there afterwards runs."""
    cursor_to(studio, "damping: c}")
    write(studio, "\ndrive: {mot")
    assert offered(studio)[0] == "motor"
    accept(studio, "Enter")
    write(studio, "hi")
    assert offered(studio) == ["hinge"]
    accept(studio, "Tab")
    write(studio, ", to")
    assert offered(studio)[0] == "torque"
    accept(studio, "Enter")
    write(studio, "hinge.angle.r")
    assert "hinge.angle.rate" in offered(studio)
    accept(studio, "Enter")
    write(studio, "*0.1}")
    studio.wait(f"{READY} && $('error').hidden && [...studio.rows.keys()].some((key) => key.includes('drive'))")
    assert "\n  drive: {motor: hinge, torque: hinge.angle.rate*0.1}\n" in text(studio)
    assert load_document(text(studio))[0].forces["drive"].kind == "motor"


@needs_chromium
def test_help_of_what_is_offered(studio):
    cursor_to(studio, "axis: y")
    write(studio, ", ra")
    assert offered(studio)[0] == "rate"
    studio.wait("document.querySelector('.cm-completionInfo')?.textContent.includes('rate of angle')")
    press(studio, "Escape")
    assert not studio.evaluate(OFFERED)


# ---------------------------------------------------------------- errors


@needs_chromium
def test_errors_are_in_place(studio):
    """A mark beside the line, a line under the word, the message at the pointer; gone when it is mended."""
    cursor_to(studio, "axis: y")
    press(studio, "Backspace")
    write(studio, "q")
    studio.wait("document.querySelector('.cm-lintRange-error') !== null")
    assert studio.evaluate("document.querySelector('.cm-lintRange-error').textContent") == "q"
    mark, row = centre(studio, ".cm-lint-marker-error"), centre(studio, ".cm-lintRange-error")
    assert abs(mark[1] - row[1]) < 6  # of the same line
    mouse(studio, "mouseMoved", row)
    studio.wait("document.querySelector('.cm-tooltip-lint')?.textContent.includes(\"'q'\")")
    press(studio, "Backspace")
    write(studio, "x")
    studio.wait(f"{READY} && $('error').hidden && !document.querySelector('.cm-lintRange-error, .cm-lint-marker')")


# ---------------------------------------------------------------- one history


@needs_chromium
def test_one_history_for_text_and_sliders(studio):
    """Typed, then a slider dragged with the mouse, then typed: three steps back, three forward, whichever has the focus."""
    begun = text(studio)
    cursor_to(studio, "system: pendulum")
    write(studio, "x")
    typed = text(studio)
    click(studio, "#sliders input[type=range]")  # takes the focus
    x, y = centre(studio, "#sliders input[type=range]")
    studio.wait(READY)
    clicked = text(studio)
    drag(studio, (x, y), (x + 30, y), steps=12)
    studio.wait(f"{READY} && !studio.moved.size && studio.editor.text !== {json.dumps(clicked)}")
    dragged = text(studio)
    assert begun != typed and len({begun, typed, dragged}) == 3
    steps = [one for one in (clicked, typed, begun) if one != dragged]
    steps = [one for k, one in enumerate(steps) if not k or one != steps[k - 1]]
    for expected in steps:
        press(studio, "z", CTRL)  # on the slider: it has no history of its own
        assert text(studio) == expected
        studio.wait(f"{READY} && $('error').hidden")
    assert studio.evaluate("[...studio.rows.values()][0].slider.valueAsNumber") == 1.0  # sliders follow
    studio.evaluate("studio.editor.view.focus()")
    press(studio, "z", CTRL | SHIFT)
    assert text(studio) == typed
    while text(studio) != dragged:
        press(studio, "y", CTRL)
    studio.wait(READY)


# ---------------------------------------------------------------- panes and keys


@needs_chromium
def test_panes_are_resized_and_stay_so(studio):
    size = lambda selector, side: studio.evaluate(
        f"document.querySelector('{selector}').getBoundingClientRect().{side}"
    )
    before = {
        "#sidebar": size("#sidebar", "width"),
        "#side": size("#side", "width"),
        "#editor": size("#editor", "height"),
    }
    x, y = centre(studio, "#split-left")
    drag(studio, (x, y), (x + 40, y))
    x, y = centre(studio, "#split-text")
    drag(studio, (x, y), (x, y - 30))
    studio.evaluate("$('split-right').focus()")
    press(studio, "ArrowLeft")
    grown = [
        size(one, side) - before[one]
        for one, side in (("#sidebar", "width"), ("#editor", "height"), ("#side", "width"))
    ]
    assert grown == pytest.approx([40, 30, 24], abs=1)
    studio.evaluate("window.studio = undefined")
    studio.reload()
    studio.wait(READY)
    assert size("#sidebar", "width") == pytest.approx(before["#sidebar"] + 40, abs=1)


@needs_chromium
def test_the_text_can_be_left_by_keys(studio):
    """Tab indents; after Escape it goes on to what follows."""
    cursor_to(studio, "bodies:")
    press(studio, "Tab")
    assert "\n  bodies:" in text(studio)
    press(studio, "z", CTRL)
    press(studio, "Escape")
    press(studio, "Tab")
    assert not studio.evaluate("studio.editor.view.hasFocus")
