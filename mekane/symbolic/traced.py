"""A system traced: its expressions, its parameters and what they are worth."""

from dataclasses import dataclass

from mekane.analyses.dynamics import prepared
from mekane.compile.layout import BLOCK_Q, BRYAN, KIND
from mekane.scalars.trace import Trace


@dataclass
class Traced:
    system: object
    formulation: str
    trace: Trace
    values: dict  # name of every parameter that is a symbol → its value
    meanings: dict  # and what it is


def traced(system, formulation="joint", parameters="symbolic"):
    """The model as it is at its start: rows in use, sequences of Bryan angles."""
    model = prepared(system, formulation)
    q, u = model.start()
    compiled = model.compiled
    sequences = q[[iq + 1 for iq in compiled.tables.block_i[compiled.tables.block_i[:, KIND] == BRYAN, BLOCK_Q]]]
    return Traced(system, formulation, Trace(compiled, sequences=sequences), {}, {})
