"""Python functions that read more than their arguments: traced, called or refused, but nothing frozen silently.

Oracle: Python itself. What a function gives when it is called is what the model must use, or an error must say why not.
"""

import copy
import functools
import pickle
import time
import types
from dataclasses import dataclass

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError
from mekane.model.values.values import read_value

GAIN, COUNT, LIST, ARRAY = 2.0, 0, [0.0], np.array([3.0, 4.0])
FROZEN = np.array([3.0, 4.0])
FROZEN.setflags(write=False)
RANDOM = np.random.default_rng(1)
SYSTEM = mk.System("x", parameters={"k": 1.0})
CONFIG = types.SimpleNamespace(gain=2.0)


def helper(x):
    return GAIN * x


def reads_helper(t, state):
    return helper(t)


def counts(t, state):
    global COUNT
    COUNT += 1
    return COUNT * t


class Controller:
    gain = 2.0

    def __init__(self):
        self.k = 3.0

    def __call__(self, t, state):
        return self.k * t

    def law(self, t, state):
        return self.k * t

    @staticmethod
    def pure(t, state):
        return 5.0 * t


@dataclass(frozen=True)
class FrozenLaw:
    k: float = 3.0

    def __call__(self, t, state):
        return self.k * t


def nested(cell):
    def outer(t, state):
        inner = lambda: cell[0] * t
        return inner()

    return outer


def counting_nonlocal():
    n = 0.0

    def law(t, state):
        nonlocal n
        n += 1.0
        return n * t

    return law


@functools.lru_cache
def remembered(x):
    return helper(x)


CALLED = {
    "a list": (lambda t, state: LIST[0], "'LIST', a list"),
    "an array": (lambda t, state: ARRAY[0] * t, "'ARRAY', a ndarray"),
    "an object": (lambda t, state: CONFIG.gain * t, "'CONFIG', a SimpleNamespace"),
    "a nested closure": (nested([1.0]), "'cell', a list"),
    "a list in a tuple": (nested((1.0, [2.0])), "'cell', a list"),
    "a default argument": (lambda t, state, c=[1.0]: c[0] * t, "a default argument, a list"),  # noqa: B006
    "a keyword of partial": (
        functools.partial(lambda t, state, c: c[0] * t, c=[1.0]),
        "an argument of partial, a list",
    ),
    "a callable object": (Controller(), "its own object, a Controller"),
    "a bound method": (Controller().law, "its own object, a Controller"),
    "a partial of a method": (functools.partial(Controller().law), "its own object, a Controller"),
    "a function that reads a list": (lambda t, state: CALLED["a list"][0](t, state), "'CALLED', a dict"),
    "a global counter": (counts, "it changes 'COUNT' outside itself"),
    "a counter in a closure": (counting_nonlocal(), "it changes 'n' outside itself"),
    "a clock": (lambda t, state: time.time() * t, "the module 'time', whose answers change"),
    "a generator of random numbers": (lambda t, state: RANDOM.normal() * t, "'RANDOM', a Generator"),
    "a system": (lambda t, state: SYSTEM.parameters["k"] * t, "'SYSTEM', a System"),
}

TRACED = {
    "numpy": (lambda t, state: np.sin(t) * np.pi, "sin"),
    "a number": (lambda t, state: GAIN * t, "2*t"),
    "a helper": (reads_helper, "2*t"),
    "a cached helper": (lambda t, state: remembered(t), "2*t"),
    "a tuple": (nested((3.0, "text")), "3*t"),
    "a frozen array": (lambda t, state: FROZEN[1] * t, "4*t"),
    "a class": (lambda t, state: Controller.gain * t, "2*t"),
    "a frozen object": (FrozenLaw(), "3*t"),
    "a partial": (functools.partial(lambda t, state, c: c * t, c=7.0), "7*t"),
    "a static method": (Controller.pure, "5*t"),
    "a comprehension of its own": (lambda t, state: sum([k * t for k in (1.0, 2.0)]), "t"),
    "a list of its own": (lambda t, state: [1.0, 2.0][1] * t, "2*t"),
}


@pytest.mark.parametrize("case", CALLED)
def test_what_may_change_is_not_frozen(case):
    function, reason = CALLED[case]
    value = read_value(function)
    assert value.callback is not None
    assert reason in value.reason, value.reason
    assert "s.input" in value.remedy and "s.controller" in value.remedy


@pytest.mark.parametrize("case", TRACED)
def test_what_never_changes_is_traced(case):
    function, text = TRACED[case]
    value = read_value(function)
    assert value.callback is None, value.reason
    assert text in value.to_dict()


