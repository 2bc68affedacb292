"""Random expressions in every machine that evaluates them, against mpmath in 40 digits.

    PYTHONPATH=. python tests/fuzz/fuzz_expressions.py --count 10000 --seed 0

Values: the graph, the tape and machine code made for the expression. Slopes: symbolic, and by a complex step through
the tape. Each must be as near to the exact number as round-off lets it be: as near as 40-digit evaluations that are
disturbed by a few units in the last place of a double in every operation are to one another, times MARGIN. Where there
is no number, all machines must agree on that.
"""

import ctypes
import random

import mpmath as mp
import numpy as np
from by_hand import main
from random_expression import NAMES, ROUNDING, Doubtful, Undefined, coordinate, exact, text_of, tree

from mekane.codegen import emit
from mekane.codegen.llvm_writer import Place
from mekane.codegen.machine_code import Machine
from mekane.errors import MekaneError
from mekane.expressions.graph import Expr, differentiate, evaluate, symbol, to_text
from mekane.expressions.parse import parse
from mekane.expressions.tape import tape
from mekane.kernels.tape import run_tape
from mekane.numba_backend.kernel import plain

TREES, POINTS, DISTURBED = 10, 3, 6
MARGIN = 60  # between the largest of DISTURBED differences and what round-off of other formulas may do
LEAST = mp.mpf("1e-50")  # a complex step leaves its square
STEP = 1e-30  # of the complex step


def check(seed):
    rng = random.Random(seed)
    with mp.workdps(40), np.errstate(all="ignore"):
        trees = [tree(rng, rng.randint(1, 4)) for _ in range(TREES)]
        machines = Machines([one for one in trees if read(one) is not None])
        problems = [
            machines.problem(k, {name: coordinate(rng) for name in NAMES}, rng)
            for k in range(len(machines.trees))
            for _ in range(POINTS)
        ]
    found = [problem for problem in problems if problem]
    return ("failed" if found else "agreed"), "\n    ".join(found[:3])


def read(one):
    """The expression of a tree; None if Mekane refuses it, as it does a division by the number zero."""
    try:
        return parse(text_of(one), NAMES)
    except MekaneError:
        return None


class Machines:
    """Everything that evaluates expressions, for some of them at once."""

    def __init__(self, trees):
        self.trees, self.exprs = trees, [read(one) for one in trees]
        self.derivatives = [differentiate(expr, symbol("x")) if isinstance(expr, Expr) else 0.0 for expr in self.exprs]
        self.again = [parse(to_text(expr), NAMES) if isinstance(expr, Expr) else expr for expr in self.exprs]
        self.tape, self.code = tape(self.exprs, NAMES), machine_code([*self.exprs, *self.derivatives])

    def problem(self, k, point, rng):
        """What is wrong with an expression at a point; "" if nothing."""
        values, derivatives = self.values(k, point), self.derivatives_of(k, point)
        try:
            (value, derivative), spreads = reference(self.trees[k], point, rng)
        except Doubtful:
            return ""
        except Undefined:
            numbers = {name: bool(np.isfinite(found)) for name, found in values.items()}
            return (
                ""
                if len(set(numbers.values())) == 1
                else f"{text_of(self.trees[k])} at {point}: a number only for some: {values}"
            )
        wrong = {name: found for name, found in values.items() if not near(found, value, spreads[0])}
        if derivative is not None and spreads[1] is not None:
            wrong |= {name: found for name, found in derivatives.items() if not near(found, derivative, spreads[1])}
        wanted = f"{mp.nstr(value, 17)}, derivative {mp.nstr(derivative, 17) if derivative is not None else None}"
        return (
            f"{text_of(self.trees[k])} at {point}: {wrong} instead of {wanted}, give or take {spreads}" if wrong else ""
        )

    def values(self, k, point):
        given = [point[name] for name in NAMES]
        return {"graph": float(evaluate([self.exprs[k]], point)[0]), "written and read": float(evaluate([self.again[k]], point)[0]),
                "tape": float(self.taped(given, float)[k]), "machine code": float(self.code(given)[k])}  # fmt: skip

    def derivatives_of(self, k, point):
        given = np.array([point[name] for name in NAMES], complex)
        given[0] += STEP * 1j
        return {
            "symbolic derivative": float(evaluate([self.derivatives[k]], point)[0]),
            "complex step": float(self.taped(given, complex, plain(run_tape))[k].imag / STEP),
            "machine code of the derivative": float(self.code(given.real)[len(self.exprs) + k]),
        }

    def taped(self, given, dtype, run=run_tape):
        r = self.tape.registers(dtype)
        r[: len(given)] = given
        first = len(r) - len(self.tape.code)
        run(
            self.tape.code,
            0,
            len(self.tape.code),
            first,
            self.tape.table_i,
            self.tape.table_f,
            r,
            self.tape.modes(),
            False,
        )
        return r[self.tape.outputs]


def machine_code(outputs):
    """A function of the inputs that gives all outputs."""
    places = {symbol(name): Place("a", k) for k, name in enumerate(NAMES)}
    body, arrays = emit.function("body", places, {Place("b", k): x for k, x in enumerate(outputs)})
    opened = f"define void @f(ptr %a, ptr %b) {{\n  call void @body({', '.join(f'ptr %{array}' for array in arrays)})\n  ret void\n}}"
    machine = Machine(emit.module([body], opened), keep=False)
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(machine.address("f"))

    def run(given, kept=machine):
        a, b = np.array(given, float), np.zeros(len(outputs))
        call(a.ctypes.data, b.ctypes.data)
        return b

    return run


def reference(one, point, rng):
    """(value, derivative), and by how much round-off may change them."""
    found = exact(one, point)
    try:
        disturbed = [exact(one, point, lambda: ROUNDING * (2 * rng.random() - 1)) for _ in range(DISTURBED)]
    except Undefined as error:  # (-2)**(x/x): round-off alone decides whether there is a number
        raise Doubtful from error
    if any(derivative is None for _, derivative in [found, *disturbed]):
        return (found[0], None), (max(abs(value - found[0]) for value, _ in disturbed), None)
    return found, tuple(max(abs(other[k] - found[k]) for other in disturbed) for k in range(2))


def near(found, wanted, spread):
    return (
        bool(np.isfinite(found)) and abs(mp.mpf(found) - wanted) <= MARGIN * (spread + ROUNDING * abs(wanted)) + LEAST
    )


if __name__ == "__main__":
    main(check, __doc__)
