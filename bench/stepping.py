"""Stepping by hand from Python: one RK4 step of a millisecond of a seven-body arm, with one input set before it and two
channels read after it.

MuJoCo steps the same arm by `mj_step` with the same: one control set, an angle and its rate read. Both must get to the
same angles.
"""

from bench.chain import difference
from bench.table import Row, duration
from bench.timing import run_program

BODIES, STEP, STEPS = 7, 1e-3, 2000
GAIN = 2.0  # N m, of the input
AGREE = 1e-6  # relative to the largest angle, after STEPS; MuJoCo keeps inertias in other axes


def rows():
    ours, theirs = run_program("stepping_mekane", STEPS), run_program("stepping_mujoco", STEPS)
    what, wanted = f"stepping {BODIES} bodies by hand: one step", ">= 0.5"
    if "missing" in ours:
        yield Row(what, "-", note=ours["missing"])
    elif "missing" in theirs:
        yield Row(what, duration(ours["step"]), "MuJoCo mj_step", "-", None, wanted, theirs["missing"])
    else:
        off = difference(ours["angles"], theirs["angles"])
        note = f"agree to {off:.0e}" if off < AGREE else f"DIFFER by {off:.1e}: not comparable"
        ratio = theirs["step"] / ours["step"]
        yield Row(what, duration(ours["step"]), "MuJoCo mj_step", duration(theirs["step"]), ratio, wanted, note)
