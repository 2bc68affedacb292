"""What is worth a plot: what swings, not the ramp of an angle that only goes on."""

import numpy as np

STEADY = 0.8  # share of its way that is gone in one direction: more is a ramp
REVOLUTION = 2 * np.pi


def goes_on(values) -> bool:
    """Whether a number goes one way all the time, but for some of it."""
    steps = np.diff(np.asarray(values, float))
    way = np.abs(steps).sum()
    return bool(way > 0 and abs(steps.sum()) > STEADY * way)


def is_still(values) -> bool:
    values = np.asarray(values, float)
    return not np.abs(np.diff(values, axis=0)).sum() > 1e-9 * max(1e-12, float(np.abs(values).max(initial=0.0)))


def telling(run, names) -> list[str]:
    """Those that swing first, then those that only go on, as their rate if there is one; what is constant comes last."""
    swings, ramps, still = [], [], []
    for name in names:
        values = run.numbers(name)
        if is_still(values):
            still.append(name)
        elif values.ndim == 1 and goes_on(values):
            ramps.append(f"{name}.rate" if f"{name}.rate" in run else name)
        else:
            swings.append(name)
    return [*swings, *ramps, *still]


def without_ramps(run, names) -> list[str]:
    """The same names; of a wheel, whose angle only goes on beyond a revolution, that of its rate."""
    return [f"{name}.rate" if is_wheel(run, name) else name for name in names]


def is_wheel(run, name) -> bool:
    if run.labels(name) is not None or run.units(name) != "rad" or f"{name}.rate" not in run:
        return False
    values = run.numbers(name)
    return bool(np.ptp(values) > REVOLUTION and goes_on(values))
