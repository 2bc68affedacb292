"""Derivatives of the accelerations of a chain with respect to its state: Mekane (exact), MuJoCo (differences), SymPy
(its linearizer).

The chain is that of bench.chain, in the same state. MuJoCo's differences are of one Euler step; they are compared with
ours through A = [[1 + h² ∂q, h + h² ∂u], [h ∂q, 1 + h ∂u]], h being the step. SymPy derives and linearizes
symbolically, which others do not have to.
"""

import numpy as np

from bench.chain import difference
from bench.table import Row, duration
from bench.timing import run_program

SIZES = (7, 30)
PATIENCE = 60.0  # s, for SymPy


def rows():
    for n in SIZES:
        ours = run_program("linearization_mekane", n)
        for way in ("centred", "forward"):
            yield against_mujoco(n, way, ours, run_program("linearization_mujoco", n, way))
    yield against_sympy()


def against_mujoco(n, way, ours, theirs):
    what, peer = f"chain of {n}: derivatives", f"mjd_transitionFD, {way}"
    if "missing" in ours or "missing" in theirs:
        why = ours.get("missing", theirs.get("missing"))
        return Row(what, duration(ours["time"]) if "time" in ours else "-", peer, "-", None, ">= 5", why)
    h, n_q = theirs["step"], n
    A = np.array(theirs["A"])
    found = np.hstack([A[n_q:, :n_q], A[n_q:, n_q:] - np.eye(n)]) / h
    off = difference(found, np.hstack([ours["by_shifts"], ours["by_speeds"]]))
    wanted, note = ">= 5" if way == "centred" and n == 30 else "", f"differences are off by {off:.0e}"
    return Row(
        what, duration(ours["time"]), peer, duration(theirs["time"]), theirs["time"] / ours["time"], wanted, note
    )


def against_sympy():
    """The longest chain that SymPy's linearizer finishes in a minute; ours with everything from an empty System on."""
    last = None
    for n in range(1, 30):
        theirs = run_program("linearization_sympy", n, timeout=3 * PATIENCE)
        if "missing" in theirs or theirs["time"] > PATIENCE:
            break
        last = n, theirs
    if last is None:
        return Row(
            "chain: linearize from scratch",
            "-",
            "SymPy linearizer",
            "-",
            None,
            ">= 20",
            theirs.get("missing", "too slow"),
        )
    n, theirs = last
    ours = run_program("linearization_mekane", n)
    off = difference(*(np.sort(np.abs(pairs(one["eigenvalues"]))) for one in (theirs, ours)))
    return Row(
        f"chain of {n}: linearize from scratch", duration(ours["scratch"]), "SymPy linearizer", duration(theirs["time"]),
        theirs["time"] / ours["scratch"], ">= 20", f"the longest it finishes in a minute; eigenvalues differ by {off:.0e}",
    )  # fmt: skip


def pairs(values):
    return np.array([complex(*value) for value in values])
