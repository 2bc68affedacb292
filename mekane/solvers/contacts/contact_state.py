"""Contact laws of a solver at its present state: modes in the discrete state, and the mechanism as its contacts see it."""

from functools import cached_property

import numpy as np

from mekane.solvers.contacts.events.event_calls import EventCalls
from mekane.solvers.contacts.impulse_answers import answer_to_all
from mekane.solvers.contacts.local import Load, Local, LocalElement, movable_axes
from mekane.solvers.contacts.mode_exchange import ban
from mekane.solvers.entries.from_python import contact_problem
from mekane.solvers.hybrid.momentum import Momentum
from mekane.tables import columns as at
from mekane.tables.columns import OPEN, OUT, SLIDING, STICKING
from mekane.tables.tables import FIRST_INPUT

REPEATED = 1e-13  # relative: rows that repeat others
CLEAR = 1e4  # times that: a pivot beside its diagonal element
REFINEMENTS = 2
NO_ROWS, NO_AXES = np.zeros(0, int), np.zeros((0, 0))


class ContactState:
    """Modes of all elements of a solver, read and written in its discrete state."""

    def __init__(self, solver):
        self.solver, self.table = solver, solver.tables.contact_i
        self.facts = solver.compiled.elements_of_contact
        rows = [
            row for line in self.table for first, n in ((line[at.C_NORMAL], 1), (line[at.C_TANGENT], line[at.C_TANGENTS]))
            if first >= 0 for row in range(first, first + n)
        ]  # fmt: skip
        self.is_row = np.isin(np.arange(solver.compiled.n_rows), rows)
        self.lines = self.table.tolist()  # plain numbers: read at every event
        self.in_mode, self.in_sticks = self.table[:, at.C_MODE], self.table[:, at.C_STICKS]
        self.in_direction = self.table[:, at.C_DIRECTION, None] + np.arange(2)
        self.is_tangent = np.arange(2) < self.table[:, at.C_TANGENTS, None]  # (elements, 2)
        self.in_friction, self.in_static = self.table[:, at.C_FRICTION], self.table[:, at.C_STATIC]
        self.spaces = {}  # of mode choices
        self.by_gap = (self.table[:, at.C_NORMAL] >= 0) & (self.table[:, at.C_RATE] == 0)  # (elements,)

    def __len__(self):
        return len(self.table)

    @cached_property
    def contact_of(self):
        """For what resists rolling and spinning: the contact whose normal force limits it; -1 for the others.
        One for each element."""
        normal, pressed = self.table[:, at.C_NORMAL], self.table[:, at.C_PRESSED]
        found = [
            np.flatnonzero(normal == row) if row >= 0 and own < 0 else []
            for own, row in zip(normal, pressed, strict=True)
        ]
        return [int(one[0]) if len(one) else -1 for one in found]

    @cached_property
    def calls(self):
        """Of compiled code, at events."""
        return EventCalls(self.solver, self.contact_of)

    @cached_property
    def is_ordinary(self):
        """Whether no friction goes by the load of a joint, nor resists rolling, and no rows of joints and constraints hold, embedded or
        not."""
        if self.solver.constraints == "embedded":
            return False
        by_load = (self.table[:, at.C_BY] == at.BY_LOAD).any() or max(self.contact_of, default=-1) >= 0
        return bool(self.is_row.all()) and not by_load

    @cached_property
    def in_discrete(self):
        """(discrete states,) True for those of contact laws, which no law of the model reads."""
        first = self.solver.tables.count[FIRST_INPUT] - len(self.solver.discrete)
        columns = [
            self.table[:, at.C_MODE],
            self.table[:, at.C_STICKS],
            *(self.table[:, at.C_DIRECTION] + k for k in range(4)),
        ]
        return np.isin(first + np.arange(len(self.solver.discrete)), columns)

    def mode(self, e):
        return int(round(self.solver.workspace.r[self.table[e, at.C_MODE]]))

    def modes(self):
        return list(map(round, self.solver.workspace.r[self.in_mode].tolist()))

    def directions(self):
        """(elements, 2): of sliding, along the tangential rows; 0 where nothing slides."""
        return self.solver.workspace.r[self.in_direction]

    def open_all(self):
        r = self.solver.workspace.r
        r[self.in_mode] = r[self.in_sticks] = OPEN
        r[self.in_direction] = 0.0

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

    def stopped(self, fired):
        """Elements whose sliding has ended, by the guards that have fired."""
        return {e for e, which in fired if e >= 0 and which > 0 and self.mode(e) == SLIDING}

    def turn_sides(self, fired):
        """Load components that have just gone through zero: which side they are on from here is known, not computed."""
        for e, which in fired:
            if e >= 0 and which >= 2 and self.table[e, at.C_SUMS]:
                self.sides(e)[which - 2] *= -1.0

    def write_sides(self, e, load, forces):
        """Sides that are not yet known, from the loads of these forces."""
        sides, now = self.sides(e), load.at(forces)
        sides[:] = np.where(sides == 0.0, np.where(now >= 0.0, 1.0, -1.0), sides)

    def energies(self):
        """Kinetic energy, and potential energy of gravity, at the state of the solver."""
        return contact_problem_of(self.solver)[-OUT : -OUT + 2].tolist()

    def saved(self):
        """Mode, and direction along the tangents, of each element: what `restore` takes."""
        found = zip(self.modes(), self.solver.workspace.r[self.in_direction], self.lines, strict=True)
        return [(mode, direction[: line[at.C_TANGENTS]]) for mode, direction, line in found]

    def registers(self):
        """Modes and directions as they stand, for `put_back`."""
        r = self.solver.workspace.r
        return r[self.in_mode], r[self.in_sticks], r[self.in_direction]

    def put_back(self, registers):
        r = self.solver.workspace.r
        r[self.in_mode], r[self.in_sticks], r[self.in_direction] = registers

    def forbid(self, fired, banned):
        """What compiled code is to know of guards that have fired, and of modes that are banned."""
        C = self.calls.arrays
        C.ended[:], C.banned[:] = 0, 0
        C.ended[list(self.stopped(fired))] = 1
        for e, mode in banned:
            ban(C.banned[e], mode)

    def stop_incipient(self):
        self.solver.workspace.incipient[:, at.I_ON] = 0.0

    def restore(self, saved):
        if not saved:
            return
        r, modes = self.solver.workspace.r, np.array([mode for mode, _ in saved])
        directions = np.zeros((len(saved), 2))
        directions[self.is_tangent] = np.concatenate([direction for _, direction in saved])
        r[self.in_mode], r[self.in_sticks], r[self.in_direction] = modes, modes == STICKING, directions

    def gap(self, e):
        """Of an element with a normal; 0 where that is a rate."""
        line = self.lines[e]
        return 0.0 if line[at.C_RATE] else float(self.solver.workspace.row[line[at.C_NORMAL], at.Y_PHI])

    def gaps(self):
        """Of all elements; 0 for those without."""
        found = self.solver.workspace.row[self.table[:, at.C_NORMAL], at.Y_PHI]
        return np.where(self.by_gap, found, 0.0).tolist()

    def others_on(self):
        """Rows of joints and constraints that hold."""
        if self.is_row.all():
            return NO_ROWS
        return np.flatnonzero(self.solver.compiled.rows_on(self.solver.workspace.r) & ~self.is_row)


