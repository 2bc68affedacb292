"""Random mechanisms in every code and two formulations: what can be trusted must agree.

    PYTHONPATH=. python tests/fuzz/fuzz_mechanisms.py --count 10000 --seed 0 --jobs 2

Each mechanism runs by the loops, with specialised code taking over in mid-run, and with specialised code from the
start, in joint and in absolute coordinates. Runs that can be trusted must agree to CLOSE, or differ by no more than
they say themselves. Where they do not, both are run again with tighter tolerances: a difference that shrinks is an
error whose estimate was too small, one that stays is a failure. Machine code is kept in memory only, and mostly
compiled with little effort, which takes a fifth of the time; of two mechanisms one runs from the start by the code that
was made in mid-run, which takes half of the time and shows as much.
"""

import random
import warnings
from functools import partial
from unittest.mock import patch

import numpy as np
from by_hand import main, stop_after
from random_mechanism import mechanism

import mekane as mk
from mekane.codegen import machine_code
from mekane.codegen.machine_code import assemble
from mekane.errors import MekaneError
from mekane.solvers import solver
from mekane.solvers.specialised import hand_over
from mekane.solvers.specialised.hand_over import make

CODES = {"loops": "loops", "hand-over": "auto", "specialised": "specialised"}
FORMULATIONS = ("joint", "absolute")
CLOSE = 1e-6  # of the size of positions (1 m, 1 rad) and of the largest speed: a thousand times the tolerance of a step
DRIFT = 1e-5  # of the energy in play
LEAST = 1e-6  # J in play
REPORTS = 10  # of progress, before a run is stopped: some laws make the motion chatter
TIGHT = dict(rtol=1e-12, atol=1e-14)
UNDERESTIMATED = 10  # times: an estimate of the error may be too small by this
SHRUNK = 0.2  # what is left of a difference that tolerances explain


def check(seed):
    """(what came of it, what is wrong or "")"""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return Trial(seed).verdict()


class Trial:
    """One mechanism, run in every way."""

    def __init__(self, seed):
        self.seed, self.rng = seed, random.Random(f"options {seed}")
        self.t_end = round(self.rng.uniform(0.15, 0.6), 3)
        self.method = "implicit" if self.rng.random() < 0.1 else "auto"
        self.first = self.rng.choice((1, 3, 10, 50))
        effort, store = 1 if self.rng.random() < 0.1 else 0, {}
        self.made = {} if self.rng.random() < 0.5 else None
        self.compiler = patch.multiple(
            machine_code, assemble=partial(assemble, effort=effort), read=store.get, store=store.__setitem__
        )

    def verdict(self):
        try:
            self.system = mechanism(self.seed)
            runs = {(code, formulation): self.run(code, formulation) for formulation in FORMULATIONS for code in CODES}
        except MekaneError:
            return "refused", ""
        trusted = {way: run for way, run in runs.items() if run.known_health.ok}
        reference = next(iter(trusted.values()), None)
        outcome = "agreed" if len(trusted) == len(runs) else "untrusted"
        for way, run in trusted.items():
            if difference(run, reference) > CLOSE:
                outcome, problem = self.judged(way, next(iter(trusted)), (run, reference))
                if problem:
                    return outcome, problem
        return self.balanced(trusted) if outcome == "agreed" else (outcome, "")

    def balanced(self, trusted):
        """Energy that is not accounted for, by more than DRIFT of that in play."""
        way, lost = max(((way, unaccounted(run)) for way, run in trusted.items()), key=lambda one: one[1])
        if lost <= DRIFT:
            return "agreed", ""
        left = unaccounted(self.run(*way, **TIGHT))
        if left <= max(SHRUNK * lost, DRIFT):
            return "inaccurate", ""
        return "failed", f"energy drifts by {lost:.1e} of that in play in {way}, by {left:.1e} with tight tolerances"

    def run(self, code, formulation, **tolerances):
        """With specialised code taking over after `first` steps, where it is to."""
        options = dict(
            every=self.t_end / 4, method=self.method, code=CODES[code], formulation=formulation, **tolerances
        )
        taken_over = patch.multiple(hand_over, WORTH=-1.0, make=self.make)
        with patch.object(solver, "FIRST", self.first), taken_over, self.compiler:
            return mk.simulate(self.system, self.t_end, progress=stop_after(REPORTS), **options)

    def make(self, compiled, workspace, loops):
        """Specialised code: new, or that of an earlier run in the same formulation."""
        made = self.made and self.made.get(compiled.formulation)
        if not made or not made.fits(workspace):
            made = make(compiled, workspace, loops)
        if self.made is not None:
            self.made[compiled.formulation] = made
        return made

    def judged(self, way, other, runs):
        """A difference of two trusted runs: reported by their estimates of error, explained by tolerances, or a failure."""
        if not all(run.health.ok for run in runs):
            return "untrusted", ""
        found = difference(*runs)
        if found <= UNDERESTIMATED * sum(map(estimated, runs)):
            return "inaccurate", ""
        tight = [self.run(*one, **TIGHT) for one in (way, other)]
        if not all(run.health.ok for run in tight):
            return "undecided", ""
        left = difference(*tight)
        what = "underestimated" if left < max(SHRUNK * found, CLOSE) else "failed"
        estimates = " and ".join(f"{estimated(run):.0e}" for run in runs)
        where = f"t_end={self.t_end}, {self.method}, hand-over after {self.first} steps"
        return (
            what,
            f"{way} and {other} differ by {found:.1e} (estimates {estimates}), by {left:.1e} with tight tolerances; {where}",
        )


def estimated(run):
    """The error that a run says it has, as `difference` measures it; none where it does not say."""
    error, speeds = run.error, np.abs(np.hstack([motion(run, body)[1] for body in run.system.bodies])).max()
    found = [
        error.position,
        error.orientation,
        error.velocity / max(1.0, speeds),
        error.angular_velocity / max(1.0, speeds),
    ]
    return float(np.nanmax([*found, 0.0]))


def unaccounted(run):
    """Drift of the energy balance, by the energy in play; what stands still has round-off alone in play."""
    return run.energies.drift / max(run.energies.in_play, LEAST)


def difference(one, other):
    """Of two runs: the largest of all bodies in position, axes and, by the largest speed, in velocity and angular
    velocity."""
    return max(max(apart(*(motion(run, body) for run in (one, other)))) for body in one.system.bodies)


def apart(one, other):
    places, speeds = zip(one, other, strict=True)
    yield np.abs(places[0] - places[1]).max()
    yield np.abs(speeds[0] - speeds[1]).max() / max(1.0, np.abs(speeds[0]).max())


def motion(run, body):
    """Position and axes; velocity and angular velocity."""
    x, e, v, w = (run.numbers(f"{body}.{what}") for what in ("position", "orientation", "velocity", "angular_velocity"))
    quaternions = (e[:, :, None] * e[:, None, :]).reshape(len(e), -1)  # of a quaternion and of its opposite the same
    return np.hstack([x, quaternions]), np.hstack([v, w])


if __name__ == "__main__":
    main(check, __doc__)
