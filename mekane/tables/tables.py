"""Tables, the constants of a compiled model, and Workspace, what kernels write. Columns are named in `columns`."""

import functools
from typing import NamedTuple

import numpy as np

from mekane.expressions.opcodes import COMPARISONS, DISCONTINUOUS, OPCODES
from mekane.tables import columns as at

Floats, Floats2, Integers, Integers2 = (np.ndarray,) * 4  # one or two axes; the names in annotations tell the compiler


class Tables(NamedTuple):
    body_i: "Integers2"  # (bodies+1, 7)   tree
    body_f: "Floats2"  # (bodies+1, 22)  place of the joint on the parent, mass properties
    primitive_i: "Integers2"  # (primitives, 4)
    primitive_f: "Floats2"  # (primitives, 5)
    speed_kind: "Integers"  # (speeds,)
    pair_i: "Integers2"  # (pairs, 2)      joints seen through their frames: cut, or measured
    pair_f: "Floats2"  # (pairs, 24)
    row_i: "Integers2"  # (rows + measurements, 10)  constraints first, then measurements
    row_f: "Floats2"  # (rows + measurements, 1)
    term_i: "Integers2"  # (terms, 7)     what each row pushes on
    path_start: "Integers"  # (paths+1,)  bodies between those of a row and the ground, outermost first
    path: "Integers"
    speed_start: "Integers"  # (paths+1,) speeds of the same bodies, each body's last one first
    path_speed: "Integers"
    e_start: "Integers"  # (rows+1,)      where a row begins in E
    d_start: "Integers"  # (rows+1,)      where a row begins in D: rows before it that share speeds with it, then itself
    d_row: "Integers"
    l_start: "Integers"  # (rows+1,)      where a row begins in the factor L, the diagonal left out
    l_row: "Integers"
    point_i: "Integers"  # (points,)
    point_f: "Floats2"  # (points, 3)
    line_i: "Integers2"  # (lines, 2)
    input_i: "Integers2"  # (inputs, 3)
    action_i: "Integers2"  # (actions, 9)
    code: "Integers2"  # (instructions, 4)  the laws, as one tape
    table_i: "Integers2"  # tabulated laws
    table_f: "Floats2"
    contact_i: "Integers2"  # (elements, 20)  contact laws
    count: "Integers"  # (N_COUNTS,) see below

    @classmethod
    def kinds(cls):
        return field_kinds(cls)


# count: coordinates, speeds, constraint rows, work integrals, first input register, rows that the right-hand side
# needs, address of the model's Python functions (0: none), inputs and instructions that constraint rows need (they
# stand first), integrals, constraint rows that the tape computes, speeds with rotors, register of
# the tape's first result, elements that the load of a joint limits. N_WORK counts all of the state after the speeds:
# integrals, then work
(
    N_Q,
    N_U,
    N_ROWS,
    N_WORK,
    FIRST_INPUT,
    N_READ,
    CALLBACK,
    CONSTRAINT_INPUTS,
    CONSTRAINT_CODE,
    N_CONTROLLER,
    N_EXPRESSION_ROWS,
    N_ROTORS,
    FIRST_RESULT,
    N_LOADS,
) = range(14)
N_COUNTS = 14


class Workspace(NamedTuple):
    body: "Floats2"  # (bodies+1, 66)
    speed: "Floats2"  # (speeds, 16)
    pair: "Floats2"  # (pairs, 36)
    row: "Floats2"  # (rows + measurements, 3)
    term: "Floats2"  # (terms, 6)
    point: "Floats2"  # (points, 9)
    line: "Floats2"  # (lines, 5)
    r: "Floats"  # registers of the tape, constants in place
    modes: "Floats"  # (comparisons,)  which branch each comparison chose
    measurement: "Floats"  # (rows + measurements,) last known value of each measured angle, to count whole turns
    measurement_rate: "Floats"  # (rows + measurements,) its rate then
    measurement_time: "Floats"  # (1,)         the time then
    wrench: "Floats2"  # (bodies+1, 6)   scratch
    E: "Floats"  # rows of B eliminated    see kernels.multipliers for these three
    D: "Floats"
    L: "Floats"
    dense: "Floats2"  # (rows, rows)     scratch for choosing rows: D; empty where rows are many
    chosen: "Floats2"  # (rows, rows)    scratch for choosing rows: a factor
    order: "Integers2"  # (2, rows) int    scratch for choosing rows
    scale: "Floats"  # (rows,)           factor of each row
    vectors: "Floats2"  # (5, rows)      pivot, right, lam, rest, work
    force: "Floats2"  # (4, speeds)      scratch over speeds; the second is zero between uses
    # (2,)                added to the diagonal of D, see kernels.multipliers; weakest pivot where rows are regular
    regularization: "Floats"
    multiplier: "Floats"  # (rows,)     lam in the units of its row; zero for rows not active
    active: "Integers"  # (rows,) int       1: active
    contact: "Integers"  # (elements,) int  mode of each element of a contact law: open, sliding, sticking
    # (2 elements, rows)  multipliers that unit friction of each sliding element calls up; unit accelerations of its two
    # tangents where sliding is incipient  (N.4)
    response: "Floats2"
    sizes: "Floats2"  # (2 elements, 2 elements+1)  equations for the sizes of friction, right side last  (N.4)
    next_size: "Floats"  # (elements,)  scratch
    incipient: "Floats2"  # (elements, 13)  elements that slide slowly in space
    load: "Floats2"  # (elements, 2 (elements+1))  load components of joints that unit friction of each calls up; then without
    state: "Integers"  # (6,) int         number of active rows; 1 while comparisons are frozen; refinements of
    # multipliers; 1 in a run, where measurements are known at measurement_time and expected from there on;
    # number of sliding elements; of active rows of contact laws that repeat others
    # the rest is empty unless constraints are embedded, see kernels.embedding
    B: "Floats2"  # (rows, speeds+1)     the active rows over all speeds, then their right side; factored in place
    partial: "Floats2"  # (speeds × (bodies+1), 6)  nonholonomic partial velocities
    reduced: "Floats2"  # (speeds, speeds+1)  the p equations, right side last; factored in place
    along: "Floats2"  # (2, speeds)      scratch over speeds
    # (3, speeds) int  speeds, dependent ones first; the row that settles each of those; 1: to stay independent
    partition: "Integers2"
    weakest: "Floats"  # (1,)            smallest pivot when speeds were last chosen
    # (3,) int      number of dependent speeds; times others were chosen; evaluations left to multipliers
    embedded: "Integers"

    @classmethod
    def kinds(cls):
        return field_kinds(cls)


