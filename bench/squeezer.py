"""Andrews' squeezing mechanism until t = 0.03 s, to a given error of β: Mekane and Exudyn.

Both are timed without building the model. Mekane runs the gallery's spatial model, ten ball joints, with its default
method; Exudyn seven planar bodies with ten planar revolute joints, by its implicit trapezoidal rule with the
constraints of velocity (its explicit Runge–Kutta methods refuse constraints). Its Newton tolerance is tightened until
the error falls with the square of the step: at the default one an error of 1e-6 is met by chance only, where two errors
cancel.
"""

from bench.table import Row, duration
from bench.timing import run_program

T_END, BETA = 0.03, 15.810771195153707
ERRORS = (4e-6, 1e-6)


def rows():
    for error in ERRORS:
        yield compare(
            f"squeezer to {error:.0e} rad", run_program("squeezer_mekane", error), run_program("squeezer_exudyn", error)
        )


def compare(what, ours, theirs):
    if "missing" in ours:
        return Row(what, "-", note=ours["missing"])
    if "missing" in theirs:
        return Row(what, duration(ours["seconds"]), "Exudyn", "-", None, ">= 20", theirs["missing"])
    note = f"errors {ours['error']:.1e} ({ours['how']}), {theirs['error']:.1e} ({theirs['how']})"
    ratio = theirs["seconds"] / ours["seconds"]
    return Row(what, duration(ours["seconds"]), "Exudyn", duration(theirs["seconds"]), ratio, ">= 20", note)
