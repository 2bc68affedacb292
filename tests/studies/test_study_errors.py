"""Global errors in studies. Oracles: elliptic integrals for pendulums, mk.simulate's estimate of the same runs, chaos of the
double pendulum."""

import json
import warnings

import numpy as np
import pytest
from oscillators import oscillator, pendulum
from scipy.special import ellipk

import mekane as mk
from mekane.analyses.studies.cluster import study_from
from mekane.analyses.studies.study import Study
from mekane.analyses.studies.sweep import StudyWarning
from mekane.errors import ModelError
from mekane.gallery import double_pendulum

CHAOTIC = dict(t_end=30.0, every=1.0)


def chaotic(values=(0.3, 2.6), **options):
    """Both arms are let go in line: hanging nearly down they swing little, from nearly above they do not."""
    return mk.sweep(double_pendulum.system(), {"shoulder.angle": list(values)}, keep="elbow.angle", **CHAOTIC | options)


def test_half_periods_by_an_event():
    """A pendulum that starts at rest turns after 2 √(l/g) K(sin² θ/2): an event ends the run there. Instants of events count in the
    estimate, beside the length of the run."""
    amplitude = np.radians(np.linspace(1.0, 179.0, 40))
    exact = 2 * ellipk(np.sin(amplitude / 2) ** 2) / np.sqrt(9.81)
    wanted = dict(t_end=6.0, every=6.0, measure={"half": "max(t)"}, until="hinge.angle.rate > 0", rtol=1e-9)
    ds = mk.sweep(pendulum(), {"hinge.angle": amplitude}, error=1e-8, **wanted)
    assert np.abs(ds["half"].values / exact - 1).max() < 1e-8
    assert (ds["status"] == 0).all() and ds["error"].max() <= 1e-8


def test_angles_after_three_quarters_of_a_period():
    """A quarter takes √(l/g) K(sin² θ/2) = 1 s. On its way back from 179° a pendulum is off by a thousand rtol, since errors
    of the first half have grown; where ten rtol are wanted, it is not. Runs below 150° are as they were."""
    amplitude = np.radians(np.linspace(1.0, 179.0, 40))
    g = -(ellipk(np.sin(amplitude / 2) ** 2) ** 2)
    vary = {("hinge.angle", "gravity.z"): list(zip(amplitude, g, strict=True))}
    wanted = dict(t_end=3.0, every=3.0, measure={"end": "hinge.angle[-1]"}, rtol=1e-9)
    plain = mk.sweep(pendulum(), vary, **wanted)
    ds = mk.sweep(pendulum(), vary, error=1e-8, **wanted)
    assert np.abs(ds["end"].values / amplitude).max() < 1e-8 < 1e-7 < np.abs(plain["end"].values / amplitude).max()
    assert (ds["status"] == 0).all() and ds["error"].max() <= 1e-8 and ds["rtol"].min() < 1e-9
    same = ds["rtol"].values == 1e-9
    assert same.sum() > 30 and (ds["end"].values[same] == plain["end"].values[same]).all()
    assert ds["error"].attrs["units"] == "1" and ds.attrs["runs_inaccurate"] == 0


def test_a_study_of_chaos_says_so():
    """As mk.simulate does of the same run: its health does not trust it."""
    with pytest.warns(StudyWarning, match="Do not trust this study as it is: of 2 runs that were checked, 2 have"):
        ds = chaotic(np.linspace(2.4, 2.8, 16))
    assert ds.attrs["errors_checked"] == 2 and ds.attrs["error_largest"] > 1e-3 and "error" not in ds
    with pytest.warns(StudyWarning, match="Do not trust 1 of 2 runs.*its error is more than 0.001 of the motion"):
        ds = chaotic(error=True)
    assert ds["status"].values.tolist() == [0, 6] and "inaccurate" in ds["status"].attrs["flag_meanings"].split()
    assert ds["error"].values[0] < 1e-3 < ds["error"].values[1] and ds.attrs["runs_inaccurate"] == 1
    assert ds["message"].values.tolist() == ["", "its error is more than 0.001 of the motion"]
    assert np.isfinite(ds["elbow.angle"].values).all()  # they are there, with their error beside them


def test_a_study_of_regular_motions_is_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ds = mk.sweep(
            oscillator(), {"k": np.linspace(100.0, 400.0, 24)}, t_end=1.0, measure={"mean": "mean(mass.position.x)"}
        )
    assert ds.attrs["errors_checked"] == 3 and ds.attrs["error_largest"] < 1e-7


def test_runs_one_by_one_have_errors_too():
    """Oracle: run.error of mk.simulate, which they use."""
    with pytest.warns(StudyWarning, match="Do not trust 1 of 2 runs"):
        ds = chaotic(error=True, engine="one by one", t_end=20.0)
    assert ds["status"].values.tolist() == [0, 6]
    ds = mk.sweep(
        oscillator(),
        {"k": [100.0]},
        t_end=3.0,
        error=1e-9,
        rtol=1e-5,
        atol=1e-8,
        engine="one by one",
        keep="mass.position.x",
    )
    exact = 0.1 * np.cos(10.0 * ds["time"].values)
    assert ds["error"].values[0] <= 1e-9 and ds["rtol"].values[0] < 1e-8
    assert np.abs(ds["mass.position.x"].values[0] - exact).max() < 1e-9 * 0.2


@pytest.mark.parametrize("error", [0.0, 1.0, -1e-6, np.nan, "small", [1e-6]])
def test_errors_that_make_no_sense(error):
    with pytest.raises(ModelError, match="True, or a share of the motion between 0 and 1"):
        mk.sweep(oscillator(), {"k": [100.0]}, t_end=1.0, error=error)


def test_errors_are_of_motions():
    with pytest.raises(ModelError, match="error: it is given with analysis='modes'"):
        mk.sweep(oscillator(), {"k": [100.0]}, analysis="modes", error=True)


def test_names_of_measures_are_their_own():
    with pytest.raises(ModelError, match="Call the measure otherwise"):
        mk.sweep(oscillator(), {"k": [100.0]}, t_end=1.0, error=True, measure={"error": "max(mass.position.x)"})
    ds = mk.sweep(oscillator(), {"k": [100.0]}, t_end=1.0, measure={"error": "max(mass.position.x)"})
    assert ds["error"].values[0] == pytest.approx(0.1)


def test_errors_in_files_and_texts(tmp_path):
    """A file holds them, is not mistaken for that of another error, and is not computed again; workers get the error wanted."""
    wanted = dict(t_end=1.0, measure={"top": "max(mass.position.x)"}, to=tmp_path / "a.nc")
    ds = mk.sweep(oscillator(), {"k": [100.0, 200.0]}, error=1e-7, **wanted)
    assert ds["error"].dims == ("k",) and ds["error"].max() <= 1e-7 and ds["rtol"].dims == ("k",)
    again = mk.sweep(oscillator(), {"k": [100.0, 200.0]}, error=1e-7, **wanted)
    assert again.identical(ds)
    with pytest.raises(mk.FileError, match="another study: what differ"):
        mk.sweep(oscillator(), {"k": [100.0, 200.0]}, error=1e-8, **wanted)
    study = Study(oscillator(), ["k"], times=[0.0, 1.0], error=1e-7)
    assert study_from(json.loads(study.text)).error == 1e-7
