"""The global error of many runs, and runs whose error is as small as is wanted.

Each run is repeated with tolerances TIGHTER times smaller, as analyses/global_error.py does with one, and the difference of
the states at samples is the estimate. A run whose estimate is larger than wanted takes the numbers of its repetition, which
is repeated in turn: so each has the tolerances that it needs, and what becomes of it depends on that run alone.
"""

import numpy as np

from mekane.analyses.batch.runs import DONE, INACCURATE, MISSING, place_of_end
from mekane.analyses.feature_detection import narrow_laws
from mekane.analyses.global_error import (
    LESS_TIGHT,
    SAFETY,
    SHORTER,
    SMALLEST_RTOL,
    TIGHTER,
    least_steps,
    looks_at,
    smaller,
)
from mekane.results.global_error import SHORTEST, TRUSTED, UNITS, at_least
from mekane.tables.columns import KIND, MIXED, PRIMITIVE_Q, PRIMITIVE_U, QUATERNION, TRANSLATION

SAMPLES = 50  # at which states are compared, at least
NEAR = 1e-9  # of a run: samples so near to each other are one
MORE_STEPS = 1.1  # times those of a run: those of a repetition whose steps are set by tolerances
HALF_TURN = np.pi  # rad: a crank that turns on moves no further


def wanted_error(error):
    """The largest error of a run that is DONE, as a share of the motion."""
    return TRUSTED if error is True else float(error)


def next_tolerances(rtol, atol, times=TIGHTER):
    """Smaller ones, with which a run can still be repeated; None: round-off does not allow them."""
    times = min(times, rtol / (LESS_TIGHT * SMALLEST_RTOL))
    return smaller(rtol, atol, times) if times >= 2.0 else None


def judge(runs, run, error, adaptive, reason=""):
    """Whether the error of a run is as small as it should be, and why not. error: of the Batch; reason: what is not known."""
    wanted = wanted_error(error)
    if runs.error[run] <= wanted and not reason:
        runs.outcome[run] = DONE
        runs.messages.pop(run, None)
        return
    known = f"its error is more than {wanted:g} of the motion"
    if error is not True:
        known += ", and smaller tolerances do not help" if adaptive else ": give a smaller step"
    runs.outcome[run], runs.messages[run] = INACCURATE, reason or known


