"""Reading a run beside making it, in one process: one quantity of a long run, one body of a large model, and whether to
trust it."""

import sys
import time

from bench.table import Row, duration
from bench.timing import fastest

SAMPLES = 1_000_000
SIZES = (1000, 10_000)


def chain(n):
    import mekane as mk

    s = mk.System("chain")
    for i in range(n):
        s.body(f"b{i}", 1.0, inertia=(0.01, 0.01, 0.01), position=(0.1 * (i + 1), 0, 0), com=(-0.05, 0, 0))
        s.pin(f"j{i}", f"b{i - 1}" if i else "ground", f"b{i}", at=(0.1 * i, 0, 0), axis="y")
    return s


def rows():
    print("  … reading", file=sys.stderr, flush=True)
    import mekane as mk

    pendulum, options = chain(1), dict(every=1e-4)
    run = mk.simulate(pendulum, 1e-4 * SAMPLES, **options)
    cost = fastest(lambda: mk.simulate(pendulum, 1e-4 * SAMPLES, **options), 0.0)
    yield from compared(f"pendulum, {SAMPLES:.0e} samples", run, "b0", cost)
    for n in SIZES:
        s = chain(n)
        begun = time.perf_counter()
        run = mk.simulate(s, 0.02, method="rk4", step=1e-3, every=1e-3)
        yield from compared(f"chain of {n}", run, f"b{n - 1}", time.perf_counter() - begun)


def compared(what, run, body, cost):
    """Each read anew, beside the run itself, assembly included."""
    from mekane.results.result import Result

    again = lambda read: fastest(lambda: read(Result(run.system, run.compiled, run.record, run.info)), 0.0)
    for quantity in ("position", "acceleration"):
        took = again(lambda run, quantity=quantity: run.numbers(f"{body}.{quantity}"))
        yield Row(f"{what}: one {quantity}", duration(took), "its run", duration(cost), took / cost, "<= 1")
    took = again(lambda run: str(run.health))
    yield Row(f"{what}: health", duration(took), "its run", duration(cost), took / cost, "<= 1")
