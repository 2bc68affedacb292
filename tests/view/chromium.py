"""The Chromium of this process: started once, when the first page is opened, and closed with the process. Pages are its
tabs."""

import atexit
import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

DEADLINE = 600.0  # of anything that is waited for [s]: against hanging for ever, not a measure of how fast it is
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# Without a graphics card pages are put together by the processor and WebGL is drawn by SwiftShader. Where SwiftShader
# draws all of it, as by --use-angle=swiftshader, a page costs half as much again. No process is started in advance for
# a next page, and none is kept for a page that was left: each test opens its own.
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-quic", "--no-first-run", "--hide-scrollbars", "--window-size=1000,700",
    "--remote-debugging-port=0", "--disable-extensions", "--disable-features=SpareRendererForSitePerProcess,BackForwardCache",
)  # fmt: skip
_running = []  # the one, if it was started


class Chromium:
    """A headless Chromium, spoken to by its DevTools protocol."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="page-", ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [CHROMIUM, *FLAGS, f"--user-data-dir={self.folder.name}", "about:blank"], stderr=subprocess.DEVNULL
        )
        self.port, self.tabs = self._port(), []  # the last one is in front
        self.left = set()  # origins of pages that were closed: what they have stored is there still

    def _port(self, patience=DEADLINE):
        file, begun = Path(self.folder.name) / "DevToolsActivePort", time.monotonic()
        while time.monotonic() - begun < patience:
            if file.exists() and file.read_text().strip():
                return int(file.read_text().split()[0])
            time.sleep(0.05)
        raise TimeoutError("Chromium did not start")

    def new_tab(self, behind=False):
        """Its number and the address of its socket. It is in front of all others, or behind them: one that cannot be seen
        draws nothing."""
        tab = json.loads(self._request("new?about:blank", "PUT"))
        self.tabs.insert(0 if behind else len(self.tabs), tab["id"])
        self._show_first()
        return tab["id"], tab["webSocketDebuggerUrl"]

    def close_tab(self, tab):
        self.tabs.remove(tab)
        self._request(f"close/{tab}")
        self._show_first()

    def _show_first(self):
        if self.tabs:
            self._request(f"activate/{self.tabs[-1]}")

    def _request(self, what, method="GET"):
        from urllib.request import Request, urlopen

        with urlopen(Request(f"http://127.0.0.1:{self.port}/json/{what}", method=method), timeout=DEADLINE) as reply:
            return reply.read()

    def close(self):
        self.process.terminate()
        self.process.wait(DEADLINE)
        self.folder.cleanup()


def chromium():
    """The one that runs; a new one if it has ended."""
    if _running and _running[0].process.poll() is not None:
        close()
    if not _running:
        _running.append(Chromium())
    return _running[0]


@atexit.register
def close():
    while _running:
        _running.pop().close()
