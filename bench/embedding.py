"""Embedded constraints against multipliers on small loops: whole runs of the gallery, timed without building the model.

Both give the same motion in the same steps; what differs is the time of one evaluation. Multipliers cost little more
for every further body, embedding costs the cube of the number of rows: it pays up to about twenty of them.
"""

from bench.table import Row, duration
from bench.timing import run_program

MECHANISMS = ("four_bar", "slider_crank_spatial", "squeezer")


def rows():
    for name in MECHANISMS:
        for formulation in ("joint", "absolute"):
            yield compare(f"{name}, {formulation}", run_program("embedding_mekane", name, formulation))


def compare(what, found):
    if "missing" in found:
        return Row(what, "-", note=found["missing"])
    ours, theirs = found["embedded"], found["multipliers"]
    each = f"per evaluation {duration(ours['each'])}, {duration(theirs['each'])}"
    note = f"equations: {found['equations']} for {found['speeds']} speeds; {each}"
    ratio = theirs["seconds"] / ours["seconds"]
    return Row(
        f"embedded: {what}", duration(ours["seconds"]), "multipliers", duration(theirs["seconds"]), ratio, "", note
    )
