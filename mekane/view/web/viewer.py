"""run.view: the page of a run, served to a browser of this machine. Frames, curves and arrows are sent when the page
requests them."""

import atexit
import secrets
import sys
from functools import cached_property, lru_cache
from html import escape
from threading import Lock

from mekane.view.motion.frames import ENERGY, arrow_kind, arrows, curve, shown, with_arrows
from mekane.view.scene.scene import scene
from mekane.view.web import PORT
from mekane.view.web.browser import opened
from mekane.view.web.packing import block
from mekane.view.web.saved_page import MOST_FRAMES, MOST_POINTS, check_samples, data_of, info, page, shown_first
from mekane.view.web.server import Answer, Server

MOST_ARROWS = 1000  # frames of arrows
# in a notebook
FRAME = 'sandbox="allow-scripts allow-downloads" style="width:100%;height:600px;border:1px solid #d8dde3"'
MOST_BYTES = 1_000_000_000  # bytes of poses; of longer runs fewer frames are shown


class Viewer:
    """Requests of the page of one run. A server calls it from several threads; the run is used by one at a time.

    lock: of whatever else uses the run meanwhile."""

    def __init__(self, run, plots=None, lock=None):
        check_samples(run)
        self.run, self.first, self.key = run, shown_first(run, plots), secrets.token_hex(8)
        self.moved = shown(run, max(2, MOST_BYTES // max(1, 28 * len(run.system.bodies))))
        self.curve, self.lock = lru_cache(64)(lambda name: curve(run, name, MOST_POINTS)), lock or Lock()
        for name in self.first:  # so that an unknown one is an error now
            self.curve(name)

    def data(self, whole=0):
        """As data_of, but with an overview of the frames, and names alone where numbers are sent later.

        whole: frames up to so many bytes are sent at once.
        The key in their address is of this run alone: a tab of an earlier one, left open, is not sent numbers of
        another.
        """
        address = f"{self.key}/"
        known, picture = {name: self.curve(name) for name in self.first}, scene(self.run.system).to_dict()
        return {
            "scene": picture,
            "frames": self.moved.to_dict()
            if self.moved.poses.nbytes <= whole
            else self.moved.on_demand(f"{address}frames/"),
            "channels": {name: known.get(name, {}) for name in dict.fromkeys([*self.first, ENERGY, *self.run.names()])},
            "shown": self.first,
            "arrows": [arrow_kind(self.run.system, name) for name in self.arrow_names],
            "info": info(self.run, self.moved, self.run.known_health, picture),  # at once
            "address": address,
        }

    def page(self, token):
        with self.lock:
            return self.text

    @cached_property
    def text(self):
        return page(self.data(), connect="'self'")

    def get(self, path, query):
        _, key, rest = (*path.split("/", 2), "", "")[:3]
        return self.answer(f"/{rest}", query) if key == self.key else None

    def answer(self, path, query):
        if path.startswith("/frames/"):
            return self.chunk(path.removeprefix("/frames/"))
        with self.lock:
            if path == "/channel" and "name" in query:
                return Answer.json(self.curve(query["name"]))
            return self.arrows if path == "/arrows" else None

    def post(self, path, data):
        return None

    def chunk(self, number):
        """Frames of chunk k; on this machine they are sent sooner than they are packed."""
        size = self.moved.chunk_frames
        if not (number.isascii() and number.isdigit() and len(number) < 10) or int(number) * size >= len(self.moved):
            return None
        return Answer.binary(self.moved.chunk(int(number) * size, (int(number) + 1) * size), packed=False)

    @property
    def arrow_names(self):
        return with_arrows(self.run.system)

    @cached_property
    def arrows(self):
        few, jumps = self.moved.choice.fewer(MOST_ARROWS)
        chosen = self.moved.sampling.at(few)
        return Answer.json(
            {"time": block(chosen.time), "jumps": block(jumps), "arrows": arrows(self.run, self.arrow_names, chosen)}
        )


class Viewing:
    """A run that is being viewed: its `address`; close() ends it, wait() stays until Ctrl-C. In a notebook it is the
    page itself."""

    def __init__(self, run, plots=None, port=PORT):
        check_samples(run)
        self._run, self._plots, self._port = run, plots, port

    @cached_property
    def server(self):
        """Begun when it is first needed; a notebook needs none."""
        server = Server(Viewer(self._run, self._plots), self._port).start()
        atexit.register(server.close)
        return server

    @property
    def address(self):
        return self.server.address

    def wait(self):
        self.server.wait()

    def close(self):
        if "server" in self.__dict__:
            self.server.close()
            atexit.unregister(self.server.close)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        remark = f" {self.server.remark}" if self.server.remark else ""
        return f"{self._run.system.name} is shown at {self.address} until close() or the end of this program.{remark}"

    def _repr_html_(self):
        """The page as it is saved: it needs no server, so that a notebook of another machine shows it too."""
        text = escape(page(data_of(self._run, self._plots, MOST_FRAMES)), quote=True)
        return f'<iframe title="{escape(self._run.system.name)}" {FRAME} srcdoc="{text}"></iframe>'


def view(run, plots=None, port=PORT, open=True):
    """Show a run in the browser; this returns at once, and what it returns can wait() or close(). In a notebook it is
    shown there.

    plots: names to be plotted at first, joint coordinates unless given. port: the next free one is taken if it is busy.
    """
    viewing = Viewing(run, plots, port)
    if not in_notebook() and not (opened(viewing.address) if open else viewing.address):
        print(f"No browser could be started: open {viewing.address} yourself.")
    return viewing


def in_notebook():
    """Whether a kernel of Jupyter is running this."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return type(shell).__name__ == "ZMQInteractiveShell"
