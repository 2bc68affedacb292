"""A model as a list of functions of (t, y, p): what is exported as code. y = (q, u, integrals); p are parameters kept
as symbols.

yd = rhs                              the motion, active constraints satisfied
M ud = forcing + Bᵀ multipliers       mass_matrix, forcing, constraint_jacobian (B)
B ud + bias = 0                       constraint_bias; constraint and constraint_rate are zero where the constraints are
met jacobian                              d yd / d y, if requested
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from mekane.expressions.graph import inputs, symbol
from mekane.expressions.graph import jacobian as jacobian_of
from mekane.expressions.parse import PARAMETER
from mekane.symbolic.traced import traced
from mekane.tables.columns import (
    BRYAN,
    INPUT_MEASUREMENT,
    KIND,
    MIXED,
    PRIMITIVE_Q,
    PRIMITIVE_U,
    QUATERNION,
    TRANSLATION,
)


class Entry(NamedTuple):
    """One number of y or p."""

    name: str
    unit: str
    value: float  # at the start; as the model has it
    symbol: object  # what stands for it in expressions; a number where it is fixed


class Function(NamedTuple):
    """outputs: expressions or numbers, row by row."""

    name: str
    meaning: str
    shape: tuple
    outputs: list


@dataclass(frozen=True)
class Functions:
    title: str
    formulation: str
    state: list  # entries of y
    parameters: list  # entries of p
    sizes: dict  # how many coordinates, speeds, integrals, rows
    rows: list  # (name, level, active or not) of every constraint row
    functions: list
    remarks: list  # sentences a reader of the code should know

    def __getitem__(self, name):
        return next(function for function in self.functions if function.name == name)

    def without_idle_parameters(self, kept):
        """Only parameters that a function reads, and these."""
        read = set(inputs([x for function in self.functions for x in function.outputs]))
        parameters = [one for one in self.parameters if one.name in kept or one.symbol.name in read]
        return replace(self, parameters=parameters, sizes=self.sizes | {"parameters": len(parameters)})


def parameter_entries(model):
    """Entries of what stays a symbol. model: has its values, and meanings with units."""
    return [
        Entry(name.removeprefix(PARAMETER), unit_in(model.meanings[name]), float(value), symbol(name))
        for name, value in model.values.items()
    ]


def functions(system, formulation="joint", parameters="named", jacobian=False):
    """The functions of a system as it stands: active rows and sequences of Bryan angles are those of its start.

    parameters: what p holds, see mekane.compiler.symbolic_tables: "named", "numeric", "symbolic", or a list of names.
    """
    model = traced(system, formulation, parameters)
    symbols = parameter_entries(model)
    kept = [f"Parameter {name!r} is a number in places: {why}." for name, why in model.fixed.items()]
    kept += smooth_phase(system)
    found = functions_of(model.trace, symbols, model.start, jacobian, kept)
    return found.without_idle_parameters(system.parameters) if parameters == "symbolic" else found


def smooth_phase(system):
    """What the functions leave out of a model with events or contact laws."""
    if system.contact_laws:
        found = ["Contact laws are left out of rhs: it is that of a phase in which all of them are open."]
    else:
        found = []
    discrete = system.inputs or system.variables or system.events or system.controllers
    text = "These are the equations between events. Inputs and discrete variables are constant; events and controllers are left out."
    return found + [text] if discrete else found


def unit_in(meaning):
    """ "mass of body 'arm' [kg]" → kg"""
    return meaning.rpartition("[")[2].removesuffix("]") if meaning.endswith("]") else "SI"


def functions_of(trace, parameters, y, jacobian=False, remarked=()):
    """The functions of a Trace. parameters: entries of its symbols; y: the start, to be written into the code."""
    c, rows = trace.compiled, trace.rows
    n, m, n_y = c.n_u, c.n_rows, c.n_q + c.n_u + len(c.integrals)
    active = np.ones(m, bool) if trace.active is None else np.asarray(trace.active, bool)
    rhs = trace.right_hand_side()[:n_y]  # without the work of elements
    found = [
        Function("rhs", "yd: rates of y, with the active constraint rows satisfied", (n_y,), rhs),
        Function("mass_matrix", "M, speeds x speeds, of the tree", (n, n), list(trace.mass_matrix.ravel())),
        Function("forcing", "f in M ud = f + transpose(B) multipliers", (n,), trace.forcing),
    ]
    if m:
        levels = list(zip(rows.levels, rows.phi, rows.rate, strict=True))
        residual = [{"position": phi, "velocity": rate}.get(level, 0.0) for level, phi, rate in levels]
        rate = [0.0 if level == "acceleration" else rate for level, _, rate in levels]
        found += [
            Function(
                "constraint",
                "residual of every row: of positions, or of velocities where the row is given for these",
                (m,),
                residual,
            ),
            Function(
                "constraint_rate", "what every row leaves of velocities: B u and what moves by itself", (m,), rate
            ),
            Function("constraint_jacobian", "B, rows x speeds", (m, n), list(rows.B.ravel())),
            Function("constraint_bias", "b in B ud + b = 0", (m,), rows.bias),
        ]
    state = entries(trace, y)
    if jacobian:
        derivatives = [x for row in jacobian_of(rhs, [one.symbol for one in state]) for x in row]
        found.append(Function("jacobian", "d yd / d y, y x y", (n_y, n_y), derivatives))
    sizes = {
        "coordinates": c.n_q,
        "speeds": n,
        "integrals": len(c.integrals),
        "state": n_y,
        "parameters": len(parameters),
        "rows": m,
    }
    kept = list(
        zip([name.replace(".lambda", " row ") for name in rows.names], rows.levels, active.tolist(), strict=True)
    )
    return Functions(
        c.system.name, c.formulation, state, parameters, sizes, kept, found, [*remarks(trace, active), *remarked]
    )


def entries(trace, y):
    """What stands in y."""
    c = trace.compiled
    names = [*c.coordinates, *c.speeds, *(f"{name}.integral" for name in c.integrals)]
    q_units, u_units = units(c)
    all_units = [*q_units, *u_units, *["SI"] * len(c.integrals)]
    symbols = [*trace.q, *trace.u, *trace.integrals]
    return [
        Entry(*one) for one in zip(names, all_units, (float(x) + 0.0 for x in y[: len(names)]), symbols, strict=True)
    ]


def units(compiled):
    """Of coordinates and speeds."""
    q, u = ["1"] * compiled.n_q, ["rad/s"] * compiled.n_u
    for primitive in compiled.tables.primitive_i:
        if primitive[KIND] not in (QUATERNION, MIXED):
            q[primitive[PRIMITIVE_Q]], u[primitive[PRIMITIVE_U]] = (
                ("m", "m/s") if primitive[KIND] == TRANSLATION else ("rad", "rad/s")
            )
    return q, u


def remarks(trace, active):
    c, kinds = trace.compiled, trace.tables.primitive_i[:, KIND]
    found = []
    if not active.all():
        found.append("Inactive rows repeat others at the start; rhs leaves them out.")
    if c.n_rows:
        found.append(
            "rhs keeps accelerations on the constraints, so a long integration drifts: bring y back where constraint is zero."
        )
    if np.isin(kinds, (QUATERNION, MIXED)).any():
        found.append("Euler parameters e1, e2, e3, e4 (the scalar last) have unit length: keep them so.")
    if (kinds == BRYAN).any():
        found.append("The sequences of Bryan angles are fixed: those of the start.")
    if (c.tables.input_i[:, 0] == INPUT_MEASUREMENT).any():
        found.append("Angles of joints that close loops are taken between -pi and pi where a law reads them.")
    return found
