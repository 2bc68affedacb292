"""Live pages driven by mouse and keyboard in a headless browser, opened from disk with the network off. Oracles: mk.simulate,
and the balance of energies, to which the work of the hand belongs."""

import input_events
import numpy as np
import pytest
from browser import CHROMIUM, Browser
from live_pages import TIGHT

import mekane as mk
from mekane import gallery
from mekane.importers.yaml import load_document
from mekane.view.studio.opening import FIRST
from mekane.view.web.live_page import live_data

NEEDS_CHROMIUM = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
PIXEL = """((k, local) => {
  page.draw();
  const { groups } = page.mechanism, at = page.stage.canvas.getBoundingClientRect();
  const x = new THREE.Vector3(...local).applyQuaternion(groups[k].quaternion).add(groups[k].position).project(page.stage.camera);
  return [at.left + ((x.x + 1) / 2) * at.width, at.top + ((1 - x.y) / 2) * at.height];
})(%d, %s)"""
HTML = "<img src=x onerror=broken=1></script><script>broken=1</script>"


@pytest.fixture(scope="module")
def browser():
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("live") / "pendulum.html"
    mk.save_live(gallery.find("double_pendulum").system(), path, sliders={"lower.mass": (0.1, 5.0)}, t_end=1.0)
    return path


@pytest.fixture
def page(browser, saved):
    browser.errors.clear()
    browser.open(saved.as_uri())
    yield browser
    assert browser.errors == []


def mouse(browser, kind, place, buttons=0):
    button = "left" if buttons or kind == "mouseReleased" else "none"
    browser.call(
        "Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button=button, buttons=buttons, clickCount=1
    )


def key(browser, code):
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, code=code, key=code)


def click(browser, element):
    box = browser.evaluate(f"document.getElementById('{element}').getBoundingClientRect().toJSON()")
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for kind, buttons in (("mousePressed", 1), ("mouseReleased", 0)):
        mouse(browser, kind, place, buttons)


def ledger(browser):
    """Numbers of the table as they are shown, by what they are of."""
    rows = "Array.from(document.querySelectorAll('#ledger tr'), (row) => [row.dataset.of, row.lastChild.textContent])"
    return {name: float(text) for name, text in browser.evaluate(rows)}


@NEEDS_CHROMIUM
def test_it_plays_what_simulate_computes(page):
    """Poses that are drawn are float32."""
    click(page, "play")
    page.wait("page.t > 0.5")
    click(page, "play")
    page.wait("!page.playing")
    t, place = page.evaluate("page.draw() || [page.live.engine.t, page.mechanism.groups[1].position.toArray()]")
    run = mk.simulate(gallery.find("double_pendulum").system(), t, **TIGHT)
    assert t > 0.5 and np.abs(np.array(place) - run.numbers("lower.position")[-1]).max() < 1e-6
    assert page.evaluate("page.live.record.count") > 5 and abs(ledger(page)["drift"]) < 1e-7


