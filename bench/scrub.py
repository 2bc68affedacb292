"""A long result in the page: 100 bodies, 10 001 frames, 28 MB of poses, scrubbed to random times in a headless
Chromium.

The peer is the same page with all frames inside. Chromium draws without a graphics card here, which takes most of the
time: how often it draws is printed beside it. What is shown at once is the nearest frame of the overview; the very
    frame follows when its chunk has come.
"""

import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from bench.table import Row, duration

BODIES, SAMPLES, TIMES = 100, 10_001, 60
HERE = Path(__file__).resolve().parent.parent
SCRUB = """(async (t) => {
  const next = () => new Promise((done) => requestAnimationFrame(done)), scrub = document.getElementById("scrub");
  const begun = performance.now();
  scrub.value = t;
  scrub.dispatchEvent(new Event("input"));
  do await next(); while (page.mechanism.t !== page.t);
  const first = performance.now() - begun;
  while (!page.mechanism.exact) await next();
  return [first, performance.now() - begun];
})"""
PICTURE = "new Promise((done) => requestAnimationFrame((a) => requestAnimationFrame((b) => done(b - a))))"
CHUNK = """(async (k) => {
  const begun = performance.now();
  await (await fetch(`${page.data.address}frames/${k}`)).arrayBuffer();
  return performance.now() - begun;
})"""


def rows():
    sys.path.insert(0, str(HERE / "tests" / "view"))
    from browser import CHROMIUM

    if CHROMIUM is None:
        return [Row("scrub a long result", "", note="there is no Chromium here")]
    run = long_run()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "whole.html"
        run.save_html(path, plots=[f"pin {k}.angle" for k in range(2)], most=SAMPLES)
        whole = measured(path.as_uri())
        size = path.stat().st_size
    return [*rows_of(run, whole, size)]


def rows_of(run, whole, size):
    from mekane.view.web.server import Server
    from mekane.view.web.viewer import Viewer

    viewer = Viewer(run)
    with Server(viewer, port=0) as server:
        served = measured(server.address)
    what = f"{BODIES} bodies, {SAMPLES} frames, page:"
    draw = f"a picture every {duration(served['picture'])}; a chunk comes in {duration(served['chunk'])}"
    yield row(
        f"{what} until it is shown",
        served,
        whole,
        "opened",
        f"{len(viewer.text) / 1e6:.1f} MB beside {size / 1e6:.1f} MB",
    )
    yield row(f"{what} scrub to the first picture, median", served, whole, "first", draw)
    yield row(f"{what} scrub to the very frame, median", served, whole, "exact", draw)
    yield row(f"{what} scrub to the very frame, slowest of {TIMES}", served, whole, "slowest", draw)
    megabytes = {name: f"{one['memory'] / 1e6:.1f} MB" for name, one in (("served", served), ("whole", whole))}
    ratio = served["memory"] / whole["memory"]
    yield Row(
        f"{what} memory after scrubbing",
        megabytes["served"],
        "all in one page",
        megabytes["whole"],
        ratio,
        note="heap and frames stored",
    )


def row(what, served, whole, key, note):
    return Row(
        what, duration(served[key]), "all in one page", duration(whole[key]), served[key] / whole[key], note=note
    )


def long_run():
    import mekane as mk

    s, before = mk.System("long chain"), "ground"
    for k in range(BODIES):
        s.body(f"link {k}", mass=0.1, inertia=(1e-4, 1e-4, 1e-5), position=(0.1 * k + 0.05, 0, 0))
        s.pin(f"pin {k}", before, f"link {k}", at=(0.1 * k, 0, 0), axis="y")
        before = f"link {k}"
    return mk.simulate(s, 2.0, every=2.0 / (SAMPLES - 1))


def measured(address):
    """Seconds and bytes of one page."""
    from browser import Browser

    rng, found = random.Random(1), []
    with Browser(sharpens=True) as browser:
        begun = time.perf_counter()
        browser.open(address, offline=False)
        opened = time.perf_counter() - begun
        for _ in range(TIMES):
            found.append([x / 1000 for x in browser.evaluate(f"{SCRUB}({json.dumps(rng.uniform(0, 2))})")])
        picture = statistics.median(browser.evaluate(PICTURE) for _ in range(9)) / 1000
        chunk = (
            statistics.median(browser.evaluate(f"{CHUNK}({k})") for k in range(20)) / 1000
            if address.startswith("http")
            else 0.0
        )
        memory = browser.evaluate("performance.memory.usedJSHeapSize + page.data.poses.storedBytes")
    first, exact = zip(*found, strict=True)
    times = {"first": statistics.median(first), "exact": statistics.median(exact), "slowest": max(exact)}
    return {"opened": opened, **times, "picture": picture, "chunk": chunk, "memory": memory}
