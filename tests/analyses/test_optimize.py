"""Best values of parameters, and parameters from measurements.

Oracles: the parameters with which data were made; closed forms; the scatter of many fits against the standard errors
they report.
"""

import matplotlib
import numpy as np
import pytest
from systems import named_double_pendulum

import mekane as mk
from mekane.algebra.jet import Jet

matplotlib.use("Agg")
G = 9.81
TRUE = {"l": 1.1, "lower.mass": 0.75, "c": 0.06}
BOUNDS = {"l": (0.5, 2.0), "lower.mass": (0.2, 3.0), "c": (0.0, 1.0)}
T = np.linspace(0, 2, 41)[1:]


def pendulum():
    s = mk.System("pendulum", gravity=(0, 0, -G))
    l = mk.Param("l", 1.0)
    bob = s.body("bob", mass=2.0, inertia=(0, 0, 0), position=(0, 0, -1 * l))
    s.pin("hinge", s.ground, bob, at=(0, 0, 0), axis="y")
    return s


@pytest.fixture(scope="module")
def exact():
    run = mk.simulate(named_double_pendulum().with_parameters(TRUE), 2.0, every=T, rtol=1e-12, atol=1e-14)
    return {"times": T} | {name: run[name].values for name in ("shoulder.angle", "elbow.angle")}


def noisy(data, sigma, seed):
    rng = np.random.default_rng(seed)
    return {name: x if name == "times" else x + sigma * rng.normal(size=len(x)) for name, x in data.items()}


# ---------------------------------------------------------------- identification


def test_exact_data_give_back_the_parameters(exact):
    """Data of 1e-12, motions of 1e-10: 1e-8 leaves a margin for the condition of the fit."""
    found = mk.optimize(named_double_pendulum(), BOUNDS, fit=exact)
    assert found.success
    for name, value in TRUE.items():
        assert found.parameters[name] == pytest.approx(value, abs=1e-8)
        assert found.system.parameters[name] == found.parameters[name]


def test_noisy_data_give_them_within_their_errors(exact):
    """Three standard errors; the errors themselves are those of another way to find them: how the answers of several
    fits scatter."""
    sigma, fits = 0.02, []
    for seed in range(6):
        # others start near, to save time
        start = named_double_pendulum() if seed == 0 else named_double_pendulum().with_parameters(TRUE)
        found = mk.optimize(start, BOUNDS, fit=noisy(exact, sigma, seed), rtol=1e-8)
        fits.append(found)
        for name, value in TRUE.items():
            assert abs(found.parameters[name] - value) < 3.0 * found.standard_errors[name]
    for name in TRUE:
        scatter = np.std([found.parameters[name] for found in fits], ddof=1)
        error = np.mean([found.standard_errors[name] for found in fits])
        assert 0.4 < scatter / error < 2.0  # χ² with five degrees of freedom, 99.5 %
    assert fits[0].deviation["elbow.angle"] == pytest.approx(sigma, rel=0.3)


def test_known_deviations_set_the_errors(exact):
    """With sigma given, errors are proportional to it, whatever is left of the data."""
    one, two = (mk.optimize(named_double_pendulum(), BOUNDS, fit=exact, sigma=sigma) for sigma in (0.01, 0.02))
    for name in TRUE:
        assert two.standard_errors[name] == pytest.approx(2 * one.standard_errors[name], rel=1e-6)


def test_initial_values_can_be_found():
    """A swing whose initial rate and length are unknown."""
    t = np.linspace(0.1, 3, 30)
    s = mk.System("swing", gravity=(0, 0, -G))
    l = mk.Param("l", 1.0)
    bob = s.body("bob", mass=2.0, inertia=(0, 0, 0), position=(0, 0, -1 * l))
    s.pin("hinge", s.ground, bob, at=(0, 0, 0), axis="y", rate=1.0)
    run = mk.simulate(s.with_parameters({"l": 1.3, "hinge.rate": 0.7}), 3, every=t, rtol=1e-12, atol=1e-14)
    found = mk.optimize(
        s, {"l": (0.5, 2), "hinge.rate": (0, 3)}, fit={"times": t, "bob.position.x": run["bob.position"].values[:, 0]}
    )
    assert found.parameters == pytest.approx({"l": 1.3, "hinge.rate": 0.7}, abs=1e-8)


