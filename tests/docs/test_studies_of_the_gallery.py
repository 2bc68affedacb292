"""The studies of the gallery, few points of them. Oracles: intersecting circles for the coupler curve, the published speeds
between which the benchmark bicycle is stable."""

import runpy
from pathlib import Path

import numpy as np

STUDIES = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "make_studies.py"))


def pen_of(l1, l2, l3, t):
    """Where the pen is: the elbow is where circles about the knee and the pivot meet, above."""
    crank, pivot = np.pi / 2 + 2 * np.pi * t, 0.11
    knee = l1 * np.cos(crank) + 1j * l1 * np.sin(crank)
    across = pivot - knee
    along = (l2**2 - l3**2 + np.abs(across) ** 2) / (2 * np.abs(across))
    coupler = (along + 1j * np.sqrt(l2**2 - along**2)) * across / np.abs(across)
    return knee + coupler / 2 + 0.05j * coupler / l2


def test_linkages_draw_what_circles_say():
    """Loops are closed to 1e-13 of their size at each sample."""
    ds = STUDIES["tolerances"](8)
    lengths = [ds[name].values[:, None] for name in ("l1", "l2", "l3")]
    exact, pen = pen_of(*lengths, ds["time"].values), ds["pen.position"]
    found = pen.sel(axis="x").values + 1j * pen.sel(axis="y").values
    assert np.abs(found - exact).max() < 1e-10
    assert np.abs(ds["stroke"].values - np.ptp(exact.imag, axis=1)).max() < 1e-10
    assert ds.attrs["engine"] == "lanes" and np.ptp(ds["stroke"].values) > 1e-4


def test_the_bicycle_is_stable_between_the_published_speeds():
    """Growth changes its sign at them: the weave to the three decimals that are published, the capsize, so slow nearby that
    it counts as neutral, by a straight line through speeds 0.1 m/s apart, which is 1e-3 of them off."""
    weave, capsize = STUDIES["STABLE"]
    speeds = np.array([weave - 6e-4, weave + 6e-4, capsize - 0.05, capsize + 0.05])
    growth = STUDIES["stability"](speeds, np.array([0.08]))["growth"].values[:, 0]
    assert (growth > 0).tolist() == [True, False, False, True]
    assert abs(np.interp(0.0, growth[2:], speeds[2:]) - capsize) < 2e-3
