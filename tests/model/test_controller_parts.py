"""Controllers: what a user may write, and which functions become expressions. Oracles: the function itself, called
with numbers, and the value of the expression there."""

import copy
import math
import pickle

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError
from mekane.expressions.graph import evaluate

GAIN = 20.0
CALLS = []


def arm_system():
    s = mk.System("arm", parameters={"T": 0.01})
    s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y")
    s.pin("main bearing", s.ground, "arm", at=(0, 0, 0), axis="y")
    s.input("u", unit="N m")
    s.input("v")
    return s


class Integrator:
    """Has a state of its own."""

    def __init__(self):
        self.sum = 0.0

    def reset(self):
        self.sum = 0.0

    def __call__(self, t, angle):
        self.sum += angle
        return -self.sum


def formula(t, angle, rate, gain=2.0):
    return -gain * angle - np.sin(rate) * abs(t)


def with_global(t, angle, rate):
    return -GAIN * angle


def with_memory(t, angle, rate):
    CALLS.append(t)
    return angle


def with_default_list(t, angle, rate, log=[]):  # noqa: B006
    log.append(t)
    return angle


def with_branch(t, angle, rate):
    return 1.0 if angle > 0 else -1.0


def with_handler(t, angle, rate):
    try:
        return float(angle)
    except TypeError:
        return 0.0


def with_types(t, angle, rate):
    return 1.0 if isinstance(angle, float) else 2.0


def with_chance(t, angle, rate):
    return np.random.default_rng().normal() * angle


def with_print(t, angle, rate):
    print(t)
    return angle


def with_a_module(t, angle, rate):
    return math.sin(angle)


def test_records():
    s = arm_system()
    made = s.controller(
        "pilot", every="1 ms", reads=["hinge.angle", "2*hinge.angle.rate"], writes=["u"], function=with_global,
        offset="2 ms", delay=3e-4,
    )  # fmt: skip
    assert (made.every, made.offset, made.delay, made.writes) == (1e-3, 2e-3, 3e-4, ("u",))
    assert [value.names() for value in made.reads] == [["hinge.angle"], ["hinge.angle.rate"]]
    assert made.function is with_global and made.expressions == () and s.controllers == {"pilot": made}


def test_expressions_in_three_forms():
    expected = ["-2*hinge.angle", "t"]
    for given in (
        dict(writes=["u", "v"], function=expected),
        dict(function=dict(zip("uv", expected, strict=True))),
        dict(writes=["v", "u"], function=dict(zip("uv", expected, strict=True))),
    ):
        made = arm_system().controller("pilot", 0.1, **given)
        assert made.function is None
        texts = [value.text for value in made.expressions]
        assert dict(zip(made.writes, texts, strict=True)) == dict(zip("uv", expected, strict=True))
    s = arm_system()
    assert s.controller("one", 0.1, writes=s.inputs["u"], function="3").expressions[0].graph == 3.0
    table = s.controller("two", 0.1, writes="v", function={"table": [[0, 1], [2, 5]]})
    assert table.expressions[0].names() == ["t"]


def test_names_with_spaces_are_read_as_results_have_them():
    made = arm_system().controller("p", 0.1, reads=["main bearing.angle"], writes="u", function=lambda t, a: a)
    assert made.reads[0].names() == ["main bearing.angle"]


def test_a_formula_becomes_an_expression():
    s = arm_system()
    made = s.controller("pilot", 0.1, reads=["hinge.angle", "hinge.angle.rate"], writes="u", function=formula)
    (value,) = made.expressions
    at = {"t": 0.3, "hinge.angle": 0.7, "hinge.angle.rate": -1.1}
    # the same operations on the same numbers
    assert evaluate(value.graph, at) == formula(0.3, 0.7, -1.1) and made.function is formula
    two = s.controller("two", 0.1, reads="hinge.angle", writes="v", function=lambda t, a: [a * t])
    assert two.expressions[0].names() == ["hinge.angle", "t"]


@pytest.mark.parametrize(
    "function",
    [
        with_global, with_memory, with_default_list, with_branch, with_handler, with_types, with_chance, with_print,
        with_a_module, lambda t, a, b: [x for x in (a,)][0], (lambda k: lambda t, a, b: k * a)(3.0),
    ],
)  # fmt: skip
def test_any_other_function_is_called(function):
    """Nothing of it is frozen: it reads outside variables at every call, and keeps what it does there."""
    s = arm_system()
    reads = ["hinge.angle", "hinge.angle.rate"]
    made = s.controller("pilot", 0.1, reads=reads, writes="u", function=function)
    assert made.expressions == () and made.function is function and not CALLS
    with pytest.raises(ModelError, match="only expressions can be saved"):
        s.to_dict()


