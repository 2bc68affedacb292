"""Events on the time line of a page. Oracles: the table of events of the run; the boxes that the browser lays out."""

import numpy as np
import pytest
from browser import CHROMIUM, Browser

import mekane as mk
from mekane import gallery
from mekane.view.web.events import MOST_MARKS, event_marks

in_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


def bouncing(name="bounce"):
    s = mk.System("ball")
    ball = s.body("ball", mass=0.2, shape=mk.Sphere(0.05), position=(0, 0, 1))
    s.slider("rail", s.ground, ball, axis="z")
    s.variable("count", 0)
    again = {"rail.displacement.rate": "-0.8*rail.displacement.rate", "count": "count + 1"}
    s.event(name, when="ball.position.z < 0", set=again, once=False)
    s.event("wind", when="t >= 1.1", set={"count": 100})
    return mk.simulate(s, 3.9, every=0.02)


@pytest.fixture(scope="module")
def run():
    return bouncing()


@pytest.fixture(scope="module")
def shown(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("events") / "motion.html"
    run.save_html(path)
    with Browser() as browser:
        browser.open(path.as_uri())
        yield browser
        assert browser.errors == []


MARKS = """[...document.querySelectorAll("#events .event")].map((one) => {
    const box = one.getBoundingClientRect(), name = one.lastChild.getBoundingClientRect();
    return { x: box.left + box.width / 2, left: box.left, right: Math.max(box.right, one.lastChild.hidden ? 0 : name.right),
             text: one.title, label: one.getAttribute("aria-label"), reached: one.tabIndex === 0 };
})"""


def resized(shown, width):
    """The marks in a window of this width, after they have been laid out anew."""
    shown.call("Emulation.setDeviceMetricsOverride", width=width, height=700, deviceScaleFactor=1, mobile=False)
    shown.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    return shown.evaluate(MARKS)


def test_marks_are_those_of_the_table(run):
    marks = event_marks(run)
    assert [mark["time"] for mark in marks] == run.events.times.tolist()
    assert marks[0]["lines"] == [f"bounce at {run.events[0].time:.6g} s: count 0 → 1"]
    assert marks[1] == {"time": 1.1, "name": "wind", "lines": ["wind at 1.1 s: count 1 → 100"], "count": 1}
    assert event_marks(gallery.find("pendulum").run()) == []


def test_marks_of_very_many_events_are_few():
    """All are counted, however many share a mark."""
    s = mk.System("clock")
    s.body("b", mass=1.0)
    s.variable("n", 0)
    s.event("tick", when="sin(2000*t) > 0", set={"n": "n + 1"}, once=False)
    run = mk.simulate(s, 1.0)
    run.info["events"] = [entry | {"time": t} for t in np.linspace(0, 1, 20_000) for entry in run.info["events"][:1]]
    marks = event_marks(run)
    assert len(marks) <= MOST_MARKS + 1 and sum(mark["count"] for mark in marks) == 20_000


@in_browser
@pytest.mark.parametrize("width", [1400, 1000, 420])
def test_marks_stand_where_their_time_is_and_do_not_overlap(run, shown, width):
    """Each at the middle of the knob at its time, to a pixel; every event in one of them."""
    marks = resized(shown, width)
    box = shown.evaluate(
        "(() => { const b = document.getElementById('scrub').getBoundingClientRect(); return [b.left, b.width]; })()"
    )
    assert all(a["right"] <= b["left"] + 0.01 for a, b in zip(marks, marks[1:], strict=False))
    texts = "\n".join(mark["text"] for mark in marks)
    for mark in marks:
        share = float(mark["text"].split(" at ")[1].split(" s")[0]) / run.t[-1]
        assert mark["x"] == pytest.approx(box[0] + 8 + share * (box[1] - 16), abs=1.0)
        assert mark["label"] == mark["text"]
    assert all(f"at {t:.6g} s" in texts for t in run.events.times)
    assert (len(marks) == len(run.events)) == (width == 1400)
    assert [mark["reached"] for mark in marks] == [k == 0 for k in range(len(marks))]


@in_browser
def test_a_mark_goes_to_its_time(run, shown):
    """By a click, and by keys from mark to mark."""
    resized(shown, 1400)
    shown.evaluate("document.querySelectorAll('#events .event')[2].click()")
    assert shown.evaluate("page.t") == run.events[2].time and not shown.evaluate("page.playing")
    shown.evaluate("""(() => {
        document.querySelector("#events .event").focus();
        for (const code of ["ArrowRight", "ArrowRight", "ArrowLeft"])
            document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { code, bubbles: true }));
        document.activeElement.click();
    })()""")
    assert shown.evaluate("page.t") == run.events[1].time
    assert shown.evaluate("document.querySelectorAll('#events [tabindex=\"0\"]').length") == 1


@in_browser
def test_names_are_text(shown, tmp_path):
    """Whatever stands in a name; and a page without events has no line for them."""
    name = "<img src=x onerror=alert(1)>"
    for run, hidden in ((bouncing(name), False), (gallery.find("pendulum").run(), True)):
        run.save_html(tmp_path / "other.html")
        shown.open((tmp_path / "other.html").as_uri())
        assert shown.evaluate("document.getElementById('events').hidden") is hidden
        assert shown.evaluate("document.querySelectorAll('#events img').length") == 0
