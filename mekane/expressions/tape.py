"""Expressions as a tape: a list of instructions on numbered registers, run by `mekane.kernels.tape.run_tape`.

Registers, in this order: inputs, constants, callbacks, and one for the result of each instruction.
An instruction is four integers (opcode, a, b, c), where a, b, c are registers, except
    less, less_equal   c is the running number of the comparison
    table              b is the number of the table
    floor, atan2       c is the place of what is frozen in a step, see frozen_discontinuities.py; -1: it is not
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mekane.errors import ExpressionError, did_you_mean
from mekane.expressions.discontinuity_times import event_sizes, event_time, lines_in_time
from mekane.expressions.frozen_discontinuities import GUARDS, discontinuities_of_state
from mekane.expressions.located_discontinuities import are_wanted, with_comparisons
from mekane.expressions.node import Expr, scalar, sub
from mekane.expressions.opcodes import COMMUTATIVE, COMPARISONS, DISCONTINUOUS, OPCODES
from mekane.expressions.traversal import topological


@dataclass(frozen=True, eq=False)
class Tape:
    inputs: tuple[str, ...]
    constants: np.ndarray  # float64[n_constants], or complex128 where they carry a derivative
    # (register, function): fill the register with the function's value before running
    callbacks: list[tuple[int, Callable]]
    code: np.ndarray  # int64[n, 4]     instructions
    outputs: np.ndarray  # int64[m]     register of each output
    comparisons: list[int]  # the instruction of each comparison
    event_registers: np.ndarray  # int64[n_cmp]  register of left - right of each comparison
    event_is_time: np.ndarray  # bool[n_cmp]  the instant of change is known and stands in event_sizes
    # {instant: size}, sorted: a comparison linear in t changes (inf), or a table of t has a slope discontinuity
    event_sizes: dict[float, float]
    discontinuities: list[int]  # the instruction of each floor and atan2 of the state
    discontinuity_registers: (
        np.ndarray
    )  # int64[2 n_discontinuities]  how far it is from each up to its next jump above and below
    discontinuity_sides: np.ndarray  # int64[2 n_discontinuities]  see frozen_discontinuities
    table_i: np.ndarray  # int64[n_tables, 3]  first and last + 1 row in table_f, Table.code
    table_f: np.ndarray  # float64[k, 6]       Table.rows of all tables
    formulas: dict[str, Expr]  # names that stand for expressions of inputs, which callbacks may read

    def registers(self, dtype=None):
        """New registers with the constants in place; of the type of these unless another is given."""
        r = np.zeros(
            len(self.inputs) + len(self.constants) + len(self.callbacks) + len(self.code), dtype or self.constants.dtype
        )
        r[len(self.inputs) : len(self.inputs) + len(self.constants)] = self.constants
        return r

    def event_times(self, smallest=0.0):
        """Instants at which steps shall end: slope discontinuities of tables only where they are
        larger than this share of a table's range."""
        return np.array([t for t, size in self.event_sizes.items() if size > smallest], float)

    def modes(self, dtype=float):
        """New storage for the outcomes of the comparisons, and what is frozen of jumps."""
        return np.zeros(len(self.comparisons) + len(self.discontinuity_registers), dtype)


