"""Random mechanisms with random events: formulation, code and the way of constraints do not change what happens.

    PYTHONPATH=. python tests/fuzz/fuzz_events.py --count 1000 --seed 0 --jobs 2

Each mechanism runs in joint and in absolute coordinates, by loops and by specialised code, with multipliers and with
embedded constraints. The same events must happen, at instants that agree to CLOSE, with the same change of energy, and the
motions at the end must agree. A difference that shrinks with tighter tolerances is an error of integration; one that
stays is a failure, unless a run says itself that it cannot be trusted, or it is there without events, too: near singular
positions. Events that a run refuses must be refused by the others, for the same reason.
"""

import random
import re
import warnings
from functools import partial
from unittest.mock import patch

import numpy as np
from by_hand import main, stop_after
from fuzz_mechanisms import difference
from random_events import eventful

import mekane as mk
from mekane.codegen import machine_code
from mekane.codegen.machine_code import assemble
from mekane.errors import MekaneError

WAYS = (  # formulation, code, constraints: each pair of choices is there once
    ("joint", "loops", "multipliers"),
    ("absolute", "loops", "embedded"),
    ("joint", "specialised", "embedded"),
    ("absolute", "specialised", "multipliers"),
)
SHARP, TIGHT = dict(rtol=1e-9, atol=1e-11), dict(rtol=1e-12, atol=1e-14)
CLOSE = (
    1e-6  # of positions in m and rad, of the largest speed, of instants in s: a thousand times the tolerance of a step
)
SHRUNK = 0.2  # what is left of a difference that tolerances explain
REPORTS = 10  # of progress, before a run is stopped


def check(seed):
    """(what came of it, what is wrong or "")"""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return Trial(seed).verdict()


class Trial:
    """One mechanism, run in every way."""

    def __init__(self, seed):
        self.seed, rng, store = seed, random.Random(f"options {seed}"), {}
        self.t_end = round(rng.uniform(0.2, 0.6), 3)
        self.method = rng.choices(("auto", "implicit"), weights=(9, 1))[0]
        self.compiler = patch.multiple(
            machine_code, assemble=partial(assemble, effort=0), read=store.get, store=store.__setitem__
        )

    def verdict(self):
        try:
            self.system = eventful(self.seed)
            self.system.initial_state()
        except MekaneError:
            return "refused", ""
        first, *others = [(way, self.run(way)) for way in WAYS]
        for other in others:
            outcome, problem = self.compared(first, other)
            if problem:
                return outcome, problem
        if isinstance(first[1], Exception):
            return "refused in the run", ""
        return ("agreed" if len(first[1].events) else "nothing happened"), ""

    def run(self, way, **tolerances):
        """The run, or the error it ends with."""
        formulation, code, constraints = way
        try:
            with self.compiler:
                return mk.simulate(
                    self.system, self.t_end, every=self.t_end, method=self.method, formulation=formulation, code=code,
                    constraints=constraints, progress=stop_after(REPORTS), **(tolerances or SHARP),
                )  # fmt: skip
        except MekaneError as error:
            return error

    def compared(self, *runs):
        found = distance(*(run for _, run in runs))
        if found <= CLOSE:
            return "agreed", ""
        tight = [self.run(way, **TIGHT) for way, _ in runs]
        left = distance(*tight)
        if left <= max(SHRUNK * found, CLOSE) and np.isfinite(left):
            return "inaccurate", ""
        if not all(isinstance(run, Exception) or run.health.ok for run in tight) or self.is_singular(runs, left):
            return "untrusted", ""
        found_by = "; ".join(f"{way}: {summary(run)}" for (way, _), run in zip(runs, tight, strict=True))
        return "failed", f"differ by {found:.1e}, by {left:.1e} with tight tolerances: {found_by}"

    def is_singular(self, runs, left):
        """Whether the two ways differ by about as much in the same mechanism without events."""
        kept = self.system
        self.system = eventful(self.seed)
        self.system.events.clear()
        found = distance(*(self.run(way, **TIGHT) for way, _ in runs))
        self.system = kept
        return 0.1 * left <= found < np.inf


def distance(one, other):
    """Of two runs; infinite where not the same happens."""
    if isinstance(one, Exception) or isinstance(other, Exception):
        return 0.0 if reason(one) == reason(other) else np.inf
    if [line.event for line in one.events] != [line.event for line in other.events] or len(one.t) != len(other.t):
        return np.inf
    energies = [np.array([line.kinetic_energy for line in run.events]).reshape(-1, 2) for run in (one, other)]
    size = max(1.0, np.abs(energies[0]).max(initial=0.0))
    return max(
        np.abs(one.events.times - other.events.times).max(initial=0.0),
        np.abs(energies[0] - energies[1]).max(initial=0.0) / size,
        difference(one, other),
    )


def reason(run):
    """Words of an error, without numbers."""
    return type(run).__name__ + re.sub(r"[-+\d.e]+", "#", str(run))[:50] if isinstance(run, Exception) else ""


def summary(run):
    if isinstance(run, Exception):
        return f"{type(run).__name__}: {run}"
    return f"{[(line.event, float(f'{line.time:.9g}')) for line in run.events]} to {run.t[-1]:.6g} s"


if __name__ == "__main__":
    main(check, __doc__)
