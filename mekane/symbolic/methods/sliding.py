"""Friction of what slides, in one phase of a motion: its size is μ λ_N, or a given force, against the velocity of sliding.

    M u' = f + Bᵀ lambda + s,     s = −Σ W_Tᵀ d c,     d = γ_T/|γ_T|,   c = μ λ_N or the force                      (N.3)

The model is traced with its contact laws, whose rows are all there: W_T, γ_T and μ are those of the time loop.
"""

from functools import cached_property

import numpy as np

from mekane.errors import ModelError
from mekane.expressions.graph import symbol
from mekane.model.hybrid.closed_contact import ClosedContact
from mekane.model.set_valued import OPEN, SLIDING, STICKING
from mekane.symbolic.methods.free_bodies import CutFree
from mekane.symbolic.traced import traced
from mekane.tables import columns as at


class Friction:
    """Of all that slides: `rows`, (row of a model with contact laws, force along it) of every tangent."""

    def __init__(self, model, rows):
        self.trace, self.rows = model.trace, rows
        self.values, self.meanings = model.values, model.meanings  # of parameters that stand in them

    @cached_property
    def forces(self):
        """On each speed."""
        total = [0.0] * self.trace.compiled.n_u
        for row, force in self.rows:
            total = [a + b * force for a, b in zip(total, self.trace.rows.B[row], strict=True)]
        return total

    @cached_property
    def on_bodies(self):
        """In each equation of the bodies cut free."""
        cut = CutFree(self.trace)
        _, W = self.trace.moved_so(gravity=False)
        total = [0.0] * len(cut.directions)
        for row, force in self.rows:
            column = cut.column(self.trace.tables.row_i[row], self.trace.tables.term_i, W.term)
            total = [a + b * force for a, b in zip(total, column, strict=True)]
        return total


def slides(system):
    """Names of the elements of contact laws that slide where the system begins."""
    return [name for name, mode in system._contact_modes.items() if mode == SLIDING]


def sliding_friction(system, phase, formulation, parameters):
    """Its Friction; None where nothing slides with friction. system: with its contact laws; phase: without."""
    if not slides(system):
        return None
    model = traced(system, formulation, parameters)
    trace, compiled = model.trace, model.trace.compiled
    balance, names, rows = trace.inverse_inward_pass, multiplier_names(compiled, phase), []
    for line, fact in zip(compiled.tables.contact_i, compiled.elements_of_contact, strict=True):
        if system._contact_modes.get(fact.name) != SLIDING or not line[at.C_TANGENTS]:
            continue
        places = range(line[at.C_TANGENT], line[at.C_TANGENT] + line[at.C_TANGENTS])
        size = balance.registers[line[at.C_FRICTION]]
        if line[at.C_BY] == at.BY_LOAD:
            problem = f"{fact.name!r} slides, and its friction follows from the reaction of a joint"
            raise ModelError(
                "equations", problem, "friction of contacts, or of given size", "Take its forces from a run."
            )
        if line[at.C_BY] == at.BY_NORMAL:
            size = size * symbol(names[line[at.C_PRESSED]])
        speed = np.sqrt(sum((balance.rate[k] * balance.rate[k] for k in places), 0.0))
        rows += [(k, -size * balance.rate[k] / speed) for k in places]
    return Friction(model, rows)


def multiplier_names(compiled, phase):
    """{row of a normal in the model with contact laws: name of its multiplier in the phase}"""
    lines = dict(zip((fact.name for fact in compiled.elements_of_contact), compiled.tables.contact_i, strict=True))
    found = {}
    for name, one in phase.constraints.items():
        if isinstance(one, ClosedContact):
            number = 0
            for element, mode in zip(one.law.ids(compiled.system), one.modes, strict=True):
                line = lines[element]
                if mode != OPEN and line[at.C_NORMAL] >= 0:
                    number += 1
                    found[line[at.C_NORMAL]] = f"{name}.lambda{number}"
                number += line[at.C_TANGENTS] if mode == STICKING else 0
    return found
