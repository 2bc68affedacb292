"""mk.batch: arrays in, arrays out. Oracles: closed forms, and runs one after the other."""

import numpy as np
import pytest
from oscillators import oscillator, pendulum

import mekane as mk
from mekane.errors import ModelError


def test_states_of_oscillators():
    """x = x0 cos(w t) + v0/w sin(w t), w = 20; displacements count from where the guide was described, 0.1 m."""
    states = np.array([[0.0, 0.0], [0.1, 0.0], [-0.1, 2.0]])
    out = mk.batch(oscillator(), states=states, t_end=0.3, every=0.1, keep=["mass.position.x"])
    t, x0, v0 = out.t, states[:, :1] + 0.1, states[:, 1:]
    assert np.abs(out.values[:, :, 0] - (x0 * np.cos(20 * t) + v0 / 20 * np.sin(20 * t))).max() < 1e-8
    assert np.abs(out.states[:, 1:] - (-20 * x0 * np.sin(6.0) + v0 * np.cos(6.0))).max() < 1e-7
    assert out.values.shape == (3, 4, 1) and (out.status == 0).all() and out.messages == {}


def test_ends_are_new_starts():
    """Two halves are one whole: states at the end of the first are those at the start of the second."""
    start = [[0.3, 0.0], [2.0, 1.0]]
    whole = mk.batch(pendulum(), states=start, t_end=1.0)
    half = mk.batch(pendulum(), states=start, t_end=0.5)
    again = mk.batch(pendulum(), states=half.states, t_end=0.5)
    assert np.abs(again.states - whole.states).max() < 1e-8


def test_parameters_and_inputs():
    """A constant force f on a free mass m: x = f t²/2m."""
    s = mk.System("cart", gravity=(0, 0, 0))
    cart = s.body("cart", mass=1.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, cart, at=(0, 0, 0), axis="x")
    s.input("f", 0.0, unit="N")
    s.motor("push", "rail", force="f")
    f, m = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 0.5])
    out = mk.batch(s, parameters={"cart.mass": m}, inputs={"f": f}, t_end=2.0, keep=["rail.displacement"])
    assert np.abs(out.values[:, -1, 0] - f * 2.0 / m).max() < 1e-9


@pytest.mark.parametrize("given, message", [
    (dict(), "nothing varies"), (dict(states=[[1.0]]), r"states has the shape \(1, 1\).*\(runs, 2\) is expected: hinge.angle"),
    (dict(inputs={"u": [1.0]}), "'u' is no input"), (dict(states=[[np.nan, 0.0]]), "not finite"),
    (dict(states=[[0.0, 0.0]], parameters={"bob.mass": [1.0, 2.0]}), "different numbers of runs"),
    (dict(states=[[0.0, 0.0]], keep=["bob.position"]), "'bob.position' is a vector.*Write bob.position.x"),
])  # fmt: skip
def test_bad_arrays(given, message):
    with pytest.raises(ModelError, match=message):
        mk.batch(pendulum(), t_end=0.1, **given)
