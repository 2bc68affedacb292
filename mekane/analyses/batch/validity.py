"""Which runs have numbers that a system refuses, such as a negative mass.

Building a system checks them, but takes about a millisecond. What systems accept is convex in the numbers of each part
(positive, inertias that obey the triangle inequality), so if all is well at the ends of what varies, each run is; only else
all are built.
"""

from itertools import product

from mekane.errors import MekaneError

MOST_CORNERS = 64


def invalid_runs(batch, varied):
    """Numbers of the runs whose system cannot be built, whatever its state at the start."""
    found = corners({name: batch.varied[name] for name in varied.numbers})  # any coordinate at the start is accepted
    if found is not None and all(is_valid(varied, values) for values in found):
        return []
    values = lambda run: {name: numbers[run] for name, numbers in batch.varied.items()}
    return [run for run in range(batch.count) if not is_valid(varied, values(run))]


def is_valid(varied, values):
    try:
        varied.with_numbers(values)
    except MekaneError:
        return False
    return True


def corners(varied):
    """Combinations of smallest and largest numbers, {name: (runs,)}: all of those of one part, or of all parameters. Parts
    are checked by themselves, so one system tries a combination of each. None: they are too many."""
    ends = {name: sorted({float(numbers.min()), float(numbers.max())}) for name, numbers in varied.items()}
    groups = [[name for name in ends if owner(name) == part] for part in dict.fromkeys(map(owner, ends))]
    if any(2 ** len(group) > MOST_CORNERS for group in groups):
        return None
    tried = [
        [dict(zip(group, values, strict=True)) for values in product(*(ends[name] for name in group))]
        for group in groups
    ]
    return [
        {name: value for group in tried for name, value in group[k % len(group)].items()}
        for k in range(max(map(len, tried), default=0))
    ]


def owner(name):
    """The part that a number belongs to; "" for a parameter."""
    return name.rpartition(".")[0].split(".")[0]
