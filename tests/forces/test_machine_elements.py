"""Drives with a limit, and elastic shafts.

Oracles: piecewise closed forms, computed here by hand or with the matrix exponential. Tolerances: ten to a hundred
times rtol = 1e-10, which the instants of saturation have to meet, too.
"""

import numpy as np
import pytest
from scipy.linalg import expm

import mekane as mk
from mekane.errors import ModelError
from mekane.formulations import NAMES as FORMULATIONS
from mekane.importers.yaml import dumps, load
from mekane.model.values.values import Value

M = 2.0
PRECISE = dict(rtol=1e-10, atol=1e-13)


def cart():
    s = mk.System("cart", gravity=(0, 0, 0))
    s.body("cart", mass=M, inertia=(1, 1, 1))
    s.slider("rail", s.ground, "cart", axis="x")
    return s


# ---------------------------------------------------------------- limits


@pytest.mark.parametrize("sign", [1, -1])
def test_a_motor_gives_no_more_than_its_limit(sign):
    """F = 10 t until it is 4, at t = 0.4."""
    s = cart()
    s.motor("drive", "rail", force=f"{sign}*10*t", limit="4 N")
    run = mk.simulate(s, 1.0, every=0.05, **PRECISE)
    late = np.maximum(run.t - 0.4, 0)
    early = np.minimum(run.t, 0.4)
    x = 10 * early**3 / 6 / M + 10 * 0.4**2 / 2 / M * late + 4 * late**2 / 2 / M
    assert run["rail.displacement"].values == pytest.approx(sign * x, abs=1e-12)
    assert run["drive.force"].values == pytest.approx(sign * np.minimum(10 * run.t, 4), abs=1e-12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_saturated_pd_drive(formulation):
    """Full force until kp (1 − x) − kd v = limit, then a linear oscillator that stays below the limit."""
    kp, kd, limit = 50.0, 14.0, 20.0
    s = cart()
    s.pd("drive", "rail", target=1.0, stiffness=kp, damping=kd, limit=limit)
    run = mk.simulate(s, 2.0, every=0.05, formulation=formulation, **PRECISE)
    a = limit / M
    leaving = max(np.roots([-kp * a / 2, -kd * a, kp - limit]))
    A = np.array([[0, 1], [-kp / M, -kd / M]])
    start = np.array([a * leaving**2 / 2 - 1, a * leaving])
    x = [a * t**2 / 2 if t <= leaving else 1 + (expm(A * (t - leaving)) @ start)[0] for t in run.t]
    assert run["rail.displacement"].values == pytest.approx(np.array(x), abs=1e-9)
    assert np.abs(run["drive.force"]).max() <= limit


def held_pid(position, **more):
    """A PID drive on a coordinate whose motion is given: its integral is all that moves by itself."""
    s = cart()
    s.prescribed("hand", "rail", position)
    s.pid("drive", "rail", target=1.0, stiffness=10.0, integral=5.0, limit=12.0, **more)
    return s


def test_the_integral_does_not_wind_up():
    """wanted = 10 + 5 z reaches 12 at t = 0.4; from there z' = 1 − (5 z − 2) / 0.12."""
    run = mk.simulate(held_pid("0"), 1.0, every=0.02, **PRECISE)
    z = np.where(run.t < 0.4, run.t, 0.424 - 0.024 * np.exp(-5 / 0.12 * np.maximum(run.t - 0.4, 0)))
    assert run["drive.integral"].values == pytest.approx(z, abs=1e-9)
    assert run["drive.force"].values == pytest.approx(np.minimum(10 + 5 * run.t, 12), abs=1e-9)


def test_the_integral_goes_on_when_the_error_changes_sign():
    """wanted = 10 (1 − q) + 5 z, limit 12: well beyond it the integral stands still, but only where it would grow."""
    force = held_pid("0").forces["drive"].resolve(Value.expr)
    for sign in (1, -1):
        q = lambda error, sign=sign: 1 - sign * error
        assert force.integrand(q(1.0), 0.0, sign * 0.3) == sign  # below the limit
        assert force.integrand(q(1.0), 0.0, sign * 0.5) == 0.0
        assert force.integrand(q(-0.5), 0.0, sign * 4.0) == sign * -0.5  # at the limit, but less is wanted
        assert force.law(q(-0.5), 0.0, sign * 4.0) == sign * 12.0


def test_below_its_limit_a_drive_is_the_one_without():
    one, other = cart(), cart()
    one.pid("drive", "rail", 1.0, 50.0, 20.0, 14.0)
    other.pid("drive", "rail", 1.0, 50.0, 20.0, 14.0, limit=1e3)
    first, second = (mk.simulate(s, 2.0, every=0.1, **PRECISE) for s in (one, other))
    assert first["rail.displacement"].values == pytest.approx(second["rail.displacement"].values, abs=1e-9)


@pytest.mark.parametrize(("limit", "problem"), [(-1, "limit is -1"), (0, "limit is 0"), ("3 kg", "limit")])
def test_impossible_limits_are_refused(limit, problem):
    with pytest.raises(ModelError, match=problem):
        cart().motor("drive", "rail", force=1, limit=limit)


# ---------------------------------------------------------------- shafts

J1, J2, K, RATIO = 0.3, 2.0, 40.0, -2.5


def two_inertias(damping=0.0, ratio=RATIO, rate=1.0, **more):
    s = mk.System("drive train", gravity=(0, 0, 0))
    s.body("motor", mass=1, inertia=(J1, J1, J1))
    s.body("hub", mass=1, inertia=(J2, J2, J2), position=(1, 0, 0))
    s.pin("shaft", s.ground, "motor", at=(0, 0, 0), axis="z", rate=rate)
    s.pin("axle", s.ground, "hub", at=(1, 0, 0), axis="z")
    s.shaft("belt", "shaft", "axle", stiffness=K, damping=damping, ratio=ratio, **more)
    return s


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_two_inertias_on_an_elastic_shaft(formulation):
    """w = q1 − n q2 swings with w² = K (1/J1 + n²/J2); n J1 u1 + J2 u2 stays; F_b = −n F_a."""
    run = mk.simulate(two_inertias(), 3.0, every=0.05, formulation=formulation, **PRECISE)
    frequency = np.sqrt(K * (1 / J1 + RATIO**2 / J2))
    w = np.sin(frequency * run.t) / frequency
    q1, q2 = run["shaft.angle"].values, run["axle.angle"].values
    assert q1 - RATIO * q2 == pytest.approx(w, abs=1e-8)
    assert RATIO * J1 * q1 + J2 * q2 == pytest.approx(RATIO * J1 * run.t, abs=1e-8)
    assert run["belt.torque"].values == pytest.approx(-K * w, abs=4e-7)
    assert run["belt.torque on b"].values == pytest.approx(RATIO * K * w, abs=1e-6)
    assert run["belt.energy"].values == pytest.approx(K * w**2 / 2, abs=1e-8)
    assert run["belt.torque"].units == "N m"


def test_damping_takes_the_energy_that_is_counted():
    """The twist decays as a damped oscillator; T + V falls by just the work counted."""
    c = 0.4
    run = mk.simulate(two_inertias(damping=c), 3.0, every=0.05, **PRECISE)
    mobility = 1 / J1 + RATIO**2 / J2
    decay = c * mobility / 2
    frequency = np.sqrt(K * mobility - decay**2)
    w = np.exp(-decay * run.t) * np.sin(frequency * run.t) / frequency
    assert (run["shaft.angle"] - RATIO * run["axle.angle"]).values == pytest.approx(w, abs=1e-9)
    energy = run.energy
    assert np.ptp(energy["balance"].values) < 1e-9
    assert (np.diff(run["belt.work"].values) <= 0).all() and run["belt.work"].values[-1] < -0.05


def test_linearization_equilibrium_and_symbols():
    s = two_inertias(rate=0.0)
    assert max(abs(mk.linearize(s).eigenvalues)) == pytest.approx(np.sqrt(K * (1 / J1 + RATIO**2 / J2)), rel=1e-9)
    s.motor("load", "axle", torque=3.0)
    s.torsional_spring("hold", "shaft", stiffness=10.0)
    found = mk.equilibrium(s)
    F = 3 / RATIO  # F_a, from 3 − n F_a = 0; then −10 q1 + F_a = 0 and F_a = −K w
    assert found["shaft.angle"] == pytest.approx(F / 10, rel=1e-9)
    assert found["shaft.angle"] - RATIO * found["axle.angle"] == pytest.approx(-F / K, rel=1e-9)
    assert "k_belt" in str(mk.equations(s))


def test_the_ratio_may_change():
    """A ratio that jumps while the shaft is without torque: the work counted makes up the energy, whatever it does."""
    s = two_inertias(ratio="2 + t")
    run = mk.simulate(s, 1.0, every=0.05, **PRECISE)
    q1, q2 = run["shaft.angle"].values, run["axle.angle"].values
    assert run["belt.torque"].values == pytest.approx(-K * (q1 - (2 + run.t) * q2), abs=1e-12)
    assert "belt.energy" not in run and np.ptp(run.energy["balance"].values) < 1e-9


def test_a_rack_on_a_pinion():
    """An angle and a displacement: w = x − r θ is a length, and the stiffness one of forces."""
    r, J = 0.05, 1e-3
    s = cart()
    s.body("pinion", mass=1, inertia=(J, J, J), position=(0, 1, 0))
    s.pin("axle", s.ground, "pinion", at=(0, 1, 0), axis="z", rate=4.0)
    s.shaft("rack", "rail", "axle", stiffness="9 kN/m", ratio=r)
    run = mk.simulate(s, 0.2, every=0.01, **PRECISE)
    frequency = np.sqrt(9000 * (1 / M + r**2 / J))
    w = (run["rail.displacement"] - r * run["axle.angle"]).values
    assert w == pytest.approx(-r * 4 / frequency * np.sin(frequency * run.t), abs=1e-10)
    assert run["rack.force"].units == "N" and run["rack.torque on b"].units == "N m"


def test_files_reports_and_pictures_know_it(tmp_path):
    s = two_inertias(damping=0.1, twist="5 deg")
    again = load(dumps(s))
    assert again.forces["belt"] == s.forces["belt"]
    run = mk.simulate(s, 0.1)
    run.save(tmp_path / "run.txt")
    assert "shaft.angle - axle.angle" in (tmp_path / "run.txt").read_text()
    from mekane.view.scene.scene import scene

    assert len(scene(s).forces[0].ends) == 2
    with pytest.raises(ModelError, match="belt"):
        s.remove("axle")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"a": "axle"}, "both ends are axle.angle"),
        ({"ratio": 0}, "ratio is 0"),
        ({"stiffness": -1}, "stiffness is -1"),
        ({"stiffness": 0}, "it does nothing"),
        ({"b": "nobody"}, "nobody"),
    ],
)
def test_what_makes_no_sense_is_refused(change, problem):
    s = two_inertias()
    with pytest.raises(ModelError, match=problem):
        s.shaft("again", **{"a": "shaft", "b": "axle", "stiffness": 1.0, **change})


def test_an_actuator_follows_its_rate():
    """A filter of an oscillation: ȧ = (sin ωt − a)/τ from zero has a = (sin ωt − ωτ cos ωt + ωτ e^(−t/τ))/(1 + ω²τ²). The limit
    cuts off its force, not its state."""
    w, tau = 3.0, 0.2
    s = mk.System("filter", gravity=(0, 0, 0))
    s.body("block", mass=2.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, "block", axis="x")
    s.actuator("valve", "rail", force="10*a", rate=f"(sin({w}*t) - a)/{tau}", limit=5)
    run = mk.simulate(s, 2.0, every=0.05, **PRECISE)
    t = run.t
    a = (np.sin(w * t) - w * tau * np.cos(w * t) + w * tau * np.exp(-t / tau)) / (1 + (w * tau) ** 2)
    assert np.abs(run["valve.integral"].values - a).max() < 1e-10
    assert np.abs(run["valve.force"].values - np.clip(10 * a, -5, 5)).max() < 1e-9