class Instant:
    """The mechanism at one instant, all contact forces left out: D, rates and accelerations of rows. Joints and constraints
    are kept."""

    def __init__(self, state: ContactState):
        self.state, self.solver = state, state.solver
        whole = self.solver.constraints != "embedded"
        if not whole:
            self.open_all()
        self.count, self.approaches = state.calls.read_instant(whole)
        self.energy = state.calls.arrays.out[-OUT:].copy()

    def open_all(self):
        """What reading does where constraints are not embedded."""
        from mekane.solvers.hybrid.event_actions import choose_rows

        kept, (mode, sticks, direction) = self.state.calls.arrays.registers, self.state.registers()
        kept[:, 0], kept[:, 1], kept[:, 2:] = mode, sticks, direction
        self.state.open_all()
        choose_rows(self.solver)

    @cached_property
    def local(self):
        """As Python sees it: to be read before the next instant is."""
        self.read_problem()
        self.reaction = self.reactions_to_rows()
        return self.make_local()

    def read_problem(self):
        """D, rates and accelerations of all rows, and of every element what it was."""
        solver, state, C, n = self.solver, self.state, self.state.calls.arrays, self.solver.compiled.n_rows
        self.u = solver.y[solver.compiled.n_q : solver.compiled.n_q + solver.compiled.n_u].copy()
        out = C.out[len(solver.y) :].copy()
        self.D, self.rate = out[: n * n].reshape(n, n), out[n * n : n * n + n]
        self.acceleration = out[n * n + n : n * n + 2 * n]
        self.before, self.touching = state.saved(), C.touching[: self.count].tolist()
        self.gaps, self.friction, self.static = C.gap.tolist(), C.friction.tolist(), C.static.tolist()
        self.scale, self.loads = (
            solver.workspace.scale.copy(),
            solver.workspace.load[:, 2 * len(state) : 2 * len(state) + 2].copy(),
        )
        self.others = state.others_on()  # of joints and constraints that hold

    def reactions_to_rows(self):
        """(others, rows): multipliers of joints and constraints that unit forces on rows call up."""
        if not len(self.others):
            return np.zeros((0, len(self.rate)))
        D, right = self.D[np.ix_(self.others, self.others)], -self.D[self.others]
        s = 1.0 / np.sqrt(np.maximum(np.diag(D), 1e-300))
        inverse = s[:, None] * pseudo_inverse(s[:, None] * D * s) * s
        found = inverse @ right
        for _ in range(REFINEMENTS):
            found += inverse @ (right - D @ found)
        return found

    @property
    def kinetic_energy(self):
        return float(self.energy[0])

    def make_local(self):
        """Local; self.selection: its rows as combinations of those of the model."""
        state, elements, selection, n = self.state, [], [], len(self.rate)
        D = self.D
        if len(self.others):
            D = D + D[:, self.others] @ self.reaction  # (N.8): joints and constraints are kept
        for e in self.touching:
            mode, direction = self.before[e]
            line, fact, begin = state.lines[e], state.facts[e], len(selection)
            first, normal, axes = line[at.C_TANGENT], -1, NO_AXES
            if line[at.C_NORMAL] >= 0:
                normal = begin
                selection.append((line[at.C_NORMAL], 1.0))
            if first >= 0:
                rows = slice(first, first + line[at.C_TANGENTS])
                axes = movable_axes(D[rows, rows])
                selection += [(rows, axis) for axis in axes]
            elements.append(
                LocalElement(
                    e, fact.name, normal, np.arange(begin + (normal >= 0), len(selection)), axes, self.friction[e], self.static[e],
                    float(fact.element.restitution), fact.element.law, self.gaps[e], mode, axes @ direction if first >= 0 else np.zeros(0),
                )
            )  # fmt: skip
            elements[-1].rows = np.arange(begin, len(selection))  # known here: they stand together
        C = self.selection = np.zeros((len(selection), n))
        for k, (rows, parts) in enumerate(selection):
            C[k, rows] = parts
        for e in elements:
            e.load = self.load_of(e.index)
        D = C @ D @ C.T
        scale = np.sqrt((C * C) @ (self.scale * self.scale))
        return Local(0.5 * (D + D.T), C @ self.rate, C @ self.acceleration, elements, scale, state.spaces)

    # ---------------------------------------------------------------- impulses

    def rows_of(self, P):
        """Impulses on the rows of `local` as impulses of all rows, those of joints and constraints included."""
        rows = self.selection.T @ P
        rows[self.others] = self.reaction @ rows
        return rows

    @cached_property
    def answers(self):
        """(speeds, rows of `local`): change of the speeds by unit impulses. The workspace must be as `read_problem` left it."""
        rows = self.selection.copy()
        rows[:, self.others] = rows @ self.reaction.T  # as `rows_of`
        found = np.zeros((len(rows), len(self.u)))
        answer_to_all(self.solver.handle, rows, found)
        return found.T

    def speeds_after(self, P):
        return self.u + self.answers @ P

    # ---------------------------------------------------------------- loads of joints

    @cached_property
    def joint_answers(self):
        """For each row of `local`: the impulses in all joints that a unit impulse calls up, as Momentum gives them."""
        after, none = self.u + self.answers.T, np.zeros((len(self.solver.workspace.body), 6))
        momentum, unit = Momentum(self.solver), np.eye(len(self.selection))
        return [momentum.joint_impulses(u, self.rows_of(P), none) for u, P in zip(after, unit, strict=True)]

    def load_of(self, e):
        """What limits friction by the load of a joint; None for the others."""
        line = self.state.lines[e]
        if self.state.contact_of[e] >= 0:
            return Load(np.zeros(1), self.selection[:, line[at.C_PRESSED]][None].copy(), False, np.zeros(1), False)
        if line[at.C_BY] != at.BY_LOAD:
            return None
        n, name = line[at.C_LOADS], self.state.facts[e].element.reaction.joint
        pair = self.solver.workspace.pair[line[at.C_LOAD_PAIR]]
        axes = [pair[at.X_E + 3 * axis : at.X_E + 3 * axis + 3].copy() for axis in line[at.C_LOAD_E : at.C_LOAD_E + n]]
        link = self.solver.compiled.link_of.get(name)
        side = -1.0 if link is not None and link.swapped else 1.0  # of the body that the kernels take
        forces = np.array([side * impulses[name][0] for impulses in self.joint_answers])
        return Load(self.loads[e, :n], np.array(axes) @ forces.T, bool(line[at.C_SUMS]), self.state.sides(e).copy())


def pseudo_inverse(A):
    """Of a symmetric matrix with ones on its diagonal, as algebra.symmetric finds it for few rows: by its factor where
    pivots leave no doubt, which takes a tenth of the time."""
    try:
        L = np.linalg.cholesky(A)
    except np.linalg.LinAlgError:
        return np.linalg.pinv(A, rcond=REPEATED, hermitian=True)
    if not np.diag(L).min() ** 2 > CLEAR * REPEATED:  # pivots say less than eigenvalues
        return np.linalg.pinv(A, rcond=REPEATED, hermitian=True)
    inverse = np.linalg.inv(L)
    return inverse.T @ inverse


def contact_problem_of(solver):
    """yd, then D, rates and accelerations of all rows, energies and momenta, at the state of a solver."""
    n = solver.compiled.n_rows
    out = np.zeros(len(solver.y) + n * n + 2 * n + OUT)
    contact_problem(solver.handle, solver.t, solver.y, out)
    return out
