"""Contact laws as rows: what each element measures is differentiated like a constraint, and joins the tape. Which of its
rows hold is part of the discrete state."""

import warnings
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mekane.compiler.constraints import ConstraintEquations, bodies_of, differentiated
from mekane.compiler.discrete_state import DIRECTION, MODE, STICKS, registers_of
from mekane.model.set_valued import element_id
from mekane.tables import columns as at

MANY_POINTS = 500  # at which bodies may touch: making rows and guards of so many takes minutes, and so does every second of motion


class ManyContactPointsWarning(UserWarning):
    """Bodies may touch at so many points that a model of all of them is slow to make and to move."""


class ElementRows(NamedTuple):
    """An element, and which equations of its law are its rows."""

    name: str
    element: object  # Element, its values numbers or expressions
    normal: int  # number of the equation, -1: none
    tangent: int  # of the first one, -1: none
    more: int  # where its values stand in ConstraintEquations.more: friction, static, its place if it has one


def make_contact_equations(k, system, laws):
    """Name of a contact law → its ConstraintEquations."""
    found = {}
    warn_of_many_points(system)
    for name, law in system.contact_laws.items():
        laws.part = law.part
        resolved = law.resolve(k.expression)
        given, flags, elements, more = [], [], [], []
        for element in resolved.elements(k):
            one = element_id(name, element.label)
            normal = add_rows(given, flags, [element.normal] if element.normal else [], one + MODE)
            tangent = add_rows(given, flags, element.tangents, one + STICKS)
            elements.append(ElementRows(one, element, normal, tangent, len(more)))
            static = element.friction if element.static is None else element.static
            more += [element.friction, static, *(element.place or ())]
        equations = flagged(differentiated(k, law, given), flags)
        place = elements[0].element.place if len(elements) == 1 else None
        found[name] = ConstraintEquations(equations, place, bodies_of(equations), more, elements, law.searched)
    return found


def warn_of_many_points(system):
    """Say how many points there are, which laws have most, and what to do, before the time is spent."""
    counts = {name: len(law.labels(system)) for name, law in system.contact_laws.items() if not law.searched}
    if sum(counts.values()) > MANY_POINTS:
        largest = max(counts, key=counts.get)
        warnings.warn(
            f"contact laws: bodies may touch at {sum(counts.values())} points (most of one law: {counts[largest]}, {largest!r}), each "
            "with rows and guards of its own: that takes minutes to make and long to move. Two boxes have 24 points, a sphere or "
            "capsule against a box one or two: give simpler shapes, leave out pairs that never meet, or let "
            "s.contacts(among=[…]) search, with method='moreau'.",
            ManyContactPointsWarning,
            stacklevel=2,
        )


def add_rows(given, flags, own, flag):
    """Append equations of an element, and the discrete state that says whether each holds; returns the number of the
    first, -1 if there is none."""
    first = len(given) if own else -1
    given += own
    flags += [flag] * len(own)
    return first


def flagged(equations, flags):
    """Rows of contact laws, which may do work."""
    return [replace(one, works=True, flag=flag) for one, flag in zip(equations, flags, strict=True)]


# ---------------------------------------------------------------- tables


def element_places(laws, registers):
    """Name of an element → registers of the point where it touches."""
    elements = [(name, one) for name, law in laws.items() for one in law.elements if one.element.place]
    return {one.name: registers[name][one.more + 2 : one.more + 5] for name, one in elements}


def contact_table(laws, tree, pairs, registers, first_guard):
    """contact_i. laws: name → ConstraintEquations; registers: of their expressions `more`, by name."""
    discrete, lines = registers_of(pairs.system), []
    for name, law in laws.items():
        rows = pairs.rows_of[name]
        for one in law.elements:
            line = np.zeros(at.CONTACT_I, np.int64)
            line[at.C_NORMAL] = rows[one.normal] if one.normal >= 0 else -1
            line[at.C_TANGENT] = rows[one.tangent] if one.tangent >= 0 else -1
            line[at.C_TANGENTS] = len(one.element.tangents)
            line[at.C_FRICTION], line[at.C_STATIC] = registers[name][one.more : one.more + 2]
            line[at.C_MODE], line[at.C_STICKS] = discrete[one.name + MODE], discrete[one.name + STICKS]
            line[at.C_DIRECTION] = discrete[f"{one.name}{DIRECTION}0"]
            line[at.C_GUARD] = first_guard + at.N_ELEMENT_GUARDS * len(lines)
            pressed = one.normal if one.element.pressed_by is None else normal_of(law, name, one.element.pressed_by)
            line[at.C_PRESSED] = rows[pressed] if pressed >= 0 else -1
            line[at.C_BY] = at.BY_NORMAL if pressed >= 0 else at.BY_CAPACITY
            line[at.C_RATE] = int(one.element.normal is not None and one.element.normal.level == "velocity")
            if one.element.reaction:
                write_load(line, one.element.reaction, tree, pairs)
            lines.append(line)
    return np.array(lines, np.int64).reshape(-1, at.CONTACT_I)


def mark_alike(contact_i, row_i, term_i):
    """ROW_ALIKE of the normal rows of contacts in space whose three rows stand one after the other and push on one body alone."""
    for normal, first, n in contact_i[:, [at.C_NORMAL, at.C_TANGENT, at.C_TANGENTS]]:
        rows = row_i[normal : normal + 3]
        alone = (
            normal >= 0
            and n == 2
            and first == normal + 1
            and (rows[:, at.ROW_TERM_END] - rows[:, at.ROW_TERM] == 1).all()
        )
        if alone and len(set(term_i[rows[:, at.ROW_TERM], at.TERM_BODY])) == 1:
            row_i[normal, at.ROW_ALIKE] = 2


def normal_of(law, name, label):
    """Number of the equation of the normal of another element of a law."""
    return next(one.normal for one in law.elements if one.name == element_id(name, label))


def write_load(line, load, tree, pairs):
    """Where the load of a joint is read that limits friction."""
    line[at.C_BY], line[at.C_LOADS], line[at.C_SUMS] = at.BY_LOAD, len(load.axes), int(load.sums)
    line[at.C_LOAD_PAIR] = pairs.of(load.joint)
    line[at.C_LOAD_E : at.C_LOAD_E + len(load.axes)] = load.axes
    links = {link.joint: link for link in tree.links if link.joint}
    if load.joint in links:
        line[at.C_LOAD_BODY] = pairs.frames.row[links[load.joint].body]
    else:
        rows = pairs.rows_of[load.joint]
        line[at.C_LOAD_BODY] = -1
        line[at.C_LOAD_ROW], line[at.C_LOAD_END] = rows.start, rows.stop
