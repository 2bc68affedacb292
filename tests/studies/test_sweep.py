"""mk.sweep. Oracles: closed forms of oscillators, the elliptic period of pendulums, and mk.simulate run singly."""

import warnings

import numpy as np
import pytest
from oscillators import oscillator, pendulum
from scipy.special import ellipk

import mekane as mk
from mekane.analyses.batch.lane_runs import LaneEngine
from mekane.analyses.studies import conduct
from mekane.analyses.studies.sweep import StudyWarning
from mekane.errors import ExpressionError, ModelError

RUN = dict(t_end=0.5, every=0.05)


def test_oscillators_move_as_their_closed_forms():
    """x = 0.1 cos(√(k/m) t); the tolerance is a hundred times rtol 1e-9 of the amplitude, for about twenty steps."""
    k, m = np.array([400.0, 900.0]), np.array([0.5, 1.0, 2.0])
    ds = mk.sweep(oscillator(), {"k": ["0.4 kN/m", 900], "mass.mass": m}, keep=["mass.position"], **RUN)
    assert dict(ds.sizes) == {"k": 2, "mass.mass": 3, "time": 11, "axis": 3}
    exact = 0.1 * np.cos(np.sqrt(k[:, None, None] / m[:, None]) * ds["time"].values)
    assert np.abs(ds["mass.position"].sel(axis="x").values - exact).max() < 1e-8
    assert ds["k"].attrs["units"] == "" or ds["k"].attrs["units"] == "N/m"
    assert ds["mass.mass"].attrs["units"] == "kg" and ds["mass.position"].attrs["units"] == "m"
    assert (ds["status"] == 0).all() and (ds["message"] == "").all()


def test_single_runs_give_the_same_bytes():
    """The engine one by one is mk.simulate: nothing may differ."""
    s = oscillator(damper=True)
    masses = [0.5, 1.5]
    ds = mk.sweep(
        s,
        {"mass.mass": masses, "formulation": ["joint", "absolute"]},
        keep="guide.displacement",
        engine="one by one",
        **RUN,
    )
    for mass in masses:
        for formulation in ("joint", "absolute"):
            run = mk.simulate(s.with_parameters({"mass.mass": mass}), 0.5, every=0.05, formulation=formulation)
            one = ds["guide.displacement"].sel({"mass.mass": mass, "formulation": formulation})
            assert one.values.tobytes() == run["guide.displacement"].values.tobytes()


def test_pendulums_of_all_amplitudes():
    """After a quarter of its period 4 √(l/g) K(sin² θ₀/2) a pendulum passes the lowest point: the angle there is the error,
    at most ten rtol times the amplitude. Values at the start vary together with g."""
    amplitude = np.radians([1.0, 45.0, 90.0, 150.0, 179.0])
    quarter = ellipk(np.sin(amplitude / 2) ** 2)  # for l/g = 1 s²
    g = -(quarter**2)  # so that every quarter takes one second
    vary = {("hinge.angle", "gravity.z"): zip(amplitude, g, strict=True)}
    ds = mk.sweep(pendulum(), vary, t_end=1.0, every=1.0, measure={"end": "hinge.angle[-1]"}, rtol=1e-10)
    assert ds["end"].dims == ("hinge.angle_gravity.z",)
    assert np.abs(ds["end"].values / amplitude).max() < 1e-9
    assert ds["hinge.angle"].values.tolist() == amplitude.tolist()


def test_speeds_at_the_start():
    """Energy: a pendulum that starts below with rate w rises by acos(1 − w²/2g)."""
    w = np.array([0.5, 1.0, 2.0])
    ds = mk.sweep(pendulum(), {"hinge.rate": w}, t_end=2.0, every=0.001, measure={"rise": "max(hinge.angle)"})
    assert np.abs(ds["rise"].values - np.arccos(1 - w**2 / (2 * 9.81))).max() < 1e-6  # a sample is at most 0.5 ms away


