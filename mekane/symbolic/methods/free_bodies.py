"""Every body of a traced model cut free: its inertia, its loads, and what one unit of each reaction does to it.

Motion is what the kernel `inverse_inward_pass` finds with every body on the ground; reactions are the rows that joints
have when they close loops.
"""

from functools import cached_property

import numpy as np

from mekane.algebra import vectors
from mekane.codegen.trace import matrix, objects
from mekane.compiler.constraint_rows import Pairs
from mekane.compiler.planar import planar_rows
from mekane.expressions.graph import Expr
from mekane.expressions.node import scalar
from mekane.kernels.constraint_rows import pose_pairs, write_rows
from mekane.kernels.inverse_dynamics import inverse_inward_pass
from mekane.model.joint import FX, FZ, MX
from mekane.model.plane import plane_axes
from mekane.numba_backend.kernel import plain
from mekane.tables import columns as at

plain_inward_pass, plain_pose, plain_write = plain(inverse_inward_pass), plain(pose_pairs), plain(write_rows)
mat, rotate, plain_cross = plain(vectors.mat), plain(vectors.rotate), plain(vectors.cross)
AXES = "xyz"


class BodyRows:
    """Which equations a body has: (number, axis) of those of forces and of moments."""

    def __init__(self):
        self.force, self.moment = [], []