@NEEDS_CHROMIUM
def test_dragging_the_end_moves_it_and_the_ledger_shows_the_work_of_the_hand(page):
    """The end of the second link is pulled up, where it stays: at rest T is zero, so V is what the hand
    has done. Released it falls, and the balance stays."""
    start = page.evaluate(PIXEL % (1, [0, 0, 0]))
    view = page.evaluate("page.stage.camera.position.toArray()")
    mouse(page, "mouseMoved", start)
    page.wait("!$('tip').hidden")
    assert "position (2, 0, 0) m" in page.evaluate("$('tip').textContent")  # with round-off it would be 1e-16
    mouse(page, "mousePressed", start, 1)
    assert page.evaluate("page.live.engine.hand.body") == 1 and page.evaluate("page.playing")
    for share in np.linspace(0.1, 1, 10):
        mouse(page, "mouseMoved", (start[0] - 18 * share, start[1] - 100 * share), 1)
    page.wait(f"page.live.engine.t > {page.evaluate('page.live.engine.t') + 4}")
    label = page.evaluate("document.getElementById('hand-force').textContent")
    force = page.evaluate("Math.hypot(...page.live.engine.handForce().force)")
    assert label.endswith(" N") and float(label.split()[0]) == pytest.approx(force, rel=0.05) and force > 1
    held = ledger(page)
    assert held["kinetic"] < 0.01 and held["hand"] > 1
    assert held["hand"] == pytest.approx(
        held["total"], abs=2e-3 * held["hand"]
    )  # shown with four digits; it began with none
    mouse(page, "mouseReleased", (start[0] - 18, start[1] - 100))
    page.wait(f"page.live.engine.t > {page.evaluate('page.live.engine.t') + 0.5}")
    click(page, "play")
    after = ledger(page)
    fell = page.evaluate(
        "Math.max(...Array.from({ length: 20 }, (_, k) => page.live.record.energies.at(5 * (page.live.record.count - 1 - k))))"
    )
    assert after["hand"] == pytest.approx(held["hand"], rel=0.02) and fell > 0.1
    assert abs(after["drift"]) < 1e-7 and page.evaluate("document.getElementById('hand-force').hidden")
    assert page.evaluate("page.stage.camera.position.toArray()") == pytest.approx(view)  # the view has not turned


@NEEDS_CHROMIUM
def test_a_finger_drags_too(page):
    start = page.evaluate(PIXEL % (1, [0, 0, 0]))
    touch = lambda kind, *places: page.call(
        "Input.dispatchTouchEvent", type=kind, touchPoints=[dict(x=x, y=y) for x, y in places]
    )
    touch("touchStart", start)
    touch("touchMove", (start[0] - 20, start[1] - 40))
    page.wait("page.live.engine.t > 0.3")
    assert (
        page.evaluate("page.live.engine.hand.target[1]") > 0.1
        and abs(page.evaluate("page.live.engine.energy.hand")) > 1e-3
    )
    touch("touchEnd")
    assert page.evaluate("page.live.engine.hand") is None


@NEEDS_CHROMIUM
def test_elsewhere_the_view_turns(page):
    view = page.evaluate("page.stage.camera.position.toArray()")
    corner = page.evaluate(
        "(() => { const r = page.stage.canvas.getBoundingClientRect(); return [r.left + 20, r.bottom - 20]; })()"
    )
    mouse(page, "mousePressed", corner, 1)
    mouse(page, "mouseMoved", (corner[0] + 50, corner[1] - 20), 1)
    mouse(page, "mouseReleased", (corner[0] + 50, corner[1] - 20))
    page.evaluate("page.draw()")
    assert page.evaluate("page.live.engine.hand") is None
    assert page.evaluate("page.stage.camera.position.toArray()") != pytest.approx(view)


@NEEDS_CHROMIUM
def test_single_steps_rewinding_and_going_on_from_there(page):
    key(page, "ArrowRight")
    first = page.evaluate("page.t")
    assert first == pytest.approx(1 / 60) and not page.evaluate("page.playing")
    for _ in range(9):
        click(page, "live-step")
    assert page.evaluate("page.t") == pytest.approx(10 / 60) and page.evaluate("page.live.record.count") == 11
    page.evaluate("document.activeElement.blur()")  # keys of a button are its own
    for _ in range(4):
        key(page, "ArrowLeft")
    assert page.evaluate("page.t") == pytest.approx(6 / 60) and page.evaluate("page.live.engine.t") == pytest.approx(
        10 / 60
    )
    page.evaluate("page.live.set(0, 2.0)")  # acts from the moment that is shown: what was after it is gone
    assert page.evaluate("[page.live.engine.t, page.live.record.end]") == pytest.approx([6 / 60, 6 / 60])
    click(page, "live-reset")
    assert page.evaluate("[page.t, page.live.engine.t, page.live.record.count]") == [0, 0, 1]


