"""The studio with its first model in a browser, for the tests of a file."""

from contextlib import contextmanager

from browser import Browser

from mekane.view.studio import opening
from mekane.view.studio.backend import Backend
from mekane.view.web.server import Server

READY = "window.studio && studio.shown > 0 && !studio.busy && !studio.waiting"


@contextmanager
def opened_studio(folder, plays=True):
    """A browser that shows it; in the end it has complained of nothing. plays: what was computed is played by itself."""
    with Browser() as browser, Server(Backend(opening.FIRST, "pendulum", folder / "p.yaml", exists=False), 0) as server:
        browser.less_motion(not plays)
        browser.open(server.address, offline=False)
        browser.wait(READY)
        yield browser
        assert browser.errors == []
        browser.call("Page.navigate", url="about:blank")
