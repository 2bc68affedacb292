"""Random models with contact laws in Moreau's steps, against runs that find every event.

    PYTHONPATH=. python tests/fuzz/fuzz_moreau.py --count 1000 --seed 0 --jobs 2

Both have Newton's law of restitution, and rebound or friction, not both: so no impact gains energy, and both follow one law.
In each run by steps
- nothing enters anything, but as the step does for what turns,
- the ledger closes with the step: T + V − W changes by less than LEDGER of the energy in play,
- impulses are solved to the tolerance in nearly all steps, and loops closed.
Errors fall with the step: fitted over four steps, with a slope of SLOPE at least, or they are small; motions that part after an
impact are undecided. Impacts that are nearer to one another than the smallest step are one to these steps: where errors do not fall,
they must be small with steps that tell the impacts apart.
"""

import random
import warnings
from dataclasses import replace

import numpy as np
from by_hand import UNDECIDED, main, stop_after
from fuzz_mechanisms import motion
from random_contacts import touching

import mekane as mk
from mekane.errors import MekaneError

STEPS = (4e-3, 1e-3, 2.5e-4, 6.25e-5)
SLOPE = 0.7  # an impact is early by any part of a step: errors scatter
SMALL = 2e-4  # m, rad: an error that is no matter of slopes
PARTED = 0.05  # m, rad: motions that are other ones
LEDGER = 0.02  # with the smallest step
ENTERED = (
    1.0  # m/s, times the step: a gap is linear in a step, and surfaces that roll on one another sink in bit by bit
)
MISSED = 0.01  # of the steps
APART, MOST_STEPS = 0.25, 500_000  # of the time between impacts: a step that tells them apart
REPORTS = 3000


def check(seed):
    """(what came of it, what is wrong or "")"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return verdict(stepped(seed), round(random.Random(f"time {seed}").uniform(0.2, 0.5), 3))


def stepped(seed):
    """The random model without friction of bearings and guides, which these steps do not know."""
    s, rng = touching(seed), random.Random(f"steps {seed}")
    for name, law in list(s.contact_laws.items()):
        kind = type(law).__name__
        if kind in ("BearingFriction", "GuideFriction"):
            del s.contact_laws[name]
        elif kind in ("Contact", "Limit"):
            rough = kind == "Contact" and rng.random() < 0.5
            s.contact_laws[name] = replace(law, law="newton", **(dict(restitution=0.0) if rough else smooth(kind)))
    return s


def smooth(kind):
    return {} if kind == "Limit" else dict(friction=number(0.0), static=None)


def number(x):
    """A coefficient, as a contact without friction has it."""
    return next(iter(touching(0).contact_laws.values())).friction.__class__(x, x)


def verdict(system, t_end):
    exact = run_of(system, t_end, progress=stop_after(REPORTS))
    if isinstance(exact, Exception):
        return "refused", ""
    if exact.info["stopped"]:
        return "slow", ""
    errors = []
    for step in STEPS:
        run = run_of(system, t_end, method="moreau", step=step)
        if isinstance(run, Exception):
            return "failed", f"step {step:g}: {str(run)[:300]}"
        problem = what_is_wrong(run, step)
        if problem:
            return "failed", f"step {step:g}: {problem}"
        errors.append(max(error(exact, run, body) for body in system.bodies))
    outcome, text = of_errors(errors, len(exact.events))
    if outcome == "failed" and nearest_impacts(exact) < STEPS[-1]:
        return with_impacts_apart(system, t_end, exact, text)
    return outcome, text


def nearest_impacts(exact):
    """The smallest time between two of them [s]."""
    return float(np.diff(sorted({line.time for line in exact.events if line.kind == "impact"})).min(initial=np.inf))


def with_impacts_apart(system, t_end, exact, text):
    """The verdict with steps that tell impacts apart. text: what was found without them."""
    step = APART * nearest_impacts(exact)
    if t_end > step * MOST_STEPS:
        return UNDECIDED, text
    run = run_of(system, t_end, method="moreau", step=step)
    if isinstance(run, Exception):
        return "failed", f"step {step:g}: {str(run)[:300]}"
    last = max(error(exact, run, body) for body in system.bodies)
    return ("agreed", "") if last < SMALL else ("failed", f"{text}; {last:.1e} with {step:g} s")


def of_errors(errors, events):
    slope = np.polyfit(np.log(STEPS), np.log(np.maximum(errors, 1e-12)), 1)[0]
    if errors[-1] < SMALL or (slope > SLOPE and errors[-1] < PARTED):
        return ("agreed" if events > 1 else "nothing happened"), ""
    text = f"errors {' '.join(f'{x:.1e}' for x in errors)}, slope {slope:.2f}, {events} events"
    return (UNDECIDED, text) if errors[-1] > PARTED or slope > 0.3 else ("failed", text)


def run_of(system, t_end, **options):
    """The run, or the error it ends with."""
    try:
        return mk.simulate(system, t_end, every=t_end / 10, **options)
    except MekaneError as error:
        return error


def error(exact, run, body):
    """Of places and axes at the end."""
    return float(np.abs(motion(exact, body)[0][-1] - motion(run, body)[0][-1]).max())


def what_is_wrong(run, step):
    """The first property that a run by steps does not have, or ""."""
    energy = run.energy
    scale = max(float(energy.kinetic.max()), float(np.ptp(energy.potential.values)), 1e-3)
    drift = float(np.abs(energy.balance.values - energy.balance.values[0]).max()) / scale
    if not drift < LEDGER * max(1.0, step / STEPS[-1]):
        return f"the ledger is open by {drift:.1e} of {scale:.2g} J"
    info = run.info.get("moreau", dict(residual=0.0, missed=0))  # none where nothing is left to touch
    if info["residual"] > 1e-6 and info["missed"] > MISSED * run.info["steps"]:
        return f"impulses are known to {info['residual']:.1e} only, in {info['missed']} steps not to the tolerance"
    if not run.health.residual < 1e-9:
        return f"joints are open by {run.health.residual:.1e}"
    return wrong_element(run, step)


def wrong_element(run, step):
    for name in run.names():
        if name.endswith(".gap") and run[name].values.min() < -ENTERED * step:
            return f"{name} is {run[name].values.min():.1e}"
    return ""


if __name__ == "__main__":
    main(check, __doc__)
