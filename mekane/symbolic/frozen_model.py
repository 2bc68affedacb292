"""The functions of a model between events, for programs that integrate it themselves (FMUs, live pages), as the time loop
has them: comparisons keep the outcomes that they are given, so that all is smooth, and near singular positions the rows
are regularized."""

import numpy as np

from mekane.codegen.entry_code import at
from mekane.codegen.lanes.traced_model import TracedModel
from mekane.codegen.trace import refuse_callbacks
from mekane.errors import ModelError
from mekane.expressions.node import scalar, symbol
from mekane.expressions.opcodes import LESS_EQUAL
from mekane.kernels.rhs import rhs
from mekane.kernels.tape import COMPARISONS
from mekane.model.hybrid.activity import switched_parts
from mekane.numba_backend.kernel import plain
from mekane.tables.columns import BRYAN, KIND
from mekane.tables.tables import FROZEN, REFINEMENTS, REGULAR


class FrozenModel(TracedModel):
    """A TracedModel of t, y, parameters, outcomes and a regularization."""

    def __init__(self, symbolic, like):
        super().__init__(symbolic, like)
        self.t, self.regularization = symbol("t"), at("regularization")
        self.outcomes = [at("outcome", k) for k in range(len(self.compiled.program.comparisons))]

    def workspace(self, tables=None):
        W = super().workspace(tables)
        W.state[FROZEN] = COMPARISONS
        W.modes[: len(self.outcomes)] = self.outcomes
        if self.compiled.n_rows:
            W.regularization[0], W.state[REFINEMENTS] = self.regularization, REGULAR[1]
        return W

    def rates_and_guards(self):
        """yd and then the smallest pivot; left − right of every comparison."""
        W, yd = self.workspace(), np.zeros(self.n, object)
        plain(rhs)(self.tables, W, self.t, self.y, yd)
        self.evaluated_workspace, self.registers = W, W.r
        guards = [scalar(W.r[k]) for k in self.compiled.program.event_registers]
        return [*map(scalar, yd), self.smallest_pivot(W)], guards


def or_equal(program) -> list[bool]:
    """Of every comparison: whether it holds where both sides are equal."""
    return [bool(program.code[k, 0] == LESS_EQUAL) for k in program.comparisons]


# ---------------------------------------------------------------- what there is no frozen model of


def refuse_phases(system, what: str, remedies: dict[str, str]) -> None:
    """An error for parts that change the equations on the way, or run Python.  what: "an FMU", "a live page".  remedies: for
    those that are refused of "contact_laws", "events", "controllers" and "switched" parts, with {name} for that of the
    part."""
    both = {**system.joints, **system.constraints}
    groups = {
        "contact_laws": (system.contact_laws, "it is a contact law, whose forces are solved for in the time loop"),
        "events": (system.events, "it changes the motion at instants"),
        "controllers": (system.controllers, "it computes inputs at its ticks, in the time loop"),
        "switched": ({name: both[name] for name in switched_parts(system)}, "it is not active at all times"),
    }
    expected = f"{what} holds forces, joints and constraints given by expressions, the same at all times"
    for group, remedy in remedies.items():
        parts, problem = groups[group]
        for part in parts.values():
            raise ModelError(part.part, problem, expected, remedy.format(name=part.name))


def refuse_impulsive(system, what: str, remedy: str) -> None:
    """An error for an event that does more than set variables and inputs, or stop.  remedy: with {name} for the event."""
    for event in system.events.values():
        rates = [target for target in event.set if target not in {**system.variables, **system.inputs} or "." in target]
        problems = [f"it sets {rates[0]!r}"] if rates else []
        problems += ["it has an impulse"] if event.impulses else []
        if problems:
            expected = f"an event of {what} sets variables and inputs of the model, or stops"
            raise ModelError(event.part, problems[0], expected, remedy.format(name=event.name))


def set_by_events(system, names=None) -> dict[str, str]:
    """{variable or input: why it is not set from outside} of those that events set."""
    found = {}
    for event in system.events.values():
        found |= {target: f"{event.part} sets it" for target in event.set if names is None or target in names}
    return found


def refuse_compiled(compiled, what: str) -> None:
    """An error for a compiled model of which there are no such functions."""
    refuse_callbacks(compiled)
    if compiled.n_u == 0:
        raise ModelError(f"system {compiled.system.name!r}", "nothing in it can move", f"{what} has states")
    if (compiled.tables.primitive_i[:, KIND] == BRYAN).any():
        problem = f"it is {compiled.formulation!r}: Bryan angles change their sequence on the way"
        raise ModelError("formulation", problem, f"{what} keeps its states", 'Write formulation="joint".')
