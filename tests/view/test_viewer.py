"""A served page: frames, curves and arrows on demand. Oracles: the run's own numbers, against what the server sends and
a browser shows."""

import json
import random
from functools import cache
from urllib.parse import quote
from urllib.request import urlopen

import numpy as np
import pytest
from browser import CHROMIUM, Browser

import mekane as mk
from mekane import gallery
from mekane.view.motion.frame_times import extremes
from mekane.view.web.packing import from_block
from mekane.view.web.server import Server
from mekane.view.web.viewer import MOST_ARROWS, MOST_POINTS, Viewer, Viewing, in_notebook

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
SCRUB = "(() => {{ const s = document.getElementById('scrub'); s.value = {}; s.dispatchEvent(new Event('input')); }})()"
LINKS = 40
PICTURE = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def chain(n):
    """n links on pins, held out and let go."""
    s, before = mk.System(f"chain of {n}"), "ground"
    for k in range(n):
        s.body(f"link {k}", mass=0.1, inertia=(1e-4, 1e-4, 1e-5), position=(0.1 * k + 0.05, 0, 0))
        s.pin(f"pin {k}", before, f"link {k}", at=(0.1 * k, 0, 0), axis="y")
        before = f"link {k}"
    return s


@pytest.fixture(scope="module")
def long_run():
    """40 bodies, 10 001 samples: 11 MB of poses."""
    return mk.simulate(chain(LINKS), 2.0, every=2e-4)


@pytest.fixture(scope="module")
def viewer(long_run):
    """Its head is made once: which frames to show takes some seconds."""
    viewer = Viewer(long_run)
    viewer.data = cache(viewer.data)
    return viewer


@pytest.fixture(scope="module")
def run():
    return gallery.find("double_pendulum").run()


