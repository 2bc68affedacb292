"""The tape machine, compiled and plain, on floats, complex numbers and symbols.

Oracle: `evaluate`, which walks the graph with numpy. Plain runs use the same functions, so they agree to the last bit;
compiled code has its own sin, exp and so on, each good to an ulp or two, which a dozen operations at moderate values
carry to 1e-13 at most.
"""

import numpy as np
import pytest

from mekane.expressions.graph import callback, differentiate, evaluate, symbol
from mekane.expressions.opcodes import OPERATIONS
from mekane.expressions.parse import parse
from mekane.expressions.tape import tape
from mekane.kernels.tape import run_tape
from mekane.numba_backend.kernel import plain

NAMES = ["t", "x", "y"]
TEXTS = [
    "x + y*t - x/y", "-x**2.5 + y**x", "sin(x)*cos(y) + tan(t)", "asin(x/3)*acos(y/3) - atan(t)", "atan2(x, y) + atan2(-1, x)",
    "sinh(x) + cosh(y)*tanh(t)", "exp(-x)*log(y) + sqrt(x)", "floor(5*x)*y", "x*t if x < y else sin(x) if t <= 1 else 3",
    "abs(x - y)*sign(t - 1)", "min(x, y)*max(x, t)", "(1 < x < 2) + (x < y or t > 1)", "x % 0.3", "2.5",
    "table(x*y, (0, 1), (0.5, 3), (2, -1)) + spline(t, (0, 1), (1, 4), (2, 0), (3, 1))",
]  # fmt: skip
EXPRS = [parse(text) for text in TEXTS]
POINTS = [(0.2, 0.7, 1.3), (1.6, 1.9, 0.4), (2.5, 0.5, 0.5)]
TAPE = tape(EXPRS, NAMES)


def run(run_function, written, inputs, dtype, modes=None, frozen=False):
    r = written.registers(dtype)
    r[: len(inputs)] = inputs
    modes = written.modes(object if dtype is object else float) if modes is None else modes
    first = len(r) - len(written.code)
    run_function(written.code, 0, len(written.code), first, written.table_i, written.table_f, r, modes, frozen)
    return r


def test_every_operation_is_on_the_tape():
    assert set(TAPE.code[:, 0]) == {opcode for opcode, _ in OPERATIONS.values()}


@pytest.mark.parametrize("point", POINTS)
def test_real(point):
    expected = evaluate(EXPRS, dict(zip(NAMES, point, strict=True)))
    assert run(plain(run_tape), TAPE, point, float)[TAPE.outputs].tolist() == expected
    assert run(run_tape, TAPE, point, float)[TAPE.outputs] == pytest.approx(expected, rel=1e-13, abs=1e-13)


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("k", range(3))
def test_complex_step_gives_the_derivatives(point, k):
    values = dict(zip(NAMES, point, strict=True))
    stepped = np.array(point, complex)
    stepped[k] += 1e-30j
    derivatives = evaluate([differentiate(e, symbol(NAMES[k])) for e in EXPRS], values)
    for machine in (run_tape, plain(run_tape)):
        results = run(machine, TAPE, stepped, complex)[TAPE.outputs]
        assert results.real == pytest.approx(evaluate(EXPRS, values), rel=1e-13, abs=1e-13)
        assert results.imag * 1e30 == pytest.approx(derivatives, rel=1e-13, abs=1e-13)


def test_tracing_the_machine_gives_the_graph_back():
    traced = run(plain(run_tape), TAPE, [symbol(name) for name in NAMES], object)[TAPE.outputs]
    assert all(again is e or again == e == 2.5 for again, e in zip(traced, EXPRS, strict=True))


def test_frozen_comparisons_keep_their_outcome():
    written = tape([parse("10 if x < 1 else 20")], ["x"])
    modes = written.modes()
    assert run(run_tape, written, [0.5], float, modes)[written.outputs] == 10.0 and modes == 1.0
    later = run(run_tape, written, [3.0], float, modes, frozen=True)
    # x - 1 has changed sign: an event lies between
    assert later[written.outputs] == 10.0 and later[written.event_registers] == 2.0
    assert run(run_tape, written, [3.0], float, modes)[written.outputs] == 20.0 and modes == 0.0


def test_switches_are_left_minus_right():
    written = tape([parse("(x < y)*(2*t >= x)")], NAMES)
    # x - y; 2t >= x is x <= 2t
    assert run(run_tape, written, (1.0, 5.0, 3.0), float)[written.event_registers].tolist() == [2.0, 3.0]


def test_callback_registers_are_left_alone():
    written = tape([callback(max) * symbol("x") + 1], ["x"])
    r = written.registers()
    r[0] = 2.0
    r[written.callbacks[0][0]] = 5.0
    first = len(r) - len(written.code)
    run_tape(written.code, 0, len(written.code), first, written.table_i, written.table_f, r, written.modes(), False)
    assert r[written.outputs] == 11.0


def test_infinities_pass_without_an_error():
    written = tape([parse("1/x"), parse("x**-0.5"), parse("atan2(0, x)")], ["x"])
    assert run(run_tape, written, [0.0], float)[written.outputs].tolist() == [np.inf, np.inf, 0.0]
