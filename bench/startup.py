"""How long `mekane run` of a small model takes to its first step, beside the time of importing what it stands on.

    python bench/startup.py [repetitions]

Every time is processor time of a fresh process, kernels compiled beforehand; the fastest of several counts, since a
busy machine only adds. Three yardsticks: the packages a run names (numpy, numba, yaml, typer); every module outside
Mekane that it had loaded by its first step (Numba loads half of itself, and scipy.linalg, when the first compiled
function is called); one trivial cached function of Numba's.
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = """
system: pendulum
bodies:
  arm: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [0, 0, -0.5]}
joints:
  hinge: {pin: [ground, arm], at: [0, 0, 0], axis: y, rate: 2}
simulate: {t_end: 2}
"""

TIMER = "import time; begun = time.process_time()\n"
NAMED = TIMER + "import numpy, numba, yaml, typer\nprint(time.process_time() - begun)\n"
LOADED = (
    TIMER
    + """
import importlib, sys
for name in {modules}:
    try:
        importlib.import_module(name)
    except Exception:
        pass
print(time.process_time() - begun)
"""
)
TRIVIAL = (
    TIMER
    + """
import numpy, numba, yaml, typer
@numba.njit(cache=True)
def f(x):
    return x + 1
f(1.0)
print(time.process_time() - begun)
"""
)
RUN = (
    TIMER
    + """
import json, os, sys
before = set(sys.modules)
from mekane.cli import progress
def first_step(self, *_):
    took = time.process_time() - begun
    names = [n for n, m in sys.modules.items() if n not in before and not n.startswith(("mekane", "_")) and getattr(m, "__spec__", None)]
    print(json.dumps([took, names]), flush=True)
    os._exit(0)
progress.Bar.__call__ = first_step
from mekane.cli.main import main
main(["run", "model.yaml"])
"""
)


def main():
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "model.yaml").write_text(MODEL)
        (here / "run.py").write_text(RUN)
        modules = json.loads(output_of(here, RUN))[1]  # the first one compiles, if it must
        times = {
            "import numpy, numba, yaml, typer": fastest(here, NAMED, repetitions),
            f"import the {len(modules)} modules that the run had loaded": fastest(
                here, LOADED.format(modules=modules), repetitions
            ),
            "call one trivial cached Numba function": fastest(here, TRIVIAL, repetitions),
        }
        until = min(json.loads(output_of(here, RUN))[0] for _ in range(repetitions))
        print(f"mekane run, until its first step   {until:.3f} s")
        for what, time in times.items():
            print(f"  {what:55s} {time:.3f} s   ratio {until / time:.2f}")
        print("where importing goes [s]:", ", ".join(f"{package} {seconds:.3f}" for package, seconds in shares(here)))


def output_of(folder, program):
    """What a fresh Python prints when it runs this program."""
    file = folder / "program.py"
    file.write_text(program)
    return python(folder, str(file)).stdout


def python(folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode on disk
    environment["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    done = subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done


def fastest(folder, program, repetitions):
    output_of(folder, program)  # writes bytecode and caches
    return min(float(output_of(folder, program)) for _ in range(repetitions))


def shares(folder):
    """Time of importing by package, each module's own time counted."""
    sums = collections.Counter()
    for line in python(folder, "-X", "importtime", "run.py").stderr.splitlines():
        found = re.match(r"import time: +(\d+) \| +\d+ \| +(\w+)", line)
        if found:
            sums[found[2]] += int(found[1]) * 1e-6
    return sums.most_common(8)


if __name__ == "__main__":
    main()
