"""Poses between samples, and which frames a page gets. Oracles: exact solutions, and a second run with many more
samples."""

from functools import cache

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.gallery.pendulum import exact
from mekane.view.motion.frame_selection import Grid, choice
from mekane.view.motion.frame_times import Sampling, at_times, extremes
from mekane.view.motion.frames import frames_at, shown
from mekane.view.motion.joint_interpolation import interpolated
from mekane.view.motion.poses import OFF, ROTATED, Motion
from mekane.view.web.packing import from_block
from mekane.view.web.saved_page import data_of


@cache
def pendulum():
    """2000 s, 845 swings, two samples a second."""
    return gallery.find("pendulum").run()


def swings(values):
    """Half as many as sign changes."""
    return np.count_nonzero(np.diff(np.sign(values)) != 0) / 2


# ---------------------------------------------------------------- curves


@pytest.mark.parametrize("most", [50, 400, 3000])
def test_thinned_curves_keep_their_extremes(most):
    """Of every stretch exactly the least and the largest number, in order of time; the whole curve's are among them."""
    rng = np.random.default_rng(5)
    t = np.sort(rng.uniform(0, 10, 20_000))
    values = np.column_stack([np.sin(400 * t), rng.normal(size=len(t))])
    chosen = extremes(t, values, most)
    assert len(chosen.time) <= most and np.all(np.diff(chosen.left) > 0) and np.array_equal(chosen.time, t[chosen.left])
    stretches = (most - 2) // 4
    bounds = np.linspace(0, len(t), stretches + 1).astype(int)
    for first, end in zip(bounds, bounds[1:], strict=False):
        inside = values[chosen.left[(chosen.left >= first) & (chosen.left < end)]]
        for c in range(2):
            assert values[first:end, c].min() in inside[:, c] and values[first:end, c].max() in inside[:, c]


def test_a_saved_page_shows_every_swing():
    """845 swings in 2000 s: period 2.3678 s. 27 slow ones were seen when curves were thinned with the frames."""
    run = pendulum()
    data = data_of(run, plots=["hinge.angle", "bob.position"])
    for name in ("hinge.angle", "bob.position"):
        page_data = data["channels"][name]
        found, full = from_block(page_data["values"]), run.numbers(name).astype(np.float32)
        assert np.array_equal(found.min(axis=0), full.min(axis=0)) and np.array_equal(
            found.max(axis=0), full.max(axis=0)
        )
    found = swings(from_block(data["channels"]["hinge.angle"]["values"]))
    assert found == swings(run.numbers("hinge.angle")) == pytest.approx(844.7, abs=1)


# ---------------------------------------------------------------- between samples


def test_between_samples_the_pendulum_swings_and_keeps_its_pivot():
    """Oracle: Jacobi's functions. Cubics with the right rates, h = 0.5 s apart, are off by h⁴/384 max|θ⁗| rad, and |θ⁗|
    < 2.5 (g/L)² in this swing. The run itself is off by 1e-3 in the end. The pivot stays to round-off: the joint is
    interpolated, not the body."""
    run, t = pendulum(), np.linspace(0, 2000, 30_011)
    at = Motion(run).at(at_times(run.t, t, "all over"))
    assert np.abs(at.p[:, 0] - exact(t)["bob.position"]).max() < 0.5**4 / 384 * 2.5 * 9.81**2 + 1e-3
    assert np.abs(at.p[:, 0] + at.R[:, 0] @ [0, 1, 0]).max() < 1e-12


@pytest.mark.parametrize(
    "name", ["double_pendulum", "squeezer", "slider_crank_spatial", "gyroscope", "heavy_top", "bicycle", "bricard"]
)
def test_between_samples_the_motion_is_that_of_a_finer_run(name):
    """Trees and loops, pins, balls, sliders, universal joints, fast tops and wheels. Every second sample is left out
    and found again. Cubics halve their error sixteenfold with the step: that of the whole gap is bounded by what one
    sees, a pixel or so."""
    mechanism = gallery.find(name)
    run = mechanism.run(t_end=min(mechanism.t_end, 2.0), every=min(mechanism.t_end, 2.0) / 400)
    fine = Motion(run)
    coarse = Motion(mechanism.run(t_end=run.t[-1], every=run.t[-1] / 200))
    found, true = coarse.at(at_times(coarse.run.t, run.t, "all")), fine.samples
    assert np.linalg.norm(found.p - true.p, axis=2).max() < OFF * fine.scale
    assert np.linalg.norm(found.R - true.R, axis=(2, 3)).max() / np.sqrt(2) < ROTATED


def test_joints_of_a_tree_stay_closed_however_far_apart_the_frames_are():
    """Evenly between frames half a second apart, as a page draws it: the elbow of the double pendulum stays closed to
    round-off."""
    run = gallery.find("double_pendulum").run()
    motion = Motion(run)
    some = motion.samples.at(np.arange(0, len(run.t), 25))
    first, last = some.at(slice(None, -1)), some.at(slice(1, None))
    found = interpolated(motion.links, first, last, np.full(len(first.p), 0.37))
    for link in motion.links:
        F = found.p[:, link.parent] + found.R[:, link.parent] @ link.p_PF if link.parent >= 0 else link.p_PF
        assert np.abs(F - found.p[:, link.body] - found.R[:, link.body] @ link.p_BM).max() < 1e-12


