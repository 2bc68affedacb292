"""What an environment is about: observations, actions, reward, ends of episodes and starts, read and checked."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mekane.analyses.batch.varied_system import VariedSystem, check_names, state_places
from mekane.analyses.stepper import stepper
from mekane.analyses.studies.distributions import Distribution
from mekane.errors import ModelError, did_you_mean
from mekane.expressions.arrays import evaluate_over
from mekane.expressions.graph import symbol
from mekane.model.signals.unit import read_number
from mekane.model.values.units import is_list, positive, quantity, shown
from mekane.results.derived import Derived, is_input

PART = "gym"


@dataclass(frozen=True)
class Formula:
    """An expression, and the names it reads: channels, inputs, parameters, t."""

    text: str
    expression: object
    names: tuple

    def of(self, values):
        """values: name → a number or an array."""
        return evaluate_over([self.expression], {name: values[name] for name in self.names})[0]


@dataclass(frozen=True)
class Task:
    system: object
    sim: object  # a stepper, at its start
    observations: tuple  # Formula
    actions: tuple  # names of inputs
    low: np.ndarray
    high: np.ndarray
    every: float
    reward: object  # Formula or a function of the stepper
    done: object  # the same, or None
    t_end: float
    starts: object
    settings: dict

    @property
    def formulas(self):
        more = (one for one in (self.reward, self.done) if isinstance(one, Formula))
        return [*self.observations, *more]

    @property
    def names(self):
        """All that formulas read."""
        return list(dict.fromkeys(name for formula in self.formulas for name in formula.names))

    def is_constant(self, name):
        """A parameter of the system."""
        return name in self.system.constants

    def is_over(self, t):
        """Whether time ends an episode. Steps end at k every; half a step is far from round-off."""
        return t > self.t_end - 0.5 * self.every


def make_task(system, *, observe, act, every, reward, done, t_end, start, settings):
    options = {"record": False} | settings
    sim = stepper(system, **options)
    run = sim._present.run
    actions, low, high = bounds_of(system, act)
    every = positive(every, "time", PART, "every")
    observations = tuple(one for text in texts(observe) for one in components(run, text))
    return Task(
        system,
        sim,
        observations,
        actions,
        low,
        high,
        every,
        formula_or_function(run, "reward", reward),
        None if done is None else formula_or_function(run, "done", done),
        math.inf if t_end is None else positive(t_end, "time", PART, "t_end"),
        Starts(system, dict(start or {}), sim),
        options,
    )


# ---------------------------------------------------------------- formulas


def texts(observe):
    observe = [observe] if isinstance(observe, str) else observe
    if not is_list(observe) or not len(observe) or not all(isinstance(one, str) for one in observe):
        problem, remedy = f"observe is {shown(observe)}", 'Write observe=["hinge.angle", "hinge.angle.rate"].'
        raise ModelError(PART, problem, "names of channels or formulas are expected", remedy)
    return observe


def components(run, text):
    """The Formulas of a channel, one for each of its components, or of a formula."""
    if is_input(run, text):
        return [Formula(text, symbol(text), (text,))]
    quantity_of, labels = run._find(text)
    if isinstance(quantity_of.compute, Derived):
        return [Formula(text, quantity_of.compute.expression, tuple(quantity_of.compute.names))]
    names = [text] if labels is None else [f"{text}.{label}" for label in labels]
    return [Formula(name, symbol(name), (name,)) for name in names]


def formula_or_function(run, what, given):
    if callable(given):
        return given
    if isinstance(given, int | float) and not isinstance(given, bool):
        return Formula(str(given), float(given), ())
    if not isinstance(given, str):
        raise ModelError(PART, f"{what} is {shown(given)}", "a formula or a function of the stepper is expected")
    found = components(run, given)
    if len(found) != 1:
        raise ModelError(PART, f"{what} is {given!r}, a vector", "one number is expected", f"Write {found[0].text}.")
    return found[0]


# ---------------------------------------------------------------- actions


def bounds_of(system, act):
    if not isinstance(act, Mapping) or not act:
        problem, remedy = f"act is {shown(act)}", 'Write act={"push": (-10, 10)}.'
        raise ModelError(PART, problem, "inputs of the system and their bounds are expected", remedy)
    low, high = [], []
    for name, ends in act.items():
        if name not in system.inputs:
            known = f"the inputs are {', '.join(system.inputs)}" if system.inputs else "the system has no inputs"
            remedy = did_you_mean(str(name), system.inputs).strip() or f"Declare it: s.input({name!r}, 0.0)."
            raise ModelError(PART, f"{name!r} is no input", known, remedy)
        part = f"{PART}, act {name!r}"
        if not is_list(ends) or len(ends) != 2:
            raise ModelError(part, f"it is {shown(ends)}", "a lower and an upper bound are expected", "Write (-1, 1).")
        a, b = (read_number(x, system.inputs[name].unit, part, "bound") if isinstance(x, str) else x for x in ends)
        a, b = (quantity(x, None, part, "bound") for x in (a, b))
        if not a < b:
            raise ModelError(part, f"its bounds are {shown(ends)}", "the lower one comes first")
        low.append(a)
        high.append(b)
    return tuple(act), np.array(low, float), np.array(high, float)


# ---------------------------------------------------------------- starts


class Starts:
    """Where episodes begin: the start of the system, with numbers that are drawn."""

    def __init__(self, system, given, sim):
        check_names(system, given, f"{PART}, start")
        self.given = {name: distribution(name, one) for name, one in given.items()}
        self.system, self.sim, self.y = system, sim, sim.y.copy()
        self.varied = VariedSystem(system, list(given), sim.compiled.formulation)
        self.places = state_places(sim.compiled)
        # a tree whose numbers are the same: the state alone changes
        self.is_state = sim.compiled.n_rows == 0 and not self.varied.numbers

    def with_names_of(self, values):
        """Starts that know these names, too."""
        if set(values) <= set(self.given):
            return self
        new = Starts(self.system, self.given | values, self.sim)
        new.y = self.y
        return new

    def draw(self, random):
        """{name: value}, in the order they were given."""
        return {
            name: one if isinstance(one, float) else float(one.quantiles(random.random()))
            for name, one in self.given.items()
        }

    def state(self, values):
        """y of a tree at these values."""
        y = self.y.copy()
        for name, value in values.items():
            y[self.places[self.varied.starts[name]]] = value
        return y

    def system_at(self, values):
        return self.varied.at(values) if values else self.system


def distribution(name, given):
    """A number, or a Distribution."""
    if isinstance(given, Distribution):
        return given
    part = f"{PART}, start {name!r}"
    if is_list(given):
        if len(given) != 2:
            raise ModelError(part, f"it is {shown(given)}", "(low, high), a number or a distribution is expected")
        a, b = (quantity(x, None, part) for x in given)
        if not a < b:
            raise ModelError(part, f"it is {shown(given)}", "the lower end comes first")
        return Distribution("uniform", (a, b), tuple(given))
    return float(quantity(given, None, part))
