"""One run of a batch by itself, by the same analysis as any other run."""

import numpy as np

from mekane.analyses.batch.runs import DONE, FAILED, NOT_FINITE, STEP_VANISHED
from mekane.analyses.simulate import simulate
from mekane.compiler.compiler import compile_system
from mekane.errors import MekaneError
from mekane.model.construction_log import changed
from mekane.results.result import Result
from mekane.solvers import state as at
from mekane.solvers.solver import MESSAGES
from mekane.solvers.state import Record

OUTCOMES = {at.STEP_VANISHED: STEP_VANISHED, at.NOT_FINITE: NOT_FINITE}


def system_of(batch, run):
    """The system with the numbers of this run."""
    return changed(batch.system, {name: float(values[run]) for name, values in batch.varied.items()})


def result_of(batch, run, formulation, states):
    """The Result of a run whose states are known."""
    compiled = compile_system(system_of(batch, run), formulation)
    measurement = np.zeros((len(states), len(compiled.tables.row_i)))
    discrete = np.repeat(compiled.workspace().r[compiled.discrete_registers][None], len(states), axis=0)
    return Result(compiled.system, compiled, Record(batch.times, states, measurement, discrete), {})


def run_alone(batch, run):
    """(samples, channels), outcome, steps, and why it failed."""
    values = np.full((len(batch.times), len(batch.channels)), np.nan)
    try:
        result = simulate(
            system_of(batch, run), float(batch.times[-1]), every=batch.times, progress=False, **batch.settings
        )
        done = len(result.t)
        for k, name in enumerate(batch.channels):
            values[:done, k] = result.numbers(name)
    except MekaneError as error:
        return values, FAILED, 0, str(error)
    stopped = result.info["stopped"]
    return values, outcome_of(stopped), result.info["steps"], stopped


def outcome_of(stopped):
    """Outcome of a run that stopped with this sentence; empty: it did not."""
    if not stopped:
        return DONE
    return next((OUTCOMES[code] for code, text in MESSAGES.items() if code in OUTCOMES and text in stopped), FAILED)