@NEEDS_CHROMIUM
def test_a_phase_portrait_grows(page):
    """By a click; the rate over the angle, as mk.simulate has both."""
    for _ in range(30):
        click(page, "live-step")
    input_events.click(page, "#plots .phase")
    one = "page.plots.charts.find((one) => one.over)"
    assert page.evaluate(f"[{one}.name, {one}.over]") == ["shoulder.angle.rate", "shoulder.angle"]
    shown = "Array.from(page.data.channels[%r].numbers)"
    angle, rate = (np.array(page.evaluate(shown % name)) for name in ("shoulder.angle", "shoulder.angle.rate"))
    t = page.evaluate("Array.from(page.data.channels['shoulder.angle'].t)")
    run = mk.simulate(gallery.find("double_pendulum").system(), t[-1], every=t, **TIGHT)
    assert np.abs(angle - run.numbers("shoulder.angle")).max() < 1e-7  # the page runs at 1e-9
    assert np.abs(rate - run.numbers("shoulder.angle.rate")).max() < 1e-7 and len(t) == 31


@NEEDS_CHROMIUM
def test_a_slider_acts_at_once(page):
    slider = "document.querySelector('#live-sliders input')"
    page.evaluate(f"{slider}.value = 2; {slider}.dispatchEvent(new Event('input'))")
    assert page.evaluate("page.live.engine.p[page.live.about.places.parameters]") == 2
    assert page.evaluate("document.querySelector('#live-sliders output').textContent") == "2"
    assert page.evaluate("document.querySelector('#live-sliders span').textContent") == "lower.mass"


@NEEDS_CHROMIUM
def test_a_loop_that_cannot_be_closed_leaves_all_as_it_was(browser, tmp_path):
    """Two links of one metre each reach from one pivot to the other if these are two metres apart, and no further."""
    s = mk.System("reach", gravity=(0, 0, 0), parameters={"x": 1.6})
    for name, x, angle in (("crank", 0.4, "-36.87 deg"), ("rod", 1.2, "36.87 deg")):
        s.body(name, mass=1, inertia=(0.1, 0.1, 0.1), position=(x, 0, 0.3), orientation=("y", angle))
    s.pin("A", s.ground, "crank", on_a=(0, 0, 0), on_b=(-0.5, 0, 0), axis_a="y", axis_b="y")
    s.pin("B", "crank", "rod", on_a=(0.5, 0, 0), on_b=(-0.5, 0, 0), axis_a="y", axis_b="y")
    s.pin("C", s.ground, "rod", on_a=(mk.Param("x", 1.6), 0, 0), on_b=(0.5, 0, 0), axis_a="y", axis_b="y")
    mk.save_live(s, tmp_path / "reach.html", sliders={"x": (1.0, 3.0)}, t_end=0.1)
    browser.open((tmp_path / "reach.html").as_uri())
    before = browser.evaluate("Array.from(page.live.engine.state)")
    browser.evaluate("page.live.set(0, 2.5); page.draw()")
    assert browser.evaluate("Array.from(page.live.engine.state)") == pytest.approx(before)
    assert (
        browser.evaluate("document.getElementById('trouble').textContent")
        == "x = 2.5: the joints cannot be closed with it"
    )
    browser.evaluate("page.live.set(0, 1.9); page.draw()")
    place = browser.evaluate("page.live.engine.pointOf(1, [0.5, 0, 0]).x")
    assert (
        place == pytest.approx([1.9, 0, 0], abs=1e-12)
        and browser.evaluate("document.getElementById('trouble').textContent") == ""
    )


@NEEDS_CHROMIUM
def test_a_thousand_steps_of_dragging_need_no_more_memory(page):
    """The record has an end, and nothing else grows: after garbage is collected, less than a megabyte more."""
    used = lambda: [page.call("HeapProfiler.collectGarbage"), page.call("Runtime.getHeapUsage")["usedSize"]][1]
    drag = """(() => {
      const { live } = page;
      live.engine.grab(1, [0, 0, 0], [1, 1, 0]);
      for (let k = 0; k < %d; k++) { live.engine.hand.target = [Math.cos(k / 9), Math.sin(k / 9), 0]; live.advance(1 / 60); live.show(); }
      live.engine.release();
      return [live.record.count, live.record.end];
    })()"""
    page.evaluate("page.live.record = new LiveRecord(page.live.engine, 400); page.live.record.push(page.live.engine)")
    page.evaluate(drag % 500)
    before = used()
    count, end = page.evaluate(drag % 1000)
    assert count <= 400 and 1 < end < 25.01 and used() - before < 1e6
    assert (
        page.evaluate("page.live.engine.steps") >= 1500
        and page.evaluate("Math.abs(page.live.engine.energy.balance)") < 1e-5
    )


