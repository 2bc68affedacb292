"""Where wrenches on bodies are reported as those of joints and constraints: which body, which point of it."""

from typing import NamedTuple

import numpy as np

from mekane.tables.columns import ROW_TERM, ROW_TERM_END, TERM_BODY


class Places(NamedTuple):
    """Of some joints or constraints."""

    names: list
    body: np.ndarray  # (names,) int  row of the body b that is pushed on; 0: none
    point: np.ndarray  # (names, 3)  about which point of it, in B


class JointPlaces:
    """Of a Compiled: its tree joints, what has constraint rows, and the terms of these."""

    def __init__(self, compiled):
        system, frames, links = compiled.system, compiled.frames, compiled.link_of
        joints = [system.joints[link.joint] for link in links.values()]
        self.tree = places(frames, [*links], [(joint.b, joint.p_BM) for joint in joints])
        self.child = np.array([frames.row[link.body] for link in links.values()], int)
        self.swapped = np.flatnonzero([link.swapped for link in links.values()])  # the child is a
        rows_of, T = compiled.pairs.rows_of, compiled.tables
        self.rows = places(frames, [*rows_of], [of_rows(compiled, name) for name in rows_of])
        terms = [
            (k, row, T.term_i[k, TERM_BODY], number)
            for number, rows in enumerate(rows_of.values())
            for row in rows
            for k in range(T.row_i[row, ROW_TERM], T.row_i[row, ROW_TERM_END])
        ]
        self.term, self.term_row, self.term_body, number = np.array(terms, int).reshape(-1, 4).T
        self.reported = np.flatnonzero(self.term_body == self.rows.body[number])  # terms that act where it is reported
        self.reported_by = number[self.reported]


def places(frames, names, found):
    body = np.array([frames.row[body] if body else 0 for body, _ in found], int)
    point = [np.asarray(frames.point(body, p), float) if body else np.zeros(3) for body, p in found]
    return Places(names, body, np.array(point).reshape(-1, 3))


def of_rows(compiled, name):
    """Body and point (in its user's frame) at which what rows exert is reported; the body is "" if they push on none."""
    if name in compiled.system.joints:
        joint = compiled.system.joints[name]
        return joint.b, joint.p_BM
    bodies = compiled.constrained_bodies(name)
    return (bodies[-1] if bodies else ""), (0.0, 0.0, 0.0)
