"""Pages for everybody: contrast, names of controls, keys, less motion, fingers.

Oracles: luminances as WCAG 2 defines them from the colours that the browser has computed, the accessibility tree of
Chromium, its own order of tabs, touch events that it makes itself.
"""

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from input_events import fingers, press, replace_text
from screens import MEASURES, unreadable, window

from mekane import gallery
from mekane.importers.yaml import load_document
from mekane.view.studio import opening
from mekane.view.studio.backend import Backend
from mekane.view.web.live_page import live_page
from mekane.view.web.saved_page import data_of, page
from mekane.view.web.server import Server

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
CONTROLS = {
    "button",
    "checkbox",
    "combobox",
    "slider",
    "textbox",
    "searchbox",
    "spinbutton",
    "link",
    "treeitem",
    "splitter",
}
READY = "window.studio && studio.shown > 0 && !studio.busy && !studio.waiting"
# controls that can be seen and are meant to be reached, each with a number; of a tree, of radio buttons one is enough
REACHABLE = """(() => {
  const all = document.querySelectorAll("button, input, select, textarea, summary, a[href], [tabindex], [contenteditable=true]");
  const meant = [...all].filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }));
  meant.forEach((one, k) => { one.dataset.number = k; });
  return meant.map((one) => one.id || one.getAttribute("aria-label") || one.textContent.trim().slice(0, 30) || one.outerHTML.slice(0, 60));
})()"""
FOCUSED = """(() => {
  const one = document.activeElement, style = getComputedStyle(one), box = one.getBoundingClientRect();
  const seen = style.outlineStyle !== "none" || style.boxShadow !== "none" || one.closest(".splitter, .cm-editor") !== null;
  return [Number(one.dataset.number ?? -1), seen && box.width > 0, one.id || one.textContent.slice(0, 20)];
})()"""


def saved(folder):
    path = folder / "saved.html"
    path.write_text(page(data_of(gallery.find("double_pendulum").run(t_end=0.5))), encoding="utf-8")
    return path.as_uri()


def live(folder):
    path = folder / "live.html"
    system = gallery.find("double_pendulum").system()
    path.write_text(live_page(system, sliders={f"{list(system.bodies)[0]}.mass": (0.5, 2.0)}), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser():
    with Browser() as found:
        found.open("about:blank", ready="true")
        window(found, 1000, 520)
        found.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=3)
        yield found
        assert found.errors == []


@pytest.fixture(scope="module", params=["saved", "live", "studio"])
def shown(request, browser, tmp_path_factory):
    """A page with all that can stand on it; opened once."""
    folder = tmp_path_factory.mktemp("page")
    if request.param == "studio":
        with Server(Backend(opening.FIRST, "pendulum", folder / "p.yaml", exists=False), 0) as server:
            browser.open(server.address, offline=False, ready=READY)
            browser.evaluate("document.querySelectorAll('#sliders details').forEach((one) => { one.open = true; })")
            yield prepared(browser, request.param)
            browser.call("Page.navigate", url="about:blank")
        return
    browser.open({"saved": saved, "live": live}[request.param](folder), ready="Boolean(window.page?.data)")
    yield prepared(browser, request.param)


def prepared(browser, name):
    browser.evaluate(MEASURES)
    browser.evaluate("page.pause(), page.select(page.data.scene.bodies[0].name), page.draw()")
    browser.name = name
    return browser


def pale(browser):
    """Texts that are too pale, in light and in dark."""
    found = []
    for theme in ("dark", "light"):
        browser.evaluate(f"page.theme.choose({theme!r}), page.draw()")
        found += [f"{theme}: {one}" for one in unreadable(browser) if one.startswith("contrast")]
    return found


def test_every_text_can_be_read_in_light_and_dark(shown):
    assert pale(shown) == []
    if shown.name == "studio":
        shown.evaluate("studio.adding.open()")
        replace_text(shown, opening.FIRST.replace("axis: y", "axis: q"))  # an error, with its mark
        shown.wait("!$('error').hidden")
        assert pale(shown) == []
        replace_text(shown, opening.FIRST)
        shown.wait(f"{READY} && $('error').hidden")
        press(shown, "Escape")
        shown.evaluate("studio.adding.close()")


def test_every_control_has_a_name_and_is_reached_by_tab(shown):
    if shown.name == "studio":
        shown.evaluate("studio.adding.open()")
    shown.evaluate("page.select(page.data.scene.bodies[0].name), page.draw()")
    tree = shown.call("Accessibility.getFullAXTree")["nodes"]
    controls = [one for one in tree if not one.get("ignored") and one["role"]["value"] in CONTROLS]
    nameless = [one["role"]["value"] for one in controls if not one.get("name", {}).get("value", "").strip()]
    assert len(controls) > 15 and nameless == []
    meant, reached, unseen = shown.evaluate(REACHABLE), set(), set()
    shown.evaluate("document.activeElement.blur()")
    for _ in range(len(meant) + 5):
        if shown.evaluate("Boolean(document.activeElement.closest('.cm-editor'))"):
            press(shown, "Escape")  # Tab indents otherwise
        press(shown, "Tab")
        number, seen, what = shown.evaluate(FOCUSED)
        reached.add(number)
        unseen |= set() if seen or number < 0 else {what}
    assert [one for k, one in enumerate(meant) if k not in reached] == []
    assert unseen == set()  # where the focus is can be seen
    if shown.name == "studio":
        shown.evaluate("studio.adding.close()")


