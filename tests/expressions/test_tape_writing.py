"""Tapes: what stands in them. That they compute the right thing is tested with the machine, in tests/kernels."""

import numpy as np
import pytest

from mekane.errors import ExpressionError
from mekane.expressions.graph import callback, symbol
from mekane.expressions.opcodes import ADD, LESS, MUL, SIN
from mekane.expressions.parse import parse
from mekane.expressions.tape import tape

x, y = symbol("x"), symbol("y")


def test_layout():
    written = tape([np.sin(x) * 2.0 + y, 2.0, y], ["x", "y", "unused"])
    assert written.inputs == ("x", "y", "unused") and written.constants.tolist() == [2.0]
    assert written.code.tolist() == [[SIN, 0, 0, 0], [MUL, 4, 3, 0], [ADD, 5, 1, 0]]
    assert written.outputs.tolist() == [6, 3, 1]
    assert written.registers().tolist() == [0, 0, 0, 2.0, 0, 0, 0] and written.registers(complex).dtype == complex
    assert written.modes().shape == (0,) and written.table_i.shape == (0, 3) and written.table_f.shape == (0, 6)


def test_common_parts_are_computed_once():
    shared = np.sin(x) * y
    # also when written the other way round
    assert len(tape([shared + 1, shared * shared, y * np.sin(x)], ["x", "y"]).code) == 4


def test_nothing_to_compute():
    assert tape([], ["x"]).code.shape == (0, 4) and tape([x, 1.0], ["x"]).outputs.tolist() == [0, 1]


def test_comparisons_have_running_numbers_and_switches():
    written = tape([parse("(x < y)*(y < 2)*(x < y)")], ["x", "y"])
    assert [written.code[i, 0] for i in written.comparisons] == [LESS, LESS]
    assert [written.code[i, 3] for i in written.comparisons] == [0, 1]
    assert (
        len(written.event_registers) == 2
        and written.event_is_time.tolist() == [False, False]
        and len(written.event_times()) == 0
    )


# fmt: off
@pytest.mark.parametrize(("text", "times", "is_time"), [
    ("t < 0.5", [0.5], [True]), ("2*t - 1 > 0", [0.5], [True]), ("t/3 >= 1", [3.0], [True]), ("1 - t <= t*4", [0.2], [True]),
    ("-(t - 0.1)*10 < 2 - 1", [0.0], [True]), ("0.1*t < 0.3", [0.3 / 0.1], [True]), ("t < 2 and t > 1", [1.0, 2.0], [True, True]),
    ("t*t < 4", [], [False]), ("t < x", [], [False]), ("x*t < 1", [], [False]), ("t < t + 1", [], [False]), ("sin(t) > 0", [], [False]),
    ("t % 1 < 0.5", [], [False]), ("1/t < 2", [], [False]), ("abs(t - 1)", [1.0], [True]),
    ("min(t, 3)*max(2, t)", [2.0, 3.0], [True, True]),
    ("table(2*t - 1, (0, 1), (1, 2), (5, 4))", [0.5, 1.0, 3.0], []), ("spline(t, (0, 1), (1, 2), (5, 4))", [0.0, 5.0], []),
    ("table(x, (0, 1), (1, 2))", [], []), ("table(t*t, (0, 1), (1, 2))", [], []), ("t*1e-200 < 1e200", [], [False]),
])  # fmt: on
def test_instants_known_beforehand(text, times, is_time):
    """Oracle: solved by hand. Exact, but where the text itself holds rounded numbers (0.1 and 0.3 are not those
    decimals)."""
    written = tape([parse(text)], ["t", "x"])
    assert sorted(written.event_is_time) == sorted(is_time)
    found = list(written.event_sizes)
    assert found == pytest.approx(times, abs=1e-15) and (len(times) == 0 or "0.1" in text or found == times)


def test_callbacks_get_registers_of_their_own():
    written = tape([callback(max) * x + callback(min), callback(max)], ["x"])
    assert written.callbacks == [(1, max), (2, min)] and written.outputs.tolist() == [4, 1] and written.registers().shape == (5,)


def test_unknown_input_is_named():
    with pytest.raises(ExpressionError, match="'arm.angel' is not known. Did you mean 'arm.angle'"):
        tape([symbol("arm.angel")], ["t", "arm.angle"])