class CutFree:
    """Every body of a trace by itself: inertia, loads and reactions in the rows of its equations."""

    def __init__(self, trace):
        self.trace, self.system = trace, trace.compiled.system
        self.frames, self.tables = trace.compiled.frames, trace.tables
        self.rows_of, self.equation_names = {name: BodyRows() for name in self.system.bodies}, []
        self.directions = []  # of each equation: (row of its body, "force" or "moment", unit vector in world axes)
        for name in self.system.bodies:
            self.add_body(name)

    def add_body(self, name):
        n = plane_axes(self.system.plane) if self.system.plane else None
        rotation = self.trace.turn(name)
        unit = np.eye(3) if n is None else n[:, :2].T
        self.add(name, "force", [(AXES[np.flatnonzero(e)[0]], e) for e in unit])
        if self.rotates(name):
            normal = None if n is None else n[:, 2]
            self.add(
                name,
                "moment",
                zip(AXES, rotation.T, strict=True) if n is None else [(AXES[np.flatnonzero(normal)[0]], normal)],
            )

    def rotates(self, name):
        """A point mass that only translates, and has no joint, has no equation of moments."""
        link = next(link for link in self.trace.compiled.links if link.body == name)
        return not (link.joint is None and all(primitive.kind == "translation" for primitive in link.primitives))

    def add(self, name, kind, axes):
        for axis, e in axes:
            getattr(self.rows_of[name], kind).append((len(self.directions), axis))
            self.equation_names.append(f"{name}.{'F' if kind == 'force' else 'M'}{axis}")
            self.directions.append((self.frames.row[name], kind, e))

    def along(self, wrenches):
        """Components of wrenches (about mass centres: moment, force; a row for each body) along the directions of the
        equations."""
        parts = {"moment": slice(0, 3), "force": slice(3, 6)}
        return objects([scalar(dot(e, wrenches[i, parts[kind]])) for i, kind, e in self.directions])

    # ---------------------------------------------------------------- motion and loads

    @cached_property
    def arms(self):
        """From the origin of each body's own frame to its mass centre, world axes."""
        found = {}
        for name, i in self.frames.row.items():
            if name == "ground":
                continue
            found[i] = objects(rotate(mat(self.trace.moved.body, i, at.B_R), self.trace.mass_centre(name)))
        return found

    def at_centres(self, wrenches):
        """The same wrenches about mass centres instead of origins."""
        found = np.array(wrenches, object)
        for i, arm in self.arms.items():
            found[i, :3] = wrenches[i, :3] - cross(arm, wrenches[i, 3:])
        return found

    def motion(self, ud):
        """dH/dt and m a of every body: what `inverse_inward_pass` finds for it alone, the tree being cut."""
        _, W = self.trace.moved_so(ud, gravity=False)
        alone = self.tables.body_i.copy()
        alone[:, at.PARENT] = 0
        wrench = np.zeros((len(alone), 6), object)
        plain_inward_pass(alone, W.body, wrench)
        if ud is not None:
            self.add_drives(W, wrench, [m * x for m, x in zip(W.speed[:, at.S_ROTOR], ud, strict=True)])
        return self.along(self.at_centres(wrench))

    @cached_property
    def inertia(self):
        return self.motion(self.trace.ud)

    @cached_property
    def inertia_at_rest(self):
        """The same with every u' zero."""
        return self.motion(None)

    @cached_property
    def loads(self):
        """Laws and gravity."""
        _, W = self.trace.moved_so(actions=self.tables.action_i, gravity=False)
        wrench = np.concatenate([W.body[:, at.B_TX : at.B_TX + 3], W.body[:, at.B_FX : at.B_FX + 3]], axis=1)
        self.add_drives(W, wrench, W.speed[:, at.S_TAU])
        wrench = self.at_centres(wrench)
        for i in self.arms:
            wrench[i, 3:] = wrench[i, 3:] + self.tables.body_f[i, at.T_MASS] * self.trace.gravity
        return self.along(wrench)

    def add_drives(self, W, wrench, forces):
        """Forces on speeds act between a body and its parent: torques about an axis, forces along it."""
        for kind, _, first, i in self.tables.primitive_i:
            for r in range(first, first + (3 if kind >= at.QUATERNION else 1)):
                if isinstance(forces[r], Expr) or forces[r] != 0.0:
                    self.add_drive(W, wrench, kind, r, i, forces[r])

    def add_drive(self, W, wrench, kind, r, i, tau):
        k = self.tables.body_i[i, at.PARENT]
        if kind == at.TRANSLATION:
            force = tau * W.speed[r, at.S_V : at.S_V + 3]
            wrench[i, 3:] = wrench[i, 3:] + force
            wrench[k, 3:] = wrench[k, 3:] - force
            wrench[k, :3] = wrench[k, :3] - cross(W.body[i, at.B_D : at.B_D + 3], force)
        else:
            torque = tau * W.speed[r, at.S_W : at.S_W + 3]
            wrench[i, :3] = wrench[i, :3] + torque
            wrench[k, :3] = wrench[k, :3] - torque

    # ---------------------------------------------------------------- reactions

    @cached_property
    def joint_rows(self):
        """The joints of the tree as pairs of frames with rows, as if each of them closed a loop."""
        pairs = Pairs(self.system, self.frames)
        for link in self.trace.compiled.links:
            if link.joint:
                pairs.constrain(link.joint)
        return pairs

    @cached_property
    def reactions(self):
        """Full name of every reaction in the tree → (joint, "F" or "M", axis)."""
        found = {}
        for joint in self.joint_rows.rows_of:
            for row in planar_rows(self.system, self.system.joints[joint]):
                letter, axis, _ = reaction_of(row)
                found[f"{joint}.{letter}{axis}"] = joint, letter, axis
        return found

    @property
    def names(self):
        """Full names of all reactions: in the tree, then multipliers."""
        return [*self.reactions, *(x.name for x in self.trace.multipliers)]

    @cached_property
    def reaction_matrix(self):
        """What one unit of each reaction gives in each equation."""
        tables, n = self.joint_rows.tables(self.tables.body_i), len(self.joint_rows.row_i)
        pair_f, row_f = (
            np.vectorize(scalar, otypes=[object])(tables[name]) if n else tables[name] for name in ("pair_f", "row_f")
        )
        pair, row, term = (
            np.zeros(shape, object)
            for shape in ((len(pair_f), at.PAIR_W), (n, at.ROW_W), (len(tables["term_i"]), at.TERM_W))
        )
        body = self.trace.moved.body
        plain_pose(tables["pair_i"], pair_f, self.trace.moved.r, body, pair)
        plain_write(tables["pair_i"], tables["row_i"], row_f, body, pair, row, term, 0, n)
        signs = [
            reaction_of(row)[2]
            for joint in self.joint_rows.rows_of
            for row in planar_rows(self.system, self.system.joints[joint])
        ]
        columns = [sign * self.column(tables["row_i"][y], tables["term_i"], term) for y, sign in enumerate(signs)]
        _, W = self.trace.moved_so(gravity=False)
        columns += [
            self.column(self.tables.row_i[y], self.tables.term_i, W.term) for y in range(self.trace.compiled.n_rows)
        ]
        return np.array(columns, object).reshape(len(columns), len(self.directions)).T

    def column(self, row_i, term_i, term):
        wrench = np.zeros((len(self.tables.body_i), 6), object)
        for k in range(row_i[at.ROW_TERM], row_i[at.ROW_TERM_END]):
            i = term_i[k, at.TERM_BODY]
            wrench[i] = wrench[i] + np.concatenate([term[k, at.Z_T : at.Z_T + 3], term[k, at.Z_F : at.Z_F + 3]])
        return self.along(self.at_centres(wrench))

    @cached_property
    def partials(self):
        """Partial velocities of mass centres and partial angular velocities along the directions of the equations, over
        speeds."""
        trace, body = self.trace, self.trace.moved.body
        motion = np.zeros((len(self.tables.body_i), 6), object)
        for name, i in self.frames.row.items():
            if name != "ground":
                w = trace.angular_velocity(name)
                motion[i] = np.concatenate([w, body[i, at.B_V : at.B_V + 3] + cross(w, self.arms[i])])
        return trace.by_speeds(self.along(motion)).T


def reaction_of(row):
    """(letter, axis, sign) of the reaction of a row: a force along e on b; m × e as a moment, ± the third axis."""
    if row.kind == "perpendicular":
        e, m = row.e - FX if row.e <= FZ else row.e - MX, row.m - MX if row.m >= MX else row.m - FX
        if e != m:
            return "M", AXES[3 - e - m], 1.0 if (m, e) in ((0, 1), (1, 2), (2, 0)) else -1.0
        return "M", AXES[e], 1.0
    return "F", AXES[row.e % 3], 1.0


def cross(a, b):
    return objects(plain_cross(a, b))


def dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True)), 0.0)


def products(V, X):
    """VᵀX"""
    return matrix([[dot(v, x) for x in X.T] for v in V.T], (V.shape[1], X.shape[1]))
