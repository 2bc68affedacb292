"""Play = simulate in the studio, in headless Chromium. Oracles: fresh simulations of the text that stands in the editor, and the
balance of energies."""

import numpy as np
import pytest
from browser import CHROMIUM
from studio_in_browser import opened_studio

import mekane as mk
from mekane import gallery
from mekane.importers.yaml import dumps, load_document
from mekane.view.studio.analyses import live, live_page

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
READY = "window.studio && studio.shown > 0 && !studio.busy"


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    """One studio for all: each test leaves it as it was, not live, with the first model."""
    with opened_studio(tmp_path_factory.mktemp("studio")) as browser:
        yield browser


@pytest.fixture
def running(studio):
    """The same while it is live."""
    press(studio, "do-live")
    studio.wait("studio.live.on")
    yield studio
    if studio.evaluate("studio.live.on"):
        press(studio, "do-live")
    studio.wait(f"!studio.live.on && {READY}")


def press(studio, button):
    studio.evaluate(f"document.getElementById('{button}').click()")


@needs_chromium
def test_live_is_what_simulate_computes(running):
    running.wait("page.live && page.live.engine.t > 0.4")
    running.evaluate("page.pause()")
    t, place = running.evaluate("[page.live.engine.t, Array.from(page.live.engine.pointOf(0, [0, 0, 0]).x)]")
    system, options = load_document(running.evaluate("studio.editor.text"))
    name = next(iter(system.bodies))
    run = mk.simulate(system, t, rtol=1e-11, atol=1e-13)
    assert np.abs(np.array(place) - run.numbers(f"{name}.position")[-1]).max() < 1e-7  # the page runs at 1e-9


@needs_chromium
def test_a_slider_acts_on_the_running_mechanism(running):
    """The text has the new number, the motion goes on where it was, and the ledger says what the slider changed."""
    running.wait("page.live.engine.t > 0.2")
    before = running.evaluate("""(() => {
        page.pause();
        window.earlier = page.live;
        const row = [...studio.rows.values()].find((row) => row.slider.getAttribute("aria-label")=== "m");
        row.slider.value = 2 * Number(row.slider.value);
        row.slider.dispatchEvent(new Event("input"));
        return [page.live.engine.t, page.live.engine.energy.total];
    })()""")
    running.wait("page.live !== window.earlier && !studio.busy")
    t, total, changed, count = running.evaluate(
        "[page.live.engine.t, page.live.engine.energy.total, page.live.engine.energy.sliders, page.live.record.count]"
    )
    assert t == before[0] and count > 3 and changed == pytest.approx(total - before[1]) and changed != 0
    running.evaluate("page.press()")
    running.wait(f"page.live.engine.t > {t + 0.2}")
    assert abs(running.evaluate("page.live.engine.energy.balance - page.live.panel.first")) < 1e-7


@needs_chromium
def test_keep_this_run(running):
    """What was recorded stays as a motion that can be played and scrubbed."""
    running.wait("page.live.engine.t > 0.3")
    end = running.evaluate("page.live.record.end")
    press(running, "live-keep")
    assert running.evaluate("[page.live, studio.live.on, page.playing]") == [None, False, False]
    assert running.evaluate("page.end") >= end and running.evaluate("page.plots.charts.length") > 0
    running.evaluate("page.seek(0.1); page.draw()")
    assert running.evaluate("[page.t, document.getElementById('live')]") == [0.1, None]


@needs_chromium
@pytest.mark.parametrize("button", ["live-keep", "do-live"])
def test_an_answer_that_comes_too_late_begins_nothing(running, button):
    """A slider is moved and the simulation ended before the answer is here: it stays ended."""
    running.wait("page.live.engine.t > 0.3")
    held = "new Promise((go) => { window.late = () => go(reply); })"
    row = "[...studio.rows.values()].find((row) => row.slider.getAttribute('aria-label') === 'm')"
    running.evaluate(f"""(() => {{
        const post = studio.post.bind(studio), {{ slider }} = {row};
        studio.post = (...given) => {{ // once: the button posts, too
            delete studio.post;
            return post(...given).then((reply) => {held});
        }};
        slider.value = 1.3 * Number(slider.value);
        slider.dispatchEvent(new Event("input"));
    }})()""")
    running.wait("Boolean(window.late)")
    press(running, button)
    running.evaluate("void (window.late(), delete window.late)")
    running.wait(f"{READY} && !studio.waiting")
    assert running.evaluate("[page.live === null, studio.live.on, $('do-live').getAttribute('aria-pressed')]") == [
        True,
        False,
        "false",
    ]


