"""Numbers taken from the samples of a run: "max(abs(wrist.reaction.force))", "bore.displacement[-1]".

The language is that of formulas of channels (expressions/parse.py), and reductions over the samples: max, min, mean,
rms, sum and integral of one argument, time_of_max, time_of_min, x[0], x[-1]. abs of a vector is its length. A text is
read by Python's grammar, and never executed."""

import ast
from typing import NamedTuple

import numpy as np

from mekane.errors import ExpressionError, ModelError
from mekane.expressions.arrays import evaluate_over
from mekane.expressions.graph import Expr, inputs
from mekane.expressions.parse import CONSTANTS, parse
from mekane.model.values.unit_algebra import derived_unit

LANGUAGE = "max, min, mean, rms, integral, time_of_max, time_of_min of a channel, and channel[0], channel[-1]"


def last(x, there, t):
    return x[np.arange(len(x)), np.maximum(there.sum(axis=1) - 1, 0)]


def mean(x, there, t):
    return np.where(there, x, 0.0).sum(axis=1) / there.sum(axis=1)


def integral(x, there, t):
    """By the trapezoidal rule."""
    pieces = 0.5 * (x[:, 1:] + x[:, :-1]) * np.diff(t, axis=1)
    return np.where(there[:, 1:], pieces, 0.0).sum(axis=1)


def time_of(pick, worst):
    def found(x, there, t):
        at = t[np.arange(len(t)), pick(np.where(there, x, worst), axis=1)]
        return np.where(np.isnan(np.where(there, x, 0.0)).any(axis=1), np.nan, at)

    return found


REDUCTIONS = {  # of x (runs, samples), where samples are there, at times t (runs, samples)
    "max": lambda x, there, t: np.where(there, x, -np.inf).max(axis=1),
    "min": lambda x, there, t: np.where(there, x, np.inf).min(axis=1),
    "mean": mean,
    "rms": lambda x, there, t: np.sqrt(mean(x * x, there, t)),
    "integral": integral,
    "time_of_max": time_of(np.argmax, -np.inf),
    "time_of_min": time_of(np.argmin, np.inf),
    "first": lambda x, there, t: x[:, 0],
    "last": last,
}
POINTWISE_TOO = ("max", "min")  # of several arguments: of each sample


class Stage(NamedTuple):
    """One reduction of a formula, whose value is called `name` in later ones."""

    name: str
    kind: str
    formula: object  # Expr or number


class Reduction(NamedTuple):
    """A measure: stages one after the other, then a formula of their values."""

    text: str
    stages: tuple[Stage, ...]
    formula: object
    channels: tuple[str, ...]
    unit: str

    def over(self, values, there, t, numbers):
        """Its value for each run. values: channel → (runs, samples); there: which samples are; t: their times, (runs, samples);
        numbers: name → (runs,) or one"""
        known = {name: np.reshape(np.asarray(array, float), (-1, 1)) for name, array in numbers.items()}
        known |= values | {"t": t}
        with np.errstate(all="ignore"):
            for stage in self.stages:
                x = np.broadcast_to(evaluate_over([stage.formula], known)[0], there.shape)
                known[stage.name] = REDUCTIONS[stage.kind](x, there, t)[:, None]
            found = evaluate_over([self.formula], known)[0]
        return np.broadcast_to(found, (len(there), 1))[:, 0].astype(float)


def read_reduction(text, run, name, varied=()):
    """The Reduction that a text stands for. run: a Result that knows the channels; varied: names that are numbers of
    a run."""
    return _Reader(text, run, f"measure {name!r}", varied).read()


