"""run.save_html: one file that opens from disk without a network and plays. Oracles: the run's own numbers, and what a
browser shows."""

import json
import re

import numpy as np
import pytest
from browser import CHROMIUM, Browser

import mekane as mk
from mekane import gallery
from mekane.view.web.packing import from_block
from mekane.view.web.saved_page import data_of, page

MEGABYTES_PER_1000_FRAMES = 5.0


def data_in(text):
    return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.S)[1])


@pytest.fixture(scope="module")
def run():
    return gallery.find("double_pendulum").run()


@pytest.fixture(scope="module")
def saved(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "motion.html"
    run.save_html(path)
    return path


def test_the_page_holds_the_motion(run, saved):
    """Poses are stored as float32: relative 2⁻²⁴ of the largest."""
    data = data_in(saved.read_text(encoding="utf-8"))
    poses = from_block(data["frames"]["poses"])
    assert np.abs(poses[:, 1, :3] - run.numbers("lower.position")).max() < 1e-6
    assert list(data["channels"])[:2] == ["shoulder.angle", "elbow.angle"] and data["shown"] == [
        "shoulder.angle",
        "elbow.angle",
    ]


def test_the_page_needs_nothing_else(saved):
    """No address is loaded: all scripts and styles stand in the file, and the page's own policy forbids the rest."""
    text = saved.read_text(encoding="utf-8")
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=(?!.data:)", text)
    assert "default-src 'none'" in text and "connect-src 'none'" in text


@pytest.mark.divided("name", 3)
@pytest.mark.parametrize("name", gallery.names())
def test_the_page_is_small(name):
    data = data_of(gallery.find(name).run())
    assert len(page(data)) < 1e6 * MEGABYTES_PER_1000_FRAMES * max(1.0, data["frames"]["count"] / 1000)


def test_names_cannot_end_the_script():
    s = mk.System("</script><script>alert(1)</script>")
    s.body("bob", mass=1, position=(0, 0, -1))
    s.pin("hinge", s.ground, "bob", at=(0, 0, 0), axis="y", rate=1.0)
    text = page(data_of(mk.simulate(s, 0.1)))
    assert "<script>alert" not in text and data_in(text)["scene"]["name"] == s.name


def test_refused(run, tmp_path):
    with pytest.raises(mk.ModelError, match=r"pages are written as \.html"):
        run.save_html(tmp_path / "motion.txt")
    with pytest.raises(mk.ModelError, match="Did you mean"):
        run.save_html(tmp_path / "motion.html", plots=["shoulder.angel"])
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
def test_in_a_browser(run, saved):
    """Opened from disk with the network off: it plays, shows the state at any time, and complains of nothing."""
    with Browser() as browser:
        browser.open(saved.as_uri())
        still = browser.pixels()
        browser.evaluate("document.getElementById('play').click()")
        browser.wait("page.t > 0.2")
        assert (
            browser.pixels() != still
            and float(browser.evaluate("document.getElementById('time').textContent").split()[0]) > 0
        )
        browser.evaluate("document.getElementById('play').click()")
        t = float(run.t[300])
        browser.evaluate(
            f"(() => {{ const s = document.getElementById('scrub'); s.value = {t}; s.dispatchEvent(new Event('input')); }})()"
        )
        browser.wait(f"Math.abs(page.t - {t}) < 1e-9")
        browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        place = browser.evaluate("page.mechanism.groups[1].position.toArray()")
        assert np.abs(np.array(place) - run.numbers("lower.position")[300]).max() < 1e-6  # float32
        assert browser.evaluate("page.plots.charts.length") == 2 and browser.errors == []