MEASURES = {
    "greatest": ("max(mass.position.x)", lambda t, x: x.max()),
    "least": ("min(mass.position.x)", lambda t, x: x.min()),
    "mean": ("mean(mass.position.x)", lambda t, x: x.mean()),
    "rms": ("rms(mass.position.x)", lambda t, x: np.sqrt(np.mean(x**2))),
    "integral": ("integral(mass.position.x)", lambda t, x: np.sum((x[1:] + x[:-1]) / 2 * np.diff(t))),
    "last": ("mass.position.x[-1]", lambda t, x: x[-1]),
    "first": ("mass.position.x[0]", lambda t, x: x[0]),
    "when": ("time_of_min(mass.position.x)", lambda t, x: t[x.argmin()]),
    "nested": ("max(abs(mass.position.x - mean(mass.position.x)))/2", lambda t, x: np.abs(x - x.mean()).max() / 2),
    "length": ("max(abs(mass.position))", lambda t, x: np.abs(x).max()),
    "pointwise": ("mean(max(mass.position.x, 0))", lambda t, x: np.maximum(x, 0).mean()),
    "of_a_number": ("max(k*mass.position.x)", lambda t, x: 400.0 * x.max()),
    "of_a_parameter": ("max(c*mass.position.x)", lambda t, x: 3.0 * x.max()),
}


def test_measures_are_those_of_the_samples():
    """Oracle: NumPy on the samples of one run. Only summation order may differ."""
    s = oscillator()
    s.parameter("c", 3.0)
    texts = {name: text for name, (text, _) in MEASURES.items()}
    ds = mk.sweep(s, {"k": [400.0, 500.0]}, measure=texts, engine="one by one", **RUN)
    run = mk.simulate(s, **RUN)
    for name, (_, compute) in MEASURES.items():
        assert ds[name].values[0] == pytest.approx(compute(run.t, run["mass.position.x"].values), rel=1e-13), name
    assert ds["greatest"].attrs["units"] == "m" and ds["when"].attrs["units"] == "s"
    assert "mass.position.x" not in ds


def test_parts_may_be_left_out():
    s = oscillator(damper=True)
    ds = mk.sweep(s, {"without": [None, "damper"]}, keep="mass.position.x", **RUN)
    t = ds["time"].values
    assert np.abs(ds["mass.position.x"].sel(without="damper") - 0.1 * np.cos(20 * t)).max() < 1e-8
    assert np.abs(ds["mass.position.x"].sel(without="")).values[-1] < 0.04  # exp(−2·0.5)·0.1


def test_failures_are_values():
    with pytest.warns(
        StudyWarning, match=r"1 of 3 runs failed. The commonest reason \(1 of them\): body 'mass': mass is -1"
    ):
        ds = mk.sweep(
            oscillator(),
            {"mass.mass": [1.0, -1.0, 2.0]},
            keep="mass.position.x",
            measure={"top": "max(mass.position.x)"},
            **RUN,
        )
    assert ds["status"].values.tolist() == [0, 4, 0] and "mass is -1" in ds["message"].values[1]
    assert np.isnan(ds["mass.position.x"].values[1]).all() and np.isnan(ds["top"].values[1])
    assert np.isfinite(ds["top"].values[[0, 2]]).all() and ds.attrs["runs_failed"] == 1


def test_every_run_fails():
    with pytest.warns(
        StudyWarning, match=r"All 3 runs failed. The commonest reason \(2 of them\): body 'mass': mass is -1"
    ):
        ds = mk.sweep(oscillator(), {("mass.mass", "k"): [(-2.0, 1), (-1.0, 1), (-1.0, 2)]}, **RUN)
    assert ds.attrs["runs_failed"] == 3


def test_a_run_that_breaks_off_keeps_its_samples():
    """x'' = 6x², x(0) = 1, x'(0) = 2 is 1/(1 − t)²: it has no state from t = 1 on. The samples before are there."""
    s = mk.System("blow up", gravity=(0, 0, 0))
    mass = s.body("mass", mass=1.0, inertia=(1, 1, 1), position=(1, 0, 0))
    s.slider("guide", s.ground, mass, at=(0, 0, 0), axis="x", rate=2.0)
    s.motor("law", "guide", force="6*mass.position.x**2")
    with pytest.warns(StudyWarning):
        ds = mk.sweep(
            s, {"mass.mass": [1.0]}, t_end=2.0, every=0.1, keep="mass.position.x", measure={"m": "max(mass.position.x)"}
        )
    x, t = ds["mass.position.x"].values[0], ds["time"].values
    assert np.abs(x[:9] * (1 - t[:9]) ** 2 - 1).max() < 1e-7 and np.isnan(x[11:]).all()
    assert (
        ds["status"].values[0] in (1, 2) and "stopped at t" in ds["message"].values[0] and np.isnan(ds["m"].values[0])
    )


