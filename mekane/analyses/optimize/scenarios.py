"""Scenarios: the circumstances in which one design must do well, such as several loads or a stiffness that scatters.

over={"load": [1, 2, 3], "k": mk.normal("4 kN/m", "5 %")}       all combinations
over=[{"load": 1, "k": 3e3}, {"load": 2, "k": 5e3}]             these
"""

from collections.abc import Mapping
from itertools import product

import numpy as np

from mekane.analyses.studies.distributions import Distribution
from mekane.errors import ModelError
from mekane.model.values.units import is_list, quantity

SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)  # a distribution stands for five values, equally likely
ROBUST = ("mean", "worst")
MOST = 4096
WHERE = "optimize, over"


def scenarios(over, varied):
    """[{name: number}] of what is given; one without names if nothing is. `varied`: names that the search finds."""
    if over is None:
        return [{}]
    found = combined(over) if isinstance(over, Mapping) else listed(over)
    names = list(found[0])
    for one in found:
        if list(one) != names:
            problem = f"one scenario has {', '.join(one)}, another {', '.join(names)}"
            raise ModelError(WHERE, problem, "all scenarios have the same names")
    if twice := sorted(set(names) & set(varied)):
        problem = f"{', '.join(twice)} would be both found and given"
        raise ModelError(WHERE, problem, "a number is one or the other", "Take it out of parameters or of over.")
    return found


def combined(over):
    values = {name: numbers(name, given) for name, given in over.items()}
    count = int(np.prod([float(len(column)) for column in values.values()]))
    if not values or count > MOST:
        problem = f"{count} combinations are given" if values else "nothing is given"
        raise ModelError(WHERE, problem, f"between 1 and {MOST} scenarios", "Give a list of those that matter.")
    return [dict(zip(values, row, strict=True)) for row in product(*values.values())]


def listed(over):
    rows = list(over) if is_list(over) else []
    if not rows or len(rows) > MOST or not all(isinstance(row, Mapping) and row for row in rows):
        expected = f'{{"load": [1, 2]}} or a list of up to {MOST} scenarios such as {{"load": 1}}'
        raise ModelError(WHERE, f"{over!r} is given", expected)
    return [{str(name): number(name, value) for name, value in sorted(row.items())} for row in rows]


def numbers(name, given):
    """Values of one name: those of a list, or those that stand for a distribution."""
    if isinstance(given, Distribution):
        return given.quantiles(SHARES).tolist()
    column = [number(name, value) for value in given] if is_list(given) else [number(name, given)]
    if not column:
        raise ModelError(WHERE, f"{name!r} has no values", "at least one")
    return column


def number(name, value):
    found = quantity(value, None, f"{WHERE}, {name}")
    if not np.isfinite(found):
        raise ModelError(WHERE, f"{name!r} is {found}", "finite numbers are expected")
    return found


def check_robust(robust):
    if robust not in ROBUST:
        raise ModelError("optimize, robust", f"{robust!r} is given", f"one of {', '.join(ROBUST)}")
