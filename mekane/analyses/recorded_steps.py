"""Samples of a motion that is stepped by hand: each with the one before it. Branches, which begin at saved states,
share what they have in common; nothing is ever copied or overwritten."""

import numpy as np

from mekane.solvers.state import NOW, Record

START = None  # before the first sample


def live_record(solver):
    """A record of one sample, in arrays that follow the state of a solver."""
    arrays = dict(y=solver.y, measurement=solver.workspace.measurement, discrete=solver.discrete)
    return Record(solver.step_state[NOW : NOW + 1], *(arrays[name][None] for name in Record._fields[1:]))


def with_sample(samples, t, record):
    """One more sample: the present numbers of a `live_record`."""
    return samples, t, *[array.tobytes() if array.size else b"" for array in record[1:]]


def first_time(samples):
    while samples[0] is not START:
        samples = samples[0]
    return samples[1]


def record_of(samples, like):
    """All samples as a Record. like: a `live_record`."""
    found = []
    while samples is not START:
        found.append(samples[1:])
        samples = samples[0]
    t, *parts = zip(*reversed(found), strict=True)
    arrays = [
        np.frombuffer(b"".join(part)).reshape(len(t), array.shape[1]).copy()
        for part, array in zip(parts, like[1:], strict=True)
    ]
    return Record(np.array(t), *arrays)


def samples_of(record):
    """A record as samples again."""
    samples = START
    for t, *parts in zip(*record, strict=True):
        samples = samples, float(t), *[part.tobytes() for part in parts]
    return samples
