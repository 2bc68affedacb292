"""A system traced: its expressions, its parameters and what they are worth."""

from dataclasses import dataclass

import numpy as np

from mekane.analyses.state.dynamics import prepared
from mekane.codegen.trace import Trace
from mekane.compiler.symbolic_tables import symbolic
from mekane.errors import ModelError
from mekane.symbolic.methods.generalized_speeds import UserSpeedTrace
from mekane.symbolic.simplify.polynomial import Algebra
from mekane.tables.columns import BRYAN, KIND, PRIMITIVE_Q


@dataclass
class Traced:
    system: object
    formulation: str
    trace: Trace
    values: dict  # name of every parameter that is a symbol → its value
    meanings: dict  # and what it is
    fixed: dict  # parameters that stayed numbers somewhere → why
    start: np.ndarray  # y = (q, u, integrals, work) after assembly


def traced(system, formulation="joint", parameters="symbolic", own_speeds=False):
    """The model as it is at its start: active rows, sequences of Bryan angles."""
    model = prepared(system, formulation)
    q, u = model.start()
    y = np.concatenate([q, u, np.zeros(model.compiled.n_work)])
    active = model.active_rows(0.0, y)
    primitive_i = model.compiled.tables.primitive_i
    sequences = q[[iq + 1 for iq in primitive_i[primitive_i[:, KIND] == BRYAN, PRIMITIVE_Q]]]
    algebra = Algebra()
    found = symbolic(system, formulation, parameters, tidy=lambda x: algebra.expr(algebra.of(x)))
    gravity = [-x for x in found.base]
    trace = Trace(found.compiled, found.tables, found.registers, gravity, active=active, sequences=sequences)
    if own_speeds and system.own_speeds:
        trace = UserSpeedTrace(trace, found.values)
    return Traced(system, formulation, trace, found.values, found.meanings, found.fixed, y)


def moving(model, analysis):
    """The traced model; an error if nothing in it can move, such as a frame of welded bodies. analysis: its name."""
    if len(model.trace.ud):
        return model
    problem = f"it has no speeds in the {model.formulation} formulation: nothing can move"
    remedy = 'Use mk.equilibrium(s) and its reactions, or formulation="absolute".'
    raise ModelError(f"{analysis} of {model.system.name!r}", problem, "equations of motion are about speeds", remedy)