def spinning(turns_between_samples):
    s = mk.System("rotor", gravity=(0, 0, 0))
    s.body("wheel", mass=1, inertia=(1, 1, 1))
    s.pin("axle", s.ground, "wheel", at=(0, 0, 0), axis="z", rate=2 * np.pi * turns_between_samples)
    return mk.simulate(s, 20, every=1.0)


def test_a_fast_wheel_turns_the_right_way():
    """0.9 turns between samples look like a tenth of a turn backwards; its rate tells otherwise."""
    run = spinning(0.9)
    t = np.linspace(0, 20, 401)
    R = Motion(run).at(at_times(run.t, t, "all")).R[:, 0]
    assert (
        np.abs(R[:, 0, 0] - np.cos(1.8 * np.pi * t)).max() < 1e-6
        and np.abs(R[:, 1, 0] - np.sin(1.8 * np.pi * t)).max() < 1e-6
    )


def test_what_the_samples_do_not_determine_is_not_made_up():
    """Samples 10 s apart, more than four swings: the pose between them is that of the nearer one, and this is reported."""
    s = mk.System("sparse")
    s.body("bob", mass=1, position=(0, 0, -1))
    s.pin("hinge", s.ground, "bob", at=(0, 0, 0), axis="y", rate=3.0)
    run = mk.simulate(s, 100, every=10)
    found = shown(run, 1000)
    assert len(found) == 11 and found.choice.jumps.tolist() == list(range(10))
    assert found.choice.note == "frames are 10 s apart: the motion between them is not shown"
    between = frames_at(run, at_times(run.t, [14.0, 16.0], "two"))
    assert np.array_equal(between.poses, found.poses[[1, 2]])
    page_data = data_of(run)
    assert "the motion between them is not shown" in page_data["info"]["subtitle"]
    assert from_block(page_data["frames"]["jumps"]).tolist() == list(range(10))


# ---------------------------------------------------------------- which frames


def test_a_long_motion_is_shown_in_detail_as_long_as_frames_last():
    """No more frames than requested; at the beginning each lies near the next; then single ones to the end, with
    nothing drawn between."""
    run = pendulum()
    found = shown(run, 1000)
    jumps, time = found.choice.jumps, found.time
    assert len(found) <= 1000 and time[0] == 0 and time[-1] == run.t[-1]
    assert jumps[0] > 400 and time[jumps[0]] > 30 and len(jumps) == len(time) - 1 - jumps[0]
    assert f"from {time[jumps[0]]:.4g} s on frames are" in found.choice.note
    assert np.abs(found.poses[:, 0, :3] - exact(time)["bob.position"]).max() < 0.5**4 / 384 * 2.5 * 9.81**2 + 1e-3


@pytest.mark.parametrize(
    "name, most", [("double_pendulum", 300), ("slider_crank_planar", 250), ("rattleback", 400), ("chaotic_plate", 300)]
)
def test_what_a_page_draws_between_frames_is_the_motion(name, most):
    """Evenly from frame to frame, but through no jump: at every sample of the run within what one sees."""
    run = gallery.find(name).run()
    motion = Motion(run)
    found = shown(run, most)
    assert len(found) <= most
    i = np.clip(np.searchsorted(found.time, run.t, side="right") - 1, 0, len(found) - 2)
    share = (run.t - found.time[i]) / (found.time[i + 1] - found.time[i])
    poses = motion.at(found.sampling)
    drawn = interpolated(motion.links, poses.at(i), poses.at(i + 1), share)
    seen = ~np.isin(i, found.choice.jumps)
    assert seen.mean() > 0.2
    assert np.linalg.norm(drawn.p - motion.samples.p, axis=2)[seen].max() < 1.01 * OFF * motion.scale
    assert np.linalg.norm(drawn.R - motion.samples.R, axis=(2, 3))[seen].max() / np.sqrt(2) < 1.01 * ROTATED


def test_few_and_odd_numbers_of_frames():
    run = gallery.find("double_pendulum").run(t_end=2.0)
    grid = Grid(Motion(run))
    for most in (1, 2, 3, 7, 50, len(grid)):
        found = choice(grid, most).sampling
        assert len(found.time) <= max(2, most) and found.time[0] == run.t[0] and found.time[-1] == run.t[-1]
    still = mk.simulate(run.system, 0.1, every=[0.0])
    assert len(shown(still, 10)) == 1 and isinstance(shown(still, 10).sampling, Sampling)


# ---------------------------------------------------------------- films


def test_a_film_of_the_gallerys_pendulum_is_true(tmp_path):
    page_data = pendulum().animation(tmp_path / "x.gif", fps=15, size=(32, 24), most=30)
    assert page_data.missing == () and page_data.shown[1] == pytest.approx(29 / 15)


def test_a_film_says_what_it_cannot_show(tmp_path):
    fast = spinning(0.9).animation(tmp_path / "x.gif", fps=10, size=(32, 24), seconds=1)
    assert "2 s apart" in str(fast) and "1.8 turns" in str(fast) and "a smaller speed shows it" in str(fast)
    unknown = spinning(3).animation(tmp_path / "x.gif", fps=5, size=(32, 24), speed=0.5, most=20)
    assert "Samples are 1 s apart: the motion between them is not known; a smaller every shows it" in str(unknown)
