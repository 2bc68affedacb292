"""Many runs by the engine of mk.simulate, one after the other in each thread. Every model works; a failure is a value."""

import os
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

from mekane.analyses.batch.run_errors import judge, next_tolerances, wanted_error
from mekane.analyses.batch.runs import DONE, FAILED, NOT_FINITE, STEP_VANISHED, TOO_LONG, empty_runs
from mekane.analyses.batch.varied_system import VariedSystem
from mekane.analyses.simulate import simulate
from mekane.errors import MekaneError

SENTENCES = {  # a piece of what simulate reports → the outcome
    "the step became too small": STEP_VANISHED,
    "no longer finite": NOT_FINITE,
    "hardly": TOO_LONG,
}


def run_one_by_one(batch, threads=None, progress=None):
    """The Runs of a Batch. progress: called with the number of runs that are done. Ctrl-C leaves the rest MISSING."""
    runs = empty_runs(batch.count, len(batch.times), len(batch.channels))
    varied = VariedSystem(batch.system, list(batch.varied), batch.settings.get("formulation", "joint"))
    for k, error in in_threads(lambda k: run_into(runs, varied, batch, k), range(batch.count), threads, progress):
        runs.outcome[k], runs.messages[k] = FAILED, sentence(error)
    return runs


def run_into(runs, varied, batch, k):
    """Compute run k, and put what came of it into the records."""
    system = varied.at({name: values[k] for name, values in batch.varied.items()})
    run = simulated(system, batch)
    run.prepare(batch.channels)
    for c, name in enumerate(batch.channels):
        runs.values[k, : len(run.t), c] = run.numbers(name)
    runs.states[k, : len(run.t)] = run.record.y[:, : runs.states.shape[2]]
    runs.steps[k], stopped = run.info.get("steps", 0), run.info["stopped"]
    if stopped:
        runs.messages[k] = stopped
    elif run.t[-1] < batch.times[-1]:
        runs.ends[k] = float(run.t[-1])
    runs.outcome[k] = outcome_of(stopped)
    if batch.error is not None and not stopped:
        runs.error[k], runs.rtol[k] = run.error.relative, run.info["rtol"]
        reason = f"{run.error.unknown()}: {run.error.reason}" if run.error.reason else ""
        judge(runs, k, batch.error, run.info["adaptive"], reason)


def simulated(system, batch):
    """The Result of a run; where an error is wanted, with tolerances as small as it needs."""
    settings = dict(batch.settings)
    while True:
        run = simulate(system, batch.times[-1], every=batch.times, progress=False, **settings)
        if batch.error is None or batch.error is True or run.info["stopped"] or not run.info["adaptive"]:
            return run
        tighter = next_tolerances(run.info["rtol"], run.info["atol"])
        if tighter is None or run.error.relative <= wanted_error(batch.error):
            return run
        settings |= tighter


def outcome_of(stopped):
    if not stopped:
        return DONE
    return next((outcome for piece, outcome in SENTENCES.items() if piece in stopped), FAILED)


def sentence(error):
    """What went wrong, in one line."""
    text = " ".join(str(error).split())
    return text if isinstance(error, MekaneError) else f"{type(error).__name__}: {text}"


def in_threads(work, items, threads=None, progress=None):
    """Call work(item) for all items in threads; returns [(item, exception)] of those that failed. Ctrl-C ends it: what
    was begun is finished, the rest is left."""
    items, failed, done, busy = iter(items), [], 0, {}
    pool = ThreadPoolExecutor(threads or os.cpu_count() or 1)
    try:
        while True:
            while len(busy) < 2 * pool._max_workers and (item := next(items, None)) is not None:
                busy[pool.submit(work, item)] = item
            if not busy:
                return failed
            for future in wait(busy, return_when=FIRST_COMPLETED).done:
                item, done = busy.pop(future), done + 1
                if (error := future.exception()) is not None:
                    failed.append((item, error))
            if progress is not None:
                progress(done)
    except KeyboardInterrupt:
        return failed
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
