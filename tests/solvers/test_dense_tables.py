"""Steps do not end at every point of a dense table: only at slope discontinuities that the tolerance can feel.

Oracle: the speed of a unit mass under a force that is a linear table of time is the sum of trapezoids, exactly.
"""

import numpy as np
import pytest

import mekane as mk

POINTS = 3001
t = np.linspace(0.0, 2.0 * np.pi, POINTS)
f = np.cos(t) + 0.3


def pushed(force):
    s = mk.System("pushed", gravity=(0, 0, 0))
    s.slider("rail", s.ground, s.body("b", 1.0, inertia=(1, 1, 1)), axis="x")
    s.motor("push", "rail", force=force)
    return s


def run(force=None, **keywords):
    force = {"table": np.column_stack([t, f]).tolist()} if force is None else force
    found = mk.simulate(pushed(force), t[-1], every=t[::100].tolist(), **keywords)
    return found, found.numbers("rail.displacement.rate")


SPEED = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(t) * (f[1:] + f[:-1]))])[::100]


@pytest.mark.parametrize("method", ["auto", "implicit"])
def test_smooth_points_do_not_bound_steps(method):
    """Chords are off the cosine by 3e-7 of its range: less than rtol. Then that is what the speed may be off, over the
    whole time."""
    found, speed = run(rtol=1e-6, atol=1e-9, method=method)
    assert found.info["steps"] < POINTS / 5
    assert np.abs(speed - SPEED).max() < 3e-7 * 2.0 * t[-1]


def test_a_tight_tolerance_feels_every_point():
    """But for the few about the inflections of the cosine, where chords go on straight."""
    found, speed = run(rtol=1e-9, atol=1e-12)
    assert found.info["steps"] > 0.99 * POINTS
    assert np.abs(speed - SPEED).max() < 1e-9


def test_a_slope_discontinuity_among_smooth_points_is_met():
    """A table with one corner, at a time that no step would meet by itself."""
    corner = 0.5 * (t[1234] + t[1235])
    times = np.sort(np.append(t, corner))
    values = np.cos(times) + 40.0 * np.maximum(times - corner, 0.0)
    force = {"table": np.column_stack([times, values]).tolist()}
    loose, speed = run(force, rtol=1e-6, atol=1e-9)
    tight, exact = run(force, rtol=1e-10, atol=1e-13)
    assert loose.info["steps"] < POINTS / 5 < tight.info["steps"]
    assert np.abs(speed - exact).max() < 1e-6 * np.abs(exact).max()
