"""Joints seen through their frames: constraint rows of the cut ones, gauges for coordinates that are not coordinates of the tree."""

import numpy as np

from mekane.compile import layout as at
from mekane.compile.bodies import path_to_ground
from mekane.model.joint import FX, FY, MX

ROW_KINDS = {
    "coincide": at.COINCIDE, "along": at.ALONG, "perpendicular": at.PERPENDICULAR, "helix": at.HELIX,
    "shift": at.ALONG, "turned": at.ANGLE,
}  # fmt: skip


class Pairs:
    """Collects pairs of frames, and rows on them. Constraint rows must be added before gauges."""

    def __init__(self, system, frames):
        self.system, self.frames = system, frames
        self.pair = {}  # joint name → pair
        self.rows_of = {}  # joint name → range of its constraint rows
        self.gauge = {}  # (joint name, coordinate) → row
        self.pair_i, self.pair_f, self.row_i, self.row_f = [], [], [], []

    def of(self, name):
        """The pair of a joint, made when first asked for."""
        if name not in self.pair:
            joint, frames = self.system.joints[name], self.frames
            self.pair[name] = len(self.pair_i)
            self.pair_i.append((frames.row[joint.a], frames.row[joint.b]))
            F = (*frames.point(joint.a, joint.p_AF), *frames.axes(joint.a, joint.R_AF).ravel())
            M = (*frames.point(joint.b, joint.p_BM), *frames.axes(joint.b, joint.R_BM).ravel())
            self.pair_f.append((*F, *M))
        return self.pair[name]

    def hold(self, name):
        """All constraint rows of a joint."""
        first = len(self.row_i)
        for row in self.system.joints[name].rows():
            m, zero, ninety = (MX, FX, FY) if row.kind == "helix" else (max(row.m, 0), 0, 0)
            self.add(self.of(name), row.kind, row.e, m, zero, ninety, row.pitch)
        self.rows_of[name] = range(first, len(self.row_i))

    def measure(self, name, coordinate):
        """The gauge row of a joint coordinate."""
        key = (name, coordinate)
        if key not in self.gauge:
            m = next(m for m in self.system.joints[name].measures() if m.name == coordinate)
            self.gauge[key] = len(self.row_i)
            self.add(self.of(name), m.kind, m.e, max(m.of, 0), max(m.zero, 0), max(m.ninety, 0), 0.0)
        return self.gauge[key]

    def add(self, pair, kind, e, m, zero, ninety, pitch):
        self.row_i.append((pair, ROW_KINDS[kind], e, m, zero, ninety))
        self.row_f.append((pitch,))

    def tables(self, body_i):
        """pair_i, pair_f, row_i, row_f, path_start, path."""
        paths = [path_to_ground(body_i, a, b) for a, b in self.pair_i]
        start = np.cumsum([0, *map(len, paths)])
        path = np.array([i for p in paths for i in p], np.int64)
        return (
            np.array(self.pair_i, np.int64).reshape(-1, 2),
            np.array(self.pair_f, float).reshape(-1, at.PAIR_F),
            np.array(self.row_i, np.int64).reshape(-1, 6),
            np.array(self.row_f, float).reshape(-1, 1),
            start.astype(np.int64),
            path,
        )
