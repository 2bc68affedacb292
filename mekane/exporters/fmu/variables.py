"""The variables of an FMU, as importers see them, and where the C code finds them."""

from typing import NamedTuple

from mekane.errors import ModelError, did_you_mean
from mekane.exporters.fmu.discrete import set_inside
from mekane.expressions.graph import Expr, inputs

TIME, STATE, RATE, PARAMETER, CHANNEL, GUARD = range(6)  # where a value is found: `find` in runtime/core.c


class Variable(NamedTuple):
    """Its value reference is its place in the list."""

    name: str
    unit: str
    text: str
    causality: str  # independent, local, output, input or parameter
    variability: str  # continuous, discrete, fixed or tunable
    initial: str | None  # exact, approx or calculated
    start: float | None
    kind: int  # TIME …
    index: int  # among those of its kind; PARAMETER: among parameters and inputs
    state: int | None = None  # value reference of the state it is the rate of
    dependencies: tuple | None = None  # value references; None: not given


def variables(model, inputs_given=()):
    """All of them. inputs_given: names of parameters that are inputs of the FMU."""
    n, order = len(model.state), {}
    as_inputs = input_names(model, inputs_given)
    requested = {one.name for one in model.outputs}
    is_fixed = not model.has_projection and not any(isinstance(x, Expr) for x in model.start)
    found = [Variable("time", "s", "time", "independent", "continuous", None, None, TIME, 0)]
    for k, one in enumerate(model.state):
        causality, initial = "output" if one.name in requested else "local", "exact" if is_fixed else "approx"
        text = "state" if is_fixed else "state; brought onto the constraints when a motion starts"
        found.append(
            Variable(one.name, one.unit, text, causality, "continuous", initial, one.value, STATE, k, None, (1 + k,))
        )
    for k, one in enumerate(model.state):
        found.append(
            Variable(
                f"der({one.name})", rate_unit(one.unit), "", "local", "continuous", "calculated", None, RATE, k, 1 + k
            )
        )
    for k, one in enumerate(model.parameters):
        found.append(parameter(model, one, k, one.name in as_inputs))
    states = {one.name for one in model.state}
    for k, one in enumerate(model.outputs):
        if one.name not in states:
            found.append(Variable(one.name, one.unit, one.text, "output", "continuous", "calculated", None, CHANNEL, k))
    for k in range(len(model.guards)):
        text = "changes its sign where a law changes"
        found.append(
            Variable(f"event indicator {k + 1}", "", text, "local", "continuous", "calculated", None, GUARD, k)
        )
    refuse_doubles(found)
    order = places(model, found, n)
    return [with_dependencies(one, model, order, found) for one in found]


def input_names(model, given):
    known = {one.name for one in model.parameters}
    for name in given:
        if name not in known:
            remedy = did_you_mean(str(name), known).strip() or f"Declare it: s.input({name!r}, 0.0)."
            expected = f"there are {', '.join(sorted(known))}" if known else "the model has no parameters"
            raise ModelError(f"input {name!r}", "it is no input and no parameter of the model", expected, remedy)
    changing = set_inside(model.system)
    for name in given:
        if name in changing:
            raise ModelError(f"input {name!r}", changing[name], "an input of the FMU is set from outside alone")
    found = {*given, *model.system.inputs} - {*changing}
    for name in sorted((found | {*changing}) & model.geometry):
        problem = "a constraint depends on it, and its rates are not known to an FMU"
        remedy = "Prescribe the motion by an expression of time, or drive the joint by a force that reads the input."
        raise ModelError(f"input {name!r}", problem, "inputs of an FMU may jump", remedy)
    return found


def parameter(model, one, k, is_input):
    unit = "" if one.unit == "SI" else one.unit
    if one.name in set_inside(model.system):
        text = "changed by an event or a controller"
        return Variable(one.name, unit, text, "output", "discrete", "approx", one.value, PARAMETER, k)
    if is_input:
        return Variable(one.name, unit, "input", "input", "continuous", None, one.value, PARAMETER, k)
    kind = "fixed" if one.name in model.geometry else "tunable"
    text = "parameter" + (" that constraints depend on; the start is brought onto them anew" if kind == "fixed" else "")
    return Variable(one.name, unit, text, "parameter", kind, "exact", one.value, PARAMETER, k)


def rate_unit(unit):
    return {"m": "m/s", "rad": "rad/s", "m/s": "m/s^2", "rad/s": "rad/s^2", "1": "1/s", "J": "W"}.get(unit, "")


def refuse_doubles(found):
    names = set()
    for one in found:
        if one.name in names:
            raise ModelError(f"output {one.name!r}", "another variable has this name", "names are used once")
        names.add(one.name)


def places(model, found, n):
    """{name of a symbol: value reference} of what others may depend on: time, states, inputs."""
    order = {"t": 0} | {one.symbol.name: 1 + k for k, one in enumerate(model.state)}
    return order | {
        model.parameters[one.index].symbol.name: reference
        for reference, one in enumerate(found)
        if one.causality == "input"
    }


def with_dependencies(one, model, order, found):
    function = {RATE: "rhs", CHANNEL: "channels"}.get(one.kind)
    if function is None:
        return one
    expression = next(f for f in model.functions if f.name == function).outputs[one.index]
    read = inputs([expression]) if isinstance(expression, Expr) else []
    return one._replace(dependencies=tuple(sorted(order[name] for name in read if name in order)))
