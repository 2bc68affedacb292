"""The mechanism as its contact laws see it, traced for a page that chooses modes and solves impacts by itself.

    γ̇ = γ̇⁰ + D λ,   ud = ud⁰ + A λ        γ⁺ = γ⁻ + D P,   u⁺ = u⁻ + A P                    (N.3), (N.8)

D = W M⁻¹ Wᵀ and A = M⁻¹ Wᵀ of all rows of contact laws, loops and constraints kept; ud⁰ and γ̇⁰ without any force of them.
"""

import numpy as np

from mekane.errors import ModelError
from mekane.expressions.node import scalar
from mekane.expressions.traced_number import reals
from mekane.kernels.articulated_body import apply_inverse_mass
from mekane.kernels.bodies import six, twist
from mekane.kernels.joint_loads import load_with
from mekane.kernels.multipliers import eliminate_row, overlap, row_acceleration, scatter, solve, spread
from mekane.numba_backend.kernel import plain
from mekane.solvers.contacts.contact_state import ContactState
from mekane.solvers.contacts.refusals import law_of
from mekane.tables import columns as at
from mekane.tables.tables import REFINEMENTS, V_LAM, V_PIVOT, V_RESIDUAL

MOST_ROWS = 60  # of contact laws: D is written out as straight-line code
IN_MODES = 6  # numbers of an element in p: its mode, whether it sticks, its direction of sliding, sides of a load
LOADS = 2  # components of the load of a joint at most


def open_contacts(solver):
    """Let no contact law act: the active rows are those of joints and constraints."""
    from mekane.solvers.hybrid.event_actions import choose_rows

    ContactState(solver).open_all()
    choose_rows(solver)


def contact_rows(tables, elements=None):
    """Numbers of the rows of contact laws, element by element, of all or of these."""
    found = []
    for line in tables.contact_i if elements is None else tables.contact_i[elements]:
        found += [int(line[at.C_NORMAL])] if line[at.C_NORMAL] >= 0 else []
        found += range(line[at.C_TANGENT], line[at.C_TANGENT] + line[at.C_TANGENTS]) if line[at.C_TANGENTS] else []
    return found


def mode_registers(tables):
    """Of every element, IN_MODES each."""
    places = (at.C_MODE, at.C_STICKS)
    return [
        int(k)
        for line in tables.contact_i
        for k in (*(line[c] for c in places), *(line[at.C_DIRECTION] + np.arange(4)))
    ]


