"""Which runs have numbers that a system refuses, such as a negative mass.

Building a system checks them, but takes about a millisecond. What systems accept is convex in each number (positive, inertias
that obey the triangle inequality), so if all is well at the ends of what varies, each run is; only else all are built.
"""

from itertools import product

from mekane.errors import MekaneError

MOST_CORNERS = 64


def invalid_runs(batch, varied):
    """Numbers of the runs whose system cannot be built."""
    if all(is_valid(varied, values) for values in corners(batch.varied)):
        return []
    values = lambda run: {name: numbers[run] for name, numbers in batch.varied.items()}
    return [run for run in range(batch.count) if not is_valid(varied, values(run))]


def is_valid(varied, values):
    try:
        varied.at(values)
    except MekaneError:
        return False
    return True


def corners(varied):
    """All combinations of smallest and largest numbers; where they are many, each end beside the first run."""
    ends = {name: sorted({float(numbers.min()), float(numbers.max())}) for name, numbers in varied.items()}
    if 2 ** len(ends) <= MOST_CORNERS:
        return [dict(zip(ends, values, strict=True)) for values in product(*ends.values())]
    first = {name: float(numbers[0]) for name, numbers in varied.items()}
    return [{name: ends[name][k] for name in ends} for k in (0, -1)] + [
        first | {name: value} for name, values in ends.items() for value in values
    ]
