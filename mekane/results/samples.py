"""Formulas over the samples of a run, in one pass: compiled, chunk by chunk, and only what they read is fetched.

A formula is a function of a Part, which is to it what the whole run would be: its times, its record, `kinematics` and
`loads`. It is called on no samples first, which shows the shape of its answer and which numbers of the kernels'
workspaces it reads; then on one chunk after the other. Memory is that of the answer and of a chunk.
"""

import numpy as np

from mekane.results.sampled_kinematics import SampledKinematics, evaluator_of
from mekane.results.sampled_loads import Loads, Model

CHUNK_NUMBERS = 1 << 18  # fetched at once: few enough to stay near the processor
CHUNK_SAMPLES = 4096


class Part:
    """Consecutive samples of a run, and what the kernels compute for them."""

    def __init__(self, run, samples, kinematics, loads):
        self.run, self.samples, self.kinematics, self.loads = run, samples, kinematics, loads
        self.system, self.compiled, self.info = run.system, run.compiled, run.info
        self.t, self.record = run.t[samples], type(run.record)(*(array[samples] for array in run.record))

    def numbers(self, name):
        """Another quantity of the run, by name."""
        return self.run.numbers(name)[self.samples]

    def is_unique(self, joint):
        return self.run.is_unique(joint)

    @property
    def sharing(self):
        return self.run.sharing.at(self.samples)


class Columns:
    """Numbers of a workspace that formulas read: noted while they are called on no samples, then delivered for each
    chunk."""

    def __init__(self):
        self.place, self.width, self.numbers, self.blocks = {}, 0, None, {}

    def __call__(self, array, row, first, size):
        """Columns [first, first + size) of a row of an array, over the samples at hand."""
        key = array, row, first, size
        if self.numbers is not None:
            return self.numbers[:, self.place[key]]
        if key not in self.place:
            self.place[key] = slice(self.width, self.width + size)
            self.width += size
        return np.zeros((0, size))

    def rows(self, array, rows, first, size):
        """The same columns of several rows, a tuple: (samples, rows, size)."""
        if self.numbers is None:
            for row in rows:
                self(array, row, first, size)
            return np.zeros((0, len(rows), size))
        key = array, rows, first, size
        if key not in self.blocks:
            begin = np.array([self.place[array, row, first, size].start for row in rows], int)
            self.blocks[key] = begin[:, None] + np.arange(size)
        return self.numbers[:, self.blocks[key]]


def each_part(run, formula):
    """What the formula gives for no samples, then for one chunk after the other; until the next is requested."""
    kinematic, dynamic = Columns(), Columns()
    kinematics, loads = SampledKinematics(run.compiled, kinematic), Loads(run.compiled, dynamic)
    yield formula(Part(run, slice(0, 0), kinematics, loads))
    if not len(run.t):
        return
    chunk = chunk_of(kinematic.width + dynamic.width, len(run.t))
    fetches = [
        fetching(source, columns, run.record, chunk)
        for source, columns in sources(run.compiled, kinematic, dynamic, loads.needs)
    ]
    for samples in chunks(len(run.t), chunk):
        for fetch in fetches:
            fetch(samples)
        yield formula(Part(run, samples, kinematics, loads))


def sources(compiled, kinematic, dynamic, needs):
    """Sources and the Columns that each delivers. Where forces are computed, bodies are moved as well."""
    if not dynamic.place:
        return [(evaluator_of(compiled, kinematic.place), [kinematic])] if kinematic.place else []
    model = Model(compiled, needs)
    if all(array == "body" for array, *_ in kinematic.place):
        return [(model, [dynamic, kinematic])]
    return [(model, [dynamic]), (evaluator_of(compiled, kinematic.place), [kinematic])]


def fetching(source, columns, record, chunk):
    """A function of samples, which are to be given in order: it fetches all columns there."""
    source.begin(record)
    ends = np.cumsum([part.width for part in columns])
    address, buffer = np.concatenate([source.addresses(part.place) for part in columns]), np.empty((chunk, ends[-1]))

    def fetch(samples):
        out = buffer[: samples.stop - samples.start]
        source.read(record, samples, address, out)
        for part, numbers in zip(columns, np.split(out, ends[:-1], axis=1), strict=True):
            part.numbers = numbers

    return fetch


def over_samples(run, *formulas):
    """What each formula gives over all samples, in one pass."""
    parts = each_part(run, lambda part: [np.asarray(formula(part)) for formula in formulas])
    found, first = [np.zeros((len(run.t), *empty.shape[1:])) for empty in next(parts)], 0
    for values in parts:
        end = first + len(values[0])
        for whole, chunk in zip(found, values, strict=True):
            whole[first:end] = chunk
        first = end
    return found


def chunk_of(width, n):
    """How many samples are taken at once."""
    return max(1, min(CHUNK_SAMPLES, CHUNK_NUMBERS // max(1, width), n))


def chunks(n, size):
    return (slice(first, min(first + size, n)) for first in range(0, n, size))


def is_finite(record):
    """Whether every number of the state is."""
    size = chunk_of(record.y.shape[1], len(record.t))
    return all(np.isfinite(record.y[samples]).all() for samples in chunks(len(record.t), size))


class Throughout:
    """The methods of `kinematics` or `loads` of a Part, for all samples of a run."""

    def __init__(self, run, which):
        self._run, self._which = run, which

    def __getattr__(self, method):
        if method.startswith("__"):
            raise AttributeError(method)
        return lambda *args: over_samples(self._run, lambda part: getattr(getattr(part, self._which), method)(*args))[0]