def tape(outputs, input_names, formulas=None, n_fixed=None):
    """The tape that computes outputs (expressions or numbers) from inputs in the given order. What is common is
    computed once. formulas: see Tape. n_fixed: so many inputs after the first, t, keep their value during a motion; jumps
    of what depends on others are located then."""
    outputs = with_comparisons(list(map(scalar, outputs)))
    nodes = topological(outputs)
    differences = {node: sub(*node.args) for node in nodes if node.op in COMPARISONS}
    found = {} if n_fixed is None or are_wanted() else discontinuities_of_state(nodes, input_names[: 1 + n_fixed])
    results = [*outputs, *differences.values(), *(guard for pair in found.values() for guard in pair)]
    if differences or found:
        nodes = topological(results)
    lines = lines_in_time(nodes)
    writer = _Writer(nodes, results, tuple(input_names), found)
    table_i, table_f = _pack(writer.tables)
    return Tape(
        inputs=writer.inputs,
        constants=numbers(list(writer.constants)),
        callbacks=[(writer.register[node], node.data) for node in writer.callbacks],
        code=writer.numbered_code(),
        outputs=np.array([writer.at(x) for x in outputs], np.int64),
        comparisons=[writer.register[node] - writer.first_result for node in writer.comparisons],
        event_registers=np.array([writer.at(differences[node]) for node in writer.comparisons], np.int64),
        event_is_time=np.array([event_time(node, lines) is not None for node in writer.comparisons], bool),
        event_sizes=event_sizes(nodes, lines),
        discontinuities=[writer.register[node] - writer.first_result for node in writer.discontinuities],
        discontinuity_registers=np.array(
            [writer.at(guard) for node in writer.discontinuities for guard in found[node]], np.int64
        ),
        discontinuity_sides=np.array([side for node in writer.discontinuities for side in GUARDS[node.op]], np.int64),
        table_i=table_i,
        table_f=table_f,
        formulas=dict(formulas or {}),
    )


class _Writer:
    """Gives every node and constant its register, and writes the instructions."""

    def __init__(self, nodes, results, inputs, located=()):
        self.inputs, self.callbacks = inputs, [node for node in nodes if node.op == "callback"]
        numbers = dict.fromkeys(
            x for x in [*(x for node in nodes for x in node.args), *results] if not isinstance(x, Expr)
        )
        self.constants = {x: len(inputs) + i for i, x in enumerate(numbers)}  # number -> register
        # node -> register
        self.register = {node: len(inputs) + len(numbers) + i for i, node in enumerate(self.callbacks)}
        self.first_result = len(inputs) + len(numbers) + len(self.callbacks)
        self.code, self.comparisons, self.tables, self.written = [], [], {}, {}
        self.located, self.discontinuities = (
            located,
            [],
        )  # floors and atan2 whose jumps are located; those that are written
        for node in nodes:
            if node.op != "callback":
                self.register[node] = self.input(node.name) if node.op == "input" else self.result(node)

    def at(self, x):
        """The register of an expression or number."""
        return self.register[x] if isinstance(x, Expr) else self.constants[x]

    def input(self, name):
        if name not in self.inputs:
            raise ExpressionError("expression", f"{name!r} is not known", remedy=did_you_mean(name, self.inputs))
        return self.inputs.index(name)

    def result(self, node):
        """The register of an operation, whose instruction is written unless the same is there already."""
        args = [self.at(x) for x in node.args]
        if node.op == "table":
            args.append(self.tables.setdefault(node.data, len(self.tables)))
        key = (OPCODES[node.op], *(sorted(args) if node.op in COMMUTATIVE else args))
        if key not in self.written:
            self.written[key] = self.first_result + len(self.code)
            if node.op in COMPARISONS:
                args.append(len(self.comparisons))
                self.comparisons.append(node)
            line = [OPCODES[node.op], *args, *[0] * (3 - len(args))]
            if node.op in DISCONTINUOUS:
                line[3] = len(self.discontinuities) if node in self.located else -1
                self.discontinuities += [node] if node in self.located else []
            self.code.append(line)
        return self.written[key]

    def numbered_code(self):
        """The instructions; places of jumps stand behind the outcomes of comparisons, two for each."""
        code = np.array(self.code, np.int64).reshape(-1, 4)
        located = np.isin(code[:, 0], [OPCODES[op] for op in DISCONTINUOUS]) & (code[:, 3] >= 0)
        code[located, 3] = len(self.comparisons) + 2 * code[located, 3]
        return code


def numbers(values):
    """An array of floats, or of complex numbers if one of them is."""
    return np.array(values, complex if any(isinstance(x, complex) for x in values) else float)


def _pack(tables):
    rows = [table.rows for table in tables]
    ends = np.cumsum([0] + [len(r) for r in rows])
    table_i = np.array([(a, b, table.code) for a, b, table in zip(ends, ends[1:], tables, strict=False)], np.int64)
    return table_i.reshape(-1, 3), np.concatenate(rows) if rows else np.zeros((0, 6))
