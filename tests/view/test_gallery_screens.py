"""Every mechanism of the gallery, seen: screenshots are kept in out/screens (or where MEKANE_ARTIFACTS says), to be
looked at.

Oracles: every vertex of every body, as the page's camera sees it; the same picture without the mechanism; rectangles,
letters and colours of all text, as the browser has laid them out.
"""

import json

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from screens import MEASURES, screenshot, unreadable, window

from mekane import gallery
from mekane.view.studio.opening import backend_of_mechanism
from mekane.view.web.saved_page import data_of, page
from mekane.view.web.server import Server

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
FRAMES = 60
WITH_REACTIONS = ("four_bar", "hanging_chain", "slider_crank_spatial", "rolling_disc_1")
# in `make test` every third, and those with reactions; all of them in `make test-all`
SEEN = [
    name if name in WITH_REACTIONS or i % 3 == 0 else pytest.param(name, marks=pytest.mark.exhaustive)
    for i, name in enumerate(gallery.names())
]
LEAST_REACH = 0.05  # of the picture, across or up: a share at which one still sees what it is
LEAST_PIXELS = 0.004  # of the picture: a rod with a bob has 0.8 %
SIZES = ((1280, 800), (1000, 700), (420, 800))  # of windows
STUDIO_READY = "window.studio && studio.shown > 0 && !studio.busy"


@pytest.fixture(scope="module")
def browser():
    with Browser() as browser:
        browser.less_motion()  # each picture is requested
        browser.open("about:blank", ready="true")
        yield browser


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("screens") / "motion.html"
    path.write_text(page(data_of(gallery.find("pendulum").run(t_end=1.0), most=FRAMES)), encoding="utf-8")
    return path


@pytest.fixture
def saved(browser, path):
    """A saved page, opened from disk without a network. Motions are put into the one that is open, which spares a
    second for each."""
    if not browser.evaluate("Boolean(window.measures && !window.studio)"):
        window(browser, 1000, 700)
        browser.open(path.as_uri(), ready="Boolean(window.page?.data && !window.studio)")
        browser.evaluate(MEASURES)
    return browser


def put_in(browser, data):
    """As if it were opened: nothing that was chosen for another stays."""
    browser.errors.clear()
    browser.evaluate("page.options.reactions = $('show-reactions').checked = false")
    browser.evaluate(f"readied({json.dumps(data)}).then((data) => {{ page.data = null; page.take(data); }})")


def show(browser, share):
    browser.evaluate(f"page.seek(page.begin + {share} * (page.end - page.begin)), page.draw()")


@pytest.mark.parametrize("name", SEEN)
def test_of_the_gallery(saved, name):
    """In the picture from beginning to end, large enough, drawn; and its page can be read."""
    browser = saved
    put_in(browser, data_of(gallery.find(name).run(), most=FRAMES))
    if name in WITH_REACTIONS:
        browser.evaluate("document.getElementById('show-reactions').click()")
    show(browser, 0.5)
    for extents in browser.evaluate("measures.reaches([0, 0.1, 0.25, 0.5, 0.75, 0.9, 1])"):
        *low, right, above, deep = np.array(extents).T
        assert not deep.any() and np.min(low) > -1 and max(right.max(), above.max()) < 1  # all of it is in the picture
        share = max(right.max() - low[0].min(), above.max() - low[1].min()) / 2
        assert LEAST_REACH < share < 1
    assert LEAST_PIXELS < browser.evaluate("measures.covered()") < 0.6
    screenshot(browser, name)
    assert unreadable(browser) == [] and browser.errors == []


@pytest.mark.parametrize("name", ["squeezer", "sprung_mechanism", "bicycle", "puma560"])
def test_of_the_studio(browser, name):
    window(browser, *SIZES[0])
    browser.errors.clear()
    with Server(backend_of_mechanism(gallery.find(name)), port=0) as server:
        browser.open(server.address, ready=STUDIO_READY, offline=False)
        browser.evaluate(MEASURES)
        for size in SIZES:
            window(browser, *size)
            browser.wait("page.stage.camera.aspect === $('stage').clientWidth / $('stage').clientHeight")
            browser.evaluate("$('fit').click()")
            show(browser, 0.5)
            screenshot(browser, f"studio-{name}-{size[0]}")
            assert LEAST_PIXELS < browser.evaluate("measures.covered()") < 0.6
            assert unreadable(browser) == [] and browser.errors == []
        browser.call("Page.navigate", url="about:blank")


def test_of_what_the_studio_answers(browser):
    """Rest, modes, equations and an error in a narrow column."""
    window(browser, 1000, 700)
    browser.errors.clear()
    with Server(backend_of_mechanism(gallery.find("sprung_mechanism")), port=0) as server:
        browser.open(server.address, ready=STUDIO_READY, offline=False)
        browser.evaluate(MEASURES)
        for what in ("equilibrium", "modes", "equations"):
            browser.evaluate(f"document.getElementById('do-{what}').click()")
            browser.wait("document.getElementById('working').hidden")
            screenshot(browser, f"studio-{what}")
            assert unreadable(browser) == []
        browser.evaluate("document.getElementById('equations').close()")
        browser.evaluate("studio.editor.set(studio.editor.text.replace('pin', 'pni')), studio.run({})")
        browser.wait("!document.getElementById('error').hidden")
        screenshot(browser, "studio-error")
        assert unreadable(browser) == [] and browser.errors == []
        browser.evaluate("studio.saved = studio.editor.text")  # or it asks whether to leave
        browser.call("Page.navigate", url="about:blank")