class _Reader:
    def __init__(self, text, run, part, varied):
        self.text, self.run, self.part = text, run, part
        self.varied = {name for name in (*varied, *run.system.parameters) if name not in run}
        self.stages, self.units, self.channels = [], {}, []

    def read(self):
        if not isinstance(self.text, str):
            raise ModelError(self.part, f"it is {self.text!r}", "a text is expected", 'Write "max(hinge.angle)".')
        try:
            tree = ast.parse(self.text.strip(), mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            self.fail(f"this is not a formula ({getattr(error, 'msg', error)})", LANGUAGE)
        formula = self.parsed(self.reduced(tree))
        loose = [one for one in names_in(formula) if one in self.channels or one == "t"]
        if loose:
            problem = f"{loose[0]!r} is one number for each sample"
            self.fail(problem, "one number for each run is expected", f"Write max({self.text}) or {self.text}[-1].")
        return Reduction(self.text, tuple(self.stages), formula, tuple(self.channels), self.unit_of(formula))

    def reduced(self, part):
        """The tree in which every reduction is the name of its stage, innermost first."""
        part = _Replaced(self).visit(part)
        return ast.fix_missing_locations(part)

    def stage(self, kind, inner):
        formula = self.parsed(inner)
        name = f"reduced_{len(self.stages) + 1}"
        unit = self.unit_of(formula)
        self.units[name] = {"time_of_max": "s", "time_of_min": "s", "integral": f"{unit} s" if unit else ""}.get(
            kind, unit
        )
        self.stages.append(Stage(name, kind, formula))
        return ast.Name(id=name, ctx=ast.Load())

    def parsed(self, tree):
        try:
            formula = parse(ast.unparse(tree), known=self.is_known)
        except ExpressionError as error:
            raise ExpressionError(self.part, error.problem, error.expected, error.remedy) from None
        for name in names_in(formula):
            if name not in self.channels and name in self.run and name not in self.units and name not in self.varied:
                self.channels.append(name)
        return formula

    def is_known(self, name):
        if name in self.units or name in self.varied or name == "t":
            return True
        if name not in self.run:
            if name in CONSTANTS:
                return False
            unknown = self.run._unknown(name)
            self.fail(f"{name!r} is not known", unknown.expected, unknown.remedy or LANGUAGE)
        if self.run.labels(name) is not None:
            self.fail(f"{name!r} is a vector", "a single number is expected", f"Write abs({name}) or {name}.x.")
        return True

    def is_vector(self, name):
        return name in self.run and self.run.labels(name) is not None

    def unit_of(self, formula):
        units = lambda name: (
            "s" if name == "t" else self.units.get(name) or (self.run.units(name) if name in self.run else "")
        )
        try:
            return derived_unit(formula, units, self.part) if isinstance(formula, Expr) else ""
        except ValueError:
            return ""

    def fail(self, problem, expected="", remedy=""):
        raise ExpressionError(self.part, problem, expected, remedy) from None


class _Replaced(ast.NodeTransformer):
    """Puts names in place of reductions, and lengths in place of abs of vectors."""

    def __init__(self, reader):
        self.reader = reader

    def visit_Call(self, node):
        name = getattr(node.func, "id", "")
        if name == "abs" and len(node.args) == 1 and self.reader.is_vector(dotted(node.args[0])):
            return length_of(dotted(node.args[0]), self.reader.run.labels(dotted(node.args[0])))
        self.generic_visit(node)
        if name in REDUCTIONS and (len(node.args) == 1 or name not in POINTWISE_TOO):
            if len(node.args) != 1:
                self.reader.fail(f"{name} has {len(node.args)} arguments", "one is expected")
            return self.reader.stage(name, node.args[0])
        return node

    def visit_Subscript(self, node):
        if getattr(node.value, "id", "") == "state":
            return node
        self.generic_visit(node)
        place = ast.unparse(node.slice)
        if place not in ("0", "-1"):
            self.reader.fail(f"[{place}] is there", "[0] is the first sample, [-1] the last one")
        return self.reader.stage("first" if place == "0" else "last", node.value)


def dotted(node):
    """ "a.b.c" of a tree of attributes, or the name in state["…"]; "" for anything else."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if isinstance(node, ast.Subscript) and getattr(node.value, "id", "") == "state":
        return ".".join([str(getattr(node.slice, "value", "")), *reversed(names)])
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


def length_of(name, labels):
    """√(x² + y² + z²) as a tree."""
    squares = " + ".join(f'state["{name}.{label}"]**2' for label in labels)
    return ast.parse(f"sqrt({squares})", mode="eval").body


def names_in(formula):
    return inputs([formula]) if isinstance(formula, Expr) else []
