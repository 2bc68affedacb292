"""page.take: another motion in the same page. Oracles: the poses of the other run, what was chosen before, counts of
the graphics card."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from browser import CHROMIUM, Browser

from mekane import gallery
from mekane.view.web.saved_page import data_of, page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A page of the squeezer, with a shorter motion of it and another mechanism at hand as `motions`."""
    squeezer = gallery.find("squeezer")
    runs = {"long": squeezer.run(), "short": squeezer.run(t_end=0.01), "other": gallery.find("governor").run()}
    path = tmp_path_factory.mktemp("take") / "motion.html"
    path.write_text(page(data_of(runs["long"])), encoding="utf-8")
    with Browser() as browser:
        browser.open(path.as_uri())
        browser.evaluate("window.motions = {}")
        for name, run in runs.items():
            browser.evaluate(f"readied({json.dumps(data_of(run))}).then((data) => {{ motions[{name!r}] = data; }})")
        yield SimpleNamespace(evaluate=browser.evaluate, browser=browser, runs=runs)
        assert browser.errors == []


def test_what_was_chosen_stays(shown):
    """Time, cut at the new end; speed, options, camera and the plots."""
    shown.evaluate("page.seek(0.025), page.rate = 0.03, page.options.ghost = true, page.plots.add('K3.position')")
    shown.evaluate("page.stage.camera.position.x += 0.01")
    before = shown.evaluate("page.stage.camera.position.toArray()")
    shown.evaluate("page.take(motions.short)")
    assert shown.evaluate("[page.t, page.rate, page.options.ghost]") == [0.01, 0.03, True]
    after = shown.evaluate("page.stage.camera.position.toArray()")
    assert np.abs(np.subtract(after, before)).max() < 1e-12  # turned back and forth by OrbitControls
    assert shown.evaluate("page.plots.charts.map((one) => one.name)")[-1] == "K3.position"
    assert shown.evaluate("page.plots.charts[0].chart.data[0].length") == len(shown.runs["short"].t)
    shown.evaluate(DRAWN)
    place = shown.evaluate("page.mechanism.groups[2].position.toArray()")
    assert np.abs(place - shown.runs["short"].numbers("K3.position")[-1]).max() < 1e-7  # float32 of lengths below 0.1 m


def test_another_mechanism_is_seen_anew(shown):
    """Its own plots, its own picture from its own side."""
    shown.evaluate("page.take(motions.other)")
    scene = shown.evaluate("page.data.scene")
    assert shown.evaluate("document.title") == scene["name"]
    assert shown.evaluate("page.plots.charts.map((one) => one.name)") == shown.evaluate("motions.other.shown")
    towards = np.array(
        shown.evaluate("page.stage.camera.position.clone().sub(page.stage.controls.target).normalize().toArray()")
    )
    assert np.abs(towards - scene["camera"]["towards"]).max() < 1e-6
    assert shown.evaluate("page.t") == 0.0


def test_nothing_leaks(shown):
    """Geometries, textures and programs of the graphics card and elements of the page are as many after twenty motions
    more."""
    memory = "Object.values(page.stage.renderer.info.memory).concat(page.stage.renderer.info.programs.length)"
    count = f"[...{memory}, document.getElementsByTagName('*').length, page.stage.world.children.length]"
    turn = "(n) => { for (let k = 0; k < n; k++) page.take(k % 2 ? motions.long : motions.other); }"
    shown.evaluate(f"({turn})(4)")
    shown.evaluate(DRAWN)
    before = shown.evaluate(count)
    shown.evaluate(f"({turn})(20)")
    shown.evaluate(DRAWN)
    assert shown.evaluate(count) == before and before[0] > 10


def test_playing_goes_on_and_stops(shown):
    shown.evaluate("page.take(motions.long), page.press(), page.take(motions.short)")
    assert shown.evaluate("page.playing") is True
    shown.evaluate("page.pause()")
    assert shown.evaluate("page.playing") is False


def test_a_state_has_no_time_that_goes_on(shown):
    """Such as an equilibrium: it is shown at its instant, however long it is played."""
    still = "{ ...motions.short, time: motions.short.time.slice(0, 1) }"
    shown.evaluate(f"page.take(motions.long), page.press(), page.data = {still}, page.advance(1e-5)")
    assert shown.evaluate("page.t === page.begin")
    shown.evaluate("page.pause(), page.take(motions.long)")


def test_a_note_over_the_stage(shown):
    shown.evaluate("page.overlay('mode 1: 1.3 Hz')")
    assert shown.evaluate("[overlay.hidden, overlay.textContent]") == [False, "mode 1: 1.3 Hz"]
    shown.evaluate("page.overlay('')")
    assert shown.evaluate("overlay.hidden") is True