def test_a_run_that_an_event_ends():
    """Samples behind the end do not exist: reductions are of those before, and the run is done."""
    ds = mk.sweep(oscillator(), {"k": [400.0]}, measure={"low": "min(mass.position.x)", "last": "mass.position.x[-1]"},
                  until="mass.position.x < 0.05", t_end=0.5, every=0.001)  # fmt: skip
    assert ds["status"].values[0] == 0
    assert ds["low"].values[0] == ds["last"].values[0] == pytest.approx(0.05, abs=1e-9)


def test_equilibria_and_eigenvalues():
    """A mass on a spring hangs at −m g/k; it swings with √(k/m)/2π."""
    s = mk.System("hanging", parameters={"k": 100.0})
    mass = s.body("mass", mass=1.0, inertia=(1, 1, 1))
    s.slider("guide", s.ground, mass, at=(0, 0, 0), axis="z")
    s.motor("spring", "guide", force="-k*guide.displacement")
    k = np.array([100.0, 400.0])
    rest = mk.sweep(
        s, {"k": k}, analysis="equilibrium", keep=["guide.displacement"], measure={"twice": "2*guide.displacement[-1]"}
    )
    assert np.abs(rest["guide.displacement"].values + 9.81 / k).max() < 1e-12
    assert np.abs(rest["twice"].values + 2 * 9.81 / k).max() < 1e-12
    modes = mk.sweep(s, {"k": k}, analysis="modes", at="equilibrium")
    assert np.abs(modes["frequency"].values[:, 0] - np.sqrt(k) / (2 * np.pi)).max() < 1e-10
    assert np.isnan(modes["frequency"].values[:, 1]).all() and (modes["count"] == 1).all()
    values = mk.sweep(s, {"k": k}, analysis="root_locus", at=mk.equilibrium)
    assert np.abs(values["imaginary"].values - np.sqrt(k)[:, None] * [1, -1]).max() < 1e-9
    assert np.abs(values["growth"].values).max() < 1e-9


BAD = [
    ({"kk": [1.0]}, "'kk' is no parameter, number or coordinate of 'oscillator'.*Did you mean 'k'"),
    ({"mass.mas": [1.0]}, "no number 'mas'.*Did you mean 'mass'"),
    ({"k": []}, "'k' has no values"),
    ({"k": [1.0, np.nan]}, "'k' has the value nan; finite numbers"),
    ({"k": [1.0, np.inf]}, "'k' has the value inf; finite numbers"),
    ({"k": 3.0}, "'k' is 3.0; a list of values is expected"),
    ({"mass.mass": ["1 m"]}, "'mass.mass' is '1 m'; a value in kg"),
    ({}, "nothing varies"),
    ({("k", "mass.mass"): [(1, 2), (3,)]}, "2 values in each row"),
    ({"k": [1.0], ("k", "mass.mass"): [(1, 2)]}, "'k' varies twice"),
    ({"without": ["dampr"]}, "there is no 'dampr'"),
]


@pytest.mark.parametrize("vary, message", BAD)
def test_bad_input_is_explained(vary, message):
    with pytest.raises(ModelError, match=message):
        mk.sweep(oscillator(damper=True), vary, **RUN)


@pytest.mark.parametrize("threads", [0, -1, 1.5, True])
def test_a_wrong_number_of_threads(threads):
    with pytest.raises(ModelError, match="threads: it is .*at least one"):
        mk.sweep(oscillator(), {"k": [1.0]}, threads=threads, **RUN)


def test_a_parameter_that_nothing_reads_is_named():
    """A parameter is a number in Python: a mass that was given by it does not follow it."""
    s = oscillator()
    s.parameter("spare", 1.0)
    with pytest.warns(StudyWarning, match="No result depends on 'spare'"):
        mk.sweep(s, {"spare": [1.0, 2.0], "k": [400.0, 900.0]}, **RUN)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mk.sweep(s, {"k": [400.0, 900.0]}, **RUN)
        mk.sweep(s, {"spare": [1.0, 1.0]}, **RUN)


