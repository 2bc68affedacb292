"""The studio in headless Chromium. Oracles: fresh simulations of the text that stands in the editor, and the file that
is saved."""

import json
import sys
from queue import Queue

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from input_events import CTRL, press, replace_text

import mekane as mk
from mekane.importers.yaml import load_document
from mekane.view.studio import opening
from mekane.view.studio.backend import Backend
from mekane.view.studio.workers import Worker, worker_pool
from mekane.view.web.server import Server

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
READY = "window.studio && studio.shown > 0 && !studio.busy"


@pytest.fixture(scope="module")
def browser():
    with Browser() as browser:
        browser.less_motion()
        yield browser


@pytest.fixture
def moves_by_itself(browser):
    browser.less_motion(False)
    yield
    browser.less_motion()


@pytest.fixture
def studio(browser, tmp_path):
    """A studio of its own for each test, with the first model."""
    browser.errors.clear()
    backend = Backend(opening.FIRST, "pendulum", tmp_path / "pendulum.yaml", exists=False)
    with Server(backend, port=0) as server:
        browser.open(server.address, offline=False)
        browser.wait(READY)
        browser.server, browser.backend = server, backend
        yield browser
        browser.call("Page.navigate", url="about:blank")


def text(studio):
    return studio.evaluate("studio.editor.text")


def fresh(model_text):
    system, options = load_document(model_text)
    return mk.simulate(system, options.pop("t_end"), **options)


def last_place(studio):
    """Where the rod is in the last frame, as the page shows it."""
    studio.evaluate("(() => { page.pause(); page.seek(page.end); page.draw(); })()")
    return np.array(studio.evaluate("page.mechanism.groups[0].position.toArray()"))


def move(studio, name, value, event="change"):
    studio.evaluate(f"""(() => {{
        const row = [...studio.rows.values()].find((row) => row.slider.getAttribute("aria-label") === {json.dumps(name)});
        row.slider.value = {value};
        row.slider.dispatchEvent(new Event("input"));
        if ({json.dumps(event)} === "change") row.slider.dispatchEvent(new Event("change"));
    }})()""")


def settled(studio, more="true"):
    studio.wait(f"!studio.busy && !studio.waiting && ({more})")


@pytest.mark.parametrize(
    "name, value, says",
    [("l", 1.4, "l: 1.4"), ("hinge.angle", -100, "hinge.angle: -100 deg"), ("gravity z", -3, "-3]")],
)
def test_a_slider_changes_text_and_motion(studio, name, value, says):
    """The final state is that of a fresh simulation of the text; float32 in the page."""
    before = last_place(studio)
    move(studio, name, value)
    settled(studio, f"studio.editor.text.includes({json.dumps(says)})")
    model_text = text(studio)
    assert says in model_text and "# a first model" in model_text
    assert np.abs(last_place(studio) - fresh(model_text).numbers("rod.position")[-1]).max() < 1e-6
    assert np.abs(last_place(studio) - before).max() > 1e-3 and studio.errors == []


def test_a_slider_that_is_being_moved_is_followed(studio):
    """Thirty values before the first answer: the first and the last one are run, and the last is what is shown."""
    before = studio.evaluate("studio.requested")
    studio.evaluate("""(() => {
        const { slider } = [...studio.rows.values()].find((row) => row.slider.getAttribute("aria-label") === "l");
        for (let k = 0; k <= 30; k++) {
          slider.value = 0.5 + (1.3 * k) / 30;
          slider.dispatchEvent(new Event("input"));
        }
        slider.dispatchEvent(new Event("change"));
    })()""")
    settled(studio, "studio.editor.text.includes('l: 1.8')")
    assert np.abs(last_place(studio) - fresh(text(studio)).numbers("rod.position")[-1]).max() < 1e-6
    assert studio.evaluate("studio.requested") == before + 2 and studio.errors == []


def test_sliders_moved_while_a_run_takes_long_are_all_in_the_text(studio):
    """The second one supersedes the run of the first, not what the first one wrote."""
    long = (
        text(studio).replace("t_end: 10, every: 0.02", "t_end: 1e5, every: 100, rtol: 1e-12").replace("c: 0.05", "c: 0")
    )
    studio.evaluate("clearTimeout(studio.timer)")
    studio.evaluate(f"studio.editor.set({json.dumps(long)})")
    move(studio, "l", 1.6)
    studio.wait("studio.requested >= 3 && studio.busy")
    move(studio, "m", 1.9)
    studio.wait("studio.requested >= 4")
    move(studio, "t_end", 0.1)
    settled(studio, "studio.editor.text.includes('t_end: 0.1')")
    assert "l: 1.6," in text(studio) and "m: 1.9," in text(studio)


