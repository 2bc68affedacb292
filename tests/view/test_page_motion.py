"""What a saved page draws between its frames, in a browser. Oracles: the exact solution, joint_motion.py, and the
joints themselves."""

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from scipy.spatial.transform import Rotation

from mekane import gallery
from mekane.gallery.pendulum import exact
from mekane.view.motion.frames import shown
from mekane.view.motion.joint_interpolation import interpolated
from mekane.view.motion.poses import OFF, Motion

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
AT = """((t) => {
  page.seek(t);
  page.draw();
  return page.mechanism.groups.map((g) => [...g.position.toArray(), ...g.quaternion.toArray()]);
})(%r)"""
FLOAT32 = 1e-6  # of places of a few metres


@pytest.fixture(scope="module")
def browser():
    with Browser() as browser:
        yield browser


def opened(browser, run, folder, most=1000):
    path = folder / "page.html"
    run.save_html(path, most=most)
    browser.open(path.as_uri())
    return shown(run, most)


def drawn(browser, times):
    return np.array([browser.evaluate(AT % float(t)) for t in times])


@pytest.mark.parametrize(
    "name, most", [("double_pendulum", 120), ("squeezer", 100), ("gyroscope", 400), ("slider_crank_spatial", 200)]
)
def test_between_frames_each_joint_moves_evenly(browser, tmp_path, name, most):
    run = gallery.find(name).run()
    found, motion = opened(browser, run, tmp_path, most), Motion(run)
    i = np.setdiff1d(np.arange(len(found) - 1), found.choice.jumps)[::11]
    times = 0.6 * found.time[i] + 0.4 * found.time[i + 1]
    there, poses = drawn(browser, times), motion.at(found.sampling)
    expected = interpolated(
        motion.links, poses.at(i), poses.at(i + 1), (times - found.time[i]) / (found.time[i + 1] - found.time[i])
    )
    assert np.abs(there[:, :, :3] - expected.p).max() < FLOAT32 * (1 + np.abs(expected.p).max())
    R = Rotation.from_quat(there[:, :, 3:].reshape(-1, 4)).as_matrix().reshape(expected.R.shape)
    assert np.abs(R - expected.R).max() < 4 * FLOAT32


def test_the_pendulum_keeps_its_pivot_and_swings_as_it_should(browser, tmp_path):
    """At first in detail: within what one sees of the exact solution (samples two a second are themselves interpolated
    to 0.04 rad)."""
    run = gallery.find("pendulum").run()
    found = opened(browser, run, tmp_path)
    first = found.time[found.choice.jumps[0]]
    times = np.linspace(0.01, first - 0.01, 200)
    poses = drawn(browser, times)[:, 0]
    pivot = poses[:, :3] + Rotation.from_quat(poses[:, 3:]).apply([0, 1, 0])
    assert np.abs(pivot).max() < FLOAT32
    assert np.abs(poses[:, :3] - exact(times)["bob.position"]).max() < 0.04 + 2 * OFF * Motion(run).scale
    assert browser.evaluate("document.getElementById('trouble').textContent") == ""

    k = int(found.choice.jumps[3])
    a, b = found.time[k : k + 2]
    for share, nearest in ((0.2, k), (0.45, k), (0.55, k + 1), (0.9, k + 1)):
        pose = drawn(browser, [a + share * (b - a)])[0, 0]
        assert np.abs(pose - found.poses[nearest, 0]).max() < FLOAT32
        reply = browser.evaluate("document.getElementById('trouble').textContent")
        assert reply.endswith("s apart here: the motion between them is not shown")
    assert "the motion between them is not shown" in browser.evaluate("document.getElementById('subtitle').textContent")
    assert swings(browser) == pytest.approx(844.7, abs=1) and browser.errors == []


def swings(browser):
    """Of the first curve, as it is plotted."""
    values = browser.evaluate("Array.from(page.plots.charts[0].chart.data[1])")
    return np.count_nonzero(np.diff(np.sign(values)) != 0) / 2


def test_a_path_is_not_drawn_through_what_is_not_known(browser, tmp_path):
    """One piece for the beginning in detail; its points are those of the frames up to the first jump."""
    run = gallery.find("pendulum").run()
    found = opened(browser, run, tmp_path, 400)
    browser.evaluate("page.traces.toggle('bob', [0, 0, 0], 'origin')")
    pieces = browser.evaluate(
        "piecesOf(page.traces.list[0].points, page.data.poses.jumps).map((piece) => piece.length / 3)"
    )
    assert (
        pieces == [int(found.choice.jumps[0]) + 1] and browser.evaluate("page.traces.list[0].root.children.length") == 2
    )
    assert browser.errors == []
