"""mk.monte_carlo, distributions and sensitivity indices. Oracles: SciPy's distributions, closed forms of moments, the
analytic Sobol' indices of a sum."""

import numpy as np
import pytest
from oscillators import oscillator, pendulum
from scipy import stats

import mekane as mk
from mekane.errors import ModelError

RUN = dict(t_end=0.1, every=0.05, measure={"first": "mass.position.x[0]"})
PROBABILITIES = np.linspace(0.01, 0.99, 13)


@pytest.mark.parametrize("given, exact", [
    (mk.normal("4 kN/m", "5 %"), stats.norm(4e3, 200.0)),
    (mk.normal(2.0, 0.1), stats.norm(2.0, 0.1)),
    (mk.uniform("10 mm", "30 mm"), stats.uniform(0.01, 0.02)),
    (mk.lognormal(3.0, 0.2), stats.lognorm(0.2, scale=3.0)),
    (mk.triangular(0.0, 1.0, 4.0), stats.triang(0.25, 0.0, 4.0)),
    (mk.truncated_normal(1.0, 0.5, 0.5, 2.0), stats.truncnorm(-1.0, 2.0, 1.0, 0.5)),
])  # fmt: skip
def test_distributions_are_those_of_scipy(given, exact):
    """The distribution function of a quantile is its probability; round-off of SciPy's inverses."""
    assert np.abs(exact.cdf(given.quantiles(PROBABILITIES)) - PROBABILITIES).max() < 1e-12


@pytest.mark.parametrize("make, message", [
    (lambda: mk.normal(1.0, 0.0), "sigma is 0.0"), (lambda: mk.normal(0.0, "5 %"), "sigma is '5 %' of 0.0"),
    (lambda: mk.uniform(2.0, 1.0), "the least value comes first"), (lambda: mk.lognormal(-1.0, 0.1), "greater than zero"),
    (lambda: mk.triangular(0.0, 5.0, 4.0), "mode is 5.0"), (lambda: mk.truncated_normal(1, 1, 3, 2), "the least value"),
    (lambda: mk.normal("4 kN/m", "x"), "does not start with a number"),
])  # fmt: skip
def test_bad_distributions(make, message):
    with pytest.raises(ModelError, match=message):
        make()


@pytest.mark.parametrize("sampling", ["sobol", "latin", "random"])
def test_moments_of_what_is_drawn(sampling):
    """4096 values of N(1, 0.1): the error of the mean is at most that of random ones, four sigmas of 0.1/64. No run is
    made: axes are drawn."""
    from mekane.analyses.studies.monte_carlo import drawn

    axes = drawn(oscillator(), {"mass.mass": mk.normal(1.0, 0.1), "k": mk.uniform(0, 2)}, 4096, 1, sampling)
    mass, k = (values for _, values in axes.columns.values())
    assert abs(mass.mean() - 1.0) < 4 * 0.1 / 64 and abs(mass.std() / 0.1 - 1) < 0.05
    assert abs(k.mean() - 1.0) < 4 * 0.577 / 64 and 0 <= k.min() and k.max() <= 2
    assert abs(np.corrcoef(mass, k)[0, 1]) < 4 / 64
    again = drawn(oscillator(), {"mass.mass": mk.normal(1.0, 0.1), "k": mk.uniform(0, 2)}, 4096, 1, sampling)
    assert again.columns["k"][1].tobytes() == k.tobytes()


def test_a_study_along_runs():
    """A pendulum that starts below with rate w rises by acos(1 − w²/2g): each run against its own value."""
    vary = {"hinge.rate": mk.normal(1.0, "10 %")}
    ds = mk.monte_carlo(
        pendulum(), vary, n=10, seed=3, t_end=1.2, every=0.001, keep="hinge.angle", measure={"rise": "max(hinge.angle)"}
    )
    w = ds["hinge.rate"].values
    assert ds["rise"].dims == ("run",) and len(set(w)) == 10 and ds["hinge.rate"].attrs["units"] == "rad/s"
    assert np.abs(ds["rise"].values - np.arccos(1 - w**2 / (2 * 9.81))).max() < 1e-6  # a sample is at most 0.5 ms away
    assert (
        ds.attrs["seed"] == 3 and ds.attrs["sampling"] == "sobol" and "normal(1.0, 10 %)" in ds.attrs["distributions"]
    )


