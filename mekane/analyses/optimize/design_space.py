"""What a search varies, and the designs it has looked at."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from mekane.analyses.optimize.design import Design, share_motions
from mekane.analyses.optimize.lane_motions import ScenarioMotions
from mekane.analyses.optimize.scenarios import scenarios
from mekane.analyses.quantity_names import names_of
from mekane.errors import ModelError
from mekane.model.construction_log import with_names
from mekane.model.values.units import quantity


class Box:
    """Names, start, bounds and scales of what is varied; the system in which they are parameters; the scenarios."""

    def __init__(self, system, parameters, over=None):
        bounds = (
            parameters
            if isinstance(parameters, Mapping)
            else dict.fromkeys(names_of(parameters, "optimize, parameters", some=True))
        )
        self.names = names_of(list(bounds), "optimize, parameters", some=True)
        self.scenarios = scenarios(over, self.names)
        self.system = with_names(system, [*self.names, *self.scenarios[0]])
        self.low, self.high = np.array([limits(name, bounds[name]) for name in self.names]).T
        now = np.array([self.system.parameters[name] for name in self.names], float)
        self.start = np.clip(now, self.low, self.high)
        width = self.high - self.low
        self.scale = np.where(self.start != 0.0, np.abs(self.start), np.where(np.isfinite(width), width, 1.0))

    def at(self, values, scenario=None):
        """The system with these values, in a scenario or as it was given."""
        return self.system.with_parameters(dict(zip(self.names, map(float, values), strict=True)) | (scenario or {}))


def limits(name, given):
    if given is None:
        return -np.inf, np.inf
    if not isinstance(given, tuple | list) or len(given) != 2:
        problem = f"the bounds of {name!r} are {given!r}"
        raise ModelError(
            "optimize, parameters", problem, "(lowest, highest) is expected", f'Write {{"{name}": (0.1, 2)}}.'
        )
    low, high = (
        edge if x is None else quantity_or_infinite(x, name) for x, edge in zip(given, (-np.inf, np.inf), strict=True)
    )
    if not low < high:
        raise ModelError(
            "optimize, parameters", f"the bounds of {name!r} are {low:g} and {high:g}", "the lowest comes first"
        )
    return low, high


def quantity_or_infinite(x, name):
    return float(x) if isinstance(x, float) and np.isinf(x) else quantity(x, None, f"bounds of {name!r}")


class DesignHistory:
    """Designs by their values, one for each scenario, the last few kept; counts evaluations and keeps the history."""

    def __init__(self, box, formulation, rtol, progress):
        self.box, self.formulation, self.rtol, self.progress = box, formulation, rtol, progress
        self.history, self._kept = [], {}
        self.on_lanes = ScenarioMotions(box, formulation, rtol) if len(box.scenarios) > 1 else None

    def designs(self, values):
        """One for each scenario."""
        key = np.asarray(values, float).tobytes()
        if key not in self._kept:
            self._kept = dict(list(self._kept.items())[-2:])
            systems = [self.box.at(values, scenario) for scenario in self.box.scenarios]
            self._kept[key] = [Design(one, self.box.names, self.formulation, self.rtol) for one in systems]
            if self.on_lanes is not None:
                share_motions(self._kept[key], partial(self.on_lanes.at, values))
        return self._kept[key]

    def design(self, values):
        """Where there is one scenario."""
        return self.designs(values)[0]

    def note(self, values, objective):
        """Once for every set of values."""
        values = [float(x) for x in values]
        if not self.history or self.history[-1][0] != values:
            self.history.append((values, float(objective)))
            if self.progress is not None:
                self.progress(len(self.history), float(objective))
