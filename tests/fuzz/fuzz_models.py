"""Hostile model files: whatever is in them, Mekane answers with its own errors.

    PYTHONPATH=. python tests/fuzz/fuzz_models.py --count 100000 --seed 0 --jobs 2

Each text is read as a model; what reads is checked, put together and run for a moment. Only errors of Mekane's own may
come out, and no warning. Runs that are long with good reason (a frequency of 1e12) are stopped by a count of progress
reports, as Ctrl-C would. The error of every fourth run is estimated, which takes longer than the run.
"""

import random
import warnings

from by_hand import main, stop_after
from hostile_text import MECHANISMS, dumped, model_text, models

import mekane as mk
from mekane.errors import MekaneError
from mekane.importers.yaml import load_document

REPORTS = 3  # of progress, before a run is stopped
MOST_BODIES = 12
ESTIMATED = 0.25  # of the runs


def check(seed):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return outcome(model_text(seed), random.Random(f"analysis {seed}"))


def outcome(text, rng):
    """How far Mekane comes with a text."""
    try:
        system, options = load_document(text if "\n" in text else text + "\n")
    except MekaneError as error:
        return "refused", unreadable(error)
    if len(system.bodies) > MOST_BODIES:
        return "read", ""
    run = "run" if rng.random() < ESTIMATED else "short run"
    found = [(what, analysed(system, options, what)) for what in ("check", "mobility", rng.choice(ANALYSES), run)]
    return "run" if not any(answer for _, answer in found) else "error", ""


def analysed(system, options, what):
    """What Mekane says against an analysis; "" if nothing."""
    try:
        if what == "check":
            return "; ".join(system.check())
        if what in ("run", "short run"):
            return run(system, options, estimate=what == "run")
        getattr(mk, what)(system)
        return ""
    except MekaneError as error:
        return unreadable(error) or str(error)


ANALYSES = ("assemble", "equilibrium", "linearize", "modes", "mobility")


def run(system, options, estimate):
    """A short run with the options of the file, stopped where it takes long. estimate: its error, too."""
    t_end = options.pop("t_end", 0.1)
    result = mk.simulate(system, min(t_end, 0.1), **options | {"every": None}, progress=stop_after(REPORTS))
    health = result.health if estimate else result.known_health
    str(health), result.redundancy, [result.numbers(f"{body}.position") for body in system.bodies]
    return "" if health.ok else "not trusted"


def unreadable(error):
    """A message that is not one: too long, or with an object in it."""
    text = str(error)
    return f"unreadable message: {text[:300]}" if len(text) > 3000 or " object at 0x" in text else ""


if __name__ == "__main__":
    models(), [dumped(number) for number in range(MECHANISMS)]  # written once for all children
    main(check, __doc__, batch=500)
