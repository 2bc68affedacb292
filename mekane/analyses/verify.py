"""run.verify: the run repeated more accurately and in another formulation, and the digits that agree, channel by
channel.

The repetition shares little with the run but the model: other coordinates and equations, other steps, loops in place of
specialised code.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from mekane import formulations
from mekane.analyses.global_error import TIGHTER, cannot, passed_events, thinned, tighter
from mekane.analyses.resume import resume
from mekane.analyses.simulate import simulate
from mekane.errors import ModelError
from mekane.results.global_error import TRUSTED, digits
from mekane.results.labels import QUATERNION
from mekane.results.printing import Printed, Shown
from mekane.solvers.solver import ATOL, RTOL

SMALL = 1e-6  # of the largest quantity of the same unit: what is smaller than that is no measure for a difference


@dataclass(frozen=True)
class Agreement:
    """One channel of two runs."""

    channel: str
    units: str
    size: float  # largest value
    difference: float  # largest
    share: float  # the difference over the size
    state: bool  # it follows from the state, without forces

    @property
    def digits(self):
        return digits(self.share)


@dataclass(frozen=True, repr=False)
class Verification(Printed):
    """The repetition and the agreement of every channel. ok: all that follows from the state agrees to TRUSTED, and to
    the end."""

    repetition: object  # a Result
    agreements: tuple[Agreement, ...]
    t: float  # compared up to then [s]
    complete: bool
    unfit: tuple[str, ...] = ()  # formulations in which the repetition was not to be trusted itself

    @property
    def ok(self):
        return self.complete and self.worst.share <= TRUSTED

    @property
    def digits(self):
        """{channel: digits that agree}"""
        return {one.channel: one.digits for one in self.agreements}

    @property
    def worst(self):
        """The channel that agrees least, of those that follow from the state."""
        return max((one for one in self.agreements if one.state), key=lambda one: one.share)

    def shown(self):
        rows = [[one.channel, one.units, one.size, f"{one.difference:.1e}", str(one.digits)] for one in self.agreements]
        return [Shown(self._title(), ["channel", "unit", "largest", "difference", "digits"], rows, self._remark())]

    def _remark(self):
        return (
            f"In {', '.join(self.unfit)} coordinates the repetition was not to be trusted itself." if self.unfit else ""
        )

    def to_dict(self):
        """For programs."""
        info = self.repetition.info
        settings = {setting: info[setting] for setting in ("formulation", "rtol", "atol", "step", "code")}
        channels = {
            one.channel: dict(difference=one.difference, size=one.size, digits=one.digits) for one in self.agreements
        }
        verdict = dict(ok=self.ok, t=self.t, digits=self.worst.digits, worst=self.worst.channel)
        return dict(**verdict, repetition=settings, unfit=list(self.unfit), channels=channels)

    def _title(self):
        info, worst = self.repetition.info, self.worst
        until = (
            "" if self.complete else f" up to t = {self.t:.4g} s, where the repetition {info['stopped'] or 'ended'},"
        )
        agree = (
            f"at least {worst.digits} digit{'s agree' if worst.digits != 1 else ' agrees'} (least in {worst.channel!r})"
        )
        return f"Repeated with rtol {info['rtol']:g} in {info['formulation']} coordinates:{until} {agree}."


def verify(run, progress=None):
    """Repeat a run with tolerances a hundred times tighter (a fixed step: by the automatic method) in another
    formulation.

    Returns a Verification. progress: as in mk.simulate."""
    reason = cannot(run)
    if reason:
        raise ModelError("verify", reason, "a run of mk.simulate is expected", "Simulate the model again.")
    one, (other, unfit) = thinned(run), first_healthy(repetitions(run, progress))
    if not len(other.t):
        raise ModelError("verify", f"the repetition {other.info['stopped']}", "a motion is expected", "See run.health.")
    names = [name for name in one.names() if name in other.names() and is_determined(one, name)]
    found = [measured(one, other, name) for name in names]
    largest = {units: max(size for _, which, size, _ in found if which == units) for _, units, _, _ in found}
    agreements = [
        Agreement(
            name,
            units,
            size,
            difference,
            share_of(difference, max(size, SMALL * largest[units])),
            one.follows_from_state(name),
        )
        for name, units, size, difference in found
    ]
    n = min(len(one.t), len(other.t))
    return Verification(other, tuple(agreements), float(one.t[n - 1]), n == len(one.t), tuple(unfit))


def repetitions(run, progress):
    """The same model and start at the same times, in one other formulation after the other; those that refuse it are
    left out."""
    info, few = run.info, thinned(run)
    settings = dict(every=few.t, progress=progress, correct=info["correct"], constraints=info["constraints"])
    settings |= {option: info[option] for option in ("impacts", "painleve") if option in info}
    settings |= dict(code="loops" if info["code"] == "specialised" else "auto") | accurately(run)
    for formulation in others(run.compiled.formulation):
        try:
            found = simulate(run.system, float(few.t[-1]), formulation=formulation, **settings)
            yield past_stops(found, run, few.t, progress)
        except ModelError:
            if formulation == run.compiled.formulation:
                raise


def past_stops(repetition, run, times, progress):
    """A run that went on past events that had ended it is repeated so."""
    passed = Counter(passed_events(run))
    while len(repetition.events.of(ended := repetition.info.get("ended_by", ""))) <= passed[ended] and ended:
        rest = times[repetition.end.samples :]
        repetition = resume(repetition, float(rest[-1]), every=rest, progress=progress)
    return repetition


def first_healthy(found):
    """(the first repetition that nothing speaks against, else the last; formulations of those before it, which are no
    witnesses)"""
    unfit = []
    for other in found:
        if len(other.t) and other.known_health.ok:
            break
        unfit.append(other.compiled.formulation)
    return other, [name for name in unfit if name != other.compiled.formulation]


def accurately(run):
    """Of a fixed step, whose errors differ from formulation to formulation, the automatic method makes less."""
    if not run.info["adaptive"]:
        return dict(method="auto", rtol=RTOL / TIGHTER, atol=ATOL / TIGHTER)
    return dict(method=run.info.get("given_method", run.info["method"]), **tighter(run))


def others(formulation):
    """Other formulations, those first that share least with it; last the same."""
    first = ["absolute", "joint"] if formulation == "joint" else ["joint", "absolute"]
    return [*dict.fromkeys(name for name in [*first, *formulations.NAMES] if name != formulation), formulation]


def is_determined(run, name):
    """False for loads that the equations of rigid bodies do not determine."""
    owner = name.partition(".")[0]
    return run.follows_from_state(name) or owner not in run.system.constraints or run.is_unique(owner)


def measured(one, other, name):
    """(name, units, largest value, largest difference) of a channel."""
    n = min(len(one.t), len(other.t))
    a, b = (as_vectors(run.numbers(name))[:n] for run in (one, other))
    apart = np.linalg.norm(a - b, axis=1)
    if one.labels(name) == QUATERNION:  # of the same rotation there are two
        apart = np.minimum(apart, np.linalg.norm(a + b, axis=1))
    return name, one.units(name), float(np.linalg.norm(a, axis=1).max()), float(apart.max())


def as_vectors(values):
    return values[:, None] if values.ndim == 1 else values


def share_of(difference, size):
    return difference / size if size > 0 else float(difference > 0)
