"""mekane gallery --html: pages in a folder. Oracles: an XML parser, outcomes of the gallery itself, the files linked
to, Chromium."""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mekane import gallery
from mekane.view.web import gallery_page
from mekane.view.web.gallery_page import FPS, SECONDS, SIZE

sys.path.insert(0, str(Path(__file__).parents[1] / "view"))
from browser import CHROMIUM, Browser  # noqa: E402

NAMES = ("rod_chain_2", "two_bar_truss")
LARGEST_PICTURE = 300e3


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with pages of two mechanisms, in which another's file lay before."""
    from mekane.cli.main import main

    folder = tmp_path_factory.mktemp("gallery")
    (folder / "notes.html").write_text("mine")
    for name in NAMES:
        with pytest.raises(SystemExit) as end:
            main(["gallery", name, "--html", str(folder)])
        assert not end.value.code
    return folder


def tree(file):
    return ElementTree.fromstring(file.read_text(encoding="utf-8").partition("\n")[2])


def test_only_what_it_says_is_written(made):
    own = [f"{name}{end}" for name in NAMES for end in (".webp", ".html", ".motion.html")]
    assert sorted(file.name for file in made.iterdir()) == sorted([*own, "index.html", "notes.html"])
    assert (made / "notes.html").read_text() == "mine"


@pytest.mark.parametrize("page", ["index.html", *(f"{name}.html" for name in NAMES)])
def test_links_lead_to_files_beside_it(made, page):
    """And no address of elsewhere stands in it."""
    links = [x.get("href") or x.get("src") for x in tree(made / page).iter() if x.get("href") or x.get("src")]
    assert links and all((made / link).is_file() and "/" not in link for link in links)
    text = (made / page).read_text(encoding="utf-8")
    assert "://" not in text and "<script" not in text and "default-src 'none'" in text


def test_the_index_has_a_card_for_each(made):
    cards = tree(made / "index.html").findall(".//li")
    for name, card in zip(NAMES, cards, strict=True):
        text, mechanism = "".join(card.itertext()), gallery.find(name)
        assert (
            mechanism.title[1:] in text
            and mechanism.source in text
            and card.find(".//img").get("src") == f"{name}.webp"
        )


@pytest.mark.parametrize("name", NAMES)
def test_checks_are_those_of_the_gallery(made, name):
    mechanism = gallery.find(name)
    outcomes = mechanism.outcomes(mechanism.run())
    rows = [
        ["".join(cell.itertext()) for cell in row]
        for row in tree(made / f"{name}.html").find(".//table[@class='checks']")
    ]
    assert rows[1:] == [outcome.row for outcome in outcomes] and len(rows) == 1 + len(mechanism.checks)
    assert f"{len(outcomes)} of {len(outcomes)} met" in (made / f"{name}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_equations_and_model(made, name):
    import mekane as mk
    from mekane.importers.yaml import load

    mechanism = gallery.find(name)
    text = (made / f"{name}.html").read_text(encoding="utf-8")
    assert mk.equations(mechanism.system()).mathml in text
    model = "".join(tree(made / f"{name}.html").findall(".//pre")[-1].itertext())
    assert load(model).to_dict() == mechanism.system().to_dict()


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_moves_and_is_small(made, name):
    from PIL import Image

    with Image.open(made / f"{name}.webp") as picture:
        assert picture.size == SIZE and 10 < picture.n_frames <= FPS * SECONDS
        first = picture.convert("RGB").tobytes()
        picture.seek(picture.n_frames // 2)
        assert picture.convert("RGB").tobytes() != first
    assert (made / f"{name}.webp").stat().st_size < LARGEST_PICTURE


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
def test_in_a_browser(made):
    """From disk without a network: pictures are shown, nothing is wider than a phone, and the link leads to a page that
    plays."""
    with Browser() as browser:
        browser.open(
            (made / "index.html").as_uri(), "document.images.length && [...document.images].every((x) => x.complete)"
        )
        assert browser.evaluate("[...document.images].map((x) => x.naturalWidth)") == [SIZE[0]] * len(NAMES)
        browser.evaluate("document.querySelector('.cards a').click()")
        browser.wait("document.querySelector('.button') !== null && document.readyState === 'complete'")
        browser.call("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=False)
        assert browser.evaluate("document.documentElement.scrollWidth") == 400
        browser.evaluate("document.querySelector('.button').click()")
        browser.wait("window.page !== undefined")
        browser.evaluate("document.getElementById('play').click()")
        browser.wait("page.t > 0.05")
        assert browser.errors == []


# ---------------------------------------------------------------- refused, and stopped


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (("--html", "file.txt"), "it is a file"),
        (("pendulums", "--html", "pages"), "Did you mean 'pendulum'?"),
        (("pendulum", "--html", "pages", "--json"), "--html and --json are both given"),
        (("--html", "pages", "--formulation", "joint"), "--formulation is given for all mechanisms"),
        (("--html", "file.txt/pages"), "it cannot be made"),
    ],
)
def test_refused(mekane, folder, arguments, problem):
    (folder / "file.txt").write_text("mine")
    output = mekane("gallery", *arguments)
    assert output.code == 2 and problem in output.err
    assert [file.name for file in folder.iterdir()] == ["file.txt"] and (folder / "file.txt").read_text() == "mine"


@pytest.mark.parametrize("where", ["moving_picture", "save_html", "page"])
def test_ctrl_c_keeps_what_is_done(mekane, folder, monkeypatch, where):
    """Wherever it is heard in the second mechanism, the first is whole, and of the second there is nothing."""
    step, calls = getattr(gallery_page, where), []

    def heard(*args, **arguments):
        calls.append(where)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return step(*args, **arguments)

    monkeypatch.setattr(gallery_page, where, heard)
    two = [gallery.find(name) for name in NAMES]
    monkeypatch.setattr(gallery, "mechanisms", lambda: two)
    output = mekane("gallery", "--html", "pages")
    assert output.code == 130 and f"Stopped: 1 of 2 are written to pages; nothing of {NAMES[1]} is." in output.err
    own = [f"{NAMES[0]}{end}" for end in (".webp", ".html", ".motion.html")]
    assert sorted(file.name for file in (folder / "pages").iterdir()) == sorted([*own, "index.html"])
    assert re.findall(r'href="(\w+\.html)"', (folder / "pages" / "index.html").read_text()) == [f"{NAMES[0]}.html"]


def test_a_check_that_is_off_is_printed(mekane, folder, monkeypatch):
    from dataclasses import replace

    mechanism = gallery.find(NAMES[0])
    wrong = replace(mechanism, checks=(replace(mechanism.checks[0], expected=7.0), *mechanism.checks[1:]))
    monkeypatch.setattr(gallery, "find", lambda name: wrong)
    output = mekane("gallery", NAMES[0], "--html", "pages")
    assert (
        output.code == 1
        and "OFF" in output.err
        and '<td class="off">OFF</td>' in (folder / "pages" / f"{NAMES[0]}.html").read_text()
    )
