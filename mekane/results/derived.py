"""Derived channels: quantities of a run by a formula of others, run["2*p.angle + q.angle"].

The language is that of laws (expressions/parse.py): names of single numbers such as hinge.angle or ball.position.x,
parameters, t, the usual functions.
"""

import re

import numpy as np

from mekane.errors import ExpressionError, did_you_mean
from mekane.expressions.arrays import evaluate_over
from mekane.expressions.graph import Expr, inputs
from mekane.expressions.parse import CONSTANTS, FUNCTION_NAMES, parse, symbol_name
from mekane.model.values.unit_algebra import derived_unit, si_unit
from mekane.results.quantities import Quantity, input_values, parts_of

IS_FORMULA = re.compile(r"[-+*/%()<>=\[\]$]|\bif\b|\band\b|\bor\b|\bnot\b")


class Derived:
    """A formula over all samples of a run; it stands where a Quantity has its formula of samples."""

    def __init__(self, expression):
        self.expression = expression
        self.names = inputs([expression]) if isinstance(expression, Expr) else []

    def over(self, run):
        """Its values, from those of the quantities in it."""
        values = evaluate_over([self.expression], {name: input_values(run, name) for name in self.names})[0]
        return np.full(len(run.t), values) if np.ndim(values) == 0 else np.array(values, float)


def is_formula(run, name):
    """True for a text with an operation in it, apart from the name of a part at its beginning, such as "a-b"."""
    owner, _, rest = name.partition(".")
    return IS_FORMULA.search(rest if run.system.has(owner) else name) is not None


def derived(run, text):
    """The Quantity that a formula stands for; ExpressionError or UnitError explains what is wrong with it."""
    formula = Derived(read(run, text))
    unit = derived_unit(formula.expression, lambda name: unit_of(run, name), f"formula {text!r}")
    channels = [name for name in formula.names if not is_input(run, name)]
    state = all(run.follows_from_state(name) for name in channels)
    return Quantity(formula, unit, text, state=state, listed=False)


def output(run, name):
    """The Quantity of an output of the system, which may read what formulas may, and outputs before it."""
    made, part = run.system.outputs[name], run.system.outputs[name].part
    formula = Derived(made.value.expr())
    outputs = list(run.system.outputs)
    for one in formula.names:
        if one in outputs and outputs.index(one) >= outputs.index(name):
            problem, expected = f"it reads the output {one!r}", "an output reads those that are declared before it"
            raise ExpressionError(part, problem, expected, f"Declare {one!r} first." if one != name else "")
        is_known(run, one, part)
    unit = made.unit or derived_unit(formula.expression, lambda one: unit_of(run, one), part)
    channels = [one for one in formula.names if not is_input(run, one)]
    state = all(run.follows_from_state(one) for one in channels)
    return Quantity(formula, unit, f"output {name!r}", state=state)


def read(run, text):
    try:
        return parse(text, known=lambda name: is_known(run, name, f"formula {text!r}"))
    except ExpressionError as error:
        odd = next((name for name in parts_of(run.system) if not name.isidentifier() and f"{name}." in text), None)
        remedy = error.remedy if odd is None else f'Write state["{odd}.…"], since {odd!r} is no name in a formula.'
        raise ExpressionError(f"formula {text!r}", error.problem, error.expected, remedy) from None


def is_input(run, name):
    """Time, a parameter, or a coordinate or speed of the formulation, which is no quantity by name."""
    return name == "t" or name in run.system.constants or (name not in run and name in state_names(run))


def state_names(run):
    return (*run.compiled.coordinates, *run.compiled.speeds)


def is_known(run, name, part):
    """True; an unknown name or a vector raises, with what is meant perhaps. part: what reads it."""
    if is_input(run, name):
        return True
    if name not in run:
        if name in CONSTANTS or name in FUNCTION_NAMES:
            return False  # those of the language
        raise unknown(run, name, part)
    labels = run.labels(name)
    if labels is not None:
        problem = f"{name!r} has the components {', '.join(labels)}"
        raise ExpressionError(part, problem, "a single number is expected", f"Write {name}.{labels[0]}.")
    return True


def unknown(run, name, part):
    owner = name.partition(".")[0]
    names = [known for known in run.names() if known not in run.system.outputs]
    near = [known for known in names if known.startswith(f"{owner}.")] or names
    known = [
        *near,
        *(f"{one}.{label}" for one in near for label in run.labels(one) or ()),
        *run.system.parameters,
        *run.system.outputs,
        "t",
    ]
    remedy = did_you_mean(name, known).strip() or "run.names() lists what there is."
    return ExpressionError(part, f"{name!r} is not known", remedy=remedy)


def unit_of(run, name):
    """The unit of a name in a formula; "" where it is not known."""
    if name == "t":
        return "s"
    if name in run.system.constants:
        given = {symbol_name(one): value.text for one, value in run.system._measured.items()}
        return si_unit(given[name]) if name in given else ""
    return run.units(name) if name in run else ""
