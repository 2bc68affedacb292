"""Joints seen through their frames: constraint rows of the cut ones, measurements for coordinates that are not
coordinates of the tree."""

import numpy as np

from mekane.compiler.discrete_state import flag_registers, frame_registers, registers_of
from mekane.compiler.planar import planar_rows
from mekane.compiler.tree import path_to_ground, speeds_on_path
from mekane.model.joint import FX, FY, MX
from mekane.tables import columns as at

ROW_KINDS = {
    "coincide": at.COINCIDE, "along": at.ALONG, "perpendicular": at.PERPENDICULAR, "helix": at.HELIX,
    "shift": at.ALONG, "rotated": at.ANGLE,
}  # fmt: skip
NO_REGISTERS = (0,) * 6


class Pairs:
    """Collects pairs of frames, and rows on them. Constraint rows must be added before measurements."""

    def __init__(self, system, frames):
        self.system, self.frames = system, frames
        self.pair = {}  # joint name → pair
        self.rows_of = {}  # name of a joint or constraint → range of its constraint rows
        self.measurement = {}  # (joint name, coordinate) → row
        self.pair_i, self.pair_f, self.row_i, self.row_f, self.term_i = [], [], [], [], []
        self.levels = []  # of each row: what it is an equation for
        self.flags = flag_registers(system)  # of those that are not always active
        self.registers = registers_of(system)  # of the discrete state
        self.places = frame_registers(system)  # of those that are locked at their present positions
        self.paths = {}  # bodies that rows push on together → number of their path

    def of(self, name):
        """The pair of a joint, made when first requested."""
        if name not in self.pair:
            joint, frames = self.system.joints[name], self.frames
            self.pair[name] = len(self.pair_i)
            self.pair_i.append((frames.row[joint.a], frames.row[joint.b], self.places.get(name, 0)))
            F = (*frames.point(joint.a, joint.p_AF), *frames.axes(joint.a, joint.R_AF).ravel())
            M = (*frames.point(joint.b, joint.p_BM), *frames.axes(joint.b, joint.R_BM).ravel())
            self.pair_f.append((*F, *M))
        return self.pair[name]

    def owner(self, row):
        """Name of the joint or constraint that a constraint row belongs to."""
        return next(name for name, rows in self.rows_of.items() if row in rows)

    def constrain(self, name):
        """All constraint rows of a joint."""
        first = len(self.row_i)
        for row in planar_rows(self.system, self.system.joints[name]):
            m, zero, ninety = (MX, FX, FY) if row.kind == "helix" else (max(row.m, 0), 0, 0)
            self.add(self.of(name), row.kind, row.e, m, zero, ninety, row.pitch, self.flags.get(name, 0))
        self.rows_of[name] = range(first, len(self.row_i))

    def add_expression_rows(self, name, constraint, registers, element):
        """The rows of a constraint, whose numbers stand in these registers; its work integral (or -1)."""
        first, registers = len(self.row_i), iter(registers)
        for equation in constraint.constraint_equations:
            phi, rate, bias = (next(registers) for _ in range(3))
            work = element if equation.works else -1
            terms = [(self.frames.row[body], *(next(registers) for _ in range(6))) for body in equation.terms]
            flag = self.registers[equation.flag] if equation.flag else self.flags.get(name, 0)
            start = (0, at.EXPRESSION, phi, rate, bias, work)
            self.add_row(start, terms, level=equation.level, flag=flag)
        self.rows_of[name] = range(first, len(self.row_i))

    def measure(self, name, coordinate):
        """The measurement row of a joint coordinate."""
        key = (name, coordinate)
        if key not in self.measurement:
            m = next(m for m in self.system.joints[name].measures() if m.name == coordinate)
            self.measurement[key] = len(self.row_i)
            self.add(self.of(name), m.kind, m.e, max(m.of, 0), max(m.zero, 0), max(m.ninety, 0), 0.0)
        return self.measurement[key]

    def add(self, pair, kind, e, m, zero, ninety, pitch, flag=0):
        terms = [(body, *NO_REGISTERS) for body in self.pair_i[pair][: at.PAIR_PLACE]]
        self.add_row((pair, ROW_KINDS[kind], e, m, zero, ninety), terms, pitch, flag=flag)

    def add_row(self, start, terms, pitch=0.0, level="position", flag=0):
        """A row that pushes on the bodies of these terms. flag: the register that says whether it may be active."""
        self.levels.append(level)
        first, bodies = len(self.term_i), tuple(sorted({body for body, *_ in terms}))
        self.term_i += terms
        path = self.paths.setdefault(bodies, len(self.paths))
        self.row_i.append((*start, first, len(self.term_i), path, flag, 0))
        self.row_f.append((pitch,))

    def tables(self, body_i):
        """pair_i, pair_f, row_i, row_f, term_i, path_start, path, speed_start, path_speed."""
        paths = [path_to_ground(body_i, bodies) for bodies in self.paths]
        speeds = [speeds_on_path(body_i, bodies) for bodies in self.paths]
        return dict(
            **self.frame_tables(),
            **dict(zip(("path_start", "path"), listed(paths), strict=True)),
            **dict(zip(("speed_start", "path_speed"), listed(speeds), strict=True)),
        )

    def frame_tables(self):
        """pair_i, pair_f, row_i, row_f, term_i."""
        return dict(
            pair_i=np.array(self.pair_i, np.int64).reshape(-1, at.PAIR_I),
            pair_f=np.array(self.pair_f, self.frames.dtype).reshape(-1, at.PAIR_F),
            row_i=np.array(self.row_i, np.int64).reshape(-1, at.ROW_I),
            row_f=np.array(self.row_f, self.frames.dtype).reshape(-1, 1),
            term_i=np.array(self.term_i, np.int64).reshape(-1, at.TERM_I),
        )


def listed(lists):
    """Lists as one array, and where each begins."""
    start = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    return start, np.array([x for line in lists for x in line], np.int64)
