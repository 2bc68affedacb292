"""How things are timed: the fastest of several, because a busy machine only adds; each engine in a process of its
own."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MEMORY_KEPT, MEMORY_ENOUGH = 4 << 30, 6 << 30  # bytes left to the rest of the machine; given to a program in any case


def fastest(function, seconds=1.5, least=3):
    """Shortest time of one call: as many calls as fit into so many seconds, but at least a few."""
    best, count, begun = float("inf"), 0, time.perf_counter()
    while count < least or time.perf_counter() - begun < seconds:
        start = time.perf_counter()
        function()
        best, count = min(best, time.perf_counter() - start), count + 1
    return best


def run_program(program, *arguments, timeout=900):
    """The numbers that a program of bench.programs prints, or {"missing": why}."""
    command = [sys.executable, "-W", "ignore", "-m", f"bench.programs.{program}", *map(str, arguments)]
    print("  …", program, *arguments, file=sys.stderr, flush=True)
    limited = dict(preexec_fn=limit_memory) if os.name == "posix" else {}
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=timeout, **limited)
    except subprocess.TimeoutExpired:
        return {"missing": f"no answer in {timeout} s"}
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    return {"missing": reason(done)}


def limit_memory():
    """In the new process: no more memory than the machine can spare, so that a program that needs more fails and
    nothing else suffers."""
    try:
        import resource

        spare = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES") - MEMORY_KEPT
        resource.setrlimit(resource.RLIMIT_AS, (max(spare, MEMORY_ENOUGH),) * 2)
    except (ImportError, OSError, ValueError):
        pass  # a system without such limits


def reason(done):
    """Why a program ended badly, as a short text."""
    last = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
    if "ModuleNotFoundError" in last:
        return "not installed"
    if "MemoryError" in last or "bad_alloc" in last or done.returncode == -9:
        return "out of memory"
    return last[:100]


def answer(**numbers):
    """Print the numbers of a program."""
    print(json.dumps(numbers))