@NEEDS_CHROMIUM
def test_names_that_are_html_or_javascript_are_inert(browser, tmp_path):
    s = mk.System(HTML, parameters={"m": 1.0})
    s.body(HTML, mass=mk.Param("m", 1.0), inertia=(1, 1, 1), position=(0, 0, -1))
    s.pin("hinge */ ${1} `", s.ground, HTML, at=(0, 0, 0), axis="y", rate=1.0)
    s.motor("</script>", "hinge */ ${1} `", torque=0.1)
    mk.save_live(s, tmp_path / "odd.html", t_end=0.1)
    browser.open((tmp_path / "odd.html").as_uri())
    browser.evaluate("page.live.single()")
    assert browser.evaluate("window.broken") is None and browser.errors == []
    assert browser.evaluate("document.getElementById('title').textContent") == HTML


@NEEDS_CHROMIUM
def test_an_event_that_stops_ends_the_motion_and_the_page_says_so(browser, tmp_path):
    """A ball that falls 1 m: at sqrt(2/9.81) s. Rewound, it goes on to the same instant."""
    s = mk.System("fall")
    s.body("ball", mass=1.0, inertia=(1, 1, 1))
    s.event("<b>down</b>", when="ball.position.z < -1", stop=True)
    mk.save_live(s, tmp_path / "fall.html", t_end=0.4)
    browser.open((tmp_path / "fall.html").as_uri())
    for key in (" ", "Home", "ArrowRight", " "):
        browser.evaluate("document.activeElement.blur(), page.rate = 5")
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key=key, code={" ": "Space"}.get(key, key))
        if key == " ":
            browser.wait("!page.playing && page.data.trouble.includes('ends the motion')")
    assert browser.evaluate("page.live.engine.t") == pytest.approx(np.sqrt(2 / 9.81), abs=1e-10)
    assert "event '<b>down</b>' ends the motion at 0.4515 s" in browser.evaluate(
        "(page.draw(), $('trouble').textContent)"
    )
    assert browser.errors == []


@NEEDS_CHROMIUM
def test_contacts_are_shown(browser, tmp_path):
    """A block on a slope that slides, stops and stays. Oracles: uniform deceleration, the weight that the contact carries, and
    the ledger; rewound, it shows what friction had taken by then."""
    slope, mu, v = np.radians(20.0), 0.8, 1.0
    s = mk.System("block", gravity=(9.81 * np.sin(slope), 0, -9.81 * np.cos(slope)))
    s.body("block", mass=2.0, shape=mk.Box(0.2, 0.2, 0.1), position=(0, 0, 0.05), velocity=(v, 0, 0))
    s.contact("slope", "block", (s.ground, mk.Plane()), friction=mu)
    stops = v / (9.81 * (mu * np.cos(slope) - np.sin(slope)))
    mk.save_live(s, tmp_path / "block.html", t_end=0.4)
    browser.open((tmp_path / "block.html").as_uri())
    for _ in range(40):
        browser.evaluate("page.live.single()")
    cells = "Object.fromEntries(Object.entries(page.live.panel.cells).map(([key, { cell }]) => [key, Number(cell.textContent)]))"
    now = browser.evaluate(f"(page.draw(), {cells})")
    marks = browser.evaluate("page.events.events.map(({ time, lines }) => [time, lines[0]])")
    patch = browser.evaluate("page.mechanism.arrows.list.map(({ patch, of }) => [patch.visible, of.largest])")
    assert marks[-1][0] == pytest.approx(stops, abs=1e-9) and marks[-1][1].count(" sticks") == 4
    assert now["contacts"] == pytest.approx(-2.0 * (v**2 / 2 + 9.81 * np.sin(slope) * v * stops / 2), rel=1e-3)
    assert abs(now["drift"]) < 1e-8 and [visible for visible, _ in patch].count(True) == 4
    assert sum(size for _, size in patch) > 2.0 * 9.81 * np.cos(slope)
    browser.evaluate("page.seek(0.05); page.draw()")
    assert now["contacts"] < browser.evaluate(cells)["contacts"] < 0
    assert browser.errors == []


