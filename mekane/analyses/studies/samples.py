"""From the samples of runs to the variables of a study: channels that are kept, measures."""

import numpy as np

from mekane.analyses.batch.runs import COMPLETE, SAME, place_of_end
from mekane.analyses.studies.study_errors import ERRORS


def components(run, name):
    labels = run.labels(name)
    return [name] if labels is None else [f"{name}.{label}" for label in labels]


def reduced(study, runs, numbers):
    """(data, status, steps, messages) of runs: kept channels as they are, measures from the samples."""
    there = samples_there(runs.values)
    instants, between = instants_of(runs.ends, there, np.broadcast_to(study.times, there.shape))
    place = {name: c for c, name in enumerate(study.channels)}
    values = {name: runs.values[:, :, c] for name, c in place.items()}
    data, numbers = {}, study.system.parameters | numbers
    for name, variable in study.variables.items():
        if name in study.measures:
            found = study.measures[name].over(values, there, instants, numbers)
            data[name] = np.where(np.isin(runs.outcome, COMPLETE), found, np.nan)
        elif name in ERRORS and study.error is not None:
            data[name] = getattr(runs, name)
        else:
            columns = [place[scalar] for scalar in components(study.probe, name)]
            kept = runs.values[:, :, columns]
            kept[between] = np.nan
            data[name] = kept.reshape(len(kept), *variable.shape)
    return data, runs.outcome, runs.steps, runs.messages


def instants_of(ends, there, times):
    """(runs, samples): the times of samples, and which of them are not of the time requested, or behind it: where events ended
    runs."""
    instants, between = times.copy() if ends else times, np.zeros(there.shape, bool)
    for run, end in ends.items():
        i = place_of_end(times[run], end)
        between[run, i:] = True
        between[run, i] = times[run, i] > (1.0 + SAME) * end
        there[run, i + 1 :], instants[run, i] = False, end
    return instants, between


def samples_there(values):
    """(runs, samples): False behind the last sample of a run that ended early."""
    if not values.shape[2]:
        return np.ones(values.shape[:2], bool)
    some = ~np.isnan(values).all(axis=2)
    return np.flip(np.maximum.accumulate(np.flip(some, 1), axis=1), 1)