class ContactFunctions:
    """What a page needs of the contact laws of a LiveModel."""

    def __init__(self, model):
        self.model, self.tables, self.compiled = model, model.tables, model.compiled
        self.rows = contact_rows(self.tables)
        kinds = self.tables.row_i[: self.compiled.n_rows, at.ROW_KIND]
        self.works = sorted({self.work_of(y) for y in np.flatnonzero(kinds == at.EXPRESSION)} - {-1})
        self.loads = [e for e, line in enumerate(self.tables.contact_i) if line[at.C_BY] == at.BY_LOAD]

    # ---------------------------------------------------------------- the function

    def outputs(self, W, yd):
        """After the right-hand side: rates of y; D row by row, A row by row of contact; gaps, rates and free accelerations of
        all rows; the power that a unit force on each lets `works` do; friction and static friction of all elements; loads
        of joints, without forces of contact laws and then by a unit force on each row."""
        T, rows = self.tables, self.rows
        gaps, rates = ([W.row[y, column] for y in rows] for column in (at.Y_PHI, at.Y_RATE))
        accelerations = [plain(row_acceleration)(y, T.row_i, T.term_i, W.body, W.row, W.term) for y in rows]
        friction = [W.r[line[column]] for column in (at.C_FRICTION, at.C_STATIC) for line in T.contact_i]
        powers = {y: self.power(W, y) for y in self.doing_work(W)}
        lam, D, A = self.answers(W)
        power = [
            sum((W.scale[y] * answer[y] * x for y, x in powers.items() if self.work_of(y) == work), 0.0)
            for answer in lam
            for work in self.works
        ]
        loads = self.joint_loads(W, lam)
        found = [*yd, *D, *A, *gaps, *rates, *accelerations, *power, *friction, *loads]
        return [scalar(x) for x in found]

    def points(self):
        """(element, its law) of those that touch at a point."""
        system, facts = self.compiled.system, self.compiled.elements_of_contact
        found = [(e, law_of(system, fact.name)) for e, fact in enumerate(facts)]
        return [(e, law) for e, law in found if law.at_points and facts[e].name in self.compiled.places]

    def touching(self, W):
        """Of every point: where it is, and what unit forces on its rows are in the world, on the body that the law acts on."""
        found = []
        for e, law in self.points():
            found += [W.r[k] for k in self.compiled.places[self.compiled.elements_of_contact[e].name]]
            for y in contact_rows(self.tables, [e]):
                found += self.force_on(W, y, self.compiled.frames.row[law.acts_on])
        return [scalar(x) for x in found]

    def force_on(self, W, y, body):
        T, total = self.tables, np.zeros(3, object)
        for k in range(T.row_i[y, at.ROW_TERM], T.row_i[y, at.ROW_TERM_END]):
            if T.term_i[k, at.TERM_BODY] == body:
                total = total + np.array(plain(six)(W.term, k)[1], object)
        return list(total)

    def doing_work(self, W):
        """Rows that a force of a contact law lets do work: its own, and prescribed motions."""
        return [
            y
            for y in range(self.compiled.n_rows)
            if self.tables.row_i[y, at.ROW_KIND] == at.EXPRESSION and (W.active[y] or y in self.rows)
        ]

    def work_of(self, y):
        return int(self.tables.row_i[y, at.ROW_WORK])

    def power(self, W, y):
        """Of a unit force of a row on its bodies."""
        T, total = self.tables, 0.0
        for k in range(T.row_i[y, at.ROW_TERM], T.row_i[y, at.ROW_TERM_END]):
            (n, f), (w, v) = plain(six)(W.term, k), plain(twist)(W.body, T.term_i[k, at.TERM_BODY])
            total = total + sum(a * b for a, b in zip((*n, *f), (*w, *v), strict=True))
        return total

    def answers(self, W):
        """Scaled multipliers of all rows by a unit force on each row of contact, which has its own; D and A."""
        T, rows = self.tables, self.rows
        n_u, n_rows = self.model.n_u, self.compiled.n_rows
        G = np.zeros((len(rows), n_u), object)
        for k, y in enumerate(rows):
            plain(eliminate_row)(
                y, T.path_start, T.path, T.body_i, T.row_i, T.term_i, T.speed_kind, W.body, W.speed, W.term, W.wrench, W.E,
                T.e_start[y],
            )  # fmt: skip
            plain(scatter)(T.row_i, T.e_start, T.speed_start, T.path_speed, W.speed, W.scale[y], W.E, G[k], y)
        over = lambda k, y: plain(overlap)(T.row_i, T.e_start, T.speed_start, T.path_speed, W.E, G[k], y)
        lam, D, A = [], [], []
        for k, y in enumerate(rows):
            answer = self.multipliers(W, lambda j, k=k: over(k, j)) if W.active.any() else np.zeros(n_rows, object)
            answer = answer / W.scale[y]
            lam.append(answer.copy())
            lam[k][y] = 1.0 / W.scale[y]
            for i, other in enumerate(rows):
                total = over(k, other) / W.scale[y] + sum(answer[j] * over(i, j) for j in np.flatnonzero(W.active))
                D.append(total / W.scale[other])
            A += self.speeds(W, lam[k])
        return lam, D, A

    def multipliers(self, W, beside):
        """Scaled, of the active rows, by a unit scaled force: beside(j) is what it does to row j."""
        T, right, answer = self.tables, np.zeros(self.compiled.n_rows, object), np.zeros(self.compiled.n_rows, object)
        for j in np.flatnonzero(W.active):
            right[j] = -beside(j)
        plain(solve)(
            W.active, T.d_start, T.d_row, T.l_start, T.l_row, W.D, W.L, W.vectors[V_PIVOT], W.state[REFINEMENTS], right, answer,
            W.vectors[V_RESIDUAL],
        )  # fmt: skip
        return answer

    def speeds(self, W, lam):
        """Change of the speeds by scaled impulses on rows."""
        T, x, force = self.tables, np.zeros(self.model.n_u, object), np.zeros(self.model.n_u, object)
        plain(spread)(T.row_i, T.e_start, T.speed_start, T.path_speed, W.E, lam, force)
        plain(apply_inverse_mass)(T.body_i, T.speed_kind, W.wrench, W.speed, W.body, force, x)
        return list(x)

    def joint_loads(self, W, lam):
        if not self.loads:
            return []
        T, free = self.tables, W.vectors[V_LAM].copy()
        if W.active.any():  # the right-hand side has added what loops exert
            force = np.zeros(self.model.n_u, object)
            plain(spread)(T.row_i, T.e_start, T.speed_start, T.path_speed, W.E, free, force)
            W.speed[:, at.S_E] = W.speed[:, at.S_E] - force
        first, *others = [self.loads_with(W, free + more) for more in (0.0 * np.ones(len(free)), *lam)]
        return [*first, *(a - b for other in others for a, b in zip(other, first, strict=True))]

    def loads_with(self, W, lam):
        n = len(self.tables.contact_i)
        W.vectors[V_LAM, :] = lam
        plain(load_with)(self.tables, W, -1)
        return [W.load[e, 2 * n + c] for e in self.loads for c in range(LOADS)]

    # ---------------------------------------------------------------- plain data

    def about(self, solver):
        """What a page must know of elements and rows."""
        row_at = {y: k for k, y in enumerate(self.rows)}
        elements = []
        for line, fact in zip(self.tables.contact_i.tolist(), self.compiled.elements_of_contact, strict=True):
            first, n = line[at.C_TANGENT], line[at.C_TANGENTS]
            elements.append(
                {
                    "name": fact.name,
                    "normal": row_at.get(line[at.C_NORMAL], -1) if line[at.C_NORMAL] >= 0 else -1,
                    "tangents": [row_at[first + k] for k in range(n)],
                    "rate": bool(line[at.C_RATE]),
                    "load": self.loads.index(len(elements)) if line[at.C_BY] == at.BY_LOAD else -1,
                    "components": line[at.C_LOADS] if line[at.C_BY] == at.BY_LOAD else 0,
                    "sums": bool(line[at.C_SUMS]),
                    "restitution": float(reals(fact.element.restitution)),
                    "law": fact.element.law,
                }
            )
        bodies = list(self.compiled.system.bodies)
        first_work = self.model.n_q + self.model.n_u
        return {
            "rows": len(self.rows),
            "elements": elements,
            "loads": len(self.loads),
            "points": [{"element": e, "body": bodies.index(law.acts_on)} for e, law in self.points()],
            "works": [first_work + work for work in self.works],
            "own": sorted({first_work + self.work_of(y) for y in self.rows} - {first_work - 1}),
            "scale": [float(solver.workspace.scale[y]) for y in self.rows],
            "turned": [
                [int(line[at.PRIMITIVE_Q]), int(line[at.PRIMITIVE_U])]
                for line in self.tables.primitive_i
                if line[at.KIND] == at.QUATERNION
            ],
            "moved": [
                [int(line[at.PRIMITIVE_Q]), int(line[at.PRIMITIVE_U])]
                for line in self.tables.primitive_i
                if line[at.KIND] < at.QUATERNION
            ],
        }


