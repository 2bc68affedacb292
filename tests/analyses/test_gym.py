"""mk.gym: environments of gymnasium. Oracles: mk.simulate with the same actions held by a controller, gymnasium's own
checker, and single environments for vectors of them.

Tolerance 1e-9: both integrate with rtol 1e-9 and atol 1e-12, and their steps end at the same instants; over a second of
this motion errors are not magnified.
"""

import sys
import warnings

import numpy as np
import pytest

import mekane as mk

gymnasium = pytest.importorskip("gymnasium")
EVERY, STATE = 0.02, ["rail.displacement", "hinge.angle", "rail.displacement.rate", "hinge.angle.rate"]
TASK = dict(
    observe=[*STATE, "pole.centre", "cos(hinge.angle)"],
    act={"push": (-10, 10)},
    every="20 ms",
    reward="1 - hinge.angle**2 - 0.001*push**2",
    done="abs(hinge.angle) > 0.3",
    t_end=0.5,
    start={"hinge.angle": (-0.1, 0.1), "rail.displacement.rate": mk.normal(0, 0.05)},
)


def cart(force="push"):
    s = mk.System("cart and pole")
    body = s.body("cart", mass=1.0, inertia=(1, 1, 1))
    pole = s.body("pole", mass=0.1, inertia=(0.01, 0.01, 0.001), position=(0, 0, 0.5))
    s.slider("rail", s.ground, body, at=(0, 0, 0), axis="x")
    s.pin("hinge", body, pole, at=(0, 0, 0), axis="y")
    s.input("push", 0.0, unit="N")
    s.force("hand", body, (force, 0, 0))
    return s


def test_gymnasium_has_no_objection():
    """check_env raises where something is wrong; it warns of spaces without bounds, and that there are no pictures."""
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(mk.gym(cart(), **TASK))


def test_the_motion_is_that_of_inputs_that_are_held():
    s = cart()
    s.controller("hold", every=EVERY, reads=[], writes="push", function="3*sin(9*t)")
    run = mk.simulate(s, 1.0, every=EVERY)
    env = mk.gym(cart(), **TASK | {"start": {}, "t_end": 1.0, "done": None})
    observation, _ = env.reset()
    for k in range(50):
        assert np.abs(observation[:4] - [float(run[name][k]) for name in STATE]).max() < 1e-9
        assert np.abs(observation[4:7] - run["pole.centre"].values[k]).max() < 1e-9
        push = 3 * np.sin(9 * k * EVERY)
        observation, reward, terminated, truncated, info = env.step([push])
        assert abs(reward - (1 - observation[1] ** 2 - 0.001 * push**2)) < 1e-12
        assert not terminated and truncated == (k == 49) and abs(info["t"] - (k + 1) * EVERY) < 1e-12


def test_a_seed_gives_the_same_episode():
    def episode(env, seed):
        found = [env.reset(seed=seed)[0]]
        actions = np.random.default_rng(5).uniform(-10, 10, 10)
        return np.array([*found, *(env.step([action])[0] for action in actions)]).tobytes()

    one, other = mk.gym(cart(), **TASK), mk.gym(cart(), **TASK)
    first = episode(one, 7)
    assert episode(one, 7) == first == episode(other, 7) != episode(one, 8)


@pytest.mark.parametrize("engine", ["lanes", "one by one"])
def test_many_are_as_each_alone(engine):
    """With episodes that end, and masses drawn: gymnasium's rule is that they begin anew in the next step."""
    task = TASK | {"start": TASK["start"] | {"pole.mass": (0.05, 0.2)}}
    many = mk.gym(cart(), **task, n=3, engine=engine)
    alone = [mk.gym(cart(), **task) for _ in range(3)]
    observations, _ = many.reset(seed=3)
    assert np.array_equal(observations, [one.reset(seed=3 + k)[0] for k, one in enumerate(alone)])
    random, ended, ends = np.random.default_rng(0), np.zeros(3, bool), 0
    for _ in range(40):
        actions = random.uniform(-12, 12, (3, 1))
        observations, rewards, terminated, truncated, _ = many.step(actions)
        for k, one in enumerate(alone):
            if ended[k]:
                expected = one.reset()[0], 0.0, False, False
            else:
                expected = one.step(actions[k])[:4]
            assert np.allclose(observations[k], expected[0], rtol=0, atol=1e-9)
            assert abs(rewards[k] - expected[1]) < 1e-9
            assert (terminated[k], truncated[k]) == expected[2:]
        ended = terminated | truncated
        ends += ended.sum()
    assert ends >= 3 and many.engine == engine


def test_the_engine_of_many_follows_the_model():
    assert mk.gym(cart(), **TASK, n=2).engine == "lanes"
    timed = mk.gym(cart("push + sin(t)"), **TASK, n=2)
    assert (timed.engine, timed.reason) == ("one by one", "laws depend on time")
    by_function = mk.gym(cart(), **TASK | {"reward": lambda sim: -(sim["hinge.angle"] ** 2)}, n=2)
    assert (by_function.engine, by_function.reason) == ("one by one", "reward is a function of one stepper")
    with pytest.raises(mk.ModelError, match="laws depend on time"):
        mk.gym(cart("push + sin(t)"), **TASK, n=2, engine="lanes")


def test_functions_and_an_event_that_stops():
    s = cart()
    s.event("out", when="rail.displacement > 0.01", stop=True)
    env = mk.gym(s, **TASK | {"reward": lambda sim: -sim["hinge.angle"], "done": lambda sim: sim.t > 9, "start": {}})
    observation, _ = env.reset(options={"start": {"hinge.angle": 0.05}})
    assert observation[1] == 0.05
    for _ in range(20):
        observation, reward, terminated, _, info = env.step([10.0])
        assert reward == -observation[1]
        if terminated:
            break
    assert info["ended_by"] == "out" and abs(observation[0] - 0.01) < 1e-9


@pytest.mark.parametrize(
    "change, text",
    [
        ({"observe": []}, "names of channels or formulas are expected"),
        ({"observe": ["hinge.angel"]}, "hinge.angle"),
        ({"act": {"pull": (-1, 1)}}, "'pull' is no input"),
        ({"act": {"push": (1, -1)}}, "the lower one comes first"),
        ({"act": {"push": 3}}, "a lower and an upper bound"),
        ({"every": 0}, "greater than zero"),
        ({"reward": None}, "a formula or a function"),
        ({"reward": "pole.position"}, "one number is expected"),
        ({"start": {"hinge.angel": 1}}, "hinge.ang"),
        ({"start": {"hinge.angle": (1, 0)}}, "the lower end comes first"),
        ({"n": 0}, "a number of environments"),
        ({"n": 2, "engine": "gpu"}, "engine is 'gpu'"),
    ],
)
def test_odd_arguments(change, text):
    with pytest.raises(mk.MekaneError, match=text):
        mk.gym(cart(), **TASK | change)


def test_without_gymnasium_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(mk.ModelError, match=r'pip install "mekane\[gym\]"'):
        mk.gym(cart(), **TASK)