def test_plots_follow(studio):
    """The curve in the plot is that of the new motion, in degrees as the text has them."""
    move(studio, "hinge.angle", 20)
    settled(studio, "studio.editor.text.includes('20 deg')")
    shown = np.array(studio.evaluate("Array.from(page.plots.charts[0].chart.data[1])"))
    assert (
        shown[0] == pytest.approx(20, abs=1e-5)
        and "[deg]" in studio.evaluate("$('plots').innerText")
        and studio.evaluate("page.plots.charts.length") == 1
    )


def test_what_has_no_equilibrium_says_why_and_marks_no_line(studio):
    """Oracle: gravity is taken away and a constant torque left: the model is right, and nothing holds it."""
    before = text(studio)
    driven = before.replace("forces:\n", "forces:\n  drive: {motor: hinge, torque: 50}\n", 1)
    assert driven != before
    studio.evaluate(f"studio.editor.set({json.dumps(driven)}), studio.run({{}})")
    settled(studio, "studio.editor.text.includes('torque: 50')")
    studio.evaluate("$('do-equilibrium').click()")
    studio.wait("$('working').hidden && !$('answer').hidden")
    words = studio.evaluate("$('report').textContent")
    assert "no equilibrium" in words.lower() and "mk." not in words
    assert studio.evaluate(
        "$('error').hidden && !document.querySelector('.cm-lint-marker') && !$('stage').classList.contains('stale')"
    )
    studio.evaluate(f"studio.editor.set({json.dumps(before)}), studio.run({{}})")
    settled(studio, "!studio.editor.text.includes('torque: 50')")


def test_a_wrong_edit_is_shown_and_the_last_good_motion_stays(studio):
    place, model_text = last_place(studio), text(studio)
    replace_text(studio, model_text.replace("axis: y", "axis: q"))
    studio.wait("!document.getElementById('error').hidden")
    message = studio.evaluate("document.getElementById('error').textContent")
    assert message.startswith("line 7:") and "'q'" in message
    assert studio.evaluate("document.querySelector('.cm-lintRange-error').textContent") == "q"
    assert np.array_equal(last_place(studio), place)
    studio.evaluate("page.press()")
    studio.wait("page.playing && page.t > 0.1")  # it still plays
    replace_text(studio, model_text.replace("axis: y", "axis: x"))
    studio.wait("document.getElementById('error').hidden")
    settled(studio)
    assert (
        np.abs(last_place(studio) - fresh(text(studio)).numbers("rod.position")[-1]).max() < 1e-6
        and studio.errors == []
    )


def test_what_is_typed_meanwhile_is_not_lost(studio):
    """An answer that comes after further typing does not put the old text back."""
    model_text = text(studio)
    move(studio, "l", 1.2)
    replace_text(studio, model_text.replace("m: 1,", "m: 3,"))
    settled(studio)
    studio.wait("studio.editor.text.includes('m: 3,')")
    assert "m: 3," in text(studio)


def test_buttons(moves_by_itself, studio):
    studio.evaluate("document.getElementById('do-modes').click()")
    studio.wait("document.getElementById('modes').children.length === 1 && page.playing")
    reply = studio.evaluate("document.getElementById('overlay').textContent")
    assert (
        f"{np.sqrt(1.5 * 9.81 - (1.5 * 0.05) ** 2) / (2 * np.pi):.4g} Hz" in reply
    )  # ω² = 3g/2l − (c/2I)², I = m l²/3
    studio.wait("page.t > 0.3 * page.end")
    studio.evaluate("document.getElementById('do-back').click()")
    settled(studio, "document.getElementById('answer').hidden")
    assert studio.evaluate("page.plots.names()") == ["hinge.angle"] and studio.evaluate("page.rate") == 1
    studio.evaluate("document.getElementById('do-equilibrium').click()")
    studio.wait("!document.getElementById('do-start-here').hidden")
    assert np.allclose(last_place(studio), (0, 0, -0.5), atol=1e-6)
    studio.evaluate("document.getElementById('do-start-here').click()")
    settled(studio, "document.getElementById('answer').hidden")
    assert np.allclose(last_place(studio), (0, 0, -0.5), atol=1e-6)
    studio.evaluate("document.getElementById('do-equations').click()")
    studio.wait("document.getElementById('equations').open && document.querySelectorAll('#formulas math').length > 3")
    wide = studio.evaluate(
        "[...document.querySelectorAll('#formulas math')].every((m) => m.getBoundingClientRect().width > 0)"
    )
    assert wide and studio.errors == []


def test_saving_and_reloading(studio, tmp_path):
    move(studio, "m", 1.5)
    settled(studio, "studio.editor.text.includes('m: 1.5')")
    assert not studio.evaluate("document.getElementById('unsaved').hidden")
    studio.reload()
    studio.wait(READY)
    assert "m: 1.5" in text(studio)  # what was not saved is still there
    assert not studio.evaluate("document.getElementById('unsaved').hidden")  # and it still says so
    studio.evaluate("document.getElementById('do-save').click()")
    studio.wait("document.getElementById('unsaved').hidden")
    assert (tmp_path / "pendulum.yaml").read_text() == text(studio)
    # a hand that typed would have to choose
    assert [reply for reply in studio.errors if "beforeunload" not in reply] == []


