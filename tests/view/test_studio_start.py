"""What the studio offers to begin with. Oracles: the gallery itself, and fresh readings of the texts."""

import json

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from input_events import CTRL, click, press

import mekane as mk
from mekane import gallery
from mekane.importers.yaml import load_document
from mekane.view.render.picture import Drawer
from mekane.view.studio import start
from mekane.view.studio.backend import Backend
from mekane.view.studio.start import TEMPLATES, imported, offered
from mekane.view.web.server import Server

URDF = """<robot name="arm"><link name="base"/><link name="lever"><inertial><mass value="2"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="continuous"><parent link="base"/><child link="lever"/><axis xyz="0 1 0"/></joint></robot>"""


@pytest.fixture
def backend(tmp_path):
    return Backend(TEMPLATES["pendulum"][1], "model", tmp_path / "model.yaml", exists=False)


def test_all_of_the_gallery_is_offered():
    assert [one["name"] for one in offered()["gallery"]] == gallery.names()


def test_pictures_of_cards_are_drawn_once(tmp_path, monkeypatch):
    """For all studios; what is changed in a mechanism is drawn anew, and where nothing can be stored each time."""
    drawn = []
    monkeypatch.setattr(start, "drawn_picture", lambda one: drawn.append(one.name) or b"picture %d" % len(drawn))
    monkeypatch.setattr(start, "cache_folder", lambda file: tmp_path / "pictures-1")
    monkeypatch.setattr(start, "can_store", lambda: True)
    pendulum, text = gallery.find("pendulum"), start.mechanism_text
    assert [start.stored_picture(pendulum) for _ in range(2)] == [b"picture 1"] * 2
    monkeypatch.setattr(start, "mechanism_text", lambda one: text(one) + "# longer")
    assert start.stored_picture(pendulum) == b"picture 2" and len(list((tmp_path / "pictures-1").iterdir())) == 2
    monkeypatch.setattr(start, "can_store", lambda: False)
    assert start.stored_picture(pendulum) == b"picture 3"


def test_pictures_of_cards_bear_no_time():
    """Oracle: where the time stands in a picture of the same run there is nothing but air."""
    run = gallery.find("pendulum").run(t_end=0.1)
    card, with_time = Drawer(run, (240, 160)).at_the_start().array, run.picture(size=(240, 160)).array
    corner = np.s_[:14, :60]
    assert np.ptp(with_time[corner].astype(int), axis=(0, 1)).max() > 100
    assert np.ptp(card[corner].astype(int), axis=(0, 1)).max() < 20


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_are_models(name):
    """They can be read, and their joints close: a loop that is drawn wrong would raise."""
    system, options = load_document(TEMPLATES[name][1])
    assert system.bodies and options["t_end"] > 0 and mk.assemble(system).system.bodies


def test_another_model_is_saved_under_its_own_name(backend, tmp_path):
    """Beside the file of the studio, and only when it is saved; one that is there already is not replaced unasked."""
    reply = json.loads(backend.post("/open", {"name": "four_bar"}).body)
    assert reply["file"] == "four_bar.yaml" and not list(tmp_path.iterdir())
    save = {"text": reply["text"], "file": reply["file"], "base": reply["base"]}
    assert json.loads(backend.post("/save", save).body)["saved"] == "four_bar.yaml"
    assert (tmp_path / "four_bar.yaml").read_text() == reply["text"]
    assert "there is such a file already" in json.loads(backend.post("/save", save).body)["ask"]


def test_names_lead_nowhere_else(backend, tmp_path):
    """A name from outside is only a name."""
    assert backend.file.name_for("../../etc/x y") == "_etc_x_y.yaml"
    assert backend.file.files["_etc_x_y.yaml"].parent == tmp_path
    with pytest.raises(mk.ModelError, match="there is no"):
        backend.post("/open", {"name": "../secret"})


def test_a_robot_is_imported():
    found = imported("", {"name": "../arm.urdf", "content": URDF})
    system = load_document(found["text"])[0]
    assert found["name"] == "arm" and system.bodies["lever"].mass == 2 and "hinge" in system.joints


def test_what_cannot_be_imported_says_why():
    with pytest.raises(mk.MekaneError, match="ends in '.step'"):
        imported("", {"name": "arm.step", "content": "ISO"})
    with pytest.raises(mk.MekaneError, match="no file was sent"):
        imported("", {"name": "arm.urdf"})


READY = "window.studio && studio.shown > 0 && !studio.busy && !studio.waiting"


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
def test_in_a_browser(backend, tmp_path):
    """By mouse: a picture arrives, a template takes the place of the text and Ctrl-Z brings it back, a robot is imported."""
    (tmp_path / "arm.urdf").write_text(URDF)
    with Browser() as browser, Server(backend, 0) as server:
        browser.open(server.address, offline=False)
        browser.wait(READY)
        click(browser, "#do-new")
        browser.wait("document.querySelector('#start-gallery img')?.naturalWidth > 100")
        click(browser, '#start-templates [data-name="four_bar"]')
        browser.wait(f"{READY} && studio.editor.text.includes('rocker') && $('error').hidden")
        assert browser.evaluate("studio.editor.text") == TEMPLATES["four_bar"][1] and not browser.evaluate(
            "$('start').open"
        )
        press(browser, "s", modifiers=CTRL)
        browser.wait("$('overlay').textContent.startsWith('saved')")
        click(browser, "#do-new")
        assert browser.evaluate(
            "[...document.querySelectorAll('#start-recents .card')].map((one) => one.dataset.name)"
        ) == ["four_bar.yaml"]
        browser.evaluate("studio.editor.set('system: other')")
        click(browser, "#start-recents .card")
        browser.wait(f"{READY} && !$('start').open && studio.editor.text.includes('rocker')")
        assert browser.evaluate("[studio.editor.text, studio.file]") == [TEMPLATES["four_bar"][1], "four_bar.yaml"]
        browser.evaluate("studio.editor.view.focus()")
        for _ in range(3):
            press(browser, "z", modifiers=CTRL)
        browser.wait(f"{READY} && studio.editor.text.startsWith({json.dumps(TEMPLATES['pendulum'][1][:40])})")
        click(browser, "#do-new")
        chosen = browser.call("Runtime.evaluate", expression="$('start-file')")["result"]["objectId"]
        browser.call("DOM.setFileInputFiles", files=[str(tmp_path / "arm.urdf")], objectId=chosen)
        browser.wait(f"{READY} && studio.editor.text.includes('lever') && $('error').hidden")
        assert browser.errors == []
        browser.call("Page.navigate", url="about:blank")