def test_objects_with_state_are_called_and_copied():
    s = arm_system()
    made = s.controller("pilot", 0.1, reads="hinge.angle", writes="u", function=Integrator())
    assert made.expressions == () and made.function.sum == 0.0
    new = copy.deepcopy(s)
    new.controllers["pilot"].function(0.0, 1.0)
    assert (new.controllers["pilot"].function.sum, made.function.sum) == (1.0, 0.0)
    assert pickle.loads(pickle.dumps(s)).controllers["pilot"].function.sum == 0.0
    assert s.with_parameters(T=0.5).controllers["pilot"].function is made.function


def test_functions_without_a_name_cannot_be_pickled():
    s = arm_system()
    s.controller("pilot", 0.1, reads="hinge.angle", writes="u", function=lambda t, a: GAIN * a)
    with pytest.raises(ModelError, match="controller 'pilot'.*cannot be pickled"):
        pickle.dumps(s)


def test_parameters():
    s = arm_system()
    s.controller("pilot", "$T", function={"u": "-T*hinge.angle"}, delay="$T/2")
    new = s.with_parameters(T=0.5)
    assert (new.controllers["pilot"].every, new.controllers["pilot"].delay) == (0.5, 0.25)
    assert s.with_parameters({"pilot.offset": "3 ms"}).controllers["pilot"].offset == 0.003
    with pytest.raises(ModelError, match="pilot needs it"):
        s.remove("T")


@pytest.mark.parametrize(
    "keywords, words",
    [
        (dict(every=0.1, function="t"), "it writes nothing"),
        (dict(every=0.1, writes=[], function="t"), "it writes nothing"),
        (dict(every=0.1, writes="w", function="t"), "'w', which is no input.*there are u, v"),
        (dict(every=0.1, writes="hinge", function="t"), "'hinge', which is no input"),
        (dict(every=0.1, writes=["u", "u"], function=["t", "t"]), "each input is expected once"),
        (dict(every=0, writes="u", function="t"), "every is 0; it must be greater than zero"),
        (dict(every="1 m", writes="u", function="t"), "not a unit of time"),
        (dict(every=float("nan"), writes="u", function="t"), "not a finite number"),
        (dict(every=0.1, writes="u", function="t", offset=-1), "offset is -1; it must not be negative"),
        (dict(every=0.1, writes="u", function="t", delay="-1 ms"), "delay is '-1 ms'"),
        (dict(writes="u", function="t"), "every is missing"),
        (dict(every=0.1, writes="u"), "function is missing"),
        (dict(every=0.1, writes="u", function=None), "function is None"),
        (dict(every=0.1, writes=["u", "v"], function="t"), "1 expressions for 2 inputs"),
        (dict(every=0.1, writes=["u", "v"], function={"u": "t"}), "expressions for 'u' and 'v' are expected"),
        (dict(every=0.1, writes="u", function="t", reads="hinge.angle"), "expressions name what they read"),
        (dict(every=0.1, writes="u", function=lambda t: t, reads=["hinge.angle"]), "cannot be called with the time and 1"),
        (dict(every=0.1, writes="u", function=Integrator, reads=["hinge.angle"]), "the class Integrator.*Integrator\\("),
        (dict(every=0.1, writes="u", function=lambda t: (t, t)), "a number for each of 'u' is expected"),
        (dict(every=0.1, writes="u", function=lambda t: None), "function gives None"),
        (dict(every=0.1, writes="u", function=lambda t: t, reads=3), "reads is 3"),
        (dict(every=0.1, writes="u", function=lambda t, a: a, reads=["hinge.("]), "not a formula"),
        (dict(every=0.1, write="u", function="t"), "Did you mean 'writes'"),
    ],
)  # fmt: skip
def test_errors(keywords, words):
    s = arm_system()
    with pytest.raises(ModelError, match=words):
        s.controller("bad", **keywords)
    assert not s.controllers


def test_one_controller_writes_an_input():
    s = arm_system()
    s.controller("one", 0.1, function={"u": "t"})
    with pytest.raises(ModelError, match="controller 'one' writes 'u', too"):
        s.controller("two", 0.2, function={"u": "t"})
    assert s.replace("one", every=0.2).every == 0.2
    with pytest.raises(ModelError, match="one needs it"):
        s.remove("u")
