"""Code made for one model: the chain of bench.chain beside the loops and Pinocchio's `aba` called from Python, and the
squeezer's run.

One evaluation is timed inside a compiled loop, as a run has it, and called from Python. Accelerations are compared
before anything else. Code is compiled anew, not found on disk.
"""

from bench.chain import difference
from bench.table import Row, duration
from bench.timing import run_program

SIZES = (3, 7, 15, 30)
WANTED = {7: ">= 5"}


def rows(sizes=SIZES):
    for n in sizes:
        ours, theirs = run_program("specialised_mekane", n), run_program("chain_pinocchio", n)
        if "missing" in ours:
            yield Row(f"code for a chain of {n}", "-", note=ours["missing"])
            continue
        yield from chain(n, ours, theirs)
    yield squeezer(run_program("specialised_squeezer"))


def chain(n, ours, theirs):
    what, wanted = f"code for a chain of {n}", WANTED.get(n, "")
    seconds, mine, called = ours["tracing"] + ours["compiling"], ours["evaluation"], ours["called"]
    made = (
        f"{ours['operations']} operations; tracing {duration(ours['tracing'])}, compiling {duration(ours['compiling'])}"
    )
    yield Row(f"{what}: making it", duration(seconds), "", "", seconds, "<= 1" if wanted else "", made)
    yield Row(f"{what}: one evaluation", duration(mine), "the loops", duration(ours["loops"]), ours["loops"] / mine)
    if "missing" in theirs:
        yield Row(f"{what}: one evaluation", duration(mine), "Pinocchio aba", "-", None, wanted, theirs["missing"])
        return
    off, aba = difference(ours["acceleration"], theirs["acceleration"]), theirs["evaluation"]
    note = f"agree to {off:.0e}" if off < 1e-8 else f"DIFFER by {off:.1e}: not comparable"
    yield Row(f"{what}: one evaluation", duration(mine), "Pinocchio aba", duration(aba), aba / mine, wanted, note)
    yield Row(f"{what}: called from Python", duration(called), "Pinocchio aba", duration(aba), aba / called)


def squeezer(found):
    if "missing" in found:
        return Row("code for the squeezer: its run", "-", note=found["missing"])
    note = f"{found['steps']} steps, {found['operations']} operations; made in {duration(found['made'])}; ends agree to {found['off']:.0e}"
    ours, loops = found["specialised"], found["loops"]
    return Row(
        "code for the squeezer: its run", duration(ours), "the loops", duration(loops), loops / ours, ">= 1.5", note
    )