def cart(force):
    s = mk.System("cart", gravity=(0, 0, 0))
    s.body("cart", mass=2.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, "cart", axis="x")
    s.motor("drive", "rail", force=force)
    return s


def test_a_list_set_between_steps_takes_effect():
    """Unit steps with the forces 1, −3, 0 on 2 kg: speeds 0.5, −1, −1."""
    u, speeds = [0.0], []
    solver = mk.stepper(cart(lambda t, state: u[0]))
    for force in (1.0, -3.0, 0.0):
        u[0] = force
        solver.step(1.0)
        speeds.append(solver.y[1])
    assert speeds == pytest.approx([0.5, -1.0, -1.0], abs=1e-12)


def test_a_number_bound_anew_is_refused_between_steps():
    gain = 1.0

    def law(t, state):
        return gain

    solver = mk.stepper(cart(law))
    solver.step(1.0)
    gain = 2.0
    with pytest.raises(ModelError, match=r"motor 'drive': .* read gain = 1.0 when it was traced.*s.input") as refused:
        solver.step(1.0)
    assert "def f(t, state, gain=gain)" in str(refused.value)
    gain = 1.0
    solver.step(1.0)
    assert solver.y[1] == pytest.approx(1.0, abs=1e-12)


def test_a_global_number_of_a_helper_is_refused_too(monkeypatch):
    s = cart(reads_helper)
    mk.simulate(s, 0.1)
    monkeypatch.setitem(globals(), "GAIN", 5.0)
    for analysis in (lambda: mk.simulate(s, 0.1), lambda: mk.equilibrium(s), lambda: mk.linearize(s)):
        with pytest.raises(ModelError, match=r"read GAIN = 2.0 when it was traced"):
            analysis()


def test_attributes_of_classes_are_watched(monkeypatch):
    s = cart(lambda t, state: Controller.gain * t)
    monkeypatch.setattr(Controller, "gain", 9.0)
    with pytest.raises(ModelError, match=r"read Controller.gain = 2.0"):
        mk.simulate(s, 0.1)


def test_variables_of_a_loop_are_refused():
    """Python would give all three the last value of k, tracing gave each its own: an error says what to write."""
    s = mk.System("three", gravity=(0, 0, 0))
    for k in range(3):
        s.body(f"b{k}", mass=1.0, inertia=(1, 1, 1), position=(0, k, 0))
        s.slider(f"rail{k}", s.ground, f"b{k}", axis="x")
        s.motor(f"m{k}", f"rail{k}", force=lambda t, state: k * t)  # noqa: B023
    with pytest.raises(ModelError, match=r"motor 'm0': .* read k = 0 .*def f\(t, state, k=k\)"):
        mk.simulate(s, 1.0)


def test_where_a_function_cannot_be_called_it_is_refused_with_the_remedy():
    s = cart(0.0)
    with pytest.raises(ModelError, match=r"it reads 'LIST', a list, which may change.*s.input"):
        s.prescribed("hand", "rail", lambda t, state: LIST[0] * t)
    with pytest.raises(ModelError, match=r"it reads 'LIST', a list, which may change.*s.input"):
        s.pd("hold", "rail", target=lambda t, state: LIST[0] * t, stiffness=1.0)
    with pytest.raises(ModelError, match=r"only expressions can be saved.*s.input"):
        cart(lambda t, state: LIST[0]).to_dict()


def test_health_says_why_a_function_was_called():
    u = [1.0]
    run = mk.simulate(cart(lambda t, state: u[0]), 0.1)
    assert "'drive' (it reads 'u', a list, which may change)" in str(run.health)


def test_copies_and_other_processes():
    s = cart(reads_helper)
    for twin in (copy.deepcopy(s), pickle.loads(pickle.dumps(s))):
        run = mk.simulate(twin, 1.0)
        assert run["rail.displacement"].values[-1] == pytest.approx(1 / 6, abs=1e-9)  # 2 t on 2 kg


def test_a_deleted_name_is_a_changed_one():
    box = {}
    exec("k = 3.0\ndef law(t, state):\n    return k * t", box)
    value = read_value(box["law"])
    assert value.to_dict() == "3*t" and value.outside.changed() is None
    del box["k"]
    assert value.outside.changed().name == "k"


def test_check_says_what_a_traced_function_keeps():
    gain = 4.0
    s = cart(lambda t, state: gain * np.sin(t))
    assert "motor 'drive': its Python function was traced and keeps gain = 4.0." in s.check()
