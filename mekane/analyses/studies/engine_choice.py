"""The engine that a study was given. Lanes are a demand: a model that does not fit them is refused before anything runs."""

from itertools import product

import numpy as np

from mekane.analyses.batch.engine import ENGINES, LANES, check_lanes
from mekane.errors import ModelError, did_you_mean


def check_engine(engine):
    if engine not in ENGINES:
        expected = f"{', '.join(ENGINES[:-1])} or {ENGINES[-1]!r} is expected"
        raise ModelError("engine", f"it is {engine!r}", expected, did_you_mean(str(engine), ENGINES).strip())


def refuse_unfit(study, axes):
    """Raise where lanes are demanded, and a choice of the study cannot be on them."""
    if study.engine != LANES:
        return
    if study.analysis != "simulate":
        problem = f"it is {LANES!r}, with analysis={study.analysis!r}"
        raise ModelError("engine", problem, "lanes are for motions", "Leave engine out.")
    for run in one_of_each(axes, study.choices):
        values = axes.values([run])
        choice = {name: values[name][0] for name in study.choices}
        check_lanes(study.batch(choice, {name: values[name] for name in study.numbers}, 1), study.made(choice))


def one_of_each(axes, choices):
    """Numbers of runs, one for each combination of choices."""
    places = product(*(different(axis, choices) for axis in axes.axes))
    return [int(np.ravel_multi_index(place, axes.shape)) for place in places]


def different(axis, choices):
    """Places along an axis where the choices on it differ; the first one where there are none."""
    found = {}
    for k in range(len(axis)):
        found.setdefault(tuple(values[k] for name, values in axis.columns.items() if name in choices), k)
    return found.values()
