"""Analyses of a study that are no motions: equilibria, eigenvalues and modes, one for each point."""

from typing import NamedTuple

import numpy as np

from mekane.analyses.batch.one_by_one import in_threads, sentence
from mekane.analyses.batch.runs import DONE, FAILED, empty_runs
from mekane.analyses.batch.varied_system import VariedSystem
from mekane.analyses.equilibrium.equilibrium import equilibrium
from mekane.analyses.linear.linearize import linearize
from mekane.analyses.linear.modes import modes
from mekane.analyses.studies.samples import reduced
from mekane.analyses.studies.variables import Variable
from mekane.errors import ModelError, did_you_mean
from mekane.model.hybrid.activity import for_analysis

ANALYSES = ("simulate", "equilibrium", "linearize", "modes")
OTHER_NAMES = {"root_locus": "linearize", "eigenvalues": "linearize"}


def check_analysis(name):
    name = OTHER_NAMES.get(name, name)
    if name not in ANALYSES:
        expected = f"there are {', '.join(ANALYSES)}"
        raise ModelError("analysis", f"it is {name!r}", expected, did_you_mean(str(name), ANALYSES).strip())
    return name


def where_of(at):
    """The name of where to linearize: "equilibrium", or None for the state as described."""
    name = getattr(at, "__name__", at)
    if name not in (None, "equilibrium"):
        problem, expected = f"at is {name!r}", 'None, the state as described, or "equilibrium" is expected'
        raise ModelError("sweep", problem, expected, 'Write at="equilibrium".')
    return name


class PointAnalysis(NamedTuple):
    variables: object  # function of a study → {name: Variable}
    compute: object  # function of (study, system, settings) → {name: array}


def linearized(study, system, settings, analysis=linearize):
    formulation = settings.get("formulation", "joint")
    system = for_analysis(system, study.analysis)
    at = equilibrium(system, formulation=formulation) if study.at else None
    return analysis(system, at, formulation=formulation)


def number_of_states(study):
    """Of the linearized motion of the system as it is described."""
    try:
        return len(linearized(study, study.variant({}), study.settings).eigenvalues)
    except ModelError as error:
        problem = f"the system as described cannot be linearized ({error})"
        remedy = 'Give it values for which it can, or write at="equilibrium".'
        raise ModelError("sweep", problem, "from it the number of eigenvalues is known", remedy) from None


def variables_of_eigenvalues(study):
    n = number_of_states(study)
    labels = {"eigenvalue": list(range(1, n + 1))}
    return {
        "real": Variable(("eigenvalue",), (n,), "1/s", "real part of eigenvalue, largest first", labels),
        "imaginary": Variable(("eigenvalue",), (n,), "rad/s", "imaginary part of eigenvalue", labels),
        "growth": Variable(unit="1/s", long_name="largest real part of any eigenvalue"),
    }


def eigenvalues(study, system, settings):
    """Sorted by their real parts, largest first."""
    values = np.asarray(linearized(study, system, settings).eigenvalues, complex)
    size = np.abs(values).max(initial=1.0)
    values = values[np.lexsort((-values.imag, -np.round(values.real / size, 9)))]
    return {"real": values.real, "imaginary": values.imag, "growth": values.real.max(initial=-np.inf)}


def variables_of_modes(study):
    n = number_of_states(study)
    labels = {"mode": list(range(1, n + 1))}
    of_mode = lambda unit, text: Variable(("mode",), (n,), unit, text, labels)
    return {
        "frequency": of_mode("Hz", "frequency of the damped oscillation; slowest mode first, NaN beyond the last"),
        "damping": of_mode("1", "share of critical damping"),
        "real": of_mode("1/s", "real part of the eigenvalue"),
        "imaginary": of_mode("rad/s", "imaginary part of the eigenvalue"),
        "count": Variable(unit="1", long_name="number of modes"),
    }


def modes_of(study, system, settings):
    found = list(linearized(study, system, settings, modes))
    values = np.array([mode.eigenvalue for mode in found], complex)
    taken = {"frequency": [m.frequency for m in found], "damping": [m.damping for m in found]}
    return taken | {"real": values.real, "imaginary": values.imag, "count": len(found)}


POINT_ANALYSES = {
    "linearize": PointAnalysis(variables_of_eigenvalues, eigenvalues),
    "modes": PointAnalysis(variables_of_modes, modes_of),
}


def compute_points(study, system, numbers, count, settings, threads, progress):
    """(data, status, steps, messages) of the points with these numbers."""
    varied = VariedSystem(system, list(numbers), settings.get("formulation", "joint"))
    at = lambda k: varied.at({name: values[k] for name, values in numbers.items()})
    runs = empty_runs(count, 1, len(study.channels))
    if study.analysis == "equilibrium":
        data, work = None, lambda k: rest_into(runs, study, at(k), settings, k)
    else:
        data = {name: np.full((count, *one.shape), np.nan) for name, one in study.variables.items()}
        work = lambda k: point_into(data, study, at(k), settings, k)

    def one(k):
        work(k)
        runs.outcome[k] = DONE

    for k, error in in_threads(one, range(count), threads, progress):
        runs.outcome[k], runs.messages[k] = FAILED, sentence(error)
    if data is not None:
        return data, runs.outcome, runs.steps, runs.messages
    return reduced(study, runs, numbers)


def rest_into(runs, study, system, settings, k):
    rest = equilibrium(system, formulation=settings.get("formulation", "joint"))
    result = rest.result
    result.prepare(study.channels)
    runs.values[k, 0] = [result.numbers(name)[0] for name in study.channels]


def point_into(data, study, system, settings, k):
    for name, values in POINT_ANALYSES[study.analysis].compute(study, system, settings).items():
        place = np.atleast_1d(values)
        if len(place) > data[name][k].size:
            problem = f"there are {len(place)} of {name!r} here"
            raise ModelError("sweep", problem, f"the system as described has {data[name][k].size}")
        data[name][k].reshape(-1)[: len(place)] = place if data[name].ndim > 1 else 0.0
        if data[name].ndim == 1:
            data[name][k] = values