def test_chunks_are_the_poses(long_run, viewer):
    """Together they are all frames, to the last bit of float32; each is 0.25 … 1 MB."""
    head = viewer.data()["frames"]
    count = -(-head["count"] // head["chunk"])
    chunks = [viewer.answer(f"/frames/{k}", {}).body for k in range(count)]
    assert 250_000 < len(chunks[0]) < 1_000_000 and viewer.answer(f"/frames/{count}", {}) is None
    poses = np.frombuffer(b"".join(chunks), "<f4").reshape(-1, LINKS, 7)
    assert len(poses) == len(long_run.t) == 10_001
    assert np.array_equal(poses[:, -1, :3], long_run.numbers("link 39.position").astype("f4"))


def test_the_overview_is_some_of_the_frames(viewer):
    frames = viewer.data()["frames"]
    indices, poses = from_block(frames["overview"]["indices"]), from_block(frames["overview"]["poses"])
    assert len(indices) <= 300 and indices[0] == 0 and indices[-1] == 10_000 and "poses" not in frames
    assert np.array_equal(poses, viewer.moved.poses[indices]) and len(viewer.text) < 2e6


@pytest.mark.parametrize(
    "path",
    ["/frames/-1", "/frames/", "/frames/x", "/frames/1e3", "/frames/²", "/frames/9" + "9" * 20, "/channel", "/frames"],
)
def test_what_is_not_there(viewer, path):
    assert viewer.answer(path, {}) is None and viewer.post(path, {}) is None


@pytest.mark.parametrize("path", ["/frames/0", "/0123456789abcdef/frames/0", "/", "", "//frames/0"])
def test_a_tab_of_an_earlier_run_is_sent_nothing(viewer, path):
    assert (
        viewer.get(path, {}) is None
        and viewer.get(f"/{viewer.key}/frames/0", {}).body == viewer.answer("/frames/0", {}).body
    )


def test_curves_keep_their_extremes():
    """One sample of a hundred thousand stands out, in either direction and in either component; missing numbers do not
    hide it."""
    values = np.zeros((100_000, 2))
    values[12_345, 0], values[67_890, 1], values[500:1500, 0] = 7.0, -3.0, np.nan
    chosen = extremes(np.arange(100_000.0), values, MOST_POINTS)
    assert (
        len(chosen.time) <= MOST_POINTS
        and {0, 12_345, 67_890, 99_999} <= set(chosen.left)
        and np.all(np.diff(chosen.left) > 0)
    )
    few = extremes(np.arange(10.0), np.arange(10.0), MOST_POINTS)
    assert np.array_equal(few.left, np.arange(10))


def test_every_name_is_offered_and_sent(long_run, viewer):
    assert set(viewer.data()["channels"]) == {"energy", *long_run.names()}
    reply = json.loads(viewer.answer("/channel", {"name": "link 39.position"}).body)
    time, values, whole = (
        from_block(reply["time"]),
        from_block(reply["values"]),
        long_run.numbers("link 39.position").astype("f4"),
    )
    assert values.shape == (len(time), 3) and len(time) <= MOST_POINTS and reply["units"] == "m"
    assert np.array_equal(values, whole[np.searchsorted(long_run.t, time)])
    assert np.array_equal(values.max(axis=0), whole.max(axis=0)) and np.array_equal(
        values.min(axis=0), whole.min(axis=0)
    )


def test_arrows_are_the_reactions(long_run, viewer):
    reply = json.loads(viewer.answer("/arrows", {}).body)
    time, first = from_block(reply["time"]), reply["arrows"][0]
    assert len(time) <= MOST_ARROWS and first["name"] == "pin 0" and len(reply["arrows"]) == LINKS
    whole = long_run.reaction("pin 0")["force"].values.astype("f4")
    assert np.array_equal(from_block(first["values"])[:, 3:], whole[np.searchsorted(long_run.t, time)])


def test_an_unknown_channel_is_sent_as_an_error(run):
    with Viewing(run, port=0) as viewing:
        reply = json.load(urlopen(f"{viewing.address}{viewing.server.app.key}/channel?name={quote('shoulder.angel')}"))
    assert "Did you mean 'shoulder.angle'?" in reply["error"]["text"] and reply["error"]["remedy"]
    with pytest.raises(mk.ModelError, match="Did you mean"):
        run.view(plots=["shoulder.angel"], port=0, open=False)


def test_two_viewers_and_a_reload(run):
    with Viewing(run, port=0) as first, Viewing(run, port=first.server.port) as second:
        pages = [urlopen(viewing.address).read() for viewing in (first, second, first, second)]
        assert pages[0] == pages[2] and pages[1] == pages[3] and b'<script id="data"' in pages[1]
        assert first.address in repr(first) and "is busy" in repr(second)


def test_in_a_notebook(run, monkeypatch):
    """The page stands in the frame itself, needs no server, and can do nothing to the notebook."""
    from html import unescape
    from types import SimpleNamespace

    kernel = type("ZMQInteractiveShell", (), {})()
    monkeypatch.setitem(__import__("sys").modules, "IPython", SimpleNamespace(get_ipython=lambda: kernel))
    monkeypatch.setattr("webbrowser.open", lambda address: pytest.fail("a notebook opens no window"))
    viewing = run.view(port=0)
    shown = viewing._repr_html_()
    assert in_notebook() and "server" not in viewing.__dict__
    assert shown.startswith("<iframe") and 'sandbox="allow-scripts' in shown and "allow-same-origin" not in shown
    text = unescape(shown.split('srcdoc="')[1].rsplit('"></iframe>')[0])
    assert text.startswith("<!doctype html>") and "connect-src 'none'" in text and '"poses":' in text


@pytest.mark.parametrize("takes", [True, False, OSError("no browser")])
def test_the_browser_is_opened_or_the_address_is_printed(run, monkeypatch, capsys, takes):
    posted = []

    def open_it(address):
        posted.append(address)
        if isinstance(takes, Exception):
            raise takes
        return takes

    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", open_it)
    with run.view(port=0) as viewing:
        reply = capsys.readouterr().out
        assert posted == [viewing.address] and (viewing.address in reply) == (takes is not True)
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(variable, raising=False)
    with run.view(port=0, open=False):
        assert capsys.readouterr().out == ""


def test_no_samples(run):
    from mekane.results.result import Result
    from mekane.solvers.state import Record

    empty = Result(run.system, run.compiled, Record(run.t[:0], run.record.y[:0], run.record.measurement[:0]), run.info)
    for evaluate in (empty.view, empty.plot, lambda: empty.save_html("x.html")):
        with pytest.raises(mk.ModelError, match="the run has no samples"):
            evaluate()


@needs_browser
def test_a_short_run_in_a_browser(run):
    """It plays, shows the run's numbers at any time, plots what is chosen, shows arrows, and complains of nothing, not
    even an icon."""
    with Viewing(run, port=0) as viewing, Browser() as browser:
        browser.open(viewing.address, offline=False)
        still = browser.pixels()
        browser.evaluate("document.getElementById('play').click()")
        browser.wait("page.t > 0.2")
        assert browser.pixels() != still
        browser.evaluate("document.getElementById('play').click()")
        for k in (300, 17, len(run.t) - 1):
            browser.evaluate(SCRUB.format(float(run.t[k])))
            browser.wait(f"Math.abs(page.mechanism.t - {float(run.t[k])}) < 1e-9 && page.mechanism.exact")
            place = browser.evaluate("page.mechanism.groups[1].position.toArray()")
            assert np.abs(np.array(place) - run.numbers("lower.position")[k]).max() < 1e-6  # float32
        browser.evaluate("page.plots.add('lower.velocity')")
        browser.wait("page.plots.charts.length === 3")
        last = browser.evaluate("page.plots.charts[2].chart.data.map((column) => column.at(-1))")
        assert np.allclose(last, [run.t[-1], *run.numbers("lower.velocity")[-1]], rtol=1e-6, atol=1e-6)
        browser.evaluate("document.getElementById('show-reactions').click()")
        browser.wait("page.mechanism.arrows.list.every((arrow) => arrow.group.visible)")
        browser.wait("page.health.energy && page.health.energy.chart.data[0].length === 501")
        browser.reload()
        assert browser.evaluate("page.mechanism.groups.length") == 2 and browser.errors == []
        viewing.close()
        browser.evaluate("page.plots.add('lower.acceleration')")
        browser.wait("document.getElementById('trouble').textContent.includes('does not answer')")


# all chunks one after the other, without drawing; how many came, and the most bytes stored
WALK = """(async () => {
  const { data } = page, poses = data.poses, steps = Math.ceil(poses.source.count / poses.source.frames);
  page.data = null;
  poses.chunks.clear(), (poses.bytes = 0); // all of them, if the page has moved to enough places
  poses.capacity = 2e6;
  let came = 0, most = 0;
  for (let k = 0; k < steps; k++) {
    const frame = Math.min(k * poses.source.frames + 3, poses.source.count - 1);
    while (!poses.at(frame, frame, 0).exact && !poses.trouble) {
      poses.want(frame, frame);
      await new Promise((done) => setTimeout(done)); // what has come is taken in between
    }
    came += poses.at(frame, frame, 0).exact;
    if (k > steps / 2) most = Math.max(most, poses.bytes);
  }
  page.data = data;
  return [came, steps, most];
})()"""


@needs_browser
def test_a_long_run_in_a_browser(long_run, viewer):
    """Scrubbed everywhere: the very frame comes in the end, few are requested at a time, and what the page holds is
    bounded."""
    rng = random.Random(1)
    k = rng.randrange(10_001)
    with Server(viewer, port=0) as server, Browser() as browser:
        browser.open(server.address, offline=False)
        browser.evaluate(
            "window.most = 0; setInterval(() => { most = Math.max(most, page.data ? page.data.poses.requested.size : 0); }, 1)"
        )
        for t in [*(rng.uniform(0, 2) for _ in range(60)), float(long_run.t[k])]:
            browser.evaluate(SCRUB.format(t))
        browser.wait(f"Math.abs(page.mechanism.t - {t}) < 1e-9 && page.mechanism.exact")
        place = browser.evaluate("page.mechanism.groups[39].position.toArray()")
        assert np.abs(np.array(place) - long_run.numbers("link 39.position")[k]).max() < 2e-6  # float32 of up to 4 m
        assert 0 < browser.evaluate("most") <= 2 and browser.evaluate("page.data.poses.storedBytes") < 30e6
        came, steps, most = browser.evaluate(WALK)
        # of 11 MB, with space for 2
        assert came == steps == -(-10_001 // viewer.moved.chunk_frames) and 1e6 < most <= 2e6
        assert browser.errors == []
