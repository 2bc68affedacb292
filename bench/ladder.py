"""N-four-bar ladders of 10, 100 and 1000 loops: cost of an evaluation per loop, and a run to a given error beside
Exudyn.

Both engines have planar bodies and planar pins. Exudyn's run: implicit trapezoidal rule with its sparse solver, as few
steps as meet the error; Mekane's: its default method, as large a tolerance as meets it. Neither is charged for building
the model.
"""

from bench.table import Row, duration
from bench.timing import run_program

LOOPS = (10, 100, 1000)
T_END, ERROR = 0.5, 1e-6


def rows():
    ours = {n: run_program("ladder_mekane", n, timeout=600) for n in LOOPS}
    theirs = {n: run_program("ladder_exudyn", n, timeout=600) for n in LOOPS}
    each = {n: found["evaluation"] / n for n, found in ours.items() if "missing" not in found}
    for n, seconds in each.items():
        yield Row(
            f"ladder of {n}: one evaluation, per loop", duration(seconds), note=f"{ours[n]['rows']} rows, all planar"
        )
    if len(each) == len(LOOPS):
        (worst, high), (best, low) = (
            max(each.items(), key=lambda item: item[1]),
            min(each.items(), key=lambda item: item[1]),
        )
        what = f"per loop, worst ({worst} loops)"
        yield Row(what, duration(high), f"best ({best} loops)", duration(low), high / low, "<= 1.5")
    for n in LOOPS:
        yield compare(f"ladder of {n} to {ERROR:.0e} m at {T_END:g} s", ours[n], theirs[n])


def compare(what, ours, theirs):
    if "missing" in ours:
        return Row(what, "-", note=ours["missing"])
    if "missing" in theirs:
        return Row(what, duration(ours["seconds"]), "Exudyn", "-", note=theirs["missing"])
    note = f"errors {ours['error']:.1e} ({ours['how']}), {theirs['error']:.1e} ({theirs['how']})"
    return Row(
        what,
        duration(ours["seconds"]),
        "Exudyn",
        duration(theirs["seconds"]),
        theirs["seconds"] / ours["seconds"],
        note=note,
    )
