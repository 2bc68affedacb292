"""Names that mean something to JavaScript or HTML, in the viewer and in the studio. Oracles: the page's own console, a
fresh run."""

import json

import numpy as np
import pytest
from browser import CHROMIUM, Browser

import mekane as mk
from mekane.importers.yaml import load_document
from mekane.view.studio.backend import Backend
from mekane.view.web.server import Server
from mekane.view.web.viewer import Viewer

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
TEXT = """\
system: "</script><script>alert(1)</script>"
parameters: {isPrototypeOf: 1, "__defineGetter__": 2, toLocaleString: 3, "<b>": 4}
bodies:
  constructor: {mass: 1, shape: {rod: 1}, position: [0, 0, -0.5]}
  "__proto__": {mass: 1, shape: {rod: 1}, position: [0, 0, -1.5]}
  "<img src=x onerror=alert(1)>": {mass: $toLocaleString, shape: {sphere: 0.1}, position: [0, 0, -2]}
joints:
  toString: {pin: [ground, constructor], at: [0, 0, 0], axis: y}
  valueOf: {pin: [constructor, "__proto__"], at: [0, 0, -1], axis: y, rate: 1}
  hasOwnProperty: {pin: ["__proto__", "<img src=x onerror=alert(1)>"], at: [0, 0, -2], axis: y}
forces:
  prototype: {torsional_damper: toString, damping: 0.1}
simulate: {t_end: 1, every: 0.02}
"""


def fresh(text):
    system, options = load_document(text)
    return mk.simulate(system, options.pop("t_end"), **options)


@pytest.fixture(scope="module")
def browser():
    with Browser() as browser:
        yield browser


def shown_at_the_end(browser):
    browser.evaluate("(() => { page.pause(); page.seek(page.end); page.draw(); })()")
    return np.array(browser.evaluate("page.mechanism.groups.map((group) => group.position.toArray())"))


def last(run):
    return np.array([run.numbers(f"{body}.position")[-1] for body in run.system.bodies])


def touch_everything(browser):
    """Every row of the tree is opened, every curve is plotted, every name is pointed at."""
    browser.evaluate("""(async () => {
        const curves = Object.keys(page.data.channels).filter((name) => name.endsWith("position") || name.endsWith("angle"));
        for (const name of curves) page.plots.add(name);
        for (const name of ["constructor", "__proto__", "toString", "valueOf", "prototype", "nothing"]) {
          page.hover(name); page.draw(); page.values(name, 0.5, true);
        }
        page.hover(null);
        document.querySelectorAll("#parts li").forEach((row) => row.click());
        await Promise.all(curves.map((name) => channelOf(page.data, name)));
        page.draw();
    })()""")


def test_in_the_viewer(browser):
    browser.errors.clear()
    run = fresh(TEXT)
    with Server(Viewer(run), port=0) as server:
        browser.open(server.address, offline=False)
        touch_everything(browser)
        assert np.abs(shown_at_the_end(browser) - last(run)).max() < 1e-6
        browser.wait(
            "page.plots.names().includes('__proto__.position') && page.plots.names().includes('constructor.position')"
        )
        assert (
            browser.evaluate("document.title") == "</script><script>alert(1)</script>"
            and browser.evaluate("document.images.length") == 0
        )
        assert browser.errors == []
        browser.call("Page.navigate", url="about:blank")


def test_in_the_studio(browser, tmp_path):
    browser.errors.clear()
    with Server(Backend(TEXT, "odd", tmp_path / "odd.yaml", exists=False), port=0) as server:
        browser.open(server.address, offline=False)
        browser.wait("window.studio && studio.shown > 0 && !studio.busy")
        touch_everything(browser)
        for name, value in (
            ("__defineGetter__", 3.5),
            ("toLocaleString", 2.5),
            ("toString.angle", 0.5),
            ("valueOf.angle.rate", -1),
        ):
            browser.evaluate(f"""(() => {{
                const row = [...studio.rows.values()].find((row) => row.slider.getAttribute("aria-label") === {json.dumps(name)});
                row.slider.value = {value};
                row.slider.dispatchEvent(new Event("change"));
            }})()""")
            browser.wait(f"!studio.busy && !studio.waiting && studio.editor.text.includes({json.dumps(f': {value}')})")
        text = browser.evaluate("studio.editor.text")
        assert np.abs(shown_at_the_end(browser) - last(fresh(text))).max() < 1e-6
        assert browser.evaluate("document.images.length") == 0 and browser.evaluate(
            "document.getElementById('error').hidden"
        )
        assert browser.errors == []
        browser.call("Page.navigate", url="about:blank")
