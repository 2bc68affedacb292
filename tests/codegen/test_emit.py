"""Expressions as machine code. Oracle: every operation against NumPy's function on random and special arguments, one
lane and several.

Tolerance: arithmetic, square root, floor and comparisons are exact; functions are within one unit in the last place of
the true value, and so is NumPy: two apart. The sine and cosine of the code itself are held against 30 digits of mpmath
where it is installed.
"""

import ctypes

import numpy as np
import pytest

from mekane.codegen import emit
from mekane.codegen.llvm_writer import Place
from mekane.codegen.machine_code import Machine, key_of, place
from mekane.expressions.graph import Expr, Table, evaluate, symbol
from mekane.expressions.node import node
from mekane.expressions.opcodes import OPCODES

LANES = pytest.mark.parametrize("lanes", [1, 4])
EXACT = ("add", "sub", "mul", "div", "neg", "sqrt", "floor", "less", "less_equal", "select")
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, -1e-300, 5e-324, 1e300, -1e300, np.inf, -np.inf, np.nan]
SPECIAL += [np.pi, -np.pi / 2, 0.1, 1e6, 1.6e6, 3e15]
CURVES = [
    Table((0.0, 1.0, 2.5, 3.0), (1.0, 2.0, -1.0, 0.5), kind, order) for kind in ("linear", "cubic") for order in (0, 1)
]


def arguments(n):
    """Random arguments of many sizes, and every pair of special ones."""
    rng = np.random.default_rng(n)
    random = rng.normal(size=(2000, n)) * 10.0 ** rng.uniform(-8, 8, size=(2000, n))
    mild = rng.uniform(-1, 4, size=(2000, n))
    grid = np.array(np.meshgrid(*[SPECIAL] * min(n, 2))).reshape(min(n, 2), -1).T
    grid = np.column_stack([grid, rng.normal(size=(len(grid), n - grid.shape[1]))])
    return np.concatenate([random, mild, grid])


def machine_of(inputs, outputs, lanes):
    """A function (arguments, one row per evaluation) → results, by machine code."""
    places = {x: Place("a", k) for k, x in enumerate(inputs)}
    body, arrays = emit.function("body", places, {Place("b", k): x for k, x in enumerate(outputs)}, lanes)
    opened = f"define void @f(ptr %a, ptr %b) {{\n  call void @body({', '.join(f'ptr %{array}' for array in arrays)})\n  ret void\n}}"
    machine = Machine(emit.module([body], opened), keep=False)
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(machine.address("f"))

    def run(x, kept=machine):
        found, x = np.zeros((len(x), len(outputs))), np.concatenate([x, x[: -len(x) % lanes]])
        for k in range(0, len(found), lanes):
            a, b = np.ascontiguousarray(x[k : k + lanes].T), np.zeros((len(outputs), lanes))
            call(a.ctypes.data, b.ctypes.data)
            found[k : k + lanes] = b.T[: len(found) - k]
        return found

    return run


def units_apart(a, b):
    """Difference in units of the last place; none where both are no number."""
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(a - b) / np.spacing(np.maximum(np.abs(b), 1e-300))
    return np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, off)


@pytest.mark.thinned("lanes")
@LANES
@pytest.mark.parametrize("op", sorted(OPCODES))
def test_every_operation(op, lanes):
    n = {"pow": 2, "atan2": 2, "add": 2, "sub": 2, "mul": 2, "div": 2, "less": 2, "less_equal": 2, "select": 3}.get(
        op, 1
    )
    inputs = [symbol(f"x{k}") for k in range(n)]
    outputs = [node(op, *inputs, data=curve) for curve in CURVES] if op == "table" else [node(op, *inputs)]
    x = arguments(n)
    found = machine_of(inputs, outputs, lanes)(x)
    with np.errstate(all="ignore"):
        wanted = np.array([evaluate(outputs, {f"x{k}": v for k, v in enumerate(row)}) for row in x], float)
    assert np.isfinite(wanted).mean() > 0.3
    assert units_apart(found, wanted).max() <= (0.0 if op in EXACT else 2.0), x[
        np.argmax(units_apart(found, wanted).max(axis=1))
    ]


@LANES
def test_sine_and_cosine_to_the_last_place(lanes):
    """Oracle: 60 digits. Near multiples of π/2, where most digits cancel, and on both sides of where the library takes
    over."""
    mp = pytest.importorskip("mpmath")
    rng, x = np.random.default_rng(3), symbol("x")
    near = np.round(10.0 ** rng.uniform(0, 5.9, 400)) * (np.pi / 2) * (1 + rng.integers(-3, 4, 400) * 2.0**-52)
    angles = np.concatenate(
        [near, -near, rng.uniform(-2e6, 2e6, 300), rng.uniform(-4, 4, 400), 10.0 ** rng.uniform(-20, 18, 200)]
    )
    found = machine_of([x], [x.sin(), x.cos()], lanes)(angles[:, None])
    with mp.workdps(60):
        for k, function in enumerate((mp.sin, mp.cos)):
            exact = [function(mp.mpf(float(angle))) for angle in angles]
            off = [
                float(abs(mp.mpf(float(a)) - b)) / np.spacing(abs(float(b)))
                for a, b in zip(found[:, k], exact, strict=True)
            ]
            assert max(off) < 1.0, angles[int(np.argmax(off))]


def test_an_array_may_be_read_and_written():
    """Reads come before writes: two numbers change places."""
    a, b = symbol("one"), symbol("two")
    body, _ = emit.function("body", {a: Place("v", 0), b: Place("v", 1)}, {Place("v", 0): b, Place("v", 1): a + 1.0})
    machine = Machine(
        emit.module([body], "define void @f(ptr %v) {\n  call void @body(ptr %v)\n  ret void\n}"), keep=False
    )
    v = np.array([3.0, 5.0])
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(machine.address("f"))(v.ctypes.data)
    assert v.tolist() == [5.0, 4.0]


def test_constants_are_written_to_the_last_bit_and_what_is_common_once():
    x = symbol("x")
    third = x * (1.0 / 3.0)
    body, _ = emit.function(
        "body", {x: Place("a", 0)}, {Place("b", 0): third, Place("b", 1): third + third * third, Place("b", 2): 0.1}
    )
    assert body.operations == 3 and isinstance(third, Expr)
    assert machine_of([x], [third, 0.1], 1)(np.array([[1.0]])).tolist() == [[1.0 / 3.0, 0.1]]


def test_code_is_found_on_disk_the_second_time():
    x = symbol("x")
    body, _ = emit.function("body", {x: Place("a", 0)}, {Place("b", 0): x * 0.123456789 + 42.0})
    text = emit.module([body], "define void @f(ptr %a, ptr %b) {\n  call void @body(ptr %a, ptr %b)\n  ret void\n}")
    file = place(key_of(text))
    file.unlink(missing_ok=True)
    assert not Machine(text).was_stored and Machine(text).was_stored
    file.write_bytes(b"no object code")
    assert not Machine(text).was_stored and Machine(text).was_stored
