"""Global errors in a study: estimated for every run, made as small as is wanted, or checked at a few runs."""

from __future__ import annotations

import numpy as np

from mekane.analyses.batch.engine import LANES
from mekane.analyses.batch.run_errors import SAMPLES
from mekane.analyses.batch.runs import DONE, INACCURATE, MISSING
from mekane.analyses.global_error import MOST_WORK, work_of_evaluation
from mekane.analyses.studies.variables import Variable
from mekane.errors import ModelError, many
from mekane.results.global_error import TRUSTED

ERRORS = {  # variables of a study that are fields of Runs
    "error": Variable(unit="1", long_name="estimated global error as a share of the motion"),
    "rtol": Variable(unit="1", long_name="relative tolerance with which the run was computed"),
}
CHECKED, OF = 16, 8  # so many runs are checked without being requested, but not more than one of so many
STAGES = 12  # evaluations in a step, about
LANES_FASTER = 20.0  # times than runs one by one
REMEDY = (
    "error=True estimates the error of every run; error=1e-6 repeats runs with smaller tolerances until it is so small."
)


def check_error(error, analysis):
    """As given: None, True, or a number; False is None."""
    if error is None or error is False:
        return None
    if analysis != "simulate":
        raise ModelError("error", f"it is given with analysis={analysis!r}", "errors of motions", "Leave it out.")
    if error is True:
        return True
    try:
        number = float(error)
    except (TypeError, ValueError):
        number = np.nan
    if not 0.0 < number < 1.0:
        expected = "True, or a share of the motion between 0 and 1 is expected"
        raise ModelError("error", f"it is {error!r}", expected, "Write error=1e-6.")
    return number


def variables_of_error(error, others):
    """Variables of a study besides those of the user."""
    found = {} if error is None else ERRORS if error is not True else {"error": ERRORS["error"]}
    for name in found:
        if name in others:
            problem = f"{name!r} is the estimated error of a run, or its tolerance, where error= is given"
            raise ModelError(f"measure {name!r}", problem, "another name", "Call the measure otherwise.")
    return found


def bytes_of_errors(study):
    """That a run takes in memory while its error is estimated: states of two runs."""
    if study.error is None:
        return 0
    compiled = study.probe.compiled
    return 16 * max(len(study.times), SAMPLES) * (compiled.n_q + compiled.n_u)


def inaccurate_runs(collected):
    """A sentence that counts runs whose error is too large, or not known; "" if there are none."""
    runs = np.flatnonzero(collected.status == INACCURATE)
    if not len(runs):
        return ""
    texts = [collected.messages.get(int(k), "") for k in runs]
    text = max(set(texts), key=texts.count)
    share = "All" if len(runs) == collected.count else f"{len(runs)} of"
    reason = f"The commonest reason ({texts.count(text)} of them): {text}"
    return f"Do not trust {share} {collected.count} runs: ds['error'] shows which. {reason}."


# ---------------------------------------------------------------- a few runs, without being requested


def check_errors(study, axes, collected, threads=None):
    """Estimate the errors of a few runs. What was found is noted in the attributes of the result; where it is bad, a warning
    is returned, else ""."""
    if study.analysis != "simulate" or study.error is not None or (collected.status == MISSING).any():
        return ""
    runs = checked_runs(collected)
    if not is_small(study, collected):
        runs = runs[:0]
    found = estimated(study, axes, runs, threads)
    share = found[np.isfinite(found)]
    study.notes["errors_checked"] = len(share)
    if len(share):
        study.notes["error_largest"] = float(share.max())
    bad = int((share > TRUSTED).sum())
    if not bad:
        return ""
    which = (
        f"of {many(len(share), 'run')} that were checked, {bad} have an error of more than {TRUSTED:g} of the motion"
    )
    return f"Do not trust this study as it is: {which}. {REMEDY}"


def checked_runs(collected):
    """Numbers of the runs that are checked, spread over all that are done."""
    done = np.flatnonzero(collected.status == DONE)
    count = min(CHECKED, -(-len(done) // OF))
    return done[((np.arange(count) + 0.5) * len(done) / max(count, 1)).astype(int)]


def is_small(study, collected):
    """True if the error of a run can be estimated without being requested. Counted, so that every machine decides alike."""
    work = STAGES * collected.most_steps * work_of_evaluation(study.probe.compiled)
    return work <= MOST_WORK * (LANES_FASTER if collected.engine == LANES else 1.0)


def estimated(study, axes, runs, threads):
    """(runs,): their errors; inf where an event ends only one of two; none after Ctrl-C."""
    if not len(runs):
        return np.zeros(0)
    try:
        block = study.with_errors().compute(axes.values(runs), threads)
    except KeyboardInterrupt:
        return np.zeros(0)
    return np.minimum(block.data["error"], np.finfo(float).max)
