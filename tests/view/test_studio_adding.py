"""A body or a joint added by two places. Oracles: fresh simulations of the text that stands there afterwards, which have the new part where
it was clicked; and the text itself, which is unchanged but for new lines and comes back with one step of the history."""

import numpy as np
import pytest
from browser import CHROMIUM
from input_events import CTRL, click, press
from studio_in_browser import READY, opened_studio

import mekane as mk
from mekane.importers.text_places import places, with_part
from mekane.importers.yaml import load_document
from mekane.view.studio import opening
from mekane.view.studio.adding import added, free_name

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
PIXELS = 4.0  # places are rounded to a few of them


def put(text, kind, first, second, hold="", axis=(0, 1, 0)):
    ends = [{"body": body, "point": [float(x) for x in point]} for body, point in (first, second)]
    return added(text, {"kind": kind, "hold": hold, "places": ends, "axis": list(axis)})


def start(text):
    system, _ = load_document(text)
    return mk.simulate(system, 1e-6, code="loops")


# ---------------------------------------------------------------- the text


def test_a_body_held_where_it_was_clicked():
    """The pendulum is described hanging and assembled at 60°: the new rod is where it was seen, at the end of the one that hangs there."""
    end = np.array([-np.sin(np.pi / 3), 0, -np.cos(np.pi / 3)])
    reply = put(opening.FIRST, "body", ("rod", end), ("ground", end + [0.4, 0, 0.3]), hold="pin")
    run = start(reply["text"])
    assert reply["name"] == "body" and run.system.joints["pin"].kind == "pin"
    assert np.abs(run.numbers("body.position")[0] - end - [0.2, 0, 0.15]).max() < 5e-6  # six digits are written
    assert abs(run.numbers("hinge.angle")[0] - np.pi / 3) < 1e-9
    assert np.allclose(run.system.joints["pin"].p_AF, [0, 0, -0.5], atol=1e-5)


@pytest.mark.parametrize(
    "kind, coordinates", [("pin", 1), ("slider", 1), ("ball", 0), ("weld", 0), ("planar", 3), ("pin_slider", 2)]
)
def test_joints_of_all_kinds(kind, coordinates):
    """Between two bodies, one of which `assemble` has moved: nothing else moves by it."""
    text = put(opening.FIRST, "body", ("ground", (0.5, 0, 0)), ("ground", (1, 0, 0)))["text"]
    reply = put(text, kind, ("rod", (0, 0, 0)), ("body", (0.75, 0, 0)))
    run = start(reply["text"])
    assert len(run.system.joints[kind].coordinates) == coordinates
    if kind == "weld":  # it holds what is shown
        assert np.abs(run.numbers("body.position")[0] - [0.75, 0, 0]).max() < 2e-6
    assert np.abs(run.numbers("rod.position")[0] - start(text).numbers("rod.position")[0]).max() < 2e-6
    assert places(reply["text"])["joints", kind].path  # a line of its own
    assert reply["text"].splitlines()[:7] == text.splitlines()[:7]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", "joints:\n  pin: {a: 1}\n"),
        ("system: x", "system: x\njoints:\n  pin: {a: 1}\n"),
        (
            "joints:\n    a: {b: 1} # note\n\nforces: {}\n",
            "joints:\n    a: {b: 1} # note\n    pin: {a: 1}\n\nforces: {}\n",
        ),
        ("joints:\n  a:\n    b: 1", "joints:\n  a:\n    b: 1\n  pin: {a: 1}\n"),
        ("joints: {a: {b: 1}}\n", "joints: {a: {b: 1}, pin: {a: 1}}\n"),
        ("joints:\nforces: {}\n", "joints: {pin: {a: 1}}\nforces: {}\n"),
        ("joints:\r\n  a: {b: 1}\r\n", "joints:\r\n  a: {b: 1}\r\n  pin: {a: 1}\r\n"),
        ("{system: x}", "{system: x, joints: {pin: {a: 1}}}"),
    ],
)
def test_a_part_more_in_any_layout(text, expected):
    assert with_part(text, "joints", "pin", "{a: 1}") == expected


def test_names_are_free():
    assert free_name("bodies: {pin: {}}\nforces: {pin2: {}}\n", "pin") == "pin3"
    assert free_name("", "pin") == "pin"


@pytest.mark.parametrize(
    "change, message",
    [
        ({"kind": "gear"}, "kind is 'gear'"),
        ({"places": [1]}, "two places are expected"),
        ({"axis": [0, 0, 0]}, "the axis is zero"),
        ({"axis": [0, float("nan"), 0]}, "3 numbers are expected"),
        ({"places": [{"body": "wheel", "point": [0, 0, 0]}] * 2}, "there is no body 'wheel'"),
        ({"kind": "pin"}, "both places are on ground"),
        ({"kind": "body"}, "both places are the same"),
    ],
)
def test_what_cannot_be_added(change, message):
    place = {"body": "ground", "point": [1, 0, 0]}
    with pytest.raises(mk.ModelError, match=message):
        added(opening.FIRST, {"kind": "body", "places": [place, place], "axis": [0, 1, 0]} | change)


