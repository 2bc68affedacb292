"""The functions of an FMU as expressions of (t, y, p): those of the time loop, run on symbols.

p = (measured joint coordinates with their turns counted, outcomes of comparisons, regularization of the constraints,
parameters and inputs, directions of derivatives). Comparisons of laws keep their outcomes between events, as in the
time loop, so all is smooth there.
"""

from dataclasses import dataclass

import numpy as np

from mekane.analyses.batch.lane_channels import UNTRACED, SymbolicPart
from mekane.analyses.batch.starts import start_expressions
from mekane.analyses.simulate import initial_solver
from mekane.codegen.entry_code import at
from mekane.codegen.lanes.traced_model import counted
from mekane.codegen.trace import undisturbed
from mekane.compiler.coordinates import initial_poses
from mekane.compiler.symbolic_tables import symbolic
from mekane.errors import ModelError
from mekane.exporters.fmu.discrete import REMEDY, discrete, refuse_discrete
from mekane.expressions.derivative import rates_along
from mekane.expressions.graph import Expr, inputs
from mekane.expressions.node import scalar
from mekane.expressions.parse import PARAMETER
from mekane.expressions.traced_number import TracedNumber
from mekane.results.energies import kinetic_energy, potential_energies
from mekane.symbolic.frozen_model import FrozenModel, or_equal, refuse_compiled, refuse_phases
from mekane.symbolic.functions import Entry, Function, parameter_entries, units
from mekane.tables.columns import Y_PHI, Y_RATE

ENERGIES = {
    "energy.kinetic": "kinetic energy",
    "energy.potential": "potential energy: gravity and all that store energy",
}


@dataclass
class Output:
    """A number that an FMU computes from its state."""

    name: str
    unit: str
    text: str
    expression: object


@dataclass
class Traced:
    """What an FMU is made of."""

    system: object
    compiled: object
    state: list  # Entry of every y
    memory: list  # Entries at the front of p: measurements, outcomes of comparisons, regularization
    n_measured: int
    parameters: list  # Entry of every parameter and input
    outputs: list  # Output
    start: list  # y at the start: expressions of parameters, or numbers
    functions: list  # Function
    guards: list  # expressions: left - right of each comparison
    or_equal: list  # True where a comparison holds at zero, too
    geometry: set  # names of the parameters that constraints depend on
    has_projection: bool
    strongest_pivot: float  # of the constraints, at the start
    discrete: object  # Discrete
    notes: list  # sentences about what is not as one may expect


@undisturbed()
def traced(system, formulation, parameters, outputs):
    """outputs: names of channels; None: joint coordinates and rates, energies, outputs of the system."""
    refuse_phases(system, "an FMU", REMEDIES)
    solver, assembly = initial_solver(system, formulation=formulation)
    refuse_compiled(solver.compiled, "an FMU")
    refuse_discrete(system, solver.compiled)
    refuse_screws(solver.compiled)
    found, notes = symbols_of(system, formulation, parameters, solver, assembly)
    model = FrozenModel(found, solver.workspace)
    channels = outputs_of(SymbolicPart(model, solver), system, solver, outputs)
    n = solver.compiled.n_q + solver.compiled.n_u + len(solver.compiled.integrals)
    reads_work = {f"y[{k}]" for k in range(n, model.n)} & {*inputs([one.expression for one in channels])}
    n = model.n if reads_work else n
    start = start_expressions(found.compiled, solver, assembly, {})
    start = [scalar(x) for x in (solver.y if start is None else start)][:n]
    rates, guards = model.rates_and_guards()
    values = [*rates[:n], rates[-1]]
    entries = parameter_entries(found)
    changing = discrete(system, found.compiled, model.registers, entries)
    return Traced(
        system, solver.compiled, state_entries(solver, n), memory_entries(model, solver), model.n_measured, entries,
        channels, start, functions(model, n, values, guards, channels, start, entries, changing), guards,
        or_equal(solver.compiled.program), geometry(model), model.has_projection,
        float(solver.workspace.regularization[1]), changing, notes,
    )  # fmt: skip


# ---------------------------------------------------------------- what there is no C code for


REMEDIES = {"contact_laws": "Leave out all of them: mk.export_fmu(…, contact_laws=False).", "switched": REMEDY}


def refuse_screws(compiled):
    for joint, _ in counted(compiled):
        if any(primitive.kind == "screw" for primitive in compiled.system.joints[joint].primitives()):
            problem = "it closes a loop, and turns of a screw are counted in the time loop"
            raise ModelError(f"screw {joint!r}", problem, "in an FMU screws are joints of the tree")


# ---------------------------------------------------------------- parameters


def symbols_of(system, formulation, parameters, solver, assembly):
    """The tables with symbols of the parameters that can be changed in an FMU, and sentences about the others."""
    found, notes = symbolic(system, formulation, parameters), []
    left_out = {name: why for name, why in found.fixed.items()}
    if start_expressions(found.compiled, solver, assembly, {}) is None and not solver.compiled.n_rows:
        why = "where the motion starts depends on it in a way that only Mekane computes"
        left_out |= dict.fromkeys(names_of_start(found.compiled.system), why)
    if left_out:
        names = [name.removeprefix(PARAMETER) for name in found.values]
        notes = [f"Parameter {name!r} is a number in this FMU: {why}." for name, why in left_out.items()]
        found = symbolic(system, formulation, [name for name in names if name not in left_out])
    return found, notes