# ---------------------------------------------------------------- purposes


def test_a_frequency_is_reached():
    """√(g/l)/2π = 2 Hz at l = g/(4π)². As a list of one number it converges quadratically; its square is flat at the
    end: 1e-8."""
    length = G / (4 * np.pi) ** 2
    sharp = mk.optimize(pendulum(), {"l": (0.05, 2)}, objective=lambda d: [d.frequency(1) - 2.0])
    assert sharp.parameters["l"] == pytest.approx(length, abs=1e-12)
    flat = mk.optimize(pendulum(), {"l": (0.05, 2)}, objective=lambda d: (d.frequency(1) - 2.0) ** 2)
    assert flat.parameters["l"] == pytest.approx(length, abs=1e-7)


def test_own_gradients_may_be_given():
    """A parabola with its lowest place at 1.5, as (value, gradient)."""
    found = mk.optimize(
        pendulum(), {"l": (0.05, 2)}, objective=lambda d: ((d.values[0] - 1.5) ** 2, [2 * (d.values[0] - 1.5)])
    )
    assert found.parameters["l"] == pytest.approx(1.5, abs=1e-7)


def test_constraints_and_bounds_are_kept():
    """A truss node must not sink below 0.2; the softest spring that does it is where W = −2 k (1 − L0/L) z at z =
    0.2."""
    s = mk.System("truss", gravity=(0, 0, -G))
    node = s.body("node", mass=4.0, inertia=(1, 1, 1), position=(0, 0, 0.3))
    s.slider("guide", s.ground, node, at=(0, 0, 0), axis="z")
    rest = np.sqrt(1.09)
    for side, sign in (("left", -1), ("right", 1)):
        s.spring(side, (s.ground, (sign, 0, 0)), (node, (0, 0, 0)), stiffness=mk.Param("k", 8e3), length=rest)
    height = (lambda d: d.rest("node.position.z"), 0.2, None)
    found = mk.optimize(s, {"k": (1e3, 1e5)}, objective=lambda d: d["k"], constraints=[height])
    assert found.parameters["k"] == pytest.approx(4.0 * G / (2 * (rest / np.sqrt(1.04) - 1) * 0.2), rel=1e-6)
    stiff = mk.optimize(s, {"k": (6e3, 1e5)}, objective=lambda d: d["k"], constraints=height)
    assert (
        stiff.parameters["k"] == pytest.approx(6e3) and stiff.at_bounds() == ["k"] and "At its bound: k" in str(stiff)
    )


def test_motion_as_an_objective():
    """A free fall from rest at h meets z = 0 at t = 1 if h = g/2."""
    s = mk.System("fall", gravity=(0, 0, -G))
    ball = s.body("ball", mass=1.0, inertia=(1, 1, 1), position=(0, 0, mk.Param("h", 3.0)))
    s.slider("fall", s.ground, ball, at=(0, 0, 0), axis="z")
    found = mk.optimize(s, ["h"], objective=lambda d: [d.at("ball.position.z", 1.0)])
    assert found.parameters["h"] == pytest.approx(G / 2, rel=1e-10)


def test_numbers_of_a_design_know_their_gradients():
    """Functions of numbers with gradients against the complex step."""
    x, y = Jet(np.array([0.4, 1.0, 0.0])), Jet(np.array([0.7, 0.0, 1.0]))
    f = lambda x, y: np.sin(x) * np.exp(y) / (1 + x * y) + np.sqrt(x) ** 3 - 2 / y + np.tanh(x - y) + x**2.5 + 2.0**y
    found = f(x, y)
    slopes = [f(0.4 + 1e-30j, 0.7).imag / 1e-30, f(0.4, 0.7 + 1e-30j).imag / 1e-30]
    assert found.value == pytest.approx(f(0.4, 0.7), rel=1e-14)
    np.testing.assert_allclose(found.derivatives, slopes, rtol=1e-13)
    assert abs(-x).value == 0.4 and max(x, y) is y and sum([x, y]).value == pytest.approx(1.1)


