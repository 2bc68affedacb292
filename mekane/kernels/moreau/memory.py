"""What a step of Moreau's method keeps and uses: the contacts that can act in it, their rows and impulses.

Row c of contact k (0 normal, 1 and 2 tangents) is E[s, c] over the speeds index[s], s from start[k] to start[k + 1]: a row of
partial velocities eliminated as in (E.4), and divided by the roots of the pivots. In these coordinates the mass matrix is
one, so that impulses P change velocities by  x += Σ E P,  and a contact moves at  g + Σ E x  along its rows.
"""

from typing import NamedTuple

import numpy as np

from mekane.numba_backend.deferred import Deferred
from mekane.numba_backend.header import Layout
from mekane.tables.columns import EXPRESSION, ROW_KIND, ROW_WORK
from mekane.tables.tables import Floats, Floats2, Integers, Integers2, field_kinds

WINDOW = 6  # differences that the second stage looks back at
# rows of history: differences of F, then of G; F and G themselves, an iterate before, the best one
OF_F, OF_G, OLD, BEST = range(2 * WINDOW, 2 * WINDOW + 4)
N_HISTORY = 2 * WINDOW + 4

# numbers: what a solution is accepted at, relative; size of gravity [m/s²]; then of the last step its residual and the
# velocity that it is relative to; the largest residual so far, and when that was; size of the cells of the search [m], and
# what gaps are looked at; the smallest gap that it has found; by how much surfaces yield there, of D; energy that rebounds have
# created so far [J]
N_NUMBERS = 11
TOLERANCE, GRAVITY, RESIDUAL, SCALE, WORST, WORST_TIME, CELL, REACH, DEEPEST, YIELDING, GAINED = range(N_NUMBERS)

# counts: contacts in the last step; most sweeps; sweeps of the last step; then sums over all steps: contacts, sweeps,
# contacts × sweeps; most contacts in a step; steps with a residual above the tolerance; 1: there was not enough space;
# contacts of the last step that the search found, of which impulses are known; the shapes of the smallest gap; contacts that rebound
# in this step
N_COUNTS = 13
CONTACTS, MOST_SWEEPS, SWEEPS, ALL_CONTACTS, ALL_SWEEPS, UPDATES, MOST_CONTACTS, MISSED, FULL, KNOWN = range(10)
DEEPEST_FIRST, DEEPEST_SECOND, REBOUNDS = 10, 11, 12

# set: coefficient of friction, impulse that friction has besides, velocity that the normal one is not to fall below; the
# first two where it sticks; by how much the velocity along the normal may fall short for each unit of impulse; of an impact without
# rebound the velocity that is left for the next step, and where its friction is known: 1, and impulses along the tangents by that
# along the normal (kernels.moreau.split_impacts)
N_SET = 10
MU, CAPACITY, TARGET, STATIC_MU, STATIC_CAPACITY, COMPLIANCE, LATER, IS_KNOWN, FIRST_SHARE, SECOND_SHARE = range(N_SET)

# shapes of the search: columns of shape_i, shape_f and placed
N_SHAPE_I = 3
LAW, BODY, KIND = range(N_SHAPE_I)
SEGMENT, BOX, PLANE = range(3)  # kinds: a sphere is a segment without length
N_SHAPE_F = 17
CENTRE, AXES, HALF, RADIUS, BOUND = (
    0,
    3,
    12,
    15,
    16,
)  # in the body: centre, axes in columns; half lengths, radius; of a sphere about it
N_PLACED = 12  # centre and axes, one after the other, in N

# laws of the search: columns of law_i and law_f
WORK, COUNT = range(2)  # where its work stands behind the speeds; the register of its number of contacts
FRICTION, RESTITUTION = range(2)

# frame: of a contact that the search found, in N
N_FRAME = 9
NORMAL, FIRST_TANGENT, SECOND_TANGENT = 0, 3, 6
N_IMPULSE = 4  # along the normal, and across it in N


