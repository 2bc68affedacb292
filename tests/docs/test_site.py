"""The site: its pages are found from its navigation, its reference knows what exists at run time, and where it has been
built (make docs), its HTML holds no raw formulas and no dead links.

Oracles: mekane.__all__, the registries of kinds, inspect.signature, the files that were built, and Chromium.
"""

import inspect
import re
import sys
from contextlib import contextmanager
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

import pytest

import mekane as mk
from mekane.model.constraint import constraint_kinds
from mekane.model.force import force_kinds
from mekane.model.joint import joint_kinds
from mekane.model.set_valued import contact_kinds

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "view"))
from browser import CHROMIUM, Browser  # noqa: E402

DOCS = ROOT / "docs"
HTML = ROOT / "out" / "docs" / "html"
GROUPS = ["Start", "How to", "Gallery", "Theory", "Reference", "Developers"]
TEX = re.compile(r"\\(?:frac|dot|begin|mathrm|left|cdot|sum|omega|alpha)\b|\$\$")

built = pytest.mark.skipif(not (HTML / "index.html").exists(), reason="the site has not been built: make docs")


@pytest.fixture(autouse=True)
def programs(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(DOCS), str(DOCS / "site"), *sys.path])


@pytest.fixture(scope="module")
def reference_pages():
    sys.path.insert(0, str(DOCS / "site"))
    import reference

    return reference.pages()


# ---------------------------------------------------------------- sources


def test_every_page_is_in_the_navigation_once():
    from make_site import groups

    found = groups((DOCS / "index.md").read_text(encoding="utf-8"))
    pages = [page for group in found.values() for page in group]
    assert list(found) == GROUPS
    assert sorted(pages) == sorted(file.stem for file in DOCS.glob("*.md") if file.stem != "index")


def test_the_reference_knows_everything_public(reference_pages):
    text = "".join(reference_pages.values())
    modules = {name for name in mk.__all__ if inspect.ismodule(getattr(mk, name))}
    missing = [name for name in mk.__all__ if name not in modules and not re.search(rf"\}} mekane\.{name}\b", text)]
    kinds = [*joint_kinds, *force_kinds, *constraint_kinds, *contact_kinds]
    assert not missing + [kind for kind in kinds if f"{{py:method}} System.{kind}(" not in text]


def test_the_reference_has_the_signatures_of_run_time(reference_pages):
    """Every keyword of a generated method, which its source does not hold."""
    text = re.search(r"System\.pin\(.*\)", reference_pages["joints"])[0]
    assert all(name in text for name in inspect.signature(mk.System.pin).parameters if name != "self")


def test_architecture_names_every_package():
    """On the page and in its drawing; that the files it names exist is seen by test_docs."""
    page, drawing = (
        (DOCS / name).read_text(encoding="utf-8") for name in ("architecture.md", "drawings/architecture.svg")
    )
    packages = [path.name for path in (ROOT / "mekane").iterdir() if (path / "__init__.py").exists()]
    assert len(packages) > 15
    assert not [name for name in packages if f"| `{name}`" not in page or not re.search(rf"\b{name}\b", drawing)]


# ---------------------------------------------------------------- what was built


class Page(HTMLParser):
    """Links, anchors, and the text outside of formulas, code and scripts."""

    HIDDEN = ("script", "style", "pre", "code", "annotation")

    def __init__(self, file):
        super().__init__()
        self.links, self.anchors, self.text, self.depth = [], set(), [], 0
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors.update(value for key, value in attributes if key in ("id", "name") and value)
        self.links += [found[key] for key in ("href", "src") if found.get(key)]
        self.depth += tag in self.HIDDEN

    def handle_endtag(self, tag):
        self.depth -= tag in self.HIDDEN

    def handle_data(self, data):
        if not self.depth:
            self.text.append(data)


@pytest.fixture(scope="module")
def site():
    return {file: Page(file) for file in sorted(HTML.rglob("*.html")) if "play" not in file.parts}


@built
def test_no_raw_formulas(site):
    assert len(site) > 70
    assert not {file.name: found for file, page in site.items() if (found := TEX.findall("".join(page.text)))}


@built
def test_links_lead_somewhere(site):
    dead = [f"{file.name}: {link}" for file, page in site.items() for link in page.links if is_dead(file, link, site)]
    assert not dead


def is_dead(file, link, site):
    parts = urlsplit(link)
    if parts.scheme or link.startswith("//"):
        return parts.scheme not in ("data", "mailto") and parts.scheme not in ("http", "https")
    target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    if not target.exists():
        return True
    return bool(parts.fragment) and target in site and unquote(parts.fragment) not in site[target].anchors


@built
def test_nothing_is_loaded_from_a_network(site):
    sources = re.compile(r"<(?:script|img|iframe|link)[^>]+(?:src|href)=\"(?:https?:)?//", re.IGNORECASE)
    assert not [file.name for file in site if sources.search(file.read_text(encoding="utf-8"))]


@built
def test_every_page_can_be_reached(site):
    found, ahead = set(), [HTML.resolve() / "index.html"]
    pages = {file.resolve(): page for file, page in site.items()}
    while ahead:
        file = ahead.pop()
        if file in found or file not in pages:
            continue
        found.add(file)
        ahead += [
            (file.parent / unquote(urlsplit(link).path)).resolve() for link in pages[file].links if urlsplit(link).path
        ]
    assert not set(pages) - found


@built
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
def test_search_finds_rolling():
    """As a reader sees it: constraints and mechanisms that roll come before pages that mention it."""
    with served(HTML) as address, Browser() as browser:
        browser.open(
            f"{address}/search.html?q=rolling", ready="/finished/.test(document.body.innerText)", offline=False
        )
        found = browser.evaluate(
            "[...document.querySelectorAll('#search-results li > a')].map(a => a.getAttribute('href'))"
        )
    first = [urlsplit(link).path for link in found][:10]
    assert {"constraints.html", "reference/constraints.html", "equations/rolling_disc_1.html"} <= {*first}
    assert any(link.endswith("#System.rolling_disc") for link in found)


@contextmanager
def served(folder):
    """The address of a server for its files."""
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
