"""Contact laws of a solver at its present state: modes in the discrete state, and the mechanism as its contacts see it."""

import numpy as np

from mekane.solvers.contacts.local import TOUCHING, Load, Local, LocalElement, movable_axes
from mekane.solvers.entries.calls import evaluate_kinematics, rhs
from mekane.solvers.hybrid.momentum import Momentum
from mekane.tables import columns as at
from mekane.tables.columns import OPEN, STICKING

REPEATED = 1e-8  # relative: rows that repeat others


class ContactState:
    """Modes of all elements of a solver, read and written in its discrete state."""

    def __init__(self, solver):
        self.solver, self.table = solver, solver.tables.contact_i
        self.facts = solver.compiled.elements_of_contact
        rows = [
            row for line in self.table for first, n in ((line[at.C_NORMAL], 1), (line[at.C_TANGENT], line[at.C_TANGENTS]))
            if first >= 0 for row in range(first, first + n)
        ]  # fmt: skip
        self.rows = np.array(sorted(rows), int)

    def __len__(self):
        return len(self.table)

    def mode(self, e):
        return int(round(self.solver.workspace.r[self.table[e, at.C_MODE]]))

    def modes(self):
        return [self.mode(e) for e in range(len(self))]

    def direction(self, e):
        first = self.table[e, at.C_DIRECTION]
        return self.solver.workspace.r[first : first + self.table[e, at.C_TANGENTS]].copy()

    def write(self, e, mode, direction=()):
        """direction: of sliding, along its tangential rows."""
        r, line = self.solver.workspace.r, self.table[e]
        r[line[at.C_MODE]], r[line[at.C_STICKS]] = mode, float(mode == STICKING)
        r[line[at.C_DIRECTION] : line[at.C_DIRECTION] + 2] = 0.0
        r[line[at.C_DIRECTION] : line[at.C_DIRECTION] + len(direction)] = direction

    def sides(self, e):
        """Of the load components whose magnitudes are summed; 0: not yet known."""
        first = self.table[e, at.C_DIRECTION] + 2
        return self.solver.workspace.r[first : first + self.table[e, at.C_LOADS]]

    def turn_sides(self, fired):
        """Load components that have just gone through zero: which side they are on from here is known, not computed."""
        for e, which in fired:
            if e >= 0 and which >= 2:
                self.sides(e)[which - 2] *= -1.0

    def write_sides(self, e, load, forces):
        """Sides that are not yet known, from the loads of these forces."""
        sides, now = self.sides(e), load.at(forces)
        sides[:] = np.where(sides == 0.0, np.where(now >= 0.0, 1.0, -1.0), sides)

    def potential_energy(self):
        """Of gravity, at the state of the solver."""
        solver, T = self.solver, self.solver.tables
        evaluate_kinematics(solver.handle, solver.t, solver.y, solver.workspace.measurement.copy())
        body, total = solver.workspace.body, 0.0
        for i in range(1, len(body)):
            arm = body[i, at.B_R : at.B_R + 9].reshape(3, 3) @ T.body_f[i, at.T_MC : at.T_MC + 3]
            total += (T.body_f[i, at.T_MASS] * body[i, at.B_P : at.B_P + 3] + arm) @ body[0, at.B_A : at.B_A + 3]
        return float(total)

    def write_scales(self, local, modes):
        """Scales of the tangential rows of contacts that stick and share a load: by what presses them together."""
        scale = self.solver.workspace.scale
        for e, (mode, _) in zip(local.elements, modes, strict=True):
            if mode == STICKING and e.by_normal and len(e.tangents) == self.table[e.index, at.C_TANGENTS]:
                first = self.table[e.index, at.C_TANGENT]
                scale[first : first + len(e.tangents)] = local.scale[e.tangents]

    def saved(self):
        """What `restore` takes."""
        return [(self.mode(e), self.direction(e)) for e in range(len(self))]

    def restore(self, saved):
        for e, (mode, direction) in enumerate(saved):
            self.write(e, mode, direction)

    def gap(self, e):
        """Of an element with a normal; 0 where that is a rate."""
        line = self.table[e]
        return 0.0 if line[at.C_RATE] else float(self.solver.workspace.row[line[at.C_NORMAL], at.Y_PHI])


