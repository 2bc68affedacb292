"""The estimated global error of a run against the true one: closed forms, or the same model at a tolerance near
round-off.

What is promised: never less than a tenth of the true error, and on regular motions not more than a thousand times it.
"""

from dataclasses import asdict

import numpy as np
import pytest
import systems

import mekane as mk
from mekane import gallery
from mekane.analyses.global_error import round_off_scale
from mekane.gallery import squeezer
from mekane.results.global_error import UNITS, GlobalError, differences, digits, motions, plain, sizes
from mekane.results.residuals import mechanism_size
from mekane.view.web.checks import checks

NEAR_ROUND_OFF = dict(method="auto", rtol=3e-14, atol=1e-17, step=None)


def double_pendulum():
    s = mk.System("driven double pendulum")
    s.body("upper", 1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.body("lower", 1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -1.5))
    s.pin("shoulder", s.ground, "upper", at=(0, 0, 0), axis="y")
    s.pin("elbow", "upper", "lower", at=(0, 0, -1), axis="y")
    s.motor("drive", "shoulder", torque="8*cos(2*t)")
    return s


def pendulum():
    s = mk.System("pendulum")
    s.body("arm", 2.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hip", s.ground, "arm", at=(0, 0, 0), axis="y", rate=3.0)
    return s


def true_error(run, truth):
    return {family: values.max() for family, values in differences(run, truth).items()}


def assert_promised(run, truth, unknown=1e-13, most=1000.0):
    """unknown: share of the motion by which the truth itself may be off: round-off and what has become of it."""
    true, size = true_error(run, truth), sizes(run)
    for family in UNITS:
        found, least = getattr(run.error, family), unknown * size[family]
        assert found >= 0.1 * (true[family] - least), (family, found, true[family])
        assert found <= most * (true[family] + least), (family, found, true[family])


# ---------------------------------------------------------------- the promise


SETTINGS = [
    dict(),
    dict(rtol=1e-6, atol=1e-9),
    dict(method="rk4", step=2e-3),
    dict(formulation="absolute"),
    dict(step=0.01, rtol=1e-3),
]


@pytest.mark.parametrize("keywords", SETTINGS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_on_mechanisms_by_chance(seed, keywords):
    s = systems.by_chance(seed)
    run, truth = mk.simulate(s, 0.5, **keywords), mk.simulate(s, 0.5, **NEAR_ROUND_OFF)
    assert_promised(run, truth, unknown=1e-11)


@pytest.mark.parametrize(
    "name", ["squeezer", "heavy_top", "gyroscope", "bricard", "cam", "trailer", "sphere_on_turntable"]
)
def test_on_the_gallery(name):
    mechanism = gallery.find(name)
    run = mechanism.run(method="auto", rtol=None, atol=None, step=None)
    assert_promised(run, mechanism.run(**NEAR_ROUND_OFF), unknown=1e-11)


def test_against_a_closed_form():
    """x = cos 2t: the error of the run itself, not of one more program."""
    s = mk.System("oscillator", gravity=(0, 0, 0))
    s.body("mass", 1.0, position=(1, 0, 0))
    s.slider("rail", s.ground, "mass", at=(0, 0, 0), axis="x")
    s.spring("spring", (s.ground, (-5, 0, 0)), ("mass", (0, 0, 0)), stiffness=4.0, length=5.0)
    run = mk.simulate(s, 20.0, rtol=1e-7, atol=1e-10)
    true = np.abs(run["mass.position.x"].values - np.cos(2 * run.t)).max()
    assert 0.1 * true < run.error.position < 1000 * true and true > 1e-9


@pytest.mark.parametrize("method, order, step", [("euler", 1, 1e-3), ("heun", 2, 1e-3), ("rk4", 4, 1e-2)])
def test_fixed_steps(method, order, step):
    run, truth = mk.simulate(pendulum(), 2.0, method=method, step=step), mk.simulate(pendulum(), 2.0, **NEAR_ROUND_OFF)
    assert_promised(run, truth, most=10)


def test_where_comparisons_bound_the_step():
    """A law that compares makes steps of equal length, whatever the tolerance: the repetition must not take the same
    ones."""
    s = pendulum()
    s.motor("stop", "hip", torque="-300*max(0, hip.angle - 0.4)")
    run, truth = mk.simulate(s, 3.0, rtol=1e-4, atol=1e-6), mk.simulate(s, 3.0, **NEAR_ROUND_OFF)
    assert_promised(run, truth, unknown=1e-9)


def test_a_first_sample_after_the_start():
    """Errors count from the start, not from the first sample."""
    keywords = dict(every=[4.0, 4.5, 5.0], rtol=1e-6, atol=1e-9)
    run, truth = (
        mk.simulate(double_pendulum(), 5.0, **keywords),
        mk.simulate(double_pendulum(), 5.0, **keywords | NEAR_ROUND_OFF),
    )
    assert_promised(run, truth, unknown=1e-9)


# ---------------------------------------------------------------- chaos


def test_chaos_is_not_called_trusted():
    """Off by 0.1 m after 20 s at default tolerance; the energy is balanced and the joints are closed nevertheless."""
    run = mk.simulate(double_pendulum(), 20.0)
    truth = mk.simulate(double_pendulum(), 20.0, rtol=1e-13, atol=1e-16)
    assert true_error(run, truth)["position"] > 0.01
    assert not run.health.ok and run.health.drift < 1e-6
    assert "No digits are right at the end" in str(run.health) or "About 1 digit is right" in str(run.health)
    assert 5 < run.error.until < 20
    before = run.t <= run.error.until
    assert differences(run, truth)["position"][before].max() < 1e-3 * sizes(run)["position"]
    assert mk.simulate(double_pendulum(), 2.0).health.ok


def test_growth_is_that_of_a_changed_start(monkeypatch):
    """Oracle: two runs near round-off whose starts differ by 1e-9; growth depends on the direction, hence the wide
    bounds."""
    mechanism = gallery.find("chaotic_plate")
    run, size = mechanism.run(), sizes(mechanism.run())
    monkeypatch.setattr("mekane.gallery.chaotic_plate.START", np.pi / 2 + 1e-9)
    other = mechanism.run()
    apart = differences(run, other)
    share = lambda k: max(apart[family][k] / size[family] for family in UNITS)
    assert 0.01 < run.error.growth / (share(-1) / share(0)) < 100
    assert run.health.ok and "small errors grew by" in str(run.health)


@pytest.mark.parametrize("formulation", ["absolute", "mixed", "bryan"])
def test_growth_does_not_depend_on_the_formulation(formulation):
    """Bryan angles change their sequence on the way, at different times in a run and in one that starts beside it."""
    one, other = (
        mk.simulate(systems.by_chance(19), 1.5, formulation=name).error.growth for name in ("joint", formulation)
    )
    assert 0.02 < one / other < 50  # directions are chosen at random in each


# ---------------------------------------------------------------- when it is made, kept and reported


def test_rest_has_all_digits():
    s = mk.System()
    s.body("arm", 2.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hip", s.ground, "arm", at=(0, 0, 0), axis="y")
    run = mk.simulate(s, 1.0)
    assert run.error.digits >= 6 and run.health.verdict == "This run can be trusted."


def test_it_is_kept_with_the_file(tmp_path):
    run = mk.simulate(double_pendulum(), 3.0)
    run.save(tmp_path / "before.nc")
    found = run.error
    run.save(tmp_path / "after.nc")
    before, after = mk.load(tmp_path / "before.nc"), mk.load(tmp_path / "after.nc")
    assert before.known_error is None
    for kept in (after.known_error, before.error):
        np.testing.assert_equal(asdict(kept), asdict(found))  # NaN where nothing is known
    assert before == after == run and str(after.health) == str(run.health)


def test_large_runs_are_not_repeated_unasked(monkeypatch):
    monkeypatch.setattr("mekane.analyses.global_error.MOST_WORK", 100)
    run = mk.simulate(pendulum(), 1.0)
    assert run.health.ok and not run.health.trusted
    assert run.health.verdict == "Nothing speaks against this run, but its error is not known."
    assert run.known_error is None and "not estimated: run.error does that" in str(run.health)
    assert run.error.digits > 5 and run.health.verdict == "This run can be trusted." and run.health.trusted


def test_a_run_whose_error_cannot_be_estimated_is_not_called_trusted(monkeypatch):
    """Its repetition is ended after as many evaluations as the run took: with tighter tolerances it needs more."""
    monkeypatch.setattr("mekane.analyses.global_error.MOST_EVALUATIONS", 1.0)
    run = mk.simulate(pendulum(), 1.0)
    monkeypatch.setattr("mekane.analyses.global_error.MOST_WORK", 0.0)
    assert not run.error.known and run.health.ok and not run.health.trusted
    assert run.health.verdict == "Nothing speaks against this run, but its error is not known."
    assert "could not be estimated: its repetition took too many steps. run.verify() shows" in str(run.health)
    assert run.verify().ok
    assert {"mark": "warning", "name": "digits that are right"}.items() <= checks(run, run.health)[-2].items()


@pytest.mark.parametrize("every", [[1.0], [0.5, 1.0], 0.5])
def test_motion_is_measured_from_the_start(every):
    """However few samples there are: of one sample at the end the way was zero, and an error of 1e-10 more than all of it. Oracle:
    the same run with many samples; a factor of ten, as other samples meet other errors."""
    few, many = (mk.simulate(pendulum(), 1.0, every=given) for given in (every, 0.01))
    assert few.health.trusted and few.error.relative < 10 * many.error.relative


def bouncing():
    """Turned back at every bottom of its swing: four events in a second and a half."""
    s = pendulum()
    s.event("turn", when="hip.angle > 0.4", set={"hip.angle.rate": "-0.9*hip.angle.rate"}, once=False)
    s.motor("push", "hip", torque="6")
    return s


def test_events_count_as_work(monkeypatch):
    """A repetition in which far more happens than in the run is given up, as one with far more evaluations is: each event is left
    to Python, which takes a thousand times as long. Here the run is given as one without events."""
    run = mk.simulate(bouncing(), 2.0)
    assert len(run.events) >= 3 and run.error.known
    monkeypatch.setattr("mekane.analyses.global_error.EVENT", 1e9)
    forgetful = type(run)(run.system, run.compiled, run.record, {**run.info, "events": []})
    assert forgetful.error.reason == "its repetition took too many steps"


def test_what_round_off_is_beside_leaves_out_inactive_joints():
    """The points of a joint that begins inactive may be anywhere: at 1e25 m, round-off of that size moved bodies by 1e11 m, and
    the estimate took a minute. Oracle: the extent of what is there, one length of the arm."""
    s = pendulum()
    s.body("load", 1.0, inertia=(0.1, 0.1, 0.1), position=(0.6, 0, -0.8))
    s.distance("hook", ("ground", (0.6, 0, 0)), ("load", (0, 0, 0)))
    s.ball("grip", "arm", "load", on_a=(0, 0, -0.5), on_b=(0, 0, 1e25), active=False)
    s.motor("brake", "hip", torque="-0.1*sign(t - 5)")
    run = mk.simulate(s, 0.1)
    assert mechanism_size(run) == pytest.approx(0.8) and round_off_scale(run)[: run.compiled.n_q].max() < 2.0
    assert run.error.known


def test_pages_are_shown_without_it():
    run = mk.simulate(pendulum(), 1.0)
    assert run.known_health.error is None and run.known_error is None


def test_a_run_that_stopped_is_judged_as_far_as_it_went():
    run = mk.simulate(pendulum(), 1.0)
    few = type(run.record)(*(part[:50] for part in run.record))
    stopped = type(run)(run.system, run.compiled, few, run.info | {"stopped": "stopped by the user at t = 0.245 s"})
    assert stopped.error.known and stopped.error.t == few.t[-1]


def test_a_repetition_that_takes_too_many_steps_is_given_up(monkeypatch):
    monkeypatch.setattr("mekane.analyses.global_error.MOST_EVALUATIONS", -1e9)
    run = mk.simulate(pendulum(), 1.0)
    assert not run.error.known and run.health.ok and "too many steps" in str(run.health)


def test_a_function_that_fails_when_called_again():
    """What cannot be repeated is reported; health does not fail."""
    s, once = pendulum(), [True]

    def torque(t, state):
        if not once:
            raise ValueError("only once")
        return float(np.round(0.1 * t))

    s.motor("drive", "hip", torque=torque)
    run = mk.simulate(s, 1.0)
    once.clear()
    assert not run.error.known and "only once" in str(run.error)


def test_a_run_that_turned_implicit():
    """Oracle: the same at rtol 1e-11; implicit steps of order 4 make errors of about the tolerance."""
    s = pendulum()
    s.torsional_damper("grease", "hip", damping=3e4)
    s.motor("drive", "hip", torque="5*sin(t)")
    run, truth = (mk.simulate(s, 5.0, rtol=rtol, atol=1e-3 * rtol) for rtol in (1e-6, 1e-11))
    assert run.info["method"] == "implicit" and run.info["given_method"] == "auto"
    assert_promised(run, truth, unknown=1e-10)


def test_without_samples_or_settings_there_is_no_estimate():
    run = mk.simulate(pendulum(), 1.0)
    assert "how it was computed" in type(run)(run.system, run.compiled, run.record, {}).error.reason
    none = type(run.record)(*(part[:0] for part in run.record))
    assert "no samples" in type(run)(run.system, run.compiled, none, run.info).error.reason


def test_words():
    assert [digits(share) for share in (0.5, 0.09, 2e-7, 0.0)] == [0, 1, 6, 15]
    assert [plain(factor) for factor in (2.4, 37.0, 412.0, 1.3e6)] == ["2", "40", "400", "1e6"]
    assert GlobalError.from_dict(GlobalError(reason="so").to_dict()).reason == "so"
    assert str(GlobalError(reason="it has no samples")) == "The global error could not be estimated: it has no samples."


# ---------------------------------------------------------------- laws of the state that long steps pass over


def bump(t, state):
    """Needs a number, so that it is called."""
    away = abs(float(state["rail.displacement"]) - 0.5)
    return 100.0 * (1.0 - away / 1e-3) if away < 1e-3 else 0.0


NARROW = {  # work of 0.1 J within a few thousandths of the way
    "table": {"table": [[-1, 0], [0.499, 0], [0.5, 100], [0.501, 0], [3, 0]], "of": "rail.displacement"},
    "Gauss": "100/sqrt(pi)*exp(-(1e3*(rail.displacement - 0.5))**2)",
    "function": bump,
}


def bumpy(law):
    """One kilogram at 1 m/s, and a law of where it is."""
    s = mk.System("bump", gravity=(0, 0, 0))
    body = s.body("b", 1.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, body, on_a=(0, 0, 0), on_b=(0, 0, 0), axis="x", rate=1.0)
    s.motor("push", "rail", force=law)
    return s


@pytest.mark.parametrize("law", NARROW)
def test_a_narrow_law_of_the_state_is_not_passed_over_in_silence(law):
    """One kilogram at 1 m/s: steps of 0.2 s, for nothing else happens. Oracle: v² = 1 + 2 · 0.1, the work done on it.
    With short steps it is right, to 1e-7 through slope discontinuities at rtol 1e-9, and trusted."""
    s = bumpy(NARROW[law])
    run, careful = mk.simulate(s, 1.0), mk.simulate(s, 1.0, step=1e-3)
    assert careful.health.ok
    assert careful["rail.displacement.rate"].values[-1] == pytest.approx(np.sqrt(1.2), abs=1e-7)
    assert not run.health.ok or run["rail.displacement.rate"].values[-1] == pytest.approx(np.sqrt(1.2), abs=1e-7)


def narrow_square(t, state):
    """1e-4 wide; needs a number, so that it is called."""
    return 1000.0 if abs(float(state["rail.displacement"]) - 0.51371) < 5e-5 else 0.0


NARROWER = {  # the same work within so little that neither the run nor 1000 steps would meet it
    "table": {"table": [[-1, 0], [0.51370, 0], [0.51371, 1e4], [0.51372, 0], [3, 0]], "of": "rail.displacement"},
    "Gauss": "1e6/sqrt(pi)*exp(-(1e7*(rail.displacement - 0.5137))**2)",
    "two steps": "1e4*(tanh(1e7*(rail.displacement - 0.5137)) - tanh(1e7*(rail.displacement - 0.513705)))",
    "function": narrow_square,
}


@pytest.mark.parametrize("formulation, method", [("joint", "auto"), ("absolute", "auto"), ("joint", "implicit")])
@pytest.mark.parametrize("law", NARROWER)
def test_no_law_is_narrow_enough_to_be_passed_over_in_silence(law, formulation, method):
    """Oracle: v² = 1 + 2 · 0.1 again. The run passes over it, and its estimated error is that of the oracle to a factor of 3;
    the health names law and time."""
    s = bumpy(NARROWER[law])
    run = mk.simulate(s, 1.0, formulation=formulation, method=method)
    wrong = abs(run["rail.displacement.rate"].values[-1] - np.sqrt(1.2))
    assert wrong > 0.09 and not run.health.ok
    assert wrong <= run.error.velocity <= 3.0 * wrong
    assert "passed over the law of 'push' between t = 0.513" in str(run.health)


def very_narrow_square(t, state):
    """1e-6 wide, 0.1 J; its `if` is traced."""
    return 1e5 if abs(state["rail.displacement"] - 0.51371) < 5e-7 else 0.0


@pytest.mark.parametrize("code", ["loops", "specialised"])
@pytest.mark.parametrize("formulation, method", [("joint", "auto"), ("absolute", "auto"), ("joint", "implicit")])
def test_a_python_function_that_compares_is_met(formulation, method, code):
    """Its borders are located as those of any law; called at numbers alone, such a function was missed by the run and by its
    repetition, and the run was trusted. Oracle: v² = 1 + 2 · 0.1; borders are rounded to 1e-16 of 1e-6, so to 1e-9."""
    run = mk.simulate(bumpy(very_narrow_square), 1.0, formulation=formulation, method=method, code=code)
    assert run.health.trusted
    assert run["rail.displacement.rate"].values[-1] == pytest.approx(np.sqrt(1.2), abs=1e-8)


def test_laws_that_are_not_looked_through_are_not_trusted(monkeypatch):
    """A bump late in a run, where looking so far would take too long. Oracle: v² = 1 + 2 · 0.1, which the run misses."""
    monkeypatch.setattr("mekane.expressions.narrow_laws.MOST_WORK", 1e4)
    monkeypatch.setattr("mekane.expressions.narrow_laws.PER_EVALUATION", 0.0)
    run = mk.simulate(bumpy(NARROWER["Gauss"]), 1.0)
    assert abs(run["rail.displacement.rate"].values[-1] - np.sqrt(1.2)) > 0.09
    assert not run.health.trusted and "could not all be looked through" in str(run.health)


def test_looking_may_take_as_long_as_the_motion_makes_fitting(monkeypatch):
    """500 swings; the law's bump is there in the last two only. Looking so far takes some 1e6 instructions, 3 times those of the
    run itself."""
    monkeypatch.setattr("mekane.expressions.narrow_laws.MOST_WORK", 1e4)
    s = mk.System("swings", gravity=(0, 0, 0))
    s.slider("rail", s.ground, s.body("b", 1.0, inertia=(1, 1, 1)), axis="x", rate=100.0)
    bump = "(1e9 if t > 29.9 else 0)*exp(-((rail.displacement - 0.5137)/1e-8)**2)"
    s.motor("spring", "rail", force=f"-1e4*rail.displacement - {bump}")
    run = mk.simulate(s, 30.0)
    assert not run.health.trusted and "passed over the law of 'spring' between t = 29.9" in str(run.health)


def test_narrow_laws_one_after_the_other():
    """Ten bumps of 1e-6 m, each of 0.01 J: the first changes when the next are met. A run with steps of 1e-7 s would take ten
    million; v² = 1 + 2 · 0.1 by the work."""
    bumps = "+".join(f"exp(-(1e6*(rail.displacement - {0.1 * k + 0.0537}))**2)" for k in range(10))
    run = mk.simulate(bumpy(f"1e4/sqrt(pi)*({bumps})"), 1.0)
    assert run.error.velocity == pytest.approx(2.0 * (np.sqrt(1.2) - 1.0), rel=1e-6)
    assert "and 9 more times" in run.error.narrow


PAIR = "0.5*(tanh(20*(rail.displacement - 0.5137 + {0})/{0}) - tanh(20*(rail.displacement - 0.5137 - {0})/{0}))"
DIFFERENCES = {  # 1 for 2 w of the way, made of steps that are seen at samples, and whose difference is not
    "tanh": PAIR,
    "floor": "floor(rail.displacement + 0.4863 + {0}) - floor(rail.displacement + 0.4863 - {0})",
}


@pytest.mark.parametrize("width", [1e-4, 1e-7, 1e-9])
@pytest.mark.parametrize("law", DIFFERENCES)
def test_a_difference_of_steps_is_not_passed_over_in_silence(law, width):
    """Oracle: v² = 1 + 2 · 0.3. Each step is narrow by itself, and hides nothing; beside it their difference was not looked
    at any more, and where that is 0 all around, round-off of it counted."""
    run = mk.simulate(bumpy(f"{0.3 / (2 * width)}*({DIFFERENCES[law].format(width)})"), 1.0)
    wrong = abs(run["rail.displacement.rate"].values[-1] - np.sqrt(1.6))
    assert not run.health.trusted or wrong < 10.0 * run.error.velocity


def test_two_narrow_laws_within_a_sample():
    """Two bumps of 1e-8 m and 0.1 J each, 4e-4 m apart: steps across both at once would miss them. Oracle: v² = 1 + 2 · 0.2."""
    bumps = " + ".join(f"exp(-(1e8*(rail.displacement - {place}))**2)" for place in (0.5133, 0.5137))
    run = mk.simulate(bumpy(f"1e7/sqrt(pi)*({bumps})"), 1.0)
    wrong = abs(run["rail.displacement.rate"].values[-1] - np.sqrt(1.4))
    assert wrong <= run.error.velocity <= 3.0 * wrong


def test_events_whose_condition_is_narrow():
    """The condition holds for 2e-9 s at t = 0.5137: the event is met by the run, or the run is not trusted."""
    s = mk.System("gate", gravity=(0, 0, 0))
    body = s.body("b", 1.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, body, on_a=(0, 0, 0), on_b=(0, 0, 0), axis="x", rate=1.0)
    s.event("gate", when="exp(-(1e9*(rail.displacement - 0.5137))**2) > 0.5", impulse={"b": (1.0, 0, 0)})
    run = mk.simulate(s, 1.0)
    assert len(run.info["events"]) == 1 or not run.health.trusted


def test_where_round_off_allows_no_tighter_repetition():
    """A cart of 1e-6 kg under a bob of 1 kg: at a hundredth of the tolerance round-off sets the steps, so a repetition at a fifth
    of it has to do. Truth: joint coordinates near round-off."""
    s = mk.System("light cart")
    s.body("cart", 1e-6, inertia=(1e-6, 1e-6, 1e-6))
    s.body("bob", 1.0, inertia=(0.01, 0.01, 0.01), position=(0.6, 0, -0.8))
    s.slider("rail", s.ground, "cart", axis="x")
    s.pin("hinge", "cart", "bob", at=(0, 0, 0), axis="y")
    run, truth = mk.simulate(s, 2.0, formulation="absolute"), mk.simulate(s, 2.0, rtol=1e-13, atol=1e-15)
    assert run.health.trusted
    assert_promised(run, truth, unknown=1e-11)


def test_motions_of_all_bodies_are_those_of_each():
    """Places, axes and velocities that runs are compared by. Oracle: the channels of each body; round-off."""
    s = squeezer.system()
    s.body("satellite", mass=2, inertia=(1, 2, 2.5), com=(0.1, -0.2, 0.3), position=(1, 2, 3), orientation=("x", 0.4),
           velocity=(0.1, 0.2, 0.3), angular_velocity=(3, 2, 1))  # fmt: skip
    run = mk.simulate(s, 0.01, every=0.001)
    origin, centre, R, v, v_centre, w = motions(run, len(run.t))
    for k, (name, body) in enumerate(s.bodies.items()):
        kinematics, to_centre = run.kinematics, centre[:, k] - origin[:, k]
        np.testing.assert_allclose(origin[:, k], run[f"{name}.position"].values, rtol=0, atol=1e-15)
        np.testing.assert_allclose(v[:, k], run[f"{name}.velocity"].values, rtol=1e-14, atol=1e-13)
        np.testing.assert_allclose(w[:, k], run[f"{name}.angular_velocity"].values, rtol=1e-14, atol=1e-13)
        np.testing.assert_allclose(R[:, k] @ body.com, to_centre, rtol=0, atol=1e-15)
        np.testing.assert_allclose(R[:, k], kinematics.R(name), rtol=0, atol=1e-15)
        np.testing.assert_allclose(v_centre[:, k] - v[:, k], np.cross(w[:, k], to_centre), rtol=1e-14, atol=1e-13)
