"""Deriving equations of motion: time and number of operations, Mekane's trace beside SymPy's KanesMethod.

n pins, axes alternating y and x, links 1 m long along −z, each of 1 kg with its mass centre in the middle; inertia
about the pin (0.35, 0.35, 0.01) kg m². Both form the mass matrix and the forcing, which are compared in numbers first.
SymPy's operations are counted as they stand (count_ops) and with common parts taken out (cse), which takes it more time
than is counted here. Mekane's right-hand side, the accelerations themselves, is derived alone, to a hundred links:
neither mass matrix nor forcing occurs in it.
"""

import numpy as np

from bench.chain import difference
from bench.table import Row, duration
from bench.timing import run_program

SIZES = (2, 3, 4, 5, 6)
ALONE = (10, 20, 50, 100)
DECIDING = 5  # links, at which a goal is set
AGREE = 1e-11


def rows():
    ours = {n: run_program("equations_mekane", n) for n in (*SIZES, *ALONE)}
    for n in SIZES:
        yield from against_sympy(n, ours[n], run_program("equations_sympy", n))
    for n in ALONE:
        yield alone(n, ours[n])
    yield from growth({n: one for n, one in ours.items() if "missing" not in one})


def against_sympy(n, ours, theirs):
    what, peer = f"chain of {n}: M and forcing", "SymPy KanesMethod"
    if "missing" in ours or "missing" in theirs:
        yield Row(what, "-", peer, "-", None, "", ours.get("missing", theirs.get("missing")))
        return
    off = max(difference(ours[key], theirs[key]) for key in ("M", "forcing"))
    note = f"agree to {off:.0e}" if off < AGREE else f"DIFFER by {off:.1e}: not comparable"
    wanted = (">= 20", ">= 10") if n == DECIDING else ("", "")
    fewer, common = (
        theirs["operations"] / ours["operations"],
        f"SymPy's after cse: {theirs['common']}, in {duration(theirs['cse'])} more",
    )
    yield Row(
        what, duration(ours["time"]), peer, duration(theirs["time"]), theirs["time"] / ours["time"], wanted[0], note
    )
    yield Row(
        f"chain of {n}: operations of these",
        str(ours["operations"]),
        peer,
        str(theirs["operations"]),
        fewer,
        wanted[1],
        common,
    )


def alone(n, ours):
    what = f"chain of {n}: right-hand side"
    if "missing" in ours:
        return Row(what, "-", note=ours["missing"])
    of_matrix = f"M and forcing: {ours['operations']} in {duration(ours['time'])}"
    return Row(what, duration(ours["rhs_time"]), note=f"{ours['rhs_operations']} operations; {of_matrix}")


def growth(ours):
    """Exponents of n, fitted over the longer chains, and operations for one more link."""
    sizes = [n for n in ALONE if n in ours]
    if len(sizes) > 1:
        for what, key in (("operations", "rhs_operations"), ("time", "rhs_time")):
            exponent = np.polyfit(np.log(sizes), np.log([ours[n][key] for n in sizes]), 1)[0]
            more = (ours[sizes[-1]][key] - ours[sizes[0]][key]) / (sizes[-1] - sizes[0])
            each = f"{more:.0f}" if what == "operations" else duration(more)
            yield Row(
                f"right-hand side: {what} ~ n^p",
                f"p = {exponent:.2f}",
                "linear",
                "p = 1",
                exponent,
                "<= 1.15",
                f"{each} for one more link",
            )
