"""Embedded constraints as a run sees them: the choice of independent speeds at the start, and what became of it."""

import numpy as np

from mekane.errors import ModelError, did_you_mean
from mekane.tables.tables import CHOSEN_ANEW, KEPT, LEFT, N_ACTIVE, N_REPEATED, ORDER

WAYS = ("multipliers", "embedded")


def find_way(name, independent=None):
    """`constraints=` as specified, checked."""
    if name not in WAYS:
        remedy = did_you_mean(name, WAYS) if isinstance(name, str) else ""
        raise ModelError("constraints", f"it is {name!r}", "'multipliers' or 'embedded' is expected", remedy)
    if independent is not None and name != "embedded":
        raise ModelError(
            "independent", "constraints are not embedded", "speeds are chosen there only", 'Say constraints="embedded".'
        )
    return name


def partition_at_start(solver, wanted):
    """After the rows to activate are chosen: split the speeds, as the user wants or by pivoting."""
    from mekane.solvers.constraints.partitioning import SINGULAR
    from mekane.solvers.entries.calls import partition

    compiled, W = solver.compiled, solver.workspace
    if wanted is not None:
        places = [place_of(compiled, name) for name in wanted_names(compiled, wanted)]
        expected = compiled.n_u - active(solver)
        if len(places) != expected:
            problem = f"{counted(len(places), 'speed')} named: {listed(wanted)}"
            given = f"{counted(compiled.n_u, 'speed')} less {counted(active(solver), 'constraint')} in use"
            expectation = f"{given} leave {expected} to choose"
            raise ModelError("independent", problem, expectation, remedy(solver, partition))
        best = partition(solver.handle, 0.0) if active(solver) else 0.0
        W.partition[KEPT] = 0
        W.partition[KEPT, places] = 1
        if active(solver) and partition(solver.handle, 1.0) < SINGULAR * best:
            raise ModelError(
                "independent",
                f"the other speeds do not follow from {listed(wanted)} here",
                "",
                remedy(solver, partition),
            )
    elif active(solver) and not solver.workspace.state[N_REPEATED]:
        partition(solver.handle, 0.0)


def wanted_names(compiled, wanted):
    if isinstance(wanted, str) or not all(isinstance(name, str) for name in wanted):
        remedy = f"There are {listed(compiled.speeds)}."
        raise ModelError("independent", f"it is {wanted!r}", "a list of names of speeds is expected", remedy)
    return list(dict.fromkeys(wanted))


def place_of(compiled, name):
    if name not in compiled.speeds:
        expectation = f"in {compiled.formulation} coordinates the speeds are {listed(compiled.speeds)}"
        raise ModelError("independent", f"there is no speed {name!r}", expectation, did_you_mean(name, compiled.speeds))
    return compiled.speeds.index(name)


def remedy(solver, partition):
    """A choice that works."""
    if active(solver):
        partition(solver.handle, 0.0)
    return f"Leave it out, or name {listed(independent_speeds(solver))}."


def listed(names):
    return ", ".join(map(repr, list(names)[:12])) + (" …" if len(names) > 12 else "")


def active(solver):
    return int(solver.workspace.state[N_ACTIVE])


def independent_speeds(solver):
    """Names of the p = n − m speeds that equations are written for; all speeds where nothing is embedded."""
    names, m = solver.compiled.speeds, active(solver)
    if solver.constraints == "multipliers" or m == 0:
        return list(names)
    return [names[r] for r in np.sort(solver.workspace.partition[ORDER, m:])]


def facts(solver):
    """For the book-keeping of a run."""
    if solver.constraints == "multipliers":
        return dict(constraints=solver.constraints)
    anew, left = (int(solver.workspace.embedded[place]) for place in (CHOSEN_ANEW, LEFT))
    independent = independent_speeds(solver)
    return dict(
        constraints=solver.constraints, equations=len(independent), independent=independent, chosen_anew=anew, left=left
    )


def notes(solver):
    """What health says about it."""
    if solver.constraints == "multipliers":
        return []
    number = facts(solver)
    sentences = [
        f"constraints were embedded: {counted(number['equations'], 'equation')} for {counted(solver.compiled.n_u, 'speed')}"
    ]
    if number["chosen_anew"]:
        sentences.append(f"independent speeds were chosen anew {times(number['chosen_anew'])}")
    if number["left"]:
        sentences.append(
            f"near singular positions, where no speeds determine the others, multipliers were used {times(number['left'])}"
        )
    return sentences


def counted(n, noun):
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def times(n):
    return "once" if n == 1 else f"{n} times"