def run_with_errors(engine, threads=None, progress=None):
    """The Runs of a LaneEngine, whose Batch says which error is wanted. After Ctrl-C runs without their estimate are MISSING."""
    times, error = engine.batch.times, engine.batch.error
    engine = engine.of(engine.batch._replace(times=comparison_times(times), error=None))
    engine.keeps_states = True
    found = engine.run(threads, None if progress is None else lambda ended: progress(ended // 2))
    compared = np.flatnonzero(found.outcome == DONE)
    interrupted = (found.outcome == MISSING).any()
    while len(compared) and not interrupted:
        found.rtol[compared] = engine.tolerances["rtol"]
        try:
            repeated = estimate(engine, found, compared, error, threads)
        except KeyboardInterrupt:
            interrupted = True
            break
        better = (found.outcome[compared] == INACCURATE) & (repeated.outcome == DONE)
        if error is True or not can_be_smaller(engine):
            break
        take(found, repeated, compared[better], np.flatnonzero(better))
        engine, compared = engine.of(engine.batch, **tighter(engine)), compared[better]
    if interrupted:
        found.outcome[compared] = MISSING
    return at_samples(found, engine.batch.times, times)


def comparison_times(times):
    """Samples with others between them, where they are few: the size of a motion is not seen at its start and end."""
    if len(times) >= SAMPLES:
        return np.array(times, float)
    more = np.linspace(0.0, times[-1], SAMPLES + 1)
    apart = np.abs(more[:, None] - times).min(axis=1) > NEAR * times[-1]
    return np.union1d(times, more[apart])


def at_samples(found, compared, times):
    """Runs at the samples that were requested."""
    values = found.values[:, np.searchsorted(compared, times)]
    for run, end in found.ends.items():
        i = place_of_end(times, end)
        values[run, i:] = np.nan
        values[run, i] = found.values[run, place_of_end(compared, end)]
    values[found.outcome == MISSING] = np.nan
    return found._replace(values=values, states=found.states[:, :, :0])


# ---------------------------------------------------------------- repetitions


def estimate(engine, found, compared, error, threads):
    """Put the errors of these runs into `found`. Returns their repetitions."""
    repeated = repetition(engine, compared, threads, **tighter(engine))
    repeat_alike(engine, found, repeated, compared, threads)
    put_errors(engine, found, repeated, compared, error)
    failed = np.flatnonzero(repeated.outcome != DONE)
    if len(failed) and engine.solver.adaptive:  # so much less than round-off allows here
        again = repetition(engine, compared[failed], threads, **tighter(engine, LESS_TIGHT))
        put_errors(engine, found, again, compared[failed], error)
    return repeated


def repetition(engine, some, threads, **tolerances):
    """The same runs with other tolerances. Ctrl-C raises."""
    batch = engine.batch
    part = batch._replace(varied={name: values[some] for name, values in batch.varied.items()})
    found = engine.of(part, **tolerances).run(threads)
    if (found.outcome == MISSING).any():
        raise KeyboardInterrupt
    return found


def repeat_alike(engine, found, repeated, compared, threads):
    """Repeat once more, with shorter steps, where tolerances did not set them: the same steps have the same errors. How long
    they are depends on each run alone."""
    alike = (repeated.outcome == DONE) & (repeated.steps < MORE_STEPS * found.steps[compared])
    divisions = np.ceil(np.log2(np.maximum(found.steps[compared], 1) / SHORTER)).astype(int)
    for k in np.unique(divisions[alike]):
        places, step = np.flatnonzero(alike & (divisions == k)), float(engine.batch.times[-1]) / 2.0**k
        again = repetition(engine, compared[places], threads, **tighter(engine) | dict(step=step))
        take(repeated, again, places, np.arange(len(places)))


def tighter(engine, times=TIGHTER):
    """Tolerances of a repetition, so many times smaller, or half the step; where a law of the state may be narrow, steps are
    short enough to meet it."""
    rtol, atol, step = (engine.tolerances[name] for name in ("rtol", "atol", "step"))
    if not engine.solver.adaptive:
        return dict(step=step / 2.0)
    compiled = engine.solver.compiled
    longest = float(engine.batch.times[-1]) / least_steps(compiled, looks_at(narrow_laws(compiled)))
    shortest = min(longest, step / 2.0 if step else np.inf)
    found = next_tolerances(rtol, atol, times) or smaller(rtol, atol, times)
    return found | (dict(step=shortest) if shortest < float(engine.batch.times[-1]) else {})


def can_be_smaller(engine):
    """Whether repetitions can be repeated in turn."""
    return engine.solver.adaptive and next_tolerances(engine.tolerances["rtol"], engine.tolerances["atol"]) is not None


def take(found, repeated, runs, places):
    """The numbers of repetitions become those of the runs."""
    for of_runs, of_repetitions in zip(found, repeated, strict=True):
        if isinstance(of_runs, np.ndarray):
            of_runs[runs] = of_repetitions[places]
    for run, place in zip(np.asarray(runs).tolist(), np.asarray(places).tolist(), strict=True):
        for of_runs, of_repetitions in ((found.messages, repeated.messages), (found.ends, repeated.ends)):
            of_runs.pop(run, None)
            if place in of_repetitions:
                of_runs[run] = of_repetitions[place]


def put_errors(engine, found, repeated, compared, error):
    """What the repetitions of these runs tell about them."""
    share = shares(engine, found, repeated, compared)
    for place, run in enumerate(compared.tolist()):
        outcome = repeated.outcome[place]
        found.error[run] = share[place] if outcome == DONE else np.nan
        why = f"its error is not known: its repetition ended early ({repeated.messages.get(place, 'it failed')})"
        judge(found, run, error, engine.solver.adaptive, "" if outcome == DONE else why)


# ---------------------------------------------------------------- differences


def shares(engine, found, repeated, compared):
    """(runs,): the estimated errors as shares of the motion.  Instants at which events end runs count beside their length."""
    times, compiled = engine.batch.times, engine.solver.compiled
    ends = {place: found.ends[run] for place, run in enumerate(compared.tolist()) if run in found.ends}
    y, other = up_to_end(found.states[compared], ends, times), up_to_end(repeated.states, repeated.ends, times)
    size = motion_sizes(y, compiled, engine.size, float(times[-1]), engine.tolerances["atol"])
    n = compiled.n_q + compiled.n_u
    different = np.abs(y[:, :, :n] - other[:, :, :n]) * weights(compiled)
    largest = np.fmax.reduce(different, axis=1, initial=0.0)
    family = families(compiled)
    share = np.max([largest[:, family == name].max(axis=1, initial=0.0) / size[name] for name in UNITS], axis=0)
    for place in ends.keys() | repeated.ends.keys():
        share[place] = max(share[place], lateness(ends.get(place), repeated.ends.get(place)))
    return SAFETY * share + np.finfo(float).eps


def lateness(end, other):
    """Of an instant at which a run was ended, as a share of its length; infinite where one of two runs was not."""
    if end is None or other is None:
        return np.inf
    return abs(end - other) / max(end, other, SHORTEST)


def up_to_end(states, ends, times):
    """States at samples, and one more: that at the instant at which an event ended a run, which stands in the place of the
    next sample."""
    found = np.concatenate([states, np.full_like(states[:, :1], np.nan)], axis=1)
    for run, end in ends.items():
        i = place_of_end(times, end)
        found[run, -1], found[run, i:-1] = found[run, i], np.nan
    return found


def motion_sizes(y, compiled, length, duration, atol):
    """{family: (runs,)}: the longest way of a coordinate from its start, the largest speeds. length: of the mechanism [m]."""
    n_q, n_u, family = compiled.n_q, compiled.n_u, families(compiled)
    ways = np.abs(y[:, :, :n_q] - y[:, :1, :n_q]) * weights(compiled)[:n_q]
    far = np.concatenate(
        [np.fmax.reduce(part, axis=1, initial=0.0) for part in (ways, np.abs(y[:, :, n_q : n_q + n_u]))], axis=1
    )
    found = {name: far[:, family == name].max(axis=1, initial=0.0) for name in UNITS}
    found["orientation"] = np.minimum(found["orientation"], HALF_TURN)
    return at_least(found, length, duration, atol)


def families(compiled):
    """(coordinates and speeds,): the family of each, as results.global_error has them."""
    q, u = np.full(compiled.n_q, "orientation", object), np.full(compiled.n_u, "angular_velocity", object)
    primitives = compiled.tables.primitive_i
    slides = primitives[primitives[:, KIND] == TRANSLATION]
    q[slides[:, PRIMITIVE_Q]], u[slides[:, PRIMITIVE_U]] = "position", "velocity"
    return np.concatenate([q, u])


def weights(compiled):
    """(coordinates and speeds,): a quaternion changes by half the angle."""
    found, primitives = np.ones(compiled.n_q + compiled.n_u), compiled.tables.primitive_i
    for first in primitives[np.isin(primitives[:, KIND], (QUATERNION, MIXED)), PRIMITIVE_Q]:
        found[first : first + 4] = 2.0
    return found