def names_of_start(twin):
    """Parameters that places and speeds of the bodies at the start depend on."""
    arrays = [array for field in initial_poses(twin) for array in field.values()]
    arrays += [getattr(joint, field) for joint in twin.joints.values() for field in ("p_AF", "p_BM", "R_AF", "R_BM")]
    arrays += [list(joint.rates.values()) for joint in twin.joints.values()]
    numbers = [x for array in arrays for x in np.asarray(array, object).ravel()]
    found = inputs([scalar(x) for x in numbers if isinstance(x, TracedNumber | Expr)])
    return [name.removeprefix(PARAMETER) for name in found]


def geometry(model):
    """Names of symbols that residuals of the constraints depend on."""
    n = model.compiled.n_rows
    if not n:
        return set()
    W = model.measured_workspace()
    rows = [scalar(x) for column in (Y_PHI, Y_RATE) for x in W.row[:n, column]]
    return {name.removeprefix(PARAMETER) for name in inputs([x for x in rows if isinstance(x, Expr)])}


# ---------------------------------------------------------------- the state and p


def state_entries(solver, n):
    c = solver.compiled
    names = [*c.coordinates, *c.speeds, *(f"{x}.integral" for x in c.integrals), *(f"{x}.work" for x in c.elements)]
    q_units, u_units = units(c)
    of_units = [*q_units, *u_units, *["SI"] * len(c.integrals), *["J"] * len(c.elements)]
    return [
        Entry(name, unit, float(x) + 0.0, at("y", k))
        for k, (name, unit, x) in enumerate(zip(names[:n], of_units[:n], solver.y[:n], strict=True))
    ]


def memory_entries(model, solver):
    """What stands at the front of p."""
    W, rows = solver.workspace, model.measured
    values = [*W.measurement[rows], *W.measurement_rate[rows], 0.0] if rows else []
    found = [Entry(f"measured {k}", "SI", float(x), at("p", k)) for k, x in enumerate(values)]
    found += [Entry(f"outcome of comparison {k}", "1", 0.0, x) for k, x in enumerate(model.outcomes)]
    regularization = Entry("regularization", "SI", float(W.regularization[0]), model.regularization)
    return [*found, regularization] if model.compiled.n_rows else found


# ---------------------------------------------------------------- channels


def outputs_of(part, system, solver, names):
    if names is None:
        names = [
            f"{joint.name}.{measure.name}{rate}"
            for joint in system.joints.values()
            for measure in joint.measures()
            for rate in ("", ".rate")
        ]
        names = [*names, *ENERGIES, *system.outputs]
    return [output for name in dict.fromkeys(names) for output in channel(part, name)]


def channel(part, name):
    """The Outputs of a name: one, or one for each component."""
    if name in ENERGIES:
        value = kinetic_energy(part)[0] if name == "energy.kinetic" else potential_energies(part)[0].sum()
        return [Output(name, "J", ENERGIES[name], scalar(value))]
    try:
        quantity, component, expressions = part.quantity(name)
    except UNTRACED as error:
        problem = f"it has no expression of the state ({error})"
        raise ModelError(f"output {name!r}", problem, "an FMU computes its outputs from its state") from None
    if component is not None or quantity.finish not in (None, np.unwrap):
        problem, remedy = "it is made continuous over the samples of a run", "Request angles, or positions of markers."
        raise ModelError(f"output {name!r}", problem, "an FMU computes its outputs from its state", remedy)
    text = quantity.long_name + ("" if quantity.finish is None else ", between -pi and pi")
    if len(expressions) == 1:
        return [Output(name, quantity.units, text, expressions[0])]
    labels = quantity.labels
    return [
        Output(f"{name}.{label}", quantity.units, f"{label} of {text}", x)
        for label, x in zip(labels, expressions, strict=True)
    ]


# ---------------------------------------------------------------- functions


def functions(model, n, rates, guards, channels, start, entries, changing):
    """Everything that is called from C."""
    computed = [one.expression for one in channels]
    found = [
        Function("rhs", "rates of y, then the smallest pivot", (n + 1,), rates),
        Function("channels", "what is computed from the state", (len(computed),), computed),
        Function("guards", "left - right of every comparison of a law", (len(guards),), guards),
        Function("start", "y at the start", (n,), start),
        Function(
            "instants",
            "conditions of events, then what they set, then what controllers compute",
            (len(changing.expressions),),
            changing.expressions,
        ),
        Function(
            "derivative",
            "rates of y, then channels, differentiated along a direction",
            (n + len(computed),),
            along(model, [*rates[:n], *computed], n, entries),
        ),
    ]
    if model.has_projection:
        for name, column in (("positions", Y_PHI), ("speeds", Y_RATE)):
            values = list(model.projection(column).values())
            outputs = [*values[:n], *values[model.n :]]
            text = (
                f"y after one step of its {name} onto the constraints; residual, smallest pivot, inactive rows before"
            )
            found.append(Function(name, text, (n + 3,), outputs))
    if model.measured:
        values = list(model.measurements().values())
        found.append(Function("measure", "measurements, their rates, the time", (len(values),), values))
    return found


def along(model, expressions, n, entries):
    """Derivatives along the direction d[0] (time), d[1] … (y, then parameters)."""
    places = [model.t, *model.y[:n], *(one.symbol for one in entries)]
    return rates_along(expressions, {x: at("d", k) for k, x in enumerate(places)})


def direction_entries(n, parameters):
    """Entries of p behind the parameters."""
    return [Entry(f"direction {k}", "SI", 0.0, at("d", k)) for k in range(1 + n + len(parameters))]
