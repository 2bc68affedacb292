"""Threads over the cores of the machine, each with its own lanes; all take runs from one queue."""

import os
import threading
import time

import llvmlite.binding as llvm
import numpy as np
from numba import typeof

from mekane.numba_backend.processor import processor
from mekane.solvers.entries import precompile
from mekane.solvers.lanes.lane_state import ENDED, INTERRUPTED, N_QUEUE, aligned, lane_workspace

POLL = 0.05  # seconds between two looks at the threads
LOOP, PREPARATION = "solvers/lanes/loop", "solvers/lanes/preparation"


def lanes_of_processor():
    """As many doubles as one vector register holds."""
    features = llvm.get_host_cpu_features()
    if features.get("avx512f"):
        return 8
    return 2 if processor()[0].startswith(("aarch64", "arm64")) else 4


def cores():
    """How many the process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_on_threads(thread_code, tableau, settings, runs, lanes, n_measured, threads=None, progress=None):
    """Integrate all runs. thread_code(): addresses of functions for one thread. progress(ended): called now and then.
    Returns False if Ctrl-C stopped it; what has ended is kept."""
    queue = np.zeros(N_QUEUE, np.int64)
    count = max(1, min(threads or cores(), -(-len(runs.order) // lanes)))
    workspaces = [(thread_code(), lane_workspace(tableau, lanes, runs, n_measured)) for _ in range(count)]
    code, W = workspaces[0]
    loop, failures = compiled_loop(code, tableau, settings, queue, runs, W), []

    def work(code, W):
        try:
            loop(code, tableau, settings, queue, runs, W)
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=work, args=one, daemon=True) for one in workspaces]
    try:
        for worker in workers:
            worker.start()
        while any(worker.is_alive() for worker in workers):
            wait(workers, progress, queue)
        finished = True
    except KeyboardInterrupt:
        finished = False
    finally:
        queue[INTERRUPTED] = 1
        for worker in workers:
            if worker.ident is not None:
                worker.join()
    if failures:
        raise failures[0]
    return finished


def wait(workers, progress, queue):
    end = time.monotonic() + POLL
    for worker in workers:
        worker.join(max(0.0, end - time.monotonic()))
    if progress is not None:
        progress(int(queue[ENDED]))


def over_runs(address, states, parameters, width, lanes):
    """(runs, width): what a function over lanes gives for each run at time zero."""
    states, parameters = np.ascontiguousarray(states), np.ascontiguousarray(parameters)
    buffers = [aligned(n + 1, lanes) for n in (states.shape[1], parameters.shape[1], width)]
    found = np.empty((len(states), width))
    with precompile.first_use(PREPARATION):
        from mekane.solvers.lanes.preparation import call_for_runs

        call_for_runs(address, states, parameters, *buffers, found)
    return found


def compiled_loop(*arguments):
    """The time loop, compiled or loaded when it is first needed, for arguments of these types."""
    precompile.announce(LOOP, "many runs at once")
    with precompile.first_use(LOOP):
        from mekane.solvers.lanes.loop import run_lanes

        run_lanes.compile(tuple(map(typeof, arguments)))
    return run_lanes
