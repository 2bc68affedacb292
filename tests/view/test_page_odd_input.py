"""Pages of what is odd: names that are HTML or JavaScript, a mesh that is missing, data of another version; and a film of
the motion. One browser for all of them, driven by mouse and keyboard.

Oracles: the console, which stays silent; the run's numbers; the bytes that a WebM file begins with.
"""

import json

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from input_events import click, middle
from test_odd_names import TEXT, fresh

import mekane as mk
from mekane.view.scene.scene import FORMAT
from mekane.view.web.saved_page import data_of, page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
EBML = [0x1A, 0x45, 0xDF, 0xA3]  # RFC 8794, with which Matroska and WebM files begin


@pytest.fixture(scope="module")
def browser():
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def odd():
    return fresh(TEXT)


def pendulum(**more):
    s = mk.System("pendulum")
    s.body("bob", mass=1.0, position=(0, 0, -0.5), **more)
    s.pin("hinge", s.ground, "bob", at=(0, 0, 0), axis="y", rate=1.0)
    return mk.simulate(s, 0.5, every=0.05)


def opened(browser, path, data, ready="Boolean(window.page?.data)"):
    browser.errors.clear()
    path.write_text(page(data), encoding="utf-8")
    browser.open("about:blank", ready="true")
    browser.open(path.as_uri(), ready=ready)


def press(browser, key):
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, text=key if len(key) == 1 else "")


def click_on(browser, element):
    """element: JavaScript that finds it."""
    click(browser, middle(browser, element))


def test_names_that_are_html_or_javascript_in_a_saved_page(browser, odd, tmp_path):
    """Parts are selected, plotted over time and over each other, and written as CSV and SVG; nothing of them runs."""
    opened(browser, tmp_path / "odd.html", data_of(odd))
    rows = browser.evaluate("$('parts').children.length")
    for k in range(rows):
        click_on(browser, f"$('parts').children[{k}]")
    click_on(browser, "$('channel')")
    for letter in "<img":
        press(browser, letter)
    press(browser, "Enter")
    name = browser.evaluate("page.plots.names().at(-1)")
    assert name.startswith("<img src=x")
    click_on(browser, "page.plots.charts.at(-1).holder.querySelector('button.over')")
    for letter in "__proto":
        press(browser, letter)
    press(browser, "Enter")
    browser.wait("page.plots.charts.at(-1).over")
    over = browser.evaluate("page.plots.charts.at(-1).over")
    assert over.startswith("__proto__.") and np.allclose(
        browser.evaluate("Array.from(page.plots.charts.at(-1).curves()[0].x)"), odd.numbers(over), rtol=1e-6, atol=1e-7
    )
    assert name in browser.evaluate("csvOf(page)").splitlines()[0]
    drawing = browser.evaluate("svgOf(page.plots.charts)")
    assert "<img" not in drawing and "</script" not in drawing
    browser.evaluate("page.pin(), page.draw()")
    browser.evaluate(f"readied({json.dumps(data_of(odd))}).then((data) => page.take(data))")
    assert over.rpartition(".")[0] in browser.evaluate("$('compared').textContent")
    assert browser.evaluate("document.title") == odd.system.name and browser.evaluate("document.images.length") == 0
    assert browser.evaluate("document.scripts.length") == 4 and browser.errors == []


def test_a_mesh_that_is_missing_is_named(browser, tmp_path):
    """The body is drawn as if it had no shape, and the page says which file could not be read."""
    opened(
        browser, tmp_path / "mesh.html", data_of(pendulum(inertia=(0.1, 0.1, 0.1), look=mk.Mesh(tmp_path / "none.stl")))
    )
    assert "not drawn: none.stl" in browser.evaluate("$('subtitle').textContent")
    assert browser.evaluate("page.mechanism.groups[0].children.length") > 0 and browser.errors == []


@pytest.mark.parametrize("other", ["mekane scene 0", ""])
def test_data_of_another_version_are_refused_with_a_sentence(browser, tmp_path, other):
    data = data_of(pendulum())
    data["scene"]["format"] = other
    opened(browser, tmp_path / "old.html", data, ready="$('subtitle').textContent.includes('cannot be shown')")
    text = browser.evaluate("$('subtitle').textContent")
    assert "another version of Mekane" in text and FORMAT in text and (other or "unknown format") in text
    assert browser.evaluate("$('subtitle').getAttribute('role')") == "alert" and browser.errors == []


def test_the_page_reads_what_the_scene_writes():
    assert f'const FORMAT = "{FORMAT}";' in page(data_of(pendulum()))


def test_a_film_is_recorded_once_from_beginning_to_end(browser, tmp_path):
    """Its bytes are those of a WebM file with a video track; the page then plays on as before. A second click ends it."""
    opened(browser, tmp_path / "film.html", data_of(pendulum()))
    browser.evaluate(
        "window.kept = [], download = (name, blob) => blob.arrayBuffer().then((b) => kept.push([name, blob.type, [...new Uint8Array(b)]]))"
    )
    browser.evaluate("page.rate = 1, page.seek(page.end)")
    click_on(browser, "$('save-webm')")
    assert browser.evaluate("$('save-webm').getAttribute('aria-pressed')") == "true"
    browser.wait("kept.length === 1")
    name, kind, first = browser.evaluate("[kept[0][0], kept[0][1], kept[0][2].slice(0, 4)]")
    assert (name, kind, first) == ("pendulum.webm", "video/webm", EBML)
    text = browser.evaluate("new TextDecoder('latin1').decode(new Uint8Array(kept[0][2]))")
    assert "webm" in text and "V_VP" in text
    assert browser.evaluate("[page.t === page.end, page.playing, page.looping, page.recorder.film]") == [
        True,
        False,
        True,
        None,
    ]
    assert browser.evaluate("$('save-webm').getAttribute('aria-pressed')") == "false"
    browser.evaluate("page.rate = 1e-6")  # it would last for days
    click_on(browser, "$('save-webm')")
    browser.wait("page.recorder.film?.state === 'recording'")
    click_on(browser, "$('save-webm')")
    browser.wait("kept.length === 2")
    assert browser.evaluate("page.looping && page.recorder.film === null") and browser.errors == []
