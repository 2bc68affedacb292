"""Laws that are discontinuous where the motion stands: round-off decides, or the law chatters. Neither may be trusted.

The oracle is the other code, method and formulation: runs that say they can be trusted agree to CLOSE, a thousand times
the tolerance of a step.
"""

import itertools
from unittest.mock import patch

import numpy as np
import pytest

import mekane as mk
from mekane.solvers import chatter, solver
from mekane.solvers.chatter import MANY, what_chatters
from mekane.solvers.specialised import hand_over
from mekane.solvers.state import N_COUNTERS

CODES = {"loops": "loops", "hand-over": "auto", "specialised": "specialised"}
CLOSE = 1e-6
BALL = dict(mass=1.0, inertia=(0.1, 0.1, 0.1))


def held_pendulum(law):
    """A pendulum that leans by 0.3 rad, and a torque that balances its weight there but for rounding."""
    s, lean = mk.System("held pendulum"), 0.3
    bob = s.body("bob", **BALL, position=(0.5 * float(np.sin(lean)), 0, 0.5 * float(np.cos(lean))))
    s.pin("a", s.ground, bob, at=(0, 0, 0), axis="y")
    s.motor("relay", "a", torque=law)
    s.motor("hold", "a", torque=f"-9.81*0.5*sin({lean} + a.angle)")
    return s


def twins(law):
    """Two equal pendulums at two places: their angles are equal but for rounding."""
    s = mk.System("twins")
    for k, x in enumerate((0, 2)):
        bob = s.body(f"bob{k}", **BALL, position=(x + 0.3, 0, -0.4))
        s.pin(f"a{k}", s.ground, bob, at=(x, 0, 0), axis="y")
    s.motor("relay", "a0", torque=law)
    return s


def parallelogram(law):
    """Two equal cranks and a coupler that only translates: its rotation is zero but for rounding."""
    s = mk.System("parallelogram")
    left, right = (s.body(name, **BALL, position=(x, 0, 0.5)) for name, x in (("left", 0.1), ("right", 1.1)))
    coupler = s.body("coupler", **BALL, position=(0.7, 0, 1))
    s.pin("p", s.ground, left, at=(0, 0, 0), axis="y")
    s.pin("q", s.ground, right, at=(1, 0, 0), axis="y")
    s.pin("u", left, coupler, at=(0.2, 0, 1), axis="y")
    s.pin("w", right, coupler, at=(1.2, 0, 1), axis="y")
    s.motor("relay", "p", torque=law)
    return s


def slider(law):
    s = mk.System("slider")
    s.slider("r", s.ground, s.body("block", **BALL), axis="x")
    s.motor("drive", "r", force=law)
    return s


CASES = {
    "relay": (held_pendulum, "0.5*sign(a.angle)"),
    "one side": (held_pendulum, "0.5 if a.angle > 0 else -0.5"),
    "equal angles": (twins, "0.5*sign(a0.angle - a1.angle)"),
    "equal rates": (twins, "0.5 if a0.angle.rate > a1.angle.rate else 0"),
    "coupler": (parallelogram, "0.5*sign(coupler.angular_velocity.y)"),
}


def runs(system, t_end=0.4):
    for code, formulation, method in itertools.product(CODES, ("joint", "absolute"), ("auto", "implicit")):
        with patch.object(solver, "FIRST", 10), patch.object(hand_over, "WORTH", -1.0):
            yield mk.simulate(
                system, t_end, every=t_end / 8, code=CODES[code], formulation=formulation, method=method,
                progress=stop_after(10),
            )  # fmt: skip


def stop_after(reports):
    """Chatter may take long: stop as Ctrl-C would. What was stopped is not trusted."""
    left = iter(range(reports))

    def stop(t, share):
        if next(left, None) is None:
            raise KeyboardInterrupt

    return stop


@pytest.mark.parametrize("name", CASES)
def test_what_round_off_decides_is_not_trusted(name):
    make, law = CASES[name]
    system = make(law)
    trusted = [run for run in runs(system) if run.health.ok]
    for one, other in itertools.pairwise(trusted):
        for body in system.bodies:
            what = f"{body}.position"
            np.testing.assert_allclose(one.numbers(what), other.numbers(what), rtol=0, atol=CLOSE)


def test_health_says_that_round_off_decides():
    """Joint and absolute coordinates fall to opposite sides, each exact to ten digits for itself."""
    run = mk.simulate(held_pendulum("0.5*sign(a.angle)"), 1.0)
    assert not run.health.ok and "round-off decides" in run.health.verdict
    assert run.error.round_off > 0 and run.error.until == 0.0


def test_a_switch_that_is_crossed_is_trusted():
    """The same law with its discontinuity elsewhere: x = 0.25 t² passes 0.01 m and changes sides once."""
    run = mk.simulate(slider("0.5 if r.displacement < 0.01 else -0.1"), 0.5)
    assert run.health.ok and np.isnan(run.error.round_off) and not run.info["chatter"]


def test_chatter_is_named_with_a_remedy():
    """Dry friction that exceeds the drive keeps the block at rest; sign(v) changes in every step."""
    run = mk.simulate(slider("0.2 - 0.5*sign(r.displacement.rate)"), 1.0)
    assert run.info["chatter"]["drive"] > MANY
    assert "law of 'drive' chatters" in str(run.health) and "tanh" in str(run.health)
    assert not run.known_error or run.known_error.known or not run.health.ok


@pytest.mark.parametrize(
    "law, start, rests",
    [
        ("-20*X - (1 if V > 0 else (-1 if V < 0 else 0))", 0.2, 0.0),  # 0.2 → −0.1 → 0, where friction holds it
        ("0.2 - 0.5*sign(V) if V > 0 or V < 0 or t > 0 else 0", 0.0, 0.0),
    ],
)
def test_chatter_has_an_estimate(law, start, rests):
    """Closed form: it comes to rest. How long comparisons are left alone while they chatter is a share of the largest step, so
    the repetition may not make that small."""
    law = law.replace("X", f"(r.displacement + {start})").replace("V", "r.displacement.rate")
    run = mk.simulate(slider(law), 2.0)
    off = abs(float(run["r.displacement"][-1]) + start - rests)
    assert run.error.known and run.error.position >= 0.1 * off


def test_chatter_of_unknown_error_is_not_trusted():
    run = mk.simulate(slider("0.2 - 0.5*sign(r.displacement.rate)"), 1.0)
    assert run.known_error is None and not run.known_health.ok
    assert "chatters, and its error is not known" in run.known_health.verdict


def test_switches_are_counted_for_the_law_that_compares():
    """From 1 m, pushed back by 1 N from both sides: it passes at √2, 3√2, 5√2 … s, seven times in 20 s."""
    s = slider("-sign(r.displacement + 1)")
    s.motor("smooth", "r", force="0*t")
    stepper = mk.stepper(s)
    stepper.step(20.0)
    assert set(stepper.counters[N_COUNTERS:].tolist()) == {7}
    with patch.multiple(chatter, MANY=6, SHARE=0.0):
        assert what_chatters(stepper) == {"drive": 7}
    assert what_chatters(stepper) == {}
