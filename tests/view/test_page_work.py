"""Working with the page by mouse and keyboard: select, search, zoom, keys, pin, save, dark and lecture mode, no WebGL.

Events are those of the browser itself (Input.dispatchMouseEvent, Input.dispatchKeyEvent). Oracles: the run's own numbers,
colours and rectangles as the browser has laid them out. One page for all tests.
"""

import json
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from input_events import centre
from screens import MEASURES, unreadable, window

from mekane import gallery
from mekane.view.plots.telling import goes_on, telling
from mekane.view.web.saved_page import data_of, page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
KEYS = {" ": "Space", "f": "KeyF", "l": "KeyL", "L": "KeyL", "d": "KeyD", "?": "Slash"}


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    run = gallery.find("four_bar").run(t_end=2.0)
    path = tmp_path_factory.mktemp("work") / "motion.html"
    path.write_text(page(data_of(run)), encoding="utf-8")
    with Browser(sharpens=True) as browser:
        browser.open("about:blank", ready="true")
        window(browser, 1000, 700)
        browser.open(path.as_uri(), ready="Boolean(window.page?.data)")
        browser.evaluate(MEASURES)
        yield SimpleNamespace(run=run, browser=browser, evaluate=browser.evaluate)
        assert browser.errors == []


def press(seen, key):
    for kind in ("keyDown", "keyUp"):
        seen.browser.call(
            "Input.dispatchKeyEvent", type=kind, key=key, code=KEYS.get(key, key), text=key if len(key) == 1 else ""
        )


def mouse(seen, kind, x, y, **more):
    seen.browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", **more)


def click(seen, x, y):
    mouse(seen, "mousePressed", x, y, clickCount=1)
    mouse(seen, "mouseReleased", x, y, clickCount=1)


def click_on(seen, selector):
    click(seen, *centre(seen.browser, selector))


def put(seen, data):
    """Another motion into the page."""
    seen.evaluate(f"readied({json.dumps(data)}).then((data) => page.take(data))")


def middle_of(seen, body):
    return seen.evaluate(f"""(() => {{
        page.draw();
        const mesh = page.mechanism.groups[{body}].children[0], p = mesh.getWorldPosition(new THREE.Vector3()).project(page.stage.camera);
        const box = page.stage.canvas.getBoundingClientRect();
        return [box.left + ((1 + p.x) / 2) * box.width, box.top + ((1 - p.y) / 2) * box.height];
    }})()""")


def test_a_click_selects_and_shows_numbers_values_and_channels(seen):
    body = list(seen.run.system.bodies.values())[1]
    click(seen, *middle_of(seen, 1))
    assert seen.evaluate("page.inspector.name") == body.name
    assert seen.evaluate("page.stage.outlines.selected.shells.length > 0")
    facts = dict(seen.evaluate("page.data.info.facts[page.inspector.name]"))
    assert facts["mass"] == f"{body.mass:.5g} kg"
    text = seen.evaluate("$('inspector').innerText")
    assert body.name in text and facts["mass"] in text and "position" in text
    before = seen.evaluate("page.plots.names()")
    click_on(seen, "#part-channels button")
    assert seen.evaluate("page.plots.names().length") == len(before) + 1
    press(seen, "Escape")
    assert seen.evaluate(
        "[page.inspector.name, $('inspector').hidden, page.stage.outlines.selected.shells.length]"
    ) == [None, True, 0]
    seen.evaluate("page.plots.remove(page.plots.charts.at(-1))")


def test_a_drag_turns_the_view_and_selects_nothing(seen):
    """A click alone does not choose a view."""
    x, y = middle_of(seen, 1)
    mouse(seen, "mousePressed", x, y, clickCount=1)
    mouse(seen, "mouseReleased", x, y, clickCount=1)
    assert not seen.evaluate("page.stage.chosen")
    seen.evaluate("page.select(null)")
    before = seen.evaluate("page.stage.camera.position.toArray()")
    mouse(seen, "mousePressed", x, y, clickCount=1)
    for k in range(1, 5):
        mouse(seen, "mouseMoved", x + 10 * k, y, buttons=1)
    mouse(seen, "mouseReleased", x + 40, y, clickCount=1)
    seen.browser.wait(f"page.stage.camera.position.distanceTo(vec({json.dumps(before)})) > 0")
    assert seen.evaluate("page.inspector.name") is None and seen.evaluate("page.stage.chosen")
    press(seen, "f")  # fitted as at first
    assert np.allclose(seen.evaluate("page.stage.camera.position.toArray()"), before, rtol=1e-9) and not seen.evaluate(
        "page.stage.chosen"
    )