# ---------------------------------------------------------------- what a live page has no code for


def refuse_contact_laws(system, remedy):
    """An error for a contact law that the engine of a page does not solve; it names the law."""
    for law in system.contact_laws.values():
        problem = None
        if law.searched:
            problem = "its contacts are searched in every step"
        elif any(float(reals(getattr(law, what, 0.0))) > 0.0 for what in ("rolling", "spinning")):
            problem = "it resists rolling or spinning"
        if problem:
            raise ModelError(law.part, problem, "a live page solves contacts of pairs with friction of sliding", remedy)


def refuse_compiled_contacts(compiled, remedy):
    """The same of what is known when the model is compiled."""
    if not len(compiled.tables.contact_i):
        return
    law = lambda e: law_of(compiled.system, compiled.elements_of_contact[e].name).part
    rows, table = contact_rows(compiled.tables), compiled.tables.contact_i
    if len(rows) > MOST_ROWS:
        problem = f"it and other contact laws have {len(rows)} rows"
        raise ModelError(law(0), problem, f"a live page has at most {MOST_ROWS}", remedy)
    if (compiled.tables.primitive_i[:, at.KIND] == at.MIXED).any():
        problem = f"the formulation is {compiled.formulation!r}, whose speeds are absolute angular velocities"
        raise ModelError(law(0), problem, "contact laws in a live page need another", 'Write formulation="joint".')
    by_load, hit = np.flatnonzero(table[:, at.C_BY] == at.BY_LOAD), np.flatnonzero(table[:, at.C_NORMAL] >= 0)
    if len(by_load) and len(hit):
        problem = f"it may be hit while {law(by_load[0])} resists, whose friction depends on the impulse in its joint"
        raise ModelError(law(hit[0]), problem, "impacts in a live page are those of joints without it", remedy)
