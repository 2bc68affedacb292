"""The first compilation. It takes a while, so it is announced, and a second process does half of it at the same time.

While this process compiles places and projections, the other one compiles the explicit time loop, the right-hand side
and what results need, finding the kernels they share in the cache on disk.
"""

import gc
import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from importlib import import_module

from mekane.numba_backend.kernel_cache import PACKAGE, can_store, is_complete, mark_complete

PATIENCE = 120.0  # seconds to wait for the other process before doing its work here
MOTION = tuple(f"solvers/entries/{name}" for name in ("kinematics", "rhs", "projection", "projection_step"))
NEEDED = (*MOTION, "solvers/explicit")
OTHER_HALF = "from mekane.solvers.entries.precompile import compile_other_half; compile_other_half()"
DERIVATIVES = "from mekane.solvers.entries.precompile import compile_derivatives; compile_derivatives()"
_one_thread = threading.RLock()
_loaded = set()  # names of files whose code this process has
_begun, _other = False, None


@contextmanager
def first_use(*names):
    """While compiled code of these files is loaded or compiled: by one thread at a time, and, where much is compiled,
    with the garbage collector at rest. It is left as it was found."""
    with _one_thread:
        collecting = gc.isenabled()
        try:
            if not all(map(is_ready, names)):
                gc.disable()
            yield
        finally:
            if collecting:
                gc.enable()
        done(*names)


def is_ready(name):
    """True if code of a file need not be compiled: it is loaded, or on disk."""
    return name in _loaded or is_complete(name)


def prepare_motion():
    """Before the first compilation: say so, and start the other process. Nothing happens when all is on disk
    already."""
    global _begun, _other
    if not _begun and os.environ.get("MEKANE_WARM") != "other" and not all(map(is_ready, NEEDED)):
        _begun = True
        say("compiling for the first time, about 20 s …")
        if can_store():
            _other = start_other(OTHER_HALF)


def start_other(program):
    """Another process, which is waited for when it ends; None if there can be none."""
    path = os.pathsep.join([str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "MEKANE_WARM": "other", "PYTHONPATH": path}
    nothing = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    try:
        other = subprocess.Popen([sys.executable, "-c", program], env=environment, **nothing)
    except OSError:
        return None
    threading.Thread(target=other.wait, name="mekane: the other process", daemon=True).start()
    return other


def announce(name, what):
    """Before something is compiled in this process alone: say so, if it is not on disk yet."""
    if not is_ready(name):
        say(f"compiling {what} for the first time, about 10 s …")


def say(text):
    print(f"mekane: {text}", file=sys.stderr, flush=True)


def wait_for(name):
    """Until the other process has compiled this file, or has ended without."""
    begun = time.monotonic()
    while (
        _other is not None and not is_complete(name) and _other.poll() is None and time.monotonic() - begun < PATIENCE
    ):
        time.sleep(0.02)


def done(*names):
    """Compiled code of these files is loaded or compiled now."""
    for name in set(names) - _loaded:
        mark_complete(name)
        _loaded.add(name)


def compile_other_half():
    """What the other process does."""
    gc.disable()
    compile_loop()
    mark_complete("solvers/explicit")
    for name in ("rhs", "projection_step", "energy"):
        compile_entries(name)
    compile_readers()
    compile_entries("on_demand")


def compile_entries(name):
    """Compile what a file of entries has."""
    from mekane.numba_backend.kernel import Entry

    for one in vars(import_module(f"mekane.solvers.entries.{name}")).values():
        if isinstance(one, Entry):
            one.address  # noqa: B018  (compiled when it is requested)
    mark_complete(f"solvers/entries/{name}")


def compile_derivatives():
    """What a third process can do beside both: kernels on dual numbers are hardly ever those of the others."""
    gc.disable()
    for name in ("derivatives", "parameter_derivatives", "sensitivity_ode", "tree_derivatives"):
        compile_entries(name)


def compile_loop():
    """Compile the explicit time loop for the types it will be called with."""
    from numba import typeof

    from mekane.solvers.explicit import advance

    advance.compile(tuple(map(typeof, (*loop_arguments(), 1))))


def loop_arguments():
    """Arguments of the types that time loops are called with, up to the number of steps."""
    import numpy as np

    from mekane.solvers.clocks import no_clocks
    from mekane.solvers.integrators.rk4 import method
    from mekane.solvers.state import Record, scratch
    from mekane.tables.handle import Handle

    f1, f2, i1, i2 = np.zeros(1), np.zeros((1, 1)), np.zeros(1, np.int64), np.zeros((1, 1), np.int64)
    model, buffer, record = (
        Handle(i1, i1, i1, f1, f1, f2, f1, i1, i2, i2, f2, f1),
        scratch(1, 1, 1, 1, 1, method, True),
        Record(f1, f2, f2),
    )
    return model, method, buffer, f1, f1, i1, record, f1, i2, i2, no_clocks()


def compile_readers():
    """Compile the loops over samples for the types they will be called with."""
    import numpy as np
    from numba import typeof

    from mekane.solvers.samples import read_residuals, read_samples
    from mekane.tables.handle import Handle

    f1, f2, i1, i2 = np.zeros(1), np.zeros((1, 1)), np.zeros(1, np.int64), np.zeros((1, 1), np.int64)
    model = Handle(i1, i1, i1, f1, f1, f2, f1, i1, i2, i2, f2, f1)
    read_samples.compile(tuple(map(typeof, (model, 1, 1, f1, f2, f2, f1, f2, f1, f1, i1, f2))))
    read_residuals.compile(tuple(map(typeof, (model, f1, f2, f2, f1, f2, i1, f1, f2, f2, f2))))
