"""By how much joints and constraints are missed at the sampled times, and how fast: rows of every joint, those of the
tree included."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from mekane.results.labels import dataset
from mekane.results.sampled_kinematics import KinematicsEvaluator
from mekane.results.sampled_loads import Model
from mekane.results.samples import chunk_of, chunks
from mekane.tables import columns as at

ONE_PLACE = 1e-9  # of a radius of gyration, or of 1 m: points that are no farther apart are one


class Missed(NamedTuple):
    """Of each joint and constraint, joints first; a joint without rows has residual zero."""

    position: np.ndarray  # [m or rad]
    rate: np.ndarray  # [m/s or rad/s]
    share: np.ndarray  # lengths divided by the size of the mechanism


class Residuals:
    """Plain arrays over time and names, computed on first use; the largest need none of them."""

    def __init__(self, run):
        self._run, self.names = run, [*run.system.joints, *run.system.constraints]

    @cached_property
    def _arrays(self):
        found = missed_by(len(self._run.t), len(self.names))
        for samples, missed in each_missed(self._run):
            for whole, chunk in zip(found, missed, strict=True):
                whole[samples] = chunk
        return found

    @property
    def position(self):
        return self._arrays.position

    @property
    def rate(self):
        return self._arrays.rate

    @property
    def share(self):
        return self._arrays.share

    @cached_property
    def worst(self):
        """The largest over time of each, in one pass that keeps nothing."""
        found = missed_by(1, len(self.names))
        for _, missed in each_missed(self._run):
            found = Missed(*(np.maximum(most, now.max(axis=0)) for most, now in zip(found, missed, strict=True)))
        return found

    @property
    def largest(self):
        return float(self.worst.position.max(initial=0.0))

    @property
    def largest_rate(self):
        return float(self.worst.rate.max(initial=0.0))

    @property
    def largest_share(self):
        return float(self.worst.share.max(initial=0.0))


def missed_by(n, width):
    return Missed(*(np.zeros((n, width)) for _ in range(3)))


def each_missed(run):
    """Samples and what is missed there, chunk after chunk; until the next is requested."""
    from mekane.solvers.samples import read_residuals

    joints, constraints = list(run.system.joints), list(run.system.constraints)
    if not len(run.t) or not joints and not constraints:
        return
    evaluator, model = KinematicsEvaluator(run.compiled), Model(run.compiled) if constraints else None
    length = extent(evaluator, run)
    sources = [(evaluator, *rows_of(evaluator.pairs, joints, length, 0))]
    sources += [(model, *rows_of(run.compiled.pairs, constraints, length, len(joints)))] if constraints else []
    chunk = chunk_of(3 * (len(joints) + len(constraints)), len(run.t))
    for samples in chunks(len(run.t), chunk):
        found = missed_by(samples.stop - samples.start, len(joints) + len(constraints))
        for source, owner, size in sources:
            known, discrete = source.workspace.measurement, source.discrete(run.record, samples)
            read_residuals(source.handle, *source.inputs(run.record, samples), known, discrete, owner, size, *found)
        leave_out_inactive(run, samples, [*joints, *constraints], found)
        yield samples, found


def leave_out_inactive(run, samples, names, found):
    """What is not active is not missed."""
    for number, name in enumerate(names):
        flag = f"{name}.active"
        if flag in run.compiled.discrete:
            off = run.record.discrete[samples, run.compiled.discrete.index(flag)] == 0.0
            for quantity in found:
                quantity[off, number] = 0.0


def rows_of(pairs, names, length, first):
    """Of every constraint row its owner, the number of a name (−1: none of them), and what its residual is divided by
    for a share."""
    owner, size = np.full(len(pairs.row_i), -1), np.ones(len(pairs.row_i))
    for number, name in enumerate(names, first):
        for row in pairs.rows_of[name]:
            kind, owner[row] = pairs.row_i[row][at.ROW_KIND], number
            size[row] = 1.0 if kind == at.PERPENDICULAR else max(1.0, length) if kind == at.EXPRESSION else length
    return owner, size


def mechanism_size(run):
    """Largest extent of joints and bodies at the start [m]."""
    return extent(KinematicsEvaluator(run.compiled), run) if len(run.t) else 1.0


def extent(evaluator, run):
    """Extent of bodies and joints; where all are in one place, a radius of gyration. Joints that begin inactive are left
    out: their points may be anywhere, until an event closes them."""
    W = evaluator.evaluate_kinematics(run.record.y[0])
    off = [pair for name, pair in evaluator.pairs.pair.items() if is_inactive(run.system, name)]
    pairs = np.delete(W.pair, off, axis=0)
    points = np.concatenate([W.body[:, at.B_P : at.B_P + 3], pairs[:, at.X_PM : at.X_PM + 3]])
    found, own = float(np.ptp(points, axis=0).max()), max(map(gyration, run.system.bodies.values()), default=0.0)
    return found if found > ONE_PLACE * (own or 1.0) else own or 1.0


def gyration(body):
    """The largest radius of gyration of a body [m]; 0 without mass."""
    largest = max(np.real(np.diag(body.inertia)).max(), 0.0)
    return float(np.sqrt(largest) / np.sqrt(body.mass)) if body.mass > 0.0 else 0.0  # their quotient may be too large


def is_inactive(system, name):
    return name in system.joints and not system.joints[name].active


def residual(run):
    r = run.residuals
    variables = {
        "position": (
            (),
            r.position.max(axis=1, initial=0.0),
            "m or rad",
            "largest residual of any joint or constraint",
        ),
        "rate": (
            (),
            r.rate.max(axis=1, initial=0.0),
            "m/s or rad/s",
            "largest rate of a residual of any joint or constraint",
        ),
        "position_of": (("joint",), r.position, "m or rad", "largest residual of each joint and constraint"),
        "rate_of": (("joint",), r.rate, "m/s or rad/s", "largest rate of a residual of each joint and constraint"),
    }
    return dataset(run.t, variables, {"joint": np.array(r.names, dtype=object)})
