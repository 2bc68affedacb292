"""The very first run: seconds from starting Python to the first steps, with nothing compiled before.  python -m
bench.compile_time"""

import os
import subprocess
import sys
import tempfile
import time

from bench.table import Row, duration, table
from bench.timing import ROOT

PROGRAM = """
import sys, time
import mekane as mk
s = mk.System("pendulum")
arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y", rate=2.0)
steps = []
mk.simulate(s, 2.0, progress=lambda *_: steps.append(time.time()))
print(steps[0])
"""


def first_run():
    """Seconds until the first steps were made, and whether the wait was announced; or None, and why."""
    print("  … compile_time", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environment = {**os.environ, "MEKANE_CACHE": folder}
        begun = time.time()
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, capture_output=True, text=True
        )
    if done.returncode:
        return None, done.stderr.strip().splitlines()[-1]
    return float(
        done.stdout
    ) - begun, "printed that it is compiling" if "compiling" in done.stderr else "DID NOT PRINT that it is compiling"


def rows():
    seconds, note = first_run()
    what = "first run ever, until its first steps"
    if seconds is None:
        yield Row(what, "-", note=note)
    else:
        yield Row(what, duration(seconds), "limit", "20.0 s", seconds / 20.0, "<= 1", f"{os.cpu_count()} cores; {note}")


if __name__ == "__main__":
    print(table(list(rows())))