@pytest.mark.parametrize("text, message", [
    ("max(mass.positon.x)", "Did you mean 'mass.position"), ("mass.position.x", r"Write max\(mass.position.x\)"),
    ("max(mass.position)", r"is a vector.*Write abs\(mass.position\)"), ("median(mass.position.x)", "no function 'median'"),
    ("mass.position.x[3]", r"\[0\] is the first sample"), ("__import__('os').getcwd()", "cannot be called"), ("max(", "not a formula"),
    ("max(x for x in mass)", "not allowed"), ("rms(mass.position.x, 2)", "one is expected"),
])  # fmt: skip
def test_bad_measures_are_explained(text, message):
    with pytest.raises(ExpressionError, match=message):
        mk.sweep(oscillator(), {"k": [1.0]}, measure={"a": text}, **RUN)


def test_a_missing_end():
    with pytest.raises(ModelError, match="t_end is missing"):
        mk.sweep(oscillator(), {"k": [1.0]})


def test_lanes_are_a_demand(tmp_path):
    """A model that does not fit is refused before anything runs or is written, whichever choice it is."""
    s = oscillator()
    s.limit("stop", "guide", upper=0.2)
    vary = {"without": ["stop", None], "k": [400.0, 500.0]}
    for explain in (False, True):
        with pytest.raises(
            ModelError, match="engine: it is 'lanes', and this model cannot run on them: there are contact laws"
        ):
            mk.sweep(s, vary, engine="lanes", to=tmp_path / "sweep.nc", explain=explain, **RUN)
    assert not list(tmp_path.iterdir())
    with pytest.raises(ModelError, match="contact laws"):
        mk.batch(s, parameters={"k": [1.0]}, engine="lanes", t_end=0.1)
    with pytest.raises(ModelError, match="lanes are for motions"):
        mk.sweep(s, vary, engine="lanes", analysis="equilibrium")
    with pytest.raises(ModelError, match="it is 'lane'.*Did you mean 'lanes'"):
        mk.sweep(s, vary, engine="lane", **RUN)
    ds = mk.sweep(s, {"without": ["stop"], "k": [400.0]}, engine="lanes", **RUN)
    assert ds.attrs["engine"] == "lanes" and (ds["status"] == 0).all()


def test_explain_counts_before_anything_runs():
    found = mk.sweep(
        oscillator(), {"k": np.linspace(1, 2, 40), "mass.mass": [1, 2, 3]}, keep="mass.position", explain=True, **RUN
    )
    assert found.runs == 120 and found.memory == 120 * (11 * 3 * 8 + 17) and found.engine and found.reason
    assert "40 k × 3 mass.mass" in str(found) and found.seconds > 0


def test_chunks_share_their_code_and_do_not_matter(monkeypatch):
    """Code is made once for each choice, whether it fits lanes or not."""
    made, first = [], LaneEngine.__init__
    monkeypatch.setattr(LaneEngine, "__init__", lambda self, *args: made.append(1) or first(self, *args))
    vary, found = {"without": [None, "damper"], "k": np.linspace(100, 900, 12)}, []
    for size in (2, 64):
        monkeypatch.setattr(conduct, "FIRST", size)
        found.append(mk.sweep(oscillator(damper=True), vary, engine="lanes", **RUN)["guide.displacement"].values)
    assert found[0].tobytes() == found[1].tobytes() and len(made) == 4
    monkeypatch.setattr(conduct, "FIRST", 1)
    ds = mk.sweep(oscillator(), {"k": np.linspace(100, 900, 3)}, method="implicit", **RUN)
    assert ds.attrs["engine"] == "one by one" and len(made) == 5


def test_threads_do_not_matter():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one, two = (mk.sweep(oscillator(), {"k": np.linspace(1, 900, 20)}, threads=n, **RUN) for n in (1, 2))
    assert one["guide.displacement"].values.tobytes() == two["guide.displacement"].values.tobytes()


def test_contact_laws_and_events_are_part_of_the_runs():
    """A ball dropped from h hits the floor at √(2h/g) with √(2gh), and leaves with e times that: its energy at the end
    shows the bounce. e varies."""
    s = mk.System("ball", parameters={"e0": 0.5})
    ball = s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 1.1))
    s.contact("floor", ball, (s.ground, mk.Plane()), restitution="$e0")
    t, e = np.sqrt(2 / 9.81), np.array([0.2, 0.5, 0.9])
    ds = mk.sweep(s, {"e0": e}, t_end=t + 0.05, measure={"v": "ball.velocity.z[-1]"})
    assert np.abs(ds["v"].values - (e * 9.81 * t - 9.81 * 0.05)).max() < 1e-9