def test_a_file_that_another_tab_has_saved_is_not_overwritten_unasked(studio, tmp_path):
    """It offers a choice: into a new file, or over the other, or the other's text instead; Ctrl-Z brings back what
    was here."""
    path, other = tmp_path / "pendulum.yaml", "# by another tab\n" + opening.FIRST
    click = lambda name: studio.evaluate(f"document.getElementById('{name}').click()")
    asks = "document.getElementById('conflict').open && document.getElementById('conflict-text').textContent"
    path.write_text(other)
    mine = text(studio).replace("m: 1,", "m: 2,")
    replace_text(studio, mine)
    click("do-save")
    studio.wait(asks)
    assert "there is such a file already" in studio.evaluate(asks) and path.read_text() == other
    click("conflict-leave")
    assert text(studio) == mine and not studio.evaluate("document.getElementById('unsaved').hidden")
    click("do-save")
    studio.wait(asks)
    click("conflict-copy")
    studio.wait("document.getElementById('unsaved').hidden")
    assert (tmp_path / "pendulum-2.yaml").read_text() == mine and path.read_text() == other
    assert studio.evaluate("document.getElementById('file').textContent") == "pendulum-2.yaml"

    (tmp_path / "pendulum-2.yaml").write_text(other)  # now that one is changed by another
    replace_text(studio, mine + "# more\n")
    click("do-save")
    studio.wait(asks)
    assert "it was changed since it was read" in studio.evaluate(asks)
    click("conflict-reload")
    studio.wait(f"studio.editor.text === {json.dumps(other)} && document.getElementById('unsaved').hidden")
    press(studio, "z", CTRL)
    studio.wait(f"studio.editor.text === {json.dumps(mine + '# more' + chr(10))}")
    click("do-save")
    studio.wait("document.getElementById('unsaved').hidden")
    assert (tmp_path / "pendulum-2.yaml").read_text() == mine + "# more\n" and path.read_text() == other


def test_an_analysis_is_cancelled(studio, monkeypatch):
    """Its process is ended, the page goes on; a second request gives up the first; a run gives up both."""
    sent, send = Queue(), Worker.send
    monkeypatch.setattr(Worker, "send", lambda worker, request: (send(worker, request), sent.put(worker)))
    monkeypatch.setattr(
        "mekane.view.studio.workers.COMMAND", [sys.executable, "-c", "import sys; [None for line in sys.stdin]"]
    )
    worker_pool.close()  # those of before would answer
    gives_up = ("document.getElementById('do-cancel').click()", "studio.equilibrium()", "studio.run({})")
    for name, then in zip(("modes", "equations", "modes"), gives_up, strict=True):
        studio.evaluate(f"document.getElementById('do-{name}').click()")
        worker = sent.get()
        assert not studio.evaluate(
            "document.getElementById('do-cancel').hidden || document.getElementById('working').hidden"
        )
        studio.evaluate(f"void {then}")
        worker.process.wait()
    while not sent.empty():
        sent.get().process.wait()
    settled(studio, "document.getElementById('do-cancel').hidden")
    assert studio.evaluate("document.getElementById('error').hidden") and studio.errors == []
    worker_pool.close()


def test_reactions_and_other_curves_are_requested(studio):
    """Arrows and a curve that was not sent with the motion; oracle: the run."""
    studio.evaluate("page.plots.add('rod.velocity')")
    studio.wait("page.plots.charts.some((one) => one.name === 'rod.velocity')")
    run = fresh(text(studio))
    shown = np.array(
        studio.evaluate("Array.from(page.plots.charts.find((one) => one.name === 'rod.velocity').chart.data[1])")
    )
    assert shown.max() == pytest.approx(run.numbers("rod.velocity")[:, 0].max(), rel=1e-6) and studio.errors == []


def test_the_studio_is_ended(studio):
    """The text stays, and the page says what is the matter."""
    studio.server.close()
    replace_text(studio, text(studio) + "# more\n")
    studio.wait("document.getElementById('error').textContent.includes('does not answer')")
    assert text(studio).endswith("# more\n") and studio.evaluate("page.mechanism.groups.length") == 1


def test_events_are_on_the_time_line(studio):
    """Oracle: the table of a fresh run of the same text."""
    event = "events:\n  pass: {when: hinge.angle.rate > 0, set: {n: n + 1}, once: false}\n"
    model_text = text(studio).replace("simulate:", f"variables: {{n: 0}}\n{event}simulate:")
    replace_text(studio, model_text)
    settled(studio, "studio.editor.text.includes('pass') && document.querySelectorAll('#events .event').length > 0")
    times = studio.evaluate("page.events.events.map((event) => event.time)")
    assert times == pytest.approx(fresh(model_text).events.times, rel=1e-12) and len(times) > 1