# ---------------------------------------------------------------- the page


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with opened_studio(tmp_path_factory.mktemp("adding"), plays=False) as browser:
        yield browser


@pytest.fixture
def studio(page):
    """With the first model, which one step of the history brings back."""
    yield page
    press(page, "Escape")
    page.evaluate("document.activeElement.blur()")
    for _ in range(5):
        press(page, "z", CTRL)  # more are of no effect
    page.wait(READY)


def pixel(studio, point):
    """Where a point of the world is in the window."""
    return studio.evaluate(f"""(() => {{
        page.pause(); page.seek(0); page.draw();
        const p = vec({list(map(float, point))}).project(page.stage.camera), box = page.stage.canvas.getBoundingClientRect();
        return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
    }})()""")


def choose(studio, **values):
    for name, value in values.items():
        studio.evaluate(f"$('add-{name}').value = {value!r}; $('add-{name}').dispatchEvent(new Event('change'))")


def of_text(studio):
    studio.wait(f"{READY} && $('add-bar').hidden")
    return studio.evaluate("studio.editor.text")


@needs_chromium
def test_two_clicks_add_a_body_and_one_step_takes_it_back(studio):
    end = np.array([-np.sin(np.pi / 3), 0, -np.cos(np.pi / 3)])
    aim = end + [0.5, 0, 0.2]
    click(studio, "#do-add")
    click(studio, pixel(studio, end + 0.001))  # on the rod, near its end: the end itself is meant
    assert studio.evaluate("[$('add-body-0').value, studio.adding.picked]") == ["rod", 1]
    click(studio, pixel(studio, aim))
    run, metres = start(of_text(studio)), PIXELS / studio.evaluate("page.stage.pixelsPerMetre()")
    assert np.abs(run.numbers("body.position")[0] - (end + aim) / 2).max() < metres
    assert (
        np.allclose(run.system.joints["pin"].p_AF, [0, 0, -0.5], atol=1e-5) and run.system.joints["pin"].kind == "pin"
    )
    assert np.allclose(np.abs(run.system.joints["pin"].R_AF[:, 2]), [0, 1, 0])  # about the line of sight
    assert studio.evaluate("page.inspector.name") == "body"  # selected
    studio.evaluate("$('do-add').focus()")
    press(studio, "z", CTRL)
    assert studio.evaluate("studio.editor.text") == opening.FIRST


@needs_chromium
def test_two_clicks_add_a_joint_at_the_place_clicked(studio):
    studio.evaluate("$('do-add').focus()")
    press(studio, "a")
    choose(studio, kind="ball")
    place = np.array([-np.sin(np.pi / 3), 0, -np.cos(np.pi / 3)]) / 3
    click(studio, pixel(studio, place))
    click(studio, pixel(studio, place - [0, 0, 0.3]))  # beside it: the ground
    system, _ = load_document(of_text(studio))
    ball, metres = system.joints["ball"], PIXELS / studio.evaluate("page.stage.pixelsPerMetre()")
    assert (ball.a, ball.b) == ("rod", "ground") or (ball.a.name, ball.b.name) == ("rod", "ground")
    assert np.abs(ball.p_BM - place).max() < metres


@needs_chromium
def test_by_keys_alone(studio):
    """`a` opens it, letters choose from lists, numbers are typed, Enter adds."""
    studio.evaluate("$('do-add').focus()")
    press(studio, "a")
    assert studio.evaluate("document.activeElement.id") == "add-kind"
    press(studio, "s")  # slider
    press(studio, "Tab")
    press(studio, "z")  # its axis
    press(studio, "Tab")  # the first body stays the ground
    press(studio, "Tab")
    studio.call("Input.insertText", text="0.3, 0, 0")
    press(studio, "Tab")
    press(studio, "r")  # rod: at its mass centre
    press(studio, "Tab")
    assert studio.evaluate("document.activeElement.id") == "add-at-1"
    press(studio, "Enter")
    system, _ = load_document(of_text(studio))
    slider = system.joints["slider"]
    assert slider.kind == "slider" and np.allclose(slider.p_BM, 0, atol=1e-5)
    assert studio.evaluate("document.activeElement.id") == "do-add"


@needs_chromium
def test_escape_adds_nothing_and_errors_are_in_the_bar(studio):
    click(studio, "#do-add")
    choose(studio, kind="pin")
    beside = pixel(studio, (0.3, 0, 0))
    click(studio, beside)
    click(studio, beside)
    studio.wait("$('add-note').textContent.includes('both places are on ground')")
    assert studio.evaluate("[$('error').hidden, $('add-bar').hidden]") == [True, False]
    press(studio, "Escape")
    assert studio.evaluate("[$('add-bar').hidden, studio.editor.text]") == [True, opening.FIRST]
    click(studio, pixel(studio, np.array([-np.sin(np.pi / 3), 0, -np.cos(np.pi / 3)]) / 2))
    assert studio.evaluate("page.inspector.name") == "rod"  # a click selects again
    press(studio, "Escape")