def test_keys(seen):
    seen.evaluate("document.activeElement.blur()")
    press(seen, "End")
    assert seen.evaluate("page.t") == pytest.approx(seen.run.t[-1], rel=1e-12)
    press(seen, "Home")
    assert seen.evaluate("page.t") == seen.run.t[0]
    press(seen, "ArrowRight")
    assert seen.evaluate("page.t === page.data.time[1]")
    press(seen, " ")
    assert seen.evaluate("page.playing")
    press(seen, " ")
    assert not seen.evaluate("page.playing")
    press(seen, "l")
    assert not seen.evaluate("$('loop').checked")
    press(seen, "l")
    press(seen, "?")
    assert seen.evaluate("$('keys').open") and unreadable(seen.browser) == []
    press(seen, "f")  # keys of the page are still while the list is open
    click_on(seen, "#close-keys")
    assert not seen.evaluate("$('keys').open")


def test_arrow_keys_go_through_the_parts(seen):
    seen.evaluate("$('parts').children[1].focus()")
    press(seen, "ArrowDown")
    assert seen.evaluate("document.activeElement === $('parts').children[2]")
    press(seen, "Enter")
    assert seen.evaluate("page.inspector.name === $('parts').children[2].dataset.name")
    seen.evaluate("document.activeElement.blur(), page.select(null)")


def test_pointing_at_a_part_moves_nothing_in_the_list(seen):
    """Oracle: rectangles of all rows before and while one is pointed at."""
    boxes = (
        "[...$('parts').children].map((row) => { const b = row.getBoundingClientRect(); return [b.top, b.height]; })"
    )
    seen.evaluate("$('parts').scrollIntoView(), page.draw()")
    before = seen.evaluate(boxes)
    seen.evaluate("page.hover($('parts').children[2].dataset.name), page.draw()")
    assert seen.evaluate("[...$('parts').querySelectorAll('.value')].some((one) => one.textContent)")
    assert seen.evaluate(boxes) == before
    seen.evaluate("page.hover(null), $('side').scrollTo(0, 0)")


def test_a_channel_is_found_by_words_and_its_value_is_read(seen):
    """Oracle: the channel at the sample shown, four digits."""
    click_on(seen, "#channel")
    for letter in "pos":
        press(seen, letter)
    press(seen, "Enter")
    name = seen.evaluate("page.plots.names().at(-1)")
    assert "pos" in name and seen.evaluate("$('channel').value") == ""
    seen.evaluate(f"document.activeElement.blur(), page.seek({seen.run.t[7]}), page.draw()")
    chips = seen.evaluate("page.plots.charts.at(-1).chips.map((chip) => chip.innerText.trim())")
    for chip, axis, expected in zip(chips, "xyz", seen.run.numbers(name)[7], strict=True):
        assert chip.split()[0] == axis and float(chip.split()[1]) == pytest.approx(expected, rel=6e-4, abs=1e-9)
    seen.evaluate("page.plots.charts.at(-1).chips[0].click()")
    assert seen.evaluate("page.plots.charts.at(-1).chart.series.map((one) => one.show)") == [True, False, True, True]


def test_a_drag_in_a_plot_zooms_and_a_click_goes_there(seen):
    seen.evaluate("page.plots.charts[0].holder.scrollIntoView()")
    box = seen.evaluate(
        "(() => { const b = page.plots.charts[0].chart.over.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()"
    )
    x, y = box[0] + 0.25 * box[2], box[1] + box[3] / 2
    mouse(seen, "mouseMoved", x, y)
    click(seen, x, y)
    span = seen.run.t[-1] - seen.run.t[0]
    assert seen.evaluate("page.t") == pytest.approx(seen.run.t[0] + 0.25 * span, abs=0.02 * span)
    mouse(seen, "mousePressed", x, y, clickCount=1)
    for k in range(1, 6):
        mouse(seen, "mouseMoved", x + 0.1 * k * box[2], y, buttons=1)
    mouse(seen, "mouseReleased", x + 0.5 * box[2], y, clickCount=1)
    low, high = seen.evaluate("[page.plots.charts[0].chart.scales.x.min, page.plots.charts[0].chart.scales.x.max]")
    assert (low, high) == (pytest.approx(0.25 * span, abs=0.03 * span), pytest.approx(0.75 * span, abs=0.03 * span))
    assert seen.evaluate("page.t") < 0.3 * span  # the drag was no click
    seen.evaluate("page.plots.repaint()")


