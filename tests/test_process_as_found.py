"""The process is left as it was found. Oracle: what the process says of itself, before Mekane is imported and after it
has simulated, saved, loaded, found an equilibrium and been interrupted."""

import json
import subprocess
import sys

PROGRAM = """
import decimal, faulthandler, gc, json, locale, logging, os, random, signal, sys, threading, warnings
import h5netcdf, numba, numpy as np, scipy.linalg, scipy.optimize, scipy.sparse, xarray  # what they do on import is theirs
from numba.core import codegen


def process():
    return dict(
        collector=[gc.isenabled(), gc.get_threshold(), gc.get_debug(), gc.get_freeze_count()],
        numba={k: repr(v) for k, v in vars(numba.config).items() if k.isupper()},
        patched=[getattr(codegen.JITCPUCodegen, k) is v for k, v in METHODS.items()],
        warnings=[repr(f) for f in warnings.filters] + [repr(warnings.showwarning)],
        signals={s.name: repr(signal.getsignal(s)) for s in signal.valid_signals() if isinstance(s, signal.Signals)},
        numpy=[np.geterr(), repr(np.geterrcall()), {k: repr(v) for k, v in np.get_printoptions().items()}],
        random=[hash(repr(np.random.get_state())), hash(random.getstate())],
        environment=dict(os.environ),
        place=[os.getcwd(), sys.path, os.umask(0o22), locale.setlocale(locale.LC_ALL)],
        interpreter=[sys.getrecursionlimit(), sys.getswitchinterval(), repr(sys.excepthook), repr(threading.excepthook)],
        hooks=[repr(sys.stdout), repr(sys.stderr), repr(sys.displayhook), repr(sys.gettrace()), faulthandler.is_enabled()],
        logging=[logging.root.level, repr(logging.root.handlers)],
        decimal=[decimal.getcontext().prec, decimal.getcontext().rounding, repr(decimal.getcontext().traps)],
        threads=[t.name for t in threading.enumerate()],
    )


METHODS = {k: getattr(codegen.JITCPUCodegen, k) for k in ("create_library", "set_env")}
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where tests run in the background
before = process()
import mekane as mk

s = mk.System("pendulum")
s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=2.0)
run = mk.simulate(s, 0.5)
run.save("run.nc")
assert np.array_equal(mk.load("run.nc").t, run.t)
assert mk.equilibrium(s).stable


def interrupt(*_):
    raise KeyboardInterrupt


def ctrl_c(t, state):
    if float(t) > 0.1:  # no expression: it is called during the run
        os.kill(os.getpid(), signal.SIGINT)
    return 0.0


assert "stopped by the user" in mk.simulate(s, 1000.0, progress=interrupt).info["stopped"]
s.motor("drive", "hinge", torque=ctrl_c)
assert "stopped by the user" in mk.simulate(s, 0.5).info["stopped"]
after = process()
print(json.dumps([before, after], default=repr))
"""


def test_the_process_is_left_as_it_was_found(tmp_path):
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    before, after = json.loads(done.stdout.splitlines()[-1])
    assert {key: after[key] for key in before if after[key] != before[key]} == {}, before
