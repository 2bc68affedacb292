"""A pile of spheres in a box, by Moreau's method: time per contact and sweep of Gauss–Seidel, all of a step included, beside the
sweeps alone of a loop that knows nothing but free spheres (bench/programs/free_spheres.py), in the same process."""

from bench.table import Row, duration
from bench.timing import run_program

SIZES = (216, 1000)
TIME, STEP = 0.4, 1e-3  # s


def rows(sizes=SIZES):
    for n in sizes:
        found = run_program("pile_mekane", n, timeout=3600)
        what = f"pile of {n} spheres: contact and sweep"
        if "missing" in found:
            yield Row(what, "-", note=found["missing"])
            continue
        yield Row(
            what, duration(found["update"]), "free spheres", duration(found["peer"]), found["update"] / found["peer"], "<= 2.0",
            f"{found['contacts']} contacts, {found['sweeps']:.0f} sweeps a step, residual {found['residual']:.0e}",
        )  # fmt: skip
        yield Row(f"pile of {n} spheres: one step", duration(found["step"]), note=f"step {STEP:g} s, rtol 1e-8")
