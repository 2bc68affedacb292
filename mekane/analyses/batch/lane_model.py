"""A system with numbers that vary as code over lanes: what is traced, and what lanes cannot do."""

from mekane.analyses.batch.lane_channels import NotOnLanes, traced_channels
from mekane.analyses.batch.starts import start_expressions
from mekane.codegen.entry_code import at
from mekane.codegen.lanes.lane_code import LaneCode
from mekane.codegen.lanes.traced_model import TracedModel, counted
from mekane.codegen.trace import undisturbed
from mekane.compiler.symbolic_tables import symbolic
from mekane.expressions.node import own_nodes, symbol
from mekane.expressions.parse import symbol_name
from mekane.solvers.clocks import TARGET
from mekane.solvers.lanes.loop_code import STRAIGHT_SPEEDS, LoopCode, LoopModel
from mekane.tables.columns import BRYAN, KIND
from mekane.tables.tables import N_EXPRESSION_ROWS

MOST_SPEEDS = 400  # quantities of more bodies take long to trace


class LaneModel:
    """Code of a VariedSystem over lanes, with the numbers that vary as inputs.

    solver, assembly: at the start of the system as it is; stride: see TracedModel; channels: names of quantities. Where steps
    are adaptive, comparisons in laws keep their outcomes within a step."""

    @undisturbed()
    def __init__(self, varied, solver, assembly, stride, channels):
        refuse(solver)
        self.loops = None
        self.addresses = varied.numbers  # {name of what varies: where it stands in the system}
        starts = varied.starts if varied.direct else {}  # {name of what varies: coordinate or speed}
        self.names = [*self.addresses, *starts]
        with own_nodes() as nodes:
            self.symbolic = symbolic(varied.base, solver.compiled.formulation, list(self.addresses.values()))
            for name, reason in self.symbolic.fixed.items():
                raise NotOnLanes(f"{name!r}: {reason}")
            self.held = hold_inputs(self.symbolic, solver)
            self.traced = TracedModel(self.symbolic, solver.workspace, solver.adaptive)
            self.channels = traced_channels(self.traced, solver, channels)
            refuse_comparisons(self.traced, solver)
            refuse_controllers(self, solver)
            functions = self.functions(solver, stride)
            if self.channels.outputs:
                functions["channels"] = self.channel_outputs()
            self.start = None
            if varied.direct or not varied.starts:
                self.start = self.start_state(start_expressions(self.symbolic.compiled, solver, assembly, starts))
            symbols = [symbol(symbol_name(self.addresses.get(name, name))) for name in self.names]
            tables = () if self.loops is None else self.loops.given.values()
            first = self.traced.n_measured + self.traced.n_frozen + len(self.held)
            self.code = LaneCode(functions, symbols, nodes, first, self.start or (), tables)

    def functions(self, solver, stride):
        """{name: outputs} of straight-line code; large models have loop kernels for the rest."""
        if solver.compiled.n_u <= STRAIGHT_SPEEDS:
            return self.traced.functions(stride)
        self.loops = LoopModel(self.symbolic, solver.workspace, self.traced.measured)
        return self.traced.functions_beside_loops()

    def channel_outputs(self):
        """{Place: expression} of what is written at each sample."""
        return self.channels.outputs

    def start_state(self, found):
        """Expressions of the initial state, from those of the model."""
        return found

    def loop_code(self, lanes, stride):
        """Loop kernels for one thread; None: all is straight-line code."""
        if self.loops is None:
            return None
        return LoopCode(self.loops, lanes, self.code.prepared, stride, self.traced.has_projection)


def refuse(solver):
    """What lanes cannot do."""
    compiled, tables, controllers = solver.compiled, solver.tables, solver.phases.controllers.clocks
    reasons = {
        "a Python function is called in every step": compiled.program.callbacks,
        "there are events": compiled.events,
        "controllers call Python, or change stored energies or laws of time": not controllers.compiled.all(),
        "there are contact laws": compiled.system.contact_laws,
        "Bryan angles may change their sequence": BRYAN in tables.primitive_i[:, KIND],
        "turns of screws are counted": any(is_screw(compiled, name) for name, _ in counted(compiled)),
        "nothing can move": compiled.n_u == 0,
        f"it has more than {MOST_SPEEDS} speeds": compiled.n_u > MOST_SPEEDS,
    }
    for reason, holds in reasons.items():
        if holds:
            raise NotOnLanes(reason)


def refuse_comparisons(traced, solver):
    """Where lanes cannot follow the comparisons of laws."""
    many = traced.compiled.program.comparisons and solver.compiled.n_u > STRAIGHT_SPEEDS
    reasons = {
        f"it has more than {STRAIGHT_SPEEDS} speeds": many,
        "turns of joints are counted": traced.n_frozen and traced.measured,
        "constraints are given by expressions": traced.n_frozen and solver.tables.count[N_EXPRESSION_ROWS],
    }
    for reason, holds in reasons.items():
        if holds:
            raise NotOnLanes(f"laws compare numbers, and {reason}")


def hold_inputs(symbolic, solver):
    """What inputs that controllers write are at the start, numbers or expressions. In their place the time loop fills p,
    after outcomes of comparisons."""
    targets = solver.phases.controllers.clocks.writes[:, TARGET]
    first = len(solver.compiled.program.comparisons) if solver.adaptive else 0
    found = list(symbolic.registers[targets])
    symbolic.registers[targets] = [at("p", first + w) for w in range(len(targets))]
    return found


def refuse_controllers(model, solver):
    """Where lanes cannot follow sampled controllers."""
    reasons = {
        f"it has more than {STRAIGHT_SPEEDS} speeds": solver.compiled.n_u > STRAIGHT_SPEEDS,
        "turns of joints are counted": model.traced.measured,
        f"{', '.join(model.channels.missing)} cannot be computed on lanes": model.channels.missing,
    }
    for reason, holds in reasons.items():
        if holds and solver.compiled.controllers:
            raise NotOnLanes(f"there are controllers, and {reason}")


def is_screw(compiled, joint):
    return any(primitive.kind == "screw" for primitive in compiled.system.joints[joint].primitives())
