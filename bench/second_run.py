"""The second `mekane run` of a small model, until its first step, beside importing what it stands on: the numbers of
bench/startup.py."""

import re
import subprocess
import sys

from bench.table import Row
from bench.timing import ROOT


def rows():
    print("  … startup", file=sys.stderr, flush=True)
    done = subprocess.run([sys.executable, "bench/startup.py", "3"], cwd=ROOT, capture_output=True, text=True)
    until = re.search(r"first step +([\d.]+ s)", done.stdout)
    if until is None:
        yield Row(
            "second run, until its first step",
            "-",
            note=(done.stderr.strip().splitlines() or ["bench/startup.py printed nothing"])[-1],
        )
        return
    found = re.findall(r"^ +(.+?) +([\d.]+ s) +ratio ([\d.]+)", done.stdout, re.MULTILINE)
    for (what, seconds, ratio), wanted in zip(found, ("<= 2", "", ""), strict=True):
        yield Row("second run, until its first step", until[1], what, seconds, float(ratio), wanted)