@NEEDS_CHROMIUM
def test_without_webgl_the_page_says_so(browser, saved, tmp_path):
    """A canvas that has no WebGL to give, as in a browser without it."""
    off = "<script>HTMLCanvasElement.prototype.getContext = () => null;</script>"
    (tmp_path / "off.html").write_text(
        saved.read_text(encoding="utf-8").replace("<body>", f"<body>{off}", 1), encoding="utf-8"
    )
    browser.open((tmp_path / "off.html").as_uri(), ready="window.page && !document.getElementById('no-webgl').hidden")
    assert "WebGL" in browser.evaluate("document.getElementById('no-webgl').textContent")
    browser.errors.clear()


def test_a_page_needs_nothing_else(saved):
    text = saved.read_text(encoding="utf-8")
    policy = text.partition("Content-Security-Policy")[2].partition(">")[0]
    assert "default-src 'none'" in policy and "connect-src 'none'" in policy and "unsafe-eval" not in policy


def pendulum(**parameters):
    s = mk.System("swing", parameters={"m": 1.0, **parameters})
    s.body("arm", mass=mk.Param("m", 1.0), inertia=(1, 1, 1), position=(0, 0, -1))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=1.0)
    return s


def with_callback():
    s = pendulum()
    s.motor("push", "hinge", torque=lambda t, state: 1.0 if float(state["hinge.angle"]) > 0 else -1.0)
    return s


def still():
    s = mk.System("stuck")
    s.weld("glue", s.ground, s.body("block", 1.0, inertia=(1, 1, 1)))
    return s


def test_a_parameter_that_cannot_vary_has_no_slider_and_the_page_says_why():
    """`l` gives where the rod is, and the section `assemble` has put it elsewhere: it is a number there."""
    placed, _ = load_document(FIRST)
    data, _ = live_data(placed, t_end=0.1)
    assert [one["name"] for one in data["live"]["sliders"]] == ["m", "c"] and "elsewhere" in data["live"]["fixed"]["l"]
    with pytest.raises(mk.ModelError, match="'l' cannot vary"):
        live_data(placed, ["l"], t_end=0.1)


def resists_rolling():
    s = mk.System("ball")
    s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 0.1))
    s.contact("floor", "ball", (s.ground, mk.Plane()), friction=0.3, rolling=0.001)
    return s


REFUSED = [
    (pendulum, dict(path="live.txt"), ["'live.txt'", ".html"]),
    (pendulum, dict(sliders=["n"]), ["sliders", "'n'", "m"]),
    (pendulum, dict(sliders="m"), ["sliders", "'m'", "a list of names"]),
    (pendulum, dict(sliders={"m": (2, 1)}), ["'m'", "(lowest, highest)"]),
    (pendulum, dict(sliders={"m": (-1, 1)}), ["m = -1", "not possible"]),
    (pendulum, dict(t_end=-1), ["t_end"]),
    (with_callback, {}, ["motor 'push'", "Python function", "select"]),
    (still, {}, ["'stuck'", "nothing in it can move"]),
    (resists_rolling, {}, ["contact 'floor'", "it resists rolling", "save_html"]),
]


@pytest.mark.parametrize("build, options, pieces", REFUSED)
def test_refused_with_an_explanation(build, options, pieces, tmp_path):
    with pytest.raises(mk.MekaneError) as error:
        mk.save_live(build(), **{"path": tmp_path / "live.html", "t_end": 0.1} | options)
    assert not [piece for piece in pieces if piece not in str(error.value)], str(error.value)
    assert not list(tmp_path.iterdir())