class Memory(NamedTuple):
    numbers: "Floats"
    counts: "Integers"
    restitution: "Floats"  # (elements,)
    contact_of: "Integers"  # (elements,) int  of what resists rolling or spinning: the element that presses it; -1: it is its own
    in_step: "Integers"  # (elements,) int  its number among the contacts of the step, -1: none, -2: it must be one
    last: "Floats2"  # (elements, 3)  impulses of the last step
    mode: "Integers"  # (elements,) int  in the last step: open, sliding, sticking
    direction: "Floats2"  # (elements, 2)  of sliding
    rate: "Floats"  # (rows,)  of all constraint rows with the speeds at the start of the step
    twist: "Floats2"  # (bodies+1, 6)  likewise of all bodies
    q: "Floats"  # (coordinates,)
    y: "Floats"  # (state,)  at the middle of a step
    yd: "Floats"  # (state,)
    u: "Floats2"  # (2, speeds)  at the middle of a step: without impulses of contacts; scratch
    x: "Floats"  # (speeds,)  see above
    root: "Floats"  # (speeds,)  of the inverse pivots
    place: "Integers"  # (speeds,) int  where a speed stands in the row at hand, -1: not there
    # contacts of the step
    element: "Integers"  # (contacts,) int  its number; of one that the search found −1 − its key
    start: "Integers"  # (contacts + 1,) int
    pressed: "Integers"  # (contacts,) int  the contact whose normal impulse limits its friction: mostly itself
    coupled: "Integers"  # (contacts,) int  1: an impulse along one of its rows changes the velocity along another
    P: "Floats2"  # (contacts, 3)  impulses
    g: "Floats2"  # (contacts, 3)  velocities without them, less the TARGET
    before: "Floats2"  # (contacts, 3)  velocities at the start of the step
    D: "Floats2"  # (contacts, 6)  E Eᵀ: normal, tangents, normal and first, normal and second, both tangents
    set: "Floats2"  # (contacts, N_SET)
    weight: "Floats2"  # (contacts, 3)  roots of the diagonal of D; 0: there is no such row
    frame: "Floats2"  # (contacts, 9)
    law: "Integers"  # (contacts,) int  of those that the search found
    # (3 contacts, work integrals)  what a unit impulse makes prescribed motions do; empty where there are none
    drive: "Floats2"
    index: "Integers"  # (space,) int
    E: "Floats2"  # (space, 3)
    history: "Floats2"  # (2 WINDOW + 4, 3 contacts)  see second_stage
    gram: "Floats2"  # (WINDOW, WINDOW)  products of differences
    small: "Floats2"  # (WINDOW, WINDOW + 1)  equations
    # the search
    shape_i: "Integers2"  # (shapes, 3)
    shape_f: "Floats2"  # (shapes, 17)
    placed: "Floats2"  # (shapes, 12)
    large: "Integers"  # shapes that are compared with all others: planes, and what is much larger than the rest
    cell: "Integers2"  # (shapes, 3)
    head: "Integers"  # (buckets,)  the first shape in a bucket of cells, -1: none
    next: "Integers"  # (shapes,)  the next one there; -2: it is large
    law_i: "Integers2"  # (laws, 2)
    law_f: "Floats2"  # (laws, 2)
    key: "Integers"  # (contacts,)  of those of the last step
    known: "Floats2"  # (contacts, 4)  their impulses
    slot: "Integers"  # (4 contacts,)  where they stand, by their keys; -1: none

    @classmethod
    def kinds(cls):
        return field_kinds(cls)


memory_at = Deferred("unpack_layouts", (Layout(Memory, 0), "float64"))


def memory(compiled, contacts, space, shapes=0, laws=0, large=0):
    """Space for so many contacts, whose rows have so many elements together, and for a search among so many shapes."""
    zeros, integers = lambda *shape: np.zeros(shape), lambda *shape: np.zeros(shape, np.int64)
    n_q, n_u, elements, rows = compiled.n_q, compiled.n_u, len(compiled.tables.contact_i), compiled.n_rows
    n_y = n_q + n_u + compiled.n_work
    return Memory(
        numbers=zeros(N_NUMBERS), counts=integers(N_COUNTS), restitution=zeros(elements), contact_of=integers(elements) - 1,
        in_step=integers(elements) - 1, last=zeros(elements, 3),
        mode=integers(elements), direction=zeros(elements, 2), rate=zeros(rows), twist=zeros(len(compiled.tables.body_i), 6),
        q=zeros(n_q), y=zeros(n_y), yd=zeros(n_y), u=zeros(2, n_u), x=zeros(n_u), root=zeros(n_u), place=integers(n_u) - 1,
        element=integers(contacts), start=integers(contacts + 1), pressed=integers(contacts), coupled=integers(contacts),
        P=zeros(contacts, 3),
        g=zeros(contacts, 3), before=zeros(contacts, 3), D=zeros(contacts, 6), set=zeros(contacts, N_SET), weight=zeros(contacts, 3),
        frame=zeros(contacts, N_FRAME), law=integers(contacts),
        drive=zeros(3 * contacts, n_drives(compiled)), index=integers(space), E=zeros(space, 3),
        history=zeros(N_HISTORY, 3 * contacts), gram=zeros(WINDOW, WINDOW), small=zeros(WINDOW, WINDOW + 1),
        shape_i=integers(shapes, N_SHAPE_I), shape_f=zeros(shapes, N_SHAPE_F), placed=zeros(shapes, N_PLACED), large=integers(large),
        cell=integers(shapes, 3), head=integers(power_of_two(2 * shapes)), next=integers(shapes), law_i=integers(laws, 2),
        law_f=zeros(laws, 2), key=integers(contacts), known=zeros(contacts, N_IMPULSE),
        slot=integers(power_of_two(4 * contacts)) - 1,
    )  # fmt: skip


def n_drives(compiled):
    """Work integrals, if a constraint that is no contact law may do work: a prescribed motion."""
    laws = [compiled.pairs.rows_of[name] for name in compiled.system.contact_laws]
    others = set(range(compiled.n_rows)) - {row for rows in laws for row in rows}
    row_i = compiled.tables.row_i
    drives = [row for row in others if row_i[row, ROW_KIND] == EXPRESSION and row_i[row, ROW_WORK] >= 0]
    return compiled.n_work if drives else 0


def power_of_two(n):
    """At least n, and 2."""
    return 1 << max(int(n) - 1, 1).bit_length()