class Instant:
    """The mechanism at one instant, all contact forces left out: masses, rows, free accelerations."""

    def __init__(self, state: ContactState):
        from mekane.solvers.hybrid.event_actions import choose_rows

        self.state, self.solver = state, state.solver
        solver, compiled = state.solver, state.solver.compiled
        before = state.saved()
        for e in range(len(state)):
            state.write(e, OPEN)
        choose_rows(solver)
        yd = np.zeros(len(solver.y))
        rhs(solver.handle, solver.t, solver.y, yd)
        self.row_acceleration = np.array([self.acceleration_of(row) for row in range(compiled.n_rows)])
        self.gaps = [state.gap(e) if state.table[e, at.C_NORMAL] >= 0 else 0.0 for e in range(len(state))]
        self.friction = solver.workspace.r[state.table[:, at.C_FRICTION]].copy()
        self.static = np.maximum(solver.workspace.r[state.table[:, at.C_STATIC]], self.friction)
        n = len(state)
        self.scale = solver.workspace.scale.copy()
        self.loads = solver.workspace.load[:, 2 * n : 2 * n + 2].copy()
        self.momentum = Momentum(solver)
        self.others = compiled.rows_on(solver.workspace.r)  # rows of joints and constraints that hold
        self.others[state.rows] = False
        self.inverse = constrained_inverse(self.momentum.M, self.momentum.rates[: compiled.n_rows][self.others])
        state.restore(before)
        self.local, self.W = self.make_local(before)

    def acceleration_of(self, row):
        """d² phi/dt² of a row with the accelerations now in the workspace."""
        W, T = self.solver.workspace, self.solver.tables
        total = W.row[row, at.Y_BIAS]
        for k in range(T.row_i[row, at.ROW_TERM], T.row_i[row, at.ROW_TERM_END]):
            body = W.body[T.term_i[k, at.TERM_BODY]]
            a = body[at.B_A : at.B_A + 3] - W.body[0, at.B_A : at.B_A + 3]
            total += W.term[k, at.Z_T : at.Z_T + 3] @ body[at.B_AL : at.B_AL + 3] + W.term[k, at.Z_F : at.Z_F + 3] @ a
        return total

    def touches(self, e, mode):
        line = self.state.table[e]
        return line[at.C_NORMAL] < 0 or line[at.C_RATE] or mode != OPEN or self.gaps[e] <= TOUCHING

    def make_local(self, before):
        """Local, and its rows over the speeds."""
        rates, bias, elements, W, w, a, scale = self.momentum.rates, self.momentum.bias, [], [], [], [], []
        for e, (mode, direction) in enumerate(before):
            if not self.touches(e, mode):
                continue
            line, fact = self.state.table[e], self.state.facts[e]
            normal, first = -1, line[at.C_TANGENT]
            if line[at.C_NORMAL] >= 0:
                normal = len(W)
                W.append(rates[line[at.C_NORMAL]])
                w.append(bias[line[at.C_NORMAL]])
                a.append(self.row_acceleration[line[at.C_NORMAL]])
                scale.append(self.scale[line[at.C_NORMAL]])
            rows = list(range(first, first + line[at.C_TANGENTS])) if first >= 0 else []
            axes = movable_axes(rates[rows] @ self.inverse @ rates[rows].T) if rows else np.zeros((0, 0))
            tangents = len(W) + np.arange(len(axes))
            for axis in axes:
                W.append(axis @ rates[rows])
                w.append(axis @ bias[rows])
                a.append(axis @ self.row_acceleration[rows])
                scale.append(axis * axis @ self.scale[rows])
            elements.append(
                LocalElement(
                    e, fact.name, normal, tangents, axes, float(self.friction[e]), float(self.static[e]), float(fact.element.restitution),
                    fact.element.law, self.gaps[e], mode, axes @ direction if rows else np.zeros(0),
                )
            )  # fmt: skip
        W = np.array(W).reshape(len(W), len(self.momentum.u))
        for e in elements:
            e.load = self.load_of(e.index, W, elements)
        D = W @ self.inverse @ W.T
        return Local(
            0.5 * (D + D.T), W @ self.momentum.u + np.array(w), np.array(a, float), elements, np.array(scale)
        ), W

    def load_of(self, e, W, elements):
        """What limits friction by the load of a joint; None for the others."""
        line = self.state.table[e]
        if line[at.C_BY] != at.BY_LOAD:
            return None
        n, name = line[at.C_LOADS], self.state.facts[e].element.reaction.joint
        pair = self.solver.workspace.pair[line[at.C_LOAD_PAIR]]
        axes = [pair[at.X_E + 3 * axis : at.X_E + 3 * axis + 3].copy() for axis in line[at.C_LOAD_E : at.C_LOAD_E + n]]
        forces = np.array([self.joint_force(name, W[k], self.rows_of(k, elements)) for k in range(len(W))])
        return Load(self.loads[e, :n], np.array(axes) @ forces.T, bool(line[at.C_SUMS]), self.state.sides(e).copy())

    def rows_of(self, k, elements):
        """Unit force on row k of D as multipliers of all constraint rows."""
        rows = np.zeros(self.solver.compiled.n_rows)
        for e in elements:
            line = self.state.table[e.index]
            if k == e.normal:
                rows[line[at.C_NORMAL]] = 1.0
            elif k in e.tangents:
                first = line[at.C_TANGENT]
                rows[first : first + line[at.C_TANGENTS]] = e.axes[list(e.tangents).index(k)]
        return rows

    def joint_force(self, name, row, multipliers):
        """Force through a joint that a unit force along a row calls up, on the body that `kernels.friction` takes."""
        momentum, compiled = self.momentum, self.solver.compiled
        du = self.inverse @ row
        multipliers = self.with_others(multipliers, du)
        F, _ = momentum.joint_impulses(momentum.u + du, multipliers, np.zeros((len(self.solver.workspace.body), 6)))[
            name
        ]
        link = compiled.link_of.get(name)
        return -F if link is not None and link.swapped else F

    def with_others(self, multipliers, du):
        """Multipliers of all rows, from those of contacts and the change of speeds that they lead to."""
        B, found = self.momentum.rates[: len(multipliers)], multipliers.copy()
        if self.others.any():
            left = self.momentum.M @ du - B.T @ multipliers
            found[self.others] = np.linalg.lstsq(B[self.others].T, left, rcond=1e-12)[0]
        return found

    def speeds_after(self, P):
        return self.momentum.u + self.inverse @ (self.W.T @ P)


def constrained_inverse(M, B):
    """M⁻¹ with these rows eliminated: what impulses do to a mechanism that keeps them. In the metric of M the rows are
    made orthonormal, so that light bodies cost no digits."""
    factor = np.linalg.cholesky(M)
    half = np.linalg.inv(factor)
    if len(B):
        rows = half @ B.T
        sizes = np.linalg.norm(rows, axis=0)
        basis, strengths, _ = np.linalg.svd(rows / np.where(sizes > 0.0, sizes, 1.0), full_matrices=False)
        basis = basis[:, strengths > REPEATED * strengths.max(initial=0.0)]
        half = half - basis @ (basis.T @ half)
    return half.T @ half
