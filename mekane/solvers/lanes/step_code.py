"""What an explicit Runge–Kutta step does with each number of the state, as code over lanes.

Functions  void name(ptr y, ptr new, ptr numbers, ptr derivatives, ptr out, i64 n)  go through n numbers of the state.

    stage 1 …   out = y + h Σ A k         numbers: h
    step        out = y + h Σ b k
    error       out += squares of the error over its tolerance, of each error formula    numbers: atol, rtol
    dense       out = coefficients of the dense output, highest power last
    sample      y at a share θ of the step; derivatives: those coefficients, numbers: θ
    take        y = new where accepted, and its slope        numbers: 1 where accepted
"""

from functools import cache

import numpy as np

from mekane.codegen import emit
from mekane.codegen.entry_code import at, place_of
from mekane.codegen.llvm_writer import Place, Shape, Writer
from mekane.codegen.machine_code import Machine
from mekane.expressions.graph import absolute, maximum, select, topological
from mekane.expressions.node import own_nodes
from mekane.solvers import integrators

ARRAYS = ("y", "new", "numbers", "derivatives", "out")
NAMES = ("step", "error", "dense", "sample", "take")  # after the stages


def stride_of(tableau):
    """Derivatives kept for each number of the state: odd, so that they spread over the sets of a cache."""
    return len(tableau.A) + 1 - len(tableau.A) % 2


@cache
def step_functions(method, lanes):
    """Machine code for a method by name, and the addresses: of every stage (the first has none), then of NAMES."""
    tableau = integrators.find(method).method
    with own_nodes():
        made = {name: looped(name, *one, lanes) for name, one in expressions(tableau).items()}
    needs = {key: text for _, more in made.values() for key, text in more.items()}
    machine = Machine("\n".join([*needs.values(), *(text for text, _ in made.values()), ""]))
    names = [f"stage{max(i, 1)}" for i in range(len(tableau.A))] + list(NAMES)
    return machine, np.array([machine.address(name) if name in made else 0 for name in names])


def expressions(tableau):
    """{name: (stride of each array, {Place: expression})}"""
    stages, degree = tableau.P.shape
    y, new, h, k = at("y"), at("new"), at("numbers"), [at("derivatives", j) for j in range(stages)]
    wide = dict(y=1, new=1, numbers=0, derivatives=stride_of(tableau), out=1)
    rows = {f"stage{i}": tableau.A[i] for i in range(1, stages)} | {"step": tableau.b}
    found = {name: (wide, {Place("out", 0): y + h * weighted(row, k)}) for name, row in rows.items()}
    if len(tableau.error):
        found["error"] = wide | dict(out=0), squared_errors(tableau.error, k)
    coefficients = {Place("out", d): h * weighted(tableau.P[:, d], k) for d in range(degree)}
    found["dense"] = wide | dict(out=degree), coefficients
    found["sample"] = wide | dict(derivatives=degree), {Place("out", 0): y + horner(k[:degree], h)}
    taken = {Place("y", 0): select(h, new, y), Place("derivatives", 0): select(h, k[len(tableau.b)], k[0])}
    return found | {"take": (wide, taken)}


def weighted(row, derivatives):
    """Σ row k"""
    return sum((float(w) * x for w, x in zip(row, derivatives, strict=False) if w != 0.0), 0.0)


def squared_errors(error, derivatives):
    scale = at("numbers", 0) + at("numbers", 1) * maximum(absolute(at("y")), absolute(at("new")))
    parts = [weighted(row, derivatives) / scale for row in error]
    return {Place("out", d): at("out", d) + part * part for d, part in enumerate(parts)}


def horner(coefficients, theta):
    """Σ c_d θ^(d + 1)"""
    value = 0.0
    for c in reversed(coefficients):
        value = (value + c) * theta
    return value


def looped(name, strides, outputs, lanes):
    """A function that goes through the numbers of the state, and what its module needs."""
    nodes, writer = topological(outputs.values()), Writer(Shape(lanes))
    inputs = {node: place_of(node) for node in nodes if node.op == "input"}
    emit.write(writer, inputs, outputs, nodes, emit.ExactOperands(writer, nodes, inputs, outputs.values()))
    lines = [f"define void @{name}({', '.join(f'ptr noalias %{one}s' for one in ARRAYS)}, i64 %n) nounwind {{"]
    lines += ["  br label %next", "next:", "  %m = phi i64 [0, %0], [%more, %next]"]
    for array in ARRAYS:
        lines.append(f"  %{array}_shift = mul i64 %m, {lanes * strides[array]}")
        lines.append(f"  %{array} = getelementptr double, ptr %{array}s, i64 %{array}_shift")
    lines += [*writer.lines, "  %more = add i64 %m, 1", "  %again = icmp slt i64 %more, %n"]
    lines += ["  br i1 %again, label %next, label %end", "end:", "  ret void", "}"]
    return "\n".join(lines), writer.needs