# ---------------------------------------------------------------- answers and refusals


def test_answers_show_themselves(exact, tmp_path):
    calls = []
    progress = lambda n, value: calls.append(value)
    found = mk.optimize(named_double_pendulum(), BOUNDS, fit=noisy(exact, 0.01, 1), rtol=1e-8, progress=progress)
    assert "standard error" in str(found) and "elbow.angle" in str(found)
    assert set(found.to_dict()["standard_errors"]) == set(TRUE) and len(calls) == len(found.history) >= 3
    assert found.correlation.sel(parameter="l", **{"with": "l"}) == pytest.approx(1.0)
    assert float(found.covariance.sel(parameter="c", **{"with": "c"})) == pytest.approx(found.standard_errors["c"] ** 2)
    found.plot(tmp_path / "fit.png")
    assert (tmp_path / "fit.png").stat().st_size > 1000


def fit(**data):
    return lambda: mk.optimize(named_double_pendulum(), ["l", "c"], fit=data)


GOOD = dict(times=[0.5, 1.0])
REFUSED = [
    (fit(**GOOD, **{"elbow.angle": [0.1, np.nan]}), "'elbow.angle' is nan at number 2"),
    (fit(times=[0.5], **{"elbow.angle": [0.1]}), "1 numbers were measured, and 2 parameters"),
    (fit(times=[1.0, 0.5], **{"elbow.angle": [0.1, 0.2]}), "rising times"),
    (fit(times=[-1.0, 0.5], **{"elbow.angle": [0.1, 0.2]}), "rising times"),
    (fit(**GOOD, **{"elbow.angle": [0.1]}), "has 1 values, and there are 2 times"),
    (fit(**{"elbow.angle": [0.1, 0.2]}), "'times' is missing"),
    (fit(**GOOD), "times only"),
    (fit(**GOOD, **{"elbow.angle": ["a", "b"]}), "no number"),
    (fit(**GOOD, **{"elbow.angel": [0.1, 0.2]}), "elbow.angel"),
    (lambda: mk.optimize(named_double_pendulum(), ["l"], fit=3), "it is int"),
    (lambda: mk.optimize(named_double_pendulum(), ["l"]), "neither or both"),
    (lambda: mk.optimize(named_double_pendulum(), ["k"], objective=lambda d: d["k"]), "'k' is not a parameter"),
    (lambda: mk.optimize(named_double_pendulum(), {"l": (2, 1)}, objective=lambda d: d["l"]), "the lowest comes first"),
    (lambda: mk.optimize(named_double_pendulum(), {"l": 2}, objective=lambda d: d["l"]), "(lowest, highest)"),
    (lambda: mk.optimize(named_double_pendulum(), {"l": (1, 2)}, objective=lambda d: 3.0), "no gradient"),
    (lambda: mk.optimize(pendulum(), {"l": (1, 2)}, objective=lambda d: d.frequency(2)), "there is no mode 2"),
]


@pytest.mark.parametrize("ask, message", REFUSED)
def test_bad_input_is_answered(ask, message):
    with pytest.raises(mk.MekaneError) as error:
        ask()
    assert message in str(error.value)


def test_what_cannot_be_distinguished_is_named():
    """The swing of a point pendulum does not depend on its mass; of k and m on a spring only the ratio matters."""
    t = np.linspace(0.1, 1, 20)
    s = mk.System("oscillator", gravity=(0, 0, 0))
    block = s.body("block", mass=2.0, inertia=(1, 1, 1))
    s.slider("track", s.ground, block, axis="x", rate=0.5)
    s.sliding_spring("spring", "track", stiffness=mk.Param("k", 50.0))
    data = {"times": t, "track.displacement": mk.simulate(s, 1.0, every=t)["track.displacement"].values}
    with pytest.raises(mk.ModelError, match="1 'k' . 1 'block.mass' together change nothing"):
        mk.optimize(s, ["k", "block.mass"], fit=data)
    with pytest.raises(mk.ModelError, match="'gravity.z' changes nothing that was measured"):
        mk.optimize(s, ["k", "gravity.z"], fit=data)
