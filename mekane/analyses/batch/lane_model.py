"""A system with numbers that vary as code over lanes: what is traced, and what lanes cannot do."""

import numpy as np

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
from mekane.solvers.hybrid.controllers import changes_more
from mekane.solvers.lanes.loop_code import STRAIGHT_SPEEDS, LoopCode, LoopModel
from mekane.tables.columns import BRYAN, KIND
from mekane.tables.tables import CONSTRAINT_CODE, N_EXPRESSION_ROWS

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
            self.discrete = take_discrete(self.symbolic, solver)
            self.events = event_tables(solver)
            self.traced = TracedModel(self.symbolic, solver.workspace, solver.adaptive)
            self.channels = traced_channels(self.traced, solver, channels)
            refuse_comparisons(self.traced, solver)
            refuse_discrete(self, solver)
            functions = self.functions(solver, stride)
            if self.channels.outputs:
                functions["channels"] = self.channel_outputs()
            self.start = None
            if varied.direct or not varied.starts:
                self.start = self.start_state(start_expressions(self.symbolic.compiled, solver, assembly, starts))
            symbols = [symbol(symbol_name(self.addresses.get(name, name))) for name in self.names]
            tables = () if self.loops is None else self.loops.given.values()
            first = self.traced.n_measured + self.traced.n_frozen + len(self.discrete)
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
        "events lock, release, push or set rates": any(
            not sets_only(solver, one) for one in compiled.system.events.values()
        ),
        "events are located in adaptive steps": compiled.events and not solver.adaptive,
        "events change stored energies or laws of time": any(one.set for one in compiled.events)
        and changes_more(solver),
        "controllers call Python, or change stored energies or laws of time": not controllers.compiled.all(),
        "jumps of floors and angles are located": solver.adaptive and laws_are_discontinuous(compiled),
        "there are contact laws": compiled.system.contact_laws,
        "Bryan angles may change their sequence": BRYAN in tables.primitive_i[:, KIND],
        "turns of screws are counted": any(is_screw(compiled, name) for name, _ in counted(compiled)),
        "nothing can move": compiled.n_u == 0,
        f"it has more than {MOST_SPEEDS} speeds": compiled.n_u > MOST_SPEEDS,
    }
    for reason, holds in reasons.items():
        if holds:
            raise NotOnLanes(reason)


def laws_are_discontinuous(compiled):
    """Whether floors or angles of the state are in laws. In constraints they turn a periodic curve on, which is continuous there."""
    return any(
        instruction >= compiled.tables.count[CONSTRAINT_CODE] for instruction in compiled.program.discontinuities
    )


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


def sets_only(solver, event):
    """Whether an event sets inputs and variables, or ends the motion, and nothing else."""
    return not (event.lock or event.release or event.impulses) and set(event.set) <= set(solver.compiled.discrete)


def discrete_targets(solver):
    """Registers of what controllers write, in the order in which they do, and then of what else events set."""
    written = solver.phases.controllers.clocks.writes[:, TARGET].tolist()
    return list(dict.fromkeys([*written, *set_by_events(solver.compiled)]))


def set_by_events(compiled):
    """Registers of the values that events set, event by event."""
    first = compiled.discrete_registers.start
    return [first + compiled.discrete.index(name) for one in compiled.events for name in one.set]


def take_discrete(symbolic, solver):
    """What they are at the start, numbers or expressions. In their place the time loop fills p, after outcomes of
    comparisons."""
    targets = discrete_targets(solver)
    first = len(solver.compiled.program.comparisons) if solver.adaptive else 0
    found = list(symbolic.registers[targets])
    symbolic.registers[targets] = [at("p", first + w) for w in range(len(targets))]
    return found


def event_tables(solver):
    """Fields of LaneRuns."""
    compiled, targets = solver.compiled, discrete_targets(solver)
    flags = [(one.at_start, one.once, one.stop) for one in compiled.system.events.values()]
    return dict(
        events=np.array(flags, np.int64).reshape(-1, 3),
        event_first=np.cumsum([0, *(len(one.set) for one in compiled.events)]).astype(np.int64),
        event_target=np.array([targets.index(register) for register in set_by_events(compiled)], np.int64),
    )


def refuse_discrete(model, solver):
    """Where lanes cannot follow sampled controllers and events."""
    reasons = {
        f"it has more than {STRAIGHT_SPEEDS} speeds": solver.compiled.n_u > STRAIGHT_SPEEDS,
        "turns of joints are counted": model.traced.measured,
        f"{', '.join(model.channels.missing)} cannot be computed on lanes": model.channels.missing,
    }
    for reason, holds in reasons.items():
        if holds and (solver.compiled.controllers or solver.compiled.events):
            raise NotOnLanes(f"there are controllers or events, and {reason}")


def is_screw(compiled, joint):
    return any(primitive.kind == "screw" for primitive in compiled.system.joints[joint].primitives())
