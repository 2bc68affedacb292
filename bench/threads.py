"""Two runs at the same time in two threads, beside one after the other: the time loop holds nothing that other threads
wait for."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

from bench.table import Row
from bench.timing import fastest


def rows():
    import mekane as mk
    from mekane.gallery import find

    print("  … threads", file=sys.stderr, flush=True)
    systems = [find(name).system() for name in ("double_pendulum", "squeezer")]
    ends = [200.0, 0.1]
    run = lambda system, t_end: mk.simulate(system, t_end, code="loops", rtol=1e-11)
    one_by_one = lambda: list(map(run, systems, ends))

    def at_once():
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(run, systems, ends))

    serial, threaded = fastest(one_by_one), fastest(at_once)
    note = f"{os.cpu_count()} cores; the longer of the two bounds the ratio"
    yield Row(
        "two runs in two threads",
        f"{threaded:.3f} s",
        "one after the other",
        f"{serial:.3f} s",
        serial / threaded,
        ">= 1.3",
        note,
    )
