"""How long one picture of the page takes: the squeezer and a chain of 100 links, drawn by Chromium without a graphics
card.

The peer is the page as it was before it had shadows, taken from the history of this repository; beside both the page
without shadows and reflections, as it becomes by itself where pictures come too slowly.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.table import Row, duration

BEFORE = "bc5e7b1"  # the last commit without shadows
HERE = Path(__file__).resolve().parent.parent
PICTURES = 30
MEASURED = """((light) => {
  const gl = page.stage.renderer.getContext(), pixel = new Uint8Array(4), found = [];
  page.stage.light?.all(light);
  for (let k = 0; k < %d; k++) {
    const begun = performance.now();
    page.seek(page.begin + ((k + 1) / 40) * (page.end - page.begin));
    page.draw();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); // or the card would still be drawing
    found.push(performance.now() - begun);
  }
  return found.slice(5);
})"""
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
    with_shadows, without = measured(now / f"{name}.html")
    was = measured(before / f"{name}.html")[0] if before.exists() else None
    what = {"squeezer": "squeezer, a picture", "chain": "chain of 100, a picture"}[name]
    note = f"without shadows and reflections {duration(without)}; page of {(now / f'{name}.html').stat().st_size / 1e6:.2f} MB"
    if was is None:
        return Row(what, duration(with_shadows), note=f"{note}; no history to compare with")
    return Row(what, duration(with_shadows), "the page as it was", duration(was), was / with_shadows, "", note)


def measured(path: Path):
    """Seconds for a picture, with shadows and reflections, and without: medians."""
    from browser import Browser
    from screens import window

    with Browser() as browser:
        browser.open("about:blank", ready="true")
        window(browser, 1000, 700)
        browser.open(path.as_uri(), ready="Boolean(window.page?.data)")
        script = MEASURED % PICTURES
        found = [browser.evaluate(f"{script}({json.dumps(light)})") for light in (True, False)]
    return [statistics.median(one) / 1e3 for one in found]