def test_curves_as_numbers_and_as_a_drawing(seen):
    """Oracle: the run's numbers; the drawing is well-formed and has a line for each curve."""
    name = seen.evaluate("page.plots.names()[0]")
    head, *rows = seen.evaluate("csvOf(page)").split("\n")
    table = np.array([[float(x) for x in row.split(",")] for row in rows])
    values = seen.run.numbers(name).reshape(len(seen.run.t), -1)
    assert head.startswith(f"t [s],{name}") and np.allclose(table[:, 0], seen.run.t, rtol=1e-12)
    assert np.allclose(table[:, 1 : 1 + values.shape[1]], values, rtol=1e-6, atol=1e-9)
    drawing = ET.fromstring(seen.evaluate("svgOf(page.plots.charts)"))
    curves = seen.evaluate("page.plots.charts.reduce((sum, one) => sum + one.chart.series.length - 1, 0)")
    assert len(drawing.findall(".//{*}polyline")) == curves


def test_a_pinned_run_stays_pale_and_dashed_beside_the_next(seen):
    """Oracle: the pinned curve is that of the first run, at its own times."""
    other = gallery.find("four_bar").run(t_end=1.0)
    seen.evaluate("page.pin()")
    put(seen, data_of(other))
    name, columns = seen.evaluate(
        "[page.plots.charts[0].name, page.plots.charts[0].chart.data.map((x) => Array.from(x))]"
    )
    values = seen.run.numbers(name).reshape(len(seen.run.t), -1)
    assert len(columns) == 1 + 2 * values.shape[1]
    at = [k for k, t in enumerate(columns[0]) if np.abs(seen.run.t - t).min() == 0]
    assert np.allclose([columns[1 + values.shape[1]][k] for k in at], values[:, 0], rtol=1e-6, atol=1e-9)
    assert seen.evaluate("page.pinned.root.parent === page.stage.world && page.pinned.groups.length") == len(
        other.system.bodies
    )
    seen.evaluate("page.pin()")
    assert seen.evaluate("page.pinned === null && page.plots.charts[0].chart.series.length") == 1 + values.shape[1]


def test_a_channel_over_another_by_mouse_and_keyboard(seen):
    """Oracle: the run's numbers, as the curve of the plot, as its CSV, and where the dot is; a click on the curve goes to
    the time of that point."""
    joint = next(name for name in seen.run.names() if name.endswith(".angle") and f"{name}.rate" in seen.run)
    put(seen, data_of(seen.run))
    seen.evaluate(f"[...page.plots.charts].forEach((one) => page.plots.remove(one)), page.plots.add({joint!r})")
    k = seen.evaluate(f"page.plots.charts.findIndex((one) => one.name === {joint!r})")
    seen.evaluate(f"page.plots.charts[{k}].holder.scrollIntoView({{ block: 'center' }})")
    click_on(seen, f"#plots > .plot:nth-child({k + 1}) button.phase")
    chart = f"page.plots.charts[{k}]"
    assert seen.evaluate(f"[{chart}.name, {chart}.over]") == [f"{joint}.rate", joint]
    x, y = (seen.run.numbers(name) for name in (joint, f"{joint}.rate"))
    (curve,) = seen.evaluate(f"{chart}.curves().map(({{ x, y }}) => [Array.from(x), Array.from(y)])")
    assert np.allclose(curve, [x, y], rtol=1e-6, atol=1e-9)
    head, *rows = seen.evaluate(f"csvOf({{ plots: {{ charts: [{chart}] }}, data: page.data }})").split("\n")
    assert head == f"t [s],{joint} [rad],{joint}.rate [rad/s]"
    table = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    assert np.allclose(table, np.column_stack([seen.run.t, x, y]), rtol=1e-6, atol=1e-9)
    place = lambda i: seen.evaluate(f"""(() => {{
        const one = {chart}, box = one.chart.over.getBoundingClientRect();
        return [box.x + one.chart.valToPos({x[i]}, "x"), box.y + one.chart.valToPos({y[i]}, "y")];
    }})()""")
    seen.evaluate(f"{chart}.holder.scrollIntoView({{ block: 'center' }})")
    far = int(np.argmax(y))
    mouse(seen, "mouseMoved", *place(far))
    click(seen, *place(far))
    assert seen.evaluate("page.t") == pytest.approx(seen.run.t[far], abs=1e-9)
    dot = seen.evaluate(
        f"(page.draw(), (() => {{ const b = {chart}.dots[0].getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})())"
    )
    assert np.allclose(dot, place(far), atol=1.5)  # px
    click_on(seen, f"#plots > .plot:nth-child({k + 1}) button.over")
    press(seen, "Enter")  # nothing written: over time again
    assert seen.evaluate(f"[{chart}.name, {chart}.over]") == [f"{joint}.rate", None]
    click_on(seen, f"#plots > .plot:nth-child({k + 1}) button.over")
    for letter in "pos":
        press(seen, letter)
    press(seen, "Enter")
    seen.browser.wait(f"{chart}?.over")  # its numbers may have to be fetched
    over = seen.evaluate(f"{chart}.over")
    assert over.rpartition(".")[2] == "x" and np.allclose(
        seen.evaluate(f"Array.from({chart}.curves()[0].x)"), seen.run.numbers(over), rtol=1e-6, atol=1e-9
    )
    drawing = ET.fromstring(seen.evaluate("svgOf(page.plots.charts)"))
    assert any(f"over {over}" in (text.text or "") for text in drawing.findall(".//{*}text"))
    assert unreadable(seen.browser) == []
    seen.evaluate("page.data = null")
    put(seen, data_of(seen.run))


