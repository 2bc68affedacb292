"""Contact laws at configurations at rest: gaps, coefficients of friction, which elements touch."""

from functools import cached_property

import numpy as np

from mekane.analyses.state.dynamics import Model
from mekane.compiler.compiler import compile_system
from mekane.errors import ModelError
from mekane.model.hybrid.activity import without_contact_laws
from mekane.model.hybrid.closed_contact import ElementSet
from mekane.model.set_valued import OPEN, SLIDING, STICKING
from mekane.solvers.contacts.local import TOUCHING
from mekane.solvers.contacts.refusals import law_of
from mekane.tables import columns as at


class ContactLaws:
    """All elements of the contact laws of a system, evaluated at any configuration at rest."""

    def __init__(self, system, formulation, t):
        self.system, self.t = system, t
        self.model = Model(compile_system(system, formulation))
        compiled = self.model.compiled
        self.table, self.facts = compiled.tables.contact_i, compiled.elements_of_contact
        self.names = [fact.name for fact in self.facts]
        self.still = np.zeros(compiled.n_u)

    def evaluate(self, q):
        """Workspace with the rows and values of all elements."""
        y = np.concatenate([q, self.still])
        self.model.measure_from_start(self.t, y)
        return self.model.workspace

    def gaps(self, q):
        """Of elements with a gap; of the others, a rate among them, that at rest, or 0."""
        W = self.evaluate(q)
        column = np.where(self.table[:, at.C_RATE] == 1, at.Y_RATE, at.Y_PHI)
        return np.where(self.table[:, at.C_NORMAL] >= 0, W.row[self.table[:, at.C_NORMAL], column], 0.0)

    def has_gap(self, k):
        return self.table[k, at.C_NORMAL] >= 0 and not self.table[k, at.C_RATE]

    def limits(self, q):
        """Static friction of all elements: coefficients, or the largest force."""
        r = self.evaluate(q).r
        return np.maximum(r[self.table[:, at.C_STATIC]], r[self.table[:, at.C_FRICTION]])

    def closed_modes(self, q, wanted=()):
        """Modes of all elements with what touches closed, and sticking if it is rough."""
        gaps = self.gaps(q)
        closed = [gap <= TOUCHING or name in wanted for name, gap in zip(self.names, gaps, strict=True)]
        self.refuse_overlap(gaps, wanted)
        modes = dict(zip(self.names, np.where(closed, self.rough_modes(q), OPEN).tolist(), strict=True))
        return self.with_resistances(modes)

    @cached_property
    def pressed_by(self):
        """{what resists rolling or spinning: the contact whose normal force limits it}"""
        normals = {int(row): name for name, row in zip(self.names, self.table[:, at.C_NORMAL], strict=True) if row >= 0}
        return {
            name: normals[int(line[at.C_PRESSED])]
            for name, line in zip(self.names, self.table, strict=True)
            if line[at.C_NORMAL] < 0 and line[at.C_PRESSED] >= 0
        }

    def with_resistances(self, modes):
        """Where a contact is open, nothing resists rolling either."""
        return modes | {name: OPEN for name, contact in self.pressed_by.items() if modes[contact] == OPEN}

    def rough_modes(self, q):
        """Of elements that are closed at rest."""
        has_normal, rough = self.table[:, at.C_NORMAL] >= 0, (self.table[:, at.C_TANGENTS] > 0) & (self.limits(q) > 0.0)
        return np.where(rough, STICKING, np.where(has_normal, SLIDING, OPEN))

    def refuse_overlap(self, gaps, wanted):
        for name, gap in zip(self.names, gaps, strict=True):
            if gap < -TOUCHING and name not in wanted:
                raise ModelError(
                    law_of(self.system, name).part,
                    f"the gap of {name!r} is {gap:.6g} where the search starts",
                    "bodies do not enter each other, and limits are kept",
                    "Move the bodies apart, or change at= or the limit.",
                )

    def sets(self, q):
        """ElementSet of each element, by name."""
        found = {}
        for line, fact, limit in zip(self.table, self.facts, self.limits(q), strict=True):
            by_reaction = line[at.C_BY] == at.BY_LOAD
            found[fact.name] = ElementSet(
                fact.name, bool(line[at.C_NORMAL] >= 0), int(line[at.C_TANGENTS]), None if by_reaction else float(limit),
                self.pressed_by.get(fact.name),
            )  # fmt: skip
        return found

    def closed_system(self, modes, q):
        """The system with the elements that are closed in these modes as constraints."""
        return without_contact_laws(self.system, modes, self.sets(q))
