"""Equilibrium of a chain of 50 links between two points, from a V, beside Exudyn's static solver. Neither is charged
for building.

With ideal pins Exudyn's static solver did not converge here in any setting that was tried, so its pins are stiff
springs; of several stiffnesses, load steps and stabilizers the one that ends nearest to the closed form is timed.
"""

from bench.table import Row, duration
from bench.timing import run_program

LINKS = 50


def rows():
    ours, theirs = run_program("statics_mekane", LINKS, timeout=300), run_program("statics_exudyn", LINKS, timeout=300)
    what = f"equilibrium of a chain of {LINKS} links, from a V"
    if "missing" in ours:
        yield Row(what, "-", note=ours["missing"])
    elif "missing" in theirs:
        yield Row(what, duration(ours["seconds"]), "Exudyn", "-", note=theirs["missing"])
    else:
        note = f"errors {ours['error']:.1e} m ({ours['how']}), {theirs['error']:.1e} m ({theirs['how']})"
        yield Row(
            what,
            duration(ours["seconds"]),
            "Exudyn",
            duration(theirs["seconds"]),
            theirs["seconds"] / ours["seconds"],
            note=note,
        )