def test_two_runs_are_compared_in_a_table(seen):
    """Oracle: ends, extremes and events of both runs."""
    name, before, now = "ball.position", *(gallery.find("bouncing_ball").run(t_end=t) for t in (2.0, 0.6))
    for run in (before, now):
        put(seen, data_of(run, plots=[name]))
        if run is before:
            seen.evaluate("$('pin').hidden = false")
            click_on(seen, "#pin")
            assert "next run" in seen.evaluate("$('compared').innerText")
    rows = seen.evaluate("comparison(page.pinned.data, page.data, page.plots.names())")
    shown = seen.evaluate("[...$('compared-rows').rows].map((row) => [...row.cells].map((cell) => cell.textContent))")
    shown = [cells for cells in shown if len(cells) > 1]  # names stand in rows of their own
    assert len(rows) == len(shown) and unreadable(seen.browser) == []
    found = {(row["of"], row["what"]): (row.get("before"), row.get("now")) for row in rows}
    for k, axis in enumerate("xyz"):
        for what, f in (("at the end", lambda x: x[-1]), ("largest", max), ("smallest", min)):
            expected = [f(run.numbers(name)[:, k]) for run in (before, now)]
            assert found[f"{name}.{axis} [m]", what] == pytest.approx(expected, rel=1e-6, abs=1e-7)
    (event,) = {line.event for line in before.events}
    assert found[f"event {event}", "how often"] == (len(before.events), len(now.events)) and len(before.events) > len(
        now.events
    )
    number = lambda text: float(text) if text != "–" else np.nan
    for row, cells in zip(rows, shown, strict=True):
        a, b = row.get("before", np.nan), row.get("now", np.nan)
        assert [number(cell) for cell in cells[1:]] == pytest.approx([a, b, b - a], rel=6e-3, abs=1e-12, nan_ok=True)
    click_on(seen, "#pin")
    assert seen.evaluate("$('compared').hidden")
    put(seen, data_of(seen.run))


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_both_themes_can_be_read(seen, theme):
    seen.evaluate(f"page.theme.choose({theme!r}), page.select(page.data.scene.bodies[0].name), page.draw()")
    assert unreadable(seen.browser) == []
    assert (sum(seen.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")) < 150) == (
        theme == "dark"
    )
    seen.evaluate("page.select(null)")


def test_lecture_mode_leaves_stage_and_one_plot(seen):
    press(seen, "L")
    boxes = "[...document.querySelectorAll('#side > section, .plot')].filter((one) => one.checkVisibility())"
    shown = f"{boxes}.map((one) => one.id || one.className)"
    assert seen.evaluate(shown) == ["dock", "plot"] and unreadable(seen.browser) == []
    press(seen, "L")
    assert len(seen.evaluate(shown)) > 3


def test_shadows_and_reflections_fall_and_go_when_it_is_slow(seen):
    """Oracle: pixels of the floor below the mechanism become darker; so many slow pictures, and they go one after the
    other."""
    dark = """(() => {
        page.stage.drawn = null;
        page.draw();
        return measures.pixels().filter((_, k) => k % 4 === 3).reduce((sum, alpha) => sum + alpha, 0);
    })()"""
    window(seen.browser, 480, 320)  # small: software draws it
    seen.browser.wait("page.stage.canvas.width === page.stage.canvas.clientWidth * page.stage.renderer.getPixelRatio()")
    seen.browser.wait("innerWidth === 480 && page.stage.canvas.width <= 2 * 480")
    seen.evaluate("page.stage.light.all(false)")
    without = seen.evaluate(dark)
    seen.evaluate("page.stage.light.all(true)")
    assert seen.evaluate(dark) > without
    assert seen.evaluate("[page.stage.light.shadows, page.stage.light.reflections]") == [
        True,
        False,
    ]  # no graphics card
    seen.evaluate("page.stage.light.reflections = true")
    window(seen.browser, 1000, 700)
    gone = seen.evaluate("[...Array(40)].map(() => page.stage.light.measured(100)).filter(Boolean)")
    assert gone == ["shadows", "reflections"]
    assert seen.evaluate("[...Array(40)].map(() => page.stage.light.measured(16)).filter(Boolean)") == []


def test_without_reflections_it_is_as_bright(seen):
    """Oracle: the mean light of all pixels that hide what is behind them, within a tenth: 137 and 133 of 255 were seen."""
    mean = """(() => {
        page.stage.drawn = null;
        page.draw();
        const seen = measures.pixels(), light = [];
        for (let k = 0; k < seen.length; k += 4) if (seen[k + 3] > 250) light.push(seen[k] + seen[k + 1] + seen[k + 2]);
        return light.reduce((sum, x) => sum + x, 0) / light.length;
    })()"""
    seen.evaluate("page.stage.light.reflections = true")
    bright = seen.evaluate(mean)
    seen.evaluate("page.stage.light.all(false)")
    assert seen.evaluate(mean) == pytest.approx(bright, rel=0.1)


def test_what_stands_still_is_sharpened_once_and_not_drawn_again(seen):
    """Oracle: pictures counted by the renderer, and how many pixels the canvas has."""
    window(seen.browser, 480, 320)
    seen.browser.wait("innerWidth === 480")
    seen.evaluate("page.pause()")
    seen.browser.wait("page.stage.fine && performance.now() - page.stage.movedAt > 1000", patience=60)
    assert seen.evaluate("page.stage.canvas.width === 2 * page.stage.canvas.clientWidth")
    drawn = "page.stage.renderer.info.render.frame"
    passed = "(async () => { for (let k = 0; k < 20; k++) await new Promise(requestAnimationFrame); })()"
    before = seen.evaluate(drawn)
    seen.evaluate(passed)
    assert seen.evaluate(drawn) == before
    seen.evaluate("page.stage.camera.position.x += 1e-6 * page.stage.camera.position.length(), null")
    seen.evaluate(passed)
    assert seen.evaluate(drawn) > before  # what can be seen is drawn
    window(seen.browser, 1000, 700)


def test_wherever_it_is_seen_from_what_stands_still_is_not_drawn_again(seen):
    """The controls find the camera anew at each picture, by an angle, and its last digits need not stay."""
    again = """(() => {
        const { stage } = page, { position } = stage.camera, before = position.clone(), found = [];
        for (let k = 1; k < 60; k++) {
            position.set(Math.cos(k), Math.sin(k), Math.cos(2 * k)).multiplyScalar(0.5 + k / 20);
            for (let draws = 0; draws < 3; draws++) stage.draw("still");
            stage.movedAt = 0;
            for (let draws = 0; draws < 3; draws++) stage.draw("still");
            if (stage.movedAt) found.push(k);
        }
        position.copy(before);
        return found;
    })()"""
    window(seen.browser, 480, 320)
    seen.browser.wait("innerWidth === 480")
    assert seen.evaluate(again) == []
    window(seen.browser, 1000, 700)


def test_a_stage_of_another_size_is_fitted_unless_the_reader_has_chosen_a_view(seen):
    """Oracle: every point that the surfaces reach, as the camera sees it."""
    put(seen, data_of(seen.run))
    near = "page.stage.camera.position.lerp(page.stage.controls.target, 0.7), page.stage.resized(), page.stage.sees(page.data)"
    note = "document.getElementById('overlay').textContent"
    seen.evaluate("page.stage.chosen = false")
    assert seen.evaluate(near) and seen.evaluate(note) == "view fitted"
    seen.evaluate("page.stage.chosen = true")
    assert not seen.evaluate(near) and "f fits it" in seen.evaluate(note)
    seen.evaluate("page.data = null")
    put(seen, data_of(seen.run))


def test_a_stage_of_another_size_is_not_blank_for_a_picture(seen):
    """A canvas that gets another size is empty until it is drawn. Oracle: whether any pixel is opaque right after the page has seen
    the new size, before that is shown; observers are called in the order in which they were made."""
    seen.evaluate("""void (window.opaque = new Promise((answer) => {
        const opaque = () => measures.pixels().some((x, k) => k % 4 === 3 && x === 255);
        let first = true;
        new ResizeObserver(() => { if (!first) answer(opaque()); first = false; }).observe($("stage"));
    }))""")
    seen.evaluate("new Promise(requestAnimationFrame)")
    window(seen.browser, 900, 640)
    assert seen.evaluate("opaque")
    window(seen.browser, 1000, 700)


def test_what_stands_still_has_smooth_edges_without_a_graphics_card(seen):
    """Oracle: pixels of the canvas for each of the page's, while it plays and after."""
    ratio = "page.stage.canvas.width / page.stage.canvas.clientWidth"
    seen.browser.wait(f"{ratio} > 1.9")
    seen.evaluate("page.playing = true")
    seen.browser.wait(f"{ratio} < 1.1")
    seen.evaluate("page.pause()")
    seen.browser.wait(f"{ratio} > 1.9")


def test_lengths_and_speeds_are_round(seen):
    texts = seen.evaluate("[3.2e-6, 0.0004, 0.07, 1.5, 2300].map((x) => lengthText(roundBelow(x)))")
    assert texts == ["2 µm", "200 µm", "5 cm", "1 m", "2 km"]
    rates = seen.evaluate("[2000, 0.03, 5, 0.5, 1e-6, 0].map(fittingRate)")
    assert rates == [250, 0.005, 1, 0.05, 1e-7, 1]
    for span, rate in zip((2000, 0.03, 0.5), (250, 0.005, 0.05), strict=True):
        assert 5 <= span / rate <= 12


def test_names_are_not_doubled_and_are_no_html(seen):
    assert seen.evaluate("[calledOf('ball', 'ball 7'), calledOf('pin', 'hinge'), calledOf('', 'x')]") == [
        "ball 7",
        "pin hinge",
        "x",
    ]
    assert (
        "<"
        not in seen.evaluate("svgOf([Object.assign(Object.create(page.plots.charts[0]), { name: '<script>' })])")
        .split("font-weight")[1]
        .split("[")[0][7:]
    )


def test_without_webgl_the_page_says_so_and_its_plots_work(seen):
    address = seen.evaluate("location.href")
    seen.browser.call("Page.enable")
    spoilt = seen.browser.call(
        "Page.addScriptToEvaluateOnNewDocument", source="HTMLCanvasElement.prototype.getContext = ((old) => function (kind, ...more) "
        "{ return kind.startsWith('webgl') ? null : old.call(this, kind, ...more); })(HTMLCanvasElement.prototype.getContext);",
    )  # fmt: skip
    seen.browser.open("about:blank", ready="true")
    seen.browser.open(address, ready="Boolean(window.page?.data)")
    assert "no WebGL" in seen.evaluate("$('no-webgl').innerText") and not seen.evaluate("$('no-webgl').hidden")
    press(seen, "End")
    assert seen.evaluate("page.t === page.end && page.plots.charts.length > 0")
    slowly = (
        "page.stage.light.all(true), page.playing = true, [...Array(100)].forEach(() => page.tick(page.last + 1000))"
    )
    assert seen.evaluate(f"{slowly}, page.pause(), $('overlay').textContent") == ""  # there are no shadows to go
    assert seen.browser.errors == []
    seen.browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=spoilt["identifier"])


def test_what_is_plotted_at_first_swings():
    """Oracle: the crank of a driven four-bar only goes on: its rate is shown, after what swings."""
    run = gallery.find("slider_crank_with_stop").run(t_end=0.5)
    names = telling(run, ["crank.angle"] if "crank.angle" in run else [n for n in run.names() if n.endswith(".angle")])
    for name in names:
        assert name.endswith(".rate") == goes_on(run.numbers(name.removesuffix(".rate")))


def test_a_ramp_is_what_mostly_goes_on():
    t = np.linspace(0, 10, 500)
    assert goes_on(t) and goes_on(-t) and goes_on(3 * t + 0.5 * np.sin(7 * t))  # a wheel whose rate changes its sign
    assert not goes_on(np.sin(t)) and not goes_on(0 * t) and not goes_on(0.1 * t + np.sin(7 * t))