def test_nothing_moves_by_itself_where_less_motion_is_wished(shown):
    shown.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    assert shown.evaluate("page.playing") is False
    shown.evaluate("page.stage.camera.position.multiplyScalar(2), page.draw(), $('fit').click(), page.draw()")
    camera = "page.stage.camera.position.toArray()"
    there = shown.evaluate(camera)  # at once, and not gliding
    later = shown.evaluate(f"new Promise((done) => setTimeout(() => done({camera}), 100))")
    assert np.allclose(later, there, rtol=1e-12)
    if shown.name == "studio":
        shown.evaluate("studio.live.toggle()")
        shown.wait("studio.live.on")
        assert shown.evaluate("[page.playing, page.live.engine.t]") == [False, 0]
        shown.evaluate("studio.live.toggle()")
        shown.wait(f"!studio.live.on && {READY}")
    shown.call("Emulation.setEmulatedMedia", features=[])


# ---------------------------------------------------------------- fingers


@pytest.fixture
def touched(shown):
    """The live page, which is not played."""
    if shown.name != "live":
        pytest.skip("of the live page")
    shown.evaluate("page.pause(), page.select(null), $('fit').click(), page.draw()")
    return shown


EYE = "[page.stage.camera.position.toArray(), page.stage.controls.target.toArray()]"


def slide(browser, begin, end, steps=3):
    """Fingers from these places to those."""
    fingers(browser, "touchStart", *begin)
    for k in range(1, steps + 1):
        fingers(
            browser,
            "touchMove",
            *[[a + (b - a) * k / steps for a, b in zip(*pair, strict=True)] for pair in zip(begin, end, strict=True)],
        )
    fingers(browser, "touchEnd")
    browser.evaluate("page.draw()")


def empty_place(browser):
    """On the stage, beside the mechanism."""
    return browser.evaluate(
        "(() => { const b = page.stage.canvas.getBoundingClientRect(); return [b.left + 0.12 * b.width, b.top + 0.8 * b.height]; })()"
    )


def test_one_finger_turns_the_view_and_two_zoom_and_move_it(touched):
    x, y = empty_place(touched)
    eye, target = map(np.array, touched.evaluate(EYE))
    slide(touched, [(x, y)], [(x + 60, y)])
    turned, still = map(np.array, touched.evaluate(EYE))
    assert np.allclose(still, target) and np.linalg.norm(turned - eye) > 0.05 * np.linalg.norm(eye - target)
    assert np.isclose(np.linalg.norm(turned - target), np.linalg.norm(eye - target))
    slide(touched, [(x, y), (x + 40, y)], [(x - 30, y), (x + 70, y)])  # apart: nearer
    near, _ = map(np.array, touched.evaluate(EYE))
    assert np.linalg.norm(near - target) < 0.9 * np.linalg.norm(turned - still)
    slide(touched, [(x, y), (x + 40, y)], [(x, y - 50), (x + 40, y - 50)])  # together
    moved, gone = map(np.array, touched.evaluate(EYE))
    assert not np.allclose(moved, near) or not np.allclose(gone, still)


def test_one_finger_drags_a_body(touched):
    """It is pulled where the finger goes, its work is in the ledger, and the view stays."""
    at = touched.evaluate("""(() => {
        const { camera, canvas } = page.stage, box = canvas.getBoundingClientRect(), { com } = page.data.scene.bodies[1];
        const p = page.mechanism.pointOf(1, com).project(camera);
        return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
    })()""")
    before, eye = touched.evaluate("page.live.engine.t"), touched.evaluate(EYE)
    fingers(touched, "touchStart", at)
    for k in range(1, 4):
        fingers(touched, "touchMove", (at[0] + 20 * k, at[1] - 10 * k))
    assert touched.evaluate("Boolean(page.live.engine.hand)")
    touched.wait(f"page.live.engine.t > {before + 0.2} && Math.abs(page.live.engine.energy.hand) > 1e-3")
    fingers(touched, "touchEnd")
    assert not touched.evaluate("Boolean(page.live.engine.hand)")
    assert np.allclose(touched.evaluate(EYE), eye)
    touched.evaluate("page.pause()")


def test_a_finger_in_the_studio_adds_a_body(shown):
    """A tap is a click."""
    if shown.name != "studio":
        pytest.skip("of the studio")
    shown.evaluate("studio.adding.open()")
    for place in ((0.3, 0, 0), (0.3, 0, -0.3)):
        x, y = shown.evaluate(f"""(() => {{
            page.seek(0); page.draw();
            const p = vec({list(place)}).project(page.stage.camera), box = page.stage.canvas.getBoundingClientRect();
            return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
        }})()""")
        fingers(shown, "touchStart", (x, y))
        fingers(shown, "touchEnd")
    shown.wait(f"$('add-bar').hidden && {READY}")
    assert set(load_document(shown.evaluate("studio.editor.text"))[0].bodies) == {"rod", "body"}
