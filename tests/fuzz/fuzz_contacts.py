"""Random models with contact, friction and impacts: what holds for every motion.

    PYTHONPATH=. python tests/fuzz/fuzz_contacts.py --count 1000 --seed 0 --jobs 2

Each model runs in joint and in absolute coordinates. In each run
- the ledger closes: T + V − W changes by less than CLOSED of the energy in play,
- nothing enters anything: gaps are above −ENTERED of the size of the model (1 m),
- contacts push, and friction of what slides or sticks stays within its cone, that of joints within what is given,
- heat of friction never falls, and no impact gains energy.
The runs agree, or differ by what small changes of the start grow to; a refusal of one is a refusal of both, for the same reason.
"""

import random
import warnings

import numpy as np
from by_hand import main, stop_after
from fuzz_events import reason
from fuzz_mechanisms import difference, motion
from random_contacts import touching

import mekane as mk
from mekane.errors import MekaneError

TOLERANCES = dict(rtol=1e-11, atol=1e-13)
CLOSED = 1e-9  # of the largest kinetic energy or change of the potential one; steps are controlled to 1e-11
ENTERED = 1e-11  # m: round-off of positions beside a projection's tolerance
WITHIN = 1e-7  # of the weight and more: friction beyond its cone
CLOSE = 1e-6  # m, rad and of the largest speed
REPORTS = 3000  # of progress, before a run is stopped: events report, too


def check(seed):
    """(what came of it, what is wrong or "")"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return verdict(touching(seed), round(random.Random(f"time {seed}").uniform(0.4, 1.2), 3))


def verdict(system, t_end):
    runs = [run_of(system, t_end, formulation) for formulation in ("joint", "absolute")]
    stopped = [run for run in runs if not isinstance(run, Exception) and run.info["stopped"]]
    if stopped:
        return (
            "slow",
            f"{stopped[0].info['stopped']}: {stopped[0].info['steps']} steps, {len(stopped[0].events)} events",
        )
    if any(isinstance(run, Exception) for run in runs):
        return refused(*runs)
    for run in runs:
        problem = what_is_wrong(run)
        if problem:
            return "failed", problem
    apart = difference(*runs)
    if apart <= CLOSE or apart <= max(map(stated_error, runs)):
        return ("agreed" if len(runs[0].events) > 1 else "nothing happened"), ""
    if is_sensitive(system, t_end, runs[0], apart):
        return "sensitive", ""
    return "failed", f"the formulations differ by {apart:.1e}: {[summary(run) for run in runs]}"


def refused(*runs):
    if reason(runs[0]) == reason(runs[1]):
        return "refused: " + str(runs[0])[:90], ""
    return (
        "failed",
        f"one is refused: {[str(run)[:300] if isinstance(run, Exception) else summary(run) for run in runs]}",
    )


def run_of(system, t_end, formulation):
    """The run, or the error it ends with."""
    try:
        return mk.simulate(
            system, t_end, every=t_end / 50, formulation=formulation, progress=stop_after(REPORTS), **TOLERANCES
        )
    except MekaneError as error:
        return error


def what_is_wrong(run):
    """The first law of mechanics that a run does not keep, or ""."""
    energy = run.energy
    scale = max(float(energy.kinetic.max()), float(np.ptp(energy.potential.values)), 1e-3)
    drift = float(np.abs(energy.balance.values - energy.balance.values[0]).max()) / scale
    if not drift < CLOSED:
        return f"the ledger is open by {drift:.1e} of {scale:.2g} J; {summary(run)}"
    for line in run.events:
        if line.kind != "modes" and line.kinetic_energy[1] > line.kinetic_energy[0] * (1 + 1e-11) + 1e-12 * scale:
            return f"{line.event} gains at {line.time}: {line.kinetic_energy}"
    return wrong_element(run, scale)


def wrong_element(run, scale):
    for name in run.names():
        values = run[name].values if name.endswith((".gap", ".heat", ".force")) else None
        if name.endswith(".gap") and values.min() < -ENTERED:
            return f"{name} is {values.min():.1e}"
        if name.endswith(".heat") and np.diff(values).min(initial=0.0) < -1e-10 * scale:
            return f"{name} falls by {np.diff(values).min():.1e}"
        gap = name.removesuffix("force") + "gap"
        if name.endswith(".force") and gap in run.names() and values.min() < -WITHIN:
            return f"{name} pulls by {values.min():.1e}"
    for law, given in run.system.contact_laws.items():
        static = getattr(given, "static", None) or getattr(given, "friction", None)
        if type(given).__name__ == "Contact" and f"{law}.friction" in run.names():
            most = float(static.given) * run[f"{law}.force"].values
            beyond = np.max(np.abs(run[f"{law}.friction"].values) - most)
            if beyond > WITHIN * (1.0 + np.abs(most).max()):
                return f"{law}.friction is {beyond:.1e} N beyond its cone"
        if type(given).__name__ == "DryFriction":
            most = float((given.torque if given.force is None else given.force).given)
            beyond = np.abs(run[f"{law}.force"].values).max() - most
            if beyond > WITHIN * (1.0 + most):
                return f"{law}.force is {beyond:.1e} beyond {most}"
    return ""


def stated_error(run):
    """What a run says of itself, as `difference` measures: near Painlevé's paradox, and where bounces are left out, errors grow."""
    error, fastest = run.error, max(np.abs(motion(run, body)[1]).max() for body in run.system.bodies)
    return max(error.position, error.orientation, max(error.velocity, error.angular_velocity) / max(1.0, fastest))


def is_sensitive(system, t_end, run, apart):
    """Whether looser steps move the end by as much or more: errors of 1e-11 grow so."""
    try:
        loose = mk.simulate(system, t_end, every=t_end / 50, formulation="joint", rtol=1e-9, atol=1e-11)
    except MekaneError:
        return True
    return difference(run, loose) > apart


def summary(run):
    kinds = [line.kind for line in run.events]
    return f"{run.system.name}, {len(kinds)} events ({kinds.count('impact')} impacts, {kinds.count('jam')} jams), to {run.t[-1]:.4g} s"


if __name__ == "__main__":
    main(check, __doc__)