@functools.cache
def field_kinds(cls):
    """For each field "i" or "f", and its number of axes, as annotated."""
    names = map(annotation, cls.__annotations__.values())
    return tuple(("i" if name.startswith("Integers") else "f", 2 if name.endswith("2") else 1) for name in names)


def annotation(kind):
    return getattr(kind, "__forward_arg__", kind)


N_ACTIVE, FROZEN, REFINEMENTS, FOLLOWING, N_SLIDING, N_REPEATED = range(6)
ORDER, BY_ROW, KEPT = range(3)  # of partition
N_DEPENDENT, CHOSEN_ANEW, LEFT = range(3)  # of embedded
REGULAR = (1e-11, 2)  # regularization, refinements
V_PIVOT, V_RIGHT, V_LAM, V_RESIDUAL, V_WORK = range(5)
MANY_ROWS = 300  # above this they are chosen in the order they stand, by the sparse factor


IS_COMPARISON, IS_DISCONTINUOUS = (
    np.isin(np.arange(max(OPCODES.values()) + 1), [OPCODES[name] for name in names])  # by opcode
    for names in (COMPARISONS, DISCONTINUOUS)
)


def n_outcomes(code):
    """Places for what is frozen of a tape: one for each comparison, two for each located jump; the instructions carry their
    numbers."""
    return int(IS_COMPARISON[code[:, 0]].sum() + 2 * (IS_DISCONTINUOUS[code[:, 0]] & (code[:, 3] >= 0)).sum())


def n_guards(tables):
    """Guards of contact laws: four for each element, and one for all."""
    return at.N_ELEMENT_GUARDS * len(tables.contact_i) + 1 if len(tables.contact_i) else 0


def workspace(tables, registers, gravity, dtype=float, embedded=False):
    """A workspace for these tables, all zero but for the ground, the constants of the laws and the list of active rows.

    embedded: with space for embedding, which is dense."""
    zeros = lambda *shape: np.zeros(shape, dtype)
    bodies, speeds, rows = len(tables.body_i), len(tables.speed_kind), int(tables.count[N_ROWS])
    few = rows if rows <= MANY_ROWS else 0
    dense, dense_rows = (speeds, rows) if embedded else (0, 0)
    w = Workspace(
        body=zeros(bodies, at.BODY_W),
        speed=zeros(speeds, at.SPEED_W),
        pair=zeros(len(tables.pair_i), at.PAIR_W),
        row=zeros(len(tables.row_i), at.ROW_W),
        term=zeros(len(tables.term_i), at.TERM_W),
        point=zeros(len(tables.point_i), at.POINT_W),
        line=zeros(len(tables.line_i), at.LINE_W),
        r=np.array(registers, dtype),
        modes=zeros(n_outcomes(tables.code) + n_guards(tables)),
        measurement=zeros(len(tables.row_i)),
        measurement_rate=zeros(len(tables.row_i)),
        measurement_time=zeros(1),
        wrench=zeros(bodies, 6),
        E=zeros(int(tables.e_start[-1])),
        D=zeros(len(tables.d_row)),
        L=zeros(len(tables.l_row)),
        dense=zeros(few, few),
        chosen=zeros(few, few),
        order=np.zeros((2, rows), np.int64),
        scale=zeros(rows) + 1.0,
        vectors=zeros(5, rows),
        force=zeros(4, speeds),
        regularization=np.array([REGULAR[0], 1.0]).astype(dtype),
        multiplier=zeros(rows),
        active=np.ones(rows, np.int64),
        contact=np.zeros(len(tables.contact_i), np.int64),
        response=zeros(2 * len(tables.contact_i), rows),
        sizes=zeros(2 * len(tables.contact_i), 2 * len(tables.contact_i) + 1),
        next_size=zeros(len(tables.contact_i)),
        incipient=zeros(len(tables.contact_i), at.INCIPIENT_W),
        load=zeros(len(tables.contact_i), 2 * (len(tables.contact_i) + 1)),
        state=np.array([rows, 0, REGULAR[1], 0, 0, 0]),
        B=zeros(dense_rows, dense + 1),
        partial=zeros(dense * bodies, 6),
        reduced=zeros(dense, dense + 1),
        along=zeros(2, dense),
        partition=np.zeros((3, dense), np.int64),
        weakest=np.zeros(1),
        embedded=np.array([-1, 0, 0]),
    )
    w.body[0, at.B_R : at.B_R + 9] = np.eye(3).ravel()
    w.body[0, at.B_A : at.B_A + 3] = -np.asarray(gravity)
    return w
