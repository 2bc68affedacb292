"""A system with numbers that vary as code over lanes: what is traced, and what lanes cannot do."""

from mekane.analyses.batch.lane_channels import NotOnLanes, traced_channels
from mekane.analyses.batch.starts import start_expressions
from mekane.codegen.lanes.lane_code import LaneCode
from mekane.codegen.lanes.traced_model import TracedModel, counted
from mekane.codegen.trace import undisturbed
from mekane.compiler.symbolic_tables import symbolic
from mekane.expressions.node import own_nodes, symbol
from mekane.expressions.parse import symbol_name
from mekane.tables.columns import BRYAN, KIND

MOST_SPEEDS = 100  # code for more takes long to compile, and no longer fits where the processor wants it


class LaneModel:
    """Code of a system over lanes, with `varied` numbers as inputs.

    solver, assembly: at the start of the system as it is; stride: see TracedModel; channels: names of quantities."""

    @undisturbed()
    def __init__(self, system, varied, solver, assembly, stride, channels):
        refuse(solver)
        with own_nodes() as nodes:
            self.symbolic = symbolic(system, solver.compiled.formulation, list(varied))
            for name, reason in self.symbolic.fixed.items():
                raise NotOnLanes(f"{name!r}: {reason}")
            self.traced = TracedModel(self.symbolic, solver.workspace)
            self.channels = traced_channels(self.traced, solver, channels)
            functions = self.traced.functions(stride)
            if self.channels.outputs:
                functions["channels"] = self.channels.outputs
            self.start = start_expressions(self.symbolic.compiled, solver, assembly)
            symbols = [symbol(symbol_name(name)) for name in varied]
            self.code = LaneCode(functions, symbols, nodes, self.traced.n_measured, self.start or ())


def refuse(solver):
    """What lanes cannot do."""
    compiled, tables = solver.compiled, solver.tables
    reasons = {
        "a Python function is called in every step": compiled.program.callbacks,
        "there are events": compiled.events,
        "there are controllers": compiled.controllers,
        "there are contact laws": compiled.system.contact_laws,
        "laws compare numbers": len(solver.workspace.modes),
        "Bryan angles may change their sequence": BRYAN in tables.primitive_i[:, KIND],
        "turns of screws are counted": any(is_screw(compiled, name) for name, _ in counted(compiled)),
        "nothing can move": compiled.n_u == 0,
        f"it has more than {MOST_SPEEDS} speeds": compiled.n_u > MOST_SPEEDS,
    }
    for reason, holds in reasons.items():
        if holds:
            raise NotOnLanes(reason)


def is_screw(compiled, joint):
    return any(primitive.kind == "screw" for primitive in compiled.system.joints[joint].primitives())