def test_pictures(tmp_path):
    vary = {"hinge.rate": mk.uniform(0.5, 1.0)}
    ds = mk.monte_carlo(
        pendulum(), vary, n=8, t_end=0.5, keep=["hinge.angle", "bob.position"], measure={"rise": "max(hinge.angle)"}
    )
    mk.plot_histogram(ds, "rise", tmp_path / "h.png", bins=4)
    figure = mk.plot_band(ds, "hinge.angle", tmp_path / "b.svg", quantiles=(0.0, 0.5, 1.0))
    band = figure.axes[0].collections[0].get_paths()[0].vertices
    assert band[:, 1].max() == pytest.approx(float(ds["hinge.angle"].max()), abs=1e-12)
    one = ds.assign(rise=1.0 + 1e-15 * ds["run"])  # one value and round-off: one bar
    assert len(mk.plot_histogram(one, "rise").axes[0].patches) == 1
    assert (tmp_path / "h.png").exists() and (tmp_path / "b.svg").exists()
    with pytest.raises(ModelError, match="is a vector"):
        mk.plot_band(ds, "bob.position")
    with pytest.raises(ModelError, match="there is no 'rize' to draw.*Did you mean 'rise'"):
        mk.plot_histogram(ds, "rize")


@pytest.mark.parametrize("vary, more, message", [
    ({"k": 3.0}, {}, "'k' is 3.0; a distribution is expected"), ({}, {}, "nothing varies"),
    ({"kk": mk.uniform(0, 1)}, {}, "'kk' is no parameter.*Did you mean 'k'"),
    ({"mass.mass": mk.normal("1 m", "5 %")}, {}, "'mass.mass' is '1 m'; a value in kg"),
    ({"k": mk.uniform(0, 1)}, dict(sampling="sobolev"), "Did you mean 'sobol'"), ({"k": mk.uniform(0, 1)}, dict(n=0), "n is 0"),
])  # fmt: skip
def test_bad_studies(vary, more, message):
    with pytest.raises(ModelError, match=message):
        mk.monte_carlo(oscillator(), vary, **RUN | more)


def test_sobol_indices_of_a_linear_measure():
    """y = x1 + 2 x2 + 0 x3 of equal uniform numbers: 1/5, 4/5, 0; no interactions. 512 base points: a few hundredths."""
    pytest.importorskip("SALib", reason="SALib is an optional extra")
    s = mk.System("three", gravity=(0, 0, 0), parameters={"a": 0.0, "b": 0.0, "c": 0.0})
    s.body("ball", mass=1.0, inertia=(1, 1, 1), position=("$a + 2*b", "$c", 0))
    vary = {name: mk.uniform(0, 1) for name in "abc"}
    ds = mk.monte_carlo(s, vary, n=64, sampling="saltelli", t_end=0.1, every=0.1, measure={"x": "ball.position.x[0]"})
    found = mk.sensitivity_indices(ds, "x")
    assert np.abs(found["first_order"].values - [0.2, 0.8, 0.0]).max() < 0.05
    assert np.abs(found["total"].values - [0.2, 0.8, 0.0]).max() < 0.05
    ds = mk.monte_carlo(s, vary, n=6, sampling="morris", t_end=0.1, every=0.1, measure={"x": "ball.position.x[0]"})
    effects = mk.sensitivity_indices(ds)
    assert np.abs(effects["mean"].values - [1.0, 2.0, 0.0]).max() < 1e-4  # ends of ranges are drawn in by 1e-6
    ds.attrs["sampling"] = "sobol"
    with pytest.raises(ModelError, match="it was sampled by 'sobol'"):
        mk.sensitivity_indices(ds)
