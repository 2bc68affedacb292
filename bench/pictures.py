"""How long one picture of the page takes: the squeezer and a chain of 100 links, drawn by Chromium without a graphics
card.

Processor time of all processes of the browser, since two may draw at once. The peer is the page as it was before it had
shadows, taken from the history of this repository; beside both the page without shadows, as it becomes by itself where
pictures come too slowly, and with reflections, which are off where there is no graphics card.
"""

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from bench.table import Row, duration

BEFORE = "bc5e7b1"  # the last commit without shadows
HERE = Path(__file__).resolve().parent.parent
PICTURES, ROUNDS = 15, 3
LIGHT = {
    "shadows": "page.stage.light?.all(true)",
    "none": "page.stage.light?.all(false)",
    "all": "if (page.stage.light) page.stage.light.shadows = page.stage.light.reflections = true",
}
DRAWN = """((count) => {
  const gl = page.stage.renderer.getContext(), pixel = new Uint8Array(4);
  for (let k = 0; k < count; k++) {
    page.seek(page.begin + (((k %% 37) + 1) / 40) * (page.end - page.begin));
    page.draw();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); // or it would still be drawn
  }
})(%d)"""
WRITE = """
import sys
import mekane as mk
from mekane import gallery
from mekane.view.web.saved_page import data_of, page

def chain(links=100):
    s = mk.System("chain", gravity=(0, -9.81, 0))
    before, at = s.ground, (0, 0, 0)
    for k in range(links):
        link = s.body(f"link {k}", 1.0, (0.01, 0.1, 0.1), position=(k + 0.5, 0, 0))
        s.pin(f"pin {k}", before, link, at=(k, 0, 0), axis="z")
        before = link
    return mk.simulate(s, 0.2, every=0.02)

for name, run in (("squeezer", gallery.find("squeezer").run()), ("chain", chain())):
    with open(f"{sys.argv[1]}/{name}.html", "w", encoding="utf-8") as file:
        file.write(page(data_of(run, most=60)))
"""


def rows():
    sys.path.insert(0, str(HERE / "tests" / "view"))
    from browser import CHROMIUM

    if CHROMIUM is None:
        return [Row("pictures of the page", "", note="there is no Chromium here")]
    with tempfile.TemporaryDirectory() as folder:
        now, before = Path(folder) / "now", Path(folder) / "before"
        written(HERE, now)
        archive = subprocess.run(["git", "archive", BEFORE, "mekane"], cwd=HERE, capture_output=True)
        if archive.returncode == 0:
            tree = Path(folder) / "tree"
            tree.mkdir()
            subprocess.run(["tar", "-x", "-C", str(tree)], input=archive.stdout, check=True)
            written(tree, before)
        return [row(name, now, before) for name in ("squeezer", "chain")]


def written(tree: Path, folder: Path):
    """Both pages, by the Mekane of this tree."""
    folder.mkdir()
    subprocess.run(
        [sys.executable, "-c", WRITE, str(folder)], env={**os.environ, "PYTHONPATH": str(tree)}, cwd=folder, check=True
    )


def row(name, now, before):
    found = measured(now / f"{name}.html", LIGHT)
    was = measured(before / f"{name}.html", ["none"])["none"] if before.exists() else None
    what = {"squeezer": "squeezer, a picture with shadows", "chain": "chain of 100, a picture with shadows"}[name]
    size = (now / f"{name}.html").stat().st_size / 1e6
    note = f"without {duration(found['none'])}, with reflections {duration(found['all'])}; page of {size:.2f} MB"
    if was is None:
        return Row(what, duration(found["shadows"]), note=f"{note}; no history to compare with")
    return Row(what, duration(found["shadows"]), "the page as it was", duration(was), was / found["shadows"], "", note)


def measured(path: Path, lights):
    """Seconds of processor time for a picture, by kind of light: the least of some rounds."""
    from browser import Browser
    from screens import window

    with Browser(sharpens=True) as browser:
        browser.open("about:blank", ready="true")
        window(browser, 1000, 700)
        browser.open(path.as_uri(), ready="Boolean(window.page?.data)")
        return {light: min(one_round(browser, light) for _ in range(ROUNDS)) for light in lights}


def one_round(browser, light):
    browser.evaluate(LIGHT[light])
    browser.evaluate(DRAWN % 3)
    begun = processor_time(browser.process.pid)
    browser.evaluate(DRAWN % PICTURES)
    return (processor_time(browser.process.pid) - begun) / PICTURES


def processor_time(pid: int) -> float:
    """Of a process and all that it has started [s], as Linux counts it."""
    total, process = 0.0, Path(f"/proc/{pid}")
    with suppress(FileNotFoundError, ProcessLookupError):  # it has ended
        used = (process / "stat").read_text().rpartition(")")[2].split()
        total = (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")
        for task in (process / "task").iterdir():
            total += sum(processor_time(int(child)) for child in (task / "children").read_text().split())
    return total
