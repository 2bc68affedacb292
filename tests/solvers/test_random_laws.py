"""Python functions that do not give the same value for the same time and state, and runs that must still be heard."""

import signal
import subprocess
import sys

import numpy as np
import pytest

import mekane as mk

RANDOM = np.random.default_rng(1)


def on_a_rail(force):
    s = mk.System("rail", gravity=(0, 0, 0))
    s.slider("rail", s.ground, s.body("b", 1.0, inertia=(1, 1, 1)), axis="x")
    s.motor("drive", "rail", force=force)
    return s


def counting():
    calls = []

    def force(t, state):
        calls.append(t)
        return float(len(calls))

    return force


def late():
    """Random only after a while."""
    return lambda t, state: (
        RANDOM.normal() if float(t) > 0.3 else 0.1 * float(np.tanh(float(state["rail.displacement"])))
    )


@pytest.mark.parametrize("method", ["auto", "implicit", "rk4"])
@pytest.mark.parametrize("law", [lambda: lambda t, state: RANDOM.normal() + 0 * float(t), counting, late])
def test_random_laws_are_refused(law, method):
    with pytest.raises(
        mk.ModelError, match=r"motor 'drive': its Python function gave .* for the same state.*table of t"
    ):
        mk.simulate(on_a_rail(law()), 1.0, method=method, **(dict(step=1e-3) if method == "rk4" else {}))


def test_laws_without_a_value_are_not_called_random():
    """Not-a-number is not equal to itself, and no change of mind."""
    with pytest.raises(mk.MekaneError) as refused:
        mk.simulate(on_a_rail(lambda t, state: float("nan") * float(t)), 1.0)
    assert "gave" not in str(refused.value)


INTERRUPTED = """
import os, signal, threading
import mekane as mk
from test_random_laws import on_a_rail
seen = []
def force(t, state):
    seen.append(t)
    if len(seen) == 2000:
        threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT)).start()
    return 1.0 if float(t) * 1e4 % 2 < 1 else -1.0
run = mk.simulate(on_a_rail(force), 1e5)
assert "stopped by the user" in run.info["stopped"], run.info
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
"""


def test_an_interrupt_is_heard_while_functions_are_called():
    """In a process of its own, interrupted from another thread in the midst of an endless run. It ends by itself if it
    hears."""
    from pathlib import Path

    folder = Path(__file__).parent
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=300, cwd=folder)
    assert done.returncode == 0, done.stderr


def test_the_interrupt_handler_of_the_caller_is_left_alone():
    before = signal.getsignal(signal.SIGINT)
    mk.simulate(on_a_rail(lambda t, state: 1.0 if float(t) < 0.5 else -1.0), 0.1)
    assert signal.getsignal(signal.SIGINT) is before


# ---------------------------------------------------------------- functions that keep what they have seen


def delayed(times, places):
    """1 N less 5 N/m times where the cart was 0.1 s ago, by what the function has kept of it."""

    def force(t, state):
        if t > times[-1]:
            times.append(t)
            places.append(float(state["rail.displacement"]))
        return 1.0 - 5.0 * float(np.interp(t - 0.1, times, places))

    return force


def test_a_law_with_a_memory_is_not_trusted():
    """Oracle: ẍ = 1 − 5 x(t − 0.1) by polynomials from one tenth of a second to the next. What the function kept of rejected steps
    makes it wrong by 2e-4, and a repetition finds the same numbers there."""
    before, x, v = np.polynomial.Polynomial([0.0]), 0.0, 0.0
    for _ in range(10):
        speed = (1.0 - 5.0 * before).integ() + v
        before = speed.integ() + x
        x, v = before(0.1), speed(0.1)
    run = mk.simulate(on_a_rail(delayed([0.0], [0.0])), 1.0)
    assert abs(float(run["rail.displacement"][-1]) - x) > 1e-5
    assert not run.health.trusted and not run.error.known
    assert "motor 'drive' has changed what it reads" in run.error.reason and "s.controller" in str(run.health)


def test_an_object_that_counts_its_calls_is_not_trusted():
    class Counting:
        calls = 0

        def __call__(self, t, state):
            self.calls += 1
            return float(t)

    assert not mk.simulate(on_a_rail(Counting()), 0.1).health.trusted


def test_what_is_only_read_is_trusted():
    """A list that nobody changes: v = 2 t for 2 N on 1 kg."""
    values = [2.0]
    run = mk.simulate(on_a_rail(lambda t, state: values[0]), 0.1)
    assert run.health.trusted and float(run["rail.displacement.rate"][-1]) == pytest.approx(0.2, abs=1e-14)
