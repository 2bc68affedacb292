"""The C text of a model: its functions, and a header with its sizes, its variables and the method of co-simulation."""

import hashlib

from mekane.exporters.fmu.description import TOLERANCE
from mekane.exporters.fmu.discrete import tables
from mekane.exporters.fmu.traced import direction_entries
from mekane.exporters.languages import find
from mekane.solvers.constraints.projection import NEAR_SINGULAR, ORDINARY, WEAK
from mekane.solvers.integrators import dop853
from mekane.symbolic.functions import Functions
from mekane.tables.tables import REGULAR

EVERY = "static const"
SINGULAR = {"ORDINARY": ORDINARY, "WEAK": WEAK, "REGULAR": REGULAR[0], "NEAR_SINGULAR": NEAR_SINGULAR}
NO_TOKEN = "{token}"


def texts(model, variables, identifier):
    """{file: text} of what is made for one model, and its token, which changes with them."""
    found = functions(model)
    code, head = find("c").text(found, identifier), header(model, variables, identifier, found)
    token = token_of(f"{variables}{code}{head}")
    return {"model.c": code, "model.h": head.replace(NO_TOKEN, token)}, token


def token_of(text):
    """By which importers tell whether description and binary belong together."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"{{{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:32]}}}"


def functions(model):
    """What the C exporter writes. p: see mekane.exporters.fmu.traced."""
    c = model.compiled
    directions = direction_entries(len(model.state), model.parameters)
    parameters = [*model.memory, *model.parameters, *directions]
    sizes = {
        "coordinates": c.n_q,
        "speeds": c.n_u,
        "integrals": len(model.state) - c.n_q - c.n_u,
        "state": len(model.state),
        "parameters": len(parameters),
        "rows": c.n_rows,
    }
    made = [one for one in model.functions if one.outputs]
    return Functions(c.system.name, c.formulation, model.state, parameters, sizes, [], made, model.notes)


def header(model, variables, identifier, found):
    defined = {one.name for one in found.functions}
    outputs = {"CHANNELS": "channels", "GUARDS": "guards", "MEASURED": "measure"}
    sizes = {
        "N_Y": len(model.state),
        "N_POSITIONS": model.compiled.n_q,
        "N_PARAMETERS": len(model.parameters),
        "N_P": len(found.parameters),
        "N_VARIABLES": len(variables),
        "FIRST_MODE": model.n_measured,
        "FIRST_PARAMETER": len(model.memory),
        "FIRST_DIRECTION": len(model.memory) + len(model.parameters),
        "HAS_PROJECTION": int("positions" in defined),
        "N_ROWS": model.compiled.n_rows,
    }
    sizes |= {f"N_{key}": len(found[name].outputs) if name in defined else 0 for key, name in outputs.items()}
    lines = ["/* Sizes and names of one model. Written by Mekane. */", "#ifndef MODEL_H", "#define MODEL_H", ""]
    lines += [f"#define MODEL_IDENTIFIER {identifier}", f'#define TOKEN "{NO_TOKEN}"']
    lines += [f"#define FUNCTION(name) {identifier}_##name", f"#define TOLERANCE {TOLERANCE!r}"]
    lines += [f"#define {name} {size}" for name, size in sizes.items()]
    lines += ["#define REGULARIZATION (FIRST_PARAMETER - 1) /* its place in p, if there are rows */"]
    lines += [f"#define STRONGEST {model.strongest_pivot!r}"]
    lines += [f"#define {name} {value!r}" for name, value in SINGULAR.items()]
    lines += [
        "",
        *variable_table(variables),
        *comparison_table(model),
        *tables(model.discrete),
        *method(),
        "#endif",
        "",
    ]
    return "\n".join(lines)


def variable_table(variables):
    rows = ", ".join(f"{{{one.kind}, {one.index}, {int(is_settable(one))}}}" for one in variables)
    return ["/* kind, index, whether it may be set */", f"{EVERY} int VARIABLES[N_VARIABLES][3] = {{{rows}}};"]


def is_settable(one):
    return one.causality in ("input", "parameter") or one.start is not None


def comparison_table(model):
    values = ", ".join(str(int(x)) for x in model.or_equal) or "0"
    return ["/* 1: a comparison that holds at equality, too */", f"{EVERY} int OR_EQUAL[] = {{{values}}};"]


def method():
    """The tableau of the adaptive method that mk.simulate has by default."""
    table = dop853.method
    stages = len(table.b)
    row = lambda values: "{" + ", ".join(repr(float(x)) for x in values) + "}"
    rows = ",\n    ".join(row(table.A[i, :stages]) for i in range(stages))
    return [
        "",
        "/* Dormand and Prince 8(5,3) */",
        f"#define STAGES {stages}",
        f"{EVERY} double A[STAGES][STAGES] = {{\n    {rows}\n}};",
        f"{EVERY} double B[STAGES] = {row(table.b)};",
        f"{EVERY} double C[STAGES] = {row(table.c[:stages])};",
        f"{EVERY} double E5[STAGES] = {row(table.error[0])};",
        f"{EVERY} double E3[STAGES] = {row(table.error[1])};",
        "",
    ]
