"""Play = simulate for models that no page can simulate: the studio steps them. In headless Chromium with real mouse events.
Oracles: mk.simulate of the text in the editor, and the balance of energies."""

import numpy as np
import pytest
from browser import CHROMIUM
from input_events import click, mouse, press, replace_text
from studio_in_browser import READY, opened_studio

import mekane as mk
from mekane import gallery
from mekane.importers.yaml import load_document
from mekane.view.studio.opening import mechanism_text

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
LIVE = "page.live && page.live instanceof SteppedLive"
PLACE = """(() => {
    const at = page.mechanism.groups[NUMBER].position.clone().project(page.stage.camera), box = page.stage.canvas.getBoundingClientRect();
    return [box.left + (at.x + 1) / 2 * box.width, box.top + (1 - at.y) / 2 * box.height];
})()"""
DRIFT = "page.live.engine.energy.balance - page.live.panel.first"


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    with opened_studio(tmp_path_factory.mktemp("studio")) as browser:
        yield browser


def begin(studio, name):
    """A mechanism of the gallery, live; with an event that no page has, and that never happens."""
    body = next(iter(gallery.find(name).system().bodies))
    replace_text(
        studio,
        f"{mechanism_text(gallery.find(name))}\nevents: {{push: {{when: t > 1000, impulse: {{{body}: [0, 0, 1]}}}}}}\n",
    )
    studio.wait(f"{READY} && page.data.scene.bodies.some((one) => one.name === {body!r})")
    click(studio, "#do-live")
    studio.wait(LIVE)


@pytest.fixture
def running(studio, request):
    begin(studio, request.param)
    yield studio
    if studio.evaluate("studio.live.on"):
        click(studio, "#do-live")
    studio.wait(f"!studio.live.on && {READY}")


ball = pytest.mark.parametrize("running", ["bouncing_ball"], indirect=True)
belt = pytest.mark.parametrize("running", ["stick_slip_belt"], indirect=True)


def recorded(browser, body):
    """Times, positions of a body, and the events on the time line, as the page has them."""
    number = browser.evaluate(f"page.data.scene.bodies.findIndex(({{ name }}) => name === {body!r})")
    t, poses, events = browser.evaluate(
        "[Array.from(page.data.time), Array.from(page.data.poses.numbers), page.data.info.events.map(({ time, name }) => [time, name])]"
    )
    return np.array(t), np.array(poses).reshape(len(t), -1, 7)[:, number, :3], events


def compared(browser, body):
    """What was recorded beside mk.simulate of the text: positions are single precision on the page."""
    t, places, events = recorded(browser, body)
    system, _ = load_document(browser.evaluate("studio.editor.text"))
    run = mk.simulate(system, t[-1], every=t)
    assert np.abs(places - run.numbers(f"{body}.position")).max() < 1e-6
    lines = [line for line in run.events if line.time <= t[-1]]
    assert [name for _, name in events] == [line.event for line in lines] and events
    assert np.allclose([time for time, _ in events], [line.time for line in lines], rtol=0, atol=1e-8)


@ball
def test_played_in_real_time_it_is_what_simulate_computes_and_can_be_kept(running):
    running.wait("page.live.engine.t > 0.6")
    click(running, "#live-keep")
    assert running.evaluate("[page.live, studio.live.on, page.playing]") == [None, False, False]
    compared(running, "ball")
    running.evaluate("page.seek(0.1); page.draw()")
    assert running.evaluate("page.t") == 0.1


@belt
def test_friction_that_sticks_and_slips(running):
    running.wait("page.live.engine.t > 1.1")
    running.evaluate("page.pause()")
    running.wait("!page.live.asking")
    compared(running, "block")
    assert abs(running.evaluate(DRIFT)) < 1e-8


def grasped(browser):
    """Press the mouse where the body is, which moves meanwhile: until it is taken hold of. Where that was."""
    for _ in range(30):
        place = browser.evaluate(PLACE.replace("NUMBER", "0"))
        mouse(browser, "mouseMoved", place)
        mouse(browser, "mousePressed", place, buttons=1)
        if browser.evaluate("!!page.live.engine.hand"):
            break
        mouse(browser, "mouseReleased", place)
    return place


@ball
def test_dragged_by_the_mouse(running):
    """The body follows, the force is shown, the ledger has the work of the hand; then it is let go, and falls."""
    place = grasped(running)
    running.wait("page.live.engine.hand && page.live.engine.grasp")
    for k in range(1, 7):
        mouse(running, "mouseMoved", (place[0] + 10 * k, place[1] - 5 * k), buttons=1)
    before = running.evaluate("page.live.engine.t")
    running.wait(f"page.live.engine.t > {before + 1.0}")
    far, work, drift, label = running.evaluate(
        f"[page.live.engine.poses, page.live.engine.energy.hand, {DRIFT}, document.getElementById('hand-force').textContent]"
    )
    assert np.hypot(*far[:2]) > 0.05 and abs(work) > 1e-3 and abs(drift) < 1e-7 and label.endswith(" N")
    assert abs(float(label.removesuffix(" N")) - 9.81) < 5  # what it weighs, when it hangs still
    mouse(running, "mouseReleased", (place[0] + 60, place[1] - 30))
    running.wait(f"page.live.engine.hand === null && page.live.engine.t > {before + 1.3}")
    assert running.evaluate("document.getElementById('hand-force').hidden")


@ball
def test_sliders_steps_and_rewinding(running):
    """A slider acts on the motion as it is; a single step; back in time, and on from there; and anew."""
    click(running, "#play")
    running.wait("!page.playing && !page.live.asking")
    click(running, "#live-reset")
    running.wait(f"page.live.engine.t === 0 && {READY}")
    for count in range(2, 14):
        press(running, "ArrowRight")
        running.wait(f"page.live.record.count === {count} && !page.live.asking")
    t = running.evaluate("(() => { window.earlier = page.live; return page.live.engine.t; })()")
    assert t == pytest.approx(0.2)
    running.evaluate("""(() => {
        const row = [...studio.rows.values()].find((row) => row.slider.getAttribute("aria-label") === "gravity z");
        row.slider.value = -19.62;
        row.slider.dispatchEvent(new Event("input"));
        row.slider.dispatchEvent(new Event("change"));
    })()""")
    running.wait(f"page.live !== window.earlier && {READY}")
    assert running.evaluate("[page.live.engine.t, page.live.record.count, page.playing]") == [t, count, False]
    assert running.evaluate("page.live.engine.energy.sliders") != 0
    z, speed = running.evaluate("page.live.engine.poses[2]"), -9.81 * t
    press(running, "ArrowRight")
    running.wait(f"page.live.record.count === {count + 1} && !page.live.asking")
    after, fallen = running.evaluate("[page.live.engine.t, page.live.engine.poses[2]]")
    assert fallen == pytest.approx(z + speed * (after - t) - 9.81 * (after - t) ** 2, abs=1e-9)  # twice the gravity
    running.evaluate("page.seek(0.1)")
    press(running, "ArrowRight")  # through what was recorded
    assert 0.1 < running.evaluate("page.t") < t and running.evaluate("page.live.record.count") == count + 1
    running.evaluate("page.live.present()")
    press(running, "ArrowRight")
    running.wait(f"!page.live.asking && page.live.record.count < {count}")
    assert abs(running.evaluate(DRIFT)) < 1e-8
    click(running, "#live-reset")
    running.wait(f"page.live.engine.t === 0 && {READY}")
    assert running.evaluate("page.live.record.count") == 1