TYPE_AND_PRESS = """(() => {
    studio.editor.view.dispatch({ changes: { from: studio.editor.text.length, insert: "# typed\\n" } });
    document.getElementById(BUTTON).click();
})()"""


@needs_chromium
def test_buttons_take_what_was_typed_last(studio):
    """Pressed before the text was run, which would give up what the button has requested. Later the motion on the stage is
    that of the text, whose runs are counted."""
    studio.wait(READY)
    studio.evaluate(TYPE_AND_PRESS.replace("BUTTON", "'do-live'"))
    studio.wait("page.live && page.live.engine.t > 0.6")  # longer than the studio waits for more to be typed
    press(studio, "do-live")
    studio.wait(f"!studio.live.on && {READY} && !studio.unsent")
    before = studio.evaluate("studio.shown")
    studio.evaluate(TYPE_AND_PRESS.replace("BUTTON", "'do-equations'"))
    studio.wait(f"document.getElementById('equations').open && studio.shown > {before} && {READY}")
    press(studio, "close-equations")
    assert studio.evaluate("[studio.unsent, studio.editor.text.split('# typed').length]") == [False, 3]
    studio.evaluate("studio.editor.undo(), studio.editor.undo()")
    studio.wait(f"{READY} && !studio.waiting")


@needs_chromium
def test_what_was_requested_before_does_not_end_a_simulation(studio):
    """The answer to a run that was under way when the simulation began."""
    studio.wait(READY)
    held = "new Promise((go) => { window.late = () => { delete studio.post; go(reply); }; })"
    studio.evaluate(f"""(() => {{
        const post = studio.post.bind(studio);
        studio.post = (path, ...given) => post(path, ...given).then((reply) => path === "/run" ? {held} : reply);
        studio.run({{}});
        document.getElementById("do-live").click();
    }})()""")
    studio.wait("window.late && studio.live.on")
    studio.evaluate("void (window.late(), delete window.late)")
    studio.wait(READY)
    assert studio.evaluate("studio.live.on")
    press(studio, "do-live")
    studio.wait(f"!studio.live.on && {READY}")


@needs_chromium
def test_a_live_page_is_downloaded(studio):
    studio.evaluate(
        "studio.download = (html, name) => { window.downloaded = [html.length, html.includes('window.liveModel'), name]; }"
    )
    press(studio, "do-live-page")
    studio.wait("window.downloaded")
    size, is_live, name = studio.evaluate("window.downloaded")
    assert size > 5e5 and is_live and name == "p.live.html"  # as the file is called


def test_refusals_are_answers_and_not_errors():
    system = gallery.find("bouncing_ball").system()
    system.event("push", when="t > 1", impulse={"ball": (0, 0, 1)})
    assert "event 'push'" in live_page(dumps(system, {}), {})["refused"]
    with pytest.raises(mk.MekaneError):  # errors of the text are as everywhere
        live("bodies: {arm: {mass: heavy}}", {})


@needs_chromium
def test_beside_a_pinned_run_the_curve_grows_and_its_value_is_read(studio):
    """Oracle: the engine's own coordinate, and how many samples the record has. A bar for adding parts is closed by Live: a
    click would add instead of drag."""
    press(studio, "pin")
    press(studio, "do-add")
    press(studio, "do-live")
    studio.wait("studio.live.on && page.live.engine.t > 0.3 && page.plots.charts.length")
    studio.evaluate("page.pause(), page.live.plot(), page.draw()")
    assert not studio.evaluate("studio.adding.on")
    last, shown, known, samples, seen = studio.evaluate("""(() => {
        const { live, plots } = page, chart = plots.charts.find((one) => one.name === "hinge.angle");
        const own = live.about.coordinates.find((one) => one.name === "hinge.angle"), { own: [t, y] } = chart;
        chart.show(page.t);
        return [y.at(-1),
            chart.chips[0].textContent, shownUnit("rad").factor * live.engine.y[own.index], t.length, !chart.chart.root.hidden];
    })()""")
    assert samples > 3 and seen and last == pytest.approx(known, rel=1e-12)
    assert float(shown) == pytest.approx(known, rel=1e-3)  # four digits are shown
    press(studio, "do-live")
    studio.wait(f"!studio.live.on && {READY}")
    press(studio, "pin")
